/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that is handed out is recorded as an access too, and so are buffers of system calls,
 * which have no site; most tests of this folder count what instructions did.
 */
#ifndef SELFTESTS_ACCESS_FRESH_H
#define SELFTESTS_ACCESS_FRESH_H

#include <chessctl/chessctl.h>
#include <linux/chess_record.h>

static inline void drop_fresh(struct chess_run_result *r)
{
	size_t i, n = 0;

	for (i = 0; i < r->n_accesses; i++)
		if (r->accesses[i].site && !(r->accesses[i].kind & CHESS_ACCESS_FRESH) &&
		    r->accesses[i].kind & (CHESS_ACCESS_READ | CHESS_ACCESS_WRITE))
			r->accesses[n++] = r->accesses[i];
	r->n_accesses = n;
}

#endif /* SELFTESTS_ACCESS_FRESH_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sites whose traps were taken out in the middle of a long run (CHESS_TOLD_RETIRED).
 */
#ifndef CHESSCTL_RETIRED_H
#define CHESSCTL_RETIRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chessctl/run.h"

/**
 * struct chess_retired - those of a run
 * @site: their numbers, ascending; the caller frees them
 * @n: how many
 * @told: how often the run says so; each counts as a lost access
 * @whole: so many accesses, from the first on, have all that orders others
 */
struct chess_retired {
	uint32_t *site;
	size_t n, told, whole;
};

/*
 * @orders: does an access order others? What comes after the end of such a site would seem to
 * race. 0 or -ENOMEM with chess_error()
 */
int chess_retired_find(const struct chess_run_result *run,
		       bool (*orders)(void *arg, const struct chess_access *a), void *arg,
		       struct chess_retired *out);

#endif /* CHESSCTL_RETIRED_H */

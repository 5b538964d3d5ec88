/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * What hit.bpf.c notes and libchessctl/live/hits.c reads: no ABI, see look.bpf.h. The numbers
 * are those of the first pid namespace.
 */
#ifndef CHESS_HIT_BPF_H
#define CHESS_HIT_BPF_H

#include <linux/types.h>

#define CHESS_HIT_BYTES		4096	/* of notes: a reader that waits for one wants the first */

struct chess_hit_note {
	__u64 time;		/* CLOCK_MONOTONIC */
	__u32 gtgid, gtid;
};

#endif /* CHESS_HIT_BPF_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads-from pairs (Wolff, Shi, Duck, Mathur, Roychoudhury, Greybox Fuzzing for Concurrency
 * Testing, ASPLOS'24): which place in the program reads what which other place wrote, in memory, in
 * locks and the like, and through the kernel. For strategy rff.
 */
#ifndef CHESSCTL_READS_H
#define CHESSCTL_READS_H

#include "iroot/iroot.h"

/**
 * struct chess_reads - a pair
 * @write: place of the write; 0: what was there before the run
 * @read: place of what reads it
 * @runs: in so many it was seen; 0: another schedule may show it
 * @wanted: so many runs were to show it
 * @kernel: both are system calls
 */
struct chess_reads {
	uint32_t write, read;
	uint32_t runs, wanted;
	bool kernel;
};

/**
 * struct chess_reads_all - pairs, each once; all zero when empty
 * @pair: in the order in which they were found
 * @n: how many
 * @room: of @pair
 * @slot: hash table: index plus one
 * @slots: its size
 */
struct chess_reads_all {
	struct chess_reads *pair;
	size_t n, room;
	uint32_t *slot;
	size_t slots;
};

/*
 * The pairs of a run, with @runs 1, and those that another schedule of the same operations may
 * have, with 0. @out: empty. 0 or -ENOMEM with chess_error()
 */
int chess_reads_of(struct chess_reads_all *out, const struct chess_iroot_run *run,
		   const struct chess_record *r);
/* The number of a pair, which is noted if it is new; or -ENOMEM with chess_error() */
int64_t chess_reads_find(struct chess_reads_all *all, uint32_t write, uint32_t read, bool kernel);
/* Which pairs were seen, as one number: the order in which they were does not matter. */
uint64_t chess_reads_signature(const struct chess_reads_all *all);
void chess_reads_free(struct chess_reads_all *all);

#endif /* CHESSCTL_READS_H */

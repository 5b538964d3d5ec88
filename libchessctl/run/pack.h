/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Plans and results of runs as bytes: what goes to workers and back (pool.c), and what a
 * journal keeps (journal.c). Both ends are the same chessctl on the same machine.
 */
#ifndef CHESSCTL_PACK_H
#define CHESSCTL_PACK_H

#include "chessctl/chessctl.h"

/**
 * struct chess_pack - bytes that are being written
 * @data: so far; free() it
 * @n: number of them
 * @room: size of @data
 * @failed: there was no memory, something is missing
 */
struct chess_pack {
	unsigned char *data;
	size_t n, room;
	bool failed;
};

/**
 * struct chess_unpack - bytes that are being read
 * @at: the next one
 * @left: so many are left
 * @bad: something was not there; what was read since is zero
 */
struct chess_unpack {
	const unsigned char *at;
	size_t left;
	bool bad;
};

void chess_pack_put(struct chess_pack *p, const void *data, size_t n);
/* all zero when there are not so many */
void chess_unpack_get(struct chess_unpack *u, void *to, size_t n);
/* with their length in front; NULL is kept */
void chess_pack_string(struct chess_pack *p, const char *text);
/* malloc'ed, or NULL */
char *chess_unpack_string(struct chess_unpack *u);

/* But for the ticket. */
void chess_pack_plan(struct chess_pack *p, const struct chess_plan *plan);
/* @plan is all zero. 0 or -errno; chess_plan_clear() it */
int chess_unpack_plan(struct chess_unpack *u, struct chess_plan *plan);
void chess_plan_clear(struct chess_plan *plan);
/* a digest of what is packed: two plans with the same one are the same plan */
int chess_plan_key(const struct chess_plan *plan, uint64_t *key);

/*
 * The record's events and what chess_explore() looks at; with chess_error(), which is
 * part of some results. Neither waits nor maps nor output.
 */
void chess_pack_result(struct chess_pack *p, const struct chess_run_result *res);
/* sets chess_error() as well. 0 or -errno */
int chess_unpack_result(struct chess_unpack *u, struct chess_run_result *res);

#endif /* CHESSCTL_PACK_H */

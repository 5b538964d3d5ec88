/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The words in memory by which libraries put tasks in order, as the locks of OpenMP's and
 * GLib's run-time libraries do, and the guards of C++'s static variables.
 */
#ifndef CHESSCTL_SYNC_WORDS_H
#define CHESSCTL_SYNC_WORDS_H

#include "chessctl/run.h"
#include "hashset.h"

/**
 * struct chess_sync_words - those of a run; all zero: there are none
 * @first_site: accesses at sites from this number on are those of libraries
 * @words: of four bytes, numbers of them
 */
struct chess_sync_words {
	uint32_t first_site;
	struct chess_hashset words;
};

/**
 * chess_sync_words_find() - look for them
 * @run: with its record and accesses
 * @out: filled in; chess_sync_words_clear() it
 *
 * A word is one where a library executes an atomic instruction, or calls futex(2) for what
 * it also accesses itself.
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_sync_words_find(const struct chess_run_result *run, struct chess_sync_words *out);
void chess_sync_words_clear(struct chess_sync_words *w);

/* The kind of @a with what is known by them: ATOMIC, and ORDERS (sync.h) of libraries. */
uint8_t chess_sync_words_kind(const struct chess_sync_words *w, const struct chess_access *a);

#endif /* CHESSCTL_SYNC_WORDS_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * owner.c: which task has the lock whose futex another waits for, from the memory of a process
 * that runs.
 */
#ifndef CHESSCTL_OWNER_H
#define CHESSCTL_OWNER_H

#include <stdbool.h>
#include <stdint.h>

#include "wait/look.h"

enum chess_lock_kind {
	CHESS_LOCK_UNKNOWN,	/* a futex of a condition variable, a semaphore, ... */
	CHESS_LOCK_MUTEX,
	CHESS_LOCK_RWLOCK,	/* a writer has it */
	CHESS_LOCK_WORD,	/* the word itself has the owner: robust and PI mutexes, musl's */
	CHESS_LOCK_THREAD,	/* it waits for the end of a thread */
};

/**
 * struct chess_owner - what a futex belongs to
 * @kind: of lock
 * @address: of the lock, as the program knows it
 * @tid: the task that has it, as the program knows its number; 0: nobody, or not noted
 * @shared: it may be a task of another process
 * @timed: the wait ends by itself
 */
struct chess_owner {
	enum chess_lock_kind kind;
	uint64_t address;
	uint32_t tid;
	bool shared, timed;
};

/* Is @t, which is blocked in futex(), waiting for something that has an owner? */
void chess_owner_find(const struct chess_look_task *t, struct chess_owner *o);

const char *chess_lock_kind_name(enum chess_lock_kind kind);

#endif /* CHESSCTL_OWNER_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a run did that no search covers: which orders of it matter is not known.
 */
#ifndef CHESSCTL_UNSEEN_H
#define CHESSCTL_UNSEEN_H

#include "chessctl/chessctl.h"

/**
 * enum chess_unseen - causes, the most telling one first
 * @CHESS_UNSEEN_STREAM: a handler uses a stream and may interrupt a call that uses it, too
 * @CHESS_UNSEEN_STACK: handlers of two tasks run on one alternative stack
 * @CHESS_UNSEEN_PIPE: a pipe has pages of a task's memory (vmsplice)
 * @CHESS_UNSEEN_RING: of an io_uring the kernel fetches requests, or chooses buffers, by itself
 * @CHESS_UNSEEN_FILE: mapped bytes of a file were exchanged for others (FICLONE, remap_file_pages)
 * @CHESS_UNSEEN_FILTER: a seccomp filter was put on other threads
 * @CHESS_UNSEEN_LIMIT: a process limits another one
 * @CHESS_UNSEEN_LOCALE: the locale of a process was changed after it had made threads
 */
enum chess_unseen {
	CHESS_UNSEEN_STREAM,
	CHESS_UNSEEN_STACK,
	CHESS_UNSEEN_PIPE,
	CHESS_UNSEEN_RING,
	CHESS_UNSEEN_FILE,
	CHESS_UNSEEN_FILTER,
	CHESS_UNSEEN_LIMIT,
	CHESS_UNSEEN_LOCALE,
	CHESS_UNSEEN_CAUSES,
};

/* In place of a site: it is part of a run's races as that is. */
#define CHESS_SITE_UNSEEN	(UINT32_MAX - 16)
/* Is it one of those? Then this is @cause. */
static inline bool chess_site_is_unseen(uint32_t site, unsigned int *cause)
{
	*cause = site - CHESS_SITE_UNSEEN;
	return *cause < CHESS_UNSEEN_CAUSES;
}

/**
 * chess_unseen_find() - the causes in one run
 * @run: with record and accesses
 * @stream_of: see chess_handler_streams_find()
 * @arg: for @stream_of
 * @out: a bit for each
 *
 * Return: 0, or -errno with chess_error().
 */
int chess_unseen_find(const struct chess_run_result *run,
		      uint64_t (*stream_of)(void *arg, const struct chess_access *a), void *arg,
		      uint32_t *out);

/* A sentence about the first of these @causes, which are bits; NULL: there are none. */
const char *chess_unseen_text(uint32_t causes);

#endif /* CHESSCTL_UNSEEN_H */

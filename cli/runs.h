/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who makes the runs of a search: the session's runner, or workers beside it that have
 * runners of their own (explore --jobs).
 */
#ifndef CLI_RUNS_H
#define CLI_RUNS_H

#include <chessctl/chessctl.h>
#include <chessctl/races.h>

#include "session.h"

/**
 * struct runs - the executor of a search
 * @s: the program; open before the first run is asked for
 * @pool: workers, or NULL
 * @jobs: their executor
 * @po: what they are started with
 * @peek: of the search that is going on, with @search; or NULL
 * @racing: accesses that race are points, and who makes a run looks for them; or NULL
 * @j: runs that were made already, and where new ones are kept; or NULL
 * @made: a run was made, and not taken from @j
 * @begun: the first run is known
 * @strict: nothing died in it that was expected to, so nothing may in the others
 * @wanted: will this failing run be reported in detail?
 * @arg: for @wanted
 */
struct runs {
	struct session *s;
	struct chess_pool *pool;
	struct chess_executor jobs;
	struct chess_pool_opts po;
	chess_peek *peek;
	void *search;
	struct chess_racing *racing;
	struct chess_journal *j;
	bool made, begun, strict;
	bool (*wanted)(void *arg, const struct chess_run_result *bad);
	void *arg;
};

/**
 * runs_open() - start the workers
 * @r: all zero but for @racing
 * @s: the program, its list of points is known; not open yet
 * @jobs: so many runs at a time
 * @argv: of the program
 * @path: of the program
 * @o: options of the session
 *
 * Return: CLI_PROCEED, or an exit code after one sentence. runs_close() in both cases.
 */
int runs_open(struct runs *r, struct session *s, unsigned int jobs, char **argv,
	      const char *path, const struct session_opts *o);
void runs_close(struct runs *r);
/* These files have traps as well: the same. 0 or -errno */
int runs_set_later(struct runs *r, const char *const *files);
/* A task may take 100,000 points in a row: the same. 0 or -errno */
int runs_set_long_rows(struct runs *r);
/* The quantum is so many times what it was at first: the same. 0 or -errno */
int runs_set_quantum(struct runs *r, unsigned int times);
/* The session's access points are others: workers start again with them. 0 or -errno */
int runs_set_points(struct runs *r, const uint32_t *sites, size_t n);
struct chess_executor runs_executor(struct runs *r);

#endif /* CLI_RUNS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chessctl shard submit: a search whose shards a batch engine runs. All that it knows is in a
 * folder, so that each of its processes may be killed at any time, and another one goes on:
 *
 *	search.json		what was asked for
 *	cut/NAME/		shards; made elsewhere and renamed, so all are there or none
 *	cut/NAME/parents	of a later cut: ids of the shards that it was made of
 *	done/ID/		of shard ID: its result, a shard with what is left, traces;
 *				or the file "cut" with the name of the cut that it went into
 *	work/ID/		the same while a worker has it, by a lock on ID/lock
 *	work/ID/back		the worker is to hand back what is left
 *	wave/N/list		shards that were handed to the engine together, one a line: id,
 *				seconds, level, path
 *	wave/N/job		by what name the engine knows them
 *	stop			a number: shards of this level and higher ones are not run any more
 *	failures		of shards that could not be run: id, exit code, machine
 *
 * done/ID comes into being by one rename, which fails for all but the first: a shard is counted
 * once, however often it was run, and never both run and cut.
 */
#ifndef CLI_SHARD_SUBMIT_H
#define CLI_SHARD_SUBMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <json-c/json.h>

#include "cli.h"
#include "shard/shard.h"
#include "shard/submit_plan.h"

/* A task's time beyond its share: what it takes to begin, to end and to write what is left. */
#define SUBMIT_GRACE	600

/**
 * struct submit_options - as on the command line, or in search.json
 * @engine: "local", "slurm" or "parallel"
 * @workers: shards that are run at a time
 * @share: seconds, see struct submit_state
 * @share_max: a shard is handed back after so many seconds in any case
 * @login: parallel: machines, as its option --sshlogin has them; NULL: this one
 * @keep_going: the first bug is no reason to stop
 * @host: shards are run on the machine itself, not in its VM
 * @split: arguments of shard split: explore's options, "--", the program
 * @cwd: where that was asked for
 */
struct submit_options {
	const char *engine, *login;
	unsigned int workers;
	double share, share_max;
	bool keep_going, host;
	char **split;
	char *cwd;
};

/* What is known of a shard. */
enum submit_fate {
	SUBMIT_WAITS,
	SUBMIT_RUNS,		/* the engine has it */
	SUBMIT_DONE,		/* there is a result */
	SUBMIT_CUT,		/* others have taken its place */
};

/**
 * struct submit_shard - a shard of the search
 * @id: of it
 * @path: of its file, from the folder of the search
 * @h: what the file says
 * @fate: see there
 * @wave: that it was handed out in
 * @index: there, from 0
 * @since: when that was
 * @called: it was called back
 * @pid: of the process that runs it, with engine local
 * @lost: how often it was handed out without a result
 * @failed: how often it could not be run
 */
struct submit_shard {
	char id[SHARD_ID];
	char *path;
	struct shard_header h;
	enum submit_fate fate;
	unsigned int wave, index;
	double since;
	bool called;
	int pid;
	unsigned int lost, failed;
};

/**
 * struct submit - a search
 * @dir: folder, from the root
 * @fd: of it
 * @lock: file that the process has locked that hands out its shards
 * @o: what was asked for
 * @shard: all shards; @n of them
 * @known: for submit_shard_of()
 * @result: paths of results, from the root; @n_results of them
 * @cut: names of the cuts that were read; @n_cuts of them
 * @runs: that were made
 * @left_weight: of what is not done; a guess
 * @stop: see there
 * @bug: a run failed, with that many preemptions
 * @waves: how many there were
 */
struct submit {
	char *dir;
	int fd, lock;
	struct submit_options o;
	struct submit_shard *shard;
	size_t n, room;
	size_t *known, slots;
	char **result;
	size_t n_results;
	char **cut;
	size_t n_cuts;
	uint64_t runs;
	double left_weight;
	unsigned int stop;
	bool bug;
	unsigned int waves;
};

/*
 * submit_dir.c: the folder. Each returns CLI_PROCEED, or an exit code after one sentence, unless it
 * says otherwise.
 */
/* @fresh: it is made, and must not be the folder of a search; else it must */
int submit_open(struct submit *s, const char *dir, bool fresh);
/* The process that hands out shards: there is one. */
int submit_lock(struct submit *s);
int submit_write_search(struct submit *s);
int submit_read_search(struct submit *s);
void submit_close(struct submit *s);
/* path in the folder, from the root; malloc'ed */
char *submit_path(const struct submit *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Removes what is below the path, and itself. */
void submit_remove(const char *path);
/* Makes file @path with @text: all of it is there, or nothing. */
int submit_write_file(const char *path, const char *text);

/*
 * done/ID is @from, a folder, from now on, unless there is one. Return: 1; 0: there was one;
 * -errno
 */
int submit_commit(const struct submit *s, const char *id, const char *from);

/* submit_scan.c: what is in the folder now. As above */
int submit_scan(struct submit *s);
struct submit_shard *submit_shard_of(const struct submit *s, const char *id);
/* Shards of state SUBMIT_WAITS are put together and cut again. */
int submit_cut(struct submit *s, struct submit_shard *const *shards, size_t n, size_t pieces);
/* The first cut, unless there is one. */
int submit_cut_first(struct submit *s, size_t pieces);
/* Cuts that a process has begun that is gone are done. */
int submit_cut_rest(struct submit *s);

/* Runs chessctl with @argv and its standard output in @to; -1: as ours. Return: exit code */
int submit_chessctl(char *const *argv, int to, bool makes_runs);

/**
 * struct submit_engine - who runs shards
 * @name: as typed
 * @begin: the search begins; @s stays
 * @most: shards of a wave
 * @hand: all shards of a wave, which has its list, are run from now on
 * @poll: calls submit_gone() for each shard that is run no more
 * @end: nothing is handed out any more; what waits in a queue is taken out of it
 */
struct submit_engine {
	const char *name;
	size_t most;
	int (*begin)(struct submit *s);
	int (*hand)(struct submit *s, unsigned int wave, size_t n, double seconds);
	int (*poll)(struct submit *s);
	void (*end)(struct submit *s);
};

/* A shard runs no more; whether there is a result is seen in the folder. */
void submit_gone(struct submit_shard *shard);

/* submit_task.c: what the engine starts for shard number @index of a wave; returns the exit code */
int submit_task(const char *dir, const char *wave, const char *index);

/* submit_rounds.c: hands out shards until none is left, or a signal comes */
int submit_rounds(struct submit *s, const struct submit_engine *engine);
/* submit_engine.c: NULL: there is none of that name */
const struct submit_engine *submit_engine_find(const char *name);

/* cmd_submit.c: its own options, and the name of one that was given, or NULL */
#define SUBMIT_OPTIONS	8
extern const struct opt submit_options[SUBMIT_OPTIONS];
const char *submit_option_given(void);

#endif /* CLI_SHARD_SUBMIT_H */

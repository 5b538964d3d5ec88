/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of the runner share.
 *
 * runner.c		a group, and its runs from the plan to the result
 * runner_files.c	the files that traps are registered for
 * runner_launch.c	start of the program
 * runner_progress.c	until it has ended
 * runner_judge.c	what it showed
 * kept.c		runs that begin where the start of the program is over
 */
#ifndef CHESSCTL_RUNNER_INTERNAL_H
#define CHESSCTL_RUNNER_INTERNAL_H

#include <signal.h>
#include <sys/stat.h>

#include "chessctl/chessctl.h"
#include "run/verdict.h"

/* How often locks are checked while a run continues. */
#define CHECK_MS		500

/* A file that traps are registered for, if it has what gets traps, as it was then. */
struct traced {
	char *path;
	struct stat st;
	int fd;			/* that file, whatever the path leads to by now; -1: not open */
	bool has_traps;
};

/**
 * struct kept - the process whose forks later runs begin with
 * @off: there is none, and will be none
 * @ready: there is one
 * @records: of runs whose accesses are recorded
 * @root: the process, or 0
 * @runs: that began as usual, since what they depend on changed
 * @made: how often one was kept
 * @forked: how many runs began with it, since that was set to 0
 * @all: how many runs began with one
 * @low: the loader's first address; 0: not known
 * @high: and after the last one
 * @out: stdout of the process and its forks
 * @err: stderr
 * @why: why there is none, or NULL
 */
struct kept {
	bool off, ready, records;
	pid_t root, owner;
	unsigned int runs, before, made, forked, all;
	uint64_t low, high, input;
	int out, err;
	const char *why;
};

struct chess_runner {
	struct chess_ctl *ctl;
	uint32_t group, quantum_us;
	struct chess_program program;
	struct chess_runner_opts opts;
	struct chess_isolate *isolate;
	bool left_files;	/* the last run, in a /tmp of its own */
	char *path;
	char **later;			/* program.later, copied */
	gid_t *groups;			/* supplementary ones of program.uid */
	int n_groups;
	int null_fd, wake_fd;
	volatile sig_atomic_t interrupted;
	struct traced *traced;
	size_t n_traced;
	char *known;			/* what forks of the kept process map that needs no traps */
	bool has_plan;			/* the module has one that is not empty */
	struct chess_site_table *sites;	/* of opts.code, or NULL */
	struct chess_look *look;	/* loaded when first needed */
	bool patient;			/* opts.run_timeout_ms was asked for */
	int64_t longest_us;		/* of the runs that ended by themselves; 0: none has */
	struct kept kept;
};

/**
 * struct launch - what parent and child share until the child executes
 * @r: the runner
 * @parent: pid of the parent, as the child sees it
 * @out: for stdout when captured
 * @err: for stderr when captured
 * @kept: the process is to be kept, or the run begins with one that is: @out and @err stay
 * @what: the call that failed in the child, or NULL
 * @error: its errno
 */
struct launch {
	struct chess_runner *r;
	pid_t parent;
	int out, err;
	bool kept;
	const char *volatile what;
	volatile int error;
};

/**
 * struct progress - a run on its way
 * @r: the runner
 * @out: where results go
 * @facts: for the verdict
 * @run: its number
 * @end: time in microseconds when patience ends
 * @next_check: when locks are checked next
 * @idle_since: when all tasks were first found waiting, at event @idle_at; 0: they were not
 * @killed: SIGKILL was sent to all its tasks
 * @interrupted: by chess_runner_interrupt()
 * @explains: the run is made for a report, so it may take longer
 * @forked: it began with a fork of the kept process
 * @has_known_files: and maps the files that the runner knows of such a fork
 */
struct progress {
	struct chess_runner *r;
	struct chess_run_result *out;
	struct chess_facts facts;
	uint32_t run;
	int64_t end, next_check, idle_since;
	uint32_t idle_at;
	size_t max_accesses;	/* that are recorded; 0: none are */
	bool killed, interrupted, explains, forked, has_known_files;
	bool full;		/* and goes on */
};

/* Each so manieth yield of a task counts; 0: none does. */
uint32_t chess_runner_fair(const struct chess_runner *r);
bool chess_runner_early_timers(const struct chess_runner *r);
bool chess_runner_late_watchdogs(const struct chess_runner *r);
bool chess_runner_late_limits(const struct chess_runner *r);
uint32_t chess_runner_early_max(const struct chess_runner *r);
const char *chess_runner_late_programs(const struct chess_runner *r);
bool chess_runner_no_watchdogs(const struct chess_runner *r);

/* Note the files of the program as they are; 0 or -errno. */
int chess_runner_note_files(struct chess_runner *r);
/* The path of one that is not as it was when the run began, or NULL. */
const char *chess_runner_replaced_file(const struct progress *w);
void chess_runner_forget_files(struct chess_runner *r);
/* Another process is kept: what its forks map is found out once more. */
void chess_runner_doubt_files(struct chess_runner *r);
/* Register traps in them; 0 or -errno. */
int chess_runner_add_traps(struct chess_runner *r);
/* What is in the run's record of files without traps goes to the result; 0 or -errno. */
int chess_runner_keep_mapped(struct progress *w);

/* The groups a login of the program's user would have; 0 or -errno. */
int chess_runner_find_groups(struct chess_runner *r);
/* Under control when this returns 0; *@root is -1 otherwise. */
int chess_runner_launch(struct launch *l, pid_t *root);

void chess_kept_init(struct chess_runner *r);
void chess_kept_free(struct chess_runner *r);
/* What runs depend on changes. */
void chess_kept_forget(struct chess_runner *r);
/* After a run of @plan that began as usual: later ones may begin with a process that is kept. */
void chess_kept_consider(struct chess_runner *r, uint32_t flags, uint32_t max_accesses,
			 const struct chess_plan *plan, const struct chess_run_result *fresh);
/* After a run that began with it. */
void chess_kept_ended(struct chess_runner *r, const struct chess_record *forked);
/* Has the run begun with the kept process? Then @root is its first task. */
bool chess_kept_begin(struct progress *w, struct launch *l, uint32_t flags, pid_t *root);

/* Until the last task is gone. */
int chess_runner_await(struct progress *w);
/* The tasks under control are gone. The root is too, unless it left control. */
int chess_runner_reap(struct progress *w, pid_t root);

/* The record so far; NULL and errno. */
struct chess_record *chess_runner_record(const struct chess_runner *r);
/* It goes to the result, unless there is one; 0 or -errno. */
int chess_runner_keep_record(struct progress *w);
/* Says what it found in @w->facts, and cuts the result's record there. */
int chess_runner_find_end(struct progress *w, const struct chess_record *r);
/* The rest of the result of a run that has ended. */
int chess_runner_judge(struct progress *w);

#endif /* CHESSCTL_RUNNER_INTERNAL_H */

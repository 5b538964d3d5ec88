/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What "chessctl attach" was asked for, and who does it: a mode that only looks
 * (attach_observe.c), those that take control (attach_control.c, attach_explore.c), and
 * one that looks first (attach_catch.c).
 */
#ifndef CLI_ATTACH_H
#define CLI_ATTACH_H

#include <sys/types.h>

#include "cli.h"

enum attach_mode {
	ATTACH_OBSERVE,
	ATTACH_RECORD,
	ATTACH_PERTURB,
	ATTACH_EXPLORE,
	ATTACH_CATCH,
};

/**
 * struct attach_options - the command line of attach
 * @pid: the process
 * @mode: what to do with it
 * @tree: its descendants too
 * @follow: and those it will create
 * @json: one JSON object at the end instead of text
 * @seconds: detach after this time; 0: at the end of the process or on Ctrl-C
 * @record: file for the trace, or NULL
 * @seed: of the random decisions (perturb)
 * @policy: name of what takes them (perturb), "random" or "pct"
 * @points: which points, as session_points() has it
 * @max_stall_ms: no task is held longer
 * @max_slowdown: no more tasks than this wait for each other; 0: no limit
 * @each: the command that asks for something (explore)
 * @strategy: of the search
 * @out: where its trace goes, or NULL
 * @bound: of the search
 * @runs: no more than this; 0: no limit
 * @run_timeout: seconds that @each may take
 * @blocked: seconds that a task may wait for a lock that one has (catch); 0: for ever
 * @catch_at: a place that a task may not come to (catch), attach_place_valid(); or NULL
 */
struct attach_options {
	pid_t pid;
	enum attach_mode mode;
	bool tree, follow, json;
	double seconds;
	const char *record;
	uint64_t seed;
	const char *policy;
	const char *points;
	unsigned int max_stall_ms;
	double max_slowdown;
	const char *each, *strategy, *out;
	unsigned int bound;
	uint64_t runs;
	double run_timeout, blocked;
	const char *catch_at;
};

/*
 * attach_target.c: is there a process of this number that may be attached to? Return:
 * CLI_PROCEED, or the exit code once a sentence has said why not.
 */
int attach_target(pid_t pid);
/* The same, and may it be controlled: @ctl is the module of this machine. */
int attach_module(pid_t pid, struct chess_ctl **ctl);

/* All return an exit code. */
int attach_observe(const struct attach_options *o);
int attach_explore(const struct attach_options *o);
int attach_catch(const struct attach_options *o);
int attach_control(const struct attach_options *o);

/* attach_files.c: a file with code, as it is mapped */
struct attach_file {
	uint64_t start, end;
	unsigned int major, minor;
	uint64_t inode;
	char path[512];
};

/* Return: -errno ends it. */
typedef int attach_file_fn(void *arg, pid_t pid, const struct attach_file *m);

/*
 * All that the process (and its descendants) has mapped, to @each. Return: the sum of what
 * that returned, or the -errno that ended it.
 */
int attach_files(pid_t pid, bool tree, attach_file_fn *each, void *arg);
/* Where such a file can be opened; malloc'ed; NULL: nowhere */
char *attach_file_path(pid_t pid, const struct attach_file *m);

/* attach_place.c: FILE:FUNCTION or FILE:PROVIDER:NAME? */
bool attach_place_valid(const char *text);
/* Probes at @o->catch_at. CLI_PROCEED, or an exit code when that has failed */
int attach_place(const struct attach_options *o, struct chess_hits **hits);

/* Sync functions of all files the process (and its descendants) has mapped: traps, or -errno */
int attach_points(struct chess_ctl *ctl, uint32_t group, pid_t pid, bool tree);

#endif /* CLI_ATTACH_H */

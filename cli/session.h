/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One program under control: what explore, replay and run have in common, from
 * the options to a trace on disk.
 */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include <chessctl/chessctl.h>
#include <json-c/json.h>
#include <string.h>

#include "cli.h"

/* options every command that runs a program takes; rows for struct opt tables */
struct session_opts {
	const char *points;
	struct opt_list probes, code;
	unsigned int max_accesses;
	bool record;		/* accesses of each run */
	bool may_drop_code;	/* races among the points, if the program's code allows */
	unsigned int quantum_ms;
	unsigned int max_events, max_points;
	double run_timeout;
	bool real_time;
	bool private_tmp, overlay, no_network, host_pids;
	bool no_bpf;
	bool maps;		/* of each run */
	unsigned int fair_k;	/* 0: not asked for */
	bool unfair;
	bool yield_trylock;
	bool no_early;
	double early_max;	/* seconds; 0: not asked for */
	struct opt_list watchdog;	/* names of programs; below as in chess_ctl_set_late() */
	char late_programs[CHESS_LATE_PROGRAMS + 1];
	const char *ok_exit, *expect_signal, *ignore_monitor;
	bool no_expect_signal;
	const char *expected;	/* by the trace that is replayed, or NULL */
	bool goes_on_when_full;	/* the record of a run */
	const char *wake;	/* "any", "fifo" or NULL, which is that */
	bool spurious;		/* waits may end without a wake-up */
	const char *watchdogs;	/* "early", "late", "never" or NULL, which is "late" */
	const struct chess_record *recorded;	/* of the trace that is replayed, or NULL */
	uint32_t recorded_us;	/* quantum of the trace, where none is asked for */
	uint32_t recorded_events;	/* length of the trace; 0: none */
	const struct chess_trace *accessed;	/* whose access points are set; NULL: none */
};

#define SESSION_ACCESSES	4000000	/* of a run; 32 bytes each */

#define SESSION_EVENTS	131072	/* the module's default */

/* what to ask the module for; 0 for its default */
static inline uint32_t session_quantum(const struct session_opts *o)
{
	return o->quantum_ms ? o->quantum_ms * 1000 : o->recorded_us;
}

/* which yields count, as chess_record_fair() has it */
static inline uint32_t session_fair(const struct session_opts *o)
{
	if (o->unfair || o->fair_k)
		return o->unfair ? 0 : o->fair_k;
	return o->recorded ? chess_record_fair(o->recorded) : 1;
}

/* is to try a lock again a yield? */
static inline bool session_yield_trylock(const struct session_opts *o)
{
	return o->yield_trylock || (o->recorded && chess_record_yield_trylock(o->recorded));
}

/* do timers go off when nobody else can go on, and never before? */
static inline bool session_late_timers(const struct session_opts *o)
{
	return o->recorded && !chess_record_early_timers(o->recorded);
}

/* is an access that reads and writes without a lock one point, and not two? */
static inline bool session_whole_updates(const struct session_opts *o)
{
	return o->recorded && !chess_record_split_updates(o->recorded);
}

/* is a copy one point, and not several? */
static inline bool session_whole_copies(const struct session_opts *o)
{
	return o->recorded && !chess_record_split_copies(o->recorded);
}

/* are calls that the flag more-calls makes points none? */
static inline bool session_fewer_calls(const struct session_opts *o)
{
	return o->recorded && !chess_record_more_calls(o->recorded);
}

/* do tasks not yield where they wait in a loop that does nothing else? */
static inline bool session_busy_awaits(const struct session_opts *o)
{
	return o->recorded && !chess_record_yield_await(o->recorded);
}

/* which sync functions are points, as chess_ctl_set_functions() has it */
static inline uint32_t session_functions(const struct session_opts *o)
{
	uint32_t n = o->recorded ? chess_record_functions(o->recorded) : 0;

	return o->recorded && !n ? CHESS_WRAPPERS_BEFORE : n;
}

/* do time limits for children pass when nobody else can go on, and never before? */
static inline bool session_late_watchdogs(const struct session_opts *o)
{
	if (o->recorded)
		return chess_record_late_watchdogs(o->recorded);
	return !o->watchdogs || strcmp(o->watchdogs, "early");
}

/* do they not pass at all? */
static inline bool session_no_watchdogs(const struct session_opts *o)
{
	if (o->recorded)
		return chess_record_no_watchdogs(o->recorded);
	return o->watchdogs && !strcmp(o->watchdogs, "never");
}

/* do timers that limit the time of their own process go off in time, and never before? */
static inline bool session_late_limits(const struct session_opts *o)
{
	return o->recorded ? chess_record_late_limits(o->recorded) : session_late_watchdogs(o);
}

/* which deadlines do not pass early, as chess_ctl_set_late() has it */
static inline uint32_t session_early_max(const struct session_opts *o)
{
	if (o->recorded)
		return chess_record_early_max(o->recorded);
	return o->early_max > 0 && o->early_max < 0.001 ? 1 : o->early_max * 1000;
}

static inline const char *session_late_programs(const struct session_opts *o)
{
	if (o->recorded)
		return chess_record_late_programs(o->recorded);
	return *o->late_programs ? o->late_programs : NULL;
}

/* is it a decision who of those that wait in line is woken? */
static inline bool session_wake_any(const struct session_opts *o)
{
	if (o->recorded)
		return chess_record_wake_any(o->recorded);
	return o->wake && !strcmp(o->wake, "any");
}

/* may waits end without a wake-up? */
static inline bool session_spurious(const struct session_opts *o)
{
	return o->recorded ? chess_record_spurious(o->recorded) : o->spurious;
}

/*
 * The same for the capacity of the record. The module's default is enough for traces
 * that it was enough for; a longer one may well diverge and grow.
 */
static inline uint32_t session_events(const struct session_opts *o)
{
	if (o->max_events || o->recorded_events <= SESSION_EVENTS / 2)
		return o->max_events;
	return o->recorded_events < CHESS_MAX_EVENTS / 2 ? o->recorded_events * 2 :
							   CHESS_MAX_EVENTS;
}

/**
 * struct session_accesses - which accesses to memory are points now
 * @sites: their numbers, @n of them
 * @files: they are in, as in traces
 * @n_files: of @files
 * @points: the same as @sites, as in traces
 */
struct session_accesses {
	uint32_t *sites;
	size_t n;
	struct chess_trace_probe *files;
	size_t n_files;
	struct chess_trace_point *points;
};

struct session {
	struct chess_runner *runner;
	struct chess_probes *attached;
	struct chess_trace_probe *probes;	/* what is attached, as in traces */
	size_t n_probes;
	char **argv;
	char *cwd;
	char *path;		/* the program */
	char *hash;
	char *points;
	char **code;		/* whose accesses may be points, as in traces; or NULL */
	struct session_accesses accesses;
	/* files with traps that are mapped later than at the start, as in traces */
	struct chess_trace_probe *later;
	size_t n_later;
	char *expect;		/* what the program may end with, as in traces; or NULL */
	bool real_time;
	bool long_rows;		/* a task may take 100,000 points in a row */
	unsigned int patience;	/* the quantum is so many times what it was at first; 0: once */
	bool helper;		/* one of several for one program: another has attached all */
	unsigned int surroundings;	/* enum chess_surroundings */
};

/* CLI_PROCEED when the list is good, else an exit code; *out is malloc'ed, normalised */
int session_points(const char *command, const char *list, char **out);
bool session_has_sync(const char *points);
bool session_has_races(const char *points);

/*
 * Can the program at @path be seen in the surroundings that are asked for, and are the
 * files of --probe there? Return: CLI_PROCEED, or an exit code after one sentence; then @path is
 * freed.
 */
int session_may_start(const struct session_opts *o, char *path, const char *cwd);

/*
 * @path: from program_find(), taken over. @cwd: NULL for ours. Return: CLI_PROCEED, or an
 * exit code after one sentence.
 */
int session_open(struct session *s, struct chess_ctl *ctl, char **argv, char *path,
		 const char *cwd, const struct session_opts *o, bool capture);
void session_close(struct session *s);

/*
 * From the next run on each has a /tmp of its own. Return: false where it has one already, or the
 * program is in /tmp, or there is no right to that.
 */
bool session_private_tmp(struct session *s);
/* From the next run on a task may take 100,000 points in a row. */
void session_set_long_rows(struct session *s);
/* The quantum is so many times what it was at first; points stay. 0 or -errno */
int session_set_quantum(struct session *s, unsigned int times);
/* And then from the next run on the one that all have. */
void session_shared_tmp(struct session *s);

/* What the program may end with. CLI_PROCEED, or an exit code after one sentence */
int session_expect(const struct session_opts *o, struct chess_expect *x);
/* From the next run on no child may die of a signal, but of those that options name. */
void session_expect_no_deaths(struct session *s);

/* "real" or "virtual", as in traces and JSON */
static inline const char *session_time(bool real_time)
{
	return real_time ? "real" : "virtual";
}

/* what the trace says is asked for too */
void session_same_surroundings(struct session_opts *o, const struct chess_trace *t);

/*
 * The probes of the trace, unless others are asked for. @missing: the first whose file is
 * not there any more, or NULL.
 */
const char *session_same_probes(struct session_opts *o, const struct chess_trace *t);

/*
 * The code of the trace, unless other is asked for, and its points. Return: CLI_PROCEED, or an exit
 * code after one sentence: a file is not what it was, so the points are not where they were.
 */
int session_same_accesses(struct session_opts *o, const struct chess_trace *t);

/*
 * session_accesses.c: is there what --code asks for? CLI_PROCEED, or an exit code after one
 * sentence.
 */
int session_check_code(const struct session_opts *o, char **argv, const char *path);
/* from the next run on these sites are points. 0 or -errno */
int session_set_points(struct session *s, const uint32_t *sites, size_t n);
/* from the next run on these files have traps as well, and no site is a point. 0 or -errno */
int session_set_later(struct session *s, const char *const *files);
/* its own copy of such a list */
void session_copy_later(struct session *s, const struct chess_trace_probe *later, size_t n);
void session_forget_later(struct session *s);
/* NULL after the last; free() the list, not what is in it */
const char **session_later(const struct chess_trace_probe *later, size_t n);
/* The points of the trace. CLI_PROCEED, or an exit code after one sentence */
int session_trace_points(struct session *s, const struct chess_trace *t);
void session_clear_points(struct session_accesses *a);

/*
 * Loads and attaches the files of --probe, for the program at @path. *out is NULL where
 * there are none. Return: CLI_PROCEED, or an exit code after one sentence.
 */
int session_attach(const struct session_opts *o, const char *path, struct chess_probes **out);

/* the list of those that are set, as in traces */
struct json_object *session_json_surroundings(unsigned int surroundings);

/* SIGINT, SIGTERM or SIGHUP came, or the time was over: the run in progress is killed */
bool session_interrupted(void);
/* @spent of @time seconds is over: the run in progress is killed soon after the rest. 0: never */
void session_limit_run(double time, double spent);
/* that happened */
bool session_is_late(void);
/* What asks for an end ends the command itself again. */
void session_release_signals(void);

/* a trace of @res; borrows everything, never free it */
void session_trace(const struct session *s, const struct chess_run_result *res,
		   struct chess_trace *t);

#endif /* CLI_SESSION_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libchessctl: one controlled execution of a program, its surroundings, its verdict.
 */
#ifndef CHESSCTL_API_RUN_H
#define CHESSCTL_API_RUN_H

#include <chessctl/api.h>
#include <chessctl/module.h>
#include <chessctl/program.h>
#include <chessctl/record.h>
#include <chessctl/verdict.h>
#include <chessctl/wait.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * expect.c: the ends of a program that are not bugs. All zero: exit code 0; and the death of a
 * child by a signal where its parent is this very program, asks how the child ended, and ends
 * well as the root does.
 */
struct chess_expect {
	uint64_t exits[4];	/* bit N: exit code N is as good as 0 */
	uint64_t signals;	/* bit N: death by signal N is not a bug, of any task */
	bool no_signals;	/* no other death by a signal is expected */
	uint32_t unheard;	/* bit N: messages of monitor number N do not count */
};
CHESS_API bool chess_expect_exit(const struct chess_expect *x, int code);
CHESS_API bool chess_expect_signal(const struct chess_expect *x, int sig);
/* @option: "ok-exit", "expect-signal" or "ignore-monitor". 0, or -EINVAL and chess_error() */
CHESS_API int chess_expect_add(struct chess_expect *x, const char *option, const char *list);
/* What differs from all zero, as traces have it; malloc'ed. NULL: nothing, or errno is ENOMEM */
CHESS_API char *chess_expect_text(const struct chess_expect *x);
/* The same read back; 0, -EINVAL or -ENOMEM with chess_error() */
CHESS_API int chess_expect_read(struct chess_expect *x, const char *text);

/*
 * deaths.c: the task whose death by a signal decided a run, or -1. @expect may be NULL.
 * @root_status: of the root, as wait(2) gives it; 0 where it has not ended. *@status: how that
 * task died; *@expected: how many processes died of a signal as was expected.
 */
CHESS_API int chess_record_dead(const struct chess_record *r, const struct chess_expect *expect,
			int root_status, int *status, unsigned int *expected);

/* complaints.c: what a monitor inside the program said of it */
struct chess_complaint {
	const char *monitor;	/* "glibc", "C++", "Rust", "Go", "AddressSanitizer", ... */
	enum chess_verdict verdict;	/* that follows from it */
	const char *said;	/* its first line; in the text that was asked about */
	size_t length;		/* of that line */
};
/* The complaint that explains @verdict of a run that wrote @err to stderr; false: none does */
CHESS_API bool chess_complaint_of(const char *err, const struct chess_expect *x,
			enum chess_verdict verdict, int bad_status,
			struct chess_complaint *out);

/* runner.c: one controlled execution of a program */
struct chess_runner_opts {
	size_t sz;
	uint32_t quantum_us;	/* 0: default */
	uint32_t max_events;	/* 0: default */
	uint32_t run_timeout_ms;	/* wall clock per run; 0: default 60 s */
	bool sync_points;	/* trap sync functions */
	bool maps;		/* file mappings of every run; else only with stack_seqs */
	bool no_syscall_points;	/* system calls are not points */
	bool real_time;		/* clocks and time-outs are the machine's, not the group's */
	bool host_pids;		/* pids and IPC objects are the system's, no namespaces */
	bool private_tmp;	/* each run has an empty /tmp and an empty /dev/shm */
	bool overlay;		/* each run writes to a copy of its working directory, in memory */
	bool no_network;	/* each run has a network of its own, with a loopback device only */
	bool no_bpf;		/* no kernel stacks of blocked tasks, which take time to load */
	bool unfair;		/* a yield passes on round robin, and nothing else */
	uint32_t fair_k;	/* N: each Nth yield of a task counts; 0: each */
	uint32_t max_points;	/* a fair run of more that repeats itself: a livelock; 0: 20000 */
	bool yield_trylock;	/* trying a lock again is a yield */
	/*
	 * Code whose accesses to memory get traps, NULL after the last: "" or "PROGRAM" is the
	 * program, "libc.so.6" a library it is linked to, or a path; with ":function" only that.
	 * NULL: no such traps
	 */
	const char *const *code;
	size_t max_accesses;	/* recorded in a run; 0: none are */
	/* timers go off when no other task can run, not at any decision; as in traces before
	 * version 11
	 */
	bool late_timers;
	/* deadlines of tasks that wait for a child pass when no other task can run, not at any
	 * decision
	 */
	bool late_watchdogs;
	bool no_watchdogs;	/* they never do; with late_watchdogs */
	/* timers that limit the time of their own process do not go off early */
	bool late_limits;
	bool long_rows;		/* 100,000 points in a row, not 1000, before others go first */
	bool wake_any;		/* a decision chooses the waiter to wake */
	bool spurious;		/* waits for conditions and futexes may end without a wake-up */
	bool no_early;		/* nor do policies let deadlines pass before that */
	struct chess_expect expect;
	/* a run whose record is full continues; what follows is not recorded */
	bool goes_on_when_full;
	/* an access that reads and writes memory without a lock is one point, as it is in traces
	 * before version 13
	 */
	bool whole_updates;
	/* loops that only wait do not yield, as in traces before version 18 */
	bool busy_awaits;
	uint32_t functions;	/* as chess_ctl_set_functions() has it */
	uint32_t early_max;	/* both as chess_ctl_set_late() has them; not copied */
	const char *late_programs;
	bool only_traps;	/* no point is noted by its task, each is a trap */
	bool whole_copies;	/* copies are one point, as in traces before version 21 */
	bool fewer_calls;	/* without the run flag more-calls, as they are before version 22 */
};
struct chess_runner;
struct chess_trace_race;
struct chess_run_result {
	enum chess_verdict verdict;
	int status;		/* of the root task, as wait(2) gives it */
	int bad_task;		/* task whose death decided the verdict, or -1 */
	int bad_status;
	unsigned int expected;	/* processes that died of a signal as was expected */
	struct chess_record *record;	/* owned by the result */
	/* deadlock, timeout: blocked tasks. Where others went on beside a deadlock (the last
	 * decision of @record has chosen one) only those in it; the record ends there then.
	 */
	struct chess_wait *waits;
	size_t n_waits;
	char *unseen;		/* why no wait has a kernel stack, where one was wanted; or NULL */
	char *out, *err;	/* captured output, NUL terminated; or NULL */
	size_t out_len, err_len;
	size_t diverged_at;	/* decision the prefix could not be followed at, or SIZE_MAX */
	char *maps;		/* /proc/PID/maps of the root at the end of its exec, for symbols */
	double seconds;
	uint32_t outside_task, outside_pid;	/* as in struct chess_group_info */
	char outside_comm[16];
	struct chess_access *accesses;	/* in their order, where they were to be recorded */
	size_t n_accesses;
	uint64_t lost_accesses;	/* did not fit, or their address is unknown */
	bool heap_calls_itself;	/* its calls of free() look like the program's */
	bool ended;		/* by us, not by itself; not known of runs of workers */
	uint32_t first_sync_site;	/* from here on libraries', for order only; 0: none */
	/*
	 * CHESS_VERDICT_MEMORY: the free() and the access after it, or a handler's call of the
	 * heap and the one that it may interrupt; packed results have none
	 */
	struct chess_trace_race *misuse;
	struct chess_run_races *races;	/* what chess_racing_look() saw in them; or NULL */
	/*
	 * Files whose code it ran and that had no traps, a line each, "p PATH" or, where they
	 * are mapped shared, "s PATH"; without those that need none. NULL: there are none
	 */
	char *mapped;
};
/* checks the program (exists, executable, not setuid, 64 bit); -errno with chess_error() */
CHESS_API struct chess_runner *chess_runner_new(struct chess_ctl *c,
			const struct chess_program *p,
						const struct chess_runner_opts *o);
CHESS_API void chess_runner_free(struct chess_runner *r);
/* a sentence: what differs from run to run because a right is missing; NULL: nothing */
CHESS_API const char *chess_runner_missing(const struct chess_runner *r);
/* enum chess_surroundings its runs have: what was asked for, and pids of the system where
 * there is no right to others
 */
CHESS_API unsigned int chess_runner_surroundings(const struct chess_runner *r);
/*
 * Its runs have a /tmp of their own from the next one on, as if private_tmp had been asked for; or,
 * with @on false, have none. 0, or -EPERM without a sentence: runs cannot have their own mounts.
 */
CHESS_API int chess_runner_private_tmp(struct chess_runner *r, bool on);
/* Did the last run leave files in a /tmp or /dev/shm of its own? false: also if it had none */
CHESS_API bool chess_runner_left_files(const struct chess_runner *r);
/*
 * How many of its runs began with a fork of a process whose start was over, not with an execve.
 * Their records are the same. *@why: why no more will, or NULL
 */
CHESS_API unsigned int chess_runner_forked(const struct chess_runner *r, const char **why);
/* the quantum its runs have, in microseconds: the module's default when none was asked for */
CHESS_API uint32_t chess_runner_quantum(const struct chess_runner *r);
/* sites.h: what chess_runner_opts.code came to; NULL without */
struct chess_site_table;
CHESS_API const struct chess_site_table *chess_runner_sites(const struct chess_runner *r);
/*
 * These sites are scheduling points from the next run on, wherever another task could run.
 * While no accesses are recorded only theirs are armed. 0, -EINVAL: no such site, or -errno
 */
CHESS_API int chess_runner_set_points(struct chess_runner *r, const uint32_t *sites, size_t n);
/*
 * prefix may be NULL. stack_seqs: what to take user stacks at, ascending: numbers of events,
 * and of accesses with CHESS_STACK_AT_ACCESS, and tasks with CHESS_STACK_AT_FAULT
 */
CHESS_API int chess_runner_run(struct chess_runner *r, const struct chess_schedule *prefix,
			size_t length,
			       const uint32_t *stack_seqs, size_t n, struct chess_run_result *out);
/* the same with a policy after the prefix */
CHESS_API int chess_runner_run_plan(struct chess_runner *r, const struct chess_plan *plan,
			const uint32_t *stack_seqs, size_t n, struct chess_run_result *out);
CHESS_API void chess_run_result_clear(struct chess_run_result *res);
/*
 * As if the program had been given with these as chess_program.later, for the runs to come.
 * Sites have other numbers then, and none is a point. 0 or -errno, and no more runs
 */
CHESS_API int chess_runner_set_later(struct chess_runner *r, const char *const *files);
/* chess_runner_opts.long_rows, for the runs to come */
CHESS_API void chess_runner_set_long_rows(struct chess_runner *r, bool on);
/*
 * The quantum of the runs to come, in microseconds; none of the sites is a point then. 0 or
 * -errno, and no more runs
 */
CHESS_API int chess_runner_set_quantum(struct chess_runner *r, uint32_t us);
/* What the program may end with, for the runs to come; copied. */
CHESS_API void chess_runner_set_expect(struct chess_runner *r, const struct chess_expect *x);
/* SIGKILL the run in progress; async-signal-safe */
CHESS_API void chess_runner_interrupt(struct chess_runner *r);

/*
 * later.c: files that a program maps later than at its start (dlopen, execve), from the
 * runs that showed them
 */
struct chess_later;
/* @accesses: those of their code get traps, too. NULL and errno */
CHESS_API struct chess_later *chess_later_new(bool accesses);
CHESS_API void chess_later_free(struct chess_later *l);
/* The number of new files that should have traps, according to @res; or -errno */
CHESS_API int chess_later_learn(struct chess_later *l, const struct chess_run_result *res);
/* All that should have traps, in the order in which they came, NULL after the last; or NULL */
CHESS_API const char *const *chess_later_files(const struct chess_later *l);
/* They have them from the next run on */
CHESS_API void chess_later_set(struct chess_later *l);
/* Number @i from 0 of those that should have traps and have none, and why; NULL: no more */
CHESS_API const char *chess_later_bare(const struct chess_later *l, size_t i, const char **why);

/*
 * isolate.c: the surroundings of a runner's runs, for callers that start a program in them
 * themselves, to debug it.
 */
struct chess_isolate;
/* NULL, errno and a sentence when something that was requested is not available */
CHESS_API struct chess_isolate *chess_isolate_new(const struct chess_runner_opts *o);
CHESS_API void chess_isolate_free(struct chess_isolate *iso);
/* before each run; @cwd is the program's working directory, NULL: ours */
CHESS_API int chess_isolate_begin(struct chess_isolate *iso, const char *cwd);
/*
 * fork(): the child has the pid a program has, or with @tool one that no program gets
 * to, and so have its threads. Only async-signal-safe calls in the child. Return: 0 in
 * it, its pid as we see it, or -1 and errno
 */
CHESS_API pid_t chess_isolate_fork(struct chess_isolate *iso, bool tool);
/* in the child, with the rights we started with, and at last in the program, as it sets
 * the next pid. Return: NULL, or the name of the call that failed, and errno
 */
CHESS_API const char *chess_isolate_enter(const struct chess_isolate *iso);
/* the root task has been reaped. @left: tasks may live that left control */
CHESS_API void chess_isolate_end(struct chess_isolate *iso, bool left);

/* What of a run's surroundings is not as usual; the option of the same name in
 * struct chess_runner_opts asks for it.
 */
enum chess_surroundings {
	CHESS_SURROUNDINGS_HOST_PIDS = 1,
	CHESS_SURROUNDINGS_PRIVATE_TMP = 2,
	CHESS_SURROUNDINGS_OVERLAY = 4,
	CHESS_SURROUNDINGS_NO_NETWORK = 8,
};
/* "host-pids" of one of them; NULL of anything else */
CHESS_API const char *chess_surroundings_name(unsigned int bit);

#ifdef __cplusplus
}
#endif
#endif /* CHESSCTL_API_RUN_H */

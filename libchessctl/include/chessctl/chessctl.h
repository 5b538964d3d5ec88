/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libchessctl: record, replay and search interleavings of a program's tasks.
 *
 * Conventions: functions return 0 or a negative errno; constructors return NULL
 * and set errno. Where a sentence for people exists, chess_error() has it. All
 * structs are opaque but those named *_opts (first member: sz, set it to
 * sizeof) and plain results. Nothing here is thread safe on one object.
 */
#ifndef CHESSCTL_H
#define CHESSCTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <linux/chess.h>
#include <linux/chess_record.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CHESS_API __attribute__((visibility("default")))

/* log.c: the last error of this thread as one sentence, never NULL */
CHESS_API const char *chess_error(void);

/* schedule.c: the list of decisions of a run; index = number of the decision */
struct chess_schedule;
CHESS_API struct chess_schedule *chess_schedule_new(void);
CHESS_API void chess_schedule_free(struct chess_schedule *s);
CHESS_API int chess_schedule_push(struct chess_schedule *s, uint16_t task);
CHESS_API size_t chess_schedule_length(const struct chess_schedule *s);
CHESS_API uint16_t chess_schedule_task(const struct chess_schedule *s, size_t i);
CHESS_API void chess_schedule_truncate(struct chess_schedule *s, size_t length);
CHESS_API struct chess_schedule *chess_schedule_copy(const struct chess_schedule *s,
			size_t length);
/* run-length text "T0*12 T1*3 T0"; caller frees; decode returns NULL on bad text */
CHESS_API char *chess_schedule_encode(const struct chess_schedule *s);
CHESS_API struct chess_schedule *chess_schedule_decode(const char *text);
/* as the kernel takes it; returns count, *out is malloc'ed */
CHESS_API int chess_schedule_segments(const struct chess_schedule *s,
			struct chess_segment **out);

/* record.c: what happened in one run */
struct chess_record;
CHESS_API struct chess_record *chess_record_new(void);
CHESS_API void chess_record_free(struct chess_record *r);
CHESS_API int chess_record_push(struct chess_record *r, const struct chess_event *e, size_t n);
CHESS_API int chess_record_push_stack(struct chess_record *r, const struct chess_stack *s,
			size_t bytes);
CHESS_API size_t chess_record_length(const struct chess_record *r);
CHESS_API const struct chess_event *chess_record_event(const struct chess_record *r, size_t i);
CHESS_API const struct chess_stack *chess_record_stack(const struct chess_record *r,
			uint32_t seq);
/* text in the format of /proc/PID/maps that came with the record (run flag
 * CHESS_RUN_FLAGS_MAPS, attribute CHESS_A_RECORD_MAPS); NULL when none
 */
CHESS_API int chess_record_set_maps(struct chess_record *r, const char *maps);
CHESS_API const char *chess_record_maps(const struct chess_record *r);
/*
 * Which yields of a task counted for the fair scheduler of the run, each so manieth; 0:
 * none did. A new record has 1.
 */
CHESS_API void chess_record_set_fair(struct chess_record *r, uint32_t fair);
CHESS_API uint32_t chess_record_fair(const struct chess_record *r);
/* were repeated tries of a lock yields in the run? A new record has false */
CHESS_API void chess_record_set_yield_trylock(struct chess_record *r, bool yields);
CHESS_API bool chess_record_yield_trylock(const struct chess_record *r);
/*
 * For executors that know the program's state, and CHESS_REDUCE_STATE: one number for each
 * decision of the run (chosen is not CHESS_TASK_NONE), in their order, equal only where the
 * program is in the same state: its memory, where each task is, who waits for what in which
 * order, how far deadlines are away; and how far the executor's own limits are, if a run that
 * reaches them counts as one that ended. What fairness knows need not be in it: that follows
 * from the events. 0 or -ENOMEM with chess_error(); not part of traces, nor of the hash.
 */
CHESS_API int chess_record_push_state(struct chess_record *r, uint64_t state);
/* of decision number @n, from 0; false: it was not told */
CHESS_API bool chess_record_state(const struct chess_record *r, size_t n, uint64_t *state);
/* number of decisions, tasks, points, preemptions in the record */
CHESS_API size_t chess_record_decisions(const struct chess_record *r);
CHESS_API size_t chess_record_tasks(const struct chess_record *r);
/* last POINT of @task before event @i (an index), NULL when it has had none */
CHESS_API const struct chess_event *chess_record_last_point(const struct chess_record *r,
			size_t i, uint16_t task);
/* its last WAKE; the waker is @object, CHESS_TASK_NONE: time, or none of the group */
CHESS_API const struct chess_event *chess_record_last_wake(const struct chess_record *r,
			size_t i, uint16_t task);
CHESS_API size_t chess_record_points(const struct chess_record *r);
CHESS_API size_t chess_record_preemptions(const struct chess_record *r);
/* 64-bit hash of all events, bit for bit */
CHESS_API uint64_t chess_record_hash(const struct chess_record *r);
/* decisions of a record as a schedule; caller frees */
CHESS_API struct chess_schedule *chess_record_schedule(const struct chess_record *r);
/* forget what syscalls returned: records of traces before version 5 do not say it */
CHESS_API void chess_record_drop_results(struct chess_record *r);
/* index of the first event that differs, or SIZE_MAX when equal; WAKE events
 * from outside the group and EXIT codes count like everything else
 */
CHESS_API size_t chess_record_compare(const struct chess_record *a,
			const struct chess_record *b);
/*
 * The same for who went on and why, and for nothing else: of each decision its
 * type, task, chosen task, op and object; of each DIVERGENCE and TIMEOUT its task
 * and object.
 * For runs in which something from outside (a debugger) wakes tasks at other
 * moments, or looks at them. Returns the number of decisions that are equal;
 * *@at_a and *@at_b are where the first that differ stand, both SIZE_MAX when none
 * does; the length of a record that has no more of them.
 */
CHESS_API size_t chess_record_compare_decisions(const struct chess_record *a,
			const struct chess_record *b, size_t *at_a, size_t *at_b);
/* is the decision at event e a preemption: the task is enabled, did not yield,
 * and another one was chosen, see docs/concepts.md. So is one that lets a deadline
 * pass early (CHESS_OPF_EARLY), at whatever event.
 */
CHESS_API bool chess_event_is_preemption(const struct chess_event *e);
/*
 * The same for event @i of a record, exact for ids of 64 and up as well. Where the
 * task had to let others go first it is none. In a run without fairness a decision at
 * a yield is one if it is not the default's (round robin) choice.
 */
CHESS_API bool chess_record_is_preemption(const struct chess_record *r, size_t i);
/* Is it a point at an instruction that accesses memory? Then nr is its site. */
CHESS_API bool chess_event_is_access(const struct chess_event *e);
/* is @task enabled right after event @i, that is when its decision is taken */
CHESS_API bool chess_record_enabled(const struct chess_record *r, size_t i, uint16_t task);
/* was @task enabled at decision @i, and nobody who was had to go before it */
CHESS_API bool chess_record_allowed(const struct chess_record *r, size_t i, uint16_t task);
/* can decision @i let the deadline of @task's wait pass? Known of ids 0 to 63 */
CHESS_API bool chess_record_timed(const struct chess_record *r, size_t i, uint16_t task);
/* what the default policy chooses at decision @i: the running task, at a yield
 * or a quantum the lowest other id that is allowed, else the lowest that is; in a run
 * without fairness, at a yield the next enabled id round robin; where
 * nobody is enabled the task with the earliest deadline. CHESS_TASK_NONE where
 * there is none, where the decision took another deadline (the record does not say
 * which was the earliest), or @i is no decision
 */
CHESS_API uint16_t chess_record_default(const struct chess_record *r, size_t i);

/* livelock.c: what the second half of a record repeats */
struct chess_cycle {
	size_t first, end;	/* its last round: events from index @first up to @end */
	size_t rounds;
	int selfish;		/* task that never yields in it though others could go on, or -1 */
	int starved;		/* task that could go on in it and never got past its op, or -1 */
};
/* "good-samaritan", "starvation", "livelock" */
CHESS_API const char *chess_cycle_kind(const struct chess_cycle *cycle);
/* points of a record as a livelock counts them: a quantum is a thousand */
CHESS_API size_t chess_record_weight(const struct chess_record *r);
/* false: it repeats nothing, or what it repeats is no sign of a livelock */
CHESS_API bool chess_record_cycle(const struct chess_record *r, struct chess_cycle *out);
CHESS_API const char *chess_op_name(unsigned int op);
CHESS_API const char *chess_event_type_name(unsigned int type);
CHESS_API const char *chess_syscall_name(unsigned int nr);	/* "futex"; "syscall_999" */

/* symbols.c: sync functions of ELF files (the wrapper table) */
struct chess_wrapper {		/* one row of the table; id = index + 1 */
	const char *symbol;
	uint8_t op, op_flags, object_arg, second_arg;
};
CHESS_API const struct chess_wrapper *chess_wrapper_find(uint32_t id);
/* the function a point is at, NULL where it is at something else */
CHESS_API const struct chess_wrapper *chess_wrapper_of(const struct chess_event *e);
/*
 * Traps for every wrapper that @path provides. Returns the count (0: none) and a
 * malloc'ed array sorted by offset; negative errno where it is no ELF file we can
 * read. Functions whose first instruction cannot be displaced are left out and
 * named in *skipped (malloc'ed, comma separated, NULL when none; skipped may be NULL).
 */
CHESS_API int chess_symbols_probes(const char *path, struct chess_probe **out, char **skipped);
/*
 * Files whose code a program can run at start: itself, its ELF interpreter and
 * the libraries its DT_NEEDED entries lead to (as ld.so would find them).
 * NULL-terminated malloc'ed array of malloc'ed paths.
 */
CHESS_API char **chess_symbols_files(const char *program);
struct chess_program;
/*
 * The same for the file at @path as it will be executed for @p: LD_LIBRARY_PATH,
 * LD_PRELOAD and PATH are those of p->envp, relative names in them begin at p->cwd.
 * @path itself is as we see it.
 */
CHESS_API char **chess_symbols_files_of(const struct chess_program *p, const char *path);

enum chess_program_kind {
	CHESS_PROGRAM_DYNAMIC = 1, CHESS_PROGRAM_STATIC, CHESS_PROGRAM_SCRIPT,
	CHESS_PROGRAM_32BIT, CHESS_PROGRAM_FOREIGN,
};
/* enum chess_program_kind of an executable file, or -errno: ENOENT, EACCES not
 * executable, EISDIR, ENOEXEC neither ELF nor #!
 */
CHESS_API int chess_symbols_kind(const char *path);

/* code.c: an instruction whose result no schedule decides, and no module can catch */
struct chess_code_site {
	const char *instruction;	/* "rdtsc", "rdtscp", "rdpid", "rdrand", "rdseed", "cpuid" */
	uint64_t address;		/* as linked */
	char *function;			/* NULL when no symbol covers it */
	uint64_t offset;		/* into the function */
};
/*
 * All of them in the code of an ELF file, in the order of their sections. Returns
 * the count and a malloc'ed array; ENOEXEC where the file is none for x86-64.
 */
CHESS_API int chess_code_scan(const char *path, struct chess_code_site **out);
CHESS_API void chess_code_sites_free(struct chess_code_site *v, size_t n);

/* nl.c: the module, over generic netlink */
struct chess_ctl;
CHESS_API struct chess_ctl *chess_ctl_open(void);	/* errno ENOENT: module not loaded */
CHESS_API void chess_ctl_close(struct chess_ctl *c);
struct chess_group_info {
	uint32_t id, quantum_us, max_events, state, cpu, owner_portid, owner_pid;
	uint32_t tasks, events, decisions, runs, token, lost, stalls, probes;
	uint32_t outside_task;	/* last woken from outside in the run, or CHESS_TASK_NONE ... */
	uint32_t outside_pid;	/* ... by this process, 0: an interrupt or gone, ... */
	char outside_comm[16];	/* ... of this name, or empty */
	uint32_t let_go;	/* enum chess_let_go_reason, 0: the module did not */
	uint32_t adopted;	/* process that was running, or 0 */
};
struct chess_task_info { uint32_t group, pid, id, state, seq; };
CHESS_API int chess_group_new(struct chess_ctl *c, uint32_t quantum_us,
			uint32_t max_events, uint32_t *id);
CHESS_API int chess_group_del(struct chess_ctl *c, uint32_t id);
CHESS_API int chess_group_get(struct chess_ctl *c, uint32_t id, struct chess_group_info *info);
/* arrays are malloc'ed; return the count */
CHESS_API int chess_group_list(struct chess_ctl *c, struct chess_group_info **out);
CHESS_API int chess_task_list(struct chess_ctl *c, uint32_t group,
			struct chess_task_info **out);
CHESS_API int chess_task_add(struct chess_ctl *c, uint32_t group, uint32_t pid);
/* A process that is running, for the run that is armed. Zero: without that limit. */
struct chess_adopt_opts {
	size_t sz;
	uint32_t flags;		/* enum chess_adopt_flags */
	uint32_t max_stall_ms;
	uint32_t heartbeat_ms;
	uint32_t max_slowdown;	/* in hundredths */
};
/* how many tasks were taken, and how many of them are still to arrive */
struct chess_adopted { uint32_t taken, late; };
CHESS_API int chess_task_adopt(struct chess_ctl *c, uint32_t group, uint32_t pid,
			const struct chess_adopt_opts *o, struct chess_adopted *out);
CHESS_API int chess_probe_add(struct chess_ctl *c, uint32_t group, int fd,
			const struct chess_probe *p, size_t n);
/* site N is bit N % 64 of word N / 64; from the next run on these are points */
CHESS_API int chess_points_set(struct chess_ctl *c, uint32_t group, const uint64_t *words,
			size_t n);
/* accesses of the last run, *out malloc'ed; how many did not fit or have no address */
CHESS_API int chess_access_get(struct chess_ctl *c, uint32_t group, struct chess_access **out,
			size_t *n, uint64_t *lost);
/*
 * What decides in a run: the prefix, and behind it a policy (kmod/policy.c). All zero
 * is the empty prefix with the default policy.
 */
struct chess_plan {
	struct chess_schedule *prefix;	/* may be NULL */
	size_t length;			/* so many of its decisions */
	enum chess_policy_kind policy;
	uint64_t seed;			/* random, pct, pos, surw */
	/* pct: numbers of decisions, 1: the first with two tasks. hold: pairs of a site and
	 * who is held there, CHESS_TASK_NONE: everybody; the first pair goes on first
	 */
	uint32_t *changes;
	size_t n_changes;		/* depth - 1, or two a pair; at most CHESS_MAX_CHANGES */
	uint32_t *weights;		/* surw: by task id, events expected */
	size_t n_weights;
	uint32_t object_kind;		/* surw: whose events; CHESS_OBJECT_NONE: all points */
	uint64_t object;
	void *ticket;			/* of the strategy that made the plan; else NULL */
};
CHESS_API int chess_plan_set(struct chess_ctl *c, uint32_t group, const struct chess_plan *plan);
/* the first @length decisions of @s, or none when s is NULL; then the default policy */
CHESS_API int chess_schedule_set(struct chess_ctl *c, uint32_t group,
			const struct chess_schedule *s, size_t length);
/* fair: which yields of a task count for the fair scheduler, each so manieth; 0: none */
CHESS_API int chess_run_start(struct chess_ctl *c, uint32_t group, uint32_t flags,
			uint32_t fair, const uint32_t *stack_seqs, size_t n);
CHESS_API int chess_run_stop(struct chess_ctl *c, uint32_t group, uint32_t flags);
/* of tasks that were adopted with CHESS_ADOPT_FLAGS_HOLD: from now on decisions are taken */
CHESS_API int chess_run_release(struct chess_ctl *c, uint32_t group);
struct chess_run_notice { uint32_t group, notice, seq, run; };
/* next notice; -ETIMEDOUT after timeout_ms (-1: for ever), -EINTR on a signal */
CHESS_API int chess_notice_wait(struct chess_ctl *c, int timeout_ms,
			struct chess_run_notice *n);
CHESS_API struct chess_record *chess_record_get(struct chess_ctl *c, uint32_t group);

/* verdict.c */
enum chess_verdict {
	CHESS_VERDICT_OK = 1, CHESS_VERDICT_ASSERT, CHESS_VERDICT_CRASH, CHESS_VERDICT_DEADLOCK,
	CHESS_VERDICT_LIVELOCK, CHESS_VERDICT_RACE, CHESS_VERDICT_EXIT, CHESS_VERDICT_TIMEOUT,
	CHESS_VERDICT_DIVERGED, CHESS_VERDICT_INCOMPLETE,
};
CHESS_API const char *chess_verdict_name(enum chess_verdict v);
CHESS_API bool chess_verdict_is_bug(enum chess_verdict v);

/*
 * How a task could end another one's wait; the lower, the surer. HAS: it holds the
 * lock. LOST: it took the lock before fork() copied it, and cannot release the copy.
 * IS: it is the thread or child that is waited for. TOOK: it took what is waited
 * for (room, where one waits to write) and gave nothing back (a semaphore, the byte in a pipe used as a lock). GAVE: it
 * gave such a thing before. MAY: it could, but never did anything to it. GONE: it gave
 * such a thing before and has ended.
 */
enum chess_hold {
	CHESS_HOLD_HAS = 1, CHESS_HOLD_LOST, CHESS_HOLD_IS, CHESS_HOLD_TOOK, CHESS_HOLD_GAVE,
	CHESS_HOLD_MAY, CHESS_HOLD_GONE,
};
CHESS_API const char *chess_hold_name(enum chess_hold how);

/* a task that could end a wait */
struct chess_holder {
	uint32_t task;
	uint32_t seq;		/* POINT event: it took, gave or was made then; 0: none */
	enum chess_hold how;
	/* what it works on, as in struct chess_event */
	uint8_t object_kind;
	bool other_end;		/* of a socket: what it reads there is not what is waited for */
	uint64_t object;
};

/* what a blocked task waits in, read while it is blocked (wait.c) */
struct chess_wait {
	uint32_t task, pid;
	uint32_t seq;		/* its last POINT event */
	char *text;		/* "futex 0x404080", "read pipe:[123]", "flock ./a held by T1" */
	/* what BPF adds (chess_waits_look()), each may be NULL */
	char *kernel;		/* "pipe_read,vfs_read,ksys_read": innermost first */
	char *object;		/* "pipe, 0 of 16 slots full; written through fd 4 of T0's process" */
	bool outside;		/* something outside the group may end the wait */
	bool asked;		/* who may end it was looked for; not in older traces */
	struct chess_holder *holders;	/* tasks of the group that may, all equally sure */
	size_t n_holders;
};

/*
 * The waits of those of @tasks that are blocked now, as the kernel shows them. @r: the
 * record so far, or NULL: then what they did before is not known. @real_time: deadlines
 * are the machine's. *@stuck: no task is enabled, at least one is blocked, and nothing
 * outside can end any wait. *@out is for chess_waits_free(). 0 or -errno with
 * chess_error().
 */
CHESS_API int chess_waits_inspect(const struct chess_task_info *tasks, size_t n_tasks,
			const struct chess_record *r, bool real_time,
			struct chess_wait **out, size_t *n, bool *stuck);
CHESS_API void chess_waits_free(struct chess_wait *waits, size_t n);

/*
 * inside.c: what the kernel's own structures say of blocked tasks, read with BPF
 * (docs/bpf.md); @kernel and @object of the @waits are filled in where they are NULL.
 * Loading takes a second or more in a VM: keep it. None of it runs until
 * somebody looks. NULL comes with errno and chess_error(): ENOSYS built without libbpf or
 * clang, ENOTSUP the kernel has no type information or is too old, EPERM without CAP_BPF
 * and CAP_PERFMON.
 */
struct chess_look;
CHESS_API struct chess_look *chess_look_new(void);
CHESS_API void chess_look_free(struct chess_look *l);
CHESS_API int chess_waits_look(struct chess_look *l, const struct chess_task_info *tasks,
			size_t n_tasks, struct chess_wait *waits, size_t n);

/* what a task of a recorded run did at one event */
enum chess_task_phase {
	CHESS_PHASE_ABSENT = 0,		/* not made yet */
	CHESS_PHASE_ENABLED, CHESS_PHASE_BLOCKED, CHESS_PHASE_TIMED, CHESS_PHASE_ENDED,
	CHESS_PHASE_LEFT,		/* control */
};
/* TIMED: blocked, with a deadline. Behind event number @seq; @task below chess_record_tasks() */
CHESS_API enum chess_task_phase chess_record_phase(const struct chess_record *r, uint32_t seq,
			uint16_t task);
/*
 * The waits of the tasks blocked behind event number @seq, and who could end them, as far
 * as the record alone says; text is NULL. As chess_waits_inspect().
 */
CHESS_API int chess_waits_at(const struct chess_record *r, uint32_t seq,
			struct chess_wait **out, size_t *n);

/*
 * graph.c: tasks that wait for each other in a cycle, each for the next one and the
 * last for the first; of the surest holders, the shortest cycle, from its lowest
 * task. @cycle: room for @n. Returns how many waits it has (indices go to @cycle), 0
 * when there is none.
 */
CHESS_API size_t chess_waits_cycle(const struct chess_wait *waits, size_t n, size_t *cycle);
/* the wait of @task, NULL when it is not among them */
CHESS_API const struct chess_wait *chess_wait_of(const struct chess_wait *waits, size_t n,
			uint32_t task);
/* the holder in waits[a] through which it waits for waits[b].task, or NULL */
CHESS_API const struct chess_holder *chess_wait_holder(const struct chess_wait *w, uint32_t task);

/*
 * program.c: traps in everything a program runs at its start.
 *
 * chess_probe_add_file() finds the sync functions @path provides and registers a
 * trap for each of them with the group; they are armed wherever a task of the group
 * maps the file. A file that provides none, or is no ELF file of ours, is no error.
 * Returns the number of traps, or -errno with chess_error(): what opening and
 * reading the file can give, and the module's own refusals (ENOENT no such group).
 *
 * chess_probe_add_program() does that for all of chess_symbols_files_of(): @path is
 * what execve will get for @p; of a script it is the interpreter that counts.
 */
CHESS_API int chess_probe_add_file(struct chess_ctl *c, uint32_t group, const char *path);
CHESS_API int chess_probe_add_program(struct chess_ctl *c, uint32_t group,
			const struct chess_program *p, const char *path);

/*
 * probes.c: points that a user's BPF programs make (docs/probes.md).
 *
 * chess_probes_attach() loads the object files and attaches all programs in them, for
 * every process from now on; in a section the word PROGRAM means the file @program, as
 * we see it. Call it when nothing writes to that file any more. NULL and errno with
 * chess_error() where one cannot be used; then nothing is left attached. Takes over
 * libbpf's printing while it runs.
 */
struct chess_probes;
CHESS_API struct chess_probes *chess_probes_attach(const char *const *files, size_t n,
			const char *program);
CHESS_API void chess_probes_detach(struct chess_probes *p);

/* runner.c: one controlled execution of a program */
struct chess_program {
	char *const *argv;	/* argv[0] is searched in PATH like a shell does */
	char *const *envp;	/* NULL: ours */
	const char *cwd;	/* NULL: ours */
	uint32_t uid, gid;	/* UINT32_MAX: ours */
	bool capture;		/* stdout and stderr to memory, stdin from /dev/null */
};
struct chess_runner_opts {
	size_t sz;
	uint32_t quantum_us;	/* 0: default */
	uint32_t max_events;	/* 0: default */
	uint32_t run_timeout_ms;	/* wall clock per run; 0: default 60 s */
	bool sync_points;	/* trap sync functions */
	bool maps;		/* file mappings of every run; else only with stack_seqs */
	bool no_syscall_points;	/* system calls are no points */
	bool real_time;		/* clocks and time-outs are the machine's, not the group's */
	bool host_pids;		/* pids and IPC objects are the system's, no namespaces */
	bool private_tmp;	/* each run has an empty /tmp and an empty /dev/shm */
	bool overlay;		/* each run writes to a copy of its working directory, in memory */
	bool no_network;	/* each run has a network of its own, with a loopback device only */
	bool no_bpf;		/* no kernel stacks of blocked tasks; to load what reads them takes time */
	bool unfair;		/* a yield passes on round robin, and nothing else */
	uint32_t fair_k;	/* else each so manieth yield of a task counts; 0: each */
	uint32_t max_points;	/* a fair run of more, that repeats itself, is a livelock; 0: 20000 */
	bool yield_trylock;	/* to try a lock again is a yield */
	/*
	 * Code whose accesses to memory get traps, NULL behind the last: "" or "PROGRAM" is the
	 * program, "libc.so.6" a library it is linked to, or a path; with ":function" only that.
	 * NULL: no such traps
	 */
	const char *const *code;
	size_t max_accesses;	/* recorded in a run; 0: none are */
};
struct chess_runner;
struct chess_run_result {
	enum chess_verdict verdict;
	int status;		/* of the root task, as wait(2) gives it */
	int bad_task;		/* task whose death decided the verdict, or -1 */
	int bad_status;
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
	uint64_t lost_accesses;	/* did not fit, or nobody could tell their address */
	struct chess_run_races *races;	/* what chess_racing_look() saw in them; or NULL */
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
/* the quantum its runs have, in microseconds: the module's default when none was asked for */
CHESS_API uint32_t chess_runner_quantum(const struct chess_runner *r);
/* sites.h: what chess_runner_opts.code came to; NULL without */
struct chess_site_table;
CHESS_API const struct chess_site_table *chess_runner_sites(const struct chess_runner *r);
/*
 * These sites are scheduling points from the next run on, wherever another task could go on.
 * While no accesses are recorded only theirs are armed. 0, -EINVAL: no such site, or -errno
 */
CHESS_API int chess_runner_set_points(struct chess_runner *r, const uint32_t *sites, size_t n);
/* prefix may be NULL. stack_seqs: events to take user stacks at */
CHESS_API int chess_runner_run(struct chess_runner *r, const struct chess_schedule *prefix,
			size_t length,
			       const uint32_t *stack_seqs, size_t n, struct chess_run_result *out);
/* the same with a policy behind the prefix */
CHESS_API int chess_runner_run_plan(struct chess_runner *r, const struct chess_plan *plan,
			const uint32_t *stack_seqs, size_t n, struct chess_run_result *out);
CHESS_API void chess_run_result_clear(struct chess_run_result *res);
/* SIGKILL the run in progress; async-signal-safe */
CHESS_API void chess_runner_interrupt(struct chess_runner *r);

/*
 * isolate.c: the surroundings of a runner's runs, for those who start a program in them
 * themselves, to debug it.
 */
struct chess_isolate;
/* NULL, errno and a sentence when something that was asked for cannot be had */
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

/* strategy.h / explore.c: the search. The engine asks an executor for runs, so
 * that units can drive it with a model instead of the kernel.
 */
/* What the search will ask for @k runs after the next one, as far as it can tell: what
 * comes of the runs before may change it. Fills in @plan, which is all zero and is freed
 * by who asks. 1; 0: that far it cannot tell; -errno
 */
typedef int chess_peek(void *search, size_t k, struct chess_plan *plan);
struct chess_executor {
	int (*run)(void *ctx, const struct chess_plan *plan, struct chess_run_result *out);
	void *ctx;
	/* in place of chess_run_result_clear() when a result is of no more use, so that
	 * the next run can have its memory; may be NULL
	 */
	void (*drop)(void *ctx, struct chess_run_result *res);
	/* called before the first run, for who can make runs before they are asked for; and
	 * with NULL behind the last one. May be NULL
	 */
	void (*ahead)(void *ctx, chess_peek *peek, void *search);
};
struct chess_racing;	/* <chessctl/races.h> */
/* Where a search is. */
struct chess_explore_progress {
	uint64_t runs;
	double seconds;
	unsigned int bound;
	unsigned int found;	/* bugs so far */
	double estimate;	/* see struct chess_explore_result */
};
/* Ways of a search that need not be taken; docs/search.md says when that is sound. */
enum chess_reduction {
	CHESS_REDUCE_HB = 1,	/* they lead where the search has been (OSDI'08, 4.4.2) */
	CHESS_REDUCE_SLEEP = 2,	/* sleep sets */
	CHESS_REDUCE_YIELD = 4,	/* with HB: a yield does not order what others do */
	/* alone: they lead to a state of the program where the search has been; for
	 * executors that tell it, see chess_record_push_state()
	 */
	CHESS_REDUCE_STATE = 8,
};
struct chess_explore_opts {
	size_t sz;
	unsigned int bound;	/* of preemptions, or what else the strategy counts */
	const char *strategy;	/* NULL: "icb"; docs/search.md has the others */
	uint64_t max_runs;	/* 0: no limit, or the strategy's own */
	double max_seconds;	/* 0: no limit */
	uint64_t seed;
	bool keep_going;	/* go on after a bug */
	/* called after each run; return false to stop */
	bool (*progress)(void *arg, const struct chess_explore_progress *p);
	void *progress_arg;
	/* called for each run that shows a bug, before the next one; borrows the
	 * result. May run schedules of its own; returns 0, or -errno to end the search.
	 */
	int (*found)(void *arg, const struct chess_run_result *bad);
	void *found_arg;
	unsigned int depth;	/* pct: of the bug; 0: 3 */
	/* may a task be preempted at the point that is event @i? It must follow from the
	 * events up to there. NULL: at each. Only where chess_strategy_is_exhaustive().
	 */
	bool (*in_scope)(void *arg, const struct chess_record *r, size_t i);
	void *scope_arg;
	/* icb and dfs: no preemption at sync ops on objects that nobody races for */
	bool skip_ordered;
	bool count_classes;	/* of the happens-before relation, see @classes below */
	/* how long the search has taken; NULL: since the call */
	double (*seconds)(void *arg);
	void *seconds_arg;
	unsigned int reduce;	/* enum chess_reduction; 0: every schedule is run */
	/* hold: at whose points tasks are held; what was done is noted there, so that
	 * another search for the same program does the rest
	 */
	struct chess_racing *racing;
};
/* Why a way that a run could have taken was not taken. Additive, at the end. */
enum chess_left_out {
	CHESS_LEFT_OUT_DIVERGED,	/* its prefix could not be followed */
	CHESS_LEFT_OUT_RECORD,	/* behind a run whose record is not the whole run */
	CHESS_LEFT_OUT_LIMIT,	/* the search was stopped; how many prefixes waited */
	CHESS_LEFT_OUT_SCOPE,	/* a preemption where none is to be */
	CHESS_LEFT_OUT_ORDERED,	/* a preemption before an op that nobody races with */
	CHESS_LEFT_OUT_HB,	/* it leads where the search has been */
	CHESS_LEFT_OUT_SLEEP,	/* it begins with a task that sleeps */
	CHESS_LEFT_OUT_UNSOUND,	/* for a reduction that turned out to be wrong */
	CHESS_LEFT_OUT_STATE,	/* it leads to a state in which the search has been */
	CHESS_LEFT_OUT_CAUSES,
};
/* "diverged", ..; NULL: there is no such cause */
CHESS_API const char *chess_left_out_name(enum chess_left_out cause);
/* may a result be "ok" although ways were left out for this? It says no more than before */
CHESS_API bool chess_left_out_may_be_ok(enum chess_left_out cause);
/* No estimate is larger; one that is this large says no more than that. */
#define CHESS_ESTIMATE_MAX	1e37
struct chess_explore_result {
	enum chess_verdict verdict;	/* first bug, else ok or incomplete */
	bool complete;
	unsigned int bound;		/* last bound that was searched to its end, or in work */
	uint64_t runs;
	uint64_t diverged;	/* branches pruned: their prefix could not be followed, see why */
	uint64_t retries;	/* runs beyond @runs, of prefixes that were not followed at once */
	unsigned int bugs;
	double seconds;
	struct chess_run_result bad;	/* of the first bug; record NULL if none */
	size_t max_points, max_tasks;
	char *why;		/* of the first run that was incomplete or pruned; or NULL */
	/* how many runs the whole search takes, guessed from those so far; its number of
	 * runs once it is complete; 0: not known, or the strategy never ends
	 */
	double estimate;
	bool stopped;		/* by a limit or somebody: there may be more to run */
	/* [N]: runs with N preemptions, as the strategy counts them; they add up to @runs */
	uint64_t *runs_at;
	size_t n_runs_at;
	uint64_t classes;	/* different orders of dependent ops in all runs; 0: not counted */
	uint64_t left_out[CHESS_LEFT_OUT_CAUSES];
};
/*
 * Can chess_explore() be asked for this? Nothing is run and nothing is needed but
 * @o, so a caller learns it before it prepares a machine. 0, or -EINVAL with the
 * sentence chess_explore() would fail with.
 */
/* the names of all strategies, as "a, b, c" */
CHESS_API const char *chess_strategies(void);
/* what its bound is a number of, in singular; NULL: it has none, or there is no such one */
CHESS_API const char *chess_strategy_counts(const char *strategy);
/* can a search with it end with every schedule run? NULL is the default */
CHESS_API bool chess_strategy_is_exhaustive(const char *strategy);
CHESS_API int chess_explore_check(const struct chess_explore_opts *o);
CHESS_API int chess_explore(const struct chess_executor *x, const struct chess_explore_opts *o,
			    struct chess_explore_result *out);
CHESS_API void chess_explore_result_clear(struct chess_explore_result *res);

/*
 * pool.c: an executor that makes several runs at a time, in processes of its own; what
 * comes of a search is the same. Results have no waits, no maps and no output: a run
 * whose report needs them is to be made again.
 */
struct chess_pool;
struct chess_pool_opts {
	size_t sz;
	unsigned int jobs;	/* processes */
	/* in process number @worker, when it has its first run to make: fill in *x. 0 or
	 * -errno with chess_error()
	 */
	int (*open)(void *arg, unsigned int worker, struct chess_executor *x);
	/* in the process, before it ends, if it was opened. It may have got a SIGTERM,
	 * which asks to end the run that it makes with -EINTR. May be NULL
	 */
	void (*close)(void *arg, unsigned int worker);
	/* asked while runs are waited for: end with -EINTR? May be NULL */
	bool (*interrupted)(void *arg);
	void *arg;
};
CHESS_API struct chess_pool *chess_pool_new(const struct chess_pool_opts *o);
CHESS_API void chess_pool_free(struct chess_pool *pool);
CHESS_API struct chess_executor chess_pool_executor(struct chess_pool *pool);

/*
 * journal.c: the runs of a search in a file, so that one that was killed can go on. A
 * search that is asked for anew, with the same options, asks for the same runs; those of
 * the journal are taken from there, and behind the last one new ones are added.
 */
struct chess_journal;
/* a new file; @about ends with NULL. 0, -EEXIST (no sentence) or -errno */
CHESS_API int chess_journal_create(const char *path, char *const *about);
/* NULL, errno and a sentence: EBUSY somebody has it open, EINVAL it is none,
 * EPROTONOSUPPORT of another version, EBADMSG damaged. Flushed when it is closed.
 */
CHESS_API struct chess_journal *chess_journal_open(const char *path);
CHESS_API void chess_journal_close(struct chess_journal *j);
CHESS_API char *const *chess_journal_about(const struct chess_journal *j);
/* what chess_journal_note() was given before it was opened; ends with NULL */
CHESS_API char *const *chess_journal_notes(const struct chess_journal *j);
CHESS_API uint64_t chess_journal_runs(const struct chess_journal *j);
/* its last block had not been written to the end; those runs are lost */
CHESS_API bool chess_journal_was_cut(const struct chess_journal *j);
/* how long runs may wait to be written; 250 ms */
CHESS_API void chess_journal_set_pause(struct chess_journal *j, unsigned int ms);
/* of the search: at the run that was taken last, else until now */
CHESS_API double chess_journal_seconds(const struct chess_journal *j);
/* 1: *@out is the next run of the journal; 0: there is none; -errno, -ESTALE: it was made
 * under another plan
 */
CHESS_API int chess_journal_take(struct chess_journal *j, const struct chess_plan *plan,
			struct chess_run_result *out);
/* only when there is none to take. 0 or -errno: then no more may be added */
CHESS_API int chess_journal_add(struct chess_journal *j, const struct chess_plan *plan,
			const struct chess_run_result *res);
CHESS_API int chess_journal_flush(struct chess_journal *j);
/* is in the file when this returns 0, and so are all runs before */
CHESS_API int chess_journal_note(struct chess_journal *j, const char *text);

/* shrink.c: the smallest schedule that shows the bug of a failing one. Size counts in
 * this order: fewest preemptions, then context switches, then points.
 */
struct chess_shrink_size {
	size_t preemptions;
	size_t switches;	/* the token went to another task */
	size_t points;
	size_t choices;		/* decisions that are not the default's */
};
CHESS_API struct chess_shrink_size chess_shrink_size_of(const struct chess_record *r);
struct chess_shrink_opts {
	size_t sz;
	uint64_t max_runs;	/* 0: no limit */
	double max_seconds;	/* 0: no limit */
	/* called after each run; stage is "drop", "search", "select" or "move" */
	void (*progress)(void *arg, const char *stage, uint64_t runs, double seconds,
			 const struct chess_shrink_size *best);
	void *progress_arg;
};
struct chess_shrink_result {
	struct chess_run_result best;	/* the smallest run; that of the schedule given, if none is smaller */
	struct chess_shrink_size before, after;
	uint64_t runs;
	double seconds;
	bool fewest;		/* no schedule of the program with fewer preemptions shows the bug */
	bool smallest;		/* nor does a smaller one with as many: all were run */
	bool one_minimal;	/* no choice of it can be taken away alone */
	bool moves_done;	/* nor put elsewhere alone, for a smaller one */
	bool selected;		/* no selection of the choices given has fewer preemptions */
	bool interrupted;
};
CHESS_API int chess_shrink(const struct chess_executor *x, const struct chess_record *failing,
			   const struct chess_shrink_opts *o, struct chess_shrink_result *out);
CHESS_API void chess_shrink_result_clear(struct chess_shrink_result *res);

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

/* trace.c: a failing (or any) run on disk. Text, one item per line, a version
 * line first and a checksum line last; docs/trace-format.md
 */
struct chess_trace_probe {	/* a file given with --probe, or one with access points */
	char *path;			/* absolute */
	char *hash;			/* of its bytes, hex */
};
struct chess_trace_point {	/* an instruction whose accesses to memory were points */
	unsigned int file;		/* index in @code_files */
	uint64_t offset;		/* in the file */
};
struct chess_trace_race {	/* as struct chess_racing_pair; sites are not kept */
	struct chess_access first, second;
	uint64_t address;
	uint32_t size;
	bool beside_atomic;
};
struct chess_trace {
	unsigned int version;
	char **argv;			/* NULL terminated */
	char *cwd;
	char *program;			/* resolved path */
	char *program_hash;		/* of its bytes, hex */
	char *kernel;			/* release it was made on */
	enum chess_verdict verdict;
	int status;
	struct chess_record *record;
	struct chess_wait *waits;
	size_t n_waits;
	char *maps;
	char *points;			/* --points as given */
	char *err;			/* captured stderr, may be NULL */
	uint32_t quantum_us;		/* that was in force; 0: unknown (version 1) */
	bool virtual_time;		/* time was the group's; before version 3 it never was */
	unsigned int surroundings;	/* enum chess_surroundings; before version 4 none */
	struct chess_trace_probe *probes;	/* before version 6 none */
	size_t n_probes;
	/* before version 9 none of: */
	char **code;			/* chess_runner_opts.code; NULL terminated, or NULL */
	struct chess_trace_probe *code_files;
	size_t n_code_files;
	struct chess_trace_point *access_points;	/* in order of file and offset */
	size_t n_access_points;
	struct chess_trace_race *races;	/* that this run shows */
	size_t n_races;
};
CHESS_API int chess_trace_write(const struct chess_trace *t, const char *path);
/* NULL and errno: EINVAL truncated or edited (bad checksum), ENOTSUP newer version, ENOENT... */
CHESS_API struct chess_trace *chess_trace_read(const char *path);
CHESS_API void chess_trace_free(struct chess_trace *t);

/*
 * service.c: a process that runs already, searched with one request at a time. Each run
 * takes it, has a shell command ask it for something, and lets go of it when the command
 * has returned and all its tasks wait again; in between it is free.
 */
/* Let go of adopted tasks, and wait until they are; -EBUSY: some are not after @ms */
CHESS_API int chess_run_leave(struct chess_ctl *c, uint32_t group, unsigned int ms);
struct chess_service;
struct chess_service_opts {
	size_t sz;
	uint32_t group;		/* with the traps it is to have */
	pid_t pid;
	const char *command;	/* for sh -c; not under control */
	uint32_t flags;		/* CHESS_ADOPT_FLAGS_TREE, CHESS_ADOPT_FLAGS_FOLLOW */
	uint32_t run_timeout_ms;	/* for a request; 0: 10 s */
	uint32_t max_stall_ms;	/* no task is held longer; 0: no limit */
	bool no_syscall_points;
	bool (*interrupted)(void);	/* asked while a run goes on: end it? may be NULL */
};
CHESS_API struct chess_service *chess_service_new(struct chess_ctl *c,
			const struct chess_service_opts *o);
CHESS_API void chess_service_free(struct chess_service *s);
/* The command once, with the service free; verdict and output in *@out. -EINTR, -errno */
CHESS_API int chess_service_try(struct chess_service *s, struct chess_run_result *out);
/*
 * One run, for struct chess_executor. -EINTR; -ESRCH: the process is gone and that was no
 * bug; -EBUSY: before the first run it never came to rest
 */
CHESS_API int chess_service_run(struct chess_service *s, const struct chess_plan *plan,
			struct chess_run_result *out);
/* A sentence: why runs were no runs of the search; NULL: all were */
CHESS_API const char *chess_service_note(const struct chess_service *s);

/*
 * live.c: processes that run, seen with BPF and left alone (docs/observe.md). Times are
 * nanoseconds of CLOCK_MONOTONIC, 0: not seen. What is handed out is good until the next
 * chess_live_update() or chess_live_free(). NULL and errors come with chess_error(), as
 * those of chess_look_new(); -ESRCH: no watched process is left.
 */
struct chess_live;
struct chess_live_opts {
	size_t sz;
	pid_t pid;
	bool tree;		/* its descendants too */
	bool follow;		/* and the children they will have */
};

/* a task at the last look */
struct chess_live_task {
	uint32_t tid, tgid;
	char name[16];
	char state;		/* R, S, D, T, t, Z, as in /proc/PID/stat */
	bool timed;		/* what it waits in has a time-out */
	int32_t nr;		/* the system call it is blocked in; negative: none */
	uint64_t since;		/* it blocked; 0: before it was watched, or it is not blocked */
	uint64_t waits, wait_ns, longest_ns;	/* those that are over */
	uint64_t woken;		/* when last */
	uint32_t waker;		/* by whom, 0: not seen */
	char waker_name[16];
	bool interrupt;		/* by an interrupt that the waker served by chance */
	char *call;		/* "read pipe:[123]"; NULL: it is not blocked */
	char *object;		/* what is in it, and who has its other end; may be NULL */
	const char *lock;	/* "mutex", "rwlock", "thread": what the futex is; or NULL */
	uint64_t address;	/* of the lock or the futex */
	uint32_t holder;	/* who can end the wait, 0: unknown, or several */
	bool probably;		/* it has not been seen to hold it */
};

/* something waited on, by the tasks of one process */
struct chess_live_object {
	uint32_t tgid;
	int32_t nr;		/* in which call; negative: none */
	uint64_t word;		/* address of a futex; descriptor */
	char *text;		/* "read pipe:[123]" */
	uint64_t waits, wait_ns, longest_ns;	/* with those that go on */
	uint32_t waiting;	/* tasks now */
	uint64_t holds, hold_ns, longest_hold_ns;	/* from one hand-over to the next */
};

/* a task of a cycle: it waits for the next one, the last for the first */
struct chess_live_edge {
	uint32_t tid, tgid;
	char name[16];
	uint64_t since;
	char *call;
	const char *lock;	/* as in struct chess_live_task */
	uint64_t address;
	bool probably;
	struct chess_stack *stack;	/* of the task, NULL: cannot be read */
};

/* tasks that wait for each other for ever */
struct chess_live_alarm {
	uint64_t formed;	/* the last of them blocked; 0: before it was watched */
	uint64_t seen;		/* twice by then */
	struct chess_live_edge *edges;
	size_t n;
	size_t behind;		/* other tasks that wait for these */
};

CHESS_API struct chess_live *chess_live_new(const struct chess_live_opts *o);
CHESS_API void chess_live_free(struct chess_live *l);
/* look; to be called a few times a second. *@alarms: how many there are so far */
CHESS_API int chess_live_update(struct chess_live *l, size_t *alarms);
CHESS_API const struct chess_live_task *chess_live_tasks(const struct chess_live *l, size_t *n);
/* all so far; those stay good until the end */
CHESS_API const struct chess_live_alarm *chess_live_alarm(const struct chess_live *l, size_t i);
/* the longest waited on first; malloc'ed, for chess_live_objects_free() */
CHESS_API int chess_live_objects(struct chess_live *l, struct chess_live_object **objects,
			size_t *n);
CHESS_API void chess_live_objects_free(struct chess_live_object *objects, size_t n);
/* how much was not noted because there was no room: tasks, objects */
CHESS_API void chess_live_lost(struct chess_live *l, uint64_t *tasks, uint64_t *objects);

/* The task of the last look with this number in the first pid namespace, or NULL */
CHESS_API const struct chess_live_task *chess_live_find(const struct chess_live *l, uint32_t gtid);
/* Where a task of the last look is in its program; malloc'ed; NULL: it runs, or is none */
CHESS_API struct chess_stack *chess_live_stack(const struct chess_live *l, uint32_t tid);

/*
 * hits.c: waits until a task comes to a place in a program, with a BPF program at a uprobe
 * there, which notes it; the task goes on.
 */
struct chess_hits;
struct chess_hit {
	uint64_t time;		/* CLOCK_MONOTONIC */
	uint32_t tid, tgid;	/* in the first pid namespace */
};
CHESS_API struct chess_hits *chess_hits_new(void);
CHESS_API void chess_hits_free(struct chess_hits *h);
/*
 * One more place, for one process: in the file @path the function @name, or with @provider
 * the USDT probe. 0; -ENOENT: the file has none; -EPERM; -errno; with chess_error()
 */
CHESS_API int chess_hits_add(struct chess_hits *h, pid_t pid, const char *path,
			const char *provider, const char *name);
/* For at most @ms: 0 and the first hit of all, the same each time; -ETIMEDOUT; -errno */
CHESS_API int chess_hits_wait(struct chess_hits *h, int ms, struct chess_hit *hit);

#ifdef __cplusplus
}
#endif
#endif /* CHESSCTL_H */

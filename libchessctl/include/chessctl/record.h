/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libchessctl: what happened in one run, and its decisions as a schedule.
 */
#ifndef CHESSCTL_API_RECORD_H
#define CHESSCTL_API_RECORD_H

#include <chessctl/api.h>

#ifdef __cplusplus
extern "C" {
#endif

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
/* A copy of the first @n events and of what else belongs to them; the caller's. NULL and errno */
CHESS_API struct chess_record *chess_record_cut(const struct chess_record *r, size_t n);
CHESS_API size_t chess_record_length(const struct chess_record *r);
CHESS_API const struct chess_event *chess_record_event(const struct chess_record *r, size_t i);
CHESS_API const struct chess_stack *chess_record_stack(const struct chess_record *r,
			uint32_t seq);
/*
 * The signal that ended @task's process and was delivered to this very task, where the run was
 * asked for the snapshot CHESS_STACK_AT_FAULT | @task. *@stack, malloc'ed, is the user stack
 * then; NULL without memory for it. False: not known
 */
CHESS_API bool chess_record_fault(const struct chess_record *r, uint32_t task,
			struct chess_fault *fault, struct chess_stack **stack);
/* text in the format of /proc/PID/maps that came with the record (run flag
 * CHESS_RUN_FLAGS_MAPS, attribute CHESS_A_RECORD_MAPS); NULL when none
 */
CHESS_API int chess_record_set_maps(struct chess_record *r, const char *maps);
CHESS_API const char *chess_record_maps(const struct chess_record *r);
/*
 * N: each Nth yield of a task counted for the fair scheduler of the run; 0: none did. A new
 * record has 1.
 */
CHESS_API void chess_record_set_fair(struct chess_record *r, uint32_t fair);
CHESS_API uint32_t chess_record_fair(const struct chess_record *r);
/* were repeated tries of a lock yields in the run? A new record has false */
CHESS_API void chess_record_set_yield_trylock(struct chess_record *r, bool yields);
CHESS_API bool chess_record_yield_trylock(const struct chess_record *r);
/* could armed timers go off at any decision of the run? A new record has false */
CHESS_API void chess_record_set_early_timers(struct chess_record *r, bool early);
CHESS_API bool chess_record_early_timers(const struct chess_record *r);
/* could a time limit for a child pass only when no other task could run? A new record has
 * false
 */
CHESS_API void chess_record_set_late_watchdogs(struct chess_record *r, bool late);
CHESS_API bool chess_record_late_watchdogs(const struct chess_record *r);
/* could it not pass at all? A new record has false */
CHESS_API void chess_record_set_no_watchdogs(struct chess_record *r, bool none);
CHESS_API bool chess_record_no_watchdogs(const struct chess_record *r);
/* had timers to go off in time that limit the time of their own process? A new record has false */
CHESS_API void chess_record_set_late_limits(struct chess_record *r, bool late);
CHESS_API bool chess_record_late_limits(const struct chess_record *r);
/* could a task take 100,000 points in a row before others had to go first? A new record has false:
 * 1000
 */
CHESS_API void chess_record_set_long_rows(struct chess_record *r, bool longer);
CHESS_API bool chess_record_long_rows(const struct chess_record *r);
/* was the waiter to wake chosen by a decision? A new record has false */
CHESS_API void chess_record_set_wake_any(struct chess_record *r, bool any);
CHESS_API bool chess_record_wake_any(const struct chess_record *r);
/* could waits end without a wake-up at any decision of the run? A new record has false */
CHESS_API void chess_record_set_spurious(struct chess_record *r, bool spurious);
CHESS_API bool chess_record_spurious(const struct chess_record *r);
/* Was an access that reads and writes without a lock two points, a load and a store? */
CHESS_API void chess_record_set_split_updates(struct chess_record *r, bool split);
CHESS_API bool chess_record_split_updates(const struct chess_record *r);
/* the same of copies, which are several points */
CHESS_API void chess_record_set_split_copies(struct chess_record *r, bool split);
CHESS_API bool chess_record_split_copies(const struct chess_record *r);
/* were the calls points that the run flag more-calls makes points? A new record has false */
CHESS_API void chess_record_set_more_calls(struct chess_record *r, bool more);
CHESS_API bool chess_record_more_calls(const struct chess_record *r);
/* Did a task yield where it waited in a loop that does nothing else? A new record has false */
CHESS_API void chess_record_set_yield_await(struct chess_record *r, bool yields);
CHESS_API bool chess_record_yield_await(const struct chess_record *r);
/* How many rows of the wrapper table could become points; 0: it is not known. */
CHESS_API void chess_record_set_functions(struct chess_record *r, uint32_t n);
CHESS_API uint32_t chess_record_functions(const struct chess_record *r);
/* What chess_ctl_set_late() has. A new record has 0 and NULL */
CHESS_API void chess_record_set_early_max(struct chess_record *r, uint32_t ms);
CHESS_API uint32_t chess_record_early_max(const struct chess_record *r);
CHESS_API void chess_record_set_late_programs(struct chess_record *r, const char *names);
CHESS_API const char *chess_record_late_programs(const struct chess_record *r);
/* is there a time limit in the run that did not pass early? */
CHESS_API bool chess_record_has_watchdog(const struct chess_record *r);
/*
 * For executors that know the program's state, and CHESS_REDUCE_STATE: one number for each
 * decision of the run (chosen is not CHESS_TASK_NONE), in their order, equal only where the
 * program is in the same state: its memory, where each task is, which tasks wait for what in
 * which order, how far deadlines are away; and how far the executor's own limits are, if a run that
 * reaches them counts as one that ended. The state of fairness need not be in it: it follows
 * from the events. 0 or -ENOMEM with chess_error(); not part of traces, nor of the hash.
 */
CHESS_API int chess_record_push_state(struct chess_record *r, uint64_t state);
/* of decision number @n, from 0; false: it was not reported */
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
/* forget which waits for children ask how they ended: before version 12 traces do not say it */
CHESS_API void chess_record_drop_checks(struct chess_record *r);
/* forget where paths lead and what processes share: before version 19 traces do not say it */
CHESS_API void chess_record_drop_paths(struct chess_record *r);
/* index of the first event that differs, or SIZE_MAX when equal; WAKE events
 * from outside the group and EXIT codes count like everything else
 */
CHESS_API size_t chess_record_compare(const struct chess_record *a,
			const struct chess_record *b);
/*
 * The same for the choice of the next task only: of each decision its
 * type, task, chosen task, op and object; of each DIVERGENCE and TIMEOUT its task
 * and object.
 * For runs in which something from outside (a debugger) wakes tasks at other
 * moments, or looks at them. Returns the number of decisions that are equal;
 * *@at_a and *@at_b are the positions of the first that differ, both SIZE_MAX when none
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
 * The same for event @i of a record, exact for ids of 64 and up as well. If the
 * task was not allowed, it is not one. In a run without fairness a decision at
 * a yield is one if it is not the default's (round robin) choice.
 */
CHESS_API bool chess_record_is_preemption(const struct chess_record *r, size_t i);
/* could timers have gone off in place of decision @i? */
CHESS_API bool chess_record_may_expire(const struct chess_record *r, size_t i);
/* did timers go off early right before decision @i? The choice of the next task is then free */
CHESS_API bool chess_record_is_expired(const struct chess_record *r, size_t i);
/* Is it a point at an instruction that accesses memory? Then nr is its site. */
CHESS_API bool chess_event_is_access(const struct chess_event *e);
/* is @task enabled right after event @i, that is when its decision is taken */
CHESS_API bool chess_record_enabled(const struct chess_record *r, size_t i, uint16_t task);
/* was @task enabled at decision @i, and no other enabled task had to go before it */
CHESS_API bool chess_record_allowed(const struct chess_record *r, size_t i, uint16_t task);
/* can decision @i let the deadline of @task's wait pass, or end it without a wake-up? Known of
 * ids 0 to 63
 */
CHESS_API bool chess_record_timed(const struct chess_record *r, size_t i, uint16_t task);
/* what the default policy chooses at decision @i: the running task, at a yield
 * or a quantum the lowest other id that is allowed, else the lowest that is; in a run
 * without fairness, at a yield the next enabled id round robin; where
 * no task is enabled the one with the earliest deadline. CHESS_TASK_NONE where
 * there is none, where the decision took another deadline (the record does not say
 * which was the earliest), or @i is not a decision; for SPURIOUS one of CHESS_ENDS_*
 */
CHESS_API uint16_t chess_record_default(const struct chess_record *r, size_t i);

/*
 * moved.c: two records of one program whose files, stacks and mappings lie at other addresses.
 * They are the same where each address, inode and IPC object of one stands for one of the
 * other, code in files that are known has the same place in them, and all else is equal. What
 * the dynamic loader does before a program begins is left out, as it depends on where libraries are
 * looked for. Maps are texts like /proc/PID/maps, or NULL: not known. Nothing is copied.
 */
struct chess_access;
struct chess_moved;
/* NULL and errno ENOMEM */
CHESS_API struct chess_moved *chess_moved_new(const struct chess_record *a, const char *maps_a,
			const struct chess_record *b, const char *maps_b);
CHESS_API void chess_moved_free(struct chess_moved *m);
/* indexes of the first events that differ; SIZE_MAX both, and true: none does */
CHESS_API bool chess_moved_same(const struct chess_moved *m, size_t *at_a, size_t *at_b);
/* the schedule of a with as many decisions for the loader as b shows; caller frees; or NULL */
CHESS_API struct chess_schedule *chess_moved_schedule(const struct chess_moved *m);
/* an access of b as a has it: its addresses and the event before it */
CHESS_API void chess_moved_access(const struct chess_moved *m, struct chess_access *access);

/* livelock.c: what the second half of a record repeats */
struct chess_cycle {
	size_t first, end;	/* its last round: events from index @first up to @end */
	size_t rounds;
	int selfish;		/* task that never yields in it although others could run, or -1 */
	int starved;		/* task that could run in it and never got past its op, or -1 */
	bool separate;		/* each task repeats steps of its own: the last round of all */
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

/*
 * hb_clocks.c: the steps of a run and which of them happen before which, as vector clocks. A step
 * is what a task does from the decision that lets it continue up to the next such decision.
 * It comes after the step before it of the same task; after the step that created or woke the
 * task; after earlier steps whose operations its own depends on: on the same object, unless
 * both only read; and, when it has waited for a thread or for child processes, after their
 * ends. An operation that finds out that it has to wait counts as a read.
 */
/**
 * struct chess_order_step - a step
 * @turn: number of the event with the decision; 0: the first task begins
 * @end: number of the next event with such a decision; one more than the last event's: none
 * @point: number of the POINT event whose operation it carries out; 0: none
 * @task: which
 * @begins: it is the task's first one
 * @again: the task has waited in the operation and goes on with it
 * @waits: it ends because the task has to wait
 * @clock: by task how many of its steps come before this one, or are it; @tasks numbers that
 *	are valid until the function that gets them returns
 * @tasks: in the record
 */
struct chess_order_step {
	uint32_t turn, end, point;
	uint16_t task;
	bool begins, again, waits;
	const uint32_t *clock;
	size_t tasks;
};
/* 0, or what ends the walk */
typedef int chess_order_fn(void *arg, const struct chess_order_step *step);
/*
 * Calls @fn with each step in the order of the run. Return: 0; what @fn returned, if not 0; or
 * -ENOMEM with chess_error().
 */
CHESS_API int chess_record_order(const struct chess_record *r, chess_order_fn *fn, void *arg);
/* Is what SPAWN event @i (an index) created a process, and not a thread of its creator's? */
CHESS_API bool chess_record_makes_process(const struct chess_record *r, size_t i);

/* what a task of a recorded run did at one event */
enum chess_task_phase {
	CHESS_PHASE_ABSENT = 0,		/* not made yet */
	CHESS_PHASE_ENABLED, CHESS_PHASE_BLOCKED, CHESS_PHASE_TIMED, CHESS_PHASE_ENDED,
	CHESS_PHASE_LEFT,		/* control */
};
/* TIMED: blocked, with a deadline. After event number @seq; @task below chess_record_tasks() */
CHESS_API enum chess_task_phase chess_record_phase(const struct chess_record *r, uint32_t seq,
			uint16_t task);

#ifdef __cplusplus
}
#endif
#endif /* CHESSCTL_API_RECORD_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the user-space model share; programs see sim.h only.
 *
 * sim_core.c	a run: tasks, stacks, verdicts, the executor
 * sim_switch.c	from one stack to another
 * sim_decide.c	who goes on, and the events that say so
 * sim_wait.c	how a task waits, in both senses of "enabled"
 * sim_ops.c	ops as events tell them; tasks, time and the end of the program
 * sim_locks.c	mutexes, reader-writer locks, condition variables
 * sim_objects.c	semaphores, barriers, events
 * sim_process.c	processes and pipes
 * sim_signals.c	signals and timers
 * sim_vars.c	variables, and the record of accesses to them
 * sim_state.c	the state of a run as one number
 */
#ifndef SELFTESTS_SIM_INTERNAL_H
#define SELFTESTS_SIM_INTERNAL_H

#include "sim.h"

#include "decide.h"
#include "fair.h"
#include "policy.h"
#include "internal.h"

/* Where the group's clock begins and how far a yield moves it: kmod/time/clock.h. */
#define SIM_CLOCK_START		1000000000000ULL
#define SIM_CLOCK_STEP		10000ULL
/* How long the ops wait that say of no time-out how long it is. */
#define SIM_TIMEOUT		1000000ULL
/* See sim_opts.max_points. */
#define SIM_MAX_POINTS		20000

struct sim_task;
/* May @t, which is at an op on t->object, do it now? */
typedef bool (*sim_gate)(const struct sim_task *t);

/**
 * struct sim_op - an op as events tell it
 * @op: enum chess_op_class
 * @flags: CHESS_OPF_*
 * @nr: of the function in libchessctl/code/wrappers.c, of the syscall without
 *	CHESS_OPF_PROBE; 0: neither
 */
struct sim_op {
	uint8_t op, flags;
	uint32_t nr;
};

/**
 * struct sim_at - a task is at an op
 * @op: which one
 * @object: address of what it works on; NULL: see @kind
 * @second: address of what it works on besides; may be NULL
 * @kind: enum chess_object_kind where @object is NULL
 * @number: the object then
 * @bytes: of an access
 * @gate: when the op would not wait; NULL: it never does
 * @watch: sim_task.object for @gate
 * @caller: address in the body
 */
struct sim_at {
	const struct sim_op *op;
	const void *object, *second;
	uint8_t kind;
	uint64_t number;
	uint32_t bytes;
	sim_gate gate;
	const void *watch;
	const void *caller;
};

/**
 * struct sim_task - one task of the run
 * @sp: stack pointer while another task runs
 * @stack: its stack, kept between runs; NULL before the first
 * @body: what it runs
 * @arg: of @body
 * @dead: it has ended
 * @id: number in the run
 * @queue: object it is queued at, in order of @since; NULL: none
 * @since: when it was queued
 * @deadline: on the group's clock, when it is in sim.timed
 * @timed_out: its last wait ended because the deadline passed
 * @gate: SIM_CHESS: enabled only while this holds; NULL: always. SIM_KERNEL: unused
 * @object: for @gate
 * @has_waited: for the mutex that it takes
 * @round: for @gate of a barrier
 * @fair: what the fair scheduler knows of it
 * @process: number of its process
 * @op_at: the op that it is at, or in
 * @points: how many it has come to
 * @pending: a signal was sent to it
 * @handling: it runs the handler
 * @at: hash of the point it is at
 * @waits_at: hash of what it waited at last in the middle of that op
 */
struct sim_task {
	void *sp;
	char *stack;
	void (*body)(void *arg);
	void *arg;
	bool dead;
	unsigned int id;
	const void *queue;
	uint32_t since;
	uint64_t deadline;
	bool timed_out;
	sim_gate gate;
	const void *object;
	bool has_waited;
	int round;
	struct chess_fair_row fair;
	unsigned int process;
	struct sim_at op_at;
	unsigned int points;
	bool pending, handling;
	uint64_t at, waits_at;
};

/**
 * struct sim_process - one process of the run
 * @data: its copy of sim_program.data while another one runs; kept between runs
 * @alive: how many tasks it has
 * @closed: bit N set: it has closed the writing end of pipe N
 */
struct sim_process {
	void *data;
	unsigned int alive;
	uint64_t closed;
};

#define SIM_PROCESSES	8

struct sim {
	const struct sim_program *program;
	struct sim_opts opts;

	/* the run */
	struct chess_record *record;
	struct chess_set enabled, timed, queued, gated;
	struct chess_fair fair;
	struct chess_prefix prefix;
	struct chess_policy policy;
	struct sim_task *token;
	struct sim_task **task;		/* by id; kept between runs, as many as there ever were */
	size_t n_tasks, room;
	size_t n_alive;
	uint32_t order;			/* of those that queue up */
	uint32_t seq;
	unsigned int points;
	size_t decisions, diverged_at;
	uint64_t now;
	struct sim_process process[SIM_PROCESSES];
	unsigned int processes;
	struct sim_timer *timer;	/* the one that is armed; NULL: none is */
	uint64_t timer_at;		/* when it is due */
	unsigned int timer_task;	/* who armed it */
	int error;
	enum chess_verdict verdict;
	int status;
	int bad_task;

	struct chess_access *access;	/* of the run */
	size_t n_accesses, access_room;
	uint64_t *site;			/* where accesses are made, by their number from 1 */
	size_t n_sites, site_room;
	uint32_t *point;		/* those that are points */
	size_t n_points_at;

	struct chess_record *spare;	/* of a run that is over */
	void *driver;			/* stack pointer of sim_run() */
	struct chess_segment *segment;
	size_t segment_room;
	const void **named;		/* objects that are neither in the program nor on a stack */
	size_t n_named, named_room;
};

/* The one that runs. Bodies share memory, so there cannot be two at a time. */
extern struct sim *sim_now;

/* sim_switch.c */
void sim_switch(void **save, void *to);
/* the stack pointer of a stack, ending at @top, on which sim_switch() starts @entry */
void *sim_switch_prepare(void *top, void (*entry)(void));

/* the linker's: where the program begins and ends in memory */
extern char __executable_start[], _end[];

/* sim_core.c */
void sim_go_to(struct sim *s, unsigned int task);
unsigned int sim_new_task(struct sim *s, void (*body)(void *arg), void *arg);
/* the run is over; a verdict it already has stays */
_Noreturn void sim_end(struct sim *s, enum chess_verdict v);
/* the program ends with @status, as in wait(2), whatever its tasks are at */
_Noreturn void sim_die(struct sim *s, enum chess_verdict v, int status);
/* what @object is called in events: the same in all runs of the program */
uint64_t sim_name(struct sim *s, const void *object);
/* is that by its place in the program or on a stack? */
bool sim_is_named(const void *object);

/* sim_decide.c */
void sim_push(struct sim *s, struct chess_event *e);
void sim_disable(struct sim *s, unsigned int id);
void sim_decide(struct sim *s, struct chess_event *e);

/* sim_wait.c */
void sim_point(struct sim *s, const struct sim_at *at);
void sim_futex_point(struct sim *s);
void sim_queue(struct sim *s, struct sim_task *t, const void *object);
void sim_unqueue(struct sim *s, struct sim_task *t);
void sim_block(struct sim *s, const void *object, uint64_t deadline);
bool sim_await(struct sim *s, sim_gate gate, const void *object, uint64_t deadline);
unsigned int sim_decide_queue(struct sim *s, unsigned int first, uint64_t waiters);
bool sim_wake_one(struct sim *s, const void *object);
void sim_wake_all(struct sim *s, const void *object);
void sim_wake_by(struct sim *s, struct sim_task *t, unsigned int waker);

/* sim_process.c */
void sim_load_process(struct sim *s, unsigned int from, unsigned int to);
void sim_leave_process(struct sim *s, struct sim_task *t);
bool sim_is_private(const struct sim *s, const void *object);

/* sim_signals.c */
bool sim_take_signals(struct sim *s);
void sim_await_call(struct sim *s, sim_gate gate, const void *object);
void sim_timer_fire(struct sim *s);

/* sim_state.c */
void sim_state_at(struct sim *s, const struct sim_at *at);
void sim_state_blocks(struct sim *s, const void *object);
uint64_t sim_state(struct sim *s, uint64_t program);

/* sim_ops.c: ops that are wrapped functions of pthread */
enum sim_function {
	SIM_MUTEX_LOCK, SIM_MUTEX_TRYLOCK, SIM_MUTEX_TIMEDLOCK, SIM_MUTEX_UNLOCK,
	SIM_COND_WAIT, SIM_COND_TIMEDWAIT, SIM_COND_SIGNAL, SIM_COND_BROADCAST,
	SIM_RDLOCK, SIM_WRLOCK, SIM_RWUNLOCK, SIM_BARRIER_WAIT, SIM_CREATE, SIM_JOIN,
	SIM_SEM_WAIT, SIM_SEM_TRYWAIT, SIM_SEM_POST,
	__SIM_FUNCTIONS,
};
extern struct sim_op sim_function[__SIM_FUNCTIONS];
void sim_ops_init(void);
/* the running task has returned from its body */
_Noreturn void sim_end_task(struct sim *s);

/*
 * At @f on @object, which may make it wait until @gate opens. Return: false: it is one
 * of those with a time-out, and the deadline passed.
 */
bool sim_take(enum sim_function f, const void *object, sim_gate gate, const void *caller);
/* At @op on @object, which never waits. */
void sim_touch(const struct sim_op *op, const void *object, const void *caller);

#define SIM_CALLER	__builtin_return_address(0)

#endif /* SELFTESTS_SIM_INTERNAL_H */

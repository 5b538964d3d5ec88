/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program without a kernel: tasks are coroutines of one process, objects are
 * structs, each op is a point. sim_executor() makes it an executor for
 * chess_explore(), so the engine, its strategies and reductions are driven, counted,
 * timed and fuzzed without a VM. What decides is what decides in the module:
 * kmod/decide.c, fair.c and the prefix; what is handed back is a struct chess_record
 * like the module's.
 *
 *	chess_explore() --prefix--> sim --decide.c--> body of a task
 *	      ^                      |                     |
 *	      +-------record---------+<------- op ---------+
 *
 * selftests/model is something else: an enumeration that shares nothing with the
 * engine, which checks the counts that come out here.
 *
 * A body runs from its start in each run. What it shares with others must be in sim
 * objects or be set up by reset(); it must be deterministic. It is dropped in the
 * middle when a run ends, so what it allocates is lost. Its stack is 64 KiB.
 *
 * A task ends when it returns, T0 like all others; that is one more point but where the
 * program says otherwise, and the run
 * is over when all have ended. sim_exit() ends it at once. A woken task tries again, in
 * the order in which tasks began to wait, and may have to wait again.
 */
#ifndef SELFTESTS_SIM_H
#define SELFTESTS_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "chessctl/chessctl.h"

/**
 * struct sim_program - a modelled program
 * @name: for reports
 * @reset: puts all that bodies share to its initial value; called before each run
 * @main: body of T0
 * @state: digest of the whole program state, for those who count states: shared
 *	objects and, through what bodies keep in shared memory, where each task is.
 *	May be NULL; if not, records tell states (chess_record_push_state())
 * @plain_end: that a task ends is not a point, so nobody goes first after its last op
 * @data: memory of which each process has a copy of its own, @data_size bytes; of a program that
 *	forks. The program has no @state then
 * @pipes: how many pipes it has
 * @handler: what a task does when it takes a signal: no op of it may wait
 */
struct sim_program {
	const char *name;
	void (*reset)(void);
	void (*main)(void *arg);
	uint64_t (*state)(void);
	bool plain_end;
	void *data;
	size_t data_size;
	unsigned int pipes;
	void (*handler)(void);
};

/**
 * enum sim_enabled - when is a task enabled that is at an op which would wait?
 * @SIM_KERNEL: as under the module: it is; chosen, it finds out and blocks
 *	(POINT, then BLOCK, and WAKE when somebody makes it go on)
 * @SIM_CHESS: as in CHESS (OSDI'08, 3.3): it is not, until the op would succeed; no
 *	BLOCK ever, the POINT's enabled set lacks the task. An op with a time-out is
 *	always enabled, and fails where it would wait; a sleep is a yield. A wait
 *	that gives something away first (condition variable, barrier) is two points.
 *	At most 64 tasks
 */
enum sim_enabled { SIM_KERNEL, SIM_CHESS };

/**
 * struct sim_opts - how a program is run
 * @enabled: see enum sim_enabled
 * @unfair: no priorities by yields; the round-robin of old
 * @fair_k: every k-th yield counts (PLDI'08, section 3); 0 is 1
 * @max_points: a run of more is cut: verdict livelock when fair, else incomplete; see
 *	@cut_is_end. 0 is 20,000
 * @cut_is_end: a run that is cut just ends, verdict ok (depth bound of PLDI'08, table 2)
 * @accesses: variables are plain memory: what is done to them is recorded, of the accesses
 *	whose sites sim_set_points() has chosen each is a point, and sim_load() and
 *	sim_store() are no atomic instructions
 * @alone_free: what is done to a variable is not a point while no other task could go on, as
 *	under the module
 * @wake_any: who of several is woken is a decision, event QUEUE, and not who came first;
 *	SIM_KERNEL
 * @visit: called with program->state() at each decision; may be NULL
 * @arg: for @visit
 */
struct sim_opts {
	enum sim_enabled enabled;
	bool unfair;
	unsigned int fair_k;
	unsigned int max_points;
	bool cut_is_end;
	bool accesses;
	bool alone_free;
	bool wake_any;
	void (*visit)(void *arg, uint64_t state);
	void *arg;
};

struct sim;
struct sim *sim_new(const struct sim_program *p, const struct sim_opts *o);
void sim_free(struct sim *s);
struct chess_executor sim_executor(struct sim *s);
/* With @accesses: those of these sites are points; ascending. From the next run on */
void sim_set_points(struct sim *s, const uint32_t *sites, size_t n);
/* one run under the prefix "T0*3 T1", as traces have it; chess_run_result_clear() it */
struct chess_run_result sim_run_once(const struct sim_program *p, const struct sim_opts *o,
				     const char *prefix);

/*
 * For bodies. Each is one point but where it says otherwise; the object is the
 * address of the struct, relative to nothing that differs between runs.
 */
struct sim_mutex { int owner; bool noted; };	/* 0: free; else id + 1. Its word says: waiters */
struct sim_rwlock { int writer, readers; };
struct sim_cond { int unused; };
struct sim_sem { int value; };
struct sim_barrier { int needed, waiting, round; };
struct sim_event { bool set, manual; };		/* Win32's */
struct sim_var { long value; };
struct sim_pipe { unsigned int number; int room, bytes; };	/* numbers are from 1 */
struct sim_timer { int expired; };		/* a descriptor; one that is armed at a time */

int sim_self(void);				/* no point */
int sim_create(void (*body)(void *arg), void *arg);	/* the new task's id */
void sim_join(int task);

void sim_lock(struct sim_mutex *m);
bool sim_trylock(struct sim_mutex *m);
bool sim_timedlock(struct sim_mutex *m);	/* a deadline; false: it passed. A yield */
void sim_unlock(struct sim_mutex *m);		/* of another's: assertion fails */
void sim_rdlock(struct sim_rwlock *l);
void sim_wrlock(struct sim_rwlock *l);
void sim_rwunlock(struct sim_rwlock *l);
void sim_wait(struct sim_cond *c, struct sim_mutex *m);		/* unlocks, then locks again */
bool sim_timedwait(struct sim_cond *c, struct sim_mutex *m);	/* false: too late. A yield */
void sim_signal(struct sim_cond *c);
void sim_broadcast(struct sim_cond *c);
void sim_sem_wait(struct sim_sem *s);
bool sim_sem_trywait(struct sim_sem *s);
void sim_sem_post(struct sim_sem *s);
void sim_barrier_wait(struct sim_barrier *b);
void sim_event_set(struct sim_event *e);
void sim_event_reset(struct sim_event *e);
void sim_event_wait(struct sim_event *e);	/* auto-reset ones are taken */
bool sim_event_timedwait(struct sim_event *e);

/*
 * The kernel's: SIM_KERNEL only. A process that is forked has a copy of the data, and both ends of
 * all pipes. Of an empty pipe of which nobody has the writing end any more, a read finds nothing.
 */
int sim_fork(void (*body)(void *arg), void *arg);	/* the new process's first task */
void sim_wait_child(int task);			/* for the end of that one's process */
bool sim_pipe_read(struct sim_pipe *p);
void sim_pipe_write(struct sim_pipe *p);
void sim_pipe_close(struct sim_pipe *p);	/* the writing end of the process */
void sim_kill(int task);			/* another one; it runs the handler */
void sim_timer_arm(struct sim_timer *t, uint64_t ns);
void sim_timer_read(struct sim_timer *t);	/* waits until it has expired */
/* No point: the end of one of these calls, or of a sleep, at which a signal is taken. */
void sim_return(void);

/* Accesses to memory that others see; atomic, each a point, but see sim_opts.accesses. */
long sim_load(const struct sim_var *v);
void sim_store(struct sim_var *v, long value);
long sim_add(struct sim_var *v, long n);	/* the new value */
long sim_exchange(struct sim_var *v, long value);
bool sim_cas(struct sim_var *v, long from, long to);

/*
 * Accesses of a loop that only waits; @again: the turn before was like this one will be, unless
 * another task has written what it read. A yield then, as in kmod/await.h.
 */
long sim_look(const struct sim_var *v, bool again);
bool sim_look_cas(struct sim_var *v, long from, long to, bool again);

void sim_yield(void);
void sim_sleep(uint64_t ns);	/* a yield with a deadline on the group's clock */

/* No points. The run ends with verdict assert, or with the program's exit code. */
void sim_assert(bool holds);
void sim_exit(int code);

#endif /* SELFTESTS_SIM_H */

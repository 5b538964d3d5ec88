/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An independent model of what the search must do: small programs over modelled
 * synchronization, run as coroutines, and a plain enumeration of every schedule
 * with at most so many preemptions. unit/model_test.c holds the programs under
 * programs/ against it. It shares no code with the library or the module; the
 * only thing the two have in common is the rule written down in docs/concepts.md.
 *
 * model.c    tasks, decisions, enumeration
 * futex.c    glibc 2.36's mutex, condvar, rwlock, semaphore, barrier and once
 * kernel.c   pipe, eventfd, epoll, flock
 * time.c     waits with an end
 * calls.c    models of both kinds
 * correct.c, wrong*.c  one model per program of programs/{correct,wrong}
 * bpf.c      models of the programs in bpf/
 */
#ifndef CHESS_MODEL_H
#define CHESS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum model_verdict {
	MODEL_OK = 1,
	MODEL_ASSERT,
	MODEL_CRASH,
	MODEL_DEADLOCK,
	MODEL_EXIT,
	MODEL_LIVELOCK,		/* it goes on and on */
	__MODEL_VERDICT_MAX,
};

const char *model_verdict_name(enum model_verdict v);

/**
 * struct model_program - the model of one program
 * @name: file name in programs/, without the suffix
 * @reset: puts what the tasks share back to all zero
 * @main: body of T0
 */
struct model_program {
	const char *name;
	void (*reset)(void);
	void (*main)(void);
};

extern const struct model_program model_correct[];
extern const struct model_program model_wrong[];
extern const struct model_program model_bpf[];	/* of bpf/: account, usdt; wrong, then right */

/**
 * struct model_result - what the enumeration of a program found
 * @runs: schedules with at most the asked number of preemptions
 * @failed: how many of them ended in each verdict
 * @max_points: points of the longest one
 * @max_branches: decisions with more than one choice, of the one that had most
 * @endless: a schedule was cut because it went on and on; there are infinitely many of
 *	that kind, so it was the last
 */
struct model_result {
	uint64_t runs;
	uint64_t ended[__MODEL_VERDICT_MAX];
	unsigned int max_points;
	unsigned int max_branches;
	bool endless;
};

/* who of several that sleep on a key is woken costs nothing, as with --wake any; else the first */
extern bool model_wake_any;

/* every schedule of @p with at most @bound preemptions; stops after @limit runs */
struct model_result model_enumerate(const struct model_program *p, unsigned int bound,
				    uint64_t limit);

enum model_decision { MODEL_AT_POINT, MODEL_AT_YIELD, MODEL_AT_BLOCK, MODEL_AT_SIGNAL };

/*
 * Who goes on: a task of @enabled, or one of @timed, which sleeps with a deadline
 * that passes then. Where both are empty nobody does. @allowed: those of @enabled that
 * need not let others go first. @first: whose deadline is the earliest, of use where
 * @timed is not empty. MODEL_AT_SIGNAL: who of @enabled takes it.
 */
typedef unsigned int (*model_choose_fn)(void *arg, enum model_decision kind,
					unsigned int task, uint64_t enabled, uint64_t allowed,
					uint64_t timed, unsigned int first);

/* one run in which @choose takes every decision, also those without a choice */
enum model_verdict model_run(const struct model_program *p, model_choose_fn choose, void *arg);

/* model.c: for the ops and the programs */
void model_point(void);
/*
 * The point of a system call, and a wait in it. A signal handler that ran before the call was
 * made, or interrupted it, and had a point of its own gives the call another one.
 */
void model_call(void);
void model_wait(const void *key);
void model_yield(void);
/* block until somebody wakes @key; the tasks asleep on a key form a FIFO */
void model_sleep(const void *key);
/* the same up to a moment of the clock, 0 for ever; true: the deadline passed */
bool model_sleep_until(const void *key, uint64_t deadline);
/* nothing moves it but deadlines that pass; it begins at 1 */
uint64_t model_clock(void);
unsigned int model_wake(const void *key, unsigned int count);
/*
 * One of @takers, as bits, takes a signal: it is woken, and before it does anything
 * else it runs @handler.
 */
void model_signal(uint64_t takers, void (*handler)(void));
/* end the run with @v, unless @ok */
void model_check(bool ok, enum model_verdict v);
unsigned int model_self(void);
unsigned int model_process(void);
unsigned int model_spawn(void (*fn)(void *), void *arg, bool process);
bool model_is_dead(unsigned int task);
bool model_process_is_dead(unsigned int process);
int model_process_status(unsigned int process);

#define m_assert(x)	model_check(x, MODEL_ASSERT)

/* threads; each call is one point */
unsigned int m_create(void (*fn)(void *), void *arg);
void m_join(unsigned int task);
void m_return(void);	/* where system calls are not points; does not return */
void m_exit_group(int code);	/* does not return */

/* futex.c: sync functions; each call is one point. All zero is initialized. */
struct mutex {
	unsigned int word;
};

struct cond {
	uint64_t wseq, g1_start;
	unsigned int g_refs[2], g_size[2], g1_orig_size, wrefs, g_signals[2];
};

struct rwlock {
	unsigned int readers, writers_futex, wrphase_futex;
	unsigned int writer;	/* task + 1 */
};

struct sem {
	unsigned int value, waiters;
};

struct barrier {
	unsigned int count, in, round;
};

struct once {
	unsigned int state;
};

void m_lock(struct mutex *m);
bool m_trylock(struct mutex *m);
bool m_trylock_again(struct mutex *m);	/* with --yield-trylock */
void m_unlock(struct mutex *m);
void m_wait(struct cond *c, struct mutex *m);
void m_signal(struct cond *c);
void m_broadcast(struct cond *c);
void m_rdlock(struct rwlock *rw);
void m_wrlock(struct rwlock *rw);
void m_rwunlock(struct rwlock *rw);
void m_sem_wait(struct sem *s);
bool m_sem_trywait(struct sem *s);
void m_sem_post(struct sem *s);
bool m_barrier(struct barrier *b);	/* true for the serial thread */
void m_once(struct once *o, void (*fn)(void));

/* kernel.c: syscalls; each call is one point */
struct channel {		/* pipe or stream socket, one direction */
	unsigned int bytes;
	bool closed;		/* no writer left */
	struct channel *back;	/* stream socket: the other direction */
	struct epoll *set;	/* the set it is in, if any */
};

struct epoll {			/* a set of one channel, edge-triggered or oneshot */
	struct channel *channel;
	bool oneshot, off, ready;
};

struct eventfd {
	unsigned int count;
};

struct flock {			/* one inode; owner is an open file description + 1 */
	unsigned int owner;
};

unsigned int m_read(struct channel *c, unsigned int max);	/* 0: end of file */
unsigned int m_read_nonblock(struct channel *c, unsigned int max);	/* 0: nothing */
void m_write(struct channel *c, unsigned int bytes);
void m_poll(struct channel *c);	/* for reading */
unsigned int m_eventfd_read(struct eventfd *e);
void m_eventfd_write(struct eventfd *e, unsigned int n);
void m_epoll_wait(struct eventfd *e);	/* a set of one */
void model_epoll_add(struct epoll *e, struct channel *c, bool oneshot);	/* no point */
void m_epoll_rearm(struct epoll *e);
void m_epoll_wait_event(struct epoll *e);
void m_flock(struct flock *f, unsigned int description);
void m_funlock(struct flock *f);
void m_close(struct channel *c);	/* by the last writer */
void m_syscall(void);	/* any other point: epoll_ctl, kill, close ... */
unsigned int m_fork(void (*fn)(void *), void *arg);	/* returns the process */
int m_waitpid(unsigned int process);
void model_hangup(struct channel *c);	/* no point: what the end of a process does */
void model_kill(unsigned int process);	/* no point: a signal ends it */
/* run when a process is gone, in the context of the task that ends it */
void model_process_exit_hook(void (*fn)(unsigned int process));

/* time.c: waits with an end */
void m_nanosleep(uint64_t ns);
bool m_sem_timedwait(struct sem *s, uint64_t deadline);	/* false: timed out */
bool m_epoll_wait_for(struct eventfd *e, uint64_t ns);	/* false: timed out */

#endif /* CHESS_MODEL_H */

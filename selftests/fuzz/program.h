/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs out of seeds whose output is the same under every schedule: steps, each done
 * by one thread, by two or by all, in one global order, so that nobody waits in a circle;
 * a thread notes only what its own steps give. program_make.c makes them,
 * program_subject.c executes them, the program_ops_*.c files have the ops.
 */
#ifndef CHESS_SELFTESTS_FUZZ_PROGRAM_H
#define CHESS_SELFTESTS_FUZZ_PROGRAM_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_STEPS	32
#define MAX_THREADS	8	/* of all processes */
#define MAX_PROCESSES	3
#define MAX_BATCH	256	/* programs one after the other */
#define LOG_BYTES	4096
/* Descriptors of step N are STEP_FD + 2 * N and the next; ops take their own above these. */
#define STEP_FD		100
#define OWN_FD		300

/* Who takes part in a step. */
enum party {
	SOLO,		/* one thread */
	CHILD,		/* a process that one thread forks; the result is its exit status */
	PAIR,		/* two threads, in any processes */
	ALL,
};

/* What is made for a step before anybody starts. */
enum needs { NOTHING, A_PIPE, A_SOCKET, AN_EVENTFD, A_FILE };

/**
 * struct slot - what those who take part in a step share, in all processes
 * @mutex: process shared
 * @cond: the same
 * @rwlock: the same
 * @barrier: for as many as take part
 * @sem: zero
 * @back: zero
 * @word: for futexes
 * @count: for everything
 * @tid: of the waiter
 */
struct slot {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	pthread_rwlock_t rwlock;
	pthread_barrier_t barrier;
	sem_t sem, back;
	volatile uint32_t word;
	volatile uint32_t count;
	volatile int tid;
};

/**
 * struct step - one step of a program
 * @op: index in the table of ops
 * @first: who does it
 * @second: PAIR: and who
 * @seed: of its arguments
 * @dropped: left out
 */
struct step {
	unsigned int op, first, second;
	uint64_t seed;
	bool dropped;
};

/**
 * struct program - what follows from a seed
 * @processes: how many
 * @threads: of all of them
 * @home: process of each thread
 * @n: steps
 * @step: the steps
 * @last: of each process but the first: what its main thread does at its end
 */
struct program {
	unsigned int processes, threads;
	unsigned int home[MAX_THREADS];
	unsigned int n;
	struct step step[MAX_STEPS];
	unsigned int last[MAX_PROCESSES];
};

/**
 * struct ctx - a thread at one of its steps; in shared memory, as a child may note things
 * @random: state of the step's random numbers
 * @slot: the step's
 * @fd: the step's descriptors
 * @second: PAIR: we are the second one
 * @me: number of the thread
 * @parties: ALL: how many take part
 * @length: of @log
 * @log: what was noted
 */
struct ctx {
	uint64_t random;
	struct slot *slot;
	int fd[2];
	bool second;
	unsigned int me, parties;
	size_t length;
	char log[LOG_BYTES];
};

/**
 * struct op - a kind of step
 * @name: for logs
 * @party: the tasks that take part
 * @needs: what is to be made before
 * @weight: how often it is drawn
 * @fn: does it; of CHILD the exit status
 */
struct op {
	const char *name;
	enum party party;
	enum needs needs;
	unsigned int weight;
	int (*fn)(struct ctx *c);
};

struct ops {
	const struct op *op;
	unsigned int n;
};

/* The tables, one a file, and op number @i of all of them; NULL after the last. */
extern const struct ops sync_ops, process_ops, memory_ops, time_ops, file_ops, signal_ops;
const struct op *op_number(unsigned int i);

/* program_make.c */
uint64_t draw(uint64_t *state);
static inline unsigned int below(struct ctx *c, unsigned int n)
{
	return draw(&c->random) % n;
}
void program_make(struct program *p, uint64_t seed, const char *drop);
void program_print(const struct program *p);
/* The seeds of "5,7-9", MAX_BATCH at most; how many they are */
unsigned int program_list(const char *list, uint64_t *seeds);

/* program_note.c: note a number; it becomes part of the output */
void note(struct ctx *c, long value);
void note_text(struct ctx *c, const char *text);
/* the file that is executed; started with "leaf" and a number it exits with that */
extern char own_path[4096];
/*
 * Held while a library is loaded, and for fork(): a child that is forked in between finds the
 * loader half done and __exit_funcs_lock taken, and crashes or blocks in pthread_exit().
 */
extern pthread_mutex_t loading;
/* Start a child and wait for it; note how it ended. */
void run_child(struct ctx *c, int (*fn)(struct ctx *c));
/* a status of wait(2) as one number */
int status_number(int status);
/* -errno or the result */
long result_of(long ret);

#endif /* CHESS_SELFTESTS_FUZZ_PROGRAM_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the conformance programs share. A program names its calls in a table; for
 * each of them conf_main() makes the cases that every wait has (woken by a thread
 * and by a process, timed out, nothing to wait for, a deadline that has passed,
 * interrupted by a signal with and without SA_RESTART) and prints one line for
 * each. A line says what the call did and never how long it took, so that it is
 * the same on a bare machine and under control.
 *
 * Nothing here knows of chess: the programs are ordinary ones. The waker looks
 * into /proc to see that the other side waits; it never guesses by sleeping.
 */
#ifndef CHESS_SELFTESTS_CONF_H
#define CHESS_SELFTESTS_CONF_H

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define MS		1000000LL
#define CONF_SHORT	(30 * MS)	/* a time-out that is waited for */
#define CONF_FAR	(20000 * MS)	/* one that must not be reached */

/* What the call has no meaning for. */
#define CONF_NO_WAKE	0x01	/* nobody can end the wait */
#define CONF_NO_READY	0x02	/* waking before the wait leaves nothing behind */
#define CONF_NO_TIME	0x04	/* it has no time-out */
#define CONF_NO_ZERO	0x08	/* zero means something else than "at once" */
#define CONF_ABS	0x10	/* the deadline is absolute */
#define CONF_NO_PROCESS	0x20	/* only a thread can wake it */

/**
 * struct conf_wait - one call of a wait
 * @ns: asked for, from now on
 * @clock: the one the deadline is on
 * @rem: what became of the timeout the call was given, or NULL
 * @extra: its other effects
 */
struct conf_wait {
	int64_t ns;
	clockid_t clock;
	const char *rem;
	char extra[160];
};

/**
 * struct conf_call - one call
 * @name: as on the command line and in front of its lines
 * @nr: system call the waiter is seen in
 * @flags: CONF_*
 * @clock: for "elapsed" and deadlines
 * @setup: before each case
 * @own: by the waker, before the call is made: takes what the call waits for
 * @wake: by the waker, ends the wait
 * @wait: makes the call; returns -1 and errno on failure
 * @more: prints the lines of cases of its own; invalid arguments among them
 * @teardown: after each case
 * @skip: NULL, or returns why the call cannot be made here, or NULL
 */
struct conf_call {
	const char *name;
	long nr;
	unsigned int flags;
	clockid_t clock;
	void (*setup)(void);
	void (*own)(void);
	void (*wake)(void);
	long (*wait)(struct conf_wait *w);
	void (*more)(void);
	void (*teardown)(void);
	const char *(*skip)(void);
};

/* Memory of the waiter and of waking processes alike. */
struct conf_shared {
	uint32_t word[4];
	volatile int going, done, handled;
	char room[4096];
};
extern struct conf_shared *conf_shared;

/* A page nobody may touch. */
extern void *conf_bad;

/* The thread that makes the calls. */
extern pid_t conf_pid, conf_tid;

int conf_main(int argc, char **argv, const struct conf_call *calls, size_t n);

/* Whether the case is asked for; prefix of the lines of cases made by hand. */
bool conf_wanted(const char *name);
const char *conf_name(void);

/* "CALL CASE: RESULT[ ERRNO]" and what @fmt says. Results below zero are -1 and errno. */
__attribute__((format(printf, 3, 4)))
void conf_line(const char *name, long ret, const char *fmt, ...);
/* The same, if wanted, with nothing else; for invalid arguments. */
#define conf_try(name, call) do {			\
	if (conf_wanted(name)) {			\
		errno = 0;				\
		conf_line(name, (call), " ");		\
	}						\
} while (0)

/* A wait begun by hand: time on w->clock before it, and whether it was long enough after it. */
int64_t conf_now(clockid_t clock);
const char *conf_elapsed(clockid_t clock, int64_t start, int64_t asked);

struct timespec conf_ts(int64_t ns);
struct timespec conf_deadline(const struct conf_wait *w);
int64_t conf_ns(const struct timespec *ts);
/* Of a time that is written: "zero", "some" (not more than asked) or "more" */
const char *conf_rem(int64_t asked, int64_t now);
/* Of one that is not, or that is the same again: "kept" or "changed" */
const char *conf_kept(int64_t asked, int64_t now);

/* Handler for SIGUSR1 that counts in conf_shared->handled. */
void conf_catch(int sig, int flags);
void conf_default(int sig);

/* Stop the test where the surroundings fail it: not a result of the call. */
__attribute__((format(printf, 1, 2), noreturn))
void conf_die(const char *fmt, ...);
#define conf_must(x) ({							\
	__typeof__(x) must_ = (x);					\
	if ((long)must_ == -1)						\
		conf_die("%s: %s", #x, strerror(errno));		\
	must_;								\
})

/* Run @fn in a thread once conf_tid waits in call @nr. */
void conf_when_blocked(long nr, void (*fn)(void));
void conf_join(void);

#endif /* CHESS_SELFTESTS_CONF_H */

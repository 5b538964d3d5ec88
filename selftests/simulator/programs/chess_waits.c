// SPDX-License-Identifier: GPL-2.0-only
/*
 * CHESS's regression programs in which somebody waits for somebody: with events,
 * semaphores and slim locks, or by asking again and again. See chess_locks.c.
 */
#include <string.h>

#include "programs.h"

static struct {
	struct sim_mutex lock, other_lock;
	struct sim_rwlock slim;
	struct sim_sem first, second;
	struct sim_event event;
	int x, y, done;
} g;

static void reset(void)
{
	memset(&g, 0, sizeof(g));
	g.event.manual = true;
}

static void work(void *arg)
{
	(void)arg;
	sim_lock(&g.lock);
	sim_unlock(&g.lock);
}

static void work_and_tell(void *arg)
{
	work(arg);
	g.done = 1;
}

static void wait_for_done(void *arg)
{
	(void)arg;
	while (!g.done)
		sim_yield();
}

/* Nobody ever tells. */
static void fairness1(void *arg)
{
	(void)arg;
	run_two_kinds(work, 1, wait_for_done, 1);
}

static void fairness2(void *arg)
{
	(void)arg;
	run_two_kinds(work_and_tell, 1, wait_for_done, 1);
}

/* Spins without any call, so nobody else can tell: it hangs, and CHESS's clock ends it. */
static void spin(void *arg)
{
	(void)arg;
	if (!g.done)
		sim_exit(1);
}

static void fairness3(void *arg)
{
	(void)arg;
	run_two_kinds(work_and_tell, 1, spin, 1);
}

static void tell_locked(void *arg)
{
	(void)arg;
	sim_lock(&g.lock);
	g.x = 1;
	sim_unlock(&g.lock);
}

/* Ask under the lock, sleep without it. */
static void ask_locked(struct sim_mutex *m, const int *x)
{
	sim_lock(m);
	while (!*x) {
		sim_unlock(m);
		sim_yield();
		sim_lock(m);
	}
	sim_unlock(m);
}

static void wait_locked(void *arg)
{
	(void)arg;
	ask_locked(&g.lock, &g.x);
}

static void fairness4(void *arg)
{
	(void)arg;
	run_two_kinds(tell_locked, 1, wait_locked, 1);
}

static void timeout(void *arg)
{
	int other = sim_create(tell_locked, NULL);

	wait_locked(arg);
	sim_join(other);
}

static void timeout2(void *arg)
{
	int other = sim_create(wait_locked, NULL);

	tell_locked(arg);
	sim_join(other);
}

static void tell_other(void *arg)
{
	(void)arg;
	sim_lock(&g.other_lock);
	g.y = 1;
	sim_unlock(&g.other_lock);
}

/* Sleeps with the lock held. */
static void pass_on(void *arg)
{
	sim_lock(&g.other_lock);
	while (!g.y) {
		sim_yield();
		sim_unlock(&g.other_lock);
		sim_lock(&g.other_lock);
	}
	sim_unlock(&g.other_lock);
	tell_locked(arg);
}

static void timeout3(void *arg)
{
	int first = sim_create(tell_other, NULL), second = sim_create(pass_on, NULL);

	wait_locked(arg);
	sim_join(first);
	sim_join(second);
}

static void ask_without(void *arg)
{
	(void)arg;
	for (;;) {
		sim_lock(&g.lock);
		g.y = g.x;
		sim_unlock(&g.lock);
		if (g.y)
			break;
		sim_yield();
	}
}

static void duphandle2(void *arg)
{
	int other = sim_create(tell_locked, NULL);

	ask_without(arg);
	sim_join(other);
}

static void post_and_wait(void *arg)
{
	(void)arg;
	sim_sem_post(&g.first);
	sim_sem_wait(&g.second);
}

static void semaphore(void *arg)
{
	int other = sim_create(post_and_wait, NULL);

	(void)arg;
	sim_sem_wait(&g.first);
	sim_sem_post(&g.second);
	sim_join(other);
}

static void wait_event(void *arg)
{
	(void)arg;
	sim_event_wait(&g.event);
}

static void named_events(void *arg)
{
	int other = sim_create(wait_event, NULL);

	(void)arg;
	sim_event_set(&g.event);
	sim_join(other);
}

static void write_slim(void *arg)
{
	(void)arg;
	sim_wrlock(&g.slim);
	sim_rwunlock(&g.slim);
}

static void read_slim(void *arg)
{
	(void)arg;
	sim_rdlock(&g.slim);
	sim_rwunlock(&g.slim);
}

static void slim4(void *arg)
{
	int w = sim_create(write_slim, NULL), r = sim_create(read_slim, NULL);
	int s = sim_create(read_slim, NULL);

	write_slim(arg);
	sim_join(w);
	sim_join(r);
	sim_join(s);
}

#define PROGRAM(n, m) { .name = n, .reset = reset, .main = m }

const struct golden chess_waits[] = {
	{ .program = PROGRAM("fairness1", fairness1), .verdict = CHESS_VERDICT_LIVELOCK,
	  .max_points = 1000, .joins = 2 },
	{ .program = PROGRAM("fairness2", fairness2),
	  .runs = { 10, 15, 15 }, .classes = { 1, 1, 1 }, .steps = { 18, 18, 18 },
	  .verdict = CHESS_VERDICT_OK, .joins = 2 },
	{ .program = PROGRAM("fairness3", fairness3),
	  .runs = { 2, 2, 2 }, .classes = { 1, 1, 1 }, .steps = { 13, 13, 13 },
	  .verdict = CHESS_VERDICT_EXIT, .joins = 2 },
	{ .program = PROGRAM("fairness4", fairness4),
	  .runs = { 20, 38, 42 }, .classes = { 4, 4, 4 }, .steps = { 24, 24, 24 },
	  .verdict = CHESS_VERDICT_OK, .joins = 2 },
	{ .program = PROGRAM("timeout", timeout),
	  .runs = { 8, 15, 15 }, .classes = { 4, 4, 4 }, .steps = { 20, 20, 20 },
	  .verdict = CHESS_VERDICT_OK },
	{ .program = PROGRAM("timeout2", timeout2),
	  .runs = { 3, 7, 8 }, .classes = { 2, 3, 3 }, .steps = { 17, 17, 17 },
	  .verdict = CHESS_VERDICT_OK },
	{ .program = PROGRAM("timeout3", timeout3),
	  .runs = { 84, 493, 1198 }, .classes = { 17, 32, 41 }, .steps = { 53, 59, 65 },
	  .verdict = CHESS_VERDICT_OK, .max_points = 200 },
	{ .program = PROGRAM("duphandle2", duphandle2),
	  .runs = { 8, 15, 15 }, .classes = { 4, 4, 4 }, .steps = { 20, 20, 20 },
	  .verdict = CHESS_VERDICT_OK },
	{ .program = PROGRAM("semaphore", semaphore),
	  .runs = { 1, 1, 1 }, .classes = { 1, 1, 1 }, .steps = { 11, 11, 11 },
	  .verdict = CHESS_VERDICT_OK },
	{ .program = PROGRAM("namedevents", named_events),
	  .runs = { 2, 2, 2 }, .classes = { 1, 1, 1 }, .steps = { 9, 9, 9 },
	  .verdict = CHESS_VERDICT_OK },
	{ .program = PROGRAM("SRWLock4", slim4),
	  .runs = { 187, 652, 1049 }, .classes = { 28, 40, 48 }, .steps = { 25, 25, 25 },
	  .verdict = CHESS_VERDICT_OK,
	  .differs = "for CHESS a thread at a slim lock is enabled until it has tried, and a try in vain costs a run; to us shared locks commute, hence fewer classes" },
};

const size_t n_chess_waits = COUNT_OF(chess_waits);

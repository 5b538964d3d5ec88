// SPDX-License-Identifier: GPL-2.0-only
/*
 * Models of programs/wrong/: bugs with locks, conditions, semaphores and plain memory.
 * Written like those of correct.c. What one uses stands in w; wrong.c clears it.
 */
#include <stddef.h>

#include "model.h"

static struct {
	struct mutex m, m2, forks[3];
	struct cond c;
	struct sem s, s2;
	struct rwlock rw;
	struct barrier b;
	struct channel in, out;
	struct epoll set;
	struct eventfd e;
	struct flock f, f2;
	unsigned int x, y, answer[2];
	bool flag, gone;
} w;

static void take_b_a(void *arg)
{
	(void)arg;
	m_lock(&w.m2);
	m_lock(&w.m);
	m_unlock(&w.m);
	m_unlock(&w.m2);
}

static void abba(void)
{
	unsigned int t = m_create(take_b_a, NULL);

	m_lock(&w.m);
	m_lock(&w.m2);
	m_unlock(&w.m2);
	m_unlock(&w.m);
	m_join(t);
}

static void take_a_b(void *arg)
{
	(void)arg;
	m_lock(&w.m);
	m_lock(&w.m2);
	m_unlock(&w.m2);
	m_unlock(&w.m);
}

/* Both locks have somebody waiting: with two tasks, each for the other's. */
static bool is_stuck(void)
{
	return w.m.word == 2 && w.m2.word == 2;
}

/* It does not matter when it is noticed: neither will ever go on. */
static void hidden_deadlock(void)
{
	m_create(take_a_b, NULL);
	m_create(take_b_a, NULL);
	model_point();		/* pthread_detach */
	model_point();
	m_nanosleep(1);
	model_check(!is_stuck(), MODEL_DEADLOCK);
}

static void meet_then_take_b(void *arg)
{
	(void)arg;
	m_lock(&w.m);
	m_barrier(&w.b);
	m_lock(&w.m2);
}

static void meet_then_take_a(void *arg)
{
	(void)arg;
	m_lock(&w.m2);
	m_barrier(&w.b);
	m_lock(&w.m);
}

static void partial_deadlock(void)
{
	w.b.count = 2;
	m_create(meet_then_take_b, NULL);
	m_create(meet_then_take_a, NULL);
	while (!is_stuck())
		m_nanosleep(1);
	model_check(false, MODEL_DEADLOCK);
}

static void deep_stack(void)
{
	unsigned int t = m_create(take_b_a, NULL);

	m_lock(&w.forks[0]);
	m_unlock(&w.forks[0]);
	m_lock(&w.m);
	m_lock(&w.m2);
	m_unlock(&w.m2);
	m_unlock(&w.m);
	m_join(t);
}

static void set_and_signal(void *arg)
{
	(void)arg;
	m_lock(&w.m);
	w.flag = true;
	m_signal(&w.c);
	m_unlock(&w.m);
}

static void lost_wakeup(void)
{
	unsigned int t = m_create(set_and_signal, NULL);

	if (!w.flag) {
		m_lock(&w.m);
		m_wait(&w.c, &w.m);
		m_unlock(&w.m);
	}
	m_join(t);
}

static void put_two(void *arg)
{
	(void)arg;
	for (int i = 0; i < 2; i++) {
		m_lock(&w.m);
		w.x++;
		m_signal(&w.c);
		m_unlock(&w.m);
	}
}

static void poll_once(void *arg)
{
	(void)arg;
	m_lock(&w.m);
	if (w.x)
		w.x--;
	m_unlock(&w.m);
}

static void cond_if(void)
{
	unsigned int a = m_create(put_two, NULL), b = m_create(poll_once, NULL);

	m_lock(&w.m);
	if (!w.x)
		m_wait(&w.c, &w.m);
	m_assert(w.x > 0);
	w.x--;
	m_unlock(&w.m);
	m_join(a);
	m_join(b);
}

static void book(void *arg)
{
	bool is_free;

	(void)arg;
	m_lock(&w.m);
	is_free = w.x < 1;
	m_unlock(&w.m);
	if (!is_free)
		return;
	m_lock(&w.m);
	w.x++;
	m_assert(w.x <= 1);
	m_unlock(&w.m);
}

static void check_then_act(void)
{
	unsigned int t = m_create(book, NULL);

	book(NULL);
	m_join(t);
}

static void put_one(void)
{
	m_lock(&w.m);
	while (w.flag)
		m_wait(&w.c, &w.m);
	w.flag = true;
	m_signal(&w.c);
	m_unlock(&w.m);
}

static void get_one(void *arg)
{
	(void)arg;
	m_lock(&w.m);
	while (!w.flag)
		m_wait(&w.c, &w.m);
	w.flag = false;
	m_signal(&w.c);
	m_unlock(&w.m);
}

static void one_condvar(void)
{
	unsigned int a = m_create(get_one, NULL), b = m_create(get_one, NULL);

	put_one();
	put_one();
	m_join(a);
	m_join(b);
}

static void invalidate(void *arg)
{
	(void)arg;
	m_wrlock(&w.rw);
	w.flag = true;
	m_rwunlock(&w.rw);
}

static void rwlock_upgrade(void)
{
	unsigned int t = m_create(invalidate, NULL);

	m_rdlock(&w.rw);
	if (w.flag) {
		m_wrlock(&w.rw);
		w.flag = false;
		m_rwunlock(&w.rw);
	}
	m_rwunlock(&w.rw);
	m_join(t);
}

static void printer_then_tape(void *arg)
{
	(void)arg;
	m_sem_wait(&w.s2);
	m_sem_wait(&w.s);
	m_sem_post(&w.s);
	m_sem_post(&w.s2);
}

/* x, y: free slots of two queues that hold one message each */
static void put_message(unsigned int *slots)
{
	model_point();
	while (!*slots)
		model_sleep(slots);
	--*slots;
}

static void take_message(unsigned int *slots)
{
	model_point();
	++*slots;
	model_wake(slots, 1);
}

static void reserve_y_x(void *arg)
{
	(void)arg;
	put_message(&w.y);
	put_message(&w.x);
	take_message(&w.x);
	take_message(&w.y);
}

static void queue_order(void)
{
	unsigned int child;

	w.x = 1;
	w.y = 1;
	child = m_fork(reserve_y_x, NULL);
	put_message(&w.x);
	put_message(&w.y);
	take_message(&w.y);
	take_message(&w.x);
	m_assert(m_waitpid(child) == 0);
}

static void semaphores(void)
{
	unsigned int t;

	w.s.value = 1;
	w.s2.value = 1;
	t = m_create(printer_then_tape, NULL);
	m_sem_wait(&w.s);
	m_sem_wait(&w.s2);
	m_sem_post(&w.s2);
	m_sem_post(&w.s);
	m_join(t);
}

static void read_slot(void *arg)
{
	(void)arg;
	for (unsigned int i = 1; i <= 2; i++) {
		m_barrier(&w.b);
		m_assert(w.x == i);
	}
}

static void barrier_reuse(void)
{
	unsigned int t;

	w.b.count = 2;
	t = m_create(read_slot, NULL);
	for (unsigned int i = 1; i <= 2; i++) {
		w.x = i;
		m_barrier(&w.b);
	}
	m_join(t);
}

static const unsigned int seat[] = { 0, 1, 2 };

static void dine(void *arg)
{
	unsigned int i = *(const unsigned int *)arg;

	m_lock(&w.forks[i]);
	m_lock(&w.forks[(i + 1) % 3]);
	m_unlock(&w.forks[(i + 1) % 3]);
	m_unlock(&w.forks[i]);
}

static void philosophers(void)
{
	unsigned int a = m_create(dine, (void *)&seat[1]), b = m_create(dine, (void *)&seat[2]);

	dine((void *)&seat[0]);
	m_join(a);
	m_join(b);
}

static void log_line(void *arg)
{
	(void)arg;
	m_sem_post(&w.s);
	m_lock(&w.m);
	model_check(!w.gone, MODEL_CRASH);
	m_unlock(&w.m);
}

static void outlives_main(void)
{
	m_create(log_line, NULL);
	m_sem_wait(&w.s);
	m_lock(&w.m);
	w.gone = true;
	m_unlock(&w.m);
}

static void serve_and_count(void *arg)
{
	(void)arg;
	m_sem_post(&w.s);
	/* a lock nobody else takes: all that matters is where it lies */
	m_syscall();
	model_check(!w.gone, MODEL_CRASH);
	m_syscall();
	model_check(!w.gone, MODEL_CRASH);
}

static void use_after_destroy(void)
{
	unsigned int t = m_create(serve_and_count, NULL);

	m_sem_wait(&w.s);
	w.gone = true;
	m_join(t);
}

static void increment_in_two(void *arg)
{
	unsigned int value;

	(void)arg;
	m_lock(&w.m);
	value = w.x;
	m_unlock(&w.m);
	m_lock(&w.m);
	w.x = value + 1;
	m_unlock(&w.m);
}

static void lost_update(void)
{
	unsigned int t = m_create(increment_in_two, NULL);

	increment_in_two(NULL);
	m_join(t);
	m_assert(w.x == 2);
}

static void use_value(void *arg)
{
	(void)arg;
	if (!w.flag) {
		m_lock(&w.m);
		if (!w.flag) {
			w.flag = true;
			m_assert(m_read(&w.in, 1) == 1);
			w.x = 'v';
		}
		m_unlock(&w.m);
	}
	m_assert(w.x == 'v');
}

static void double_checked(void)
{
	unsigned int t;

	w.in.bytes = 1;
	t = m_create(use_value, NULL);
	use_value(NULL);
	m_join(t);
}

static void submit(void *arg)
{
	(void)arg;
	w.x++;
	if (!m_trylock(&w.m))
		return;
	w.y += w.x;
	w.x = 0;
	m_unlock(&w.m);
}

static void trylock_skip(void)
{
	unsigned int t = m_create(submit, NULL);

	submit(NULL);
	m_join(t);
	m_assert(w.y == 2);
}

static void c11_no_predicate(void)
{
	unsigned int t = m_create(set_and_signal, NULL);

	m_lock(&w.m);
	m_wait(&w.c, &w.m);
	m_unlock(&w.m);
	m_join(t);
}

static void post_and_close(void *arg)
{
	(void)arg;
	m_sem_post(&w.s);
	m_lock(&w.m);
	w.flag = true;
	m_unlock(&w.m);
	m_sem_post(&w.s2);
}

static void sem_trywait(void)
{
	unsigned int t = m_create(post_and_close, NULL), fetched = 0;

	for (;;) {
		bool closed;

		if (m_sem_trywait(&w.s)) {
			fetched++;
			continue;
		}
		m_lock(&w.m);
		closed = w.flag;
		m_unlock(&w.m);
		if (closed)
			break;
		m_sem_wait(&w.s2);
	}
	m_join(t);
	m_assert(fetched == 1);
}

static void put_and_wake(void *arg)
{
	bool ring;

	(void)arg;
	m_lock(&w.m);
	w.x++;
	ring = w.flag;
	w.flag = false;
	m_unlock(&w.m);
	if (ring)
		m_eventfd_write(&w.e, 1);
}

static void sleeper_flag(void)
{
	unsigned int t = m_create(put_and_wake, NULL);

	for (;;) {
		bool got;

		m_lock(&w.m);
		got = w.x;
		w.x -= got;
		m_unlock(&w.m);
		if (got)
			break;
		m_lock(&w.m);
		w.flag = true;
		m_unlock(&w.m);
		m_eventfd_read(&w.e);
	}
	m_join(t);
}

/* x: the queue, y: the hand, flag: the consumer waits */
static void hand_over_late(void *arg)
{
	bool chosen;

	(void)arg;
	m_lock(&w.m);
	chosen = w.flag;
	w.flag = false;
	*(chosen ? &w.y : &w.x) = 7;
	m_unlock(&w.m);
	if (chosen)
		m_sem_post(&w.s);
}

static unsigned int take_or_wait(void)
{
	unsigned int item;

	m_lock(&w.m);
	item = w.x;
	w.x = 0;
	w.flag = !item;
	m_unlock(&w.m);
	return item;
}

static void timeout_handoff(void)
{
	unsigned int t = m_create(hand_over_late, NULL), item = take_or_wait();

	if (!item && m_sem_timedwait(&w.s, model_clock() + 1)) {
		item = w.y;
	} else if (!item) {
		m_lock(&w.m);
		w.flag = false;
		m_unlock(&w.m);
	}
	m_join(t);
	if (!item)
		item = take_or_wait();
	m_assert(item == 7);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Models of programs/correct/: one op per line for one op of the program, plain
 * code between. What only main does before anybody else exists has no choice and
 * is left out.
 */
#include <stddef.h>
#include <string.h>

#include "model.h"

/* what a program shares between its tasks; all zero at the start of a run */
static struct {
	struct mutex m, m2;
	struct cond c, c2;
	struct sem s, s2;
	struct rwlock rw;
	struct barrier b;
	struct once once;
	struct channel in, out;
	struct epoll set;
	struct eventfd e;
	struct flock f;
	unsigned int x, y, answer[2];
	bool flag;
} v;

static void locked_increments(void *arg)
{
	for (size_t i = 0; i < *(const size_t *)arg; i++) {
		m_lock(&v.m);
		v.x++;
		m_unlock(&v.m);
	}
}

static const size_t once_only = 1, twice = 2;

static void mutex_twice(void)
{
	unsigned int t = m_create(locked_increments, (void *)&twice);

	locked_increments((void *)&twice);
	m_join(t);
	m_assert(v.x == 4);
}

static void mutex_again(void)
{
	unsigned int a = m_create(locked_increments, (void *)&once_only);
	unsigned int b = m_create(locked_increments, (void *)&once_only);

	locked_increments((void *)&twice);
	m_join(a);
	m_join(b);
	m_assert(v.x == 4);
}

static void nothing(void *arg)
{
	(void)arg;
}

static void join_only(void)
{
	m_join(m_create(nothing, NULL));
}

static void mutex_once(void)
{
	unsigned int a = m_create(locked_increments, (void *)&once_only);
	unsigned int b = m_create(locked_increments, (void *)&once_only);

	m_join(a);
	m_join(b);
	m_assert(v.x == 2);
}

static void wait_for_x(void *arg)
{
	(void)arg;
	m_lock(&v.m);
	while (!v.x)
		m_wait(&v.c, &v.m);
	m_assert(v.x == 7);
	m_unlock(&v.m);
}

static void condvar_while(void)
{
	unsigned int t = m_create(wait_for_x, NULL);

	m_lock(&v.m);
	v.x = 7;
	m_signal(&v.c);
	m_unlock(&v.m);
	m_join(t);
}

static void broadcast(void)
{
	unsigned int a = m_create(wait_for_x, NULL), b = m_create(wait_for_x, NULL);

	m_lock(&v.m);
	v.x = 7;
	m_broadcast(&v.c);
	m_unlock(&v.m);
	m_join(a);
	m_join(b);
}

static void put(unsigned int value)
{
	m_lock(&v.m);
	while (v.flag)
		m_wait(&v.c, &v.m);
	v.x = value;
	v.flag = true;
	m_signal(&v.c2);
	m_unlock(&v.m);
}

static unsigned int get(void)
{
	unsigned int value;

	m_lock(&v.m);
	while (!v.flag)
		m_wait(&v.c2, &v.m);
	value = v.x;
	v.flag = false;
	m_signal(&v.c);
	m_unlock(&v.m);
	return value;
}

static void get_two(void *arg)
{
	(void)arg;
	m_assert(get() == 1);
	m_assert(get() == 2);
}

static void bounded_buffer(void)
{
	unsigned int t = m_create(get_two, NULL);

	put(1);
	put(2);
	m_join(t);
}

static void pong(void *arg)
{
	(void)arg;
	for (unsigned int i = 0; i < 2; i++) {
		m_sem_wait(&v.s);
		m_assert(v.x++ == 2 * i + 1);
		m_sem_post(&v.s2);
	}
}

static void semaphore_order(void)
{
	unsigned int t = m_create(pong, NULL);

	for (unsigned int i = 0; i < 2; i++) {
		m_assert(v.x++ == 2 * i);
		m_sem_post(&v.s);
		m_sem_wait(&v.s2);
	}
	m_join(t);
}

static void use_permit(void *arg)
{
	(void)arg;
	m_sem_wait(&v.s);
	m_assert(++v.x <= 2);
	v.x--;
	m_sem_post(&v.s);
}

static void semaphore_pool(void)
{
	unsigned int a, b;

	v.s.value = 2;
	a = m_create(use_permit, NULL);
	b = m_create(use_permit, NULL);
	use_permit(NULL);
	m_join(a);
	m_join(b);
}

static void meet_twice(void *arg)
{
	(void)arg;
	for (int i = 0; i < 2; i++)
		v.x += m_barrier(&v.b);
}

static void barrier(void)
{
	unsigned int t;

	v.b.count = 2;
	t = m_create(meet_twice, NULL);
	meet_twice(NULL);
	m_join(t);
	m_assert(v.x == 2);
}

static void read_pair(void *arg)
{
	(void)arg;
	m_rdlock(&v.rw);
	m_assert(v.x == v.y);
	m_rwunlock(&v.rw);
}

static void rwlock(void)
{
	unsigned int a = m_create(read_pair, NULL), b = m_create(read_pair, NULL);

	m_wrlock(&v.rw);
	v.x++;
	v.y++;
	m_rwunlock(&v.rw);
	m_join(a);
	m_join(b);
}

static void init(void)
{
	v.x++;
	m_lock(&v.m);
	v.flag = true;
	m_unlock(&v.m);
}

static void use_once(void *arg)
{
	(void)arg;
	m_once(&v.once, init);
	m_assert(v.x == 1 && v.flag);
}

static void once(void)
{
	unsigned int t = m_create(use_once, NULL);

	use_once(NULL);
	m_join(t);
}

static void trylock(void)
{
	unsigned int t = m_create(locked_increments, (void *)&once_only), mine = 0;

	for (int i = 0; i < 2; i++) {
		if (!m_trylock(&v.m))
			continue;
		v.x++;
		mine++;
		m_unlock(&v.m);
	}
	m_join(t);
	m_assert(v.x == mine + 1);
}

static void take_both(void *arg)
{
	(void)arg;
	m_lock(&v.m);
	m_lock(&v.m2);
	v.x++;
	m_unlock(&v.m2);
	m_unlock(&v.m);
}

static void lock_order(void)
{
	unsigned int t = m_create(take_both, NULL);

	take_both(NULL);
	m_join(t);
	m_assert(v.x == 2);
}

static void outer(void *arg)
{
	(void)arg;
	m_join(m_create(nothing, NULL));
}

static void join_chain(void)
{
	m_join(m_create(outer, NULL));
}

static void echo(void *arg)
{
	for (size_t i = 0; i < *(const size_t *)arg; i++) {
		m_assert(m_read(&v.in, 1) == 1);
		m_write(&v.out, 1);
	}
}

static void ask(const size_t *times)
{
	unsigned int t = m_create(echo, (void *)times);

	for (size_t i = 0; i < *times; i++) {
		m_write(&v.in, 1);
		m_assert(m_read(&v.out, 1) == 1);
	}
	m_join(t);
}

static void pipes(void)
{
	ask(&twice);
}

static void socket_pair(void)
{
	v.in.back = &v.out;
	v.out.back = &v.in;
	ask(&once_only);
}

static void flock_child(void *arg)
{
	(void)arg;
	m_flock(&v.f, 1);
	m_funlock(&v.f);
}

static void flock_processes(void)
{
	unsigned int child = m_fork(flock_child, NULL);

	m_flock(&v.f, 0);
	m_funlock(&v.f);
	m_assert(m_waitpid(child) == 0);
}

static void exit_with_three(void *arg)
{
	(void)arg;
	m_exit_group(3);
}

static void fork_wait(void)
{
	m_assert(m_waitpid(m_fork(exit_with_three, NULL)) == 3);
}

static void sum_events(void *arg)
{
	unsigned int sum = 0;

	(void)arg;
	while (sum < 2)
		sum += m_eventfd_read(&v.e);
	m_assert(sum == 2);
}

static void event_fd(void)
{
	unsigned int t = m_create(sum_events, NULL);

	m_eventfd_write(&v.e, 1);
	m_eventfd_write(&v.e, 1);
	m_join(t);
}

static void serve_event(void *arg)
{
	(void)arg;
	m_epoll_wait(&v.e);
	m_assert(m_eventfd_read(&v.e) == 1);
}

static void epoll(void)
{
	unsigned int t = m_create(serve_event, NULL);

	m_eventfd_write(&v.e, 1);
	m_join(t);
}

static void produce(void *arg)
{
	(void)arg;
	m_lock(&v.m);
	v.x = 7;
	m_signal(&v.c);
	m_unlock(&v.m);
}

static void c11_threads(void)
{
	unsigned int t = m_create(produce, NULL);

	wait_for_x(NULL);
	m_join(t);
}

/* Who was woken for a signal may find that a thread that opened its mask took it. */
static void take_up(void)
{
	bool pending = v.flag;

	v.flag = false;
	v.y += pending;
	if (pending)
		m_sem_post(&v.s);
}

static void send_up(void *arg)
{
	(void)arg;
	m_syscall();		/* getppid */
	m_syscall();		/* kill */
	v.flag = true;
	model_signal(1 | v.x << 2, take_up);
}

/* A thread has signals open once it runs. */
static void read_job(void *arg)
{
	(void)arg;
	v.x = 1;
	take_up();
	m_assert(m_read(&v.in, 1) == 1);
	m_syscall();		/* its end blocks all signals, and one has a handler */
	v.x = 0;
}

static void signal_any(void)
{
	unsigned int service = m_fork(send_up, NULL), t;

	model_point();		/* pthread_create */
	/* After a handler nobody knows that these are made inside of it. */
	if (v.y) {
		m_syscall();	/* rt_sigprocmask */
		m_syscall();	/* clone3 */
	}
	t = model_spawn(read_job, NULL, false);
	if (v.y)
		m_syscall();	/* rt_sigprocmask */
	m_sem_wait(&v.s);
	m_write(&v.in, 1);
	m_join(t);
	m_assert(m_waitpid(service) == 0);
}

/* A blocked signal stays pending, and sigsuspend does not sleep then. */
static void say_up(void *arg)
{
	(void)arg;
	m_syscall();		/* getppid */
	m_syscall();		/* kill */
	v.flag = true;
	model_wake(&v.flag, 1);
	m_assert(m_read(&v.in, 1) == 1);
}

static void signal_suspend(void)
{
	unsigned int service = m_fork(say_up, NULL);

	m_syscall();		/* sigsuspend */
	if (!v.flag)
		model_sleep(&v.flag);
	m_write(&v.in, 1);
	m_assert(m_waitpid(service) == 0);
}

static void drain(void *arg)
{
	unsigned int got = 0;

	(void)arg;
	m_sem_post(&v.s);
	do {
		m_epoll_wait_event(&v.set);
		while (m_read_nonblock(&v.in, 1))
			got++;
	} while (got < 2);
}

static void epoll_drain(void)
{
	unsigned int t;

	v.in.bytes = 1;
	model_epoll_add(&v.set, &v.in, false);
	t = m_create(drain, NULL);
	m_sem_wait(&v.s);
	m_write(&v.in, 1);
	m_join(t);
}

static void put_and_ring(void *arg)
{
	bool ring;

	(void)arg;
	m_lock(&v.m);
	v.x++;
	ring = v.flag;
	v.flag = false;
	m_unlock(&v.m);
	if (ring)
		m_eventfd_write(&v.e, 1);
}

static void eventfd_sleeper(void)
{
	unsigned int t = m_create(put_and_ring, NULL);

	for (;;) {
		bool got;

		m_lock(&v.m);
		got = v.x;
		v.x -= got;
		v.flag = !got;
		m_unlock(&v.m);
		if (got)
			break;
		m_eventfd_read(&v.e);
	}
	m_join(t);
}

static void move_money(void *arg)
{
	(void)arg;
	m_sem_wait(&v.s);
	m_sem_wait(&v.s2);
	v.x++;
	m_sem_post(&v.s2);
	m_sem_post(&v.s);
}

static void shared_semaphores(void)
{
	unsigned int child;

	v.s.value = 1;
	v.s2.value = 1;
	child = m_fork(move_money, NULL);
	move_money(NULL);
	m_assert(m_waitpid(child) == 0);
	m_assert(v.x == 2);
}

/* x: tail of the queue of completions, y: its head */
static void reap_locked(void *arg)
{
	(void)arg;
	m_lock(&v.m);
	if (v.y != v.x)
		v.y++;
	m_unlock(&v.m);
}

static void io_uring_locked(void)
{
	unsigned int t = m_create(reap_locked, NULL);

	m_syscall();		/* io_uring_enter: a NOP completes in it */
	v.x++;
	reap_locked(NULL);
	m_join(t);
	m_assert(v.y == 1);
}

/* x: request in the connection's buffer, y: answers */
static void answer_one(void *arg)
{
	(void)arg;
	m_epoll_wait_event(&v.set);
	m_assert(m_read(&v.in, 1) == 1);
	v.x = 2 - v.in.bytes;
	m_write(&v.out, 1);
	v.answer[v.y++] = v.x;
	m_epoll_rearm(&v.set);
}

static void oneshot_rearm(void)
{
	unsigned int worker[2];

	v.in.bytes = 2;
	model_epoll_add(&v.set, &v.in, true);
	for (int i = 0; i < 2; i++)
		worker[i] = m_create(answer_one, NULL);
	for (int i = 0; i < 2; i++)
		m_assert(m_read(&v.out, 1) == 1);
	m_assert(v.answer[0] == 1 && v.answer[1] == 2);
	for (int i = 0; i < 2; i++)
		m_join(worker[i]);
}

/* x: the queue, y: the hand, flag: the consumer waits */
static void hand_over(void *arg)
{
	bool chosen;

	(void)arg;
	m_lock(&v.m);
	chosen = v.flag;
	v.flag = false;
	if (chosen)
		v.y = 7;
	else
		v.x = 7;
	m_unlock(&v.m);
	if (chosen)
		m_sem_post(&v.s);
}

static unsigned int take_queued(void)
{
	unsigned int item;

	m_lock(&v.m);
	item = v.x;
	v.x = 0;
	v.flag = !item;
	m_unlock(&v.m);
	return item;
}

static unsigned int get_or_give_up(void)
{
	unsigned int item = take_queued();
	bool chosen;

	if (item)
		return item;
	if (m_sem_timedwait(&v.s, model_clock() + 1))
		return v.y;
	m_lock(&v.m);
	chosen = !v.flag;
	v.flag = false;
	m_unlock(&v.m);
	if (!chosen)
		return 0;
	m_sem_wait(&v.s);
	return v.y;
}

static void timed_handoff(void)
{
	unsigned int t = m_create(hand_over, NULL), item = get_or_give_up();

	m_join(t);
	if (!item)
		item = take_queued();
	m_assert(item == 7);
}

static void spin_and_add(void *arg)
{
	unsigned int seen;

	(void)arg;
	while (v.flag)
		model_yield();
	v.flag = true;
	seen = v.x;
	m_eventfd_write(&v.e, 1);
	v.x = seen + 1;
	v.flag = false;
}

static void spin_yield(void)
{
	unsigned int first = m_create(spin_and_add, NULL);
	unsigned int second = m_create(spin_and_add, NULL);

	m_join(first);
	m_join(second);
	m_assert(v.x == 2);
}

static void try_and_add(void *arg)
{
	bool got;

	(void)arg;
	for (got = m_trylock(&v.m); !got; got = m_trylock_again(&v.m))
		;
	v.x++;
	m_unlock(&v.m);
}

static void trylock_spin(void)
{
	unsigned int first = m_create(try_and_add, NULL);
	unsigned int second = m_create(try_and_add, NULL);

	m_join(first);
	m_join(second);
	m_assert(v.x == 2);
}

static void reset_correct(void)
{
	memset(&v, 0, sizeof(v));
}

#define CORRECT(name) { #name, reset_correct, name }

const struct model_program model_correct[] = {
	CORRECT(join_only),
	CORRECT(mutex_once),
	CORRECT(mutex_twice),
	CORRECT(mutex_again),
	CORRECT(condvar_while),
	CORRECT(broadcast),
	CORRECT(bounded_buffer),
	CORRECT(semaphore_order),
	CORRECT(semaphore_pool),
	CORRECT(barrier),
	CORRECT(rwlock),
	CORRECT(once),
	CORRECT(trylock),
	CORRECT(lock_order),
	CORRECT(join_chain),
	CORRECT(pipes),
	{ "socketpair", reset_correct, socket_pair },
	CORRECT(flock_processes),
	CORRECT(fork_wait),
	{ "eventfd", reset_correct, event_fd },
	CORRECT(epoll),
	CORRECT(c11_threads),
	{ "sigsuspend", reset_correct, signal_suspend },
	CORRECT(signal_any),
	CORRECT(epoll_drain),
	CORRECT(eventfd_sleeper),
	CORRECT(shared_semaphores),
	CORRECT(io_uring_locked),
	CORRECT(oneshot_rearm),
	CORRECT(timed_handoff),
	CORRECT(spin_yield),
	CORRECT(trylock_spin),
	{ "sigchld_block", reset_calls, sigchld_block },
	{ "signal_window", reset_calls, signal_window },
	{ "commit_first", reset_calls, commit_first },
	{ "reset_first", reset_calls, reset_first },
	{ "orphan_none", reset_calls, orphan_none },
	{ "sync_yield", reset_calls, sync_yield },
	{ 0 },
};

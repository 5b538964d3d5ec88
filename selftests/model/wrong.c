// SPDX-License-Identifier: GPL-2.0-only
/*
 * Models of programs/wrong/, written like those of correct.c.
 */
#include <stddef.h>
#include <string.h>

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

static void blue_first(void *arg)
{
	(void)arg;
	m_read(&w.out, 1);
	m_read(&w.in, 1);
	m_write(&w.in, 1);
	m_write(&w.out, 1);
}

static void pipe_locks(void)
{
	unsigned int t;

	w.in.bytes = 1;
	w.out.bytes = 1;
	t = m_create(blue_first, NULL);
	m_read(&w.in, 1);
	m_read(&w.out, 1);
	m_write(&w.out, 1);
	m_write(&w.in, 1);
	m_join(t);
}

static void index_then_data(void *arg)
{
	(void)arg;
	m_flock(&w.f2, 1);
	m_flock(&w.f, 1);
	m_funlock(&w.f);
	m_funlock(&w.f2);
}

static void flock_order(void)
{
	unsigned int child = m_fork(index_then_data, NULL);

	m_flock(&w.f, 0);
	m_flock(&w.f2, 0);
	m_funlock(&w.f2);
	m_funlock(&w.f);
	m_assert(m_waitpid(child) == 0);
}

static void post_and_log(void *arg)
{
	(void)arg;
	m_sem_post(&w.s);
	m_lock(&w.m);
	m_unlock(&w.m);
}

/* the child's copy of the mutex is m2, as it was when fork returned */
static void log_in_child(void *arg)
{
	(void)arg;
	m_lock(&w.m2);
	m_unlock(&w.m2);
}

static void fork_mutex(void)
{
	unsigned int t = m_create(post_and_log, NULL), child;

	m_sem_wait(&w.s);
	child = m_fork(log_in_child, NULL);
	w.m2.word = w.m.word;
	m_assert(m_waitpid(child) == 0);
	m_join(t);
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

static void write_head_and_body(void *arg)
{
	(void)arg;
	m_write(&w.in, 4);
	m_write(&w.in, 4);
}

static void short_read(void)
{
	unsigned int t = m_create(write_head_and_body, NULL);

	m_assert(m_read(&w.in, 8) == 8);
	m_join(t);
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

/* a signal wakes a sleeper in pause; otherwise its handler runs and that is all */
static void send_signal(void *arg)
{
	(void)arg;
	m_syscall();
	w.flag = true;
	model_wake(&w.flag, 1);
}

static void lost_signal(void)
{
	unsigned int child = m_fork(send_signal, NULL);

	if (!w.flag) {
		model_point();
		model_sleep(&w.flag);
	}
	m_assert(m_waitpid(child) == 0);
}

/* Who was woken for a signal may find that a thread that opened its mask took it. */
static void let_up(void)
{
	w.flag |= w.gone;
	w.gone = false;
}

/* gone: it is pending; x: T2 has it open, as it has once it runs; y: so has T0 */
static void send_to_process(void *arg)
{
	uint64_t takers;

	(void)arg;
	m_syscall();		/* getppid */
	m_syscall();		/* kill */
	w.gone = true;
	takers = w.y | w.x << 2;
	if (takers)
		model_signal(takers, let_up);
}

static void work_with_signal_open(void *arg)
{
	(void)arg;
	w.x = 1;
	let_up();
	m_assert(m_read(&w.in, 1) == 1);
}

static void signal_taker(void)
{
	unsigned int child, t;

	w.y = 1;
	child = m_fork(send_to_process, NULL);
	t = m_create(work_with_signal_open, NULL);
	w.y = 0;
	while (!w.flag) {
		m_syscall();	/* sigsuspend: on without a signal it does not come back */
		w.y = 1;
		for (let_up(); !w.flag; )
			model_sleep(&w.y);
		w.y = 0;
	}
	m_write(&w.in, 1);
	m_join(t);
	m_assert(m_waitpid(child) == 0);
}

static void increment_file(void *arg)
{
	unsigned int value;

	(void)arg;
	m_syscall();
	value = w.x;
	m_syscall();
	w.x = value + 1;
}

static void file_counter(void)
{
	unsigned int child = m_fork(increment_file, NULL);

	increment_file(NULL);
	m_assert(m_waitpid(child) == 0);
	m_syscall();
	m_exit_group(w.x == 2 ? 0 : 1);
}

static void signal_and_read(void *arg)
{
	(void)arg;
	m_syscall();		/* getppid */
	send_signal(NULL);
	m_assert(m_read(&w.in, 1) == 1);
}

static void pause_loop(void)
{
	unsigned int service = m_fork(signal_and_read, NULL);

	while (!w.flag) {
		model_point();
		model_sleep(&w.flag);
	}
	m_write(&w.in, 1);
	m_assert(m_waitpid(service) == 0);
}

static void read_one_per_edge(void *arg)
{
	(void)arg;
	m_sem_post(&w.s);
	for (int i = 0; i < 2; i++) {
		m_epoll_wait_event(&w.set);
		m_assert(m_read(&w.in, 1) == 1);
	}
}

static void epoll_edge(void)
{
	unsigned int t;

	w.in.bytes = 1;
	model_epoll_add(&w.set, &w.in, false);
	t = m_create(read_one_per_edge, NULL);
	m_sem_wait(&w.s);
	m_write(&w.in, 1);
	m_join(t);
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

static void command(void *arg)
{
	(void)arg;
	m_exit_group(3);
}

/* The signal comes with the end: who sleeps in waitpid(2) has the child by then,
 * who does not has a handler to run first.
 */
static void child_signal(unsigned int process)
{
	(void)process;
	w.flag = true;
	model_wake(&w.flag, 1);
}

static void sigchld_reaper(void)
{
	model_process_exit_hook(child_signal);
	m_fork(command, NULL);
	m_syscall();		/* waitpid */
	m_assert(!w.flag);
	model_sleep(&w.flag);
	m_syscall();		/* the handler's waitpid: no child */
}

/* x: tail of the queue of completions, y: its head; answer[0]: times handled */
static void reap(void *arg)
{
	unsigned int head = w.y;

	(void)arg;
	while (head != w.x) {
		m_lock(&w.m);
		m_assert(++w.answer[0] == 1);
		m_unlock(&w.m);
		w.y = ++head;
	}
}

static void io_uring_twice(void)
{
	unsigned int t = m_create(reap, NULL);

	m_syscall();		/* io_uring_enter: a NOP completes in it */
	w.x++;
	reap(NULL);
	m_join(t);
}

static void ask_twice(void *arg)
{
	(void)arg;
	m_write(&w.in, 1);
	m_write(&w.in, 1);
	m_assert(m_read(&w.out, 1) == 1);
	m_close(&w.in);
	m_assert(m_read(&w.out, 1) == 1);
}

static void half_close(void)
{
	unsigned int t;

	w.in.back = &w.out;
	w.out.back = &w.in;
	t = m_create(ask_twice, NULL);
	for (;;) {
		m_poll(&w.in);
		if (w.in.closed)
			break;
		m_assert(m_read(&w.in, 1) == 1);
		m_write(&w.out, 1);
	}
	m_close(&w.out);
	m_join(t);
}

/* x: request in the connection's buffer, y: answers */
static void arm_and_answer(void *arg)
{
	(void)arg;
	m_epoll_wait_event(&w.set);
	m_assert(m_read(&w.in, 1) == 1);
	w.x = 2 - w.in.bytes;
	m_epoll_rearm(&w.set);
	m_write(&w.out, 1);
	w.answer[w.y++] = w.x;
}

static void epoll_oneshot(void)
{
	w.in.bytes = 2;
	model_epoll_add(&w.set, &w.in, true);
	for (int i = 0; i < 2; i++)
		m_create(arm_and_answer, NULL);
	for (int i = 0; i < 2; i++)
		m_assert(m_read(&w.out, 1) == 1);
	m_assert(w.answer[0] == 1 && w.answer[1] == 2);
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

static void dine_politely(void *arg)
{
	unsigned int i = *(const unsigned int *)arg;

	for (;;) {
		m_lock(&w.forks[i]);
		if (m_trylock(&w.forks[1 - i]))
			break;
		model_yield();
		m_unlock(&w.forks[i]);
	}
	m_unlock(&w.forks[1 - i]);
	m_unlock(&w.forks[i]);
}

static void polite_philosophers(void)
{
	unsigned int t = m_create(dine_politely, (void *)&seat[1]);

	dine_politely((void *)&seat[0]);
	m_join(t);
}

static void wait_for_copy(void *arg)
{
	bool copy = w.flag;

	(void)arg;
	while (!copy)
		model_yield();
}

static void set_flag(void)
{
	m_lock(&w.m);
	w.flag = true;
	m_unlock(&w.m);
}

static void stale_copy(void)
{
	unsigned int t = m_create(wait_for_copy, NULL);

	set_flag();
	m_join(t);
}

static void work_on_copy(void *arg)
{
	bool copy = w.flag;

	(void)arg;
	do {
		m_lock(&w.m);
		m_unlock(&w.m);
	} while (!copy);
	w.gone = true;
}

static void selfish_worker(void)
{
	unsigned int t = m_create(work_on_copy, NULL);

	set_flag();
	while (!w.gone)
		model_yield();
	m_join(t);
}

static void dine_stubbornly(void *arg)
{
	unsigned int i = *(const unsigned int *)arg;
	bool got;

	m_lock(&w.forks[i]);
	for (got = m_trylock(&w.forks[1 - i]); !got; got = m_trylock_again(&w.forks[1 - i])) {
		m_unlock(&w.forks[i]);
		m_lock(&w.forks[i]);
	}
	m_unlock(&w.forks[1 - i]);
	m_unlock(&w.forks[i]);
}

static void stubborn_philosophers(void)
{
	unsigned int t = m_create(dine_stubbornly, (void *)&seat[1]);

	dine_stubbornly((void *)&seat[0]);
	m_join(t);
}

static void work_until_stopped(void *arg)
{
	bool stopped = false;

	(void)arg;
	while (!stopped) {
		m_lock(&w.m);
		model_yield();
		stopped = w.flag;
		m_unlock(&w.m);
	}
}

static void starved_stop(void)
{
	unsigned int t = m_create(work_until_stopped, NULL);

	set_flag();
	m_join(t);
}

/* The end of a quantum passes the processor on as a yield does. */
static void spin_on_copy(void *arg)
{
	wait_for_copy(arg);
	w.gone = true;
}

static void blind_spin(void)
{
	unsigned int t = m_create(spin_on_copy, NULL);

	set_flag();
	while (!w.gone)
		model_yield();
	m_join(t);
}

static void reset_wrong(void)
{
	memset(&w, 0, sizeof(w));
}

#define WRONG(name) { #name, reset_wrong, name }

const struct model_program model_wrong[] = {
	WRONG(abba),
	{ "abba_static", reset_wrong, abba },
	WRONG(deep_stack),
	WRONG(lost_wakeup),
	WRONG(cond_if),
	WRONG(check_then_act),
	WRONG(one_condvar),
	WRONG(rwlock_upgrade),
	WRONG(semaphores),
	WRONG(barrier_reuse),
	WRONG(philosophers),
	WRONG(pipe_locks),
	WRONG(flock_order),
	WRONG(fork_mutex),
	WRONG(outlives_main),
	WRONG(use_after_destroy),
	WRONG(lost_update),
	WRONG(double_checked),
	WRONG(trylock_skip),
	WRONG(short_read),
	WRONG(c11_no_predicate),
	WRONG(sem_trywait),
	WRONG(lost_signal),
	WRONG(signal_taker),
	WRONG(file_counter),
	WRONG(pause_loop),
	WRONG(epoll_edge),
	WRONG(sleeper_flag),
	WRONG(sigchld_reaper),
	/* as with threads: fork for create, waitpid for join */
	{ "fork_semaphores", reset_wrong, semaphores },
	{ "sysv_order", reset_wrong, semaphores },
	WRONG(queue_order),
	WRONG(io_uring_twice),
	WRONG(half_close),
	WRONG(epoll_oneshot),
	WRONG(timeout_handoff),
	WRONG(hidden_deadlock),
	WRONG(partial_deadlock),
	WRONG(polite_philosophers),
	WRONG(stale_copy),
	WRONG(selfish_worker),
	WRONG(stubborn_philosophers),
	WRONG(starved_stop),
	WRONG(blind_spin),
	{ 0 },
};

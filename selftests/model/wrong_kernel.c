// SPDX-License-Identifier: GPL-2.0-only
/*
 * Models of programs/wrong/: bugs with what the kernel does: pipes, locks on files, fork,
 * signals, epoll, io_uring. After wrong_sync.c, whose w they use.
 */
#include <stddef.h>

#include "model.h"

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

/* flag: the table is there */
static void sleep_for_ever(void *arg)
{
	(void)arg;
	for (;;) {
		model_point();		/* pause */
		model_sleep(&w.gone);
	}
}

static bool look_at_table(void)
{
	bool there;

	m_lock(&w.m);
	there = w.flag;
	m_unlock(&w.m);
	return there;
}

static void use_table(void *arg)
{
	(void)arg;
	if (look_at_table())
		model_check(look_at_table(), MODEL_CRASH);
}

static void clear_table(void *arg)
{
	(void)arg;
	m_lock(&w.m);
	w.flag = false;
	m_unlock(&w.m);
}

static void sigterm_helper(void)
{
	unsigned int helper = m_fork(sleep_for_ever, NULL), worker, other;

	w.flag = true;
	m_syscall();		/* kill */
	model_kill(helper);
	m_assert(m_waitpid(helper) == 9);
	worker = m_create(use_table, NULL);
	other = m_create(clear_table, NULL);
	m_join(worker);
	m_join(other);
}

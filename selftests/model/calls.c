// SPDX-License-Identifier: GPL-2.0-only
/*
 * Models of programs in programs/wrong/ and programs/correct/ about calls that are points only
 * where another task could notice them: signal masks, changes of mappings, prctl(2). Those
 * that nobody could notice are not here, as they are not points there.
 */
#include <string.h>

#include "model.h"

/* flag: the signal was sent; up: the handler ran; published, ready: of memory */
static struct {
	bool blocked, flag, up, published, ready, dies;
	struct channel told, alive;
	struct mutex m;
} q;

static void reset_calls(void)
{
	memset(&q, 0, sizeof(q));
}

static void child_ends(void *arg)
{
	(void)arg;
	m_exit_group(0);
}

/* A SIGCHLD that is not blocked is dropped. */
static void child_is_gone(unsigned int process)
{
	(void)process;
	q.flag |= q.blocked;
	if (q.blocked)
		model_wake(&q.flag, 1);
}

static void wait_for_signal(unsigned int child)
{
	m_syscall();		/* rt_sigtimedwait */
	if (!q.flag)
		model_sleep(&q.flag);
	m_assert(m_waitpid(child) == 0);
}

static void sigchld_block_wrong(void)
{
	unsigned int child;

	model_process_exit_hook(child_is_gone);
	child = m_fork(child_ends, NULL);
	m_syscall();		/* sigprocmask */
	q.blocked = true;
	wait_for_signal(child);
}

static void sigchld_block(void)
{
	model_process_exit_hook(child_is_gone);
	q.blocked = true;
	wait_for_signal(m_fork(child_ends, NULL));
}

static void is_up(void)
{
	q.up = true;
}

static void tell_parent(void *arg)
{
	(void)arg;
	m_syscall();		/* getppid */
	m_syscall();		/* kill */
	if (q.blocked)
		q.flag = true;
	else
		model_signal(1, is_up);
	m_exit_group(0);
}

static void set_mask(bool blocked)
{
	m_syscall();		/* sigprocmask */
	q.blocked = blocked;
	if (!blocked && q.flag)
		is_up();
}

static void window(bool looks_first)
{
	unsigned int child = m_fork(tell_parent, NULL);
	bool seen = q.up;

	set_mask(true);
	if (!looks_first)
		seen = q.up;
	m_assert(q.up == seen);
	set_mask(false);
	m_assert(m_waitpid(child) == 0);
	m_assert(q.up);
}

static void signal_window_wrong(void)
{
	window(true);
}

static void signal_window(void)
{
	window(false);
}

static void use_memory_crash(void *arg)
{
	(void)arg;
	model_check(!q.published || q.ready, MODEL_CRASH);
}

static void use_memory(void *arg)
{
	(void)arg;
	m_assert(!q.published || q.ready);
}

/* The call that changes memory is a point, whatever it is. */
static void publish(void (*user)(void *), bool early)
{
	unsigned int t = m_create(user, NULL);

	q.published = early;
	m_syscall();
	q.ready = true;
	q.published = true;
	m_join(t);
}

static void commit_late(void)
{
	publish(use_memory_crash, true);
}

static void commit_first(void)
{
	publish(use_memory_crash, false);
}

static void reset_late(void)
{
	publish(use_memory, true);
}

static void reset_first(void)
{
	publish(use_memory, false);
}

static unsigned int boss, hand;	/* processes */

/* Who asked for it dies with its parent; the pipe is closed when both are gone. */
static void orphan_ends(unsigned int process)
{
	if (process == boss && q.dies && !model_process_is_dead(hand))
		model_kill(hand);
	if (model_process_is_dead(boss) && model_process_is_dead(hand))
		model_hangup(&q.alive);
}

static void work_late(void *arg)
{
	(void)arg;
	m_write(&q.told, 1);
	m_syscall();		/* prctl */
	q.dies = true;
	m_syscall();		/* pause */
	model_sleep(&q.dies);
}

static void work_early(void *arg)
{
	(void)arg;
	m_syscall();		/* prctl */
	q.dies = true;
	m_write(&q.told, 1);
	m_syscall();		/* pause */
	model_sleep(&q.dies);
}

static void employ(void *work)
{
	m_fork((void (*)(void *))work, NULL);
	m_assert(m_read(&q.told, 1) == 1);
	m_exit_group(0);
}

static void wait_for_end(void (*work)(void *))
{
	/* Numbers are given in order. */
	boss = 1;
	hand = 2;
	model_process_exit_hook(orphan_ends);
	m_fork(employ, (void *)work);
	m_syscall();		/* close */
	m_assert(m_waitpid(boss) == 0);
	m_assert(m_read(&q.alive, 1) == 0);
}

static void orphan(void)
{
	wait_for_end(work_late);
}

static void orphan_none(void)
{
	wait_for_end(work_early);
}

static void count_late(void *arg)
{
	(void)arg;
	q.published = true;
	m_lock(&q.m);
	q.ready = true;
	m_unlock(&q.m);
	m_return();
}

static void count_first(void *arg)
{
	(void)arg;
	m_lock(&q.m);
	q.ready = true;
	m_unlock(&q.m);
	q.published = true;
	m_return();
}

static void yield_for(void (*worker)(void *))
{
	unsigned int t = m_create(worker, NULL);

	while (!q.published)
		model_yield();
	m_assert(q.ready);
	m_join(t);
}

static void sync_yield_wrong(void)
{
	yield_for(count_late);
}

static void sync_yield(void)
{
	yield_for(count_first);
}

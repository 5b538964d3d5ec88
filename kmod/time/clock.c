// SPDX-License-Identifier: GPL-2.0-only
/*
 * The clock of a group. With virtual time a program reads no other: the vDSO is
 * hidden from it at exec, so that each reading is a syscall, and that is answered
 * here. The clock stands still but for two things, both decided and not measured:
 * a deadline that passes (deadline.c) moves it there, and each reading moves it by
 * a small step.
 *
 * CHESS did not make time deterministic (OSDI'08, section 3.1).
 */
#include <linux/auxvec.h>
#include <linux/binfmts.h>
#include <linux/math64.h>
#include <linux/nsproxy.h>
#include <linux/sched/task_stack.h>
#include <linux/time64.h>
#include <linux/time_namespace.h>
#include <linux/uaccess.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "chess.h"
#include "clock.h"
#include "cputime.h"
#include "random.h"
#include "timer.h"
#include "user.h"

/* Auxiliary vectors are short; a longer one is none. */
#define AUXV_MAX	64

static u64 epoch_of(int clock)
{
	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_REALTIME_ALARM:
	case CLOCK_TAI:
		return CHESS_CLOCK_EPOCH;
	default:
		return 0;
	}
}

/* Nanoseconds that a clock is ahead in the time namespace of current. */
static s64 offset_of(int clock)
{
	const struct time_namespace *ns = current->nsproxy ? current->nsproxy->time_ns : NULL;

	switch (ns ? clock : CLOCK_REALTIME) {
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
		return timespec64_to_ns(&ns->offsets.monotonic);
	case CLOCK_BOOTTIME:
	case CLOCK_BOOTTIME_ALARM:
		return timespec64_to_ns(&ns->offsets.boottime);
	default:
		return 0;
	}
}

static bool is_known(int clock)
{
	/* Negative: the processor time of a process or thread, or a device. */
	return clock >= CLOCK_REALTIME && clock <= CLOCK_TAI && clock != 10;
}

/* Of these the group may know nothing: then they are the machine's (cputime.c). */
static bool is_cpu(int clock)
{
	return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

/**
 * chess_clock_step_locked() - time passes by as much as a reading takes
 * @t: who reads, and uses the time
 *
 * Timers that are due by that go off before the task is back in user mode.
 *
 * Context: probe, in current, group->plock held.
 */
void chess_clock_step_locked(struct chess_task *t)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;

	lockdep_assert_held(&g->plock);
	g->clock.now += CHESS_CLOCK_STEP;
	chess_cputime_charge_locked(t, CHESS_CLOCK_STEP / 2, CHESS_CLOCK_STEP / 2);
	g->watchdog.spin = 0;
	g->watchdog.spun = 0;
	if (g->timers.narmed | g->timers.ncpu)
		chess_timer_passed_locked(t);
}

/**
 * chess_clock_sleeps() - may a task sleep by this clock?
 * @clock: number of a clock, as clock_nanosleep(2) is given it
 *
 * Context: any.
 * Return: false for those that the kernel does not sleep by, and for those of devices and
 * of other processes, which it is asked for.
 */
bool chess_clock_sleeps(int clock)
{
	switch (clock) {
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_THREAD_CPUTIME_ID:
		return false;
	default:
		return is_known(clock);
	}
}

/**
 * chess_clock_instant() - when an absolute deadline is
 * @g: the group
 * @clock: the clock it is given for
 * @value: nanoseconds of that clock
 * @instant: nanoseconds of the group's clock
 *
 * Context: any.
 * Return: false when the group does not answer for this clock.
 */
bool chess_clock_instant(const struct chess_group *g, int clock, s64 value, u64 *instant)
{
	u64 epoch = epoch_of(clock);

	if (!is_known(clock) || is_cpu(clock))
		return false;
	*instant = value > 0 && (u64)value > epoch ? (u64)value - epoch : 0;
	return true;
}

/**
 * chess_clock_own_instant() - when an absolute deadline is that current gives
 * @g: its group
 * @clock: the clock it is given for, as its time namespace has it
 * @value: nanoseconds of that clock
 * @instant: nanoseconds of the group's clock
 *
 * Not for times of io_uring, which the kernel takes for the machine's.
 *
 * Context: any, in current.
 * Return: false when the group does not answer for this clock.
 */
bool chess_clock_own_instant(const struct chess_group *g, int clock, s64 value, u64 *instant)
{
	s64 offset = is_known(clock) ? offset_of(clock) : 0, left;

	/* A time before the machine was started is over. */
	if (check_sub_overflow(value, offset, &left) || left < 0)
		left = 0;
	return chess_clock_instant(g, clock, left, instant);
}

/**
 * chess_clock_later() - an instant from now
 * @g: the group
 * @ns: nanoseconds from now
 *
 * Context: any.
 * Return: nanoseconds of the group's clock, at most U64_MAX.
 */
u64 chess_clock_later(const struct chess_group *g, u64 ns)
{
	return ns < U64_MAX - g->clock.now ? g->clock.now + ns : U64_MAX;
}

/**
 * chess_clock_put_off() - a deadline that is as far ahead when the clock has moved
 * @g: the group
 * @deadline: nanoseconds of the group's clock
 * @until: when the clock is about to be moved to
 *
 * Context: any, group->plock held.
 * Return: that deadline, after @until even where it is over by now.
 */
u64 chess_clock_put_off(const struct chess_group *g, u64 deadline, u64 until)
{
	u64 left = deadline > g->clock.now ? deadline - g->clock.now : 1;

	if (until <= g->clock.now)
		return deadline;
	return left < U64_MAX - until ? until + left : U64_MAX;
}

static u64 read_clock(struct chess_task *t, int clock, const struct chess_cpu_clock *cpu)
{
	struct chess_group *g = t->group;
	unsigned long flags;
	u64 value;

	raw_spin_lock_irqsave(&g->plock, flags);
	chess_clock_step_locked(t);
	value = cpu ? chess_cputime_read_locked(cpu->task, cpu->kind) :
		      g->clock.now + epoch_of(clock);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	return value;
}

/**
 * chess_clock_read() - a task reads the monotonic clock
 * @t: the task
 *
 * Context: probe or die notifier, in current.
 * Return: nanoseconds.
 */
u64 chess_clock_read(struct chess_task *t)
{
	return read_clock(t, CLOCK_MONOTONIC, NULL);
}

static bool answer_gettime(struct chess_task *t, struct pt_regs *regs)
{
	int clock = chess_arch_syscall_arg(regs, 0);
	struct chess_cpu_clock cpu;
	bool answered = true;
	struct timespec64 ts;

	rcu_read_lock();
	if (chess_cputime_clock(t, clock, &cpu))
		ts = ns_to_timespec64(read_clock(t, clock, &cpu));
	else if (!is_known(clock) || is_cpu(clock))
		answered = false;
	else
		ts = ns_to_timespec64(max_t(s64, read_clock(t, clock, NULL) + offset_of(clock), 0));
	rcu_read_unlock();
	if (!answered)
		return false;
	chess_arch_syscall_answer(regs, 0);
	chess_user_put(t, chess_arch_syscall_arg(regs, 1), &ts, sizeof(ts));
	return true;
}

static void answer_timeofday(struct chess_task *t, struct pt_regs *regs)
{
	unsigned long tv = chess_arch_syscall_arg(regs, 0), tz = chess_arch_syscall_arg(regs, 1);
	u64 now = read_clock(t, CLOCK_REALTIME, NULL);
	u32 rest;
	s64 value[2];
	int zone[2] = { 0, 0 };

	value[0] = div_u64_rem(now, NSEC_PER_SEC, &rest);
	value[1] = rest / NSEC_PER_USEC;
	chess_arch_syscall_answer(regs, 0);
	if (tv)
		chess_user_put(t, tv, value, sizeof(value));
	if (tz)
		chess_user_put(t, tz, zone, sizeof(zone));
}

static void answer_time(struct chess_task *t, struct pt_regs *regs)
{
	unsigned long to = chess_arch_syscall_arg(regs, 0);
	s64 now = div_u64(read_clock(t, CLOCK_REALTIME, NULL), NSEC_PER_SEC);

	chess_arch_syscall_answer(regs, now);
	if (to)
		chess_user_put(t, to, &now, sizeof(now));
}

/**
 * chess_clock_answer() - answer a reading of a clock
 * @t: the task, which is current and holds the token
 * @regs: its user registers
 * @nr: number of the call
 *
 * Context: probe (sys_enter), virtual time.
 * Return: whether the call was one, and is answered.
 */
bool chess_clock_answer(struct chess_task *t, struct pt_regs *regs, long nr)
{
	switch (nr) {
	case __NR_clock_gettime:
		return answer_gettime(t, regs);
	case __NR_gettimeofday:
		answer_timeofday(t, regs);
		return true;
	case __NR_time:
		answer_time(t, regs);
		return true;
	default:
		return chess_cputime_answer(t, regs, nr);
	}
}

/**
 * chess_clock_hide() - hide the vDSO from a new program, and seed its loader
 * @t: the task, which is current, before the program's first instruction
 *
 * The stack pointer is where the kernel left it: argc, the arguments, a null, the
 * environment, a null, the auxiliary vector. The entry of the vDSO becomes one to
 * ignore, and libraries then ask the kernel.
 *
 * Context: task work.
 */
void chess_clock_hide(struct chess_task *t)
{
	unsigned long __user *p = (void __user *)task_pt_regs(current)->sp;
	/* Strings of the arguments, which the pointers to them end before. */
	unsigned long end = READ_ONCE(current->mm->arg_start);
	unsigned long value, ignore = AT_IGNORE;
	int i, nulls;

	if (chess_arch_foreign_abi() || get_user(value, p++))
		return;
	/* Whoever traces the task may have written something else there by now. */
	if (value > MAX_ARG_STRINGS)
		return;
	p += value;
	/* After the arguments, and after the environment. */
	for (nulls = 0; nulls < 2; p++) {
		if ((unsigned long)p >= end || get_user(value, p))
			return;
		nulls += !value;
	}
	for (i = 0; i < AUXV_MAX; i++, p += 2) {
		if (get_user(value, p) || value == AT_NULL)
			return;
		if (value == AT_SYSINFO_EHDR &&
		    (READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_VIRTUAL_TIME))
			(void)put_user(ignore, p);
		if (value == AT_RANDOM && !get_user(value, p + 1))
			chess_random_seed_loader(t, value);
	}
}

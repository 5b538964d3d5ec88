// SPDX-License-Identifier: GPL-2.0-only
/*
 * See compat.h: timers of timer_create(), timerfds and time-out requests of io_uring, as
 * the kernel keeps them.
 */
#define pr_fmt(fmt)	KBUILD_MODNAME ": " fmt

#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/poll.h>
#include <linux/posix-timers.h>
#include <linux/sched/signal.h>
#include <linux/static_call.h>
#include <linux/timerfd.h>
#include <linux/wait.h>

#include "arch_x86.h"
#include "compat.h"

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define for_each_posix_timer(timer) \
	hlist_for_each_entry(timer, &current->signal->posix_timers, list)
#else
#define for_each_posix_timer(timer) \
	list_for_each_entry(timer, &current->signal->posix_timers, list)
#endif

static const struct kernel_siginfo *info_of(const struct k_itimer *timer)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	return &timer->sigq.info;
#else
	return &timer->sigq->info;
#endif
}

/**
 * chess_compat_posix_timer() - a timer of current's process
 * @id: its number
 * @out: what is known of it, with a reference
 *
 * The list is in signal_struct, and what is read of a timer does not change while it is
 * there (6.12; 6.13 has the signal elsewhere).
 *
 * Context: task work.
 * Return: whether there is one.
 */
bool chess_compat_posix_timer(int id, struct chess_posix_timer *out)
{
	bool found = false;
#ifdef CONFIG_POSIX_TIMERS
	struct k_itimer *timer;

	spin_lock_irq(chess_compat_siglock());
	for_each_posix_timer(timer) {
		if (timer->it_id != id)
			continue;
		*out = (struct chess_posix_timer) {
			.clock = timer->it_clock,
			.notify = timer->it_sigev_notify,
			.signo = info_of(timer)->si_signo,
			.value = info_of(timer)->si_value,
			.pid = get_pid(timer->it_pid),
		};
		found = true;
		break;
	}
	spin_unlock_irq(chess_compat_siglock());
#endif
	return found;
}

/* What timerfds have in common, or NULL where they cannot be made to expire. */
static const struct file_operations *timerfd_ops;

struct queue_lookup {
	poll_table table;
	wait_queue_head_t *found;
};

static void note_queue(struct file *file, wait_queue_head_t *queue, poll_table *table)
{
	container_of(table, struct queue_lookup, table)->found = queue;
}

/* Where those wait who read it, as it tells everybody who polls it. */
static wait_queue_head_t *timerfd_queue(struct file *file)
{
	struct queue_lookup lookup = { .found = NULL };

	init_poll_funcptr(&lookup.table, note_queue);
	vfs_poll(file, &lookup.table);
	return lookup.found;
}

/* What a read returns: expirations that nobody has read. The queue's lock protects it. */
static u64 *timerfd_count(wait_queue_head_t *queue)
{
	return (u64 *)(queue + 1);
}

/**
 * chess_compat_is_timerfd() - is a file a timerfd, and can it be made to expire
 * @file: any file
 *
 * Context: any.
 * Return: whether it is and can.
 */
bool chess_compat_is_timerfd(const struct file *file)
{
	return timerfd_ops && file->f_op == timerfd_ops;
}

/* The kernel's timer in it is left alone: another process that has the file may have set that. */
static void timerfd_add(struct file *file, u64 times)
{
	wait_queue_head_t *queue = timerfd_queue(file);
	unsigned long flags;

	spin_lock_irqsave(&queue->lock, flags);
	*timerfd_count(queue) += times;
	__wake_up_locked_key(queue, TASK_NORMAL, poll_to_key(EPOLLIN));
	spin_unlock_irqrestore(&queue->lock, flags);
}

/**
 * chess_compat_timerfd_expire() - a timerfd expires
 * @file: the timerfd; of another file nothing is done
 * @times: how often
 *
 * Context: irq work.
 */
void chess_compat_timerfd_expire(struct file *file, u64 times)
{
	if (chess_compat_is_timerfd(file))
		timerfd_add(file, times);
}

static void timerfd_clear(struct file *file)
{
	wait_queue_head_t *queue = timerfd_queue(file);
	unsigned long flags;

	spin_lock_irqsave(&queue->lock, flags);
	*timerfd_count(queue) = 0;
	spin_unlock_irqrestore(&queue->lock, flags);
}

/**
 * chess_compat_timerfd_forget() - a timerfd has not expired, whatever happened before
 * @file: the timerfd; of another file nothing is done
 *
 * Context: task work.
 */
void chess_compat_timerfd_forget(struct file *file)
{
	if (chess_compat_is_timerfd(file))
		timerfd_clear(file);
}

static long no_timerfd_create(const struct pt_regs *regs)
{
	return -EOPNOTSUPP;
}

DEFINE_STATIC_CALL(chess_timerfd_create, no_timerfd_create);

/* One that nobody else has. */
static struct file *make_timerfd(void)
{
	struct pt_regs regs = {};
	struct file *file;
	long fd;

	chess_arch_set_syscall_arg(&regs, 0, CLOCK_MONOTONIC);
	chess_arch_set_syscall_arg(&regs, 1, TFD_NONBLOCK | TFD_CLOEXEC);
	fd = static_call(chess_timerfd_create)(&regs);
	if (fd < 0)
		return NULL;
	file = fget(fd);
	close_fd(fd);
	return file;
}

static bool is_readable(struct file *file)
{
	return vfs_poll(file, NULL) & EPOLLIN;
}

/* Where only programs can read it, that it is readable says that the count is not zero. */
static bool reads_count(struct file *file, u64 count)
{
	u64 ticks = 0;

	if (!file->f_op->read_iter) {
		timerfd_clear(file);
		return true;
	}
	return kernel_read(file, &ticks, sizeof(ticks), NULL) == sizeof(ticks) && ticks == count;
}

/* Is the count where it is looked for, and what a read returns? */
static bool timerfd_counts(struct file *file)
{
	wait_queue_head_t *queue = timerfd_queue(file);

	if (!queue || *timerfd_count(queue) || is_readable(file))
		return false;
	timerfd_add(file, 2);
	if (!is_readable(file))
		return false;
	timerfd_clear(file);
	if (is_readable(file))
		return false;
	timerfd_add(file, 2);
	timerfd_add(file, 3);
	return *timerfd_count(queue) == 5 && reads_count(file, 5) && !*timerfd_count(queue);
}

/*
 * The type of a timerfd is private to the kernel's file. Its count stands after its wait
 * queue (6.1 .. 6.12), which is tried here, with one that nobody else can touch.
 */
static void find_timerfd(void)
{
	void *create = chess_compat_function(CHESS_ARCH_SYSCALL("timerfd_create"));
	struct file *file = NULL;

	if (create) {
		static_call_update(chess_timerfd_create, create);
		file = make_timerfd();
	}
	if (file && timerfd_counts(file))
		timerfd_ops = file->f_op;
	else
		pr_warn("timerfds are not as expected: they go by the machine's time\n");
	if (file)
		fput(file);
}

static void *ring_timers[2];

/**
 * chess_compat_is_ring_timer() - is it the timer of a time-out request of io_uring
 * @timer: a timer that has its function
 *
 * Context: any.
 * Return: whether it is.
 */
bool chess_compat_is_ring_timer(const struct hrtimer *timer)
{
	unsigned long function = (unsigned long)timer->function;
	unsigned int i;

	/* A probe stands after the instruction that marks a target of calls. */
	for (i = 0; i < ARRAY_SIZE(ring_timers); i++)
		if (ring_timers[i] && (unsigned long)ring_timers[i] - function <= 4)
			return true;
	return false;
}

/**
 * chess_compat_timer_init() - look up what is not exported of timers
 *
 * Context: process, module init.
 */
void chess_compat_timer_init(void)
{
	/* Without them, as in a kernel without io_uring, it has no such timers. */
	ring_timers[0] = chess_compat_function("io_timeout_fn");
	ring_timers[1] = chess_compat_function("io_link_timeout_fn");
	find_timerfd();
}

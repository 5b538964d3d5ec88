/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every version check and every symbol the kernel does not export to modules.
 * docs/kernels.md lists them with the evidence.
 */
#ifndef _CHESS_COMPAT_H
#define _CHESS_COMPAT_H

#include <linux/btf.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/signal_types.h>
#include <linux/tracepoint.h>
#include <linux/version.h>
#include <asm/msr.h>

struct cred;
struct hrtimer;

/**
 * chess_compat_siglock() - the lock of current's signals
 *
 * Its pointer is marked __rcu, for those who look at other tasks; it is fixed in the task
 * itself.
 *
 * Context: process, in current.
 * Return: the lock.
 */
static inline spinlock_t *chess_compat_siglock(void)
{
	return &rcu_dereference_protected(current->sighand, true)->siglock;
}

/* A thread that the kernel made of a program's memory, as vhost's are since 6.4. */
#ifdef PF_USER_WORKER
#define CHESS_COMPAT_PF_WORKER	PF_USER_WORKER
#else
#define CHESS_COMPAT_PF_WORKER	0
#endif

/* What marks functions that BPF programs may call came from 6.3 to 6.9. */
#ifndef __bpf_kfunc
#define __bpf_kfunc	__used noinline
#endif
#ifndef __bpf_kfunc_start_defs
#define __bpf_kfunc_start_defs()	\
	__diag_push();			\
	__diag_ignore_all("-Wmissing-prototypes", "declared by the BPF programs")
#define __bpf_kfunc_end_defs()	__diag_pop()
#endif
#ifndef BTF_KFUNCS_START
#define BTF_KFUNCS_START(name)	BTF_SET8_START(name)
#define BTF_KFUNCS_END(name)	BTF_SET8_END(name)
#endif

/* A flag of pwritev2() since 6.9; earlier kernels refuse the call. */
#ifndef RWF_NOAPPEND
#define RWF_NOAPPEND	((__force __kernel_rwf_t)0x00000020)
#endif

/* Renamed in 6.16. */
#ifdef rdmsrq
#define chess_compat_rdmsr(msr, value)	rdmsrq(msr, value)
#else
#define chess_compat_rdmsr(msr, value)	rdmsrl(msr, value)
#endif

/**
 * chess_compat_hrtimer_setup() - prepare a timer
 * @timer: the timer
 * @function: what it calls
 * @clock: CLOCK_*
 * @mode: how it will be started
 *
 * Context: any.
 */
static inline void
chess_compat_hrtimer_setup(struct hrtimer *timer,
			   enum hrtimer_restart (*function)(struct hrtimer *timer),
			   clockid_t clock, enum hrtimer_mode mode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, function, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = function;
#endif
}

/**
 * chess_compat_copy_robust_list() - a task has the robust futexes of another one
 * @to: the task, not running yet; its memory is a copy of that of
 * @from: the other task, which is current
 *
 * Context: any.
 */
static inline void chess_compat_copy_robust_list(struct task_struct *to,
						 const struct task_struct *from)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0)
	to->futex.robust_list = from->futex.robust_list;
#else
	to->robust_list = from->robust_list;
#endif
}

/**
 * chess_compat_path() - the name of a file as its user knows it
 * @file: the file, mapped
 *
 * A file of an overlay is mapped as the file below since 6.8, and keeps its own path.
 *
 * Context: any.
 * Return: the path.
 */
static inline const struct path *chess_compat_path(struct file *file)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	return file_user_path(file);
#else
	return &file->f_path;
#endif
}

/**
 * chess_compat_real_inode() - what stands for the memory of a file
 * @file: the file, as a descriptor has it or as it is mapped
 *
 * A file of an overlay is mapped as the file below, whose inode is another one than its own. The
 * question after the metadata, of 6.9, is answered without sleep.
 *
 * Context: any.
 * Return: the inode that a mapping of the file has.
 */
static inline const struct inode *chess_compat_real_inode(struct file *file)
{
	struct dentry *dentry = file->f_path.dentry;

	if (!(dentry->d_flags & DCACHE_OP_REAL))
		return file_inode(file);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
	dentry = dentry->d_op->d_real(dentry, D_REAL_METADATA);
#else
	dentry = d_real(dentry, NULL);
#endif
	return d_is_positive(dentry) ? d_inode(dentry) : file_inode(file);
}

/**
 * chess_compat_mtime() - when a file was written last
 * @inode: the file
 *
 * Context: any.
 * Return: the time.
 */
static inline struct timespec64 chess_compat_mtime(const struct inode *inode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	return inode_get_mtime(inode);
#else
	return inode->i_mtime;
#endif
}

/**
 * chess_compat_get_page() - get_user_pages_remote() of one page
 * @mm: the address space, locked
 * @addr: address of the page
 * @flags: FOLL_*
 * @page: set to the page, with a reference
 * @locked: set to 0 where the lock was let go of; or NULL
 *
 * Context: process, mmap lock of @mm held.
 * Return: 1 or negative errno.
 */
static inline long chess_compat_get_page(struct mm_struct *mm, unsigned long addr,
					 unsigned int flags, struct page **page, int *locked)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
	return get_user_pages_remote(mm, addr, 1, flags, page, locked);
#else
	return get_user_pages_remote(mm, addr, 1, flags, page, NULL, locked);
#endif
}

/**
 * chess_compat_pin_pages() - pin_user_pages(): pages of current, to write to for long
 * @addr: address of the first page
 * @n: how many
 * @pages: set to the pages
 *
 * Context: process, mmap lock of current held, and not let go of: no fault waits for a process
 * that serves it (userfaultfd).
 * Return: how many are pinned, or negative errno.
 */
static inline long chess_compat_pin_pages(unsigned long addr, unsigned long n,
					  struct page **pages)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
	return pin_user_pages(addr, n, FOLL_WRITE | FOLL_LONGTERM, pages);
#else
	return pin_user_pages(addr, n, FOLL_WRITE | FOLL_LONGTERM, pages, NULL);
#endif
}

void *chess_compat_function(const char *name);
struct tracepoint *chess_compat_tracepoint(const char *name);
void chess_compat_send_signal(struct kernel_siginfo *info, struct task_struct *task,
			      enum pid_type type);

/**
 * struct chess_posix_timer - a timer of timer_create(), as the kernel keeps it
 * @clock: its clock
 * @notify: SIGEV_*
 * @signo: signal; valid unless @notify is SIGEV_NONE
 * @value: what comes with it
 * @pid: the process, or with SIGEV_THREAD_ID the thread, that gets it; a reference
 */
struct chess_posix_timer {
	int clock;
	int notify;
	int signo;
	sigval_t value;
	struct pid *pid;
};

bool chess_compat_posix_timer(int id, struct chess_posix_timer *out);
bool chess_compat_is_ring_timer(const struct hrtimer *timer);
bool chess_compat_is_timerfd(const struct file *file);
bool chess_compat_is_pidfd(const struct file *file);
bool chess_compat_is_in_epoll(const struct file *file);
void chess_compat_timerfd_expire(struct file *file, u64 times);
void chess_compat_timerfd_forget(struct file *file);
bool chess_compat_works_can_be_cancelled(void);
bool chess_compat_work_cancel(struct task_struct *task, struct callback_head *work);
bool chess_compat_is_asleep(struct task_struct *task);
bool chess_compat_cpuset(struct task_struct *task, struct cpumask *cpus);
long chess_compat_set_affinity(pid_t pid, const struct cpumask *cpus);
bool chess_compat_is_frozen(struct task_struct *task, unsigned int state);
bool chess_compat_is_freezing(struct task_struct *task);
void chess_compat_freeze_begin(void);
void chess_compat_freeze_end(void);
bool chess_compat_has_btf(void);
bool chess_compat_may_ptrace(const struct cred *cred, struct task_struct *task);
int chess_compat_init(void);
void chess_compat_timer_init(void);

#endif /* _CHESS_COMPAT_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which syscall is which op on which object: one table. A call that is not in
 * it is a conservative point (CHESS_OP_OTHER, a write). A call nobody but the
 * calling task can observe is not a point at all: SELF. Many can be observed only where
 * somebody is there to do so, or with some arguments: WHEN, see witness.c.
 */
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/limits.h>
#include <asm/unistd.h>

#include "calls.h"
#include "time/timed_call.h"

#define W	CHESS_OPF_WRITE
#define R	0
#define B	CHESS_OPF_MAY_BLOCK
#define REL	CHESS_OPF_RELEASE
#define Y	CHESS_OPF_YIELD

#define OP(nr, class, fl, src, n)	\
	[__NR_##nr] = { .op = CHESS_OP_##class, .flags = (fl), \
			.source = CHESS_OBJECT_FROM_##src, .arg = (n) }
#define SPECIAL(nr, class, fl, src, n)	\
	[__NR_##nr] = { .op = CHESS_OP_##class, .flags = (fl), \
			.source = CHESS_OBJECT_FROM_##src, .arg = (n), .special = 1 }
#define WHEN(nr, class, fl, src, n, which)	\
	[__NR_##nr] = { .op = CHESS_OP_##class, .flags = (fl), .when = CHESS_WHEN_##which, \
			.source = CHESS_OBJECT_FROM_##src, .arg = (n) }
/* Since 6.11 and 6.18. */
#ifndef __NR_uretprobe
#define __NR_uretprobe	335
#endif
#ifndef __NR_uprobe
#define __NR_uprobe	336
#endif

#define SELF(nr)	[__NR_##nr] = { .op = CHESS_CALL_SELF }

/* What is not set here is by chess_calls_init(). */
static const struct chess_call rows[] __initconst = {
	OP(read, READ, W | B, FD, 0), OP(pread64, READ, R, FD, 0),
	OP(readv, READ, W | B, FD, 0), OP(preadv, READ, R, FD, 0), OP(preadv2, READ, W | B, FD, 0),
	OP(write, WRITE, W | B, FD, 0), OP(pwrite64, WRITE, W, FD, 0),
	OP(writev, WRITE, W | B, FD, 0), OP(pwritev, WRITE, W, FD, 0),
	OP(pwritev2, WRITE, W | B, FD, 0),
	OP(sendfile, WRITE, W | B, FD, 0), OP(splice, WRITE, W | B, FD, 0),
	OP(tee, WRITE, W | B, FD, 0), OP(vmsplice, WRITE, W | B, FD, 0),
	OP(copy_file_range, WRITE, W, FD, 2),
	OP(lseek, FILE, W, FD, 0), OP(fstat, FILE, R, FD, 0), OP(ioctl, FILE, W | B, FD, 0),
	OP(fsync, FILE, W, FD, 0), OP(fdatasync, FILE, W, FD, 0), OP(ftruncate, FILE, W, FD, 0),
	OP(fallocate, FILE, W, FD, 0), OP(getdents64, FILE, W, FD, 0),
	OP(fchmod, FILE, W, FD, 0), OP(fchown, FILE, W, FD, 0), OP(fstatfs, FILE, R, FD, 0),
	OP(fcntl, FLOCK, W | B, FD, 0), OP(flock, FLOCK, W | B, FD, 0),
	OP(close, CLOSE, W | REL, FD, 0), OP(close_range, CLOSE, W | REL, NOTHING, 0),
	OP(dup, OPEN, W, FD, 0), OP(dup2, CLOSE, W | REL, FD, 0), OP(dup3, CLOSE, W | REL, FD, 0),
	OP(open, OPEN, W | B, PATH, 0), OP(openat, OPEN, W | B, PATH, 1),
	OP(openat2, OPEN, W | B, NOTHING, 0), OP(creat, OPEN, W, NOTHING, 0),
	OP(pipe, OPEN, W, NOTHING, 0), OP(pipe2, OPEN, W, NOTHING, 0),
	OP(eventfd, OPEN, W, NOTHING, 0), OP(eventfd2, OPEN, W, NOTHING, 0),
	OP(epoll_create, OPEN, W, NOTHING, 0), OP(epoll_create1, OPEN, W, NOTHING, 0),
	OP(memfd_create, OPEN, W, NOTHING, 0),
	OP(epoll_ctl, POLL, W, FD, 0), OP(epoll_wait, POLL, W | B, FD, 0),
	OP(epoll_pwait, POLL, W | B, FD, 0), OP(epoll_pwait2, POLL, W | B, FD, 0),
	OP(poll, POLL, B, NOTHING, 0), OP(ppoll, POLL, B, NOTHING, 0),
	OP(select, POLL, B, NOTHING, 0), OP(pselect6, POLL, B, NOTHING, 0),
	OP(stat, FILE, R, PATH, 0), OP(lstat, FILE, R, PATH, 0),
	OP(newfstatat, FILE, R, PATH, 1), OP(statx, FILE, R, PATH, 1),
	OP(access, FILE, R, PATH, 0), OP(faccessat, FILE, R, PATH, 1),
	OP(faccessat2, FILE, R, PATH, 1), OP(readlink, FILE, R, PATH, 0),
	OP(readlinkat, FILE, R, PATH, 1), OP(getcwd, FILE, R, NOTHING, 0),
	OP(rename, FILE, W, NOTHING, 0), OP(renameat, FILE, W, NOTHING, 0),
	OP(renameat2, FILE, W, NOTHING, 0), OP(unlink, FILE, W, NOTHING, 0),
	OP(unlinkat, FILE, W, NOTHING, 0), OP(mkdir, FILE, W, NOTHING, 0),
	OP(mkdirat, FILE, W, NOTHING, 0), OP(rmdir, FILE, W, NOTHING, 0),
	OP(link, FILE, W, NOTHING, 0), OP(linkat, FILE, W, NOTHING, 0),
	OP(symlink, FILE, W, NOTHING, 0), OP(symlinkat, FILE, W, NOTHING, 0),
	OP(chdir, FILE, W, NOTHING, 0), OP(fchdir, FILE, W, FD, 0), OP(umask, FILE, W, NOTHING, 0),
	OP(chmod, FILE, W, NOTHING, 0), OP(fchmodat, FILE, W, NOTHING, 0),
	OP(truncate, FILE, W, NOTHING, 0), OP(utimensat, FILE, W, NOTHING, 0),

	SPECIAL(futex, FUTEX_WAIT, W | B, ADDRESS, 0),
	OP(futex_waitv, FUTEX_WAIT, W | B, NOTHING, 0),
	SPECIAL(sched_yield, YIELD, Y, NOTHING, 0),
	OP(nanosleep, SLEEP, B, NOTHING, 0), OP(clock_nanosleep, SLEEP, B, NOTHING, 0),
	OP(pause, SIGNAL_WAIT, B, NOTHING, 0), OP(rt_sigsuspend, SIGNAL_WAIT, B, NOTHING, 0),
	OP(rt_sigtimedwait, SIGNAL_WAIT, W | B, NOTHING, 0),
	OP(rt_sigpending, SIGNAL_WAIT, R, NOTHING, 0),
	OP(signalfd, OPEN, W, NOTHING, 0), OP(signalfd4, OPEN, W, NOTHING, 0),
	OP(timerfd_create, OPEN, W, NOTHING, 0), OP(timerfd_settime, SLEEP, W, FD, 0),
	OP(timerfd_gettime, SLEEP, R, FD, 0),
	OP(kill, SIGNAL, W | REL, PID, 0), OP(tkill, SIGNAL, W | REL, PID, 0),
	OP(tgkill, SIGNAL, W | REL, PID, 1), OP(rt_sigqueueinfo, SIGNAL, W | REL, PID, 0),
	OP(rt_tgsigqueueinfo, SIGNAL, W | REL, PID, 1),
	OP(pidfd_send_signal, SIGNAL, W | REL, FD, 0), OP(pidfd_open, OPEN, W, PID, 0),
	[__NR_rt_sigaction] = { .op = CHESS_OP_SIGNAL, .flags = W, .when = CHESS_WHEN_ACTION,
				.source = CHESS_OBJECT_FROM_KEY, .arg = 0, .special = 1 },
	OP(alarm, SLEEP, W, NOTHING, 0), OP(setitimer, SLEEP, W, NOTHING, 0),
	OP(timer_create, SLEEP, W, NOTHING, 0), OP(timer_settime, SLEEP, W, KEY, 0),
	OP(timer_delete, SLEEP, W, KEY, 0),

	SPECIAL(clone, CREATE, W, NOTHING, 0), SPECIAL(clone3, CREATE, W, NOTHING, 0),
	SPECIAL(fork, FORK, W, NOTHING, 0), SPECIAL(vfork, FORK, W | B, NOTHING, 0),
	OP(execve, EXEC, W, NOTHING, 0), OP(execveat, EXEC, W, NOTHING, 0),
	SPECIAL(exit, EXIT, W | REL, NOTHING, 0), OP(exit_group, EXIT, W | REL, NOTHING, 0),
	OP(wait4, WAIT_CHILD, W | B, PID, 0), OP(waitid, WAIT_CHILD, W | B, PID, 1),
	OP(getppid, WAIT_CHILD, R, NOTHING, 0), OP(ptrace, WAIT_CHILD, W | B, PID, 1),

	OP(socket, OPEN, W, NOTHING, 0), OP(socketpair, OPEN, W, NOTHING, 0),
	OP(bind, SOCKET, W, FD, 0), OP(listen, SOCKET, W, FD, 0), OP(accept, SOCKET, W | B, FD, 0),
	OP(accept4, SOCKET, W | B, FD, 0), OP(connect, SOCKET, W | B, FD, 0),
	OP(shutdown, SOCKET, W | REL, FD, 0), OP(sendto, SOCKET, W | B, FD, 0),
	OP(recvfrom, SOCKET, W | B, FD, 0), OP(sendmsg, SOCKET, W | B, FD, 0),
	OP(recvmsg, SOCKET, W | B, FD, 0), OP(sendmmsg, SOCKET, W | B, FD, 0),
	OP(recvmmsg, SOCKET, W | B, FD, 0), OP(getsockopt, SOCKET, R, FD, 0),
	OP(setsockopt, SOCKET, W, FD, 0), OP(getsockname, SOCKET, R, FD, 0),
	OP(getpeername, SOCKET, R, FD, 0),

	OP(semget, IPC, W, KEY, 0), OP(semctl, IPC, W | REL, ID, 0), OP(semop, IPC, W | B, ID, 0),
	OP(semtimedop, IPC, W | B, ID, 0), OP(msgget, IPC, W, KEY, 0),
	OP(msgsnd, IPC, W | B, ID, 0), OP(msgrcv, IPC, W | B, ID, 0),
	OP(msgctl, IPC, W | REL, ID, 0), OP(shmget, IPC, W, KEY, 0), OP(shmat, IPC, W, ID, 0),
	OP(shmdt, IPC, W, ADDRESS, 0), OP(shmctl, IPC, W, ID, 0),
	OP(mq_open, IPC, W, NOTHING, 0), OP(mq_unlink, IPC, W, NOTHING, 0),
	OP(mq_timedsend, IPC, W | B, FD, 0), OP(mq_timedreceive, IPC, W | B, FD, 0),
	OP(mq_notify, IPC, W, FD, 0), OP(mq_getsetattr, IPC, W, FD, 0),
	OP(msync, MEMORY, W, ADDRESS, 0),

	WHEN(brk, MEMORY, W, ADDRESS, 0, MEMORY), WHEN(mmap, MEMORY, W, ADDRESS, 0, MEMORY),
	WHEN(munmap, MEMORY, W, ADDRESS, 0, MEMORY), WHEN(mprotect, MEMORY, W, ADDRESS, 0, MEMORY),
	WHEN(pkey_mprotect, MEMORY, W, ADDRESS, 0, MEMORY),
	WHEN(mremap, MEMORY, W, ADDRESS, 0, MEMORY), WHEN(madvise, MEMORY, W, ADDRESS, 0, MEMORY),
	/* These fail where another task has unmapped the memory. */
	WHEN(mincore, MEMORY, R, ADDRESS, 0, MEMORY), WHEN(mlock, MEMORY, W, ADDRESS, 0, MEMORY),
	WHEN(mlock2, MEMORY, W, ADDRESS, 0, MEMORY), WHEN(munlock, MEMORY, W, ADDRESS, 0, MEMORY),
	WHEN(mlockall, MEMORY, W, NOTHING, 0, MEMORY),
	WHEN(munlockall, MEMORY, W, NOTHING, 0, MEMORY),

	WHEN(rt_sigprocmask, SIGNAL, W, NOTHING, 0, MASK),
	WHEN(sigaltstack, SIGNAL, W, NOTHING, 0, STACK), WHEN(prctl, OTHER, W, KEY, 0, PRCTL),
	/* What another task may set for the one that asks, or ask of it. */
	WHEN(prlimit64, OTHER, W, PID, 0, OTHERS), WHEN(getrlimit, OTHER, R, KEY, 0, OTHERS),
	WHEN(getpriority, OTHER, R, NOTHING, 0, OTHERS),
	WHEN(sched_getparam, OTHER, R, PID, 0, OTHERS),
	WHEN(sched_getscheduler, OTHER, R, PID, 0, OTHERS),
	WHEN(sched_setparam, OTHER, W, PID, 0, OTHERS),
	WHEN(sched_setscheduler, OTHER, W, PID, 0, OTHERS),
	WHEN(getpgrp, OTHER, R, NOTHING, 0, OTHERS), WHEN(getpgid, OTHER, R, PID, 0, OTHERS),
	WHEN(getsid, OTHER, R, PID, 0, OTHERS), WHEN(uname, OTHER, R, NOTHING, 0, OTHERS),
	WHEN(capget, OTHER, R, NOTHING, 0, OTHERS),
	WHEN(get_robust_list, OTHER, R, PID, 0, OTHERS),
	WHEN(getrusage, OTHER, R, KEY, 0, USAGE),
	WHEN(sched_getaffinity, OTHER, R, PID, 0, PROCESSORS),
	WHEN(sched_setaffinity, OTHER, W, PID, 0, PROCESSORS),

	/* C libraries change them of all threads, by a signal that no program can block. */
	WHEN(getuid, OTHER, R, NOTHING, 0, THREADS), WHEN(geteuid, OTHER, R, NOTHING, 0, THREADS),
	WHEN(getgid, OTHER, R, NOTHING, 0, THREADS), WHEN(getegid, OTHER, R, NOTHING, 0, THREADS),
	WHEN(getresuid, OTHER, R, NOTHING, 0, THREADS),
	WHEN(getresgid, OTHER, R, NOTHING, 0, THREADS),
	WHEN(getgroups, OTHER, R, NOTHING, 0, THREADS),

	/* Of the caller alone, which nobody else can change. */
	SELF(getpid), SELF(gettid), SELF(personality),
	/* Told to the kernel once, used by it when the caller goes on, or ends. */
	SELF(arch_prctl), SELF(set_tid_address), SELF(set_robust_list), SELF(rseq),
	/* The end of a handler: what waits is taken then, and was sent before. */
	SELF(rt_sigreturn), SELF(restart_syscall),
	/* The kernel has a program make them where it has probes. */
	SELF(uretprobe), SELF(uprobe),
	/* All run on one processor, and one at a time. */
	SELF(getcpu), SELF(membarrier),
	SELF(sched_get_priority_max), SELF(sched_get_priority_min),
	/* Time is the group's, or the machine's, and so are random numbers. */
	SELF(gettimeofday), SELF(time), SELF(clock_gettime), SELF(clock_getres), SELF(getrandom),
	SELF(sysinfo), SELF(times),
	/* Makes things faster, or slower. */
	SELF(fadvise64), SELF(readahead),
};

struct chess_call chess_calls[CHESS_CALLS + 1] __ro_after_init;

/* What follows from the rest. */
static void __init derive(struct chess_call *s)
{
	s->is_odd = s->special || s->op == CHESS_CALL_SELF || s->when ||
		    s->source != CHESS_OBJECT_FROM_NOTHING || s->is_answered;
	s->plain_below = s->exit_matters ? 0 : s->gives_id ? 1 : (unsigned long)LONG_MAX + 1;
}

/**
 * chess_calls_init() - module init
 *
 * Context: process.
 */
void __init chess_calls_init(void)
{
	static const u16 exits[] __initconst = {
		__NR_mmap, __NR_munmap, __NR_mremap, __NR_mprotect, __NR_pkey_mprotect,
		__NR_madvise,
		__NR_clone, __NR_clone3, __NR_timer_create, __NR_timerfd_create,
		__NR_io_uring_setup, __NR_rt_sigprocmask, __NR_shmat,
		__NR_shmdt,
		/* they return processor time, see cputime.c */
		__NR_getrusage, __NR_wait4, __NR_waitid,
		/* they set and return policies, see sched_shown.c */
		__NR_sched_setscheduler, __NR_sched_getscheduler, __NR_sched_setattr,
		__NR_sched_getattr,
		/* see affinity.c */
		__NR_sched_getaffinity,
		/* timed, see deadline.c; pause stands for the sleeps */
		__NR_futex, __NR_futex_waitv, CHESS_NR_FUTEX_WAIT, __NR_pause, __NR_poll,
		__NR_ppoll, __NR_select, __NR_pselect6, __NR_epoll_wait, __NR_epoll_pwait,
		__NR_epoll_pwait2, __NR_rt_sigtimedwait, __NR_semtimedop, __NR_mq_timedsend,
		__NR_mq_timedreceive, __NR_recvmmsg, __NR_io_getevents, __NR_io_pgetevents,
		__NR_io_uring_enter, __NR_restart_syscall, __NR_connect, __NR_write,
		__NR_writev, __NR_sendto, __NR_sendmsg, __NR_sendmmsg, __NR_read, __NR_readv,
		__NR_recvfrom, __NR_recvmsg, __NR_accept, __NR_accept4,
	};
	/* A timerfd may be closed, see timer_table.c. */
	static const u16 closes[] __initconst = {
		__NR_close, __NR_close_range, __NR_dup2, __NR_dup3,
	};
	/* A file may end where it is mapped, see file_access.c. */
	static const u16 ends[] __initconst = {
		__NR_truncate, __NR_ftruncate, __NR_creat, __NR_open, __NR_openat, __NR_openat2,
	};
	static const u16 ids[] __initconst = {
		__NR_fork, __NR_vfork, __NR_clone, __NR_clone3, __NR_getpid, __NR_gettid,
		__NR_getppid, __NR_getpgrp, __NR_getpgid, __NR_getsid, __NR_setsid,
		__NR_set_tid_address, __NR_wait4, __NR_shmget, __NR_semget, __NR_msgget,
	};
	/* What affinity.c, clock.c, timer.c, random.c answer; the timed ones are above. */
	static const u16 answered[] __initconst = {
		__NR_clock_gettime, __NR_gettimeofday, __NR_time, __NR_alarm, __NR_getitimer,
		__NR_setitimer, __NR_timer_settime, __NR_timer_gettime, __NR_timer_getoverrun,
		__NR_timer_delete, __NR_timerfd_settime, __NR_timerfd_gettime, __NR_getrandom,
		__NR_nanosleep, __NR_clock_nanosleep, __NR_times, __NR_sched_setaffinity,
	};
	unsigned int i;

	BUILD_BUG_ON(ARRAY_SIZE(rows) > CHESS_CALLS);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		chess_calls[i] = rows[i];
	for (i = 0; i <= CHESS_CALLS; i++)
		if (!chess_calls[i].op)
			chess_calls[i] = (struct chess_call) {
				.op = CHESS_OP_OTHER, .flags = W | B,
			};
	for (i = 0; i < ARRAY_SIZE(exits); i++) {
		chess_calls[exits[i]].exit_matters = true;
		chess_calls[exits[i]].is_answered = true;
	}
	for (i = 0; i < ARRAY_SIZE(closes); i++)
		chess_calls[closes[i]].may_close = chess_calls[closes[i]].exit_matters = true;
	for (i = 0; i < ARRAY_SIZE(ends); i++)
		chess_calls[ends[i]].may_shorten = chess_calls[ends[i]].exit_matters = true;
	for (i = 0; i < ARRAY_SIZE(answered); i++)
		chess_calls[answered[i]].is_answered = true;
	for (i = 0; i < ARRAY_SIZE(ids); i++)
		chess_calls[ids[i]].gives_id = true;
	for (i = 0; i <= CHESS_CALLS; i++)
		derive(&chess_calls[i]);
	/* Skipped or answered calls, with -1 for a number, have no result to record. */
	chess_calls[CHESS_CALLS].plain_below = 0;
}

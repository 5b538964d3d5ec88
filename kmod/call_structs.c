// SPDX-License-Identifier: GPL-2.0-only
/*
 * Structures that a program gives to system calls, for the kernel to read or to fill in, as
 * accesses of the task that makes the call. As those of buffers (buffers.c) they lead to points at
 * accesses they are unordered with, and are not taken for races: a call may fail.
 *
 * Left out: names, whose length no argument says; what a structure has the address of; the memory
 * of another process.
 */
#include <linux/fcntl.h>
#include <linux/kernel.h>
#include <linux/msg.h>
#include <linux/nospec.h>
#include <linux/poll.h>
#include <linux/prctl.h>
#include <linux/resource.h>
#include <linux/sem.h>
#include <linux/shm.h>
#include <linux/signal.h>
#include <linux/socket.h>
#include <linux/statfs.h>
#include <linux/sysinfo.h>
#include <linux/timex.h>
#include <linux/uaccess.h>
#include <linux/utsname.h>
#include <uapi/linux/capability.h>
#include <uapi/linux/eventpoll.h>
#include <uapi/linux/mqueue.h>
#include <uapi/linux/sched/types.h>
#include <uapi/linux/stat.h>
#include <asm/ioctls.h>
#include <asm/shmbuf.h>
#include <asm/stat.h>
#include <asm/termios.h>
#include <asm/unistd.h>

#include "arch_x86.h"
#include "buffers.h"
#include "call_structs.h"
#include "chess.h"
#include "task.h"
#include "traps/access.h"

#define R	CHESS_ACCESS_MAY_READ
#define W	CHESS_ACCESS_MAY_WRITE

#define TIME_BYTES	sizeof(struct __kernel_timespec)
#define TIMER_BYTES	sizeof(struct __kernel_itimerspec)
#define SET_BYTES	sizeof(sigset_t)
/* Of a set; how many it really has only the kernel knows. */
#define SEMAPHORES	32

/*
 * How many bytes: @bytes; so many for each that argument @other counts; the length that it points
 * to; one bit for each it counts.
 */
enum size { FIXED, EACH, LENGTH, BITS };

struct use {
	u8 kind;
	u8 arg;
	u8 size;
	u8 other;
	u16 bytes;
};

#define IN(arg, bytes)			{ R, arg, FIXED, 0, bytes }
#define OUT(arg, bytes)			{ W, arg, FIXED, 0, bytes }
#define INS(arg, count, bytes)		{ R, arg, EACH, count, bytes }
#define OUTS(arg, count, bytes)		{ W, arg, EACH, count, bytes }
/* An address of a socket: there is a length for it, which becomes its own. */
#define OUT_LENGTH(arg, length)		{ W, arg, LENGTH, length }
#define FDS(arg)			{ W, arg, BITS, 0 }

#define USES	4

/* By call; what the kernel may change counts as written, whether it is read before or not. */
static const struct use uses[][USES] = {
	[__NR_stat]		= { OUT(1, sizeof(struct stat)) },
	[__NR_fstat]		= { OUT(1, sizeof(struct stat)) },
	[__NR_lstat]		= { OUT(1, sizeof(struct stat)) },
	[__NR_newfstatat]	= { OUT(2, sizeof(struct stat)) },
	[__NR_statx]		= { OUT(4, sizeof(struct statx)) },
	[__NR_statfs]		= { OUT(1, sizeof(struct statfs)) },
	[__NR_fstatfs]		= { OUT(1, sizeof(struct statfs)) },
	[__NR_name_to_handle_at] = { OUT(2, 2 * sizeof(u32)), OUT(3, sizeof(u32)) },
	[__NR_utimensat]	= { IN(2, 2 * TIME_BYTES) },
	[__NR_getxattr]		= { OUTS(2, 3, 1) },
	[__NR_lgetxattr]	= { OUTS(2, 3, 1) },
	[__NR_fgetxattr]	= { OUTS(2, 3, 1) },
	[__NR_setxattr]		= { INS(2, 3, 1) },
	[__NR_lsetxattr]	= { INS(2, 3, 1) },
	[__NR_fsetxattr]	= { INS(2, 3, 1) },
	[__NR_listxattr]	= { OUTS(1, 2, 1) },
	[__NR_llistxattr]	= { OUTS(1, 2, 1) },
	[__NR_flistxattr]	= { OUTS(1, 2, 1) },
	[__NR_sendfile]		= { OUT(2, sizeof(loff_t)) },
	[__NR_splice]		= { OUT(1, sizeof(loff_t)), OUT(3, sizeof(loff_t)) },
	[__NR_copy_file_range]	= { OUT(1, sizeof(loff_t)), OUT(3, sizeof(loff_t)) },

	[__NR_pipe]		= { OUT(0, 2 * sizeof(int)) },
	[__NR_pipe2]		= { OUT(0, 2 * sizeof(int)) },
	[__NR_socketpair]	= { OUT(3, 2 * sizeof(int)) },
	[__NR_poll]		= { OUTS(0, 1, sizeof(struct pollfd)) },
	[__NR_ppoll]		= { OUTS(0, 1, sizeof(struct pollfd)), OUT(2, TIME_BYTES) },
	[__NR_select]		= { FDS(1), FDS(2), FDS(3), OUT(4, TIME_BYTES) },
	[__NR_pselect6]		= { FDS(1), FDS(2), FDS(3), OUT(4, TIME_BYTES) },
	[__NR_epoll_ctl]	= { IN(3, sizeof(struct epoll_event)) },
	[__NR_epoll_wait]	= { OUTS(1, 2, sizeof(struct epoll_event)) },
	[__NR_epoll_pwait]	= { OUTS(1, 2, sizeof(struct epoll_event)) },
	[__NR_epoll_pwait2]	= { OUTS(1, 2, sizeof(struct epoll_event)) },
	[__NR_bind]		= { INS(1, 2, 1) },
	[__NR_connect]		= { INS(1, 2, 1) },
	[__NR_sendto]		= { INS(4, 5, 1) },
	[__NR_recvfrom]		= { OUT_LENGTH(4, 5), OUT(5, sizeof(u32)) },
	[__NR_accept]		= { OUT_LENGTH(1, 2), OUT(2, sizeof(u32)) },
	[__NR_accept4]		= { OUT_LENGTH(1, 2), OUT(2, sizeof(u32)) },
	[__NR_getsockname]	= { OUT_LENGTH(1, 2), OUT(2, sizeof(u32)) },
	[__NR_getpeername]	= { OUT_LENGTH(1, 2), OUT(2, sizeof(u32)) },
	[__NR_getsockopt]	= { OUT_LENGTH(3, 4), OUT(4, sizeof(u32)) },
	[__NR_setsockopt]	= { INS(3, 4, 1) },

	[__NR_semop]		= { INS(1, 2, sizeof(struct sembuf)) },
	[__NR_semtimedop]	= { INS(1, 2, sizeof(struct sembuf)), IN(3, TIME_BYTES) },
	[__NR_mq_open]		= { IN(3, sizeof(struct mq_attr)) },
	[__NR_mq_getsetattr]	= { IN(1, sizeof(struct mq_attr)), OUT(2, sizeof(struct mq_attr)) },
	[__NR_mq_timedreceive]	= { OUT(3, sizeof(u32)), IN(4, TIME_BYTES) },
	[__NR_mq_timedsend]	= { IN(4, TIME_BYTES) },

	[__NR_time]		= { OUT(0, sizeof(long)) },
	[__NR_times]		= { OUT(0, 4 * sizeof(long)) },
	[__NR_gettimeofday]	= { OUT(0, TIME_BYTES), OUT(1, 2 * sizeof(int)) },
	[__NR_clock_gettime]	= { OUT(1, TIME_BYTES) },
	[__NR_clock_getres]	= { OUT(1, TIME_BYTES) },
	[__NR_clock_settime]	= { IN(1, TIME_BYTES) },
	[__NR_nanosleep]	= { IN(0, TIME_BYTES), OUT(1, TIME_BYTES) },
	[__NR_clock_nanosleep]	= { IN(2, TIME_BYTES), OUT(3, TIME_BYTES) },
	[__NR_adjtimex]		= { OUT(0, sizeof(struct __kernel_timex)) },
	[__NR_clock_adjtime]	= { OUT(1, sizeof(struct __kernel_timex)) },
	[__NR_getitimer]	= { OUT(1, TIMER_BYTES) },
	[__NR_setitimer]	= { IN(1, TIMER_BYTES), OUT(2, TIMER_BYTES) },
	[__NR_timer_create]	= { IN(1, sizeof(struct sigevent)), OUT(2, sizeof(int)) },
	[__NR_timer_gettime]	= { OUT(1, TIMER_BYTES) },
	[__NR_timer_settime]	= { IN(2, TIMER_BYTES), OUT(3, TIMER_BYTES) },
	[__NR_timerfd_gettime]	= { OUT(1, TIMER_BYTES) },
	[__NR_timerfd_settime]	= { IN(2, TIMER_BYTES), OUT(3, TIMER_BYTES) },

	[__NR_rt_sigaction]	= { IN(1, sizeof(struct sigaction)),
				    OUT(2, sizeof(struct sigaction)) },
	[__NR_rt_sigprocmask]	= { IN(1, SET_BYTES), OUT(2, SET_BYTES) },
	[__NR_rt_sigpending]	= { OUT(0, SET_BYTES) },
	[__NR_rt_sigsuspend]	= { IN(0, SET_BYTES) },
	[__NR_rt_sigtimedwait]	= { IN(0, SET_BYTES), OUT(1, sizeof(siginfo_t)),
				    IN(2, TIME_BYTES) },
	[__NR_rt_sigqueueinfo]	= { IN(2, sizeof(siginfo_t)) },
	[__NR_sigaltstack]	= { IN(0, sizeof(stack_t)), OUT(1, sizeof(stack_t)) },
	[__NR_signalfd]		= { IN(1, SET_BYTES) },
	[__NR_signalfd4]	= { IN(1, SET_BYTES) },

	[__NR_wait4]		= { OUT(1, sizeof(int)), OUT(3, sizeof(struct rusage)) },
	[__NR_waitid]		= { OUT(2, sizeof(siginfo_t)), OUT(4, sizeof(struct rusage)) },
	[__NR_getrusage]	= { OUT(1, sizeof(struct rusage)) },
	[__NR_getrlimit]	= { OUT(1, sizeof(struct rlimit)) },
	[__NR_setrlimit]	= { IN(1, sizeof(struct rlimit)) },
	[__NR_prlimit64]	= { IN(2, sizeof(struct rlimit64)),
				    OUT(3, sizeof(struct rlimit64)) },
	[__NR_uname]		= { OUT(0, sizeof(struct new_utsname)) },
	[__NR_sysinfo]		= { OUT(0, sizeof(struct sysinfo)) },
	[__NR_getgroups]	= { OUTS(1, 0, sizeof(gid_t)) },
	[__NR_setgroups]	= { INS(1, 0, sizeof(gid_t)) },
	[__NR_getresuid]	= { OUT(0, sizeof(uid_t)), OUT(1, sizeof(uid_t)),
				    OUT(2, sizeof(uid_t)) },
	[__NR_getresgid]	= { OUT(0, sizeof(gid_t)), OUT(1, sizeof(gid_t)),
				    OUT(2, sizeof(gid_t)) },
	[__NR_capget]		= { OUT(1, 2 * sizeof(struct __user_cap_data_struct)) },
	[__NR_capset]		= { IN(1, 2 * sizeof(struct __user_cap_data_struct)) },
	[__NR_getcpu]		= { OUT(0, sizeof(u32)), OUT(1, sizeof(u32)) },
	[__NR_sched_getparam]	= { OUT(1, sizeof(int)) },
	[__NR_sched_setparam]	= { IN(1, sizeof(int)) },
	[__NR_sched_setscheduler] = { IN(2, sizeof(int)) },
	[__NR_sched_rr_get_interval] = { OUT(1, TIME_BYTES) },
	[__NR_sched_getaffinity] = { OUTS(2, 1, 1) },
	[__NR_sched_setaffinity] = { INS(2, 1, 1) },
	[__NR_sched_getattr]	= { OUTS(1, 2, 1) },
	[__NR_sched_setattr]	= { IN(1, SCHED_ATTR_SIZE_VER0) },
};

/*
 * By command. Those of ioctl() are the old ones, of terminals and sockets; others have the size in
 * their number.
 */
static const struct {
	u16 nr;
	u32 cmd;
	struct use use;
} commands[] = {
	{ __NR_ioctl, FIONREAD, OUT(2, sizeof(int)) },
	{ __NR_ioctl, TIOCOUTQ, OUT(2, sizeof(int)) },
	{ __NR_ioctl, TIOCGPGRP, OUT(2, sizeof(int)) },
	{ __NR_ioctl, TIOCGSID, OUT(2, sizeof(int)) },
	{ __NR_ioctl, FIONBIO, IN(2, sizeof(int)) },
	{ __NR_ioctl, FIOASYNC, IN(2, sizeof(int)) },
	{ __NR_ioctl, TIOCSPGRP, IN(2, sizeof(int)) },
	{ __NR_ioctl, TCGETS, OUT(2, sizeof(struct termios)) },
	{ __NR_ioctl, TCSETS, IN(2, sizeof(struct termios)) },
	{ __NR_ioctl, TCSETSW, IN(2, sizeof(struct termios)) },
	{ __NR_ioctl, TCSETSF, IN(2, sizeof(struct termios)) },
	{ __NR_ioctl, TIOCGWINSZ, OUT(2, sizeof(struct winsize)) },
	{ __NR_ioctl, TIOCSWINSZ, IN(2, sizeof(struct winsize)) },
	{ __NR_fcntl, F_GETLK, OUT(2, sizeof(struct flock)) },
	{ __NR_fcntl, F_OFD_GETLK, OUT(2, sizeof(struct flock)) },
	{ __NR_fcntl, F_SETLK, IN(2, sizeof(struct flock)) },
	{ __NR_fcntl, F_SETLKW, IN(2, sizeof(struct flock)) },
	{ __NR_fcntl, F_OFD_SETLK, IN(2, sizeof(struct flock)) },
	{ __NR_fcntl, F_OFD_SETLKW, IN(2, sizeof(struct flock)) },
	{ __NR_fcntl, F_GETOWN_EX, OUT(2, sizeof(struct f_owner_ex)) },
	{ __NR_fcntl, F_SETOWN_EX, IN(2, sizeof(struct f_owner_ex)) },
	{ __NR_semctl, IPC_STAT, OUT(3, sizeof(struct semid64_ds)) },
	{ __NR_semctl, IPC_SET, IN(3, sizeof(struct semid64_ds)) },
	{ __NR_semctl, GETALL, OUT(3, SEMAPHORES * sizeof(u16)) },
	{ __NR_semctl, SETALL, IN(3, SEMAPHORES * sizeof(u16)) },
	{ __NR_msgctl, IPC_STAT, OUT(2, sizeof(struct msqid64_ds)) },
	{ __NR_msgctl, IPC_SET, IN(2, sizeof(struct msqid64_ds)) },
	{ __NR_shmctl, IPC_STAT, OUT(2, sizeof(struct shmid64_ds)) },
	{ __NR_shmctl, IPC_SET, IN(2, sizeof(struct shmid64_ds)) },
	{ __NR_prctl, PR_GET_NAME, OUT(1, TASK_COMM_LEN) },
	{ __NR_prctl, PR_SET_NAME, IN(1, TASK_COMM_LEN) },
	{ __NR_prctl, PR_GET_PDEATHSIG, OUT(1, sizeof(int)) },
	{ __NR_prctl, PR_GET_CHILD_SUBREAPER, OUT(1, sizeof(int)) },
};

static u64 bytes_of(struct chess_task *t, const struct pt_regs *regs, const struct use *use)
{
	u64 other = chess_arch_syscall_arg(regs, use->other);
	u32 length;

	switch (use->size) {
	case EACH:
		return min_t(u64, other, CHESS_BUFFER_BYTES) * use->bytes;
	case BITS:
		other = min_t(u64, other, CHESS_BUFFER_BYTES);
		return DIV_ROUND_UP(other, BITS_PER_LONG) * sizeof(long);
	case LENGTH:
		if (!other)
			return 0;
		if (!copy_from_user_nofault(&length, (void __user *)other, sizeof(length)))
			return length;
		chess_access_missed(t);
		return 0;
	default:
		return use->bytes;
	}
}

static void access_struct(struct chess_task *t, const struct pt_regs *regs, const struct use *use)
{
	u64 at = chess_arch_syscall_arg(regs, use->arg);

	if (at)
		chess_buffers_bytes(t, regs, use->kind, at, bytes_of(t, regs, use));
}

/* The number of the argument that says what the structure is; negative: there is none. */
static int command_arg(long nr)
{
	switch (nr) {
	case __NR_prctl:
		return 0;
	case __NR_ioctl:
	case __NR_fcntl:
	case __NR_msgctl:
	case __NR_shmctl:
		return 1;
	case __NR_semctl:
		return 2;
	default:
		return -1;
	}
}

static void access_by_command(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	int arg = command_arg(nr);
	unsigned int cmd, i;

	if (arg < 0)
		return;
	cmd = chess_arch_syscall_arg(regs, arg);
	if (nr == __NR_semctl || nr == __NR_msgctl || nr == __NR_shmctl)
		cmd &= ~IPC_64;
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (commands[i].nr == nr && commands[i].cmd == cmd) {
			access_struct(t, regs, &commands[i].use);
			return;
		}
	if (nr == __NR_ioctl && _IOC_DIR(cmd))
		chess_buffers_bytes(t, regs, _IOC_DIR(cmd) & _IOC_READ ? W : R,
				    chess_arch_syscall_arg(regs, 2), _IOC_SIZE(cmd));
}

/**
 * chess_call_structs_access() - a call is about to be made: what it accesses is recorded
 * @t: the task, which is current and has the token
 * @regs: its user registers
 * @nr: number of the call
 *
 * Context: probe (sys_enter), accesses are recorded.
 */
void chess_call_structs_access(struct chess_task *t, const struct pt_regs *regs, long nr)
{
	unsigned int i;

	access_by_command(t, regs, nr);
	if ((unsigned long)nr >= ARRAY_SIZE(uses))
		return;
	nr = array_index_nospec(nr, ARRAY_SIZE(uses));
	for (i = 0; i < USES && uses[nr][i].kind; i++)
		access_struct(t, regs, &uses[nr][i]);
}

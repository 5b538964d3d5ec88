/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * What watch.bpf.c notes and libchessctl/live/watch.c reads: no ABI, see look.bpf.h. All
 * numbers of tasks are those of the first pid namespace; times are CLOCK_MONOTONIC.
 */
#ifndef CHESS_WATCH_BPF_H
#define CHESS_WATCH_BPF_H

#include <asm/unistd_64.h>
#include <linux/types.h>

#define CHESS_WATCH_TASKS	8192	/* noted at a time, most */
#define CHESS_WATCH_SUMS	16384	/* things waited on, most */

/* Instead of the number of a system call. */
#define CHESS_WATCH_NO_CALL	(-1)	/* a page fault, or a 32-bit program's call */
#define CHESS_WATCH_STOPPED	(-2)	/* by a signal or a debugger */

/* Calls whose first argument is the descriptor they wait on. */
static inline __attribute__((always_inline)) int chess_watch_takes_fd(long nr)
{
	switch (nr) {
	case __NR_read: case __NR_write: case __NR_readv: case __NR_writev:
	case __NR_accept: case __NR_accept4: case __NR_connect:
	case __NR_recvfrom: case __NR_recvmsg: case __NR_recvmmsg:
	case __NR_sendto: case __NR_sendmsg: case __NR_sendmmsg:
	case __NR_epoll_wait: case __NR_epoll_pwait: case __NR_epoll_pwait2:
	case __NR_flock: case __NR_fcntl: case __NR_fsync: case __NR_fdatasync:
	case __NR_mq_timedsend: case __NR_mq_timedreceive:
		return 1;
	}
	return 0;
}

/*
 * What a task waits on: a word of a process (futex), a descriptor, or just a call. The
 * inode tells a descriptor from the next one that gets its number.
 */
struct chess_watch_key {
	__u32 gtgid;
	__s32 nr;		/* system call, or CHESS_WATCH_* */
	__u64 word;		/* address of the futex; descriptor; 0 */
	__u64 ino;		/* of a descriptor; 0 */
};

/* Written by several processors at once: the longest may be lost to one a little shorter. */
struct chess_watch_sum {
	__u64 waits, wait_ns, longest_ns;
	/*
	 * A futex handed over: a task woke one that waited for the word, which was later the
	 * one to wake the next. The time between is that it had what the word stands for.
	 */
	__u64 holds, hold_ns, longest_hold_ns;
	__u64 held_since;
	__u32 holder;		/* the last that was woken */
	__u32 pad;
};

#define CHESS_WATCH_FOLLOW	1	/* its children too */

struct chess_watch_task {
	__u32 gtgid, flags;
	__u64 since;		/* it blocked; 0: it was woken since, or was not seen to block */
	struct chess_watch_key key;	/* what it waits on, or did last */
	__u64 waits, wait_ns, longest_ns;
	__u64 woken;		/* when last; 0: not seen */
	__u32 waker;
	__u32 interrupt;	/* CHESS_LOOK_HARDIRQ, ...: the waker is who ran by chance */
	char waker_comm[16];
};

/* What found no room. */
struct chess_watch_lost {
	__u64 tasks, sums;
};

#endif /* CHESS_WATCH_BPF_H */

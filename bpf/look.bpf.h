/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * What look.bpf.c, files.bpf.c and name.bpf.c write and libchessctl/wait/look.c reads.
 * Both are built together, so nothing here is an ABI; all types have the same size on
 * both sides.
 *
 * An object is known by its address in the kernel: two descriptors with the same
 * one are ends of the same thing. The address is a number to compare, no more.
 *
 * Numbers of tasks are those of the pid namespace of who reads; a name with a g
 * in front is the number in the first namespace, which no reader's namespace
 * changes. 0: has none in the reader's.
 */
#ifndef CHESS_LOOK_BPF_H
#define CHESS_LOOK_BPF_H

#include <linux/types.h>

#define CHESS_LOOK_STACK	24	/* kernel addresses of a task */
#define CHESS_LOOK_WANTED	8192	/* tasks asked for, most */
#define CHESS_LOOK_CHILDREN	4096	/* children counted of a task, most */
#define CHESS_LOOK_LOCKS	96	/* locks of one kind on an inode, and waiters of a lock */
#define CHESS_LOOK_MEMBERS	512	/* members of an epoll set */
#define CHESS_LOOK_SKBS		256	/* packets whose lengths are added up */
#define CHESS_LOOK_IPC		4096	/* must be a power of two */

/*
 * Who woke a task last. In a hard interrupt the waker is who happened to run. In a
 * softirq it may be that, or who sent a packet to a socket of this machine: its own
 * softirq delivers it.
 */
#define CHESS_LOOK_HARDIRQ	1
#define CHESS_LOOK_SOFTIRQ	2

struct chess_look_waker {
	__u64 time;		/* CLOCK_MONOTONIC; 0: not seen */
	__u32 gtid;
	__u32 tid;		/* 0: not a task of the snapshot, or of another namespace */
	__u32 interrupt;	/* CHESS_LOOK_HARDIRQ, CHESS_LOOK_SOFTIRQ, 0 */
	__u32 pad;
	char comm[16];
};

#define CHESS_LOOK_TASK_REGS	1	/* has user registers; else nr is -1 */
#define CHESS_LOOK_TASK_COMPAT	2	/* in a 32-bit system call: nr is of that table */
#define CHESS_LOOK_TASK_LOST	4	/* more children than were counted */
#define CHESS_LOOK_TASK_INITNS	8	/* the reader is in the first pid namespace */
#define CHESS_LOOK_TASK_RUNS	16	/* on a processor, maybe on its way to sleep: no stack */

struct chess_look_task {
	__u32 tid, tgid, gtid, gtgid;
	__u32 state;		/* bits as in task_struct: 1 sleeps interruptibly, 2 not; 0 runs */
	__u32 exit_state;
	__s32 nr;		/* system call, -1: in none */
	__u32 flags;
	__u64 args[6];
	__u64 ip, sp;		/* of user mode */
	__u64 bx, bp, r12, r13, r14, r15;	/* what a function leaves as it was: to unwind */
	__u64 pending, shared_pending, blocked;	/* bit n-1 is signal n */
	__u32 children;		/* of this task, not of its siblings in the process */
	__u32 children_outside;	/* of these alive and not asked for */
	__u32 children_dead;	/* of these waiting to be reaped */
	__u32 n_stack;
	__u64 files;		/* which table of descriptors */
	__u64 ipc_ns;
	char comm[16];
	struct chess_look_waker waker;
	__u64 stack[CHESS_LOOK_STACK];
};

/* Functions of the kernel: "NAME+0xOFFSET/0xSIZE", cut off where that is longer. */
#define CHESS_LOOK_NAME		80

struct chess_look_names {
	__u64 address[CHESS_LOOK_STACK];
	char name[CHESS_LOOK_STACK][CHESS_LOOK_NAME];
};

/* What begins each record of the iterator over files. */
enum chess_look_type {
	CHESS_LOOK_FILE = 1,
	CHESS_LOOK_LOCK,
	CHESS_LOOK_MEMBER,
	CHESS_LOOK_MQ_WAIT,
	CHESS_LOOK_LOST,	/* as member: something of this object was left out */
};

/*
 * One row for each kind of open file: KIND, the word that reports have for it, and the name of
 * its anonymous inode, as readlink(/proc/PID/fd/N) shows it. Without such a name classify() in
 * kind.bpf.h recognises it. What is read of a kind is a member of chess_look_file.
 */
#define CHESS_LOOK_KINDS(ROW) \
	ROW(OTHER, "file", "")		/* only ever as a member of an epoll set */ \
	ROW(PIPE, "pipe", "") \
	ROW(UNIX, "unix socket", "") \
	ROW(SOCKET, "socket", "") \
	ROW(EVENTFD, "eventfd", "[eventfd]") \
	ROW(EPOLL, "epoll set", "[eventpoll]") \
	ROW(TIMERFD, "timerfd", "[timerfd]") \
	ROW(SIGNALFD, "signalfd", "[signalfd]") \
	ROW(PIDFD, "pidfd", "[pidfd]") \
	ROW(LOCKED, "file", "")		/* with locks, or with somebody waiting for one */ \
	ROW(MQUEUE, "message queue", "")

#define CHESS_LOOK_NUMBER(KIND, ...) CHESS_LOOK_##KIND,
enum chess_look_kind { CHESS_LOOK_KINDS(CHESS_LOOK_NUMBER) };
#undef CHESS_LOOK_NUMBER

#define CHESS_LOOK_READ		1
#define CHESS_LOOK_WRITE	2

struct chess_look_file {
	__u32 type;		/* CHESS_LOOK_FILE */
	__u32 kind;
	__u32 tid, tgid, gtgid;	/* tid: of one task that uses this table */
	__s32 fd;
	__u32 mode;		/* CHESS_LOOK_READ, CHESS_LOOK_WRITE */
	__u32 flags;		/* of open() */
	__u64 files;		/* the table, see chess_look_task */
	__u64 file;		/* the open file description */
	__u64 object;
	__u64 ino;
	__u32 major, minor;	/* of the file system; stat() of some say another */
	char comm[16];
	union {
		struct {
			__u32 head, tail, max_usage, readers, writers;
		} pipe;
		struct {
			__u64 peer;	/* of a unix socket: its object, 0: none */
			__u32 netns;
			__u16 family, type;
			__u16 protocol, state;
			__u32 shutdown;
			__u32 queued;		/* packets that wait to be received */
			__u32 queued_bytes;
			__u32 backlog;		/* connections that wait for accept() */
			__u32 sending, sndbuf;	/* bytes on their way, and most */
			/* IPv4 as ::ffff:a.b.c.d; ports in the host's order. */
			__u16 port, peer_port;
			__u8 address[16], peer_address[16];
		} sock;
		struct {
			__u64 count;
			__u32 id;
			__u32 semaphore;
		} eventfd;
		struct {
			__u64 ticks;
			__u32 clock;
			__u32 armed;
		} timerfd;
		struct {
			__u64 signals;	/* bit n-1 is signal n */
		} signalfd;
		struct {
			__u32 tid, gtid;	/* 0: reaped */
		} pidfd;
		struct {
			__u64 messages, most;
		} mqueue;
	};
};

#define CHESS_LOOK_POSIX	1
#define CHESS_LOOK_FLOCK	2
#define CHESS_LOOK_OFD		3

struct chess_look_lock {
	__u32 type;		/* CHESS_LOOK_LOCK */
	__u32 kind;		/* CHESS_LOOK_POSIX, ... */
	__u32 write;
	__u32 waiting;		/* asked for and not got */
	__u64 id;
	__u64 inode;		/* the object of the files it is on */
	__u64 file;		/* the open file description it was asked through */
	__u64 owner;		/* locks of one owner never conflict */
	__u64 blocker;		/* id of the lock, or of the request, it waits for */
	__s64 start, end;	/* both included */
	__u32 gtgid;		/* process that asked for it; it may be gone */
	__u32 tgid;		/* 0: gone, or of another namespace */
	__u32 tid, pad;		/* the task that waits */
};

struct chess_look_member {
	__u32 type;		/* CHESS_LOOK_MEMBER */
	__u32 kind;		/* of what is watched */
	__u64 epoll;		/* object of the set */
	__u64 object;		/* of what is watched */
	__u64 file;
	__s32 fd;		/* as it was at EPOLL_CTL_ADD */
	__u32 events;
};

struct chess_look_mq_wait {
	__u32 type;		/* CHESS_LOOK_MQ_WAIT */
	__u32 sends;		/* waits to send, not to receive */
	__u64 object;
	__u32 tid, gtid;
};

enum chess_look_ipc_type {
	CHESS_LOOK_SEM = 1,	/* one semaphore */
	CHESS_LOOK_SEM_WAIT,	/* a task waiting for a set */
	CHESS_LOOK_MSG,		/* one message queue */
	CHESS_LOOK_MSG_RECEIVER,
	CHESS_LOOK_MSG_SENDER,
};

struct chess_look_ipc {
	__u32 type;
	__s32 id, key;
	__u32 num;		/* semaphore; of a wait the one that blocks */
	__u64 ns;		/* the namespace, see chess_look_task */
	union {
		struct {
			__s32 value;
			__u32 last;	/* process of the last operation, 0: none that is there */
		} sem;
		struct {
			__u32 tid, gtid;
			__s32 op;	/* of the operation that blocks */
			__u32 nsops, alter;
		} sem_wait;
		struct {
			__u64 messages, bytes, most_bytes;
			__u32 last_sender, last_receiver;
		} msg;
		struct {
			__u32 tid, gtid;
			__s64 what;	/* of a receiver its msgtyp, of a sender its size */
		} msg_wait;
	};
};

struct chess_look_ipc_table {
	__u32 n;
	__u32 lost;
	__u64 ns[8];		/* namespaces that were walked */
	struct chess_look_ipc rec[CHESS_LOOK_IPC];
};

#endif /* CHESS_LOOK_BPF_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is in an open file, by its kind: the kernel's structure, and what is read from it for
 * chess_look_file. files.bpf.c calls fill_contents() for each file. Sockets have socket.bpf.h.
 */
#ifndef CHESS_CONTENTS_BPF_H
#define CHESS_CONTENTS_BPF_H

#include "kind.bpf.h"
#include "socket.bpf.h"

#define CLOCK_REALTIME_ALARM	8
#define CLOCK_BOOTTIME_ALARM	9

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct pipe_inode_info {
	unsigned int head;
	unsigned int tail;
	unsigned int max_usage;
	unsigned int readers;
	unsigned int writers;
};

struct eventfd_ctx {
	__u64 count;
	unsigned int flags;
	int id;
};

struct hrtimer {
	__u8 state;
};

struct alarm {
	int state;
};

struct timerfd_ctx {
	union {
		struct hrtimer tmr;
		struct alarm alarm;
	} t;
	__u64 ticks;
	int clockid;
};

/* As 7.2 has it. */
struct hrtimer___queued {
	bool is_queued;
};

struct timerfd_ctx___queued {
	union {
		struct hrtimer___queued tmr;
	} t;
};

struct signalfd_ctx {
	struct {
		unsigned long sig[1];
	} sigmask;
};

#pragma clang attribute pop

static __always_inline __u32 timer_armed(struct timerfd_ctx *t, __u32 clock)
{
	if (clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM)
		return BPF_CORE_READ(t, t.alarm.state) & 1;
	if (bpf_core_field_exists(t->t.tmr.state))
		return BPF_CORE_READ(t, t.tmr.state) & 1;
	return BPF_CORE_READ((struct timerfd_ctx___queued *)t, t.tmr.is_queued);
}

static __always_inline void fill_pipe(struct chess_look_file *f, struct pipe_inode_info *p)
{
	f->pipe.head = BPF_CORE_READ(p, head);
	f->pipe.tail = BPF_CORE_READ(p, tail);
	f->pipe.max_usage = BPF_CORE_READ(p, max_usage);
	f->pipe.readers = BPF_CORE_READ(p, readers);
	f->pipe.writers = BPF_CORE_READ(p, writers);
}

/* @object: what the file stands for, see classify() */
static __always_inline void fill_contents(struct chess_look_file *f, void *object)
{
	switch (f->kind) {
	case CHESS_LOOK_PIPE:
		fill_pipe(f, object);
		break;
	case CHESS_LOOK_UNIX:
	case CHESS_LOOK_SOCKET:
		fill_socket(f, object);
		break;
	case CHESS_LOOK_EVENTFD: {
		struct eventfd_ctx *e = object;

		f->eventfd.count = BPF_CORE_READ(e, count);
		f->eventfd.id = BPF_CORE_READ(e, id);
		f->eventfd.semaphore = BPF_CORE_READ(e, flags) & 1;
		break;
	}
	case CHESS_LOOK_TIMERFD: {
		struct timerfd_ctx *t = object;

		f->timerfd.ticks = BPF_CORE_READ(t, ticks);
		f->timerfd.clock = BPF_CORE_READ(t, clockid);
		f->timerfd.armed = timer_armed(t, f->timerfd.clock);
		break;
	}
	case CHESS_LOOK_SIGNALFD: {
		struct signalfd_ctx *s = object;

		/* The kernel keeps what is not in the set. */
		f->signalfd.signals = ~BPF_CORE_READ(s, sigmask.sig[0]);
		break;
	}
	case CHESS_LOOK_PIDFD: {
		struct upid *up = object + bpf_core_field_offset(struct pid, numbers);

		f->pidfd.tid = number(object);
		f->pidfd.gtid = BPF_CORE_READ(up, nr);
		break;
	}
	case CHESS_LOOK_MQUEUE: {
		struct mqueue_inode_info *mq = object - bpf_core_field_offset(*mq, vfs_inode);

		f->mqueue.messages = BPF_CORE_READ(mq, attr.mq_curmsgs);
		f->mqueue.most = BPF_CORE_READ(mq, attr.mq_maxmsg);
		break;
	}
	}
}

#endif /* CHESS_CONTENTS_BPF_H */

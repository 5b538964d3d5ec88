// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which call a blocked task is in, and how each call waits; what is not in the table
 * counts as ended from outside. See wait_inquiry.h.
 */
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>

#include "internal.h"
#include "wait/outside.h"
#include "wait/proc.h"
#include "wait/wait_inquiry.h"

/* A task that was seen blocked but whose call cannot be read is about to sleep. */
#define TRIES		20

static bool wait_child(struct wait_inquiry *q)
{
	/* waitid names a child in its second argument, wait4 in its first. */
	pid_t named = q->nr == SYS_waitid ? (pid_t)q->arg[1] : (pid_t)q->arg[0];
	const struct chess_task_info *child = chess_wait_named_task(q, named);
	size_t i;

	chess_wait_say(q, "%s", chess_syscall_name(q->nr));
	if (child)
		chess_wait_say(q, " for T%d", child->id);
	/* A child that still has a thread is not over. */
	for (i = 0; i < q->n_tasks; i++)
		if (child ? q->tgids[i] == q->tgids[child - q->tasks] :
			    chess_proc_parent(q->tgids[i]) == q->tgid)
			chess_wait_add_holder(q, i, CHESS_HOLD_IS, CHESS_OBJECT_TASK,
					      q->tasks[i].id);
	return chess_outside_has_child(&q->in, q->tgid);
}

/* The child that was made by vfork() is of the group, as all children are. */
static bool wait_vfork(struct wait_inquiry *q)
{
	chess_wait_say(q, "%s until the child executes or ends", chess_syscall_name(q->nr));
	return false;
}

static bool wait_signal(struct wait_inquiry *q)
{
	chess_wait_say(q, "%s", chess_syscall_name(q->nr));
	return q->nr == SYS_rt_sigtimedwait && q->arg[2];
}

static const struct {
	long nr;
	bool (*inquire)(struct wait_inquiry *q);
} calls[] = {
	{ SYS_futex, chess_wait_futex },
	{ SYS_open, chess_wait_open }, { SYS_openat, chess_wait_open },
	{ SYS_accept, chess_wait_accept }, { SYS_accept4, chess_wait_accept },
	{ SYS_read, chess_wait_read }, { SYS_readv, chess_wait_read },
	{ SYS_preadv, chess_wait_read }, { SYS_preadv2, chess_wait_read },
	{ SYS_recvfrom, chess_wait_read }, { SYS_recvmsg, chess_wait_read },
	{ SYS_write, chess_wait_write }, { SYS_writev, chess_wait_write },
	{ SYS_pwritev, chess_wait_write }, { SYS_pwritev2, chess_wait_write },
	{ SYS_sendto, chess_wait_write }, { SYS_sendmsg, chess_wait_write },
	{ SYS_poll, chess_wait_poll }, { SYS_ppoll, chess_wait_poll },
	{ SYS_select, chess_wait_select }, { SYS_pselect6, chess_wait_select },
	{ SYS_epoll_wait, chess_wait_epoll }, { SYS_epoll_pwait, chess_wait_epoll },
	{ SYS_epoll_pwait2, chess_wait_epoll },
	{ SYS_flock, chess_wait_flock }, { SYS_fcntl, chess_wait_fcntl },
	{ SYS_wait4, wait_child }, { SYS_waitid, wait_child },
	{ SYS_pause, wait_signal }, { SYS_rt_sigsuspend, wait_signal },
	{ SYS_rt_sigtimedwait, wait_signal },
	{ SYS_semop, chess_wait_ipc }, { SYS_semtimedop, chess_wait_ipc },
	{ SYS_msgrcv, chess_wait_ipc }, { SYS_msgsnd, chess_wait_ipc },
	{ SYS_mq_timedreceive, chess_wait_queue }, { SYS_mq_timedsend, chess_wait_queue },
	{ SYS_vfork, wait_vfork }, { SYS_clone, wait_vfork }, { SYS_clone3, wait_vfork },
};

/* Which call the task is in. Return: false where it is in none, or hidden. */
static bool read_call(struct wait_inquiry *q)
{
	struct timespec nap = { .tv_nsec = 500000 };
	char text[256];
	int try, n;

	for (try = 0; try < TRIES; try++) {
		if (chess_proc_read(q->task->pid, "syscall", text, sizeof(text)) <= 0)
			return false;
		n = sscanf(text, "%ld %lx %lx %lx %lx %lx %lx", &q->nr, &q->arg[0], &q->arg[1],
			   &q->arg[2], &q->arg[3], &q->arg[4], &q->arg[5]);
		if (n == 7)
			return q->nr >= 0;
		if (n == 1)
			return false;
		nanosleep(&nap, NULL);
	}
	return false;
}

/*
 * A handler that ran while the task waited may have had accesses that were points; the task
 * is back in the call that it was in before them.
 */
static void skip_accesses(struct wait_inquiry *q)
{
	const struct chess_event *e = q->point;

	while (e && chess_event_is_access(e))
		e = chess_record_last_point(q->record, e->seq - 1, q->task->id);
	if (!e || !(e->flags & CHESS_OPF_MAY_BLOCK))
		return;
	if (e->flags & CHESS_OPF_PROBE ? q->nr == SYS_futex : e->nr == q->nr)
		q->point = e;
}

bool chess_wait_call(struct wait_inquiry *q)
{
	char state = chess_proc_state(q->task->pid);
	size_t i;

	if (state == 'T' || state == 't') {
		chess_wait_say(q, state == 'T' ? "stopped by a signal" : "stopped by a debugger");
		return true;
	}
	if (!read_call(q)) {
		chess_wait_say(q, "the kernel, in no system call");
		return true;
	}
	skip_accesses(q);
	if (q->timed && q->nr == SYS_pause && q->point && !(q->point->flags & CHESS_OPF_PROBE))
		q->nr = q->point->nr;
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		if (calls[i].nr == q->nr)
			return calls[i].inquire(q);
	chess_wait_say(q, "%s", chess_syscall_name(q->nr));
	return true;
}

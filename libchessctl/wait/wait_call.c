// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which call a blocked task is in, and how each call waits; what is not in the table
 * counts as ended from outside. See wait_look.h.
 */
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>

#include "internal.h"
#include "wait/outside.h"
#include "wait/proc.h"
#include "wait/wait_look.h"

/* A task that was seen blocked but whose call cannot be read is about to sleep. */
#define TRIES		20

static bool wait_child(struct wait_look *l)
{
	/* waitid names a child in its second argument, wait4 in its first. */
	pid_t named = l->nr == SYS_waitid ? (pid_t)l->arg[1] : (pid_t)l->arg[0];
	const struct chess_task_info *child = chess_wait_named_task(l, named);
	size_t i;

	chess_wait_say(l, "%s", chess_syscall_name(l->nr));
	if (child)
		chess_wait_say(l, " for T%d", child->id);
	/* A child that still has a thread is not over. */
	for (i = 0; i < l->n_tasks; i++)
		if (child ? l->tgids[i] == l->tgids[child - l->tasks] :
			    chess_proc_parent(l->tgids[i]) == l->tgid)
			chess_wait_add_holder(l, i, CHESS_HOLD_IS, CHESS_OBJECT_TASK,
					      l->tasks[i].id);
	return chess_outside_has_child(&l->in, l->tgid);
}

/* The child that was made by vfork() is of the group, as all children are. */
static bool wait_vfork(struct wait_look *l)
{
	chess_wait_say(l, "%s until the child executes or ends", chess_syscall_name(l->nr));
	return false;
}

static bool wait_signal(struct wait_look *l)
{
	chess_wait_say(l, "%s", chess_syscall_name(l->nr));
	return l->nr == SYS_rt_sigtimedwait && l->arg[2];
}

static const struct {
	long nr;
	bool (*look)(struct wait_look *l);
} calls[] = {
	{ SYS_futex, chess_wait_futex },
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
static bool read_call(struct wait_look *l)
{
	struct timespec nap = { .tv_nsec = 500000 };
	char text[256];
	int try, n;

	for (try = 0; try < TRIES; try++) {
		if (chess_proc_read(l->task->pid, "syscall", text, sizeof(text)) <= 0)
			return false;
		n = sscanf(text, "%ld %lx %lx %lx %lx %lx %lx", &l->nr, &l->arg[0], &l->arg[1],
			   &l->arg[2], &l->arg[3], &l->arg[4], &l->arg[5]);
		if (n == 7)
			return l->nr >= 0;
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
static void skip_accesses(struct wait_look *l)
{
	const struct chess_event *e = l->point;

	while (e && chess_event_is_access(e))
		e = chess_record_last_point(l->record, e->seq - 1, l->task->id);
	if (!e || !(e->flags & CHESS_OPF_MAY_BLOCK))
		return;
	if (e->flags & CHESS_OPF_PROBE ? l->nr == SYS_futex : e->nr == l->nr)
		l->point = e;
}

bool chess_wait_call(struct wait_look *l)
{
	char state = chess_proc_state(l->task->pid);
	size_t i;

	if (state == 'T' || state == 't') {
		chess_wait_say(l, state == 'T' ? "stopped by a signal" : "stopped by a debugger");
		return true;
	}
	if (!read_call(l)) {
		chess_wait_say(l, "the kernel, in no system call");
		return true;
	}
	skip_accesses(l);
	if (l->timed && l->nr == SYS_pause && l->point && !(l->point->flags & CHESS_OPF_PROBE))
		l->nr = l->point->nr;
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		if (calls[i].nr == l->nr)
			return calls[i].look(l);
	chess_wait_say(l, "%s", chess_syscall_name(l->nr));
	return true;
}

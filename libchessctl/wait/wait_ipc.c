// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waits in System V objects and message queues. See wait_inquiry.h.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "wait/outside.h"
#include "wait/wait_inquiry.h"

/* Are its System V objects and message queues those of its own run? */
static bool has_own_ipc(const struct wait_inquiry *q)
{
	char name[64], theirs[64], ours[64];
	ssize_t n, m;

	snprintf(name, sizeof(name), "/proc/%d/ns/ipc", q->task->pid);
	n = readlink(name, theirs, sizeof(theirs));
	m = readlink("/proc/self/ns/ipc", ours, sizeof(ours));
	return n > 0 && m > 0 && (n != m || memcmp(theirs, ours, n));
}

bool chess_wait_ipc(struct wait_inquiry *q)
{
	chess_wait_say(q, "%s %d", chess_syscall_name(q->nr), (int)q->arg[0]);
	if (q->point)
		chess_wait_add_process(q, 0, q->point->object_kind, q->point->object);
	return !has_own_ipc(q) || (q->nr == SYS_semtimedop && q->arg[3]);
}

bool chess_wait_queue(struct wait_inquiry *q)
{
	char link[PATH_MAX];
	struct stat st;

	chess_wait_say(q, "%s", chess_syscall_name(q->nr));
	if (!chess_wait_say_fd(q, q->arg[0], link, &st))
		return true;
	chess_wait_add_openers(q, st.st_dev, st.st_ino, CHESS_OUTSIDE_ANY);
	return q->arg[4] || !has_own_ipc(q) ||
	       chess_outside_has_open(&q->in, st.st_dev, st.st_ino, CHESS_OUTSIDE_ANY);
}

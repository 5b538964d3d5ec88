// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waits in System V objects and message queues. See wait_look.h.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "wait/outside.h"
#include "wait/wait_look.h"

/* Are its System V objects and message queues those of its own run? */
static bool has_own_ipc(const struct wait_look *l)
{
	char name[64], theirs[64], ours[64];
	ssize_t n, m;

	snprintf(name, sizeof(name), "/proc/%d/ns/ipc", l->task->pid);
	n = readlink(name, theirs, sizeof(theirs));
	m = readlink("/proc/self/ns/ipc", ours, sizeof(ours));
	return n > 0 && m > 0 && (n != m || memcmp(theirs, ours, n));
}

bool chess_wait_ipc(struct wait_look *l)
{
	chess_wait_say(l, "%s %d", chess_syscall_name(l->nr), (int)l->arg[0]);
	if (l->point)
		chess_wait_add_process(l, 0, l->point->object_kind, l->point->object);
	return !has_own_ipc(l) || (l->nr == SYS_semtimedop && l->arg[3]);
}

bool chess_wait_queue(struct wait_look *l)
{
	char link[PATH_MAX];
	struct stat st;

	chess_wait_say(l, "%s", chess_syscall_name(l->nr));
	if (!chess_wait_say_fd(l, l->arg[0], link, &st))
		return true;
	chess_wait_add_openers(l, st.st_dev, st.st_ino, CHESS_OUTSIDE_ANY);
	return l->arg[4] || !has_own_ipc(l) ||
	       chess_outside_holds(&l->in, st.st_dev, st.st_ino, CHESS_OUTSIDE_ANY);
}

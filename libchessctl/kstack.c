// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The kernel stacks of blocked tasks, as names of functions: the function the task
 * sleeps in, who called it, and so on. What a task waits for is clear from its call; how
 * the kernel came to let it sleep there is seen here.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "kstack.h"
#include "look.h"

#define FUNCTIONS_MAX	5

/* "pipe_read,vfs_read,ksys_read" to *@text; NULL when the kernel tells no names. */
static int describe(const struct chess_look_task *t, char **text)
{
	const char *sleeps_in = chess_ksym_wchan(t), *name;
	char all[512] = "";
	unsigned int i, n = 0;

	*text = NULL;
	if (!sleeps_in)
		return 0;
	for (i = 0; i < t->n_stack && n < FUNCTIONS_MAX; i++) {
		name = chess_ksym(t->stack[i], NULL);
		/* The scheduler's own are the same everywhere, and so is the entry. */
		if (!name || (!n && strcmp(name, sleeps_in)))
			continue;
		if (!strncmp(name, "do_syscall_", 11) || !strcmp(name, "x64_sys_call"))
			break;
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", n++ ? "," : "",
			 name);
	}
	if (!n)
		return 0;
	*text = strdup(all);
	return *text ? 0 : chess_set_error(ENOMEM, "no memory for a kernel stack");
}

int chess_waits_add_stacks(struct chess_look *l, struct chess_wait *waits, size_t n)
{
	pid_t *tids = calloc(n ? n : 1, sizeof(*tids));
	struct chess_snapshot *s;
	size_t i;
	int ret;

	if (!tids)
		return chess_set_error(ENOMEM, "no memory for a list of tasks");
	for (i = 0; i < n; i++)
		tids[i] = waits[i].pid;
	ret = chess_look_take(l, tids, n, &s);
	free(tids);
	if (ret)
		return ret;
	for (i = 0; i < n && !ret; i++) {
		const struct chess_look_task *t = chess_snapshot_task(s, waits[i].pid);

		if (t && t->state && !(t->flags & CHESS_LOOK_TASK_RUNS) && !waits[i].kernel)
			ret = describe(t, &waits[i].kernel);
	}
	chess_snapshot_free(s);
	return ret;
}

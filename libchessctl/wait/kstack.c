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

#include "wait/inside.h"
#include "internal.h"

#define FUNCTIONS_MAX	5

int chess_kstack_text(const struct chess_look_task *t, char **text)
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

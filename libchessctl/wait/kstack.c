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
#include <time.h>

#include "wait/inside.h"
#include "internal.h"
#include "wait/proc.h"

#define FUNCTIONS_MAX	5
/* So often it is asked where a task sleeps, with a pause of this many nanoseconds in between. */
#define TRIES		40
#define PAUSE_NS	500000

/*
 * The function that the task sleeps in, past those of the scheduler. The kernel says "0" as long
 * as the task is in a run queue; there it stays for a moment when it goes to sleep (Linux 6.12
 * leaves it there until it would have its turn), longer on a busy machine. Return: false where it
 * is not known.
 */
static bool read_where_it_sleeps(const struct chess_look_task *t, char *name, size_t size)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	int try;

	for (try = 0; try < TRIES; try++) {
		if (chess_proc_read(t->tid, "wchan", name, size) <= 0)
			return false;
		if (strcmp(name, "0"))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

int chess_kstack_text(struct chess_look *l, const struct chess_look_task *t, char **text)
{
	struct chess_look_names names;
	char all[512] = "", sleeps_in[128], *name;
	unsigned int i, n = 0;
	int ret;

	*text = NULL;
	/*
	 * Which functions are the scheduler's own is known to the kernel only. If the task went
	 * elsewhere after its stack was read, this is on it no more, and nothing is said.
	 */
	if (!read_where_it_sleeps(t, sleeps_in, sizeof(sleeps_in)))
		return 0;
	ret = chess_look_names(l, t, &names);
	if (ret)
		return ret;
	for (i = 0; i < t->n_stack && n < FUNCTIONS_MAX; i++) {
		name = names.name[i];
		name[strcspn(name, "+ ")] = '\0';
		if (!n && strcmp(name, sleeps_in))
			continue;
		/* The entry is the same everywhere. */
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

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See frames.h. A task is at a point with its stack pointer above where it was at the one
 * before (CHESS_TOLD_POPPED): the functions in between have returned. An access that another task
 * makes there, and that nothing puts in order with this, may come later, when other functions have
 * their frames there. run_races.c takes it for a point.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "race/access_list.h"
#include "race/frames.h"
#include "race/sync.h"

/* Where the stack of a task has been, as far as it was seen to shrink. */
struct stack {
	uint64_t low, high;
};

static void find_stacks(const struct chess_run_result *run, struct stack *s, size_t tasks)
{
	size_t i;

	for (i = 0; i < run->n_accesses; i++) {
		const struct chess_access *a = &run->accesses[i];

		if (!chess_access_tells(a, CHESS_TOLD_POPPED) || a->task >= tasks)
			continue;
		if (!s[a->task].high || a->address < s[a->task].low)
			s[a->task].low = a->address;
		if (a->ip > s[a->task].high)
			s[a->task].high = a->ip;
	}
}

static bool is_in_others(const struct stack *s, size_t tasks, const struct chess_access *a)
{
	size_t i;

	for (i = 0; i < tasks; i++)
		if (i != a->task && a->address < s[i].high && a->address + a->size > s[i].low)
			return true;
	return false;
}

static bool is_access(uint8_t kind)
{
	return kind & (CHESS_ACCESS_READ | CHESS_ACCESS_WRITE) &&
	       !(kind & (CHESS_ACCESS_TOLD | CHESS_ACCESS_FRESH | CHESS_ACCESS_ALLOCATED));
}

static bool any_in_others(const struct chess_run_result *run, const struct stack *s, size_t tasks)
{
	size_t i;

	for (i = 0; i < run->n_accesses; i++)
		if (is_access(run->accesses[i].kind) && is_in_others(s, tasks, &run->accesses[i]))
			return true;
	return false;
}

int chess_frames_find(const struct chess_run_result *run,
		      uint8_t (*kind)(void *arg, const struct chess_access *a), void *arg,
		      struct chess_access **out, size_t *n)
{
	size_t tasks = chess_record_tasks(run->record), i;
	struct stack *stacks = calloc(tasks + 1, sizeof(*stacks));
	struct chess_access *l = NULL;

	*out = NULL;
	*n = 0;
	if (!stacks)
		return chess_set_error(ENOMEM, "no memory for %zu stacks", tasks);
	find_stacks(run, stacks, tasks);
	if (any_in_others(run, stacks, tasks)) {
		l = malloc(run->n_accesses * sizeof(*l));
		if (!l) {
			free(stacks);
			return chess_set_error(ENOMEM, "no memory for %zu accesses",
					       run->n_accesses);
		}
	}
	for (i = 0; l && i < run->n_accesses; i++) {
		struct chess_access a = run->accesses[i];

		if (chess_access_tells(&a, CHESS_TOLD_POPPED)) {
			a.size = a.ip - a.address;
			a.kind = CHESS_ACCESS_FRESH | CHESS_ACCESS_WRITE;
			a.site = CHESS_SITE_STACK;
		} else {
			a.kind = kind(arg, &a);
			if (is_access(a.kind) && !(a.kind & (CHESS_ACCESS_ATOMIC |
							      CHESS_ACCESS_ORDERS)) &&
			    !is_in_others(stacks, tasks, &a))
				continue;
		}
		l[(*n)++] = a;
	}
	free(stacks);
	*out = l;
	return 0;
}

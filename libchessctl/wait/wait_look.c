// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the looks at calls have in common: words, the memory of the task, who of the
 * group could end the wait. See wait_look.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wait/holders.h"
#include "wait/proc.h"
#include "wait/wait_look.h"

void chess_wait_say(struct wait_look *l, const char *fmt, ...)
{
	size_t used = strlen(l->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(l->text + used, sizeof(l->text) - used, fmt, ap);
	va_end(ap);
}

unsigned long chess_wait_real_address(const struct wait_look *l, uint64_t told)
{
	unsigned long start = 0;
	char text[1024], *at;
	int field;

	if (told < CHESS_STACK_LOW || chess_proc_read(l->task->pid, "stat", text, sizeof(text)) <= 0)
		return told;
	/* startstack is field 28; the name in field 2 may have spaces. */
	at = strrchr(text, ')');
	for (field = 2; at && field < 28; field++)
		at = strchr(at + 1, ' ');
	if (at)
		start = strtoul(at + 1, NULL, 10);
	return start ? told - CHESS_STACK_START + start : told;
}

bool chess_wait_peek(const struct wait_look *l, unsigned long address, void *to, size_t size)
{
	return chess_proc_peek(l->task->pid, address, to, size) == (ssize_t)size;
}

/* Id of the task with this thread id, else of the first one of that process. */
int chess_wait_task_of(const struct wait_look *l, pid_t tid)
{
	size_t i;

	for (i = 0; i < l->n_tasks; i++)
		if (l->tasks[i].pid == (uint32_t)tid)
			return l->tasks[i].id;
	for (i = 0; i < l->n_tasks; i++)
		if (l->tgids[i] == tid)
			return l->tasks[i].id;
	return -1;
}

void chess_wait_add_holder(struct wait_look *l, size_t i, enum chess_hold how, uint8_t kind,
			   uint64_t object)
{
	struct chess_holder h = {
		.task = l->tasks[i].id, .how = how, .object_kind = kind, .object = object,
	};

	if (!l->err)
		l->err = chess_holders_add(l->wait, &h);
}

void chess_wait_add_process(struct wait_look *l, pid_t tgid, uint8_t kind, uint64_t object)
{
	size_t i;

	for (i = 0; i < l->n_tasks; i++)
		if ((!tgid || l->tgids[i] == tgid) && &l->tasks[i] != l->task)
			chess_wait_add_holder(l, i, CHESS_HOLD_MAY, kind, object);
}

const struct chess_task_info *chess_wait_named_task(const struct wait_look *l, pid_t tid)
{
	size_t i;

	if (tid <= 0)
		return NULL;
	for (i = 0; i < l->n_tasks; i++)
		if (chess_proc_own_id(l->tasks[i].pid, "\nNSpid:") == tid)
			return &l->tasks[i];
	for (i = 0; i < l->n_tasks; i++)
		if (chess_proc_own_id(l->tasks[i].pid, "\nNStgid:") == tid)
			return &l->tasks[i];
	return NULL;
}

bool chess_wait_say_holder(struct wait_look *l, pid_t tid)
{
	const struct chess_task_info *holder = chess_wait_named_task(l, tid);
	bool lost;

	if (!holder)
		return false;
	chess_wait_say(l, " held by T%d", holder->id);
	/* The owner noted in a lock that fork() copied will never unlock the copy. */
	lost = l->point && (l->point->flags & CHESS_OPF_PROBE) &&
	       chess_proc_tgid(holder->pid) != l->tgid;
	if (lost)
		chess_wait_say(l, " before the fork");
	chess_wait_add_holder(l, holder - l->tasks, lost ? CHESS_HOLD_LOST : CHESS_HOLD_HAS,
			      l->point ? l->point->object_kind : CHESS_OBJECT_NONE,
			      l->point ? l->point->object : 0);
	return true;
}

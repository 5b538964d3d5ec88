// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What inquiries about calls have in common: words, the memory of the task, which tasks of the
 * group could end the wait. See wait_inquiry.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peek.h"
#include "wait/holders.h"
#include "wait/proc.h"
#include "wait/wait_inquiry.h"

void chess_wait_say(struct wait_inquiry *q, const char *fmt, ...)
{
	size_t used = strlen(q->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(q->text + used, sizeof(q->text) - used, fmt, ap);
	va_end(ap);
}

unsigned long chess_wait_real_address(const struct wait_inquiry *q, uint64_t told)
{
	unsigned long start = 0;
	char text[1024], *at;
	int field;

	if (told < CHESS_STACK_LOW || chess_proc_read(q->task->pid, "stat", text, sizeof(text)) <= 0)
		return told;
	/* startstack is field 28; the name in field 2 may have spaces. */
	at = strrchr(text, ')');
	for (field = 2; at && field < 28; field++)
		at = strchr(at + 1, ' ');
	if (at)
		start = strtoul(at + 1, NULL, 10);
	return start ? told - CHESS_STACK_START + start : told;
}

bool chess_wait_peek(const struct wait_inquiry *q, unsigned long address, void *to, size_t size)
{
	return chess_read_memory(q->task->pid, address, to, size) == (ssize_t)size;
}

/* Id of the task with this thread id, else of the first one of that process. */
int chess_wait_task_of(const struct wait_inquiry *q, pid_t tid)
{
	size_t i;

	for (i = 0; i < q->n_tasks; i++)
		if (q->tasks[i].pid == (uint32_t)tid)
			return q->tasks[i].id;
	for (i = 0; i < q->n_tasks; i++)
		if (q->tgids[i] == tid)
			return q->tasks[i].id;
	return -1;
}

void chess_wait_add_holder(struct wait_inquiry *q, size_t i, enum chess_hold how, uint8_t kind,
			   uint64_t object)
{
	struct chess_holder h = {
		.task = q->tasks[i].id, .how = how, .object_kind = kind, .object = object,
	};

	if (!q->err)
		q->err = chess_holders_add(q->wait, &h);
}

void chess_wait_add_process(struct wait_inquiry *q, pid_t tgid, uint8_t kind, uint64_t object)
{
	size_t i;

	for (i = 0; i < q->n_tasks; i++)
		if ((!tgid || q->tgids[i] == tgid) && &q->tasks[i] != q->task)
			chess_wait_add_holder(q, i, CHESS_HOLD_MAY, kind, object);
}

const struct chess_task_info *chess_wait_named_task(const struct wait_inquiry *q, pid_t tid)
{
	size_t i;

	if (tid <= 0)
		return NULL;
	for (i = 0; i < q->n_tasks; i++)
		if (chess_proc_own_id(q->tasks[i].pid, "\nNSpid:") == tid)
			return &q->tasks[i];
	for (i = 0; i < q->n_tasks; i++)
		if (chess_proc_own_id(q->tasks[i].pid, "\nNStgid:") == tid)
			return &q->tasks[i];
	return NULL;
}

bool chess_wait_say_holder(struct wait_inquiry *q, pid_t tid)
{
	const struct chess_task_info *holder = chess_wait_named_task(q, tid);
	bool lost;

	if (!holder)
		return false;
	chess_wait_say(q, " held by T%d", holder->id);
	/* The owner noted in a lock that fork() copied will never unlock the copy. */
	lost = q->point && (q->point->flags & CHESS_OPF_PROBE) &&
	       chess_proc_tgid(holder->pid) != q->tgid;
	if (lost)
		chess_wait_say(q, " before the fork");
	chess_wait_add_holder(q, holder - q->tasks, lost ? CHESS_HOLD_LOST : CHESS_HOLD_HAS,
			      q->point ? q->point->object_kind : CHESS_OBJECT_NONE,
			      q->point ? q->point->object : 0);
	return true;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waits in a futex: a sync function's, or a bare one. See wait_inquiry.h.
 */
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>

#include "code/wrappers.h"
#include "wait/outside.h"
#include "wait/wait_inquiry.h"

/* May an outsider wake the futex at this address of shared memory? */
static bool futex_outside(const struct wait_inquiry *q, unsigned long address)
{
	char path[64], line[1024], perms[8], dev[32], inode[32], pair[80];
	unsigned long from, to;
	bool outside = true;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", q->task->pid);
	f = fopen(path, "re");
	if (!f)
		return true;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx %7s %*s %31s %31s", &from, &to, perms, dev, inode) != 5)
			continue;
		if (address < from || address >= to)
			continue;
		snprintf(pair, sizeof(pair), "%s %s", dev, inode);
		outside = strchr(perms, 's') &&
			  chess_outside_maps(&q->in, pair, strstr(line, "/dev/zero (deleted)"));
		break;
	}
	fclose(f);
	return outside;
}

/* Owner of a mutex of glibc: int lock, unsigned count, int owner. */
static bool say_mutex_owner(struct wait_inquiry *q, unsigned long address)
{
	int word[3];

	return chess_wait_peek(q, address, word, sizeof(word)) && word[0] &&
	       chess_wait_say_holder(q, word[2]);
}

/*
 * Of a mutex that processes share the record has the address of its first mapping; the word
 * that is waited for is the mutex's first.
 */
static unsigned long mutex_at(const struct wait_inquiry *q, const struct chess_event *p)
{
	return q->arg[1] & FUTEX_PRIVATE_FLAG ? chess_wait_real_address(q, p->object) : q->arg[0];
}

/* Who could end a wait in a sync function: those who can reach its object. */
static void add_users(struct wait_inquiry *q, const struct chess_event *p)
{
	bool shared = !(q->arg[1] & FUTEX_PRIVATE_FLAG);
	const struct chess_task_info *target;

	switch (p->op) {
	case CHESS_OP_JOIN:
		/* The word is the thread's id until it ends. */
		target = chess_wait_named_task(q, q->arg[2]);
		if (target) {
			chess_wait_say(q, ", which is T%u", target->id);
			chess_wait_add_holder(q, target - q->tasks, CHESS_HOLD_IS,
					      CHESS_OBJECT_TASK, target->id);
		}
		break;
	case CHESS_OP_LOCK:
	case CHESS_OP_RDLOCK:
	case CHESS_OP_WRLOCK:
		/* It may have the lock itself: as a reader, or of a mutex locked twice. */
		chess_wait_add_holder(q, q->task - q->tasks, CHESS_HOLD_MAY, p->object_kind,
				      p->object);
		/* fallthrough */
	default:
		chess_wait_add_process(q, shared ? 0 : q->tgid, p->object_kind, p->object);
	}
}

bool chess_wait_futex(struct wait_inquiry *q)
{
	const struct chess_event *p = q->point;
	const struct chess_wrapper *w = NULL;
	unsigned int cmd = q->arg[1] & FUTEX_CMD_MASK;
	uint32_t word;

	/* Nobody waits in an unlock: what called it does, as g_cond_wait(). */
	if (p && p->op != CHESS_OP_UNLOCK)
		w = chess_wrapper_of(p);
	if (w) {
		chess_wait_say(q, "%s", w->symbol);
		if (p->object_kind != CHESS_OBJECT_NONE)
			chess_wait_say(q, " 0x%llx", (unsigned long long)p->object);
		if (p->op == CHESS_OP_COND_WAIT && p->arg)
			chess_wait_say(q, " with mutex 0x%llx", (unsigned long long)p->arg);
		if (p->op != CHESS_OP_LOCK || !chess_wrapper_has(p, CHESS_WRAPPER_OWNED) ||
		    !say_mutex_owner(q, mutex_at(q, p)))
			add_users(q, p);
	} else {
		chess_wait_say(q, "futex 0x%lx", q->arg[0]);
		if ((cmd == FUTEX_LOCK_PI || cmd == FUTEX_LOCK_PI2) &&
		    chess_wait_peek(q, q->arg[0], &word, sizeof(word)))
			chess_wait_say_holder(q, word & FUTEX_TID_MASK);
		else if (p)
			chess_wait_add_process(q, q->arg[1] & FUTEX_PRIVATE_FLAG ? q->tgid : 0,
					       p->object_kind, p->object);
	}
	if (q->arg[3]) {
		chess_wait_say(q, ", with a time-out");
		return true;
	}
	return !(q->arg[1] & FUTEX_PRIVATE_FLAG) && futex_outside(q, q->arg[0]);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Tasks that wait for each other for ever, in whatever they wait (locks on files, pipes,
 * semaphores, other processes), while others go on. partial.c proves cycles of mutexes as soon
 * as they close. Here a signal, or a task that goes on, might still end a wait, so nothing is
 * said before the run is as long as a livelock and all the others do is repeat themselves:
 * what they did not do in a round they never do. Then those that stood still through all of
 * that, in a cycle by what they did to the objects before, are a deadlock, and not the loop of
 * the others a livelock.
 *
 * In doubt it is a livelock: where one of those who go on took or gave the same before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "run/standstill.h"

/* Number of the event up to which the first half of the points among the first @length is. */
static uint32_t half_of(const struct chess_record *r, size_t length)
{
	size_t i, points = 0, seen = 0;

	for (i = 0; i < length; i++)
		points += chess_record_event(r, i)->type == CHESS_EVENT_POINT;
	for (i = 0; i < length && seen <= points / 2; i++)
		seen += chess_record_event(r, i)->type == CHESS_EVENT_POINT;
	return i;
}

/* The BLOCK since which @task has stood still up to event @length; 0: it did not. */
static uint32_t blocked_since(const struct chess_record *r, size_t length, uint32_t task)
{
	size_t i = length;

	while (i--) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->task == task)
			return e->type == CHESS_EVENT_BLOCK ? e->seq : 0;
	}
	return 0;
}

/* Does @w wait only for such as wait themselves, and is known why for them? */
static bool is_closed(const struct chess_record *r, size_t length, uint32_t half,
		      const struct chess_wait *w)
{
	uint32_t since = blocked_since(r, length, w->task);
	size_t i;

	if (!since || since > half || !w->n_holders ||
	    chess_record_phase(r, length, w->task) != CHESS_PHASE_BLOCKED)
		return false;
	for (i = 0; i < w->n_holders; i++) {
		since = blocked_since(r, length, w->holders[i].task);
		if (w->holders[i].how >= CHESS_HOLD_MAY || w->holders[i].how == CHESS_HOLD_LOST ||
		    !since || since > half)
			return false;
	}
	return true;
}

static const char *words(enum chess_hold how)
{
	switch (how) {
	case CHESS_HOLD_HAS:
		return "held by";
	case CHESS_HOLD_TOOK:
		return "taken by";
	case CHESS_HOLD_GAVE:
		return "given last by";
	default:
		return "for";
	}
}

static int describe(const struct chess_record *r, struct chess_wait *w, uint32_t next)
{
	const struct chess_event *e = w->seq ? chess_record_event(r, w->seq - 1) : NULL;
	const struct chess_wrapper *f = e ? chess_wrapper_of(e) : NULL;
	const struct chess_holder *h = chess_wait_holder(w, next);
	const char *name = f ? f->symbol : e ? chess_syscall_name(e->nr) : "wait";
	int ret;

	if (e && e->object_kind == CHESS_OBJECT_ADDRESS)
		ret = asprintf(&w->text, "%s 0x%llx %s T%u", name, (unsigned long long)e->object,
			       words(h->how), next);
	else
		ret = asprintf(&w->text, "%s %s T%u", name, words(h->how), next);
	if (ret < 0)
		w->text = NULL;
	return ret < 0 ? -ENOMEM : 0;
}

/* The waits of the cycle go from @all to @out. */
static int take(const struct chess_record *r, struct chess_wait *all, const size_t *cycle,
		size_t n, struct chess_partial *out)
{
	size_t i;
	int ret = 0;

	out->waits = calloc(n, sizeof(*out->waits));
	if (!out->waits)
		return -ENOMEM;
	for (i = 0; i < n && !ret; i++) {
		struct chess_wait *w = &out->waits[out->n++];

		*w = all[cycle[i]];
		memset(&all[cycle[i]], 0, sizeof(*all));
		w->asked = true;
		free(w->text);
		w->text = NULL;
	}
	for (i = 0; i < n && !ret; i++)
		ret = describe(r, &out->waits[i], out->waits[(i + 1) % n].task);
	return ret;
}

int chess_standstill_find(const struct chess_record *r, size_t length, struct chess_partial *out)
{
	struct chess_wait *waits;
	uint32_t half = half_of(r, length), since;
	size_t *cycle = NULL;
	size_t i, n_waits, n = 0;
	int ret;

	memset(out, 0, sizeof(*out));
	ret = chess_waits_at(r, length, &waits, &n_waits);
	if (ret)
		return ret;
	if (n_waits > 1)
		cycle = calloc(n_waits, sizeof(*cycle));
	if (cycle)
		n = chess_waits_cycle(waits, n_waits, cycle);
	for (i = 0; i < n; i++)
		if (!is_closed(r, length, half, &waits[cycle[i]]))
			n = 0;
	if (n > 1) {
		for (i = 0; i < n; i++) {
			since = blocked_since(r, length, waits[cycle[i]].task);
			out->at = since > out->at ? since : out->at;
		}
		ret = take(r, waits, cycle, n, out);
	}
	free(cycle);
	chess_waits_free(waits, n_waits);
	if (!ret)
		return 0;
	chess_waits_free(out->waits, out->n);
	memset(out, 0, sizeof(*out));
	return chess_set_error(-ret, "no memory to look for tasks that stand still");
}

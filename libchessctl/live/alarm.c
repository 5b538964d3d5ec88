// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Decides which cycles of waits are said. A look is not taken at one moment, so a cycle in
 * it may be none: it is a suspect, and becomes an alarm when the next look shows the same
 * tasks in the same waits. Then none of them ran in between. Each is said once.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "live/alarm.h"
#include "array.h"
#include "internal.h"
#include "now.h"

/* A cycle seen: the tasks in it, without their words. */
struct suspect {
	struct chess_live_task *tasks;
	size_t n;
};

struct alarm {
	struct suspect cycle;
	struct chess_live_alarm said;
};

/**
 * struct chess_alarms - see above
 * @suspects: cycles of the last look
 * @n_suspects: how many
 * @alarms: all that were said
 * @n_alarms: how many
 */
struct chess_alarms {
	struct suspect *suspects;
	size_t n_suspects;
	struct alarm *alarms;
	size_t n_alarms;
};

static void free_suspects(struct suspect *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		free(s[i].tasks);
	free(s);
}

static void free_alarm(struct alarm *a)
{
	size_t i;

	for (i = 0; i < a->said.n; i++) {
		free(a->said.edges[i].call);
		free(a->said.edges[i].stack);
	}
	free(a->said.edges);
	free(a->cycle.tasks);
}

struct chess_alarms *chess_alarms_new(void)
{
	return calloc(1, sizeof(struct chess_alarms));
}

void chess_alarms_free(struct chess_alarms *a)
{
	size_t i;

	if (!a)
		return;
	free_suspects(a->suspects, a->n_suspects);
	for (i = 0; i < a->n_alarms; i++)
		free_alarm(&a->alarms[i]);
	free(a->alarms);
	free(a);
}

/* The tasks of a cycle, with what tells their blocks from later ones. */
static int make_suspect(const struct chess_view *v, const struct chess_live_cycle *c,
			struct suspect *s)
{
	size_t i;

	s->n = c->n;
	s->tasks = calloc(c->n, sizeof(*s->tasks));
	if (!s->tasks)
		return chess_set_error(ENOMEM, "no memory for a cycle");
	for (i = 0; i < c->n; i++)
		s->tasks[i] = v->tasks[c->task[i]];
	return 0;
}

static bool is_same_cycle(const struct suspect *a, const struct suspect *b)
{
	size_t i;

	if (a->n != b->n)
		return false;
	for (i = 0; i < a->n; i++)
		if (!chess_view_same_block(&a->tasks[i], &b->tasks[i]))
			return false;
	return true;
}

static int fill_alarm(const struct chess_view *v, const struct chess_live_cycle *c,
		      struct chess_live_alarm *said)
{
	size_t i;

	said->edges = calloc(c->n, sizeof(*said->edges));
	said->seen = chess_now_ns();
	said->behind = c->behind;
	for (i = 0; said->edges && i < c->n; i++, said->n++) {
		const struct chess_live_task *t = &v->tasks[c->task[i]];
		const struct chess_wait *w = &v->waits[c->task[i]];
		struct chess_live_edge *e = &said->edges[i];

		e->tid = t->tid;
		e->tgid = t->tgid;
		memcpy(e->name, t->name, sizeof(e->name));
		e->since = t->since;
		e->call = strdup(t->call);
		e->lock = t->lock;
		e->address = t->address;
		e->probably = t->probably || w->holders->how > CHESS_HOLD_IS;
		e->stack = chess_view_stack(v, c->task[i]);
		if (t->since > said->formed)
			said->formed = t->since;
	}
	return said->edges ? 0 : chess_set_error(ENOMEM, "no memory for a cycle");
}

/* @s was seen twice. Takes it over. */
static int raise_alarm(struct chess_alarms *a, const struct chess_view *v,
		       const struct chess_live_cycle *c, struct suspect *s)
{
	struct alarm *new;
	int ret;

	if (chess_array_extend(&a->alarms, a->n_alarms, a->n_alarms + 1, sizeof(*new)))
		return chess_set_error(ENOMEM, "no memory for a cycle");
	new = &a->alarms[a->n_alarms];
	ret = fill_alarm(v, c, &new->said);
	if (ret) {
		free_alarm(new);
		return ret;
	}
	new->cycle = *s;
	s->tasks = NULL;
	s->n = 0;
	a->n_alarms++;
	return 0;
}

static bool was_said(const struct chess_alarms *a, const struct suspect *s)
{
	size_t i;

	for (i = 0; i < a->n_alarms; i++)
		if (is_same_cycle(&a->alarms[i].cycle, s))
			return true;
	return false;
}

static bool was_seen(const struct chess_alarms *a, const struct suspect *s)
{
	size_t i;

	for (i = 0; i < a->n_suspects; i++)
		if (is_same_cycle(&a->suspects[i], s))
			return true;
	return false;
}

int chess_alarms_judge(struct chess_alarms *a, const struct chess_view *v, bool *suspicion)
{
	struct chess_live_cycle *cycles;
	struct suspect *now;
	size_t i, n;
	int ret = chess_stuck_find_cycles(v, &cycles, &n);

	now = ret ? NULL : calloc(n + 1, sizeof(*now));
	if (!ret && !now)
		ret = chess_set_error(ENOMEM, "no memory for a cycle");
	*suspicion = false;
	for (i = 0; !ret && i < n; i++) {
		ret = make_suspect(v, &cycles[i], &now[i]);
		if (ret || was_said(a, &now[i]))
			continue;
		if (was_seen(a, &now[i]))
			ret = raise_alarm(a, v, &cycles[i], &now[i]);
		else
			*suspicion = true;
	}
	free_suspects(a->suspects, a->n_suspects);
	a->suspects = now;
	a->n_suspects = now ? n : 0;
	chess_stuck_free(cycles, n);
	return ret;
}

size_t chess_alarms_count(const struct chess_alarms *a)
{
	return a->n_alarms;
}

const struct chess_live_alarm *chess_alarms_get(const struct chess_alarms *a, size_t i)
{
	return i < a->n_alarms ? &a->alarms[i].said : NULL;
}

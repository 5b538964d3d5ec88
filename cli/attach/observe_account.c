// SPDX-License-Identifier: GPL-2.0-only
/*
 * See observe_account.h.
 */
#include <stdlib.h>
#include <string.h>

#include "attach/observe.h"
#include "attach/observe_account.h"
#include "cli.h"

/* The lock or futex, else the call with its descriptor. */
static struct observed_wait wait_of(struct names *n, pid_t tgid, const char *call,
				    const char *lock, uint64_t address)
{
	struct observed_wait w = {
		.address = address, .thread = lock && !strcmp(lock, "thread"),
		.symbol = address ? names_variable(n, tgid, address) : NULL,
	};

	/* The thread that is waited for is named as the holder. */
	if (w.thread)
		w.what = cli_printf("the end of a thread");
	else if (address)
		w.what = cli_printf("%s %s", lock ? lock : "futex", w.symbol);
	else
		w.what = cli_printf("%s", call ? call : "");
	return w;
}

struct observed_wait observed_task_wait(struct names *n, const struct chess_live_task *t)
{
	struct observed_wait w = wait_of(n, t->tgid, t->call, t->lock, t->address);

	if (!t->call) {
		free(w.what);
		w.what = NULL;
	}
	return w;
}

struct observed_wait observed_object_wait(struct names *n, const struct chess_live_object *o)
{
	bool futex = o->text && !strcmp(o->text, "futex");

	return wait_of(n, o->tgid, o->text, NULL, futex ? o->word : 0);
}

void observed_wait_clear(struct observed_wait *w)
{
	free(w->what);
	free(w->symbol);
	*w = (struct observed_wait){ 0 };
}

void observed_alarm_of(struct names *n, const struct chess_live_alarm *a,
		       struct observed_alarm *out)
{
	size_t i;

	*out = (struct observed_alarm){ .alarm = a, .edge = cli_alloc(a->n, sizeof(*out->edge)) };
	for (i = 0; i < a->n; i++) {
		const struct chess_live_edge *e = &a->edges[i];

		out->edge[i] = (struct observed_edge){
			.edge = e, .next = a->edges[(i + 1) % a->n].tid,
			.wait = wait_of(n, e->tgid, e->call, e->lock, e->address),
			.where = names_place(n, e->tgid, e->stack),
		};
	}
}

void observed_alarm_clear(struct observed_alarm *a)
{
	size_t i;

	for (i = 0; a->edge && i < a->alarm->n; i++) {
		observed_wait_clear(&a->edge[i].wait);
		free(a->edge[i].where);
	}
	free(a->edge);
	*a = (struct observed_alarm){ 0 };
}

void observe_account_of(struct chess_live *live, struct names *names, size_t alarms, size_t most,
			struct observe_account *out)
{
	const struct chess_live_task *t;
	size_t i;

	*out = (struct observe_account){
		.n_alarms = alarms,
		.verdict = alarms ? CHESS_VERDICT_DEADLOCK : CHESS_VERDICT_OK,
	};
	t = chess_live_tasks(live, &out->n_tasks);
	out->task = cli_alloc(out->n_tasks, sizeof(*out->task));
	for (i = 0; i < out->n_tasks; i++) {
		out->task[i].task = &t[i];
		if (i < most)
			out->task[i].wait = observed_task_wait(names, &t[i]);
	}
	/* Without memory for them there are none. */
	if (chess_live_objects(live, &out->objects, &out->n_objects)) {
		out->objects = NULL;
		out->n_objects = 0;
	}
	out->object = cli_alloc(out->n_objects, sizeof(*out->object));
	for (i = 0; i < out->n_objects; i++) {
		out->object[i].object = &out->objects[i];
		if (i < most)
			out->object[i].wait = observed_object_wait(names, &out->objects[i]);
	}
	out->alarm = cli_alloc(alarms, sizeof(*out->alarm));
	for (i = 0; i < alarms; i++)
		observed_alarm_of(names, chess_live_alarm(live, i), &out->alarm[i]);
	chess_live_lost(live, &out->lost_tasks, &out->lost_objects);
}

void observe_account_clear(struct observe_account *a)
{
	size_t i;

	for (i = 0; i < a->n_tasks; i++)
		observed_wait_clear(&a->task[i].wait);
	for (i = 0; i < a->n_objects; i++)
		observed_wait_clear(&a->object[i].wait);
	for (i = 0; i < a->n_alarms; i++)
		observed_alarm_clear(&a->alarm[i]);
	free(a->task);
	free(a->object);
	free(a->alarm);
	if (a->objects)
		chess_live_objects_free(a->objects, a->n_objects);
	*a = (struct observe_account){ 0 };
}

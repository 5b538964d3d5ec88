// SPDX-License-Identifier: GPL-2.0-only
/*
 * What attach --observe saw, as one JSON object. Times are nanoseconds of
 * CLOCK_MONOTONIC, null where they were not seen.
 */
#include "cli.h"
#include "attach/observe.h"
#include "attach/observe_account.h"
#include "out.h"

static void put_if(struct json_object *o, const char *key, uint64_t value)
{
	json_object_object_add(o, key, value ? json_object_new_int64(value) : NULL);
}

static void put_address(struct json_object *o, const struct observed_wait *w)
{
	put_if(o, "address", w->address);
	out_json_string(o, "symbol", w->symbol);
}

static struct json_object *task_json(const struct observed_task *seen)
{
	struct json_object *o = json_object_new_object();
	const struct chess_live_task *t = seen->task;
	char state[2] = { t->state };

	out_json_int(o, "tid", t->tid);
	out_json_int(o, "pid", t->tgid);
	out_json_string(o, "name", t->name);
	out_json_string(o, "state", state);
	put_if(o, "since", t->since);
	out_json_string(o, "call", t->call);
	out_json_bool(o, "timed", t->timed);
	out_json_string(o, "object", t->object);
	out_json_string(o, "lock", t->lock);
	put_address(o, &seen->wait);
	put_if(o, "holder", t->holder);
	out_json_bool(o, "probably", t->probably);
	out_json_int(o, "waits", t->waits);
	out_json_int(o, "wait_ns", t->wait_ns);
	out_json_int(o, "longest_ns", t->longest_ns);
	put_if(o, "woken", t->woken);
	put_if(o, "waker", t->waker);
	out_json_string(o, "waker_name", t->woken ? t->waker_name : NULL);
	out_json_bool(o, "interrupt", t->interrupt);
	return o;
}

static struct json_object *tasks_json(const struct observe_account *seen)
{
	struct json_object *a = json_object_new_array();
	size_t i;

	for (i = 0; i < seen->n_tasks; i++)
		json_object_array_add(a, task_json(&seen->task[i]));
	return a;
}

static struct json_object *objects_json(const struct observe_account *seen)
{
	struct json_object *a = json_object_new_array(), *o;
	size_t i;

	for (i = 0; i < seen->n_objects; i++) {
		const struct chess_live_object *b = seen->object[i].object;

		o = json_object_new_object();
		out_json_int(o, "pid", b->tgid);
		out_json_string(o, "call", b->text);
		put_address(o, &seen->object[i].wait);
		out_json_int(o, "waits", b->waits);
		out_json_int(o, "wait_ns", b->wait_ns);
		out_json_int(o, "longest_ns", b->longest_ns);
		out_json_int(o, "waiting", b->waiting);
		out_json_int(o, "holds", b->holds);
		out_json_int(o, "hold_ns", b->hold_ns);
		out_json_int(o, "longest_hold_ns", b->longest_hold_ns);
		json_object_array_add(a, o);
	}
	return a;
}

static struct json_object *edge_json(const struct observed_edge *seen)
{
	const struct chess_live_edge *e = seen->edge;
	struct json_object *o = json_object_new_object();

	out_json_int(o, "tid", e->tid);
	out_json_int(o, "pid", e->tgid);
	out_json_string(o, "name", e->name);
	out_json_int(o, "waits_for", seen->next);
	put_if(o, "since", e->since);
	out_json_string(o, "call", e->call);
	out_json_string(o, "lock", e->lock);
	put_address(o, &seen->wait);
	out_json_string(o, "what", seen->wait.what);
	out_json_string(o, "where", seen->where);
	out_json_bool(o, "probably", e->probably);
	return o;
}

static struct json_object *alarms_json(const struct observe_account *seen)
{
	struct json_object *a = json_object_new_array(), *o, *edges;
	size_t i, k;

	for (i = 0; i < seen->n_alarms; i++) {
		const struct chess_live_alarm *alarm = seen->alarm[i].alarm;

		o = json_object_new_object();
		edges = json_object_new_array();
		put_if(o, "formed", alarm->formed);
		out_json_int(o, "seen", alarm->seen);
		out_json_int(o, "behind", alarm->behind);
		for (k = 0; k < alarm->n; k++)
			json_object_array_add(edges, edge_json(&seen->alarm[i].edge[k]));
		json_object_object_add(o, "cycle", edges);
		json_object_array_add(a, o);
	}
	return a;
}

void observe_json(const struct observation *ob)
{
	struct json_object *o = json_object_new_object(), *lost = json_object_new_object();
	struct observe_account seen;

	observe_account_of(ob->live, ob->names, ob->alarms, SIZE_MAX, &seen);
	out_json_string(o, "mode", "observe");
	out_json_int(o, "pid", ob->pid);
	out_json_string(o, "program", ob->program);
	out_json_string(o, "verdict", chess_verdict_name(seen.verdict));
	out_json_string(o, "end", ob->end);
	out_json_int(o, "started", ob->start);
	out_json_int(o, "ended", ob->now);
	json_object_object_add(o, "alarms", alarms_json(&seen));
	json_object_object_add(o, "tasks", tasks_json(&seen));
	json_object_object_add(o, "objects", objects_json(&seen));
	out_json_int(lost, "tasks", seen.lost_tasks);
	out_json_int(lost, "objects", seen.lost_objects);
	json_object_object_add(o, "lost", lost);
	observe_account_clear(&seen);
	out_json(o);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What attach --observe saw, as one JSON object. Times are nanoseconds of
 * CLOCK_MONOTONIC, null where they were not seen.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "attach/observe.h"
#include "out.h"

static void put_if(struct json_object *o, const char *key, uint64_t value)
{
	json_object_object_add(o, key, value ? json_object_new_int64(value) : NULL);
}

static void put_address(const struct observation *ob, struct json_object *o, pid_t tgid,
			uint64_t address)
{
	char *name = address ? names_variable(ob->names, tgid, address) : NULL;

	put_if(o, "address", address);
	out_json_string(o, "symbol", name);
	free(name);
}

static struct json_object *task_json(const struct observation *ob,
				     const struct chess_live_task *t)
{
	struct json_object *o = json_object_new_object();
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
	put_address(ob, o, t->tgid, t->address);
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

static struct json_object *tasks_json(const struct observation *ob)
{
	struct json_object *a = json_object_new_array();
	const struct chess_live_task *t;
	size_t i, n;

	t = chess_live_tasks(ob->live, &n);
	for (i = 0; i < n; i++)
		json_object_array_add(a, task_json(ob, &t[i]));
	return a;
}

static struct json_object *objects_json(const struct observation *ob)
{
	struct json_object *a = json_object_new_array(), *o;
	struct chess_live_object *all;
	size_t i, n;

	if (chess_live_objects(ob->live, &all, &n))
		return a;
	for (i = 0; i < n; i++) {
		const struct chess_live_object *b = &all[i];

		o = json_object_new_object();
		out_json_int(o, "pid", b->tgid);
		out_json_string(o, "call", b->text);
		put_address(ob, o, b->tgid, b->text && !strcmp(b->text, "futex") ? b->word : 0);
		out_json_int(o, "waits", b->waits);
		out_json_int(o, "wait_ns", b->wait_ns);
		out_json_int(o, "longest_ns", b->longest_ns);
		out_json_int(o, "waiting", b->waiting);
		out_json_int(o, "holds", b->holds);
		out_json_int(o, "hold_ns", b->hold_ns);
		out_json_int(o, "longest_hold_ns", b->longest_hold_ns);
		json_object_array_add(a, o);
	}
	chess_live_objects_free(all, n);
	return a;
}

static struct json_object *edge_json(const struct observation *ob,
				     const struct chess_live_edge *e, uint32_t next)
{
	char *where = names_place(ob->names, e->tgid, e->stack);
	char *what = observe_edge_text(ob->names, e);
	struct json_object *o = json_object_new_object();

	out_json_int(o, "tid", e->tid);
	out_json_int(o, "pid", e->tgid);
	out_json_string(o, "name", e->name);
	out_json_int(o, "waits_for", next);
	put_if(o, "since", e->since);
	out_json_string(o, "call", e->call);
	out_json_string(o, "lock", e->lock);
	put_address(ob, o, e->tgid, e->address);
	out_json_string(o, "what", what);
	out_json_string(o, "where", where);
	out_json_bool(o, "probably", e->probably);
	free(where);
	free(what);
	return o;
}

static struct json_object *alarms_json(const struct observation *ob)
{
	struct json_object *a = json_object_new_array(), *o, *edges;
	size_t i, k;

	for (i = 0; i < ob->alarms; i++) {
		const struct chess_live_alarm *alarm = chess_live_alarm(ob->live, i);

		o = json_object_new_object();
		edges = json_object_new_array();
		put_if(o, "formed", alarm->formed);
		out_json_int(o, "seen", alarm->seen);
		out_json_int(o, "behind", alarm->behind);
		for (k = 0; k < alarm->n; k++) {
			uint32_t next = alarm->edges[(k + 1) % alarm->n].tid;

			json_object_array_add(edges, edge_json(ob, &alarm->edges[k], next));
		}
		json_object_object_add(o, "cycle", edges);
		json_object_array_add(a, o);
	}
	return a;
}

void observe_json(const struct observation *ob)
{
	struct json_object *o = json_object_new_object(), *lost = json_object_new_object();
	uint64_t tasks, objects;

	out_json_string(o, "mode", "observe");
	out_json_int(o, "pid", ob->pid);
	out_json_string(o, "program", ob->program);
	out_json_string(o, "verdict", ob->alarms ? "deadlock" : "ok");
	out_json_string(o, "end", ob->end);
	out_json_int(o, "started", ob->start);
	out_json_int(o, "ended", ob->now);
	json_object_object_add(o, "alarms", alarms_json(ob));
	json_object_object_add(o, "tasks", tasks_json(ob));
	json_object_object_add(o, "objects", objects_json(ob));
	chess_live_lost(ob->live, &tasks, &objects);
	out_json_int(lost, "tasks", tasks);
	out_json_int(lost, "objects", objects);
	json_object_object_add(o, "lost", lost);
	out_json(o);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See reduce.h. While the record of a run is read, two things are kept up to date.
 *
 * The digest of what was done so far (CHESS, OSDI'08, 4.4.2): the sum, over the steps of
 * all tasks, of a hash of the task, the number of the step in it, and for each object of
 * its op the object's name and how often it was written. So it is the same for all
 * orders that put dependent ops the same way round. An object's name is the step that
 * wrote it first; read before that it needs none, for which object that is follows from
 * what the reader did before. What fairness knows is in the key too (windows.h). A step that depends on everything takes in the digest as it
 * is then, and all later steps take in that one. Unlike chess_hb_digest(), steps that
 * change nothing count, such as a lock that was not to be had: two prefixes with one
 * digest leave each task at the same place, and who waits for what in the same order.
 *
 * Who sleeps: a task that was left at its point although it could have gone on, until
 * somebody does an op that its own depends on (sleep sets, Godefroid, LNCS 1032, in so
 * far as they do not collide with the bound).
 *
 * What can be seen of a wrong guess about dependence is looked for: see note_flaw().
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "depend.h"
#include "forks.h"
#include "internal.h"
#include "mix.h"
#include "reduce.h"
#include "verdict.h"
#include "visited.h"
#include "windows.h"

/* Keys of 16 bytes, five million of them. */
#define VISITED_BYTES	(64UL << 20)

/*
 * The module lets others go first behind 1000 points in a row (CHESS_FAIR_POINTS), and
 * the length of a row is no part of the digest.
 */
#define LONG_ROW	500

/* What hashes of small numbers begin with, for none of which it gives nothing. */
#define WAITER	0xd6e8feb86659fd93ULL
#define SLEEPER	0xa0761d6478bd642fULL
#define PLACE	0xe7037ed1a0b428dbULL

/**
 * struct task - of the run that is read
 * @op: at its point, or in the kernel
 * @steps: it took
 * @place: hash of the point it is at
 * @trying: it has begun with @op; when its next event is no block, @op is done
 */
struct task {
	struct chess_op op;
	uint32_t steps;
	uint64_t place;
	bool trying;
};

/**
 * struct object - what was done to it in the run that is read
 * @name: the step that wrote it first; valid if there was a write
 * @writes: how many
 * @owner: task that has it, plus one
 */
struct object {
	uint64_t name;
	uint32_t writes;
	uint32_t owner;
};

/* Who waits for an op that changed nothing. */
struct waiter {
	uint16_t task;
	uint32_t object;
};

/* Tasks, in no order but always the same one. */
struct sleepers {
	uint16_t *task;
	size_t n;
};

/**
 * struct chess_reduce - reductions of one search
 * @flags: enum chess_reduction, those asked for
 * @costs: what ways cost
 * @visited: what is behind these keys was looked at, or waits to be
 * @flaw: why the reductions cannot be trusted, or NULL
 * @hb, @sleep: ways not taken because of them
 * @record: the run that is read
 * @depend: of it
 * @task: by id, @task_room of them
 * @object: by index, @object_room of them
 * @digest: of the steps so far
 * @all: digest at the last step that depends on everything
 * @ends: sum over the steps that end a thread
 * @joins: sum over those that wait for an end
 * @waiter: in the order in which they began to wait, @waiters of them
 * @waiting: hash of that
 * @fine: a yield orders nothing: @windows tell what it does to fairness
 * @yielded: somebody did in this run
 * @places: sum over tasks of where they are
 * @left_out: those whom fairness leaves out at the next decision, as the record says
 * @windows: what fairness knows
 * @holder: whose step it was that led to the next decision
 * @passes: it went on because its deadline passes
 * @row_task: who was at the last point, and at @row points in a row
 * @asleep: behind the last step
 * @next: scratch: behind another one
 * @visit: what is known of the key of the last step, or NULL
 */
struct chess_reduce {
	unsigned int flags;
	enum chess_reduce_costs costs;
	struct chess_visited *visited;
	char *flaw;
	uint64_t hb, sleep;

	const struct chess_record *record;
	struct chess_depend depend;
	struct task *task;
	size_t task_room;
	struct object *object;
	size_t object_room;
	uint64_t digest, all, ends, joins, places, left_out;
	struct waiter *waiter;
	size_t waiters;
	uint64_t waiting;
	bool fine, yielded;
	struct chess_windows windows;
	uint16_t holder;
	bool passes;
	uint32_t row_task, row;
	struct sleepers asleep, next;
	struct chess_visit *visit;
};

/**
 * chess_reduce_new() - reductions for a search
 * @flags: enum chess_reduction, those asked for
 * @costs: what ways cost
 *
 * Return: them, or NULL and errno with a sentence.
 */
struct chess_reduce *chess_reduce_new(unsigned int flags, enum chess_reduce_costs costs)
{
	struct chess_reduce *d = calloc(1, sizeof(*d));

	if (!d) {
		chess_set_error(ENOMEM, "no memory for reductions");
		return NULL;
	}
	d->flags = flags;
	d->costs = costs;
	chess_depend_init(&d->depend);
	if (flags & CHESS_REDUCE_HB) {
		d->visited = chess_visited_new(VISITED_BYTES);
		if (!d->visited) {
			chess_reduce_free(d);
			return NULL;
		}
	}
	return d;
}

void chess_reduce_free(struct chess_reduce *d)
{
	if (!d)
		return;
	chess_visited_free(d->visited);
	chess_depend_free(&d->depend);
	free(d->flaw);
	free(d->task);
	free(d->object);
	free(d->asleep.task);
	free(d->next.task);
	free(d->waiter);
	free(d);
}

static int make_room(struct chess_reduce *d, size_t tasks)
{
	struct waiter *waiter;
	struct task *task;
	uint16_t *a, *b;

	if (tasks <= d->task_room)
		return 0;
	task = realloc(d->task, tasks * sizeof(*task));
	if (task)
		d->task = task;
	a = realloc(d->asleep.task, tasks * sizeof(*a));
	if (a)
		d->asleep.task = a;
	b = realloc(d->next.task, tasks * sizeof(*b));
	if (b)
		d->next.task = b;
	waiter = realloc(d->waiter, tasks * sizeof(*waiter));
	if (waiter)
		d->waiter = waiter;
	if (!task || !a || !b || !waiter)
		return chess_set_error(ENOMEM, "no memory for the reductions of %zu tasks", tasks);
	d->task_room = tasks;
	return 0;
}

/**
 * chess_reduce_begin() - a run is going to be read
 * @d: the reductions
 * @r: its record, until the next call
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_reduce_begin(struct chess_reduce *d, const struct chess_record *r)
{
	size_t tasks = chess_record_tasks(r);
	int ret = make_room(d, tasks);

	if (ret)
		return ret;
	d->record = r;
	chess_depend_reset(&d->depend);
	memset(d->task, 0, tasks * sizeof(*d->task));
	d->digest = 0;
	d->all = 0;
	d->ends = 0;
	d->joins = 0;
	d->places = 0;
	d->waiters = 0;
	d->waiting = 0;
	d->yielded = false;
	d->left_out = 0;
	d->fine = (d->flags & CHESS_REDUCE_YIELD) && tasks <= CHESS_WINDOWS_TASKS;
	chess_windows_reset(&d->windows, tasks > CHESS_WINDOWS_TASKS ? 0 : chess_record_fair(r));
	d->holder = 0;
	d->passes = false;
	d->row = 0;
	d->asleep.n = 0;
	d->visit = NULL;
	return 0;
}

/*
 * One sentence is enough, and the first one is the nearest to the cause. That two ops are
 * independent is a guess: memory that several tasks use without a point at each use is
 * not seen, nor what a kernel object has to do with another one.
 */
static void note_flaw(struct chess_reduce *d, const char *what)
{
	if (!d->flaw &&
	    asprintf(&d->flaw, "%s, so there is more between tasks than their points say; search without reductions",
		     what) < 0)
		d->flaw = NULL;
}

/* All that happened so far comes before all that happens from now on, and who waits matters. */
static void order_all(struct chess_reduce *d, uint64_t what)
{
	d->digest = chess_mix(d->digest + d->waiting, what);
	d->all = d->digest;
}

/* The object at @i, which is new when it stands behind all that were. */
static struct object *object_at(struct chess_reduce *d, size_t i, size_t known)
{
	struct object *more;

	if (d->depend.objects.room > d->object_room) {
		more = realloc(d->object, d->depend.objects.room * sizeof(*more));
		if (!more)
			return NULL;
		d->object = more;
		d->object_room = d->depend.objects.room;
	}
	if (i >= known)
		memset(&d->object[i], 0, sizeof(d->object[i]));
	return &d->object[i];
}

/*
 * Who waits, and behind whom. Queues of different objects have no order between them.
 */
static void hash_waiters(struct chess_reduce *d)
{
	uint64_t before;
	size_t i, k;

	d->waiting = 0;
	for (i = 0; i < d->waiters; i++) {
		for (before = 0, k = 0; k < i; k++)
			if (d->waiter[k].object == d->waiter[i].object)
				before += chess_mix(WAITER, d->waiter[k].task);
		d->waiting += chess_mix(chess_mix(WAITER, d->waiter[i].task), before);
	}
}

static void begin_to_wait(struct chess_reduce *d, uint16_t task)
{
	const struct chess_op *op = &d->task[task].op;

	if (!op->tries || !d->task[task].trying)
		return;
	d->task[task].trying = false;
	d->waiter[d->waiters++] = (struct waiter){
		.task = task, .object = op->n ? op->object[0] : UINT32_MAX,
	};
	hash_waiters(d);
}

static void end_to_wait(struct chess_reduce *d, uint16_t task)
{
	size_t i, n = 0;

	for (i = 0; i < d->waiters; i++)
		if (d->waiter[i].task != task)
			d->waiter[n++] = d->waiter[i];
	if (n == d->waiters)
		return;
	d->waiters = n;
	hash_waiters(d);
}

/* Its next event is not that it waits, so the op is done. */
static void finish_op(struct chess_reduce *d, uint16_t task)
{
	struct task *t = &d->task[task];

	if (t->trying && t->op.owns && t->op.n)
		d->object[t->op.object[0]].owner = task + 1;
	t->trying = false;
}

/* As much of a point as is the same in each run. */
static uint64_t place_of(const struct chess_event *e)
{
	return chess_mix(chess_mix(PLACE, (uint64_t)e->task << 16 | e->op << 8 |
				   (e->flags & ~(CHESS_OPF_EARLY | CHESS_OPF_ALONE))), e->nr);
}

static int read_point(struct chess_reduce *d, const struct chess_event *e)
{
	size_t known = d->depend.objects.n, i;
	struct chess_op *op = &d->task[e->task].op;
	int ret;

	finish_op(d, e->task);
	/*
	 * What the clock makes of a yield it does when its task gets there, and so does
	 * fairness; but that the windows tell. A program may also yield where it waits for
	 * memory to change that has no points; so this is asked for.
	 */
	if (e->flags & CHESS_OPF_YIELD) {
		d->yielded = true;
		if (!d->fine || e->timed || e->op != CHESS_OP_YIELD)
			order_all(d, e->task);
	}
	d->places -= d->task[e->task].place;
	d->task[e->task].place = place_of(e);
	d->places += d->task[e->task].place;
	ret = chess_depend_op(&d->depend, d->record, e, op);
	for (i = known; i < d->depend.objects.n && !ret; i++)
		ret = object_at(d, i, known) ? 0 : -ENOMEM;
	if (ret)
		return chess_set_error(ENOMEM, "no memory for the objects of a run");
	d->row = e->task == d->row_task ? d->row + 1 : 1;
	d->row_task = e->task;
	if (d->row > LONG_ROW && ((e->enabled | e->timed) & ~(1ULL << (e->task & 63))))
		note_flaw(d, "a task did more than 500 points in a row while others could go on, which ends by what others do");
	return 0;
}

static void read_wake(struct chess_reduce *d, const struct chess_event *e)
{
	char text[128];

	end_to_wait(d, e->task);
	if (e->object >= chess_record_tasks(d->record)) {
		order_all(d, e->task);
		return;
	}
	if (chess_ops_depend(&d->task[e->object].op, &d->task[e->task].op))
		return;
	snprintf(text, sizeof(text), "T%u woke T%u, and what they do has no object in common",
		 (unsigned int)e->object, e->task);
	note_flaw(d, text);
}

/* Of what has to be there when a key is reached again; never 0. */
static uint32_t print_of(const struct chess_reduce *d, const struct chess_event *e, bool any_order)
{
	uint64_t h = chess_mix(chess_mix(d->left_out, e->enabled), e->timed) + d->places;

	if (!any_order)
		h = chess_mix(chess_mix(h, (uint64_t)e->task << 32 | e->type << 24 | e->op << 16 |
					   (e->flags & ~CHESS_OPF_EARLY)), e->nr);
	h >>= 52;
	return h ? h : 1;
}

/* Does it not matter who runs? Where yields cost something it does. */
static bool is_any_order(const struct chess_reduce *d)
{
	return d->costs == CHESS_REDUCE_COSTS_NOTHING && chess_record_fair(d->record);
}

static void check_visit(struct chess_reduce *d, const struct chess_event *e)
{
	struct chess_visit *v = d->visit;
	uint32_t print;

	d->visit = NULL;
	/* When these come is not the program's to say. */
	if (!v || e->type == CHESS_EVENT_QUANTUM || e->type == CHESS_EVENT_STALL ||
	    e->type == CHESS_EVENT_RESUME)
		return;
	print = print_of(d, e, is_any_order(d) || e->type == CHESS_EVENT_EXIT);
	if (!v->print)
		v->print = print;
	else if (v->print != print)
		note_flaw(d, "two schedules that differ in the order of independent ops alone went different ways");
}

/* Who was enabled when the deadline of event @i had passed: later ones had not. */
static uint64_t enabled_behind(const struct chess_reduce *d, size_t i)
{
	const struct chess_event *e;
	uint64_t later = 0;

	while ((e = chess_record_event(d->record, ++i)) && !CHESS_EVENT_IS_DECISION(e->type))
		if (e->type == CHESS_EVENT_TIMEOUT)
			later |= 1ULL << e->task;
	return e ? e->enabled & ~later : 0;
}

/* A deadline that was chosen passes before anything is done, others when something was. */
static void read_timeout(struct chess_reduce *d, size_t i)
{
	const struct chess_event *e = chess_record_event(d->record, i);
	struct chess_windows *w = &d->windows;
	bool chosen = d->passes && e->task == d->holder;

	d->passes = false;
	chess_windows_arrive(w, d->holder,
			     chosen ? w->enabled | 1ULL << e->task : enabled_behind(d, i));
	chess_windows_yield(w, e->task, w->enabled);
}

/* What fairness makes of event @i. */
static void read_windows(struct chess_reduce *d, size_t i)
{
	const struct chess_event *e = chess_record_event(d->record, i);
	struct chess_windows *w = &d->windows;

	if (!w->every)
		return;
	if (e->type == CHESS_EVENT_TIMEOUT)
		read_timeout(d, i);
	if (!chess_event_decides(e) || e->type == CHESS_EVENT_SIGNAL)
		return;
	chess_windows_arrive(w, d->holder, e->enabled);
	if (e->type == CHESS_EVENT_EXIT)
		chess_windows_forget(w, e->task);
	if (chess_event_gives_way(e))
		chess_windows_yield(w, e->task, e->enabled);
	if (d->fine && chess_windows_left_out(w) != d->left_out)
		note_flaw(d, "fairness left out other tasks than the yields before it explain");
}

/**
 * chess_reduce_read() - take in the next event
 * @d: the reductions
 * @i: its index; each has to be handed in, in their order
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_reduce_read(struct chess_reduce *d, size_t i)
{
	const struct chess_event *e = chess_record_event(d->record, i);
	int ret = 0;

	if (e->task >= chess_record_tasks(d->record))
		return 0;
	/*
	 * Who goes on behind a yield may cost, and the task itself may not be let. And where
	 * a task is left for free because its op would wait (as in CHESS, which the module
	 * does not do), it might cost had a sleeper done its op.
	 */
	if (chess_event_gives_way(e) || (e->type == CHESS_EVENT_POINT &&
					 !chess_record_enabled(d->record, i, e->task)))
		d->asleep.n = 0;
	switch (e->type) {
	case CHESS_EVENT_POINT:
		ret = read_point(d, e);
		break;
	case CHESS_EVENT_WAKE:
		read_wake(d, e);
		break;
	case CHESS_EVENT_FAIR:
		d->left_out = e->object ? chess_mix(d->left_out, e->enabled + e->object) : e->enabled;
		return 0;
	case CHESS_EVENT_BLOCK:
		begin_to_wait(d, e->task);
		break;
	case CHESS_EVENT_EXIT:
		end_to_wait(d, e->task);
		break;
	case CHESS_EVENT_SPAWN:
		/* What a step did; the step is in. */
		break;
	case CHESS_EVENT_QUANTUM:
		d->yielded = true;
		order_all(d, (uint64_t)e->task << 8 | e->type);
		break;
	default:
		order_all(d, (uint64_t)e->task << 8 | e->type);
	}
	read_windows(d, i);
	if (chess_event_decides(e))
		check_visit(d, e);
	d->left_out = 0;
	return ret;
}

/* Is @task's next step that its deadline passes? */
static bool times_out(const struct chess_reduce *d, size_t i, uint16_t task)
{
	return chess_record_timed(d->record, i, task);
}

/* Its op, as it counts at decision @i. */
static struct chess_op op_at(const struct chess_reduce *d, size_t i, uint16_t task)
{
	struct chess_op op = d->task[task].op;

	if (times_out(d, i, task))
		op.kind = CHESS_OP_ON_ALL;
	return op;
}

static uint64_t hash_step(const struct chess_reduce *d, uint16_t task, const struct chess_op *op)
{
	uint64_t h = chess_mix(chess_mix(chess_mix(0, task + 1), d->task[task].steps), d->all);
	unsigned int i;

	h = chess_mix(h, op->kind);
	if (op->kind == CHESS_OP_ON_ALL)
		h = chess_mix(h, d->digest);
	if (op->kind == CHESS_OP_LEAVES)
		h = chess_mix(h, d->joins);
	if (op->kind == CHESS_OP_JOINS)
		h = chess_mix(h, d->ends);
	for (i = 0; i < op->n; i++) {
		const struct object *o = &d->object[op->object[i]];

		h = chess_mix(chess_mix(h, o->writes ? o->name : 0), o->writes);
	}
	return chess_mix(h, h >> 32);
}

/* Does the step of @task behind decision @i end in a wait that changes nothing? */
static bool is_in_vain(const struct chess_reduce *d, size_t i, const struct chess_op *op)
{
	const struct chess_event *e;

	/* Where somebody yielded, fairness counts it as a step; the windows say so. */
	if (!op->tries || (!d->fine && d->yielded))
		return false;
	while ((e = chess_record_event(d->record, ++i)))
		if (CHESS_EVENT_IS_DECISION(e->type))
			return e->type == CHESS_EVENT_BLOCK;
	return false;
}

static void take_step(struct chess_reduce *d, uint16_t task, const struct chess_op *op)
{
	uint64_t h = hash_step(d, task, op);
	unsigned int i;

	d->digest += h;
	d->task[task].steps++;
	if (op->kind == CHESS_OP_ON_ALL)
		d->all = h;
	if (op->kind == CHESS_OP_LEAVES)
		d->ends += h;
	if (op->kind == CHESS_OP_JOINS)
		d->joins += h;
	for (i = 0; i < op->n && op->write; i++) {
		struct object *o = &d->object[op->object[i]];

		if (!o->writes++)
			o->name = chess_mix(h, i);
	}
	for (i = 0; i < op->n && op->gives; i++)
		d->object[op->object[i]].owner = 0;
}

/* Would @task have to wait? Then whoever goes on behind it can go on in its place. */
static bool is_useless(const struct chess_reduce *d, size_t i, uint16_t task,
		       const struct chess_op *op)
{
	const struct chess_event *e = chess_record_event(d->record, i);
	uint64_t self = 1ULL << (task % CHESS_WINDOWS_TASKS);

	if (d->costs == CHESS_REDUCE_COSTS_TURNS || !op->owns || !op->n ||
	    (!d->fine && d->yielded))
		return false;
	/* Where nothing is fair it is not for free who goes on behind a yield. */
	if (chess_event_gives_way(e) && !chess_record_fair(d->record))
		return false;
	/* To fairness it was there, and is not enabled. */
	if (d->windows.open &&
	    chess_windows_hash(&d->windows, self, self) != chess_windows_hash(&d->windows, 0, 0))
		return false;
	return task != e->task &&
	       d->object[op->object[0]].owner && d->object[op->object[0]].owner != task + 1u;
}

/*
 * Does @task sleep when @chosen takes a step at decision @i? It could have gone on, and
 * that is a way of its own, taken with no more cost: of all schedules that differ in no
 * more than when @task does its op, one is enough.
 */
static bool falls_asleep(const struct chess_reduce *d, size_t i, uint16_t task, uint16_t chosen)
{
	const struct chess_event *e = chess_record_event(d->record, i);
	uint16_t usual;

	if (task == chosen || !chess_record_allowed(d->record, i, task))
		return false;
	if (d->costs != CHESS_REDUCE_COSTS_NOTHING)
		return e->type == CHESS_EVENT_POINT && task == e->task;
	usual = chess_record_default(d->record, i);
	return task == usual || (chosen != usual && task < chosen);
}

/* Who sleeps when @chosen has taken its step at decision @i: d->next. */
static void find_sleepers(struct chess_reduce *d, size_t i, uint16_t chosen,
			  const struct chess_op *op)
{
	const struct chess_event *e = chess_record_event(d->record, i);
	bool anyone = d->costs == CHESS_REDUCE_COSTS_NOTHING;
	size_t end = anyone ? chess_record_tasks(d->record) : e->task + 1u;
	uint16_t t, first = anyone ? 0 : e->task;
	size_t k;

	d->next.n = 0;
	if (!(d->flags & CHESS_REDUCE_SLEEP) || chess_event_gives_way(e) ||
	    op->kind == CHESS_OP_ON_ALL)
		return;
	/* The op of a sleeper might enable whom @chosen has to let go first. */
	if (chess_windows_holds(&d->windows, chosen))
		return;
	for (k = 0; k < d->asleep.n; k++) {
		t = d->asleep.task[k];
		if (t != chosen && !chess_ops_depend(op, &d->task[t].op))
			d->next.task[d->next.n++] = t;
	}
	for (t = first; t < end; t++) {
		for (k = 0; k < d->asleep.n && d->asleep.task[k] != t; k++)
			;
		if (k == d->asleep.n && falls_asleep(d, i, t, chosen) &&
		    !chess_ops_depend(op, &d->task[t].op))
			d->next.task[d->next.n++] = t;
	}
}

static bool sleeps(const struct chess_reduce *d, uint16_t task)
{
	size_t k;

	for (k = 0; k < d->asleep.n; k++)
		if (d->asleep.task[k] == task)
			return true;
	return false;
}

/* Does it matter for what may follow a step of @task that it was @task's? */
static bool names_task(const struct chess_reduce *d, uint16_t task)
{
	/* Who has ended does not matter for who goes on. */
	bool ends = d->task[task].op.kind == CHESS_OP_LEAVES &&
		    d->costs != CHESS_REDUCE_COSTS_TURNS;

	/* What its step disables, and its yield, is yet to come into the windows. */
	return (d->fine && d->windows.open) || (!is_any_order(d) && !ends);
}

/* Where a search is: behind a step of @task that leads to @digest with these asleep. */
static uint64_t key_of(const struct chess_reduce *d, uint64_t digest, uint16_t task,
		       const struct sleepers *asleep)
{
	uint64_t h = digest + d->waiting;
	size_t k;

	for (k = 0; k < asleep->n; k++)
		h += chess_mix(SLEEPER, asleep->task[k]);
	h = chess_mix(h, names_task(d, task) ? task + 1 : 0);
	if (d->fine && d->windows.open)
		h = chess_mix(h, chess_windows_hash(&d->windows, 1ULL << task, 0));
	return chess_mix(h, h >> 32);
}

/*
 * Was the search there at no more cost, with the same tasks asleep or with none? Where
 * none was asleep everything was looked at.
 */
static bool was_at(const struct chess_reduce *d, uint64_t digest, uint16_t task,
		   const struct sleepers *asleep, unsigned int cost)
{
	const struct chess_visit *v;

	if (!asleep->n)
		return false;
	v = chess_visited_find(d->visited, key_of(d, digest, task, &(struct sleepers){ 0 }));
	return v && v->cost <= cost;
}

static bool is_step(const struct chess_reduce *d, size_t i)
{
	return chess_record_event(d->record, i)->type != CHESS_EVENT_SIGNAL;
}

/*
 * Where the tasks were before a step, as that is kept for its key; the same wherever the
 * key comes from, if it names who took the step.
 */
static uint32_t before_of(const struct chess_reduce *d, uint16_t task)
{
	return names_task(d, task) ? chess_mix(d->places, 0) >> 52 : 0;
}

static void compare_before(struct chess_reduce *d, const struct chess_visit *v, uint16_t task)
{
	if (v->before != before_of(d, task))
		note_flaw(d, "two schedules that differ in the order of independent ops alone had brought tasks to different points");
}

/* A new key. */
static struct chess_visit *enter(struct chess_reduce *d, uint64_t key, uint16_t task,
				 unsigned int cost)
{
	struct chess_visit *v = chess_visited_add(d->visited, key, cost);

	if (v)
		v->before = before_of(d, task);
	return v;
}

/**
 * chess_reduce_wants() - is another way at a decision worth a run?
 * @d: the reductions
 * @i: the decision, the event read last
 * @task: who would go on
 * @cost: of the schedule that goes on with it
 *
 * A way that is wanted has to be taken: it is entered as visited.
 *
 * Return: 1; 0: no; -ENOMEM with chess_error().
 */
int chess_reduce_wants(struct chess_reduce *d, size_t i, uint16_t task, unsigned int cost)
{
	struct chess_op op = op_at(d, i, task);
	struct chess_visit *v;
	uint64_t digest, key;

	if (!is_step(d, i))
		return 1;
	if (sleeps(d, task)) {
		d->sleep++;
		return 0;
	}
	if (!d->visited || cost > CHESS_VISIT_MAX_COST)
		return 1;
	if (is_useless(d, i, task, &op)) {
		d->hb++;
		return 0;
	}
	find_sleepers(d, i, task, &op);
	digest = d->digest + hash_step(d, task, &op);
	key = key_of(d, digest, task, &d->next);
	v = chess_visited_find(d->visited, key);
	if (v)
		compare_before(d, v, task);
	if ((v && v->cost <= cost) || was_at(d, digest, task, &d->next, cost)) {
		d->hb++;
		return 0;
	}
	if (!v)
		return enter(d, key, task, cost) ? 1 : -ENOMEM;
	v->cost = cost;
	return 1;
}

/* The run got to @key at @cost. Return: 1 when that is no news; -ENOMEM. */
static int visit(struct chess_reduce *d, uint64_t key, uint16_t task, bool own, unsigned int cost)
{
	d->visit = chess_visited_find(d->visited, key);
	if (!d->visit) {
		d->visit = enter(d, key, task, cost);
		return d->visit ? 0 : -ENOMEM;
	}
	compare_before(d, d->visit, task);
	if (d->visit->cost < cost || (d->visit->cost == cost && !own))
		return 1;
	d->visit->cost = cost;
	return 0;
}

/**
 * chess_reduce_step() - the chosen task goes on
 * @d: the reductions
 * @i: the decision, the event read last
 * @where: in the prefix, or behind it
 * @cost: of the schedule
 *
 * Return: 0; 1: all that begins with this step is found elsewhere; -ENOMEM.
 */
int chess_reduce_step(struct chess_reduce *d, size_t i, enum chess_reduce_where where,
		      unsigned int cost)
{
	uint16_t task = chess_record_event(d->record, i)->chosen;
	struct chess_op op = op_at(d, i, task);
	bool asleep = sleeps(d, task);
	struct sleepers swap;
	uint64_t digest;

	if (!is_step(d, i)) {
		order_all(d, task);
		d->asleep.n = 0;
		return 0;
	}
	find_sleepers(d, i, task, &op);
	digest = d->digest + hash_step(d, task, &op);
	d->holder = task;
	d->passes = times_out(d, i, task);
	if (d->windows.every)
		chess_windows_step(&d->windows, task);
	d->task[task].trying = true;
	if (!is_in_vain(d, i, &op))
		take_step(d, task, &op);
	swap = d->asleep;
	d->asleep = d->next;
	d->next = swap;
	if (where == CHESS_REDUCE_PREFIX)
		return 0;
	if (where == CHESS_REDUCE_KNOWN) {
		if (d->visited)
			d->visit = chess_visited_find(d->visited,
						      key_of(d, digest, task, &d->asleep));
		return 1;
	}
	if (asleep) {
		d->sleep++;
		return 1;
	}
	if (!d->visited || cost > CHESS_VISIT_MAX_COST)
		return 0;
	if (was_at(d, digest, task, &d->asleep, cost))
		return 1;
	return visit(d, key_of(d, digest, task, &d->asleep), task, where == CHESS_REDUCE_FORK,
		     cost);
}

/**
 * chess_reduce_flaw() - what speaks against the reductions
 * @d: the reductions
 *
 * Return: NULL, or a sentence, of which the owner is @d: schedules may be missing.
 */
const char *chess_reduce_flaw(const struct chess_reduce *d)
{
	return d->flaw;
}

/**
 * chess_reduce_left_out() - ways that were not taken
 * @d: the reductions
 * @n: their numbers are added to this
 */
void chess_reduce_left_out(const struct chess_reduce *d, uint64_t n[CHESS_LEFT_OUT_CAUSES])
{
	n[CHESS_LEFT_OUT_HB] += d->hb;
	n[CHESS_LEFT_OUT_SLEEP] += d->sleep;
	n[CHESS_LEFT_OUT_UNSOUND] += d->flaw ? d->hb + d->sleep : 0;
}

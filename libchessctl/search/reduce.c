// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See reduce.h. While the record of a run is read, two things are kept up to date: the
 * digest of what was done so far (digest.c), and which tasks sleep (sleepers.c). A key includes
 * the state of fairness too (windows.h).
 *
 * Visible signs of a wrong guess about dependence are detected: see
 * chess_reduce_note_flaw().
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "search/forks.h"
#include "internal.h"
#include "mix.h"
#include "search/reduce_internal.h"
#include "record/decision.h"

/* Keys of 16 bytes, five million of them. */
#define VISITED_BYTES	(64UL << 20)

/* What a hash of small numbers starts from, chosen so that none of those hashes is zero. */
#define SLEEPER	0xa0761d6478bd642fULL

/**
 * chess_reduce_new() - reductions for a search
 * @flags: enum chess_reduction, those requested
 * @costs: what ways cost
 * @accesses: are accesses points in this search?
 *
 * Return: the reductions, or NULL and errno with a sentence.
 */
struct chess_reduce *chess_reduce_new(unsigned int flags, enum chess_reduce_costs costs,
				      bool accesses)
{
	struct chess_reduce *d = calloc(1, sizeof(*d));

	if (!d) {
		chess_set_error(ENOMEM, "no memory for reductions");
		return NULL;
	}
	d->flags = flags;
	d->costs = costs;
	chess_depend_init(&d->depend, accesses);
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
	if (tasks <= d->task_room)
		return 0;
	if (chess_array_resize(&d->task, tasks, sizeof(*d->task)) ||
	    chess_array_resize(&d->asleep.task, tasks, sizeof(*d->asleep.task)) ||
	    chess_array_resize(&d->next.task, tasks, sizeof(*d->next.task)) ||
	    chess_array_resize(&d->waiter, tasks, sizeof(*d->waiter)))
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
	d->signals = d->signals || chess_record_has_signals(r);
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
	d->row = (struct chess_row){ .task = CHESS_TASK_NONE };
	d->asleep.n = 0;
	d->visit = NULL;
	return 0;
}

/*
 * One sentence is enough, and the first one is the nearest to the cause. That two ops are
 * independent is a guess: uses of memory by several tasks without a point at each use are
 * not seen, nor are effects of one kernel object on another.
 */
void chess_reduce_note_flaw(struct chess_reduce *d, const char *what)
{
	if (!d->flaw &&
	    asprintf(&d->flaw, "%s, so tasks depend on each other in ways that their points do not show; search without reductions",
		     what) < 0)
		d->flaw = NULL;
}

/* A print of what has to hold when a key is reached again; never 0. */
static uint32_t print_of(const struct chess_reduce *d, const struct chess_event *e, bool any_order)
{
	uint64_t h = chess_mix(chess_mix(d->left_out, e->enabled), e->timed) + d->places;

	if (!any_order)
		h = chess_mix(chess_mix(h, (uint64_t)e->task << 32 | e->type << 24 | e->op << 16 |
					   (e->flags & ~(CHESS_OPF_EARLY | CHESS_OPF_TIMER))),
			      e->nr);
	h >>= 52;
	return h ? h : 1;
}

/* Does it not matter which task runs? Where yields cost something it does. */
bool chess_reduce_any_order(const struct chess_reduce *d)
{
	return d->costs == CHESS_REDUCE_COSTS_NOTHING && chess_record_fair(d->record);
}

static void check_visit(struct chess_reduce *d, const struct chess_event *e)
{
	struct chess_visit *v = d->visit;
	uint32_t print;

	d->visit = NULL;
	/* The program does not determine when these come. */
	if (!v || e->type == CHESS_EVENT_EXPIRE || e->type == CHESS_EVENT_QUANTUM ||
	    e->type == CHESS_EVENT_STALL || e->type == CHESS_EVENT_RESUME)
		return;
	print = print_of(d, e, chess_reduce_any_order(d) || e->type == CHESS_EVENT_EXIT);
	if (!v->print)
		v->print = print;
	else if (v->print != print)
		chess_reduce_note_flaw(d, "two schedules that differ only in the order of independent ops continued differently");
}

/* Does the record leave out the same tasks as the windows? */
static void check_left_out(struct chess_reduce *d, const struct chess_event *e)
{
	if (!d->fine || !d->windows.every || !chess_event_decides(e) ||
	    !CHESS_EVENT_IS_TURN(e->type))
		return;
	if (chess_windows_left_out(&d->windows) != d->left_out)
		chess_reduce_note_flaw(d, "fairness left out tasks other than those that the yields before explain");
}

/*
 * Has @task ended with a lock in its hands, at a point of another op? If its exit was a point, that
 * depended on everything.
 */
static bool ends_with_lock(const struct chess_reduce *d, uint16_t task)
{
	return !d->depend.processes && task < d->depend.tasks && d->depend.task[task].held &&
	       d->task[task].op.kind != CHESS_OP_ON_ALL;
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
	 * Running another task after a yield may cost, and the task itself may not be allowed.
	 * And where leaving a task is free because its op would wait (as in CHESS; the module
	 * does not do this), it might cost had a sleeper done its op.
	 */
	if (chess_event_gives_way(e) || (e->type == CHESS_EVENT_POINT &&
					 !chess_record_enabled(d->record, i, e->task)))
		d->asleep.n = 0;
	switch (e->type) {
	case CHESS_EVENT_POINT:
		ret = chess_reduce_read_point(d, i);
		break;
	case CHESS_EVENT_WAKE:
		chess_reduce_read_wake(d, i);
		break;
	case CHESS_EVENT_FAIR:
		d->left_out = e->object ? chess_mix(d->left_out, e->enabled + e->object) :
			      e->enabled;
		return 0;
	case CHESS_EVENT_BLOCK:
		chess_depend_blocked(&d->depend, e->task);
		if (chess_apart_blocked(&d->depend, e->task)) {
			chess_reduce_order_all(d, (uint64_t)e->task << 8 | e->type);
			d->task[e->task].op.kind = CHESS_OP_ON_ALL;
		}
		if (chess_apart_waits_to_open(&d->depend, e->task))
			chess_reduce_note_flaw(d, "a task waited for another one that opens the same named pipe");
		chess_reduce_begin_to_wait(d, e->task);
		break;
	case CHESS_EVENT_EXIT:
		if (!chess_apart_ended(&d->depend, e->task) || ends_with_lock(d, e->task))
			chess_reduce_order_all(d, (uint64_t)e->task << 8 | e->type);
		chess_reduce_end_to_wait(d, e->task);
		break;
	case CHESS_EVENT_SPAWN:
		/* What a step did; the step is included. */
		if (chess_depend_spawn(&d->depend, e))
			ret = chess_set_error(ENOMEM, "no memory for the tasks of a run");
		break;
	case CHESS_EVENT_EXEC:
		chess_apart_executed(&d->depend, e->task);
		chess_reduce_order_all(d, (uint64_t)e->task << 8 | e->type);
		break;
	case CHESS_EVENT_KILLED:
		chess_apart_ended(&d->depend, e->task);
		chess_reduce_order_all(d, (uint64_t)e->task << 8 | e->type);
		break;
	case CHESS_EVENT_QUANTUM:
		d->yielded = true;
		chess_reduce_order_all(d, (uint64_t)e->task << 8 | e->type);
		break;
	case CHESS_EVENT_TIMER:
	case CHESS_EVENT_SIGNAL:
		/* A timer may send a signal. */
		d->depend.signalled = true;
		chess_reduce_order_all(d, (uint64_t)e->task << 8 | e->type);
		break;
	default:
		chess_reduce_order_all(d, (uint64_t)e->task << 8 | e->type);
	}
	chess_windows_read(&d->windows, d->record, i);
	check_left_out(d, e);
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

/*
 * The op of @task, as it counts at decision @i. Accesses are points only while another task
 * could go on, so what a task accesses in a step that it takes alone is not in the record.
 */
static struct chess_op op_at(const struct chess_reduce *d, size_t i, uint16_t task)
{
	struct chess_op op = d->task[task].op;

	if (times_out(d, i, task) || chess_depend_astray(&d->depend, task) ||
	    (chess_depend_hides(&d->depend, task) && chess_record_is_alone(d->record, i, task)))
		op.kind = CHESS_OP_ON_ALL;
	return op;
}

/*
 * Would @task have to wait? Then tasks that run after it can run in its place. Not so if time may
 * pass instead, and wake the task that has the lock: then it matters which task waits first. And
 * not so if another task waits, and would be woken only because this one begins to wait.
 */
static bool is_useless(const struct chess_reduce *d, size_t i, uint16_t task,
		       const struct chess_op *op)
{
	const struct chess_event *e = chess_record_event(d->record, i);
	uint64_t self = 1ULL << (task % CHESS_WINDOWS_TASKS);

	if (d->costs == CHESS_REDUCE_COSTS_TURNS || !op->owns || op->kind == CHESS_OP_ON_ALL ||
	    e->timed || chess_record_may_expire(d->record, i) || (!d->fine && d->yielded))
		return false;
	/* From then on no unlock is known as one. */
	if (d->depend.processes || d->depend.inherits)
		return false;
	/* Where it waits a handler may run, as soon as one comes. */
	if (d->signals)
		return false;
	/* Where nothing is fair, the choice of a task after a yield is not free. */
	if (chess_event_gives_way(e) && !chess_record_fair(d->record))
		return false;
	/* For fairness the task was at the point, and is not enabled. */
	if (d->windows.open &&
	    chess_windows_hash(&d->windows, self, self) != chess_windows_hash(&d->windows, 0, 0))
		return false;
	return task != e->task && d->object[op->lock].owner &&
	       d->object[op->lock].owner != task + 1u && !chess_reduce_lacks_note(d, op->lock);
}

/* Does it matter for what may follow a step of @task that it was @task's? */
static bool names_task(const struct chess_reduce *d, uint16_t task)
{
	/* That a task has ended does not matter for which task is next. */
	bool ends = d->task[task].op.kind == CHESS_OP_LEAVES &&
		    d->costs != CHESS_REDUCE_COSTS_TURNS;

	/* The windows do not yet include what its step disables, and its yield. */
	return (d->fine && d->windows.open) || (!chess_reduce_any_order(d) && !ends);
}

/* Where a search is: after a step of @task that leads to @digest with these tasks asleep. */
static uint64_t key_of(const struct chess_reduce *d, uint64_t digest, uint16_t task,
		       const struct chess_reduce_sleepers *asleep)
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
 * none was asleep all ways were taken.
 */
static bool was_at(const struct chess_reduce *d, uint64_t digest, uint16_t task,
		   const struct chess_reduce_sleepers *asleep, unsigned int cost)
{
	const struct chess_reduce_sleepers none = { 0 };
	const struct chess_visit *v;

	if (!asleep->n)
		return false;
	v = chess_visited_find(d->visited, key_of(d, digest, task, &none));
	return v && v->cost <= cost;
}

static bool is_step(const struct chess_reduce *d, size_t i)
{
	return CHESS_EVENT_IS_TURN(chess_record_event(d->record, i)->type);
}

/*
 * Where the tasks were before a step, as kept for the step's key; the same however the key is
 * reached, if it names the task that took the step.
 */
static uint32_t before_of(const struct chess_reduce *d, uint16_t task)
{
	return names_task(d, task) ? chess_mix(d->places, 0) >> 52 : 0;
}

static void compare_before(struct chess_reduce *d, const struct chess_visit *v, uint16_t task)
{
	if (v->before != before_of(d, task))
		chess_reduce_note_flaw(d, "two schedules that differ only in the order of independent ops had brought tasks to different points");
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
 * @task: the task that would run
 * @cost: of the schedule that runs it
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
	if (chess_reduce_sleeps(d, task)) {
		d->sleep++;
		return 0;
	}
	if (!d->visited || cost > CHESS_VISIT_MAX_COST)
		return 1;
	if (is_useless(d, i, task, &op)) {
		d->hb++;
		return 0;
	}
	chess_reduce_find_sleepers(d, i, task, &op);
	digest = d->digest + chess_reduce_hash_step(d, task, &op);
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

/* The run reached @key at @cost. Return: 1 when that was visited before; -ENOMEM. */
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
 * chess_reduce_step() - the chosen task runs
 * @d: the reductions
 * @i: the decision, the event read last
 * @where: in the prefix, or after it
 * @cost: of the schedule
 *
 * Return: 0; 1: all that begins with this step is found elsewhere; -ENOMEM.
 */
int chess_reduce_step(struct chess_reduce *d, size_t i, enum chess_reduce_where where,
		      unsigned int cost)
{
	uint16_t task = chess_record_event(d->record, i)->chosen;
	struct chess_reduce_sleepers swap;
	struct chess_op op;
	uint64_t digest;
	bool asleep;

	/* The choice there may be the timers, not a task. */
	if (!is_step(d, i)) {
		chess_reduce_order_all(d, task);
		d->asleep.n = 0;
		return 0;
	}
	op = op_at(d, i, task);
	asleep = chess_reduce_sleeps(d, task);
	chess_reduce_find_sleepers(d, i, task, &op);
	digest = d->digest + chess_reduce_hash_step(d, task, &op);
	chess_windows_go_on(&d->windows, task, times_out(d, i, task));
	d->task[task].trying = true;
	if (!chess_reduce_is_in_vain(d, i, &op))
		chess_reduce_take_step(d, task, &op);
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
 * chess_reduce_flaw() - a sign that the reductions are wrong
 * @d: the reductions
 *
 * Return: NULL, or a sentence owned by @d: schedules may be missing.
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

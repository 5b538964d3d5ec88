// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See predict.h. From each run that is made it is learned what each step does: the events from the
 * decision that begins it to the next one. A step is known by its key (naming.h), and with the same
 * key a step does the same, which is what reductions by partial orders take for granted as well. So
 * a run under a prefix can be put together without the program, as long as each of its steps is
 * known; after the prefix the default is chosen, as the module does.
 *
 * A run that was put together counts only if one of its happens-before class was made, so each
 * class is run at least once. With a bound of preemptions a search comes to one class by many
 * schedules, as a cheaper one may be the way to others. To find the ways on it needs the record,
 * and not the run.
 *
 * What follows an event that is not about points, waits and ends is not learned: with time,
 * yields and a second process more matters than the order of ops. A step that does other
 * things in two runs, or the same to other addresses, is not used from then on. If it was used,
 * this is a flaw: steps depend on each other in a way that their ops do not show. Then no run is
 * predicted any more.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "hashset.h"
#include "internal.h"
#include "mix.h"
#include "record/decision.h"
#include "record/hb.h"
#include "record/rows.h"
#include "search/naming.h"
#include "search/predict.h"

/* More events than this are not kept: 64 MB. */
#define EVENTS_MAX	(1 << 20)
#define FIRST_SLOTS	1024

/* The events before the first decision have this key. */
#define ROOT		1

/**
 * struct known_step - what a step does
 * @key: of it
 * @gained: tasks that are enabled after it and were not before
 * @lost: those that were, and no longer are
 * @first: where its events are; the last one is the next decision
 * @n: how many; 0: it depends on everything, and has another key as such, or none is woken
 * @varies: runs differ in what it does, or to what
 * @used: a run was put together with it
 */
struct known_step {
	uint64_t key;
	uint64_t gained, lost;
	uint32_t first, n : 30, varies : 1, used : 1;
};

/**
 * struct chess_predict - what is known
 * @naming: of the steps of the run that is learned, or put together
 * @step: all steps, @steps of them
 * @slot: hash table: index plus one, @slots of them, a power of two
 * @event: of all steps, one after another, @events of them
 * @made: classes of the runs that were made
 * @model: a record without events: settings of the runs, and names of their objects
 * @predicted: how many runs were
 * @off: nothing is predicted any more
 * @flaw: why what was predicted may be wrong
 */
struct chess_predict {
	struct chess_naming naming;
	struct known_step *step;
	size_t steps, step_room;
	uint32_t *slot;
	size_t slots;
	struct chess_event *event;
	size_t events, event_room;
	struct chess_hashset made;
	struct chess_record *model;
	uint64_t predicted;
	bool off;
	const char *flaw;
};

/**
 * chess_predict_new() - before the first run of a search
 * @accesses: accesses to memory are points
 *
 * Return: it, or NULL and errno with a sentence.
 */
struct chess_predict *chess_predict_new(bool accesses)
{
	struct chess_predict *p = calloc(1, sizeof(*p));

	if (!p) {
		chess_set_error(ENOMEM, "no memory for what runs have done");
		return NULL;
	}
	chess_naming_init(&p->naming, accesses);
	return p;
}

void chess_predict_free(struct chess_predict *p)
{
	if (!p)
		return;
	chess_naming_free(&p->naming);
	chess_hashset_clear(&p->made);
	chess_record_free(p->model);
	free(p->step);
	free(p->slot);
	free(p->event);
	free(p);
}

static int no_memory(void)
{
	return chess_set_error(ENOMEM, "no memory for what runs have done");
}

/* The slot of a key, or the empty one where it would be. */
static uint32_t *slot_of(const struct chess_predict *p, uint64_t key)
{
	size_t i = key & (p->slots - 1);

	while (p->slot[i] && p->step[p->slot[i] - 1].key != key)
		i = (i + 1) & (p->slots - 1);
	return &p->slot[i];
}

static struct known_step *find(const struct chess_predict *p, uint64_t key)
{
	uint32_t *slot = p->slots ? slot_of(p, key) : NULL;

	return slot && *slot ? &p->step[*slot - 1] : NULL;
}

static int grow(struct chess_predict *p)
{
	size_t slots = p->slots ? p->slots * 2 : FIRST_SLOTS, i;
	uint32_t *slot = calloc(slots, sizeof(*slot));

	if (!slot)
		return no_memory();
	free(p->slot);
	p->slot = slot;
	p->slots = slots;
	for (i = 0; i < p->steps; i++)
		*slot_of(p, p->step[i].key) = i + 1;
	return 0;
}

/* A step does other things than in a run that was put together. */
static void give_up(struct chess_predict *p)
{
	p->off = true;
	if (p->predicted)
		p->flaw = "a run did other things than runs before it that had the same order of dependent operations, so tasks depend on each other in ways that their points do not show; search without reductions";
}

/*
 * In a loop that waits a task yields. Its first yield begins its first window, and fairness is as
 * before; after the second it may hold the task back. @yielded: tasks that have yielded.
 */
static bool may_hold_back(const struct chess_record *r, const struct chess_event *e,
			  uint64_t *yielded)
{
	uint64_t task = 1ULL << e->task;
	bool again = *yielded & task;

	*yielded |= task;
	return again || !chess_event_awaits(r, e) || !chess_record_fair(r);
}

/* Events after which it is not known what a step does. */
static bool is_opaque(const struct chess_record *r, const struct chess_event *e, uint64_t *yielded)
{
	if (!chess_event_is_ordinary(e) || e->task >= CHESS_NAMING_TASKS)
		return true;
	return e->type == CHESS_EVENT_POINT && e->flags & CHESS_OPF_YIELD &&
	       may_hold_back(r, e, yielded);
}

/*
 * Do events show that more happens in the current step than its op says? As happens.c has it. What
 * ends a task before it comes to its end ends all others, too, so it depends on which are left.
 */
static bool is_wide(const struct chess_naming *s, const struct chess_event *e, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (e[i].type == CHESS_EVENT_EXEC || e[i].type == CHESS_EVENT_KILLED ||
		    (e[i].type == CHESS_EVENT_EXIT && s->op.kind != CHESS_OP_LEAVES) ||
		    (e[i].type == CHESS_EVENT_WAKE && e[i].object != s->current))
			return true;
	return false;
}

/* An event as it is kept: without what depends on the moment or comes to be known later. */
static struct chess_event kept(const struct chess_event *e)
{
	struct chess_event k = *e;

	k.seq = 0;
	k.enabled = 0;
	k.timed = 0;
	k.chosen = CHESS_TASK_NONE;
	k.flags &= ~CHESS_OPF_DECISION;
	if (!(e->flags & CHESS_OPF_PROBE))
		k.result = 0;
	/* It sums up results of calls at which there is no point. */
	if (e->type == CHESS_EVENT_EXIT)
		k.arg = 0;
	return k;
}

static bool is_same_kind(const struct chess_event *a, const struct chess_event *b)
{
	bool names_task = a->type != CHESS_EVENT_POINT && a->type != CHESS_EVENT_EXIT &&
			  a->type != CHESS_EVENT_KILLED;

	return a->type == b->type && a->op == b->op && a->flags == b->flags &&
	       a->object_kind == b->object_kind && a->task == b->task && a->nr == b->nr &&
	       (!names_task || a->object == b->object);
}

/*
 * When the C library asks for memory, or gives it back, depends on what all threads have allocated.
 * Their points do not show that, and it concerns no program, so it is no flaw.
 */
static bool is_of_memory(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_POINT && e->op == CHESS_OP_MEMORY &&
	       !(e->flags & CHESS_OPF_PROBE);
}

/* Is a step what another run had by that key? */
static void compare(struct chess_predict *p, struct known_step *s, const struct known_step *other,
		    const struct chess_event *e)
{
	bool same = true, memory = false;
	size_t i;

	for (i = 0; i < s->n && i < other->n && same; i++) {
		const struct chess_event k = kept(&e[i]), *had = &p->event[s->first + i];

		same = is_same_kind(&k, had);
		memory = !same && (is_of_memory(&k) || is_of_memory(had));
		s->varies |= memcmp(&k, had, sizeof(k)) != 0;
	}
	same = same && s->n == other->n && s->gained == other->gained && s->lost == other->lost;
	s->varies |= !same;
	if (!same && s->used && !memory)
		give_up(p);
}

/* Return: 1; 0: there is no more room; -ENOMEM. */
static int keep(struct chess_predict *p, struct known_step *s, const struct chess_event *e)
{
	struct known_step *known = find(p, s->key);
	size_t i;

	if (known) {
		compare(p, known, s, e);
		return 1;
	}
	if (p->events + s->n > EVENTS_MAX)
		return 0;
	if (((p->steps + 1) * 2 > p->slots && grow(p)) ||
	    chess_array_room(&p->step, &p->step_room, p->steps + 1, sizeof(*p->step)) ||
	    chess_array_room(&p->event, &p->event_room, p->events + s->n, sizeof(*p->event)))
		return no_memory();
	s->first = p->events;
	for (i = 0; i < s->n; i++)
		p->event[p->events++] = kept(&e[i]);
	p->step[p->steps++] = *s;
	*slot_of(p, s->key) = p->steps;
	return 1;
}

/*
 * What a step shows of others, with another past. A task that tries for something has to wait if
 * that is as it was for this task before. What gives a mutex back, or ends a thread, wakes the same
 * tasks as before if the same ones wait, and does apart from that what it does when none does.
 * Return: as keep().
 */
static int generalize(struct chess_predict *p, const struct known_step *step,
		      const struct chess_event *e)
{
	const struct chess_naming *n = &p->naming;
	struct known_step s = *step, plain = *step;
	uint32_t wakes = 0;
	int ret;

	if (n->current == CHESS_TASK_NONE)
		return 1;
	s.key = s.n == 1 && e->type == CHESS_EVENT_BLOCK ? chess_naming_attempt(n) : 0;
	if (s.key)
		return keep(p, &s, e);
	s.key = chess_naming_gift(n);
	if (!s.key)
		return 1;
	s.gained = 0;
	s.lost = 0;
	while (wakes < step->n && e[wakes].type == CHESS_EVENT_WAKE)
		s.gained |= 1ULL << e[wakes++].task;
	s.n = wakes;
	plain.n -= wakes;
	plain.gained &= ~s.gained;
	plain.key = n->name;
	ret = keep(p, &s, e);
	return ret > 0 ? keep(p, &plain, &e[wakes]) : ret;
}

/*
 * The current step, whose events are @first to @last of @r, none of them opaque. @before: the tasks
 * that were enabled before it. Return: 1; 0: nothing more is learned of this run; -ENOMEM.
 */
static int learn_step(struct chess_predict *p, const struct chess_record *r, size_t first,
		      size_t last, uint64_t before)
{
	const struct chess_event *e = chess_record_event(r, first);
	uint64_t after = e[last - first].enabled;
	struct chess_naming *n = &p->naming;
	struct known_step s = {
		.key = n->current == CHESS_TASK_NONE ? ROOT : chess_naming_key(n),
	};
	size_t i;
	int ret;

	if (n->current != CHESS_TASK_NONE && is_wide(n, e, last - first + 1)) {
		ret = keep(p, &s, e);
		if (ret <= 0)
			return ret;
		chess_naming_widen(n);
		s.key = chess_naming_key(n);
	}
	s.n = last - first + 1;
	s.gained = after & ~before;
	s.lost = before & ~after;
	ret = keep(p, &s, e);
	if (ret > 0)
		ret = generalize(p, &s, e);
	for (i = first; i <= last && ret > 0; i++)
		if (chess_naming_event(n, r, &e[i - first]))
			return -ENOMEM;
	chess_naming_end(n);
	return n->depend.processes ? 0 : ret;
}

/* Names of objects, which a record that is put together needs. Return: 0 or -ENOMEM. */
static int keep_model(struct chess_predict *p, const struct chess_record *r)
{
	struct chess_record *model;

	if (p->model && chess_record_objects(p->model) >= chess_record_objects(r))
		return 0;
	model = chess_record_cut(r, 0);
	if (!model)
		return -ENOMEM;
	chess_record_free(p->model);
	p->model = model;
	return 0;
}

/* Are objects with the same number of the same kind in this run? */
static bool fits_model(const struct chess_predict *p, const struct chess_record *r)
{
	size_t n = p->model ? chess_record_objects(p->model) : 0, i;

	if (n > chess_record_objects(r))
		n = chess_record_objects(r);
	for (i = 1; i <= n; i++)
		if (chess_device_class(chess_record_object_dev(p->model, i)) !=
		    chess_device_class(chess_record_object_dev(r, i)))
			return false;
	return true;
}

/**
 * chess_predict_learn() - a run was made
 * @p: what is known
 * @r: its record, to the end of the run
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_predict_learn(struct chess_predict *p, const struct chess_record *r)
{
	size_t i, first = 0, length = chess_record_length(r);
	uint64_t before = 0, yielded = 0, class;
	int ret = 1;

	if (p->off)
		return 0;
	if (!fits_model(p, r)) {
		p->off = true;
		return 0;
	}
	if (keep_model(p, r) || chess_hb_digest(r, &class) ||
	    chess_hashset_add(&p->made, class) < 0)
		return -ENOMEM;
	chess_naming_reset(&p->naming);
	for (i = 0; i < length && ret > 0 && !p->off; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (is_opaque(r, e, &yielded))
			return 0;
		if (!CHESS_EVENT_IS_TURN(e->type))
			continue;
		ret = learn_step(p, r, first, i, before);
		if (ret <= 0 || e->chosen >= CHESS_NAMING_TASKS)
			break;
		before = e->enabled;
		first = i + 1;
		chess_naming_begin(&p->naming, e->chosen, before == 1ULL << e->chosen);
	}
	return ret < 0 ? ret : 0;
}

/**
 * struct guess - a run that is put together
 * @p: what is known
 * @plan: its plan
 * @r: its record so far
 * @at: number of the next decision
 * @enabled: tasks
 * @yielded: those that have yielded
 * @last: the task that was chosen last, @row times one after another
 * @step: the known steps that it consists of, @steps of them, as indexes
 */
struct guess {
	struct chess_predict *p;
	const struct chess_plan *plan;
	struct chess_record *r;
	size_t at;
	uint64_t enabled, yielded;
	uint16_t last;
	uint32_t row;
	uint32_t *step;
	size_t steps, step_room;
};

/* The task that goes on at decision @e; CHESS_TASK_NONE: none can; -1: that one cannot. */
static int choose(struct guess *g, const struct chess_event *e)
{
	unsigned int task;

	if (!g->enabled)
		return CHESS_TASK_NONE;
	if (g->at < g->plan->length) {
		task = chess_schedule_task(g->plan->prefix, g->at);
		return task < CHESS_NAMING_TASKS && g->enabled >> task & 1 ? (int)task : -1;
	}
	if (e->flags & CHESS_OPF_YIELD && g->enabled & ~(1ULL << e->task))
		return __builtin_ctzll(g->enabled & ~(1ULL << e->task));
	if (e->type == CHESS_EVENT_POINT && g->enabled >> e->task & 1)
		return e->task;
	return __builtin_ctzll(g->enabled);
}

static int push(struct guess *g, struct chess_event *e)
{
	int ret;

	e->seq = chess_record_length(g->r) + 1;
	ret = chess_record_push(g->r, e, 1);
	return ret ? ret : chess_naming_event(&g->p->naming, g->r, e);
}

/* Are the tasks enabled that the step finds so? */
static bool fits(const struct guess *g, const struct known_step *s)
{
	return !s->varies && !(g->enabled & s->gained) && !(s->lost & ~g->enabled);
}

static int note_step(struct guess *g, const struct known_step *s)
{
	if (chess_array_room(&g->step, &g->step_room, g->steps + 1, sizeof(*g->step)))
		return no_memory();
	g->step[g->steps++] = s - g->p->step;
	return 0;
}

/* Tasks are woken before the rest of the current step. Return: 0 or -ENOMEM. */
static int add_wakes(struct guess *g, const struct known_step *s)
{
	int ret = note_step(g, s);
	uint32_t i;

	g->enabled |= s->gained;
	for (i = 0; i < s->n && !ret; i++) {
		struct chess_event e = g->p->event[s->first + i];

		ret = push(g, &e);
	}
	return ret;
}

/* The current step. Return: the task that is chosen after it; -1: that is not known; -ENOMEM. */
static int add_step(struct guess *g, const struct known_step *s)
{
	struct chess_event e;
	uint32_t i;
	int chosen = -1, ret;

	if (!fits(g, s))
		return -1;
	ret = note_step(g, s);
	g->enabled = (g->enabled | s->gained) & ~s->lost;
	for (i = 0; i < s->n && !ret; i++) {
		e = g->p->event[s->first + i];
		if (is_opaque(g->r, &e, &g->yielded))
			return -1;
		if (i + 1 == s->n) {
			chosen = choose(g, &e);
			if (chosen < 0)
				return -1;
			e.enabled = g->enabled;
			e.chosen = chosen;
			if (__builtin_popcountll(g->enabled) == 1)
				e.flags |= CHESS_OPF_ALONE;
		}
		ret = push(g, &e);
	}
	chess_naming_end(&g->p->naming);
	return ret ? ret : chosen;
}

/*
 * What does the current step do? *@wakes: what precedes it, or NULL. Return: NULL: that is not
 * known.
 */
static const struct known_step *look_up(const struct chess_predict *p,
					const struct known_step **wakes)
{
	const struct chess_naming *n = &p->naming;
	const struct known_step *s = find(p, chess_naming_key(n));
	uint64_t attempt = s ? 0 : chess_naming_attempt(n), gift;

	*wakes = NULL;
	if (attempt)
		s = find(p, attempt);
	gift = s ? 0 : chess_naming_gift(n);
	if (!gift)
		return s;
	*wakes = find(p, gift);
	return *wakes ? find(p, n->name) : NULL;
}

/* Others have to go first after too many points in a row. */
static bool is_long_row(struct guess *g, uint16_t task)
{
	g->row = task == g->last && g->enabled != 1ULL << task ? g->row + 1 : 0;
	g->last = task;
	return g->row >= chess_row_limit(g->p->model) / 2;
}

/* Return: 1, 0: something of it is not known, -errno. */
static int put_together(struct guess *g)
{
	struct chess_naming *n = &g->p->naming;
	const struct known_step *s = find(g->p, ROOT), *wakes = NULL;
	int chosen, ret;

	chess_naming_reset(n);
	for (;;) {
		if (s && !s->n && !s->varies) {
			chess_naming_widen(n);
			s = find(g->p, chess_naming_key(n));
			wakes = NULL;
		}
		if (!s || (wakes && !fits(g, wakes)))
			return 0;
		ret = wakes ? add_wakes(g, wakes) : 0;
		if (ret)
			return ret;
		chosen = add_step(g, s);
		if (chosen == CHESS_TASK_NONE)
			return g->at >= g->plan->length;
		if (chosen < 0)
			return chosen == -1 ? 0 : chosen;
		g->at++;
		if (is_long_row(g, chosen))
			return 0;
		chess_naming_begin(n, chosen, g->enabled == 1ULL << chosen);
		s = look_up(g->p, &wakes);
	}
}

/*
 * With @out the run will not be made, and what is known of its steps is relied on. Return: 1; 0: it
 * is not known what it would do, or no run of its class was made; -errno.
 */
static int guess(struct chess_predict *p, const struct chess_plan *plan, struct chess_record **out)
{
	struct guess g = { .p = p, .plan = plan, .last = CHESS_TASK_NONE };
	uint64_t class;
	size_t i;
	int ret;

	if (p->off || !p->model || plan->policy != CHESS_POLICY_KIND_DEFAULT)
		return 0;
	g.r = chess_record_cut(p->model, 0);
	if (!g.r)
		return -ENOMEM;
	ret = put_together(&g);
	if (ret > 0)
		ret = chess_hb_digest(g.r, &class) ? -ENOMEM : chess_hashset_has(&p->made, class);
	for (i = 0; i < g.steps && ret > 0 && out; i++)
		p->step[g.step[i]].used = true;
	free(g.step);
	if (ret > 0 && out)
		*out = g.r;
	else
		chess_record_free(g.r);
	return ret;
}

/**
 * chess_predict_run() - what would a run do?
 * @p: what is known
 * @plan: its plan
 * @out: its record, to be freed, without stacks and results of calls
 *
 * Return: 1; 0: that is not known, or no run of its class was made; negative errno.
 */
int chess_predict_run(struct chess_predict *p, const struct chess_plan *plan,
		      struct chess_record **out)
{
	int ret = guess(p, plan, out);

	p->predicted += ret > 0;
	return ret;
}

/**
 * chess_predict_knows() - would that be 1?
 * @p: what is known
 * @plan: a plan
 *
 * Return: whether it would.
 */
bool chess_predict_knows(struct chess_predict *p, const struct chess_plan *plan)
{
	return guess(p, plan, NULL) > 0;
}

/**
 * chess_predict_check() - a run that was predicted was made all the same
 * @p: what is known
 * @predicted: what it was to do
 * @r: what it did
 *
 * Where they differ nothing is predicted any more, and chess_predict_flaw() may have a sentence.
 */
void chess_predict_check(struct chess_predict *p, const struct chess_record *predicted,
			 const struct chess_record *r)
{
	size_t length = chess_record_length(r), i;
	bool same = true, memory = false;

	for (i = 0; i < length && i < chess_record_length(predicted) && same; i++) {
		const struct chess_event *a = chess_record_event(predicted, i);
		const struct chess_event *b = chess_record_event(r, i);
		const struct chess_event left = kept(a), right = kept(b);

		same = is_same_kind(&left, &right);
		memory = !same && (is_of_memory(a) || is_of_memory(b));
		if (chess_event_is_decision(b))
			same = same && a->enabled == b->enabled && a->timed == b->timed &&
			       a->chosen == b->chosen && a->flags == b->flags;
	}
	if (memory)
		p->off = true;
	else if (!same || length != chess_record_length(predicted))
		give_up(p);
}

/**
 * chess_predict_flaw() - a sign that predictions were wrong
 * @p: what is known
 *
 * Return: NULL, or a sentence.
 */
const char *chess_predict_flaw(const struct chess_predict *p)
{
	return p->flaw;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See states.h. A key is what decides how a run continues from a decision: the state as the
 * executor reports it, which tasks may be chosen, the state of fairness (windows.h), and at
 * what point of which task this is, as far as that affects the cost of ways. It is made once a
 * run is there; a key of a prefix's order, in contrast, is made before the run: only the program
 * knows where a step leads. So one run is made for each way out of each state.
 *
 * A fair run that comes back to a key at which it was can go round for ever. That is a livelock,
 * and since no run is made that goes round, leaving out ways is reported as unsound. Depth
 * first each such circle is seen: the first of its keys to be reached is on the path to the last
 * one, since everything below it is done before the search leaves it.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "internal.h"
#include "mix.h"
#include "search/states.h"
#include "record/decision.h"
#include "search/visited.h"
#include "search/windows.h"

/* Five million keys of 13 bytes, of states and of steps out of them. */
#define VISITED_BYTES	(64UL << 20)

/**
 * struct chess_states - states of one search
 * @costs: what ways cost
 * @visited: keys whose ways were all taken, or wait
 * @flaw: why what was left out may be missing, or NULL
 * @found: runs that came to one of them
 * @record: the run being read
 * @windows: the state of fairness at the event read last
 * @left_out: tasks that fairness leaves out at the next decision, as the record says
 * @key: by decision, of the run; @n so far, with room for @key_room
 */
struct chess_states {
	enum chess_reduce_costs costs;
	struct chess_visited *visited;
	const char *flaw;
	uint64_t found;

	const struct chess_record *record;
	struct chess_windows windows;
	uint64_t left_out;
	uint64_t *key;
	size_t n, key_room;
};

/**
 * chess_states_new() - the states of a search that has been nowhere yet
 * @costs: what its ways cost
 *
 * Return: the states, or NULL and errno with a sentence.
 */
struct chess_states *chess_states_new(enum chess_reduce_costs costs)
{
	struct chess_states *s = calloc(1, sizeof(*s));

	if (!s) {
		chess_set_error(ENOMEM, "no memory for the states of a search");
		return NULL;
	}
	s->costs = costs;
	s->visited = chess_visited_new(VISITED_BYTES);
	if (s->visited)
		return s;
	free(s);
	return NULL;
}

void chess_states_free(struct chess_states *s)
{
	if (!s)
		return;
	chess_visited_free(s->visited);
	free(s->key);
	free(s);
}

/**
 * chess_states_begin() - a run is going to be read
 * @s: the states
 * @r: its record, until the next call
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_states_begin(struct chess_states *s, const struct chess_record *r)
{
	size_t tasks = chess_record_tasks(r), keys = chess_record_decisions(r);

	if (chess_array_room(&s->key, &s->key_room, keys, sizeof(*s->key)))
		return chess_set_error(ENOMEM, "no memory for %zu states of a run", keys);
	s->record = r;
	s->left_out = 0;
	s->n = 0;
	chess_windows_reset(&s->windows, tasks > CHESS_WINDOWS_TASKS ? 0 : chess_record_fair(r));
	return 0;
}

/* The part of a decision that is the same whenever its task is there. */
static uint64_t hash_event(const struct chess_event *e)
{
	return chess_mix(chess_mix(0, (uint64_t)e->task << 32 | e->type << 24 | e->op << 16 |
				   (e->flags & ~CHESS_OPF_DECISION)), e->nr);
}

/* The first flaw is the nearest to the cause. */
static void note_flaw(struct chess_states *s, const char *what)
{
	if (!s->flaw)
		s->flaw = what;
}

/**
 * chess_states_read() - take in the next event
 * @s: the states
 * @i: its index; each has to be handed in, in their order
 */
void chess_states_read(struct chess_states *s, size_t i)
{
	const struct chess_event *e = chess_record_event(s->record, i);

	if (e->task >= chess_record_tasks(s->record))
		return;
	if (e->type == CHESS_EVENT_FAIR) {
		s->left_out = e->object ? chess_mix(s->left_out, e->enabled + e->object) :
			      e->enabled;
		return;
	}
	chess_windows_read(&s->windows, s->record, i);
}

/*
 * Does it not matter at which task's point a decision is? So it is where ways cost nothing, and a
 * yield makes a difference to fairness only; unless time may pass with it.
 */
static bool is_any_order(const struct chess_states *s, const struct chess_event *e)
{
	return s->costs == CHESS_REDUCE_COSTS_NOTHING && chess_record_fair(s->record) &&
	       !e->timed && (e->type == CHESS_EVENT_POINT || e->type == CHESS_EVENT_BLOCK ||
			     e->type == CHESS_EVENT_EXIT);
}

/**
 * chess_states_arrive() - the run is at a decision
 * @s: the states
 * @i: the decision, the event read last; each has to be handed in
 *
 * Return: 0 or -EINVAL with chess_error(): there is no state.
 */
int chess_states_arrive(struct chess_states *s, size_t i)
{
	const struct chess_event *e = chess_record_event(s->record, i);
	uint64_t h;

	if (!chess_record_state(s->record, s->n, &h))
		return chess_set_error(EINVAL, "the executor does not report the program's states, so none can be recognized; leave out the reduction by states");
	if (s->windows.every && CHESS_EVENT_IS_TURN(e->type) &&
	    chess_windows_left_out(&s->windows) != s->left_out)
		note_flaw(s, "fairness left out tasks other than those that the yields before explain, so the state of fairness is not known; search without the reduction by states");
	h = chess_mix(chess_mix(h, e->enabled), e->timed);
	if (!is_any_order(s, e))
		h = chess_mix(h, hash_event(e));
	h = chess_mix(chess_mix(h, s->left_out), chess_windows_state(&s->windows));
	s->key[s->n++] = chess_mix(h, h >> 32);
	s->left_out = 0;
	return 0;
}

/* The run is at a key at which it was before. */
static bool comes_back(const struct chess_states *s)
{
	size_t i, last = s->n - 1;

	for (i = 0; i < last; i++)
		if (s->key[i] == s->key[last])
			return true;
	return false;
}

/**
 * chess_states_visit() - is what can follow found elsewhere?
 * @s: the states
 *
 * If not, all other ways at it have to be taken: it is entered as visited. An earlier visit was
 * at no more cost: a search goes from level to level, a run is read at the current level, and a
 * level is left for good when it is empty and no plan of it is out.
 *
 * Return: 1: it is; 0; -ENOMEM with chess_error().
 */
int chess_states_visit(struct chess_states *s)
{
	struct chess_visit *v = chess_visited_find(s->visited, s->key[s->n - 1]);

	/* Neither the record nor the windows hold all of more tasks. */
	if (chess_record_tasks(s->record) > CHESS_WINDOWS_TASKS)
		return 0;
	if (!v)
		return chess_visited_add(s->visited, s->key[s->n - 1], 0) ? 0 : -ENOMEM;
	if (chess_record_fair(s->record) && comes_back(s))
		note_flaw(s, "a fair run comes back to a state in which it was, so there is a livelock, and no run was made that shows it; search without the reduction by states");
	s->found++;
	return 1;
}

/* Where the step after decision @i leads, as a few bits that are not all zero. */
static uint32_t print_next(const struct chess_states *s, size_t i)
{
	const struct chess_event *e;
	uint64_t h = 0;

	while ((e = chess_record_event(s->record, ++i)) && !chess_event_decides(e))
		;
	if (e && chess_record_state(s->record, s->n, &h))
		h = chess_mix(chess_mix(chess_mix(h, hash_event(e)), e->enabled), e->timed);
	return h >> 52 ? h >> 52 : 1;
}

/* One step out of one state leads to one state; else the reported state is not complete. */
static int compare(struct chess_states *s, size_t i)
{
	uint64_t key = chess_mix(s->key[s->n - 1], chess_record_event(s->record, i)->chosen + 1);
	struct chess_visit *v = chess_visited_find(s->visited, key);

	if (!v) {
		v = chess_visited_add(s->visited, key, 0);
		if (!v)
			return -ENOMEM;
		v->print = print_next(s, i);
	}
	if (v->print != print_next(s, i))
		note_flaw(s, "one step out of one state led to two, so the reported state is not complete; search without the reduction by states");
	return 0;
}

/**
 * chess_states_step() - the chosen task runs
 * @s: the states
 * @i: the decision, the event read last
 * @look: check where it leads; not needed where the run before this one did
 *
 * Return: 0 or -ENOMEM with chess_error().
 */
int chess_states_step(struct chess_states *s, size_t i, bool look)
{
	const struct chess_event *e = chess_record_event(s->record, i);
	int ret = look && chess_record_tasks(s->record) <= CHESS_WINDOWS_TASKS ? compare(s, i) : 0;

	if (CHESS_EVENT_IS_TURN(e->type))
		chess_windows_go_on(&s->windows, e->chosen,
				    chess_record_timed(s->record, i, e->chosen));
	return ret;
}

/**
 * chess_states_flaw() - why schedules may be missing though all were followed
 * @s: the states
 *
 * Return: NULL, or a sentence.
 */
const char *chess_states_flaw(const struct chess_states *s)
{
	return s->flaw;
}

/**
 * chess_states_left_out() - ways that were not taken
 * @s: the states
 * @n: their numbers are added to this
 */
void chess_states_left_out(const struct chess_states *s, uint64_t n[CHESS_LEFT_OUT_CAUSES])
{
	n[CHESS_LEFT_OUT_STATE] += s->found;
	n[CHESS_LEFT_OUT_UNSOUND] += s->flaw ? s->found + 1 : 0;
}

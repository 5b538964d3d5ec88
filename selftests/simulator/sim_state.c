// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state of a modelled program as one number: what the program says of its memory and of
 * where bodies are (sim_program.state), and what only the model knows: the op a task is at,
 * how far it is with it, which wait in which order, how far deadlines are away.
 *
 * Two runs in which it is equal go on alike. It may differ where they do, which costs runs.
 */
#include "mix.h"
#include "sim_internal.h"

/*
 * What is not in the program and on no stack sim_name() numbers as it comes in the run, so
 * there it is the address.
 */
static uint64_t place(struct sim *s, const void *p)
{
	return p && sim_is_named(p) ? sim_name(s, p) : (uintptr_t)p;
}

/**
 * sim_state_at() - the running task is at a point
 * @s: the run
 * @at: the op
 */
void sim_state_at(struct sim *s, const struct sim_at *at)
{
	uint64_t h = chess_mix(0, (uint64_t)at->op->op << 8 | at->op->flags);

	h = chess_mix(chess_mix(h, at->op->nr), place(s, at->object));
	h = chess_mix(chess_mix(h, place(s, at->second)), (uint64_t)at->kind << 32 | at->number);
	s->token->at = chess_mix(h, place(s, at->caller));
	s->token->waits_at = 0;
}

/**
 * sim_state_blocks() - it waits in the middle of that op
 * @s: the run
 * @object: at which it waits
 */
void sim_state_blocks(struct sim *s, const void *object)
{
	s->token->waits_at = chess_mix(1, place(s, object));
}

/* Tasks in the queue of @t before it. */
static unsigned int rank(const struct sim *s, const struct sim_task *t)
{
	unsigned int id, n = 0;

	for (id = 0; id < s->n_tasks; id++)
		n += !s->task[id]->dead && s->task[id]->queue == t->queue &&
		     s->task[id]->since < t->since;
	return n;
}

static uint64_t hash_task(struct sim *s, const struct sim_task *t)
{
	bool queued = chess_set_has(&s->queued, t->id);
	uint64_t h;

	if (t->dead)
		return 1;
	h = chess_mix(chess_mix(place(s, t->body), place(s, t->arg)), t->at);
	h = chess_mix(h, t->waits_at);
	h = chess_mix(h, (uint64_t)queued << 1 | t->timed_out);
	h = chess_mix(h, queued ? place(s, t->queue) : 0);
	h = chess_mix(h, queued ? rank(s, t) : 0);
	if (chess_set_has(&s->gated, t->id))
		h = chess_mix(h, t->round);
	if (chess_set_has(&s->timed, t->id))
		h = chess_mix(h, t->deadline - s->now);
	return h;
}

/**
 * sim_state() - the state of the run
 * @s: the run, at a decision
 * @program: its program's state
 *
 * Return: a hash of it; of how long the run may go on, too, if it just ends then.
 */
uint64_t sim_state(struct sim *s, uint64_t program)
{
	uint64_t h = chess_mix(program, s->n_tasks);
	unsigned int id;

	for (id = 0; id < s->n_tasks; id++)
		h = chess_mix(h, hash_task(s, s->task[id]));
	return s->opts.cut_is_end ? chess_mix(h, s->points) : h;
}

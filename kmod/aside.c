// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a run came to before its process was kept. The start of a program is short, and copied
 * for each run that a fork of the process begins; kept.c calls.
 */
#include <linux/slab.h>
#include <linux/string.h>

#include "aside.h"
#include "chess.h"
#include "task.h"
#include "traps/wait_loop.h"

static void *copy_of(const void *from, size_t n, size_t size, bool *bad)
{
	void *to = n ? kvmalloc_array(n, size, GFP_KERNEL_ACCOUNT) : NULL;

	*bad |= n && !to;
	return to ? memcpy(to, from, n * size) : NULL;
}

/**
 * chess_aside_put() - put aside what the run of current came to
 * @a: where to; chess_aside_free() frees it in any case
 * @g: the group, of which current is the only task
 *
 * Context: task work, by the token holder: nothing of this changes meanwhile.
 * Return: false without memory.
 */
bool chess_aside_put(struct chess_aside *a, const struct chess_group *g)
{
	const struct chess_mapped *m = &g->record.mapped;
	bool bad = false;

	a->decisions = g->decisions;
	a->random = g->random;
	a->sent = g->sent;
	a->streak = g->streak;
	a->clock = g->clock;
	a->fair = g->fair;
	a->memories = g->memories;
	a->late = g->late;
	a->rest = g->accesses.rest;
	a->flags = g->flags;
	a->records = g->accesses.max;
	a->lost_accesses = g->accesses.lost;
	a->nevents = g->record.length;
	a->events = copy_of(g->record.events, a->nevents, sizeof(*a->events), &bad);
	a->ninodes = g->inodes.n;
	a->inodes = copy_of(g->inodes.names, a->ninodes, sizeof(*a->inodes), &bad);
	a->naccesses = g->accesses.length;
	a->accesses = copy_of(g->accesses.entries, a->naccesses, sizeof(*a->accesses), &bad);
	a->loop = copy_of(g->accesses.loop, !!g->accesses.loop, sizeof(*a->loop), &bad);
	a->text_length = m->length;
	a->text = copy_of(m->text, a->text_length, 1, &bad);
	a->nmapped = m->n;
	a->mapped = copy_of(m->id, a->nmapped, sizeof(*a->mapped), &bad);
	bitmap_copy(a->translated, m->translated, CHESS_MAX_MAPPED);
	if (g->record.maps) {
		a->maps = kstrdup(g->record.maps, GFP_KERNEL_ACCOUNT);
		bad |= !a->maps;
	}
	return !bad;
}

/**
 * chess_aside_copy() - begin a run with what was put aside: what stands in arrays
 * @g: a group with a run that is armed: it has no task, and nobody writes there
 * @a: what was put aside
 *
 * Context: netlink, group->lock held.
 */
void chess_aside_copy(struct chess_group *g, const struct chess_aside *a)
{
	struct chess_mapped *m = &g->record.mapped;

	lockdep_assert_held(&g->lock);
	g->memories = a->memories;
	g->accesses.lost = a->lost_accesses;
	g->accesses.rest = a->rest;
	memcpy(g->record.events, a->events, a->nevents * sizeof(*a->events));
	smp_store_release(&g->record.length, a->nevents);
	memcpy(g->inodes.names, a->inodes, a->ninodes * sizeof(*a->inodes));
	smp_store_release(&g->inodes.n, a->ninodes);
	memcpy(g->accesses.entries, a->accesses, a->naccesses * sizeof(*a->accesses));
	smp_store_release(&g->accesses.length, a->naccesses);
	if (g->accesses.loop && a->loop)
		*g->accesses.loop = *a->loop;
	memcpy(m->text, a->text, a->text_length);
	memcpy(m->id, a->mapped, a->nmapped * sizeof(*a->mapped));
	bitmap_copy(m->translated, a->translated, CHESS_MAX_MAPPED);
	m->n = a->nmapped;
	smp_store_release(&m->length, a->text_length);
}

/**
 * chess_aside_restore_locked() - and what does not
 * @g: the group
 * @a: what was put aside
 *
 * Context: netlink, group->lock and plock held.
 */
void chess_aside_restore_locked(struct chess_group *g, const struct chess_aside *a)
	__must_hold(&g->plock)
{
	u32 limit = g->streak.limit;

	lockdep_assert_held(&g->plock);
	g->decisions = a->decisions;
	g->random = a->random;
	g->sent = a->sent;
	g->streak = a->streak;
	g->streak.limit = limit;
	g->clock = a->clock;
	g->fair = a->fair;
}

/**
 * chess_aside_follow_locked() - would the plan have come to where the process is?
 * @g: the group; the plan is then where it is there
 * @a: what was put aside
 *
 * Context: netlink, group->lock and plock held.
 * Return: whether it would.
 */
bool chess_aside_follow_locked(struct chess_group *g, const struct chess_aside *a)
	__must_hold(&g->plock)
{
	static const struct chess_set nobody;
	struct chess_set root = { };
	unsigned int want;
	u32 i;

	lockdep_assert_held(&g->plock);
	chess_set_add(&root, 0);
	for (i = 0; i < a->nevents; i++) {
		const struct chess_event *e = &a->events[i];

		if (!CHESS_EVENT_IS_DECISION(e->type))
			continue;
		want = chess_prefix_peek(&g->prefix);
		if (want != CHESS_TASK_NONE && want != 0)
			return false;
		if (g->policy.kind &&
		    chess_policy_decide(&g->policy, e, &(struct chess_policy_choice) {
				.enabled = &root, .unfair = &root, .timed = &nobody,
				.usual = 0, .forced = want,
			}) != 0)
			return false;
		chess_prefix_advance(&g->prefix);
	}
	return true;
}

/**
 * chess_aside_model_locked() - the root task of a run is as that of the kept process was
 * @t: the task, which is current; it does not belong to the run yet
 * @model: what the process was under control
 *
 * Context: task work, plock held.
 */
void chess_aside_model_locked(struct chess_task *t, const struct chess_task *model)
	__must_hold(&t->group->plock)
{
	lockdep_assert_held(&t->group->plock);
	t->seq = model->seq;
	t->call = model->call;
	t->quiet = model->quiet;
	t->exit_point = model->exit_point;
	t->traps = model->traps;
	t->traps.slot = 0;
	t->noticed = model->noticed;
	t->handlers = model->handlers;
	cpumask_copy(t->binding.cpus, model->binding.cpus);
	t->binding.cpu = model->binding.cpu;
	t->binding.asked = model->binding.asked;
	t->binding.is_bound = model->binding.is_bound;
	t->shown = model->shown;
}

/**
 * chess_aside_free() - free what is held
 * @a: what was put aside
 *
 * Context: process or softirq.
 */
void chess_aside_free(struct chess_aside *a)
{
	kvfree(a->events);
	kvfree(a->inodes);
	kvfree(a->accesses);
	kvfree(a->loop);
	kfree(a->maps);
	kvfree(a->text);
	kvfree(a->mapped);
}

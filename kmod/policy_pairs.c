// SPDX-License-Identifier: GPL-2.0-only
/*
 * See policy_pairs.h. This is the scheduler of the Reads-From Fuzzer (Wolff, Shi, Duck, Mathur,
 * Roychoudhury, Greybox Fuzzing for Concurrency Testing, ASPLOS'24).
 *
 * A plan is a list of pairs of places (accesses to memory or calls): what is done at the second
 * place is to read what was written at the first one, or, with CHESS_PAIR_DENY, is not to. Which
 * tasks and objects these are is found out in the run. The rest is partial order sampling
 * (policy.c), among the tasks that no pair holds:
 *
 *	wanted, until it was read once: a task at the second place waits for the write, one at the
 *	first place waits until another is at the second, on the same object, and one that would
 *	write to that object after it waits for the read;
 *	denied: a task at the second place waits while the last write is that one, and one at the
 *	first place waits while another task is at the second, on the same object.
 *
 * Where every task is held, the one with the highest priority goes on. Which tasks could is exact
 * here. Deviation: the paper has the write done whenever it comes, and the read may then be too far
 * away; the rule that the write waits is that of policy order.
 */
#include "policy.h"

/* Words of the plan: two places and flags for each pair. */
static unsigned int pairs(const struct chess_policy *p)
{
	return p->n_changes / 3;
}

static bool is_denied(const struct chess_policy *p, unsigned int pair)
{
	return p->changes[3 * pair + 2] & CHESS_PAIR_DENY;
}

/**
 * chess_pairs_fault() - is this a list of pairs
 * @changes: as the plan has it
 * @n: its length
 *
 * Context: any.
 * Return: what is wrong with it, or NULL.
 */
const char *chess_pairs_fault(const __u32 *changes, unsigned int n)
{
	unsigned int i;

	if (n % 3 || n / 3 > CHESS_PAIRS_MAX)
		return "policy pairs needs two places and flags for each of up to eight pairs";
	for (i = 0; i < n; i += 3) {
		if (!changes[i] || !changes[i + 1])
			return "a pair of policy pairs has no place";
		if (changes[i + 2] & ~CHESS_PAIR_DENY)
			return "policy pairs knows no such flag";
	}
	return NULL;
}

/**
 * chess_pairs_start() - a run begins
 * @p: the policy, with the plan's data set
 *
 * Context: any.
 */
void chess_pairs_start(struct chess_policy *p)
{
	p->pairs = (struct chess_policy_pairs){ .done = 0 };
}

static bool on_range(const struct chess_policy_range *r, const struct chess_policy_task *t)
{
	return r->bound && r->kind == t->object_kind && t->object <= r->last &&
	       r->first <= t->last;
}

/* Is another task at the second place, with the object of @id? Not after so many @tries. */
static bool is_awaited(const struct chess_policy *p, unsigned int id, unsigned int pair,
		       unsigned int *tries)
{
	const struct chess_policy_task *t = &p->tasks[id], *other;
	const struct chess_policy_range r = {
		.first = t->object, .last = t->last, .kind = t->object_kind, .bound = true,
	};
	unsigned int i;

	for (i = chess_set_next(&p->choosable, 0); i != CHESS_TASK_NONE && *tries;
	     i = chess_set_next(&p->choosable, i + 1), --*tries) {
		if (i == id || i >= p->known)
			continue;
		other = &p->tasks[i];
		if (other->pending && other->place == p->changes[3 * pair + 1] &&
		    on_range(&r, other))
			return true;
	}
	return false;
}

static bool holds(const struct chess_policy *p, unsigned int id, unsigned int pair,
		  unsigned int *tries)
{
	const struct chess_policy_task *t = &p->tasks[id];
	bool first = t->place == p->changes[3 * pair];
	bool second = t->place == p->changes[3 * pair + 1];
	bool after = on_range(&p->pairs.written[pair], t);

	if (is_denied(p, pair)) {
		if (second && after)
			return true;
		return first && !second && is_awaited(p, id, pair, tries);
	}
	if (p->pairs.done & 1U << pair)
		return false;
	/* What does both, such as an atomic addition, has to begin somewhere. */
	if (first)
		return !second && !is_awaited(p, id, pair, tries);
	return second ? !after : t->write && after;
}

/**
 * chess_pairs_holds() - is a task held
 * @p: the policy; @choosable has those who may go on
 * @id: one of them
 * @tries: how many tasks may still be looked at: interrupts are off, and the work must not grow
 *	with the square of the tasks
 *
 * Context: any.
 * Return: whether a pair wants another operation to come first.
 */
bool chess_pairs_holds(const struct chess_policy *p, unsigned int id, unsigned int *tries)
{
	unsigned int i;

	if (id >= p->known || !p->tasks[id].pending || !p->tasks[id].place)
		return false;
	for (i = 0; i < pairs(p); i++)
		if (holds(p, id, i, tries))
			return true;
	return false;
}

/**
 * chess_pairs_go() - a task has done what it was at
 * @p: the policy
 * @id: the task; its op is pending still
 *
 * Context: any.
 */
void chess_pairs_go(struct chess_policy *p, unsigned int id)
{
	const struct chess_policy_task *t = &p->tasks[id];
	struct chess_policy_range *r;
	unsigned int i;

	for (i = 0; i < pairs(p); i++) {
		r = &p->pairs.written[i];
		if (t->place && t->place == p->changes[3 * i + 1] && on_range(r, t))
			p->pairs.done |= 1U << i;
		if (!t->write)
			continue;
		if (t->place && t->place == p->changes[3 * i])
			*r = (struct chess_policy_range){
				.first = t->object, .last = t->last, .kind = t->object_kind,
				.bound = true,
			};
		else if (on_range(r, t))
			r->bound = false;
	}
}

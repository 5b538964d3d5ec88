// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A portfolio: the bounded search (icb), hold, surw, maple and rff share the runs, and a part that
 * has found more lately gets more of them. What counts is what no run of the search showed before:
 * a happens-before class, and an iRoot (the reads-from pairs are those of idiom 1), for the points
 * that the part's runs took, each run counting as RUN_COST points more. No clock is asked, so one
 * seed gives one search.
 *
 * Runs are given in rounds. At its beginning each part gets a share of the round: all have
 * FLOOR of it, and the rest is divided in proportion to what they found. Older finds count less:
 * 7/8 after a round. So a part that finds nothing any more still shows, every round, whether it
 * does again, and none starves: where one is over, the others have its share.
 *
 * A search with it ends when the bounded search does, and claims what that claims. With dynamic
 * partial orders there are at least CHECKS runs by chance, as in strategy_turns.c.
 *
 * What runs showed is taken in at the end of a round, in the order of their plans, so it does not
 * matter how many plans are out.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "iroot/iroot.h"
#include "race/racing.h"
#include "record/hb.h"
#include "search/forks.h"
#include "search/strategy.h"

enum part { ICB, HOLD, SURW, MAPLE, RFF, PARTS };

_Static_assert((int)PARTS == CHESS_SHARES, "each part is in the result");

static const struct chess_strategy_ops *const part_ops[PARTS] = {
	&chess_strategy_icb, &chess_strategy_hold, &chess_strategy_surw, &chess_strategy_maple,
	&chess_strategy_rff,
};

#define ROUND		20
#define FLOOR		1	/* runs of a round */
#define RUN_COST	100
#define CHECKS		8
/* Finds and points are counted in so many parts of one, as older ones count less. */
#define UNIT		1024

/**
 * struct share - what a part has done
 * @state: of the strategy
 * @over: it has no more plans
 * @news: what it found lately
 * @cost: of the runs in which it did
 * @runs: that were made for it, @classes and @iroots: what they showed first
 */
struct share {
	void *state;
	bool over;
	uint64_t news, cost;
	uint64_t runs, classes, iroots;
};

/**
 * struct slot - a plan of the round
 * @part: whose it is
 * @ticket: that part's
 * @given: it was handed out
 * @made: its run was as planned: what follows is of it
 * @digest: its happens-before class
 * @points: how long it was
 * @roots: iRoots that it exposed
 */
struct slot {
	enum part part;
	void *ticket;
	bool given, made;
	uint64_t digest, points;
	struct chess_iroots roots;
};

/**
 * struct portfolio - a search
 * @share: by part
 * @slot: plans of the round, @n of them; @at: the next one, @back: those that are back
 * @classes: of all runs
 * @known: iRoots that all runs exposed
 * @roots: those of the program that strategy maple knows of, or NULL
 * @memo: who remembers other searches, or NULL
 * @window: of iRoots
 * @checks: runs by chance that are needed to check a reduction
 * @chance: how many there were
 * @begun: the first run was made
 */
struct portfolio {
	struct share share[PARTS];
	struct slot slot[ROUND];
	size_t n, at, back;
	struct chess_hashset classes;
	struct chess_iroots known;
	struct chess_iroots *roots;
	const struct chess_memo *memo;
	unsigned int window;
	uint64_t checks, chance;
	bool begun;
};

static void auto_free(void *strategy)
{
	struct portfolio *t = strategy;
	unsigned int i;

	for (i = 0; i < PARTS; i++)
		if (t->share[i].state)
			part_ops[i]->free(t->share[i].state);
	for (i = 0; i < ROUND; i++)
		chess_iroots_free(&t->slot[i].roots);
	chess_hashset_clear(&t->classes);
	chess_iroots_free(&t->known);
	free(t);
}

/* Without the races of the program hold and maple have nothing to go by. */
static void *auto_new(const struct chess_explore_opts *o)
{
	struct portfolio *t = calloc(1, sizeof(*t));
	struct chess_explore_opts rff = *o;
	unsigned int i;

	/* What it shows maple is to know at the end of a round, not before. */
	if (!o->memo)
		rff.racing = NULL;
	if (!t) {
		chess_set_error(ENOMEM, "no memory for a search");
		return NULL;
	}
	t->roots = o->racing ? chess_racing_iroots(o->racing) : NULL;
	t->memo = t->roots ? o->memo : NULL;
	t->window = chess_iroot_window(o);
	t->checks = o->reduce & CHESS_REDUCE_DPOR ? CHECKS : 0;
	for (i = 0; i < PARTS; i++) {
		t->share[i].over = part_ops[i]->races && !o->racing;
		if (t->share[i].over)
			continue;
		t->share[i].state = part_ops[i]->new(i == RFF ? &rff : o);
		if (!t->share[i].state) {
			auto_free(t);
			return NULL;
		}
	}
	return t;
}

/* ---- what runs showed ---- */

/* Return: how many of them no run had exposed; -errno */
static int64_t take_roots(struct chess_iroots *known, const struct chess_iroots *roots)
{
	int64_t at, n = 0;
	size_t i;

	for (i = 0; i < roots->n; i++) {
		at = chess_iroots_find(known, &roots->root[i]);
		if (at < 0)
			return at;
		n += !known->root[at].exposed;
		known->root[at].exposed = true;
	}
	return n;
}

static int take_run(struct portfolio *t, struct slot *s)
{
	struct share *share = &t->share[s->part];
	int64_t roots = take_roots(&t->known, &s->roots);
	int class = roots < 0 ? 0 : chess_hashset_add(&t->classes, s->digest);

	if (roots < 0 || class < 0)
		return -ENOMEM;
	/* Maple does not try what other parts exposed; with a memo it knows already. */
	if (t->roots && !t->memo && s->part != MAPLE && take_roots(t->roots, &s->roots) < 0)
		return -ENOMEM;
	share->runs++;
	share->classes += class;
	share->iroots += roots;
	share->news += (class + !!roots) * UNIT;
	share->cost += (s->points + RUN_COST) * UNIT;
	t->chance += s->part != ICB;
	return 0;
}

/* All plans of the round are back. */
static int end_round(struct portfolio *t)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < PARTS; i++) {
		t->share[i].news -= t->share[i].news / 8;
		t->share[i].cost -= t->share[i].cost / 8;
	}
	for (i = 0; i < t->n && !ret; i++) {
		if (t->slot[i].made)
			ret = take_run(t, &t->slot[i]);
		chess_iroots_free(&t->slot[i].roots);
	}
	t->n = t->at = t->back = 0;
	return ret;
}

/* ---- the next round ---- */

/* Finds for a million points. A part that had no run yet is as good as can be. */
static uint64_t rate_of(const struct share *s)
{
	if (s->over)
		return 0;
	return s->cost ? 1 + 1000000 * s->news / s->cost : 1000000 / RUN_COST;
}

static void share_out(const struct portfolio *t, unsigned int runs[PARTS])
{
	unsigned int i, best = ICB, parts = 0, left = ROUND;
	uint64_t sum = 0;

	for (i = 0; i < PARTS; i++) {
		sum += rate_of(&t->share[i]);
		parts += !t->share[i].over;
		if (rate_of(&t->share[i]) > rate_of(&t->share[best]))
			best = i;
	}
	for (i = 0; i < PARTS; i++) {
		runs[i] = t->share[i].over ? 0 : FLOOR + (uint64_t)(ROUND - parts * FLOOR) *
			  rate_of(&t->share[i]) / sum;
		left -= runs[i];
	}
	/* What rounding leaves. */
	runs[best] += left;
}

/* One of each in turn, as long as they have runs left. The first run is the bounded search's. */
static void plan_round(struct portfolio *t)
{
	unsigned int runs[PARTS] = { [ICB] = 1 }, all = t->begun ? ROUND : 1, i;

	if (t->begun)
		share_out(t, runs);
	t->begun = true;
	while (t->n < all)
		for (i = 0; i < PARTS; i++) {
			if (!runs[i])
				continue;
			runs[i]--;
			t->slot[t->n++] = (struct slot){ .part = i };
		}
}

/* The bounded search is over: are there enough runs by chance? */
static int next_check(struct portfolio *t, struct slot *s, struct chess_plan *plan)
{
	uint64_t chance = t->chance;
	size_t i;

	for (i = 0; i < t->at; i++)
		chance += t->slot[i].given && t->slot[i].part != ICB;
	if (chance >= t->checks)
		return 0;
	s->part = SURW;
	return chess_strategy_surw.next(t->share[SURW].state, plan);
}

static int next_of(struct portfolio *t, struct slot *s, struct chess_plan *plan)
{
	struct share *share = &t->share[s->part];
	int ret;

	if (share->over)
		return 0;
	ret = part_ops[s->part]->next(share->state, plan);
	share->over = !ret;
	return ret;
}

static int auto_next(void *strategy, struct chess_plan *plan)
{
	struct portfolio *t = strategy;
	struct slot *s;
	bool last;
	int ret;

	for (;;) {
		if (t->at == t->n && t->back < t->n)
			return -EAGAIN;
		if (t->at == t->n) {
			ret = end_round(t);
			if (ret)
				return ret;
			plan_round(t);
		}
		s = &t->slot[t->at];
		last = t->share[ICB].over;
		ret = last ? next_check(t, s, plan) : next_of(t, s, plan);
		if (ret < 0 || (!ret && last))
			return ret;
		t->at++;
		if (ret)
			break;
		t->back++;
	}
	s->given = true;
	s->ticket = plan->ticket;
	plan->ticket = s;
	return 1;
}

/* As far as the round goes; which plans turn out not to be there is not known. */
static int auto_peek(void *strategy, size_t k, struct chess_plan *plan)
{
	const struct portfolio *t = strategy;
	size_t i, before = 0;
	enum part part;

	if (t->at + k >= t->n || t->share[ICB].over)
		return 0;
	part = t->slot[t->at + k].part;
	for (i = t->at; i < t->at + k; i++)
		before += t->slot[i].part == part;
	if (t->share[part].over || !part_ops[part]->peek)
		return 0;
	return part_ops[part]->peek(t->share[part].state, before, plan);
}

/* The first run is as good for strategy maple as one that it would make. */
static int begin_maple(struct portfolio *t, const struct chess_record *r)
{
	struct share *share = &t->share[MAPLE];
	struct chess_plan first = { 0 };
	int ret;

	if (share->over)
		return 0;
	ret = chess_strategy_maple.next(share->state, &first);
	if (ret <= 0)
		return ret;
	ret = chess_strategy_maple.report(share->state, &first, r);
	chess_strategy_maple.done(share->state, &first);
	return ret;
}

/* A memo gets to know of runs of those parts, too, that have nothing to do with it. */
static int remember(struct portfolio *t, const struct slot *s, const struct chess_iroot_run *run,
		    const struct chess_record *r)
{
	int ret;

	if (!t->memo || s->part == MAPLE || s->part == RFF)
		return 0;
	ret = chess_iroots_observe(t->roots, run, t->window);
	return ret ? ret : chess_iroots_report(t->roots, t->memo, run, r, NULL);
}

static int look_at_run(struct portfolio *t, struct slot *s, const struct chess_record *r)
{
	struct chess_iroot_run run = { 0 };
	int ret = chess_iroot_read(&run, r);

	if (!ret)
		ret = chess_iroots_observe(&s->roots, &run, t->window);
	if (!ret)
		ret = remember(t, s, &run, r);
	chess_iroot_run_clear(&run);
	if (!ret)
		ret = chess_hb_digest(r, &s->digest);
	s->points = chess_record_points(r);
	s->made = !ret;
	return ret;
}

static int auto_report(void *strategy, struct chess_plan *plan, const struct chess_record *r)
{
	struct portfolio *t = strategy;
	struct slot *s = plan->ticket;
	bool first = t->n == 1;
	int ret;

	plan->ticket = s->ticket;
	ret = part_ops[s->part]->report(t->share[s->part].state, plan, r);
	plan->ticket = s;
	if (ret || plan->predicted)
		return ret;
	ret = look_at_run(t, s, r);
	if (!ret && s->part != ICB)
		ret = chess_forks_check(t->share[ICB].state, r);
	return !ret && first ? begin_maple(t, r) : ret;
}

static void auto_done(void *strategy, struct chess_plan *plan)
{
	struct portfolio *t = strategy;
	struct slot *s = plan->ticket;

	plan->ticket = s->ticket;
	part_ops[s->part]->done(t->share[s->part].state, plan);
	t->back++;
}

static unsigned int auto_bound(const void *strategy)
{
	const struct portfolio *t = strategy;

	return chess_strategy_icb.bound(t->share[ICB].state);
}

static bool auto_beyond(const void *strategy)
{
	const struct portfolio *t = strategy;

	return chess_strategy_icb.beyond(t->share[ICB].state);
}

static double auto_estimate(const void *strategy)
{
	const struct portfolio *t = strategy;
	double all = chess_strategy_icb.estimate(t->share[ICB].state);

	return all > 0 ? all + t->chance : all;
}

static const char *auto_flaw(const void *strategy)
{
	const struct portfolio *t = strategy;

	return chess_strategy_icb.flaw(t->share[ICB].state);
}

static void auto_left_out(const void *strategy, uint64_t n[CHESS_LEFT_OUT_CAUSES])
{
	const struct portfolio *t = strategy;

	chess_strategy_icb.left_out(t->share[ICB].state, n);
}

static void auto_covered(void *strategy, struct chess_explore_result *out)
{
	struct portfolio *t = strategy;
	unsigned int i;

	/* Without memory for it the last round is missing. */
	(void)end_round(t);
	for (i = 0; i < PARTS; i++) {
		if (t->share[i].state && part_ops[i]->covered)
			part_ops[i]->covered(t->share[i].state, out);
		out->share_runs[i] = t->share[i].runs;
		out->share_classes[i] = t->share[i].classes;
		out->share_iroots[i] = t->share[i].iroots;
	}
	out->shared = true;
}

/**
 * chess_share_name() - a part of strategy auto
 * @part: from 0
 *
 * Return: the strategy that it is; NULL after the last one.
 */
const char *chess_share_name(unsigned int part)
{
	return part < PARTS ? part_ops[part]->name : NULL;
}

const struct chess_strategy_ops chess_strategy_auto = {
	.name = "auto",
	.remembers = true,
	.counts = "preemption",
	.mixes = true,
	.new = auto_new,
	.next = auto_next,
	.peek = auto_peek,
	.report = auto_report,
	.done = auto_done,
	.bound = auto_bound,
	.beyond = auto_beyond,
	.estimate = auto_estimate,
	.left_out = auto_left_out,
	.reductions = CHESS_REDUCE_HB | CHESS_REDUCE_SLEEP | CHESS_REDUCE_YIELD |
		CHESS_REDUCE_DPOR,
	.flaw = auto_flaw,
	.covered = auto_covered,
	.free = auto_free,
};

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The Reads-From Fuzzer (Wolff, Shi, Duck, Mathur, Roychoudhury, Greybox Fuzzing for Concurrency
 * Testing, ASPLOS'24). What a run covers is its reads-from pairs (iroot/reads.h). A plan is a list
 * of pairs that are to be read or not to be (kmod/policy_pairs.c), and partial order sampling does
 * the rest. A plan whose run showed a pair for the first time is kept, and others are made of it:
 * a pair more, one less, another one, or one turned round.
 *
 *	power:  the kept plans take turns. One whose run had a combination of pairs that was seen
 *		more often than the average is passed over; the others get 1, 2, 4, .. runs
 *		each time it is their turn, as in AFLFast (Böhme, Pham, Roychoudhury, CCS'16).
 *	pairs:	those that were seen in fewer runs, and wanted in fewer, are drawn more often.
 *
 * Deviations: pairs are by place in the program, in the kernel too, not by variable and line. The
 * candidates for a new pair are a write and a read of one object by two tasks, not any.
 *
 * The runs of one turn are planned at once, and what they showed is taken in when all are back, in
 * the order of their plans: so it does not matter how many are out at a time.
 *
 * It never says that there is no bug. With a memo, pairs that earlier searches showed count as
 * seen; those are iRoots of idiom 1, so searches with strategy maple know of them, and the other
 * way round.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "iroot/reads.h"
#include "race/racing.h"
#include "search/chance.h"
#include "search/strategy.h"

/* The most runs of one turn. */
#define MOST_ENERGY	16
/* A pair that earlier searches showed counts as seen in so many runs. */
#define SEEN_BEFORE	8
/* Of so many mutations one denies a pair that is seen often. */
#define DENY_EACH	4

/**
 * struct wish - one pair of a plan
 * @pair: its number
 * @deny: it is not to be read
 */
struct wish {
	uint32_t pair;
	bool deny;
};

struct wishes {
	struct wish wish[CHESS_PAIRS_MAX];
	unsigned int n;
};

/**
 * struct kept - a plan whose run showed something new
 * @wishes: its pairs
 * @signature: which pairs its run had
 * @turns: how often other plans were made of it
 */
struct kept {
	struct wishes wishes;
	uint64_t signature;
	unsigned int turns;
};

/**
 * struct given - a plan of this turn
 * @wishes: its pairs
 * @seed: of the chance in it
 * @reads: what its run showed, when it is back
 * @reported: its run was as planned
 */
struct given {
	struct wishes wishes;
	uint64_t seed;
	struct chess_reads_all reads;
	bool reported;
};

/* How often a combination of pairs was seen. */
struct count {
	uint64_t signature, runs;
};

/**
 * struct rff - a search
 * @reads: pairs of the program
 * @kept: plans to make others of, @n_kept of them
 * @next: whose turn is next
 * @given: plans of this turn, @n_given of them, of which @at were handed out and @back are back
 * @count: hash table of combinations, @combinations of them in @slots
 * @runs: that were taken in
 * @seed: of the next draw
 * @roots: iRoots of the program, or NULL
 * @memo: who remembers other searches, or NULL
 * @window: of iRoots
 */
struct rff {
	struct chess_reads_all reads;
	struct kept *kept;
	size_t n_kept, kept_room, next;
	struct given given[MOST_ENERGY];
	size_t n_given, at, back;
	struct count *count;
	size_t combinations, slots;
	uint64_t runs, seed;
	struct chess_iroots *roots;
	const struct chess_memo *memo;
	unsigned int window;
};

static int no_memory(void)
{
	return chess_set_error(ENOMEM, "no memory for a search");
}

static void *rff_new(const struct chess_explore_opts *o)
{
	struct rff *f = calloc(1, sizeof(*f));

	if (!f) {
		no_memory();
		return NULL;
	}
	f->seed = o->seed;
	f->roots = o->racing ? chess_racing_iroots(o->racing) : NULL;
	f->memo = f->roots ? o->memo : NULL;
	f->window = chess_iroot_window(o);
	return f;
}

/* ---- what was seen ---- */

static struct count *count_of(const struct rff *f, uint64_t signature)
{
	size_t at = signature & (f->slots - 1);

	while (f->count[at].runs && f->count[at].signature != signature)
		at = (at + 1) & (f->slots - 1);
	return &f->count[at];
}

static int grow_counts(struct rff *f)
{
	size_t slots = f->slots, i;
	struct count *old = f->count;

	f->count = calloc(slots ? slots * 2 : 64, sizeof(*f->count));
	if (!f->count) {
		f->count = old;
		return no_memory();
	}
	f->slots = slots ? slots * 2 : 64;
	for (i = 0; i < slots; i++)
		if (old[i].runs)
			*count_of(f, old[i].signature) = old[i];
	free(old);
	return 0;
}

static int count_run(struct rff *f, uint64_t signature)
{
	struct count *c;

	if (f->combinations * 2 >= f->slots && grow_counts(f))
		return -ENOMEM;
	c = count_of(f, signature);
	f->combinations += !c->runs;
	c->signature = signature;
	c->runs++;
	f->runs++;
	return 0;
}

/* Pairs that are new here, and that an earlier search showed, are no news. */
static int64_t find_pair(struct rff *f, const struct chess_reads *pair)
{
	const struct chess_iroot *root;
	size_t known = f->reads.n;
	int64_t at = chess_reads_find(&f->reads, pair->write, pair->read, pair->kernel);

	if (at < 0 || (size_t)at < known || !f->memo)
		return at;
	root = chess_iroots_get(f->roots, &(struct chess_iroot){
		.idiom = 1, .place = { pair->write, pair->read },
	});
	if (root && root->before)
		f->reads.pair[at].runs = SEEN_BEFORE;
	return at;
}

/* Return: 1: the run showed a pair for the first time; 0; -errno */
static int take_pairs(struct rff *f, const struct chess_reads_all *reads)
{
	int64_t at;
	size_t i;
	int ret = 0;

	for (i = 0; i < reads->n; i++) {
		at = find_pair(f, &reads->pair[i]);
		if (at < 0)
			return at;
		if (!reads->pair[i].runs)
			continue;
		ret |= !f->reads.pair[at].runs;
		f->reads.pair[at].runs++;
	}
	return ret;
}

static int keep(struct rff *f, const struct wishes *wishes, uint64_t signature)
{
	if (chess_array_room(&f->kept, &f->kept_room, f->n_kept + 1, sizeof(*f->kept)))
		return no_memory();
	f->kept[f->n_kept++] = (struct kept){ .wishes = *wishes, .signature = signature };
	return 0;
}

/* All plans of the turn are back. */
static int take_in(struct rff *f)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < f->n_given && !ret; i++) {
		struct given *g = &f->given[i];
		uint64_t signature = chess_reads_signature(&g->reads);

		if (g->reported) {
			ret = take_pairs(f, &g->reads);
			if (ret > 0)
				ret = keep(f, &g->wishes, signature);
			if (!ret)
				ret = count_run(f, signature);
		}
		chess_reads_free(&g->reads);
	}
	f->n_given = f->at = f->back = 0;
	return ret;
}

/* ---- what is tried next ---- */

/* Rare ones first; with @often the other way round. */
static uint64_t weight_of(const struct chess_reads *pair, bool often)
{
	/* What was there before the run cannot be asked for. */
	if (!pair->write)
		return 0;
	return often ? pair->runs : 1 + 4096 / (1 + pair->runs + 2 * (uint64_t)pair->wanted);
}

/* A number; @n of pairs: there is none. */
static size_t draw_pair(struct rff *f, bool often)
{
	uint64_t sum = 0, at;
	size_t i;

	for (i = 0; i < f->reads.n; i++)
		sum += weight_of(&f->reads.pair[i], often);
	if (!sum)
		return f->reads.n;
	at = chess_chance_below(&f->seed, sum);
	for (i = 0; at >= weight_of(&f->reads.pair[i], often); i++)
		at -= weight_of(&f->reads.pair[i], often);
	return i;
}

static void drop_wish(struct wishes *w, unsigned int at)
{
	memmove(&w->wish[at], &w->wish[at + 1], (--w->n - at) * sizeof(*w->wish));
}

/* One pair more. */
static void add_wish(struct rff *f, struct wishes *w)
{
	bool deny = !chess_chance_below(&f->seed, DENY_EACH);
	size_t pair = draw_pair(f, deny);
	unsigned int i;

	if (pair == f->reads.n && deny) {
		deny = false;
		pair = draw_pair(f, deny);
	}
	if (pair == f->reads.n)
		return;
	for (i = 0; i < w->n; i++)
		if (w->wish[i].pair == pair)
			drop_wish(w, i--);
	if (w->n == CHESS_PAIRS_MAX)
		drop_wish(w, chess_chance_below(&f->seed, w->n));
	w->wish[w->n++] = (struct wish){ .pair = pair, .deny = deny };
	f->reads.pair[pair].wanted += !deny;
}

enum mutation { ADD, REPLACE, DROP, TURN, MUTATIONS };

static void mutate(struct rff *f, struct wishes *w)
{
	enum mutation how = w->n ? chess_chance_below(&f->seed, MUTATIONS) : ADD;
	unsigned int at = w->n ? chess_chance_below(&f->seed, w->n) : 0;

	if (how == TURN)
		w->wish[at].deny = !w->wish[at].deny;
	if (how == REPLACE || how == DROP)
		drop_wish(w, at);
	if (how == REPLACE || how == ADD)
		add_wish(f, w);
}

static uint64_t seen(const struct rff *f, const struct kept *k)
{
	return count_of(f, k->signature)->runs;
}

/* How many runs it gets; 0: its combination is seen more often than the average. */
static size_t energy_of(const struct rff *f, const struct kept *k)
{
	if (seen(f, k) * f->combinations > f->runs)
		return 0;
	return k->turns < 4 ? 1 << k->turns : MOST_ENERGY;
}

/* Whose turn it is. */
static struct kept *choose(struct rff *f, size_t *energy)
{
	struct kept *k, *rarest = f->kept;
	size_t i;

	for (i = 0; i < f->n_kept; i++) {
		k = &f->kept[(f->next + i) % f->n_kept];
		*energy = energy_of(f, k);
		if (*energy) {
			f->next = (f->next + i + 1) % f->n_kept;
			return k;
		}
		if (seen(f, k) < seen(f, rarest))
			rarest = k;
	}
	*energy = 1;
	return rarest;
}

/* The first plan, and others while there is nothing to make them of, have no pairs. */
static void plan_turn(struct rff *f)
{
	struct kept *k = NULL;
	size_t i, energy = 1;

	if (f->n_kept)
		k = choose(f, &energy);
	for (i = 0; i < energy; i++) {
		f->given[i] = (struct given){ 0 };
		if (k) {
			f->given[i].wishes = k->wishes;
			mutate(f, &f->given[i].wishes);
		}
		f->given[i].seed = chess_chance_draw(&f->seed);
	}
	if (k)
		k->turns++;
	f->n_given = energy;
}

static int fill(const struct rff *f, size_t at, struct chess_plan *plan)
{
	const struct wishes *w = &f->given[at].wishes;
	unsigned int i;

	plan->policy = CHESS_POLICY_KIND_PAIRS;
	plan->seed = f->given[at].seed;
	plan->n_changes = 3 * w->n;
	if (!w->n)
		return 1;
	plan->changes = calloc(plan->n_changes, sizeof(*plan->changes));
	if (!plan->changes)
		return chess_set_error(ENOMEM, "no memory for a plan");
	for (i = 0; i < w->n; i++) {
		plan->changes[3 * i] = f->reads.pair[w->wish[i].pair].write;
		plan->changes[3 * i + 1] = f->reads.pair[w->wish[i].pair].read;
		plan->changes[3 * i + 2] = w->wish[i].deny ? CHESS_PAIR_DENY : 0;
	}
	return 1;
}

static int rff_next(void *strategy, struct chess_plan *plan)
{
	struct rff *f = strategy;
	int ret;

	if (f->at == f->n_given) {
		if (f->back < f->n_given)
			return -EAGAIN;
		ret = take_in(f);
		if (ret)
			return ret;
		plan_turn(f);
	}
	ret = fill(f, f->at, plan);
	if (ret > 0)
		plan->ticket = (void *)(uintptr_t)++f->at;
	return ret;
}

/* Plans of the turn are known. */
static int rff_peek(void *strategy, size_t k, struct chess_plan *plan)
{
	const struct rff *f = strategy;

	return f->at + k < f->n_given ? fill(f, f->at + k, plan) : 0;
}

static int rff_report(void *strategy, struct chess_plan *plan, const struct chess_record *r)
{
	struct rff *f = strategy;
	struct given *g = &f->given[(uintptr_t)plan->ticket - 1];
	struct chess_iroot_run run = { 0 };
	int ret = chess_iroot_read(&run, r);

	if (!ret)
		ret = chess_reads_of(&g->reads, &run, r);
	if (!ret && f->roots)
		ret = chess_iroots_observe(f->roots, &run, f->window);
	/* The memo is asked about those. */
	if (!ret && f->memo)
		ret = chess_iroots_predict(f->roots, &run, f->window);
	if (!ret && f->memo)
		ret = chess_iroots_report(f->roots, f->memo, &run, r, NULL);
	chess_iroot_run_clear(&run);
	g->reported = !ret;
	return ret;
}

static void rff_done(void *strategy, struct chess_plan *plan)
{
	struct rff *f = strategy;

	f->back++;
	free(plan->changes);
	memset(plan, 0, sizeof(*plan));
}

static unsigned int rff_bound(const void *strategy)
{
	(void)strategy;
	return 0;
}

static void rff_covered(void *strategy, struct chess_explore_result *out)
{
	struct rff *f = strategy;
	size_t i;

	/* Without memory for it the last turn is missing. */
	(void)take_in(f);
	out->plans_kept = f->n_kept;
	out->pairs_known = f->reads.n;
	for (i = 0; i < f->reads.n; i++) {
		out->pairs += !!f->reads.pair[i].runs;
		out->pairs_kernel += f->reads.pair[i].runs && f->reads.pair[i].kernel;
	}
	if (f->roots)
		chess_iroots_count(f->roots, out);
}

static void rff_free(void *strategy)
{
	struct rff *f = strategy;
	size_t i;

	for (i = 0; i < f->n_given; i++)
		chess_reads_free(&f->given[i].reads);
	chess_reads_free(&f->reads);
	free(f->kept);
	free(f->count);
	free(f);
}

const struct chess_strategy_ops chess_strategy_rff = {
	.name = "rff",
	.remembers = true,
	.default_runs = CHESS_CHANCE_RUNS,
	.new = rff_new,
	.next = rff_next,
	.peek = rff_peek,
	.report = rff_report,
	.done = rff_done,
	.bound = rff_bound,
	.covered = rff_covered,
	.free = rff_free,
};

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Maple (Yu, Narayanasamy, Pereira, Pokam, OOPSLA'12): a program is tested enough when each small
 * pattern of dependences between two tasks that it can show was shown once. Each run is observed,
 * and says which iRoots other schedules may expose (iroot/); the next run tries to expose one of
 * those, by a plan of policy order.
 *
 * The first run has the default schedule. From then on the idioms take turns, and an iRoot gets:
 *
 *	a run in which tasks created earlier have priority;
 *	the complementary schedule, in which tasks created later do (section 4.3);
 *	two runs, one of either kind, with a coin that passes over places (section 4.5);
 *
 * until it is exposed. All have the first before one has the second. Where none is left, runs by
 * chance are made as profiles, until three in a row predict nothing new (section 6.1, N = 3).
 *
 * It ends by itself and never says that there is no bug. The iRoots are kept in struct
 * chess_racing, so that another search for the same program, with more points, does the rest.
 *
 * With a memo (section 5) what other searches exposed is not tried, nor what all searches together
 * tried often enough. That is asked when an iRoot is found, and again right before it is tried:
 * another search may run at the same time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "search/chance.h"
#include "internal.h"
#include "iroot/iroot.h"
#include "race/racing.h"
#include "search/strategy.h"

/* The most runs where the caller set no limit. */
#define MAPLE_RUNS	10000
/* Runs that are to expose one iRoot. */
#define ATTEMPTS	4
/* The profile ends after as many runs that predict nothing new. */
#define PROFILES	3

/**
 * struct maple - a search
 * @roots: iRoots of the program
 * @at: by idiom, where to look for the next one to try
 * @idiom: whose turn is next
 * @attempts: that every iRoot had already
 * @dry: profiles in a row that predicted nothing new
 * @profiled: runs that were made as profiles
 * @out: plans that are out; what to try next is known when there are none
 * @seed: of the next draw
 * @memo: who remembers other searches, or NULL
 * @window: of iRoots
 * @tried: index of the iRoot that the plan that is out is to expose, plus one; 0: it is none
 */
struct maple {
	struct chess_iroots *roots;
	size_t at[CHESS_IDIOMS];
	unsigned int idiom, attempts, dry, profiled, out;
	uint64_t seed;
	const struct chess_memo *memo;
	unsigned int window;
	size_t tried;
};

static void *maple_new(const struct chess_explore_opts *o)
{
	struct maple *m = calloc(1, sizeof(*m));

	if (!m) {
		chess_set_error(ENOMEM, "no memory for a search");
		return NULL;
	}
	m->roots = chess_racing_iroots(o->racing);
	m->seed = o->seed;
	m->memo = o->memo;
	m->window = chess_iroot_window(o);
	return m;
}

/* The next iRoot of the idiom that has had @m->attempts; NULL: there is none. */
static struct chess_iroot *next_of(struct maple *m, unsigned int idiom)
{
	size_t *at = &m->at[idiom];

	for (; *at < m->roots->n; ++*at) {
		struct chess_iroot *root = &m->roots->root[*at];

		if (root->idiom == idiom + 1 && chess_iroot_is_open(root) &&
		    root->attempts <= m->attempts)
			return root;
	}
	return NULL;
}

/* Those that were predicted by a later run have had fewer attempts: they come first. */
static struct chess_iroot *next_root(struct maple *m)
{
	struct chess_iroot *root;
	unsigned int i, idiom;

	for (m->attempts = 0; m->attempts < ATTEMPTS; m->attempts++) {
		memset(m->at, 0, sizeof(m->at));
		for (i = 0; i < CHESS_IDIOMS; i++) {
			idiom = (m->idiom + i) % CHESS_IDIOMS;
			root = next_of(m, idiom);
			if (root) {
				m->idiom = (idiom + 1) % CHESS_IDIOMS;
				return root;
			}
		}
	}
	return NULL;
}

static int fill_attempt(struct maple *m, struct chess_iroot *root, struct chess_plan *plan)
{
	uint32_t words[1 + 2 * CHESS_ORDER_STEPS];

	plan->n_changes = chess_iroot_steps(root, words);
	plan->changes = calloc(plan->n_changes, sizeof(*plan->changes));
	if (!plan->changes)
		return chess_set_error(ENOMEM, "no memory for a plan");
	if (root->attempts % 2)
		words[0] |= CHESS_ORDER_REVERSED;
	if (root->attempts >= 2)
		plan->seed = chess_chance_draw(&m->seed) | 1;
	memcpy(plan->changes, words, plan->n_changes * sizeof(*words));
	plan->policy = CHESS_POLICY_KIND_ORDER;
	root->attempts++;
	m->tried = root - m->roots->root + 1;
	return 1;
}

/*
 * The next one that is still worth a run, as another search may have done it meanwhile; *@out is
 * NULL where none is left. Return: 0 or -errno
 */
static int choose_root(struct maple *m, struct chess_iroot **out)
{
	int ret = 0;

	do {
		*out = next_root(m);
		if (*out && m->memo)
			ret = chess_iroots_ask(m->roots, m->memo, *out);
	} while (!ret && *out && (!chess_iroot_is_open(*out) || (*out)->attempts > m->attempts));
	return ret;
}

static int maple_next(void *strategy, struct chess_plan *plan)
{
	struct maple *m = strategy;
	struct chess_iroot *root = NULL;
	int ret = 1;

	if (m->out)
		return -EAGAIN;
	m->tried = 0;
	if (m->profiled)
		ret = choose_root(m, &root);
	if (ret < 0)
		return ret;
	ret = 1;
	if (root) {
		ret = fill_attempt(m, root, plan);
	} else if (m->dry == PROFILES) {
		return 0;
	} else if (m->profiled++) {
		plan->policy = CHESS_POLICY_KIND_RANDOM;
		plan->seed = chess_chance_draw(&m->seed);
	}
	m->out += ret > 0;
	return ret;
}

/* Candidates (section 6.1): what is remembered is none. */
static size_t candidates(const struct chess_iroots *all)
{
	size_t i, n = 0;

	for (i = 0; i < all->n; i++)
		n += all->root[i].predicted && !all->root[i].before &&
		     all->root[i].failed < CHESS_MEMO_GIVE_UP;
	return n;
}

static int maple_report(void *strategy, struct chess_plan *plan, const struct chess_record *r)
{
	struct maple *m = strategy;
	struct chess_iroot_run run = { 0 };
	size_t before = candidates(m->roots);
	int ret = chess_iroot_read(&run, r);

	if (!ret)
		ret = chess_iroots_observe(m->roots, &run, m->window);
	if (!ret)
		ret = chess_iroots_predict(m->roots, &run, m->window);
	if (!ret && m->memo)
		ret = chess_iroots_report(m->roots, m->memo, &run, r,
					m->tried ? &m->roots->root[m->tried - 1] : NULL);
	chess_iroot_run_clear(&run);
	if (ret)
		return ret;
	if (candidates(m->roots) > before)
		m->dry = 0;
	else if (plan->policy == CHESS_POLICY_KIND_RANDOM)
		m->dry++;
	return 0;
}

static void maple_done(void *strategy, struct chess_plan *plan)
{
	struct maple *m = strategy;

	m->out--;
	free(plan->changes);
	memset(plan, 0, sizeof(*plan));
}

static unsigned int maple_bound(const void *strategy)
{
	(void)strategy;
	return 0;
}

static void maple_covered(void *strategy, struct chess_explore_result *out)
{
	const struct maple *m = strategy;

	chess_iroots_count(m->roots, out);
}

static void maple_free(void *strategy)
{
	free(strategy);
}

const struct chess_strategy_ops chess_strategy_maple = {
	.name = "maple",
	.remembers = true,
	.default_runs = MAPLE_RUNS,
	.races = true,
	.new = maple_new,
	.next = maple_next,
	.report = maple_report,
	.done = maple_done,
	.bound = maple_bound,
	.covered = maple_covered,
	.free = maple_free,
};

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See pack.h. Words are as the machine has them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "record/depend.h"
#include "internal.h"
#include "run/pack.h"
#include "race/racing.h"

#define NO_STRING	UINT32_MAX
/* With the verdict: accesses stand at the end. Runs without any look as they always did. */
#define HAS_ACCESSES	0x80000000U
/* What was seen in them stands there instead: nobody needs both. */
#define HAS_RACES	0x40000000U
/* After both: files that had no traps. */
#define HAS_MAPPED	0x20000000U
/* ... and processes died as was expected. */
#define HAS_EXPECTED	0x10000000U
/* Sites of which not all accesses were recorded. */
#define HAS_RETIRED	0x08000000U
/* And those have one that rested: see struct chess_run_races. */
#define HAS_RESTED	0x04000000U
/* No run takes 30 years; and there are numbers that are none. */
#define SECONDS_MAX	1e9

void chess_pack_put(struct chess_pack *p, const void *data, size_t n)
{
	if (p->failed || !n)
		return;
	p->failed = chess_array_room(&p->data, &p->room, p->n + n, 1);
	if (p->failed)
		return;
	memcpy(p->data + p->n, data, n);
	p->n += n;
}

void chess_unpack_get(struct chess_unpack *u, void *to, size_t n)
{
	u->bad |= n > u->left;
	if (u->bad) {
		memset(to, 0, n);
		return;
	}
	if (n)
		memcpy(to, u->at, n);
	u->at += n;
	u->left -= n;
}

static void put32(struct chess_pack *p, uint32_t v)
{
	chess_pack_put(p, &v, sizeof(v));
}

static void put64(struct chess_pack *p, uint64_t v)
{
	chess_pack_put(p, &v, sizeof(v));
}

static uint32_t get32(struct chess_unpack *u)
{
	uint32_t v;

	chess_unpack_get(u, &v, sizeof(v));
	return v;
}

static uint64_t get64(struct chess_unpack *u)
{
	uint64_t v;

	chess_unpack_get(u, &v, sizeof(v));
	return v;
}

/* As many as there may be, by what is left. */
static uint32_t get_count(struct chess_unpack *u, size_t size)
{
	uint32_t n = get32(u);

	u->bad |= n > u->left / size;
	return u->bad ? 0 : n;
}

void chess_pack_string(struct chess_pack *p, const char *text)
{
	put32(p, text ? strlen(text) : NO_STRING);
	chess_pack_put(p, text, text ? strlen(text) : 0);
}

char *chess_unpack_string(struct chess_unpack *u)
{
	uint32_t n = get32(u);
	char *text;

	if (n == NO_STRING)
		return NULL;
	u->bad |= n > u->left;
	text = u->bad ? NULL : strndup((const char *)u->at, n);
	if (!text) {
		u->bad = true;
		return NULL;
	}
	u->at += n;
	u->left -= n;
	return text;
}

static void put_numbers(struct chess_pack *p, const uint32_t *list, size_t n)
{
	put32(p, n);
	chess_pack_put(p, list, n * sizeof(*list));
}

static uint32_t *get_numbers(struct chess_unpack *u, size_t *n)
{
	uint32_t *list;

	*n = get_count(u, sizeof(*list));
	list = *n ? malloc(*n * sizeof(*list)) : NULL;
	if (list)
		chess_unpack_get(u, list, *n * sizeof(*list));
	u->bad |= *n && !list;
	return list;
}

/* Beside the policy, so that the keys of other plans are those of old journals. */
#define UNRECORDED	(1u << 31)

static void put_prefix(struct chess_pack *p, const struct chess_plan *plan)
{
	size_t i, end;

	for (i = 0; i < plan->length; i = end) {
		uint16_t task = chess_schedule_task(plan->prefix, i);

		for (end = i + 1; end < plan->length; end++)
			if (chess_schedule_task(plan->prefix, end) != task)
				break;
		put32(p, end - i);
		put32(p, task);
	}
	put32(p, 0);
}

static int get_prefix(struct chess_unpack *u, struct chess_plan *plan)
{
	uint32_t count;
	int ret = 0;

	plan->prefix = chess_schedule_new();
	if (!plan->prefix)
		return -ENOMEM;
	while (!ret && (count = get32(u)))
		ret = chess_schedule_push_run(plan->prefix, get32(u), count);
	plan->length = chess_schedule_length(plan->prefix);
	return ret;
}

void chess_pack_plan(struct chess_pack *p, const struct chess_plan *plan)
{
	put32(p, plan->policy | (plan->unrecorded ? UNRECORDED : 0));
	put64(p, plan->seed);
	put32(p, plan->object_kind);
	put64(p, plan->object);
	put_numbers(p, plan->changes, plan->n_changes);
	put_numbers(p, plan->weights, plan->n_weights);
	put_prefix(p, plan);
}

int chess_unpack_plan(struct chess_unpack *u, struct chess_plan *plan)
{
	uint32_t policy;
	int ret;

	policy = get32(u);
	plan->policy = policy & ~UNRECORDED;
	plan->unrecorded = policy & UNRECORDED;
	plan->seed = get64(u);
	plan->object_kind = get32(u);
	plan->object = get64(u);
	plan->changes = get_numbers(u, &plan->n_changes);
	plan->weights = get_numbers(u, &plan->n_weights);
	ret = get_prefix(u, plan);
	if (!ret && u->bad)
		ret = chess_set_error(EINVAL, "a plan is malformed");
	if (ret)
		chess_plan_clear(plan);
	return ret;
}

void chess_plan_clear(struct chess_plan *plan)
{
	chess_schedule_free(plan->prefix);
	free(plan->changes);
	free(plan->weights);
	memset(plan, 0, sizeof(*plan));
}

int chess_plan_key(const struct chess_plan *plan, uint64_t *key)
{
	struct chess_pack p = { 0 };
	uint64_t word;
	size_t i;

	chess_pack_plan(&p, plan);
	*key = p.n;
	for (i = 0; i < p.n && !p.failed; i += sizeof(word)) {
		word = 0;
		memcpy(&word, p.data + i, p.n - i < sizeof(word) ? p.n - i : sizeof(word));
		/* As forks.c mixes its fingerprints. */
		*key = (*key ^ word) * 0x9e3779b97f4a7c15ULL;
		*key ^= *key >> 32;
	}
	free(p.data);
	return p.failed ? chess_set_error(ENOMEM, "no memory for a plan") : 0;
}

/*
 * Of an object's name, which is of this machine and boot, only whether its inode says
 * all of what an op on it does (depend.h).
 */
static void put_objects(struct chess_pack *p, const struct chess_record *r)
{
	uint32_t n = 0, i;

	while (chess_record_object_dev(r, n + 1))
		n++;
	put32(p, n);
	for (i = 1; i <= n; i++)
		put32(p, chess_device_class(chess_record_object_dev(r, i)));
}

static void get_objects(struct chess_unpack *u, struct chess_record *r)
{
	uint32_t n = get_count(u, sizeof(uint32_t)), i;
	struct chess_object_name *names = calloc(n + 1, sizeof(*names));

	for (i = 0; names && i < n; i++) {
		names[i].dev = get32(u);
		u->bad |= chess_device_class(names[i].dev) != names[i].dev;
	}
	u->bad |= !names || chess_record_set_objects(r, names, n * sizeof(*names));
	free(names);
}

/* In the word that says which yields counted: there are states, too. Most records have none. */
#define HAS_STATES	(1U << 31)

static bool has_states(const struct chess_record *r)
{
	uint64_t state;

	return chess_record_state(r, 0, &state);
}

static void put_states(struct chess_pack *p, const struct chess_record *r)
{
	uint64_t state;
	uint32_t n = 0, i;

	if (!has_states(r))
		return;
	while (chess_record_state(r, n, &state))
		n++;
	put32(p, n);
	for (i = 0; chess_record_state(r, i, &state); i++)
		put64(p, state);
}

static void get_states(struct chess_unpack *u, struct chess_record *r)
{
	uint32_t n = get_count(u, sizeof(uint64_t));

	for (; n && !u->bad; n--)
		u->bad |= !!chess_record_push_state(r, get64(u));
}

/* Events are numbered in order, and equal bytes compress better than counting ones. */
static void put_record(struct chess_pack *p, const struct chess_record *r)
{
	size_t i, n = r ? chess_record_length(r) : 0;

	put32(p, r ? n : NO_STRING);
	if (!r)
		return;
	put32(p, chess_record_fair(r) | (has_states(r) ? HAS_STATES : 0));
	chess_pack_string(p, chess_record_maps(r));
	for (i = 0; i < n; i++) {
		struct chess_event e = *chess_record_event(r, i);

		e.seq -= i;
		chess_pack_put(p, &e, sizeof(e));
	}
	put_objects(p, r);
	put_states(p, r);
}

/* Strategies keep what they know of tasks by their number, and ask no more about it. */
static struct chess_record *get_record(struct chess_unpack *u)
{
	uint32_t n = get32(u), fair, last = 0, i;
	struct chess_record *r;
	struct chess_event e;
	char *maps;

	if (n == NO_STRING)
		return NULL;
	fair = get32(u);
	maps = chess_unpack_string(u);
	u->bad |= n > u->left / sizeof(e);
	r = u->bad ? NULL : chess_record_new();
	for (i = 0; r && i < n; i++) {
		chess_unpack_get(u, &e, sizeof(e));
		e.seq += i;
		if (e.chosen != CHESS_TASK_NONE && e.type != CHESS_EVENT_EXPIRE &&
		    e.type != CHESS_EVENT_SPURIOUS && e.chosen > last)
			last = e.chosen;
		u->bad |= !!chess_record_push(r, &e, 1);
	}
	u->bad |= last && r && last >= chess_record_tasks(r);
	if (r) {
		get_objects(u, r);
		if (fair & HAS_STATES)
			get_states(u, r);
		chess_record_set_fair(r, fair & ~HAS_STATES);
		u->bad |= maps && chess_record_set_maps(r, maps);
	}
	free(maps);
	u->bad |= !r;
	return r;
}

static void put_accesses(struct chess_pack *p, const struct chess_run_result *res)
{
	put64(p, res->n_accesses);
	put64(p, res->lost_accesses);
	put32(p, res->first_sync_site);
	chess_pack_put(p, res->accesses, res->n_accesses * sizeof(*res->accesses));
}

static void put_races(struct chess_pack *p, const struct chess_run_races *r)
{
	put64(p, r->accesses);
	put64(p, r->trapped);
	put64(p, r->lost);
	put64(p, r->forgotten);
	put64(p, r->dropped);
	put64(p, r->n_pairs);
	chess_pack_put(p, r->pair, r->n_pairs * sizeof(*r->pair));
	put_numbers(p, r->site, r->n_sites);
	if (r->n_retired)
		put_numbers(p, r->retired, r->n_retired);
}

void chess_pack_result(struct chess_pack *p, const struct chess_run_result *res)
{
	bool accesses = !res->races && (res->n_accesses || res->lost_accesses);

	put32(p, res->verdict | (accesses ? HAS_ACCESSES : 0) | (res->races ? HAS_RACES : 0) |
		 (res->mapped ? HAS_MAPPED : 0) | (res->expected ? HAS_EXPECTED : 0) |
		 (res->races && res->races->n_retired ? HAS_RETIRED : 0) |
		 (res->races && res->races->rested ? HAS_RESTED : 0));
	put32(p, res->status);
	put32(p, res->bad_task);
	put32(p, res->bad_status);
	if (res->expected)
		put32(p, res->expected);
	put64(p, res->diverged_at);
	put32(p, res->outside_task);
	put32(p, res->outside_pid);
	chess_pack_put(p, res->outside_comm, sizeof(res->outside_comm));
	chess_pack_put(p, &res->seconds, sizeof(res->seconds));
	chess_pack_string(p, res->verdict == CHESS_VERDICT_INCOMPLETE ? chess_error() : NULL);
	put_record(p, res->record);
	if (res->races)
		put_races(p, res->races);
	else if (accesses)
		put_accesses(p, res);
	if (res->mapped)
		chess_pack_string(p, res->mapped);
}

static void get_accesses(struct chess_unpack *u, struct chess_run_result *res)
{
	uint64_t n = get64(u);

	res->lost_accesses = get64(u);
	res->first_sync_site = get32(u);
	u->bad |= n > u->left / sizeof(*res->accesses);
	if (u->bad || !n)
		return;
	res->accesses = malloc(n * sizeof(*res->accesses));
	u->bad |= !res->accesses;
	if (u->bad)
		return;
	res->n_accesses = n;
	chess_unpack_get(u, res->accesses, n * sizeof(*res->accesses));
}

static void get_races(struct chess_unpack *u, struct chess_run_result *res, uint32_t has)
{
	struct chess_run_races *r = calloc(1, sizeof(*r));
	uint64_t n;

	res->races = r;
	u->bad |= !r;
	if (u->bad)
		return;
	r->accesses = get64(u);
	r->trapped = get64(u);
	r->lost = get64(u);
	r->forgotten = get64(u);
	r->dropped = get64(u);
	n = get64(u);
	u->bad |= n > u->left / sizeof(*r->pair);
	r->pair = u->bad ? NULL : malloc((n + 1) * sizeof(*r->pair));
	u->bad |= !r->pair;
	if (u->bad)
		return;
	r->n_pairs = n;
	chess_unpack_get(u, r->pair, n * sizeof(*r->pair));
	r->site = get_numbers(u, &r->n_sites);
	r->rested = has & HAS_RESTED;
	if (has & HAS_RETIRED)
		r->retired = get_numbers(u, &r->n_retired);
}

int chess_unpack_result(struct chess_unpack *u, struct chess_run_result *res)
{
	uint32_t verdict;
	char *sentence;

	memset(res, 0, sizeof(*res));
	verdict = get32(u);
	res->verdict = verdict & ~(HAS_ACCESSES | HAS_RACES | HAS_MAPPED | HAS_EXPECTED |
				   HAS_RETIRED | HAS_RESTED);
	res->status = get32(u);
	res->bad_task = get32(u);
	res->bad_status = get32(u);
	if (verdict & HAS_EXPECTED)
		res->expected = get32(u);
	res->diverged_at = get64(u);
	res->outside_task = get32(u);
	res->outside_pid = get32(u);
	chess_unpack_get(u, res->outside_comm, sizeof(res->outside_comm));
	chess_unpack_get(u, &res->seconds, sizeof(res->seconds));
	u->bad |= res->verdict >= CHESS_VERDICT_END ||
		  res->outside_comm[sizeof(res->outside_comm) - 1] ||
		  !(res->seconds >= 0 && res->seconds < SECONDS_MAX);
	sentence = chess_unpack_string(u);
	if (sentence)
		chess_set_error(EOVERFLOW, "%s", sentence);
	free(sentence);
	res->record = get_record(u);
	if (verdict & HAS_RACES)
		get_races(u, res, verdict);
	else if (verdict & HAS_ACCESSES)
		get_accesses(u, res);
	if (verdict & HAS_MAPPED)
		res->mapped = chess_unpack_string(u);
	if (!u->bad)
		return 0;
	chess_run_result_clear(res);
	return chess_set_error(EINVAL, "the result of a run is malformed");
}

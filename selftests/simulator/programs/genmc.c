// SPDX-License-Identifier: GPL-2.0-only
/*
 * See genmc.h.
 */
#include <string.h>

#include "genmc.h"

#define TASKS_MAX	128

struct sim_var genmc_var[GENMC_VARS];
struct sim_mutex genmc_mutex[4];
int genmc_n;
const char *genmc_tasks;
static bool gave_up;

/*
 * The graph, as a sum over accesses, so their order does not matter. A write is known by how many
 * came before it at its location, an access by its task and its number in that task.
 */
static unsigned int writes_to[GENMC_VARS + COUNT_OF(genmc_mutex)], accesses_of[TASKS_MAX];
static uint64_t graph;

static void reset(void)
{
	memset(writes_to, 0, sizeof(writes_to));
	memset(accesses_of, 0, sizeof(accesses_of));
	graph = 0;
	memset(genmc_var, 0, sizeof(genmc_var));
	memset(genmc_mutex, 0, sizeof(genmc_mutex));
	gave_up = false;
}

uint64_t genmc_graph(void)
{
	return graph;
}

static void note(size_t location, bool reads, bool writes)
{
	const uint64_t access[] = {
		sim_self(), accesses_of[sim_self()]++, location, reads, writes,
		writes_to[location],
	};

	writes_to[location] += writes;
	graph += digest_bytes(DIGEST_START, access, sizeof(access));
}

long genmc_load(const struct sim_var *v)
{
	long value = sim_load(v);

	note(v - genmc_var, true, false);
	return value;
}

void genmc_store(struct sim_var *v, long value)
{
	sim_store(v, value);
	note(v - genmc_var, false, true);
}

long genmc_add(struct sim_var *v, long n)
{
	long value = sim_add(v, n) - n;

	note(v - genmc_var, true, true);
	return value;
}

long genmc_exchange(struct sim_var *v, long value)
{
	long old = sim_exchange(v, value);

	note(v - genmc_var, true, true);
	return old;
}

long genmc_cas(struct sim_var *v, long from, long to)
{
	bool done = sim_cas(v, from, to);

	note(v - genmc_var, true, done);
	/* Nobody else has a turn between the access and this. */
	return done ? from : v->value;
}

void genmc_lock(struct sim_mutex *m)
{
	sim_lock(m);
	note(GENMC_VARS + (m - genmc_mutex), true, true);
}

void genmc_unlock(struct sim_mutex *m)
{
	sim_unlock(m);
	note(GENMC_VARS + (m - genmc_mutex), false, true);
}

void genmc_give_up(void)
{
	gave_up = true;
}

void genmc_end(void)
{
	if (gave_up)
		sim_exit(1);
}

void genmc_run(void (*const body[])(void *arg), int n)
{
	int task[TASKS_MAX];
	long i;

	for (i = 0; i < n; i++)
		task[i] = sim_create(body[i], (void *)i);
	for (i = 0; i < n; i++)
		sim_join(task[i]);
	genmc_end();
}

void genmc_run_same(void (*body)(void *arg), int first, int n)
{
	int task[TASKS_MAX];
	long i;

	for (i = 0; i < n; i++)
		task[i] = sim_create(body, (void *)(first + i));
	for (i = 0; i < n; i++)
		sim_join(task[i]);
	genmc_end();
}

static const struct genmc_counts *counts_of(const struct genmc *p, int n)
{
	size_t i;

	for (i = 0; i < n_genmc_counts; i++)
		if (genmc_counts[i].n == n && !strcmp(genmc_counts[i].name, p->name) &&
		    !strcmp(genmc_counts[i].suite, p->suite))
			return &genmc_counts[i];
	return NULL;
}

static bool find(size_t at, struct genmc_row *row)
{
	const struct { const struct genmc *at; size_t n; } part[] = {
		{ genmc_litmus, n_genmc_litmus }, { genmc_synthetic, n_genmc_synthetic },
	};
	size_t k, i, j;

	for (k = 0; k < COUNT_OF(part); k++)
		for (i = 0; i < part[k].n; i++)
			for (j = 0; !j || part[k].at[i].n[j]; j++)
				if (!at--) {
					row->of = &part[k].at[i];
					genmc_n = row->of->n[j];
					return true;
				}
	return false;
}

bool genmc_at(size_t i, struct genmc_row *row)
{
	if (!find(i, row))
		return false;
	row->published = counts_of(row->of, genmc_n);
	genmc_tasks = row->of->tasks;
	row->program = (struct sim_program){
		.name = row->of->name, .reset = reset,
		.main = row->of->tasks ? genmc_run_litmus : row->of->main,
	};
	return true;
}

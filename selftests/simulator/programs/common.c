// SPDX-License-Identifier: GPL-2.0-only
/*
 * What several of the modelled programs need, and their tables in one.
 */
#include <string.h>

#include "programs.h"

#define TASKS_MAX	128

void run_tasks(void (*body)(void *arg), int n)
{
	int task[TASKS_MAX];
	long i;

	for (i = 0; i < n; i++)
		task[i] = sim_create(body, (void *)i);
	for (i = 0; i < n; i++)
		sim_join(task[i]);
}

void run_two_kinds(void (*body)(void *arg), int n, void (*last)(void *arg), int m)
{
	int task[TASKS_MAX], i;

	for (i = 0; i < n + m; i++)
		task[i] = sim_create(i < n ? body : last, NULL);
	for (i = 0; i < n + m; i++)
		sim_join(task[i]);
}

uint64_t digest_bytes(uint64_t digest, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	uint64_t word;
	size_t i;

	for (i = 0; i < n; i += sizeof(word)) {
		word = 0;
		memcpy(&word, p + i, n - i < sizeof(word) ? n - i : sizeof(word));
		digest = (digest ^ word) * 0x9e3779b97f4a7c15ULL;
		digest ^= digest >> 32;
	}
	return digest;
}

const struct golden *golden_at(size_t i)
{
	const struct { const struct golden *at; size_t n; } part[] = {
		{ chess_locks, n_chess_locks }, { chess_vars, n_chess_vars },
		{ chess_waits, n_chess_waits }, { chess_steal, n_chess_steal },
	};
	size_t k;

	for (k = 0; k < COUNT_OF(part); i -= part[k++].n)
		if (i < part[k].n)
			return &part[k].at[i];
	return NULL;
}

const struct sct *sct_at(size_t i)
{
	const struct { const struct sct *at; size_t n; } part[] = {
		{ sct_locks, n_sct_locks }, { sct_races, n_sct_races }, { sct_steal, n_sct_steal },
	};
	size_t k;

	for (k = 0; k < COUNT_OF(part); i -= part[k++].n)
		if (i < part[k].n)
			return &part[k].at[i];
	return NULL;
}

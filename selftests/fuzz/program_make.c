// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a seed to a program. Each step draws its own numbers, so that to drop one changes
 * nothing about the others. program_subject.c calls, and program_fuzz.c to name the steps.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

static const struct ops *const tables[] = {
	&sync_ops, &process_ops, &memory_ops, &time_ops, &file_ops, &signal_ops,
};

const struct op *op_number(unsigned int i)
{
	unsigned int k;

	for (k = 0; k < sizeof(tables) / sizeof(*tables); k++) {
		if (i < tables[k]->n)
			return &tables[k]->op[i];
		i -= tables[k]->n;
	}
	return NULL;
}

/* splitmix64 */
uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static unsigned int draw_op(uint64_t *state)
{
	unsigned int i, total = 0, at;

	for (i = 0; op_number(i); i++)
		total += op_number(i)->weight;
	at = draw(state) % total;
	for (i = 0; at >= op_number(i)->weight; i++)
		at -= op_number(i)->weight;
	return i;
}

static bool names(const char *list, unsigned int i)
{
	char *end;

	while (list && *list) {
		if (strtoul(list, &end, 10) == i && end != list)
			return true;
		if (end == list)
			return false;
		list = *end ? end + 1 : end;
	}
	return false;
}

void program_make(struct program *p, uint64_t seed, const char *drop)
{
	uint64_t state = seed * 0xd1342543de82ef95ULL + 1;
	unsigned int i;

	memset(p, 0, sizeof(*p));
	p->processes = 1 + draw(&state) % 4 % MAX_PROCESSES;
	p->threads = p->processes;
	p->threads += draw(&state) % (p->processes > 2 ? 3 : 4);
	for (i = 0; i < p->threads; i++)
		p->home[i] = i < p->processes ? i : draw(&state) % p->processes;
	for (i = 1; i < p->processes; i++)
		p->last[i] = draw(&state) % 4;
	p->n = 3 + draw(&state) % 12;
	for (i = 0; i < p->n; i++) {
		struct step *s = &p->step[i];

		s->op = draw_op(&state);
		s->first = draw(&state) % p->threads;
		s->second = (s->first + 1 + draw(&state) % p->threads) % p->threads;
		s->seed = draw(&state);
		s->dropped = names(drop, i);
		/* Alone it would wait for itself. */
		if (op_number(s->op)->party == PAIR && s->second == s->first)
			s->second = (s->first + 1) % p->threads;
		if (op_number(s->op)->party == PAIR && s->second == s->first)
			s->dropped = true;
	}
}

void program_print(const struct program *p)
{
	unsigned int i;

	printf("# %u processes, threads in", p->processes);
	for (i = 0; i < p->threads; i++)
		printf(" %u", p->home[i]);
	printf("\n");
	for (i = 0; i < p->n; i++) {
		const struct op *op = op_number(p->step[i].op);

		if (p->step[i].dropped)
			continue;
		printf("# step %u: %s by %u", i, op->name, p->step[i].first);
		if (op->party == PAIR)
			printf(" and %u", p->step[i].second);
		printf("%s\n", op->party == ALL ? " and all others" : "");
	}
}

unsigned int program_list(const char *list, uint64_t *seeds)
{
	unsigned int n = 0;
	uint64_t first, last;
	char *end;

	while (*list) {
		first = strtoull(list, &end, 10);
		last = *end == '-' ? strtoull(end + 1, &end, 10) : first;
		for (; first <= last && n < MAX_BATCH; first++)
			seeds[n++] = first;
		if (*end != ',')
			break;
		list = end + 1;
	}
	return n;
}

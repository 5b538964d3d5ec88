// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a memo says of its programs, for people. See coverage.h.
 */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "memo/coverage.h"
#include "out.h"

/* Rows of a curve; the JSON has each run. */
#define ROWS	10

typedef unsigned long long ull;

static struct coverage_count sum_of(const struct coverage_count *by_idiom)
{
	struct coverage_count sum = { 0 };
	size_t i;

	for (i = 0; i < CHESS_IDIOMS; i++) {
		sum.known += by_idiom[i].known;
		sum.exposed += by_idiom[i].exposed;
		sum.given_up += by_idiom[i].given_up;
		sum.tried += by_idiom[i].tried;
		sum.tried_exposed += by_idiom[i].tried_exposed;
		sum.attempts += by_idiom[i].attempts;
	}
	return sum;
}

static void print_total(const char *name, const struct coverage_count *n)
{
	char share[16] = "-";

	if (n->tried)
		snprintf(share, sizeof(share), "%.0f %%", 100.0 * n->tried_exposed / n->tried);
	printf("  %-6s %9llu %9llu %9llu %9llu %9llu %9llu %8s\n", name, (ull)n->known,
	       (ull)n->exposed, (ull)n->given_up, (ull)n->attempts, (ull)n->tried,
	       (ull)n->tried_exposed, share);
}

static void print_totals(const struct coverage *c)
{
	const struct coverage_count sum = sum_of(c->total);
	char name[8];
	size_t i;

	printf("  %-6s %9s %9s %9s %9s %9s %9s %8s\n", "idiom", "known", "exposed", "given up",
	       "attempts", "tried", "by a try", "success");
	for (i = 0; i < CHESS_IDIOMS; i++) {
		snprintf(name, sizeof(name), "%zu", i + 1);
		print_total(name, &c->total[i]);
	}
	print_total("all", &sum);
}

/* "exposed of known" of each idiom */
static void print_function(const struct coverage_function *f)
{
	char cell[32];
	size_t i;

	printf("  %-24s", *f->function ? f->function : "(no function)");
	for (i = 0; i < CHESS_IDIOMS; i++) {
		snprintf(cell, sizeof(cell), "%llu/%llu", (ull)f->idiom[i].exposed,
			 (ull)f->idiom[i].known);
		printf(" %9s", cell);
	}
	printf(" %9llu\n", (ull)sum_of(f->idiom).given_up);
}

static void print_functions(const struct coverage *c)
{
	const struct coverage_function *last = NULL;
	size_t i;

	if (!c->n_functions)
		return;
	printf("\nexposed/known by function: an iRoot counts in each function that it has a place in\n");
	for (i = 0; i < c->n_functions; i++) {
		const struct coverage_function *f = &c->function[i];

		if (!last || strcmp(last->path, f->path) || strcmp(last->file, f->file))
			printf("%s (%.12s)\n  %-24s %9s %9s %9s %9s %9s %9s\n", f->path, f->file, "",
			       "idiom 1", "idiom 2", "idiom 3", "idiom 4", "idiom 5", "given up");
		print_function(f);
		last = f;
	}
}

static void print_session(const struct coverage_session *s)
{
	const struct coverage_point *last = s->n ? &s->point[s->n - 1] : NULL;

	printf("  %5zu %9llu %9llu %9llu  %-10s %s\n", s->n, (ull)(last ? last->known : 0),
	       (ull)(last ? last->exposed : 0), (ull)(last ? last->fresh : 0),
	       s->verdict ? s->verdict : "not ended", s->command ? s->command : "");
	if (s->trace)
		printf("        %s\n", s->trace);
}

static void print_sessions(const struct coverage *c)
{
	size_t i;

	if (!c->n_sessions)
		return;
	printf("\nsearches\n  %5s %9s %9s %9s  %-10s %s\n", "runs", "known", "exposed", "new",
	       "verdict", "program");
	for (i = 0; i < c->n_sessions; i++)
		print_session(&c->session[i]);
}

/* All searches after each other. */
static void print_curve(const struct coverage *c)
{
	uint64_t run = 0, before = 0, next = 1, fresh;
	size_t i, k;

	if (!c->runs)
		return;
	printf("\nsaturation\n  %9s %9s\n", "runs", "exposed");
	for (i = 0; i < c->n_sessions; i++) {
		const struct coverage_session *s = &c->session[i];

		for (k = 0; k < s->n; k++) {
			run++;
			fresh = before + s->point[k].fresh;
			if (run != c->runs && run < next)
				continue;
			printf("  %9llu %9llu\n", (ull)run, (ull)fresh);
			next = run + (c->runs + ROWS - 1) / ROWS;
		}
		before += s->n ? s->point[s->n - 1].fresh : 0;
	}
}

void coverage_print(const struct coverage *c, const char *path)
{
	const struct coverage_count sum = sum_of(c->total);

	printf("%s%s%s: %zu search%s, %llu runs; %llu iRoots known, %llu exposed, %llu given up\n",
	       out_bold(), path, out_plain(), c->n_sessions, c->n_sessions == 1 ? "" : "es",
	       (ull)c->runs, (ull)sum.known, (ull)sum.exposed, (ull)sum.given_up);
	print_totals(c);
	print_functions(c);
	print_sessions(c);
	print_curve(c);
}

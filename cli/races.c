// SPDX-License-Identifier: GPL-2.0-only
/*
 * What raced, see races.h. What was not examined is listed beside what was: "no race" says
 * nothing of code that had no traps.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "out.h"
#include "races.h"

#define POINTS_SHOWN	8

struct chess_trace_race *races_of_run(const struct chess_run_result *run, size_t *n)
{
	struct chess_racing *g = chess_racing_new();
	const struct chess_racing_pair *pair;
	struct chess_trace_race *v;
	size_t i;

	*n = 0;
	if (!g || chess_racing_learn(g, run) < 0) {
		cli_note("note: races in this run cannot be determined: %s", chess_error());
		chess_racing_free(g);
		return NULL;
	}
	pair = chess_racing_pairs(g, n);
	v = *n ? cli_alloc(*n, sizeof(*v)) : NULL;
	for (i = 0; i < *n; i++) {
		v[i] = (struct chess_trace_race) {
			.first = pair[i].first, .second = pair[i].second,
			.address = pair[i].address, .size = pair[i].size,
			.beside_atomic = pair[i].beside_atomic,
			.number = { pair[i].number[0], pair[i].number[1] },
			.piece = pair[i].piece,
		};
		/* Numbers of sites mean nothing elsewhere. */
		v[i].first.site = v[i].second.site = 0;
	}
	chess_racing_free(g);
	return v;
}

/* realloc() is recorded as a free(). */
static uint8_t told_kind(const struct chess_access *a)
{
	return a->kind & CHESS_ACCESS_FRESH ? CHESS_ACCESS_FRESH : a->kind;
}

static bool same(const struct chess_access *a, const struct chess_access *b)
{
	return a->ip == b->ip && a->task == b->task && a->address == b->address &&
	       told_kind(a) == told_kind(b) && a->seq == b->seq;
}

bool races_check_numbers(const struct chess_run_result *again, struct chess_trace_race *v,
			 size_t n)
{
	bool all = true;
	size_t i, k;

	for (i = 0; i < n; i++)
		for (k = 0; k < 2; k++) {
			const struct chess_access *a = k ? &v[i].second : &v[i].first;
			uint32_t number = v[i].number[k];

			if (number && number <= again->n_accesses &&
			    same(a, &again->accesses[number - 1]))
				continue;
			v[i].number[0] = v[i].number[1] = 0;
			all = false;
			break;
		}
	return all;
}

bool races_shown(const struct chess_run_result *run, const struct chess_trace *t,
		 const struct chess_moved *moved)
{
	size_t n, i, k;
	struct chess_trace_race *v = races_of_run(run, &n);
	bool all = t->n_races;

	for (i = 0; moved && i < n; i++) {
		chess_moved_access(moved, &v[i].first);
		chess_moved_access(moved, &v[i].second);
	}
	for (i = 0; all && i < t->n_races; i++) {
		for (k = 0; k < n; k++)
			if (same(&v[k].first, &t->races[i].first) &&
			    same(&v[k].second, &t->races[i].second))
				break;
		all = k < n;
	}
	free(v);
	return all;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/**
 * struct race_account - what text and JSON say, worked out once
 * @count: what was examined
 * @pairs: of instructions that raced
 * @sites: instructions with traps
 * @searches: number of them; 0: this was none with points that race
 * @prelude_runs: runs before the last one
 * @recorded_runs: runs with accesses recorded
 * @partly: of the search; there are others
 */
struct race_account {
	struct chess_racing_counts count;
	size_t pairs, sites;
	unsigned int searches;
	uint64_t prelude_runs, recorded_runs;
	bool partly;
};

static struct race_account account_of(const struct race_facts *f)
{
	const struct chess_race_search_result *r = f->result;
	struct race_account a = {
		.count = chess_racing_count(f->racing),
		.sites = chess_sites_total(chess_runner_sites(f->s->runner)),
	};

	chess_racing_pairs(f->racing, &a.pairs);
	a.recorded_runs = r ? r->recorded_runs : a.count.runs;
	if (r) {
		a.searches = r->searches;
		a.prelude_runs = r->prelude_runs;
		a.partly = r->recorded_runs < r->all.runs;
	}
	return a;
}

static void print_points(const struct race_facts *f, const struct race_account *got)
{
	const struct session_accesses *a = &f->s->accesses;
	size_t i;

	printf("  accesses: %zu pairs of instructions raced; points at %zu of %zu instructions that access memory",
	       got->pairs, a->n, got->sites);
	for (i = 0; i < a->n && i < POINTS_SHOWN; i++)
		printf("%s%s+0x%llx", i ? ", " : ": ", last_part(a->files[a->points[i].file].path),
		       (unsigned long long)a->points[i].offset);
	printf("%s\n", i < a->n ? ", ..." : "");
}

/* Loud: what is lost may hide a race. */
static void print_missed(const struct chess_racing_counts *c)
{
	if (c->lost)
		printf("  %llu accesses found no room or have no address known: races with them are MISSED; see --max-accesses\n",
		       (unsigned long long)c->lost);
	if (c->rested)
		printf("  the first task made many accesses before there was another one, and not all of them were recorded: none can race, but a use after free there is MISSED\n");
	if (c->forgotten || c->dropped)
		printf("  %llu accesses and %llu pairs more than are kept: races with them are MISSED\n",
		       (unsigned long long)c->forgotten, (unsigned long long)c->dropped);
}

/* Sites of the file that were executed so often that not all accesses were recorded. */
static size_t count_retired(const struct race_facts *f, const char *file)
{
	const struct chess_site_table *table = chess_runner_sites(f->s->runner);
	const uint32_t *site;
	const char *path;
	uint64_t offset;
	size_t i, n, count = 0;

	site = chess_racing_retired(f->racing, &n);
	for (i = 0; i < n; i++)
		count += chess_site_where(table, site[i], &path, &offset) && !strcmp(path, file);
	return count;
}

static void print_left(const struct race_facts *f, const struct chess_site_facts *facts)
{
	size_t retired = count_retired(f, facts->path);
	const char *before = " (";
	unsigned int i;

	if (facts->only_entries) {
		printf("  of %s: where %zu of its %zu functions begin, as it may be unmapped\n",
		       last_part(facts->path), facts->sites, facts->instructions);
		return;
	}
	printf("  of %s: %zu of %zu instructions", last_part(facts->path), facts->sites,
	       facts->instructions);
	for (i = 0; i < facts->n_left; i++) {
		if (!facts->left[i].n)
			continue;
		printf("%s%zu %s", before, facts->left[i].n, facts->left[i].cause);
		before = ", ";
	}
	printf("%s", *before == ',' ? " left out)" : "");
	if (facts->strange)
		printf("; %zu ranges with something other than instructions, %llu bytes",
		       facts->strange, (unsigned long long)facts->strange_bytes);
	if (facts->unknown_bytes)
		printf("; %llu bytes of no function", (unsigned long long)facts->unknown_bytes);
	putchar('\n');
	if (retired)
		printf("    %zu of them were executed so often that not all of their accesses were recorded: races with them may be MISSED\n",
		       retired);
	if (!facts->debug_info)
		printf("    it has no debug information: loads and stores of its atomic variables are taken for plain ones\n");
}

static void print_sync_files(const struct chess_site_table *table)
{
	const char *path;
	size_t i;

	for (i = 0; (path = chess_site_sync_file(table, i)); i++)
		printf("%s%s", i ? ", " : "  only for what orders tasks: ", last_part(path));
	if (i)
		putchar('\n');
}

void race_facts_print_points(const struct race_facts *f)
{
	struct race_account a = account_of(f);

	if (f->s->accesses.n)
		print_points(f, &a);
	print_missed(&a.count);
}

void race_facts_print(const struct race_facts *f)
{
	const struct chess_site_table *table = chess_runner_sites(f->s->runner);
	struct race_account a = account_of(f);
	struct chess_site_facts facts;
	size_t i;

	if (f->result)
		print_points(f, &a);
	if (a.partly)
		printf("  recorded in %llu of %llu runs%s\n",
		       (unsigned long long)a.recorded_runs,
		       (unsigned long long)f->result->all.runs,
		       f->result->gave_up ? ", since one took too long with them" : "");
	if (a.searches > 1)
		printf("  begun again: %u searches in all, %llu runs before them\n",
		       a.searches, (unsigned long long)a.prelude_runs);
	print_missed(&a.count);
	for (i = 0; chess_site_facts_get(table, i, &facts); i++)
		print_left(f, &facts);
	print_sync_files(table);
	printf("  not examined: code of all other files, code made at run time\n");
}

static void add_number(struct json_object *o, const char *key, uint64_t n)
{
	json_object_object_add(o, key, json_object_new_uint64(n));
}

static struct json_object *json_points(const struct session_accesses *a)
{
	struct json_object *list = json_object_new_array(), *o;
	size_t i;

	for (i = 0; i < a->n; i++) {
		o = json_object_new_object();
		out_json_string(o, "file", a->files[a->points[i].file].path);
		add_number(o, "offset", a->points[i].offset);
		json_object_array_add(list, o);
	}
	return list;
}

static struct json_object *json_files(const struct race_facts *f)
{
	const struct chess_site_table *table = chess_runner_sites(f->s->runner);
	struct json_object *list = json_object_new_array(), *o, *left;
	struct chess_site_facts facts;
	size_t i;
	unsigned int k;

	for (i = 0; chess_site_facts_get(table, i, &facts); i++) {
		o = json_object_new_object();
		left = json_object_new_object();
		out_json_string(o, "file", facts.path);
		out_json_string(o, "build_id", facts.build_id);
		add_number(o, "instructions", facts.instructions);
		add_number(o, "sites", facts.sites);
		add_number(o, "retired", count_retired(f, facts.path));
		for (k = 0; k < facts.n_left; k++)
			add_number(left, facts.left[k].key, facts.left[k].n);
		json_object_object_add(o, "left_out", left);
		add_number(o, "strange_ranges", facts.strange);
		add_number(o, "strange_bytes", facts.strange_bytes);
		add_number(o, "unknown_bytes", facts.unknown_bytes);
		if (facts.only_entries)
			json_object_object_add(o, "only_function_starts",
					       json_object_new_boolean(true));
		json_object_object_add(o, "debug_information",
				       json_object_new_boolean(facts.debug_info));
		json_object_array_add(list, o);
	}
	return list;
}

struct json_object *race_facts_json(const struct race_facts *f)
{
	struct race_account a = account_of(f);
	struct json_object *o = json_object_new_object();

	add_number(o, "racing_pairs", a.pairs);
	json_object_object_add(o, "points", json_points(&f->s->accesses));
	add_number(o, "searches", a.searches);
	add_number(o, "prelude_runs", a.prelude_runs);
	add_number(o, "recorded_runs", a.recorded_runs);
	add_number(o, "recorded", a.count.accesses);
	add_number(o, "lost", a.count.lost);
	add_number(o, "forgotten", a.count.forgotten);
	add_number(o, "dropped", a.count.dropped);
	if (a.count.rested)
		add_number(o, "rested_runs", a.count.rested);
	json_object_object_add(o, "code", json_files(f));
	return o;
}

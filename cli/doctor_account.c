// SPDX-License-Identifier: GPL-2.0-only
/*
 * See doctor_account.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "doctor_account.h"

static bool same_text(const char *a, size_t a_len, const char *b, size_t b_len)
{
	return a_len == b_len && !memcmp(a, b, a_len);
}

static bool same_stream(const struct chess_run_result *a, const struct chess_run_result *b,
			bool err)
{
	return err ? same_text(a->err, a->err_len, b->err, b->err_len) :
		     same_text(a->out, a->out_len, b->out, b->out_len);
}

static bool same_end(const struct chess_run_result *a, const struct chess_run_result *b)
{
	return a->verdict == b->verdict && a->status == b->status;
}

/* Events that differ first at one place have one source: one pair of them is shown. */
static void note_difference(struct doctor_account *a, const struct chess_run_result *run,
			    unsigned int i, size_t at)
{
	size_t k;

	for (k = 0; k < a->n_diff; k++)
		if (a->diff[k].at == at)
			return;
	if (a->n_diff == DOCTOR_DIFFERENCES)
		return;
	a->diff[a->n_diff].at = at;
	a->diff[a->n_diff].run = i;
	a->diff[a->n_diff++].cause = hints_cause(chess_record_event(run[0].record, at),
						 chess_record_event(run[i].record, at));
}

static void compare_all(struct doctor_account *a, const struct chess_run_result *run)
{
	unsigned int i;

	for (i = 0; i < a->runs; i++) {
		size_t at = chess_record_compare(run[0].record, run[i].record);

		if (at != SIZE_MAX)
			note_difference(a, run, i, at);
		if (!a->other_end && !same_end(&run[0], &run[i]))
			a->other_end = i;
		a->same += at == SIZE_MAX && same_end(&run[0], &run[i]) &&
			   same_stream(&run[0], &run[i], false) &&
			   same_stream(&run[0], &run[i], true);
	}
}

static void compare_stream(struct doctor_account *a, const struct chess_run_result *run, bool err)
{
	struct doctor_stream *s = &a->stream[err];
	struct hints_line line = { 0 };
	unsigned int i;

	s->name = err ? "stderr" : "stdout";
	for (i = 1; i < a->runs && same_stream(&run[0], &run[i], err); i++)
		;
	if (i >= a->runs)
		return;
	s->run = i;
	s->lines = cli_alloc(DOCTOR_LINES, sizeof(*s->lines));
	while (s->n < DOCTOR_LINES && hints_next_line(err ? run[0].err : run[0].out,
						      err ? run[i].err : run[i].out, &line))
		s->lines[s->n++] = line;
}

/* The C library and the loader use them at the start of every program, harmlessly. */
static bool is_libc(const char *path)
{
	static const char *const heads[] = { "libc.so", "libc-2", "ld-", "ld.so", "libc.musl" };
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	size_t i;

	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (!strncmp(base, heads[i], strlen(heads[i])))
			return true;
	return false;
}

/* Each kind once, in the order of the first ones. */
static void count_kinds(struct doctor_file *f)
{
	size_t i, k;

	f->kind = cli_alloc(f->n_sites, sizeof(*f->kind));
	for (i = 0; i < f->n_sites; i++) {
		for (k = 0; k < f->n; k++)
			if (!strcmp(f->kind[k].first->instruction, f->sites[i].instruction))
				break;
		if (k == f->n)
			f->kind[f->n++].first = &f->sites[i];
		f->kind[k].count++;
	}
}

static void scan_code(struct doctor_account *a, const char *path)
{
	char **files = chess_symbols_files(path);
	size_t i, n = 0;

	while (files && files[n])
		n++;
	a->files = cli_alloc(n + 1, sizeof(*a->files));
	for (i = 0; i < n; i++) {
		struct doctor_file *f = &a->files[a->n_files];
		int sites = is_libc(files[i]) ? 0 : chess_code_scan(files[i], &f->sites);

		if (sites <= 0) {
			free(files[i]);
			continue;
		}
		f->path = files[i];
		f->n_sites = sites;
		count_kinds(f);
		a->n_files++;
	}
	free(files);
}

void doctor_account_of(const struct chess_run_result *run, unsigned int runs,
		       unsigned int wanted, const char *path, struct doctor_account *out)
{
	*out = (struct doctor_account){ .runs = runs, .wanted = wanted };
	if (runs) {
		compare_all(out, run);
		hints_find(run[0].record, &out->shown);
	}
	compare_stream(out, run, false);
	compare_stream(out, run, true);
	out->complete = runs == wanted;
	out->identical = runs && out->same == runs;
	out->deterministic = out->complete && out->identical;
	if (path)
		scan_code(out, path);
}

void doctor_account_clear(struct doctor_account *a)
{
	size_t i;

	for (i = 0; i < a->n_files; i++) {
		chess_code_sites_free(a->files[i].sites, a->files[i].n_sites);
		free(a->files[i].kind);
		free(a->files[i].path);
	}
	free(a->files);
	free(a->stream[0].lines);
	free(a->stream[1].lines);
	*a = (struct doctor_account){ 0 };
}

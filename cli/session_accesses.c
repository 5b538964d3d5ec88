// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which accesses to memory are points in the runs of a session: by numbers of sites, as the
 * runner has them, and by file and offset, as traces have them. See session.h.
 */
#include <chessctl/races.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "program.h"
#include "session.h"

int session_check_code(const struct session_opts *o, char **argv, const char *path)
{
	const struct chess_program p = { .argv = argv };
	const char **code = cli_alloc(o->code.n + 1, sizeof(*code));
	size_t i;
	int ret;

	for (i = 0; i < o->code.n; i++)
		code[i] = o->code.v[i];
	ret = i ? chess_code_check(&p, path, code) : 0;
	free(code);
	return ret ? cli_fail(CLI_USAGE, "--code: %s", chess_error()) : CLI_PROCEED;
}

void session_clear_points(struct session_accesses *a)
{
	while (a->n_files) {
		free(a->files[--a->n_files].path);
		free(a->files[a->n_files].hash);
	}
	free(a->files);
	free(a->sites);
	free(a->points);
	memset(a, 0, sizeof(*a));
}

/* Index of the file, which is the last one or a new one: sites are in order of files. */
static int file_of(struct session_accesses *a, const char *path)
{
	char *absolute = realpath(path, NULL);
	struct chess_trace_probe *f;

	if (absolute && a->n_files && !strcmp(a->files[a->n_files - 1].path, absolute)) {
		free(absolute);
		return a->n_files - 1;
	}
	f = absolute ? realloc(a->files, (a->n_files + 1) * sizeof(*f)) : NULL;
	if (!f) {
		free(absolute);
		return absolute ? -ENOMEM : -ENOENT;
	}
	a->files = f;
	f[a->n_files].path = absolute;
	f[a->n_files].hash = program_hash(absolute);
	return f[a->n_files++].hash ? (int)a->n_files - 1 : -ENOENT;
}

int session_set_points(struct session *s, const uint32_t *sites, size_t n)
{
	const struct chess_site_table *table = chess_runner_sites(s->runner);
	struct session_accesses a = {
		.sites = cli_alloc(n + 1, sizeof(*a.sites)),
		.points = cli_alloc(n + 1, sizeof(*a.points)),
	};
	int ret = chess_runner_set_points(s->runner, sites, n), file;
	const char *path;
	uint64_t offset;

	for (; !ret && a.n < n; a.n++) {
		a.sites[a.n] = sites[a.n];
		if (!chess_site_where(table, sites[a.n], &path, &offset))
			ret = -EINVAL;
		file = ret ? ret : file_of(&a, path);
		if (file < 0)
			ret = file;
		else
			a.points[a.n] = (struct chess_trace_point) {
				.file = file, .offset = offset,
			};
	}
	if (ret) {
		session_clear_points(&a);
		return ret;
	}
	session_clear_points(&s->accesses);
	s->accesses = a;
	return 0;
}

void session_forget_later(struct session *s)
{
	while (s->n_later) {
		free(s->later[--s->n_later].path);
		free(s->later[s->n_later].hash);
	}
	free(s->later);
	s->later = NULL;
}

void session_copy_later(struct session *s, const struct chess_trace_probe *later, size_t n)
{
	s->later = cli_alloc(n + 1, sizeof(*s->later));
	for (s->n_later = 0; s->n_later < n; s->n_later++)
		s->later[s->n_later] = (struct chess_trace_probe) {
			.path = cli_printf("%s", later[s->n_later].path),
			.hash = cli_printf("%s", later[s->n_later].hash),
		};
}

const char **session_later(const struct chess_trace_probe *later, size_t n)
{
	const char **files = cli_alloc(n + 1, sizeof(*files));
	size_t i;

	for (i = 0; i < n; i++)
		files[i] = later[i].path;
	return files;
}

int session_set_later(struct session *s, const char *const *files)
{
	size_t i, n = 0;

	while (files[n])
		n++;
	session_clear_points(&s->accesses);
	session_forget_later(s);
	s->later = cli_alloc(n + 1, sizeof(*s->later));
	for (i = 0; i < n; i++) {
		char *hash = program_hash(files[i]);

		/* Of one that is gone or cannot be read nothing is registered either. */
		if (hash)
			s->later[s->n_later++] = (struct chess_trace_probe) {
				.path = cli_printf("%s", files[i]), .hash = hash,
			};
	}
	return chess_runner_set_later(s->runner, files);
}

int session_trace_points(struct session *s, const struct chess_trace *t)
{
	const struct chess_site_table *table = chess_runner_sites(s->runner);
	uint32_t *sites = cli_alloc(t->n_access_points + 1, sizeof(*sites));
	int code = CLI_PROCEED;
	size_t i;

	for (i = 0; i < t->n_access_points && code == CLI_PROCEED; i++) {
		const char *path = t->code_files[t->access_points[i].file].path;

		sites[i] = chess_site_number(table, path, t->access_points[i].offset);
		if (!sites[i])
			code = cli_fail(CLI_USAGE,
					"the trace has a point at 0x%llx of '%s', where this chessctl sees no access to memory; use the chessctl that wrote it",
					(unsigned long long)t->access_points[i].offset, path);
	}
	if (code == CLI_PROCEED && session_set_points(s, sites, i))
		code = cli_fail(CLI_ENVIRONMENT, "the points of the trace cannot be set: %s",
				chess_error());
	free(sites);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * See reducible.h.
 */
#include <stdlib.h>
#include <string.h>

#include "chessctl/races.h"
#include "cli.h"
#include "reducible.h"
#include "report/symbolize.h"

static bool is_trusted(const char *path)
{
	static const char *const heads[] = {
		"libm.so", "libm-", "libdl.so", "libdl-", "libutil.so", "libanl.so",
		"libresolv.so", "libatomic.so",
	};
	const char *base = strrchr(path, '/');
	size_t i;

	base = base ? base + 1 : path;
	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (!strncmp(base, heads[i], strlen(heads[i])))
			return true;
	return symbols_is_system(path);
}

static bool is_looked_at(const struct chess_site_table *t, const char *path)
{
	struct chess_site_facts f;
	size_t i;

	for (i = 0; chess_site_facts_get(t, i, &f); i++)
		if (!strcmp(f.path, path))
			return !f.only_entries;
	return false;
}

/* Of code that has traps: is all of it known? */
static char *left_out(const struct chess_site_table *t)
{
	struct chess_site_facts f;
	unsigned int k;
	size_t i;

	for (i = 0; chess_site_facts_get(t, i, &f); i++) {
		if (f.only_entries)
			continue;
		if (f.strange || !f.instructions)
			return cli_printf("not all code of %s is understood", f.path);
		for (k = 0; k < f.n_left; k++)
			if (f.left[k].n && (!strcmp(f.left[k].key, "opaque") ||
					    !strcmp(f.left[k].key, "no_slot")))
				return cli_printf("not all accesses of %s are examined", f.path);
	}
	return NULL;
}

static char *not_looked_at(const char *path)
{
	return cli_printf("accesses of %s are not examined (--code)", path);
}

char *reducible_why_not(const struct session *s)
{
	const struct chess_site_table *t = chess_runner_sites(s->runner);
	char **files, *why;
	size_t i;

	if (!t)
		return cli_printf("accesses to memory are not examined");
	why = left_out(t);
	for (i = 0; i < s->n_later && !why; i++)
		if (!is_trusted(s->later[i].path) && !is_looked_at(t, s->later[i].path))
			why = not_looked_at(s->later[i].path);
	files = why ? NULL : chess_symbols_files(s->path);
	/* Of libraries nobody knows of nothing is looked at. */
	if (!why && !files)
		why = cli_printf("its libraries are not known: %s", chess_error());
	for (i = 0; files && files[i]; i++) {
		if (!why && !is_trusted(files[i]) && !is_looked_at(t, files[i]))
			why = not_looked_at(files[i]);
		free(files[i]);
	}
	free(files);
	return why;
}

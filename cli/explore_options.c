// SPDX-License-Identifier: GPL-2.0-only
/*
 * Explore's options for commands that search with it in processes of their own: test and cover.
 * See explore.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "explore.h"

static bool is_in(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(*list, name))
			return true;
	return false;
}

struct opt *explore_options_with(const struct opt *own, size_t n_own, const char *const *without,
				 size_t *n)
{
	const struct usage *explore = explore_usage();
	struct opt *all = cli_alloc(n_own + explore->n, sizeof(*all));
	size_t i, k;

	memcpy(all, own, n_own * sizeof(*own));
	*n = n_own;
	for (i = 0; i < explore->n; i++) {
		for (k = 0; k < n_own && strcmp(all[k].name, explore->opts[i].name); k++)
			;
		if (k < n_own || explore->opts[i].kind == OPT_INSTEAD ||
		    is_in(explore->opts[i].name, without))
			continue;
		all[*n] = explore->opts[i];
		/* They are reported with the others, and not one by one on the first screen. */
		if (all[*n].group == OPT_COMMON && strcmp(all[*n].name, "bound"))
			all[*n].group = OPT_SCHEDULES;
		(*n)++;
	}
	return all;
}

char **explore_options_given(const struct opt *all, size_t n, size_t n_own, char **argv,
			     char **program)
{
	char **given = cli_alloc(program - argv + 1, sizeof(*given));
	size_t i, len, k = 0;

	for (argv++; argv < program && strcmp(*argv, "--"); argv++) {
		for (i = 0; i < n; i++) {
			len = strlen(all[i].name);
			if (!strncmp(*argv + 2, all[i].name, len) &&
			    (!(*argv)[2 + len] || (*argv)[2 + len] == '='))
				break;
		}
		if (i >= n_own)
			given[k++] = *argv;
		if (i == n || all[i].kind == OPT_FLAG || strchr(*argv, '='))
			continue;
		argv++;
		if (i >= n_own)
			given[k++] = *argv;
	}
	return given;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * See leftovers.h. Only names directly in the folders count: what a run adds to a file or folder
 * that was there before is not seen.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "leftovers.h"

static const char *const folders[] = { "/tmp", "/dev/shm" };

#define N_FOLDERS	(sizeof(folders) / sizeof(folders[0]))

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/**
 * leftovers_note() - what is there now
 * @l: all zero; leftovers_clear() it
 */
void leftovers_note(struct leftovers *l)
{
	struct dirent **entries;
	size_t i;
	int n, k;

	for (i = 0; i < N_FOLDERS; i++) {
		n = scandir(folders[i], &entries, NULL, NULL);
		if (n < 0)
			continue;
		l->names = cli_realloc(l->names, l->n + n, sizeof(*l->names));
		for (k = 0; k < n; k++) {
			l->names[l->n++] = cli_printf("%s/%s", folders[i], entries[k]->d_name);
			free(entries[k]);
		}
		free(entries);
	}
	if (l->n)
		qsort(l->names, l->n, sizeof(*l->names), by_name);
}

void leftovers_clear(struct leftovers *l)
{
	while (l->n)
		free(l->names[--l->n]);
	free(l->names);
	l->names = NULL;
}

/**
 * leftovers_are_more() - is a name there now that was not there then?
 * @l: what was there
 *
 * Return: whether there is one, of whatever process.
 */
bool leftovers_are_more(const struct leftovers *l)
{
	struct leftovers now = { 0 };
	bool more = false;
	size_t i;

	leftovers_note(&now);
	for (i = 0; i < now.n && !more; i++)
		more = !l->n || !bsearch(&now.names[i], l->names, l->n, sizeof(*l->names),
					 by_name);
	leftovers_clear(&now);
	return more;
}

/**
 * leftovers_are_asked_for() - does an argument name a file in one of the folders?
 * @argv: of the program, which may be there itself
 *
 * Then the user may want what the program leaves there.
 */
bool leftovers_are_asked_for(char **argv)
{
	size_t i;

	while (*++argv)
		for (i = 0; i < N_FOLDERS; i++) {
			const char *at = strstr(*argv, folders[i]);

			if (at && at[strlen(folders[i])] == '/')
				return true;
		}
	return false;
}

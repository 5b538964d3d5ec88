// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Files whose code a program runs and that it does not map at its start: what dlopen()
 * opened, programs that were executed later. needed.c cannot know of them. The module tells
 * of each run which files had no traps (kmod/traps/mapped.c); here is known what became of those:
 *
 *	nothing to trap		it was looked at, and has none of what gets traps
 *	traps			it gets them from the next run on, see race_search.c
 *	bare			it cannot have them; whoever says "ok" has to say so
 *
 * Those that are to have traps are bare until somebody says that they were set.
 *
 * A path is all there is. Whether its file is the one that was mapped, the module says: a
 * file that was registered and is named once more is another one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "array.h"
#include "internal.h"
#include "code/later.h"

enum state { NOTHING, TRAPS, BARE };

struct entry {
	char *path;
	enum state state;
	const char *why;	/* of BARE */
	size_t number;		/* of TRAPS, in chess_later.files */
};

/**
 * struct chess_later - what is known
 * @entry: a file each, @n of them, in the order in which they came
 * @n: see there
 * @files: those that have traps, NULL after the last
 * @n_files: of @files
 * @n_set: so many of them have them indeed
 * @accesses: their accesses to memory get traps as well
 */
struct chess_later {
	struct entry *entry;
	size_t n;
	char **files;
	size_t n_files, n_set;
	bool accesses;
};

struct chess_later *chess_later_new(bool accesses)
{
	struct chess_later *l = calloc(1, sizeof(*l));

	if (!l) {
		chess_set_error(ENOMEM, "no memory for a list of files");
		return NULL;
	}
	l->accesses = accesses;
	return l;
}

void chess_later_free(struct chess_later *l)
{
	size_t i;

	for (i = 0; l && i < l->n; i++)
		free(l->entry[i].path);
	if (l) {
		free(l->entry);
		free(l->files);
	}
	free(l);
}

static struct entry *find(const struct chess_later *l, const char *path, size_t len)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (strlen(l->entry[i].path) == len && !memcmp(l->entry[i].path, path, len))
			return &l->entry[i];
	return NULL;
}

static struct entry *add(struct chess_later *l, const char *path, size_t len)
{
	struct entry *e;

	if (chess_array_extend(&l->entry, l->n, l->n + 1, sizeof(*e)))
		return NULL;
	e = &l->entry[l->n];
	e->path = strndup(path, len);
	l->n += !!e->path;
	return e->path ? e : NULL;
}

static void set_bare(struct entry *e, const char *why)
{
	e->state = BARE;
	e->why = why;
}

/* The first letter of a line of the module's. */
#define SHARED		's'
#define TRANSLATED	't'

/* What is to be done about a file nobody heard of yet. */
static void judge(const struct chess_later *l, struct entry *e, char kind)
{
	struct chess_probe *probes = NULL;
	struct stat st;
	int n;

	if (kind == SHARED) {
		set_bare(e, "it is mapped shared");
		return;
	}
	if (kind == TRANSLATED) {
		set_bare(e, "a program translates it, as valgrind does");
		return;
	}
	/* To open a pipe would wait for its other end. */
	if (stat(e->path, &st) || !S_ISREG(st.st_mode)) {
		set_bare(e, "it is not to be found under that name");
		return;
	}
	n = chess_symbols_probes(e->path, &probes, NULL);
	free(probes);
	if (n == -ENOEXEC)
		set_bare(e, "it is not a program or library for x86-64");
	else if (n < 0)
		set_bare(e, "it cannot be read");
	else
		e->state = n || l->accesses ? TRAPS : NOTHING;
}

static int keep(struct chess_later *l, struct entry *e)
{
	if (chess_array_extend(&l->files, l->n_files, l->n_files + 2, sizeof(*l->files)))
		return -ENOMEM;
	e->number = l->n_files++;
	l->files[e->number] = e->path;
	return 1;
}

/* Return: 1, there is one more to have traps; 0; -ENOMEM */
static int learn(struct chess_later *l, const char *path, size_t len, char kind)
{
	struct entry *e = find(l, path, len);

	if (e && e->state == TRAPS && e->number < l->n_set)
		set_bare(e, kind == TRANSLATED ? "a program translates it, as valgrind does" :
			    "what was mapped is not what is there now");
	if (e)
		return 0;
	e = add(l, path, len);
	if (!e)
		return -ENOMEM;
	judge(l, e, kind);
	return e->state == TRAPS ? keep(l, e) : 0;
}

static int learn_all(struct chess_later *l, const char *line, bool translated)
{
	const char *end;
	int grown = 0, ret;

	for (; *line; line = end + !!*end) {
		end = strchrnul(line, '\n');
		if (end - line < 3 || (*line == TRANSLATED) != translated)
			continue;
		ret = learn(l, line + 2, end - line - 2, *line);
		if (ret < 0)
			return chess_set_error(ENOMEM, "no memory for a list of files");
		grown += ret;
	}
	return grown;
}

int chess_later_learn(struct chess_later *l, const struct chess_run_result *res)
{
	const char *mapped = res->mapped ? res->mapped : "";
	/* That a program translates is known once it has begun to, and about itself as well. */
	int ret = learn_all(l, mapped, true);

	return ret < 0 ? ret : learn_all(l, mapped, false);
}

const char *const *chess_later_files(const struct chess_later *l)
{
	return l ? (const char *const *)l->files : NULL;
}

void chess_later_set(struct chess_later *l)
{
	l->n_set = l->n_files;
}

/* Why it has no traps; NULL: it needs none, or has them. */
static const char *why_bare(const struct chess_later *l, const struct entry *e)
{
	if (e->state == TRAPS && e->number >= l->n_set)
		return "no run was made that has them";
	return e->state == BARE ? e->why : NULL;
}

const char *chess_later_bare(const struct chess_later *l, size_t i, const char **why)
{
	size_t k;

	for (k = 0; l && k < l->n; k++) {
		*why = why_bare(l, &l->entry[k]);
		if (*why && !i--)
			return l->entry[k].path;
	}
	return NULL;
}

/* --- in the runner ---------------------------------------------------------- */

char *chess_later_unknown(const char *mapped, bool (*is_known)(const char *path, void *arg),
			  void *arg)
{
	char *text = NULL, *line, *all, *save = NULL;
	size_t size;
	FILE *f;

	all = strdup(mapped);
	f = all ? open_memstream(&text, &size) : NULL;
	for (line = f ? strtok_r(all, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save))
		if (strlen(line) > 2 && (*line == SHARED || *line == TRANSLATED ||
					 !is_known(line + 2, arg)))
			fprintf(f, "%s\n", line);
	free(all);
	if (!f || fclose(f)) {
		free(text);
		chess_set_error(ENOMEM, "no memory for a list of files");
		return NULL;
	}
	return text;
}

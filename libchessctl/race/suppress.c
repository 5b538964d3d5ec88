// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Races that nobody wants to hear of, by the rules of a file.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chessctl/races.h"
#include "array.h"
#include "internal.h"

enum what { FUNCTION, SOURCE, PAIR, VARIABLE, ADDRESS };

static const struct {
	const char *word;
	unsigned int least, most;	/* arguments */
} rules[] = {
	[FUNCTION] = { "function", 1, 1 },
	[SOURCE] = { "file", 1, 1 },
	[PAIR] = { "pair", 2, 2 },
	[VARIABLE] = { "variable", 1, 1 },
	[ADDRESS] = { "address", 1, 2 },
};

struct rule {
	enum what what;
	unsigned int line;
	size_t used;
	char *arg[2];
	uint64_t start, size;
};

struct chess_suppressions {
	struct rule *v;
	size_t n;
};

static bool is_number(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 0);
	return *text && *text != '-' && !*end && !errno;
}

/* @line is taken apart. A sentence where it is no rule, else NULL; no words, no rule. */
static const char *parse(char *line, struct rule *r, bool *empty)
{
	char *word, *save, *arg[3] = { NULL };
	unsigned int n = 0, i;

	line[strcspn(line, "#\n")] = '\0';
	word = strtok_r(line, " \t\r", &save);
	*empty = !word;
	if (!word)
		return NULL;
	while (n < 3 && (arg[n] = strtok_r(NULL, " \t\r", &save)))
		n++;
	for (i = 0; i < ARRAY_SIZE(rules) && strcmp(rules[i].word, word); i++)
		;
	if (i == ARRAY_SIZE(rules))
		return "begins with none of function, file, pair, variable, address";
	if (n < rules[i].least || n > rules[i].most)
		return "has the wrong number of words for its rule";
	r->what = i;
	r->size = 8;
	if (i == ADDRESS && (!is_number(arg[0], &r->start) ||
			     (n > 1 && !is_number(arg[1], &r->size))))
		return "has no number where one is needed";
	for (i = 0; i < n && i < 2; i++) {
		r->arg[i] = strdup(arg[i]);
		if (!r->arg[i])
			return "found no memory";
	}
	return NULL;
}

static int add(struct chess_suppressions *s, const struct rule *r)
{
	if (chess_array_resize(&s->v, s->n + 1, sizeof(*s->v)))
		return -ENOMEM;
	s->v[s->n++] = *r;
	return 0;
}

struct chess_suppressions *chess_suppressions_read(const char *path)
{
	struct chess_suppressions *s = calloc(1, sizeof(*s));
	FILE *f = fopen(path, "re");
	unsigned int number = 0;
	char *line = NULL;
	size_t room = 0;
	int ret = 0;

	if (!f || !s) {
		ret = chess_set_error(f ? ENOMEM : errno, "cannot read the suppressions in %s: %s",
				      path, strerror(f ? ENOMEM : errno));
		goto out;
	}
	while (!ret && getline(&line, &room, f) >= 0) {
		struct rule r = { .line = ++number };
		bool empty;
		const char *wrong = parse(line, &r, &empty);

		if (empty)
			continue;
		/* also where it is wrong: what it has is freed with the others */
		ret = add(s, &r);
		if (ret || wrong)
			ret = chess_set_error(ret ? ENOMEM : EINVAL, "%s, line %u, %s", path, number,
					      wrong ? wrong : "found no memory");
	}
	if (!ret && ferror(f))
		ret = chess_set_error(EIO, "cannot read the suppressions in %s", path);
out:
	free(line);
	if (f)
		fclose(f);
	if (ret) {
		chess_suppressions_free(s);
		errno = -ret;
		return NULL;
	}
	return s;
}

static bool fits(const char *pattern, const char *name)
{
	return name && !fnmatch(pattern, name, 0);
}

/* A path, or its last part. */
static bool fits_path(const char *pattern, const char *path)
{
	const char *last = path ? strrchr(path, '/') : NULL;

	return fits(pattern, path) || (last && fits(pattern, last + 1));
}

static bool is_about(const struct rule *r, const struct chess_race_names *n)
{
	int i;

	switch (r->what) {
	case FUNCTION:
		return fits(r->arg[0], n->function[0]) || fits(r->arg[0], n->function[1]);
	case SOURCE:
		for (i = 0; i < 2; i++)
			if (fits_path(r->arg[0], n->source[i]) || fits_path(r->arg[0], n->image[i]))
				return true;
		return false;
	case PAIR:
		for (i = 0; i < 2; i++)
			if (fits(r->arg[0], n->function[i]) && fits(r->arg[1], n->function[!i]))
				return true;
		return false;
	case VARIABLE:
		return fits(r->arg[0], n->variable);
	case ADDRESS:
		return n->address >= r->start && n->address - r->start < r->size;
	}
	return false;
}

unsigned int chess_suppressions_match(struct chess_suppressions *s,
				      const struct chess_race_names *race)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (!is_about(&s->v[i], race))
			continue;
		s->v[i].used++;
		return s->v[i].line;
	}
	return 0;
}

size_t chess_suppressions_used(const struct chess_suppressions *s, unsigned int line)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->v[i].line == line)
			return s->v[i].used;
	return 0;
}

void chess_suppressions_free(struct chess_suppressions *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->n; i++) {
		free(s->v[i].arg[0]);
		free(s->v[i].arg[1]);
	}
	free(s->v);
	free(s);
}

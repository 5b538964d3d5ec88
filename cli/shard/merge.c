// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl shard merge: which results count. Each says of which shards it is, and which it left
 * over, so results form a tree from the split on. A shard that two results are of, as it was run
 * twice, counts once: by the result below which less is missing.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "out.h"
#include "shard/internal.h"

/**
 * struct node - a result
 * @f: the file
 * @path: of it
 * @missing: shards below it without a result, once @known
 * @known: it was counted
 * @open: it is being counted, so meeting it again is a circle
 * @used: it is part of the result
 */
struct node {
	struct shard_file f;
	const char *path;
	size_t missing;
	bool known, open, used;
};

/* Of shard @id a result is number @node. */
struct of {
	const char *id;
	size_t node;
};

/**
 * struct tree - all files
 * @node: the results, @n of them
 * @of: by the shards that they are of, sorted, @n_of of them
 * @work: ids of shards, for what was named without need
 * @missing: prefixes in shards without a result, @shards of them, of level @level or more
 * @weight: their share of the search
 * @merged: what is added up
 */
struct tree {
	struct node *node;
	size_t n;
	struct of *of;
	size_t n_of;
	uint64_t missing;
	size_t shards;
	unsigned int level;
	double weight;
	struct merged *merged;
};

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct of *)a)->id, ((const struct of *)b)->id);
}

static size_t length_of(struct json_object *list)
{
	return list ? json_object_array_length(list) : 0;
}

static const char *id_at(struct json_object *list, size_t i)
{
	return json_object_get_string(json_object_array_get_idx(list, i));
}

/* The first result of a shard in t->of; t->n_of: it has none. */
static size_t first_of(const struct tree *t, const char *id)
{
	size_t low = 0, high = t->n_of, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (strcmp(t->of[middle].id, id) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->n_of && !strcmp(t->of[low].id, id) ? low : t->n_of;
}

static uint64_t runs_of(const struct node *n)
{
	struct shard_header h;

	shard_header_of(&n->f, &h);
	return h.runs;
}

static size_t count_missing(struct tree *t, struct node *n);

/* The result that counts for a shard; NULL: there is none. */
static struct node *best_of(struct tree *t, const char *id)
{
	struct node *best = NULL, *n;
	size_t i;

	for (i = first_of(t, id); i < t->n_of && !strcmp(t->of[i].id, id); i++) {
		n = &t->node[t->of[i].node];
		if (n->open)
			continue;
		if (!best || count_missing(t, n) < count_missing(t, best) ||
		    (count_missing(t, n) == count_missing(t, best) && runs_of(n) > runs_of(best)))
			best = n;
	}
	return best;
}

static size_t count_missing(struct tree *t, struct node *n)
{
	struct json_object *left = json_object_object_get(n->f.meta, "left");
	struct node *below;
	size_t i;

	if (n->known)
		return n->missing;
	n->open = true;
	for (i = 0; i < length_of(left); i++) {
		below = best_of(t, id_at(left, i));
		n->missing += below ? count_missing(t, below) : 1;
	}
	n->open = false;
	n->known = true;
	return n->missing;
}

static void note_missing(struct tree *t, const struct node *n, size_t i)
{
	struct json_object *sizes = json_object_object_get(n->f.meta, "left_sizes");
	struct json_object *one = i < length_of(sizes) ? json_object_array_get_idx(sizes, i) : NULL;
	unsigned int level = json_object_get_int(json_object_object_get(one, "level"));

	t->level = !t->shards || level < t->level ? level : t->level;
	t->shards++;
	t->missing += json_object_get_uint64(json_object_object_get(one, "prefixes"));
	t->weight += json_object_get_double(json_object_object_get(one, "weight"));
}

/* It counts, and what is below it. */
static void use(struct tree *t, struct node *n)
{
	struct json_object *left = json_object_object_get(n->f.meta, "left");
	struct node *below;
	size_t i;

	if (n->used)
		return;
	n->used = true;
	n->open = true;
	merged_add(t->merged, &n->f, n->path);
	for (i = 0; i < length_of(left); i++) {
		below = best_of(t, id_at(left, i));
		if (below)
			use(t, below);
		else
			note_missing(t, n, i);
	}
	n->open = false;
}

static int read_all(struct tree *t, const struct shard_asked *a)
{
	char search[SHARD_ID] = "";
	struct shard_header h;
	int code = CLI_PROCEED, i;

	t->node = cli_alloc(a->n_files, sizeof(*t->node));
	for (i = 0; i < a->n_files && code == CLI_PROCEED; i++) {
		struct node *n = &t->node[t->n];

		code = shard_read(a->files[i], &n->f);
		if (code != CLI_PROCEED)
			break;
		shard_header_of(&n->f, &h);
		if (*search && strcmp(search, h.search))
			code = cli_fail(CLI_USAGE, "shard merge: '%s' is of another search than the files before it; name the files of one",
					a->files[i]);
		strcpy(search, h.search);
		n->path = a->files[i];
		/* What a shard leaves is said by its result. */
		if (n->f.kind == SHARD_WORK)
			shard_clear(&n->f);
		else
			t->n++;
	}
	return code;
}

/* Return: the result of the split, or NULL after one sentence. */
static struct node *index_all(struct tree *t)
{
	struct node *root = NULL;
	size_t i, k;

	for (i = 0; i < t->n; i++)
		t->n_of += length_of(json_object_object_get(t->node[i].f.meta, "parents"));
	t->of = cli_alloc(t->n_of + 1, sizeof(*t->of));
	t->n_of = 0;
	for (i = 0; i < t->n; i++) {
		struct json_object *parents = json_object_object_get(t->node[i].f.meta, "parents");

		for (k = 0; k < length_of(parents); k++)
			t->of[t->n_of++] = (struct of){ .id = id_at(parents, k), .node = i };
		if (!length_of(parents) && root && strcmp(root->f.id, t->node[i].f.id)) {
			cli_fail(CLI_USAGE, "shard merge: '%s' and '%s' are both the result of a split; name one, with the files that came of it",
				 root->path, t->node[i].path);
			return NULL;
		}
		if (!length_of(parents))
			root = &t->node[i];
	}
	qsort(t->of, t->n_of, sizeof(*t->of), by_id);
	if (!root)
		cli_fail(CLI_USAGE, "shard merge: the result of the split is not among the files; name " SPLIT_RESULT " as well");
	return root;
}

int shard_merge(const struct shard_asked *a)
{
	const struct explore_options *o = explore_asked();
	struct tree t = { .merged = merged_new() };
	struct out_dir dir;
	struct node *root;
	int code = CLI_PROCEED;
	size_t i;

	if (!a->n_files)
		code = cli_fail(CLI_USAGE, "shard merge: name the results, and that of the split");
	if (code == CLI_PROCEED)
		code = read_all(&t, a);
	root = code == CLI_PROCEED ? index_all(&t) : NULL;
	if (code == CLI_PROCEED && !root)
		code = CLI_USAGE;
	if (code == CLI_PROCEED && o->out)
		code = out_dir_open(&dir, o->out);
	if (code == CLI_PROCEED) {
		use(&t, root);
		/* A bug is one also where the result does not count. */
		for (i = 0; i < t.n; i++)
			if (!t.node[i].used)
				merged_add_bug(t.merged, &t.node[i].f, t.node[i].path);
		code = merged_end(t.merged, t.missing, t.shards, t.level, t.weight, o->out,
				  o->json);
	}
	merged_free(t.merged);
	for (i = 0; i < (size_t)a->n_files && t.node; i++)
		shard_clear(&t.node[i].f);
	free(t.node);
	free(t.of);
	return code;
}

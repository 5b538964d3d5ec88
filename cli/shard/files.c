// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is in shards and results, beside what they say of the search (about.c) and of its runs
 * (result.c). See internal.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "out.h"
#include "shard/internal.h"

struct json_object *ids_new(const char *id)
{
	struct json_object *list = json_object_new_array();

	if (id)
		json_object_array_add(list, json_object_new_string(id));
	return list;
}

/* As it reads it back, so that hashes of it stay. */
static struct json_object *number(double v)
{
	char text[32];

	snprintf(text, sizeof(text), "%.9g", v);
	return json_object_new_double_s(v, text);
}

static void add_sizes(struct json_object *o, unsigned int level, unsigned int bound, double weight,
		      uint64_t prefixes)
{
	out_json_int(o, "level", level);
	out_json_int(o, "bound", bound);
	json_object_object_add(o, "weight", number(weight));
	out_json_uint(o, "prefixes", prefixes);
}

static struct json_object *meta_new(struct json_object *about, struct json_object *parents)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "search", json_object_get(about));
	json_object_object_add(o, "parents", parents);
	return o;
}

int work_new(struct shard_file *f, struct json_object *about, struct json_object *parents,
	     unsigned int bound, const struct chess_frontier *work)
{
	*f = (struct shard_file){ .kind = SHARD_WORK, .meta = meta_new(about, parents) };
	add_sizes(f->meta, chess_frontier_level(work), bound, chess_frontier_weight(work),
		  chess_frontier_count(work));
	if (chess_frontier_pack(work, &f->body, &f->n))
		return cli_fail(CLI_ENVIRONMENT, "shard: %s", chess_error());
	shard_identify(f);
	return CLI_PROCEED;
}

void work_new_chance(struct shard_file *f, struct json_object *about, struct json_object *parents,
		     uint64_t seed, uint64_t runs, double weight)
{
	struct json_object *chance = json_object_new_object();

	*f = (struct shard_file){ .kind = SHARD_WORK, .meta = meta_new(about, parents) };
	add_sizes(f->meta, 0, 0, weight, runs);
	out_json_uint(chance, "seed", seed);
	out_json_uint(chance, "runs", runs);
	json_object_object_add(f->meta, "chance", chance);
	shard_identify(f);
}

int work_check(const struct shard_file *f, const char *file)
{
	return f->kind == SHARD_WORK ? CLI_PROCEED :
	       cli_fail(CLI_USAGE, "'%s' is a result: it says what was done, and nothing in it is left to run; name a shard",
			file);
}

struct chess_frontier *work_prefixes(const struct shard_file *f, const char *file)
{
	struct chess_frontier *work = chess_frontier_unpack(f->body, f->n);

	if (!work)
		cli_fail(CLI_USAGE, "'%s' is not what chessctl writes: %s; split the search again",
			 file, chess_error());
	return work;
}

void result_new(struct shard_file *f, struct json_object *about, unsigned int bound,
		struct json_object *parents, struct json_object *result)
{
	*f = (struct shard_file){ .kind = SHARD_RESULT, .meta = meta_new(about, parents) };
	add_sizes(f->meta, bound, bound, 0, 0);
	json_object_object_add(f->meta, "left", json_object_new_array());
	json_object_object_add(f->meta, "left_sizes", json_object_new_array());
	json_object_object_add(f->meta, "result", result ? result : json_object_new_object());
}

void result_add_left(struct shard_file *result, const struct shard_file *left)
{
	struct json_object *o = result->meta, *one = json_object_new_object();
	struct shard_header all, h;

	shard_header_of(left, &h);
	shard_header_of(result, &all);
	json_object_array_add(json_object_object_get(o, "left"), json_object_new_string(left->id));
	add_sizes(one, h.level, h.bound, h.weight, h.prefixes);
	json_object_array_add(json_object_object_get(o, "left_sizes"), one);
	add_sizes(o, all.prefixes && all.level < h.level ? all.level : h.level, all.bound,
		  all.weight + h.weight, all.prefixes + h.prefixes);
}

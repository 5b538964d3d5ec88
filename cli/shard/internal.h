/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the commands for shards share.
 */
#ifndef CLI_SHARD_INTERNAL_H
#define CLI_SHARD_INTERNAL_H

#include "explore.h"
#include "shard/shard.h"

#define SHARD_SUFFIX	".shard"
#define RESULT_SUFFIX	".result"
#define SPLIT_RESULT	"split" RESULT_SUFFIX
#define AS_INSTALLED	"as installed"

/**
 * struct shard_asked - the command line of the three commands
 * @shards: how many are to be made
 * @from: files that are split again
 * @image: what the program's files are in
 * @given: the options of explore among its words
 * @files: words that are no options
 * @n_files: of them
 * @program: and its arguments, or NULL
 * @argc: of the whole command, for the VM
 * @argv: the same
 */
struct shard_asked {
	unsigned int shards;
	struct opt_list from;
	const char *image;
	char **given;
	char **files;
	int n_files;
	char **program;
	int argc;
	char **argv;
};

/* cmd_shard.c: is the next word the value of this option of explore? */
bool shard_option_has_value(const char *option);

/* split.c, run.c, merge.c: the exit code */
int shard_split(const struct shard_asked *a);
int shard_run(const struct shard_asked *a);
int shard_merge(const struct shard_asked *a);
/* cmd_submit.c: the same */
int shard_submit(const struct shard_asked *a);

/* about.c: what all files of a search say of it */

/* Of a search that has ended, @options are explore's words; @s as it is now, or NULL. */
struct json_object *about_new(char *const *options, char *const *program, const char *image,
			      const struct session *s, const struct explore_part *p);
/* Can it be run here, where the program is? Enters its folder. CLI_PROCEED, or an exit code */
int about_check(struct json_object *about, const char *file);
/* The kernel is that one; for where runs are made. */
int about_check_kernel(struct json_object *about, const char *file);
/* As explore's command line, ends with NULL; @argc of it, @program within; free() the list only */
char **about_command(struct json_object *about, int *argc, char ***program);
/* What was found out before the search was split holds from the first run on. */
int about_begin(struct json_object *about, struct explore_part *p, struct session *s,
		struct runs *r, const char *file);

/* result.c */

/* What a search did, for a result: key "result". */
struct json_object *result_json(const struct explore_outcome *x, const struct explore_account *a);
/* Are schedules missing, by what such a result says? */
bool result_has_hole(struct json_object *result);
/* Adds up. */
struct merged;
struct merged *merged_new(void);
int merged_add(struct merged *m, const struct shard_file *f, const char *path);
/* A failing run of a result that is not counted. */
void merged_add_bug(struct merged *m, const struct shard_file *f, const char *path);
/* @missing: prefixes that wait in shards without a result, of level @level or more */
int merged_end(struct merged *m, uint64_t missing, size_t shards, unsigned int level,
	       double weight, const char *out, bool json);
void merged_free(struct merged *m);

/* of a list of ids */
struct json_object *ids_new(const char *id);

/* files.c */

/* @work: of prefixes, which end up in it; the parents are @parents, taken over. */
int work_new(struct shard_file *f, struct json_object *about, struct json_object *parents,
	     unsigned int bound, const struct chess_frontier *work);
/* of runs by chance: @runs of them from @seed on */
void work_new_chance(struct shard_file *f, struct json_object *about, struct json_object *parents,
		     uint64_t seed, uint64_t runs, double weight);
/* The prefixes in a shard; NULL after one sentence. */
struct chess_frontier *work_prefixes(const struct shard_file *f, const char *file);
/* CLI_PROCEED, or an exit code after a sentence: @f is a shard and not a result */
int work_check(const struct shard_file *f, const char *file);
/* A result without what it left; @result may be NULL. Takes over the last two. */
void result_new(struct shard_file *f, struct json_object *about, unsigned int bound,
		struct json_object *parents, struct json_object *result);
/* One more shard is left over by it. */
void result_add_left(struct shard_file *result, const struct shard_file *left);

#endif /* CLI_SHARD_INTERNAL_H */

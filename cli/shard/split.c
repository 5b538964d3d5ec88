// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl shard split: a search is begun, until enough prefixes wait, and these are dealt to
 * shards. What was left over by shards is dealt again without a run. The result of the split is
 * written last: a folder without it is one in which a split was interrupted, and is used again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "estimate.h"
#include "out.h"
#include "program.h"
#include "resume.h"
#include "shard/internal.h"
#include "where.h"

/* The more prefixes each shard gets, the more alike they are; and the longer one machine works. */
#define EACH	4
/* Where only the time is limited, so far apart are the seeds of two shards. */
#define SEEDS_APART	(1ULL << 40)

/**
 * struct split - what is being made
 * @asked: for
 * @options: of explore, for the shards
 * @part: the search
 * @dir: where they go
 * @work: a shard each; @n of them
 */
struct split {
	const struct shard_asked *asked;
	char **options;
	size_t n_options;
	struct explore_part part;
	const char *dir;
	struct shard_file *work;
	size_t n;
};

static char *path_in(const char *dir, const char *name)
{
	return cli_printf("%s%s%s", dir, dir[strlen(dir) - 1] == '/' ? "" : "/", name);
}

static int check_folder(const char *dir)
{
	char *path = path_in(dir, SPLIT_RESULT);
	int code = access(path, F_OK) ? CLI_PROCEED :
		   cli_fail(CLI_USAGE, "shard split: '%s' is there already; name another folder, --out DIR",
			    path);

	free(path);
	return code;
}

/* Shards first: the result says that all are there. */
static int write_all(struct split *s, struct shard_file *result)
{
	int code = CLI_PROCEED, digits = s->n > 1000 ? 7 : 3;
	char *name, *path;
	size_t i;

	for (i = 0; i < s->n && code == CLI_PROCEED; i++) {
		name = cli_printf("%0*zu" SHARD_SUFFIX, digits, i);
		path = path_in(s->dir, name);
		code = shard_write(path, &s->work[i]);
		if (code == CLI_PROCEED)
			result_add_left(result, &s->work[i]);
		free(name);
		free(path);
	}
	path = path_in(s->dir, SPLIT_RESULT);
	if (code == CLI_PROCEED)
		code = shard_write(path, result);
	free(path);
	return code;
}

static struct json_object *shard_json(const struct split *s, size_t i, const struct shard_header *h)
{
	struct json_object *o = json_object_new_object();
	char *name = cli_printf("%0*zu" SHARD_SUFFIX, s->n > 1000 ? 7 : 3, i);
	char *path = path_in(s->dir, name);

	out_json_string(o, "file", path);
	out_json_string(o, "id", h->id);
	out_json_int(o, "level", h->level);
	out_json_uint(o, "prefixes", h->prefixes);
	out_json_double(o, "weight", h->weight);
	free(path);
	free(name);
	return o;
}

static void print_shard(const struct split *s, size_t i, const struct shard_header *h)
{
	const bool chance = json_object_object_get(s->work[i].meta, "chance");

	printf("  %s/%0*zu" SHARD_SUFFIX "  weight %.4f, %llu ", s->dir, s->n > 1000 ? 7 : 3, i,
	       h->weight, (unsigned long long)h->prefixes);
	if (chance)
		printf("runs by chance\n");
	else
		printf("prefix%s from bound %u on\n", h->prefixes == 1 ? "" : "es", h->level);
}

static void print_all(const struct split *s, const struct shard_file *result, bool json,
		      double estimate, const char *why)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	struct json_object *about = json_object_object_get(result->meta, "search");
	struct shard_header h, all;
	char text[48], *path;
	size_t i;

	shard_header_of(result, &all);
	estimate_text(estimate, text, sizeof(text));
	if (!json && !s->n)
		printf("the search was over before it could be split: %llu run%s; see chessctl shard merge %s\n",
		       (unsigned long long)all.runs, all.runs == 1 ? "" : "s",
		       path = path_in(s->dir, SPLIT_RESULT));
	else if (!json)
		printf("%zu shards %safter %llu runs; the result of the split is %s\n", s->n, text,
		       (unsigned long long)all.runs, path = path_in(s->dir, SPLIT_RESULT));
	else
		path = path_in(s->dir, SPLIT_RESULT);
	if (!json && why)
		printf("  %s\n", why);
	for (i = 0; i < s->n; i++) {
		shard_header_of(&s->work[i], &h);
		json_object_array_add(list, shard_json(s, i, &h));
		if (!json)
			print_shard(s, i, &h);
	}
	out_json_string(o, "search", all.search);
	out_json_string(o, "result", path);
	out_json_uint(o, "runs", all.runs);
	out_json_bool(o, "bug", all.bug);
	out_json_int(o, "bound", all.bound);
	json_object_object_add(o, "estimate", estimate_json(estimate));
	out_json_string(o, "image", all.image);
	out_json_string(o, "why", why);
	json_object_object_add(o, "options", json_object_get(json_object_object_get(about, "options")));
	json_object_object_add(o, "shards", list);
	if (json)
		out_json(o);
	else
		json_object_put(o);
	free(path);
}

/* @to have the prefixes. */
static int make_work(struct split *s, struct json_object *about, const char *parent,
		     unsigned int bound, struct chess_frontier **to, size_t n)
{
	int code = CLI_PROCEED;
	size_t i;

	s->work = cli_alloc(n + 1, sizeof(*s->work));
	for (i = 0; i < n && code == CLI_PROCEED; i++)
		if (chess_frontier_count(to[i]))
			code = work_new(&s->work[s->n++], about, ids_new(parent), bound, to[i]);
	return code;
}

static int deal(struct split *s, const struct chess_frontier *all, struct json_object *about,
		const char *parent, unsigned int bound)
{
	size_t n = s->asked->shards, i;
	struct chess_frontier **to = cli_alloc(n, sizeof(struct chess_frontier *));
	int code = CLI_PROCEED;

	for (i = 0; i < n; i++) {
		to[i] = chess_frontier_new();
		if (!to[i])
			cli_no_memory();
	}
	if (chess_frontier_split(all, to, n))
		code = cli_fail(CLI_ENVIRONMENT, "shard split: %s", chess_error());
	if (code == CLI_PROCEED)
		code = make_work(s, about, parent, bound, to, n);
	for (i = 0; i < n; i++)
		chess_frontier_free(to[i]);
	free(to);
	return code;
}

static void clear(struct split *s, struct shard_file *result)
{
	while (s->n)
		shard_clear(&s->work[--s->n]);
	free(s->work);
	shard_clear(result);
}

/* --- a program -------------------------------------------------------------- */

static const char *const not_for_shards[] = {
	"out", "json", "time", "jobs", "runs", "no-bpf", "progress", "vm", "host", "kernel", "seed",
	NULL,
};

static bool is_named(const char *name, size_t n, const char *const *list)
{
	for (; *list; list++)
		if (strlen(*list) == n && !strncmp(*list, name, n))
			return true;
	return false;
}

static void add_option(struct split *s, const char *name, const char *value)
{
	s->options[s->n_options++] = value ? cli_printf("--%s=%s", name, value) :
				     cli_printf("--%s", name);
}

/* Those that say what is searched, and not how it is run. */
static void keep_options(struct split *s)
{
	char *const *at = s->asked->given;
	size_t n;

	for (n = 0; at[n]; n++)
		;
	s->options = cli_alloc(n + 8, sizeof(*s->options));
	for (; *at; at++) {
		/* The name of the command, and files. */
		if (strncmp(*at, "--", 2) || !(*at)[2])
			continue;
		n = strcspn(*at + 2, "=");
		if (!is_named(*at + 2, n, not_for_shards))
			s->options[s->n_options++] = cli_printf("%s", *at);
		if (!shard_option_has_value(*at) || !at[1])
			continue;
		at++;
		if (!is_named(at[-1] + 2, n, not_for_shards))
			s->options[s->n_options++] = cli_printf("%s", *at);
	}
}

static bool is_given(const struct split *s, const char *name)
{
	size_t i, n = strlen(name);

	for (i = 0; i < s->n_options; i++)
		if (!strncmp(s->options[i], "--", 2) && !strncmp(s->options[i] + 2, name, n) &&
		    (!s->options[i][2 + n] || s->options[i][2 + n] == '='))
			return true;
	return false;
}

/* The search has ended, since enough prefixes wait or none does. */
static int end(struct explore_part *p, const struct explore_outcome *x, struct explore_account *a,
	       int code)
{
	struct split *s = p->arg;
	struct explore_options *o = explore_asked();
	struct shard_file result = { 0 };
	struct json_object *about;
	char *why = NULL;

	if (p->choose_reduce && o->reductions)
		add_option(s, "reduce", "hb");
	if ((x->s->surroundings & CHESS_SURROUNDINGS_PRIVATE_TMP) && !is_given(s, "private-tmp"))
		add_option(s, "private-tmp", NULL);
	if (p->choose_reduce)
		why = cli_printf("chosen: strategy icb%s%s%s, as turns, the default, needs to see all runs",
				 o->reductions ? "; reduce hb, which each shard does by itself" : "",
				 o->unreduced ? "; no reduction: " : "",
				 o->unreduced ? o->unreduced : "");
	about = about_new(s->options, x->s->argv, s->asked->image, x->s, p);
	result_new(&result, about, o->bound, ids_new(NULL), result_json(x, a));
	result.body = (unsigned char *)p->classes;
	result.n = p->n_classes * sizeof(*p->classes);
	p->classes = NULL;
	if (x->res->stopped && chess_frontier_count(p->rest))
		code = deal(s, p->rest, about, NULL, o->bound);
	else
		code = CLI_PROCEED;
	if (code == CLI_PROCEED)
		code = write_all(s, &result);
	if (code == CLI_PROCEED) {
		print_all(s, &result, o->json, x->res->estimate, why);
		p->written = true;
		code = CLI_OK;
	}
	free(why);
	json_object_put(about);
	clear(s, &result);
	return code;
}

/* Runs by chance are split by their seeds, and none is made for that. */
static int split_chance(struct split *s, const struct explore_options *o)
{
	struct shard_file result = { 0 };
	size_t n = s->asked->shards, i;
	struct json_object *about;
	uint64_t from = o->seed, runs;
	int code;

	if (!o->runs && o->time <= 0)
		return cli_fail(CLI_USAGE, "shard split: strategy %s never ends by itself; say how many runs all shards make together, --runs N",
				o->strategy);
	about = about_new(s->options, s->asked->program, s->asked->image, NULL, NULL);
	s->work = cli_alloc(n, sizeof(*s->work));
	for (i = 0; i < n; i++) {
		runs = o->runs ? o->runs / n + (i < o->runs % n) : 0;
		if (o->runs && !runs)
			break;
		work_new_chance(&s->work[s->n++], about, ids_new(NULL), from, runs, 1.0 / n);
		from += o->runs ? runs : SEEDS_APART;
	}
	result_new(&result, about, 0, ids_new(NULL), NULL);
	code = write_all(s, &result);
	if (code == CLI_PROCEED) {
		print_all(s, &result, o->json, 0, NULL);
		code = CLI_OK;
	}
	json_object_put(about);
	clear(s, &result);
	return code;
}

static int split_program(struct split *s, const struct shard_asked *a, char **program, int argc,
			 char **argv)
{
	struct explore_options *o = explore_asked();
	bool chosen = !o->strategy && !o->reduce;
	struct out_dir dir;
	int code = out_dir_open(&dir, o->out);

	if (code != CLI_PROCEED)
		return code;
	s->dir = o->out = dir.path;
	if (!o->strategy) {
		o->strategy = "icb";
		add_option(s, "strategy", "icb");
	}
	if (!is_given(s, "bound") && chess_strategy_counts(o->strategy)) {
		char *bound = cli_printf("%u", o->bound == -1U ? 2 : o->bound);

		o->bound = strtoul(bound, NULL, 10);
		add_option(s, "bound", bound);
		free(bound);
	}
	code = check_folder(dir.path);
	if (code == CLI_PROCEED && !chess_strategy_has_parts(o->strategy)) {
		if (chess_strategy_is_exhaustive(o->strategy) || !strcmp(o->strategy, "turns"))
			code = cli_fail(CLI_USAGE, "shard split: a search with strategy %s needs to see all runs; take icb, dfs or delay, or one by chance, as pct",
					o->strategy);
		else
			code = split_chance(s, o);
	} else if (code == CLI_PROCEED && o->runs) {
		code = cli_fail(CLI_USAGE, "shard split: a search with strategy %s ends by itself; leave out --runs, and limit it with --time where shards run",
				o->strategy);
	} else if (code == CLI_PROCEED) {
		s->part = (struct explore_part){
			.rest = chess_frontier_new(), .enough = EACH * (uint64_t)a->shards,
			.enough_runs = s->part.enough_runs, .journal = s->part.journal,
			.choose_reduce = chosen, .end = end, .arg = s,
		};
		if (!s->part.rest)
			cli_no_memory();
		code = explore_part(&s->part, argc, argv, program);
		chess_frontier_free(s->part.rest);
		free(s->part.classes);
	}
	out_dir_close(&dir);
	return code;
}

/* --- what was left over ------------------------------------------------------ */

/* Several of one search become one frontier. */
static int add_work(struct chess_frontier *all, struct json_object *parents,
		    const struct shard_file *f, const struct shard_file *first, const char *file)
{
	struct shard_header h, of;
	struct chess_frontier *more;
	int code = work_check(f, file);

	if (code != CLI_PROCEED)
		return code;
	shard_header_of(f, &h);
	shard_header_of(first, &of);
	if (strcmp(h.search, of.search))
		return cli_fail(CLI_USAGE, "'%s' is of another search than the file before it; split them one by one",
				file);
	if (json_object_object_get(f->meta, "chance"))
		return cli_fail(CLI_USAGE, "'%s' has runs by chance, which are not split again; run it as it is",
				file);
	more = work_prefixes(f, file);
	if (!more)
		return CLI_USAGE;
	if (chess_frontier_append(all, more))
		code = cli_fail(CLI_ENVIRONMENT, "shard split: %s", chess_error());
	json_object_array_add(parents, json_object_new_string(f->id));
	chess_frontier_free(more);
	return code;
}

static int split_again(struct split *s)
{
	const struct opt_list *from = &s->asked->from;
	struct shard_file *files = cli_alloc(from->n, sizeof(*files)), result = { 0 };
	struct chess_frontier *all = chess_frontier_new();
	struct explore_options *o = explore_asked();
	struct json_object *parents = ids_new(NULL);
	struct shard_header h;
	struct out_dir dir;
	int code = out_dir_open(&dir, o->out);
	size_t i;

	if (code != CLI_PROCEED)
		return code;
	s->dir = dir.path;
	code = check_folder(dir.path);
	for (i = 0; i < from->n && code == CLI_PROCEED; i++) {
		code = shard_read(from->v[i], &files[i]);
		if (code == CLI_PROCEED)
			code = add_work(all, parents, &files[i], &files[0], from->v[i]);
	}
	if (code == CLI_PROCEED) {
		shard_header_of(&files[0], &h);
		code = deal(s, all, json_object_object_get(files[0].meta, "search"), files[0].id,
			    h.bound);
	}
	if (code == CLI_PROCEED) {
		result_new(&result, json_object_object_get(files[0].meta, "search"), h.bound,
			   json_object_get(parents), NULL);
		code = write_all(s, &result);
	}
	if (code == CLI_PROCEED) {
		print_all(s, &result, o->json, 0, NULL);
		code = CLI_OK;
	}
	for (i = 0; i < from->n; i++)
		shard_clear(&files[i]);
	free(files);
	json_object_put(parents);
	chess_frontier_free(all);
	clear(s, &result);
	out_dir_close(&dir);
	return code;
}

/* --- a search that was interrupted ------------------------------------------- */

static bool is_journal(const char *file)
{
	static const char head[] = "chess search journal ";
	char is[sizeof(head)] = "";
	FILE *f = fopen(file, "re");
	bool good = f && fread(is, sizeof(head) - 1, 1, f) == 1 && !strcmp(is, head);

	if (f)
		fclose(f);
	return good;
}

/*
 * A VM can write in the folder of the shards alone, and what is split stays as it was until the
 * shards are there. Return: the copy, malloc'ed; NULL after one sentence
 */
static char *copy_journal(const char *file, const char *dir)
{
	char *to = path_in(dir, "split.search"), buf[65536];
	FILE *in = fopen(file, "re"), *out = fopen(to, "we");
	bool good = in && out;
	size_t n;

	while (good && (n = fread(buf, 1, sizeof(buf), in)))
		good = fwrite(buf, n, 1, out) == 1;
	good &= !(in && ferror(in));
	if (out && fclose(out))
		good = false;
	if (in)
		fclose(in);
	if (good)
		return to;
	cli_fail(CLI_ENVIRONMENT, "shard split: '%s' cannot be copied to '%s': %s", file, to,
		 strerror(errno));
	free(to);
	return NULL;
}

/* The same command with names from the root, as we go to the folder of the search. */
static char **command_of(const struct split *s, const char *journal, const char *dir, int *argc)
{
	const struct explore_options *o = explore_asked();
	char **argv = cli_alloc(8, sizeof(*argv));
	int n = 0;

	argv[n++] = cli_printf("shard");
	argv[n++] = cli_printf("split");
	argv[n++] = cli_printf("--shards=%u", s->asked->shards);
	argv[n++] = cli_printf("--from=%s", journal);
	argv[n++] = cli_printf("--out=%s", dir);
	if (s->asked->image)
		argv[n++] = cli_printf("--image=%s", s->asked->image);
	if (o->json)
		argv[n++] = cli_printf("--json");
	*argc = n;
	return argv;
}

/* What its command line says is asked for. */
static int take_journal(struct split *s, struct resume *r, struct operands_list *operands)
{
	struct explore_options *o = explore_asked();
	const struct explore_options own = *o;
	struct shard_asked words = *s->asked;
	char *path = NULL;
	int code;

	explore_forget();
	code = opts_parse(explore_usage(), r->argc, r->argv, operands);
	if (code != CLI_PROCEED)
		return code;
	/* Options end where the program begins, or at the "--" before it. */
	words.given = cli_alloc(r->argc + 1, sizeof(*words.given));
	memcpy(words.given, r->argv + 1, (operands->program - r->argv - 1) * sizeof(*r->argv));
	s->asked = &words;
	keep_options(s);
	free(words.given);
	o->out = own.out;
	o->json = own.json;
	o->where = own.where;
	o->runs = 0;
	o->time = own.time;
	if (!o->strategy)
		o->strategy = o->reduce || o->in || o->not_in ? "icb" : "turns";
	if (!chess_strategy_has_parts(o->strategy))
		return cli_fail(CLI_USAGE, "shard split: the search of '%s' has strategy %s, which needs to see all runs; split the program instead",
				r->path, o->strategy);
	code = program_find(operands->program[0], NULL, &path);
	if (code == CLI_PROCEED)
		code = resume_check(r, path);
	free(path);
	return code;
}

static int split_journal(struct split *s, const char *file)
{
	const struct shard_asked *asked = s->asked;
	struct operands_list operands;
	struct resume r = { 0 };
	struct out_dir dir;
	char *from = NULL, *to = NULL, **argv;
	int code = out_dir_open(&dir, explore_asked()->out), argc = 0, i;

	if (code != CLI_PROCEED)
		return code;
	to = realpath(dir.path, NULL);
	if (!to)
		cli_no_memory();
	from = where_inside_vm() ? cli_printf("%s", file) : copy_journal(file, to);
	code = from ? resume_find(&r, from) : CLI_ENVIRONMENT;
	if (code == CLI_PROCEED) {
		explore_asked()->out = to;
		argv = command_of(s, r.path, to, &argc);
		code = take_journal(s, &r, &operands);
		s->asked = asked;
		s->part.journal = r.path;
		s->part.enough_runs = chess_journal_runs(r.j);
		resume_leave(&r);
		if (code == CLI_PROCEED)
			code = split_program(s, asked, operands.program, argc, argv);
		for (i = 0; i < argc; i++)
			free(argv[i]);
		free(argv);
	}
	if (from && !where_inside_vm())
		unlink(from);
	resume_close(&r, false, false);
	free(from);
	free(to);
	return code;
}

int shard_split(const struct shard_asked *a)
{
	struct split s = { .asked = a };
	int code;

	if (a->n_files)
		return cli_fail(CLI_USAGE, "shard split: '%s' is not expected; name the program after '--'",
				a->files[0]);
	if (!a->shards)
		return cli_fail(CLI_USAGE, "shard split: say how many shards are to be made, --shards N");
	if (!a->from.n == !a->program)
		return cli_fail(CLI_USAGE, a->program ?
				"shard split: --from has the program; leave it out" :
				"shard split: name a program after '--', or what was left over with --from FILE");
	if (a->from.n == 1 && is_journal(a->from.v[0])) {
		code = split_journal(&s, a->from.v[0]);
	} else if (a->from.n) {
		code = split_again(&s);
	} else {
		keep_options(&s);
		code = split_program(&s, a, a->program, a->argc, a->argv);
	}
	while (s.n_options)
		free(s.options[--s.n_options]);
	free(s.options);
	return code;
}

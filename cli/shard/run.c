// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl shard run: one shard, as explore would run that part of its search. What it has done is
 * in a journal, NAME.journal in the folder, until the result is there; so a run that is killed
 * loses no more than explore's does, and goes on when it is started again. What is left over is
 * written first, then the result, and then the journal is taken away.
 *
 * A VM dies of a signal. Its journal is on this side, and what is left is worked out from that.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "out.h"
#include "program.h"
#include "shard/internal.h"
#include "where.h"

#define JOURNAL_SUFFIX	".journal"
#define MEMO_SUFFIX	".memo"

/**
 * struct run - one shard that is run
 * @file: its path, from the root
 * @work: what is in it
 * @about: what it says of its search
 * @dir: folder for what comes of it, from the root
 * @name: of that, without a suffix
 * @part: the search
 * @chance: seed and runs, where they are by chance
 * @ended: the search came to its end in this process
 */
struct run {
	char *file;
	struct shard_file work;
	struct json_object *about;
	char *dir, *name;
	struct explore_part part;
	bool chance;
	uint64_t seed, runs;
	bool ended;
};

static volatile sig_atomic_t stopped_by;

static void note_signal(int sig)
{
	stopped_by = sig;
}

static char *path_of(const struct run *r, const char *suffix)
{
	return cli_printf("%s/%s%s", r->dir, r->name, suffix);
}

/* --- what came of it --------------------------------------------------------- */

static void print(const struct run *r, const struct shard_file *result, bool json, int code)
{
	struct json_object *o, *res = json_object_object_get(result->meta, "result");
	char *path = path_of(r, RESULT_SUFFIX), *rest = path_of(r, ".rest" SHARD_SUFFIX);
	struct json_object *why = json_object_object_get(res, "why");
	struct shard_header h;

	shard_header_of(result, &h);
	if (!json) {
		printf("shard %s: %llu run%s, %s%s\n", r->work.id, (unsigned long long)h.runs,
		       h.runs == 1 ? "" : "s",
		       code == CLI_BUG ? "a run failed" : "no bug", h.left ? "" : ", nothing is left to run");
		if (why)
			printf("  %s\n", json_object_get_string(why));
		if (h.left)
			printf("  %llu prefixes are left, from bound %u on: %s\n",
			       (unsigned long long)h.prefixes, h.level, rest);
		printf("  result: %s\n", path);
	} else {
		o = json_object_new_object();
		out_json_string(o, "shard", r->work.id);
		out_json_string(o, "search", h.search);
		out_json_string(o, "verdict", json_object_get_string(json_object_object_get(res, "verdict")));
		out_json_uint(o, "runs", h.runs);
		out_json_double(o, "seconds", h.seconds);
		out_json_uint(o, "classes", result->n / 8);
		json_object_object_add(o, "preemptions", h.bug ? json_object_new_int(h.preemptions) : NULL);
		json_object_object_add(o, "trace", json_object_get(json_object_object_get(res, "trace")));
		json_object_object_add(o, "why", json_object_get(why));
		out_json_string(o, "result", path);
		out_json_string(o, "rest", h.left ? rest : NULL);
		out_json_uint(o, "prefixes_left", h.prefixes);
		out_json_double(o, "weight_left", h.weight);
		out_json(o);
	}
	free(path);
	free(rest);
}

static int write_rest(const struct run *r, struct shard_file *left, struct shard_file *result)
{
	char *path = path_of(r, ".rest" SHARD_SUFFIX);
	int code = CLI_PROCEED;

	if (left->meta)
		code = shard_write(path, left);
	else
		unlink(path);
	if (left->meta && code == CLI_PROCEED)
		result_add_left(result, left);
	free(path);
	return code;
}

/* Return: CLI_PROCEED, or an exit code after one sentence. */
static int make_left(struct run *r, const struct chess_explore_result *res, unsigned int bound,
		     struct shard_file *left)
{
	struct json_object *o = r->work.meta;
	double weight;

	if (!r->chance)
		return chess_frontier_count(r->part.rest) ?
			work_new(left, r->about, ids_new(r->work.id), bound, r->part.rest) :
			CLI_PROCEED;
	weight = json_object_get_double(json_object_object_get(o, "weight"));
	if (res->stopped && r->runs > res->runs)
		work_new_chance(left, r->about, ids_new(r->work.id), r->seed + res->runs,
				r->runs - res->runs, weight * (r->runs - res->runs) / r->runs);
	return CLI_PROCEED;
}

/* @json is taken over. Return: CLI_PROCEED, or an exit code after one sentence. */
static int hand_in(struct run *r, const struct chess_explore_result *res, unsigned int bound,
		   struct json_object *json, struct shard_file *result)
{
	struct shard_file left = { 0 };
	char *path = path_of(r, RESULT_SUFFIX);
	int code;

	result_new(result, r->about, bound, ids_new(r->work.id), json);
	result->body = (unsigned char *)r->part.classes;
	result->n = r->part.n_classes * sizeof(*r->part.classes);
	r->part.classes = NULL;
	code = make_left(r, res, bound, &left);
	if (code == CLI_PROCEED)
		code = write_rest(r, &left, result);
	if (code == CLI_PROCEED)
		code = shard_write(path, result);
	r->part.written = code == CLI_PROCEED;
	shard_clear(&left);
	free(path);
	return code;
}

static int code_of(const struct shard_file *result)
{
	struct json_object *r = json_object_object_get(result->meta, "result"), *asked;
	const char *strategy;
	struct shard_header h;

	shard_header_of(result, &h);
	if (h.bug)
		return CLI_BUG;
	asked = json_object_object_get(r, "asked");
	strategy = json_object_get_string(json_object_object_get(asked, "strategy"));
	/* Chance never says that there is no bug. */
	if (strategy && !chess_strategy_is_exhaustive(strategy))
		return CLI_INCOMPLETE;
	if (h.left || json_object_get_boolean(json_object_object_get(r, "hole")) ||
	    json_object_get_boolean(json_object_object_get(r, "outgrown")))
		return CLI_INCOMPLETE;
	return result_has_hole(r) ? CLI_INCOMPLETE : CLI_OK;
}

static int end(struct explore_part *p, const struct explore_outcome *x, struct explore_account *a,
	       int code)
{
	struct run *r = p->arg;
	struct shard_file result = { 0 };
	int ret;

	(void)code;
	r->ended = true;
	ret = hand_in(r, x->res, r->chance ? 0 : x->asked->bound, result_json(x, a), &result);
	if (ret == CLI_PROCEED) {
		ret = code_of(&result);
		if (x->report && !x->asked->json)
			report_print(x->report, stdout, x->bugs->paths[0]);
		print(r, &result, x->asked->json, ret);
	}
	shard_clear(&result);
	return ret;
}

static int begin(struct explore_part *p, struct session *s, struct runs *runs)
{
	struct run *r = p->arg;
	int code = about_check_kernel(r->about, r->file);

	/* From here on the session has the signals. */
	if (stopped_by)
		return CLI_INCOMPLETE;
	return code == CLI_PROCEED ? about_begin(r->about, p, s, runs, r->file) : code;
}

/* --- after a VM has died of a signal ------------------------------------------ */

/**
 * struct again - the runs of a journal once more, without the program
 * @j: the journal
 * @strict: a run with a death that was expected was made once more, which is not known here
 * @bug: a run failed: what is to be said of it needs the program
 */
struct again {
	struct chess_journal *j;
	bool strict, bug;
};

static int take(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct again *a = ctx;
	int ret = chess_journal_take(a->j, plan, out);

	if (ret <= 0)
		return ret ? ret : -EINTR;
	a->bug |= chess_verdict_is_bug(out->verdict);
	if (!a->bug && !(a->strict && out->expected))
		return 0;
	chess_run_result_clear(out);
	return -EINTR;
}

static double seconds_of(void *arg)
{
	return chess_journal_seconds(arg);
}

static bool has_points(const struct run *r)
{
	struct json_object *session = json_object_object_get(r->about, "session");
	struct json_object *points = json_object_object_get(session, "points");

	return points && json_object_array_length(points);
}

/* What the journal has, and the rest. Return: the exit code; CLI_PROCEED: it cannot be said. */
static int hand_back(struct run *r, bool json)
{
	struct json_object *session = json_object_object_get(r->about, "session");
	struct chess_explore_opts eo = explore_part_opts(&r->part);
	const uint32_t any = 1;
	struct again a = {
		.strict = json_object_get_boolean(json_object_object_get(session, "strict")),
	};
	const struct chess_executor x = { .run = take, .ctx = &a };
	const struct explore_account account = { 0 };
	struct chess_explore_result res;
	struct shard_file result = { 0 };
	struct explore_outcome outcome = { .res = &res };
	int code = CLI_PROCEED;

	eo.racing = chess_racing_new();
	/* Which accesses are points does not matter here, but that some are. */
	if (!eo.racing || (has_points(r) && chess_racing_know(eo.racing, &any, 1)))
		cli_no_memory();
	eo.max_seconds = 0;
	eo.in_scope = NULL;
	a.j = chess_journal_open(r->part.journal);
	eo.seconds = seconds_of;
	eo.seconds_arg = a.j;
	if (a.j && !chess_explore(&x, &eo, &res)) {
		if (!a.bug)
			code = hand_in(r, &res, eo.bound, result_json(&outcome, &account), &result);
		if (!a.bug && code == CLI_PROCEED) {
			code = code_of(&result);
			print(r, &result, json, code);
		}
		chess_explore_result_clear(&res);
	}
	chess_journal_close(a.j);
	chess_racing_free((struct chess_racing *)eo.racing);
	if (r->part.written)
		unlink(r->part.journal);
	shard_clear(&result);
	return code;
}

/* --- before it ---------------------------------------------------------------- */

static int make_journal(struct run *r)
{
	char *about[] = {
		(char *)"", r->dir, (char *)"shard", (char *)"run", r->work.id, NULL,
	};
	struct chess_journal *j;
	char *const *has;
	int code = CLI_PROCEED, i;

	if (where_inside_vm())
		return CLI_PROCEED;
	if (access(r->part.journal, F_OK))
		return !chess_journal_create(r->part.journal, about) ? CLI_PROCEED :
		       cli_fail(CLI_ENVIRONMENT, "shard run: %s", chess_error());
	j = chess_journal_open(r->part.journal);
	if (!j)
		return cli_fail(errno == EBUSY ? CLI_ENVIRONMENT : CLI_USAGE, "shard run: %s",
				chess_error());
	has = chess_journal_about(j);
	for (i = 0; has[i] && i < 5; i++)
		;
	if (i < 5 || strcmp(has[4], r->work.id))
		code = cli_fail(CLI_USAGE, "shard run: '%s' is of another shard; name another folder, --out DIR, or remove it",
				r->part.journal);
	else if (chess_journal_runs(j))
		cli_note("note: %llu runs of an earlier start are in '%s'; the rest is run",
			 (unsigned long long)chess_journal_runs(j), r->part.journal);
	chess_journal_close(j);
	return code;
}

/* Its result is there: started again, perhaps, by somebody who does not know. */
static int find_result(const struct run *r, bool json)
{
	char *path = path_of(r, RESULT_SUFFIX);
	struct shard_file f;
	struct shard_header h;
	int code = CLI_PROCEED;

	if (!access(path, F_OK) && shard_read(path, &f) == CLI_PROCEED) {
		shard_header_of(&f, &h);
		if (f.kind == SHARD_RESULT && !strcmp(h.parent, r->work.id)) {
			code = code_of(&f);
			cli_note("note: '%s' is of this shard already, so nothing is run", path);
			print(r, &f, json, code);
		} else {
			code = cli_fail(CLI_USAGE, "shard run: '%s' is of another shard; name another folder, --out DIR",
					path);
		}
		shard_clear(&f);
	}
	free(path);
	return code;
}

static char *base_name(const char *file)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	size_t n = strlen(base), suffix = sizeof(SHARD_SUFFIX) - 1;

	if (n > suffix && !strcmp(base + n - suffix, SHARD_SUFFIX))
		n -= suffix;
	return cli_printf("%.*s", (int)n, base);
}

/* The same command with names from the root, as we go to the folder of the search. */
static char **absolute_command(const struct run *r, const struct shard_asked *a, int *argc)
{
	char **argv = cli_alloc(a->argc + 4, sizeof(*argv));
	char *const *given;
	int n = 0;

	argv[n++] = cli_printf("shard");
	argv[n++] = cli_printf("run");
	argv[n++] = cli_printf("%s", r->file);
	argv[n++] = cli_printf("--out=%s", r->dir);
	for (given = a->given; *given; given++) {
		bool more = given[1] && shard_option_has_value(*given), out;

		if (strncmp(*given, "--", 2))
			continue;
		out = !strcmp(*given, "--out") || !strncmp(*given, "--out=", 6);
		if (!out)
			argv[n++] = cli_printf("%s", *given);
		given += more;
		if (more && !out)
			argv[n++] = cli_printf("%s", *given);
	}
	*argc = n;
	return argv;
}

static int set_chance(struct run *r, struct explore_options *o, uint64_t runs)
{
	struct json_object *chance;

	r->chance = json_object_object_get_ex(r->work.meta, "chance", &chance);
	if (!r->chance)
		return CLI_PROCEED;
	r->seed = json_object_get_uint64(json_object_object_get(chance, "seed"));
	r->runs = json_object_get_uint64(json_object_object_get(chance, "runs"));
	o->seed = r->seed;
	o->runs = r->runs;
	if (runs && (!r->runs || runs < r->runs))
		o->runs = runs;
	if (!o->runs && o->time <= 0)
		return cli_fail(CLI_USAGE, "'%s' has runs by chance without an end; limit them with --time or --runs",
				r->file);
	if (!strcmp(o->strategy, "maple"))
		o->memo = path_of(r, MEMO_SUFFIX);
	return CLI_PROCEED;
}

static int set_part(struct run *r, const struct explore_options *own, bool has_bound)
{
	struct explore_options *o = explore_asked();
	int code;

	r->part = (struct explore_part){ .begin = begin, .end = end, .arg = r };
	code = set_chance(r, o, own->runs);
	if (code != CLI_PROCEED || r->chance)
		return code;
	o->runs = own->runs;
	r->part.from = work_prefixes(&r->work, r->file);
	if (!r->part.from)
		return CLI_USAGE;
	r->part.rest = chess_frontier_new();
	if (!r->part.rest)
		cli_no_memory();
	r->part.levels = has_bound ? own->bound + 1 : 0;
	r->part.journal = path_of(r, JOURNAL_SUFFIX);
	return make_journal(r);
}

static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = note_signal };
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &sa, NULL);
}

/* The shard's command line takes the place of ours. */
static int run(struct run *r, const struct shard_asked *a)
{
	struct explore_options own = *explore_asked(), *o = explore_asked();
	struct operands_list operands;
	char **argv, **command, **program;
	int argc, n, i, code;

	argv = absolute_command(r, a, &argc);
	code = about_check(r->about, r->file);
	command = about_command(r->about, &n, &program);
	if (code == CLI_PROCEED) {
		explore_forget();
		code = opts_parse(explore_usage(), n, command, &operands);
		if (code != CLI_PROCEED)
			code = cli_fail(CLI_USAGE, "'%s' is not what chessctl writes; split the search again",
					r->file);
	}
	if (code == CLI_PROCEED) {
		o->where = own.where;
		o->out = r->dir;
		o->json = own.json;
		o->time = own.time;
		o->jobs = own.jobs;
		o->session.no_bpf = own.session.no_bpf;
		if (!o->strategy)
			o->strategy = "icb";
		code = set_part(r, &own, own.bound != -1U);
	}
	if (code == CLI_PROCEED) {
		if (!where_inside_vm())
			catch_signals();
		code = explore_part(&r->part, argc, argv, operands.program);
		if (stopped_by && !r->ended && r->part.journal && !o->in && !o->not_in) {
			n = hand_back(r, own.json);
			code = n == CLI_PROCEED ? CLI_INCOMPLETE : n;
		}
	}
	for (i = 0; i < argc; i++)
		free(argv[i]);
	free(argv);
	free(command);
	return code;
}

int shard_run(const struct shard_asked *a)
{
	const char *out = explore_asked()->out;
	struct out_dir dir;
	struct run r = { 0 };
	int code;

	if (a->n_files != 1)
		return cli_fail(CLI_USAGE, a->n_files ?
				"shard run: takes one shard, more were given" :
				"shard run: name a shard, a file that 'shard split' made");
	code = shard_read(a->files[0], &r.work);
	if (code == CLI_PROCEED)
		code = work_check(&r.work, a->files[0]);
	if (code == CLI_PROCEED)
		code = out_dir_open(&dir, out);
	if (code == CLI_PROCEED) {
		r.file = realpath(a->files[0], NULL);
		r.dir = realpath(dir.path, NULL);
		if (!r.file || !r.dir)
			cli_no_memory();
		r.name = base_name(a->files[0]);
		r.about = json_object_object_get(r.work.meta, "search");
		code = find_result(&r, explore_asked()->json);
		if (code == CLI_PROCEED)
			code = run(&r, a);
	}
	chess_frontier_free((struct chess_frontier *)r.part.from);
	chess_frontier_free(r.part.rest);
	free(r.part.classes);
	free(r.part.journal);
	free(r.file);
	free(r.dir);
	free(r.name);
	shard_clear(&r.work);
	return code;
}

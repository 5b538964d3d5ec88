// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl races: run the program a few times, each along another schedule, with the
 * accesses to memory of its code recorded, and say which of them race. Which do is the
 * library's to find; this file asks for the runs, leaves out what nobody wants to hear of,
 * writes a trace of each run that showed something new, and tells people.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/certificate.h"
#include "calls.h"
#include "changed.h"
#include "cli.h"
#include "keep.h"
#include "out.h"
#include "program.h"
#include "report/race_report.h"
#include "races.h"
#include "report/report.h"
#include "session_options.h"
#include "where.h"

static struct {
	uint64_t runs, seed;
	const char *strategy, *suppress, *out;
	bool json;
	struct where where;
	struct session_opts session;
} opt = { .runs = 10, .strategy = "random" };

static const struct opt options[] = {
	{ "runs", OPT_U64, &opt.runs, "N",
	  "number of runs, the first under the default policy (10)", 1,
	  1000000, 0 },
	{ "strategy", OPT_STRING, &opt.strategy, "S",
	  "of the other runs: random (default), pct, pos, ..", 0, 0, 0 },
	{ "seed", OPT_U64, &opt.seed, "N", "seed for strategies that use chance (0)", 0, 1e18, 0 },
	{ "suppress", OPT_STRING, &opt.suppress, "FILE",
	  "file of races not to report, one rule on each line",
	  0, 0, 0 },
	{ "out", OPT_STRING, &opt.out, "DIR", "folder for traces (" OUT_DIR_DEFAULT ")", 0, 0, 0 },
	{ "json", OPT_FLAG, &opt.json, NULL, "print one JSON object", 0, 0, 0 },
	CODE_OPTIONS(opt.session),
	SESSION_CODE_OPTIONS(opt.session),
	SURROUNDINGS_OPTIONS(opt.session),
	PROGRESS_OPTION,
	WHERE_OPTIONS(opt.where),
};

static const struct usage usage = {
	"races", "-- PROGRAM [ARG...]",
	"Records accesses to memory in a few runs of PROGRAM and prints which of them race.\n"
	"Exit codes: 0 no race in these runs, 1 race or other bug, 2 usage, 3 environment,\n"
	"4 incomplete.",
	OPERANDS_PROGRAM, options, sizeof(options) / sizeof(options[0]),
};

enum fate { TOLD, SUPPRESSED, BENIGN, FATES };

/* A pair of instructions that raced, and what became of it. */
struct known {
	uint64_t first, second;
	enum fate fate;
};

/**
 * struct hunt - what the runs came to
 * @s: the program
 * @dir: where traces go
 * @racing: what raced, for the certificate
 * @later: files the program maps later than at its start
 * @grown: the last run showed one more, that is to have traps
 * @rules: of --suppress, or NULL
 * @last_runs: how many runs had all the traps
 * @known: pairs so far, @n of them, @count by what became of them
 * @traces: paths of those that were written, ended by NULL
 * @n_traces: how many
 * @blocks: what is to be printed of the races
 * @text: its stream
 * @json: the same as JSON
 * @bug_trace: of the first run that failed for another reason
 * @progress: of the runs
 */
struct hunt {
	struct session *s;
	struct out_dir *dir;
	struct chess_racing *racing;
	struct chess_later *later;
	bool grown;
	struct chess_suppressions *rules;
	uint64_t last_runs;
	struct known *known;
	size_t n, count[FATES];
	char **traces;
	size_t n_traces;
	char *blocks;
	size_t block_bytes;
	FILE *text;
	struct json_object *json;
	char *bug_trace;
	struct out_progress progress;
};

static bool is_known(const struct hunt *h, uint64_t a, uint64_t b)
{
	size_t i;

	for (i = 0; i < h->n; i++)
		if ((h->known[i].first == a && h->known[i].second == b) ||
		    (h->known[i].first == b && h->known[i].second == a))
			return true;
	return false;
}

static enum fate judge(struct hunt *h, struct symbols *symbols, const char *maps,
		       const struct chess_trace_race *race)
{
	struct chess_race_names rule;
	struct race_names names;
	enum fate fate = TOLD;

	race_names(symbols, maps, NULL, race, &names);
	rule = race_rule_names(&names, race);
	if (names.benign)
		fate = BENIGN;
	else if (h->rules && chess_suppressions_match(h->rules, &rule))
		fate = SUPPRESSED;
	race_names_clear(&names);
	return fate;
}

/* Only those stay in @v that are to be reported and were not before. Return: how many. */
static size_t keep_new(struct hunt *h, const char *maps, struct chess_trace_race *v, size_t n)
{
	struct symbols *symbols = symbols_new(maps);
	size_t i, kept = 0;

	for (i = 0; i < n; i++) {
		enum fate fate;

		if (is_known(h, v[i].first.ip, v[i].second.ip))
			continue;
		fate = judge(h, symbols, maps, &v[i]);
		h->known = realloc(h->known, (h->n + 1) * sizeof(*h->known));
		if (!h->known)
			abort();
		h->known[h->n++] = (struct known) {
			.first = v[i].first.ip, .second = v[i].second.ip, .fate = fate,
		};
		h->count[fate]++;
		if (fate == TOLD)
			v[kept++] = v[i];
	}
	symbols_free(symbols);
	return kept;
}

static char *write_trace(struct hunt *h, const struct chess_trace *t)
{
	char *path = out_trace_name(h->dir, t->program, chess_verdict_name(t->verdict), NULL, NULL);
	int ret = path ? chess_trace_write(t, path) : -errno;

	if (!ret)
		return path;
	cli_note("a %s was found, but its trace could not be written in '%s': %s; run it again with another folder, --out DIR",
		 chess_verdict_name(t->verdict), h->dir->path, strerror(-ret));
	if (path)
		unlink(path);
	free(path);
	return NULL;
}

static void add_trace(struct hunt *h, char *path)
{
	if (!path)
		return;
	h->traces = realloc(h->traces, (h->n_traces + 2) * sizeof(*h->traces));
	if (!h->traces)
		abort();
	h->traces[h->n_traces++] = path;
	h->traces[h->n_traces] = NULL;
}

static void add_block(struct hunt *h, const struct chess_trace *t, const char *path)
{
	struct json_object *list;
	struct report report;
	size_t i;

	report_open(&report, t);
	race_report_print(&report, h->text);
	if (path)
		fprintf(h->text, "  replay: chessctl replay %s\n", path);
	list = race_report_json(&report);
	for (i = 0; i < json_object_array_length(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);

		out_json_string(one, "trace", path);
		json_object_array_add(h->json, json_object_get(one));
	}
	json_object_put(list);
	report_close(&report);
}

static void tell_races(struct hunt *h, const struct chess_run_result *run)
{
	struct chess_run_result again = { 0 };
	struct chess_trace_race *v;
	struct chess_trace t;
	size_t n;
	char *path;
	bool same;

	v = races_of_run(run, &n);
	n = keep_new(h, run->maps, v, n);
	if (n) {
		out_progress_end(&h->progress);
		same = keep_races_again(h->s, run, v, n, &again);
		session_trace(h->s, same ? &again : run, &t);
		if (!t.maps)
			changed_note_maps(&t, run->maps);
		t.verdict = CHESS_VERDICT_RACE;
		t.races = v;
		t.n_races = n;
		if (!races_check_numbers(&again, v, n))
			cli_note("note: the run that showed the race could not be repeated exactly: stacks of accesses are missing, those shown are of the task's nearest points");
		if (same && !races_shown(&again, &t, NULL))
			cli_note("WARNING: the run that showed the race did not show it when it was repeated; its trace may not replay");
		path = write_trace(h, &t);
		add_block(h, &t, path);
		add_trace(h, path);
	}
	chess_run_result_clear(&again);
	free(v);
}

static int run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct hunt *h = ctx;
	size_t before, after;
	int ret;

	if (session_interrupted())
		return -EINTR;
	ret = chess_runner_run_plan(h->s->runner, plan, NULL, 0, out);
	if (ret)
		return ret;
	chess_racing_pairs(h->racing, &before);
	ret = chess_racing_learn(h->racing, out);
	if (ret < 0) {
		chess_run_result_clear(out);
		return ret;
	}
	chess_racing_pairs(h->racing, &after);
	if (after > before)
		tell_races(h, out);
	ret = chess_later_learn(h->later, out);
	if (ret < 0)
		chess_run_result_clear(out);
	h->grown |= ret > 0;
	return ret < 0 ? ret : 0;
}

/* Not what it was asked for, but nothing to keep quiet about. */
static int keep_bug(void *arg, const struct chess_run_result *bad)
{
	struct chess_run_result again = { 0 };
	struct hunt *h = arg;
	struct chess_trace t;
	bool use;

	if (h->bug_trace || !bad->record)
		return 0;
	out_progress_end(&h->progress);
	use = !session_interrupted() && keep_run_again(h->s, bad, &again);
	session_trace(h->s, use ? &again : bad, &t);
	if (!t.maps)
		changed_note_maps(&t, again.maps);
	if (use)
		keep_calls(h->s, &t);
	h->bug_trace = write_trace(h, &t);
	calls_forget(&t);
	chess_run_result_clear(&again);
	return 0;
}

static bool show_progress(void *arg, const struct chess_explore_progress *p)
{
	struct hunt *h = arg;
	char rest[48];

	snprintf(rest, sizeof(rest), "%zu races", h->count[TOLD]);
	out_progress(&h->progress, &(struct out_work){
		.phase = "races", .runs = chess_racing_count(h->racing).runs,
		.seconds = p->seconds, .found = h->count[TOLD], .bound = -1, .rest = rest,
	});
	return !session_interrupted() && !h->grown;
}

/* Adds what a search came to; its first bug stays. */
static void add_result(struct chess_explore_result *all, struct chess_explore_result *one)
{
	all->runs += one->runs;
	all->bugs += one->bugs;
	all->retries += one->retries;
	all->diverged += one->diverged;
	all->seconds += one->seconds;
	all->left_out[CHESS_LEFT_OUT_RECORD] += one->left_out[CHESS_LEFT_OUT_RECORD];
	if (one->max_points > all->max_points)
		all->max_points = one->max_points;
	if (one->max_tasks > all->max_tasks)
		all->max_tasks = one->max_tasks;
	if (one->why && !all->why) {
		all->why = one->why;
		one->why = NULL;
	}
	if (one->bad.record && !all->bad.record) {
		all->bad = one->bad;
		memset(&one->bad, 0, sizeof(one->bad));
	}
}

/* Return: 0 or -errno; -EINTR: no more runs. */
static int search(struct hunt *h, const char *strategy, uint64_t runs,
		  struct chess_explore_result *all)
{
	const struct chess_executor x = { .run = run, .ctx = h };
	const struct chess_explore_opts eo = {
		.sz = sizeof(eo), .strategy = strategy, .max_runs = runs, .seed = opt.seed,
		.keep_going = true, .progress = show_progress, .progress_arg = h,
		.found = keep_bug, .found_arg = h,
	};
	struct chess_explore_result one;
	int ret = chess_explore(&x, &eo, &one);

	if (ret)
		return ret;
	add_result(all, &one);
	chess_explore_result_clear(&one);
	return 0;
}

static enum chess_verdict verdict_of(const struct hunt *h, const struct chess_explore_result *all)
{
	const struct chess_racing_counts c = chess_racing_count(h->racing);
	size_t retired;

	chess_racing_retired(h->racing, &retired);
	if (h->count[TOLD])
		return CHESS_VERDICT_RACE;
	if (all->bad.record)
		return all->bad.verdict;
	if (h->last_runs < opt.runs || all->diverged || all->left_out[CHESS_LEFT_OUT_RECORD] ||
	    c.lost || c.forgotten || c.dropped || retired)
		return CHESS_VERDICT_INCOMPLETE;
	return CHESS_VERDICT_OK;
}

static void print_json(const struct hunt *h, const struct race_facts *facts,
		       const struct chess_explore_result *all)
{
	struct json_object *o = json_object_new_object();
	char *replay = h->n_traces ? cli_printf("chessctl replay %s", h->traces[0]) : NULL;

	certificate_counts_json(o, all, NULL);
	out_json_string(o, "trace", h->n_traces ? h->traces[0] : h->bug_trace);
	out_json_strings(o, "traces", h->traces ? h->traces : (char *[]){ NULL });
	json_object_object_add(o, "races", json_object_get(h->json));
	json_object_object_add(o, "suppressed", json_object_new_uint64(h->count[SUPPRESSED]));
	json_object_object_add(o, "benign", json_object_new_uint64(h->count[BENIGN]));
	json_object_object_add(o, "seconds", json_object_new_double(all->seconds));
	out_json_string(o, "strategy", opt.strategy);
	json_object_object_add(o, "seed", json_object_new_uint64(opt.seed));
	out_json_strings(o, "program", h->s->argv);
	out_json_string(o, "why", all->why);
	out_json_string(o, "bug", all->bad.record ? chess_verdict_name(all->bad.verdict) : NULL);
	out_json_string(o, "bug_trace", h->bug_trace);
	json_object_object_add(o, "vm", json_object_new_boolean(where_inside_vm()));
	out_json_string(o, "replay", replay);
	json_object_object_add(o, "accesses", race_facts_json(facts));
	certificate_add_later(o, h->later);
	free(replay);
	out_json(o);
}

static void print_text(const struct hunt *h, const struct race_facts *facts,
		       const struct chess_explore_result *all)
{
	unsigned long long runs = all->runs, accesses = chess_racing_count(h->racing).accesses;
	char *command = out_quote(h->s->argv);

	printf("%s%s%s: %s\n", all->verdict == CHESS_VERDICT_OK ? out_good() : out_bad(),
	       chess_verdict_name(all->verdict), out_plain(), command);
	free(command);
	if (!h->count[TOLD])
		printf("  no race in %llu run%s, which says nothing of others\n", runs,
		       runs == 1 ? "" : "s");
	else
		printf("  %zu race%s in %llu run%s\n", h->count[TOLD],
		       h->count[TOLD] == 1 ? "" : "s", runs, runs == 1 ? "" : "s");
	if (h->count[SUPPRESSED] || h->count[BENIGN])
		printf("  not shown: %zu suppressed by %s, %zu on variables marked as benign\n",
		       h->count[SUPPRESSED], opt.suppress ? opt.suppress : "no file",
		       h->count[BENIGN]);
	if (all->why)
		printf("  %s\n", all->why);
	if (all->bad.record)
		printf("  a run ended with verdict %s%s%s\n", chess_verdict_name(all->bad.verdict),
		       h->bug_trace ? ": chessctl replay " : "",
		       h->bug_trace ? h->bug_trace : "");
	printf("  %llu accesses recorded, %zu tasks, %zu points, %.2f s, strategy %s, seed %llu\n",
	       accesses, all->max_tasks, all->max_points, all->seconds, opt.strategy,
	       (unsigned long long)opt.seed);
	race_facts_print(facts);
	certificate_print_later(h->later);
	fputs(h->blocks, stdout);
}

/* Runs of which no one said why may still say little together. */
static char *why_incomplete(const struct hunt *h, const struct chess_explore_result *all)
{
	const struct chess_racing_counts c = chess_racing_count(h->racing);
	size_t retired;

	chess_racing_retired(h->racing, &retired);
	if (h->last_runs < opt.runs)
		return cli_printf("%llu of %llu runs were made",
				  (unsigned long long)h->last_runs, (unsigned long long)opt.runs);
	if (c.lost)
		return cli_printf("%llu accesses found no room or have no address known, so races with them are missed; give more room with --max-accesses, or record less with --code",
				  (unsigned long long)c.lost);
	if (c.forgotten || c.dropped)
		return cli_printf("%llu accesses and %llu pairs were more than are kept, so races with them are missed; record less with --code",
				  (unsigned long long)c.forgotten, (unsigned long long)c.dropped);
	if (retired)
		return cli_printf("%zu instructions were executed so often that not all of their accesses were recorded, so races with them may be missed; record less with --code, or give the program less to do",
				  retired);
	if (all->left_out[CHESS_LEFT_OUT_RECORD])
		return cli_printf("%llu runs have no whole record; give it more room with --max-events",
				  (unsigned long long)all->left_out[CHESS_LEFT_OUT_RECORD]);
	return cli_printf("%llu runs could not be followed", (unsigned long long)all->diverged);
}

static int conclude(struct hunt *h, struct chess_explore_result *all)
{
	const struct race_facts facts = { .s = h->s, .racing = h->racing };
	const struct chess_racing_counts c = chess_racing_count(h->racing);
	size_t retired;

	chess_racing_retired(h->racing, &retired);
	all->verdict = verdict_of(h, all);
	/* What is lost the text says by itself. */
	if (all->verdict == CHESS_VERDICT_INCOMPLETE && !all->why &&
	    (opt.json || !(c.lost || c.forgotten || c.dropped || retired)))
		all->why = why_incomplete(h, all);
	all->complete = all->verdict != CHESS_VERDICT_INCOMPLETE && h->last_runs >= opt.runs;
	fflush(h->text);
	if (opt.json)
		print_json(h, &facts, all);
	else
		print_text(h, &facts, all);
	if (all->verdict == CHESS_VERDICT_OK)
		return CLI_OK;
	return chess_verdict_is_bug(all->verdict) ? CLI_BUG : CLI_INCOMPLETE;
}

static void hunt_clear(struct hunt *h)
{
	if (h->text)
		fclose(h->text);
	free(h->blocks);
	json_object_put(h->json);
	while (h->n_traces)
		free(h->traces[--h->n_traces]);
	free(h->traces);
	free(h->bug_trace);
	free(h->known);
	chess_racing_free(h->racing);
	chess_later_free(h->later);
}

/* All runs, and once more when one executed code that had no traps: now it has some. */
static int search_all(struct hunt *h, struct chess_explore_result *all)
{
	uint64_t before;
	int ret;

	do {
		if (h->grown) {
			chess_racing_clear(h->racing);
			ret = session_set_later(h->s, chess_later_files(h->later));
			if (ret)
				return ret;
			chess_later_set(h->later);
			h->grown = false;
		}
		before = all->runs;
		ret = search(h, "icb", 1, all);
		if (!ret && !h->grown && opt.runs > 1 && !session_interrupted())
			ret = search(h, opt.strategy, opt.runs - 1, all);
		h->last_runs = all->runs - before;
	} while (!ret && h->grown && !session_interrupted());
	return ret;
}

static int hunt(struct session *s, struct out_dir *dir, struct chess_suppressions *rules)
{
	struct hunt h = { .s = s, .dir = dir, .rules = rules, .racing = chess_racing_new(),
			  .later = chess_later_new(true), .json = json_object_new_array() };
	struct chess_explore_result all = { 0 };
	int ret = 0, code;

	h.text = open_memstream(&h.blocks, &h.block_bytes);
	if (!h.racing || !h.later || !h.text)
		ret = -ENOMEM;
	if (!ret)
		ret = search_all(&h, &all);
	out_progress_done(&h.progress, &(struct out_work){
		.phase = "races", .runs = chess_racing_count(h.racing).runs,
		.seconds = all.seconds, .found = h.count[TOLD], .bound = -1,
	});
	if (ret && ret != -EINTR)
		code = cli_fail(CLI_ENVIRONMENT, "the runs ended: %s", chess_error());
	else
		code = conclude(&h, &all);
	chess_explore_result_clear(&all);
	hunt_clear(&h);
	return code;
}

/* All of what was asked is judged before a VM is started. */
static int check(struct session *s)
{
	const struct chess_explore_opts eo = { .sz = sizeof(eo), .strategy = opt.strategy };
	int ret = session_points("races", opt.session.points, &s->points);

	if (ret != CLI_PROCEED)
		return ret;
	if (session_has_races(s->points))
		return cli_fail(CLI_USAGE,
				"races: accesses are recorded and are not points here; 'chessctl explore --points %s' searches with them",
				s->points);
	if (chess_explore_check(&eo))
		return cli_fail(CLI_USAGE, "races: %s", chess_error());
	return CLI_PROCEED;
}

int cmd_races(int argc, char **argv)
{
	struct chess_suppressions *rules = NULL;
	struct operands_list operands;
	struct session s = { 0 };
	struct out_dir dir;
	char *path;
	int ret;

	ret = opts_parse(&usage, argc, argv, &operands);
	if (ret == CLI_PROCEED)
		ret = out_progress_check("races");
	if (ret == CLI_PROCEED)
		ret = check(&s);
	if (ret != CLI_PROCEED)
		return ret;
	if (opt.suppress) {
		rules = chess_suppressions_read(opt.suppress);
		if (!rules)
			return cli_fail(CLI_USAGE, "races: %s", chess_error());
	}
	opt.session.record = opt.session.maps = true;
	ret = program_find(operands.program[0], NULL, &path);
	if (ret == CLI_PROCEED)
		ret = session_may_start(&opt.session, path, NULL);
	if (ret == CLI_PROCEED)
		ret = session_check_code(&opt.session, operands.program, path);
	if (ret == CLI_PROCEED)
		ret = out_dir_open(&dir, opt.out);
	if (ret != CLI_PROCEED) {
		chess_suppressions_free(rules);
		return ret;
	}
	opt.where.outbox = dir.path;
	ret = where_go(&opt.where, argc, argv);
	if (ret == CLI_PROCEED) {
		ret = session_open(&s, opt.where.ctl, operands.program, path, NULL, &opt.session,
				   true);
		if (ret == CLI_PROCEED)
			ret = hunt(&s, &dir, rules);
		session_close(&s);
		chess_ctl_close(opt.where.ctl);
	}
	out_dir_close(&dir);
	chess_suppressions_free(rules);
	return ret;
}

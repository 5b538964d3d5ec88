// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many fuzzed programs in one controlled process, each compared with what it prints alone:
 * most of a short run is to begin and to end it. A program that is not as it is alone is
 * found by its output; the others are left out of the batch, and then steps of it, while
 * the difference stays. See program_fuzz.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program_fuzz.h"

/* A list of MAX_BATCH numbers as text. */
#define LIST_BYTES	(MAX_BATCH * 21)
/* What a batch may take beyond a run, for each of its programs. */
#define EACH_MS		5000

/* By turns, beside "run". Those that end by themselves are bounded by the number of runs. */
static const char *const ways[] = { "icb", "random", "pct", "pos", "rr", "delay", "dfs" };
#define N_WAYS (sizeof(ways) / sizeof(*ways))

/**
 * struct batch - programs that run one after the other, and where they are not as alone
 * @u: as whom
 * @runner: of its runs; started again for each list
 * @n: so many
 * @seed: of each
 * @drop: steps of the last one, as text
 * @text: what each printed alone
 * @status: and how it ended
 * @bad: the first one that is not like that; @n: none is
 * @tell: print how it differs
 */
struct batch {
	struct user *u;
	struct chess_runner *runner;
	unsigned int n;
	uint64_t seed[MAX_BATCH];
	char drop[256];
	char *text[MAX_BATCH];
	int status[MAX_BATCH];
	unsigned int bad;
	bool tell;
};

static char list_text[LIST_BYTES], runner_drop[256];
static char batch_word[] = "batch";
static char *const batch_argv[] = { subject, batch_word, list_text, runner_drop, NULL };

static void list_to_text(const struct batch *b, char *text, size_t size)
{
	unsigned int i, first;
	size_t at = 0;

	text[0] = '\0';
	for (i = 0; i < b->n; i++) {
		first = i;
		while (i + 1 < b->n && b->seed[i + 1] == b->seed[i] + 1)
			i++;
		at += snprintf(text + at, size - at, "%s%lu", at ? "," : "",
			       (unsigned long)b->seed[first]);
		if (i > first)
			at += snprintf(text + at, size - at, "-%lu", (unsigned long)b->seed[i]);
	}
}

/* Runners keep their arguments: the same one for as long as the text is the same. */
static struct chess_runner *runner_of(struct batch *b)
{
	struct chess_program p = { .argv = batch_argv, .uid = b->u->uid, .gid = b->u->uid,
				   .capture = true };
	struct chess_runner_opts o = { .sz = sizeof(o), .sync_points = true, .no_bpf = true,
				       .run_timeout_ms = RUN_MS + EACH_MS * b->n,
				       .max_points = 20000 * b->n, .no_early = true };
	char text[LIST_BYTES];

	list_to_text(b, text, sizeof(text));
	if (b->runner && !strcmp(text, list_text) && !strcmp(b->drop, runner_drop))
		return b->runner;
	chess_runner_free(b->runner);
	strcpy(list_text, text);
	strcpy(runner_drop, b->drop);
	b->runner = chess_runner_new(ctl, &p, &o);
	return b->runner;
}

/* What @text has of program number @i: its end is put to *@end, its status to *@status. */
static const char *part_of(const struct batch *b, unsigned int i, const char *text,
			   const char **end, int *status)
{
	char head[48];
	const char *at;

	snprintf(head, sizeof(head), "=== %lu\n", (unsigned long)b->seed[i]);
	at = strstr(text, head);
	if (!at)
		return NULL;
	at += strlen(head);
	snprintf(head, sizeof(head), "\n=== %lu ", (unsigned long)b->seed[i]);
	/* It may have printed nothing. */
	*end = strstr(at - 1, head);
	*status = *end ? atoi(*end + strlen(head)) : -1;
	if (!*end)
		*end = at + strlen(at);
	else if (*end < at)
		*end = at;
	return at;
}

/* Is program @i as alone? *@rest is where the next one begins. */
static bool is_as_alone(const struct batch *b, unsigned int i, const char **rest)
{
	size_t length = strlen(b->text[i]);
	const char *at, *end = NULL;
	int status = -1;

	at = part_of(b, i, *rest, &end, &status);
	if (at)
		*rest = end;
	return at && status == b->status[i] && (size_t)(end - at) == length &&
	       !memcmp(at, b->text[i], length);
}

static void print_bad(const struct batch *b, const struct chess_run_result *r, const char *from)
{
	const char *at, *end = NULL;
	char *part = NULL;
	int status = -1;

	at = part_of(b, b->bad, from, &end, &status);
	if (at)
		part = strndup(at, end - at);
	printf("# seed %lu of a batch as %s: %s, status %x, alone %x%s%s\n",
	       (unsigned long)b->seed[b->bad], b->u->name, chess_verdict_name(r->verdict), status,
	       b->status[b->bad], r->err && *r->err ? ", stderr: " : "", r->err ? r->err : "");
	print_difference(b->text[b->bad], part);
	free(part);
}

/* Find the first that is not as alone; a run that got stuck, in the one it got stuck in. */
static void look_at(struct batch *b, const struct chess_run_result *r)
{
	const char *rest = r->out ? r->out : "", *from = rest;

	for (b->bad = 0; b->bad < b->n; b->bad++) {
		from = rest;
		if (!is_as_alone(b, b->bad, &rest))
			break;
	}
	/* All have ended, and the batch has not: it is the last one's. */
	if (b->bad == b->n && (r->verdict == CHESS_VERDICT_DEADLOCK || r->status ||
			       r->verdict == CHESS_VERDICT_TIMEOUT))
		b->bad = b->n - 1;
	if (b->bad < b->n && b->tell)
		print_bad(b, r, from);
}

static int run_plan(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct batch *b = ctx;
	double from = now();
	int ret = chess_runner_run_plan(b->runner, plan, NULL, 0, out);

	counts.seconds_under += now() - from;
	counts.runs++;
	/* One that left its prefix is no run of this schedule, and may have been ended. */
	if (!ret && out->verdict != CHESS_VERDICT_DIVERGED && b->bad == b->n)
		look_at(b, out);
	return ret;
}

static bool go_on(void *arg, const struct chess_explore_progress *p)
{
	const struct batch *b = arg;

	(void)p;
	return b->bad == b->n;
}

static int explore(struct batch *b, const char *way, unsigned long runs)
{
	struct chess_executor x = { .run = run_plan, .ctx = b };
	struct chess_explore_opts o = { .sz = sizeof(o), .strategy = way, .bound = 2,
					.max_runs = runs, .seed = b->seed[0], .keep_going = true,
					.progress = go_on, .progress_arg = b, .no_early = true };
	struct chess_explore_result res = { 0 };
	int ret = chess_explore(&x, &o, &res);

	if (ret)
		return ret;
	counts.explored += res.runs;
	counts.diverged += res.diverged + res.retries;
	if (res.diverged + res.retries)
		printf("# batch of seed %lu, %s: %lu diverged, %lu again: %s\n",
		       (unsigned long)b->seed[0], way, (unsigned long)res.diverged,
		       (unsigned long)res.retries, res.why ? res.why : "");
	chess_explore_result_clear(&res);
	return 0;
}

/* Run the batch in this way; 0: @b->bad says what came of it. -errno */
static int run_batch(struct batch *b, const char *way, unsigned long runs)
{
	struct chess_plan plan = { .policy = CHESS_POLICY_KIND_DEFAULT };
	struct chess_run_result res = { 0 };
	int ret;

	b->bad = b->n;
	if (!runner_of(b))
		return -errno;
	if (strcmp(way, "run"))
		return explore(b, way, runs);
	ret = run_plan(b, &plan, &res);
	chess_run_result_clear(&res);
	return ret;
}

/* Does the last one differ again? Ways by chance are the same by their seed. */
static bool comes_again(struct batch *b, const char *way, unsigned long runs)
{
	int i;

	for (i = 0; i < TRIES; i++)
		if (!run_batch(b, way, runs) && b->bad == b->n - 1)
			return true;
	return false;
}

static void move_out(struct batch *b, struct batch *out, unsigned int at, unsigned int size)
{
	*out = *b;
	out->n -= size;
	memmove(out->seed + at, b->seed + at + size, (b->n - at - size) * sizeof(*b->seed));
	memmove(out->text + at, b->text + at + size, (b->n - at - size) * sizeof(*b->text));
	memmove(out->status + at, b->status + at + size, (b->n - at - size) * sizeof(*b->status));
}

/* Leave out those before it, in pieces that become smaller. */
static void leave_out_programs(struct batch *b, const char *way, unsigned long runs)
{
	static struct batch without;
	unsigned int size, at;

	for (size = b->n - 1; size; size /= 2)
		for (at = 0; at + size < b->n;) {
			move_out(b, &without, at, size);
			if (comes_again(&without, way, runs))
				*b = without;
			else
				at += size;
			b->runner = without.runner;
		}
}

/* Leave out steps of the last one, whose output alone changes with them. */
static void leave_out_steps(struct batch *b, const char *way, unsigned long runs)
{
	static struct outcome alone;
	unsigned int last = b->n - 1, k;
	bool drop[MAX_STEPS] = { false };
	char *before = b->text[last];
	int status = b->status[last];
	struct program p;

	program_make(&p, b->seed[last], b->drop);
	for (k = 0; k < p.n; k++)
		drop[k] = p.step[k].dropped;
	for (k = 0; k < p.n; k++) {
		if (drop[k])
			continue;
		drop[k] = true;
		drop_to_text(&p, drop, b->drop, sizeof(b->drop));
		b->text[last] = alone.text;
		if (!run_alone(b->u, b->seed[last], b->drop, &alone)) {
			b->status[last] = alone.status;
			drop[k] = comes_again(b, way, runs);
		} else {
			drop[k] = false;
		}
	}
	drop_to_text(&p, drop, b->drop, sizeof(b->drop));
	if (!run_alone(b->u, b->seed[last], b->drop, &alone)) {
		b->status[last] = alone.status;
		b->tell = true;
		comes_again(b, way, runs);
		b->tell = false;
	}
	b->text[last] = before;
	b->status[last] = status;
	program_make(&p, b->seed[last], b->drop);
	program_print(&p);
}

/* Program @b->bad is not as alone: which ones does it take? */
static void make_small(struct batch *b, const char *way, unsigned long runs)
{
	static struct outcome again;
	static struct batch small;
	unsigned int bad = b->bad;
	char text[LIST_BYTES];

	/* A fuzzer that is wrong about a program is not a bug of the module's. */
	if (run_alone(b->u, b->seed[bad], bad == b->n - 1 ? b->drop : "", &again) ||
	    again.status != b->status[bad] || strcmp(again.text, b->text[bad])) {
		printf("# seed %lu as %s differs alone\n", (unsigned long)b->seed[bad], b->u->name);
		print_difference(b->text[bad], again.text);
		counts.unstable++;
		return;
	}
	counts.failures++;
	small = *b;
	small.tell = false;
	/* Those after it have no part in it. */
	small.n = bad + 1;
	if (small.n < b->n)
		small.drop[0] = '\0';
	if (comes_again(&small, way, runs)) {
		leave_out_programs(&small, way, runs);
		leave_out_steps(&small, way, runs);
	} else {
		printf("# and once only\n");
	}
	list_to_text(&small, text, sizeof(text));
	printf("# again: AS=%s WAY=%s RUNS=%lu PROGRAMS=%s DROP=%s program_fuzz\n", b->u->name,
	       way, runs, text, small.drop);
	fflush(stdout);
	b->runner = small.runner;
}

/* What each prints alone; those that take too long are not part of it. */
static void run_all_alone(struct batch *b)
{
	static struct outcome alone;
	unsigned int i, n = 0;
	int ret;

	for (i = 0; i < b->n; i++) {
		ret = run_alone(b->u, b->seed[i], i == b->n - 1 ? b->drop : "", &alone);
		if (ret) {
			printf("# seed %lu as %s takes too long alone\n",
			       (unsigned long)b->seed[i], b->u->name);
			counts.unstable++;
			continue;
		}
		b->seed[n] = b->seed[i];
		b->text[n] = strdup(alone.text);
		b->status[n++] = alone.status;
	}
	b->n = n;
}

int try_batch(struct user *u, const char *list, const char *drop, unsigned long turn,
	      unsigned long runs, const char *way)
{
	static struct batch b;
	unsigned int i;
	int ret = 0;

	b = (struct batch){ .u = u, .tell = true };
	b.n = program_list(list, b.seed);
	snprintf(b.drop, sizeof(b.drop), "%s", drop);
	run_all_alone(&b);
	for (i = 0; b.n && i < 2 && !ret; i++) {
		const char *name = way ? way : i ? ways[turn % N_WAYS] : "run";

		ret = run_batch(&b, name, runs);
		if (!ret && b.bad < b.n) {
			make_small(&b, name, runs);
			break;
		}
		if (way)
			break;
	}
	counts.programs += b.n;
	for (i = 0; i < b.n; i++)
		free(b.text[i]);
	chess_runner_free(b.runner);
	return ret;
}

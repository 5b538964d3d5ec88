// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records the accesses of a program over and over and says whether all runs of one prefix
 * have the same ones, in the same order among the same events.
 *
 *	repeat [-n TIMES] [-c CODE]... [-m MAX] [-e EVENTS] [-p] [-s SEED] [-o FILE] [-q] [-v]
 *		-- PROGRAM [ARG...]
 *
 * -p: the sites that the first run saw two tasks at are points from then on. -s: which goes on
 * there is left to chance, the same in each run. -o: the program's output goes there. -b: no
 * traps at accesses. -q: only how many nanoseconds the fastest run took. -v: prints the
 * accesses. Exit code 1: runs differ; 3: no run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chessctl/chessctl.h"
#include "code/sites.h"

#define MAX_CODE	16

struct options {
	unsigned int times;
	const char *code[MAX_CODE + 1], *output;
	size_t n_code, max, events;
	bool points, chance, verbose, bare, quiet;
	uint64_t seed;
};

static int fail(void)
{
	fprintf(stderr, "repeat: %s\n", chess_error());
	return 3;
}

/* Index of the first access that differs, or SIZE_MAX. */
static size_t find_difference(const struct chess_run_result *a, const struct chess_run_result *b)
{
	size_t i, n = a->n_accesses < b->n_accesses ? a->n_accesses : b->n_accesses;

	for (i = 0; i < n; i++)
		if (memcmp(&a->accesses[i], &b->accesses[i], sizeof(*a->accesses)))
			return i;
	return a->n_accesses == b->n_accesses ? SIZE_MAX : n;
}

static void print_access(const char *what, const struct chess_run_result *r, size_t i)
{
	const struct chess_access *a = &r->accesses[i];

	if (i >= r->n_accesses) {
		printf("# %s: no access %zu\n", what, i);
		return;
	}
	printf("# %s: access %zu T%u site %u ip %llx %s%s%s %llx+%u behind %u\n", what, i, a->task,
	       a->site, (unsigned long long)a->ip, a->kind & CHESS_ACCESS_READ ? "r" : "",
	       a->kind & CHESS_ACCESS_WRITE ? "w" : "", a->kind & CHESS_ACCESS_ATOMIC ? "a" : "",
	       (unsigned long long)a->address, a->size, a->seq);
}

static void print_event(const char *what, const struct chess_run_result *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r->record, i);

	if (e)
		printf("# %s: event %u %s %s T%u to T%u object %llx nr %u arg %llx ip %llx\n", what,
		       e->seq, chess_event_type_name(e->type), chess_op_name(e->op), e->task,
		       e->chosen, (unsigned long long)e->object, e->nr,
		       (unsigned long long)e->arg, (unsigned long long)e->ip);
}

static bool is_same(const struct chess_run_result *first, const struct chess_run_result *r)
{
	size_t event = chess_record_compare(first->record, r->record);
	size_t access = find_difference(first, r);

	if (event != SIZE_MAX) {
		printf("# event %zu differs\n", event);
		print_event("first", first, event);
		print_event("now", r, event);
	}
	if (access != SIZE_MAX) {
		printf("# access %zu differs\n", access);
		print_access("first", first, access);
		print_access("now", r, access);
	}
	if (first->status != r->status)
		printf("# status %#x, not %#x\n", r->status, first->status);
	if (first->out_len != r->out_len || memcmp(first->out, r->out, r->out_len))
		printf("# the output differs\n");
	return event == SIZE_MAX && access == SIZE_MAX && first->status == r->status &&
	       first->out_len == r->out_len && !memcmp(first->out, r->out, r->out_len);
}

/* Sites at which more than one task was. */
static int set_points(struct chess_runner *runner, const struct chess_run_result *r)
{
	size_t n = chess_runner_sites(runner)->n, count = 0, i;
	uint32_t *task = calloc(n + 1, sizeof(*task)), *list = calloc(n + 1, sizeof(*list));
	int ret;

	for (i = 0; i < r->n_accesses; i++) {
		const struct chess_access *a = &r->accesses[i];

		/* Of these it may be the number of a signal. */
		if (a->kind & CHESS_ACCESS_TOLD)
			continue;
		if (task[a->site] && task[a->site] != a->task + 1U)
			task[a->site] = UINT32_MAX;
		else if (!task[a->site])
			task[a->site] = a->task + 1;
	}
	for (i = 1; i <= n; i++)
		if (task[i] == UINT32_MAX)
			list[count++] = i;
	printf("# %zu of %zu sites are points\n", count, n);
	ret = chess_runner_set_points(runner, list, count);
	free(task);
	free(list);
	return ret;
}

static void print_run(const struct chess_run_result *r, const struct options *o)
{
	size_t i, points = 0;
	const struct chess_event *e;

	for (i = 0; (e = chess_record_event(r->record, i)); i++)
		points += e->op >= CHESS_OP_LOAD && e->op <= CHESS_OP_UPDATE;
	printf("# %s, %zu events, %zu at accesses, %zu accesses, %llu lost, hash %016llx, %.3f s\n",
	       chess_verdict_name(r->verdict), chess_record_length(r->record), points,
	       r->n_accesses, (unsigned long long)r->lost_accesses,
	       (unsigned long long)chess_record_hash(r->record), r->seconds);
	if (r->verdict == CHESS_VERDICT_INCOMPLETE)
		printf("# %s\n", chess_error());
	if (o->verbose)
		for (i = 0; i < r->n_accesses && i < 100000; i++)
			print_access("access", r, i);
}

static int write_output(const struct chess_run_result *r, const char *path)
{
	FILE *f = path ? fopen(path, "w") : stdout;
	bool bad = !f || fwrite(r->out, 1, r->out_len, f) != r->out_len || fflush(f);

	if (bad)
		perror(path ? path : "stdout");
	else
		fwrite(r->err, 1, r->err_len, stderr);
	if (path && f)
		fclose(f);
	return bad;
}

static int repeat(struct chess_runner *runner, const struct options *o)
{
	struct chess_plan plan = { .policy = o->chance ? CHESS_POLICY_KIND_RANDOM : 0,
				   .seed = o->seed };
	struct chess_run_result first = { 0 }, r;
	unsigned int i, same = 0;
	double fastest = 0;
	int ret;

	if (o->points) {
		ret = chess_runner_run_plan(runner, &plan, NULL, 0, &r);
		if (!ret)
			ret = set_points(runner, &r);
		if (ret)
			return fail();
		chess_run_result_clear(&r);
	}
	for (i = 0; i < o->times; i++) {
		ret = chess_runner_run_plan(runner, &plan, NULL, 0, &r);
		if (ret)
			return fail();
		if (!i || r.seconds < fastest)
			fastest = r.seconds;
		if (o->quiet) {
			chess_run_result_clear(&r);
			continue;
		}
		if (!i) {
			print_run(&r, o);
			if (write_output(&r, o->output))
				return 3;
			first = r;
			same++;
			continue;
		}
		if (is_same(&first, &r))
			same++;
		else
			print_run(&r, o);
		chess_run_result_clear(&r);
	}
	chess_run_result_clear(&first);
	if (o->quiet) {
		printf("run %.1f\n", fastest * 1e9);
		return 0;
	}
	printf("# %u of %u runs are the same\n", same, o->times);
	return same == o->times ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct options o = { .times = 10, .max = 1 << 20, .events = 1 << 20 };
	struct chess_runner_opts ro = { .sz = sizeof(ro), .sync_points = true };
	struct chess_program p = { .uid = UINT32_MAX, .gid = UINT32_MAX, .capture = true };
	struct chess_runner *runner;
	struct chess_ctl *ctl;
	int c, ret;

	while ((c = getopt(argc, argv, "+n:c:m:e:ps:o:qvb")) != -1) {
		switch (c) {
		case 'n':
			o.times = atoi(optarg);
			break;
		case 'c':
			if (o.n_code < MAX_CODE)
				o.code[o.n_code++] = optarg;
			break;
		case 'm':
			o.max = strtoul(optarg, NULL, 0);
			break;
		case 'e':
			o.events = strtoul(optarg, NULL, 0);
			break;
		case 'p':
			o.points = true;
			break;
		case 's':
			o.chance = true;
			o.seed = strtoull(optarg, NULL, 0);
			break;
		case 'o':
			o.output = optarg;
			break;
		case 'q':
			o.quiet = true;
			break;
		case 'v':
			o.verbose = true;
			break;
		case 'b':
			o.bare = true;
			break;
		default:
			return 2;
		}
	}
	if (optind == argc)
		return 2;
	if (!o.n_code)
		o.code[o.n_code++] = "PROGRAM";
	p.argv = argv + optind;
	ro.code = o.bare ? NULL : o.code;
	ro.max_accesses = o.bare ? 0 : o.max;
	ro.max_events = o.events;
	ctl = chess_ctl_open();
	runner = ctl ? chess_runner_new(ctl, &p, &ro) : NULL;
	if (!runner)
		return fail();
	ret = repeat(runner, &o);
	chess_runner_free(runner);
	chess_ctl_close(ctl);
	return ret;
}

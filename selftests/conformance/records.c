// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves for one conformance program that all its runs leave the same record, and
 * says what the record knows of its call: was it a point, did a task block in it,
 * was its deadline let pass (or did a timer go off). conformance.sh calls it for each
 * row of "calls", inside the VM, as root.
 *
 *   records --times N --point OP [--wait OP] -- PROGRAM [ARG...]
 *
 * OP is a system call ("poll", "455"), an op of futex ("futex:9") or a function that
 * is trapped ("sem_wait"). The last line is "seen point=yes block=yes time=yes".
 * Exit: 0 all records are equal, 1 they are not, 2 usage, 3 there is no module.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chessctl/chessctl.h"
#include "../determinism/difference.h"

#define RUN_TIMEOUT_MS	30000
#define FUTEX_CMD	0x7f	/* without the flags of an op */

static const char *point_name, *wait_name;

static bool is_op(const struct chess_event *e, const char *name)
{
	char text[64];

	if (!e)
		return false;
	if (e->flags & CHESS_OPF_PROBE) {
		const struct chess_wrapper *w = chess_wrapper_find(e->nr);

		return w && !strcmp(w->symbol, name);
	}
	if (!strncmp(name, "futex:", 6)) {
		snprintf(text, sizeof(text), "futex:%u", (unsigned int)e->arg & FUTEX_CMD);
		return !strcmp(chess_syscall_name(e->nr), "futex") && !strcmp(text, name);
	}
	snprintf(text, sizeof(text), "%u", e->nr);
	return !strcmp(chess_syscall_name(e->nr), name) || !strcmp(text, name);
}

static int look(const struct chess_record *r)
{
	size_t i, n = chess_record_length(r), tasks = chess_record_tasks(r);
	/* Of each task: where it is when it blocks. */
	const struct chess_event **last = calloc(tasks, sizeof(*last));
	bool point = false, block = false, passed = false;

	if (!last) {
		fprintf(stderr, "records: no memory for %zu tasks\n", tasks);
		return -1;
	}
	for (i = 0; i < n; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->task >= tasks)
			continue;
		switch (e->type) {
		case CHESS_EVENT_POINT:
			last[e->task] = e;
			point |= is_op(e, point_name);
			break;
		case CHESS_EVENT_BLOCK:
			block |= is_op(last[e->task], wait_name);
			break;
		case CHESS_EVENT_TIMEOUT:
			passed |= is_op(last[e->task], wait_name);
			break;
		case CHESS_EVENT_TIMER:
			passed = true;
			break;
		}
	}
	free(last);
	printf("seen point=%s block=%s time=%s\n", point ? "yes" : "no", block ? "yes" : "no",
	       passed ? "yes" : "no");
	return 0;
}

/* The record of a run that ended by itself; anything else is said and is NULL. */
static struct chess_record *run_once(struct chess_runner *runner, unsigned long number)
{
	struct chess_run_result res;
	struct chess_record *record = NULL;

	if (chess_runner_run(runner, NULL, 0, NULL, 0, &res)) {
		printf("# run %lu: %s\n", number, chess_error());
		return NULL;
	}
	if (res.verdict == CHESS_VERDICT_OK) {
		record = res.record;
		res.record = NULL;
	} else {
		printf("# run %lu ended with verdict %s, status %#x: %s%s\n", number,
		       chess_verdict_name(res.verdict), res.status, res.out ? "..." : "",
		       res.out && res.out_len > 100 ? res.out + res.out_len - 100 : "");
	}
	chess_run_result_clear(&res);
	return record;
}

static int compare(struct chess_runner *runner, unsigned long times)
{
	struct chess_record *first = run_once(runner, 1), *r;
	unsigned long i, differing = 0;
	size_t at;
	int ret;

	if (!first)
		return 1;
	for (i = 2; i <= times; i++) {
		r = run_once(runner, i);
		/* A run that does not end takes long; the others would too. */
		if (!r)
			break;
		at = chess_record_compare(first, r);
		if (at != SIZE_MAX && !differing++) {
			printf("# run %lu differs from the first at event %zu of %zu (%zu):\n", i,
			       at + 1, chess_record_length(first), chess_record_length(r));
			difference_show(first, r, at);
		}
		chess_record_free(r);
	}
	printf("# %lu runs, %lu differ; hash %016" PRIx64 " events %zu points %zu tasks %zu\n",
	       i - 1, differing, chess_record_hash(first), chess_record_length(first),
	       chess_record_points(first), chess_record_tasks(first));
	ret = look(first);
	chess_record_free(first);
	return ret || differing || i <= times;
}

static int usage(void)
{
	fprintf(stderr, "usage: records --times N --point OP [--wait OP] -- PROGRAM [ARG...]\n");
	return 2;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "times", required_argument, NULL, 't' },
		{ "point", required_argument, NULL, 'p' },
		{ "wait", required_argument, NULL, 'w' },
		{ 0 }
	};
	/* The stack begins with it, so addresses in the record depend on it. */
	char *envp[] = { "PATH=/usr/bin:/bin", "LC_ALL=C", NULL };
	struct chess_program program = {
		.envp = envp, .cwd = "/", .uid = UINT32_MAX, .gid = UINT32_MAX, .capture = true,
	};
	struct chess_runner_opts opts = {
		.sz = sizeof(opts), .sync_points = true, .run_timeout_ms = RUN_TIMEOUT_MS,
	};
	struct chess_runner *runner;
	struct chess_ctl *ctl;
	unsigned long times = 0;
	int c, ret;

	while ((c = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		switch (c) {
		case 't': times = strtoul(optarg, NULL, 10); break;
		case 'p': point_name = optarg; break;
		case 'w': wait_name = optarg; break;
		default: return usage();
		}
	}
	if (!times || !point_name || optind == argc)
		return usage();
	if (!wait_name)
		wait_name = point_name;
	ctl = chess_ctl_open();
	if (!ctl) {
		fprintf(stderr, "records: %s\n", chess_error());
		return 3;
	}
	program.argv = argv + optind;
	runner = chess_runner_new(ctl, &program, &opts);
	if (!runner) {
		fprintf(stderr, "records: %s\n", chess_error());
		chess_ctl_close(ctl);
		return 3;
	}
	ret = compare(runner, times);
	chess_runner_free(runner);
	chess_ctl_close(ctl);
	return ret ? 1 : 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cost of a forced switch: two threads do nothing but getppid(), and the schedule
 * makes every call a switch to the other one. Called by bench.sh inside the VM, as
 * root; without arguments of its own it is the program under control.
 *
 *   forced COUNT		finds the schedule, runs it, prints "forced NS"
 *   forced --program COUNT	the two threads; one operation is one getppid
 */
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "chessctl/chessctl.h"
#include "../programs/bench/bench.h"

static long n;

static void *calls(void *arg)
{
	for (long i = 0; i < n; i += 2)
		syscall(SYS_getppid);
	return arg;
}

static int program(const char *count)
{
	char *argv[] = { "forced", (char *)count };
	pthread_t t;

	n = bench_count(2, argv);
	pthread_create(&t, NULL, calls, NULL);
	bench_start();
	calls(NULL);
	pthread_join(t, NULL);
	bench_end("forced", n);
	return 0;
}

static void check(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "forced: %s: %s\n", what, chess_error());
	exit(1);
}

static void run(struct chess_runner *r, const struct chess_schedule *s,
		struct chess_run_result *res)
{
	check(!chess_runner_run(r, s, s ? chess_schedule_length(s) : 0, NULL, 0, res), "run");
	if (res->verdict == CHESS_VERDICT_OK)
		return;
	fprintf(stderr, "forced: the run ended with verdict %s\n", chess_verdict_name(res->verdict));
	exit(1);
}

/* Up to the first getppid() of T0 by default, then T1 and T0 in turns. */
static struct chess_schedule *alternate(const struct chess_record *r, long turns)
{
	struct chess_schedule *s = chess_schedule_new();
	size_t i;

	for (i = 0; s && i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type == CHESS_EVENT_POINT && e->nr == SYS_getppid &&
		    !(e->flags & CHESS_OPF_PROBE))
			break;
		if (CHESS_EVENT_IS_DECISION(e->type))
			check(!chess_schedule_push(s, e->chosen), "schedule");
	}
	for (; s && turns--;)
		check(!chess_schedule_push(s, turns % 2), "schedule");
	return s;
}

static size_t count_switches(const struct chess_record *r)
{
	size_t i, count = 0;

	for (i = 0; i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		count += CHESS_EVENT_IS_DECISION(e->type) && e->chosen != e->task;
	}
	return count;
}

int main(int argc, char **argv)
{
	static char self[] = "/proc/self/exe";
	char *args[] = { self, "--program", argv[argc - 1], NULL };
	struct chess_program p = { .argv = args, .uid = UINT32_MAX, .gid = UINT32_MAX,
				   .capture = true };
	struct chess_runner_opts o = { .sz = sizeof(o), .max_events = 1 << 20 };
	struct chess_run_result first, forced;
	struct chess_runner *r;
	struct chess_schedule *s;
	struct chess_ctl *ctl;

	if (argc == 3 && !strcmp(argv[1], "--program"))
		return program(argv[2]);
	n = bench_count(argc, argv);
	ctl = chess_ctl_open();
	check(!!ctl, "control");
	r = chess_runner_new(ctl, &p, &o);
	check(!!r, "runner");
	run(r, NULL, &first);
	/* An even count of turns ends where T0 goes on. */
	s = alternate(first.record, n / 2 * 2);
	check(!!s, "schedule");
	run(r, s, &forced);
	if (count_switches(forced.record) < (size_t)n) {
		fprintf(stderr, "forced: %zu switches seen, %ld wanted\n",
			count_switches(forced.record), n);
		return 1;
	}
	fputs(forced.out, stdout);
	chess_run_result_clear(&first);
	chess_run_result_clear(&forced);
	chess_schedule_free(s);
	chess_runner_free(r);
	chess_ctl_close(ctl);
	return 0;
}

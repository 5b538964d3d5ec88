// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run a program nobody here wrote along many different schedules and prove that
 * each ends the same way: same exit status, same output as without control.
 * Called by apps.sh inside the VM, as root.
 *
 *   schedules [--count N] [--seed N] [--max-events N] -- PROGRAM [ARG...]
 *
 * Schedules come from a walk with a fixed seed: the record of one run, sent
 * another way at one decision, gives the next prefix; what follows it is the
 * default policy. The first half of the walk stays in the part of the run where
 * tasks compete; records are told apart by hash, and only new ones count. A prefix
 * that cannot be followed (the program reads a clock, a timer fires elsewhere) is
 * counted as diverged and does not count as a schedule.
 *
 * The last line says what was seen: "schedules N diverged N repeated N tasks N
 * points N preemptions N"; exit 0 when --count schedules ended the same way.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chessctl/chessctl.h"
#include "../determinism/perturb.h"

#define TRIES_PER_SCHEDULE	4

static unsigned long count = 50, max_events;
static uint64_t seed = 1;

struct outcome {
	int status;
	char *out;
	size_t len;
};

static void die(const char *what)
{
	printf("# %s: %s\n", what, chess_error());
	exit(1);
}

/* The program by itself; its stdout to memory, stdin and environment as under control. */
static void run_alone(const struct chess_program *p, struct outcome *o)
{
	size_t room = 1 << 16;
	int fds[2];
	ssize_t n;
	pid_t pid;

	o->out = malloc(room);
	if (!o->out || pipe(fds))
		exit(1);
	pid = fork();
	if (pid < 0)
		exit(1);
	if (!pid) {
		if (!freopen("/dev/null", "r", stdin) || dup2(fds[1], 1) < 0)
			_exit(127);
		close(fds[0]);
		close(fds[1]);
		execve(p->argv[0], p->argv, p->envp);
		_exit(127);
	}
	close(fds[1]);
	while ((n = read(fds[0], o->out + o->len, room - o->len)) > 0) {
		o->len += n;
		if (o->len == room) {
			room *= 2;
			o->out = realloc(o->out, room);
			if (!o->out)
				exit(1);
		}
	}
	close(fds[0]);
	if (waitpid(pid, &o->status, 0) != pid)
		exit(1);
}

static bool same_end(const struct chess_run_result *res, const struct outcome *o)
{
	return res->status == o->status && res->out_len == o->len &&
	       !memcmp(res->out, o->out, o->len);
}

static bool is_new(uint64_t hash, const uint64_t *hashes, unsigned long n)
{
	while (n--)
		if (hashes[n] == hash)
			return false;
	return true;
}

static unsigned long number(const char *name, const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*end || end == text) {
		fprintf(stderr, "schedules: --%s takes a number, not '%s'\n", name, text);
		exit(2);
	}
	return n;
}

static void parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "count", required_argument, NULL, 'c' },
		{ "seed", required_argument, NULL, 'S' },
		{ "max-events", required_argument, NULL, 'e' },
		{ 0 }
	};
	int c;

	while ((c = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		switch (c) {
		case 'c': count = number("count", optarg); break;
		case 'S': seed = number("seed", optarg); break;
		case 'e': max_events = number("max-events", optarg); break;
		default: exit(2);
		}
	}
	if (optind == argc || !count) {
		fprintf(stderr, "usage: schedules [--count N] [--seed N] [--max-events N] -- PROGRAM [ARG...]\n");
		exit(2);
	}
}

static void show_bad(const struct chess_run_result *res, const struct outcome *o,
		     const struct chess_schedule *prefix)
{
	char *text = prefix ? chess_schedule_encode(prefix) : NULL;
	size_t i;

	printf("# ended with verdict %s, status %#x (alone %#x), %zu bytes (alone %zu)%s, %zu points, %.1f s\n",
	       chess_verdict_name(res->verdict), res->status, o->status, res->out_len, o->len,
	       res->out_len == o->len && memcmp(res->out, o->out, o->len) ? " that differ" : "",
	       chess_record_points(res->record), res->seconds);
	if (res->err_len)
		printf("# stderr: %.200s\n", res->err);
	for (i = 0; i < res->n_waits; i++)
		printf("# T%u waits in %s\n", res->waits[i].task, res->waits[i].text);
	printf("# prefix: %.2000s\n", text ? text : "(empty)");
	free(text);
}

int main(int argc, char **argv)
{
	char *envp[] = { "PATH=/usr/bin:/bin", "LC_ALL=C", NULL };
	struct chess_program program = {
		.envp = envp, .uid = UINT32_MAX, .gid = UINT32_MAX, .capture = true,
	};
	struct chess_runner_opts opts = { .sz = sizeof(opts), .sync_points = true };
	unsigned long seen = 0, diverged = 0, repeated = 0, bad = 0, tries;
	size_t tasks = 0, points = 0, preemptions = 0, quanta = 0;
	struct chess_schedule *prefix = NULL;
	struct chess_record *record = NULL;
	struct outcome alone = { 0 };
	struct chess_runner *runner;
	struct chess_ctl *ctl;
	struct perturb p;
	uint64_t *hashes;

	parse(argc, argv);
	program.argv = argv + optind;
	opts.max_events = max_events;
	hashes = calloc(count, sizeof(*hashes));
	ctl = chess_ctl_open();
	if (!ctl || !hashes)
		die("control");
	run_alone(&program, &alone);
	runner = chess_runner_new(ctl, &program, &opts);
	if (!runner)
		die("runner");
	perturb_seed(&p, seed);
	for (tries = 0; seen < count && tries < TRIES_PER_SCHEDULE * count && !bad; tries++) {
		struct chess_run_result res;
		uint64_t hash;

		if (chess_runner_run(runner, prefix, prefix ? chess_schedule_length(prefix) : 0,
				     NULL, 0, &res))
			die("run");
		hash = chess_record_hash(res.record);
		if (res.verdict == CHESS_VERDICT_DIVERGED) {
			diverged++;
		} else if (res.verdict == CHESS_VERDICT_INCOMPLETE ||
			   !same_end(&res, &alone)) {
			bad++;
			show_bad(&res, &alone, prefix);
		} else {
			if (is_new(hash, hashes, seen))
				hashes[seen++] = hash;
			else
				repeated++;
			if (chess_record_tasks(res.record) > tasks)
				tasks = chess_record_tasks(res.record);
			if (chess_record_points(res.record) > points)
				points = chess_record_points(res.record);
			if (chess_record_preemptions(res.record) > preemptions)
				preemptions = chess_record_preemptions(res.record);
			for (size_t i = 0; i < chess_record_length(res.record); i++)
				quanta += chess_record_event(res.record, i)->type >= CHESS_EVENT_QUANTUM &&
					  chess_record_event(res.record, i)->type <= CHESS_EVENT_STALL;
			chess_record_free(record);
			record = res.record;
			res.record = NULL;
		}
		chess_run_result_clear(&res);
		if (!record)
			break;
		chess_schedule_free(prefix);
		prefix = perturb_any(&p, record);
		if (!prefix) {
			printf("# no decision with a second task\n");
			return 1;
		}
	}
	printf("# schedules %lu diverged %lu repeated %lu bad %lu tasks %zu points %zu preemptions %zu quanta-and-stalls %zu\n",
	       seen, diverged, repeated, bad, tasks, points, preemptions, quanta);
	chess_runner_free(runner);
	chess_ctl_close(ctl);
	return seen == count && !bad ? 0 : 1;
}

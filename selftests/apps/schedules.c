// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run a program nobody here wrote along many different schedules and prove that
 * each ends the same way: same exit status, same output as without control.
 * Called by apps.sh inside the VM, as root.
 *
 *   schedules [--count N] [--seed N] [--max-events N] [--max-diverged N]
 *             [--replay-every N] -- PROGRAM [ARG...]
 *
 * Schedules come from a walk with a fixed seed: the record of one run, sent
 * another way at one decision, gives the next prefix; what follows it is the
 * default policy. Three steps of four go on after the last change, so that
 * changes add up; the fourth begins anywhere. Records are distinguished by hash, and
 * only new ones count. A prefix that cannot be followed is printed, does not count
 * as a schedule, and more than --max-diverged of them (default 0) are a failure.
 * Every Nth schedule is replayed, which must give the same record, bit for bit.
 *
 * The last line says what was seen; exit 0 when --count schedules ended the same
 * way and every replay did.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chessctl/chessctl.h"
#include "../determinism/difference.h"
#include "../determinism/perturb.h"

#define TRIES_PER_SCHEDULE	4

static unsigned long count = 50, max_events, max_diverged, replay_every;
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
		{ "max-diverged", required_argument, NULL, 'd' },
		{ "replay-every", required_argument, NULL, 'r' },
		{ 0 }
	};
	int c;

	while ((c = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		switch (c) {
		case 'c': count = number("count", optarg); break;
		case 'S': seed = number("seed", optarg); break;
		case 'e': max_events = number("max-events", optarg); break;
		case 'd': max_diverged = number("max-diverged", optarg); break;
		case 'r': replay_every = number("replay-every", optarg); break;
		default: exit(2);
		}
	}
	if (optind == argc || !count) {
		fprintf(stderr, "usage: schedules [--count N] [--seed N] [--max-events N] [--max-diverged N]\n"
			"                 [--replay-every N] -- PROGRAM [ARG...]\n");
		exit(2);
	}
}

static void show_prefix(const struct chess_schedule *prefix)
{
	char *text = prefix ? chess_schedule_encode(prefix) : NULL;

	printf("# prefix: %.2000s\n", text ? text : "(empty)");
	free(text);
}

static void show_bad(const struct chess_run_result *res, const struct outcome *o,
		     const struct chess_schedule *prefix)
{
	size_t i;

	printf("# ended with verdict %s, status %#x (alone %#x), %zu bytes (alone %zu)%s, %zu points, %.1f s\n",
	       chess_verdict_name(res->verdict), res->status, o->status, res->out_len, o->len,
	       res->out_len == o->len && memcmp(res->out, o->out, o->len) ? " that differ" : "",
	       chess_record_points(res->record), res->seconds);
	if (res->err_len)
		printf("# stderr: %.200s\n", res->err);
	for (i = 0; i < res->n_waits; i++)
		printf("# T%u waits in %s\n", res->waits[i].task, res->waits[i].text);
	show_prefix(prefix);
}

/* The run with this record once more, along all of its decisions. */
static bool replays(struct chess_runner *runner, const struct chess_record *record)
{
	struct chess_schedule *s = chess_record_schedule(record);
	struct chess_run_result res;
	size_t at;

	if (!s || chess_runner_run(runner, s, chess_schedule_length(s), NULL, 0, &res))
		die("replay");
	at = chess_record_compare(record, res.record);
	if (at != SIZE_MAX) {
		printf("# a replay differs, verdict %s\n", chess_verdict_name(res.verdict));
		difference_show(record, res.record, at);
		show_prefix(s);
	}
	chess_schedule_free(s);
	chess_run_result_clear(&res);
	return at == SIZE_MAX;
}

/* Decisions that depend on time: a run with one may not replay. */
static size_t count_quanta(const struct chess_record *r)
{
	size_t i, n = 0;

	for (i = 0; i < chess_record_length(r); i++) {
		unsigned int type = chess_record_event(r, i)->type;

		n += type == CHESS_EVENT_QUANTUM || type == CHESS_EVENT_STALL;
	}
	return n;
}

/* Decisions from event @from on with a second enabled task; @index is set to the @nth. */
static size_t count_choices(const struct chess_record *r, size_t from, size_t nth, size_t *index)
{
	size_t i, n = 0;

	for (i = from; i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (!CHESS_EVENT_IS_DECISION(e->type) || e->chosen >= 64 ||
		    !(e->enabled & ~(1ULL << e->chosen)))
			continue;
		if (n++ == nth)
			*index = i;
	}
	return n;
}

/* @event: the last change; set to the next one. */
static struct chess_schedule *next_prefix(struct perturb *p, const struct chess_record *r,
					  size_t *event)
{
	size_t from = perturb_random(p) % 4 ? *event + 1 : 0;
	size_t n = count_choices(r, from, SIZE_MAX, NULL);

	if (n) {
		n = from ? n / 4 + 1 : n;
	} else {
		from = 0;
		n = count_choices(r, 0, SIZE_MAX, NULL);
	}
	*event = 0;
	if (n)
		count_choices(r, from, perturb_random(p) % n, event);
	return perturb_at(p, r, event);
}

int main(int argc, char **argv)
{
	char *envp[] = { "PATH=/usr/bin:/bin", "LC_ALL=C", NULL };
	struct chess_program program = {
		.envp = envp, .uid = UINT32_MAX, .gid = UINT32_MAX, .capture = true,
	};
	struct chess_runner_opts opts = { .sz = sizeof(opts), .sync_points = true };
	unsigned long seen = 0, diverged = 0, repeated = 0, bad = 0, replayed = 0, tries;
	size_t tasks = 0, points = 0, preemptions = 0, quanta = 0, event = 0;
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
			printf("# diverged at decision %zu of %zu\n", res.diverged_at,
			       prefix ? chess_schedule_length(prefix) : 0);
			show_prefix(prefix);
			bad += diverged > max_diverged;
		} else if (res.verdict == CHESS_VERDICT_INCOMPLETE ||
			   !same_end(&res, &alone)) {
			bad++;
			show_bad(&res, &alone, prefix);
		} else {
			if (!is_new(hash, hashes, seen)) {
				repeated++;
			} else {
				hashes[seen++] = hash;
				if (replay_every && seen % replay_every == 0) {
					replayed++;
					bad += !replays(runner, res.record);
				}
			}
			if (chess_record_tasks(res.record) > tasks)
				tasks = chess_record_tasks(res.record);
			if (chess_record_points(res.record) > points)
				points = chess_record_points(res.record);
			if (chess_record_preemptions(res.record) > preemptions)
				preemptions = chess_record_preemptions(res.record);
			quanta += count_quanta(res.record);
			chess_record_free(record);
			record = res.record;
			res.record = NULL;
		}
		chess_run_result_clear(&res);
		if (!record)
			break;
		chess_schedule_free(prefix);
		prefix = next_prefix(&p, record, &event);
		if (!prefix) {
			printf("# no decision with a second task\n");
			return 1;
		}
	}
	printf("# schedules %lu replayed %lu diverged %lu repeated %lu bad %lu tasks %zu points %zu preemptions %zu quanta-and-stalls %zu\n",
	       seen, replayed, diverged, repeated, bad, tasks, points, preemptions, quanta);
	chess_runner_free(runner);
	chess_ctl_close(ctl);
	return seen == count && !bad ? 0 : 1;
}

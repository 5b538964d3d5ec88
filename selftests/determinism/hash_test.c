// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves invariant I3: one prefix of one program gives one record, bit for bit,
 * however often it is run. Two prefixes are tried: the empty one (the default
 * policy decides everything) and one full of forced switches, made by sending run
 * after run another way at decisions chosen by a fixed seed. Every record is
 * compared with the first one; where one differs, both are shown around the place.
 *
 * Run inside the VM, as root, with the module loaded; needs libchessctl only.
 * matrix.sh compares the hashes printed here between VMs.
 *
 *   hash_test [--runs N] [--default-runs N] [--switches N] [--seed N] [--points N]
 *             [--load] -- PROGRAM [ARG...]
 *
 * --default-runs N is for the empty prefix, where less is at stake (default: as --runs);
 * --points N demands that many points; --load adds, inside the VM, a task that
 * spins on the group's processor and one that drops the page cache all the time.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chessctl/chessctl.h"
#include "difference.h"
#include "perturb.h"

#define SHOWN_RUNS	3	/* runs that differ and are shown; the rest is counted */

static unsigned long runs = 500, default_runs, switches = 40, min_points;
static uint64_t seed = 1;
static bool load;
static unsigned int tests, failed;

/* --- output ------------------------------------------------------------- */

static void result(bool ok, const char *name)
{
	failed += !ok;
	printf("%s %u %s\n", ok ? "ok" : "not ok", ++tests, name);
	fflush(stdout);
}

static void die(const char *what)
{
	printf("Bail out! %s: %s\n", what, chess_error());
	exit(1);
}

/* --- load inside the VM ------------------------------------------------- */

static pid_t hog, dropper;

static pid_t start_child(unsigned int cpu, bool spin)
{
	cpu_set_t set;
	pid_t pid = fork();
	int fd;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (spin) {
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		if (sched_setaffinity(0, sizeof(set), &set))
			_exit(1);
		for (;;)
			__asm__ volatile("" ::: "memory");
	}
	fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	while (fd >= 0 && write(fd, "3", 1) == 1)
		usleep(20000);
	_exit(1);
}

static void start_load(struct chess_ctl *ctl)
{
	struct chess_group_info *groups = NULL;
	int n = chess_group_list(ctl, &groups);

	if (n < 1)
		die("the group's processor is not known");
	hog = start_child(groups[0].cpu, true);
	dropper = start_child(groups[0].cpu, false);
	free(groups);
	if (hog < 0 || dropper < 0)
		die("fork");
}

/* Whether both have been at work until now. */
static bool end_load(void)
{
	bool alive = waitpid(hog, NULL, WNOHANG) == 0 && waitpid(dropper, NULL, WNOHANG) == 0;

	kill(hog, SIGKILL);
	kill(dropper, SIGKILL);
	waitpid(hog, NULL, 0);
	waitpid(dropper, NULL, 0);
	return alive;
}

/* --- runs --------------------------------------------------------------- */

/* The record of one run that ended well; anything else is said and is NULL. */
static struct chess_record *run_once(struct chess_runner *runner,
				     const struct chess_schedule *prefix,
				     unsigned long number)
{
	struct chess_run_result res;
	struct chess_record *record = NULL;
	size_t length = prefix ? chess_schedule_length(prefix) : 0;

	if (chess_runner_run(runner, prefix, length, NULL, 0, &res))
		die("run");
	if (res.verdict == CHESS_VERDICT_OK) {
		record = res.record;
		res.record = NULL;
	} else {
		printf("# run %lu ended with verdict %s, status %#x, diverged at %zd: %s\n", number,
		       chess_verdict_name(res.verdict), res.status, (ssize_t)res.diverged_at,
		       res.err ? res.err : "");
	}
	chess_run_result_clear(&res);
	return record;
}

/*
 * Walk through a run and send it another way at about @switches places: each time
 * the rest of the program is run by default from there, and gives the record the
 * next place is looked for in.
 */
static struct chess_schedule *perturb(struct chess_runner *runner)
{
	struct chess_record *record = run_once(runner, NULL, 0);
	struct chess_schedule *prefix = NULL;
	struct perturb p;
	size_t step, event = 0;

	perturb_seed(&p, seed);
	step = record ? chess_record_length(record) / (switches + 1) : 0;
	while (record) {
		struct chess_schedule *next;

		event += 1 + perturb_random(&p) % (2 * step + 1);
		next = perturb_at(&p, record, &event);
		if (!next)
			break;
		chess_schedule_free(prefix);
		prefix = next;
		chess_record_free(record);
		record = run_once(runner, prefix, 0);
	}
	if (!record) {
		chess_schedule_free(prefix);
		return NULL;
	}
	chess_record_free(record);
	return prefix;
}

static size_t count_switches(const struct chess_record *r)
{
	size_t i, n = 0;

	for (i = 0; i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		n += CHESS_EVENT_IS_DECISION(e->type) && e->chosen != e->task;
	}
	return n;
}

static size_t count_type(const struct chess_record *r, unsigned int type)
{
	size_t i, n = 0;

	for (i = 0; i < chess_record_length(r); i++)
		n += chess_record_event(r, i)->type == type;
	return n;
}

/* The heart: @times records of one prefix against the first of them. */
static void compare_runs(struct chess_runner *runner, const struct chess_schedule *prefix,
			 unsigned long times, const char *name)
{
	struct chess_record *first = NULL, *r;
	unsigned long i, differing = 0, bad = 0, compared = 0;
	char text[128];

	for (i = 1; i <= times; i++) {
		r = run_once(runner, prefix, i);
		if (!r) {
			bad++;
			continue;
		}
		if (!first) {
			first = r;
			compared++;
			continue;
		}
		size_t at = chess_record_compare(first, r);

		if (at != SIZE_MAX && ++differing <= SHOWN_RUNS) {
			printf("# run %lu of prefix %s differs from the first at event %zu of %zu (%zu):\n",
			       i, name, at + 1, chess_record_length(first), chess_record_length(r));
			difference_show(first, r, at);
		}
		compared++;
		chess_record_free(r);
	}
	printf("# %s: %lu runs, %lu differ, %lu did not end well\n", name, compared, differing, bad);
	if (first) {
		printf("# %s: hash %016" PRIx64 " events %zu points %zu tasks %zu switches %zu preemptions %zu quantum %zu stall %zu\n",
		       name, chess_record_hash(first), chess_record_length(first),
		       chess_record_points(first), chess_record_tasks(first),
		       count_switches(first), chess_record_preemptions(first),
		       count_type(first, CHESS_EVENT_QUANTUM),
		       count_type(first, CHESS_EVENT_STALL));
	}
	snprintf(text, sizeof(text), "%s_prefix_gives_one_record_in_%lu_runs", name, times);
	result(first && !bad && !differing && compared == times, text);
	if (min_points) {
		snprintf(text, sizeof(text), "%s_run_has_%lu_points", name, min_points);
		result(first && chess_record_points(first) >= min_points, text);
	}
	chess_record_free(first);
}

static unsigned long number(const char *name, const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*end || end == text) {
		fprintf(stderr, "hash_test: --%s takes a number, not '%s'\n", name, text);
		exit(2);
	}
	return n;
}

static void parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "runs", required_argument, NULL, 'r' },
		{ "default-runs", required_argument, NULL, 'd' },
		{ "switches", required_argument, NULL, 's' },
		{ "seed", required_argument, NULL, 'S' },
		{ "points", required_argument, NULL, 'p' },
		{ "load", no_argument, NULL, 'l' },
		{ 0 }
	};
	int c, index;

	while ((c = getopt_long(argc, argv, "+", options, &index)) != -1) {
		switch (c) {
		case 'r': runs = number("runs", optarg); break;
		case 'd': default_runs = number("default-runs", optarg); break;
		case 's': switches = number("switches", optarg); break;
		case 'S': seed = number("seed", optarg); break;
		case 'p': min_points = number("points", optarg); break;
		case 'l': load = true; break;
		default: exit(2);
		}
	}
	if (optind == argc || !runs) {
		fprintf(stderr, "usage: hash_test [--runs N] [--default-runs N] [--switches N] [--seed N] [--points N] [--load] -- PROGRAM [ARG...]\n");
		exit(2);
	}
}

int main(int argc, char **argv)
{
	/* The stack begins with it, so addresses in the record depend on it. */
	char *envp[] = { "PATH=/usr/bin:/bin", "LC_ALL=C", NULL };
	struct chess_program program = {
		.envp = envp, .cwd = "/", .uid = UINT32_MAX, .gid = UINT32_MAX, .capture = true,
	};
	struct chess_runner_opts opts = { .sz = sizeof(opts), .sync_points = true };
	struct chess_runner *runner;
	struct chess_schedule *prefix;
	struct chess_ctl *ctl;
	char *text;

	parse(argc, argv);
	printf("KTAP version 1\n");
	ctl = chess_ctl_open();
	if (!ctl) {
		printf("1..0 # SKIP %s\n", chess_error());
		return 4;
	}
	printf("1..%d\n", 3 + 2 * !!min_points + load);
	argv[optind] = realpath(argv[optind], NULL);
	if (!argv[optind]) {
		printf("Bail out! the program cannot be found: %s\n", strerror(errno));
		return 1;
	}
	program.argv = argv + optind;
	runner = chess_runner_new(ctl, &program, &opts);
	if (!runner)
		die("runner");
	if (load)
		start_load(ctl);
	compare_runs(runner, NULL, default_runs ? default_runs : runs, "default");
	prefix = perturb(runner);
	text = prefix ? chess_schedule_encode(prefix) : NULL;
	if (text)
		printf("# perturbed prefix, seed %" PRIu64 ": %s\n", seed, text);
	result(prefix, "run_can_be_sent_other_ways");
	if (prefix)
		compare_runs(runner, prefix, runs, "perturbed");
	if (load)
		result(end_load(), "load_lasted_to_the_end");
	printf("# Totals: pass:%u fail:%u xfail:0 xpass:0 skip:0 error:0\n", tests - failed, failed);
	free(text);
	chess_schedule_free(prefix);
	chess_runner_free(runner);
	chess_ctl_close(ctl);
	return failed ? 1 : 0;
}

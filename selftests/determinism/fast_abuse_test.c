// SPDX-License-Identifier: GPL-2.0-only
/*
 * Points that tasks note by themselves, while something is in the way: signals come from outside
 * at random moments, at each instruction of the code that notes points, and after each instruction
 * of the program, and no point is lost or double; the program jumps into that code, serves no page
 * fault of the ring, or writes to it, which nobody but itself notices. Run inside the VM, as root,
 * with the module loaded and its parameter fast_hits at 1.
 *
 *   fast_abuse_test SECONDS SUBJECT
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "chessctl/chessctl.h"
#include "perturb.h"

#define PAIRS	"100000"

static unsigned int tests, failed;
static char *subject;
/* Of the signals that the last run of it had: those that showed the code that notes points. */
static unsigned long shown;

static void result(bool good, const char *name)
{
	failed += !good;
	printf("%s %u %s\n", good ? "ok" : "not ok", ++tests, name);
	fflush(stdout);
}

static void die(const char *what)
{
	printf("Bail out! %s: %s\n", what, chess_error());
	exit(1);
}

static struct chess_record *run(struct chess_ctl *ctl, const char *mode, const char *arg,
				bool only_traps, enum chess_verdict *verdict,
				unsigned long *signals)
{
	char *argv[] = { subject, (char *)mode, (char *)arg, NULL };
	char *envp[] = { "PATH=/usr/bin:/bin", "LC_ALL=C", NULL };
	struct chess_program program = {
		.argv = argv, .envp = envp, .cwd = "/", .uid = UINT32_MAX, .gid = UINT32_MAX,
		.capture = true,
	};
	struct chess_runner_opts opts = {
		.sz = sizeof(opts), .sync_points = true, .run_timeout_ms = 60000,
		.max_events = 400000, .host_pids = true, .only_traps = only_traps,
	};
	struct chess_runner *r = chess_runner_new(ctl, &program, &opts);
	struct chess_record *record;
	struct chess_run_result res;
	char *end = NULL;

	if (!r || chess_runner_run(r, NULL, 0, NULL, 0, &res))
		die("run");
	record = res.record;
	*verdict = res.verdict;
	shown = 0;
	*signals = res.out ? strtoul(res.out, &end, 10) : 0;
	if (*signals)
		shown = strtoul(end, NULL, 10);
	if (res.err && *res.err)
		printf("# %s", res.err);
	res.record = NULL;
	chess_run_result_clear(&res);
	chess_runner_free(r);
	return record;
}

static size_t count_op(const struct chess_record *r, unsigned int op)
{
	size_t i, n = 0;

	for (i = 0; i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		n += e->type == CHESS_EVENT_POINT && e->op == op;
	}
	return n;
}

/* Does a process have this name, and a handler of the signal? Before that it would die of it. */
static bool is_ready(const char *pid)
{
	unsigned long long caught = 0;
	bool is_subject = false;
	char path[300], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		is_subject |= !strcmp(line, "Name:\tfast_subject\n");
		sscanf(line, "SigCgt: %llx", &caught);
	}
	if (f)
		fclose(f);
	return is_subject && caught >> (SIGUSR1 - 1) & 1;
}

static pid_t find_subject(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *d;
	pid_t found = 0;

	while (!found && (d = readdir(proc)))
		if (d->d_name[0] >= '1' && d->d_name[0] <= '9' && is_ready(d->d_name))
			found = atoi(d->d_name);
	closedir(proc);
	return found;
}

/* A signal each 1 to 50 microseconds, as far as the machine keeps up with it. */
static pid_t start_storm(void)
{
	struct timespec pause = { 0 };
	struct perturb p;
	pid_t pid = fork(), target;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	perturb_seed(&p, 1);
	for (;;) {
		target = find_subject();
		while (target && !kill(target, SIGUSR1)) {
			pause.tv_nsec = 1000 + perturb_random(&p) % 49000;
			nanosleep(&pause, NULL);
		}
	}
}

/*
 * The subject says how many signals came, and how many of them showed the code that notes points.
 * Traps do not execute that code.
 */
static bool shaken(struct chess_ctl *ctl, const char *mode, const char *n, unsigned long at_least,
		   bool may_show)
{
	unsigned long with_traps, with_fast;
	size_t locks, unlocks, l, u;
	enum chess_verdict verdict;
	struct chess_record *r;

	r = run(ctl, mode, n, true, &verdict, &with_traps);
	locks = count_op(r, CHESS_OP_LOCK);
	unlocks = count_op(r, CHESS_OP_UNLOCK);
	chess_record_free(r);
	r = run(ctl, mode, n, false, &verdict, &with_fast);
	l = count_op(r, CHESS_OP_LOCK);
	u = count_op(r, CHESS_OP_UNLOCK);
	chess_record_free(r);
	printf("# %s: %zu locks and %zu unlocks, with traps %zu and %zu; %lu signals, with traps %lu; verdict %s\n",
	       mode, l, u, locks, unlocks, with_fast, with_traps, chess_verdict_name(verdict));
	return l == locks && u == unlocks && locks && verdict == CHESS_VERDICT_OK &&
	       (!shown || may_show) && with_fast >= at_least;
}

static bool weather(struct chess_ctl *ctl, bool only_traps, time_t end)
{
	unsigned long runs = 0, wrong = 0, all = 0, signals;
	size_t locks, unlocks, l, u;
	enum chess_verdict verdict;
	struct chess_record *r;
	pid_t storm;

	r = run(ctl, "pairs", PAIRS, only_traps, &verdict, &signals);
	locks = count_op(r, CHESS_OP_LOCK);
	unlocks = count_op(r, CHESS_OP_UNLOCK);
	chess_record_free(r);
	storm = start_storm();
	do {
		r = run(ctl, "pairs", PAIRS, only_traps, &verdict, &signals);
		l = count_op(r, CHESS_OP_LOCK);
		u = count_op(r, CHESS_OP_UNLOCK);
		if ((l != locks || u != unlocks || verdict != CHESS_VERDICT_OK) && wrong++ < 5)
			printf("# %zu locks and %zu unlocks, not %zu and %zu; %lu signals, verdict %s\n",
			       l, u, locks, unlocks, signals, chess_verdict_name(verdict));
		all += signals;
		chess_record_free(r);
		runs++;
	} while (time(NULL) < end);
	kill(storm, SIGKILL);
	waitpid(storm, NULL, 0);
	printf("# %s: %lu runs of %zu locks, %lu signals, %lu runs wrong\n",
	       only_traps ? "traps" : "fast", runs, locks, all, wrong);
	return !wrong && all > runs;
}

/* Whatever the program does to itself: the run ends, and the next one is the same as before. */
static bool scribbles(struct chess_ctl *ctl, time_t end)
{
	enum chess_verdict verdict;
	unsigned long seed = 0, by[CHESS_VERDICT_END] = { 0 }, signals;
	struct chess_record *before, *after;
	bool same;
	char text[24];
	size_t i;

	before = run(ctl, "pairs", PAIRS, false, &verdict, &signals);
	do {
		snprintf(text, sizeof(text), "%lu", seed);
		chess_record_free(run(ctl, "scribble", text, false, &verdict, &signals));
		by[verdict]++;
	} while (++seed < 20 || time(NULL) < end);
	for (i = 0; i < CHESS_VERDICT_END; i++)
		if (by[i])
			printf("# %lu runs ended with verdict %s\n", by[i], chess_verdict_name(i));
	after = run(ctl, "pairs", PAIRS, false, &verdict, &signals);
	same = chess_record_compare(before, after) == SIZE_MAX;
	chess_record_free(before);
	chess_record_free(after);
	return same && !by[CHESS_VERDICT_TIMEOUT];
}

int main(int argc, char **argv)
{
	struct chess_ctl *ctl;
	long seconds;

	if (argc != 3)
		return 2;
	seconds = strtol(argv[1], NULL, 10);
	subject = realpath(argv[2], NULL);
	ctl = chess_ctl_open();
	printf("KTAP version 1\n");
	if (!ctl || !subject) {
		printf("1..0 # SKIP %s\n", subject ? chess_error() : "no subject");
		return 4;
	}
	printf("1..7\n");
	result(weather(ctl, true, time(NULL) + seconds / 4), "traps_in_a_storm_of_signals");
	result(weather(ctl, false, time(NULL) + seconds), "fast_points_in_a_storm_of_signals");
	/* Each of two places has ten instructions, and what stands in its slot. */
	result(shaken(ctl, "instructions", "20", 100, false), "a_signal_at_each_instruction");
	result(shaken(ctl, "step", "500", 1000, true), "a_program_that_steps_itself");
	result(shaken(ctl, "between", "20", 200, false), "jumps_into_the_code");
	result(shaken(ctl, "served", "1000", 1, false), "page_faults_that_nobody_serves");
	result(scribbles(ctl, time(NULL) + seconds / 2), "programs_that_write_to_the_ring");
	printf("# Totals: pass:%u fail:%u xfail:0 xpass:0 skip:0 error:0\n", tests - failed, failed);
	chess_ctl_close(ctl);
	return failed ? 1 : 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What looking at tasks costs: a round trip over two pipes (two blocks, two wake-ups)
 * with and without wakers noted, and for somebody else's tasks; one load, one look.
 * Run in a VM, by hand (see docs/bpf.md) and by bench.sh. The lowest of several rounds
 * counts, for a busy host only ever adds. Ends with "bench look_waker RATIO".
 *
 *   cost			as above
 *   cost PROGRAM [ARG...]	run it while wakers are noted, of process 1
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chessctl/chessctl.h"
#include "wait/look.h"
#include "now.h"

#define ROUNDS	40
#define TRIPS	500

static void fail(const char *what)
{
	fprintf(stderr, "cost: %s: %s\n", what, chess_error());
	exit(1);
}

static int there[2], back[2];

static void echo(void)
{
	char c;

	while (read(there[0], &c, 1) == 1)
		if (write(back[1], &c, 1) != 1)
			break;
	_exit(0);
}

/* Nanoseconds of a round trip. */
static double trips(void)
{
	double start = chess_now_ns();
	char c = 'x';
	int i;

	for (i = 0; i < TRIPS; i++)
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			exit(1);
	return (chess_now_ns() - start) / TRIPS;
}

static double lowest(double a, double b)
{
	return !a || b < a ? b : a;
}

static void watch(struct chess_look *l, pid_t *tids, size_t n)
{
	if (chess_look_note_wakers(l, tids, n))
		fail("watch");
}

static int beside(char **argv)
{
	struct chess_look *l = chess_look_new();
	pid_t pid, init = 1;
	int status;

	if (!l)
		fail("load");
	watch(l, &init, 1);
	pid = fork();
	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	chess_look_free(l);
	return status != 0;
}

int main(int argc, char **argv)
{
	double bare = 0, noted = 0, others = 0, load, files, names, look = 0, start;
	struct chess_look_names functions;
	struct chess_snapshot *s;
	pid_t pids[2], init = 1;
	struct chess_look *l;
	cpu_set_t one;
	size_t n;
	int i;

	if (argc > 1)
		return beside(argv + 1);
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (sched_setaffinity(0, sizeof(one), &one) || pipe(there) || pipe(back))
		return 1;
	pids[0] = getpid();
	pids[1] = fork();
	if (!pids[1]) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		echo();
	}
	start = chess_now_ns();
	l = chess_look_new();
	if (!l)
		fail("load");
	load = chess_now_ns() - start;
	start = chess_now_ns();
	if (chess_look_take(l, pids, 2, &s))
		fail("first look");
	files = chess_now_ns() - start;
	start = chess_now_ns();
	if (chess_look_names(l, chess_snapshot_tasks(s, &n), &functions))
		fail("names");
	names = chess_now_ns() - start;
	chess_snapshot_free(s);
	for (i = 0; i < ROUNDS; i++) {
		watch(l, NULL, 0);
		bare = lowest(bare, trips());
		watch(l, &init, 1);
		others = lowest(others, trips());
		watch(l, pids, 2);
		noted = lowest(noted, trips());
		start = chess_now_ns();
		if (chess_look_take(l, pids, 2, &s))
			fail("look");
		look = lowest(look, chess_now_ns() - start);
		chess_snapshot_free(s);
	}
	chess_look_free(l);
	kill(pids[1], SIGKILL);
	printf("load %.1f ms, first look %.1f ms, first names %.1f ms\n", load / 1e6, files / 1e6,
	       names / 1e6);
	printf("look %.2f ms, round trip %.0f ns, noted %.0f ns, others noted %.0f ns\n",
	       look / 1e6, bare, noted, others);
	printf("bench look_waker_others %.2f\n", others / bare);
	printf("bench look_waker %.2f\n", noted / bare);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a binary made with the kernel's kselftest_harness.h looks like from outside, in few lines
 * of our own: a process for each case, whose parent waits with poll() of its pidfd and a limit
 * of time and then kills it; -l lists on stderr and ends with 4, -r chooses a case; TAP 13.
 * cases.c includes it, for the suite "harness".
 */
#ifndef KSELFTEST_LIKE_H
#define KSELFTEST_LIKE_H

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define KSFT_PASS	0
#define KSFT_FAIL	1
#define KSFT_XFAIL	2
#define KSFT_SKIP	4

#define LIMIT_MS	2000

/**
 * struct like_case - a test of a fixture, with a variant or none
 * @fixture: "global" for those without one
 * @variant: "" for none
 * @test: its name
 * @fn: what it does
 * @xfail: it is known to fail
 */
struct like_case {
	const char *fixture, *variant, *test;
	void (*fn)(void);
	int xfail;
};

static const struct like_case like_cases[];
static const size_t like_n;

static inline void like_name(const struct like_case *c, char *name, size_t size)
{
	snprintf(name, size, "%s%s%s.%s", c->fixture, *c->variant ? "." : "", c->variant, c->test);
}

/* A row has a variant and a test, which have nothing to do with each other. */
static inline void like_list_fixture(size_t first, size_t end)
{
	const char *variants[16] = { "" }, *tests[16];
	size_t i, k, nv = 0, nt = 0;

	for (i = first; i < end; i++) {
		for (k = 0; k < nv && strcmp(variants[k], like_cases[i].variant); k++)
			;
		if (k == nv && *like_cases[i].variant)
			variants[nv++] = like_cases[i].variant;
		for (k = 0; k < nt && strcmp(tests[k], like_cases[i].test); k++)
			;
		if (k == nt)
			tests[nt++] = like_cases[i].test;
	}
	for (i = 0; i < nv || i < nt; i++)
		fprintf(stderr, "%-20s %-25s %s\n", i ? "" : like_cases[first].fixture,
			i < nv ? variants[i] : "", i < nt ? tests[i] : "");
}

static inline int like_list(void)
{
	size_t i, end;

	for (i = 0; i < like_n; i = end) {
		for (end = i; end < like_n &&
		     !strcmp(like_cases[end].fixture, like_cases[i].fixture); end++)
			;
		if (i)
			fprintf(stderr, "%.80s\n",
				"--------------------------------------------------------------------------------");
		else
			fprintf(stderr, "%-20s %-25s %s\n", "# FIXTURE", "VARIANT", "TEST");
		like_list_fixture(i, end);
	}
	return KSFT_SKIP;
}

/* As a time-out of the harness does it. */
static inline int like_wait(pid_t pid, const char *name)
{
	struct pollfd p = { .fd = syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };
	int status;

	if (poll(&p, 1, LIMIT_MS) != 1) {
		kill(-pid, SIGKILL);
		waitpid(pid, &status, 0);
		close(p.fd);
		printf("# %s: Test terminated by timeout\n", name);
		return KSFT_FAIL;
	}
	close(p.fd);
	waitpid(pid, &status, 0);
	if (!WIFEXITED(status)) {
		printf("# %s: Test terminated unexpectedly by signal %d\n", name, WTERMSIG(status));
		return KSFT_FAIL;
	}
	return WEXITSTATUS(status);
}

static inline int like_run(const struct like_case *c, unsigned int number)
{
	char name[128];
	pid_t pid;
	int code;

	like_name(c, name, sizeof(name));
	printf("#  RUN           %s ...\n", name);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		setpgrp();
		c->fn();
		fflush(NULL);
		_exit(KSFT_PASS);
	}
	code = like_wait(pid, name);
	if (c->xfail && code == KSFT_FAIL)
		code = KSFT_XFAIL;
	printf("#          %4s  %s\n", code == KSFT_FAIL ? "FAIL" : "OK", name);
	printf("%s %u %s%s\n", code == KSFT_FAIL ? "not ok" : "ok", number, name,
	       code == KSFT_SKIP ? " # SKIP not on this machine" :
	       code == KSFT_XFAIL ? " # XFAIL is known" : "");
	return code != KSFT_FAIL;
}

static inline int like_main(int argc, char **argv)
{
	unsigned int chosen = 0, passed = 0;
	const char *only = NULL;
	char name[128];
	size_t i;
	int opt;

	while ((opt = getopt(argc, argv, "hlr:")) != -1) {
		if (opt == 'l')
			return like_list();
		if (opt != 'r') {
			fprintf(stderr, "Usage: %s [-h|-l] [-t|-T|-v|-V|-f|-F|-r name]\n", argv[0]);
			return opt == 'h' ? KSFT_SKIP : KSFT_FAIL;
		}
		only = optarg;
	}
	for (i = 0; i < like_n; i++) {
		like_name(&like_cases[i], name, sizeof(name));
		chosen += !only || !strcmp(only, name);
	}
	printf("TAP version 13\n1..%u\n", chosen);
	chosen = 0;
	for (i = 0; i < like_n; i++) {
		like_name(&like_cases[i], name, sizeof(name));
		if (!only || !strcmp(only, name))
			passed += like_run(&like_cases[i], ++chosen);
	}
	printf("# %s: %u / %u tests passed.\n", passed == chosen ? "PASSED" : "FAILED", passed,
	       chosen);
	return passed == chosen ? KSFT_PASS : KSFT_FAIL;
}

#endif /* KSELFTEST_LIKE_H */

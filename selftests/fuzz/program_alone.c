// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of program_fuzz without control, and what both ways of it need to compare. See
 * program_fuzz.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program_fuzz.h"

#define ALONE_MS	20000

char subject[PATH_MAX];
struct fuzz_counts counts;

double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

unsigned long number(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoul(text, NULL, 0) : otherwise;
}

bool program_prepare(void)
{
	ssize_t n = readlink("/proc/self/exe", subject, sizeof(subject) - 32);

	if (n < 0 || !strrchr(subject, '/'))
		return false;
	strcpy(strrchr(subject, '/'), "/program_subject");
	return true;
}

static void become(const struct user *u)
{
	if (u->uid == UINT32_MAX)
		return;
	if (setresgid(u->uid, u->uid, u->uid) || setresuid(u->uid, u->uid, u->uid))
		_exit(125);
}

/* Everything it prints until it is gone. 0, or -ETIMEDOUT */
static int collect(int fd, pid_t pid, struct outcome *o)
{
	double end = now() + ALONE_MS / 1000.0;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	size_t length = 0;
	int ret = 0;
	ssize_t n;

	for (;;) {
		if (poll(&p, 1, 1000) == 1) {
			n = read(fd, o->text + length, OUTPUT - 1 - length);
			if (n <= 0)
				break;
			length += n;
		}
		if (now() < end)
			continue;
		kill(-pid, SIGKILL);
		ret = -ETIMEDOUT;
		break;
	}
	o->text[length] = '\0';
	while (waitpid(pid, &o->status, 0) < 0 && errno == EINTR)
		;
	kill(-pid, SIGKILL);
	return ret;
}

int run_alone(const struct user *u, uint64_t seed, const char *drop, struct outcome *o)
{
	char seed_text[32], drop_text[256];
	char *const argv[] = { subject, seed_text, drop_text, NULL };
	double from = now();
	int fd[2], ret;
	pid_t pid;

	snprintf(seed_text, sizeof(seed_text), "%lu", (unsigned long)seed);
	snprintf(drop_text, sizeof(drop_text), "%s", drop);
	if (pipe2(fd, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid) {
		int null = open("/dev/null", O_RDWR);

		setpgid(0, 0);
		become(u);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(null, 0);
		dup2(fd[1], 1);
		dup2(fd[1], 2);
		close(null);
		execv(subject, argv);
		_exit(124);
	}
	setpgid(pid, pid);
	close(fd[1]);
	ret = collect(fd[0], pid, o);
	close(fd[0]);
	counts.seconds_alone += now() - from;
	counts.alone++;
	return ret;
}

void print_difference(const char *alone, const char *under)
{
	const char *a = alone, *b = under ? under : "";
	unsigned int lines = 0;
	size_t n, m;

	while ((*a || *b) && lines < 3) {
		n = strcspn(a, "\n");
		m = strcspn(b, "\n");
		if (n != m || memcmp(a, b, n)) {
			printf("#   alone \"%.*s\" under control \"%.*s\"\n", (int)n, a, (int)m, b);
			lines++;
		}
		a += n + (a[n] == '\n');
		b += m + (b[m] == '\n');
	}
}

void drop_to_text(const struct program *p, const bool *drop, char *text, size_t size)
{
	size_t at = 0;
	unsigned int i;

	text[0] = '\0';
	for (i = 0; i < p->n; i++)
		if (drop[i])
			at += snprintf(text + at, size - at, "%s%u", at ? "," : "", i);
}

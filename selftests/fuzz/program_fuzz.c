// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzer of what programs can notice of control: programs out of seeds, whose output is
 * the same under every schedule, run alone and in every way chess can run them; each
 * difference in output or exit status is a failure of ours. Root, in the VM.
 *
 *	SEED=N		the first seed, or "random"; 1
 *	TIME=S		for so long; 30
 *	COUNT=N		so many programs at most
 *	RUNS=N		schedules of each; 4
 *	DROP=A,B	of one program: leave steps out
 *	AS=root|nobody	as this user only; both
 *
 * A difference is made small by leaving steps out while it stays. KTAP on stdout.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "chessctl/chessctl.h"
#include "program.h"

#define NOBODY		65534
#define OUTPUT		65536
#define ALONE_MS	20000
#define RUN_MS		30000
/* A difference must come again so often in this many tries to be made small. */
#define TRIES		3
#define MAX_FAILURES	10
/* Programs that differ alone: the fuzzer's own mistakes, which must stay rare. */
#define MAX_UNSTABLE(programs)	(1 + (programs) / 100)

struct outcome {
	char text[OUTPUT];
	int status;
};

struct user {
	const char *name;
	uint32_t uid;
	struct chess_runner *runner;
};

static char subject[PATH_MAX], seed_text[32], drop_text[256];
static char *const subject_argv[] = { subject, seed_text, drop_text, NULL };
static struct user users[] = { { "root", UINT32_MAX, NULL }, { "nobody", NOBODY, NULL } };
static struct chess_ctl *ctl;
static unsigned long programs, runs, failures, unstable, runs_wanted, runs_alone;
static double seconds_alone, seconds_under;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static unsigned long number(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoul(text, NULL, 0) : otherwise;
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

static int run_alone(const struct user *u, struct outcome *o)
{
	double from = now();
	int fd[2], ret;
	pid_t pid;

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
		execv(subject, subject_argv);
		_exit(124);
	}
	setpgid(pid, pid);
	close(fd[1]);
	ret = collect(fd[0], pid, o);
	close(fd[0]);
	seconds_alone += now() - from;
	runs_alone++;
	return ret;
}

/* A schedule of the program: number 0 is the default's, the others are drawn. */
static struct chess_plan plan_number(uint64_t seed, unsigned long i, uint32_t *changes)
{
	static const enum chess_policy_kind kinds[] = {
		CHESS_POLICY_KIND_RANDOM, CHESS_POLICY_KIND_PCT, CHESS_POLICY_KIND_ROUND_ROBIN,
		CHESS_POLICY_KIND_POS,
	};
	struct chess_plan plan = { .seed = seed * 1000 + i };

	if (!i)
		return (struct chess_plan){ .policy = CHESS_POLICY_KIND_DEFAULT };
	plan.policy = kinds[(i - 1) % 4];
	if (plan.policy == CHESS_POLICY_KIND_ROUND_ROBIN)
		plan.seed = 0;
	if (plan.policy == CHESS_POLICY_KIND_PCT) {
		changes[0] = 1 + draw(&seed) % 50;
		changes[1] = 1 + draw(&seed) % 200;
		plan.changes = changes;
		plan.n_changes = 2;
	}
	return plan;
}

static struct chess_runner *runner_of(struct user *u)
{
	struct chess_program p = { .argv = subject_argv, .uid = u->uid, .gid = u->uid,
				   .capture = true };
	/* Where 1000 s may pass between two calls a program can print other times left. */
	struct chess_runner_opts o = { .sz = sizeof(o), .sync_points = true, .no_bpf = true,
				       .run_timeout_ms = RUN_MS, .no_early = true };

	if (!u->runner)
		u->runner = chess_runner_new(ctl, &p, &o);
	return u->runner;
}

static bool is_as_alone(const struct outcome *alone, const struct chess_run_result *r)
{
	return r->verdict != CHESS_VERDICT_DEADLOCK && r->verdict != CHESS_VERDICT_TIMEOUT &&
	       r->status == alone->status && r->out && !strcmp(r->out, alone->text);
}

/* The first lines that differ. */
static void print_difference(const char *alone, const char *under)
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

/* 0: as alone. 1: not. -errno */
static int run_under(struct user *u, uint64_t seed, unsigned long i, const struct outcome *alone,
		     bool tell)
{
	struct chess_runner *r = runner_of(u);
	struct chess_run_result res = { 0 };
	uint32_t changes[2];
	struct chess_plan plan = plan_number(seed, i, changes);
	double from = now();
	int ret;

	if (!r)
		return -errno;
	ret = chess_runner_run_plan(r, &plan, NULL, 0, &res);
	seconds_under += now() - from;
	runs++;
	if (ret) {
		printf("# run %lu: %s\n", i, chess_error());
		return ret;
	}
	ret = !is_as_alone(alone, &res);
	if (ret && tell) {
		printf("# as %s, schedule %lu: %s, status %x, alone %x%s%s\n", u->name, i,
		       chess_verdict_name(res.verdict), res.status, alone->status,
		       res.err && *res.err ? ", stderr: " : "", res.err ? res.err : "");
		print_difference(alone->text, res.out);
	}
	chess_run_result_clear(&res);
	return ret;
}

/* Does this difference come? Alone it must be what it was, too. */
static bool differs(struct user *u, uint64_t seed, unsigned long i, bool tell)
{
	static struct outcome alone;
	int n;

	if (run_alone(u, &alone))
		return false;
	for (n = 0; n < TRIES; n++)
		if (run_under(u, seed, i, &alone, tell) == 1)
			return true;
	return false;
}

static void drop_to_text(const struct program *p, const bool *drop)
{
	size_t at = 0;
	unsigned int i;

	drop_text[0] = '\0';
	for (i = 0; i < p->n; i++)
		if (drop[i])
			at += snprintf(drop_text + at, sizeof(drop_text) - at, "%s%u",
				       at ? "," : "", i);
}

/* Leave out each step in turn for as long as the difference stays. */
static void make_small(struct user *u, uint64_t seed, unsigned long i)
{
	struct program p;
	bool drop[MAX_STEPS] = { false };
	unsigned int k;

	program_make(&p, seed, drop_text);
	for (k = 0; k < p.n; k++)
		drop[k] = p.step[k].dropped;
	for (k = 0; k < p.n; k++) {
		if (drop[k])
			continue;
		drop[k] = true;
		drop_to_text(&p, drop);
		drop[k] = differs(u, seed, i, false);
	}
	drop_to_text(&p, drop);
	differs(u, seed, i, true);
	program_make(&p, seed, drop_text);
	program_print(&p);
	printf("# again: SEED=%lu COUNT=1 RUNS=%lu DROP=%s program_fuzz\n", (unsigned long)seed,
	       i + 1, drop_text);
	fflush(stdout);
}

/* 0, or -errno where nothing more can be told. */
static int try_user(struct user *u, uint64_t seed)
{
	static struct outcome alone, again;
	const char *given = getenv("DROP");
	unsigned long i;
	int ret;

	snprintf(seed_text, sizeof(seed_text), "%lu", (unsigned long)seed);
	snprintf(drop_text, sizeof(drop_text), "%s", given ? given : "");
	ret = run_alone(u, &alone);
	if (ret) {
		printf("# seed %lu as %s takes too long alone\n", (unsigned long)seed, u->name);
		unstable++;
		return 0;
	}
	for (i = 0; i < runs_wanted; i++) {
		ret = run_under(u, seed, i, &alone, false);
		if (ret < 0)
			return ret;
		if (!ret)
			continue;
		/* A fuzzer that is wrong about a program is no bug of the module's. */
		if (run_alone(u, &again) || again.status != alone.status ||
		    strcmp(again.text, alone.text)) {
			printf("# seed %lu as %s differs alone\n", (unsigned long)seed, u->name);
			print_difference(alone.text, again.text);
			unstable++;
			return 0;
		}
		failures++;
		printf("# seed %lu as %s is not as it is alone\n", (unsigned long)seed, u->name);
		if (!differs(u, seed, i, true)) {
			printf("# and once only\n");
			return 0;
		}
		make_small(u, seed, i);
		return 0;
	}
	return 0;
}

static unsigned long first_seed(void)
{
	const char *text = getenv("SEED");

	if (text && !strcmp(text, "random"))
		return (unsigned long)time(NULL) * 1000003 % 1000000000;
	return number("SEED", 1);
}

static void print_results(unsigned int n, const char *name, bool good)
{
	printf("%s %u %s\n", good ? "ok" : "not ok", n, name);
}

int main(void)
{
	unsigned long seed = first_seed(), count = number("COUNT", ULONG_MAX);
	const char *only = getenv("AS");
	double start = now(), seconds = number("TIME", 30);
	ssize_t n = readlink("/proc/self/exe", subject, sizeof(subject) - 1);
	unsigned int i;
	int ret = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	runs_wanted = number("RUNS", 4);
	if (n < 0 || !strrchr(subject, '/'))
		return 1;
	strcpy(strrchr(subject, '/'), "/program_subject");
	printf("KTAP version 1\n1..2\n# seeds from %lu\n", seed);
	ctl = chess_ctl_open();
	if (!ctl) {
		printf("Bail out! %s\n", chess_error());
		return 1;
	}
	for (; !ret && programs < count && now() - start < seconds && failures < MAX_FAILURES;
	     seed++, programs++)
		for (i = 0; i < 2 && !ret; i++)
			if (!only || !strcmp(only, users[i].name))
				ret = try_user(&users[i], seed);
	if (ret)
		printf("# seed %lu: %s\n", seed, chess_error());
	for (i = 0; i < 2; i++)
		chess_runner_free(users[i].runner);
	chess_ctl_close(ctl);
	printf("# %lu programs, %lu runs under control, %.1f programs and %.1f runs a second\n",
	       programs, runs, programs / (now() - start), runs / (now() - start));
	printf("# a run takes %.1f ms under control, %.1f ms alone\n",
	       runs ? 1000 * seconds_under / runs : 0,
	       runs_alone ? 1000 * seconds_alone / runs_alone : 0);
	print_results(1, "programs are under control as they are alone", !ret && !failures);
	print_results(2, "programs are the same each time alone",
		      programs && unstable <= MAX_UNSTABLE(programs));
	return ret || failures || !programs || unstable > MAX_UNSTABLE(programs);
}

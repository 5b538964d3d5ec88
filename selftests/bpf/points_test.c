// SPDX-License-Identifier: GPL-2.0-only
/*
 * chess_point() from every place a BPF program may call it: what it returns, and what
 * stands in the record. Needs root and the module. The programs under control are this
 * file again, as --program NAME.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include <bpf/libbpf.h>
#include <chessctl/chessctl.h>
#include "../harness.h"

#define OBJECT	0x4242

/* --- programs ----------------------------------------------------------- */

__attribute__((noipa)) static void probe_here(uint64_t object, uint32_t op, uint32_t flags)
{
	__asm__ volatile("" : : "r"(object), "r"(op), "r"(flags) : "memory");
}

static void *thread(void *unused)
{
	probe_here(OBJECT, CHESS_OP_CUSTOM, CHESS_OPF_WRITE);
	return unused;
}

static int two_threads(void)
{
	pthread_t t[2];
	int i;

	for (i = 0; i < 2; i++)
		if (pthread_create(&t[i], NULL, thread, NULL))
			return 1;
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}

static void *yielding(void *unused)
{
	for (;;)
		probe_here(OBJECT, CHESS_OP_YIELD, CHESS_OPF_YIELD);
	return unused;
}

/* Ends while both threads wait at their points. */
static int abandon(void)
{
	pthread_t t[2];
	int i;

	for (i = 0; i < 2; i++)
		if (pthread_create(&t[i], NULL, yielding, NULL))
			return 1;
	for (i = 0; i < 4; i++)
		sched_yield();
	return 0;
}

static volatile sig_atomic_t handled;

static void handle(int sig)
{
	probe_here(OBJECT + sig, CHESS_OP_SIGNAL, 0);
	handled = 1;
}

static void *until_handled(void *unused)
{
	while (!handled)
		probe_here(OBJECT, CHESS_OP_YIELD, CHESS_OPF_YIELD);
	return unused;
}

/* A signal is sent to a thread that waits at its point. */
static int signal_thread(void)
{
	struct sigaction sa = { .sa_handler = handle };
	pthread_t t;

	sigaction(SIGUSR1, &sa, NULL);
	if (pthread_create(&t, NULL, until_handled, NULL))
		return 1;
	sched_yield();
	pthread_kill(t, SIGUSR1);
	pthread_join(t, NULL);
	return 0;
}

static int in_child(void)
{
	pid_t pid = fork();
	int status;

	probe_here(OBJECT, CHESS_OP_CUSTOM, CHESS_OPF_WRITE);
	if (!pid)
		_exit(0);
	return waitpid(pid, &status, 0) != pid || status;
}

static int run_program(const char *name)
{
	if (!strcmp(name, "good"))
		probe_here(OBJECT, CHESS_OP_UNLOCK, CHESS_OPF_WRITE | CHESS_OPF_RELEASE);
	else if (!strcmp(name, "op zero"))
		probe_here(OBJECT, 0, 0);
	else if (!strcmp(name, "op too large"))
		probe_here(OBJECT, __CHESS_OP_MAX, 0);
	else if (!strcmp(name, "flag"))
		probe_here(OBJECT, CHESS_OP_CUSTOM, CHESS_OPF_MAY_BLOCK);
	else if (!strcmp(name, "call"))
		syscall(SYS_getppid);
	else if (!strcmp(name, "threads"))
		return two_threads();
	else if (!strcmp(name, "abandon"))
		return abandon();
	else if (!strcmp(name, "signal"))
		return signal_thread();
	else if (!strcmp(name, "fork"))
		return in_child();
	else
		return 1;
	return 0;
}

/* --- tests -------------------------------------------------------------- */

struct results {
	int first, second, interrupt, called, switched;
};

FIXTURE(points) {
	struct chess_ctl *ctl;
	struct bpf_object *bpf;
	const struct results *results;
};

static char objects[4096];

/* The programs of probes may call functions of modules since then. */
static bool can_call(void)
{
	unsigned int major, minor;
	struct utsname running;

	uname(&running);
	return sscanf(running.release, "%u.%u", &major, &minor) != 2 ||
	       major * 100 + minor >= 612;
}

FIXTURE_SETUP(points)
{
	struct bpf_map *data;

	if (!can_call())
		SKIP_TEST("BPF programs of probes cannot call a module before Linux 6.12");
	self->ctl = chess_ctl_open();
	ASSERT_NE(NULL, (void *)self->ctl);
	self->bpf = bpf_object__open_file(objects, NULL);
	ASSERT_NE(NULL, (void *)self->bpf);
	ASSERT_EQ(0, bpf_object__load(self->bpf));
	data = bpf_object__find_map_by_name(self->bpf, ".data");
	ASSERT_NE(NULL, (void *)data);
	ASSERT_EQ(sizeof(*self->results), bpf_map__value_size(data));
	self->results = mmap(NULL, sizeof(*self->results), PROT_READ, MAP_SHARED,
			     bpf_map__fd(data), 0);
	ASSERT_NE(MAP_FAILED, (void *)self->results);
}

FIXTURE_TEARDOWN(points)
{
	bpf_object__close(self->bpf);
	chess_ctl_close(self->ctl);
}

static struct bpf_link *attach(struct bpf_object *bpf, const char *name)
{
	struct bpf_program *p = bpf_object__find_program_by_name(bpf, name);
	LIBBPF_OPTS(bpf_uprobe_opts, opts, .func_name = "probe_here");

	return strcmp(name, "here") ? bpf_program__attach(p) :
		bpf_program__attach_uprobe_opts(p, -1, "/proc/self/exe", 0, &opts);
}

/* A runner of this file as --program @name. */
static struct chess_runner *runner(struct chess_ctl *ctl, const char *name)
{
	static char self[4096], *argv[] = { self, "--program", NULL, NULL };
	struct chess_program p = { .argv = argv, .capture = true, .uid = UINT32_MAX,
				   .gid = UINT32_MAX };
	struct chess_runner_opts o = { .sz = sizeof(o) };
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n < 0)
		return NULL;
	self[n] = '\0';
	argv[2] = (char *)name;
	return chess_runner_new(ctl, &p, &o);
}

static int run(struct chess_ctl *ctl, const char *name, struct chess_run_result *res)
{
	struct chess_runner *r = runner(ctl, name);
	int ret = r ? chess_runner_run(r, NULL, 0, NULL, 0, res) : -errno;

	chess_runner_free(r);
	return ret;
}

/* Points of BPF programs in a record; the last of them. */
static size_t count(const struct chess_record *r, const struct chess_event **last)
{
	size_t i, n = 0;

	for (i = 0; i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type != CHESS_EVENT_POINT || !(e->flags & CHESS_OPF_PROBE) || e->nr)
			continue;
		*last = e;
		n++;
	}
	return n;
}

TEST_F(points, a_good_one_is_recorded_and_the_next_is_busy)
{
	struct bpf_link *link = attach(self->bpf, "here");
	const struct chess_event *e = NULL;
	struct chess_run_result res;

	ASSERT_NE(NULL, (void *)link);
	ASSERT_EQ(0, run(self->ctl, "good", &res));
	EXPECT_EQ((unsigned int)CHESS_VERDICT_OK, res.verdict);
	EXPECT_EQ(0, self->results->first);
	EXPECT_EQ(-EBUSY, self->results->second);
	ASSERT_EQ(1u, count(res.record, &e));
	EXPECT_EQ(CHESS_OP_UNLOCK, e->op);
	EXPECT_EQ(CHESS_OPF_WRITE | CHESS_OPF_RELEASE | CHESS_OPF_PROBE | CHESS_OPF_ALONE,
		  e->flags);
	EXPECT_EQ(CHESS_OBJECT_ADDRESS, e->object_kind);
	EXPECT_EQ((uint64_t)OBJECT, e->object);
	EXPECT_EQ(0u, e->caller);
	/* Images of programs begin at a multiple of the page size. */
	EXPECT_EQ((uintptr_t)probe_here & 0xfff, e->ip & 0xfff);
	chess_run_result_clear(&res);
	bpf_link__destroy(link);
}

TEST_F(points, bad_arguments_are_refused)
{
	static const char *const names[] = { "op zero", "op too large", "flag" };
	struct bpf_link *link = attach(self->bpf, "here");
	const struct chess_event *e;
	struct chess_run_result res;
	size_t i;

	ASSERT_NE(NULL, (void *)link);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		ASSERT_EQ(0, run(self->ctl, names[i], &res));
		EXPECT_EQ(-EINVAL, self->results->first);
		EXPECT_EQ(-EINVAL, self->results->second);
		EXPECT_EQ(0u, count(res.record, &e));
		chess_run_result_clear(&res);
	}
	bpf_link__destroy(link);
}

TEST_F(points, tasks_outside_are_told_so)
{
	struct bpf_link *link = attach(self->bpf, "here");

	ASSERT_NE(NULL, (void *)link);
	probe_here(OBJECT, CHESS_OP_CUSTOM, 0);
	EXPECT_EQ(-ESRCH, self->results->first);
	bpf_link__destroy(link);
}

TEST_F(points, interrupts_are_refused)
{
	struct bpf_link *link = attach(self->bpf, "timer");
	int i;

	ASSERT_NE(NULL, (void *)link);
	for (i = 0; i < 200 && self->results->interrupt == 1; i++)
		usleep(10000);
	EXPECT_EQ(-EPERM, self->results->interrupt);
	bpf_link__destroy(link);
}

TEST_F(points, inside_a_call_the_decision_waits_for_its_end)
{
	struct bpf_link *link = attach(self->bpf, "call");
	const struct chess_event *e = NULL;
	struct chess_run_result res;

	ASSERT_NE(NULL, (void *)link);
	ASSERT_EQ(0, run(self->ctl, "call", &res));
	EXPECT_EQ((unsigned int)CHESS_VERDICT_OK, res.verdict);
	EXPECT_EQ(0, self->results->called);
	ASSERT_EQ(1u, count(res.record, &e));
	EXPECT_EQ(CHESS_OP_MEMORY, e->op);
	EXPECT_EQ(0x5150u, e->object);
	chess_run_result_clear(&res);
	bpf_link__destroy(link);
}

/* Each park of a point would make the next one. */
TEST_F(points, the_scheduler_makes_no_points_for_ever)
{
	struct bpf_link *link = attach(self->bpf, "scheduler");
	const struct chess_event *e = NULL;
	struct chess_run_result res;

	ASSERT_NE(NULL, (void *)link);
	ASSERT_EQ(0, run(self->ctl, "threads", &res));
	EXPECT_EQ((unsigned int)CHESS_VERDICT_OK, res.verdict);
	EXPECT_EQ(0, self->results->switched);
	EXPECT_LT(0u, count(res.record, &e));
	chess_run_result_clear(&res);
	bpf_link__destroy(link);
}

TEST_F(points, every_thread_has_its_own)
{
	struct bpf_link *link = attach(self->bpf, "here");
	const struct chess_event *e = NULL;
	struct chess_run_result res;

	ASSERT_NE(NULL, (void *)link);
	ASSERT_EQ(0, run(self->ctl, "threads", &res));
	EXPECT_EQ((unsigned int)CHESS_VERDICT_OK, res.verdict);
	EXPECT_EQ(2u, count(res.record, &e));
	chess_run_result_clear(&res);
	bpf_link__destroy(link);
}

static size_t count_killed(const struct chess_record *r)
{
	size_t i, n = 0;

	for (i = 0; i < chess_record_length(r); i++)
		n += chess_record_event(r, i)->type == CHESS_EVENT_KILLED;
	return n;
}

/*
 * Twenty runs of a program with the same points in all of them; at least @least. @killed
 * tasks die at once; one that does not is given the token some day, and no KILLED event.
 */
static void repeat(struct chess_ctl *ctl, struct bpf_object *bpf, const char *name, size_t least,
		   size_t killed)
{
	struct bpf_link *link = attach(bpf, "here");
	struct chess_runner *r = runner(ctl, name);
	const struct chess_event *e = NULL;
	struct chess_run_result first, res;
	int i;

	ASSERT_NE(NULL, (void *)link);
	ASSERT_NE(NULL, (void *)r);
	ASSERT_EQ(0, chess_runner_run(r, NULL, 0, NULL, 0, &first));
	EXPECT_EQ((unsigned int)CHESS_VERDICT_OK, first.verdict);
	EXPECT_LE(least, count(first.record, &e));
	EXPECT_EQ(killed, count_killed(first.record));
	for (i = 1; i < 20; i++) {
		ASSERT_EQ(0, chess_runner_run(r, NULL, 0, NULL, 0, &res));
		EXPECT_EQ(SIZE_MAX, chess_record_compare(first.record, res.record));
		chess_run_result_clear(&res);
	}
	chess_run_result_clear(&first);
	chess_runner_free(r);
	bpf_link__destroy(link);
}

TEST_F(points, tasks_that_wait_at_one_are_killed_with_their_process)
{
	repeat(self->ctl, self->bpf, "abandon", 2, 2);
}

TEST_F(points, a_signal_is_handled_behind_the_point)
{
	repeat(self->ctl, self->bpf, "signal", 2, 0);
}

TEST_F(points, a_child_has_them_too)
{
	repeat(self->ctl, self->bpf, "fork", 2, 0);
}

int main(int argc, char **argv)
{
	ssize_t n;

	if (argc == 3 && !strcmp(argv[1], "--program"))
		return run_program(argv[2]);
	n = readlink("/proc/self/exe", objects, sizeof(objects) - 32);
	if (n < 0)
		return HARNESS_FAIL;
	objects[n] = '\0';
	strcpy(strrchr(objects, '/') + 1, "returns.bpf.o");
	return harness_main(argc, argv);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control of a service that is running: taken and given back at random moments, by the
 * owner, by the module, and by the end of the owner. The service looks for itself what
 * it notices of that, see service.c.
 *
 * TIMES	attaches of each mode (default 30)
 * SEED		of the moments (default 1)
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "chessctl/chessctl.h"
#include "harness.h"
#include "service.h"

/* Until tasks that run, in a slow VM, are out. */
#define PATIENCE_MS 10000
/* Main thread and workers. Threads of SERVICE_SPAWNER come on top. */
#define TASKS (SERVICE_WORKERS + 1)

FIXTURE(attach) {
	struct service service;
	struct chess_ctl *ctl;
	uint32_t group;
	struct chess_adopted taken;
};

static unsigned int times(void)
{
	const char *text = getenv("TIMES");

	return text ? strtoul(text, NULL, 10) : 30;
}

static void nap_ms(unsigned int ms)
{
	usleep(ms * 1000);
}

static void random_nap(unsigned int most_ms)
{
	usleep(random() % (most_ms * 1000));
}

FIXTURE_SETUP(attach)
{
	const char *seed = getenv("SEED");

	memset(self, 0, sizeof(*self));
	srandom(seed ? strtoul(seed, NULL, 10) : 1);
	service_start(&self->service);
	self->ctl = chess_ctl_open();
	ASSERT_TRUE(self->ctl);
	ASSERT_EQ(0, chess_group_new(self->ctl, 20000, 0, &self->group));
}

FIXTURE_TEARDOWN(attach)
{
	if (self->group)
		chess_group_del(self->ctl, self->group);
	chess_ctl_close(self->ctl);
	service_end(&self->service);
}

/* Threads look at their processors: not while they are under control. */
static void look(struct attach_fixture *self, bool on)
{
	if ((self->service.page->check & 1) != on)
		self->service.page->check++;
}

/* The service runs our program: its files are ours. */
static int add_traps(struct chess_ctl *ctl, uint32_t group)
{
	static char **files;
	char **f;
	int n = 0, ret;

	if (!files)
		files = chess_symbols_files("/proc/self/exe");
	for (f = files; f && *f; f++) {
		ret = chess_probe_add_file(ctl, group, *f);
		if (ret < 0)
			return ret;
		n += ret;
	}
	return n;
}

static int adopt(struct attach_fixture *self, pid_t pid, const struct chess_adopt_opts *o,
		 const struct chess_plan *plan)
{
	static const struct chess_plan none;
	int ret = chess_plan_set(self->ctl, self->group, plan ? plan : &none);

	if (!ret)
		ret = chess_run_start(self->ctl, self->group, 0, 1, NULL, 0);
	if (!ret)
		ret = chess_task_adopt(self->ctl, self->group, pid, o, &self->taken);
	return ret;
}

static bool wait_idle(struct chess_ctl *ctl, uint32_t group)
{
	struct chess_group_info info;
	int i;

	for (i = 0; i < PATIENCE_MS; i++) {
		if (chess_group_get(ctl, group, &info))
			return true;
		if (info.state == CHESS_GROUP_STATE_IDLE)
			return true;
		nap_ms(1);
	}
	TH_LOG("%u tasks are still in group %u", info.tasks, group);
	return false;
}

/* Everything is as it was: nothing was interrupted, lost, or left where it does not belong. */
static void expect_unharmed(struct attach_fixture *self, unsigned int rounds)
{
	struct service_page *page = self->service.page;

	look(self, true);
	EXPECT_TRUE(service_goes_on(&self->service, rounds));
	EXPECT_TRUE(service_request(&self->service, 4711));
	EXPECT_EQ(0UL, page->eintr);
	EXPECT_EQ(0UL, page->lost);
	EXPECT_EQ(0UL, page->moved);
}

static const struct chess_plan by_default;
/*
 * Where all threads are to go on. By the default policy the last ones wait while the first ones
 * are busy, which may be for ever where a nap is over before all others had their turn.
 */
static const struct chess_plan in_turn = { .policy = CHESS_POLICY_KIND_ROUND_ROBIN };

static void begin_control(struct attach_fixture *self, uint32_t flags,
			  const struct chess_plan *plan)
{
	const struct chess_adopt_opts o = { .sz = sizeof(o), .flags = flags };
	int ret;

	look(self, false);
	ret = adopt(self, self->service.pid, &o, plan);
	if (ret)
		TH_LOG("%s", chess_error());
	ASSERT_EQ(0, ret);
	EXPECT_GE(self->taken.taken, (uint32_t)TASKS);
}

static void end_control(struct attach_fixture *self)
{
	int ret = chess_run_stop(self->ctl, self->group, 0);

	/* -ENOENT: the module let go before. */
	EXPECT_TRUE(!ret || ret == -ENOENT);
	ASSERT_TRUE(wait_idle(self->ctl, self->group));
}

/* The service goes on under control, every thread of it. */
TEST_F(attach, works_under_control)
{
	struct chess_group_info info;
	struct chess_record *r;
	size_t i, points[TASKS] = { 0 };
	unsigned int n;

	begin_control(self, 0, &in_turn);
	EXPECT_TRUE(service_goes_on(&self->service, 5));
	for (n = 0; n < 20; n++)
		EXPECT_TRUE(service_request(&self->service, n));
	ASSERT_EQ(0, chess_group_get(self->ctl, self->group, &info));
	EXPECT_EQ((uint32_t)self->service.pid, info.adopted);
	EXPECT_EQ((uint32_t)CHESS_GROUP_STATE_RUNNING, info.state);
	end_control(self);
	r = chess_record_get(self->ctl, self->group);
	ASSERT_TRUE(r);
	for (i = 0; i < chess_record_length(r); i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type == CHESS_EVENT_POINT && e->task < TASKS)
			points[e->task]++;
	}
	/* T0 waits in a join, the last one in its read; all others had points. */
	for (i = 1; i + 1 < TASKS; i++)
		EXPECT_LT(0UL, points[i]);
	chess_record_free(r);
	expect_unharmed(self, 20);
}

static void attach_at_random(struct attach_fixture *self, uint32_t flags,
			     const struct chess_plan *plan)
{
	unsigned int i;

	for (i = 0; i < times(); i++) {
		random_nap(20);
		begin_control(self, flags, plan);
		random_nap(i % 4 ? 20 : 80);
		if (i % 2)
			EXPECT_TRUE(service_request(&self->service, i));
		end_control(self);
		expect_unharmed(self, 2);
	}
}

TEST_F(attach, default_policy)
{
	attach_at_random(self, 0, &by_default);
}

TEST_F(attach, random_policy)
{
	struct chess_plan plan = { .policy = CHESS_POLICY_KIND_RANDOM, .seed = 7 };

	attach_at_random(self, 0, &plan);
}

TEST_F(attach, pct_policy)
{
	uint32_t changes[] = { 100, 1000 };
	struct chess_plan plan = {
		.policy = CHESS_POLICY_KIND_PCT, .seed = 7, .changes = changes, .n_changes = 2,
	};

	attach_at_random(self, 0, &plan);
}

/* Instructions of the service that are not those of its files; -1: it cannot be known. */
static long text_differs(pid_t pid)
{
	char path[64], line[512], name[256], flags[8];
	unsigned long start, end, offset, differ = 0, i;
	static char have[65536], want[65536];
	FILE *maps;
	int mem, fd;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "re");
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	mem = open(path, O_RDONLY | O_CLOEXEC);
	if (!maps || mem < 0)
		return -1;
	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %255s", &start, &end, flags, &offset,
			   name) != 5 || flags[2] != 'x' || name[0] != '/')
			continue;
		fd = open(name, O_RDONLY | O_CLOEXEC);
		for (; fd >= 0 && start < end; start += sizeof(have), offset += sizeof(have)) {
			ssize_t n = pread(mem, have, sizeof(have), start);

			if (n <= 0 || pread(fd, want, n, offset) != n)
				continue;
			for (i = 0; i < (size_t)n && i < end - start; i++)
				differ += have[i] != want[i];
		}
		close(fd);
	}
	fclose(maps);
	close(mem);
	return differ;
}

static unsigned int count_mappings(pid_t pid)
{
	char path[64], line[512];
	unsigned int n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		n++;
	if (f)
		fclose(f);
	return n;
}

/* Traps in libraries that threads are executing, and out again. */
TEST_F(attach, sync_points)
{
	struct chess_group_info info;
	unsigned int trapped = 0;
	struct chess_record *r;
	size_t i;

	EXPECT_LT(50, add_traps(self->ctl, self->group));
	/* A vfork of the service that is under way keeps all traps out, and is over soon. */
	for (i = 0; i < 20; i++) {
		begin_control(self, 0, &in_turn);
		ASSERT_EQ(0, chess_group_get(self->ctl, self->group, &info));
		if (!info.lost)
			break;
		EXPECT_EQ(0, text_differs(self->service.pid));
		end_control(self);
	}
	ASSERT_EQ(0U, info.lost);
	EXPECT_TRUE(service_goes_on(&self->service, 5));
	EXPECT_LT(0, text_differs(self->service.pid));
	end_control(self);
	EXPECT_EQ(0, text_differs(self->service.pid));
	r = chess_record_get(self->ctl, self->group);
	ASSERT_TRUE(r);
	for (i = 0; i < chess_record_length(r); i++)
		trapped += !!(chess_record_event(r, i)->flags & CHESS_OPF_PROBE);
	EXPECT_LT(100U, trapped);
	chess_record_free(r);
	expect_unharmed(self, 5);
}

TEST_F(attach, sync_points_at_random)
{
	struct chess_plan plan = { .policy = CHESS_POLICY_KIND_RANDOM, .seed = 7 };
	unsigned int before;

	EXPECT_LT(50, add_traps(self->ctl, self->group));
	begin_control(self, 0, &in_turn);
	EXPECT_TRUE(service_goes_on(&self->service, 1));
	end_control(self);
	before = count_mappings(self->service.pid);
	attach_at_random(self, 0, &plan);
	EXPECT_EQ(0, text_differs(self->service.pid));
	/* Slots are used again. A thread's stack more or less, as they come and go. */
	EXPECT_LE(count_mappings(self->service.pid), before + 6);
}

TEST_F(attach, sync_points_follow)
{
	self->service.page->follow = 1;
	EXPECT_LT(50, add_traps(self->ctl, self->group));
	attach_at_random(self, CHESS_ADOPT_FLAGS_FOLLOW, &by_default);
	EXPECT_EQ(0, text_differs(self->service.pid));
}

TEST_F(attach, follow)
{
	self->service.page->follow = 1;
	attach_at_random(self, CHESS_ADOPT_FLAGS_FOLLOW | CHESS_ADOPT_FLAGS_TREE, &by_default);
}

/* The owner is killed somewhere: before, while, or long after it takes control. */
TEST_F(attach, owner_is_killed)
{
	struct chess_group_info *groups;
	unsigned int i, tries;
	int n;

	for (i = 0; i < times(); i++) {
		pid_t owner;

		look(self, false);
		owner = fork();

		if (!owner) {
			const struct chess_adopt_opts o = { .sz = sizeof(o) };

			self->ctl = chess_ctl_open();
			/* Traps in every other one. */
			if (chess_group_new(self->ctl, 20000, 0, &self->group) ||
			    (i % 2 && add_traps(self->ctl, self->group) < 0) ||
			    adopt(self, self->service.pid, &o, NULL))
				_exit(1);
			pause();
		}
		random_nap(60);
		kill(owner, SIGKILL);
		waitpid(owner, NULL, 0);
		/* Ours is left. */
		for (tries = 0; tries < PATIENCE_MS; tries++) {
			n = chess_group_list(self->ctl, &groups);
			free(groups);
			if (n <= 1)
				break;
			nap_ms(1);
		}
		EXPECT_EQ(1, n);
		expect_unharmed(self, 2);
	}
}

static uint32_t wait_let_go(struct attach_fixture *self)
{
	struct chess_run_notice n;

	do {
		if (chess_notice_wait(self->ctl, PATIENCE_MS, &n))
			return 0;
	} while (n.notice != CHESS_NOTICE_LET_GO);
	return n.seq;
}

/* One runs for longer than others may be held, and its quantum is longer than that. */
TEST_F(attach, held_for_too_long)
{
	const struct chess_adopt_opts o = { .sz = sizeof(o), .max_stall_ms = 300 };

	chess_group_del(self->ctl, self->group);
	ASSERT_EQ(0, chess_group_new(self->ctl, 60000000, 0, &self->group));
	look(self, false);
	ASSERT_EQ(0, adopt(self, self->service.pid, &o, NULL));
	EXPECT_TRUE(service_goes_on(&self->service, 2));
	self->service.page->crunch_ms = 2000;
	EXPECT_EQ((uint32_t)CHESS_LET_GO_REASON_STALL, wait_let_go(self));
	ASSERT_TRUE(wait_idle(self->ctl, self->group));
	self->service.page->crunch_ms = 0;
	expect_unharmed(self, 5);
}

/* Each request is a sign of life; then there are none. */
TEST_F(attach, owner_is_silent)
{
	const struct chess_adopt_opts o = { .sz = sizeof(o), .heartbeat_ms = 1000 };
	struct chess_group_info info;
	int i;

	look(self, false);
	ASSERT_EQ(0, adopt(self, self->service.pid, &o, NULL));
	for (i = 0; i < 30; i++) {
		nap_ms(100);
		ASSERT_EQ(0, chess_group_get(self->ctl, self->group, &info));
	}
	EXPECT_EQ((uint32_t)CHESS_GROUP_STATE_RUNNING, info.state);
	EXPECT_EQ((uint32_t)CHESS_LET_GO_REASON_SILENCE, wait_let_go(self));
	ASSERT_TRUE(wait_idle(self->ctl, self->group));
	ASSERT_EQ(0, chess_group_get(self->ctl, self->group, &info));
	EXPECT_EQ((uint32_t)CHESS_LET_GO_REASON_SILENCE, info.let_go);
	expect_unharmed(self, 5);
}

/* While one runs without a call, most of the others could. */
TEST_F(attach, slows_down_too_much)
{
	const struct chess_adopt_opts o = { .sz = sizeof(o), .max_slowdown = 300 };

	look(self, false);
	self->service.page->crunch_ms = 500;
	ASSERT_EQ(0, adopt(self, self->service.pid, &o, NULL));
	EXPECT_EQ((uint32_t)CHESS_LET_GO_REASON_SLOWDOWN, wait_let_go(self));
	self->service.page->crunch_ms = 0;
	ASSERT_TRUE(wait_idle(self->ctl, self->group));
	expect_unharmed(self, 5);
}

/* A stop and its end go their way under control. (Whoever is stopped sees EINTR.) */
TEST_F(attach, is_stopped_and_continued)
{
	struct service_page *page = self->service.page;
	unsigned long rounds;
	int i;

	for (i = 0; i < 3; i++) {
		begin_control(self, 0, &in_turn);
		random_nap(20);
		kill(self->service.pid, SIGSTOP);
		nap_ms(100);
		rounds = page->rounds[SERVICE_SLEEPER];
		nap_ms(50);
		EXPECT_EQ(rounds, page->rounds[SERVICE_SLEEPER]);
		if (i == 1)
			end_control(self);
		kill(self->service.pid, SIGCONT);
		EXPECT_TRUE(service_goes_on(&self->service, 2));
		if (i != 1)
			end_control(self);
	}
	page->eintr = 0;
	page->lost = 0;
	expect_unharmed(self, 5);
}

/* It ends under control, by a fatal signal. */
TEST_F(attach, is_killed)
{
	struct chess_group_info info;

	begin_control(self, 0, &in_turn);
	nap_ms(20);
	kill(self->service.pid, SIGKILL);
	ASSERT_TRUE(wait_idle(self->ctl, self->group));
	ASSERT_EQ(0, chess_group_get(self->ctl, self->group, &info));
	EXPECT_EQ(0U, info.tasks);
}

static void *rest(void *arg)
{
	for (;;)
		pause();
	return arg;
}

/* With one thread more, and a child of its own that has one too. Says who is there. */
static void become_family(int fd)
{
	pthread_t thread;
	pid_t pid;

	fork();
	pid = getpid();
	if (pthread_create(&thread, NULL, rest, NULL) || write(fd, &pid, sizeof(pid)) < 0)
		_exit(1);
	rest(NULL);
}

/* Who has @task as its own, as the record says, and how. */
static void expect_maker(const struct chess_record *r, uint16_t task, uint16_t maker, uint8_t how)
{
	/* Three were there beside the first. */
	const struct chess_event *e = chess_record_event(r, task - 1);

	EXPECT_EQ(CHESS_EVENT_SPAWN, e->type);
	EXPECT_EQ((uint64_t)task, e->object);
	EXPECT_EQ(maker, e->task);
	EXPECT_EQ(how, e->op);
}

/* A process with the child it has; each has two threads. */
TEST_F(attach, with_descendants)
{
	const struct chess_adopt_opts o = { .sz = sizeof(o), .flags = CHESS_ADOPT_FLAGS_TREE };
	pid_t child, pid[2];
	struct chess_record *r;
	int pipe_fd[2], i;

	ASSERT_EQ(0, pipe(pipe_fd));
	child = fork();
	if (!child)
		become_family(pipe_fd[1]);
	for (i = 0; i < 2; i++)
		ASSERT_EQ((ssize_t)sizeof(pid[i]), read(pipe_fd[0], &pid[i], sizeof(pid[i])));
	ASSERT_EQ(0, adopt(self, child, &o, NULL));
	EXPECT_EQ(4U, self->taken.taken);
	end_control(self);
	r = chess_record_get(self->ctl, self->group);
	ASSERT_TRUE(r && chess_record_length(r) >= 3);
	expect_maker(r, 1, 0, CHESS_OP_CREATE);
	expect_maker(r, 2, 0, CHESS_OP_FORK);
	expect_maker(r, 3, 2, CHESS_OP_CREATE);
	chess_record_free(r);
	for (i = 0; i < 2; i++)
		kill(pid[i], SIGKILL);
	waitpid(child, NULL, 0);
	close(pipe_fd[0]);
	close(pipe_fd[1]);
}

/* Runs on in a child that has its memory, until somebody closes the other end of @go. */
static void become_parent_of_vfork(int told, int go)
{
	char byte = 0;
	pid_t pid = vfork();

	if (!pid) {
		if (write(told, &byte, 1) == 1)
			while (read(go, &byte, 1) > 0)
				;
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	_exit(0);
}

/* Traps would kill the child of a vfork: there are none. A later process changes nothing. */
TEST_F(attach, no_traps_in_memory_of_others)
{
	const struct chess_adopt_opts o = { .sz = sizeof(o) };
	struct chess_group_info info;
	int told[2], go[2], status = -1;
	pid_t parent, later;
	char byte;

	ASSERT_EQ(0, pipe(told));
	ASSERT_EQ(0, pipe(go));
	parent = fork();
	if (!parent) {
		close(go[1]);
		become_parent_of_vfork(told[1], go[0]);
	}
	ASSERT_EQ((ssize_t)1, read(told[0], &byte, 1));
	later = fork();
	if (!later) {
		close(go[1]);
		pause();
	}
	EXPECT_LT(50, add_traps(self->ctl, self->group));
	EXPECT_EQ(0, adopt(self, parent, &o, NULL));
	ASSERT_EQ(0, chess_group_get(self->ctl, self->group, &info));
	EXPECT_LT(50U, info.lost);
	end_control(self);
	close(go[1]);
	ASSERT_EQ(parent, waitpid(parent, &status, 0));
	EXPECT_EQ(0, status);
	kill(later, SIGKILL);
	waitpid(later, NULL, 0);
	close(go[0]);
	close(told[0]);
	close(told[1]);
}

/* Refused, with these words, and nothing is changed. */
static void refused(struct attach_fixture *self, pid_t pid, uint32_t flags, int error,
		    const char *words)
{
	const struct chess_adopt_opts o = { .sz = sizeof(o), .flags = flags };
	struct chess_group_info info;

	EXPECT_EQ(error, adopt(self, pid, &o, NULL));
	if (!strstr(chess_error(), words))
		TH_LOG("'%s' instead of '%s'", chess_error(), words);
	EXPECT_TRUE(strstr(chess_error(), words));
	ASSERT_EQ(0, chess_group_get(self->ctl, self->group, &info));
	EXPECT_EQ(0U, info.tasks);
	EXPECT_EQ(0, chess_run_stop(self->ctl, self->group, 0));
	ASSERT_TRUE(wait_idle(self->ctl, self->group));
}

static pid_t kernel_thread(void)
{
	char name[32] = "";
	FILE *f = fopen("/proc/2/comm", "re");

	if (f && fgets(name, sizeof(name), f))
		name[strcspn(name, "\n")] = 0;
	if (f)
		fclose(f);
	return strcmp(name, "kthreadd") ? 0 : 2;
}

TEST_F(attach, refuses_what_is_no_process)
{
	pid_t zombie = fork();
	siginfo_t ended;

	if (!zombie)
		_exit(0);
	ASSERT_EQ(0, waitid(P_PID, zombie, &ended, WEXITED | WNOWAIT));
	refused(self, zombie, 0, -ESRCH, "has ended");
	waitpid(zombie, NULL, 0);
	refused(self, zombie, 0, -ESRCH, "no task with this pid");
	if (kernel_thread())
		refused(self, kernel_thread(), 0, -EINVAL, "thread of the kernel");
	refused(self, 1, 0, -EINVAL, "first process");
	refused(self, getpid(), 0, -EINVAL, "control of itself");
	/* We are an ancestor of the service, and a descendant of our parent. */
	if (getppid() > 1)
		refused(self, getppid(), CHESS_ADOPT_FLAGS_TREE, -EINVAL, "control of itself");
	expect_unharmed(self, 2);
}

/* Others than us ended calls with EINTR. Each thread notices when it has its turn. */
static void forget_interruptions(struct attach_fixture *self)
{
	struct service_page *page = self->service.page;
	unsigned int turns = 0;

	do {
		page->eintr = 0;
		page->lost = 0;
		nap_ms(200);
	} while ((page->eintr || page->lost) && ++turns < 20);
}

TEST_F(attach, refuses_what_is_traced)
{
	pid_t tid = self->service.page->tids[SERVICE_SLEEPER];
	int status;

	ASSERT_EQ(0L, ptrace(PTRACE_SEIZE, tid, 0, 0));
	refused(self, self->service.pid, 0, -EBUSY, "being traced");
	ASSERT_EQ(0L, ptrace(PTRACE_INTERRUPT, tid, 0, 0));
	ASSERT_EQ(tid, waitpid(tid, &status, __WALL));
	ASSERT_EQ(0L, ptrace(PTRACE_DETACH, tid, 0, 0));
	forget_interruptions(self);
	expect_unharmed(self, 2);
}

TEST_F(attach, refuses_what_is_controlled)
{
	struct attach_fixture other = *self;
	uint32_t mine = self->group;

	begin_control(self, 0, &in_turn);
	ASSERT_EQ(0, chess_group_new(self->ctl, 0, 0, &other.group));
	refused(&other, self->service.pid, 0, -EEXIST, "under control already");
	chess_group_del(self->ctl, other.group);
	self->group = mine;
	EXPECT_TRUE(service_goes_on(&self->service, 2));
	end_control(self);
	expect_unharmed(self, 2);
}

static bool put(const char *dir, const char *file, const char *text)
{
	char path[128];
	FILE *f;
	bool good;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	f = fopen(path, "we");
	good = f && fputs(text, f) >= 0;
	return f && !fclose(f) && good;
}

TEST_F(attach, refuses_what_is_frozen)
{
	const char *dir = "/sys/fs/cgroup/chess-attach";
	char pid[16];

	if (mkdir(dir, 0755) && errno != EEXIST)
		SKIP_TEST("no cgroup2 at /sys/fs/cgroup");
	snprintf(pid, sizeof(pid), "%d", self->service.pid);
	if (!put(dir, "cgroup.procs", pid) || !put(dir, "cgroup.freeze", "1"))
		SKIP_TEST("no cgroup2 freezer");
	nap_ms(100);
	refused(self, self->service.pid, 0, -EBUSY, "frozen");
	EXPECT_TRUE(put(dir, "cgroup.freeze", "0"));
	EXPECT_TRUE(put("/sys/fs/cgroup", "cgroup.procs", pid));
	forget_interruptions(self);
	expect_unharmed(self, 2);
	rmdir(dir);
}

/* Another user's process, for a user without privilege. */
TEST_F(attach, refuses_what_is_not_ours)
{
	int status, fd = open("/sys/module/chess/parameters/unprivileged", O_WRONLY | O_CLOEXEC);
	pid_t pid;

	ASSERT_EQ(1, write(fd, "1", 1));
	close(fd);
	pid = fork();
	if (!pid) {
		const struct chess_adopt_opts o = { .sz = sizeof(o) };
		int ret;

		if (setgid(65534) || setuid(65534))
			_exit(2);
		self->ctl = chess_ctl_open();
		ret = chess_group_new(self->ctl, 0, 0, &self->group);
		if (!ret)
			ret = adopt(self, self->service.pid, &o, NULL);
		_exit(ret == -EPERM && strstr(chess_error(), "ptrace rights") ? 0 : 1);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	expect_unharmed(self, 2);
}

/* What a service that goes on must not be done to, and what makes no sense. */
TEST_F(attach, refuses_requests)
{
	const struct chess_adopt_opts o = { .sz = sizeof(o) };
	struct chess_adopted taken;

	EXPECT_EQ(-EBUSY, chess_task_adopt(self->ctl, self->group, self->service.pid, &o, &taken));
	ASSERT_EQ(0, chess_run_start(self->ctl, self->group, CHESS_RUN_FLAGS_VIRTUAL_TIME, 1,
				     NULL, 0));
	EXPECT_EQ(-EINVAL, chess_task_adopt(self->ctl, self->group, self->service.pid, &o, &taken));
	EXPECT_TRUE(strstr(chess_error(), "keeps its time"));
	EXPECT_EQ(0, chess_run_stop(self->ctl, self->group, 0));
	begin_control(self, 0, &in_turn);
	EXPECT_EQ(-EINVAL, chess_run_stop(self->ctl, self->group, CHESS_STOP_FLAGS_KILL));
	EXPECT_TRUE(strstr(chess_error(), "not killed"));
	EXPECT_EQ(-EBUSY, chess_task_adopt(self->ctl, self->group, self->service.pid, &o, &taken));
	end_control(self);
	expect_unharmed(self, 2);
}

TEST_HARNESS_MAIN

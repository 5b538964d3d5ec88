// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the library promises of a program's surroundings: the same pids and the same
 * output in every run along one schedule, whatever the run before left behind; and
 * a /tmp, a working directory and a network of its own where they are asked for.
 * Needs root and the module. The programs under control are this file again, as
 * --program NAME. COUNT: runs of the first test (default 20).
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <net/if.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "chessctl/chessctl.h"
#include "../harness.h"

/* --- programs ------------------------------------------------------------ */

/* Its pid, its child's, and what it sees of others. */
static int show_pids(void)
{
	pid_t child;

	printf("%d %d", getpid(), getppid());
	fflush(stdout);
	child = fork();
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	printf(" %d\n", child);
	return 0;
}

/* Leaves a zombie, a sleeper in a session of its own, and the sleeper's child. */
static int leave_orphans(void)
{
	if (!fork())
		_exit(0);
	if (!fork()) {
		setsid();
		if (!fork())
			usleep(20000);
		else
			usleep(10000);
		printf("orphan %d\n", getppid());
		fflush(stdout);
		_exit(0);
	}
	return 3;
}

static int wait_for_ever(void)
{
	int fd[2];
	char c;

	fork();
	return pipe(fd) || read(fd[0], &c, 1) < 0;
}

/* Is there a mark where the environment says? Then leave one. */
static int use_mark(const char *path)
{
	int there = access(path, F_OK) == 0;
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	printf("%s mark, %s\n", there ? "a" : "no",
	       fd >= 0 && access(path, F_OK) == 0 ? "left one" : "left none");
	return 0;
}

static int use_network(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(7) };
	struct if_nameindex *names = if_nameindex(), *i;
	int listener = socket(AF_INET, SOCK_STREAM, 0), peer = socket(AF_INET, SOCK_STREAM, 0);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	for (i = names; i && i->if_index; i++)
		printf("%s ", i->if_name);
	printf("%d\n", bind(listener, (void *)&a, sizeof(a)) || listen(listener, 1) ||
	       connect(peer, (void *)&a, sizeof(a)));
	return 0;
}

static int program(const char *name, const char *arg)
{
	if (!strcmp(name, "pids"))
		return show_pids();
	if (!strcmp(name, "orphans"))
		return leave_orphans();
	if (!strcmp(name, "for-ever"))
		return wait_for_ever();
	if (!strcmp(name, "mark"))
		return use_mark(arg);
	if (!strcmp(name, "network"))
		return use_network();
	if (!strcmp(name, "term"))
		return raise(SIGTERM);
	return 2;
}

/* --- tests --------------------------------------------------------------- */

FIXTURE(runner) {
	struct chess_ctl *ctl;
	struct chess_runner *runner;
	struct chess_run_result result;
	struct chess_runner_opts opts;
	char *argv[5];
	char self[PATH_MAX];
	char dir[32];
};

FIXTURE_SETUP(runner)
{
	ssize_t n = readlink("/proc/self/exe", self->self, sizeof(self->self) - 1);

	ASSERT_LT(0, n);
	self->ctl = chess_ctl_open();
	if (!self->ctl)
		SKIP_TEST("%s", chess_error());
	self->opts = (struct chess_runner_opts){ .sz = sizeof(self->opts) };
	strcpy(self->dir, "/tmp/inputs_test.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->dir));
	ASSERT_EQ(0, chmod(self->dir, 0755));
}

FIXTURE_TEARDOWN(runner)
{
	char mark[64];

	chess_run_result_clear(&self->result);
	chess_runner_free(self->runner);
	if (self->ctl)
		chess_ctl_close(self->ctl);
	snprintf(mark, sizeof(mark), "%s/mark", self->dir);
	unlink(mark);
	rmdir(self->dir);
	/* The library leaves no process behind. */
	EXPECT_EQ(-1, waitpid(-1, NULL, WNOHANG));
}

static void open_runner(struct runner_fixture *self, const char *name, const char *arg,
			const char *cwd)
{
	struct chess_program p = { .argv = self->argv, .cwd = cwd, .capture = true,
				   .uid = UINT32_MAX, .gid = UINT32_MAX };

	chess_runner_free(self->runner);
	self->argv[0] = self->self;
	self->argv[1] = (char *)"--program";
	self->argv[2] = (char *)name;
	self->argv[3] = (char *)arg;
	self->runner = chess_runner_new(self->ctl, &p, &self->opts);
	if (!self->runner)
		TH_LOG("%s", chess_error());
	ASSERT_NE(NULL, self->runner);
}

static void run(struct runner_fixture *self)
{
	int ret;

	chess_run_result_clear(&self->result);
	ret = chess_runner_run(self->runner, NULL, 0, NULL, 0, &self->result);
	if (ret)
		TH_LOG("%s", chess_error());
	ASSERT_EQ(0, ret);
}

/* Two outputs are long; the first line that differs is what matters. */
static bool same_lines(const char *a, const char *b)
{
	size_t n, m;

	while (a && b && (*a || *b)) {
		n = strcspn(a, "\n");
		m = strcspn(b, "\n");
		if (n != m || strncmp(a, b, n)) {
			TH_LOG("'%.*s' in the first run, '%.*s' now", (int)n, a, (int)m, b);
			return false;
		}
		a += n + (a[n] == '\n');
		b += m + (b[m] == '\n');
	}
	return a && b;
}

#define EXPECT_PIDS(self) do {						\
	open_runner(self, "pids", NULL, NULL);				\
	run(self);							\
	EXPECT_STREQ("2 0 3\n", (self)->result.out);			\
} while (0)

HARNESS_REGISTER(test_same_output_along_a_schedule, "same_output_along_a_schedule", 300)
static void test_same_output_along_a_schedule(void)
{
	struct chess_runner_opts o = { .sz = sizeof(o), .sync_points = true };
	const char *count = getenv("COUNT");
	char path[PATH_MAX];
	char *argv[] = { path, NULL };
	struct chess_program p = { .argv = argv, .cwd = "/tmp", .capture = true,
				   .uid = UINT32_MAX, .gid = UINT32_MAX };
	struct chess_run_result first, again;
	struct chess_schedule *prefix;
	struct chess_runner *r;
	struct chess_ctl *ctl = chess_ctl_open();
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	int i;

	if (!ctl)
		SKIP_TEST("%s", chess_error());
	ASSERT_LT(0, n);
	path[n] = '\0';
	strcpy(strrchr(path, '/'), "/inputs_show");
	r = chess_runner_new(ctl, &p, &o);
	ASSERT_NE(NULL, r);
	ASSERT_EQ(0, chess_runner_run(r, NULL, 0, NULL, 0, &first));
	prefix = chess_record_schedule(first.record);
	for (i = 0; i < (count ? atoi(count) : 20); i++) {
		ASSERT_EQ(0, chess_runner_run(r, prefix, chess_schedule_length(prefix), NULL, 0,
					      &again));
		EXPECT_TRUE(again.verdict == CHESS_VERDICT_OK);
		EXPECT_TRUE(same_lines(first.out, again.out));
		EXPECT_EQ(SIZE_MAX, chess_record_compare(first.record, again.record));
		chess_run_result_clear(&again);
	}
	chess_run_result_clear(&first);
	chess_schedule_free(prefix);
	chess_runner_free(r);
	chess_ctl_close(ctl);
}

TEST_F(runner, pids_are_the_same_in_every_run)
{
	int i;

	EXPECT_PIDS(self);
	EXPECT_EQ(NULL, chess_runner_missing(self->runner));
	for (i = 0; i < 5; i++) {
		/* Somebody else takes pids meanwhile. */
		if (!fork())
			_exit(0);
		wait(NULL);
		run(self);
		EXPECT_STREQ("2 0 3\n", self->result.out);
	}
}

TEST_F(runner, pids_can_be_those_of_the_system)
{
	self->opts.host_pids = true;
	open_runner(self, "pids", NULL, NULL);
	run(self);
	ASSERT_NE(NULL, self->result.out);
	EXPECT_LT(2, atoi(self->result.out));
	EXPECT_EQ(getpid(), atoi(strchr(self->result.out, ' ')));
}

/* They are of the group: the run lasts until they end, and they have got pid 1. */
TEST_F(runner, orphans_are_waited_for)
{
	int i;

	open_runner(self, "orphans", NULL, NULL);
	for (i = 0; i < 3; i++) {
		run(self);
		EXPECT_TRUE(self->result.verdict == CHESS_VERDICT_EXIT);
		EXPECT_EQ(3, WEXITSTATUS(self->result.status));
		ASSERT_NE(NULL, self->result.out);
		EXPECT_NE(NULL, strstr(self->result.out, "orphan 1\n"));
	}
	EXPECT_PIDS(self);
}

TEST_F(runner, a_killed_run_leaves_nothing)
{
	open_runner(self, "for-ever", NULL, NULL);
	run(self);
	EXPECT_TRUE(self->result.verdict == CHESS_VERDICT_DEADLOCK);
	EXPECT_EQ((size_t)2, self->result.n_waits);
	run(self);
	EXPECT_TRUE(self->result.verdict == CHESS_VERDICT_DEADLOCK);
	EXPECT_PIDS(self);
}

/* As pid 1 it would not die. */
TEST_F(runner, signals_have_their_default_action)
{
	open_runner(self, "term", NULL, NULL);
	run(self);
	ASSERT_TRUE(WIFSIGNALED(self->result.status));
	EXPECT_EQ(SIGTERM, WTERMSIG(self->result.status));
}

TEST_F(runner, first_process_may_be_killed)
{
	char path[64], text[64] = "";
	int fd;

	EXPECT_PIDS(self);
	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ASSERT_LT(0, read(fd, text, sizeof(text) - 1));
	close(fd);
	ASSERT_LT(1, atoi(text));
	ASSERT_EQ(0, kill(atoi(text), SIGKILL));
	usleep(100000);
	run(self);
	EXPECT_STREQ("2 0 3\n", self->result.out);
}

TEST_F(runner, tmp_is_private)
{
	struct stat st;
	int i;

	if (!strncmp(self->self, "/tmp/", 5))
		SKIP_TEST("this program is in /tmp, which is what is hidden");
	self->opts.private_tmp = true;
	open_runner(self, "mark", "/tmp/inputs_test.mark", "/");
	for (i = 0; i < 2; i++) {
		run(self);
		EXPECT_STREQ("no mark, left one\n", self->result.out);
		EXPECT_EQ(-1, stat("/tmp/inputs_test.mark", &st));
	}
}

/* A working directory in /tmp stays the one it is. */
TEST_F(runner, tmp_keeps_the_working_directory)
{
	struct stat st;
	char mark[64];

	if (!strncmp(self->self, "/tmp/", 5))
		SKIP_TEST("this program is in /tmp, which is what is hidden");
	self->opts.private_tmp = true;
	open_runner(self, "mark", "mark", self->dir);
	run(self);
	EXPECT_STREQ("no mark, left one\n", self->result.out);
	snprintf(mark, sizeof(mark), "%s/mark", self->dir);
	EXPECT_EQ(0, stat(mark, &st));
	run(self);
	EXPECT_STREQ("a mark, left one\n", self->result.out);
}

TEST_F(runner, overlay_takes_what_is_written)
{
	struct stat st;
	char mark[64];
	int i, fd;

	snprintf(mark, sizeof(mark), "%s/mark", self->dir);
	self->opts.overlay = true;
	open_runner(self, "mark", mark, self->dir);
	for (i = 0; i < 2; i++) {
		run(self);
		EXPECT_STREQ("no mark, left one\n", self->result.out);
		EXPECT_EQ(-1, stat(mark, &st));
	}
	/* What was there before is seen. */
	fd = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	ASSERT_LE(0, fd);
	close(fd);
	run(self);
	EXPECT_STREQ("a mark, left one\n", self->result.out);
}

TEST_F(runner, network_is_loopback_only)
{
	int i;

	self->opts.no_network = true;
	open_runner(self, "network", NULL, NULL);
	for (i = 0; i < 3; i++) {
		run(self);
		EXPECT_STREQ("lo 0\n", self->result.out);
	}
}

TEST_F(runner, all_of_it_with_the_pids)
{
	int i;

	if (!strncmp(self->self, "/tmp/", 5))
		SKIP_TEST("this program is in /tmp, which is what is hidden");
	self->opts.private_tmp = self->opts.overlay = self->opts.no_network = true;
	open_runner(self, "pids", NULL, self->dir);
	for (i = 0; i < 3; i++) {
		run(self);
		EXPECT_STREQ("2 0 3\n", self->result.out);
	}
}

/* Without the right a run is as good as it can be, and the reason is given. */
TEST_F(runner, an_ordinary_user_is_told)
{
	int fd = open("/sys/module/chess/parameters/unprivileged", O_WRONLY | O_CLOEXEC);

	ASSERT_EQ(1, write(fd, "1", 1));
	close(fd);
	chess_ctl_close(self->ctl);
	self->ctl = NULL;
	ASSERT_EQ(0, chmod(self->dir, 0777));
	ASSERT_EQ(0, setgid(65534) || setuid(65534));
	/* Else nobody may open the descriptors of /proc/self. */
	prctl(PR_SET_DUMPABLE, 1);
	self->ctl = chess_ctl_open();
	if (!self->ctl)
		SKIP_TEST("%s", chess_error());
	open_runner(self, "pids", NULL, NULL);
	ASSERT_NE(NULL, chess_runner_missing(self->runner));
	EXPECT_NE(NULL, strstr(chess_runner_missing(self->runner), "CAP_SYS_ADMIN"));
	run(self);
	ASSERT_NE(NULL, self->result.out);
	EXPECT_LT(2, atoi(self->result.out));
	self->opts.no_network = true;
	open_runner(self, "pids", NULL, NULL);
	EXPECT_EQ(-EPERM, chess_runner_run(self->runner, NULL, 0, NULL, 0, &self->result));
	EXPECT_NE(NULL, strstr(chess_error(), "CAP_SYS_ADMIN"));
}

int main(int argc, char **argv)
{
	if (argc >= 3 && !strcmp(argv[1], "--program"))
		return program(argv[2], argv[3]);
	return harness_main(argc, argv);
}

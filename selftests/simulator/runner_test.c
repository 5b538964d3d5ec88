// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves, with the module loaded, what the runner promises of one run: which
 * verdict it gets, what is handed back, in what surroundings the program starts,
 * and that a run that is ended early leaves a group that can run again. Needs
 * root. The programs under control are this file again, as --program NAME.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "chessctl/chessctl.h"
#include "../harness.h"

/* Each round is four points and two hand-overs. */
#define ROUNDS 3000

/* --- programs ----------------------------------------------------------- */

static int read_self(void)
{
	int fd[2];
	char c;

	return pipe(fd) || read(fd[0], &c, 1) < 0;
}

static int crash_in_child(void)
{
	pid_t pid = fork();

	if (!pid)
		raise(SIGSEGV);
	return waitpid(pid, NULL, 0) < 0;
}

static int ping_pong(void)
{
	int there[2], back[2], i;
	char c = 0;

	if (pipe(there) || pipe(back))
		return 1;
	if (!fork()) {
		for (i = 0; i < ROUNDS; i++)
			if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
				return 2;
		return 0;
	}
	for (i = 0; i < ROUNDS; i++)
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			return 3;
	return wait(NULL) < 0;
}

static int show_surroundings(void)
{
	struct sigaction sa;
	struct dirent *d;
	char cwd[PATH_MAX];
	sigset_t mask;
	int fds = 0;
	DIR *dir;

	printf("uid %d gid %d groups %d\n", getuid(), getgid(), getgroups(0, NULL));
	printf("cwd %s\n", getcwd(cwd, sizeof(cwd)));
	printf("CHESS_TEST %s\n", getenv("CHESS_TEST") ? getenv("CHESS_TEST") : "unset");
	printf("stdin %zd\n", read(0, cwd, 1));
	sigprocmask(SIG_BLOCK, NULL, &mask);
	sigaction(SIGPIPE, NULL, &sa);
	printf("blocked %d ignored %d\n", sigismember(&mask, SIGUSR1), sa.sa_handler == SIG_IGN);
	dir = opendir("/proc/self/fd");
	while (dir && (d = readdir(dir)))
		fds += atoi(d->d_name) > 2 && atoi(d->d_name) != dirfd(dir);
	printf("descriptors %d\n", fds);
	fprintf(stderr, "to stderr\n");
	return 0;
}

static int write_much(void)
{
	int i;

	for (i = 0; i < 200000; i++)
		printf("%09d\n", i);
	return 0;
}

static int read_fifo(void)
{
	const char *path = getenv("CHESS_TEST_FIFO");
	int fd = open(path, O_RDWR), ready;
	char c = 0, name[64];

	snprintf(name, sizeof(name), "%s.ready", path);
	ready = open(name, O_CREAT | O_WRONLY, 0600);
	return ready < 0 || read(fd, &c, 1) != 1;
}

static int program(const char *name)
{
	if (!strcmp(name, "clean"))
		return 0;
	if (!strcmp(name, "three"))
		return 3;
	if (!strcmp(name, "abort"))
		abort();
	if (!strcmp(name, "free")) {
		fprintf(stderr, "free(): invalid pointer\n");
		abort();
	}
	if (!strcmp(name, "segv"))
		return raise(SIGSEGV);
	if (!strcmp(name, "child-segv"))
		return crash_in_child();
	if (!strcmp(name, "read-self"))
		return read_self();
	if (!strcmp(name, "sleep"))
		return sleep(1000);
	if (!strcmp(name, "nap"))
		return usleep(50000);
	if (!strcmp(name, "ping-pong"))
		return ping_pong();
	if (!strcmp(name, "surroundings"))
		return show_surroundings();
	if (!strcmp(name, "fifo"))
		return read_fifo();
	if (!strcmp(name, "much"))
		return write_much();
	return 99;
}

/* --- tests -------------------------------------------------------------- */

static char own_path[PATH_MAX];

FIXTURE(run) {
	struct chess_ctl *ctl;
	struct chess_program program;
	struct chess_runner_opts opts;
	char *argv[4];
	struct chess_runner *runner;
	struct chess_run_result res;
};

FIXTURE_SETUP(run)
{
	self->ctl = chess_ctl_open();
	if (!self->ctl)
		SKIP_TEST("%s", chess_error());
	self->program = (struct chess_program){ .argv = self->argv, .uid = UINT32_MAX,
						.gid = UINT32_MAX, .capture = true };
	self->opts = (struct chess_runner_opts){ .sz = sizeof(self->opts), .sync_points = true };
}

FIXTURE_TEARDOWN(run)
{
	chess_run_result_clear(&self->res);
	chess_runner_free(self->runner);
	chess_ctl_close(self->ctl);
}

static void prepare(struct run_fixture *f, char *name)
{
	f->argv[0] = own_path;
	f->argv[1] = "--program";
	f->argv[2] = name;
	f->runner = chess_runner_new(f->ctl, &f->program, &f->opts);
	if (!f->runner)
		TH_LOG("%s", chess_error());
	ASSERT_NE(NULL, (void *)f->runner);
}

static int run(struct run_fixture *f, const struct chess_schedule *prefix)
{
	int ret;

	chess_run_result_clear(&f->res);
	ret = chess_runner_run(f->runner, prefix, prefix ? chess_schedule_length(prefix) : 0, NULL,
			       0, &f->res);
	if (ret)
		TH_LOG("%s", chess_error());
	return ret;
}

static void expect_verdict(struct run_fixture *f, char *name, enum chess_verdict v, int status,
			   int bad_task)
{
	prepare(f, name);
	ASSERT_EQ(0, run(f, NULL));
	EXPECT_STREQ(chess_verdict_name(v), chess_verdict_name(f->res.verdict));
	EXPECT_EQ(status, f->res.status & 0xff7f);
	EXPECT_EQ(bad_task, f->res.bad_task);
	EXPECT_LT((size_t)3, chess_record_decisions(f->res.record));
	EXPECT_EQ(SIZE_MAX, f->res.diverged_at);
}

TEST_F(run, clean_exit_is_ok)
{
	expect_verdict(self, "clean", CHESS_VERDICT_OK, 0, -1);
}

TEST_F(run, exit_code_is_exit)
{
	expect_verdict(self, "three", CHESS_VERDICT_EXIT, 3 << 8, 0);
}

TEST_F(run, abort_is_assert)
{
	expect_verdict(self, "abort", CHESS_VERDICT_ASSERT, SIGABRT, 0);
}

TEST_F(run, abort_with_libc_complaining_is_crash)
{
	expect_verdict(self, "free", CHESS_VERDICT_CRASH, SIGABRT, 0);
}

TEST_F(run, fatal_signal_is_crash)
{
	expect_verdict(self, "segv", CHESS_VERDICT_CRASH, SIGSEGV, 0);
}

TEST_F(run, crash_of_a_child_is_crash)
{
	expect_verdict(self, "child-segv", CHESS_VERDICT_CRASH, 0, 1);
	EXPECT_EQ(SIGSEGV, self->res.bad_status & 0x7f);
}

TEST_F(run, wait_that_nobody_can_end_is_deadlock)
{
	prepare(self, "read-self");
	ASSERT_EQ(0, run(self, NULL));
	EXPECT_STREQ("deadlock", chess_verdict_name(self->res.verdict));
	ASSERT_EQ((size_t)1, self->res.n_waits);
	EXPECT_NE(NULL, strstr(self->res.waits[0].text, "read pipe:["));
	EXPECT_GT(5.0, self->res.seconds);
}

TEST_F(run, wait_for_time_is_waited_for)
{
	expect_verdict(self, "nap", CHESS_VERDICT_OK, 0, -1);
}

TEST_F(run, run_that_takes_too_long_is_timeout)
{
	self->opts.run_timeout_ms = 500;
	self->opts.real_time = true;
	prepare(self, "sleep");
	ASSERT_EQ(0, run(self, NULL));
	EXPECT_STREQ("timeout", chess_verdict_name(self->res.verdict));
	ASSERT_EQ((size_t)1, self->res.n_waits);
	EXPECT_TRUE(self->res.waits[0].outside);
	/* And again: the killed run left the group idle. */
	ASSERT_EQ(0, run(self, NULL));
	EXPECT_STREQ("timeout", chess_verdict_name(self->res.verdict));
}

/* The group's time: the run would be ended long before the machine's thousand seconds. */
TEST_F(run, sleep_takes_no_time)
{
	prepare(self, "sleep");
	ASSERT_EQ(0, run(self, NULL));
	EXPECT_STREQ("ok", chess_verdict_name(self->res.verdict));
}

/* Who interferes has a name. */
TEST_F(run, wake_up_from_outside_is_told)
{
	char path[] = "/tmp/chess-runner-fifo.XXXXXX";
	char name[32] = "", ready[64], c = 0;
	pid_t writer;
	int fd;

	ASSERT_NE(NULL, mkdtemp(path));
	setenv("CHESS_TEST_FIFO", path, 1);
	ASSERT_EQ(0, rmdir(path) || mkfifo(path, 0600));
	fd = open(path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, fd);
	prctl(PR_GET_NAME, name);
	snprintf(ready, sizeof(ready), "%s.ready", path);
	writer = fork();
	if (!writer) {
		while (access(ready, F_OK))
			usleep(10000);
		/* It is on its way into the read, and has nothing else to do. */
		sleep(1);
		_exit(write(fd, &c, 1) != 1);
	}
	expect_verdict(self, "fifo", CHESS_VERDICT_OK, 0, -1);
	EXPECT_EQ(0U, self->res.outside_task);
	EXPECT_EQ((uint32_t)writer, self->res.outside_pid);
	EXPECT_STREQ(name, self->res.outside_comm);
	waitpid(writer, NULL, 0);
	unlink(path);
	unlink(ready);
	close(fd);
	/* And a run that nobody disturbs says so. */
	expect_verdict(self, "clean", CHESS_VERDICT_OK, 0, -1);
	EXPECT_EQ((uint32_t)CHESS_TASK_NONE, self->res.outside_task);
}

TEST_F(run, prefix_that_cannot_be_followed_is_diverged)
{
	struct chess_schedule *s = chess_schedule_decode("T0*3 T7 T0");

	prepare(self, "clean");
	ASSERT_EQ(0, run(self, s));
	EXPECT_STREQ("diverged", chess_verdict_name(self->res.verdict));
	EXPECT_EQ((size_t)3, self->res.diverged_at);
	/* The next run has another prefix. */
	ASSERT_EQ(0, run(self, NULL));
	EXPECT_STREQ("ok", chess_verdict_name(self->res.verdict));
}

TEST_F(run, record_that_is_full_is_incomplete)
{
	self->opts.max_events = 16;
	prepare(self, "ping-pong");
	ASSERT_EQ(0, run(self, NULL));
	EXPECT_STREQ("incomplete", chess_verdict_name(self->res.verdict));
	EXPECT_NE(NULL, strstr(chess_error(), "full"));
}

TEST_F(run, long_prefix_is_followed_to_the_last_decision)
{
	struct chess_schedule *s;
	struct chess_segment *seg;
	uint64_t hash;
	int i;

	prepare(self, "ping-pong");
	ASSERT_EQ(0, run(self, NULL));
	EXPECT_STREQ("ok", chess_verdict_name(self->res.verdict));
	s = chess_record_schedule(self->res.record);
	/* More than one message of schedule-set can hold. */
	EXPECT_LT(4000, chess_schedule_segments(s, &seg));
	hash = chess_record_hash(self->res.record);
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, run(self, s));
		EXPECT_STREQ("ok", chess_verdict_name(self->res.verdict));
		EXPECT_EQ(hash, chess_record_hash(self->res.record));
	}
}

TEST_F(run, output_is_captured_from_its_end)
{
	prepare(self, "much");
	ASSERT_EQ(0, run(self, NULL));
	ASSERT_LT((size_t)1000000, self->res.out_len);
	EXPECT_STREQ("000199999\n", self->res.out + self->res.out_len - 10);
	EXPECT_EQ((size_t)0, self->res.err_len);
}

TEST_F(run, stacks_come_with_the_mappings_to_read_them_by)
{
	uint32_t seqs[] = { 3, 5 };

	prepare(self, "clean");
	ASSERT_EQ(0, chess_runner_run(self->runner, NULL, 0, seqs, 2, &self->res));
	EXPECT_NE(NULL, (void *)chess_record_stack(self->res.record, 3));
	EXPECT_NE(NULL, (void *)chess_record_stack(self->res.record, 5));
	EXPECT_EQ(NULL, (void *)chess_record_stack(self->res.record, 4));
	ASSERT_NE(NULL, self->res.maps);
	EXPECT_NE(NULL, strstr(self->res.maps, "runner_test"));
}

static bool said(const struct run_fixture *f, const char *line)
{
	if (f->res.out && strstr(f->res.out, line))
		return true;
	TH_LOG("no \"%s\" in: %s", line, f->res.out ? f->res.out : "");
	return false;
}

TEST_F(run, program_starts_in_clean_surroundings)
{
	char *const env[] = { "CHESS_TEST=yes", NULL };
	sigset_t usr1;

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr1, NULL);
	signal(SIGPIPE, SIG_IGN);
	self->program.cwd = "/usr";
	self->program.envp = env;
	prepare(self, "surroundings");
	ASSERT_EQ(0, run(self, NULL));
	EXPECT_TRUE(said(self, "uid 0 gid 0 "));
	EXPECT_TRUE(said(self, "cwd /usr\n"));
	EXPECT_TRUE(said(self, "CHESS_TEST yes\n"));
	EXPECT_TRUE(said(self, "stdin 0\n"));
	EXPECT_TRUE(said(self, "blocked 0 ignored 0\n"));
	EXPECT_TRUE(said(self, "descriptors 0\n"));
	EXPECT_STREQ("to stderr\n", self->res.err);
}

TEST_F(run, program_runs_as_the_user_asked_for)
{
	self->program.uid = 65534;
	self->program.gid = 65534;
	prepare(self, "surroundings");
	ASSERT_EQ(0, run(self, NULL));
	EXPECT_STREQ("ok", chess_verdict_name(self->res.verdict));
	EXPECT_TRUE(said(self, "uid 65534 gid 65534 groups 1\n"));
}

TEST_F(run, program_that_cannot_start_is_an_error_and_leaves_the_group_idle)
{
	char path[] = "/tmp/chess-runner-test-XXXXXX";
	struct chess_group_info *groups;
	int fd = mkstemp(path), n;

	ASSERT_LE(0, fd);
	ASSERT_EQ(10, write(fd, "#!/bin/sh\n", 10));
	ASSERT_EQ(0, fchmod(fd, 0700));
	close(fd);
	self->program.uid = 65534;
	self->argv[0] = path;
	self->runner = chess_runner_new(self->ctl, &self->program, &self->opts);
	ASSERT_NE(NULL, (void *)self->runner);
	EXPECT_EQ(-EACCES, run(self, NULL));
	EXPECT_NE(NULL, strstr(chess_error(), "execve"));
	EXPECT_EQ(-EACCES, run(self, NULL));
	n = chess_group_list(self->ctl, &groups);
	ASSERT_LE(1, n);
	EXPECT_EQ(0U, groups[n - 1].tasks);
	unlink(path);
}

static struct chess_runner *running;

static void on_alarm(int sig)
{
	(void)sig;
	chess_runner_interrupt(running);
}

TEST_F(run, interrupt_ends_a_run_at_once)
{
	struct itimerval soon = { .it_value.tv_usec = 300000 };
	struct timespec from, to;

	self->opts.run_timeout_ms = 30000;
	self->opts.real_time = true;
	prepare(self, "sleep");
	running = self->runner;
	signal(SIGUSR2, on_alarm);
	signal(SIGALRM, on_alarm);
	clock_gettime(CLOCK_MONOTONIC, &from);
	setitimer(ITIMER_REAL, &soon, NULL);
	EXPECT_EQ(-EINTR, run(self, NULL));
	clock_gettime(CLOCK_MONOTONIC, &to);
	EXPECT_GT(10, to.tv_sec - from.tv_sec);
	/* Between runs it holds for the next one, and once only. */
	raise(SIGUSR2);
	EXPECT_EQ(-EINTR, run(self, NULL));
	setitimer(ITIMER_REAL, &soon, NULL);
	EXPECT_EQ(-EINTR, run(self, NULL));
}

/* Is a child of ours parked as a kept process is? */
static bool has_kept_child(void)
{
	char line[256] = "", path[64], state = 0;
	pid_t pid;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	f = fopen(path, "re");
	if (f && !fgets(line, sizeof(line), f))
		line[0] = '\0';
	if (f)
		fclose(f);
	for (char *at = line, *end; (pid = strtol(at, &end, 10)) > 0 && state != 'I'; at = end) {
		snprintf(path, sizeof(path), "/proc/%d/stat", pid);
		f = fopen(path, "re");
		if (f && fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			state = 0;
		if (f)
			fclose(f);
	}
	return state == 'I';
}

/* What the test below has seen: 1, the run that is to keep a process; 2, that process. */
static int keeping;
static bool delays;

/*
 * libnl comes here when the runner sends a request. An interrupt comes in the run that is to
 * keep a process, and it is only after that is kept that the run is asked to stop.
 */
ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
	const struct nlmsghdr *h = m->msg_iov[0].iov_base;
	const struct genlmsghdr *g = NLMSG_DATA(h);
	const struct nlattr *a = (const void *)((const char *)g + GENL_HDRLEN);
	const char *end = (const char *)h + h->nlmsg_len;
	unsigned int i;

	for (; delays && !keeping && g->cmd == CHESS_CMD_RUN_START && (const char *)(a + 1) <= end;
	     a = (const void *)((const char *)a + NLA_ALIGN(a->nla_len)))
		keeping |= a->nla_type == CHESS_A_RUN_KEEP_AT;
	if (keeping == 1 && g->cmd == CHESS_CMD_RUN_START)
		chess_runner_interrupt(running);
	for (i = 0; keeping == 1 && g->cmd == CHESS_CMD_RUN_STOP && i < 2000; i++) {
		if (has_kept_child())
			keeping = 2;
		usleep(10000);
	}
	return syscall(SYS_sendmsg, fd, m, flags);
}

TEST_F(run, interrupt_after_a_process_was_kept)
{
	setenv("CHESS_FORK", "soon", true);
	prepare(self, "nap");
	unsetenv("CHESS_FORK");
	running = self->runner;
	delays = true;
	ASSERT_EQ(0, run(self, NULL));
	EXPECT_EQ(2, keeping);
	EXPECT_EQ(-EINTR, run(self, NULL));
	EXPECT_EQ(0, run(self, NULL));
	EXPECT_FALSE(has_kept_child());
}

/* What the runner registers can be had without a runner, and is counted right. */
/* The module cannot know: it is asked for an inode that nobody maps any more. */
TEST_F(run, file_that_was_replaced_is_incomplete)
{
	char dir[] = "/tmp/chess-runner-test-XXXXXX", command[3 * PATH_MAX];
	char *copy;

	ASSERT_NE(NULL, (void *)mkdtemp(dir));
	snprintf(command, sizeof(command), "cp %s %s/a && cp %s/a %s/b", own_path, dir, dir, dir);
	ASSERT_EQ(0, system(command));
	ASSERT_LT(0, asprintf(&copy, "%s/a", dir));
	self->argv[0] = copy;
	self->argv[1] = "--program";
	self->argv[2] = "clean";
	self->runner = chess_runner_new(self->ctl, &self->program, &self->opts);
	ASSERT_NE(NULL, (void *)self->runner);
	ASSERT_EQ(0, run(self, NULL));
	EXPECT_STREQ("ok", chess_verdict_name(self->res.verdict));
	snprintf(command, sizeof(command), "mv %s/b %s/a", dir, dir);
	ASSERT_EQ(0, system(command));
	ASSERT_EQ(0, run(self, NULL));
	EXPECT_STREQ("incomplete", chess_verdict_name(self->res.verdict));
	EXPECT_NE(NULL, strstr(chess_error(), copy));
	EXPECT_NE(NULL, strstr(chess_error(), "was replaced"));
	snprintf(command, sizeof(command), "rm -r %s", dir);
	EXPECT_EQ(0, system(command));
}

TEST_F(run, traps_of_a_program_are_those_of_its_files)
{
	struct chess_group_info info;
	uint32_t group, one;
	char **files;
	int all, n = 0, i;

	self->argv[0] = own_path;
	ASSERT_EQ(0, chess_group_new(self->ctl, 0, 0, &group));
	all = chess_probe_add_program(self->ctl, group, &self->program, own_path);
	ASSERT_LT(40, all);
	ASSERT_EQ(0, chess_group_get(self->ctl, group, &info));
	EXPECT_EQ((uint32_t)all, info.probes);
	ASSERT_EQ(0, chess_group_new(self->ctl, 0, 0, &one));
	files = chess_symbols_files_of(&self->program, own_path);
	for (i = 0; files && files[i]; i++) {
		int some = chess_probe_add_file(self->ctl, one, files[i]);

		EXPECT_LE(0, some);
		/* no such group; it is asked only where there is a trap to add */
		EXPECT_EQ(some ? -ENOENT : 0,
			  chess_probe_add_file(self->ctl, 4711, files[i]));
		n += some;
	}
	EXPECT_EQ(all, n);
	EXPECT_EQ(0, chess_probe_add_file(self->ctl, one, "/etc/passwd"));
	EXPECT_EQ(-ENOENT, chess_probe_add_file(self->ctl, one, "/nonexistent/file"));
	EXPECT_EQ(0, chess_group_del(self->ctl, one));
	EXPECT_EQ(0, chess_group_del(self->ctl, group));
	self->argv[0] = own_path;
	self->runner = chess_runner_new(self->ctl, &self->program, &self->opts);
	ASSERT_NE(NULL, (void *)self->runner);
}

TEST_F(run, program_is_checked_before_a_group_is_made)
{
	static const struct { char *name; int err; const char *says; } refused[] = {
		{ "/nonexistent/program", ENOENT, "cannot be found" },
		{ "chess-no-such-program", ENOENT, "PATH" },
		{ "/etc", EISDIR, "is a directory" },
		{ "/etc/passwd", EACCES, "not executable" },
		{ "/usr/bin/su", EPERM, "setuid" },
	};
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		self->argv[0] = refused[i].name;
		EXPECT_EQ(NULL, (void *)chess_runner_new(self->ctl, &self->program, &self->opts));
		EXPECT_EQ(refused[i].err, errno);
		EXPECT_NE(NULL, strstr(chess_error(), refused[i].says));
	}
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--program"))
		return program(argv[2]);
	if (!realpath("/proc/self/exe", own_path))
		return HARNESS_FAIL;
	return harness_main(argc, argv);
}

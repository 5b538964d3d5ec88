// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks of a snapshot: system call, stack, signals, children, who woke them; whose
 * numbers they have, and who may look.
 */
#include <linux/capability.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/utsname.h>

#include "fixture.h"
#include "wait/inside.h"

/* Tasks. */

TEST_F(look, task_is_described)
{
	const struct chess_look_task *t;
	pid_t pid;

	pid = blocked_in(do_pause, NULL);
	t = await(self, &pid, 1, SYS_ppoll);
	EXPECT_SAME(pid, t->tid);
	EXPECT_SAME(pid, t->tgid);
	EXPECT_SAME(66, t->args[5]);
	EXPECT_SAME(8, t->args[4]);
	EXPECT_STREQ("pausing", t->comm);
	EXPECT_OTHER(0, t->ip);
	EXPECT_OTHER(0, t->sp);
	EXPECT_SAME(CHESS_LOOK_TASK_REGS | CHESS_LOOK_TASK_INITNS, t->flags);
	EXPECT_SAME(1ul << (SIGUSR1 - 1), t->blocked);
	EXPECT_SAME(0, t->pending | t->shared_pending);
	EXPECT_SAME(0, t->waker.time);
	EXPECT_SAME(0, chess_snapshot_lost(self->shot));

	kill(pid, SIGUSR1);
	syscall(SYS_tgkill, pid, pid, SIGUSR1);
	t = await(self, &pid, 1, SYS_ppoll);
	EXPECT_SAME(1ul << (SIGUSR1 - 1), t->shared_pending);
	EXPECT_SAME(1ul << (SIGUSR1 - 1), t->pending);
}

/* /proc/PID/stack has the same functions, found by the kernel in another way. */
TEST_F(look, stack_has_the_names_of_proc)
{
	const struct chess_look_task *t;
	struct chess_look_names names;
	char path[64], line[256];
	uint32_t n = 0;
	pid_t pid;
	FILE *f;

	pid = blocked_in(do_pause, NULL);
	t = await(self, &pid, 1, SYS_ppoll);
	ASSERT_SAME(0, chess_look_names(self->look, t, &names));
	snprintf(path, sizeof(path), "/proc/%d/stack", pid);
	f = fopen(path, "re");
	ASSERT_TRUE(f);
	while (fgets(line, sizeof(line), f)) {
		/* "[<0>] NAME+0x1/0x2"; the scheduler's own are not there. */
		char *name = strchr(line, ' ');

		ASSERT_TRUE(name);
		name++;
		name[strcspn(name, "\n")] = '\0';
		while (n < t->n_stack && strcmp(names.name[n], name))
			n++;
		if (n == t->n_stack)
			TH_LOG("the stack has no %s", name);
		ASSERT_LESS(n, t->n_stack);
	}
	fclose(f);
	EXPECT_LESS(1, n);
}

/* It begins with what /proc/PID/wchan says. */
static void sleeps_in(struct look_fixture *self, const struct chess_look_task *t,
		      const char *function, const char *call)
{
	char *text;

	ASSERT_SAME(0, chess_kstack_text(self->look, t, &text));
	ASSERT_TRUE(text);
	if (strncmp(text, function, strlen(function)) || !strstr(text, call))
		TH_LOG("sleeps in %s", text);
	EXPECT_TRUE(!strncmp(text, function, strlen(function)));
	EXPECT_TRUE(strstr(text, call));
	EXPECT_TRUE(!strchr(text, '+') && !strchr(text, ' '));
	EXPECT_TRUE(!strstr(text, "do_syscall_"));
	free(text);
}

TEST_F(look, stack_says_where_a_task_sleeps)
{
	pid_t pid = blocked_in(do_pause, NULL);

	sleeps_in(self, await(self, &pid, 1, SYS_ppoll), "do_", "sys_ppoll");
}

static void *sleeper(void *arg)
{
	*(pid_t *)arg = gettid();
	syscall(SYS_ppoll, NULL, 0L, NULL, NULL, 8L, 0L);
	return NULL;
}

static void do_threads(void *arg)
{
	pid_t *tid = arg;
	pthread_t thread;

	pthread_create(&thread, NULL, sleeper, tid);
	syscall(SYS_ppoll, NULL, 0L, NULL, NULL, 8L, 0L);
}

static void *shared_page(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

TEST_F(look, process_stands_for_its_threads)
{
	const struct chess_look_task *t;
	pid_t *tid = shared_page(), pid, both[2];
	size_t n;

	pid = blocked_in(do_threads, tid);
	while (!*(volatile pid_t *)tid)
		sched_yield();
	both[0] = pid;
	both[1] = *tid;
	await(self, both, 2, SYS_ppoll);
	take(self, &pid, 1);
	t = chess_snapshot_tasks(self->shot, &n);
	ASSERT_SAME(2, n);
	EXPECT_SAME(pid, t[0].tgid);
	EXPECT_SAME(pid, t[1].tgid);
	EXPECT_SAME(t[0].files, t[1].files);
	take(self, tid, 1);
	t = chess_snapshot_tasks(self->shot, &n);
	ASSERT_SAME(1, n);
	EXPECT_SAME(*tid, t->tid);
	EXPECT_SAME(pid, t->tgid);
	EXPECT_TRUE(chess_snapshot_is_wanted(self->shot, pid));
	EXPECT_FALSE(chess_snapshot_is_wanted(self->shot, getpid()));
}

static void do_wait(void *arg)
{
	pid_t *child = arg;

	*child = blocked_in(do_pause, NULL);
	syscall(SYS_wait4, -1, NULL, 0, NULL);
}

TEST_F(look, children_are_counted)
{
	const struct chess_look_task *t;
	pid_t *child = shared_page(), both[2];

	both[0] = blocked_in(do_wait, child);
	t = await(self, both, 1, SYS_wait4);
	EXPECT_SAME(1, t->children);
	EXPECT_SAME(1, t->children_outside);
	EXPECT_SAME(0, t->children_dead);
	both[1] = *child;
	await(self, both + 1, 1, SYS_ppoll);
	take(self, both, 2);
	t = chess_snapshot_task(self->shot, both[0]);
	ASSERT_TRUE(t);
	EXPECT_SAME(1, t->children);
	EXPECT_SAME(0, t->children_outside);

	both[1] = getpid();
	kill(both[0], SIGKILL);
	do {
		take(self, both, 2);
		t = chess_snapshot_task(self->shot, both[0]);
		ASSERT_TRUE(t);
	} while (!t->exit_state);
	/* The parent may have been read before that. */
	take(self, both, 2);
	t = chess_snapshot_task(self->shot, getpid());
	ASSERT_TRUE(t);
	EXPECT_SAME(1, t->children_dead);
	EXPECT_SAME(0, t->children_outside);
}

static void do_futex(void *arg)
{
	syscall(SYS_futex, arg, FUTEX_WAIT, 0, NULL, NULL, 0);
}

TEST_F(look, futex_is_in_the_arguments)
{
	const struct chess_look_task *t;
	void *word = shared_page();
	pid_t pid;

	pid = blocked_in(do_futex, word);
	t = await(self, &pid, 1, SYS_futex);
	EXPECT_SAME((uint64_t)(uintptr_t)word, t->args[0]);
	EXPECT_SAME(FUTEX_WAIT, t->args[1]);
	sleeps_in(self, t, "futex", "sys_futex");
}

/* Wakers. */

static void read_for_ever(void *arg)
{
	char c;

	while (read(*(int *)arg, &c, 1) == 1)
		;
}

static void read_nap_and_read(void *arg)
{
	int *fd = arg;

	do_read(&fd[0]);
	usleep(1000);
	read_for_ever(&fd[2]);
}

TEST_F(look, waker_is_noted)
{
	const struct chess_look_task *t;
	struct utsname u;
	pid_t pid;
	int fd[4];

	ASSERT_SAME(0, pipe(fd));
	ASSERT_SAME(0, pipe(fd + 2));
	pid = blocked_in(read_for_ever, &fd[0]);
	t = await(self, &pid, 1, SYS_read);
	EXPECT_SAME(0, t->waker.time);
	ASSERT_SAME(0, chess_look_note_wakers(self->look, &pid, 1));
	prctl(PR_SET_NAME, "waking");
	ASSERT_SAME(1, write(fd[1], "x", 1));
	do {
		t = await(self, &pid, 1, SYS_read);
	} while (!t->waker.time);
	EXPECT_SAME(getpid(), t->waker.tid);
	EXPECT_STREQ("waking", t->waker.comm);
	EXPECT_SAME(0, t->waker.interrupt);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);

	/* A timer's waker is an interrupt; with PREEMPT_RT it is a thread. */
	pid = blocked_in(read_nap_and_read, fd);
	ASSERT_SAME(0, chess_look_note_wakers(self->look, &pid, 1));
	ASSERT_SAME(1, write(fd[1], "x", 1));
	do {
		t = await(self, &pid, 1, SYS_read);
	} while (t->args[0] != (uint64_t)fd[2]);
	EXPECT_TRUE(t->waker.time);
	uname(&u);
	if (!strstr(u.version, "PREEMPT_RT"))
		EXPECT_TRUE(t->waker.interrupt & CHESS_LOOK_HARDIRQ);

	/* Off: nothing is noted any more. */
	ASSERT_SAME(0, chess_look_note_wakers(self->look, NULL, 0));
	ASSERT_SAME(1, write(fd[3], "x", 1));
	t = await(self, &pid, 1, SYS_read);
	EXPECT_SAME(0, t->waker.time);
}

/* Namespaces, rights, limits. */

TEST_F(look, numbers_are_of_the_callers_namespace)
{
	const struct chess_look_lock *l;
	const struct chess_look_task *t;
	int fd = scratch_file(), status;
	pid_t pid, holder;

	ASSERT_SAME(0, unshare(CLONE_NEWPID));
	pid = fork();
	if (!pid) {
		ASSERT_SAME(1, getpid());
		holder = blocked_in(hold_flock, &fd);
		t = await(self, &holder, 1, SYS_ppoll);
		EXPECT_SAME(holder, t->tid);
		EXPECT_LESS(t->tid, t->gtid);
		EXPECT_SAME(0, t->flags & CHESS_LOOK_TASK_INITNS);
		pid = blocked_in(hold_flock, &fd);
		await(self, &pid, 1, SYS_flock);
		l = chess_snapshot_lock_wait(self->shot, pid);
		ASSERT_TRUE(l);
		l = chess_snapshot_conflict(self->shot, l, NULL);
		ASSERT_TRUE(l);
		EXPECT_SAME(holder, l->tgid);
		_exit(harness_result);
	}
	ASSERT_SAME(pid, waitpid(pid, &status, 0));
	EXPECT_SAME(0, status);
}

static int set_caps(uint64_t caps)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2] = {
		{ .effective = caps, .permitted = caps },
		{ .effective = caps >> 32, .permitted = caps >> 32 },
	};

	return syscall(SYS_capset, &h, d);
}

static struct chess_look *new_look(void)
{
	struct chess_look *l = chess_look_new();

	if (!l && errno == ENOSYS)
		SKIP_TEST("%s", chess_error());
	return l;
}

TEST(two_capabilities_are_enough)
{
	struct look_fixture self = { 0 };
	const struct chess_look_task *t;
	pid_t pid = blocked_in(do_pause, NULL);

	ASSERT_SAME(0, set_caps(1ull << CAP_BPF | 1ull << CAP_PERFMON));
	self.look = new_look();
	if (!self.look)
		TH_LOG("%s", chess_error());
	ASSERT_TRUE(self.look);
	t = await(&self, &pid, 1, SYS_ppoll);
	EXPECT_OTHER(0, t->n_stack);
	EXPECT_SAME(0, chess_look_note_wakers(self.look, &pid, 1));
	chess_snapshot_free(self.shot);
	chess_look_free(self.look);
}

TEST(without_rights_it_says_so)
{
	ASSERT_SAME(0, set_caps(0));
	EXPECT_FALSE(new_look());
	EXPECT_SAME(EPERM, errno);
	EXPECT_TRUE(strstr(chess_error(), "CAP_BPF"));
}

TEST_F(look, too_many_tasks_are_refused)
{
	pid_t *many = calloc(CHESS_LOOK_WANTED + 1, sizeof(*many));

	ASSERT_TRUE(many && self->look);
	EXPECT_SAME(-E2BIG, chess_look_take(self->look, many, CHESS_LOOK_WANTED + 1, &self->shot));
	free(many);
}

TEST_F(look, gone_task_is_left_out)
{
	pid_t pid = fork();
	size_t n;

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	take(self, &pid, 1);
	chess_snapshot_tasks(self->shot, &n);
	EXPECT_FALSE(n);
	EXPECT_FALSE(chess_snapshot_task(self->shot, pid));
}

TEST_HARNESS_MAIN

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of the suite "look" share: a fixture that looks, children that block,
 * and waiting until they do. Tests run as root and without the module.
 */
#ifndef CHESS_SELFTESTS_LOOK_H
#define CHESS_SELFTESTS_LOOK_H

#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "harness.h"
#include "internal.h"
#include "wait/look.h"

/* The kernel's numbers come in many sizes; only values are compared. */
#define EXPECT_SAME(e, s) EXPECT_EQ((long long)(e), (long long)(s))
#define ASSERT_SAME(e, s) ASSERT_EQ((long long)(e), (long long)(s))
#define EXPECT_LESS(e, s) EXPECT_LT((long long)(e), (long long)(s))
#define ASSERT_LESS(e, s) ASSERT_LT((long long)(e), (long long)(s))
#define EXPECT_OTHER(e, s) EXPECT_NE((long long)(e), (long long)(s))
#define EXPECT_MOST(e, s) EXPECT_LE((long long)(e), (long long)(s))
#define ASSERT_MOST(e, s) ASSERT_LE((long long)(e), (long long)(s))

FIXTURE(look) {
	struct chess_look *look;
	struct chess_snapshot *shot;
};

/*
 * Loaded once, in front of the tests, which are children and inherit its descriptors: in
 * an emulated machine that takes longer than all a test does.
 */
static struct chess_look *loaded;
static int why_not;
static char sentence[512];

static void __attribute__((constructor)) load_look(void)
{
	pid_t pid = getpid();
	struct chess_snapshot *s;

	loaded = chess_look_new();
	why_not = errno;
	/* The programs for files come with the first snapshot that has them. */
	if (loaded && !chess_look_take(loaded, &pid, 1, &s))
		chess_snapshot_free(s);
	if (!loaded)
		snprintf(sentence, sizeof(sentence), "%s", chess_error());
}

FIXTURE_SETUP(look)
{
	self->shot = NULL;
	self->look = loaded;
	if (!loaded && why_not == ENOSYS)
		SKIP_TEST("%s", sentence);
	if (!loaded)
		TH_LOG("%s", sentence);
}

FIXTURE_TEARDOWN(look)
{
	chess_snapshot_free(self->shot);
}

/* A child that runs @fn, which never returns. */
static inline pid_t blocked_in(void (*fn)(void *), void *arg)
{
	pid_t pid = fork();

	if (!pid) {
		fn(arg);
		TH_LOG("the child came back: %s", strerror(errno));
		_exit(1);
	}
	return pid;
}

static inline void take(struct look_fixture *self, const pid_t *tids, size_t n)
{
	chess_snapshot_free(self->shot);
	self->shot = NULL;
	ASSERT_TRUE(self->look);
	if (chess_look_take(self->look, tids, n, &self->shot))
		TH_LOG("%s", chess_error());
	ASSERT_TRUE(self->shot);
}

/*
 * Take snapshots until all of these sleep in system call @nr; the harness ends what
 * takes too long. Return: the first one.
 */
static inline const struct chess_look_task *await(struct look_fixture *self, const pid_t *tids,
						  size_t n, long nr)
{
	const struct chess_look_task *t;
	size_t i;

	for (;;) {
		take(self, tids, n);
		for (i = 0; i < n; i++) {
			t = chess_snapshot_task(self->shot, tids[i]);
			ASSERT_TRUE(t);
			ASSERT_SAME(0, t->exit_state);
			if (t->nr != nr || !(t->state & 1) || (t->flags & CHESS_LOOK_TASK_RUNS))
				break;
		}
		if (i == n)
			return chess_snapshot_task(self->shot, tids[0]);
		sched_yield();
	}
}

/* The row of a descriptor of ours. */
static inline const struct chess_look_file *mine(struct look_fixture *self, int fd)
{
	const struct chess_look_file *f;
	size_t i, n;

	f = chess_snapshot_files(self->shot, &n);
	for (i = 0; i < n; i++)
		if (f[i].tgid == (uint32_t)getpid() && f[i].fd == fd)
			return &f[i];
	return NULL;
}

static inline void expect_inode(const struct chess_look_file *f, int fd)
{
	struct stat st;

	ASSERT_SAME(0, fstat(fd, &st));
	EXPECT_SAME(st.st_ino, f->ino);
	EXPECT_SAME(major(st.st_dev), f->major);
	EXPECT_SAME(minor(st.st_dev), f->minor);
}

static inline int scratch_file(void)
{
	char name[] = "/tmp/look.XXXXXX";
	int fd = mkstemp(name);

	ASSERT_MOST(0, fd);
	unlink(name);
	return fd;
}

static inline void do_pause(void *arg)
{
	sigset_t set;

	(void)arg;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	prctl(PR_SET_NAME, "pausing");
	syscall(SYS_ppoll, NULL, 0L, NULL, NULL, 8L, 66L);
}

static inline void do_read(void *arg)
{
	char c[8];

	if (read(*(int *)arg, c, sizeof(c)) < 0)
		perror("# read");
}

static inline void hold_flock(void *arg)
{
	/* An open file of its own, else it would be the same lock. */
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", *(int *)arg);
	fd = open(path, O_RDWR);
	flock(fd, LOCK_EX);
	do_pause(NULL);
}

#endif /* CHESS_SELFTESTS_LOOK_H */

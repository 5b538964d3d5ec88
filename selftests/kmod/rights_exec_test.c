// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task that becomes a program with other rights while an ordinary user takes control of it:
 * no moment of that is of use to the user. Needs root and the module; the set-user-id program
 * is a copy of this file.
 *
 * SECONDS	each of the searches for such a moment takes at most (default 8)
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#include "../harness.h"
#include "now.h"
#include "raw.h"
#include "user.h"

#define GOOD 42
#define CAUGHT 7
/* Processes that are looked at before the one that changes. */
#define CROWD 100
/* At least, however slow it goes. */
#define TRIES 6

static struct raw r;
static uint32_t group;
static struct message m;

/* What it does once traps could be there. */
static int helper_main(void)
{
	if (geteuid())
		return 2;
	usleep(300000);
	return helper_work() == GOOD ? GOOD : CAUGHT;
}

static void new_group(void)
{
	ASSERT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 4096));
	group = r.value[CHESS_A_GROUP_ID];
}

/* A trap whose slot is a function of the user's: it returns CAUGHT. */
static void trap_helper(void)
{
	struct chess_probe p = helper_probe();
	int fd = open(helper, O_RDONLY | O_CLOEXEC);

	p.slot_len = 6;
	p.nfixups = 0;
	memset(p.fixups, 0, sizeof(p.fixups));
	memset(p.slot, 0, sizeof(p.slot));
	memcpy(p.slot, "\xb8\x07\0\0\0\xc3", 6);
	message_begin(&m, CHESS_CMD_PROBE_ADD, 0);
	message_u32(&m, CHESS_A_PROBE_GROUP, group);
	message_u32(&m, CHESS_A_PROBE_FD, fd);
	message_put(&m, CHESS_A_PROBE_ENTRIES, &p, sizeof(p));
	ASSERT_EQ(0, raw_talk(&r, &m));
	close(fd);
}

static int adopt(pid_t pid)
{
	message_begin(&m, CHESS_CMD_TASK_ADOPT, 0);
	message_u32(&m, CHESS_A_TASK_GROUP, group);
	message_u32(&m, CHESS_A_TASK_PID, pid);
	message_u32(&m, CHESS_A_TASK_ADOPT_FLAGS, CHESS_ADOPT_FLAGS_TREE);
	return raw_talk(&r, &m);
}

/**
 * struct crowd - a process with many children, and one more for each try
 * @try: which try this is
 * @pid: the child of this try, or 0; it executes the helper
 * @go: it may, after @delay microseconds
 * @code: its exit code and 1, or 0 while it lives
 */
struct crowd {
	volatile unsigned int try;
	volatile pid_t pid;
	volatile int go;
	volatile useconds_t delay;
	volatile int code;
};

static struct crowd *crowd;

static void child_of_crowd(void)
{
	while (!crowd->go)
		usleep(100);
	usleep(crowd->delay);
	execl(helper, helper, "--helper", NULL);
	_exit(127);
}

static pid_t gather_crowd(void)
{
	pid_t first = fork(), pid;
	unsigned int try;
	int i, status;

	if (first)
		return first;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(r.fd);
	for (i = 0; i < CROWD; i++)
		if (!fork()) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (;;)
				pause();
		}
	for (try = 1;; try++) {
		while (crowd->try != try)
			usleep(1000);
		pid = fork();
		if (!pid)
			child_of_crowd();
		crowd->pid = pid;
		waitpid(pid, &status, 0);
		crowd->code = 1 + (WIFEXITED(status) ? WEXITSTATUS(status) :
						       1000 + WTERMSIG(status));
	}
}

static bool is_raised(pid_t pid)
{
	char path[64];
	struct stat st;

	/* Its folder belongs to root when it may not be dumped. */
	snprintf(path, sizeof(path), "/proc/%d", pid);
	return !stat(path, &st) && !st.st_uid;
}

/* Is a task with this pid in the group, for longer than it needs to leave? */
static bool is_controlled(pid_t pid)
{
	char block[16384] __attribute__((aligned(8)));
	bool found = false, more = true;

	message_begin(&m, CHESS_CMD_TASK_GET, NLM_F_DUMP);
	message_u32(&m, CHESS_A_TASK_GROUP, group);
	m.head.nlmsg_len = m.len;
	m.head.nlmsg_type = r.family;
	m.head.nlmsg_seq = ++r.seq;
	if (send(r.fd, m.bytes, m.len, 0) < 0)
		return false;
	while (more) {
		struct nlmsghdr *h = (struct nlmsghdr *)block;
		ssize_t n = recv(r.fd, block, sizeof(block), 0);

		more = n > 0;
		for (; NLMSG_OK(h, (size_t)n); h = NLMSG_NEXT(h, n)) {
			/* The group, then the pid, each a u32. */
			const uint32_t *u = (const uint32_t *)((char *)(h + 1) + GENL_HDRLEN);

			if (h->nlmsg_seq != r.seq)
				continue;
			more &= h->nlmsg_type != NLMSG_DONE && h->nlmsg_type != NLMSG_ERROR;
			if (more && h->nlmsg_len >= NLMSG_HDRLEN + GENL_HDRLEN + 16)
				found |= u[3] == (uint32_t)pid;
		}
	}
	return found;
}

static double seconds(void)
{
	const char *text = getenv("SECONDS");

	return text ? atof(text) : 8;
}

/*
 * The moment is somewhere between the first look at the tasks and the last of them being
 * taken: the crowd is in between. Each try is a little later than the one before.
 */
TEST(no_moment_of_an_execve_is_open_to_adoption)
{
	double end, took = 0.05, begin;
	unsigned int tries = 0, taken = 0, refused = 0, late = 0;
	pid_t first;
	int ret, i;

	make_helper();
	crowd = mmap(NULL, sizeof(*crowd), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	ASSERT_NE(MAP_FAILED, (void *)crowd);
	become(NOBODY);
	ASSERT_EQ(0, raw_open(&r));
	first = gather_crowd();
	for (end = chess_now() + seconds(); chess_now() < end || tries < TRIES; tries++) {
		crowd->pid = 0;
		crowd->go = 0;
		crowd->code = 0;
		crowd->delay = 1e6 * took * (tries % 24) / 24;
		crowd->try++;
		while (!crowd->pid)
			usleep(1000);
		new_group();
		trap_helper();
		ASSERT_EQ(0, raw_call(&r, CHESS_CMD_RUN_START, 0, CHESS_A_RUN_GROUP, group));
		begin = chess_now();
		crowd->go = 1;
		ret = adopt(first);
		if (!ret)
			took = chess_now() - begin;
		taken += !ret;
		refused += ret == -EPERM;
		EXPECT_TRUE(!ret || ret == -EPERM || ret == -EBUSY);
		/* It is raised, and still there after a while? */
		for (i = 0; i < 20 && !ret && is_raised(crowd->pid) && is_controlled(crowd->pid);
		     i++)
			usleep(10000);
		if (i == 20)
			TH_LOG("a program of root's is under control");
		EXPECT_GT(20, i);
		for (i = 0; i < 100 && !crowd->code; i++)
			usleep(10000);
		late += !crowd->code;
		raw_call(&r, CHESS_CMD_GROUP_DEL, 0, CHESS_A_GROUP_ID, group);
		for (i = 0; i < 1000 && !crowd->code; i++)
			usleep(10000);
		if (crowd->code != 1 + GOOD)
			TH_LOG("the set-user-id program ended with %d", crowd->code - 1);
		EXPECT_EQ(1 + GOOD, crowd->code);
	}
	kill(first, SIGKILL);
	TH_LOG("%u tries: %u taken, %u refused, %u ended late; adoption took %.0f ms", tries, taken,
	       refused, late, took * 1e3);
	EXPECT_LT(0U, taken + refused);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--helper"))
		return helper_main();
	return harness_main(argc, argv);
}

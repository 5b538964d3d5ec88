// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of many requests: generic netlink holds a lock of all families while it looks at
 * them, for which a family that comes or goes waits, and then everybody. Needs root and the
 * module, which is unloaded and loaded again.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "../harness.h"
#include "module.h"
#include "now.h"
#include "raw.h"
#include "user.h"

#define CALL_BYTES	(200 * 1024)
/* Requests that are timed one by one. */
#define TIMED		40
/* A call must take less than this part of what its requests take one by one. */
#define PART		2

static struct raw r;
static struct message m;
static char bytes[CALL_BYTES] __attribute__((aligned(8)));
static size_t length;
static unsigned int requests;

/* For a group whose record is larger than a user's memory may be: it is made nearly whole. */
static void make_request(void)
{
	message_begin(&m, CHESS_CMD_GROUP_NEW, 0);
	message_u32(&m, CHESS_A_GROUP_MAX_EVENTS, 1 << 20);
}

/* As many in one call as the socket takes; the time they take one by one, in ms. */
static long make_call(void)
{
	int size = 2 * CALL_BYTES, i;
	long from = chess_now_ms();

	for (i = 0; i < TIMED; i++) {
		make_request();
		EXPECT_EQ(-ENOMEM, raw_talk(&r, &m));
	}
	from = chess_now_ms() - from;
	EXPECT_EQ(0, setsockopt(r.fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size)));
	EXPECT_EQ(0, setsockopt(r.fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size)));
	make_request();
	m.head.nlmsg_type = r.family;
	m.head.nlmsg_len = m.len;
	for (length = 0; length + NLMSG_ALIGN(m.len) <= CALL_BYTES; length += NLMSG_ALIGN(m.len)) {
		m.head.nlmsg_seq = ++requests;
		memcpy(bytes + length, m.bytes, m.len);
	}
	return from * requests / TIMED;
}

/*
 * Which of the requests got the answer that the call is too long, which is the last one answered;
 * -1: some answers found no room.
 */
static int cut_at(void)
{
	static char block[65536] __attribute__((aligned(8)));
	struct nlmsghdr *h = (struct nlmsghdr *)block;
	bool lost = false;
	int error, at = 0;
	ssize_t n;

	for (;;) {
		n = recv(r.fd, block, sizeof(block), MSG_DONTWAIT);
		lost |= n < 0 && errno == ENOBUFS;
		if (n < 0 && errno != ENOBUFS)
			return lost ? -1 : at;
		if (n < 0)
			continue;
		memcpy(&error, h + 1, sizeof(error));
		EXPECT_EQ(NLMSG_ERROR, h->nlmsg_type);
		EXPECT_EQ(0, at);
		EXPECT_TRUE(error == -ENOMEM || error == -EAGAIN);
		if (error == -EAGAIN)
			at = h->nlmsg_seq;
	}
}

static void open_as_user(void)
{
	EXPECT_EQ(0, set_parameter("memory", "1"));
	become(NOBODY);
	ASSERT_EQ(0, raw_open(&r));
}

TEST(a_call_of_many_requests_ends_soon)
{
	long most, from;
	int at;

	open_as_user();
	most = make_call() / PART;
	from = chess_now_ms();
	ASSERT_EQ((ssize_t)length, send(r.fd, bytes, length, 0));
	EXPECT_LT(chess_now_ms() - from, most);
	at = cut_at();
	/* The first one is never refused for that. */
	EXPECT_TRUE(at < 0 || (at > 1 && at < (int)requests));
	/* Those after it can be sent again. */
	make_request();
	EXPECT_EQ(-ENOMEM, raw_talk(&r, &m));
}

/**
 * struct seen - shared with the others
 * @part_ms: what a call may take
 * @ready: calls are being made
 * @worst_ms: the longest that somebody else was waiting for an answer
 */
static volatile struct seen {
	long part_ms, worst_ms;
	bool ready;
} *seen;

static pid_t child(void (*fn)(void))
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	fn();
	_exit(0);
}

static void call_on_and_on(void)
{
	open_as_user();
	seen->part_ms = make_call() / PART;
	for (seen->ready = true;;)
		send(r.fd, bytes, length, 0);
}

/* Of the family of families, which has nothing to do with the module. */
static void ask_on_and_on(void)
{
	struct {
		struct nlmsghdr h;
		struct genlmsghdr g;
		struct nlattr a;
		char name[8];
	} ask = { { sizeof(ask), GENL_ID_CTRL, NLM_F_REQUEST, 0, 0 }, { CTRL_CMD_GETFAMILY, 1, 0 },
		  { NLA_HDRLEN + 7, CTRL_ATTR_FAMILY_NAME }, "nlctrl" };
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	char answer[8192];
	long from;

	for (;;) {
		from = chess_now_ms();
		if (send(fd, &ask, sizeof(ask), 0) < 0 || recv(fd, answer, sizeof(answer), 0) < 0)
			_exit(1);
		from = chess_now_ms() - from;
		if (from > seen->worst_ms)
			seen->worst_ms = from;
		usleep(1000);
	}
}

/* The module's family goes, and everybody's requests wait for those who came before it. */
TEST(requests_of_others_are_answered)
{
	pid_t caller, asker;
	unsigned int tries;
	int i;

	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(seen != MAP_FAILED);
	caller = child(call_on_and_on);
	for (i = 0; i < 10000 && !seen->ready; i++)
		usleep(10000);
	ASSERT_TRUE(seen->ready);
	asker = child(ask_on_and_on);
	usleep(500000);
	EXPECT_EQ(0, module_unload_soon(&tries));
	kill(caller, SIGKILL);
	EXPECT_EQ(caller, waitpid(caller, NULL, 0));
	EXPECT_EQ(0, kill(asker, 0));
	kill(asker, SIGKILL);
	EXPECT_EQ(asker, waitpid(asker, &i, 0));
	EXPECT_TRUE(WIFSIGNALED(i));
	printf("# others waited %ld ms at most, half of the requests takes %ld ms\n",
	       seen->worst_ms, seen->part_ms);
	EXPECT_LT(seen->worst_ms, seen->part_ms);
	EXPECT_EQ(0, module_load());
}

/* On the same socket, while the other thread makes the groups. */
static void *end_groups(void *first)
{
	static struct message del;
	uint32_t id = *(uint32_t *)first, i;

	for (i = 0; i < 2000; i++) {
		message_begin(&del, CHESS_CMD_GROUP_DEL, 0);
		message_u32(&del, CHESS_A_GROUP_ID, id + i / 50);
		del.head.nlmsg_flags = NLM_F_REQUEST;
		del.head.nlmsg_type = r.family;
		del.head.nlmsg_len = del.len;
		send(r.fd, del.bytes, del.len, 0);
	}
	return NULL;
}

/* Its number is known beforehand: it may go before its maker has the answer. */
TEST(a_group_may_end_while_it_is_made)
{
	struct message *new = calloc(1, sizeof(*new));
	uint32_t first;
	pthread_t t;
	int i;

	ASSERT_EQ(0, raw_open(&r));
	ASSERT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 16));
	first = r.value[CHESS_A_GROUP_ID] + 1;
	ASSERT_EQ(0, pthread_create(&t, NULL, end_groups, &first));
	for (i = 0; i < 40; i++) {
		message_begin(new, CHESS_CMD_GROUP_NEW, 0);
		message_u32(new, CHESS_A_GROUP_MAX_EVENTS, 16);
		new->head.nlmsg_type = r.family;
		new->head.nlmsg_len = new->len;
		send(r.fd, new->bytes, new->len, 0);
	}
	ASSERT_EQ(0, pthread_join(t, NULL));
	raw_close(&r);
	free(new);
	for (i = 0; i < 2000; i++) {
		ASSERT_EQ(0, raw_open(&r));
		first = raw_groups(&r);
		raw_close(&r);
		if (!first)
			break;
		usleep(5000);
	}
	EXPECT_EQ(0U, first);
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages of a child of netlink_fuzz on their way, one or many a call, and what they are
 * answered: which groups there are, and whether somebody got what is another user's. See
 * netlink_child.h.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "netlink_child.h"

#define ADD(counter) __atomic_add_fetch(&(counter), 1, __ATOMIC_RELAXED)
/* Answers that are read by one call, of so many bytes each: netlink makes no longer ones. */
#define ANSWERS		32
#define ANSWER_BYTES	32768
/* A call of more is refused where a user's socket has no room for it. */
#define QUEUE_BYTES	(128 * 1024)
/* Messages without a new group, mostly, where there were too many. */
#define FULL_FOR	1000

/* What an answer is about: sequence numbers begin with this. */
#define N_SENT 2048
static struct sent {
	uint32_t seq, pid, group;
	unsigned int command, epoch;
	bool closed;
	uint16_t flags;
} sent[N_SENT];
static uint32_t seq;

/* Messages that wait for the others of their call, by socket. */
static struct queue {
	size_t length;
	unsigned int n;
	char bytes[QUEUE_BYTES + MESSAGE_BYTES] __attribute__((aligned(8)));
} queues[N_SOCKETS];
static char answer[ANSWERS][ANSWER_BYTES] __attribute__((aligned(8)));

static void crossed(const char *what, uint32_t about)
{
	if (ADD(shared->crossed) == 1)
		snprintf(shared->what, sizeof(shared->what), "%s %u", what, about);
}

int netlink_open(void)
{
	struct sockaddr_nl any = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC), on = 1;
	int size = 1 << 20;

	if (fd < 0 || bind(fd, (struct sockaddr *)&any, sizeof(any)))
		_exit(3);
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	return fd;
}

uint16_t netlink_family(int fd)
{
	struct {
		struct nlmsghdr h;
		struct genlmsghdr g;
		struct nlattr a;
		char name[8];
	} ask = { { sizeof(ask), GENL_ID_CTRL, NLM_F_REQUEST, 0, 0 }, { CTRL_CMD_GETFAMILY, 1, 0 },
		  { NLA_HDRLEN + 6, CTRL_ATTR_FAMILY_NAME }, "chess" };
	struct nlattr *a = (struct nlattr *)(answer[0] + NLMSG_HDRLEN + GENL_HDRLEN);
	ssize_t n;
	uint16_t id;

	if (send(fd, &ask, sizeof(ask), 0) < 0)
		_exit(4);
	n = recv(fd, answer[0], ANSWER_BYTES, 0);
	while ((char *)a < answer[0] + n && a->nla_len >= NLA_HDRLEN) {
		if (a->nla_type == CTRL_ATTR_FAMILY_ID) {
			memcpy(&id, a + 1, sizeof(id));
			return id;
		}
		a = (struct nlattr *)((char *)a + NLA_ALIGN(a->nla_len));
	}
	_exit(5);
}

static bool is_bystander(uint32_t pid)
{
	unsigned int i;

	for (i = 0; i < N_BYSTANDERS; i++)
		if (pid && (pid_t)pid == shared->bystander[i])
			return true;
	return false;
}

static bool is_of_root(uint32_t group)
{
	return group && shared->owner[group % N_OWNERS].id == group &&
	       shared->owner[group % N_OWNERS].uid == 0;
}

static void take_group(struct netlink_child *c, unsigned int socket, uint32_t id)
{
	unsigned int at = c->n_groups++ % N_GROUPS;

	c->group[at] = id;
	c->owner[at] = socket;
	c->n_alive += !c->alive[at];
	c->alive[at] = true;
	shared->owner[id % N_OWNERS].uid = c->uid;
	shared->owner[id % N_OWNERS].id = id;
	ADD(shared->groups);
}

static void forget_group(struct netlink_child *c, unsigned int at)
{
	c->n_alive -= c->alive[at];
	c->alive[at] = false;
}

/* It is gone, or was of a socket that is. */
static void forget_number(struct netlink_child *c, uint32_t group)
{
	unsigned int i;

	for (i = 0; group && i < N_GROUPS; i++)
		if (c->group[i] == group)
			forget_group(c, i);
}

void netlink_forget(struct netlink_child *c, unsigned int socket)
{
	unsigned int i;

	for (i = 0; i < N_GROUPS; i++)
		if (c->owner[i] == socket)
			forget_group(c, i);
}

static void take_success(struct netlink_child *c, const struct sent *s)
{
	const char *name;

	/* One that is no request is confirmed and not looked at. */
	if (s->command >= N_COMMANDS || !(s->flags & NLM_F_REQUEST))
		return;
	name = commands[s->command].name;
	ADD(shared->count[s->command].accepted);
	if (!strcmp(name, "group-del"))
		forget_number(c, s->group);
	if (!c->uid)
		return;
	if (is_bystander(s->pid))
		crossed(name, s->pid);
	if (is_of_root(s->group))
		crossed(name, s->group);
	if (s->closed && s->epoch == shared->epoch && !(s->epoch & 1) &&
	    !strcmp(name, "group-new"))
		crossed("group-new, closed", 0);
}

static void take_message(struct netlink_child *c, unsigned int socket, const struct nlmsghdr *h)
{
	const struct sent *s = &sent[h->nlmsg_seq % N_SENT];
	const struct genlmsghdr *g = NLMSG_DATA(h);
	const struct nlattr *a = (const void *)((const char *)g + GENL_HDRLEN);
	uint32_t value;
	int error;

	if (h->nlmsg_type == NLMSG_ERROR || h->nlmsg_type == NLMSG_DONE) {
		memcpy(&error, NLMSG_DATA(h), sizeof(error));
		if (!error && h->nlmsg_seq && s->seq == h->nlmsg_seq)
			take_success(c, s);
		else if (error == -EDQUOT)
			c->full = FULL_FOR;
		else if (error == -EAGAIN)
			ADD(shared->cut);
		else if (error == -ENOENT && s->seq == h->nlmsg_seq)
			forget_number(c, s->group);
		return;
	}
	if (h->nlmsg_type != c->family || h->nlmsg_len < NLMSG_HDRLEN + GENL_HDRLEN + 8)
		return;
	memcpy(&value, a + 1, sizeof(value));
	if (g->cmd == CHESS_CMD_GROUP_NEW && a->nla_type == CHESS_A_GROUP_ID)
		take_group(c, socket, value);
	if (g->cmd == CHESS_CMD_GROUP_GET && a->nla_type == CHESS_A_GROUP_ID && c->uid &&
	    is_of_root(value))
		crossed("group-get shows", value);
}

/* As many calls at most. */
void netlink_drain(struct netlink_child *c, unsigned int socket, unsigned int most)
{
	struct mmsghdr m[ANSWERS];
	struct iovec v[ANSWERS];
	struct nlmsghdr *h;
	int i, n;

	while (most--) {
		for (i = 0; i < ANSWERS; i++) {
			v[i] = (struct iovec){ answer[i], ANSWER_BYTES };
			m[i] = (struct mmsghdr){ .msg_hdr = { .msg_iov = &v[i], .msg_iovlen = 1 } };
		}
		n = recvmmsg(c->socket[socket], m, ANSWERS, MSG_DONTWAIT, NULL);
		for (i = 0; i < n; i++) {
			unsigned int left = m[i].msg_len;

			for (h = (struct nlmsghdr *)answer[i]; NLMSG_OK(h, left);
			     h = NLMSG_NEXT(h, left))
				take_message(c, socket, h);
		}
		if (n < ANSWERS)
			return;
	}
}

/* A number for it, and what is known of it by that. */
static void count_request(struct request *r)
{
	struct sent *s = &sent[++seq % N_SENT];

	r->head.nlmsg_seq = seq;
	*s = (struct sent){ seq, r->pid, r->group, r->command, shared->epoch, shared->closed,
			    r->head.nlmsg_flags };
	if (r->command < N_COMMANDS)
		ADD(shared->count[r->command].sent);
	else
		ADD(shared->garbage);
	ADD(shared->messages);
}

void netlink_send(struct netlink_child *c, unsigned int socket, struct request *r, size_t length)
{
	struct timespec from, to;

	count_request(r);
	clock_gettime(CLOCK_MONOTONIC, &from);
	if (send(c->socket[socket], r->bytes, length, MSG_DONTWAIT) < 0)
		ADD(shared->refused);
	clock_gettime(CLOCK_MONOTONIC, &to);
	if (r->command >= N_COMMANDS)
		return;
	ADD(shared->count[r->command].timed);
	__atomic_add_fetch(&shared->count[r->command].us, (to.tv_sec - from.tv_sec) * 1000000 +
			   (to.tv_nsec - from.tv_nsec) / 1000, __ATOMIC_RELAXED);
}

void netlink_flush(struct netlink_child *c, unsigned int socket)
{
	struct queue *q = &queues[socket];

	if (!q->n)
		return;
	if (send(c->socket[socket], q->bytes, q->length, MSG_DONTWAIT) < 0)
		__atomic_add_fetch(&shared->refused, q->n, __ATOMIC_RELAXED);
	ADD(shared->calls);
	q->length = 0;
	q->n = 0;
}

/* A message whose length is wrong ends the call it is in: it has to be the last one. */
void netlink_queue(struct netlink_child *c, unsigned int socket, struct request *r, size_t length)
{
	struct queue *q = &queues[socket];
	bool is_last = r->head.nlmsg_len != length;

	if (q->length + NLMSG_ALIGN(length) > QUEUE_BYTES)
		netlink_flush(c, socket);
	count_request(r);
	memcpy(q->bytes + q->length, r->bytes, length);
	memset(q->bytes + q->length + length, 0, NLMSG_ALIGN(length) - length);
	q->length += is_last ? length : NLMSG_ALIGN(length);
	q->n++;
	if (is_last)
		netlink_flush(c, socket);
}

unsigned int netlink_queued(unsigned int socket)
{
	return queues[socket].n;
}

void netlink_begin(unsigned int number)
{
	seq = number << 16;
}

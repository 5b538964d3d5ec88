// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The module over generic netlink: the socket, requests and their answers, and notices.
 * The calls, one for each command of docs/netlink/specs/chess.yaml, are in nl_*.c.
 *
 * Messages are built and sent with libnl. Answers are read here: notices come to
 * the same socket whenever they like, between an acknowledgement and a part of a
 * dump too, and libnl's receive loop would take them for answers out of
 * sequence. They are queued and handed out by chess_notice_wait(). The kernel's
 * own sentence about a refusal (extended acknowledgement) becomes chess_error().
 *
 * The socket is one, and so is its buffer: a run costs no more than its messages.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "array.h"
#include "internal.h"
#include "module/nl.h"
#include "module/nl_internal.h"
#include "now.h"

/* The kernel fills up to 32 KiB of a dump at once, and answers are smaller. */
#define BUFFER_BYTES	(64 * 1024)
#define SOCKET_BYTES	(4 * 1024 * 1024)
#define ANSWER_MS	10000
/* A request that is refused for the moment is repeated for so long. */
#define AGAIN_MS	1000

struct chess_ctl {
	struct nl_sock *sock;
	int family;
	uint32_t seq;			/* of the request in work */
	bool one_answer;		/* its answer says as well that it was good */
	struct chess_run_notice *notice;	/* queued: from head to n */
	size_t head, n, room;
	uint32_t functions;		/* see chess_ctl_set_functions() */
	uint32_t early_max;		/* see chess_ctl_set_late() */
	const char *late_programs;
	uint64_t scratch[BUFFER_BYTES / 8];	/* attributes, aligned for their structs */
	uint64_t buffer[BUFFER_BYTES / 8];
};

static const char *const command_names[] = {
	[CHESS_CMD_GROUP_NEW] = "group-new", [CHESS_CMD_GROUP_GET] = "group-get",
	[CHESS_CMD_GROUP_DEL] = "group-del", [CHESS_CMD_TASK_ADD] = "task-add",
	[CHESS_CMD_TASK_GET] = "task-get", [CHESS_CMD_PROBE_ADD] = "probe-add",
	[CHESS_CMD_SCHEDULE_SET] = "schedule-set", [CHESS_CMD_RUN_START] = "run-start",
	[CHESS_CMD_RUN_STOP] = "run-stop", [CHESS_CMD_RECORD_GET] = "record-get",
	[CHESS_CMD_TASK_ADOPT] = "task-adopt",
	[CHESS_CMD_RUN_RELEASE] = "run-release",
	[CHESS_CMD_POINTS_SET] = "points-set",
	[CHESS_CMD_ACCESS_GET] = "access-get",
};

#define ATTRIBUTES_MAX CHESS_A_GROUP_MAX
_Static_assert((int)CHESS_A_TASK_MAX <= ATTRIBUTES_MAX && (int)CHESS_A_RUN_MAX <= ATTRIBUTES_MAX &&
	       (int)CHESS_A_RECORD_MAX <= ATTRIBUTES_MAX, "tables are sized for the largest set");

/* A module that is closed to this user says so to any request: better now than later. */
static int try_it(struct chess_ctl *c)
{
	struct nl_msg *msg = chess_nl_request(c, CHESS_CMD_GROUP_GET, NLM_F_DUMP, 0);

	return msg ? chess_nl_send(c, msg, NULL, NULL) : -ENOMEM;
}

struct chess_ctl *chess_ctl_open(void)
{
	struct chess_ctl *c = calloc(1, sizeof(*c));
	int on = 1, bytes = SOCKET_BYTES, fd, ret;

	if (!c) {
		chess_set_error(ENOMEM, "no memory for a netlink socket");
		return NULL;
	}
	c->sock = nl_socket_alloc();
	ret = c->sock ? genl_connect(c->sock) : -NLE_NOMEM;
	if (ret) {
		chess_ctl_close(c);
		chess_set_error(EIO, "cannot open a generic netlink socket: %s", nl_geterror(ret));
		return NULL;
	}
	c->family = genl_ctrl_resolve(c->sock, CHESS_FAMILY_NAME);
	if (c->family < 0) {
		ret = c->family;
		chess_ctl_close(c);
		if (ret == -NLE_OBJ_NOTFOUND)
			chess_set_error(ENOENT,
					"the chess module is not loaded (there is no netlink family \"%s\"): load chess.ko, or let chessctl use its VM",
					CHESS_FAMILY_NAME);
		else
			chess_set_error(EIO, "cannot look up the netlink family \"%s\": %s",
					CHESS_FAMILY_NAME, nl_geterror(ret));
		return NULL;
	}
	fd = nl_socket_get_fd(c->sock);
	/* Without them errors are mere numbers; kernels that run the module have both. */
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));
	/* Beyond the system's limit where we may, else as far as it goes. */
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes)))
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	ret = try_it(c);
	if (ret) {
		chess_ctl_close(c);
		errno = -ret;
		return NULL;
	}
	return c;
}

void chess_ctl_close(struct chess_ctl *c)
{
	if (!c)
		return;
	nl_socket_free(c->sock);
	free(c->notice);
	free(c);
}

void chess_ctl_set_functions(struct chess_ctl *c, uint32_t n)
{
	c->functions = n;
}

void chess_ctl_set_late(struct chess_ctl *c, uint32_t early_max, const char *programs)
{
	c->early_max = early_max;
	c->late_programs = programs && *programs ? programs : NULL;
}

void chess_nl_put_late(const struct chess_ctl *c, struct nl_msg *msg)
{
	if (c->early_max)
		nla_put_u32(msg, CHESS_A_RUN_EARLY_MAX, c->early_max);
	if (c->late_programs)
		nla_put_string(msg, CHESS_A_RUN_LATE_PROGRAMS, c->late_programs);
}

uint32_t chess_ctl_functions(const struct chess_ctl *c)
{
	return c->functions;
}

uint32_t chess_nl_u32(struct nlattr **tb, int attr)
{
	return tb[attr] && nla_len(tb[attr]) >= 4 ? nla_get_u32(tb[attr]) : 0;
}

void *chess_nl_aligned(struct chess_ctl *c, struct nlattr *a)
{
	memcpy(c->scratch, nla_data(a), nla_len(a));
	((char *)c->scratch)[nla_len(a)] = '\0';
	return c->scratch;
}

static int push_notice(struct chess_ctl *c, struct nlattr **tb)
{
	if (c->head == c->n)
		c->head = c->n = 0;
	if (chess_array_room(&c->notice, &c->room, c->n + 1, sizeof(*c->notice)))
		return chess_set_error(ENOMEM, "no memory for notices of the module");
	c->notice[c->n++] = (struct chess_run_notice){
		.group = chess_nl_u32(tb, CHESS_A_RUN_GROUP),
		.notice = chess_nl_u32(tb, CHESS_A_RUN_NOTICE),
		.seq = chess_nl_u32(tb, CHESS_A_RUN_SEQ),
		.run = chess_nl_u32(tb, CHESS_A_RUN_RUN),
	};
	return 0;
}

/* Refusal @err of @cmd, in the kernel's words where the attributes that begin
 * @skip bytes into the message have some.
 */
static int refuse(const struct nlmsghdr *h, int cmd, int err, size_t skip)
{
	struct nlattr *tb[NLMSGERR_ATTR_MAX + 1] = { 0 };
	size_t len = nlmsg_datalen(h);
	const char *text = NULL;

	if ((h->nlmsg_flags & NLM_F_ACK_TLVS) && skip < len)
		nla_parse(tb, NLMSGERR_ATTR_MAX, (struct nlattr *)((char *)nlmsg_data(h) + skip),
			  len - skip, NULL);
	if (tb[NLMSGERR_ATTR_MSG] && nla_len(tb[NLMSGERR_ATTR_MSG]) > 0)
		text = nla_get_string(tb[NLMSGERR_ATTR_MSG]);
	return chess_set_error(err, "%s: %s", command_names[cmd], text ? text : strerror(err));
}

/* The kernel's answer that a request failed, or with error 0 that it did not. */
static int take_error(const struct nlmsghdr *h, int cmd)
{
	const struct nlmsgerr *e = nlmsg_data(h);
	size_t skip = sizeof(*e);

	if ((size_t)nlmsg_datalen(h) < sizeof(*e))
		return chess_set_error(EPROTO, "%s: truncated answer from the module",
				       command_names[cmd]);
	if (!e->error)
		return 0;
	/* Without this flag the whole request stands before the attributes. */
	if (!(h->nlmsg_flags & NLM_F_CAPPED))
		skip += NLMSG_ALIGN(e->msg.nlmsg_len) - NLMSG_HDRLEN;
	return refuse(h, cmd, -e->error, skip);
}

/* Read until something is there or @timeout_ms is over; both ends of @fd are
 * optional. Return: bytes in the buffer or -errno.
 */
static ssize_t receive(struct chess_ctl *c, int timeout_ms, int fd)
{
	struct pollfd p[2] = {
		{ .fd = nl_socket_get_fd(c->sock), .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
	};
	struct sockaddr_nl from;
	socklen_t from_len = sizeof(from);
	ssize_t n;

	for (;;) {
		n = recvfrom(p[0].fd, c->buffer, sizeof(c->buffer), MSG_DONTWAIT | MSG_TRUNC,
			     (struct sockaddr *)&from, &from_len);
		if (n >= 0 && from.nl_pid)
			continue;
		if (n > (ssize_t)sizeof(c->buffer))
			return chess_set_error(EMSGSIZE, "message of %zd bytes from the module", n);
		if (n >= 0)
			return n;
		if (errno == ENOBUFS)
			return chess_set_error(ENOBUFS,
					       "messages of the module were lost: the socket is full");
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return chess_set_error(errno, "reading from the module: %m");
		n = poll(p, fd < 0 ? 1 : 2, timeout_ms);
		if (!n)
			return chess_set_error(ETIMEDOUT, "no message from the module in %d ms",
					       timeout_ms);
		if (n < 0)
			return chess_set_error(errno, "waiting for the module: %m");
		if (fd >= 0 && p[1].revents)
			return chess_set_error(ECANCELED, "the wait for the module was interrupted");
	}
}

/*
 * What is in the buffer: notices go to the queue, answers to request @cmd, when
 * there is one, to @fn. Return: 1 when the request is done, 0 when more is to
 * come, -errno.
 */
static int take_messages(struct chess_ctl *c, ssize_t bytes, int cmd, chess_nl_answer_fn fn,
			 void *arg)
{
	struct nlmsghdr *h = (struct nlmsghdr *)c->buffer;
	struct nlattr *tb[ATTRIBUTES_MAX + 1];
	struct genlmsghdr *g;
	int left = bytes, ret;

	for (; nlmsg_ok(h, left); h = nlmsg_next(h, &left)) {
		if (h->nlmsg_type == c->family) {
			g = genlmsg_hdr(h);
			if (!genlmsg_valid_hdr(h, 0))
				continue;
			if (nla_parse(tb, ATTRIBUTES_MAX, genlmsg_attrdata(g, 0),
				      genlmsg_attrlen(g, 0), NULL))
				return chess_set_error(EPROTO, "malformed message from the module");
			ret = 0;
			if (g->cmd == CHESS_CMD_EVENT_NTF)
				ret = push_notice(c, tb);
			else if (cmd && h->nlmsg_seq == c->seq && fn)
				ret = fn(c, tb, arg);
			if (ret)
				return ret;
			if (cmd && g->cmd == cmd && h->nlmsg_seq == c->seq && c->one_answer)
				return 1;
			continue;
		}
		/* Left over from a request that was given up. */
		if (!cmd || h->nlmsg_seq != c->seq)
			continue;
		if (h->nlmsg_type == NLMSG_ERROR) {
			ret = take_error(h, cmd);
			return ret ? ret : 1;
		}
		if (h->nlmsg_type == NLMSG_DONE) {
			ret = nlmsg_datalen(h) >= 4 ? *(int *)nlmsg_data(h) : 0;
			return ret < 0 ? refuse(h, cmd, -ret, NLMSG_ALIGN(sizeof(ret))) : 1;
		}
	}
	return 0;
}

struct nl_msg *chess_nl_request(struct chess_ctl *c, int cmd, int flags, size_t bytes)
{
	struct nl_msg *msg = nlmsg_alloc_size(NLMSG_HDRLEN + GENL_HDRLEN + 256 + bytes);

	/* A number of our own: libnl's would be counted on by its receive loop. */
	if (msg && !genlmsg_put(msg, NL_AUTO_PORT, ++c->seq, c->family, 0, flags, cmd,
				CHESS_FAMILY_VERSION)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	if (!msg)
		chess_set_error(ENOMEM, "no memory for a message of %zu bytes", bytes);
	return msg;
}

static int64_t now_ms(void)
{
	return chess_now_us() / 1000;
}

static int send_once(struct chess_ctl *c, struct nl_msg *msg, chess_nl_answer_fn fn, void *arg)
{
	int cmd = genlmsg_hdr(nlmsg_hdr(msg))->cmd, ret;
	ssize_t n;

	nl_complete_msg(c->sock, msg);
	ret = nl_send(c->sock, msg);
	if (ret < 0)
		return chess_set_error(errno ? errno : EIO, "%s: cannot send to the module: %s",
				       command_names[cmd], nl_geterror(ret));
	do {
		n = receive(c, ANSWER_MS, -1);
		/* A signal to us is no reason to lose the answer. */
		if (n == -EINTR)
			continue;
		if (n == -ETIMEDOUT)
			return chess_set_error(ETIMEDOUT, "%s: the module did not answer in %d s",
					       command_names[cmd], ANSWER_MS / 1000);
		if (n < 0)
			return n;
		ret = take_messages(c, n, cmd, fn, arg);
	} while (n < 0 || !ret);
	return ret < 0 ? ret : 0;
}

/*
 * The module does not wait for what takes long, such as the end of a group that goes: a lock
 * of the kernel's is held meanwhile. It is we who wait.
 */
int chess_nl_send(struct chess_ctl *c, struct nl_msg *msg, chess_nl_answer_fn fn, void *arg)
{
	const struct timespec nap = { .tv_nsec = 10 * 1000000 };
	bool dump = (nlmsg_hdr(msg)->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
	int64_t until = now_ms() + AGAIN_MS;
	int ret;

	/* A dump ends with a message of its own and is not acknowledged besides. */
	nlmsg_hdr(msg)->nlmsg_flags |= NLM_F_REQUEST;
	/* Each run asks for the state of its group. */
	c->one_answer = !dump && genlmsg_hdr(nlmsg_hdr(msg))->cmd == CHESS_CMD_GROUP_GET;
	if (!dump && !c->one_answer)
		nlmsg_hdr(msg)->nlmsg_flags |= NLM_F_ACK;
	for (;;) {
		ret = send_once(c, msg, fn, arg);
		if ((ret != -EAGAIN && ret != -EDQUOT) || now_ms() > until)
			break;
		nanosleep(&nap, NULL);
	}
	nlmsg_free(msg);
	return ret;
}

int chess_nl_ask(struct chess_ctl *c, int cmd, int flags, int attr, uint32_t group,
		 chess_nl_answer_fn fn, void *arg)
{
	struct nl_msg *msg = chess_nl_request(c, cmd, flags, 0);

	if (!msg)
		return -ENOMEM;
	if (group)
		nla_put_u32(msg, attr, group);
	return chess_nl_send(c, msg, fn, arg);
}

int chess_notice_wait_fd(struct chess_ctl *c, int timeout_ms, int fd, struct chess_run_notice *n)
{
	int64_t end = now_ms() + timeout_ms, left = timeout_ms;
	ssize_t bytes;
	int ret;

	while (c->head == c->n) {
		if (timeout_ms >= 0) {
			left = end - now_ms();
			if (left < 0)
				left = 0;
		}
		bytes = receive(c, left, fd);
		if (bytes < 0)
			return bytes;
		ret = take_messages(c, bytes, 0, NULL, NULL);
		if (ret < 0)
			return ret;
	}
	*n = c->notice[c->head++];
	return 0;
}

int chess_notice_wait(struct chess_ctl *c, int timeout_ms, struct chess_run_notice *n)
{
	return chess_notice_wait_fd(c, timeout_ms, -1, n);
}

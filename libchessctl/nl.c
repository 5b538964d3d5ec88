// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The module over generic netlink: one typed call per command of
 * docs/netlink/specs/chess.yaml. runner.c and the CLI call; nothing outside this
 * file knows an attribute number.
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

#include "internal.h"
#include "nl.h"

/* The kernel fills up to 32 KiB of a dump at once, and answers are smaller. */
#define BUFFER_BYTES	(64 * 1024)
#define SOCKET_BYTES	(4 * 1024 * 1024)
/* The longest attribute: 16 bits hold its length, and the whole message has to fit
 * the send buffer (64 KiB as libnl sets it) less what the kernel takes of it.
 */
#define ATTRIBUTE_BYTES	32768
#define ANSWER_MS	10000

struct chess_ctl {
	struct nl_sock *sock;
	int family;
	uint32_t seq;			/* of the request in work */
	struct chess_run_notice *notice;	/* queued: from head to n */
	size_t head, n, room;
	uint64_t scratch[BUFFER_BYTES / 8];	/* attributes, aligned for their structs */
	uint64_t buffer[BUFFER_BYTES / 8];
};

/* Called for each answer to a request. Return: 0 or -errno. */
typedef int (*answer_fn)(struct chess_ctl *c, struct nlattr **tb, void *arg);

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

static uint32_t get_u32(struct nlattr **tb, int attr)
{
	return tb[attr] && nla_len(tb[attr]) >= 4 ? nla_get_u32(tb[attr]) : 0;
}

static int push_notice(struct chess_ctl *c, struct nlattr **tb)
{
	struct chess_run_notice *more;
	size_t room = c->room ? c->room * 2 : 16;

	if (c->head == c->n)
		c->head = c->n = 0;
	if (c->n == c->room) {
		more = realloc(c->notice, room * sizeof(*more));
		if (!more)
			return chess_set_error(ENOMEM, "no memory for notices of the module");
		c->notice = more;
		c->room = room;
	}
	c->notice[c->n++] = (struct chess_run_notice){
		.group = get_u32(tb, CHESS_A_RUN_GROUP),
		.notice = get_u32(tb, CHESS_A_RUN_NOTICE),
		.seq = get_u32(tb, CHESS_A_RUN_SEQ),
		.run = get_u32(tb, CHESS_A_RUN_RUN),
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
static int take_messages(struct chess_ctl *c, ssize_t bytes, int cmd, answer_fn fn, void *arg)
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

/* A message with room for @bytes of attributes. */
static struct nl_msg *request_new(struct chess_ctl *c, int cmd, int flags, size_t bytes)
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

static int request_send(struct chess_ctl *c, struct nl_msg *msg, answer_fn fn, void *arg)
{
	int cmd = genlmsg_hdr(nlmsg_hdr(msg))->cmd, ret;
	ssize_t n;

	/* A dump ends with a message of its own and is not acknowledged besides. */
	nlmsg_hdr(msg)->nlmsg_flags |= NLM_F_REQUEST;
	if ((nlmsg_hdr(msg)->nlmsg_flags & NLM_F_DUMP) != NLM_F_DUMP)
		nlmsg_hdr(msg)->nlmsg_flags |= NLM_F_ACK;
	nl_complete_msg(c->sock, msg);
	ret = nl_send(c->sock, msg);
	nlmsg_free(msg);
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

/* A request whose only attribute is the group's number, or with 0 none at all. */
static int request_simple(struct chess_ctl *c, int cmd, int flags, int attr, uint32_t group,
			  answer_fn fn, void *arg)
{
	struct nl_msg *msg = request_new(c, cmd, flags, 0);

	if (!msg)
		return -ENOMEM;
	if (group)
		nla_put_u32(msg, attr, group);
	return request_send(c, msg, fn, arg);
}

static int take_group_new(struct chess_ctl *c, struct nlattr **tb, void *arg)
{
	(void)c;
	*(uint32_t *)arg = get_u32(tb, CHESS_A_GROUP_ID);
	return 0;
}

int chess_group_new(struct chess_ctl *c, uint32_t quantum_us, uint32_t max_events, uint32_t *id)
{
	struct nl_msg *msg = request_new(c, CHESS_CMD_GROUP_NEW, 0, 0);
	int ret;

	*id = 0;
	if (!msg)
		return -ENOMEM;
	if (quantum_us)
		nla_put_u32(msg, CHESS_A_GROUP_QUANTUM_US, quantum_us);
	if (max_events)
		nla_put_u32(msg, CHESS_A_GROUP_MAX_EVENTS, max_events);
	ret = request_send(c, msg, take_group_new, id);
	if (!ret && !*id)
		return chess_set_error(EPROTO, "group-new: the module gave the group no number");
	return ret;
}

int chess_group_del(struct chess_ctl *c, uint32_t id)
{
	return request_simple(c, CHESS_CMD_GROUP_DEL, 0, CHESS_A_GROUP_ID, id, NULL, NULL);
}

struct list {
	void *data;
	size_t n;
};

static void *list_push(struct list *l, size_t size)
{
	void *more;

	/* Lists double whenever their length is a power of two. */
	if (!(l->n & (l->n - 1))) {
		more = realloc(l->data, (l->n ? l->n * 2 : 1) * size);
		if (!more) {
			chess_set_error(ENOMEM, "no memory for a list of %zu entries", l->n);
			return NULL;
		}
		l->data = more;
	}
	return (char *)l->data + l->n++ * size;
}

static void take_comm(struct nlattr *a, char *to, size_t size)
{
	if (a)
		snprintf(to, size, "%.*s", nla_len(a), (const char *)nla_data(a));
}

static int take_group(struct chess_ctl *c, struct nlattr **tb, void *arg)
{
	struct chess_group_info *g = list_push(arg, sizeof(*g));

	(void)c;
	if (!g)
		return -ENOMEM;
	*g = (struct chess_group_info){
		.id = get_u32(tb, CHESS_A_GROUP_ID),
		.quantum_us = get_u32(tb, CHESS_A_GROUP_QUANTUM_US),
		.max_events = get_u32(tb, CHESS_A_GROUP_MAX_EVENTS),
		.state = get_u32(tb, CHESS_A_GROUP_STATE),
		.cpu = get_u32(tb, CHESS_A_GROUP_CPU),
		.owner_portid = get_u32(tb, CHESS_A_GROUP_OWNER_PORTID),
		.owner_pid = get_u32(tb, CHESS_A_GROUP_OWNER_PID),
		.tasks = get_u32(tb, CHESS_A_GROUP_TASKS),
		.events = get_u32(tb, CHESS_A_GROUP_EVENTS),
		.decisions = get_u32(tb, CHESS_A_GROUP_DECISIONS),
		.runs = get_u32(tb, CHESS_A_GROUP_RUNS),
		.token = tb[CHESS_A_GROUP_TOKEN] ? get_u32(tb, CHESS_A_GROUP_TOKEN)
						 : CHESS_TASK_NONE,
		.lost = get_u32(tb, CHESS_A_GROUP_LOST),
		.stalls = get_u32(tb, CHESS_A_GROUP_STALLS),
		.probes = get_u32(tb, CHESS_A_GROUP_PROBES),
		.outside_task = tb[CHESS_A_GROUP_OUTSIDE_TASK] ?
				get_u32(tb, CHESS_A_GROUP_OUTSIDE_TASK) : CHESS_TASK_NONE,
		.outside_pid = get_u32(tb, CHESS_A_GROUP_OUTSIDE_PID),
		.let_go = get_u32(tb, CHESS_A_GROUP_LET_GO),
		.adopted = get_u32(tb, CHESS_A_GROUP_ADOPTED),
	};
	take_comm(tb[CHESS_A_GROUP_OUTSIDE_COMM], g->outside_comm, sizeof(g->outside_comm));
	return 0;
}

int chess_group_get(struct chess_ctl *c, uint32_t id, struct chess_group_info *info)
{
	struct list l = { 0 };
	int ret;

	ret = request_simple(c, CHESS_CMD_GROUP_GET, 0, CHESS_A_GROUP_ID, id, take_group, &l);
	if (!ret && l.n != 1)
		ret = chess_set_error(EPROTO, "group-get: %zu answers for group %u", l.n, id);
	if (!ret)
		*info = *(struct chess_group_info *)l.data;
	free(l.data);
	return ret;
}

static int list_end(struct list *l, int ret, void *out)
{
	if (ret) {
		free(l->data);
		l->data = NULL;
		l->n = 0;
	}
	*(void **)out = l->data;
	return ret ? ret : (int)l->n;
}

int chess_group_list(struct chess_ctl *c, struct chess_group_info **out)
{
	struct list l = { 0 };
	int ret;

	ret = request_simple(c, CHESS_CMD_GROUP_GET, NLM_F_DUMP, 0, 0, take_group, &l);
	return list_end(&l, ret, out);
}

static int take_task(struct chess_ctl *c, struct nlattr **tb, void *arg)
{
	struct chess_task_info *t = list_push(arg, sizeof(*t));

	(void)c;
	if (!t)
		return -ENOMEM;
	*t = (struct chess_task_info){
		.group = get_u32(tb, CHESS_A_TASK_GROUP),
		.pid = get_u32(tb, CHESS_A_TASK_PID),
		.id = get_u32(tb, CHESS_A_TASK_ID),
		.state = get_u32(tb, CHESS_A_TASK_STATE),
		.seq = get_u32(tb, CHESS_A_TASK_SEQ),
	};
	return 0;
}

int chess_task_list(struct chess_ctl *c, uint32_t group, struct chess_task_info **out)
{
	struct list l = { 0 };
	int ret;

	ret = request_simple(c, CHESS_CMD_TASK_GET, NLM_F_DUMP, CHESS_A_TASK_GROUP, group,
			     take_task, &l);
	return list_end(&l, ret, out);
}

int chess_task_add(struct chess_ctl *c, uint32_t group, uint32_t pid)
{
	struct nl_msg *msg = request_new(c, CHESS_CMD_TASK_ADD, 0, 0);

	if (!msg)
		return -ENOMEM;
	nla_put_u32(msg, CHESS_A_TASK_GROUP, group);
	nla_put_u32(msg, CHESS_A_TASK_PID, pid);
	return request_send(c, msg, NULL, NULL);
}

static int take_adopted(struct chess_ctl *c, struct nlattr **tb, void *arg)
{
	struct chess_adopted *out = arg;

	(void)c;
	out->taken = get_u32(tb, CHESS_A_TASK_TAKEN);
	out->late = get_u32(tb, CHESS_A_TASK_LATE);
	return 0;
}

int chess_task_adopt(struct chess_ctl *c, uint32_t group, uint32_t pid,
		     const struct chess_adopt_opts *o, struct chess_adopted *out)
{
	struct nl_msg *msg = request_new(c, CHESS_CMD_TASK_ADOPT, 0, 0);

	memset(out, 0, sizeof(*out));
	if (!msg)
		return -ENOMEM;
	nla_put_u32(msg, CHESS_A_TASK_GROUP, group);
	nla_put_u32(msg, CHESS_A_TASK_PID, pid);
	if (o->flags)
		nla_put_u32(msg, CHESS_A_TASK_ADOPT_FLAGS, o->flags);
	if (o->max_stall_ms)
		nla_put_u32(msg, CHESS_A_TASK_MAX_STALL_MS, o->max_stall_ms);
	if (o->heartbeat_ms)
		nla_put_u32(msg, CHESS_A_TASK_HEARTBEAT_MS, o->heartbeat_ms);
	if (o->max_slowdown)
		nla_put_u32(msg, CHESS_A_TASK_MAX_SLOWDOWN, o->max_slowdown);
	return request_send(c, msg, take_adopted, out);
}

/* A part of the traps of a file, with the @n_operands that belong to it. */
static int send_probes(struct chess_ctl *c, uint32_t group, int fd, const struct chess_probe *p,
		       size_t n, const struct chess_operand *operands, size_t n_operands,
		       bool append)
{
	struct nl_msg *msg = request_new(c, CHESS_CMD_PROBE_ADD, 0,
					 n * sizeof(*p) + n_operands * sizeof(*operands));

	if (!msg)
		return -ENOMEM;
	nla_put_u32(msg, CHESS_A_PROBE_GROUP, group);
	nla_put_u32(msg, CHESS_A_PROBE_FD, fd);
	nla_put(msg, CHESS_A_PROBE_ENTRIES, n * sizeof(*p), p);
	if (n_operands)
		nla_put(msg, CHESS_A_PROBE_OPERANDS, n_operands * sizeof(*operands), operands);
	if (append)
		nla_put_u32(msg, CHESS_A_PROBE_FLAGS, CHESS_PROBE_FLAGS_APPEND);
	return request_send(c, msg, NULL, NULL);
}

int chess_probe_add_accesses(struct chess_ctl *c, uint32_t group, int fd,
			     const struct chess_probe *p, size_t n,
			     const struct chess_operand *operands)
{
	const size_t most = ATTRIBUTE_BYTES / (sizeof(*p) + CHESS_PROBE_OPERANDS * sizeof(*operands));
	size_t at = 0, part, n_operands, i;
	int ret;

	do {
		part = n - at < most ? n - at : most;
		n_operands = 0;
		for (i = at; i < at + part; i++)
			if (p[i].flags & CHESS_PROBE_ACCESS)
				n_operands += CHESS_PROBE_OPERANDS;
		ret = send_probes(c, group, fd, p + at, part, operands, n_operands, at);
		operands += n_operands;
		at += part;
	} while (!ret && at < n);
	return ret;
}

int chess_probe_add(struct chess_ctl *c, uint32_t group, int fd, const struct chess_probe *p,
		    size_t n)
{
	return chess_probe_add_accesses(c, group, fd, p, n, NULL);
}

int chess_points_set(struct chess_ctl *c, uint32_t group, const uint64_t *words, size_t n)
{
	struct nl_msg *msg;

	if (n > CHESS_MAX_SITES / 64)
		return chess_set_error(E2BIG, "points-set: %zu sites, at most %u", n * 64,
				       CHESS_MAX_SITES);
	msg = request_new(c, CHESS_CMD_POINTS_SET, 0, n * sizeof(*words));
	if (!msg)
		return -ENOMEM;
	nla_put_u32(msg, CHESS_A_ACCESS_GROUP, group);
	nla_put(msg, CHESS_A_ACCESS_POINTS, n * sizeof(*words), words);
	return request_send(c, msg, NULL, NULL);
}

static void put_policy(struct nl_msg *msg, const struct chess_plan *plan)
{
	nla_put_u32(msg, CHESS_A_SCHEDULE_POLICY, plan->policy);
	if (plan->policy >= CHESS_POLICY_KIND_RANDOM && plan->policy != CHESS_POLICY_KIND_HOLD)
		nla_put_u64(msg, CHESS_A_SCHEDULE_SEED, plan->seed);
	if (plan->n_changes)
		nla_put(msg, CHESS_A_SCHEDULE_CHANGES, plan->n_changes * sizeof(uint32_t),
			plan->changes);
	if (plan->n_weights)
		nla_put(msg, CHESS_A_SCHEDULE_WEIGHTS, plan->n_weights * sizeof(uint32_t),
			plan->weights);
	if (plan->object_kind != CHESS_OBJECT_NONE) {
		nla_put_u32(msg, CHESS_A_SCHEDULE_OBJECT_KIND, plan->object_kind);
		nla_put_u64(msg, CHESS_A_SCHEDULE_OBJECT, plan->object);
	}
}

static size_t policy_bytes(const struct chess_plan *plan)
{
	return 64 + (plan->n_changes + plan->n_weights) * sizeof(uint32_t);
}

/* Part of the prefix; the first part has the policy. */
static int send_segments(struct chess_ctl *c, uint32_t group, const struct chess_plan *plan,
			 bool first, const struct chess_segment *seg, size_t n)
{
	struct nl_msg *msg = request_new(c, CHESS_CMD_SCHEDULE_SET, 0,
					 n * sizeof(*seg) + policy_bytes(plan));

	if (!msg)
		return -ENOMEM;
	nla_put_u32(msg, CHESS_A_SCHEDULE_GROUP, group);
	if (first)
		put_policy(msg, plan);
	else
		nla_put_u32(msg, CHESS_A_SCHEDULE_FLAGS, CHESS_SCHEDULE_FLAGS_APPEND);
	nla_put(msg, CHESS_A_SCHEDULE_SEGMENTS, n * sizeof(*seg), seg);
	return request_send(c, msg, NULL, NULL);
}

/* The segments of the first @length decisions, without those where nobody was
 * enabled: the module takes nothing from the prefix there. Return: their number.
 */
static size_t cut_segments(struct chess_segment *seg, size_t n, size_t length)
{
	size_t i, kept = 0;

	for (i = 0; i < n && length; i++) {
		if (seg[i].count > length)
			seg[i].count = length;
		length -= seg[i].count;
		if (seg[i].task != CHESS_TASK_NONE)
			seg[kept++] = seg[i];
	}
	return kept;
}

int chess_plan_set(struct chess_ctl *c, uint32_t group, const struct chess_plan *plan)
{
	const size_t most = ATTRIBUTE_BYTES / sizeof(struct chess_segment);
	struct chess_segment *seg = NULL;
	size_t n = 0, at = 0, part;
	int ret;

	if (plan->n_weights > CHESS_MAX_TASKS || plan->n_changes > CHESS_MAX_CHANGES)
		return chess_set_error(E2BIG,
				       "schedule-set: %zu weights and %zu change points, at most %d and %d",
				       plan->n_weights, plan->n_changes, CHESS_MAX_TASKS,
				       CHESS_MAX_CHANGES);
	if (plan->prefix && plan->length) {
		ret = chess_schedule_segments(plan->prefix, &seg);
		if (ret < 0)
			return ret;
		n = cut_segments(seg, ret, plan->length);
	}
	do {
		part = n - at < most ? n - at : most;
		ret = send_segments(c, group, plan, !at, seg + at, part);
		at += part;
	} while (!ret && at < n);
	free(seg);
	return ret;
}

int chess_schedule_set(struct chess_ctl *c, uint32_t group, const struct chess_schedule *s,
		       size_t length)
{
	const struct chess_plan plan = { .prefix = (struct chess_schedule *)s, .length = length };

	return chess_plan_set(c, group, &plan);
}

static int take_run(struct chess_ctl *c, struct nlattr **tb, void *arg)
{
	(void)c;
	*(uint32_t *)arg = get_u32(tb, CHESS_A_RUN_RUN);
	return 0;
}

int chess_run_begin(struct chess_ctl *c, uint32_t group, uint32_t flags, uint32_t fair,
		    uint32_t max_accesses, const uint32_t *stack_seqs, size_t n, uint32_t *run)
{
	struct nl_msg *msg;

	if (n > CHESS_MAX_STACKS)
		return chess_set_error(E2BIG, "run-start: stacks at %zu events, at most %d", n,
				       CHESS_MAX_STACKS);
	msg = request_new(c, CHESS_CMD_RUN_START, 0, n * sizeof(*stack_seqs));
	if (!msg)
		return -ENOMEM;
	*run = 0;
	nla_put_u32(msg, CHESS_A_RUN_GROUP, group);
	if (flags)
		nla_put_u32(msg, CHESS_A_RUN_FLAGS, flags);
	if (fair)
		nla_put_u32(msg, CHESS_A_RUN_FAIR, fair);
	if (max_accesses)
		nla_put_u32(msg, CHESS_A_RUN_MAX_ACCESSES, max_accesses);
	if (n)
		nla_put(msg, CHESS_A_RUN_STACK_SEQS, n * sizeof(*stack_seqs), stack_seqs);
	return request_send(c, msg, take_run, run);
}

int chess_run_start(struct chess_ctl *c, uint32_t group, uint32_t flags, uint32_t fair,
		    const uint32_t *stack_seqs, size_t n)
{
	uint32_t run;

	return chess_run_begin(c, group, flags, fair, 0, stack_seqs, n, &run);
}

int chess_run_stop(struct chess_ctl *c, uint32_t group, uint32_t flags)
{
	struct nl_msg *msg = request_new(c, CHESS_CMD_RUN_STOP, 0, 0);

	if (!msg)
		return -ENOMEM;
	nla_put_u32(msg, CHESS_A_RUN_GROUP, group);
	if (flags)
		nla_put_u32(msg, CHESS_A_RUN_STOP_FLAGS, flags);
	return request_send(c, msg, NULL, NULL);
}

int chess_run_release(struct chess_ctl *c, uint32_t group)
{
	return request_simple(c, CHESS_CMD_RUN_RELEASE, 0, CHESS_A_RUN_GROUP, group, NULL, NULL);
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
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

static int take_record(struct chess_ctl *c, struct nlattr **tb, void *arg)
{
	struct chess_record *r = arg;
	struct nlattr *a;
	int ret = 0;

	a = tb[CHESS_A_RECORD_EVENTS];
	if (a) {
		if (nla_len(a) % sizeof(struct chess_event))
			return chess_set_error(EPROTO, "record-get: %d bytes are no whole events",
					       nla_len(a));
		memcpy(c->scratch, nla_data(a), nla_len(a));
		ret = chess_record_push(r, (struct chess_event *)c->scratch,
					nla_len(a) / sizeof(struct chess_event));
	}
	a = tb[CHESS_A_RECORD_STACK];
	if (a && !ret) {
		memcpy(c->scratch, nla_data(a), nla_len(a));
		ret = chess_record_push_stack(r, (struct chess_stack *)c->scratch, nla_len(a));
	}
	a = tb[CHESS_A_RECORD_MAPS];
	if (a && !ret) {
		memcpy(c->scratch, nla_data(a), nla_len(a));
		((char *)c->scratch)[nla_len(a)] = '\0';
		ret = chess_record_set_maps(r, (char *)c->scratch);
	}
	a = tb[CHESS_A_RECORD_OBJECTS];
	if (a && !ret)
		ret = chess_record_set_objects(r, nla_data(a), nla_len(a));
	return ret;
}

struct chess_record *chess_record_get(struct chess_ctl *c, uint32_t group)
{
	struct chess_record *r = chess_record_new();
	int ret;

	if (!r)
		return NULL;
	ret = request_simple(c, CHESS_CMD_RECORD_GET, NLM_F_DUMP, CHESS_A_RECORD_GROUP, group,
			     take_record, r);
	if (ret) {
		chess_record_free(r);
		errno = -ret;
		return NULL;
	}
	return r;
}

struct accesses {
	struct chess_access *v;
	size_t n, room;
	uint64_t lost;
};

static int take_accesses(struct chess_ctl *c, struct nlattr **tb, void *arg)
{
	struct nlattr *a = tb[CHESS_A_ACCESS_ENTRIES];
	struct accesses *out = arg;
	size_t n = a ? nla_len(a) / sizeof(*out->v) : 0, room = out->room ? out->room : 1024;
	struct chess_access *more;

	(void)c;
	if (tb[CHESS_A_ACCESS_LOST] && nla_len(tb[CHESS_A_ACCESS_LOST]) >= 8)
		out->lost = nla_get_u64(tb[CHESS_A_ACCESS_LOST]);
	if (!n)
		return 0;
	while (room < out->n + n)
		room *= 2;
	if (room != out->room) {
		more = realloc(out->v, room * sizeof(*more));
		if (!more)
			return chess_set_error(ENOMEM, "no memory for %zu accesses", room);
		out->v = more;
		out->room = room;
	}
	memcpy(out->v + out->n, nla_data(a), n * sizeof(*out->v));
	out->n += n;
	return 0;
}

int chess_access_get(struct chess_ctl *c, uint32_t group, struct chess_access **out, size_t *n,
		     uint64_t *lost)
{
	struct accesses all = { 0 };
	int ret = request_simple(c, CHESS_CMD_ACCESS_GET, NLM_F_DUMP, CHESS_A_ACCESS_GROUP, group,
				 take_accesses, &all);

	if (ret) {
		free(all.v);
		return ret;
	}
	*out = all.v;
	*n = all.n;
	*lost = all.lost;
	return 0;
}

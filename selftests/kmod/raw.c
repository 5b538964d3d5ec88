// SPDX-License-Identifier: GPL-2.0-only
/*
 * See raw.h.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "raw.h"

#define ANSWER_MS 20000

static struct nlattr *next_attr(struct nlattr *a, size_t *left)
{
	size_t step = NLA_ALIGN(a->nla_len);

	*left = step < *left ? *left - step : 0;
	return (struct nlattr *)((char *)a + step);
}

static bool attr_fits(const struct nlattr *a, size_t left)
{
	return left >= sizeof(*a) && a->nla_len >= sizeof(*a) && a->nla_len <= left;
}

static void keep_values(struct raw *r, void *attrs, size_t left)
{
	struct nlattr *a = attrs;

	memset(r->value, 0, sizeof(r->value));
	for (; attr_fits(a, left); a = next_attr(a, &left))
		if (a->nla_type < 32 && a->nla_len == NLA_HDRLEN + 4)
			memcpy(&r->value[a->nla_type], a + 1, 4);
		else if (a->nla_type == CTRL_ATTR_FAMILY_ID && a->nla_len == NLA_HDRLEN + 2)
			memcpy(&r->value[a->nla_type], a + 1, 2);
}

static void keep_text(struct raw *r, void *attrs, size_t left)
{
	struct nlattr *a = attrs;

	for (; attr_fits(a, left); a = next_attr(a, &left))
		if (a->nla_type == NLMSGERR_ATTR_MSG)
			snprintf(r->text, sizeof(r->text), "%.*s", a->nla_len - NLA_HDRLEN,
				 (char *)(a + 1));
}

void message_begin(struct message *m, unsigned int cmd, unsigned int flags)
{
	struct genlmsghdr *g = (struct genlmsghdr *)(&m->head + 1);

	memset(m, 0, sizeof(m->head) + GENL_HDRLEN);
	m->head.nlmsg_flags = NLM_F_REQUEST | flags;
	if ((flags & NLM_F_DUMP) != NLM_F_DUMP)
		m->head.nlmsg_flags |= NLM_F_ACK;
	g->cmd = cmd;
	g->version = CHESS_FAMILY_VERSION;
	m->len = sizeof(m->head) + GENL_HDRLEN;
}

void message_put(struct message *m, unsigned int type, const void *data, size_t len)
{
	struct nlattr *a = (struct nlattr *)(m->bytes + m->len);

	if (m->len + NLA_HDRLEN + NLA_ALIGN(len) > sizeof(m->bytes))
		abort();
	a->nla_type = type;
	a->nla_len = NLA_HDRLEN + len;
	memset(a + 1, 0, NLA_ALIGN(len));
	if (len)
		memcpy(a + 1, data, len);
	m->len += NLA_HDRLEN + NLA_ALIGN(len);
}

void message_u32(struct message *m, unsigned int type, uint32_t value)
{
	message_put(m, type, &value, sizeof(value));
}

/* The end of an answer: errors and the ends of dumps. Returns 1 to go on. */
static int take_end(struct raw *r, struct nlmsghdr *h)
{
	size_t skip = sizeof(int);
	int error;

	memcpy(&error, h + 1, sizeof(error));
	if (h->nlmsg_type == NLMSG_ERROR) {
		struct nlmsgerr *e = (struct nlmsgerr *)(h + 1);

		skip = sizeof(*e);
		if (!(h->nlmsg_flags & NLM_F_CAPPED))
			skip += NLMSG_ALIGN(e->msg.nlmsg_len) - NLMSG_HDRLEN;
	}
	if (h->nlmsg_flags & NLM_F_ACK_TLVS)
		keep_text(r, (char *)(h + 1) + skip, h->nlmsg_len - NLMSG_HDRLEN - skip);
	return error;
}

/* Read one datagram. Returns 1 when more is to come. */
static int take_some(struct raw *r)
{
	static char buffer[128 * 1024] __attribute__((aligned(8)));
	struct pollfd p = { .fd = r->fd, .events = POLLIN };
	struct nlmsghdr *h = (struct nlmsghdr *)buffer;
	ssize_t n;

	if (poll(&p, 1, ANSWER_MS) != 1)
		return -ETIMEDOUT;
	n = recv(r->fd, buffer, sizeof(buffer), 0);
	if (n < 0)
		return errno == ENOBUFS ? 1 : -errno;
	r->datagrams++;
	for (; NLMSG_OK(h, (size_t)n); h = NLMSG_NEXT(h, n)) {
		if (h->nlmsg_seq != r->seq)
			continue;
		if (h->nlmsg_type == NLMSG_ERROR || h->nlmsg_type == NLMSG_DONE)
			return take_end(r, h);
		r->messages++;
		keep_values(r, (char *)(h + 1) + GENL_HDRLEN,
			    h->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN);
	}
	return 1;
}

int raw_talk(struct raw *r, struct message *m)
{
	int ret;

	m->head.nlmsg_len = m->len;
	if (!m->head.nlmsg_type)
		m->head.nlmsg_type = r->family;
	m->head.nlmsg_seq = ++r->seq;
	r->text[0] = '\0';
	r->messages = 0;
	r->datagrams = 0;
	if (send(r->fd, m->bytes, m->len, 0) < 0)
		return -errno;
	do {
		ret = take_some(r);
	} while (ret == 1);
	return ret;
}

int raw_open(struct raw *r)
{
	struct sockaddr_nl any = { .nl_family = AF_NETLINK };
	struct message m;
	int on = 1, ret;

	memset(r, 0, sizeof(*r));
	r->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (r->fd < 0)
		return -errno;
	if (bind(r->fd, (struct sockaddr *)&any, sizeof(any)) ||
	    setsockopt(r->fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on)) ||
	    setsockopt(r->fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on))) {
		ret = -errno;
		close(r->fd);
		return ret;
	}
	message_begin(&m, CTRL_CMD_GETFAMILY, 0);
	m.head.nlmsg_type = GENL_ID_CTRL;
	message_put(&m, CTRL_ATTR_FAMILY_NAME, CHESS_FAMILY_NAME, sizeof(CHESS_FAMILY_NAME));
	ret = raw_talk(r, &m);
	r->family = r->value[CTRL_ATTR_FAMILY_ID];
	if (ret)
		close(r->fd);
	return ret;
}

void raw_close(struct raw *r)
{
	close(r->fd);
	r->fd = -1;
}

int raw_call(struct raw *r, unsigned int cmd, unsigned int flags, unsigned int type,
	     uint32_t value)
{
	struct message m;

	message_begin(&m, cmd, flags);
	if (type)
		message_u32(&m, type, value);
	return raw_talk(r, &m);
}

int raw_groups(struct raw *r)
{
	int ret = raw_call(r, CHESS_CMD_GROUP_GET, NLM_F_DUMP, 0, 0);

	return ret ? ret : (int)r->messages;
}

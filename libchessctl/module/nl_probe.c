// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Traps of a group, and which of those at accesses are points: probe-add and
 * points-set. See nl_internal.h.
 */
#include <errno.h>

#include "internal.h"
#include "module/nl.h"
#include "module/nl_internal.h"

/* A part of the traps of a file, with the @n_operands that belong to it. */
static int send_probes(struct chess_ctl *c, uint32_t group, int fd, const struct chess_probe *p,
		       size_t n, const struct chess_operand *operands, size_t n_operands,
		       bool append)
{
	struct nl_msg *msg = chess_nl_request(c, CHESS_CMD_PROBE_ADD, 0,
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
	return chess_nl_send(c, msg, NULL, NULL);
}

int chess_probe_add_accesses(struct chess_ctl *c, uint32_t group, int fd,
			     const struct chess_probe *p, size_t n,
			     const struct chess_operand *operands)
{
	const size_t most = ATTRIBUTE_BYTES /
			    (sizeof(*p) + CHESS_PROBE_OPERANDS * sizeof(*operands));
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
	msg = chess_nl_request(c, CHESS_CMD_POINTS_SET, 0, n * sizeof(*words));
	if (!msg)
		return -ENOMEM;
	nla_put_u32(msg, CHESS_A_ACCESS_GROUP, group);
	nla_put(msg, CHESS_A_ACCESS_POINTS, n * sizeof(*words), words);
	return chess_nl_send(c, msg, NULL, NULL);
}

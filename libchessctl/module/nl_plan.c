// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What decides in the next run: schedule-set. See nl_internal.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "module/nl_internal.h"

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
	struct nl_msg *msg = chess_nl_request(c, CHESS_CMD_SCHEDULE_SET, 0,
					      n * sizeof(*seg) + policy_bytes(plan));

	if (!msg)
		return -ENOMEM;
	nla_put_u32(msg, CHESS_A_SCHEDULE_GROUP, group);
	if (first)
		put_policy(msg, plan);
	else
		nla_put_u32(msg, CHESS_A_SCHEDULE_FLAGS, CHESS_SCHEDULE_FLAGS_APPEND);
	nla_put(msg, CHESS_A_SCHEDULE_SEGMENTS, n * sizeof(*seg), seg);
	return chess_nl_send(c, msg, NULL, NULL);
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

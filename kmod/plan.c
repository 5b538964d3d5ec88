// SPDX-License-Identifier: GPL-2.0-only
/*
 * The plan of the next runs as schedule-set brings it: the prefix, and which policy
 * decides after it with what data. netlink.c calls, for the owner of an idle group.
 */
#include <net/genetlink.h>
#include <net/netlink.h>

#include "chess.h"
#include "compat.h"
#include "compat_netlink.h"
#include "plan.h"
#include "quota.h"

/* A prefix longer than this is no prefix of a record. */
#define MAX_SEGMENTS	CHESS_MAX_EVENTS

/* The prefix as it will be, or ERR_PTR. */
static struct chess_segment *make_prefix(const struct chess_group *g, struct genl_info *info,
					 bool append, u32 *total)
{
	struct nlattr *attr = info->attrs[CHESS_A_SCHEDULE_SEGMENTS];
	u32 i, count = nla_len(attr) / sizeof(struct chess_segment);
	const struct chess_segment *add = nla_data(attr);
	u32 keep = append ? g->prefix.count : 0;
	struct chess_segment *all;

	if (nla_len(attr) % sizeof(*add)) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "the segments are no array of struct chess_segment");
		return ERR_PTR(-EINVAL);
	}
	for (i = 0; i < count; i++)
		if (!add[i].count || (add[i].task >= CHESS_MAX_TASKS &&
				      add[i].task != CHESS_TASK_TIMER)) {
			NL_SET_ERR_MSG_FMT(info->extack,
					   "segment %u: the count is zero or the task is out of range",
					   i);
			return ERR_PTR(-EINVAL);
		}
	if (keep + count > MAX_SEGMENTS) {
		NL_SET_ERR_MSG(info->extack, "the prefix is longer than any record");
		return ERR_PTR(-E2BIG);
	}
	all = chess_quota_alloc(g->quota, max(keep + count, 1U), sizeof(*all), 0);
	if (!all)
		return ERR_PTR(-ENOMEM);
	if (keep)
		memcpy(all, g->prefix.segments, keep * sizeof(*all));
	memcpy(all + keep, add, count * sizeof(*all));
	*total = keep + count;
	return all;
}

/* Does the policy need a seed? */
static bool policy_draws(u32 kind)
{
	return kind >= CHESS_POLICY_KIND_RANDOM && kind != CHESS_POLICY_KIND_HOLD;
}

/* May the plan have numbers for it? */
static bool policy_changes(u32 kind)
{
	return kind == CHESS_POLICY_KIND_ROUND_ROBIN || kind == CHESS_POLICY_KIND_PCT ||
	       kind >= CHESS_POLICY_KIND_HOLD;
}

/* What is wrong with the attributes of the policy; NULL: nothing. */
static const char *policy_fault(struct nlattr *const *attrs, u32 kind, bool append)
{
	const struct nlattr *changes = attrs[CHESS_A_SCHEDULE_CHANGES];
	const struct nlattr *weights = attrs[CHESS_A_SCHEDULE_WEIGHTS];
	bool chance = policy_draws(kind);

	if (append && attrs[CHESS_A_SCHEDULE_POLICY])
		return "the policy goes with the first part of the prefix, not with one that is appended";
	if (chance && !attrs[CHESS_A_SCHEDULE_SEED])
		return "the seed of the policy is missing";
	if (!chance && attrs[CHESS_A_SCHEDULE_SEED])
		return "a seed is given, and the policy does not use one";
	if (!policy_changes(kind) && changes)
		return "change points are given, and the policy is neither round robin, pct, hold, order nor pairs";
	if (kind == CHESS_POLICY_KIND_ROUND_ROBIN && changes &&
	    (nla_len(changes) != sizeof(u32) || !nla_get_u32(changes)))
		return "policy round robin takes one number, the steps of a slice, which is not zero";
	if (kind == CHESS_POLICY_KIND_HOLD &&
	    (!changes || !nla_len(changes) || nla_len(changes) % (2 * sizeof(u32))))
		return "policy hold needs pairs of a place and a task in its change points";
	if (kind != CHESS_POLICY_KIND_SURW &&
	    (weights || attrs[CHESS_A_SCHEDULE_OBJECT_KIND] || attrs[CHESS_A_SCHEDULE_OBJECT]))
		return "weights or an object are given, and the policy is not surw";
	if (!attrs[CHESS_A_SCHEDULE_OBJECT_KIND] != !attrs[CHESS_A_SCHEDULE_OBJECT])
		return "of the object and its kind one is missing";
	if (changes && (nla_len(changes) % sizeof(u32) ||
			nla_len(changes) > CHESS_MAX_CHANGES * sizeof(u32)))
		return "the change points are no array of u32, or too many";
	if (weights && (nla_len(weights) % sizeof(u32) ||
			nla_len(weights) > CHESS_MAX_TASKS * sizeof(u32)))
		return "the weights are no array of u32, or more than there can be tasks";
	if (kind == CHESS_POLICY_KIND_ORDER)
		return chess_order_fault(changes ? nla_data(changes) : NULL,
					 changes ? nla_len(changes) / sizeof(u32) : 0);
	if (kind == CHESS_POLICY_KIND_PAIRS && changes)
		return chess_pairs_fault(nla_data(changes), nla_len(changes) / sizeof(u32));
	return NULL;
}

static void set_weights(struct chess_policy *p, const struct nlattr *attr)
{
	u32 i, n = attr ? nla_len(attr) / sizeof(u32) : 0;

	for (i = 0; i < CHESS_MAX_TASKS; i++)
		p->tasks[i].weight = i < n ? ((const u32 *)nla_data(attr))[i] : 0;
}

static void set_policy(struct chess_policy *p, struct nlattr *const *attrs, u32 kind)
{
	const struct nlattr *changes = attrs[CHESS_A_SCHEDULE_CHANGES];

	p->kind = kind;
	p->seed = policy_draws(kind) ? nla_get_u64(attrs[CHESS_A_SCHEDULE_SEED]) : 0;
	p->n_changes = changes ? nla_len(changes) / sizeof(u32) : 0;
	if (changes)
		memcpy(p->changes, nla_data(changes), nla_len(changes));
	p->object_kind = CHESS_OBJECT_NONE;
	if (attrs[CHESS_A_SCHEDULE_OBJECT]) {
		p->object_kind = nla_get_u32(attrs[CHESS_A_SCHEDULE_OBJECT_KIND]);
		p->object = nla_get_u64(attrs[CHESS_A_SCHEDULE_OBJECT]);
	}
	if (kind == CHESS_POLICY_KIND_SURW)
		set_weights(p, attrs[CHESS_A_SCHEDULE_WEIGHTS]);
}

/**
 * chess_plan_set() - take the prefix and the policy of the next runs
 * @g: an idle group
 * @info: a schedule-set request; has the segments
 *
 * Everything is looked at before anything changes.
 *
 * Context: netlink, group->lock held.
 * Return: 0 or negative errno.
 */
int chess_plan_set(struct chess_group *g, struct genl_info *info)
{
	struct nlattr **attrs = info->attrs;
	u32 kind = CHESS_POLICY_KIND_DEFAULT, count;
	struct chess_segment *segments;
	const char *fault;
	bool append;

	lockdep_assert_held(&g->lock);
	append = attrs[CHESS_A_SCHEDULE_FLAGS] &&
		 (nla_get_u32(attrs[CHESS_A_SCHEDULE_FLAGS]) & CHESS_SCHEDULE_FLAGS_APPEND);
	if (attrs[CHESS_A_SCHEDULE_POLICY])
		kind = nla_get_u32(attrs[CHESS_A_SCHEDULE_POLICY]);
	fault = policy_fault(attrs, kind, append);
	if (fault) {
		NL_SET_ERR_MSG_FMT(info->extack, "%s", fault);
		return -EINVAL;
	}
	if (kind && !g->policy.tasks) {
		g->policy.tasks = chess_quota_alloc(g->quota, CHESS_MAX_TASKS,
						    sizeof(*g->policy.tasks), 0);
		if (!g->policy.tasks)
			return -ENOMEM;
	}
	segments = make_prefix(g, info, append, &count);
	if (IS_ERR(segments))
		return PTR_ERR(segments);
	chess_quota_free(g->prefix.segments);
	g->prefix = (struct chess_prefix) { .segments = segments, .count = count };
	if (!append)
		set_policy(&g->policy, attrs, kind);
	return 0;
}

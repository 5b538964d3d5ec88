// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	docs/netlink/specs/chess.yaml */
/* YNL-GEN kernel source */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "netlink-gen.h"

#include <uapi/linux/chess.h>

/* Integer value ranges */
static const struct netlink_range_validation chess_a_group_quantum_us_range = {
	.min	= 1000ULL,
	.max	= 60000000ULL,
};

static const struct netlink_range_validation chess_a_group_max_events_range = {
	.min	= 16ULL,
	.max	= CHESS_MAX_EVENTS,
};

static const struct netlink_range_validation chess_a_task_pid_range = {
	.min	= 1ULL,
	.max	= S32_MAX,
};

static const struct netlink_range_validation chess_a_task_max_stall_ms_range = {
	.min	= 1ULL,
	.max	= 3600000ULL,
};

static const struct netlink_range_validation chess_a_task_heartbeat_ms_range = {
	.min	= 10ULL,
	.max	= 3600000ULL,
};

static const struct netlink_range_validation chess_a_task_max_slowdown_range = {
	.min	= 100ULL,
	.max	= 1000000ULL,
};

static const struct netlink_range_validation chess_a_probe_fd_range = {
	.max	= S32_MAX,
};

static const struct netlink_range_validation chess_a_run_max_accesses_range = {
	.min	= 1ULL,
	.max	= CHESS_MAX_ACCESSES,
};

/* CHESS_CMD_GROUP_NEW - do */
static const struct nla_policy chess_group_new_nl_policy[CHESS_A_GROUP_MAX_EVENTS + 1] = {
	[CHESS_A_GROUP_QUANTUM_US] = NLA_POLICY_FULL_RANGE(NLA_U32, &chess_a_group_quantum_us_range),
	[CHESS_A_GROUP_MAX_EVENTS] = NLA_POLICY_FULL_RANGE(NLA_U32, &chess_a_group_max_events_range),
};

/* CHESS_CMD_GROUP_GET - do */
static const struct nla_policy chess_group_get_nl_policy[CHESS_A_GROUP_ID + 1] = {
	[CHESS_A_GROUP_ID] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* CHESS_CMD_GROUP_DEL - do */
static const struct nla_policy chess_group_del_nl_policy[CHESS_A_GROUP_ID + 1] = {
	[CHESS_A_GROUP_ID] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* CHESS_CMD_TASK_ADD - do */
static const struct nla_policy chess_task_add_nl_policy[CHESS_A_TASK_PID + 1] = {
	[CHESS_A_TASK_GROUP] = NLA_POLICY_MIN(NLA_U32, 1),
	[CHESS_A_TASK_PID] = NLA_POLICY_FULL_RANGE(NLA_U32, &chess_a_task_pid_range),
};

/* CHESS_CMD_TASK_GET - dump */
static const struct nla_policy chess_task_get_nl_policy[CHESS_A_TASK_GROUP + 1] = {
	[CHESS_A_TASK_GROUP] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* CHESS_CMD_PROBE_ADD - do */
static const struct nla_policy chess_probe_add_nl_policy[CHESS_A_PROBE_FLAGS + 1] = {
	[CHESS_A_PROBE_GROUP] = NLA_POLICY_MIN(NLA_U32, 1),
	[CHESS_A_PROBE_FD] = NLA_POLICY_FULL_RANGE(NLA_U32, &chess_a_probe_fd_range),
	[CHESS_A_PROBE_ENTRIES] = { .type = NLA_BINARY, },
	[CHESS_A_PROBE_OPERANDS] = { .type = NLA_BINARY, },
	[CHESS_A_PROBE_FLAGS] = NLA_POLICY_MASK(NLA_U32, 0x1),
};

/* CHESS_CMD_SCHEDULE_SET - do */
static const struct nla_policy chess_schedule_set_nl_policy[CHESS_A_SCHEDULE_OBJECT + 1] = {
	[CHESS_A_SCHEDULE_GROUP] = NLA_POLICY_MIN(NLA_U32, 1),
	[CHESS_A_SCHEDULE_FLAGS] = NLA_POLICY_MASK(NLA_U32, 0x1),
	[CHESS_A_SCHEDULE_SEGMENTS] = { .type = NLA_BINARY, },
	[CHESS_A_SCHEDULE_POLICY] = NLA_POLICY_MAX(NLA_U32, 8),
	[CHESS_A_SCHEDULE_SEED] = { .type = NLA_U64, },
	[CHESS_A_SCHEDULE_CHANGES] = { .type = NLA_BINARY, },
	[CHESS_A_SCHEDULE_WEIGHTS] = { .type = NLA_BINARY, },
	[CHESS_A_SCHEDULE_OBJECT_KIND] = NLA_POLICY_RANGE(NLA_U32, 1, 9),
	[CHESS_A_SCHEDULE_OBJECT] = { .type = NLA_U64, },
};

/* CHESS_CMD_RUN_START - do */
static const struct nla_policy chess_run_start_nl_policy[CHESS_A_RUN_KEEP_AT + 1] = {
	[CHESS_A_RUN_GROUP] = NLA_POLICY_MIN(NLA_U32, 1),
	[CHESS_A_RUN_FLAGS] = NLA_POLICY_MASK(NLA_U32, 0x7ffff),
	[CHESS_A_RUN_STACK_SEQS] = { .type = NLA_BINARY, },
	[CHESS_A_RUN_FAIR] = { .type = NLA_U32, },
	[CHESS_A_RUN_MAX_ACCESSES] = NLA_POLICY_FULL_RANGE(NLA_U32, &chess_a_run_max_accesses_range),
	[CHESS_A_RUN_EARLY_MAX] = NLA_POLICY_MIN(NLA_U32, 1),
	[CHESS_A_RUN_LATE_PROGRAMS] = { .type = NLA_NUL_STRING, .len = 127, },
	[CHESS_A_RUN_KEEP_AT] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* CHESS_CMD_RUN_STOP - do */
static const struct nla_policy chess_run_stop_nl_policy[CHESS_A_RUN_STOP_FLAGS + 1] = {
	[CHESS_A_RUN_GROUP] = NLA_POLICY_MIN(NLA_U32, 1),
	[CHESS_A_RUN_STOP_FLAGS] = NLA_POLICY_MASK(NLA_U32, 0x1),
};

/* CHESS_CMD_RECORD_GET - dump */
static const struct nla_policy chess_record_get_nl_policy[CHESS_A_RECORD_GROUP + 1] = {
	[CHESS_A_RECORD_GROUP] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* CHESS_CMD_TASK_ADOPT - do */
static const struct nla_policy chess_task_adopt_nl_policy[CHESS_A_TASK_MAX_SLOWDOWN + 1] = {
	[CHESS_A_TASK_GROUP] = NLA_POLICY_MIN(NLA_U32, 1),
	[CHESS_A_TASK_PID] = NLA_POLICY_FULL_RANGE(NLA_U32, &chess_a_task_pid_range),
	[CHESS_A_TASK_ADOPT_FLAGS] = NLA_POLICY_MASK(NLA_U32, 0xf),
	[CHESS_A_TASK_MAX_STALL_MS] = NLA_POLICY_FULL_RANGE(NLA_U32, &chess_a_task_max_stall_ms_range),
	[CHESS_A_TASK_HEARTBEAT_MS] = NLA_POLICY_FULL_RANGE(NLA_U32, &chess_a_task_heartbeat_ms_range),
	[CHESS_A_TASK_MAX_SLOWDOWN] = NLA_POLICY_FULL_RANGE(NLA_U32, &chess_a_task_max_slowdown_range),
};

/* CHESS_CMD_RUN_RELEASE - do */
static const struct nla_policy chess_run_release_nl_policy[CHESS_A_RUN_GROUP + 1] = {
	[CHESS_A_RUN_GROUP] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* CHESS_CMD_POINTS_SET - do */
static const struct nla_policy chess_points_set_nl_policy[CHESS_A_ACCESS_POINTS + 1] = {
	[CHESS_A_ACCESS_GROUP] = NLA_POLICY_MIN(NLA_U32, 1),
	[CHESS_A_ACCESS_POINTS] = { .type = NLA_BINARY, },
};

/* CHESS_CMD_ACCESS_GET - dump */
static const struct nla_policy chess_access_get_nl_policy[CHESS_A_ACCESS_GROUP + 1] = {
	[CHESS_A_ACCESS_GROUP] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* Ops table for chess */
static const struct genl_split_ops chess_nl_ops[] = {
	{
		.cmd		= CHESS_CMD_GROUP_NEW,
		.pre_doit	= chess_nl_pre_doit,
		.doit		= chess_nl_group_new_doit,
		.policy		= chess_group_new_nl_policy,
		.maxattr	= CHESS_A_GROUP_MAX_EVENTS,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= CHESS_CMD_GROUP_GET,
		.pre_doit	= chess_nl_pre_doit,
		.doit		= chess_nl_group_get_doit,
		.policy		= chess_group_get_nl_policy,
		.maxattr	= CHESS_A_GROUP_ID,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd	= CHESS_CMD_GROUP_GET,
		.start	= chess_nl_start,
		.dumpit	= chess_nl_group_get_dumpit,
		.flags	= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= CHESS_CMD_GROUP_DEL,
		.pre_doit	= chess_nl_pre_doit,
		.doit		= chess_nl_group_del_doit,
		.policy		= chess_group_del_nl_policy,
		.maxattr	= CHESS_A_GROUP_ID,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= CHESS_CMD_TASK_ADD,
		.pre_doit	= chess_nl_pre_doit,
		.doit		= chess_nl_task_add_doit,
		.policy		= chess_task_add_nl_policy,
		.maxattr	= CHESS_A_TASK_PID,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= CHESS_CMD_TASK_GET,
		.start		= chess_nl_start,
		.dumpit		= chess_nl_task_get_dumpit,
		.policy		= chess_task_get_nl_policy,
		.maxattr	= CHESS_A_TASK_GROUP,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= CHESS_CMD_PROBE_ADD,
		.pre_doit	= chess_nl_pre_doit,
		.doit		= chess_nl_probe_add_doit,
		.policy		= chess_probe_add_nl_policy,
		.maxattr	= CHESS_A_PROBE_FLAGS,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= CHESS_CMD_SCHEDULE_SET,
		.pre_doit	= chess_nl_pre_doit,
		.doit		= chess_nl_schedule_set_doit,
		.policy		= chess_schedule_set_nl_policy,
		.maxattr	= CHESS_A_SCHEDULE_OBJECT,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= CHESS_CMD_RUN_START,
		.pre_doit	= chess_nl_pre_doit,
		.doit		= chess_nl_run_start_doit,
		.policy		= chess_run_start_nl_policy,
		.maxattr	= CHESS_A_RUN_KEEP_AT,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= CHESS_CMD_RUN_STOP,
		.pre_doit	= chess_nl_pre_doit,
		.doit		= chess_nl_run_stop_doit,
		.policy		= chess_run_stop_nl_policy,
		.maxattr	= CHESS_A_RUN_STOP_FLAGS,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= CHESS_CMD_RECORD_GET,
		.start		= chess_nl_start,
		.dumpit		= chess_nl_record_get_dumpit,
		.policy		= chess_record_get_nl_policy,
		.maxattr	= CHESS_A_RECORD_GROUP,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= CHESS_CMD_TASK_ADOPT,
		.pre_doit	= chess_nl_pre_doit,
		.doit		= chess_nl_task_adopt_doit,
		.policy		= chess_task_adopt_nl_policy,
		.maxattr	= CHESS_A_TASK_MAX_SLOWDOWN,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= CHESS_CMD_RUN_RELEASE,
		.pre_doit	= chess_nl_pre_doit,
		.doit		= chess_nl_run_release_doit,
		.policy		= chess_run_release_nl_policy,
		.maxattr	= CHESS_A_RUN_GROUP,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= CHESS_CMD_POINTS_SET,
		.pre_doit	= chess_nl_pre_doit,
		.doit		= chess_nl_points_set_doit,
		.policy		= chess_points_set_nl_policy,
		.maxattr	= CHESS_A_ACCESS_POINTS,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= CHESS_CMD_ACCESS_GET,
		.start		= chess_nl_start,
		.dumpit		= chess_nl_access_get_dumpit,
		.policy		= chess_access_get_nl_policy,
		.maxattr	= CHESS_A_ACCESS_GROUP,
		.flags		= GENL_CMD_CAP_DUMP,
	},
};

struct genl_family chess_nl_family __ro_after_init = {
	.name		= CHESS_FAMILY_NAME,
	.version	= CHESS_FAMILY_VERSION,
	.netnsok	= true,
	.parallel_ops	= true,
	.module		= THIS_MODULE,
	.split_ops	= chess_nl_ops,
	.n_split_ops	= ARRAY_SIZE(chess_nl_ops),
};

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Groups and their tasks: group-new, group-get, group-del, task-add, task-get and
 * task-adopt. See nl_internal.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "module/nl_internal.h"

static int take_group_new(struct chess_ctl *c, struct nlattr **tb, void *arg)
{
	(void)c;
	*(uint32_t *)arg = chess_nl_u32(tb, CHESS_A_GROUP_ID);
	return 0;
}

int chess_group_new(struct chess_ctl *c, uint32_t quantum_us, uint32_t max_events, uint32_t *id)
{
	struct nl_msg *msg = chess_nl_request(c, CHESS_CMD_GROUP_NEW, 0, 0);
	int ret;

	*id = 0;
	if (!msg)
		return -ENOMEM;
	if (quantum_us)
		nla_put_u32(msg, CHESS_A_GROUP_QUANTUM_US, quantum_us);
	if (max_events)
		nla_put_u32(msg, CHESS_A_GROUP_MAX_EVENTS, max_events);
	ret = chess_nl_send(c, msg, take_group_new, id);
	if (!ret && !*id)
		return chess_set_error(EPROTO, "group-new: the module gave the group no number");
	return ret;
}

int chess_group_del(struct chess_ctl *c, uint32_t id)
{
	return chess_nl_ask(c, CHESS_CMD_GROUP_DEL, 0, CHESS_A_GROUP_ID, id, NULL, NULL);
}

struct list {
	void *data;
	size_t n, room;
};

static void *list_push(struct list *l, size_t size)
{
	if (chess_array_room(&l->data, &l->room, l->n + 1, size)) {
		chess_set_error(ENOMEM, "no memory for a list of %zu entries", l->n + 1);
		return NULL;
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
		.id = chess_nl_u32(tb, CHESS_A_GROUP_ID),
		.quantum_us = chess_nl_u32(tb, CHESS_A_GROUP_QUANTUM_US),
		.max_events = chess_nl_u32(tb, CHESS_A_GROUP_MAX_EVENTS),
		.state = chess_nl_u32(tb, CHESS_A_GROUP_STATE),
		.cpu = chess_nl_u32(tb, CHESS_A_GROUP_CPU),
		.owner_portid = chess_nl_u32(tb, CHESS_A_GROUP_OWNER_PORTID),
		.owner_pid = chess_nl_u32(tb, CHESS_A_GROUP_OWNER_PID),
		.tasks = chess_nl_u32(tb, CHESS_A_GROUP_TASKS),
		.events = chess_nl_u32(tb, CHESS_A_GROUP_EVENTS),
		.decisions = chess_nl_u32(tb, CHESS_A_GROUP_DECISIONS),
		.runs = chess_nl_u32(tb, CHESS_A_GROUP_RUNS),
		.token = tb[CHESS_A_GROUP_TOKEN] ? chess_nl_u32(tb, CHESS_A_GROUP_TOKEN)
						 : CHESS_TASK_NONE,
		.lost = chess_nl_u32(tb, CHESS_A_GROUP_LOST),
		.stalls = chess_nl_u32(tb, CHESS_A_GROUP_STALLS),
		.probes = chess_nl_u32(tb, CHESS_A_GROUP_PROBES),
		.outside_task = tb[CHESS_A_GROUP_OUTSIDE_TASK] ?
				chess_nl_u32(tb, CHESS_A_GROUP_OUTSIDE_TASK) : CHESS_TASK_NONE,
		.outside_pid = chess_nl_u32(tb, CHESS_A_GROUP_OUTSIDE_PID),
		.let_go = chess_nl_u32(tb, CHESS_A_GROUP_LET_GO),
		.adopted = chess_nl_u32(tb, CHESS_A_GROUP_ADOPTED),
	};
	take_comm(tb[CHESS_A_GROUP_OUTSIDE_COMM], g->outside_comm, sizeof(g->outside_comm));
	return 0;
}

int chess_group_get(struct chess_ctl *c, uint32_t id, struct chess_group_info *info)
{
	struct list l = { 0 };
	int ret;

	ret = chess_nl_ask(c, CHESS_CMD_GROUP_GET, 0, CHESS_A_GROUP_ID, id, take_group, &l);
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

	ret = chess_nl_ask(c, CHESS_CMD_GROUP_GET, NLM_F_DUMP, 0, 0, take_group, &l);
	return list_end(&l, ret, out);
}

static int take_task(struct chess_ctl *c, struct nlattr **tb, void *arg)
{
	struct chess_task_info *t = list_push(arg, sizeof(*t));

	(void)c;
	if (!t)
		return -ENOMEM;
	*t = (struct chess_task_info){
		.group = chess_nl_u32(tb, CHESS_A_TASK_GROUP),
		.pid = chess_nl_u32(tb, CHESS_A_TASK_PID),
		.id = chess_nl_u32(tb, CHESS_A_TASK_ID),
		.state = chess_nl_u32(tb, CHESS_A_TASK_STATE),
		.seq = chess_nl_u32(tb, CHESS_A_TASK_SEQ),
	};
	return 0;
}

int chess_task_list(struct chess_ctl *c, uint32_t group, struct chess_task_info **out)
{
	struct list l = { 0 };
	int ret;

	ret = chess_nl_ask(c, CHESS_CMD_TASK_GET, NLM_F_DUMP, CHESS_A_TASK_GROUP, group,
			   take_task, &l);
	return list_end(&l, ret, out);
}

int chess_task_add(struct chess_ctl *c, uint32_t group, uint32_t pid)
{
	struct nl_msg *msg = chess_nl_request(c, CHESS_CMD_TASK_ADD, 0, 0);

	if (!msg)
		return -ENOMEM;
	nla_put_u32(msg, CHESS_A_TASK_GROUP, group);
	nla_put_u32(msg, CHESS_A_TASK_PID, pid);
	return chess_nl_send(c, msg, NULL, NULL);
}

static int take_adopted(struct chess_ctl *c, struct nlattr **tb, void *arg)
{
	struct chess_adopted *out = arg;

	(void)c;
	out->taken = chess_nl_u32(tb, CHESS_A_TASK_TAKEN);
	out->late = chess_nl_u32(tb, CHESS_A_TASK_LATE);
	return 0;
}

int chess_task_adopt(struct chess_ctl *c, uint32_t group, uint32_t pid,
		     const struct chess_adopt_opts *o, struct chess_adopted *out)
{
	struct nl_msg *msg = chess_nl_request(c, CHESS_CMD_TASK_ADOPT, 0, 0);

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
	return chess_nl_send(c, msg, take_adopted, out);
}

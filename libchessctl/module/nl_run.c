// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Runs: run-start, run-stop and run-release. See nl_internal.h.
 */
#include <errno.h>

#include "internal.h"
#include "module/nl.h"
#include "module/nl_internal.h"

struct started {
	uint32_t run, pid;
};

static int take_run(struct chess_ctl *c, struct nlattr **tb, void *arg)
{
	struct started *s = arg;

	(void)c;
	s->run = chess_nl_u32(tb, CHESS_A_RUN_RUN);
	s->pid = chess_nl_u32(tb, CHESS_A_RUN_PID);
	return 0;
}

static int begin(struct chess_ctl *c, uint32_t group, uint32_t flags, uint32_t fair,
		 uint32_t max_accesses, const uint32_t *stack_seqs, size_t n, uint32_t keep_at,
		 struct started *started)
{
	struct nl_msg *msg;

	if (n > CHESS_MAX_STACKS)
		return chess_set_error(E2BIG, "run-start: stacks at %zu events, at most %d", n,
				       CHESS_MAX_STACKS);
	msg = chess_nl_request(c, CHESS_CMD_RUN_START, 0, n * sizeof(*stack_seqs) + LATE_BYTES);
	if (!msg)
		return -ENOMEM;
	*started = (struct started){ 0 };
	nla_put_u32(msg, CHESS_A_RUN_GROUP, group);
	if (flags)
		nla_put_u32(msg, CHESS_A_RUN_FLAGS, flags);
	if (fair)
		nla_put_u32(msg, CHESS_A_RUN_FAIR, fair);
	if (max_accesses)
		nla_put_u32(msg, CHESS_A_RUN_MAX_ACCESSES, max_accesses);
	chess_nl_put_late(c, msg);
	if (n)
		nla_put(msg, CHESS_A_RUN_STACK_SEQS, n * sizeof(*stack_seqs), stack_seqs);
	if (keep_at)
		nla_put_u32(msg, CHESS_A_RUN_KEEP_AT, keep_at);
	return chess_nl_send(c, msg, take_run, started);
}

int chess_run_begin(struct chess_ctl *c, uint32_t group, uint32_t flags, uint32_t fair,
		    uint32_t max_accesses, const uint32_t *stack_seqs, size_t n, uint32_t *run)
{
	struct started s;
	int ret = begin(c, group, flags, fair, max_accesses, stack_seqs, n, 0, &s);

	*run = s.run;
	return ret;
}

int chess_run_begin_kept(struct chess_ctl *c, uint32_t group, uint32_t flags, uint32_t fair,
			 uint32_t max_accesses, uint32_t keep_at, uint32_t *run, pid_t *root)
{
	struct started s;
	int ret = begin(c, group, flags | (keep_at ? 0 : CHESS_RUN_FLAGS_FROM_KEPT), fair,
			max_accesses, NULL, 0, keep_at, &s);

	*run = s.run;
	*root = s.pid;
	return ret;
}

int chess_run_start(struct chess_ctl *c, uint32_t group, uint32_t flags, uint32_t fair,
		    const uint32_t *stack_seqs, size_t n)
{
	uint32_t run;

	return chess_run_begin(c, group, flags, fair, 0, stack_seqs, n, &run);
}

int chess_run_stop(struct chess_ctl *c, uint32_t group, uint32_t flags)
{
	struct nl_msg *msg = chess_nl_request(c, CHESS_CMD_RUN_STOP, 0, 0);

	if (!msg)
		return -ENOMEM;
	nla_put_u32(msg, CHESS_A_RUN_GROUP, group);
	if (flags)
		nla_put_u32(msg, CHESS_A_RUN_STOP_FLAGS, flags);
	return chess_nl_send(c, msg, NULL, NULL);
}

int chess_run_release(struct chess_ctl *c, uint32_t group)
{
	return chess_nl_ask(c, CHESS_CMD_RUN_RELEASE, 0, CHESS_A_RUN_GROUP, group, NULL, NULL);
}

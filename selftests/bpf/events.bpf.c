// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps what the trace events of the module say, for events_test.c.
 */
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <linux/chess_record.h>

#include "events.h"

struct output out;

static struct seen *next(__u32 kind)
{
	__u32 i = out.n++;

	if (i >= SEEN_MAX)
		return NULL;
	out.seen[i].kind = kind;
	return &out.seen[i];
}

SEC("raw_tp/point")
int point(struct bpf_raw_tracepoint_args *ctx)
{
	struct seen *s = next(SEEN_POINT);

	if (!s)
		return 0;
	s->pid = ctx->args[1];
	return bpf_probe_read_kernel(&s->event, sizeof(s->event), (void *)ctx->args[2]);
}

SEC("raw_tp/decision")
int decision(struct bpf_raw_tracepoint_args *ctx)
{
	struct seen *s = next(SEEN_DECISION);

	if (!s)
		return 0;
	s->forced = ctx->args[2] & 1;
	return bpf_probe_read_kernel(&s->event, sizeof(s->event), (void *)ctx->args[1]);
}

SEC("raw_tp/block")
int block(struct bpf_raw_tracepoint_args *ctx)
{
	struct seen *s = next(SEEN_BLOCK);

	if (!s)
		return 0;
	s->event.task = ctx->args[1];
	s->pid = ctx->args[2];
	s->deadline = ctx->args[4] & 1;
	return 0;
}

SEC("raw_tp/wake")
int wake(struct bpf_raw_tracepoint_args *ctx)
{
	struct seen *s = next(SEEN_WAKE);

	if (!s)
		return 0;
	s->event.task = ctx->args[1];
	s->pid = ctx->args[2];
	s->event.object = (__u32)ctx->args[3];
	return 0;
}

char _license[] SEC("license") = "GPL";

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of this type may not make points.
 */
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <chess.bpf.h>

SEC("xdp")
int point(struct xdp_md *ctx)
{
	chess_point(ctx->rx_queue_index, CHESS_OP_LOCK, 0);
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";

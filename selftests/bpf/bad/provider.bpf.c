// SPDX-License-Identifier: GPL-2.0-only
/*
 * No program has this USDT probe.
 */
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/usdt.bpf.h>
#include <chess.bpf.h>

SEC("usdt/PROGRAM:list:no_such_probe")
int BPF_USDT(point)
{
	return chess_point(0, CHESS_OP_CUSTOM, 0);
}

char _license[] SEC("license") = "GPL";

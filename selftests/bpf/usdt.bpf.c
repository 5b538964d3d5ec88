// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes points of the USDT probes in usdt.c.
 */
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/usdt.bpf.h>
#include <chess.bpf.h>

SEC("usdt/PROGRAM:list:reading")
int BPF_USDT(reading, void *head)
{
	return chess_point((__u64)head, CHESS_OP_READ, 0);
}

SEC("usdt/PROGRAM:list:using")
int BPF_USDT(using, void *entry)
{
	return chess_point((__u64)entry, CHESS_OP_READ, 0);
}

SEC("usdt/PROGRAM:list:unlinking")
int BPF_USDT(unlinking, void *head)
{
	return chess_point((__u64)head, CHESS_OP_WRITE, CHESS_OPF_WRITE);
}

SEC("usdt/PROGRAM:list:freeing")
int BPF_USDT(freeing, void *entry)
{
	return chess_point((__u64)entry, CHESS_OP_WRITE, CHESS_OPF_WRITE);
}

SEC("usdt/PROGRAM:list:wait")
int BPF_USDT(wait, void *readers)
{
	return chess_point((__u64)readers, CHESS_OP_YIELD, CHESS_OPF_YIELD);
}

char _license[] SEC("license") = "GPL";

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads memory of the program without a helper, which the verifier refuses.
 */
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <chess.bpf.h>

SEC("uprobe/PROGRAM:spin_lock")
int point(struct pt_regs *ctx)
{
	return chess_point(*(__u64 *)PT_REGS_PARM1(ctx), CHESS_OP_LOCK, 0);
}

char _license[] SEC("license") = "GPL";

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes points of the lock in spin.h. PROGRAM is the program under test.
 */
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <chess.bpf.h>

SEC("uprobe/PROGRAM:spin_lock")
int lock(struct pt_regs *ctx)
{
	return chess_point(PT_REGS_PARM1(ctx), CHESS_OP_LOCK, CHESS_OPF_WRITE);
}

SEC("uprobe/PROGRAM:spin_unlock")
int unlock(struct pt_regs *ctx)
{
	return chess_point(PT_REGS_PARM1(ctx), CHESS_OP_UNLOCK,
			   CHESS_OPF_WRITE | CHESS_OPF_RELEASE);
}

/* Whoever waits in a loop lets others run: else only the quantum would. */
SEC("uprobe/PROGRAM:spin_wait")
int wait(struct pt_regs *ctx)
{
	return chess_point(PT_REGS_PARM1(ctx), CHESS_OP_YIELD, CHESS_OPF_YIELD);
}

char _license[] SEC("license") = "GPL";

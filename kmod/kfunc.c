// SPDX-License-Identifier: GPL-2.0-only
/*
 * chess_point(), which BPF programs call: a USDT probe, a lock of the program's own,
 * an RCU or lock-free operation becomes a point. It only notes the point: the task may
 * be anywhere in the kernel, with locks held. The decision is taken by a task work
 * (gate.c) before the task executes another instruction of its program.
 *
 * Programs are checked by the verifier against the module's BTF. Without it, the
 * module works and only this function is missing.
 */
#define pr_fmt(fmt)	KBUILD_MODNAME ": " fmt

#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/preempt.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>

#include "chess.h"
#include "compat.h"
#include "gate.h"
#include "kfunc.h"

#define POINT_FLAGS	(CHESS_OPF_WRITE | CHESS_OPF_RELEASE | CHESS_OPF_YIELD)

__bpf_kfunc_start_defs();

/**
 * chess_point() - the task that executes this BPF program is at a point
 * @object: what its op works on, told as an address
 * @op: enum chess_op_class
 * @flags: CHESS_OPF_WRITE, CHESS_OPF_RELEASE, CHESS_OPF_YIELD
 *
 * A task has one such point at a time. The next can be noted when the decision was
 * taken and the task goes on in its program, so that a program attached to the
 * scheduler or to our own events does not make points for ever.
 *
 * Context: any, any lock may be held; takes none.
 * Return: 0; -ESRCH when current is not a task of a running group, or is on its way out;
 * -EINVAL for an op or flag that does not exist; -EBUSY when the last point has not been
 * decided yet; -EPERM in interrupts and NMIs, which belong to no task.
 */
__bpf_kfunc int chess_point(u64 object, u32 op, u32 flags)
{
	struct chess_task *t;

	if (!in_task())
		return -EPERM;
	if (!op || op >= __CHESS_OP_MAX || flags & ~POINT_FLAGS)
		return -EINVAL;
	t = chess_task_current();
	if (!t || READ_ONCE(t->group->state) != CHESS_GROUP_STATE_RUNNING ||
	    current->flags & PF_EXITING)
		return -ESRCH;
	return chess_gate_custom(t, object, op, flags);
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(chess_kfuncs)
BTF_ID_FLAGS(func, chess_point)
BTF_KFUNCS_END(chess_kfuncs)

static const struct btf_kfunc_id_set chess_kfunc_set = {
	.owner = THIS_MODULE,
	.set = &chess_kfuncs,
};

/**
 * chess_kfunc_init() - let BPF programs call chess_point()
 *
 * For programs of kprobes, uprobes and USDT probes, and for those of tracing, which
 * all others share a set with. They hold the module, so nothing is to be undone.
 *
 * Context: process, module init.
 */
void __init chess_kfunc_init(void)
{
	if (!chess_compat_has_btf() ||
	    register_btf_kfunc_id_set(BPF_PROG_TYPE_KPROBE, &chess_kfunc_set) ||
	    register_btf_kfunc_id_set(BPF_PROG_TYPE_TRACING, &chess_kfunc_set))
		pr_info("no BTF of kernel and module: BPF programs cannot make points\n");
}

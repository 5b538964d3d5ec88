/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where tasks wait for the token.
 */
#ifndef _CHESS_GATE_H
#define _CHESS_GATE_H

#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/swait.h>
#include "work.h"

struct chess_group;
struct chess_task;

/**
 * struct chess_pass - a point that was decided but not yet executed
 * @ip: address of the syscall instruction or of the trap
 * @sp: user stack pointer there
 * @nr: syscall number, or -1 for a trap
 * @seq: of the last event of the task, where a call that a signal interrupted is made again, or
 *	a trap is come back to from a handler
 * @set: whether this is one
 * @again: it is such a call or trap
 * @quiet: a call that is not a point, interrupted for a moment that the program knows nothing of
 *
 * A task that is parked at a point re-executes the instruction when it is let
 * go; this tells the second arrival from the next iteration of a loop. Only
 * touched by the task itself.
 */
struct chess_pass {
	unsigned long ip;
	unsigned long sp;
	long nr;
	u32 seq;
	bool set;
	bool again;
	bool quiet;
};

/**
 * struct chess_custom - a point that a BPF program noted (kfunc.c)
 * @work: task work that takes the decision
 * @busy: bit 0: from when it is noted until the task continues after the decision; set
 *	for good when the task leaves control
 * @object: address
 * @op: enum chess_op_class
 * @flags: CHESS_OPF_*
 * @regs: user registers when it was noted: a uprobe's instruction may be stepped, at
 *	another address, when the decision is taken
 *
 * Only touched by the task itself.
 */
struct chess_custom {
	struct chess_work work;
	unsigned long busy;
	u64 object;
	u8 op;
	u8 flags;
	struct pt_regs regs;
};

/**
 * struct chess_gate - where a task waits for the token
 * @work: task work that parks at return to user mode
 * @quantum: task work that takes a decision for a spinning task
 * @custom: the point a BPF program noted
 * @wait: where it parks; has a lock of its own
 * @is_parked: is in chess_gate_park(); written by the task itself, read by all
 * @since: when it parked, jiffies; the same
 * @frozen: sleeps there because it is frozen; the same
 * @thawed: was frozen, and has not looked yet whether the others are back in their places;
 *	only the task itself
 * @freezes: chess_probe_freezes() when a call of the task was last interrupted; the same
 */
struct chess_gate {
	struct chess_work work;
	struct chess_work quantum;
	struct chess_custom custom;
	struct swait_queue_head wait;
	bool is_parked;
	unsigned long since;
	bool frozen;
	bool thawed;
	u32 freezes;
};

extern struct preempt_ops chess_gate_notifier;

void chess_gate_init(struct chess_task *t);
void chess_gate_arm(struct chess_task *t);
bool chess_gate_adopt(struct chess_task *t);
bool chess_gate_must_leave(const struct chess_task *t);
void chess_gate_interrupted(struct chess_task *t);
void chess_gate_wake(struct chess_group *g);
void chess_gate_open(struct chess_group *g);
void chess_gate_quantum(struct chess_task *t);
int chess_gate_custom(struct chess_task *t, u64 object, u32 op, u32 flags);

#endif /* _CHESS_GATE_H */

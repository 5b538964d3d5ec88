// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where blocked tasks are: their system call, kernel stack, signals and children, read from
 * the kernel's own structures by an iterator over tasks when libchessctl/wait/look.c asks,
 * not before.
 *
 * No lock of the kernel is taken. What changes meanwhile may be read half old and
 * half new; lists are walked with a bound, so a list that changes ends the walk
 * early or repeats a part, and never more.
 */
#include "common.bpf.h"

char LICENSE[] SEC("license") = "GPL";

#define TS_COMPAT		2

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct chess_look_task);
} task_room SEC(".maps");

/* Tasks. */

struct child_walk {
	__u64 head, at;
	__u32 n, outside, dead, done;
};

static long count_child(__u32 i, void *arg)
{
	struct child_walk *w = arg;
	struct task_struct *child;

	if (!w->at || w->at == w->head) {
		w->done = 1;
		return 1;
	}
	child = (void *)w->at - bpf_core_field_offset(struct task_struct, sibling);
	w->n++;
	if (BPF_CORE_READ(child, exit_state))
		w->dead++;
	else if (!is_wanted(task_number(child)))
		w->outside++;
	w->at = (__u64)BPF_CORE_READ(child, sibling.next);
	return 0;
}

SEC("iter/task")
int look_tasks(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task, *reader;
	struct child_walk w = { 0 };
	struct chess_look_task *t;
	struct pt_regs *regs;
	__u32 tid, tgid;
	long n;

	if (!task)
		return 0;
	tid = task_number(task);
	tgid = task_number(leader(task));
	if (!is_wanted(tid) && !is_wanted(tgid))
		return 0;
	t = bpf_map_lookup_elem(&task_room, &zero);
	if (!t)
		return 0;
	__builtin_memset(t, 0, sizeof(*t));
	t->tid = tid;
	t->tgid = tgid;
	t->gtid = BPF_CORE_READ(task, pid);
	t->gtgid = BPF_CORE_READ(task, tgid);
	t->state = BPF_CORE_READ(task, __state);
	t->exit_state = BPF_CORE_READ(task, exit_state);
	reader = (void *)bpf_get_current_task();
	if (!BPF_CORE_READ(reader, thread_pid, level))
		t->flags |= CHESS_LOOK_TASK_INITNS;

	/* A task says that it sleeps some time before it does. */
	if (bpf_core_field_exists(task->on_cpu) && BPF_CORE_READ(task, on_cpu))
		t->flags |= CHESS_LOOK_TASK_RUNS;

	t->nr = -1;
	if (BPF_CORE_READ(task, mm)) {
		regs = (void *)bpf_task_pt_regs(task);
		t->flags |= CHESS_LOOK_TASK_REGS;
		t->nr = BPF_CORE_READ(regs, orig_ax);
		t->args[0] = BPF_CORE_READ(regs, di);
		t->args[1] = BPF_CORE_READ(regs, si);
		t->args[2] = BPF_CORE_READ(regs, dx);
		t->args[3] = BPF_CORE_READ(regs, r10);
		t->args[4] = BPF_CORE_READ(regs, r8);
		t->args[5] = BPF_CORE_READ(regs, r9);
		t->ip = BPF_CORE_READ(regs, ip);
		t->sp = BPF_CORE_READ(regs, sp);
		t->bx = BPF_CORE_READ(regs, bx);
		t->bp = BPF_CORE_READ(regs, bp);
		t->r12 = BPF_CORE_READ(regs, r12);
		t->r13 = BPF_CORE_READ(regs, r13);
		t->r14 = BPF_CORE_READ(regs, r14);
		t->r15 = BPF_CORE_READ(regs, r15);
		if (BPF_CORE_READ(task, thread_info.status) & TS_COMPAT)
			t->flags |= CHESS_LOOK_TASK_COMPAT;
	}

	t->pending = BPF_CORE_READ(task, pending.signal.sig[0]);
	t->shared_pending = BPF_CORE_READ(task, signal, shared_pending.signal.sig[0]);
	t->blocked = BPF_CORE_READ(task, blocked.sig[0]);

	w.head = (__u64)task + bpf_core_field_offset(struct task_struct, children);
	w.at = (__u64)BPF_CORE_READ(task, children.next);
	bpf_loop(CHESS_LOOK_CHILDREN + 1, count_child, &w, 0);
	t->children = w.n;
	t->children_outside = w.outside;
	t->children_dead = w.dead;
	if (!w.done)
		t->flags |= CHESS_LOOK_TASK_LOST;

	t->files = (__u64)BPF_CORE_READ(task, files);
	t->ipc_ns = (__u64)BPF_CORE_READ(task, nsproxy, ipc_ns);
	BPF_CORE_READ_INTO(&t->comm, task, comm);
	n = bpf_get_task_stack(task, t->stack, sizeof(t->stack), 0);
	if (n > 0)
		t->n_stack = n / sizeof(t->stack[0]);
	bpf_seq_write(ctx->meta->seq, t, sizeof(*t));
	return 0;
}

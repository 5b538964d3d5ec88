// SPDX-License-Identifier: GPL-2.0-only
/*
 * What blocked tasks wait on, read from the kernel's own structures when
 * libchessctl/wait/look.c asks, not before: an iterator over tasks, one over open files,
 * and one over tasks for System V IPC (ipc.bpf.h).
 *
 * No lock of the kernel is taken. What changes meanwhile may be read half old and
 * half new; lists are walked with a bound, so a list that changes ends the walk
 * early or repeats a part, and never more.
 */
#include "common.bpf.h"
#include "contents.bpf.h"
#include "ipc.bpf.h"
#include "kind.bpf.h"
#include "lock.bpf.h"

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

/* Epoll sets. */

struct epoll_walk {
	struct seq_file *seq;
	__u64 set;
	__u64 at, from;		/* nodes of the tree */
	__u32 left;
};

static __noinline int put_member(struct seq_file *seq, __u64 set, struct epitem *item)
{
	struct file *file = BPF_CORE_READ(item, ffd.file);
	struct chess_look_member m = {
		.type = CHESS_LOOK_MEMBER, .epoll = set, .file = (__u64)file,
		.fd = BPF_CORE_READ(item, ffd.fd),
		.events = BPF_CORE_READ(item, event.events),
	};
	struct object o;

	classify(file, &o);
	m.kind = o.kind;
	m.object = o.id;
	bpf_seq_write(seq, &m, sizeof(m));
	return 0;
}

/* One edge of the tree; a node is met first when one comes from above. */
static long next_member(__u32 i, void *arg)
{
	struct epoll_walk *w = arg;
	struct rb_node *node = (void *)w->at;
	__u64 parent, left, right;

	if (!node)
		return 1;
	parent = BPF_CORE_READ(node, __rb_parent_color) & ~3ul;
	left = (__u64)BPF_CORE_READ(node, rb_left);
	right = (__u64)BPF_CORE_READ(node, rb_right);
	if (w->from == parent) {
		if (!w->left)
			return 1;
		w->left--;
		put_member(w->seq, w->set,
			   (void *)node - bpf_core_field_offset(struct epitem, rbn));
	}
	if (w->from == parent && left)
		w->at = left;
	else if (w->from != right && right)
		w->at = right;
	else
		w->at = parent;
	w->from = (__u64)node;
	return 0;
}

static __always_inline void walk_epoll(struct seq_file *seq, struct eventpoll *ep)
{
	struct epoll_walk w = { .seq = seq, .set = (__u64)ep, .left = unknown(CHESS_LOOK_MEMBERS) };

	w.at = (__u64)BPF_CORE_READ(ep, rbr.rb_root.rb_node);
	bpf_loop(2 * CHESS_LOOK_MEMBERS + 2, next_member, &w, 0);
	if (w.at)
		put_lost(seq, (__u64)ep);
}

/* POSIX message queues: the waiters, at most as many as locks of an inode. */

struct mq_walk {
	struct seq_file *seq;
	__u64 object, head, at;
	__u32 sends;
};

static long next_mq_wait(__u32 i, void *arg)
{
	struct mq_walk *w = arg;
	struct chess_look_mq_wait r = {
		.type = CHESS_LOOK_MQ_WAIT, .sends = w->sends, .object = w->object,
	};
	struct ext_wait_queue *q;
	struct task_struct *task;

	if (!w->at || w->at == w->head)
		return 1;
	q = (void *)w->at - bpf_core_field_offset(*q, list);
	task = BPF_CORE_READ(q, task);
	r.tid = task_number(task);
	r.gtid = BPF_CORE_READ(task, pid);
	bpf_seq_write(w->seq, &r, sizeof(r));
	w->at = list_at(w->at);
	return 0;
}

static __always_inline void walk_mqueue(struct seq_file *seq, __u64 inode,
					struct mqueue_inode_info *info)
{
	__u32 size = bpf_core_type_size(struct ext_wait_queue), sends;
	struct mq_walk w = { .seq = seq, .object = inode };

	for (sends = 0; sends < 2; sends++) {
		/* The first is that of who sends. */
		w.sends = !sends;
		w.head = (__u64)info + bpf_core_field_offset(*info, e_wait_q) + sends * size +
			 bpf_core_field_offset(struct ext_wait_queue, list);
		w.at = list_at(w.head);
		bpf_loop(CHESS_LOOK_LOCKS + 1, next_mq_wait, &w, 0);
		if (w.at != w.head)
			put_lost(seq, inode);
	}
}

/* Files. */

/* What is known of an open file of any kind. */
static __always_inline void fill_file(struct chess_look_file *f, struct task_struct *task,
				      struct file *file, struct inode *inode)
{
	__u32 mode = BPF_CORE_READ(file, f_mode);

	f->tid = task_number(task);
	f->tgid = task_number(leader(task));
	f->gtgid = BPF_CORE_READ(task, tgid);
	f->mode = (mode & FMODE_READ ? CHESS_LOOK_READ : 0) |
		  (mode & FMODE_WRITE ? CHESS_LOOK_WRITE : 0);
	f->flags = BPF_CORE_READ(file, f_flags);
	f->files = (__u64)BPF_CORE_READ(task, files);
	f->file = (__u64)file;
	f->ino = BPF_CORE_READ(inode, i_ino);
	f->major = BPF_CORE_READ(inode, i_sb, s_dev) >> 20;
	f->minor = BPF_CORE_READ(inode, i_sb, s_dev) & 0xfffff;
	BPF_CORE_READ_INTO(&f->comm, task, comm);
}

SEC("iter/task_file")
int look_files(struct bpf_iter__task_file *ctx)
{
	struct chess_look_file f = { .type = CHESS_LOOK_FILE };
	struct task_struct *task = ctx->task;
	struct seq_file *seq = ctx->meta->seq;
	struct file *file = ctx->file;
	struct mqueue_inode_info *mq;
	struct inode *inode;
	struct object o;
	void *object;

	if (!task || !file)
		return 0;
	classify(file, &o);
	if (o.kind == CHESS_LOOK_OTHER)
		return 0;
	inode = BPF_CORE_READ(file, f_inode);
	object = (void *)o.id;
	mq = (void *)inode - bpf_core_field_offset(*mq, vfs_inode);
	f.kind = o.kind;
	f.object = o.id;
	f.fd = ctx->fd;
	fill_file(&f, task, file, inode);

	fill_contents(&f, object);
	bpf_seq_write(seq, &f, sizeof(f));

	if (o.kind == CHESS_LOOK_EPOLL)
		walk_epoll(seq, object);
	else if (o.kind == CHESS_LOOK_LOCKED)
		walk_locks(seq, inode);
	else if (o.kind == CHESS_LOOK_MQUEUE)
		walk_mqueue(seq, (__u64)inode, mq);
	return 0;
}

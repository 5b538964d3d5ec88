// SPDX-License-Identifier: GPL-2.0-only
/*
 * What blocked tasks wait on: open files with what is in them, by an iterator over files, and
 * System V IPC (ipc.bpf.h). An object apart from look.bpf.c, since finding the members of
 * all these structures in the kernel's BTF takes several times as long as everything else,
 * and a task that waits for a mutex needs none of it. Reads without locks, as look.bpf.c.
 */
#include "common.bpf.h"
#include "contents.bpf.h"
#include "ipc.bpf.h"
#include "kind.bpf.h"
#include "lock.bpf.h"

char LICENSE[] SEC("license") = "GPL";

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

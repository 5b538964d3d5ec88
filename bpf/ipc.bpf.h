/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System V semaphores and message queues, into a table that look.c reads when the
 * iterator is through: one namespace may be more than an iterator can hand over at once.
 */
#ifndef CHESS_IPC_BPF_H
#define CHESS_IPC_BPF_H

#include "common.bpf.h"

#define IPC_SEM			0
#define IPC_MSG			1

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct chess_look_ipc_table);
} ipc SEC(".maps");

/* The next free record of the table, NULL: full. */
static __always_inline struct chess_look_ipc *new_ipc(__u32 type, __u64 ns,
						      struct kern_ipc_perm *perm)
{
	struct chess_look_ipc_table *t = bpf_map_lookup_elem(&ipc, &zero);
	struct chess_look_ipc *r;
	__u32 n;

	if (!t)
		return NULL;
	n = t->n;
	if (n >= CHESS_LOOK_IPC) {
		t->lost = 1;
		return NULL;
	}
	t->n = n + 1;
	/* What the compiler knows of n the verifier must see. */
	barrier_var(n);
	r = &t->rec[n & (CHESS_LOOK_IPC - 1)];
	r->type = type;
	r->id = BPF_CORE_READ(perm, id);
	r->key = BPF_CORE_READ(perm, key);
	r->ns = ns;
	return r;
}

static __always_inline void lost_ipc(void)
{
	struct chess_look_ipc_table *t = bpf_map_lookup_elem(&ipc, &zero);

	if (t)
		t->lost = 1;
}

struct ipc_walk {
	__u64 ns;
	__u64 root;		/* of the xarray */
	__u64 object;		/* sem_array or msg_queue */
	__u64 head, at;		/* a list of waiting tasks */
	__u32 type;
};

static __always_inline struct kern_ipc_perm *load_entry(__u64 entry, __u32 index)
{
	struct xa_node *node;
	__u32 shift, slot;

	for (int level = 0; level < 4; level++) {
		/* Only pointers to nodes have this end. */
		if ((entry & 3) != 2)
			return index ? NULL : (void *)entry;
		node = (void *)(entry - 2);
		shift = BPF_CORE_READ(node, shift);
		if (shift > 24)
			return NULL;
		slot = index >> shift;
		if (slot > 63)
			return NULL;
		index -= slot << shift;
		if (bpf_core_read(&entry, sizeof(entry), (void *)node +
				  bpf_core_field_offset(*node, slots) + slot * sizeof(void *)))
			return NULL;
		if (!shift)
			return (entry & 3) ? NULL : (void *)entry;
	}
	return NULL;
}

static long next_sem_wait(__u32 i, void *arg)
{
	struct ipc_walk *w = arg;
	struct sem_array *set = (void *)w->object;
	struct sembuf___abi *blocking;
	struct chess_look_ipc *r;
	struct task_struct *task;
	struct sem_queue *q;

	if (!w->at || w->at == w->head)
		return 1;
	q = (void *)w->at - bpf_core_field_offset(*q, list);
	task = BPF_CORE_READ(q, sleeper);
	r = new_ipc(CHESS_LOOK_SEM_WAIT, w->ns,
		    (void *)set + bpf_core_field_offset(*set, sem_perm));
	if (!r)
		return 1;
	r->sem_wait.tid = task_number(task);
	r->sem_wait.gtid = BPF_CORE_READ(task, pid);
	r->sem_wait.nsops = BPF_CORE_READ(q, nsops);
	r->sem_wait.alter = BPF_CORE_READ(q, alter);
	blocking = BPF_CORE_READ(q, blocking);
	r->num = BPF_CORE_READ(blocking, sem_num);
	r->sem_wait.op = BPF_CORE_READ(blocking, sem_op);
	w->at = list_at(w->at);
	return 0;
}

static __noinline int walk_sem_list(struct ipc_walk *from, __u64 head)
{
	struct ipc_walk w = { 0 };

	if (!from)
		return 0;
	w.ns = from->ns;
	w.object = from->object;
	w.head = head;
	w.at = list_at(head);
	bpf_loop(CHESS_LOOK_IPC, next_sem_wait, &w, 0);
	return 0;
}

static long next_sem(__u32 i, void *arg)
{
	struct ipc_walk *w = arg;
	struct sem_array *set = (void *)w->object;
	struct sem *sem = (void *)set + bpf_core_field_offset(*set, sems) +
			  i * bpf_core_type_size(struct sem);
	struct chess_look_ipc *r;

	r = new_ipc(CHESS_LOOK_SEM, w->ns, (void *)set + bpf_core_field_offset(*set, sem_perm));
	if (!r)
		return 1;
	r->num = i;
	r->sem.value = BPF_CORE_READ(sem, semval);
	r->sem.last = number(BPF_CORE_READ(sem, sempid));
	walk_sem_list(w, (__u64)sem + bpf_core_field_offset(*sem, pending_alter));
	walk_sem_list(w, (__u64)sem + bpf_core_field_offset(*sem, pending_const));
	return 0;
}

static long next_sem_set(__u32 i, void *arg)
{
	struct ipc_walk *w = arg;
	struct kern_ipc_perm *perm = load_entry(w->root, i);
	struct sem_array *set;
	__u32 n;

	if (!perm || BPF_CORE_READ(perm, deleted))
		return 0;
	set = (void *)perm - bpf_core_field_offset(*set, sem_perm);
	w->object = (__u64)set;
	n = BPF_CORE_READ(set, sem_nsems);
	if (n > CHESS_LOOK_IPC) {
		lost_ipc();
		n = CHESS_LOOK_IPC;
	}
	bpf_loop(n, next_sem, w, 0);
	/* Operations on several semaphores wait for the set. */
	walk_sem_list(w, (__u64)set + bpf_core_field_offset(*set, pending_alter));
	walk_sem_list(w, (__u64)set + bpf_core_field_offset(*set, pending_const));
	return 0;
}

static long next_msg_wait(__u32 i, void *arg)
{
	struct ipc_walk *w = arg;
	struct msg_queue *queue = (void *)w->object;
	struct msg_receiver *receiver;
	struct msg_sender *sender;
	struct chess_look_ipc *r;
	struct task_struct *task;

	if (!w->at || w->at == w->head)
		return 1;
	r = new_ipc(w->type, w->ns, (void *)queue + bpf_core_field_offset(*queue, q_perm));
	if (!r)
		return 1;
	if (w->type == CHESS_LOOK_MSG_RECEIVER) {
		receiver = (void *)w->at - bpf_core_field_offset(*receiver, r_list);
		task = BPF_CORE_READ(receiver, r_tsk);
		r->msg_wait.what = BPF_CORE_READ(receiver, r_msgtype);
	} else {
		sender = (void *)w->at - bpf_core_field_offset(*sender, list);
		task = BPF_CORE_READ(sender, tsk);
		r->msg_wait.what = BPF_CORE_READ(sender, msgsz);
	}
	r->msg_wait.tid = task_number(task);
	r->msg_wait.gtid = BPF_CORE_READ(task, pid);
	w->at = list_at(w->at);
	return 0;
}

static __noinline int walk_msg_list(struct ipc_walk *w, __u32 type, __u64 head)
{
	if (!w)
		return 0;
	w->type = type;
	w->head = head;
	w->at = list_at(head);
	bpf_loop(CHESS_LOOK_IPC, next_msg_wait, w, 0);
	return 0;
}

static long next_msg_queue(__u32 i, void *arg)
{
	struct ipc_walk *w = arg;
	struct kern_ipc_perm *perm = load_entry(w->root, i);
	struct chess_look_ipc *r;
	struct msg_queue *queue;

	if (!perm || BPF_CORE_READ(perm, deleted))
		return 0;
	r = new_ipc(CHESS_LOOK_MSG, w->ns, perm);
	if (!r)
		return 1;
	queue = (void *)perm - bpf_core_field_offset(*queue, q_perm);
	w->object = (__u64)queue;
	r->msg.messages = BPF_CORE_READ(queue, q_qnum);
	r->msg.bytes = BPF_CORE_READ(queue, q_cbytes);
	r->msg.most_bytes = BPF_CORE_READ(queue, q_qbytes);
	r->msg.last_sender = number(BPF_CORE_READ(queue, q_lspid));
	r->msg.last_receiver = number(BPF_CORE_READ(queue, q_lrpid));
	walk_msg_list(w, CHESS_LOOK_MSG_RECEIVER,
		      (__u64)queue + bpf_core_field_offset(*queue, q_receivers));
	walk_msg_list(w, CHESS_LOOK_MSG_SENDER,
		      (__u64)queue + bpf_core_field_offset(*queue, q_senders));
	return 0;
}

/* Index of the last object of a kind, and the root of their tree. */
static __always_inline __u32 count_ids(struct ipc_walk *w, __u32 which)
{
	struct ipc_ids *ids = (void *)w->ns + bpf_core_field_offset(struct ipc_namespace, ids) +
			      which * bpf_core_type_size(struct ipc_ids);
	int n = BPF_CORE_READ(ids, max_idx) + 1;

	w->root = (__u64)BPF_CORE_READ(ids, ipcs_idr.idr_rt.xa_head);
	if (n > 1 << 15) {
		lost_ipc();
		n = 1 << 15;
	}
	return n > 0 ? n : 0;
}

/* Writes no text: what it finds stands in the table. */
SEC("iter/task")
int look_ipc(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct chess_look_ipc_table *t;
	struct ipc_walk w = { 0 };

	if (!task || (!is_wanted(task_number(task)) && !is_wanted(task_number(leader(task)))))
		return 0;
	w.ns = (__u64)BPF_CORE_READ(task, nsproxy, ipc_ns);
	t = bpf_map_lookup_elem(&ipc, &zero);
	if (!w.ns || !t)
		return 0;
	for (int i = 0; i < 8; i++) {
		if (t->ns[i] == w.ns)
			return 0;
		if (!t->ns[i]) {
			t->ns[i] = w.ns;
			bpf_loop(count_ids(&w, IPC_SEM), next_sem_set, &w, 0);
			bpf_loop(count_ids(&w, IPC_MSG), next_msg_queue, &w, 0);
			return 0;
		}
	}
	t->lost = 1;
	return 0;
}

#endif /* CHESS_IPC_BPF_H */

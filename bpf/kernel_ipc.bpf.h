/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of kernel.bpf.h on message queues, sockets and System V IPC, which includes it.
 */
#ifndef CHESS_KERNEL_IPC_BPF_H
#define CHESS_KERNEL_IPC_BPF_H

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* POSIX message queues. */

struct ext_wait_queue {
	struct task_struct *task;
	struct list_head list;
};

struct mq_attr {
	long mq_maxmsg;
	long mq_curmsgs;
};

struct mqueue_inode_info {
	struct inode vfs_inode;
	struct mq_attr attr;
	struct ext_wait_queue e_wait_q[2];
};

/* Sockets. */

struct in6_addr {
	union {
		__u8 u6_addr8[16];
	} in6_u;
};

struct ns_common {
	unsigned int inum;
};

struct net {
	struct ns_common ns;
};

struct sock_common {
	__u32 skc_daddr;
	__u32 skc_rcv_saddr;
	__u16 skc_dport;
	__u16 skc_num;
	unsigned short skc_family;
	unsigned char skc_state;
	struct {
		struct net *net;
	} skc_net;
	struct in6_addr skc_v6_daddr;
	struct in6_addr skc_v6_rcv_saddr;
};

struct sk_buff {
	struct sk_buff *next;
	unsigned int len;
};

struct sk_buff_head {
	struct sk_buff *next;
	__u32 qlen;
};

struct sock {
	struct sock_common __sk_common;
	struct sk_buff_head sk_receive_queue;
	__u32 sk_ack_backlog;
	int sk_sndbuf;
	struct {
		struct {
			int counter;
		} refs;
	} sk_wmem_alloc;
	__u8 sk_shutdown;
	__u16 sk_type;
	__u16 sk_protocol;
};

struct unix_sock {
	struct sock *peer;
};

struct tcp_sock {
	__u32 copied_seq;
	__u32 rcv_nxt;
};

struct udp_sock {
	struct sk_buff_head reader_queue;
};

struct socket {
	struct sock *sk;
};

/* System V. */

struct xarray {
	void *xa_head;
};

struct xa_node {
	unsigned char shift;
	void *slots[64];
};

struct idr {
	struct xarray idr_rt;
};

struct ipc_ids {
	struct idr ipcs_idr;
	int max_idx;
};

struct ipc_namespace {
	struct ipc_ids ids[3];
};

struct kern_ipc_perm {
	bool deleted;
	int id;
	int key;
};

struct sem {
	int semval;
	struct pid *sempid;
	struct list_head pending_alter;
	struct list_head pending_const;
};

struct sem_array {
	struct kern_ipc_perm sem_perm;
	struct list_head pending_alter;
	struct list_head pending_const;
	int sem_nsems;
	struct sem sems[];
};

/* A type of the system call: the same on every kernel. */
struct sembuf___abi {
	unsigned short sem_num;
	short sem_op;
	short sem_flg;
};

struct sem_queue {
	struct list_head list;
	struct task_struct *sleeper;
	struct sembuf___abi *blocking;
	int nsops;
	bool alter;
};

struct msg_queue {
	struct kern_ipc_perm q_perm;
	unsigned long q_cbytes;
	unsigned long q_qnum;
	unsigned long q_qbytes;
	struct pid *q_lspid;
	struct pid *q_lrpid;
	struct list_head q_receivers;
	struct list_head q_senders;
};

struct msg_receiver {
	struct list_head r_list;
	struct task_struct *r_tsk;
	long r_msgtype;
};

struct msg_sender {
	struct list_head list;
	struct task_struct *tsk;
	unsigned long msgsz;
};

#pragma clang attribute pop

#endif /* CHESS_KERNEL_IPC_BPF_H */

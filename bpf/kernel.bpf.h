/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few kernel structures look.bpf.c and files.bpf.c read, written by hand: only the members
 * that are used. Where they really stand is found when the programs are loaded,
 * from the running kernel's BTF, so that one build fits every kernel. A name
 * after three underscores is a shape of another version of the structure.
 */
#ifndef CHESS_KERNEL_BPF_H
#define CHESS_KERNEL_BPF_H

#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct list_head {
	struct list_head *next;
};

struct rb_node {
	unsigned long __rb_parent_color;
	struct rb_node *rb_right;
	struct rb_node *rb_left;
};

struct rb_root {
	struct rb_node *rb_node;
};

struct rb_root_cached {
	struct rb_root rb_root;
};

struct wait_queue_head {
	struct list_head head;
};

struct wait_queue_entry {
	void *private;
	struct list_head entry;
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
};

/* Tasks. */

struct pid_namespace;

struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[];
};

struct sigpending {
	struct {
		unsigned long sig[1];
	} signal;
};

struct signal_struct {
	struct sigpending shared_pending;
};

struct mm_struct;
struct file;
struct ipc_namespace;

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct nsproxy {
	struct ipc_namespace *ipc_ns;
};

struct thread_info {
	__u32 status;
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int __state;
	int on_cpu;
	int exit_state;
	int pid;
	int tgid;
	struct mm_struct *mm;
	struct list_head children;
	struct list_head sibling;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	char comm[16];
	struct files_struct *files;
	struct nsproxy *nsproxy;
	struct signal_struct *signal;
	struct {
		unsigned long sig[1];
	} blocked;
	struct sigpending pending;
};

struct pt_regs {
	unsigned long r15;
	unsigned long r14;
	unsigned long r13;
	unsigned long r12;
	unsigned long bp;
	unsigned long bx;
	unsigned long r10;
	unsigned long r9;
	unsigned long r8;
	unsigned long dx;
	unsigned long si;
	unsigned long di;
	unsigned long orig_ax;
	unsigned long ip;
	unsigned long sp;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

/* Files. */

struct file_system_type;

struct super_block {
	__u32 s_dev;
	unsigned long s_magic;
};

struct file_lock_context {
	struct list_head flc_flock;
	struct list_head flc_posix;
};

struct inode {
	unsigned short i_mode;
	struct super_block *i_sb;
	unsigned long i_ino;
	struct file_lock_context *i_flctx;
	void *i_private;
};

struct qstr {
	const unsigned char *name;
};

struct dentry {
	struct qstr d_name;
};

struct path {
	struct dentry *dentry;
};

struct file {
	unsigned int f_mode;
	unsigned int f_flags;
	struct path f_path;
	struct inode *f_inode;
	void *private_data;
};

struct bpf_iter__task_file {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
	__u32 fd;
	struct file *file;
};

/* Since 6.9 what locks and leases share stands in a structure of its own. */
struct file_lock_core {
	struct file_lock_core *flc_blocker;
	struct list_head flc_list;
	struct list_head flc_blocked_requests;
	struct list_head flc_blocked_member;
	void *flc_owner;
	unsigned int flc_flags;
	unsigned char flc_type;
	int flc_pid;
	struct wait_queue_head flc_wait;
	struct file *flc_file;
};

struct file_lock {
	struct file_lock_core c;
	long long fl_start;
	long long fl_end;
};

struct file_lock___before_core {
	struct file_lock *fl_blocker;
	struct list_head fl_list;
	struct list_head fl_blocked_requests;
	struct list_head fl_blocked_member;
	void *fl_owner;
	unsigned int fl_flags;
	unsigned char fl_type;
	unsigned int fl_pid;
	struct wait_queue_head fl_wait;
	struct file *fl_file;
	long long fl_start;
	long long fl_end;
};

struct epoll_filefd {
	struct file *file;
	int fd;
};

struct epoll_event___kernel {
	__u32 events;
	__u64 data;
};

struct epitem {
	struct rb_node rbn;
	struct epoll_filefd ffd;
	struct epoll_event___kernel event;
};

struct eventpoll {
	struct rb_root_cached rbr;
};

/* Wakers. */

struct pcpu_hot {
	int preempt_count;
};

#pragma clang attribute pop

#include "kernel_ipc.bpf.h"

#endif /* CHESS_KERNEL_BPF_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Of what kind an open file is, and which object it stands for.
 */
#ifndef CHESS_KIND_BPF_H
#define CHESS_KIND_BPF_H

#include "common.bpf.h"

/* Constants of the kernel that are not types, so that BTF does not have them. */
#define S_IFMT			0170000
#define S_IFIFO			0010000
#define S_IFDIR			0040000
#define FMODE_READ		0x1
#define FMODE_WRITE		0x2
#define FMODE_PATH		0x4000
#define SOCKFS_MAGIC		0x534f434b
#define MQUEUE_MAGIC		0x19800202
#define ANON_INODE_FS_MAGIC	0x09041934
#define PIDFS_MAGIC		0x50494446
#define AF_UNIX			1

struct object {
	__u64 id;
	__u32 kind;
};

static __always_inline bool has_entries(void *head)
{
	struct list_head *h = head;

	return BPF_CORE_READ(h, next) != h;
}

static __always_inline bool has_locks(struct inode *inode)
{
	struct file_lock_context *c = BPF_CORE_READ(inode, i_flctx);

	return c && (has_entries((void *)c + bpf_core_field_offset(*c, flc_flock)) ||
		     has_entries((void *)c + bpf_core_field_offset(*c, flc_posix)));
}

static __always_inline bool named(const char *name, const char *is, __u32 len)
{
	for (__u32 i = 0; i < len; i++)
		if (name[i] != is[i])
			return false;
	return true;
}

#define NAMED(name, is) named(name, is, sizeof(is))

/* The names are those that readlink(/proc/PID/fd/N) shows. */
static __noinline __u32 anon_kind(struct file *file)
{
	const unsigned char *at = BPF_CORE_READ(file, f_path.dentry, d_name.name);
	char name[16] = "";

	if (bpf_probe_read_kernel_str(name, sizeof(name), at) < 0)
		return CHESS_LOOK_OTHER;
#define ROW(KIND, word, anonymous)					\
	if (sizeof(anonymous) > 1 && NAMED(name, anonymous))		\
		return CHESS_LOOK_##KIND;
	CHESS_LOOK_KINDS(ROW)
#undef ROW
	return CHESS_LOOK_OTHER;
}

static __always_inline void classify(struct file *file, struct object *o)
{
	struct inode *inode = BPF_CORE_READ(file, f_inode);
	void *data = BPF_CORE_READ(file, private_data);
	__u32 type = BPF_CORE_READ(inode, i_mode) & S_IFMT;
	__u64 magic = BPF_CORE_READ(inode, i_sb, s_magic);
	struct socket *socket = data;
	struct sock *sk;

	o->id = (__u64)inode;
	o->kind = CHESS_LOOK_OTHER;
	if (BPF_CORE_READ(file, f_mode) & FMODE_PATH)
		return;
	if (type == S_IFIFO) {
		o->kind = CHESS_LOOK_PIPE;
		o->id = (__u64)data;
	} else if (magic == SOCKFS_MAGIC) {
		sk = BPF_CORE_READ(socket, sk);
		o->kind = BPF_CORE_READ(sk, __sk_common.skc_family) == AF_UNIX ?
			  CHESS_LOOK_UNIX : CHESS_LOOK_SOCKET;
		o->id = (__u64)sk;
	} else if (magic == MQUEUE_MAGIC) {
		if (type != S_IFDIR)
			o->kind = CHESS_LOOK_MQUEUE;
	} else if (magic == PIDFS_MAGIC) {
		o->kind = CHESS_LOOK_PIDFD;
		o->id = (__u64)BPF_CORE_READ(inode, i_private);
	} else if (magic == ANON_INODE_FS_MAGIC) {
		o->kind = anon_kind(file);
		o->id = (__u64)data;
	} else if (has_locks(inode)) {
		o->kind = CHESS_LOOK_LOCKED;
	}
}

#endif /* CHESS_KIND_BPF_H */

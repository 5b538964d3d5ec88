// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may do what (invariant I7). netlink.c asks at the door, for every request; netlink.c,
 * adopt.c and birth.c ask about tasks.
 *
 * Two count for a request: the credentials its socket was opened with, and those of whoever
 * sends it. A program with more rights than its user can be made to write to a socket it was
 * given as its standard output; with what it may do itself it would open doors to the one who
 * opened the socket. So nothing here goes by capable() alone.
 */
#include <linux/binfmts.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/moduleparam.h>
#include <linux/net.h>
#include <linux/netlink.h>
#include <linux/sched/signal.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include <net/sock.h>

#include "chess.h"
#include "compat.h"
#include "rights.h"

static bool unprivileged;
module_param(unprivileged, bool, 0644);
MODULE_PARM_DESC(unprivileged, "users without CAP_SYS_ADMIN may control what they may ptrace");

/* In the initial user namespace; -1: none. */
static int gid = -1;

static int set_gid(const char *text, const struct kernel_param *kp)
{
	int value, ret = kstrtoint(text, 0, &value);

	if (ret)
		return ret;
	if (value != -1 && (value < 0 || !gid_valid(make_kgid(&init_user_ns, value))))
		return -EINVAL;
	WRITE_ONCE(gid, value);
	return 0;
}

static const struct kernel_param_ops gid_ops = {
	.set = set_gid,
	.get = param_get_int,
};

module_param_cb(gid, &gid_ops, &gid, 0644);
MODULE_PARM_DESC(gid, "members of this group may control what they may ptrace; -1: none");

static struct file *socket_file(const struct sk_buff *skb)
{
	struct socket *sock = NETLINK_CB(skb).sk->sk_socket;

	return sock ? sock->file : NULL;
}

/**
 * chess_rights_opener() - whose socket does a request come from
 * @skb: the request
 *
 * Context: netlink, in the context of the sender.
 * Return: the credentials it was opened with, which live as long as the request; NULL: it is
 * the kernel's own.
 */
const struct cred *chess_rights_opener(const struct sk_buff *skb)
{
	struct file *file = socket_file(skb);

	return file ? file->f_cred : NULL;
}

/**
 * chess_rights_is_admin() - may a request do everything
 * @skb: the request
 *
 * netlink_capable() does without the opener where the message has an address.
 *
 * Context: netlink, in the context of the sender.
 * Return: whether opener and sender have CAP_SYS_ADMIN in the initial user namespace.
 */
bool chess_rights_is_admin(const struct sk_buff *skb)
{
	struct file *file = socket_file(skb);

	return file && file_ns_capable(file, &init_user_ns, CAP_SYS_ADMIN) &&
	       netlink_capable(skb, CAP_SYS_ADMIN);
}

static bool is_member(const struct cred *cred, kgid_t group)
{
	const struct cred *old = override_creds(cred);
	bool is = in_egroup_p(group);

	revert_creds(old);
	return is;
}

static bool is_open_to(const struct cred *opener)
{
	int number = READ_ONCE(gid);
	kgid_t group;

	if (READ_ONCE(unprivileged))
		return true;
	if (number < 0)
		return false;
	group = make_kgid(&init_user_ns, number);
	return gid_valid(group) && is_member(opener, group) && is_member(current_cred(), group);
}

/* Is the sender who opened the socket, with no more rights? */
static bool is_opener(const struct cred *opener)
{
	const struct cred *sender = current_cred();

	return opener->user_ns == sender->user_ns &&
	       uid_eq(opener->uid, sender->uid) && uid_eq(opener->euid, sender->euid) &&
	       gid_eq(opener->gid, sender->gid) && gid_eq(opener->egid, sender->egid) &&
	       cap_issubset(sender->cap_permitted, opener->cap_permitted);
}

/**
 * chess_rights_enter() - may a request be looked at at all
 * @skb: the request
 * @is_admin: what chess_rights_is_admin() said
 * @extack: where to say what is wrong
 *
 * Context: netlink, in the context of the sender.
 * Return: 0 or -EPERM.
 */
int chess_rights_enter(const struct sk_buff *skb, bool is_admin, struct netlink_ext_ack *extack)
{
	const struct cred *opener = chess_rights_opener(skb);

	if (is_admin)
		return 0;
	if (!opener || !is_open_to(opener)) {
		NL_SET_ERR_MSG(extack,
			       "the module is closed to users without CAP_SYS_ADMIN: use sudo, or have root open it with its parameter gid or unprivileged");
		return -EPERM;
	}
	if (!is_opener(opener)) {
		NL_SET_ERR_MSG(extack,
			       "the socket was opened with other rights than this process has; it needs one of its own");
		return -EPERM;
	}
	return 0;
}

/**
 * chess_rights_over() - may the owner of a group control a task
 * @g: the group; current sends a request of its owner's
 * @task: the task
 *
 * Context: netlink, in the context of the sender.
 * Return: whether it may.
 */
bool chess_rights_over(const struct chess_group *g, struct task_struct *task)
{
	return g->owner.privileged || (chess_compat_may_ptrace(g->owner.cred, task) &&
				 chess_compat_may_ptrace(current_cred(), task));
}

/**
 * chess_rights_bar_exec() - keep a task from becoming another program
 * @task: the task; the caller has a reference
 *
 * execve holds this mutex from before it looks at the rights of the program until it has
 * taken them; ptrace(2) looks at a task under it too. What is found and done to the task
 * before chess_rights_allow_exec() was true of the same program. Not waited for: the task
 * may be in the middle of an execve and wait for our token there.
 *
 * Context: process.
 * Return: whether it is kept; false: it is in an execve, or its process is.
 */
bool chess_rights_bar_exec(struct task_struct *task)
{
	return mutex_trylock(&task->signal->cred_guard_mutex);
}

/**
 * chess_rights_allow_exec() - undo chess_rights_bar_exec()
 * @task: the task
 *
 * Context: process.
 */
void chess_rights_allow_exec(struct task_struct *task)
{
	mutex_unlock(&task->signal->cred_guard_mutex);
}

/**
 * chess_rights_kept() - may current stay under control with its new program
 * @g: its group
 * @bprm: the program
 *
 * Not where it raised its privileges, in whatever way, or its user may not read it: an
 * unprivileged tracer could not attach to it now.
 *
 * Context: probe (sched_process_exec).
 * Return: whether it may.
 */
bool chess_rights_kept(const struct chess_group *g, const struct linux_binprm *bprm)
{
	return g->owner.privileged ||
	       (!bprm->secureexec && !(bprm->interp_flags & BINPRM_FLAGS_ENFORCE_NONDUMP) &&
		chess_compat_may_ptrace(g->owner.cred, current));
}

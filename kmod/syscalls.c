// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which syscall is which op on which object: one table. A call that is not in
 * it is a conservative point (CHESS_OP_OTHER, a write). A call nobody but the
 * calling task can observe is no point at all: SELF.
 *
 * What is left out on purpose although other tasks of the process could see it:
 * mapping and protecting private memory, which is to memory what loads and
 * stores are, and those are no points either.
 */
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <linux/magic.h>
#include <linux/mman.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/syscalls.h>
#include <asm/unistd.h>

#include "affinity.h"
#include "arch_x86.h"
#include "batch.h"
#include "clock.h"
#include "deadline.h"
#include "gate.h"
#include "group.h"
#include "memory.h"
#include "point.h"
#include "random.h"
#include "record.h"
#include "syscalls.h"
#include "take.h"
#include "task.h"
#include "timer.h"
#include "trap.h"
#include "uring.h"

/* Where the object of a call is. */
enum object_source {
	FROM_NOTHING,
	FROM_FD,	/* inode of a file descriptor */
	FROM_ADDRESS,	/* user address as it is */
	FROM_PID,	/* a pid, named by task id */
	FROM_KEY,	/* a number as it is */
	FROM_ID,	/* a System V IPC object, by first access */
};

#define W	CHESS_OPF_WRITE
#define R	0
#define B	CHESS_OPF_MAY_BLOCK
#define REL	CHESS_OPF_RELEASE
#define Y	CHESS_OPF_YIELD

#define SELF_CALL	0xff

#define OP(nr, class, fl, src, n)	\
	[__NR_##nr] = { .op = CHESS_OP_##class, .flags = (fl), .source = FROM_##src, .arg = (n) }
#define SPECIAL(nr, class, fl, src, n)	\
	[__NR_##nr] = { .op = CHESS_OP_##class, .flags = (fl), .source = FROM_##src, \
			.arg = (n), .special = 1 }
#define SELF(nr)	[__NR_##nr] = { .op = SELF_CALL }

/* What is not set here is by chess_syscall_init(). */
static const struct chess_call rows[] __initconst = {
	OP(read, READ, W | B, FD, 0), OP(pread64, READ, R, FD, 0),
	OP(readv, READ, W | B, FD, 0), OP(preadv, READ, R, FD, 0), OP(preadv2, READ, W | B, FD, 0),
	OP(write, WRITE, W | B, FD, 0), OP(pwrite64, WRITE, W, FD, 0),
	OP(writev, WRITE, W | B, FD, 0), OP(pwritev, WRITE, W, FD, 0),
	OP(pwritev2, WRITE, W | B, FD, 0),
	OP(sendfile, WRITE, W | B, FD, 0), OP(splice, WRITE, W | B, FD, 0),
	OP(tee, WRITE, W | B, FD, 0), OP(vmsplice, WRITE, W | B, FD, 0),
	OP(copy_file_range, WRITE, W, FD, 2),
	OP(lseek, FILE, W, FD, 0), OP(fstat, FILE, R, FD, 0), OP(ioctl, FILE, W | B, FD, 0),
	OP(fsync, FILE, W, FD, 0), OP(fdatasync, FILE, W, FD, 0), OP(ftruncate, FILE, W, FD, 0),
	OP(fallocate, FILE, W, FD, 0), OP(getdents64, FILE, W, FD, 0),
	OP(fchmod, FILE, W, FD, 0), OP(fchown, FILE, W, FD, 0), OP(fstatfs, FILE, R, FD, 0),
	OP(fcntl, FLOCK, W | B, FD, 0), OP(flock, FLOCK, W | B, FD, 0),
	OP(close, CLOSE, W | REL, FD, 0), OP(close_range, CLOSE, W | REL, NOTHING, 0),
	OP(dup, OPEN, W, FD, 0), OP(dup2, CLOSE, W | REL, FD, 0), OP(dup3, CLOSE, W | REL, FD, 0),
	OP(open, OPEN, W | B, NOTHING, 0), OP(openat, OPEN, W | B, NOTHING, 0),
	OP(openat2, OPEN, W | B, NOTHING, 0), OP(creat, OPEN, W, NOTHING, 0),
	OP(pipe, OPEN, W, NOTHING, 0), OP(pipe2, OPEN, W, NOTHING, 0),
	OP(eventfd, OPEN, W, NOTHING, 0), OP(eventfd2, OPEN, W, NOTHING, 0),
	OP(epoll_create, OPEN, W, NOTHING, 0), OP(epoll_create1, OPEN, W, NOTHING, 0),
	OP(memfd_create, OPEN, W, NOTHING, 0),
	OP(epoll_ctl, POLL, W, FD, 0), OP(epoll_wait, POLL, W | B, FD, 0),
	OP(epoll_pwait, POLL, W | B, FD, 0), OP(epoll_pwait2, POLL, W | B, FD, 0),
	OP(poll, POLL, B, NOTHING, 0), OP(ppoll, POLL, B, NOTHING, 0),
	OP(select, POLL, B, NOTHING, 0), OP(pselect6, POLL, B, NOTHING, 0),
	OP(stat, FILE, R, NOTHING, 0), OP(lstat, FILE, R, NOTHING, 0),
	OP(newfstatat, FILE, R, NOTHING, 0), OP(statx, FILE, R, NOTHING, 0),
	OP(access, FILE, R, NOTHING, 0), OP(faccessat, FILE, R, NOTHING, 0),
	OP(faccessat2, FILE, R, NOTHING, 0), OP(readlink, FILE, R, NOTHING, 0),
	OP(readlinkat, FILE, R, NOTHING, 0), OP(getcwd, FILE, R, NOTHING, 0),
	OP(rename, FILE, W, NOTHING, 0), OP(renameat, FILE, W, NOTHING, 0),
	OP(renameat2, FILE, W, NOTHING, 0), OP(unlink, FILE, W, NOTHING, 0),
	OP(unlinkat, FILE, W, NOTHING, 0), OP(mkdir, FILE, W, NOTHING, 0),
	OP(mkdirat, FILE, W, NOTHING, 0), OP(rmdir, FILE, W, NOTHING, 0),
	OP(link, FILE, W, NOTHING, 0), OP(linkat, FILE, W, NOTHING, 0),
	OP(symlink, FILE, W, NOTHING, 0), OP(symlinkat, FILE, W, NOTHING, 0),
	OP(chdir, FILE, W, NOTHING, 0), OP(fchdir, FILE, W, FD, 0), OP(umask, FILE, W, NOTHING, 0),
	OP(chmod, FILE, W, NOTHING, 0), OP(fchmodat, FILE, W, NOTHING, 0),
	OP(truncate, FILE, W, NOTHING, 0), OP(utimensat, FILE, W, NOTHING, 0),

	SPECIAL(futex, FUTEX_WAIT, W | B, ADDRESS, 0),
	OP(futex_waitv, FUTEX_WAIT, W | B, NOTHING, 0),
	OP(sched_yield, YIELD, Y, NOTHING, 0),
	OP(nanosleep, SLEEP, B, NOTHING, 0), OP(clock_nanosleep, SLEEP, B, NOTHING, 0),
	OP(pause, SIGNAL_WAIT, B, NOTHING, 0), OP(rt_sigsuspend, SIGNAL_WAIT, B, NOTHING, 0),
	OP(rt_sigtimedwait, SIGNAL_WAIT, W | B, NOTHING, 0),
	OP(rt_sigpending, SIGNAL_WAIT, R, NOTHING, 0),
	OP(signalfd, OPEN, W, NOTHING, 0), OP(signalfd4, OPEN, W, NOTHING, 0),
	OP(timerfd_create, OPEN, W, NOTHING, 0), OP(timerfd_settime, SLEEP, W, FD, 0),
	OP(timerfd_gettime, SLEEP, R, FD, 0),
	OP(kill, SIGNAL, W | REL, PID, 0), OP(tkill, SIGNAL, W | REL, PID, 0),
	OP(tgkill, SIGNAL, W | REL, PID, 1), OP(rt_sigqueueinfo, SIGNAL, W | REL, PID, 0),
	OP(rt_tgsigqueueinfo, SIGNAL, W | REL, PID, 1),
	OP(pidfd_send_signal, SIGNAL, W | REL, FD, 0), OP(pidfd_open, OPEN, W, PID, 0),
	SPECIAL(rt_sigaction, SIGNAL, W, KEY, 0),
	OP(alarm, SLEEP, W, NOTHING, 0), OP(setitimer, SLEEP, W, NOTHING, 0),
	OP(timer_create, SLEEP, W, NOTHING, 0), OP(timer_settime, SLEEP, W, KEY, 0),
	OP(timer_delete, SLEEP, W, KEY, 0),

	SPECIAL(clone, CREATE, W, NOTHING, 0), SPECIAL(clone3, CREATE, W, NOTHING, 0),
	SPECIAL(fork, FORK, W, NOTHING, 0), SPECIAL(vfork, FORK, W | B, NOTHING, 0),
	OP(execve, EXEC, W, NOTHING, 0), OP(execveat, EXEC, W, NOTHING, 0),
	SPECIAL(exit, EXIT, W | REL, NOTHING, 0), OP(exit_group, EXIT, W | REL, NOTHING, 0),
	OP(wait4, WAIT_CHILD, W | B, PID, 0), OP(waitid, WAIT_CHILD, W | B, PID, 1),
	OP(getppid, WAIT_CHILD, R, NOTHING, 0), OP(ptrace, WAIT_CHILD, W | B, PID, 1),

	OP(socket, OPEN, W, NOTHING, 0), OP(socketpair, OPEN, W, NOTHING, 0),
	OP(bind, SOCKET, W, FD, 0), OP(listen, SOCKET, W, FD, 0), OP(accept, SOCKET, W | B, FD, 0),
	OP(accept4, SOCKET, W | B, FD, 0), OP(connect, SOCKET, W | B, FD, 0),
	OP(shutdown, SOCKET, W | REL, FD, 0), OP(sendto, SOCKET, W | B, FD, 0),
	OP(recvfrom, SOCKET, W | B, FD, 0), OP(sendmsg, SOCKET, W | B, FD, 0),
	OP(recvmsg, SOCKET, W | B, FD, 0), OP(sendmmsg, SOCKET, W | B, FD, 0),
	OP(recvmmsg, SOCKET, W | B, FD, 0), OP(getsockopt, SOCKET, R, FD, 0),
	OP(setsockopt, SOCKET, W, FD, 0), OP(getsockname, SOCKET, R, FD, 0),
	OP(getpeername, SOCKET, R, FD, 0),

	OP(semget, IPC, W, KEY, 0), OP(semctl, IPC, W | REL, ID, 0), OP(semop, IPC, W | B, ID, 0),
	OP(semtimedop, IPC, W | B, ID, 0), OP(msgget, IPC, W, KEY, 0),
	OP(msgsnd, IPC, W | B, ID, 0), OP(msgrcv, IPC, W | B, ID, 0),
	OP(msgctl, IPC, W | REL, ID, 0), OP(shmget, IPC, W, KEY, 0), OP(shmat, IPC, W, ID, 0),
	OP(shmdt, IPC, W, ADDRESS, 0), OP(shmctl, IPC, W, ID, 0),
	OP(mq_open, IPC, W, NOTHING, 0), OP(mq_unlink, IPC, W, NOTHING, 0),
	OP(mq_timedsend, IPC, W | B, FD, 0), OP(mq_timedreceive, IPC, W | B, FD, 0),
	OP(mq_notify, IPC, W, FD, 0), OP(mq_getsetattr, IPC, W, FD, 0),
	OP(msync, MEMORY, W, ADDRESS, 0),

	SELF(brk), SELF(mmap), SELF(munmap), SELF(mprotect), SELF(mremap), SELF(madvise),
	SELF(mincore), SELF(mlock), SELF(munlock), SELF(mlock2), SELF(mlockall), SELF(munlockall),
	SELF(getpid), SELF(gettid), SELF(getuid), SELF(geteuid), SELF(getgid), SELF(getegid),
	SELF(getresuid), SELF(getresgid), SELF(getgroups), SELF(getpgrp), SELF(getpgid),
	SELF(getsid), SELF(uname), SELF(sysinfo), SELF(getrusage), SELF(times), SELF(getrlimit),
	SELF(prlimit64), SELF(getpriority), SELF(sched_getaffinity),
	[__NR_sched_setaffinity] = { .op = SELF_CALL, .special = 1 },
	SELF(sched_getparam), SELF(sched_getscheduler), SELF(sched_setscheduler),
	SELF(sched_get_priority_max), SELF(sched_get_priority_min), SELF(sched_setparam),
	SELF(getcpu), SELF(gettimeofday), SELF(time), SELF(clock_gettime), SELF(clock_getres),
	SELF(getrandom), SELF(rt_sigprocmask), SELF(rt_sigreturn), SELF(sigaltstack),
	SELF(restart_syscall), SELF(arch_prctl), SELF(prctl), SELF(set_tid_address),
	SELF(set_robust_list), SELF(get_robust_list), SELF(rseq), SELF(membarrier), SELF(capget),
	SELF(fadvise64), SELF(readahead), SELF(personality),
};

/* What a call works on. Returned in two registers. */
struct name {
	u64 object;
	u32 arg;	/* see struct chess_event */
	u8 kind;	/* enum chess_object_kind */
	u8 op, flags;	/* of the event; arguments may change them */
};

/* Name a pid of the program by task id: pids differ from run to run. */
static void name_pid(struct chess_group *g, struct name *n, int nr)
{
	struct pid *pid;
	unsigned long flags;
	u32 id, global = 0;

	n->kind = CHESS_OBJECT_PID;
	n->object = nr <= 0 ? nr : 0;
	if (nr <= 0)
		return;
	rcu_read_lock();
	pid = find_vpid(nr);
	if (pid)
		global = pid_nr(pid);
	rcu_read_unlock();
	raw_spin_lock_irqsave(&g->plock, flags);
	/* From the end: numbers may have been used twice in a long run. */
	for (id = g->next_id; global && id--; )
		if (g->pids[id] == global) {
			n->kind = CHESS_OBJECT_TASK;
			n->object = id;
			break;
		}
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

static void name_fd(struct chess_group *g, struct name *n, unsigned int fd)
{
	struct file *file = fget_raw(fd);
	unsigned long magic = file ? file_inode(file)->i_sb->s_magic : 0;
	unsigned long flags;
	u32 number = 0;

	/* All anonymous inodes (eventfd, epoll, ...) are one. */
	if (file && magic != ANON_INODE_FS_MAGIC) {
		raw_spin_lock_irqsave(&g->plock, flags);
		number = chess_record_inode_locked(g, file_inode(file));
		raw_spin_unlock_irqrestore(&g->plock, flags);
	}
	n->kind = !number ? CHESS_OBJECT_FD :
		  magic == PROC_SUPER_MAGIC || magic == SYSFS_MAGIC ?
		  CHESS_OBJECT_SYSTEM : CHESS_OBJECT_INODE;
	n->object = number ?: fd;
	if (file)
		fput(file);
}

/* Each sort has numbers of its own. */
static u32 id_kind(u32 nr)
{
	switch (nr) {
	case __NR_semctl:
	case __NR_semop:
	case __NR_semtimedop:
		return __NR_semget;
	case __NR_msgsnd:
	case __NR_msgrcv:
	case __NR_msgctl:
		return __NR_msgget;
	default:
		return __NR_shmget;
	}
}

static void name_id(struct chess_group *g, struct name *n, u32 nr, int id)
{
	unsigned long flags;

	n->kind = CHESS_OBJECT_KEY;
	raw_spin_lock_irqsave(&g->plock, flags);
	n->object = chess_record_id_locked(g, id_kind(nr), id);
	raw_spin_unlock_irqrestore(&g->plock, flags);
}

static void name_futex(struct name *n, const struct pt_regs *regs)
{
	n->arg = chess_arch_syscall_arg(regs, 1);
	switch (n->arg & FUTEX_CMD_MASK) {
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
	case FUTEX_WAKE_OP:
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
	case FUTEX_CMP_REQUEUE_PI:
	case FUTEX_UNLOCK_PI:
		n->op = CHESS_OP_FUTEX_WAKE;
		n->flags = W | REL;
	}
}

static struct name name_object(struct chess_group *g, const struct chess_call *s,
			       const struct pt_regs *regs, long nr)
{
	unsigned long value = chess_arch_syscall_arg(regs, s->arg);
	struct name n = { .op = s->op, .flags = s->flags };

	switch (s->source) {
	case FROM_ADDRESS:
		n.kind = CHESS_OBJECT_ADDRESS;
		n.object = chess_task_address(value);
		break;
	case FROM_KEY:
		n.kind = CHESS_OBJECT_KEY;
		n.object = value;
		break;
	case FROM_ID:
		name_id(g, &n, nr, value);
		break;
	case FROM_FD:
		name_fd(g, &n, value);
		if (s->op == CHESS_OP_FLOCK)
			n.arg = chess_arch_syscall_arg(regs, 1);
		break;
	case FROM_PID:
		name_pid(g, &n, value);
		break;
	}
	if (s->op == CHESS_OP_FUTEX_WAIT && s->special)
		name_futex(&n, regs);
	return n;
}

/* A special call: does another function's point stand for it already? */
static bool is_inner(struct chess_task *t, const struct chess_call *s, const struct pt_regs *regs,
		     long nr)
{
	if (s->op == CHESS_OP_EXIT)
		return t->exit_point;
	return s->op != CHESS_OP_FORK &&
	       chess_trap_inside(t, regs->sp, nr,
				 chess_task_address(chess_arch_syscall_arg(regs, 0)));
}

static void park_at(struct chess_task *t, struct pt_regs *regs, long nr)
{
	chess_arch_syscall_skip(regs, nr);
	chess_gate_arm(t);
}

static bool has_token(const struct chess_task *t)
{
	const struct chess_group *g = t->group;

	return READ_ONCE(g->token) == t || READ_ONCE(g->state) != CHESS_GROUP_STATE_RUNNING;
}

static bool creates_task(const struct chess_call *s)
{
	return s->op == CHESS_OP_CREATE || s->op == CHESS_OP_FORK;
}

/*
 * A task that cannot be followed has the traps in its address space and would die
 * of the first one. The program is told what it is told at a limit of processes.
 */
static bool refuse_creation(struct chess_task *t, struct pt_regs *regs, long nr)
{
	struct chess_group *g = t->group;
	unsigned long flags;
	bool refuse;

	raw_spin_lock_irqsave(&g->plock, flags);
	refuse = g->state == CHESS_GROUP_STATE_RUNNING &&
		 (!t->spare || g->next_id >= CHESS_MAX_TASKS);
	if (refuse && !g->adopted)
		g->lost++;
	/* A service must not notice: it makes the call when it has been let go. */
	if (g->adopted) {
		if (refuse)
			chess_group_let_go_locked(g, CHESS_LET_GO_REASON_TASKS);
		refuse = g->state != CHESS_GROUP_STATE_RUNNING;
	}
	raw_spin_unlock_irqrestore(&g->plock, flags);
	if (!refuse)
		return false;
	t->pass.set = false;
	if (g->adopted) {
		chess_work_queue(&t->leave, current, TWA_RESUME);
		park_at(t, regs, nr);
	} else {
		chess_arch_syscall_answer(regs, -EAGAIN);
	}
	return true;
}

static void answer(struct chess_task *t, struct pt_regs *regs, long nr)
{
	u32 flags = READ_ONCE(t->group->flags);

	if (READ_ONCE(t->group->state) != CHESS_GROUP_STATE_RUNNING || chess_arch_foreign_abi())
		return;
	if ((flags & CHESS_RUN_FLAGS_FIXED_RANDOM) && chess_random_answer(t, regs, nr))
		return;
	if ((flags & CHESS_RUN_FLAGS_VIRTUAL_TIME) && !chess_clock_answer(t, regs, nr) &&
	    !chess_timer_answer(t, regs, nr)) {
		if (nr == __NR_recvmmsg)
			chess_batch_enter(t, regs);
		chess_deadline_enter(t, regs, nr);
	}
}

/* The call is about to be made, or answered in the kernel's place. */
static void execute(struct chess_task *t, struct pt_regs *regs, long nr,
		    const struct chess_call *s)
{
	if (s->is_answered)
		answer(t, regs, nr);
	else
		t->wait_for.kept = false;
}

/* Noted since the decision: the last event of the task need not be that of this call. */
static u32 seq_of_pass(const struct chess_task *t, long nr)
{
	const struct chess_event *e = t->seq ? &t->group->record.events[t->seq - 1] : NULL;

	return e && e->nr == nr && e->type == CHESS_EVENT_POINT ? t->seq : 0;
}

static __always_inline enum chess_take decide(struct chess_task *t, const struct pt_regs *regs,
					      long nr, struct name n)
{
	struct chess_group *g = t->group;
	enum chess_take take;
	struct chess_event *e;
	u32 seq = 0;

	/* sys_enter runs with them on; cheaper than saving flags. */
	local_irq_disable();
	raw_spin_lock(&g->plock);
	if (chess_take_begin_locked(t, &take)) {
		e = chess_record_slot_locked(g);
		/* All fields, one by one: else the compiler clears all of it first, with
		 * a string instruction that costs as much as the rest of the point.
		 */
		e->type = CHESS_EVENT_POINT;
		e->op = n.op;
		e->flags = n.flags;
		e->object_kind = n.kind;
		e->task = t->id;
		e->nr = nr;
		e->object = n.object;
		e->ip = regs->ip;
		e->caller = 0;
		e->arg = n.arg;
		take = chess_take_end_locked(t, e, &seq);
	}
	raw_spin_unlock(&g->plock);
	t->call = seq;
	chess_take_stack(g, seq, regs);
	local_irq_enable();
	return take;
}

/* Apart, so that where nothing is named nothing is kept in memory for it. */
static noinline enum chess_take decide_named(struct chess_task *t, const struct pt_regs *regs,
					     long nr, const struct chess_call *s)
{
	return decide(t, regs, nr, name_object(t->group, s, regs, nr));
}

/* The decision went to another, or there is no token: the call is made again later. */
static void park_undone(struct chess_task *t, struct pt_regs *regs, long nr, enum chess_take take)
{
	t->pass = (struct chess_pass) {
		.ip = regs->ip, .sp = regs->sp, .nr = nr, .set = take == CHESS_TAKE_WAIT,
	};
	park_at(t, regs, nr);
}

static void take_point(struct chess_task *t, struct pt_regs *regs, long nr,
		       const struct chess_call *s)
{
	enum chess_take take;

	t->exit_point = false;
	if (s->source == FROM_NOTHING)
		take = decide(t, regs, nr, (struct name){ .op = s->op, .flags = s->flags });
	else
		take = decide_named(t, regs, nr, s);
	if (s->op == CHESS_OP_YIELD) {
		/* The decision was all there is to it: no second time, no call. */
		chess_arch_syscall_answer(regs, 0);
		if (take != CHESS_TAKE_GO)
			chess_gate_arm(t);
	} else if (take != CHESS_TAKE_GO) {
		park_undone(t, regs, nr, take);
	} else {
		execute(t, regs, nr, s);
	}
}

/* The group stays on its processor; the program need not know. */
static void answer_affinity(struct chess_task *t, struct pt_regs *regs)
{
	int ret = 1;

	if (READ_ONCE(t->group->state) == CHESS_GROUP_STATE_RUNNING)
		ret = chess_affinity_ask(t, chess_arch_syscall_arg(regs, 0),
					 chess_arch_syscall_arg(regs, 1),
					 (void __user *)chess_arch_syscall_arg(regs, 2));
	if (ret <= 0)
		chess_arch_syscall_answer(regs, ret);
}

/* Where chess_syscall_enter() does not know at a glance. Apart, see decide_named(). */
static noinline void enter_odd(struct chess_task *t, struct pt_regs *regs, long nr,
			       const struct chess_call *s)
{
	if (!has_token(t)) {
		if (!fatal_signal_pending(current))
			park_at(t, regs, nr);
		return;
	}
	if (s->special && creates_task(s) && refuse_creation(t, regs, nr))
		return;
	if (t->pass.set && t->pass.nr == nr && t->pass.ip == regs->ip && t->pass.sp == regs->sp) {
		t->pass.set = false;
		t->call = seq_of_pass(t, nr);
		execute(t, regs, nr, s);
		return;
	}
	if (s->special && s->op == SELF_CALL)
		answer_affinity(t, regs);
	else if (s->op == SELF_CALL || (s->special && is_inner(t, s, regs, nr)) ||
		 (READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_NO_SYSCALL_POINTS)) {
		t->call = 0;
		execute(t, regs, nr, s);
	} else {
		take_point(t, regs, nr, s);
	}
}

/**
 * chess_syscall_enter() - a task of a group enters a syscall
 * @t: the task, which is current
 * @regs: its user registers
 * @nr: number of the call
 *
 * Context: probe (sys_enter).
 */
void chess_syscall_enter(struct chess_task *t, struct pt_regs *regs, long nr)
{
	const struct chess_call *s = chess_call_of(chess_arch_foreign_abi() ? CHESS_CALLS : nr);
	u32 no_points = READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_NO_SYSCALL_POINTS;
	enum chess_take take;

	if (s->is_odd | t->pass.set | no_points) {
		enter_odd(t, regs, nr, s);
		return;
	}
	t->exit_point = false;
	take = decide(t, regs, nr, (struct name){ .op = s->op, .flags = s->flags });
	if (take != CHESS_TAKE_GO) {
		park_undone(t, regs, nr, take);
		return;
	}
	t->wait_for.kept = false;
}

struct chess_call chess_calls[CHESS_CALLS + 1] __ro_after_init;

/* What follows from the rest. */
static void __init derive(struct chess_call *s)
{
	s->is_odd = s->special || s->op == SELF_CALL || s->op == CHESS_OP_YIELD ||
		    s->source != FROM_NOTHING || s->is_answered;
	s->plain_below = s->is_watched ? 0 : s->gives_id ? 1 : (unsigned long)LONG_MAX + 1;
}

/**
 * chess_syscall_init() - module init
 *
 * Context: process.
 */
void __init chess_syscall_init(void)
{
	static const u16 watched[] __initconst = {
		__NR_mmap, __NR_munmap, __NR_mremap, __NR_clone, __NR_clone3, __NR_timer_create, __NR_timerfd_create,
		__NR_io_uring_setup,
		/* timed, see deadline.c; pause stands for the sleeps */
		__NR_futex, __NR_futex_waitv, CHESS_NR_FUTEX_WAIT, __NR_pause, __NR_poll,
		__NR_ppoll, __NR_select, __NR_pselect6, __NR_epoll_wait, __NR_epoll_pwait,
		__NR_epoll_pwait2, __NR_rt_sigtimedwait, __NR_semtimedop, __NR_mq_timedsend,
		__NR_mq_timedreceive, __NR_recvmmsg, __NR_io_getevents, __NR_io_pgetevents,
		__NR_io_uring_enter, __NR_restart_syscall, __NR_connect, __NR_write,
		__NR_writev, __NR_sendto, __NR_sendmsg, __NR_sendmmsg, __NR_read, __NR_readv,
		__NR_recvfrom, __NR_recvmsg, __NR_accept, __NR_accept4,
	};
	static const u16 ids[] __initconst = {
		__NR_fork, __NR_vfork, __NR_clone, __NR_clone3, __NR_getpid, __NR_gettid,
		__NR_getppid, __NR_getpgrp, __NR_getpgid, __NR_getsid, __NR_setsid,
		__NR_set_tid_address, __NR_wait4, __NR_shmget, __NR_semget, __NR_msgget,
	};
	/* What clock.c, timer.c, random.c have answers for; the timed ones are above. */
	static const u16 answered[] __initconst = {
		__NR_clock_gettime, __NR_gettimeofday, __NR_time, __NR_alarm, __NR_getitimer,
		__NR_setitimer, __NR_timer_settime, __NR_timer_gettime, __NR_timer_getoverrun,
		__NR_timer_delete, __NR_timerfd_settime, __NR_timerfd_gettime, __NR_getrandom,
		__NR_nanosleep, __NR_clock_nanosleep,
	};
	unsigned int i;

	BUILD_BUG_ON(ARRAY_SIZE(rows) > CHESS_CALLS);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		chess_calls[i] = rows[i];
	for (i = 0; i <= CHESS_CALLS; i++)
		if (!chess_calls[i].op)
			chess_calls[i] = (struct chess_call) {
				.op = CHESS_OP_OTHER, .flags = W | B,
			};
	for (i = 0; i < ARRAY_SIZE(watched); i++)
		chess_calls[watched[i]].is_watched = chess_calls[watched[i]].is_answered = true;
	for (i = 0; i < ARRAY_SIZE(answered); i++)
		chess_calls[answered[i]].is_answered = true;
	for (i = 0; i < ARRAY_SIZE(ids); i++)
		chess_calls[ids[i]].gives_id = true;
	for (i = 0; i <= CHESS_CALLS; i++)
		derive(&chess_calls[i]);
	/* Skipped or answered calls, with -1 for a number, have no result to record. */
	chess_calls[CHESS_CALLS].plain_below = 0;
}

/*
 * Is there more to the end of a call than its result? After a signal a call may be executed
 * again.
 */
static bool is_watched(long nr, long ret)
{
	return (unsigned long)ret - -ERESTARTNOHAND <= ERESTARTNOHAND - ERESTARTSYS ||
	       chess_call_of(nr)->is_watched;
}

/* Numbers that the system gives are other ones in each run; SPAWN events tell those of tasks. */
static void keep_result(struct chess_task *t, unsigned long nr, long ret)
{
	if (nr < CHESS_CALLS && (ret <= 0 || !chess_calls[nr].gives_id))
		chess_syscall_result(t, ret);
}

/**
 * chess_syscall_exit() - a task of a group leaves a syscall
 * @t: the task, which is current
 * @regs: its user registers
 * @ret: result
 *
 * Context: probe (sys_exit).
 */
void chess_syscall_exit(struct chess_task *t, struct pt_regs *regs, long ret)
{
	long nr = regs->orig_ax;

	if (!is_watched(nr, ret)) {
		keep_result(t, nr, ret);
		return;
	}
	chess_deadline_exit(t, regs, ret);
	chess_batch_exit(t, regs);
	nr = regs->orig_ax;
	ret = regs->ax;
	/* Not executed, but skipped or answered; or the end of a signal handler. */
	if (nr == -1)
		return;
	if (READ_ONCE(t->group->state) == CHESS_GROUP_STATE_RUNNING)
		keep_result(t, nr, ret);
	switch (ret) {
	case -ERESTARTSYS:
	case -ERESTARTNOINTR:
	case -ERESTARTNOHAND:
		/* Executed again after a signal: still the same op. ip is behind
		 * the instruction now, and will be there again at sys_enter.
		 */
		t->pass = (struct chess_pass) {
			.ip = regs->ip, .sp = regs->sp, .nr = nr, .set = true,
		};
		return;
	}
	if ((nr == __NR_timer_create || nr == __NR_timerfd_create) &&
	    (READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_VIRTUAL_TIME))
		chess_timer_created(t, regs, nr, ret);
	if (nr == __NR_clone || nr == __NR_clone3)
		chess_trap_created(t);
	/* A ring that came from elsewhere shows when it is used. */
	if ((nr == __NR_io_uring_setup || nr == __NR_io_uring_enter) && ret >= 0 &&
	    !chess_uring_is_attached()) {
		t->has_ring = true;
		chess_work_queue(&t->chore, current, TWA_RESUME);
	}
	if (nr == __NR_mmap || nr == __NR_munmap || nr == __NR_mremap)
		chess_memory_mapped(t, regs, nr, ret);
	if (nr == __NR_mmap && (chess_arch_syscall_arg(regs, 2) & PROT_EXEC) &&
	    !(chess_arch_syscall_arg(regs, 3) & MAP_ANONYMOUS) && !IS_ERR_VALUE(ret)) {
		t->rearm = true;
		chess_work_queue(&t->chore, current, TWA_RESUME);
	}
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The object a blocked task waits on, in words: what is in it, and which tasks have its other
 * end. Which object that is follows from the system call and its arguments. A futex is
 * a word in memory and has no more to it than the wait's text says.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "wait/inside.h"
#include "internal.h"

/* A line on a screen; what does not fit is cut off. */
#define TEXT_MAX	200
/* Descriptors, members or processes that are named. */
#define NAMED_MAX	4

/**
 * struct words - a text on its way
 * @s: the snapshot
 * @tasks: of the group
 * @n_tasks: length of @tasks
 * @text: so far
 */
struct words {
	const struct chess_snapshot *s;
	const struct chess_task_info *tasks;
	size_t n_tasks;
	char text[TEXT_MAX];
};

static void __attribute__((format(printf, 2, 3))) say(struct words *w, const char *format, ...)
{
	size_t n = strlen(w->text);
	va_list args;

	va_start(args, format);
	vsnprintf(w->text + n, sizeof(w->text) - n, format, args);
	va_end(args);
}

/* Descriptors and locks belong to processes: one is named by its first thread. */
static void say_process(struct words *w, pid_t tgid, const char *comm)
{
	size_t i;

	for (i = 0; i < w->n_tasks; i++)
		if (w->tasks[i].pid == (uint32_t)tgid) {
			say(w, "T%u's process", w->tasks[i].id);
			return;
		}
	if (tgid)
		say(w, "pid %d%s%s%s", tgid, comm ? " (" : "", comm ? comm : "", comm ? ")" : "");
	else
		say(w, "a process elsewhere");
}

static void say_fd(struct words *w, unsigned int *named, const char *lead,
		   const struct chess_look_file *f)
{
	if (++*named > NAMED_MAX)
		return;
	say(w, "%s fd %d of ", *named == 1 ? lead : ",", f->fd);
	say_process(w, f->tgid, f->comm);
}

/* Who has @object open for @mode. */
static void say_holders(struct words *w, uint64_t object, unsigned int mode, const char *lead)
{
	const struct chess_look_file *f = NULL;
	unsigned int named = 0;

	while ((f = chess_snapshot_holder(w->s, object, mode, f)))
		say_fd(w, &named, lead, f);
	if (named > NAMED_MAX)
		say(w, " and %u more", named - NAMED_MAX);
}

/* Tasks that could do the other half: a task that waits to write waits for one that reads. */
static void say_other_end(struct words *w, const struct chess_look_file *f, bool writes)
{
	if (writes)
		say_holders(w, f->object, CHESS_LOOK_READ, "; read through");
	else
		say_holders(w, f->object, CHESS_LOOK_WRITE, "; written through");
}

static void say_peers(struct words *w, const struct chess_look_file *end)
{
	const struct chess_look_file *f = NULL;
	unsigned int named = 0;

	while ((f = chess_snapshot_peer(w->s, end, f)))
		say_fd(w, &named, "; other end:", f);
	if (!named)
		say(w, "; other end: not open here");
}

static const char *kind_name(unsigned int kind)
{
	static const char *const names[] = {
#define ROW(KIND, word, anonymous) [CHESS_LOOK_##KIND] = word,
		CHESS_LOOK_KINDS(ROW)
#undef ROW
	};

	return kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "file";
}

static void say_signals(struct words *w, uint64_t signals)
{
	const char *before = "";
	int n;

	for (n = 1; n <= 64; n++) {
		const char *name = signals >> (n - 1) & 1 ? sigabbrev_np(n) : NULL;

		if (name) {
			say(w, "%sSIG%s", before, name);
			before = ", ";
		}
	}
}

static void say_members(struct words *w, const struct chess_look_file *set)
{
	size_t i, n;
	const struct chess_look_member *m = chess_snapshot_set(w->s, set->object, &n);

	say(w, "epoll set with %zu member%s", n, n == 1 ? "" : "s");
	for (i = 0; i < n && i < NAMED_MAX; i++) {
		say(w, "%sfd %d %s", i ? ", " : ": ", m[i].fd, kind_name(m[i].kind));
		if (m[i].kind == CHESS_LOOK_EVENTFD || m[i].kind == CHESS_LOOK_PIPE)
			say_holders(w, m[i].object, CHESS_LOOK_WRITE, " written through");
	}
	if (n > NAMED_MAX)
		say(w, " and %zu more", n - NAMED_MAX);
}

static void say_file(struct words *w, const struct chess_look_file *f, bool writes)
{
	unsigned int used;

	switch (f->kind) {
	case CHESS_LOOK_PIPE:
		used = f->pipe.head - f->pipe.tail;
		say(w, "pipe, %u of %u slots full", used, f->pipe.max_usage);
		say_other_end(w, f, writes);
		break;
	case CHESS_LOOK_UNIX:
	case CHESS_LOOK_SOCKET:
		say(w, "%s, %u byte%s to be received", kind_name(f->kind), f->sock.queued_bytes,
		    f->sock.queued_bytes == 1 ? "" : "s");
		say_peers(w, f);
		break;
	case CHESS_LOOK_EVENTFD:
		say(w, "eventfd, count %llu", (unsigned long long)f->eventfd.count);
		say_other_end(w, f, writes);
		break;
	case CHESS_LOOK_TIMERFD:
		say(w, "timerfd, %s", f->timerfd.armed ? "armed" : "not armed");
		break;
	case CHESS_LOOK_SIGNALFD:
		say(w, "signalfd for ");
		say_signals(w, f->signalfd.signals);
		break;
	case CHESS_LOOK_MQUEUE:
		say(w, "message queue, %llu of %llu messages",
		    (unsigned long long)f->mqueue.messages, (unsigned long long)f->mqueue.most);
		say_other_end(w, f, writes);
		break;
	/* Nothing waits for these in a read or a write. */
	case CHESS_LOOK_OTHER:
	case CHESS_LOOK_LOCKED:
		break;
	default:
		say(w, "%s", kind_name(f->kind));
		break;
	}
}

static void say_lock(struct words *w, const struct chess_look_task *t)
{
	const struct chess_look_lock *mine = chess_snapshot_lock_wait(w->s, t->tid), *l = NULL;
	const char *lead = "; held by ";

	if (!mine)
		return;
	say(w, "%s lock for %s", mine->kind == CHESS_LOOK_FLOCK ? "flock" :
	    mine->kind == CHESS_LOOK_OFD ? "open file" : "record",
	    mine->write ? "writing" : "reading");
	if (mine->kind != CHESS_LOOK_FLOCK && mine->end == INT64_MAX)
		say(w, ", from byte %lld", (long long)mine->start);
	else if (mine->kind != CHESS_LOOK_FLOCK)
		say(w, ", bytes %lld to %lld", (long long)mine->start, (long long)mine->end);
	while ((l = chess_snapshot_conflict(w->s, mine, l))) {
		const struct chess_look_file *f = NULL;

		/* An inherited lock belongs to who has the open file description. */
		while (!l->tgid && (f = chess_snapshot_holder(w->s, l->inode, 0, f)))
			if (f->file == l->file)
				break;
		say(w, "%s", lead);
		say_process(w, l->tgid ? l->tgid : f ? f->tgid : 0, NULL);
		lead = ", ";
	}
}

static bool is_of(const struct chess_look_ipc *wait, pid_t tid)
{
	switch (wait->type) {
	case CHESS_LOOK_SEM_WAIT:
		return wait->sem_wait.tid == (uint32_t)tid;
	case CHESS_LOOK_MSG_RECEIVER:
	case CHESS_LOOK_MSG_SENDER:
		return wait->msg_wait.tid == (uint32_t)tid;
	default:
		return false;
	}
}

static void say_last(struct words *w, const char *did, uint32_t tgid)
{
	if (!tgid)
		return;
	say(w, "%s", did);
	say_process(w, tgid, NULL);
}

static void say_ipc_object(struct words *w, const struct chess_look_ipc *wait,
			   const struct chess_look_ipc *o)
{
	bool sem = wait->type == CHESS_LOOK_SEM_WAIT;

	if (o->ns != wait->ns || o->id != wait->id)
		return;
	if (sem && o->type == CHESS_LOOK_SEM && o->num == wait->num) {
		say(w, "semaphore %u is %d, the operation is %d", o->num, o->sem.value,
		    wait->sem_wait.op);
		say_last(w, "; last changed by ", o->sem.last);
	} else if (!sem && o->type == CHESS_LOOK_MSG) {
		say(w, "message queue, %llu of %llu bytes", (unsigned long long)o->msg.bytes,
		    (unsigned long long)o->msg.most_bytes);
		say_last(w, "; last sent to by ", o->msg.last_sender);
	}
}

/* What semaphores and System V message queues keep about their waiters. */
static void say_ipc(struct words *w, const struct chess_look_task *t)
{
	size_t i, n;
	const struct chess_look_ipc *all = chess_snapshot_ipc(w->s, &n), *wait = all;

	while (wait < all + n && !is_of(wait, t->tid))
		wait++;
	for (i = 0; i < n && wait < all + n; i++)
		say_ipc_object(w, wait, &all[i]);
}

static void say_children(struct words *w, const struct chess_look_task *t)
{
	say(w, "%u child%s%s, %u ended", t->children, t->children == 1 ? "" : "ren",
	    t->flags & CHESS_LOOK_TASK_LOST ? " or more" : "", t->children_dead);
}

static void say_object(struct words *w, const struct chess_look_task *t)
{
	const struct chess_look_file *f = chess_snapshot_fd(w->s, t, t->args[0]);

	switch (t->nr) {
	case SYS_read: case SYS_readv: case SYS_preadv2: case SYS_recvfrom: case SYS_recvmsg:
	case SYS_recvmmsg: case SYS_accept: case SYS_accept4: case SYS_connect:
	case SYS_mq_timedreceive:
		if (f)
			say_file(w, f, false);
		break;
	case SYS_write: case SYS_writev: case SYS_pwritev2: case SYS_sendto: case SYS_sendmsg:
	case SYS_sendmmsg: case SYS_vmsplice: case SYS_mq_timedsend:
		if (f)
			say_file(w, f, true);
		break;
	case SYS_epoll_wait: case SYS_epoll_pwait: case SYS_epoll_pwait2:
		if (f)
			say_members(w, f);
		break;
	case SYS_flock: case SYS_fcntl:
		say_lock(w, t);
		break;
	case SYS_semop: case SYS_semtimedop: case SYS_msgsnd: case SYS_msgrcv:
		say_ipc(w, t);
		break;
	case SYS_wait4: case SYS_waitid:
		say_children(w, t);
		break;
	case SYS_rt_sigtimedwait: case SYS_rt_sigsuspend: case SYS_pause:
		if (t->pending | t->shared_pending) {
			say(w, "signals pending: ");
			say_signals(w, t->pending | t->shared_pending);
		} else {
			say(w, "no signal pending");
		}
		break;
	}
}

bool chess_kobject_needs_files(const struct chess_look_task *t)
{
	switch (t->nr) {
	case SYS_futex: case SYS_wait4: case SYS_waitid: case SYS_rt_sigtimedwait:
	case SYS_rt_sigsuspend: case SYS_pause:
		return false;
	}
	return true;
}

int chess_kobject_text(const struct chess_snapshot *s, const struct chess_look_task *t,
		       const struct chess_task_info *tasks, size_t n_tasks, char **text)
{
	struct words w = { .s = s, .tasks = tasks, .n_tasks = n_tasks };

	*text = NULL;
	if (t->flags & CHESS_LOOK_TASK_COMPAT)
		return 0;
	say_object(&w, t);
	if (!*w.text)
		return 0;
	*text = strdup(w.text);
	return *text ? 0 : chess_set_error(ENOMEM, "no memory for what a task waits on");
}

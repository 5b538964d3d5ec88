// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The watched tasks at one moment, for people: what the kernel says of each (look.c), what
 * was noted of its waits (watch.c), and its call in words.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "wait/inside.h"
#include "internal.h"
#include "peek.h"
#include "wait/proc.h"
#include "live/view.h"

#define STACK_MAX	16384

/* Bits of task_struct.__state. */
#define SLEEPS		1
#define SLEEPS_DEEPLY	2
#define STOPPED		4
#define TRACED		8

bool chess_view_is_blocked(const struct chess_look_task *t)
{
	return !t->exit_state && !(t->flags & CHESS_LOOK_TASK_RUNS) &&
	       t->state & (SLEEPS | SLEEPS_DEEPLY | STOPPED | TRACED);
}

static char state_letter(const struct chess_look_task *t)
{
	if (t->exit_state)
		return 'Z';
	if (!chess_view_is_blocked(t))
		return 'R';
	return t->state & STOPPED ? 'T' : t->state & TRACED ? 't' :
	       t->state & SLEEPS_DEEPLY ? 'D' : 'S';
}

static bool is_timed(const struct chess_look_task *t)
{
	switch (t->nr) {
	case SYS_futex: case SYS_epoll_pwait2: case SYS_semtimedop:
		return t->args[3];
	case SYS_epoll_wait: case SYS_epoll_pwait:
		return (int)t->args[3] >= 0;
	case SYS_poll:
		return (int)t->args[2] >= 0;
	case SYS_ppoll: case SYS_rt_sigtimedwait:
		return t->args[2];
	case SYS_select: case SYS_pselect6: case SYS_io_getevents: case SYS_mq_timedsend:
	case SYS_mq_timedreceive:
		return t->args[4];
	case SYS_nanosleep: case SYS_clock_nanosleep: case SYS_restart_syscall:
		return true;
	}
	return false;
}

char *chess_view_call_text(pid_t pid, long nr, uint64_t word, uint64_t ino)
{
	char path[64], link[PATH_MAX], *text = NULL;
	struct stat st;
	ssize_t n = -1;

	if (nr == CHESS_WATCH_STOPPED)
		return strdup("stopped by a signal or a debugger");
	if (nr < 0)
		return strdup("in the kernel, in no system call");
	if (!chess_watch_takes_fd(nr))
		return strdup(chess_syscall_name(nr));
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, (int)word);
	if (!ino || (!stat(path, &st) && st.st_ino == ino))
		n = readlink(path, link, sizeof(link));
	if (asprintf(&text, n < 0 ? "%s fd %d, closed" : "%s fd %d %.*s", chess_syscall_name(nr),
		     (int)word, (int)n, link) < 0)
		return NULL;
	return text;
}

static char *task_call(const struct chess_look_task *t)
{
	long nr = t->nr;

	if (t->state & (STOPPED | TRACED))
		nr = CHESS_WATCH_STOPPED;
	else if (t->flags & CHESS_LOOK_TASK_COMPAT)
		nr = CHESS_WATCH_NO_CALL;
	return chess_view_call_text(t->tid, nr, t->args[0], 0);
}

static int make_task(struct chess_view *v, size_t i, struct chess_sums *sums)
{
	const struct chess_look_task *t = &v->seen[i];
	struct chess_live_task *l = &v->tasks[i];
	struct chess_watch_task noted = { 0 };
	bool blocked = chess_view_is_blocked(t);

	l->tid = t->tid;
	l->tgid = t->tgid;
	memcpy(l->name, t->comm, sizeof(l->name));
	l->state = state_letter(t);
	l->nr = blocked && !(t->state & (STOPPED | TRACED)) ? t->nr : CHESS_WATCH_STOPPED;
	if (chess_sums_task(sums, t->gtid, &noted)) {
		l->waits = noted.waits;
		l->wait_ns = noted.wait_ns;
		l->longest_ns = noted.longest_ns;
		l->woken = noted.woken;
		l->waker = t->flags & CHESS_LOOK_TASK_INITNS ? noted.waker : 0;
		l->interrupt = noted.interrupt;
		memcpy(l->waker_name, noted.waker_comm, sizeof(l->waker_name));
	}
	if (!blocked)
		return 0;
	l->since = noted.since;
	l->timed = is_timed(t);
	l->call = task_call(t);
	if (!l->call)
		return -ENOMEM;
	return v->full ? chess_kobject_text(v->shot, t, NULL, 0, &l->object) : 0;
}

int chess_view_make(struct chess_view *v, struct chess_snapshot *shot, bool full,
		    struct chess_sums *sums)
{
	int ret = 0;
	size_t i;

	memset(v, 0, sizeof(*v));
	v->shot = shot;
	v->full = full;
	v->seen = chess_snapshot_tasks(shot, &v->n);
	v->tasks = calloc(v->n + 1, sizeof(*v->tasks));
	v->waits = calloc(v->n + 1, sizeof(*v->waits));
	if (!v->tasks || !v->waits)
		ret = -ENOMEM;
	for (i = 0; !ret && i < v->n; i++)
		ret = make_task(v, i, sums);
	if (!ret)
		ret = chess_stuck_find_holders(v);
	if (!ret)
		return 0;
	chess_view_clear(v);
	return chess_set_error(ENOMEM, "no memory for a list of tasks");
}

void chess_view_clear(struct chess_view *v)
{
	size_t i;

	for (i = 0; v->tasks && i < v->n; i++) {
		free(v->tasks[i].call);
		free(v->tasks[i].object);
	}
	free(v->tasks);
	if (v->waits)
		chess_waits_free(v->waits, v->n);
	chess_snapshot_free(v->shot);
	memset(v, 0, sizeof(*v));
}

bool chess_view_same_block(const struct chess_live_task *a, const struct chess_live_task *b)
{
	return a->tid == b->tid && a->since == b->since && a->waits == b->waits &&
	       a->woken == b->woken && a->nr == b->nr && a->address == b->address;
}

struct chess_stack *chess_view_stack(const struct chess_view *v, size_t i)
{
	const struct chess_look_task *t = &v->seen[i];
	struct chess_stack *s = calloc(1, sizeof(*s) + STACK_MAX);
	ssize_t got;

	if (!s || !(t->flags & CHESS_LOOK_TASK_REGS)) {
		free(s);
		return NULL;
	}
	got = chess_read_memory(t->tid, t->sp, s + 1, STACK_MAX);
	s->size = got > 0 ? got : 0;
	s->regs[3] = t->bx;
	s->regs[6] = t->bp;
	s->regs[7] = t->sp;
	s->regs[12] = t->r12;
	s->regs[13] = t->r13;
	s->regs[14] = t->r14;
	s->regs[15] = t->r15;
	s->regs[16] = t->ip;
	return s;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Whose death decided a run, from its record. The verdict and the report ask the same function,
 * so that they never name two tasks.
 *
 * A test may fork a child, have it crash and check that it did. Such a death is expected: the
 * child executed no other program since its fork, its parent took all of its children that have
 * ended and asked how (wait4 and waitid with somewhere to put that), and parent and root ended
 * well. A child that is traced may also have stopped at its signal and been seen so by its parent,
 * who then let it go. Expected is also that of a thread that seccomp removes from a process that
 * lives. In doubt a death is a bug.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "array.h"
#include "run/deaths.h"
#include "internal.h"

#define NOBODY	UINT32_MAX

/**
 * struct process - what became of a process
 * @parent: its number
 * @tasks: that live
 * @first: the task it began with
 * @status: as its last task ended
 * @executed: it executed a program since it was forked
 * @zombie: it has ended, and nobody took it yet
 * @checked: somebody did, and asked how it ended
 * @traces: it made a call of ptrace, as a child that is to be traced does
 * @seen: a wait of its parent's for it ended while it lay still; it did nothing after that
 */
struct process {
	uint32_t parent;
	uint32_t tasks, first;
	int status;
	bool executed, zombie, checked, traces, seen;
};

/**
 * struct waiter - a task
 * @process: its number
 * @wait: the wait for a child that it is at, or NULL
 * @begun: it went on with it
 * @still: it sleeps, or is stopped
 * @removed: seccomp killed it, and others of its process may live
 * @alone: they did: a task of its process came to a point later, or is left at the end
 */
struct waiter {
	uint32_t process;
	const struct chess_event *wait, *last;
	bool begun, still, removed, alone;
};

struct family {
	struct waiter *tasks;
	size_t n_tasks;
	struct process *v;
	size_t n;
};

bool chess_death_is_fatal(int status)
{
	if (!WIFSIGNALED(status))
		return false;
	switch (WTERMSIG(status)) {
	case SIGABRT:
	case SIGSEGV:
	case SIGBUS:
	case SIGILL:
	case SIGFPE:
	case SIGSYS:
	case SIGTRAP:
		return true;
	default:
		return false;
	}
}

static bool ended_well(int status, const struct chess_expect *x)
{
	return WIFEXITED(status) ? chess_expect_exit(x, WEXITSTATUS(status)) :
				   chess_expect_signal(x, WTERMSIG(status));
}

/* Does @wait take a child, and which: a task, or NOBODY in particular */
static bool takes_child(const struct chess_event *e, uint32_t *task)
{
	if (e->op != CHESS_OP_WAIT_CHILD || e->flags & CHESS_OPF_PROBE ||
	    (e->nr != SYS_wait4 && e->nr != SYS_waitid))
		return false;
	*task = e->object_kind == CHESS_OBJECT_TASK ? e->object : NOBODY;
	return true;
}

/* @t's wait takes one that has ended: of several the one that was forked first. */
static void take_child(struct family *f, struct waiter *t)
{
	uint32_t named;
	size_t i;

	if (!t->wait || !t->begun || !takes_child(t->wait, &named))
		return;
	for (i = 0; i < f->n; i++) {
		struct process *p = &f->v[i];

		if (!p->zombie || p->parent != t->process || (named != NOBODY && p->first != named))
			continue;
		p->zombie = false;
		p->checked = t->wait->arg & CHESS_WAIT_CHECKS;
		t->wait = NULL;
		return;
	}
}

/* @t's wait for a child by its name is over, and took none: the child has stopped. */
static void see_stop(struct family *f, const struct waiter *t)
{
	uint32_t named;
	size_t i;

	if (!t->wait || !t->begun || !takes_child(t->wait, &named) || named >= f->n_tasks ||
	    !(t->wait->arg & CHESS_WAIT_CHECKS) || !f->tasks[named].still)
		return;
	for (i = 0; i < f->n; i++)
		if (f->v[i].tasks == 1 && f->v[i].first == named && f->v[i].parent == t->process)
			f->v[i].seen = true;
}

static void step(struct family *f, const struct chess_event *e)
{
	struct waiter *t = &f->tasks[e->task];
	struct process *p = &f->v[t->process];

	see_stop(f, t);
	p->seen = false;
	p->traces |= e->nr == SYS_ptrace && !(e->flags & CHESS_OPF_PROBE);
	t->wait = t->last = e;
	t->begun = false;
	t->still = false;
}

static int spawn(struct family *f, const struct chess_event *e)
{
	struct waiter *parent = &f->tasks[e->task];
	const struct chess_event *op = parent->last;
	bool thread = e->op ? e->op == CHESS_OP_CREATE :
		      op && chess_event_makes_thread(op);

	if (e->object >= f->n_tasks)
		return 0;
	f->tasks[e->object] = (struct waiter){ .process = parent->process };
	if (thread) {
		f->v[parent->process].tasks++;
		return 0;
	}
	if (chess_array_resize(&f->v, f->n + 1, sizeof(*f->v)))
		return -ENOMEM;
	f->v[f->n] = (struct process){
		.parent = parent->process, .tasks = 1, .first = e->object,
	};
	f->tasks[e->object].process = f->n++;
	return 0;
}

static void end(struct family *f, const struct chess_event *e)
{
	struct process *p = &f->v[f->tasks[e->task].process];
	size_t i;

	f->tasks[e->task].wait = NULL;
	if (p->tasks)
		p->tasks--;
	f->tasks[e->task].removed = p->tasks && WIFSIGNALED((int)e->object) &&
				    WTERMSIG((int)e->object) == SIGSYS;
	/* The first to die of a signal says of what all of them do. */
	if (!chess_death_is_fatal(p->status))
		p->status = e->object;
	if (p->tasks)
		return;
	p->zombie = true;
	for (i = 0; i < f->n_tasks && p->zombie; i++)
		if (f->tasks[i].process == p->parent)
			take_child(f, &f->tasks[i]);
}

/*
 * A thread of @process did something or is left, so the process lives. With SIGSYS, and with no
 * other signal, a thread can die by itself: by SECCOMP_RET_KILL_THREAD.
 */
static void lives(struct family *f, uint32_t process)
{
	size_t i;

	if (!chess_death_is_fatal(f->v[process].status))
		return;
	for (i = 0; i < f->n_tasks; i++) {
		struct waiter *t = &f->tasks[i];

		if (t->process != process || !t->removed)
			continue;
		t->alone = true;
		t->removed = false;
		f->v[process].status = 0;
	}
}

static int follow(struct family *f, const struct chess_event *e)
{
	int ret = 0;

	if (e->task >= f->n_tasks)
		return 0;
	switch (e->type) {
	case CHESS_EVENT_SPAWN:
		ret = spawn(f, e);
		break;
	case CHESS_EVENT_EXEC:
		f->v[f->tasks[e->task].process].executed = true;
		break;
	case CHESS_EVENT_POINT:
		lives(f, f->tasks[e->task].process);
		step(f, e);
		break;
	case CHESS_EVENT_BLOCK:
		f->tasks[e->task].still = true;
		break;
	case CHESS_EVENT_WAKE:
		f->tasks[e->task].still = false;
		break;
	case CHESS_EVENT_EXIT:
	case CHESS_EVENT_KILLED:
		end(f, e);
		break;
	}
	if (!CHESS_EVENT_IS_TURN(e->type) || e->chosen >= f->n_tasks ||
	    f->tasks[e->chosen].begun)
		return ret;
	f->tasks[e->chosen].begun = true;
	take_child(f, &f->tasks[e->chosen]);
	return ret;
}

/* Did its parent ask how it ended, or see that it stopped at its signal and let it go? */
static bool is_checked(const struct process *p)
{
	return p->checked || (p->traces && p->seen);
}

/* Is it known of all its children that have ended that the parent asked how? */
static bool checks_children(const struct family *f, uint32_t parent)
{
	size_t i;

	/* The root is nobody's child here. */
	for (i = 1; i < f->n; i++)
		if (f->v[i].parent == parent && !f->v[i].tasks && !is_checked(&f->v[i]))
			return false;
	return true;
}

static bool is_expected(const struct family *f, uint32_t number, const struct chess_expect *x,
			int root_status)
{
	const struct process *p = &f->v[number], *parent = &f->v[p->parent];

	return number && !x->no_signals && !p->tasks && !p->executed &&
	       ended_well(root_status, x) && (parent->tasks || ended_well(parent->status, x)) &&
	       checks_children(f, p->parent);
}

/* Did seccomp remove thread @task from a process that lived? Its end is judged by itself. */
static bool is_removed(const struct family *f, uint32_t task, const struct chess_expect *x)
{
	return task < f->n_tasks && f->tasks[task].alone && !x->no_signals;
}

static bool make_family(const struct chess_record *r, struct family *f)
{
	size_t i, length = chess_record_length(r);
	int ret = 0;

	f->n_tasks = chess_record_tasks(r);
	f->tasks = calloc(f->n_tasks ? f->n_tasks : 1, sizeof(*f->tasks));
	f->v = calloc(1, sizeof(*f->v));
	f->n = 1;
	if (!f->tasks || !f->v)
		return false;
	f->v[0] = (struct process){ .tasks = 1 };
	for (i = 0; i < length && !ret; i++)
		ret = follow(f, chess_record_event(r, i));
	/* Tasks that are left at the end of a run, as in a deadlock, live as well. */
	for (i = 0; i < f->n && !ret; i++)
		if (f->v[i].tasks)
			lives(f, i);
	return !ret;
}

static void free_family(struct family *f)
{
	free(f->tasks);
	free(f->v);
}

/* Is there a death that could be one? Most runs have none, and are not followed. */
static bool has_dead(const struct chess_record *r)
{
	size_t i = chess_record_length(r);

	while (i--) {
		const struct chess_event *e = chess_record_event(r, i);

		if ((e->type == CHESS_EVENT_EXIT || e->type == CHESS_EVENT_KILLED) &&
		    chess_death_is_fatal(e->object))
			return true;
	}
	return false;
}

int chess_record_dead(const struct chess_record *r, const struct chess_expect *expect,
		      int root_status, int *status, unsigned int *expected)
{
	static const struct chess_expect nothing;
	const struct chess_expect *x = expect ? expect : &nothing;
	struct family f = { 0 };
	bool known;
	int swept = -1, dead = -1;
	size_t i;

	*expected = 0;
	if (!has_dead(r))
		return -1;
	/* Without memory none is expected. */
	known = make_family(r, &f);
	/*
	 * All threads of a process die with the code of the one that was hit, so the first that
	 * died holding the token is taken: the others are swept away without it.
	 */
	for (i = 0; i < chess_record_length(r) && dead < 0; i++) {
		const struct chess_event *e = chess_record_event(r, i);
		uint32_t number = known && e->task < f.n_tasks ? f.tasks[e->task].process : 0;

		if ((e->type != CHESS_EVENT_EXIT && e->type != CHESS_EVENT_KILLED) ||
		    !chess_death_is_fatal(e->object))
			continue;
		if (known && is_removed(&f, e->task, x)) {
			++*expected;
			continue;
		}
		if (chess_expect_signal(x, WTERMSIG(e->object)) ||
		    (known && is_expected(&f, number, x, root_status))) {
			*expected += !known || e->task == f.v[number].first;
			continue;
		}
		if (e->type == CHESS_EVENT_EXIT)
			dead = e->task;
		else if (swept < 0)
			swept = e->task;
		if (dead == (int)e->task || swept == (int)e->task)
			*status = e->object;
	}
	free_family(&f);
	return dead >= 0 ? dead : swept;
}

int chess_deciding_death(const struct chess_record *r, const struct chess_expect *x,
			 int root_status, int *status, unsigned int *expected)
{
	int task = chess_record_dead(r, x, root_status, status, expected);

	if (task >= 0 || !WIFSIGNALED(root_status) || chess_expect_signal(x, WTERMSIG(root_status)))
		return task;
	*status = root_status;
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trap is hit: the point of a sync function. The die notifier decides at once.
 * The task goes on in the slot, which holds the displaced instruction; if it has
 * to wait first, ip stays at the original instruction, where debuggers and
 * stacks expect it, until the gate lets it go.
 *
 * One op is one point: what a trapped function does inside adds none. That it has
 * not returned is seen by the stack (it is no lower, and the return address is
 * still there), but a return leaves that address in place until something is
 * pushed over it. So the stack alone does not count: a futex call is inside only
 * if its word is in the object of the function, a trap only if it is for the same
 * op on the same object, by another function that is called from the code the first
 * one is in (mtx_lock() calls pthread_mutex_lock()), or that the first one ends with a
 * jump to (what a library puts in front of pthread_mutex_lock() may). The exception is
 * creating a thread, whose end is seen: the clone call returns.
 */
#include <linux/kdebug.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include <asm/unistd.h>

#include "access.h"
#include "arch_x86.h"
#include "chess.h"
#include "copy.h"
#include "fast.h"
#include "gate.h"
#include "handler.h"
#include "memory.h"
#include "point.h"
#include "space.h"
#include "split.h"
#include "spurious.h"
#include "task.h"
#include "trap.h"
#include "tsc.h"
#include "user.h"

/* How far into an object of glibc's its futex words are; of a thread, in struct pthread. */
#define ONCE_BYTES	4
#define LOCK_BYTES	24	/* a rwlock has five, from its begin on */
#define COND_BYTES	48
#define THREAD_BYTES	4096
/* How much stack a wrapper may use before it calls the wrapped function. */
#define WRAPPER_STACK	512

static bool may_be_inside(const struct chess_frame *frame, unsigned long sp)
{
	unsigned long ret;

	return sp <= frame->sp && chess_user_word(frame->sp, &ret) && ret == frame->ret;
}

static u64 object_bytes(u8 op)
{
	switch (op) {
	case CHESS_OP_JOIN:
		return THREAD_BYTES;
	case CHESS_OP_ONCE:
		return ONCE_BYTES;
	case CHESS_OP_COND_WAIT:
	case CHESS_OP_COND_SIGNAL:
	case CHESS_OP_COND_BROADCAST:
	case CHESS_OP_DESTROY:
		return COND_BYTES;
	default:
		return LOCK_BYTES;
	}
}

/* What follows the object may be a futex of the program's own. */
static bool covers(const struct chess_frame *frame, u64 word)
{
	/* Creating takes locks of the library's own; see chess_trap_created(). */
	return frame->op == CHESS_OP_CREATE || word - frame->object < object_bytes(frame->op) ||
	       (frame->arg && word - frame->arg < LOCK_BYTES);
}

/**
 * chess_trap_inside() - is a call made by a trapped function for its own op
 * @t: the task, which is current
 * @sp: its user stack pointer
 * @nr: number of the call
 * @object: futex word, for a futex call
 *
 * Context: probe (sys_enter), in the task itself.
 * Return: whether it is.
 */
bool chess_trap_inside(struct chess_task *t, unsigned long sp, long nr, u64 object)
{
	unsigned int i;

	for (i = t->traps.depth; i--; ) {
		const struct chess_frame *frame = &t->traps.frames[i];

		if ((nr == __NR_futex ? covers(frame, object) : frame->op == CHESS_OP_CREATE ||
		     (nr == __NR_sched_yield && frame->op == CHESS_OP_YIELD)) &&
		    may_be_inside(frame, sp))
			return true;
	}
	return false;
}

/**
 * chess_trap_condition() - is a futex wait the sleep of a condition wait
 * @t: the task, which is current
 * @sp: its user stack pointer
 * @word: the futex
 *
 * In musl the word is on the stack of the waiter.
 *
 * Context: probe (sys_enter), in the task itself.
 * Return: the function it is in, or NULL.
 */
struct chess_frame *chess_trap_condition(struct chess_task *t, unsigned long sp, u64 word)
{
	u64 object = chess_memory_address(t, word);
	unsigned int i;

	for (i = t->traps.depth; i--; ) {
		struct chess_frame *frame = &t->traps.frames[i];

		if (frame->op == CHESS_OP_COND_WAIT &&
		    (object - frame->object < COND_BYTES || (word >= sp && word < frame->sp)) &&
		    may_be_inside(frame, sp))
			return frame;
	}
	return NULL;
}

/**
 * chess_trap_yielded() - is a sched_yield call what a trapped function yields by
 * @t: the task, which is current
 * @sp: its user stack pointer
 *
 * If so the function is done.
 *
 * Context: probe (sys_enter), in the task itself.
 * Return: whether it is.
 */
bool chess_trap_yielded(struct chess_task *t, unsigned long sp)
{
	if (!t->traps.depth || t->traps.frames[t->traps.depth - 1].op != CHESS_OP_YIELD ||
	    !may_be_inside(&t->traps.frames[t->traps.depth - 1], sp))
		return false;
	while (t->traps.depth && t->traps.frames[t->traps.depth - 1].op == CHESS_OP_YIELD)
		t->traps.depth--;
	return true;
}

/**
 * chess_trap_created() - a clone call returned: the creating function is done
 * @t: the task, which is current
 *
 * What it still does is no wait; and it must not cover futex calls of the
 * program's own any longer than it has to.
 *
 * Context: probe (sys_exit), in the task itself.
 */
void chess_trap_created(struct chess_task *t)
{
	while (t->traps.depth && t->traps.frames[t->traps.depth - 1].op == CHESS_OP_CREATE)
		t->traps.depth--;
}

/* Is the code at both addresses of one file, of one mapping of it? */
static bool is_together(unsigned long a, unsigned long b)
{
	bool yes;

	/* As in chess_witness_is_librarys(). */
	rcu_read_lock();
	yes = vma_lookup(current->mm, a) == vma_lookup(current->mm, b);
	rcu_read_unlock();
	return yes;
}

/*
 * Two calls one after the other leave the same on the stack, where the second is made with
 * more on it; but those are the program's.
 */
static bool is_wrapped(const struct chess_task *t, const struct chess_event *e, unsigned long sp)
{
	unsigned int i;

	for (i = t->traps.depth; i--; ) {
		const struct chess_frame *frame = &t->traps.frames[i];

		/* Creating runs no code of the program, but takes the loader's locks. */
		if (frame->op != CHESS_OP_CREATE &&
		    (frame->op != e->op || frame->object != e->object || frame->ip == e->ip ||
		     frame->sp - sp >= WRAPPER_STACK ||
		     !is_together(e->caller, frame->jumped_to ?: frame->ip)))
			continue;
		if (may_be_inside(frame, sp))
			return true;
	}
	return false;
}

static void push_frame(struct chess_task *t, const struct chess_event *e, unsigned long sp)
{
	/* Deeper nesting than this costs extra points, not correctness. */
	if (t->traps.depth == CHESS_OPS_DEPTH)
		return;
	t->traps.frames[t->traps.depth++] = (struct chess_frame) {
		.sp = sp, .ip = e->ip, .ret = e->caller, .object = e->object, .arg = e->arg,
		.id = e->nr, .op = e->op,
	};
}

static u64 address_arg(const struct chess_task *t, const struct pt_regs *regs, unsigned int n)
{
	return chess_memory_address(t, chess_arch_function_arg(regs, n));
}

/*
 * A function ends in a jump to another one, which does its op: pthread_yield() to sched_yield(),
 * that of a library in front of the C library to pthread_mutex_lock(). Where the first one
 * returned, the second was called from the same place as well, and the same op twice is not
 * what programs do there.
 */
static bool is_jumped_to(struct chess_task *t, const struct chess_probe *p,
			 const struct pt_regs *regs, unsigned long ret)
{
	struct chess_frame *frame = NULL;
	u64 object;

	if (t->traps.depth)
		frame = &t->traps.frames[t->traps.depth - 1];
	if (!frame || frame->op != p->op || frame->ip == regs->ip || frame->sp != regs->sp ||
	    frame->ret != ret)
		return false;
	object = p->object_arg ? address_arg(t, regs, p->object_arg) : 0;
	if (object != frame->object || (!object && p->op != CHESS_OP_YIELD))
		return false;
	frame->jumped_to = regs->ip;
	return true;
}

/* A new op at the same stack depth means that the last one there has returned:
 * a loop over one call site.
 */
static void pop_returned(struct chess_task *t, unsigned long sp)
{
	while (t->traps.depth && t->traps.frames[t->traps.depth - 1].sp <= sp)
		t->traps.depth--;
}

/* The task stays at the trap; @decided: it is let through when it is there again. */
static void stay(struct chess_task *t, const struct pt_regs *regs, bool decided)
{
	t->pass = (struct chess_pass) {
		.ip = regs->ip, .sp = regs->sp, .nr = -1, .set = decided,
	};
}

/**
 * chess_trap_noted() - a task was at the point of a sync function, which it noted by itself
 * @t: the task, which is current
 * @e: the point
 * @sp: its user stack pointer there
 *
 * It is in no function that is wrapped around this one, nor tries a lock: see fast.c.
 *
 * Context: any, in the task itself.
 */
void chess_trap_noted(struct chess_task *t, const struct chess_event *e, unsigned long sp)
{
	pop_returned(t, sp);
	t->exit_point = false;
	push_frame(t, e, sp);
	if (t->group->flags & CHESS_RUN_FLAGS_YIELD_TRYLOCK)
		chess_retry_note(&t->traps.retry, e);
}

/* Returns whether the task may go on to the slot. */
static bool take_point(struct chess_task *t, const struct chess_probe *p,
		       const struct pt_regs *regs, unsigned long ret)
{
	/* All fields, here: see the function of this name in syscalls.c. */
	struct chess_event e = {
		.seq = 0, .type = CHESS_EVENT_POINT, .op = p->op,
		.flags = p->op_flags | CHESS_OPF_PROBE,
		.object_kind = p->object_arg ? CHESS_OBJECT_ADDRESS : CHESS_OBJECT_NONE,
		.task = t->id, .chosen = CHESS_TASK_NONE, .nr = p->id, .enabled = 0,
		.object = p->object_arg ? address_arg(t, regs, p->object_arg) : 0,
		.ip = regs->ip, .caller = ret,
		.arg = p->second_arg ? address_arg(t, regs, p->second_arg) : 0,
		.timed = 0,
	};
	enum chess_take take;

	if (is_wrapped(t, &e, regs->sp))
		return true;
	t->exit_point = p->op == CHESS_OP_EXIT;
	/* Without it the task comes here once more for the same op. */
	if (READ_ONCE(t->group->token) == t) {
		push_frame(t, &e, regs->sp);
		if ((t->group->flags & CHESS_RUN_FLAGS_YIELD_TRYLOCK) &&
		    chess_retry_note(&t->traps.retry, &e))
			e.flags |= CHESS_OPF_YIELD;
	}
	take = chess_point_take(t, &e, regs);
	if (take == CHESS_TAKE_GO)
		return true;
	stay(t, regs, take == CHESS_TAKE_WAIT);
	return false;
}

/*
 * The point of a trap that a signal came before holds as long as the handler had none, as that
 * of a call does: see is_passed() in syscalls.c.
 */
static bool is_decided(struct chess_task *t, const struct pt_regs *regs)
{
	bool stale = t->pass.again && t->pass.seq != t->seq;

	if (!t->pass.set || t->pass.nr != -1 || t->pass.ip != regs->ip ||
	    t->pass.sp != regs->sp)
		return false;
	t->pass.set = !stale;
	return !stale;
}

/* Apart: it keeps an event on the stack, which accesses need not pay for. */
static noinline bool trap_point(struct chess_task *t, const struct chess_probe *p,
				struct pt_regs *regs)
{
	unsigned long ret = 0;

	/* Before anything of it is noted: it is hit again, in each fork of the process. */
	if (chess_kept_is_due(t->group) && READ_ONCE(t->group->token) == t) {
		stay(t, regs, false);
		return false;
	}
	chess_user_word(regs->sp, &ret);
	if (is_jumped_to(t, p, regs, ret))
		return true;
	pop_returned(t, regs->sp);
	return take_point(t, p, regs, ret);
}

static bool access_point(struct chess_task *t, const struct chess_hit *hit,
			 const struct pt_regs *regs)
{
	enum chess_take take;

	/* Nearly all: they are recorded, and that is it. */
	if (READ_ONCE(t->group->token) == t &&
	    !chess_access_is_point(&t->group->accesses, hit->probe))
		return true;
	take = chess_access_take(t, hit, regs);
	if (take == CHESS_TAKE_GO)
		return true;
	stay(t, regs, take == CHESS_TAKE_WAIT);
	return false;
}

/* A sync function alone is not. */
static bool is_recorded(const struct chess_hit *hit)
{
	return hit->probe->flags & (CHESS_PROBE_ACCESS | CHESS_PROBE_FREE | CHESS_PROBE_ALLOCATED);
}

static bool is_tsc(const struct chess_hit *hit)
{
	return hit->probe->flags & CHESS_PROBE_TSC;
}

/* Returns whether the task may go on to the slot. */
static bool may_go_on(struct chess_task *t, const struct chess_hit *hit, struct pt_regs *regs)
{
	bool go;

	if (is_decided(t, regs)) {
		go = READ_ONCE(t->group->token) == t ||
		     READ_ONCE(t->group->state) != CHESS_GROUP_STATE_RUNNING;
		t->pass.set = !go;
	} else if (hit->probe->id) {
		go = trap_point(t, hit->probe, regs);
	} else {
		go = access_point(t, hit, regs);
	}
	return go;
}

/* The task is not let on. */
static void wait_at(struct chess_task *t)
{
	t->traps.slot = 0;
	chess_gate_arm(t);
}

/*
 * Returns whether an instruction that is split may be executed. It comes here after its first
 * point was decided, has its second one, and comes here again.
 */
static bool is_ready(struct chess_task *t, const struct chess_hit *hit,
		     const struct pt_regs *regs)
{
	enum chess_split_step step = chess_split_go_on(t);

	if (step == CHESS_SPLIT_LOADED) {
		if (!access_point(t, hit, regs)) {
			wait_at(t);
			return false;
		}
		/* Without a point where it is alone. */
		t->split.step = CHESS_SPLIT_STORING;
		step = chess_split_go_on(t);
	}
	if (step == CHESS_SPLIT_NONE)
		return true;
	stay(t, regs, true);
	return false;
}

/*
 * Its point was decided; at the next one the task may have to wait. Returns false where the
 * instruction is to be executed, after all.
 */
static bool goes_on_copying(struct chess_task *t, const struct chess_hit *hit,
			    struct pt_regs *regs)
{
	for (;;) {
		switch (chess_copy_go_on(t, hit, regs)) {
		case CHESS_COPY_DONE:
			return true;
		case CHESS_COPY_WHOLE:
			return false;
		case CHESS_COPY_AGAIN:
			stay(t, regs, true);
			return true;
		case CHESS_COPY_POINT:
			if (access_point(t, hit, regs))
				break;
			wait_at(t);
			return true;
		}
	}
}

/* Returns whether it is executed now, and recorded; else the task comes here again. */
static bool may_access(struct chess_task *t, const struct chess_hit *hit,
		       const struct pt_regs *regs)
{
	if (unlikely(t->split.step) && !is_ready(t, hit, regs))
		return false;
	if (!chess_access_record(t, hit, regs)) {
		stay(t, regs, true);
		return false;
	}
	if (unlikely(t->split.step))
		chess_split_finish(t);
	return true;
}

/* Where ip goes: to the slot, or it stays at the instruction until the gate lets it go. */
static void hit_trap(struct chess_task *t, const struct chess_hit *hit, struct pt_regs *regs)
{
	if (unlikely(t->handlers.depth))
		chess_handler_prune(t, regs->sp);
	if (unlikely(t->split.step))
		chess_split_check(t, regs);
	if (unlikely(t->copy.going))
		chess_copy_is_at(t, regs);
	if (unlikely(hit->probe->flags & CHESS_PROBE_AWAIT_END))
		chess_await_leave(&t->traps.await);
	/* Apart: it runs beside the others, and its ops are not points. */
	if (READ_ONCE(t->apart)) {
		regs->ip = hit->slot;
	} else if (!may_go_on(t, hit, regs)) {
		/*
		 * At an access it comes here again, to be recorded when it is executed; at the
		 * time stamp counter, to read it then.
		 */
		t->traps.slot = is_recorded(hit) || is_tsc(hit) ? 0 : hit->slot;
		chess_gate_arm(t);
	} else if (unlikely(t->copy.going) && chess_copy_is_at(t, regs) &&
		   goes_on_copying(t, hit, regs)) {
		t->traps.slot = 0;
	} else if (!is_recorded(hit) || may_access(t, hit, regs)) {
		t->traps.slot = 0;
		if (hit->operands && unlikely(hit->operands->await_op))
			chess_access_exchange(t, hit, regs);
		if (!is_tsc(hit) || !chess_tsc_read(t, hit->probe, regs))
			regs->ip = hit->slot;
		if (hit->probe->flags & CHESS_PROBE_JUMP)
			chess_fast_hit(t, hit);
	}
}

/* Those who notify have the RCU read lock. */
CHESS_HOT static int handle_int3(struct notifier_block *nb, unsigned long val, void *data)
{
	struct die_args *args = data;
	struct pt_regs *regs = args->regs;
	const struct chess_hit *hit;
	struct chess_task *t;
	unsigned long ip;

	if (val != DIE_INT3 || !regs || !user_mode(regs))
		return NOTIFY_DONE;
	/* Who has not arrived yet has no notifier to be found by. */
	t = chess_task_current();
	if (!t)
		t = chess_task_find(current);
	if (!t || !t->mm)
		return NOTIFY_DONE;
	if (t->traps.fast.granted)
		chess_fast_drain(t);
	ip = chess_fast_origin(t->mm, regs->ip - 1);
	hit = chess_mm_find(t, ip);
	if (!hit)
		return NOTIFY_DONE;
	regs->ip = ip;
	if (likely(!t->spurious.back.set) || !chess_spurious_returned(t, regs))
		hit_trap(t, hit, regs);
	return NOTIFY_STOP;
}

static struct notifier_block int3_notifier = {
	.notifier_call = handle_int3,
	.priority = INT_MAX,
};

/**
 * chess_trap_init() - start to see traps
 *
 * Context: process.
 * Return: 0 or negative errno.
 */
int chess_trap_init(void)
{
	return register_die_notifier(&int3_notifier);
}

/**
 * chess_trap_exit() - see no more traps
 *
 * Context: process.
 */
void chess_trap_exit(void)
{
	unregister_die_notifier(&int3_notifier);
}

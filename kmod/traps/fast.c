// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fast points. At most points the running task goes on, and nothing but its own next step is due.
 * Only the task with the token executes, so nothing can become due before it enters the kernel
 * again: for such a stretch the task notes its points by itself, in a ring, and the record has
 * them from there, at that entry, with the enabled set of the stretch. The record is the same as
 * with traps.
 *
 *     trap, often hit --> wanted --> chess_fast_prepare(): the trap becomes a jump to code that
 *                                    notes the point, if there is budget, else traps
 *     that trap ------> chess_fast_hit(): so many points are plain from here on: the budget
 *     any entry ------> chess_fast_drain(): what was noted is recorded, the budget is zero
 *
 * The budget ends before anything that depends on the number of points: the end of a row, a
 * prefix that goes another way. What is not plain, see take.h, has no budget; nor have runs that
 * record accesses, take stacks, or are of a process that was adopted. Where others have to let
 * others go first, but not the task with the token, its points are as good as plain: each has the
 * same event before it that says so.
 *
 * An interrupt may come while the code is executed. Where the entry has not been made yet, the
 * task begins once more, as in restartable sequences (rseq): chess_fast_leave_slot().
 *
 * The ring and the code are memory of the program. Nothing in it is taken on trust: the number of
 * entries is at most what was granted, and what stands in one is what the program could have
 * called the function with. Pages of the ring are pinned, so that they are found in any context,
 * and stay with this process when it forks. If the program maps something else there, its budget
 * is zero or a fault of its own.
 */
#include <linux/moduleparam.h>
#include <linux/sched/task_stack.h>

#include "arch_x86.h"
#include "chess.h"
#include "fast.h"
#include "space.h"
#include "take.h"
#include "task.h"
#include "trap.h"

static_assert(sizeof(struct chess_fast_head) == sizeof(struct chess_fast_entry));
static_assert(CHESS_FAST_ENTRIES >= CHESS_FAIR_POINTS);
static_assert(CHESS_FAST_SITES * CHESS_ARCH_FAST_BYTES <= PAGE_SIZE);

/* Short runs do not pay for it. */
static unsigned int fast_hits = 64;
module_param(fast_hits, uint, 0644);
MODULE_PARM_DESC(fast_hits, "so often traps are hit before they become jumps; 0: never");

static const struct chess_fast_entry *entries_of(const struct chess_fast *f)
{
	return (const struct chess_fast_entry *)(f->ring + 1);
}

/* Which site's code is it in? @pos: where. */
static const struct chess_fast_site *site_at(const struct chess_mm *mm, unsigned long ip,
					     unsigned int *pos)
{
	const struct chess_fast *f = &mm->fast;
	unsigned long at = ip - f->area;
	/* Pairs with smp_store_release() in add_site(). */
	u32 nsites = smp_load_acquire(&f->nsites);

	if (at >= nsites * CHESS_ARCH_FAST_BYTES)
		return NULL;
	*pos = at % CHESS_ARCH_FAST_BYTES;
	return &f->sites[at / CHESS_ARCH_FAST_BYTES];
}

/**
 * chess_fast_origin() - the address of a trap, of one in the code of a fast point too
 * @mm: traps of the current address space
 * @ip: where an int3 was executed
 *
 * Context: any.
 * Return: the address of the function if the code of its fast point had no budget, else @ip.
 */
unsigned long chess_fast_origin(const struct chess_mm *mm, unsigned long ip)
{
	const struct chess_fast_site *site;
	unsigned int pos;

	site = site_at(mm, ip, &pos);
	return site && pos == CHESS_ARCH_FAST_TRAP ? site->ip : ip;
}

/**
 * chess_fast_leave_slot() - from the code of a fast point to an instruction of the program
 * @mm: traps of the current address space
 * @regs: user registers; changed where ip is in such code
 *
 * Before the point is noted that is the beginning of the function, where it begins once more;
 * afterwards it is as in a slot.
 *
 * Context: any, in the task itself.
 * Return: whether its point is noted and its instruction is still to be executed.
 */
bool chess_fast_leave_slot(const struct chess_mm *mm, struct pt_regs *regs)
{
	const struct chess_fast_site *site;
	unsigned int pos;

	site = site_at(mm, regs->ip, &pos);
	if (!site)
		return false;
	/* The program may have come to the middle of an instruction. */
	if (pos < CHESS_ARCH_FAST_SLOT || pos >= CHESS_ARCH_FAST_TRAP) {
		/* Who steps through it would never get any further. */
		if (chess_arch_is_stepping(regs))
			regs->ip += CHESS_ARCH_FAST_TRAP - pos;
		else
			regs->ip = site->ip;
		return false;
	}
	chess_arch_leave_slot(regs, site->probe, site->ip, pos - CHESS_ARCH_FAST_SLOT);
	return regs->ip == site->ip;
}

/* It begins once more: where the entry would go to is not free any more. */
static void begin_again(const struct chess_mm *mm, struct pt_regs *regs)
{
	const struct chess_fast_site *site;
	unsigned int pos;

	site = site_at(mm, regs->ip, &pos);
	if (site && pos < CHESS_ARCH_FAST_SLOT)
		regs->ip = site->ip;
}

/* The program can write anything there. Return: -EINVAL: it has. */
static int count_noted(const struct chess_fast *f, u32 granted)
{
	u64 bytes = READ_ONCE(f->ring->next) - chess_fast_ring(f) - sizeof(struct chess_fast_head);
	u64 n = bytes / sizeof(struct chess_fast_entry);

	return n > granted || bytes % sizeof(struct chess_fast_entry) ? -EINVAL : n;
}

/*
 * Is all that a point does the same for each, or nothing? Then they are recorded at once: most of
 * the price of a fast point is that.
 */
static bool are_alike_locked(const struct chess_task *t, u32 n)
	__must_hold(&t->group->plock)
{
	const struct chess_retry *r = &t->traps.retry;
	const struct chess_group *g = t->group;
	u64 nevents = (u64)n * (1 + !!g->fair.out.count);
	unsigned int i;

	lockdep_assert_held(&g->plock);
	for (i = 0; i < CHESS_RETRY_LOCKS; i++)
		if (r->object[i])
			return false;
	/* The sets of more tasks have more words, and each is an event. */
	return (!g->fair.out.count || g->next_id <= BITS_PER_TYPE(chess_word_t)) &&
	       nevents <= g->record.capacity - g->record.length && !chess_mm_shared(t->mm)->count &&
	       !trace_point_enabled() && !trace_decision_enabled();
}

/* What all points of a place have in common, in a stretch. */
static struct chess_event pattern_of(const struct chess_task *t, u32 site)
{
	const struct chess_fast_site *s = &t->mm->fast.sites[site];

	return (struct chess_event) {
		.seq = 0, .type = CHESS_EVENT_POINT, .op = s->probe->op,
		.flags = s->probe->op_flags | CHESS_OPF_PROBE,
		.object_kind = CHESS_OBJECT_ADDRESS,
		.task = t->id, .chosen = CHESS_TASK_NONE, .nr = s->probe->id, .enabled = 0,
		.object = 0, .ip = s->ip, .caller = 0, .arg = 0, .timed = 0,
	};
}

/* By words: the compiler would have a string instruction, which costs as much as all the rest. */
static __always_inline void write_event(struct chess_event *e, const struct chess_event *pattern,
					u32 seq, u64 enabled, u64 timed)
{
	const u64 *from = (const u64 *)pattern;
	u64 *to = (u64 *)e;

	static_assert(offsetof(struct chess_event, enabled) == 2 * sizeof(*to));
	to[0] = from[0];
	to[1] = from[1];
	e->seq = seq;
	e->enabled = enabled;
	e->arg = 0;
	e->timed = timed;
}

/*
 * As take_one_locked(), where all are alike. What the decisions add is the same for all of them,
 * too, and nothing in the loop is read from where it stands.
 */
static void take_alike_locked(struct chess_task *t, u32 n)
	__must_hold(&t->group->plock)
{
	const struct chess_fast_entry *noted = entries_of(&t->mm->fast), *end = noted + n;
	const u64 start_stack = current->mm ? current->mm->start_stack : 0;
	const u32 nsites = t->mm->fast.nsites;
	struct chess_event pattern[CHESS_FAST_SITES];
	struct chess_group *g = t->group;
	const struct chess_event left_out = {
		.type = CHESS_EVENT_FAIR, .task = t->id, .chosen = CHESS_TASK_NONE,
	};
	struct chess_event *e = chess_record_slot_locked(g);
	u64 next, object, sp = READ_ONCE(noted->sp), out = g->fair.out.words[0];
	u64 enabled = 0, timed = 0;
	u32 i, taken = 0, seq = g->record.length;

	lockdep_assert_held(&g->plock);
	for (i = 0; i < nsites; i++) {
		pattern[i] = pattern_of(t, i);
		chess_take_fill_locked(g, &pattern[i], t->id);
		enabled = pattern[i].enabled;
		timed = pattern[i].timed;
	}
	for (; noted < end; noted++, e++, taken++) {
		const struct chess_event *p;

		i = READ_ONCE(noted->site);
		if (i >= nsites) {
			g->lost++;
			break;
		}
		p = &pattern[array_index_nospec(i, CHESS_FAST_SITES)];
		object = READ_ONCE(noted->object);
		if (object >= CHESS_STACK_LOW && start_stack)
			object = chess_task_address(object);
		if (out) {
			write_event(e, &left_out, ++seq, out, 0);
			e->object = 0;
			e->ip = 0;
			e->caller = 0;
			e++;
		}
		write_event(e, p, ++seq, enabled, timed);
		e->object = object;
		e->ip = p->ip;
		e->caller = READ_ONCE(noted->ret);
		/* That it has returned is seen at the next one: then it need not be known. */
		next = noted + 1 < end ? READ_ONCE(noted[1].sp) : 0;
		if (next < sp)
			chess_trap_noted(t, e, sp);
		sp = next;
	}
	t->seq = seq;
	/* Pairs with smp_load_acquire() in chess_nl_record_get_dumpit(). */
	smp_store_release(&g->record.length, seq);
	g->decisions += taken;
	g->streak.points += taken;
	chess_prefix_skip(&g->prefix, taken);
}

/* What chess_point_take() does at a trap where the task goes on. */
static void take_one_locked(struct chess_task *t, const struct chess_fast_entry *noted)
	__must_hold(&t->group->plock)
{
	struct chess_group *g = t->group;
	u32 i = READ_ONCE(noted->site);
	struct chess_event *e;
	unsigned int want;

	lockdep_assert_held(&g->plock);
	if (i >= t->mm->fast.nsites) {
		g->lost++;
		return;
	}
	chess_settle_left_out_locked(g, t->id);
	e = chess_record_slot_locked(g);
	*e = pattern_of(t, array_index_nospec(i, CHESS_FAST_SITES));
	e->object = chess_memory_address(t, READ_ONCE(noted->object));
	e->caller = READ_ONCE(noted->ret);
	chess_trap_noted(t, e, READ_ONCE(noted->sp));
	chess_take_be_fair_locked(g, t, e);
	want = chess_prefix_peek(&g->prefix);
	chess_take_record_locked(g, t, e, t->id, want);
	chess_prefix_advance(&g->prefix);
}

static void take_locked(struct chess_task *t, u32 n)
	__must_hold(&t->group->plock)
{
	u32 i;

	lockdep_assert_held(&t->group->plock);
	if (!n)
		return;
	chess_fair_look(&t->group->fair, &t->group->enabled);
	if (are_alike_locked(t, n))
		take_alike_locked(t, n);
	else
		for (i = 0; i < n; i++)
			take_one_locked(t, entries_of(&t->mm->fast) + i);
}

/**
 * chess_fast_drain() - record the points that a task noted; from here on it notes none
 * @t: the task, which is current, with chess_fast_task.granted
 *
 * Context: any, in the task itself; not under plock.
 * Return: how many there were.
 */
u32 chess_fast_drain(struct chess_task *t)
{
	const struct chess_fast *f = &t->mm->fast;
	u32 granted = t->traps.fast.granted;
	struct chess_group *g = t->group;
	unsigned long flags;
	int n;

	t->traps.fast.granted = 0;
	n = count_noted(f, granted);
	begin_again(t->mm, task_pt_regs(current));
	raw_spin_lock_irqsave(&g->plock, flags);
	if (n < 0)
		g->lost++;
	else if (g->token == t && g->state == CHESS_GROUP_STATE_RUNNING)
		take_locked(t, n);
	if (g->notices.due)
		irq_work_queue(&g->irq_work);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	chess_fast_allow(f, 0);
	return n < 0 ? 0 : n;
}

/* Could a call that a task notes be one inside of a function that it is in? See is_wrapped(). */
static bool may_be_inside(const struct chess_task *t)
{
	const struct chess_fast *f = &t->mm->fast;
	unsigned int i, k;

	for (i = 0; i < t->traps.depth; i++) {
		const struct chess_frame *frame = &t->traps.frames[i];

		if (frame->op == CHESS_OP_CREATE)
			return true;
		for (k = 0; k < f->nsites; k++)
			if (f->sites[k].probe->op == frame->op && f->sites[k].ip != frame->ip)
				return true;
	}
	return false;
}

/**
 * chess_fast_may_note() - are there fast points in a run, for one task
 * @t: the task, which is current
 *
 * Not where no point is plain, or has more to it than its event.
 *
 * Context: any.
 * Return: whether there are.
 */
bool chess_fast_may_note(const struct chess_task *t)
{
	const struct chess_group *g = t->group;

	return (READ_ONCE(g->flags) & CHESS_RUN_FLAGS_FAST_POINTS) &&
	       !(g->accesses.max | g->record.nseqs | g->policy.kind) && !g->adoption.process &&
	       !current->ptrace;
}

/* How many points from here on are plain. */
static u32 count_plain_locked(struct chess_group *g, const struct chess_task *t)
	__must_hold(&g->plock)
{
	const struct chess_prefix *prefix = &g->prefix;
	const struct chess_segment *segment;
	u32 left = CHESS_FAIR_POINTS - 1 - g->streak.points;

	lockdep_assert_held(&g->plock);
	if (g->token != t || g->state != CHESS_GROUP_STATE_RUNNING || g->streak.task != t->id ||
	    trace_point_enabled() || trace_decision_enabled() ||
	    !chess_take_is_fair_locked(g, t))
		return 0;
	if (prefix->index >= prefix->count)
		return left;
	segment = &prefix->segments[prefix->index];
	return segment->task == t->id ? min(left, segment->count - prefix->used) : 0;
}

static void grant(struct chess_task *t)
{
	struct chess_group *g = t->group;
	unsigned long flags;
	u32 n;

	if (t->handlers.depth || t->spurious.back.set || t->split.step || t->pass.set ||
	    may_be_inside(t))
		return;
	raw_spin_lock_irqsave(&g->plock, flags);
	n = count_plain_locked(g, t);
	raw_spin_unlock_irqrestore(&g->plock, flags);
	if (!n)
		return;
	t->traps.fast.granted = n;
	chess_fast_allow(&t->mm->fast, n);
}

/* Two of one op class might be one inside of the other. */
static bool has_op(const struct chess_fast *f, u8 op)
{
	u32 i;

	for (i = 0; i < f->nsites; i++)
		if (f->sites[i].probe->op == op)
			return true;
	return false;
}

/**
 * chess_fast_hit() - a task goes on after a trap that may be a jump
 * @t: the task, which is current
 * @hit: the trap
 *
 * Context: probe (trap of current), IRQs off.
 */
void chess_fast_hit(struct chess_task *t, const struct chess_hit *hit)
{
	struct chess_fast *f = &t->mm->fast;

	if (!chess_fast_may_note(t) || f->failed)
		return;
	if (f->ring && chess_fast_site_of(f, hit->ip)) {
		grant(t);
		return;
	}
	if (!READ_ONCE(fast_hits) || ++f->hits < READ_ONCE(fast_hits))
		return;
	if (chess_fast_site_of(f, hit->ip) ||
	    (f->nsites < CHESS_FAST_SITES && !has_op(f, hit->probe->op))) {
		t->traps.fast.wanted = hit->ip;
		chess_work_queue(&t->chore, current, TWA_RESUME);
	}
}

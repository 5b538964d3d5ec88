// SPDX-License-Identifier: GPL-2.0-only
/*
 * See sim_mixed_step.h. What it shares with the engine is the rules of docs/strategies.md: who
 * goes on for free, what fairness is, when deadlines and timers pass, and that a deadline or timer
 * that passes early costs as much as a preemption. Algorithm 1 of PLDI'08 is written as it stands
 * in the paper.
 */
#include <string.h>

#include "mix.h"
#include "sim_mixed_step.h"

/* When a run begins, how far a yield moves the clock, and how long waits are: as in sim.h. */
#define BEGIN		1000000000000L
#define STEP		10000L
#define TIMEOUT		1000000L
#define NAP		20000L
#define ALARM		50000L

/* Queues. Those of a process are numbered by it. */
enum { MUTEXES, CONDS, SEMS, READERS, WRITERS, ENDS, CHILDREN, TIMER, QUEUES };

static int queue_of(const struct mixed_state *s, int kind, int object)
{
	int process = kind <= SEMS ? s->p->process[s->cur] : 0;

	return (process * QUEUES + kind) * MIXED_TASKS + object;
}

static struct mixed_memory *memory_of(struct mixed_state *s)
{
	return &s->memory[s->p->process[s->cur]];
}

static void note(struct mixed_state *s, int kind, int64_t what)
{
	struct mixed_task *t = &s->task[s->cur];

	t->log = chess_mix(chess_mix(t->log, kind), what);
}

static bool is_enabled(const struct mixed_state *s, int i)
{
	const struct mixed_task *t = &s->task[i];

	return t->born && !t->dead && !t->asleep;
}

static bool is_timed(const struct mixed_state *s, int i)
{
	const struct mixed_task *t = &s->task[i];

	return t->born && !t->dead && t->asleep && t->deadline;
}

static enum mixed_decision wait_in(struct mixed_state *s, int queue, enum mixed_step then,
				   long deadline)
{
	struct mixed_task *t = &s->task[s->cur];

	if (queue == MIXED_NOBODY || t->queue != queue)
		t->since = s->order++;
	t->queue = queue;
	t->asleep = true;
	t->late = false;
	t->step = then;
	t->deadline = deadline;
	return MIXED_LEFT;
}

static bool wake_one(struct mixed_state *s, int queue)
{
	struct mixed_task *first = NULL;
	int i;

	for (i = 0; i < s->p->tasks; i++) {
		struct mixed_task *t = &s->task[i];

		if (t->queue == queue && (!first || t->since < first->since))
			first = t;
	}
	if (!first)
		return false;
	first->queue = MIXED_NOBODY;
	first->asleep = false;
	first->deadline = 0;
	return true;
}

static void wake_all(struct mixed_state *s, int queue)
{
	while (wake_one(s, queue))
		;
}

/* A signal is taken now, if there is one. Return: has the handler ops? */
static bool take_signal(struct mixed_state *s, enum mixed_step after)
{
	struct mixed_task *t = &s->task[s->cur];

	if (!t->pending || t->in_handler != MIXED_NOBODY)
		return false;
	t->pending = false;
	note(s, MIXED_HANDLER, 0);
	if (!s->p->handlers)
		return false;
	t->in_handler = 0;
	t->after = after;
	t->step = AT_OP;
	return true;
}

static const struct mixed_op *op_of(const struct mixed_state *s)
{
	const struct mixed_task *t = &s->task[s->cur];

	if (t->in_handler != MIXED_NOBODY)
		return &s->p->handler[t->in_handler];
	return t->pc < s->p->n[s->cur] ? &s->p->op[s->cur][t->pc] : NULL;
}

/* Go on after this op and @skip more. */
static enum mixed_decision done(struct mixed_state *s, int skip)
{
	struct mixed_task *t = &s->task[s->cur];

	t->step = AT_OP;
	if (t->in_handler == MIXED_NOBODY) {
		t->pc += 1 + skip;
		take_signal(s, AT_OP);
		return MIXED_POINT;
	}
	if (++t->in_handler < s->p->handlers)
		return MIXED_POINT;
	t->in_handler = MIXED_NOBODY;
	t->step = t->after;
	take_signal(s, t->after);
	return MIXED_POINT;
}

static bool release(struct mixed_state *s, int m)
{
	struct mixed_memory *of = memory_of(s);

	if (of->owner[m] != s->cur)
		return false;
	of->owner[m] = MIXED_NOBODY;
	if (of->noted[m])
		wake_one(s, queue_of(s, MUTEXES, m));
	of->noted[m] = false;
	return true;
}

static bool has_writer(const struct mixed_state *s, int pipe)
{
	int i;

	for (i = 0; i < s->p->tasks; i++)
		if (s->task[i].born && !s->task[i].dead &&
		    !(s->closed[s->p->process[i]] >> pipe & 1))
			return true;
	return false;
}

static bool is_alive(const struct mixed_state *s, int process)
{
	int i;

	for (i = 0; i < s->p->tasks; i++)
		if (s->p->process[i] == process && s->task[i].born && !s->task[i].dead)
			return true;
	return false;
}

/* Could the op that a task waits in be done now? */
static bool is_open(struct mixed_state *s, const struct mixed_op *op)
{
	switch (op->kind) {
	case MIXED_LOCK:
	case MIXED_TIMEDLOCK:
		return memory_of(s)->owner[op->a] == MIXED_NOBODY;
	case MIXED_SEM_WAIT:
		return memory_of(s)->value[op->a] > 0;
	case MIXED_READ:
		return s->bytes[op->a] || !has_writer(s, op->a);
	case MIXED_WRITE:
		return s->bytes[op->a] < 1;
	case MIXED_JOIN:
		return s->task[op->a].dead;
	case MIXED_WAIT_CHILD:
		return s->task[op->a].born && !is_alive(s, s->p->process[op->a]);
	case MIXED_TIMER:
		return s->expired;
	default:
		return true;
	}
}

static int queue_for(const struct mixed_state *s, const struct mixed_op *op)
{
	switch (op->kind) {
	case MIXED_LOCK:
	case MIXED_TIMEDLOCK:
		return queue_of(s, MUTEXES, op->a);
	case MIXED_SEM_WAIT:
		return queue_of(s, SEMS, op->a);
	case MIXED_READ:
		return queue_of(s, READERS, op->a);
	case MIXED_WRITE:
		return queue_of(s, WRITERS, op->a);
	case MIXED_JOIN:
		return queue_of(s, ENDS, op->a);
	case MIXED_WAIT_CHILD:
		return queue_of(s, CHILDREN, s->p->process[op->a]);
	default:
		return queue_of(s, TIMER, 0);
	}
}

static bool is_call(const struct mixed_op *op)
{
	return op->kind == MIXED_READ || op->kind == MIXED_WRITE || op->kind == MIXED_WAIT_CHILD ||
	       op->kind == MIXED_TIMER || op->kind == MIXED_SLEEP;
}

static void send(struct mixed_state *s, int task)
{
	struct mixed_task *t = &s->task[task];

	if (!t->born || t->dead)
		return;
	t->pending = true;
	if (!t->asleep)
		return;
	t->asleep = false;
	t->deadline = 0;
	/* Who waits in a function stays in its queue. */
	if (is_call(&s->p->op[task][t->pc]))
		t->queue = MIXED_NOBODY;
}

static void create(struct mixed_state *s, int task)
{
	int process = s->p->process[task], mine = s->p->process[s->cur];

	s->task[task].born = true;
	if (process == mine)
		return;
	s->memory[process] = s->memory[mine];
	s->closed[process] = s->closed[mine];
}

static void end(struct mixed_state *s)
{
	int process = s->p->process[s->cur], i;

	s->task[s->cur].dead = true;
	wake_all(s, queue_of(s, ENDS, s->cur));
	if (is_alive(s, process))
		return;
	for (i = 0; i < MIXED_OBJECTS; i++)
		if (!has_writer(s, i))
			wake_all(s, queue_of(s, READERS, i));
	wake_all(s, queue_of(s, CHILDREN, process));
}

/* What needs no wait, or no more. Return: as mixed_advance(). */
static enum mixed_decision take(struct mixed_state *s, const struct mixed_op *op)
{
	struct mixed_memory *m = memory_of(s);
	int a = op->a;

	switch (op->kind) {
	case MIXED_CREATE:
	case MIXED_FORK:
		create(s, a);
		break;
	case MIXED_LOCK:
	case MIXED_TIMEDLOCK:
		m->owner[a] = s->cur;
		m->noted[a] = s->task[s->cur].step == TRY;
		note(s, op->kind, m->mutexes[a]++);
		break;
	case MIXED_TRYLOCK:
		if (m->owner[a] != MIXED_NOBODY) {
			note(s, op->kind, -1);
			return done(s, op->b);
		}
		m->owner[a] = s->cur;
		m->noted[a] = false;
		note(s, op->kind, m->mutexes[a]++);
		break;
	case MIXED_UNLOCK:
		if (!release(s, a))
			return MIXED_FAILED;
		note(s, op->kind, m->mutexes[a]++);
		break;
	case MIXED_SIGNAL:
		wake_one(s, queue_of(s, CONDS, a));
		note(s, op->kind, m->conds[a]++);
		break;
	case MIXED_BROADCAST:
		wake_all(s, queue_of(s, CONDS, a));
		note(s, op->kind, m->conds[a]++);
		break;
	case MIXED_SEM_WAIT:
		m->value[a]--;
		note(s, op->kind, m->sems[a]++);
		break;
	case MIXED_TRYWAIT:
		if (m->value[a] <= 0) {
			note(s, op->kind, -1);
			return done(s, op->b);
		}
		m->value[a]--;
		note(s, op->kind, m->sems[a]++);
		break;
	case MIXED_POST:
		m->value[a]++;
		wake_one(s, queue_of(s, SEMS, a));
		note(s, op->kind, m->sems[a]++);
		break;
	case MIXED_READ:
		if (!s->bytes[a]) {
			note(s, op->kind, -1);
			return done(s, op->b);
		}
		s->bytes[a]--;
		wake_one(s, queue_of(s, WRITERS, a));
		note(s, op->kind, s->changes[a]++);
		break;
	case MIXED_WRITE:
		s->bytes[a]++;
		wake_one(s, queue_of(s, READERS, a));
		note(s, op->kind, s->changes[a]++);
		break;
	case MIXED_CLOSE:
		s->closed[s->p->process[s->cur]] |= 1 << a;
		if (!has_writer(s, a))
			wake_all(s, queue_of(s, READERS, a));
		break;
	case MIXED_KILL:
		send(s, a);
		break;
	case MIXED_ARM:
		s->timer_at = s->now + ALARM;
		break;
	case MIXED_TIMER:
		s->expired = 0;
		break;
	case MIXED_ADD:
		m->var[a] += op->b;
		note(s, op->kind, m->var[a]);
		note(s, op->kind, m->vars[a]++);
		break;
	case MIXED_CHECK:
		if (m->var[a] == op->b)
			return MIXED_FAILED;
		note(s, op->kind, m->vars[a]);
		break;
	case MIXED_CAS:
		note(s, op->kind, m->vars[a]);
		if (m->var[a] == op->b) {
			m->var[a]++;
			m->vars[a]++;
		}
		break;
	default:
		break;
	}
	return done(s, 0);
}

static void note_wait(struct mixed_state *s, const struct mixed_op *op)
{
	if (op->kind == MIXED_LOCK || op->kind == MIXED_TIMEDLOCK)
		memory_of(s)->noted[op->a] = true;
}

static enum mixed_decision do_op(struct mixed_state *s, const struct mixed_op *op)
{
	struct mixed_task *t = &s->task[s->cur];

	switch (op->kind) {
	case MIXED_WAIT:
	case MIXED_TIMEDWAIT:
		if (!release(s, op->b))
			return MIXED_FAILED;
		t->until = op->kind == MIXED_TIMEDWAIT ? s->now + TIMEOUT : 0;
		return wait_in(s, queue_of(s, CONDS, op->a), COND_WOKEN,
				t->until);
	case MIXED_SLEEP:
		return wait_in(s, MIXED_NOBODY, SLEPT, s->now + NAP);
	default:
		break;
	}
	if (is_open(s, op))
		return take(s, op);
	if (is_call(op))
		return wait_in(s, queue_for(s, op), CALL_WOKEN, 0);
	note_wait(s, op);
	t->until = op->kind == MIXED_TIMEDLOCK ? s->now + TIMEOUT : 0;
	return wait_in(s, queue_for(s, op), WOKEN, t->until);
}

/* In the mutex's queue at the end of a wait for a condition. */
static enum mixed_decision relock(struct mixed_state *s, const struct mixed_op *op)
{
	struct mixed_memory *m = memory_of(s);
	struct mixed_task *t = &s->task[s->cur];

	t->relocks = true;
	m->noted[op->b] = true;
	if (m->owner[op->b] != MIXED_NOBODY)
		return wait_in(s, queue_of(s, MUTEXES, op->b), WOKEN, 0);
	m->owner[op->b] = s->cur;
	note(s, op->kind, !t->missed);
	note(s, op->kind, m->mutexes[op->b]++);
	t->relocks = false;
	return done(s, 0);
}

/* After the wait of a function: first a signal, then what was waited for. */
static void leave_wait(struct mixed_state *s, bool interrupted, enum mixed_step then)
{
	struct mixed_task *t = &s->task[s->cur];

	t->again = then;
	t->step = then;
	take_signal(s, interrupted ? AT_CALL : then);
}

static enum mixed_decision step(struct mixed_state *s, const struct mixed_op *op)
{
	struct mixed_task *t = &s->task[s->cur];
	bool interrupted;

	switch (t->step) {
	case AT_OP:
		t->step = AT_POINT;
		return MIXED_POINT;
	case AT_POINT:
		t->step = DO_OP;
		take_signal(s, AT_OP);
		return MIXED_POINT;
	case AT_CALL:
		t->step = AT_CALL_POINT;
		return MIXED_POINT;
	case AT_CALL_POINT:
		t->step = t->again;
		take_signal(s, AT_CALL);
		return MIXED_POINT;
	case WOKEN:
		interrupted = t->queue != MIXED_NOBODY;
		t->queue = MIXED_NOBODY;
		leave_wait(s, interrupted, t->relocks ? RELOCK : TRY);
		return MIXED_POINT;
	case TRY:
		if (t->late) {
			note(s, op->kind, -1);
			return done(s, op->b);
		}
		if (is_open(s, op))
			return take(s, op);
		note_wait(s, op);
		return wait_in(s, queue_for(s, op), WOKEN, t->until);
	case COND_WOKEN:
		leave_wait(s, t->queue != MIXED_NOBODY, COND_TRY);
		return MIXED_POINT;
	case COND_TRY:
		t->missed = t->late;
		if (t->queue == MIXED_NOBODY)
			return relock(s, op);
		return wait_in(s, t->queue, COND_WOKEN, t->until);
	case RELOCK:
		return relock(s, op);
	case CALL_WOKEN:
		t->step = DO_OP;
		if (!is_open(s, op))
			take_signal(s, AT_OP);
		return MIXED_POINT;
	case SLEPT:
		return done(s, 0);
	default:
		return do_op(s, op);
	}
}

enum mixed_decision mixed_advance(struct mixed_state *s)
{
	struct mixed_task *t = &s->task[s->cur];

	for (;;) {
		const struct mixed_op *op = op_of(s);
		bool at_point = t->step == AT_OP || t->step == AT_CALL;
		enum mixed_decision d;

		if (!op && (t->step == DO_OP ||
			    (s->p->has & MIXED_SILENT && !(s->p->has & MIXED_PROCESSES) &&
			     t->step == AT_OP))) {
			end(s);
			return MIXED_LEFT;
		}
		d = step(s, op);
		if (d != MIXED_POINT)
			return d;
		if (at_point)
			return op && t->step == AT_POINT &&
			       (op->kind == MIXED_YIELD || op->kind == MIXED_SLEEP ||
				op->kind == MIXED_TIMEDLOCK || op->kind == MIXED_TIMEDWAIT) ?
			       MIXED_YIELDS : MIXED_POINT;
	}
}

static unsigned int enabled_set(const struct mixed_state *s)
{
	unsigned int set = 0;
	int u;

	for (u = 0; u < MIXED_TASKS; u++)
		set |= is_enabled(s, u) << u;
	return set;
}

/* Lines 13 to 30: @t took a step. */
static void paper_step(struct mixed_state *s, int t, bool yield)
{
	struct mixed_paper *p = &s->paper;
	unsigned int next = enabled_set(s);
	int u;

	if (!s->fair_k)
		return;
	for (u = 0; u < MIXED_TASKS; u++) {
		p->p[u] &= ~(1U << t);
		p->e[u] &= next;
		p->s[u] |= 1U << t;
	}
	p->d[t] |= p->es & ~next;
	p->es = next;
	if (!yield || ++p->yields[t] % s->fair_k)
		return;
	p->p[t] |= (p->e[t] | p->d[t]) & ~p->s[t];
	p->e[t] = next;
	p->d[t] = 0;
	p->s[t] = 0;
}

static int first_deadline(const struct mixed_state *s)
{
	int i, first = MIXED_NOBODY;

	for (i = 0; i < s->p->tasks; i++)
		if (is_timed(s, i) && (first == MIXED_NOBODY ||
				       s->task[i].deadline < s->task[first].deadline))
			first = i;
	return first;
}

static void pass_deadline(struct mixed_state *s, int i)
{
	struct mixed_task *t = &s->task[i];

	if (s->now < t->deadline)
		s->now = t->deadline;
	t->asleep = false;
	t->late = true;
	t->deadline = 0;
	t->queue = MIXED_NOBODY;
	paper_step(s, i, true);
}

static void fire(struct mixed_state *s)
{
	if (s->now < s->timer_at)
		s->now = s->timer_at;
	s->timer_at = 0;
	s->expired++;
	wake_all(s, queue_of(s, TIMER, 0));
	s->paper.es = enabled_set(s);
}

static int count_enabled(const struct mixed_state *s)
{
	int i, n = 0;

	for (i = 0; i < s->p->tasks; i++)
		n += is_enabled(s, i);
	return n;
}

void mixed_settle(struct mixed_state *s, enum mixed_decision d)
{
	bool yield = d == MIXED_YIELDS;
	int first = first_deadline(s), n;

	paper_step(s, s->cur, false);
	if (yield && (first != MIXED_NOBODY || s->timer_at))
		s->now += STEP;
	while (first != MIXED_NOBODY && s->task[first].deadline <= s->now &&
	       !(d == MIXED_LEFT && first == s->cur)) {
		pass_deadline(s, first);
		first = first_deadline(s);
	}
	n = count_enabled(s);
	if (s->timer_at && (s->timer_at <= s->now ||
			    ((!n || (yield && n == 1 && is_enabled(s, s->cur))) &&
			     (first == MIXED_NOBODY || s->timer_at <= s->task[first].deadline))))
		fire(s);
	s->early = false;
}

bool mixed_may_expire(const struct mixed_state *s, enum mixed_decision d)
{
	if (!s->timer_at || (!count_enabled(s) && first_deadline(s) == MIXED_NOBODY))
		return false;
	return !(d == MIXED_LEFT && is_timed(s, s->cur) &&
		 s->task[s->cur].deadline < s->timer_at);
}

void mixed_expire(struct mixed_state *s)
{
	int first;

	while ((first = first_deadline(s)) != MIXED_NOBODY &&
	       s->task[first].deadline < s->timer_at)
		pass_deadline(s, first);
	fire(s);
	s->early = true;
}

void mixed_yield(struct mixed_state *s, enum mixed_decision d)
{
	if (d == MIXED_YIELDS)
		paper_step(s, s->cur, true);
}

/* Line 7. */
static bool is_allowed(const struct mixed_state *s, int task)
{
	return is_enabled(s, task) && !(s->fair_k && s->paper.p[task] & s->paper.es);
}

static int next_in_turn(const struct mixed_state *s)
{
	int i, t;

	for (i = 1; i <= s->p->tasks; i++) {
		t = (s->cur + i) % s->p->tasks;
		if (is_enabled(s, t))
			return t;
	}
	return MIXED_NOBODY;
}

static bool is_alone(const struct mixed_state *s, enum mixed_decision d)
{
	int t;

	for (t = 0; t < s->p->tasks; t++)
		if (is_allowed(s, t) && !(d == MIXED_YIELDS && t == s->cur))
			return false;
	return true;
}

bool mixed_may(const struct mixed_state *s, enum mixed_decision d, int task)
{
	if (is_timed(s, task))
		return true;
	if (!is_allowed(s, task))
		return false;
	if (d != MIXED_YIELDS || task != s->cur)
		return true;
	/* Who is alone lets time pass, if that leads anywhere. */
	if (is_alone(s, d))
		return first_deadline(s) == MIXED_NOBODY;
	return s->fair_k;
}

bool mixed_preempts(const struct mixed_state *s, enum mixed_decision d, int task)
{
	if (is_timed(s, task))
		return !is_alone(s, d) || task != first_deadline(s);
	if (s->early || d == MIXED_LEFT || task == s->cur || !is_enabled(s, s->cur))
		return false;
	if (s->fair_k)
		return d == MIXED_POINT && is_allowed(s, s->cur);
	return d == MIXED_POINT || task != next_in_turn(s);
}

void mixed_choose(struct mixed_state *s, int task)
{
	s->cur = task;
	if (is_timed(s, task))
		pass_deadline(s, task);
}

bool mixed_is_over(const struct mixed_state *s)
{
	return !count_enabled(s) && first_deadline(s) == MIXED_NOBODY;
}

bool mixed_all_dead(const struct mixed_state *s)
{
	int i;

	for (i = 0; i < s->p->tasks; i++)
		if (s->task[i].born && !s->task[i].dead)
			return false;
	return true;
}

void mixed_start(struct mixed_state *s, const struct mixed_program *p, int fair_k)
{
	int i;

	*s = (struct mixed_state){ .p = p, .fair_k = fair_k, .now = BEGIN };
	for (i = 0; i < MIXED_TASKS; i++) {
		s->task[i].queue = MIXED_NOBODY;
		s->task[i].in_handler = MIXED_NOBODY;
		s->paper.d[i] = s->paper.s[i] = -1;
	}
	for (i = 0; i < MIXED_OBJECTS; i++) {
		s->memory[0].owner[i] = MIXED_NOBODY;
		s->memory[0].value[i] = p->value[i];
	}
	s->task[0].born = true;
	s->paper.es = 1;
}

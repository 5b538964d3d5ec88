// SPDX-License-Identifier: GPL-2.0-only
/*
 * See sim_random_step.h. What it shares with the engine is the rule of docs/strategies.md: the
 * running task goes on for free, whoever blocked or ended is followed by anybody for
 * free, and everything else is a preemption. At a yield of a fair run everybody may go on
 * for free; without fairness the next id may, and the task itself only when it is alone.
 * Who is allowed to go on in a fair run is what Algorithm 1 of PLDI'08 says, written here
 * as it stands in the paper.
 */
#include "sim_random_step.h"

/* Queues: one of each mutex, condition variable and semaphore. */
static int mutex_queue(int i)
{
	return i;
}

static int cond_queue(int i)
{
	return RANDOM_OBJECTS + i;
}

static int sem_queue(int i)
{
	return 2 * RANDOM_OBJECTS + i;
}

/* In CHESS's sense: could a task that stands at its point do its op? */
static bool gate_open(const struct random_state *s, const struct random_task *t)
{
	const struct random_op *op;

	if (t->step == AT_OP || t->pc >= s->p->n[t - s->task])
		return true;
	op = &s->p->op[t - s->task][t->pc];
	if (t->step == RELOCK)
		return t->queue == RANDOM_NOBODY && s->owner[op->b] == RANDOM_NOBODY;
	if (op->kind == RANDOM_LOCK)
		return s->owner[op->a] == RANDOM_NOBODY;
	if (op->kind == RANDOM_SEM_WAIT)
		return s->value[op->a] > 0;
	return true;
}

bool random_enabled(const struct random_state *s, int i)
{
	const struct random_task *t = &s->task[i];

	return t->born && !t->dead && !t->asleep && (!s->chess || gate_open(s, t));
}

static void wait_in(struct random_state *s, int queue)
{
	struct random_task *t = &s->task[s->cur];

	t->queue = queue;
	t->since = s->order++;
	t->asleep = !s->chess;
}

static bool wake_one(struct random_state *s, int queue)
{
	struct random_task *first = NULL;
	int i;

	for (i = 0; i < s->p->tasks; i++) {
		struct random_task *t = &s->task[i];

		if (t->queue == queue && (!first || t->since < first->since))
			first = t;
	}
	if (first && s->wakes != RANDOM_NOBODY)
		first = &s->task[s->wakes];
	s->wakes = RANDOM_NOBODY;
	if (!first)
		return false;
	first->queue = RANDOM_NOBODY;
	first->asleep = false;
	return true;
}

static bool release(struct random_state *s, int m)
{
	if (s->owner[m] != s->cur)
		return false;
	s->owner[m] = RANDOM_NOBODY;
	if (s->noted[m])
		wake_one(s, mutex_queue(m));
	s->noted[m] = false;
	return true;
}

/* Return: was the mutex free? If not, the task waits for it. */
static bool acquire(struct random_state *s, int m)
{
	struct random_task *t = &s->task[s->cur];

	if (s->owner[m] != RANDOM_NOBODY) {
		s->noted[m] = true;
		t->tried = true;
		wait_in(s, mutex_queue(m));
		return false;
	}
	s->owner[m] = s->cur;
	s->noted[m] = t->tried || t->step == RELOCK;
	t->tried = false;
	return true;
}

bool random_is_woken(const struct random_state *s, int task)
{
	return s->task[task].queue == s->line;
}

/* Does the op wake one of several, and it was not chosen yet which? */
static bool has_to_choose(struct random_state *s, const struct random_op *op)
{
	int i, n = 0;

	if (!s->wake_any || s->wakes != RANDOM_NOBODY)
		return false;
	switch (op->kind) {
	case RANDOM_UNLOCK:
		s->line = mutex_queue(op->a);
		break;
	case RANDOM_WAIT:
		if (s->task[s->cur].step == RELOCK)
			return false;
		s->line = mutex_queue(op->b);
		break;
	case RANDOM_SIGNAL:
		s->line = cond_queue(op->a);
		break;
	case RANDOM_POST:
		s->line = sem_queue(op->a);
		break;
	default:
		return false;
	}
	for (i = 0; i < s->p->tasks; i++)
		n += random_is_woken(s, i);
	return n > 1;
}

/* Does the op of the current task. Return: RANDOM_POINT when it is done, RANDOM_LEFT when the task
 * waits, RANDOM_FAILED.
 */
static enum random_decision do_op(struct random_state *s, const struct random_op *op)
{
	struct random_task *t = &s->task[s->cur];

	switch (op->kind) {
	case RANDOM_CREATE:
		s->task[op->a].born = true;
		break;
	case RANDOM_LOCK:
		if (!acquire(s, op->a))
			return RANDOM_LEFT;
		break;
	case RANDOM_TRYLOCK:
		if (s->owner[op->a] != RANDOM_NOBODY)
			t->pc += op->b;
		else {
			s->owner[op->a] = s->cur;
			s->noted[op->a] = false;
		}
		break;
	case RANDOM_UNLOCK:
		if (!release(s, op->a))
			return RANDOM_FAILED;
		break;
	case RANDOM_WAIT:
		if (t->step == RELOCK) {
			if (!acquire(s, op->b))
				return RANDOM_LEFT;
			break;
		}
		if (!release(s, op->b))
			return RANDOM_FAILED;
		wait_in(s, cond_queue(op->a));
		t->step = RELOCK;
		return RANDOM_LEFT;
	case RANDOM_SIGNAL:
		wake_one(s, cond_queue(op->a));
		break;
	case RANDOM_BROADCAST:
		while (wake_one(s, cond_queue(op->a)))
			;
		break;
	case RANDOM_SEM_WAIT:
		if (!s->value[op->a]) {
			wait_in(s, sem_queue(op->a));
			return RANDOM_LEFT;
		}
		s->value[op->a]--;
		break;
	case RANDOM_TRYWAIT:
		if (s->value[op->a])
			s->value[op->a]--;
		else
			t->pc += op->b;
		break;
	case RANDOM_POST:
		s->value[op->a]++;
		wake_one(s, sem_queue(op->a));
		break;
	case RANDOM_ADD:
		s->var[op->a] += op->b;
		break;
	case RANDOM_CHECK:
		if (s->var[op->a] == op->b)
			return RANDOM_FAILED;
		break;
	case RANDOM_CAS:
		if (s->var[op->a] == op->b)
			s->var[op->a]++;
		break;
	case RANDOM_YIELD:
		break;
	}
	t->step = AT_OP;
	t->pc++;
	return RANDOM_POINT;
}

enum random_decision random_advance(struct random_state *s)
{
	struct random_task *t = &s->task[s->cur];
	const struct random_op *op;
	enum random_decision d;

	for (;;) {
		bool ends = t->pc >= s->p->n[s->cur];

		op = ends ? NULL : &s->p->op[s->cur][t->pc];
		if (t->step == AT_OP) {
			t->step = DO_OP;
			return op && op->kind == RANDOM_YIELD ? RANDOM_YIELDS : RANDOM_POINT;
		}
		if (ends) {
			t->dead = true;
			return RANDOM_LEFT;
		}
		if (has_to_choose(s, op))
			return RANDOM_WAKES;
		d = do_op(s, op);
		/* In CHESS's sense nobody blocks: the second half of a wait has a point. */
		if (d == RANDOM_LEFT && s->chess)
			return RANDOM_POINT;
		if (d != RANDOM_POINT)
			return d;
	}
}

static int next_enabled(const struct random_state *s)
{
	int i, t;

	for (i = 1; i <= s->p->tasks; i++) {
		t = (s->cur + i) % s->p->tasks;
		if (random_enabled(s, t))
			return t;
	}
	return RANDOM_NOBODY;
}

/* Lines 13 to 30: the current task took a step. */
static void paper_step(struct random_state *s, bool yield)
{
	struct random_paper *p = &s->paper;
	unsigned int next = 0, t = s->cur;
	int u;

	for (u = 0; u < RANDOM_TASKS; u++)
		next |= random_enabled(s, u) << u;
	for (u = 0; u < RANDOM_TASKS; u++) {
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

bool random_may(const struct random_state *s, enum random_decision d, int task)
{
	if (!random_enabled(s, task))
		return false;
	/* Line 7. */
	if (s->fair_k)
		return !(s->paper.p[task] & s->paper.es);
	return d != RANDOM_YIELDS || task != s->cur || next_enabled(s) == task;
}

bool random_preempts(const struct random_state *s, enum random_decision d, int task)
{
	/* Who cannot go on is left for free. */
	if (d == RANDOM_LEFT || task == s->cur || !random_enabled(s, s->cur))
		return false;
	if (s->fair_k)
		return d == RANDOM_POINT && random_may(s, d, s->cur);
	return d == RANDOM_POINT || task != next_enabled(s);
}

enum random_verdict random_end(const struct random_state *s, enum random_decision d)
{
	bool all_dead = true;
	int t;

	if (d == RANDOM_FAILED)
		return RANDOM_ASSERT;
	if (next_enabled(s) != RANDOM_NOBODY)
		return __RANDOM_VERDICTS;
	for (t = 0; t < s->p->tasks; t++)
		all_dead &= !s->task[t].born || s->task[t].dead;
	return all_dead ? RANDOM_OK : RANDOM_DEADLOCK;
}

void random_look(struct random_state *s, enum random_decision d)
{
	if (s->fair_k)
		paper_step(s, d == RANDOM_YIELDS);
}

void random_start(struct random_state *s, const struct random_program *p,
		  enum sim_enabled enabled, int fair_k)
{
	int i;

	*s = (struct random_state) { .p = p, .chess = enabled == SIM_CHESS, .fair_k = fair_k };
	s->wakes = RANDOM_NOBODY;
	for (i = 0; i < RANDOM_TASKS; i++) {
		s->task[i].queue = RANDOM_NOBODY;
		s->paper.d[i] = s->paper.s[i] = -1;
	}
	for (i = 0; i < RANDOM_OBJECTS; i++) {
		s->owner[i] = RANDOM_NOBODY;
		s->value[i] = p->value[i];
	}
	s->task[0].born = true;
	s->paper.es = 1;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * See race_run.h.
 */
#include <string.h>

#include "internal.h"
#include "race_run.h"

#define OBJECTS	4

enum family { MUTEX, RWLOCK, OTHERS, PIPE, FAMILIES };

/* Node sets are sets of nodes, as in struct run. */
struct set {
	uint64_t v[(RUN_NODES + 63) / 64];
};

struct object {
	int owner, readers;		/* task plus one */
	int count;
	int arrived, once;
	struct set released, released_readers, posts, round, written;
};

struct task {
	bool alive, ended, blocked, at_op, waiting;
	int at, last;			/* op; last node, -1: none */
	struct set pending;		/* what comes before its next node */
	int cond, signalled;
};

struct machine {
	const struct run_program *p;
	struct run *out;
	struct object object[FAMILIES][OBJECTS];
	struct task task[RUN_TASKS];
	struct set atomics[64];
	uint64_t random;
	uint32_t seq;
};

uint64_t run_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static void add(struct set *to, const struct set *from)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(to->v); i++)
		to->v[i] |= from->v[i];
}

static void put(struct set *to, int node)
{
	if (node >= 0)
		to->v[node / 64] |= 1ULL << node % 64;
}

/* A node of @t: after its last one, and after what is pending. */
static int make_node(struct machine *m, int t)
{
	struct task *task = &m->task[t];
	struct run *o = m->out;
	int n = o->nodes++;
	size_t i, w = ARRAY_SIZE(task->pending.v);
	size_t k;

	put(&task->pending, task->last);
	memset(o->before[n], 0, sizeof(o->before[n]));
	for (i = 0; i < (size_t)n; i++) {
		if (!(task->pending.v[i / 64] >> i % 64 & 1))
			continue;
		for (k = 0; k < w; k++)
			o->before[n][k] |= o->before[i][k];
		o->before[n][i / 64] |= 1ULL << i % 64;
	}
	memset(&task->pending, 0, sizeof(task->pending));
	task->last = n;
	return n;
}

bool run_is_before(const struct run *r, size_t a, size_t b)
{
	return r->before[r->node[b]][r->node[a] / 64] >> r->node[a] % 64 & 1;
}

static uint64_t enabled(const struct machine *m)
{
	uint64_t set = 0;
	int t;

	for (t = 0; t < RUN_TASKS; t++)
		if (m->task[t].alive && !m->task[t].blocked)
			set |= 1ULL << t;
	return set;
}

static int choose(struct machine *m)
{
	int can[RUN_TASKS], n = 0, t;
	uint64_t set = enabled(m);

	for (t = 0; t < RUN_TASKS; t++)
		if (set >> t & 1)
			can[n++] = t;
	if (!n)
		return CHESS_TASK_NONE;
	return can[m->random ? run_random(&m->random) % n : 0];
}

static void emit(struct machine *m, struct chess_event e)
{
	e.seq = ++m->seq;
	e.enabled = enabled(m);
	chess_record_push(m->out->record, &e, 1);
}

static void note(struct machine *m, uint8_t type, int task, uint64_t object)
{
	emit(m, (struct chess_event) {
		.type = type, .task = task, .object = object, .chosen = CHESS_TASK_NONE,
	});
}

/* @by is at the last node that was made for it. */
static void wake(struct machine *m, int by, int who)
{
	if (!m->task[who].blocked)
		return;
	m->task[who].blocked = false;
	note(m, CHESS_EVENT_WAKE, who, by);
	put(&m->task[who].pending, m->task[by].last);
}

/* Those that wait at an op of object @a of one of two kinds. */
static void wake_waiters(struct machine *m, int by, enum run_kind k1, enum run_kind k2,
			 unsigned int a)
{
	int t;

	for (t = 0; t < RUN_TASKS; t++) {
		const struct run_op *op = &m->p->op[t][m->task[t].at];

		if (m->task[t].blocked && m->task[t].cond < 0 && op->a == a &&
		    (op->kind == k1 || op->kind == k2))
			wake(m, by, t);
		else if (m->task[t].blocked && m->task[t].signalled && op->kind == RUN_COND_WAIT &&
			 op->b == a && k1 == RUN_LOCK)
			wake(m, by, t);
	}
}

static void unlock(struct machine *m, int t, unsigned int mutex)
{
	struct object *o = &m->object[MUTEX][mutex];

	put(&o->released, make_node(m, t));
	o->owner = 0;
	wake_waiters(m, t, RUN_LOCK, RUN_LOCK, mutex);
}

static bool lock(struct machine *m, int t, unsigned int mutex)
{
	struct object *o = &m->object[MUTEX][mutex];

	if (o->owner)
		return false;
	o->owner = t + 1;
	add(&m->task[t].pending, &o->released);
	make_node(m, t);
	return true;
}

static bool rw_lock(struct machine *m, int t, struct object *o, bool write)
{
	if (o->owner || (write && o->readers))
		return false;
	add(&m->task[t].pending, &o->released);
	if (write) {
		add(&m->task[t].pending, &o->released_readers);
		o->owner = t + 1;
	} else {
		o->readers++;
	}
	make_node(m, t);
	return true;
}

static void rw_unlock(struct machine *m, int t, struct object *o, unsigned int a)
{
	int n = make_node(m, t);

	if (o->owner == t + 1) {
		o->owner = 0;
		put(&o->released, n);
	} else {
		o->readers--;
		put(&o->released_readers, n);
	}
	wake_waiters(m, t, RUN_RDLOCK, RUN_WRLOCK, a);
}

static bool cond_wait(struct machine *m, int t, const struct run_op *op)
{
	struct task *task = &m->task[t];

	if (!task->waiting) {
		task->waiting = true;
		task->cond = op->a;
		unlock(m, t, op->b);
		return false;
	}
	if (!task->signalled || !lock(m, t, op->b))
		return false;
	task->waiting = false;
	task->signalled = false;
	return true;
}

static void cond_signal(struct machine *m, int t, const struct run_op *op)
{
	int k;

	make_node(m, t);
	for (k = 0; k < RUN_TASKS; k++) {
		if (!m->task[k].blocked || m->task[k].cond != (int)op->a)
			continue;
		m->task[k].cond = -1;
		m->task[k].signalled = true;
		wake(m, t, k);
		if (op->kind == RUN_COND_SIGNAL)
			break;
	}
}

/* The last one goes on, and lets the others go. */
static bool barrier(struct machine *m, int t, const struct run_op *op)
{
	struct object *o = &m->object[OTHERS][op->a];
	struct task *task = &m->task[t];
	int k;

	if (task->waiting) {
		task->waiting = false;
		make_node(m, t);
		return true;
	}
	put(&o->round, make_node(m, t));
	if (++o->arrived < (int)op->b) {
		task->waiting = true;
		return false;
	}
	add(&task->pending, &o->round);
	make_node(m, t);
	for (k = 0; k < RUN_TASKS; k++) {
		const struct run_op *other = &m->p->op[k][m->task[k].at];

		/* one who is awake already is of an earlier round */
		if (k == t || !m->task[k].blocked || other->kind != RUN_BARRIER ||
		    other->a != op->a)
			continue;
		add(&m->task[k].pending, &o->round);
		wake(m, t, k);
	}
	o->arrived = 0;
	memset(&o->round, 0, sizeof(o->round));
	return true;
}

static bool join(struct machine *m, int t, const struct run_op *op)
{
	int k;

	if (!m->task[op->a].ended)
		return false;
	/* By its address it may be any that has ended, unless it woke the task. */
	for (k = 0; k < RUN_TASKS && !m->task[t].waiting; k++)
		if (m->task[k].ended)
			put(&m->task[t].pending, m->task[k].last);
	m->task[t].waiting = false;
	make_node(m, t);
	return true;
}

static void create(struct machine *m, int t, unsigned int child)
{
	struct task *c = &m->task[child];

	make_node(m, t);
	if (c->alive || c->ended)
		return;
	c->alive = true;
	put(&c->pending, m->task[t].last);
	note(m, CHESS_EVENT_SPAWN, t, child);
}

static enum family family_of(enum run_kind kind)
{
	switch (kind) {
	case RUN_LOCK:
	case RUN_TRYLOCK:
	case RUN_UNLOCK:
		return MUTEX;
	case RUN_RDLOCK:
	case RUN_TRYRDLOCK:
	case RUN_WRLOCK:
	case RUN_RWUNLOCK:
		return RWLOCK;
	case RUN_PIPE_READ:
	case RUN_PIPE_WRITE:
		return PIPE;
	default:
		return OTHERS;
	}
}

/* Execute the op that @t is at. False: it has to wait. */
static bool do_op(struct machine *m, int t, const struct run_op *op)
{
	struct object *o = &m->object[family_of(op->kind)][op->a % OBJECTS];
	struct task *task = &m->task[t];

	switch (op->kind) {
	case RUN_CREATE:
		create(m, t, op->a);
		return true;
	case RUN_JOIN:
		if (join(m, t, op))
			return true;
		task->waiting = true;
		return false;
	case RUN_LOCK:
		return lock(m, t, op->a);
	case RUN_TRYLOCK:
		if (!lock(m, t, op->a))
			task->at += op->b;
		return true;
	case RUN_UNLOCK:
		if (o->owner == t + 1)
			unlock(m, t, op->a);
		return true;
	case RUN_RDLOCK:
	case RUN_WRLOCK:
		return rw_lock(m, t, o, op->kind == RUN_WRLOCK);
	case RUN_TRYRDLOCK:
		if (!rw_lock(m, t, o, false))
			task->at += op->b;
		return true;
	case RUN_RWUNLOCK:
		rw_unlock(m, t, o, op->a);
		return true;
	case RUN_SEM_WAIT:
		if (!o->count)
			return false;
		o->count--;
		add(&task->pending, &o->posts);
		make_node(m, t);
		return true;
	case RUN_SEM_POST:
		o->count++;
		put(&o->posts, make_node(m, t));
		wake_waiters(m, t, RUN_SEM_WAIT, RUN_SEM_WAIT, op->a);
		return true;
	case RUN_COND_WAIT:
		return cond_wait(m, t, op);
	case RUN_COND_SIGNAL:
	case RUN_COND_BROADCAST:
		cond_signal(m, t, op);
		return true;
	case RUN_BARRIER:
		return barrier(m, t, op);
	case RUN_ONCE:
		/* after all that the first one is after, also if that one is just woken */
		if (o->once && o->once != t + 1) {
			put(&task->pending, m->task[o->once - 1].last);
			add(&task->pending, &m->task[o->once - 1].pending);
		}
		o->once = o->once ? o->once : t + 1;
		make_node(m, t);
		return true;
	case RUN_PIPE_WRITE:
		o->count++;
		put(&m->object[PIPE][0].written, make_node(m, t));
		wake_waiters(m, t, RUN_PIPE_READ, RUN_PIPE_READ, op->a);
		return true;
	case RUN_PIPE_READ:
		if (!o->count)
			return false;
		o->count--;
		/* pipes without a name of their inode count as one */
		add(&task->pending, &m->object[PIPE][0].written);
		make_node(m, t);
		return true;
	default:
		return true;
	}
}

static struct chess_event event_of(const struct run_op *op)
{
	static const struct { uint8_t class, flags, kind; unsigned int at; } ops[RUN_KINDS] = {
		[RUN_CREATE] = { CHESS_OP_CREATE, CHESS_OPF_PROBE, CHESS_OBJECT_ADDRESS, 0x10 },
		[RUN_JOIN] = { CHESS_OP_JOIN, CHESS_OPF_PROBE, CHESS_OBJECT_ADDRESS, 0x20 },
		[RUN_LOCK] = { CHESS_OP_LOCK, CHESS_OPF_WRITE, CHESS_OBJECT_ADDRESS, 0x100 },
		[RUN_TRYLOCK] = { CHESS_OP_TRYLOCK, CHESS_OPF_WRITE, CHESS_OBJECT_ADDRESS, 0x100 },
		[RUN_UNLOCK] = { CHESS_OP_UNLOCK, CHESS_OPF_WRITE, CHESS_OBJECT_ADDRESS, 0x100 },
		[RUN_RDLOCK] = { CHESS_OP_RDLOCK, 0, CHESS_OBJECT_ADDRESS, 0x200 },
		[RUN_TRYRDLOCK] = { CHESS_OP_TRYLOCK, 0, CHESS_OBJECT_ADDRESS, 0x200 },
		[RUN_WRLOCK] = { CHESS_OP_WRLOCK, CHESS_OPF_WRITE, CHESS_OBJECT_ADDRESS, 0x200 },
		[RUN_RWUNLOCK] = { CHESS_OP_UNLOCK, CHESS_OPF_WRITE, CHESS_OBJECT_ADDRESS, 0x200 },
		[RUN_SEM_WAIT] = { CHESS_OP_SEM_WAIT, CHESS_OPF_WRITE,
				CHESS_OBJECT_ADDRESS, 0x300 },
		[RUN_SEM_POST] = { CHESS_OP_SEM_POST, CHESS_OPF_WRITE,
				CHESS_OBJECT_ADDRESS, 0x300 },
		[RUN_COND_WAIT] = { CHESS_OP_COND_WAIT, CHESS_OPF_WRITE,
				CHESS_OBJECT_ADDRESS, 0x400 },
		[RUN_COND_SIGNAL] = { CHESS_OP_COND_SIGNAL, CHESS_OPF_WRITE,
				CHESS_OBJECT_ADDRESS, 0x400 },
		[RUN_COND_BROADCAST] = { CHESS_OP_COND_BROADCAST, CHESS_OPF_WRITE,
				CHESS_OBJECT_ADDRESS, 0x400 },
		[RUN_BARRIER] = { CHESS_OP_BARRIER, CHESS_OPF_WRITE, CHESS_OBJECT_ADDRESS, 0x500 },
		[RUN_ONCE] = { CHESS_OP_ONCE, CHESS_OPF_WRITE, CHESS_OBJECT_ADDRESS, 0x600 },
		[RUN_PIPE_WRITE] = { CHESS_OP_WRITE, CHESS_OPF_WRITE, CHESS_OBJECT_INODE, 1 },
		[RUN_PIPE_READ] = { CHESS_OP_READ, CHESS_OPF_WRITE, CHESS_OBJECT_INODE, 1 },
		[RUN_YIELD] = { CHESS_OP_YIELD, CHESS_OPF_YIELD, CHESS_OBJECT_NONE, 0 },
	};

	return (struct chess_event) {
		.type = CHESS_EVENT_POINT, .op = ops[op->kind].class, .flags = ops[op->kind].flags,
		.object_kind = ops[op->kind].kind, .object = ops[op->kind].at + op->a,
		.arg = op->kind == RUN_COND_WAIT ? 0x100 + op->b : 0,
	};
}

static void do_access(struct machine *m, int t, const struct run_op *op)
{
	static const uint8_t kinds[] = {
		[RUN_R] = CHESS_ACCESS_READ,
		[RUN_W] = CHESS_ACCESS_WRITE,
		[RUN_RW] = CHESS_ACCESS_READ | CHESS_ACCESS_WRITE,
		[RUN_AR] = CHESS_ACCESS_READ | CHESS_ACCESS_ATOMIC,
		[RUN_AW] = CHESS_ACCESS_WRITE | CHESS_ACCESS_ATOMIC,
		[RUN_ARW] = CHESS_ACCESS_READ | CHESS_ACCESS_WRITE | CHESS_ACCESS_ATOMIC,
	};
	uint8_t kind = kinds[op->kind];
	struct run *o = m->out;
	int n;

	if (kind & CHESS_ACCESS_ATOMIC && kind & CHESS_ACCESS_READ)
		add(&m->task[t].pending, &m->atomics[op->a % 64]);
	n = make_node(m, t);
	if (kind & CHESS_ACCESS_ATOMIC && kind & CHESS_ACCESS_WRITE)
		put(&m->atomics[op->a % 64], n);
	o->node[o->n] = n;
	o->access[o->n++] = (struct chess_access) {
		.address = 0x10000 + op->a, .size = op->b ? op->b : 4, .kind = kind, .task = t,
		.seq = m->seq, .ip = op->ip ? op->ip : 0x1000u * (t + 1) + m->task[t].at,
	};
}

/* @t runs on to its next op, or its end; return who goes on then. */
static int run_on(struct machine *m, int t)
{
	struct task *task = &m->task[t];
	const struct run_op *op = &m->p->op[t][task->at];
	struct chess_event e;
	int k;

	for (; op->kind && op->kind < RUN_FIRST_SYNC; op = &m->p->op[t][++task->at])
		do_access(m, t, op);
	if (op->kind) {
		e = event_of(op);
		task->at_op = true;
	} else {
		e = (struct chess_event) { .type = CHESS_EVENT_EXIT };
		make_node(m, t);
		task->alive = false;
		task->ended = true;
		for (k = 0; k < RUN_TASKS; k++)
			if (m->task[k].blocked && m->p->op[k][m->task[k].at].kind == RUN_JOIN &&
			    m->p->op[k][m->task[k].at].a == (unsigned int)t)
				wake(m, t, k);
	}
	e.task = t;
	e.chosen = choose(m);
	emit(m, e);
	return e.chosen;
}

void run_execute(const struct run_program *p, uint64_t seed, struct run *out)
{
	struct machine m = { .p = p, .out = out, .random = seed };
	int t, next = 0;

	out->record = chess_record_new();
	out->n = 0;
	out->nodes = 0;
	for (t = 0; t < RUN_TASKS; t++) {
		m.task[t].last = -1;
		m.task[t].cond = -1;
	}
	m.task[0].alive = true;
	while (next != CHESS_TASK_NONE) {
		struct task *task;

		t = next;
		task = &m.task[t];
		if (task->at_op && !do_op(&m, t, &p->op[t][task->at])) {
			struct chess_event e = { .type = CHESS_EVENT_BLOCK, .task = t };

			task->blocked = true;
			next = e.chosen = choose(&m);
			emit(&m, e);
			continue;
		}
		task->at += task->at_op;
		task->at_op = false;
		next = run_on(&m, t);
	}
}

void run_clear(struct run *r)
{
	chess_record_free(r->record);
	r->record = NULL;
}

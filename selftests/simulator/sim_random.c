// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs out of a seed, and how sim.h runs them. A task is a few blocks: a mutex
 * is held over some ops, or over another mutex, or a condition is waited for with it;
 * semaphores, variables and yields stand between. So most programs are sensible, and
 * many of them can deadlock or fail a check.
 */
#include <string.h>

#include "draw.h"
#include "internal.h"
#include "mix.h"
#include "sim_random.h"

const struct random_way random_ways[RANDOM_WAYS] = {
	{ "blocking, fair", SIM_KERNEL, 1, false }, { "blocking", SIM_KERNEL, 0, false },
	{ "blocking, every second yield", SIM_KERNEL, 2, false },
	{ "as in CHESS, not fair", SIM_CHESS, 0, false }, { "as in CHESS", SIM_CHESS, 1, false },
};

static const struct random_program *program;
static struct sim_mutex mutex[RANDOM_OBJECTS];
static struct sim_cond cond[RANDOM_OBJECTS];
static struct sim_sem sem[RANDOM_OBJECTS];
static struct sim_var var[RANDOM_OBJECTS];
static int at_op[RANDOM_TASKS];	/* the op of each task */

static int push(struct random_program *p, int task, enum random_kind kind, int a, int b)
{
	p->op[task][p->n[task]] = (struct random_op){ kind, a, b };
	return p->n[task]++;
}

/* An op that neither takes nor gives a mutex. */
static void push_simple(struct random_program *p, uint64_t *state, int task)
{
	/* As often as they stand here: else most programs deadlock and few fail. */
	static const enum random_kind kinds[] = {
		RANDOM_SIGNAL, RANDOM_BROADCAST, RANDOM_SEM_WAIT, RANDOM_POST, RANDOM_POST,
		RANDOM_CHECK, RANDOM_CHECK, RANDOM_CHECK, RANDOM_CAS, RANDOM_YIELD, RANDOM_ADD,
		RANDOM_ADD, RANDOM_ADD,
	};
	enum random_kind kind = kinds[below(state, ARRAY_SIZE(kinds))];
	int object = below(state, RANDOM_OBJECTS);

	switch (kind) {
	case RANDOM_CHECK:
		push(p, task, kind, object, 1 + below(state, 3));
		break;
	case RANDOM_CAS:
		push(p, task, kind, object, below(state, 2));
		break;
	case RANDOM_ADD:
		push(p, task, kind, object, 1 + below(state, 2));
		break;
	default:
		push(p, task, kind, object, 0);
		break;
	}
}

/* @simple: of how many ops the most frequent block is */
static void push_block(struct random_program *p, uint64_t *state, int task, int simple)
{
	int m = below(state, RANDOM_OBJECTS), at;

	switch (below(state, 10)) {
	case 0:
		push(p, task, RANDOM_LOCK, m, 0);
		push_simple(p, state, task);
		push(p, task, RANDOM_UNLOCK, m, 0);
		break;
	case 1:
		push(p, task, RANDOM_LOCK, m, 0);
		push(p, task, RANDOM_LOCK, !m, 0);
		push(p, task, RANDOM_UNLOCK, below(state, 2) ? m : !m, 0);
		push(p, task, RANDOM_UNLOCK, p->op[task][p->n[task] - 1].a == m ? !m : m, 0);
		break;
	case 2:
		push(p, task, RANDOM_LOCK, m, 0);
		push(p, task, RANDOM_WAIT, below(state, RANDOM_OBJECTS), m);
		push(p, task, RANDOM_UNLOCK, m, 0);
		break;
	case 3:
		at = push(p, task, RANDOM_TRYLOCK, m, 0);
		push_simple(p, state, task);
		push(p, task, RANDOM_UNLOCK, m, 0);
		p->op[task][at].b = p->n[task] - at - 1;
		break;
	case 4:
		at = push(p, task, RANDOM_TRYWAIT, m, 0);
		push_simple(p, state, task);
		p->op[task][at].b = p->n[task] - at - 1;
		break;
	case 5:
		/* Each yield is a branch for free: of three tasks they are too many. */
		push(p, task, p->tasks > 2 ? RANDOM_POST : RANDOM_YIELD, m, 0);
		push_simple(p, state, task);
		push(p, task, p->tasks > 2 ? RANDOM_ADD : RANDOM_YIELD, m, 1);
		break;
	default:
		while (simple--)
			push_simple(p, state, task);
		break;
	}
}

/* How many blocks a task has at most, and see push_block(); by how many tasks there are. */
struct size {
	int blocks, simple;
};

static void make(struct random_program *p, uint64_t seed, const struct size *size)
{
	uint64_t state = seed;
	int task, i;

	memset(p, 0, sizeof(*p));
	p->seed = seed;
	p->tasks = 2 + (below(&state, 8) >= 4) + (below(&state, 8) >= 7);
	for (i = 0; i < RANDOM_OBJECTS; i++)
		p->value[i] = below(&state, 2);
	for (task = 1; task < p->tasks; task++)
		push(p, 0, RANDOM_CREATE, task, 0);
	for (task = 0; task < p->tasks; task++)
		for (i = 1 + below(&state, size[p->tasks].blocks); i > 0; i--)
			push_block(p, &state, task, size[p->tasks].simple);
}

/**
 * random_make() - a program
 * @p: where to
 * @seed: equal seeds give equal programs
 *
 * The more tasks, the shorter they are: the number of schedules stays in the
 * thousands with two preemptions.
 */
void random_make(struct random_program *p, uint64_t seed)
{
	static const struct size size[RANDOM_TASKS + 1] = {
		[2] = { 3, 3 }, [3] = { 2, 3 }, [4] = { 1, 3 },
	};

	make(p, seed, size);
}

/**
 * random_make_small() - a program of few schedules
 * @p: where to
 * @seed: equal seeds give equal programs
 *
 * As random_make(), but shorter: the number of all schedules is mostly in the hundreds.
 */
void random_make_small(struct random_program *p, uint64_t seed)
{
	static const struct size size[RANDOM_TASKS + 1] = {
		[2] = { 2, 3 }, [3] = { 1, 1 }, [4] = { 1, 1 },
	};

	make(p, seed, size);
}

/**
 * random_print() - a program for people
 * @p: the program
 * @f: where to
 */
void random_print(const struct random_program *p, FILE *f)
{
	static const char *const names[] = {
		"create", "lock", "trylock", "unlock", "wait", "signal", "broadcast", "sem_wait",
		"trywait", "post", "add", "check", "cas", "yield",
	};
	int task, i;

	fprintf(f, "# seed %llu, semaphores %d %d\n", (unsigned long long)p->seed, p->value[0],
		p->value[1]);
	for (task = 0; task < p->tasks; task++) {
		fprintf(f, "# T%d:", task);
		for (i = 0; i < p->n[task]; i++)
			fprintf(f, " %s(%d,%d)", names[p->op[task][i].kind], p->op[task][i].a,
				p->op[task][i].b);
		fprintf(f, "\n");
	}
}

static void reset(void)
{
	int i;

	memset(at_op, 0, sizeof(at_op));
	for (i = 0; i < RANDOM_OBJECTS; i++) {
		mutex[i] = (struct sim_mutex){ 0 };
		sem[i] = (struct sim_sem){ .value = program->value[i] };
		var[i] = (struct sim_var){ 0 };
	}
}

static void body(void *arg);

/* Return: how many ops are left out after it. */
static int execute(const struct random_op *op)
{
	switch (op->kind) {
	case RANDOM_CREATE:
		sim_create(body, (void *)(intptr_t)op->a);
		return 0;
	case RANDOM_LOCK:
		sim_lock(&mutex[op->a]);
		return 0;
	case RANDOM_TRYLOCK:
		return sim_trylock(&mutex[op->a]) ? 0 : op->b;
	case RANDOM_UNLOCK:
		sim_unlock(&mutex[op->a]);
		return 0;
	case RANDOM_WAIT:
		sim_wait(&cond[op->a], &mutex[op->b]);
		return 0;
	case RANDOM_SIGNAL:
		sim_signal(&cond[op->a]);
		return 0;
	case RANDOM_BROADCAST:
		sim_broadcast(&cond[op->a]);
		return 0;
	case RANDOM_SEM_WAIT:
		sim_sem_wait(&sem[op->a]);
		return 0;
	case RANDOM_TRYWAIT:
		return sim_sem_trywait(&sem[op->a]) ? 0 : op->b;
	case RANDOM_POST:
		sim_sem_post(&sem[op->a]);
		return 0;
	case RANDOM_ADD:
		sim_add(&var[op->a], op->b);
		return 0;
	case RANDOM_CHECK:
		sim_assert(sim_load(&var[op->a]) != op->b);
		return 0;
	case RANDOM_CAS:
		sim_cas(&var[op->a], op->b, op->b + 1);
		return 0;
	case RANDOM_YIELD:
		sim_yield();
		return 0;
	}
	return 0;
}

static void body(void *arg)
{
	int task = (intptr_t)arg, i;

	for (i = 0; i < program->n[task]; i++) {
		at_op[task] = i;
		i += execute(&program->op[task][i]);
	}
	at_op[task] = i;
}

static uint64_t state(void)
{
	uint64_t h = 0;
	int i;

	for (i = 0; i < RANDOM_OBJECTS; i++) {
		h = chess_mix(chess_mix(h, mutex[i].owner << 1 | mutex[i].noted), sem[i].value);
		h = chess_mix(h, var[i].value);
	}
	for (i = 0; i < RANDOM_TASKS; i++)
		h = chess_mix(h, at_op[i]);
	return h;
}

const int *random_at(void)
{
	return at_op;
}

const struct sim_program *random_sim(const struct random_program *p)
{
	static const struct sim_program sim = {
		.name = "random", .reset = reset, .main = body, .state = state,
	};

	program = p;
	return &sim;
}

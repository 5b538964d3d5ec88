// SPDX-License-Identifier: GPL-2.0-only
/*
 * See sim_mixed.h: programs out of a seed, and how sim.h runs them.
 */
#include <string.h>

#include "draw.h"
#include "internal.h"
#include "mix.h"
#include "sim_mixed.h"

/* What each process has a copy of. */
static struct memory {
	struct sim_mutex mutex[MIXED_OBJECTS];
	struct sim_cond cond[MIXED_OBJECTS];
	struct sim_sem sem[MIXED_OBJECTS];
	struct sim_var var[MIXED_OBJECTS];
	/* how often each was changed */
	int mutexes[MIXED_OBJECTS], conds[MIXED_OBJECTS], sems[MIXED_OBJECTS], vars[MIXED_OBJECTS];
} memory;

static const struct mixed_program *program;
static struct sim_pipe pipes[MIXED_OBJECTS];
static int pipe_changes[MIXED_OBJECTS];
static struct sim_timer timer;
static int at_op[MIXED_TASKS];
static uint64_t logs[MIXED_TASKS];

static int push(struct mixed_program *p, int task, enum mixed_kind kind, int a, int b)
{
	p->op[task][p->n[task]] = (struct mixed_op){ kind, a, b };
	return p->n[task]++;
}

/* A task other than @task that it can send a signal to. */
static int draw_target(const struct mixed_program *p, uint64_t *state, int task)
{
	return (task + 1 + below(state, p->tasks - 1)) % p->tasks;
}

/* An op that neither takes nor gives a mutex. */
static void push_simple(struct mixed_program *p, uint64_t *state, int task)
{
	static const enum mixed_kind usual[] = {
		MIXED_SIGNAL, MIXED_BROADCAST, MIXED_SEM_WAIT, MIXED_POST, MIXED_POST, MIXED_CHECK,
		MIXED_CHECK, MIXED_CAS, MIXED_ADD, MIXED_ADD, MIXED_ADD,
	};
	static const enum mixed_kind of_pipes[] = {
		MIXED_READ, MIXED_READ, MIXED_WRITE, MIXED_WRITE, MIXED_WRITE, MIXED_CLOSE,
	};
	enum mixed_kind kind = usual[below(state, ARRAY_SIZE(usual))];
	int object = below(state, MIXED_OBJECTS);

	if (p->has & MIXED_PIPES && below(state, 2))
		kind = of_pipes[below(state, ARRAY_SIZE(of_pipes))];
	else if (p->has & MIXED_SIGNALS && !below(state, 3))
		kind = MIXED_KILL;
	else if (p->has & MIXED_TIME && !below(state, 4))
		kind = below(state, 2) ? MIXED_SLEEP : MIXED_YIELD;
	else if (p->has & MIXED_TIMERS && !below(state, 3))
		kind = MIXED_TIMER;
	switch (kind) {
	case MIXED_CHECK:
		push(p, task, kind, object, 1 + below(state, 3));
		break;
	case MIXED_CAS:
		push(p, task, kind, object, below(state, 2));
		break;
	case MIXED_ADD:
		push(p, task, kind, object, 1 + below(state, 2));
		break;
	case MIXED_KILL:
		push(p, task, kind, draw_target(p, state, task), 0);
		break;
	default:
		push(p, task, kind, object, 0);
		break;
	}
}

/* Two ops between a lock and an unlock, or one. */
static void push_locked(struct mixed_program *p, uint64_t *state, int task)
{
	bool timed = p->has & MIXED_TIME && below(state, 2);
	int m = below(state, MIXED_OBJECTS), at;

	switch (below(state, 4)) {
	case 0:
		at = push(p, task, timed ? MIXED_TIMEDLOCK : MIXED_TRYLOCK, m, 0);
		push_simple(p, state, task);
		push(p, task, MIXED_UNLOCK, m, 0);
		p->op[task][at].b = p->n[task] - at - 1;
		break;
	case 1:
		push(p, task, MIXED_LOCK, m, 0);
		push(p, task, timed ? MIXED_TIMEDWAIT : MIXED_WAIT, below(state, MIXED_OBJECTS), m);
		push(p, task, MIXED_UNLOCK, m, 0);
		break;
	case 2:
		at = push(p, task, MIXED_TRYWAIT, m, 0);
		push_simple(p, state, task);
		p->op[task][at].b = p->n[task] - at - 1;
		break;
	default:
		push(p, task, MIXED_LOCK, m, 0);
		push_simple(p, state, task);
		push(p, task, MIXED_UNLOCK, m, 0);
		break;
	}
}

static void make_family(struct mixed_program *p, uint64_t *state)
{
	int i;

	for (i = 1; i < p->tasks; i++) {
		bool forks = p->has & MIXED_PROCESSES && (i == 1 || below(state, 2));

		/* Numbers go by creation, and T0 creates the one before the last one last. */
		p->parent[i] = i < p->tasks - 1 || below(state, 2) ? 0 : i - 1;
		p->process[i] = forks ? i : p->process[p->parent[i]];
		push(p, p->parent[i], forks ? MIXED_FORK : MIXED_CREATE, i, 0);
	}
}

/* Waits for ends, of children only. */
static void push_end(struct mixed_program *p, uint64_t *state, int task)
{
	int i;

	for (i = task + 1; i < p->tasks; i++)
		if (p->parent[i] == task && p->tasks < 4 && !below(state, 3))
			push(p, task, p->process[i] == p->process[task] ? MIXED_JOIN :
			     MIXED_WAIT_CHILD, i, 0);
}

/**
 * mixed_make() - a program
 * @p: where to
 * @seed: equal seeds give equal programs
 */
void mixed_make(struct mixed_program *p, uint64_t seed)
{
	static const enum mixed_kind of_handlers[] = { MIXED_ADD, MIXED_POST, MIXED_ADD };
	uint64_t state = seed;
	int task, i, blocks;

	memset(p, 0, sizeof(*p));
	p->seed = seed;
	p->tasks = 2 + seed % 5 / 2;
	for (i = 0; i < 3; i++)
		p->has |= 1U << below(&state, 6);
	for (i = 0; i < MIXED_OBJECTS; i++)
		p->value[i] = below(&state, 2);
	p->handlers = p->has & MIXED_SIGNALS ? below(&state, 3) : 0;
	for (i = 0; i < p->handlers; i++)
		p->handler[i] = (struct mixed_op){ of_handlers[below(&state, 3)],
						   below(&state, MIXED_OBJECTS), 1 };
	if (p->has & MIXED_TIMERS)
		push(p, 0, MIXED_ARM, 0, 0);
	make_family(p, &state);
	for (task = 0; task < p->tasks; task++) {
		/* Of four tasks one op each is as much as can be enumerated. */
		blocks = p->tasks == 4 ? below(&state, 2) : 1 + (p->tasks == 2 && below(&state, 2));
		for (i = 0; i < blocks; i++) {
			if (below(&state, 3) || p->tasks == 4)
				push_simple(p, &state, task);
			else
				push_locked(p, &state, task);
		}
		if (p->tasks == 2 || !below(&state, 3))
			push_simple(p, &state, task);
		push_end(p, &state, task);
	}
}

/**
 * mixed_print() - a program for people
 * @p: the program
 * @f: where to
 */
void mixed_print(const struct mixed_program *p, FILE *f)
{
	static const char *const names[__MIXED_KINDS] = {
		"create", "fork", "join", "wait_child", "lock", "trylock", "timedlock", "unlock",
		"wait", "timedwait", "signal", "broadcast", "sem_wait", "trywait", "post", "read",
		"write", "close", "kill", "arm", "timer", "sleep", "yield", "add", "check", "cas",
	};
	int task, i;

	fprintf(f, "# seed %llu, features %#x, semaphores %d %d\n", (unsigned long long)p->seed,
		p->has, p->value[0], p->value[1]);
	for (task = 0; task < p->tasks; task++) {
		fprintf(f, "# T%d of process %d:", task, p->process[task]);
		for (i = 0; i < p->n[task]; i++)
			fprintf(f, " %s(%d,%d)", names[p->op[task][i].kind], p->op[task][i].a,
				p->op[task][i].b);
		fprintf(f, "\n");
	}
	for (i = 0; i < p->handlers; i++)
		fprintf(f, "# handler: %s(%d,%d)\n", names[p->handler[i].kind], p->handler[i].a,
			p->handler[i].b);
}

uint64_t mixed_number(const struct mixed_program *p, bool fails, bool deadlock, int task,
		      const int at[MIXED_TASKS], const uint64_t log[MIXED_TASKS])
{
	uint64_t h = chess_mix(1, (uint64_t)fails << 1 | deadlock);
	int i;

	/* What came before a failure need not matter for it. */
	if (fails)
		return chess_mix(chess_mix(h, task), at[task]);
	for (i = 0; i < p->tasks; i++)
		h = chess_mix(chess_mix(h, at[i]), log[i]);
	return h;
}

uint64_t mixed_outcome(bool fails, bool deadlock, int task)
{
	return mixed_number(program, fails, deadlock, task, at_op, logs);
}

static void reset(void)
{
	int i;

	memset(&memory, 0, sizeof(memory));
	memset(at_op, 0, sizeof(at_op));
	memset(logs, 0, sizeof(logs));
	memset(pipe_changes, 0, sizeof(pipe_changes));
	timer = (struct sim_timer){ 0 };
	for (i = 0; i < MIXED_OBJECTS; i++) {
		memory.sem[i].value = program->value[i];
		pipes[i] = (struct sim_pipe){ .number = i + 1, .room = 1 };
	}
}

static void note(int kind, int64_t what)
{
	int task = sim_self();

	logs[task] = chess_mix(chess_mix(logs[task], kind), what);
}

static void body(void *arg);

/* Return: how many ops are left out after it. */
static int execute(const struct mixed_op *op)
{
	int a = op->a;
	bool yes;

	switch (op->kind) {
	case MIXED_CREATE:
		sim_create(body, (void *)(intptr_t)a);
		return 0;
	case MIXED_FORK:
		sim_fork(body, (void *)(intptr_t)a);
		return 0;
	case MIXED_JOIN:
		sim_join(a);
		return 0;
	case MIXED_WAIT_CHILD:
		sim_wait_child(a);
		sim_return();
		return 0;
	case MIXED_LOCK:
		sim_lock(&memory.mutex[a]);
		note(op->kind, memory.mutexes[a]++);
		return 0;
	case MIXED_TRYLOCK:
	case MIXED_TIMEDLOCK:
		yes = op->kind == MIXED_TRYLOCK ? sim_trylock(&memory.mutex[a]) :
						  sim_timedlock(&memory.mutex[a]);
		note(op->kind, yes ? memory.mutexes[a] : -1);
		memory.mutexes[a] += yes;
		return yes ? 0 : op->b;
	case MIXED_UNLOCK:
		sim_unlock(&memory.mutex[a]);
		note(op->kind, memory.mutexes[a]++);
		return 0;
	case MIXED_WAIT:
	case MIXED_TIMEDWAIT:
		yes = true;
		if (op->kind == MIXED_WAIT)
			sim_wait(&memory.cond[a], &memory.mutex[op->b]);
		else
			yes = sim_timedwait(&memory.cond[a], &memory.mutex[op->b]);
		note(op->kind, yes);
		note(op->kind, memory.mutexes[op->b]++);
		return 0;
	case MIXED_SIGNAL:
	case MIXED_BROADCAST:
		if (op->kind == MIXED_SIGNAL)
			sim_signal(&memory.cond[a]);
		else
			sim_broadcast(&memory.cond[a]);
		note(op->kind, memory.conds[a]++);
		return 0;
	case MIXED_SEM_WAIT:
		sim_sem_wait(&memory.sem[a]);
		note(op->kind, memory.sems[a]++);
		return 0;
	case MIXED_TRYWAIT:
		yes = sim_sem_trywait(&memory.sem[a]);
		note(op->kind, yes ? memory.sems[a] : -1);
		memory.sems[a] += yes;
		return yes ? 0 : op->b;
	case MIXED_POST:
		sim_sem_post(&memory.sem[a]);
		note(op->kind, memory.sems[a]++);
		return 0;
	case MIXED_READ:
		yes = sim_pipe_read(&pipes[a]);
		note(op->kind, yes ? pipe_changes[a] : -1);
		pipe_changes[a] += yes;
		return yes ? 0 : op->b;
	case MIXED_WRITE:
		sim_pipe_write(&pipes[a]);
		note(op->kind, pipe_changes[a]++);
		return 0;
	case MIXED_CLOSE:
		sim_pipe_close(&pipes[a]);
		return 0;
	case MIXED_KILL:
		sim_kill(a);
		return 0;
	case MIXED_ARM:
		sim_timer_arm(&timer, 50000);
		return 0;
	case MIXED_TIMER:
		sim_timer_read(&timer);
		return 0;
	case MIXED_SLEEP:
		sim_sleep(20000);
		return 0;
	case MIXED_YIELD:
		sim_yield();
		return 0;
	case MIXED_ADD:
		note(op->kind, sim_add(&memory.var[a], op->b));
		note(op->kind, memory.vars[a]++);
		return 0;
	case MIXED_CHECK:
		sim_assert(sim_load(&memory.var[a]) != op->b);
		note(op->kind, memory.vars[a]);
		return 0;
	case MIXED_CAS:
		yes = sim_cas(&memory.var[a], op->b, op->b + 1);
		note(op->kind, memory.vars[a]);
		memory.vars[a] += yes;
		return 0;
	case __MIXED_KINDS:
		break;
	}
	return 0;
}

static void body(void *arg)
{
	int task = (intptr_t)arg, i, skip;

	for (i = 0; i < program->n[task]; i++) {
		at_op[task] = i;
		skip = execute(&program->op[task][i]);
		if (program->op[task][i].kind >= MIXED_READ &&
		    program->op[task][i].kind <= MIXED_SLEEP)
			sim_return();
		i += skip;
	}
	at_op[task] = i;
}

static void handler(void)
{
	int i;

	note(MIXED_HANDLER, 0);
	for (i = 0; i < program->handlers; i++)
		execute(&program->handler[i]);
}

const struct sim_program *mixed_sim(const struct mixed_program *p)
{
	static struct sim_program sim = {
		.name = "mixed", .reset = reset, .main = body, .data = &memory,
		.data_size = sizeof(memory), .pipes = MIXED_OBJECTS, .handler = handler,
	};

	program = p;
	sim.plain_end = p->has & MIXED_SILENT && !(p->has & MIXED_PROCESSES);
	return &sim;
}

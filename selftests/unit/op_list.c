// SPDX-License-Identifier: GPL-2.0-only
/*
 * See op_list.h.
 */
#include <stdlib.h>
#include <string.h>

#include "op_list.h"
#include "sim_internal.h"
#include "../harness.h"

#define MAX_LOCKS	4
/* Yields move the clock as well; so many do not come near a deadline. */
#define UNIT		1000000000ULL

unsigned int op_list_every = 1;

/* The run: what it is of, and what has been done in it. */
static const struct op_list *program;
static int owner[MAX_LOCKS];		/* 0: free; else id + 1 */
static int sum;
static uint64_t deadline[MAX_BLOCKS];
static size_t n_blocks;

static void reset(void)
{
	memset(owner, 0, sizeof(owner));
	sum = 0;
	n_blocks = 0;
}

void op_list_deadlines(uint64_t out[MAX_BLOCKS])
{
	memcpy(out, deadline, n_blocks * sizeof(*deadline));
}

/* Return: false: the deadline passed. */
static bool block(const void *object, int timeout)
{
	struct sim *s = sim_now;

	ASSERT_LT(n_blocks, (size_t)MAX_BLOCKS);
	deadline[n_blocks] = timeout ? s->now + timeout * UNIT : 0;
	sim_block(s, object, deadline[n_blocks++]);
	return !s->token->timed_out;
}

static void lock(int *l, int timeout)
{
	while (*l)
		if (!block(l, timeout))
			return;
	*l = sim_self() + 1;
}

static void unlock(int *l)
{
	if (*l != sim_self() + 1)
		return;
	*l = 0;
	sim_wake_all(sim_now, l);
}

static void do_op(const struct op *op)
{
	static const struct sim_op step = { .op = CHESS_OP_OTHER };

	if (op->kind == YIELD) {
		sim_yield();
		return;
	}
	/* sim_sleep() and sim_timedlock() are yields. */
	sim_touch(&step, NULL, op);
	switch (op->kind) {
	case LOCK:
		lock(&owner[op->arg], 0);
		break;
	case TIMED_LOCK:
		lock(&owner[op->arg], LOCK_TIMEOUT);
		break;
	case UNLOCK:
		unlock(&owner[op->arg]);
		break;
	case SLEEP:
		block(NULL, op->arg);
		break;
	case ADD:
		sum += op->arg;
		break;
	case FAIL_IF:
		sim_assert(sum != op->arg);
		break;
	default:
		break;
	}
}

static void do_ops(void *arg)
{
	int task = sim_self(), pc;

	(void)arg;
	for (pc = 0; pc < program->n[task]; pc++) {
		const struct op *op = &program->ops[task][pc];

		do_op(op);
		if (op->kind == BACK_UNLESS && sum != op->arg)
			pc -= 2;
	}
}

/*
 * sim_create() is a point; these tasks are there before the first one. A number that no
 * task has is taken all the same.
 */
static void start_all(void *arg)
{
	struct sim *s = sim_now;
	int t;

	for (t = 1; t < program->tasks; t++) {
		sim_new_task(s, do_ops, NULL);
		if (!program->ops[t]) {
			chess_set_remove(&s->enabled, t);
			s->task[t]->dead = true;
			s->n_alive--;
			continue;
		}
		sim_push(s, &(struct chess_event) {
			.type = CHESS_EVENT_SPAWN,
			.object_kind = CHESS_OBJECT_TASK,
			.chosen = CHESS_TASK_NONE,
			.object = t,
		});
	}
	do_ops(arg);
}

int op_list_run(const struct op_list *p, const struct chess_plan *plan,
		struct chess_run_result *out)
{
	static const struct sim_program ops = {
		.name = "op_list", .reset = reset, .main = start_all, .plain_end = true,
	};
	const struct sim_opts how = { .unfair = !op_list_every, .fair_k = op_list_every };
	static unsigned int every;
	static struct sim *sim;
	struct chess_executor x;

	if (!sim || every != op_list_every) {
		sim_free(sim);
		sim = sim_new(&ops, &how);
		every = op_list_every;
	}
	program = p;
	x = sim_executor(sim);
	return x.run(x.ctx, plan, out);
}

static int run_program(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	const struct box *b = ctx;

	return op_list_run(b->p, plan, out);
}

static int run_box(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct box *b = ctx;
	struct chess_executor x = { .run = run_program, .ctx = b };
	int ret = faulty_run(&b->fault, b->n_seen + 1, &x, plan, out);
	struct chess_schedule *done;

	if (ret)
		return ret;
	done = chess_record_schedule(out->record);
	b->seen = realloc(b->seen, (b->n_seen + 1) * sizeof(*b->seen));
	b->seen[b->n_seen] = chess_schedule_encode(done);
	if (b->n_seen < ARRAY_LENGTH(b->costs))
		b->costs[b->n_seen] = chess_record_preemptions(out->record);
	b->n_seen++;
	chess_schedule_free(done);
	return 0;
}

struct chess_executor op_list_executor(struct box *b)
{
	return (struct chess_executor) { .run = run_box, .ctx = b };
}

int op_list_explore(struct box *b, const struct chess_explore_opts *opts,
		    struct chess_explore_result *out)
{
	struct chess_executor x = op_list_executor(b);

	return chess_explore(&x, opts, out);
}

void op_list_forget(struct box *b)
{
	while (b->n_seen)
		free(b->seen[--b->n_seen]);
	free(b->seen);
	b->seen = NULL;
}

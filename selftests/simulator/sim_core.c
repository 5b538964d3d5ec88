// SPDX-License-Identifier: GPL-2.0-only
/*
 * A run of a modelled program: its tasks and their stacks, how it ends, and the
 * executor that chess_explore() calls. A run begins in sim_run() on the caller's
 * stack, goes from task to task in sim_go_to(), and is back in sim_run() at
 * sim_end(): whatever the bodies were about to do is dropped with their stacks.
 *
 * All stacks are in one piece of address space, each with a page before it that
 * nobody may touch, and are used again by the next run.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "record/depend.h"
#include "sim_internal.h"

#define STACK_BYTES	(64 * 1024)
#define GUARD_BYTES	4096
#define STACK_STRIDE	((size_t)STACK_BYTES + GUARD_BYTES)

/* Names of objects: addresses in the program count from its start, those on stacks
 * from the first stack; what is elsewhere is numbered in the order of first use.
 */
#define NAME_STACK	(1ULL << 40)
#define NAME_HEAP	(2ULL << 40)

struct sim *sim_now;

static char *stacks;

bool sim_is_named(const void *object)
{
	const char *p = object;

	return (p >= __executable_start && p < _end) ||
	       (p >= stacks && p < stacks + STACK_STRIDE * CHESS_MAX_TASKS);
}

/* Memory of a process is laid out again each time it starts; names must not be. */
uint64_t sim_name(struct sim *s, const void *object)
{
	const char *p = object;
	size_t i;

	if (p >= __executable_start && p < _end)
		return p - __executable_start;
	if (p >= stacks && p < stacks + STACK_STRIDE * CHESS_MAX_TASKS)
		return NAME_STACK + (p - stacks);
	for (i = 0; i < s->n_named; i++)
		if (s->named[i] == object)
			return NAME_HEAP + i;
	if (s->n_named == s->named_room) {
		s->named_room = s->named_room ? s->named_room * 2 : 16;
		s->named = realloc(s->named, s->named_room * sizeof(*s->named));
		assert(s->named);
	}
	s->named[s->n_named] = object;
	return NAME_HEAP + s->n_named++;
}

void sim_go_to(struct sim *s, unsigned int task)
{
	struct sim_task *from = s->token;

	if (from->id == task)
		return;
	s->token = s->task[task];
	sim_load_process(s, from->process, s->token->process);
	sim_switch(&from->sp, s->token->sp);
}

void sim_end(struct sim *s, enum chess_verdict v)
{
	void *dropped;

	if (!s->verdict)
		s->verdict = v;
	sim_switch(&dropped, s->driver);
	abort();
}

/* The program dies as a process does: with all tasks, by what the running one did. */
void sim_die(struct sim *s, enum chess_verdict v, int status)
{
	unsigned int id, self = s->token->id;

	for (id = 0; id < s->n_tasks; id++) {
		if (id == self || s->task[id]->dead)
			continue;
		sim_push(s, &(struct chess_event){
			.type = CHESS_EVENT_KILLED,
			.object_kind = CHESS_OBJECT_CODE,
			.task = id,
			.chosen = CHESS_TASK_NONE,
			.object = status,
		});
	}
	sim_push(s, &(struct chess_event){
		.type = CHESS_EVENT_EXIT,
		.object_kind = CHESS_OBJECT_CODE,
		.task = self,
		.chosen = CHESS_TASK_NONE,
		.object = status,
	});
	s->status = status;
	/* What a program exits with is said of its first task. */
	if (v != CHESS_VERDICT_OK)
		s->bad_task = v == CHESS_VERDICT_ASSERT ? self : 0;
	sim_end(s, v);
}

static void task_entry(void)
{
	struct sim *s = sim_now;
	struct sim_task *t = s->token;

	t->body(t->arg);
	sim_end_task(s);
	abort();
}

/* Room for one more task; those of earlier runs are used again. */
static struct sim_task *task_room(struct sim *s)
{
	size_t room = s->room ? s->room * 2 : 8, i;
	struct sim_task *t;

	assert(s->n_tasks < (s->opts.enabled == SIM_CHESS ? 64 : CHESS_MAX_TASKS));
	if (s->n_tasks == s->room) {
		s->task = realloc(s->task, room * sizeof(*s->task));
		assert(s->task);
		for (i = s->room; i < room; i++)
			s->task[i] = NULL;
		s->room = room;
	}
	t = s->task[s->n_tasks];
	if (t)
		return t;
	t = calloc(1, sizeof(*t));
	assert(t);
	t->id = s->n_tasks;
	t->stack = stacks + t->id * STACK_STRIDE + GUARD_BYTES;
	if (mprotect(t->stack, STACK_BYTES, PROT_READ | PROT_WRITE)) {
		perror("sim: no memory for a stack");
		abort();
	}
	s->task[t->id] = t;
	return t;
}

unsigned int sim_new_task(struct sim *s, void (*body)(void *arg), void *arg)
{
	struct sim_task *t = task_room(s);

	t->body = body;
	t->arg = arg;
	t->dead = false;
	t->queue = NULL;
	t->timed_out = false;
	t->gate = NULL;
	t->at = 0;
	t->waits_at = 0;
	t->process = s->token ? s->token->process : 0;
	t->points = 0;
	t->pending = false;
	t->handling = false;
	s->process[t->process].alive++;
	t->sp = sim_switch_prepare(t->stack + STACK_BYTES, task_entry);
	chess_set_add(&s->enabled, t->id);
	s->n_tasks++;
	s->n_alive++;
	return t->id;
}

static int set_prefix(struct sim *s, const struct chess_schedule *prefix, size_t length)
{
	struct chess_segment *more;
	size_t i, n = 0;

	for (i = 0; i < length; i++) {
		unsigned int task = chess_schedule_task(prefix, i);

		if (n && s->segment[n - 1].task == task) {
			s->segment[n - 1].count++;
			continue;
		}
		if (n == s->segment_room) {
			more = realloc(s->segment, (n ? n * 2 : 64) * sizeof(*more));
			if (!more)
				return chess_set_error(ENOMEM, "no memory for a prefix");
			s->segment = more;
			s->segment_room = n ? n * 2 : 64;
		}
		s->segment[n++] = (struct chess_segment){ .count = 1, .task = task };
	}
	s->prefix = (struct chess_prefix){ .segments = s->segment, .count = n };
	return 0;
}

/* As chess_plan_set() of kmod/plan.c does. */
static int set_policy(struct sim *s, const struct chess_plan *plan)
{
	struct chess_policy *p = &s->policy;
	size_t i;

	p->kind = plan->policy;
	p->seed = plan->seed;
	p->object_kind = plan->object_kind;
	p->object = plan->object;
	p->n_changes = plan->n_changes;
	for (i = 0; i < plan->n_changes; i++)
		p->changes[i] = plan->changes[i];
	chess_policy_start(p);
	if (!p->kind)
		return 0;
	if (!p->tasks)
		p->tasks = calloc(CHESS_MAX_TASKS, sizeof(*p->tasks));
	if (!p->tasks)
		return chess_set_error(ENOMEM, "no memory for a policy");
	for (i = 0; p->kind == CHESS_POLICY_KIND_SURW && i < CHESS_MAX_TASKS; i++)
		p->tasks[i].weight = i < plan->n_weights ? plan->weights[i] : 0;
	return 0;
}

/* Files that have no name, so that the library takes them for pipes. */
static void name_pipes(struct sim *s)
{
	struct chess_object_name name[64];
	unsigned int i, n = s->program->pipes;

	if (!n)
		return;
	assert(n <= 64);
	for (i = 0; i < n; i++)
		name[i] = (struct chess_object_name){ .ino = i + 1, .dev = CHESS_DEVICE_NAMELESS };
	s->error = chess_record_set_objects(s->record, name, n * sizeof(*name));
	assert(!s->error);
}

static void start(struct sim *s)
{
	unsigned int i;

	chess_set_clear(&s->enabled);
	chess_set_clear(&s->timed);
	chess_set_clear(&s->queued);
	chess_set_clear(&s->gated);
	chess_fair_init(&s->fair, s->opts.unfair ? 0 : s->opts.fair_k);
	chess_record_set_fair(s->record, s->fair.every);
	chess_record_set_yield_await(s->record, true);
	s->n_tasks = 0;
	s->n_alive = 0;
	s->n_named = 0;
	s->n_accesses = 0;
	s->order = 0;
	s->seq = 0;
	s->points = 0;
	s->decisions = 0;
	s->diverged_at = SIZE_MAX;
	s->now = SIM_CLOCK_START;
	s->error = 0;
	s->verdict = 0;
	s->status = 0;
	s->bad_task = -1;
	for (i = 0; i < SIM_PROCESSES; i++) {
		s->process[i].alive = 0;
		s->process[i].closed = 0;
	}
	s->processes = 1;
	s->timer = NULL;
	s->token = NULL;
	name_pipes(s);
	if (s->program->reset)
		s->program->reset();
	sim_new_task(s, s->program->main, NULL);
	s->token = s->task[0];
	sim_now = s;
}

static int hand_over_accesses(struct sim *s, struct chess_run_result *out)
{
	out->accesses = malloc((s->n_accesses + 1) * sizeof(*out->accesses));
	if (!out->accesses)
		return chess_set_error(ENOMEM, "no memory for %zu accesses", s->n_accesses);
	if (s->n_accesses)
		memcpy(out->accesses, s->access, s->n_accesses * sizeof(*out->accesses));
	out->n_accesses = s->n_accesses;
	return 0;
}

static int sim_run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct sim *s = ctx;
	int ret = set_prefix(s, plan->prefix, plan->length);

	if (!ret)
		ret = set_policy(s, plan);
	if (ret)
		return ret;
	s->record = s->spare ? s->spare : chess_record_new();
	s->spare = NULL;
	if (!s->record)
		return -ENOMEM;
	start(s);
	sim_switch(&s->driver, s->token->sp);
	sim_now = NULL;
	if (s->error && s->error != -EOVERFLOW) {
		chess_record_free(s->record);
		return s->error;
	}
	/* As chess_verdict_judge(): what is wrong with the program comes first. */
	if (s->verdict == CHESS_VERDICT_OK && s->decisions < plan->length) {
		s->verdict = CHESS_VERDICT_DIVERGED;
		s->diverged_at = s->decisions;
	}
	*out = (struct chess_run_result){
		.verdict = s->verdict,
		.status = s->status,
		.bad_task = s->bad_task,
		.bad_status = s->bad_task < 0 ? 0 : s->status,
		.record = s->record,
		.diverged_at = s->diverged_at,
		.outside_task = CHESS_TASK_NONE,
	};
	return s->opts.accesses ? hand_over_accesses(s, out) : 0;
}

static void sim_drop(void *ctx, struct chess_run_result *res)
{
	struct sim *s = ctx;

	if (!s->spare && res->record) {
		s->spare = res->record;
		chess_record_clear(s->spare);
		res->record = NULL;
	}
	chess_run_result_clear(res);
}

/**
 * sim_new() - a program to be searched
 * @p: the program; must stay
 * @o: how it is run
 *
 * Return: never NULL.
 */
struct sim *sim_new(const struct sim_program *p, const struct sim_opts *o)
{
	struct sim *s = calloc(1, sizeof(*s));

	assert(s);
	if (!stacks) {
		stacks = mmap(NULL, STACK_STRIDE * CHESS_MAX_TASKS, PROT_NONE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		assert(stacks != MAP_FAILED);
	}
	s->program = p;
	s->opts = *o;
	if (!s->opts.max_points)
		s->opts.max_points = SIM_MAX_POINTS;
	if (!s->opts.fair_k)
		s->opts.fair_k = 1;
	sim_ops_init();
	return s;
}

/**
 * sim_free() - end of the search
 * @s: from sim_new(), or NULL
 */
void sim_free(struct sim *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->room; i++)
		free(s->task[i]);
	for (i = 0; i < SIM_PROCESSES; i++)
		free(s->process[i].data);
	free(s->task);
	chess_record_free(s->spare);
	free(s->segment);
	free(s->policy.tasks);
	free(s->named);
	free(s->access);
	free(s->site);
	free(s->point);
	free(s);
}

/**
 * sim_executor() - what chess_explore() calls
 * @s: the program
 *
 * Return: an executor, valid as long as @s.
 */
struct chess_executor sim_executor(struct sim *s)
{
	return (struct chess_executor){ .run = sim_run, .ctx = s, .drop = sim_drop };
}

/**
 * sim_run_once() - one run, without a search
 * @p: the program
 * @o: how it is run
 * @prefix: text of a schedule
 *
 * Return: its result; chess_run_result_clear() it.
 */
struct chess_run_result sim_run_once(const struct sim_program *p, const struct sim_opts *o,
				     const char *prefix)
{
	struct chess_plan plan = { .prefix = chess_schedule_decode(prefix) };
	struct sim *s = sim_new(p, o);
	struct chess_run_result res;
	int ret;

	assert(plan.prefix);
	plan.length = chess_schedule_length(plan.prefix);
	ret = sim_run(s, &plan, &res);
	assert(!ret);
	chess_schedule_free(plan.prefix);
	sim_free(s);
	return res;
}

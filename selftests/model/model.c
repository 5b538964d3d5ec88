// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks as coroutines, and the enumeration: run the program from its start along
 * a list of choices, note how many choices each decision had, then advance the
 * list like an odometer until every list was run. Nothing is cached, merged or
 * pruned; that is the point of it.
 *
 * The rule, in full. Before each op there is a decision among the enabled tasks that
 * Algorithm 1 of Fair Stateless Model Checking (PLDI'08) allows. The running task is
 * free, every other costs one preemption, or nothing where the running one is not
 * allowed. At a yield all are free, the yielding task among them. When the running task
 * blocks or dies, all are free. A task that sleeps with a deadline may be chosen as well,
 * its deadline passes then, which is a step of it that yields: that costs one preemption,
 * but for the earliest deadline (of equal ones the lowest task's) where nobody is enabled
 * or nobody but a task that yields; that one does not go on then. Of the threads that may
 * take a signal each is free. Where there is one choice there is nothing to decide.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "model.h"

#define MAX_TASKS	8
#define MAX_DECISIONS	8192
#define MAX_POINTS	4000
#define STACK_BYTES	(64 * 1024)
#define NOBODY		MAX_TASKS

enum task_state { TASK_UNUSED, TASK_ENABLED, TASK_ASLEEP, TASK_DEAD };

struct task {
	enum task_state state;
	unsigned int process;
	bool leader;		/* its return ends the process */
	const void *key;	/* what it sleeps on */
	unsigned int since;	/* order among sleepers */
	uint64_t deadline;	/* while asleep; 0: none */
	bool timed_out;
	void (*handler)(void);	/* of a signal it has taken; NULL: none */
	unsigned int points;	/* that it had */
	void (*fn)(void *arg);
	void *arg;
	ucontext_t context;
	/* of the paper; bit N: task N */
	unsigned int first, enabled, disabled, scheduled;
};

struct process {
	bool dead;
	int status;
};

static struct task tasks[MAX_TASKS];
static struct process processes[MAX_TASKS];
static char stacks[MAX_TASKS][STACK_BYTES] __attribute__((aligned(16)));
static unsigned int n_tasks, n_processes, current, sleep_order;
static uint64_t clock_now;
bool model_wake_any;
static void (*exit_hook)(unsigned int process);
static ucontext_t driver;
static const struct model_program *program;

/* the run in progress */
static enum model_verdict verdict;
static unsigned int points, budget;
static unsigned int before;	/* enabled before the step that is being taken */
static bool endless;
static model_choose_fn chooser;
static void *chooser_arg;

/* the odometer: choice[i] of width[i] at the i-th decision that had a choice */
static unsigned int choice[MAX_DECISIONS], width[MAX_DECISIONS];
static unsigned int depth, forced;

const char *model_verdict_name(enum model_verdict v)
{
	static const char *const names[__MODEL_VERDICT_MAX] = {
		[MODEL_OK] = "ok", [MODEL_ASSERT] = "assert", [MODEL_CRASH] = "crash",
		[MODEL_DEADLOCK] = "deadlock", [MODEL_EXIT] = "exit",
		[MODEL_LIVELOCK] = "livelock",
	};

	return names[v];
}

static void __attribute__((noreturn)) end_run(enum model_verdict v)
{
	verdict = v;
	setcontext(&driver);
	abort();
}

void model_check(bool ok, enum model_verdict v)
{
	if (!ok)
		end_run(v);
}

static bool has_deadline(unsigned int task)
{
	return tasks[task].state == TASK_ASLEEP && tasks[task].deadline;
}

/* NOBODY if no task has a deadline. */
static unsigned int earliest(void)
{
	unsigned int i, first = NOBODY;

	for (i = 0; i < n_tasks; i++)
		if (has_deadline(i) &&
		    (first == NOBODY || tasks[i].deadline < tasks[first].deadline))
			first = i;
	return first;
}

static void wake(struct task *t, bool timed_out)
{
	t->state = TASK_ENABLED;
	t->timed_out = timed_out;
	t->deadline = 0;
}

static unsigned int enabled_now(void)
{
	unsigned int i, es = 0;

	for (i = 0; i < n_tasks; i++)
		if (tasks[i].state == TASK_ENABLED)
			es |= 1u << i;
	return es;
}

/*
 * Algorithm 1, from line 12 on: @id took a step. What the paper calls P, E, D and S of u
 * are the last four fields of u; it starts with D and S full.
 */
static void stepped(unsigned int id, bool yields)
{
	struct task *t = &tasks[id], *u;
	unsigned int now = enabled_now();

	for (u = tasks; u < tasks + MAX_TASKS; u++) {
		u->first &= ~(1u << id);
		u->enabled &= now;
		u->scheduled |= 1u << id;
	}
	t->disabled |= before & ~now;
	if (yields) {
		t->first |= (t->enabled | t->disabled) & ~t->scheduled;
		t->enabled = now;
		t->disabled = t->scheduled = 0;
	}
	before = now;
}

/* Its line 7: tasks that are enabled and need not let another go first. */
static unsigned int allowed_now(void)
{
	unsigned int i, now = enabled_now(), allowed = now;

	for (i = 0; i < n_tasks; i++)
		if (tasks[i].first & now)
			allowed &= ~(1u << i);
	return allowed;
}

/* @next was chosen: if it sleeps, its deadline passes. */
static unsigned int let_go(unsigned int next)
{
	struct task *t = &tasks[next];

	if (t->state == TASK_ENABLED)
		return next;
	if (clock_now < t->deadline)
		clock_now = t->deadline;
	wake(t, true);
	stepped(next, true);
	return next;
}

/* Which of @n options; where there is only one it is not a decision. */
static unsigned int pick(unsigned int n)
{
	if (n == 1)
		return 0;
	assert(depth < MAX_DECISIONS);
	if (depth >= forced) {
		choice[depth] = 0;
		width[depth] = n;
	}
	/* the program must offer the same choices again, or the model is wrong */
	assert(width[depth] == n);
	return choice[depth++];
}

/* Who goes on; NOBODY if no task is enabled and none has a deadline. */
static unsigned int decide(enum model_decision kind)
{
	unsigned int option[MAX_TASKS], cost[MAX_TASKS], n = 0, next, i, c;
	unsigned int enabled, allowed, timed = 0;
	bool waits;

	stepped(current, kind == MODEL_AT_YIELD);
	enabled = enabled_now();
	allowed = allowed_now();
	for (i = 0; i < n_tasks; i++)
		timed |= (unsigned int)has_deadline(i) << i;
	if (chooser) {
		next = chooser(chooser_arg, kind, current, enabled, allowed, timed, earliest());
		if (!enabled && !timed)
			return NOBODY;
		assert(next < n_tasks && ((enabled | timed) >> next & 1));
		return let_go(next);
	}
	if (!enabled && !timed)
		return NOBODY;

	/* only for time to pass */
	waits = timed && (!enabled || (kind == MODEL_AT_YIELD && enabled == 1u << current));
	if (waits)
		allowed = 0;
	for (i = 0; i < n_tasks; i++) {
		if (!((allowed | timed) >> i & 1))
			continue;
		c = kind == MODEL_AT_POINT && i != current && (allowed >> current & 1);
		if (timed >> i & 1)
			c = !waits || i != earliest();
		if (c > budget)
			continue;
		option[n] = i;
		cost[n++] = c;
	}
	assert(n);
	i = pick(n);
	/* without a choice there is no budget to go over */
	if (n > 1)
		budget -= cost[i];
	return let_go(option[i]);
}

static void go_to(unsigned int next)
{
	unsigned int from = current;

	if (next == from)
		return;
	current = next;
	swapcontext(&tasks[from].context, &tasks[next].context);
}

/* Return: whether it had points. */
static bool run_handler(void)
{
	void (*handler)(void) = tasks[current].handler;
	unsigned int had = tasks[current].points;

	tasks[current].handler = NULL;
	if (handler)
		handler();
	return tasks[current].points != had;
}

void model_signal(uint64_t takers, void (*handler)(void))
{
	unsigned int option[MAX_TASKS], n = 0, i, taker;

	for (i = 0; i < n_tasks; i++)
		if (takers >> i & 1)
			option[n++] = i;
	assert(n);
	taker = option[0];
	if (n > 1 && chooser)
		taker = chooser(chooser_arg, MODEL_AT_SIGNAL, current, takers, takers, 0, NOBODY);
	else
		taker = option[pick(n)];
	tasks[taker].handler = handler;
	if (tasks[taker].state == TASK_ASLEEP)
		wake(&tasks[taker], false);
}

static void count_point(void)
{
	tasks[current].points++;
	if (++points > MAX_POINTS) {
		endless = true;
		end_run(MODEL_LIVELOCK);
	}
}

static bool take_point(void)
{
	count_point();
	go_to(decide(MODEL_AT_POINT));
	return run_handler();
}

void model_point(void)
{
	take_point();
}

void model_call(void)
{
	while (take_point())
		;
}

void model_yield(void)
{
	count_point();
	go_to(decide(MODEL_AT_YIELD));
}

/* The running task cannot go on: it sleeps or is dead. */
static void leave(void)
{
	unsigned int next = decide(MODEL_AT_BLOCK), i;

	if (next != NOBODY) {
		go_to(next);
		return;
	}
	for (i = 0; i < n_tasks; i++)
		if (tasks[i].state == TASK_ASLEEP)
			end_run(MODEL_DEADLOCK);
	end_run(MODEL_OK);
}

/* Return: whether a handler had points. */
static bool sleep_until(const void *key, uint64_t deadline)
{
	struct task *t = &tasks[current];

	t->state = TASK_ASLEEP;
	t->key = key;
	t->since = sleep_order++;
	t->deadline = deadline;
	leave();
	return run_handler();
}

bool model_sleep_until(const void *key, uint64_t deadline)
{
	sleep_until(key, deadline);
	return tasks[current].timed_out;
}

void model_sleep(const void *key)
{
	sleep_until(key, 0);
}

void model_wait(const void *key)
{
	if (sleep_until(key, 0))
		model_call();
}

uint64_t model_clock(void)
{
	return clock_now;
}

/* Those asleep on @key, in the order they came. */
static unsigned int sleepers(const void *key, struct task *line[MAX_TASKS])
{
	unsigned int n = 0, i, k;

	for (i = 0; i < n_tasks; i++) {
		struct task *t = &tasks[i];

		if (t->state != TASK_ASLEEP || t->key != key)
			continue;
		for (k = n++; k && line[k - 1]->since > t->since; k--)
			line[k] = line[k - 1];
		line[k] = t;
	}
	return n;
}

unsigned int model_wake(const void *key, unsigned int count)
{
	struct task *line[MAX_TASKS];
	unsigned int n = sleepers(key, line), from = 0, i;

	/* Those in front of the chosen one go to the end of the line. */
	if (model_wake_any && n > count && !chooser)
		from = pick(n);
	for (i = 0; i < from; i++)
		line[i]->since = sleep_order++;
	n = sleepers(key, line);
	for (i = 0; i < n && i < count; i++)
		wake(line[i], false);
	return i;
}

unsigned int model_self(void)
{
	return current;
}

unsigned int model_process(void)
{
	return tasks[current].process;
}

bool model_is_dead(unsigned int task)
{
	return tasks[task].state == TASK_DEAD;
}

bool model_process_is_dead(unsigned int process)
{
	return processes[process].dead;
}

int model_process_status(unsigned int process)
{
	return processes[process].status;
}

void model_process_exit_hook(void (*fn)(unsigned int process))
{
	exit_hook = fn;
}

static void process_end(unsigned int process, int code)
{
	unsigned int i;

	processes[process].dead = true;
	processes[process].status = code;
	for (i = 0; i < n_tasks; i++)
		if (tasks[i].process == process)
			tasks[i].state = TASK_DEAD;
	if (exit_hook)
		exit_hook(process);
	model_wake(&processes[process], ~0u);
}

void m_exit_group(int code)
{
	model_point();
	/* what the root process hands back is the program's result */
	if (!model_process())
		model_check(code == 0, MODEL_EXIT);
	process_end(model_process(), code);
	leave();
}

static void thread_ends(void)
{
	struct task *t = &tasks[current];

	t->state = TASK_DEAD;
	model_wake(t, ~0u);
	leave();
	abort();
}

void m_return(void)
{
	thread_ends();
}

void model_kill(unsigned int process)
{
	process_end(process, 9);
}

static void task_start(void)
{
	struct task *t = &tasks[current];

	t->fn(t->arg);
	if (t->leader)
		m_exit_group(0);
	model_point();		/* exit(2) of a thread */
	thread_ends();
}

static void task_init(unsigned int id, unsigned int process, bool leader,
		      void (*fn)(void *), void *arg)
{
	struct task *t = &tasks[id];

	t->state = TASK_ENABLED;
	t->process = process;
	t->leader = leader;
	t->fn = fn;
	t->arg = arg;
	t->disabled = t->scheduled = ~0u;
	getcontext(&t->context);
	t->context.uc_stack.ss_sp = stacks[id];
	t->context.uc_stack.ss_size = STACK_BYTES;
	t->context.uc_link = NULL;
	makecontext(&t->context, task_start, 0);
}

unsigned int model_spawn(void (*fn)(void *), void *arg, bool process)
{
	assert(n_tasks < MAX_TASKS);
	task_init(n_tasks, process ? n_processes++ : model_process(), process, fn, arg);
	return n_tasks++;
}

unsigned int m_create(void (*fn)(void *), void *arg)
{
	model_point();
	return model_spawn(fn, arg, false);
}

void m_join(unsigned int task)
{
	model_point();
	while (!model_is_dead(task))
		model_sleep(&tasks[task]);
}

unsigned int m_fork(void (*fn)(void *), void *arg)
{
	model_point();
	return tasks[model_spawn(fn, arg, true)].process;
}

int m_waitpid(unsigned int process)
{
	model_call();
	while (!processes[process].dead)
		model_wait(&processes[process]);
	return processes[process].status;
}

static void root(void *arg)
{
	(void)arg;
	program->main();
}

static void run_once(unsigned int bound)
{
	memset(tasks, 0, sizeof(tasks));
	memset(processes, 0, sizeof(processes));
	n_tasks = n_processes = 1;
	current = sleep_order = points = depth = 0;
	clock_now = 1;
	exit_hook = NULL;
	program->reset();
	budget = bound;
	task_init(0, 0, true, root, NULL);
	before = 1;
	swapcontext(&driver, &tasks[0].context);
}

struct model_result model_enumerate(const struct model_program *p, unsigned int bound,
				    uint64_t limit)
{
	struct model_result r = { 0 };

	program = p;
	chooser = NULL;
	endless = false;
	forced = 0;
	while (r.runs < limit && !endless) {
		run_once(bound);
		r.runs++;
		r.ended[verdict]++;
		if (points > r.max_points)
			r.max_points = points;
		if (depth > r.max_branches)
			r.max_branches = depth;
		while (depth && choice[depth - 1] + 1 == width[depth - 1])
			depth--;
		if (!depth)
			break;
		choice[depth - 1]++;
		forced = depth;
	}
	r.endless = endless;
	return r;
}

enum model_verdict model_run(const struct model_program *p, model_choose_fn choose, void *arg)
{
	program = p;
	chooser = choose;
	chooser_arg = arg;
	run_once(0);
	return verdict;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ops of the user-space model as events tell them, and those that are about tasks,
 * time and the end of the program. What has a counterpart in pthread is recorded as the
 * module tells that one: libchessctl/code/wrappers.c says how.
 */
#include <assert.h>
#include <signal.h>
#include <sys/syscall.h>

#include "sim_internal.h"
#include "code/wrappers.h"

struct sim_op sim_function[__SIM_FUNCTIONS];

static const char *const symbols[__SIM_FUNCTIONS] = {
	[SIM_MUTEX_LOCK] = "pthread_mutex_lock",
	[SIM_MUTEX_TRYLOCK] = "pthread_mutex_trylock",
	[SIM_MUTEX_TIMEDLOCK] = "pthread_mutex_timedlock",
	[SIM_MUTEX_UNLOCK] = "pthread_mutex_unlock",
	[SIM_COND_WAIT] = "pthread_cond_wait",
	[SIM_COND_TIMEDWAIT] = "pthread_cond_timedwait",
	[SIM_COND_SIGNAL] = "pthread_cond_signal",
	[SIM_COND_BROADCAST] = "pthread_cond_broadcast",
	[SIM_RDLOCK] = "pthread_rwlock_rdlock",
	[SIM_WRLOCK] = "pthread_rwlock_wrlock",
	[SIM_RWUNLOCK] = "pthread_rwlock_unlock",
	[SIM_BARRIER_WAIT] = "pthread_barrier_wait",
	[SIM_CREATE] = "pthread_create",
	[SIM_JOIN] = "pthread_join",
	[SIM_SEM_WAIT] = "sem_wait",
	[SIM_SEM_TRYWAIT] = "sem_trywait",
	[SIM_SEM_POST] = "sem_post",
};

/* Tasks are numbered in the order of creation: all creations work on this. */
static const char numbers;

/* What stands for the pthread_t of T0. */
#define THREAD_POINTER	0x1000

/**
 * sim_ops_init() - look up how events tell each function
 */
void sim_ops_init(void)
{
	size_t i;

	for (i = 0; i < __SIM_FUNCTIONS; i++) {
		const struct chess_wrapper *w = chess_wrapper_by_symbol(symbols[i]);

		assert(w);
		sim_function[i] = (struct sim_op){
			.op = w->op,
			.flags = w->op_flags | CHESS_OPF_PROBE,
			.nr = chess_wrapper_id(w),
		};
	}
}

void sim_touch(const struct sim_op *op, const void *object, const void *caller)
{
	sim_point(sim_now, &(struct sim_at){ .op = op, .object = object, .caller = caller });
}

bool sim_take(enum sim_function f, const void *object, sim_gate gate, const void *caller)
{
	struct sim *s = sim_now;
	bool timed = sim_function[f].flags & CHESS_OPF_YIELD;

	sim_point(s, &(struct sim_at){
		.op = &sim_function[f],
		.object = object,
		.gate = timed ? NULL : gate,
		.watch = object,
		.caller = caller,
	});
	return sim_await(s, gate, object, timed ? s->now + SIM_TIMEOUT : 0);
}

int sim_self(void)
{
	return sim_now->token->id;
}

int sim_create(void (*body)(void *arg), void *arg)
{
	struct sim *s = sim_now;
	unsigned int id;

	sim_touch(&sim_function[SIM_CREATE], &numbers, SIM_CALLER);
	id = sim_new_task(s, body, arg);
	sim_push(s, &(struct chess_event){
		.type = CHESS_EVENT_SPAWN,
		.object_kind = CHESS_OBJECT_TASK,
		.task = s->token->id,
		.chosen = CHESS_TASK_NONE,
		.object = id,
		.arg = THREAD_POINTER + id,
	});
	chess_policy_spawn(&s->policy, s->token->id, id);
	return id;
}

static bool is_dead(const struct sim_task *t)
{
	return ((const struct sim_task *)t->object)->dead;
}

void sim_join(int task)
{
	struct sim *s = sim_now;

	assert(task >= 0 && (size_t)task < s->n_tasks);
	sim_point(s, &(struct sim_at){
		.op = &sim_function[SIM_JOIN],
		.kind = CHESS_OBJECT_TASK,
		.number = task,
		.gate = is_dead,
		.watch = s->task[task],
		.caller = SIM_CALLER,
	});
	sim_await(s, is_dead, s->task[task], 0);
}

void sim_end_task(struct sim *s)
{
	static const struct sim_op leave = {
		.op = CHESS_OP_EXIT, .flags = CHESS_OPF_WRITE | CHESS_OPF_RELEASE, .nr = SYS_exit,
	};
	struct sim_task *t = s->token;

	if (!s->program->plain_end)
		sim_point(s, &(struct sim_at){
			.op = &leave,
			.kind = CHESS_OBJECT_TASK,
			.number = t->id,
			.caller = t->body,
		});
	t->dead = true;
	s->n_alive--;
	sim_leave_process(s, t);
	sim_wake_all(s, t);
	sim_disable(s, t->id);
	chess_fair_forget(&s->fair, t->id);
	sim_decide(s, &(struct chess_event){
		.type = CHESS_EVENT_EXIT,
		.object_kind = CHESS_OBJECT_CODE,
	});
	__builtin_unreachable();
}

void sim_yield(void)
{
	static const struct sim_op yield = {
		.op = CHESS_OP_YIELD, .flags = CHESS_OPF_YIELD, .nr = SYS_sched_yield,
	};

	sim_touch(&yield, NULL, SIM_CALLER);
}

void sim_sleep(uint64_t ns)
{
	static const struct sim_op nap = {
		.op = CHESS_OP_SLEEP, .flags = CHESS_OPF_YIELD | CHESS_OPF_MAY_BLOCK,
		.nr = SYS_clock_nanosleep,
	};
	struct sim *s = sim_now;

	sim_touch(&nap, NULL, SIM_CALLER);
	if (s->opts.enabled == SIM_KERNEL)
		sim_block(s, NULL, s->now + (ns ? ns : 1));
}

void sim_assert(bool holds)
{
	if (!holds)
		sim_die(sim_now, CHESS_VERDICT_ASSERT, SIGABRT);
}

void sim_exit(int code)
{
	sim_die(sim_now, code ? CHESS_VERDICT_EXIT : CHESS_VERDICT_OK, (code & 0xff) << 8);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes of the user-space model, and pipes. Bodies share the memory of one real process; of
 * what the program says is its data, each modelled process has a copy, which is put in place while
 * one of its tasks runs. So one address means another thing in each, as after a fork.
 */
#include <assert.h>
#include <linux/chess_record.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "sim_internal.h"

static void *copy_of(struct sim *s, unsigned int process)
{
	struct sim_process *p = &s->process[process];

	if (!p->data)
		p->data = malloc(s->program->data_size + 1);
	assert(p->data);
	return p->data;
}

/* A task of process @to runs from now on, and not one of @from. */
void sim_load_process(struct sim *s, unsigned int from, unsigned int to)
{
	if (from == to)
		return;
	memcpy(copy_of(s, from), s->program->data, s->program->data_size);
	memcpy(s->program->data, copy_of(s, to), s->program->data_size);
}

bool sim_is_private(const struct sim *s, const void *object)
{
	const char *data = s->program->data, *p = object;

	return data && p >= data && p < data + s->program->data_size;
}

int sim_fork(void (*body)(void *arg), void *arg)
{
	static const struct sim_op call = {
		.op = CHESS_OP_FORK, .flags = CHESS_OPF_WRITE, .nr = SYS_fork,
	};
	struct sim *s = sim_now;
	unsigned int id, number = s->processes;

	assert(number < SIM_PROCESSES && s->program->data && s->opts.enabled == SIM_KERNEL);
	sim_touch(&call, NULL, SIM_CALLER);
	number = s->processes++;
	id = sim_new_task(s, body, arg);
	s->process[s->token->process].alive--;
	s->task[id]->process = number;
	s->process[number].alive = 1;
	s->process[number].closed = s->process[s->token->process].closed;
	memcpy(copy_of(s, number), s->program->data, s->program->data_size);
	sim_push(s, &(struct chess_event){
		.type = CHESS_EVENT_SPAWN,
		.object_kind = CHESS_OBJECT_TASK,
		.task = s->token->id,
		.chosen = CHESS_TASK_NONE,
		.object = id,
		.arg = CHESS_SPAWN_APART,
	});
	chess_policy_spawn(&s->policy, s->token->id, id);
	return id;
}

static bool is_over(const struct sim_task *t)
{
	return !((const struct sim_process *)t->object)->alive;
}

void sim_wait_child(int task)
{
	static const struct sim_op call = {
		.op = CHESS_OP_WAIT_CHILD, .flags = CHESS_OPF_WRITE | CHESS_OPF_MAY_BLOCK,
		.nr = SYS_wait4,
	};
	struct sim *s = sim_now;

	sim_point(s, &(struct sim_at){
		.op = &call, .kind = CHESS_OBJECT_PID, .number = 1000 + task, .caller = SIM_CALLER,
	});
	sim_await_call(s, is_over, &s->process[s->task[task]->process]);
}

/* Has any process the writing end of @p? */
static bool has_writer(const struct sim *s, const struct sim_pipe *p)
{
	unsigned int i;

	for (i = 0; i < s->processes; i++)
		if (s->process[i].alive && !(s->process[i].closed >> p->number & 1))
			return true;
	return false;
}

static bool can_read(const struct sim_task *t)
{
	const struct sim_pipe *p = t->object;

	return p->bytes || !has_writer(sim_now, p);
}

static bool can_write(const struct sim_task *t)
{
	const struct sim_pipe *p = t->object;

	return p->bytes < p->room;
}

/* Readers wait at the pipe, writers at its room. */
static void at_pipe(const struct sim_op *op, const struct sim_pipe *p, const void *caller)
{
	sim_point(sim_now, &(struct sim_at){
		.op = op, .kind = CHESS_OBJECT_INODE, .number = p->number, .caller = caller,
	});
}

bool sim_pipe_read(struct sim_pipe *p)
{
	static const struct sim_op call = {
		.op = CHESS_OP_READ, .flags = CHESS_OPF_WRITE | CHESS_OPF_MAY_BLOCK,
		.nr = SYS_read,
	};
	struct sim *s = sim_now;
	bool got;

	at_pipe(&call, p, SIM_CALLER);
	sim_await_call(s, can_read, p);
	got = p->bytes;
	if (got) {
		p->bytes--;
		sim_wake_one(s, &p->room);
	}
	return got;
}

static bool has_room(const struct sim_task *t)
{
	struct sim_task pipe = *t;

	pipe.object = (const char *)t->object - offsetof(struct sim_pipe, room);
	return can_write(&pipe);
}

void sim_pipe_write(struct sim_pipe *p)
{
	static const struct sim_op call = {
		.op = CHESS_OP_WRITE, .flags = CHESS_OPF_WRITE | CHESS_OPF_MAY_BLOCK,
		.nr = SYS_write,
	};
	struct sim *s = sim_now;

	at_pipe(&call, p, SIM_CALLER);
	sim_await_call(s, has_room, &p->room);
	p->bytes++;
	sim_wake_one(s, p);
}

void sim_pipe_close(struct sim_pipe *p)
{
	static const struct sim_op call = {
		.op = CHESS_OP_CLOSE, .flags = CHESS_OPF_WRITE | CHESS_OPF_RELEASE,
		.nr = SYS_close,
	};
	struct sim *s = sim_now;

	at_pipe(&call, p, SIM_CALLER);
	s->process[s->token->process].closed |= 1ULL << p->number;
	if (!has_writer(s, p))
		sim_wake_all(s, p);
}

/* The last task of a process closes its ends of pipes, and lets those go on that wait for it. */
void sim_leave_process(struct sim *s, struct sim_task *t)
{
	struct sim_process *p = &s->process[t->process];
	struct sim_task *other;
	size_t i;

	if (--p->alive || s->processes == 1)
		return;
	for (i = 0; i < s->n_tasks; i++) {
		other = s->task[i];
		if (chess_set_has(&s->queued, other->id) && other->op_at.op &&
		    other->op_at.op->op == CHESS_OP_READ &&
		    other->op_at.kind == CHESS_OBJECT_INODE &&
		    !chess_set_has(&s->enabled, other->id) &&
		    !has_writer(s, other->queue))
			sim_wake_by(s, other, t->id);
	}
	sim_wake_all(s, p);
}

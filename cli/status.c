// SPDX-License-Identifier: GPL-2.0-only
/*
 * See status.h.
 */
#include <stdlib.h>

#include "attach/process.h"
#include "cli.h"
#include "status.h"

static const char *group_state(uint32_t state)
{
	static const char *const names[] = { "?", "idle", "armed", "running", "draining" };

	return names[state < sizeof(names) / sizeof(names[0]) ? state : 0];
}

static const char *task_state(uint32_t state)
{
	static const char *const names[] = {
		"?", "pending", "running", "parked", "blocked", "dying", "apart",
	};

	return names[state < sizeof(names) / sizeof(names[0]) ? state : 0];
}

void status_group_of(const struct chess_group_info *g, const struct chess_task_info *tasks,
		     size_t n, struct chess_wait *waits, size_t n_waits, struct status_group *out)
{
	size_t i;

	*out = (struct status_group){
		.info = *g, .state = group_state(g->state),
		.has_token = g->token != CHESS_TASK_NONE,
		.task = cli_alloc(n, sizeof(*out->task)), .n = n,
		.waits = waits, .n_waits = n_waits,
	};
	process_name(out->owner, sizeof(out->owner), g->owner_pid);
	for (i = 0; i < n; i++) {
		struct status_task *t = &out->task[i];

		t->info = tasks[i];
		t->state = task_state(tasks[i].state);
		t->inside = process_inside(tasks[i].pid);
		t->enabled = tasks[i].state == CHESS_TASK_STATE_RUNNING ||
			     tasks[i].state == CHESS_TASK_STATE_PARKED;
		t->token = tasks[i].id == g->token;
		t->wait = chess_wait_of(waits, n_waits, tasks[i].id);
		process_name(t->name, sizeof(t->name), tasks[i].pid);
		out->n_enabled += t->enabled;
	}
}

void status_group_clear(struct status_group *g)
{
	chess_waits_free(g->waits, g->n_waits);
	free(g->task);
	*g = (struct status_group){ 0 };
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One account of the groups under control on this machine: worked out once, for the text and
 * the JSON of cmd_status.c.
 */
#ifndef CLI_STATUS_H
#define CLI_STATUS_H

#include <chessctl/chessctl.h>

/**
 * struct status_task - a task under control
 * @info: as the module says it
 * @state: in a word
 * @name: as ps shows it, or "?"
 * @inside: its number in its own pid namespace; 0: it is in ours
 * @enabled: it has the token, or waits only for that
 * @token: it has the token
 * @wait: what it is blocked in, or NULL
 */
struct status_task {
	struct chess_task_info info;
	const char *state;
	char name[64];
	pid_t inside;
	bool enabled, token;
	const struct chess_wait *wait;
};

/**
 * struct status_group - a group
 * @info: as the module says it
 * @state: in a word
 * @owner: name of its owner's process
 * @has_token: a task has the token
 * @task: its tasks, @n of them
 * @n_enabled: how many of them are enabled
 * @waits: of those that are blocked, @n_waits of them
 */
struct status_group {
	struct chess_group_info info;
	const char *state;
	char owner[64];
	bool has_token;
	struct status_task *task;
	size_t n, n_enabled;
	struct chess_wait *waits;
	size_t n_waits;
};

/*
 * From what was asked of the module and, of blocked tasks, of the kernel. Takes over @waits;
 * status_group_clear() frees them and what else is in *@out.
 */
void status_group_of(const struct chess_group_info *g, const struct chess_task_info *tasks,
		     size_t n, struct chess_wait *waits, size_t n_waits, struct status_group *out);
void status_group_clear(struct status_group *g);

#endif /* CLI_STATUS_H */

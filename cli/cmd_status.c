// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl status: the groups under control on this machine, who owns them and
 * what their tasks do.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "out.h"
#include "attach/process.h"

static bool json, watch, no_bpf;

static const struct opt options[] = {
	{ "watch", OPT_FLAG, &watch, NULL, "print it twice a second until interrupted", 0, 0, 0 },
	{ "no-bpf", OPT_FLAG, &no_bpf, NULL, "do not read kernel data with BPF", 0, 0, 0 },
	{ "json", OPT_FLAG, &json, NULL, "print one JSON object", 0, 0, 0 },
};

static const struct usage usage = {
	"status", "",
	"Lists the groups under control on this machine, their owners and their tasks.",
	OPERANDS_NONE, options, sizeof(options) / sizeof(options[0]),
};

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

/* In the enabled set: it has the token, or waits only for that. */
static bool is_enabled(const struct chess_task_info *t)
{
	return t->state == CHESS_TASK_STATE_RUNNING || t->state == CHESS_TASK_STATE_PARKED;
}

static void print_enabled(const struct chess_task_info *tasks, int n)
{
	const char *before = "  enabled";
	int i;

	for (i = 0; i < n; i++)
		if (is_enabled(&tasks[i])) {
			printf("%s T%u", before, tasks[i].id);
			before = ",";
		}
	puts(*before == ',' ? "" : "  nobody is enabled");
}

/* What it lacks is said once. */
static void leave_out(void)
{
	fprintf(stderr, "chessctl: what the kernel knows of objects is left out: %s\n",
		chess_error());
	no_bpf = true;
}

/* Loading BPF takes a moment, so it comes with the first group, which is then asked for again. */
static int list_groups(struct chess_ctl *ctl, struct chess_look **look,
		       struct chess_group_info **groups)
{
	int n = chess_group_list(ctl, groups);

	if (n <= 0 || no_bpf || *look)
		return n;
	*look = chess_look_new();
	if (!*look)
		leave_out();
	free(*groups);
	return chess_group_list(ctl, groups);
}

/* One group, as text or into @groups. */
static void show_group(struct chess_ctl *ctl, struct chess_look *look,
		       const struct chess_group_info *g, struct json_object *groups)
{
	struct json_object *one = groups ? json_object_new_object() : NULL;
	struct json_object *list = groups ? json_object_new_array() : NULL;
	struct chess_task_info *tasks = NULL;
	int i, n;
	const struct chess_wait *w;
	struct chess_wait *waits = NULL;
	size_t n_waits = 0;
	char name[64];
	pid_t inside;
	bool stuck;

	n = chess_task_list(ctl, g->id, &tasks);
	/* Those of another user may not be looked into; then they are just blocked. */
	if (n > 0 && chess_waits_inspect(tasks, n, NULL, true, &waits, &n_waits, &stuck))
		waits = NULL;
	if (!no_bpf && n_waits && chess_waits_look(look, tasks, n, waits, n_waits))
		leave_out();
	process_name(name, sizeof(name), g->owner_pid);
	if (one) {
		out_json_int(one, "id", g->id);
		out_json_string(one, "state", group_state(g->state));
		out_json_int(one, "owner_pid", g->owner_pid);
		out_json_string(one, "owner", name);
		out_json_int(one, "cpu", g->cpu);
		json_object_object_add(one, "token", g->token == CHESS_TASK_NONE ? NULL :
				       json_object_new_int64(g->token));
		out_json_int(one, "runs", g->runs);
		out_json_int(one, "events", g->events);
		out_json_int(one, "decisions", g->decisions);
		out_json_int(one, "lost", g->lost);
		out_json_int(one, "stalls", g->stalls);
		out_json_int(one, "probes", g->probes);
		json_object_object_add(one, "adopted", g->adopted ?
				       json_object_new_int64(g->adopted) : NULL);
		json_object_object_add(one, "tasks", list);
		json_object_array_add(groups, one);
	} else {
		printf("%sgroup %u%s  %s, owner %s (pid %u), cpu %u, run %u, %u events, %u decisions, %u traps%s\n",
		       out_bold(), g->id, out_plain(), group_state(g->state), name, g->owner_pid,
		       g->cpu, g->runs, g->events, g->decisions, g->probes,
		       g->lost ? ", RECORDS LOST" : "");
		if (g->adopted)
			printf("  attached to process %u; chessctl detach %u lets go of it\n",
			       g->adopted, g->adopted);
		if (n > 0)
			print_enabled(tasks, n);
	}
	for (i = 0; i < n; i++) {
		process_name(name, sizeof(name), tasks[i].pid);
		inside = process_inside(tasks[i].pid);
		w = chess_wait_of(waits, n_waits, tasks[i].id);
		if (one) {
			struct json_object *t = json_object_new_object();

			out_json_int(t, "id", tasks[i].id);
			out_json_int(t, "pid", tasks[i].pid);
			if (inside)
				out_json_int(t, "inside_pid", inside);
			out_json_string(t, "name", name);
			out_json_string(t, "state", task_state(tasks[i].state));
			out_json_bool(t, "enabled", is_enabled(&tasks[i]));
			out_json_int(t, "seq", tasks[i].seq);
			out_json_string(t, "wait", w ? w->text : NULL);
			out_json_string(t, "object", w ? w->object : NULL);
			out_json_string(t, "kernel", w ? w->kernel : NULL);
			json_object_array_add(list, t);
		} else {
			printf("%s T%-4u %-9s pid %-8u %-16s event %-6u %s\n",
			       tasks[i].id == g->token ? " >" : "  ", tasks[i].id,
			       task_state(tasks[i].state), tasks[i].pid, name, tasks[i].seq,
			       w ? w->text : "");
			if (inside)
				printf("%19spid %d inside\n", "", inside);
			if (w && w->object)
				printf("%19s%s\n", "", w->object);
		}
	}
	chess_waits_free(waits, n_waits);
	free(tasks);
}

static int show_groups(struct chess_ctl *ctl, struct chess_look **look)
{
	struct json_object *list = json ? json_object_new_array() : NULL, *o;
	struct chess_group_info *groups = NULL;
	int i, n = list_groups(ctl, look, &groups);

	if (n < 0)
		return cli_fail(CLI_ENVIRONMENT, "the groups cannot be listed: %s", chess_error());
	for (i = 0; i < n; i++)
		show_group(ctl, *look, &groups[i], list);
	if (json) {
		o = json_object_new_object();
		json_object_object_add(o, "groups", list);
		out_json(o);
	} else if (!n) {
		printf("no groups\n");
	}
	free(groups);
	return CLI_OK;
}

int cmd_status(int argc, char **argv)
{
	const struct timespec pause = { .tv_nsec = 500000000 };
	struct operands_list operands;
	struct chess_look *look = NULL;
	struct chess_ctl *ctl;
	int ret;

	ret = opts_parse(&usage, argc, argv, &operands);
	if (ret != -1)
		return ret;
	ctl = chess_ctl_open();
	if (!ctl)
		return errno == ENOENT ?
			cli_fail(CLI_ENVIRONMENT, "the module is not loaded on this machine, so nothing is under control; searches in the VM do not show here") :
			cli_fail(CLI_ENVIRONMENT, "the module cannot be reached: %s", chess_error());
	for (;;) {
		ret = show_groups(ctl, &look);
		if (ret || !watch)
			break;
		fflush(stdout);
		nanosleep(&pause, NULL);
		/* A terminal shows one picture, a file one after the other. */
		printf("%s", isatty(STDOUT_FILENO) ? "\033[H\033[2J" : "\n");
	}
	chess_look_free(look);
	chess_ctl_close(ctl);
	return ret;
}

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
#include "status.h"

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

static void print_enabled(const struct status_group *g)
{
	const char *before = "  enabled";
	size_t i;

	for (i = 0; i < g->n; i++)
		if (g->task[i].enabled) {
			printf("%s T%u", before, g->task[i].info.id);
			before = ",";
		}
	puts(g->n_enabled ? "" : "  no task is enabled");
}

static void print_task(const struct status_task *t)
{
	printf("%s T%-4u %-9s pid %-8u %-16s event %-6u %s\n", t->token ? " >" : "  ",
	       t->info.id, t->state, t->info.pid, t->name, t->info.seq,
	       t->wait ? t->wait->text : "");
	if (t->inside)
		printf("%19spid %d inside\n", "", t->inside);
	if (t->wait && t->wait->object)
		printf("%19s%s\n", "", t->wait->object);
}

static void print_group(const struct status_group *g)
{
	const struct chess_group_info *i = &g->info;
	size_t k;

	printf("%sgroup %u%s  %s, owner %s (pid %u), cpu %u, run %u, %u events, %u decisions, %u traps%s\n",
	       out_bold(), i->id, out_plain(), g->state, g->owner, i->owner_pid, i->cpu, i->runs,
	       i->events, i->decisions, i->probes, i->lost ? ", RECORDS LOST" : "");
	if (i->adopted)
		printf("  attached to process %u; chessctl detach %u lets go of it\n",
		       i->adopted, i->adopted);
	if (g->n)
		print_enabled(g);
	for (k = 0; k < g->n; k++)
		print_task(&g->task[k]);
}

static struct json_object *task_json(const struct status_task *t)
{
	struct json_object *o = json_object_new_object();

	out_json_int(o, "id", t->info.id);
	out_json_int(o, "pid", t->info.pid);
	if (t->inside)
		out_json_int(o, "inside_pid", t->inside);
	out_json_string(o, "name", t->name);
	out_json_string(o, "state", t->state);
	out_json_bool(o, "enabled", t->enabled);
	out_json_int(o, "seq", t->info.seq);
	out_json_string(o, "wait", t->wait ? t->wait->text : NULL);
	out_json_string(o, "object", t->wait ? t->wait->object : NULL);
	out_json_string(o, "kernel", t->wait ? t->wait->kernel : NULL);
	return o;
}

static struct json_object *group_json(const struct status_group *g)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	const struct chess_group_info *i = &g->info;
	size_t k;

	for (k = 0; k < g->n; k++)
		json_object_array_add(list, task_json(&g->task[k]));
	out_json_int(o, "id", i->id);
	out_json_string(o, "state", g->state);
	out_json_int(o, "owner_pid", i->owner_pid);
	out_json_string(o, "owner", g->owner);
	out_json_int(o, "cpu", i->cpu);
	json_object_object_add(o, "token", g->has_token ? json_object_new_int64(i->token) : NULL);
	out_json_int(o, "runs", i->runs);
	out_json_int(o, "events", i->events);
	out_json_int(o, "decisions", i->decisions);
	out_json_int(o, "lost", i->lost);
	out_json_int(o, "stalls", i->stalls);
	out_json_int(o, "probes", i->probes);
	json_object_object_add(o, "adopted", i->adopted ? json_object_new_int64(i->adopted) : NULL);
	json_object_object_add(o, "tasks", list);
	return o;
}

/* One group with its tasks, as the module and the kernel have it now. */
static void ask_group(struct chess_ctl *ctl, struct chess_look *look,
		      const struct chess_group_info *g, struct status_group *out)
{
	struct chess_task_info *tasks = NULL;
	struct chess_wait *waits = NULL;
	size_t n_waits = 0;
	bool stuck;
	int n = chess_task_list(ctl, g->id, &tasks);

	/* Those of another user may not be looked into; then they are just blocked. */
	if (n > 0 && chess_waits_inspect(tasks, n, NULL, true, &waits, &n_waits, &stuck))
		waits = NULL;
	if (!no_bpf && n_waits && chess_waits_look(look, tasks, n, waits, n_waits))
		leave_out();
	status_group_of(g, tasks, n > 0 ? n : 0, waits, n_waits, out);
	free(tasks);
}

static int show_groups(struct chess_ctl *ctl, struct chess_look **look)
{
	struct json_object *list = json ? json_object_new_array() : NULL, *o;
	struct chess_group_info *groups = NULL;
	int i, n = list_groups(ctl, look, &groups);

	if (n < 0)
		return cli_fail(CLI_ENVIRONMENT, "the groups cannot be listed: %s", chess_error());
	for (i = 0; i < n; i++) {
		struct status_group g;

		ask_group(ctl, *look, &groups[i], &g);
		if (json)
			json_object_array_add(list, group_json(&g));
		else
			print_group(&g);
		status_group_clear(&g);
	}
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
	if (ret != CLI_PROCEED)
		return ret;
	ctl = chess_ctl_open();
	if (!ctl)
		return errno == ENOENT ?
			cli_fail(CLI_ENVIRONMENT, "the module is not loaded on this machine, so nothing is under control; searches in the VM are not listed here") :
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

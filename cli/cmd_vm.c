// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl vm: a VM that waits, booted, for the next command of this user (vm/warm.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "out.h"
#include "vm/snapshot.h"
#include "vm/warm.h"
#include "where.h"

static unsigned int idle_min = 30;
static const char *kernel;
static bool json;

static const struct opt options[] = {
	{ "idle", OPT_UINT, &idle_min, "MIN", "end it when no command came for so long (30)", 1, 10080, 0 },
	{ "kernel", OPT_STRING, &kernel, "PATH", "for commands with --kernel PATH", 0, 0, 0 },
	{ "json", OPT_FLAG, &json, NULL, "print the status as one JSON object", 0, 0, 0 },
};

static const struct usage usage = {
	"vm", "start|stop|status",
	"Keeps a VM ready. Each command that needs one takes it by itself, has it alone, and\n"
	"the next is prepared meanwhile.",
	OPERANDS_ANY, options, sizeof(options) / sizeof(options[0]),
};

static int start(const struct chess_vm_opts *o)
{
	/* Runs of a program that every Debian has; nothing of them stays. */
	char *trial[] = {
		where_self(), (char *)"explore", (char *)"--host", (char *)"--runs", (char *)"2",
		(char *)"--out", (char *)"/tmp/chess-vm-trial", (char *)"--", (char *)"/bin/sh",
		(char *)"-c", (char *)"/bin/true & wait", NULL
	};
	int ret = trial[0] ? chess_vm_warm_start(o, trial, idle_min * 60) : -1;

	free(trial[0]);
	if (ret)
		return CLI_ENVIRONMENT;
	printf("a VM is ready; chessctl vm stop ends it\n");
	return CLI_OK;
}

static int stop(void)
{
	int ret = chess_vm_warm_stop();

	if (ret < 0)
		return CLI_ENVIRONMENT;
	printf(ret ? "no VM was kept ready\n" : "no VM is kept ready any more\n");
	return CLI_OK;
}

static int status(const struct chess_vm_opts *o)
{
	struct json_object *object;
	struct chess_vm_warm w;
	const char *state;
	uint64_t bytes;
	size_t saved = chess_vm_snapshot_count(&bytes);

	if (chess_vm_warm_status(o, &w))
		return CLI_ENVIRONMENT;
	state = !w.keeper ? "none" : !w.ready ? "preparing" : w.fits ? "ready" : "other";
	if (json) {
		object = json_object_new_object();
		out_json_string(object, "state", state);
		out_json_int(object, "keeper", w.keeper);
		out_json_int(object, "given", w.given);
		out_json_int(object, "saved", saved);
		out_json_int(object, "saved_bytes", bytes);
		out_json(object);
		return CLI_OK;
	}
	if (!w.keeper)
		printf("no VM is kept ready; chessctl vm start keeps one\n");
	else if (!w.ready)
		printf("a VM is being prepared, process %d\n", w.keeper);
	else
		printf("a VM is ready, process %d%s; %llu given to commands\n", w.keeper,
		       w.fits ? "" : ", for another kernel, module or chessctl than the present one",
		       (unsigned long long)w.given);
	printf("saved machines to begin from: %zu, %llu MB\n", saved,
	       (unsigned long long)(bytes >> 20));
	return CLI_OK;
}

int cmd_vm(int argc, char **argv)
{
	struct operands_list operands;
	struct where_vm vm;
	int ret = opts_parse(&usage, argc, argv, &operands);
	const char *what;

	if (ret != CLI_PROCEED)
		return ret;
	what = operands.n_first == 1 ? operands.first[0] : "";
	if (strcmp(what, "start") && strcmp(what, "stop") && strcmp(what, "status"))
		return cli_fail(CLI_USAGE, "vm: takes start, stop or status; see chessctl vm --help");
	if (!strcmp(what, "stop"))
		return stop();
	ret = where_vm_open(&vm, kernel);
	if (ret != CLI_PROCEED)
		return ret;
	ret = strcmp(what, "start") ? status(&vm.o) : start(&vm.o);
	where_vm_close(&vm);
	return ret;
}

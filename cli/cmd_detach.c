// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl detach: has the "chessctl attach" that controls a process let go of it. It is
 * asked to end; where it does not answer it is killed, and then the module lets go.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"

/* How long the owner may take to write its trace. */
#define ASKED_MS	5000
#define KILLED_MS	3000
/* "attach --perturb" lets go between two of its runs, and takes the process again at once. */
#define BETWEEN_MS	1000

static const struct usage usage = {
	"detach", "PID|GROUP",
	"Lets go of a process that 'chessctl attach' controls, by its pid or the number of its\n"
	"group in 'chessctl status'.",
	OPERANDS_ANY, NULL, 0,
};

static void nap(void)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	nanosleep(&pause, NULL);
}

static bool is_gone(struct chess_ctl *ctl, uint32_t group, int ms)
{
	struct chess_group_info info;

	for (; ms > 0; ms -= 10) {
		if (chess_group_get(ctl, group, &info) == -ENOENT)
			return true;
		nap();
	}
	return false;
}

/* A pid first: that is what people have. */
static const struct chess_group_info *find(const struct chess_group_info *groups, int n,
					   uint32_t number)
{
	int i;

	for (i = 0; i < n; i++)
		if (groups[i].adopted == number && groups[i].state != CHESS_GROUP_STATE_IDLE)
			return &groups[i];
	for (i = 0; i < n; i++)
		if (groups[i].id == number)
			return &groups[i];
	return NULL;
}

/* Return: how many @groups there are, @g among them if it is found; or a negative errno. */
static int find_in_time(struct chess_ctl *ctl, uint32_t number, struct chess_group_info **groups,
			const struct chess_group_info **g)
{
	int ms, n;

	for (ms = BETWEEN_MS; ; ms -= 10) {
		n = chess_group_list(ctl, groups);
		*g = n > 0 ? find(*groups, n, number) : NULL;
		if (*g || n <= 0 || ms <= 0)
			return n;
		free(*groups);
		*groups = NULL;
		nap();
	}
}

static int let_go(struct chess_ctl *ctl, const struct chess_group_info *g)
{
	if (!g->adopted)
		return cli_fail(CLI_USAGE,
				"detach: group %u is of a program that chessctl started (pid %u); end that instead",
				g->id, g->owner_pid);
	if (!g->owner_pid)
		return cli_fail(CLI_ENVIRONMENT,
				"detach: the owner of group %u is not in this pid namespace", g->id);
	if (kill(g->owner_pid, SIGTERM) && errno != ESRCH)
		return cli_fail(CLI_ENVIRONMENT, "detach: the owner of group %u, pid %u: %s",
				g->id, g->owner_pid, strerror(errno));
	if (is_gone(ctl, g->id, ASKED_MS))
		return CLI_OK;
	cli_note("note: pid %u did not let go when it was asked to; it is killed", g->owner_pid);
	kill(g->owner_pid, SIGKILL);
	return is_gone(ctl, g->id, KILLED_MS) ? CLI_OK :
		cli_fail(CLI_ENVIRONMENT, "detach: group %u is still there; see chessctl status",
			 g->id);
}

int cmd_detach(int argc, char **argv)
{
	struct operands_list operands;
	struct chess_group_info *groups = NULL;
	const struct chess_group_info *g;
	struct chess_ctl *ctl;
	unsigned long number;
	char *end;
	int n, ret = opts_parse(&usage, argc, argv, &operands);

	if (ret != CLI_PROCEED)
		return ret;
	number = operands.n_first == 1 ? strtoul(operands.first[0], &end, 10) : 0;
	if (!number || *end || number > INT32_MAX)
		return cli_fail(CLI_USAGE,
				"detach: takes one process id or group; see chessctl detach --help");
	ctl = chess_ctl_open();
	if (!ctl)
		return errno == ENOENT ?
			cli_fail(CLI_ENVIRONMENT, "the module is not loaded on this machine, so nothing is under control") :
			cli_fail(CLI_ENVIRONMENT, "the module cannot be reached: %s", chess_error());
	n = find_in_time(ctl, number, &groups, &g);
	if (n < 0)
		ret = cli_fail(CLI_ENVIRONMENT, "the groups cannot be listed: %s", chess_error());
	else if (!g)
		ret = cli_fail(CLI_USAGE,
			       "detach: %lu is neither a process under control nor a group; see chessctl status",
			       number);
	else
		ret = let_go(ctl, g);
	free(groups);
	chess_ctl_close(ctl);
	return ret;
}

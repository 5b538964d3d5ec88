// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl attach: its name and its place in the contract are taken, so that
 * scripts get a clear answer rather than "unknown command".
 */
#include "cli.h"

int cmd_attach(int argc, char **argv)
{
	struct operands_list operands;
	const struct usage u = {
		"attach", "PID",
		"Takes control of the tasks of a running process. This version cannot do that:\n"
		"start the program with 'chessctl explore' or 'chessctl run' instead.",
		OPERANDS_ANY, NULL, 0,
	};
	int ret = opts_parse(&u, argc, argv, &operands);

	if (ret != -1)
		return ret;
	if (operands.n_first != 1)
		return cli_fail(CLI_USAGE, "attach: takes one process id; see chessctl attach --help");
	return cli_fail(CLI_ENVIRONMENT,
			"attach: this version cannot take control of a running process; start the program with 'chessctl explore -- PROGRAM' instead");
}

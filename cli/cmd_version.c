// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl version: the versions a bug report should name.
 */
#include <stdio.h>
#include <sys/utsname.h>

#include "cli.h"

const char *cli_version(void)
{
	return CHESSCTL_VERSION;
}

int cmd_version(int argc, char **argv)
{
	struct operands_list operands;
	const struct usage u = {
		"version", "", "Prints the version of chessctl, of its ABI and of the kernel.",
		OPERANDS_NONE, NULL, 0,
	};
	int ret = opts_parse(&u, argc, argv, &operands);
	struct utsname un;

	if (ret != CLI_PROCEED)
		return ret;
	uname(&un);
	printf("chessctl %s\n", CHESSCTL_VERSION);
	printf("family %s version %d\n", CHESS_FAMILY_NAME, CHESS_FAMILY_VERSION);
	printf("kernel %s %s\n", un.release, un.machine);
	return CLI_OK;
}

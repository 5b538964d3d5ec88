// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run a program that is not under control while a group exists, so that the
 * module's probes are attached: what everybody else on the machine pays. Called
 * by bench.sh inside the VM, as root: hold PROGRAM [ARG...]
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chessctl/chessctl.h"

int main(int argc, char **argv)
{
	struct chess_ctl *ctl = chess_ctl_open();
	uint32_t group;
	int status;
	pid_t pid;

	if (argc < 2 || !ctl || chess_group_new(ctl, 0, 0, &group)) {
		fprintf(stderr, "hold: %s\n", argc < 2 ? "no program given" : chess_error());
		return 2;
	}
	pid = fork();
	if (!pid) {
		execv(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	chess_ctl_close(ctl);
	return status != 0;
}

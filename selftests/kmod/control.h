/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Putting a program under control without the runner, which looks after it too
 * well for release_test.c: no PDEATHSIG, no clean-up. Failures end the test.
 */
#ifndef CHESS_SELFTESTS_CONTROL_H
#define CHESS_SELFTESTS_CONTROL_H

#include <stdbool.h>
#include <sys/types.h>

#include "chessctl/chessctl.h"
#include "subject.h"

/**
 * struct control - a program under control
 * @ctl: our socket
 * @group: our group
 * @page: shared with the program
 * @page_fd: the same
 * @pipe: the program's stdin; a first byte lets it execute
 * @pid: the program, in a process group of its own
 */
struct control {
	struct chess_ctl *ctl;
	uint32_t group;
	struct page *page;
	int page_fd;
	int pipe[2];
	pid_t pid;
};

/* The page and the pipe, before anything else. */
void control_page(struct control *c);
/* A socket and a group with traps for the program. */
void control_open(struct control *c);
/* The program as a child of ours that waits before its execve, for a byte. */
void control_spawn(struct control *c, const char *mode);
void control_register(struct control *c);
void control_arm(struct control *c);
void control_go(struct control *c);
/* All of that, until the program says that it is ready. */
void control_start(struct control *c, const char *mode);
void control_close(struct control *c);

/* Wait; false after 60 s. */
bool wait_flag(const volatile int *flag);
bool wait_notice(struct control *c, uint32_t notice);
bool wait_group_state(struct control *c, uint32_t state);
/* at least @n tasks in this state */
bool wait_tasks(struct control *c, uint32_t state, int n);

/* Exit code, 1000 + signal, 2000 + signal with a core, or -1 after 60 s. */
int control_end(pid_t pid);

/* Mapped text of a process differs from its files in this many bytes; -1 when it
 * cannot be compared.
 */
long text_differs(pid_t pid);

#endif /* CHESS_SELFTESTS_CONTROL_H */

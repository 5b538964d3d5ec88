/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * request.c: a shell command that asks a service for something, and returns when it has
 * been served. It is not under control. service.c starts one for each run.
 */
#ifndef CHESSCTL_REQUEST_H
#define CHESSCTL_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct chess_request - a command on its way
 * @pid: of its shell, which leads a process group; 0: there is none
 * @end_fd: readable when the shell has ended
 * @said_fd: what it writes
 * @over: the shell has ended
 * @status: how, as wait(2) gives it
 */
struct chess_request {
	pid_t pid;
	int end_fd, said_fd;
	bool over;
	int status;
};

/* 0 or -errno with chess_error() */
int chess_request_start(struct chess_request *q, const char *command);
/* Has it returned? */
bool chess_request_over(struct chess_request *q);
/*
 * Do all its tasks sleep? *@print: a number that is another one as soon as one of them
 * has run, or is another one.
 */
bool chess_request_asleep(const struct chess_request *q, uint64_t *print);
/* Its last words; malloc'ed, NULL: no memory */
char *chess_request_said(const struct chess_request *q, size_t *len);
/* If it goes on it is killed, with what it started. */
void chess_request_end(struct chess_request *q);

#endif /* CHESSCTL_REQUEST_H */

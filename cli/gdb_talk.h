/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gdb_talk.c: what gdb_commands.c asks of the trace, answered by a process of its own, since the
 * one that controls the program waits for its end.
 */
#ifndef CLI_GDB_TALK_H
#define CLI_GDB_TALK_H

#include <chessctl/chessctl.h>
#include <sys/types.h>

/**
 * struct gdb_talk_shared - what gdb did with the replay
 * @again: the event that "chess back" asked for, or 0
 * @left: gdb was quit, or killed the program or let go of it, when it had taken @decisions
 */
struct gdb_talk_shared {
	uint32_t again;
	bool left;
	size_t decisions;
};

/**
 * struct gdb_talk - who answers
 * @pid: of the process, or -1
 * @fd: where gdb asks; ours until gdb has it
 * @shared: memory shared with it
 */
struct gdb_talk {
	pid_t pid;
	int fd;
	struct gdb_talk_shared *shared;
};

/* gdb_commands.c: what makes the command of gdb, in Python; "chess_talk" is still to be set. */
extern const char gdb_commands[];

/* 0 or -errno */
int gdb_talk_start(struct gdb_talk *talk, uint32_t group, const struct chess_trace *t);
/* gdb has ended. Return: the event that it wants to go back to, or 0 */
uint32_t gdb_talk_end(struct gdb_talk *talk);

#endif /* CLI_GDB_TALK_H */

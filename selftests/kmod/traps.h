/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A group with traps of any kind, over raw.h, and runs of it: what trap_abuse_test.c and
 * shared_text_test.c have in common.
 */
#ifndef CHESS_SELFTESTS_TRAPS_H
#define CHESS_SELFTESTS_TRAPS_H

#include <sys/types.h>

#include "raw.h"

#define PAGE 4096UL
#define NOP 0x90
#define TRAP 0xcc

/* Our socket and our group; set by new_group(), which ends the test where it fails. */
extern struct raw r;
extern uint32_t group;

void new_group(void);

/* A trap on a nop; its slot is the nop and a jump back. */
struct chess_probe trap_at(uint64_t offset);

/* Requests: 0, or -errno as the kernel refused. */
int probe_add(int fd, const struct chess_probe *p, size_t n, bool append);
int run_start(void);
int run_stop(void);
int task_op(unsigned int cmd, pid_t pid);

/* false after 20 s */
bool wait_idle(void);

/* Exit code of a child, 1000 + signal, or -1 */
int status_of(pid_t pid);

#endif /* CHESS_SELFTESTS_TRAPS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ordinary users for tests of rights, and the program that raises its privileges: a copy of
 * the test itself, set-user-id root. rights*_test.c call.
 */
#ifndef CHESS_SELFTESTS_USER_H
#define CHESS_SELFTESTS_USER_H

#include <sys/types.h>
#include "raw.h"

#define NOBODY 65534

/* A parameter of the module: 0 or -errno. */
int set_parameter(const char *name, const char *value);
/* From now on this process is an ordinary user's; failures end the test. */
void drop_to(uid_t uid);
/* The same, and root opened the module to all. */
void become(uid_t uid);

/*
 * A child that executes @argv with the read end of a pipe as stdin, once there is something
 * in it; @in: the write end. It closes @fd, a socket of ours.
 */
pid_t spawn(const char *const *argv, int fd, int *in);

/* The copy, once it is made. */
extern char helper[];
void make_helper(void);
/* A function of it to put a trap on; returns 42. */
int helper_work(void);
/* The trap; the instruction there is one byte. */
struct chess_probe helper_probe(void);

#endif /* CHESS_SELFTESTS_USER_H */

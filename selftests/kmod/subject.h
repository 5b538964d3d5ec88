/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What release_test.c and the program it puts under control share: a page both
 * map, by way of a descriptor the program inherits.
 */
#ifndef CHESS_SELFTESTS_SUBJECT_H
#define CHESS_SELFTESTS_SUBJECT_H

#include <sys/types.h>

#define SUBJECT_GOOD		42
#define SUBJECT_CHILD_DIED	43
#define SUBJECT_THRONG		300	/* threads */
#define SUBJECT_TRAP		16	/* offset of the trap in @path */
#define SUBJECT_SECONDS		300	/* it ends by SIGALRM after them */

/**
 * struct page - shared memory
 * @go: set by the test: come to an end
 * @ready: set by the program: it is where the test wants it
 * @child: process the program forked
 * @program: set by its controller: the program's pid
 * @there: set by a controller process: all is where the test wants it
 * @cpus: set by the test: processors the program may use without chess
 * @bound: set by the program: a task of it ends and may not use all of them
 * @path: set by the test: a file to map
 * @shared: set by the program: byte SUBJECT_TRAP of its shared mapping
 * @private: the same of a private one
 */
struct page {
	volatile int go;
	volatile int ready;
	volatile pid_t child;
	volatile pid_t program;
	volatile int there;
	volatile int cpus;
	volatile int bound;
	char path[64];
	volatile int shared;
	volatile int private;
};

#endif /* CHESS_SELFTESTS_SUBJECT_H */

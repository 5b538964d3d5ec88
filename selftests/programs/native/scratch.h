/* SPDX-License-Identifier: GPL-2.0-only */
/* A new directory to work in, for programs about files. It has to be removed when empty. */
#ifndef NATIVE_SCRATCH_H
#define NATIVE_SCRATCH_H

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static char scratch[] = "/tmp/chess-native-XXXXXX";

static inline void enter_scratch(void)
{
	assert(mkdtemp(scratch) && !chdir(scratch));
}

static inline void leave_scratch(void)
{
	assert(!rmdir(scratch));
}

#endif

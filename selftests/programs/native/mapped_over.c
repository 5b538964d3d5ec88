// SPDX-License-Identifier: GPL-2.0-only
/*
 * New memory is mapped in the place of other memory, which a thread that asked is about to read.
 *
 * expect: verdict=assert
 */
#include "in_use.h"

static void get(void)
{
	map(MAP_PRIVATE);
}

static void use(void)
{
	assert(bytes[SIZE - 1] == 3);
}

static void take_away(void)
{
	assert(mmap(bytes, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		    -1, 0) == bytes);
}

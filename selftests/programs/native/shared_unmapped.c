// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that is shared with other processes is unmapped while another thread of this one, which
 * asked whether it is there, is about to write to it.
 *
 * expect: verdict=crash
 */
#include "in_use.h"

static void get(void)
{
	map(MAP_SHARED);
}

static void use(void)
{
	bytes[SIZE - 1] = 1;
}

static void take_away(void)
{
	munmap(bytes, SIZE);
}

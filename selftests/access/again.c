// SPDX-License-Identifier: GPL-2.0-only
/* A library for access_test.c to load, and to load again. */
int again_count;

int again(void);
int again(void)
{
	return ++again_count;
}

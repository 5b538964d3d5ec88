// SPDX-License-Identifier: GPL-2.0-only
/*
 * A lock-free list removes a node by one compare-and-exchange on the node before it. If its
 * successor is removed at the same time, that one comes back. Mended: a node is marked first.
 *
 * source: Harris, DISC 2001, section 3
 * expect: verdict=assert
 */
#include <stdatomic.h>

#include "outside.h"

/* Links are indices; the lowest bit marks the node whose link it is as removed. */
static atomic_int next[4];

static int find_before(int index)
{
	int i = 0, following;

	while ((following = atomic_load(&next[i]) >> 1) != index)
		i = following;
	return i;
}

static void delete(int index)
{
	int before, link, expected;

	if (IS_MENDED)
		atomic_fetch_or(&next[index], 1);
	do {
		before = find_before(index);
		link = atomic_load(&next[index]) & ~1;
		expected = index << 1;
		if (atomic_compare_exchange_strong(&next[before], &expected, link))
			return;
		/* Mended, a node that is marked counts as gone, whoever unlinks it. */
	} while (!IS_MENDED);
}

static void delete_first(void)
{
	delete(1);
}

static void *delete_second(void *arg)
{
	(void)arg;
	delete(2);
	return NULL;
}

int main(void)
{
	int i;

	for (i = 0; i < 3; i++)
		atomic_store(&next[i], (i + 1) << 1);
	together(delete_first, delete_second);
	for (i = atomic_load(&next[0]) >> 1; i; i = atomic_load(&next[i]) >> 1)
		assert(i == 3 || (atomic_load(&next[i]) & 1));
	return 0;
}

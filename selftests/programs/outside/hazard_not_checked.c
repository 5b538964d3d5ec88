// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader announces the node that it is about to use, but does not look again whether the
 * node is still there. Whoever removes it may have gone through the announcements already.
 *
 * source: Michael, IEEE TPDS 2004 (hazard pointers), section 3
 * expect: verdict=memory
 */
#include <stdatomic.h>

#include "outside.h"

struct node {
	volatile int value;
	long rest[4];
};

static struct node *_Atomic head;
static struct node *_Atomic hazard;

static void get(void)
{
	struct node *node;

	do {
		node = atomic_load(&head);
		if (!node)
			return;
		atomic_store(&hazard, node);
	} while (IS_MENDED && atomic_load(&head) != node);
	(void)node->value;
	atomic_store(&hazard, NULL);
}

static void *retire(void *arg)
{
	struct node *node = atomic_exchange(&head, NULL);

	(void)arg;
	/* What is in use is left for another time. */
	if (atomic_load(&hazard) != node)
		free(node);
	return NULL;
}

int main(void)
{
	struct node *first = calloc(1, sizeof(*first));

	assert(first);
	atomic_store(&head, first);
	together(get, retire);
	return 0;
}

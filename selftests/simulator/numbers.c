// SPDX-License-Identifier: GPL-2.0-only
/*
 * See numbers.h. Open addressing; at most half of the slots are used.
 */
#include <stdlib.h>
#include <string.h>

#include "numbers.h"

static struct number *look(const struct numbers *m, uint64_t key)
{
	size_t at = (key * 0x9e3779b97f4a7c15ULL >> 20) & (m->slots - 1);

	while (m->slot[at].used && m->slot[at].key != key)
		at = (at + 1) & (m->slots - 1);
	return &m->slot[at];
}

static void grow(struct numbers *m)
{
	struct numbers more = { .slots = m->slots ? m->slots * 2 : 256, .n = m->n };
	size_t i;

	more.slot = calloc(more.slots, sizeof(*more.slot));
	if (!more.slot)
		abort();
	for (i = 0; i < m->slots; i++)
		if (m->slot[i].used)
			*look(&more, m->slot[i].key) = m->slot[i];
	free(m->slot);
	*m = more;
}

uint32_t *numbers_at(struct numbers *m, uint64_t key, uint32_t value)
{
	struct number *slot;

	if (m->n * 2 >= m->slots)
		grow(m);
	slot = look(m, key);
	if (!slot->used) {
		*slot = (struct number){ .key = key, .value = value, .used = 1 };
		m->n++;
	}
	return &slot->value;
}

uint32_t *numbers_find(const struct numbers *m, uint64_t key)
{
	struct number *slot = m->slots ? look(m, key) : NULL;

	return slot && slot->used ? &slot->value : NULL;
}

bool numbers_same(const struct numbers *a, const struct numbers *b)
{
	size_t i;

	for (i = 0; i < a->slots; i++)
		if (a->slot[i].used && !numbers_find(b, a->slot[i].key))
			return false;
	return a->n == b->n;
}

void numbers_free(struct numbers *m)
{
	free(m->slot);
	memset(m, 0, sizeof(*m));
}

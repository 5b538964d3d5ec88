/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A map from 64 bit numbers, digests mostly, to a small number each. Zeroed is empty.
 */
#ifndef SELFTESTS_NUMBERS_H
#define SELFTESTS_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct numbers {
	struct number { uint64_t key; uint32_t value; uint32_t used; } *slot;
	size_t n, slots;
};

/* Where the value of @key is kept; @value is put there when @key is new. */
uint32_t *numbers_at(struct numbers *m, uint64_t key, uint32_t value);
/* The same, NULL when @key is not there. */
uint32_t *numbers_find(const struct numbers *m, uint64_t key);
/* Do both have the same keys? */
bool numbers_same(const struct numbers *a, const struct numbers *b);
void numbers_free(struct numbers *m);

#endif /* SELFTESTS_NUMBERS_H */

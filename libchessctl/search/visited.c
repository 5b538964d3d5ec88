// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See visited.h. Keys are hashes, so their low bits select a bucket; a bucket is a cache line,
 * and a look-up reads no other. The table doubles when an insertion finds its bucket full, up to
 * the largest size. But a large table does not double for a single bucket that is full long before
 * the others: chance alone makes no bucket full where keys fill only a sixteenth of the table.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "internal.h"
#include "search/visited.h"

#define WAYS	5
#define MIN_BUCKETS	64	/* a page of memory, so all numbers of them are whole pages */
#define SMALL_BUCKETS	4096	/* always allowed, however few are full */

struct bucket {
	uint64_t key[WAYS];
	struct chess_visit visit[WAYS];
	uint32_t n;		/* entered so far; beyond WAYS each replaces the oldest */
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct bucket) == 64, "a bucket is a cache line");

/**
 * struct chess_visited - the set
 * @bucket: @buckets of them, a power of two
 * @max: how many there may be
 * @n: keys
 */
struct chess_visited {
	struct bucket *bucket;
	size_t buckets, max, n;
};

/* @n buckets, all zero; where @old, with half as many, is given, its buckets come first. */
static struct bucket *map(struct bucket *old, size_t n)
{
	size_t bytes = n * sizeof(*old);
	void *b = old ? mremap(old, bytes / 2, bytes, MREMAP_MAYMOVE) :
		  mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (b != MAP_FAILED)
		return b;
	chess_set_error(ENOMEM, "no memory for %zu visited states", n * WAYS);
	return NULL;
}

/**
 * chess_visited_new() - an empty set
 * @max_bytes: how large it may grow
 *
 * Return: it, or NULL with chess_error().
 */
struct chess_visited *chess_visited_new(size_t max_bytes)
{
	struct chess_visited *v = calloc(1, sizeof(*v));

	if (!v) {
		chess_set_error(ENOMEM, "no memory for visited states");
		return NULL;
	}
	v->buckets = MIN_BUCKETS;
	v->max = max_bytes / sizeof(struct bucket);
	v->bucket = map(NULL, v->buckets);
	if (v->bucket)
		return v;
	free(v);
	return NULL;
}

void chess_visited_free(struct chess_visited *v)
{
	if (!v)
		return;
	munmap(v->bucket, v->buckets * sizeof(struct bucket));
	free(v);
}

static struct bucket *bucket_of(const struct chess_visited *v, uint64_t key)
{
	return &v->bucket[key & (v->buckets - 1)];
}

static unsigned int used(const struct bucket *b)
{
	return b->n < WAYS ? b->n : WAYS;
}

/**
 * chess_visited_find() - is a key in the set?
 * @v: the set
 * @key: the key
 *
 * Return: what is known of it, valid until the next chess_visited_add(); or NULL.
 */
struct chess_visit *chess_visited_find(struct chess_visited *v, uint64_t key)
{
	struct bucket *b = bucket_of(v, key);
	unsigned int i;

	for (i = 0; i < used(b); i++)
		if (b->key[i] == key)
			return &b->visit[i];
	return NULL;
}

static struct chess_visit *put(struct bucket *b, uint64_t key, struct chess_visit visit)
{
	unsigned int at = b->n % WAYS;

	b->key[at] = key;
	b->visit[at] = visit;
	/* The count must not wrap to "not full". */
	b->n = b->n + 1 < 2 * WAYS ? b->n + 1 : WAYS;
	return &b->visit[at];
}

/* Each bucket becomes two: a key stays or moves by the old number of buckets. */
static int grow(struct chess_visited *v)
{
	struct bucket *more = map(v->bucket, v->buckets * 2), old;
	size_t i, n = v->buckets;
	unsigned int k;

	if (!more)
		return -ENOMEM;
	v->bucket = more;
	v->buckets *= 2;
	for (i = 0; i < n; i++) {
		old = more[i];
		memset(&more[i], 0, sizeof(more[i]));
		for (k = 0; k < used(&old); k++)
			put(bucket_of(v, old.key[k]), old.key[k], old.visit[k]);
	}
	return 0;
}

static bool is_worth_growing(const struct chess_visited *v)
{
	return v->buckets * 2 <= v->max &&
	       (v->buckets < SMALL_BUCKETS || v->n * 16 >= v->buckets * WAYS);
}

/**
 * chess_visited_add() - enter a key
 * @v: the set
 * @key: not in it
 * @cost: at which it was reached
 *
 * Return: what is known of it, as chess_visited_find(); or NULL with chess_error().
 */
struct chess_visit *chess_visited_add(struct chess_visited *v, uint64_t key, uint8_t cost)
{
	while (bucket_of(v, key)->n >= WAYS && is_worth_growing(v))
		if (grow(v))
			return NULL;
	v->n += bucket_of(v, key)->n < WAYS;
	return put(bucket_of(v, key), key, (struct chess_visit){ .cost = cost });
}

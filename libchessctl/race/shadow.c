// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See shadow.h. Words are found by a hash table, their entries are lists.
 */
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "mix.h"
#include "race/shadow.h"

/* User addresses have 47 bits. */
uint64_t chess_shadow_key(uint16_t space, uint64_t address)
{
	return (uint64_t)space << 48 | (address >> 3 & ((1ULL << 48) - 1));
}

uint8_t chess_shadow_mask(uint64_t word, uint64_t start, uint64_t end)
{
	uint8_t mask = 0xff;

	if (word < start)
		mask &= 0xff << (start - word);
	if (word + 8 > end)
		mask &= 0xff >> (word + 8 - end);
	return mask;
}

static struct chess_shadow_word *place_of(struct chess_shadow_word *word, size_t words,
					  uint64_t key)
{
	size_t at = chess_mix(0, key) & (words - 1);

	while (word[at].used && word[at].key != key)
		at = (at + 1) & (words - 1);
	return &word[at];
}

static bool grow(struct chess_shadow *s)
{
	size_t words = s->words ? s->words * 2 : 1024, i;
	struct chess_shadow_word *word = calloc(words, sizeof(*word));

	if (!word)
		return false;
	for (i = 0; i < s->words; i++)
		if (s->word[i].used)
			*place_of(word, words, s->word[i].key) = s->word[i];
	free(s->word);
	s->word = word;
	s->words = words;
	return true;
}

struct chess_shadow_word *chess_shadow_find(struct chess_shadow *s, uint64_t key, bool add)
{
	struct chess_shadow_word *w;

	if (!s->words && (!add || !grow(s)))
		return NULL;
	w = place_of(s->word, s->words, key);
	if (w->used || !add)
		return w->used ? w : NULL;
	/* Words are no more than entries, so that both are bounded. */
	if (s->used >= s->max)
		return NULL;
	if (s->used * 2 >= s->words) {
		if (!grow(s))
			return NULL;
		w = place_of(s->word, s->words, key);
	}
	*w = (struct chess_shadow_word) { .key = key, .used = true };
	s->used++;
	return w;
}

static struct chess_shadow_entry *take_entry(struct chess_shadow *s)
{
	struct chess_shadow_entry *v;

	if (s->free) {
		v = &s->entry[s->free - 1];
		s->free = v->next;
		return v;
	}
	if (s->n >= s->max || chess_array_room(&s->entry, &s->room, s->n + 1, sizeof(*v)))
		return NULL;
	return &s->entry[s->n++];
}

struct chess_shadow_entry *chess_shadow_add(struct chess_shadow *s, struct chess_shadow_word *word)
{
	struct chess_shadow_entry *e = take_entry(s);

	if (!e)
		return NULL;
	*e = (struct chess_shadow_entry) { .next = word->head };
	word->head = e - s->entry + 1;
	return e;
}

void chess_shadow_drop(struct chess_shadow *s, uint32_t *link)
{
	uint32_t gone = *link;
	struct chess_shadow_entry *e = &s->entry[gone - 1];

	*link = e->next;
	e->next = s->free;
	s->free = gone;
}

void chess_shadow_forget(struct chess_shadow *s, struct chess_shadow_word *word, uint8_t mask)
{
	uint32_t *link = &word->head;

	while (*link) {
		struct chess_shadow_entry *e = &s->entry[*link - 1];

		e->mask &= ~mask;
		if (e->mask)
			link = &e->next;
		else
			chess_shadow_drop(s, link);
	}
}

void chess_shadow_free(struct chess_shadow *s)
{
	free(s->word);
	free(s->entry);
	memset(s, 0, sizeof(*s));
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See sync_words.h. Which functions of which libraries are recorded for that is said in
 * sites.c: they come after all sites that are examined for races. A store that lets a
 * lock go is a plain move, so all they do with such a word counts, and so does what the
 * program does with it: code that is inlined looks at the guard of a static variable.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "race/sync.h"
#include "race/sync_words.h"

#define WORD	4

static bool is_of_library(const struct chess_sync_words *w, const struct chess_access *a)
{
	return w->first_site && a->site >= w->first_site &&
	       a->kind & (CHESS_ACCESS_READ | CHESS_ACCESS_WRITE);
}

/* What a call accesses perhaps is recorded as atomic, and is one of the two. */
static bool is_atomic(const struct chess_access *a)
{
	const uint8_t all = CHESS_ACCESS_READ | CHESS_ACCESS_WRITE | CHESS_ACCESS_ATOMIC;

	return (a->kind & all) == all;
}

/* Larger ones are copies. */
static bool is_small(const struct chess_access *a)
{
	return a->size && a->size <= 2 * sizeof(uint64_t);
}

static uint64_t last_word(const struct chess_access *a)
{
	return (a->address + a->size - 1) / WORD;
}

static int add(struct chess_hashset *set, const struct chess_access *a)
{
	uint64_t word;
	int ret = 0;

	if (!is_small(a))
		return 0;
	for (word = a->address / WORD; ret >= 0 && word <= last_word(a); word++)
		ret = chess_hashset_add(set, word);
	return ret < 0 ? ret : 0;
}

/* What futex(2) was called for, of @used: the program may call it, too. */
static int add_futexes(const struct chess_record *r, const struct chess_hashset *used,
		       struct chess_hashset *words)
{
	const struct chess_event *e;
	int ret = 0;
	size_t i;

	for (i = 0; ret >= 0 && (e = chess_record_event(r, i)); i++)
		if (e->type == CHESS_EVENT_POINT && e->object_kind == CHESS_OBJECT_ADDRESS &&
		    (e->op == CHESS_OP_FUTEX_WAIT || e->op == CHESS_OP_FUTEX_WAKE) &&
		    chess_hashset_has(used, e->object / WORD))
			ret = chess_hashset_add(words, e->object / WORD);
	return ret < 0 ? ret : 0;
}

int chess_sync_words_find(const struct chess_run_result *run, struct chess_sync_words *out)
{
	struct chess_hashset used = { 0 };
	int ret = 0;
	size_t i;

	memset(out, 0, sizeof(*out));
	out->first_site = run->first_sync_site;
	for (i = 0; !ret && out->first_site && i < run->n_accesses; i++) {
		const struct chess_access *a = &run->accesses[i];

		if (is_of_library(out, a))
			ret = add(is_atomic(a) ? &out->words : &used, a);
	}
	if (!ret)
		ret = add_futexes(run->record, &used, &out->words);
	chess_hashset_clear(&used);
	if (ret)
		chess_sync_words_clear(out);
	return ret;
}

void chess_sync_words_clear(struct chess_sync_words *w)
{
	chess_hashset_clear(&w->words);
	memset(w, 0, sizeof(*w));
}

static bool has(const struct chess_sync_words *w, const struct chess_access *a)
{
	uint64_t word;

	if (!is_small(a))
		return false;
	for (word = a->address / WORD; word <= last_word(a); word++)
		if (!chess_hashset_has(&w->words, word))
			return false;
	return true;
}

uint8_t chess_sync_words_kind(const struct chess_sync_words *w, const struct chess_access *a)
{
	uint8_t kind = a->kind;

	if (!(kind & (CHESS_ACCESS_READ | CHESS_ACCESS_WRITE)))
		return kind;
	if (chess_hashset_count(&w->words) && has(w, a))
		kind |= CHESS_ACCESS_ATOMIC;
	if (is_of_library(w, a))
		kind |= CHESS_ACCESS_ORDERS;
	return kind;
}

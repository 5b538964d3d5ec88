// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See race.h. Goes through the steps of a run and compares each access with those that
 * the shadow has of the same bytes. One race is one pair of instructions, whichever came
 * first and wherever it was.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "race/copied.h"
#include "race/detector.h"
#include "race/freed.h"
#include "internal.h"
#include "record/objects.h"
#include "race/race.h"
#include "race/stretches.h"

#define MAX_ENTRIES	(2UL << 20)
#define MAX_RACES	4096
/* A word with that many entries is looked through for what is over. */
#define MANY_ENTRIES	8

/*
 * Steps of a task: the first one, and one after its last. A handler may run from the begin on,
 * and is not after what its task does before.
 */
struct life {
	size_t begin, end;
};

struct search {
	const struct chess_steps *steps;
	const struct chess_access *access;
	const struct chess_detector *how;
	void *detector;
	struct life *life;
	size_t alive;				/* tasks that have begun and not ended */
	struct chess_shadow shadow;
	struct chess_stretches stretches;
	struct chess_freed freed;		/* as writes: one may be of a million words */
	bool no_frees;
	struct chess_objects instructions;	/* so that a pair is two small numbers */
	struct chess_objects pairs;		/* index is that in @out */
	size_t max_races;
	struct chess_races *out;
};

/* The ip of a free() is where it returns to, where there is an instruction, too. */
static int64_t instruction_of(struct search *s, const struct chess_access *a)
{
	return chess_objects_find(&s->instructions, chess_is_free(a), a->ip);
}

static int64_t pair_of(struct search *s, const struct chess_access *a,
		       const struct chess_access *b)
{
	int64_t x = instruction_of(s, a), y = instruction_of(s, b);

	if (x < 0 || y < 0)
		return -ENOMEM;
	return chess_objects_find(&s->pairs, 0, x < y ? (uint64_t)x << 32 | y :
				  (uint64_t)y << 32 | x);
}

static int report(struct search *s, size_t earlier, const struct chess_step *at)
{
	/* The access that reads what was copied may come long after the copy. */
	size_t first = earlier < at->object ? earlier : at->object;
	size_t second = earlier < at->object ? at->object : earlier;
	const struct chess_access *a = &s->access[first], *b = &s->access[second];
	uint64_t start = a->address > b->address ? a->address : b->address;
	uint64_t end_a = a->address + a->size, end_b = b->address + b->size;
	struct chess_races *out = s->out;
	int64_t i;

	if (s->pairs.n >= s->max_races) {
		out->dropped++;
		return 0;
	}
	i = pair_of(s, a, b);
	if (i < 0)
		return i;
	if ((size_t)i < out->n) {
		/* once, however many words two accesses share */
		out->v[i].count += out->v[i].last != second;
		out->v[i].last = second;
		return 0;
	}
	if (chess_array_room(&out->v, &out->room, out->n + 1, sizeof(*out->v)))
		return -ENOMEM;
	out->v[out->n++] = (struct chess_race) {
		.first = first, .second = second, .last = second, .count = 1,
		.address = start, .size = (end_a < end_b ? end_a : end_b) - start,
		.beside_atomic = (a->kind ^ b->kind) & CHESS_ACCESS_ATOMIC,
		.space = at->space,
	};
	return 0;
}

/* Of what was copied only the reading took place there. */
static uint8_t kind_of(const struct search *s, const struct chess_step *at)
{
	uint8_t kind = s->access[at->object].kind;

	return at->kind == CHESS_STEP_COPIED ? kind & ~CHESS_ACCESS_WRITE : kind;
}

/* To give memory back is to write all of it. What is left out (run_races.c) has no kind. */
static bool conflict(uint8_t a, uint8_t b)
{
	const uint8_t writes = CHESS_ACCESS_WRITE | CHESS_ACCESS_FRESH;
	const uint8_t any = writes | CHESS_ACCESS_READ;

	return (a & any) && (b & any) && ((a | b) & writes) && !(a & b & CHESS_ACCESS_ATOMIC);
}

/* Two calls that shorten a file leave the rest of it gone, whichever comes first. */
static bool both_end_file(const struct chess_access *a, const struct chess_access *b)
{
	return chess_is_unmap(a) && chess_is_unmap(b) && a->kind & b->kind & CHESS_ACCESS_SHARED;
}

/* With what was given back, and not handed out since. */
static int compare_with_freed(struct search *s, size_t step, uint64_t start, uint64_t end)
{
	const struct chess_step *at = &s->steps->v[step];
	const struct chess_freed_range *r;
	int ret = 0;

	for (; ret >= 0 && start < end; start = r->end) {
		r = chess_freed_find(&s->freed, at->space, start, end);
		if (!r)
			break;
		if (r->by.task == at->task ||
		    both_end_file(&s->access[r->by.access], &s->access[at->object]))
			continue;
		ret = s->how->ordered(s->detector, step, at->task, &r->by);
		if (!ret)
			ret = report(s, r->by.access, at);
	}
	return ret < 0 ? ret : 0;
}

/* The same access before, by the same task. */
static struct chess_shadow_entry *find_own(struct search *s, const struct chess_shadow_word *word,
					   const struct chess_step *at, uint8_t mask)
{
	uint64_t ip = s->access[at->object].ip;
	uint8_t kind = kind_of(s, at);
	struct chess_shadow_entry *e;
	uint32_t i;

	for (i = word->head; i; i = e->next) {
		e = &s->shadow.entry[i - 1];
		if (e->ip == ip && e->task == at->task && e->kind == kind && e->mask == mask)
			return e;
	}
	return NULL;
}

static int compare_with_others(struct search *s, size_t step, const struct chess_shadow_word *word,
			       uint8_t mask)
{
	const struct chess_step *at = &s->steps->v[step];
	uint8_t kind = kind_of(s, at);
	const struct chess_shadow_entry *e;
	uint32_t i;
	int ret;

	for (i = word->head; i; i = e->next) {
		e = &s->shadow.entry[i - 1];
		if (e->task == at->task || !(e->mask & mask) || !conflict(e->kind, kind))
			continue;
		ret = s->how->ordered(s->detector, step, at->task, e);
		if (!ret)
			ret = report(s, e->access, at);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/*
 * Can no task race with it any more, since all that still do something come after it? One that
 * has not begun yet will come after the one that begins it.
 */
static int is_over(struct search *s, size_t step, const struct chess_shadow_entry *e)
{
	size_t t;
	int ret = 1;

	for (t = 0; t < s->steps->tasks && ret == 1; t++)
		if (t != e->task && s->life[t].begin <= step && s->life[t].end > step)
			ret = s->how->ordered(s->detector, step, t, e);
	return ret;
}

/* At 8, 16, 32 ... entries, so that it costs little where all are needed. */
static int drop_old(struct search *s, size_t step, struct chess_shadow_word *word)
{
	uint32_t *link, i;
	size_t n = 0;
	int ret;

	for (i = word->head; i; i = s->shadow.entry[i - 1].next)
		n++;
	if (n < MANY_ENTRIES || n & (n - 1))
		return 0;
	for (link = &word->head; *link;) {
		ret = is_over(s, step, &s->shadow.entry[*link - 1]);
		if (ret < 0)
			return ret;
		if (ret)
			chess_shadow_drop(&s->shadow, link);
		else
			link = &s->shadow.entry[*link - 1].next;
	}
	return 0;
}

/*
 * A second time in the same epoch there is nothing new (FastTrack): a task that was here in
 * between could not know of the first time, so that pair is reported already.
 */
static int access_word(struct search *s, size_t step, uint64_t key, uint8_t mask)
{
	const struct chess_step *at = &s->steps->v[step];
	/* What nobody had before is over at once, see is_over(). */
	bool alone = s->alive == 1;
	struct chess_shadow_word *word = chess_shadow_find(&s->shadow, key, !alone);
	uint32_t clock = s->how->stamp(s->detector, step, at->task);
	struct chess_shadow_entry *own;
	int ret;

	if (!word) {
		s->out->forgotten += !alone;
		return 0;
	}
	own = find_own(s, word, at, mask);
	if (own && own->clock == clock) {
		own->access = at->object;
		return 0;
	}
	ret = compare_with_others(s, step, word, mask);
	if (!ret && !own)
		ret = drop_old(s, step, word);
	if (ret)
		return ret;
	if (!own)
		own = chess_shadow_add(&s->shadow, word);
	if (!own) {
		s->out->forgotten++;
		return 0;
	}
	own->ip = s->access[at->object].ip;
	own->access = at->object;
	own->clock = clock;
	own->task = at->task;
	own->kind = kind_of(s, at);
	own->mask = mask;
	return 0;
}

/* What was done to a word is over; to give it back is to write it. */
static int end_word(struct search *s, size_t step, uint64_t key, uint8_t mask)
{
	struct chess_shadow_word *word = chess_shadow_find(&s->shadow, key, false);
	int ret = 0;

	if (!word)
		return 0;
	if (!s->no_frees && chess_is_free(&s->access[s->steps->v[step].object]))
		ret = compare_with_others(s, step, word, mask);
	chess_shadow_forget(&s->shadow, word, mask);
	return ret;
}

/* Large areas: word by word of those that are known. */
static int end_all(struct search *s, size_t step, uint64_t start, uint64_t end)
{
	uint16_t space = s->steps->v[step].space;
	uint64_t low = chess_shadow_key(space, start), high = chess_shadow_key(space, end - 1);
	size_t i;
	int ret = 0;

	for (i = 0; i < s->shadow.words && !ret; i++)
		if (s->shadow.word[i].used && s->shadow.word[i].key > low &&
		    s->shadow.word[i].key < high)
			ret = end_word(s, step, s->shadow.word[i].key, 0xff);
	return ret;
}

/* No task comes after the end of a piece that no other can still use, see is_over(). */
static int give_back(struct search *s, size_t step, uint64_t start, uint64_t end)
{
	const struct chess_step *at = &s->steps->v[step];
	const struct chess_freed_range r = {
		.space = at->space, .start = start, .end = end,
		.by = {
			.access = at->object, .task = at->task, .kind = CHESS_ACCESS_FRESH,
			.clock = s->how->stamp(s->detector, step, at->task),
		},
	};

	if (s->alive == 1)
		return chess_freed_remove(&s->freed, at->space, start, end);
	return chess_freed_add(&s->freed, &r);
}

/* After @word, the next that an access of @size bytes is looked at in. */
static uint64_t next_word(const struct search *s, uint64_t word, uint64_t size)
{
	return chess_stretches_is_long(size) ? chess_stretches_next(&s->stretches, word) : word + 8;
}

/* Bytes are given back, or mapped: free bytes may be so again, without an allocation. */
static int end_bytes(struct search *s, size_t step, uint64_t start, uint64_t end)
{
	const struct chess_step *at = &s->steps->v[step];
	uint64_t word = start & ~7ULL;
	bool free = !s->no_frees && chess_is_free(&s->access[at->object]);
	int ret = free ? compare_with_freed(s, step, start, end) : 0;

	if (!ret && (end - start) / 8 > s->shadow.words + 2) {
		ret = end_word(s, step, chess_shadow_key(at->space, word),
			       chess_shadow_mask(word, start, end));
		if (!ret)
			ret = end_all(s, step, start, end);
		word = (end - 1) & ~7ULL;
	}
	for (; word < end && !ret; word = next_word(s, word, end - start))
		ret = end_word(s, step, chess_shadow_key(at->space, word),
			       chess_shadow_mask(word, start, end));
	if (ret)
		return ret;
	return free ? give_back(s, step, start, end) :
		      chess_freed_remove(&s->freed, at->space, start, end);
}

static int access_bytes(struct search *s, size_t step)
{
	const struct chess_step *at = &s->steps->v[step];
	const struct chess_access *a = &s->access[at->object];
	uint64_t start = a->address, end = start + a->size, word = start & ~7ULL;
	int ret;

	if (!a->size || end < start)
		return 0;
	/* What was done before goes on: somebody may still have the old piece. */
	if (a->kind & CHESS_ACCESS_ALLOCATED)
		return chess_freed_remove(&s->freed, at->space, start, end);
	if (a->kind & CHESS_ACCESS_FRESH)
		return end_bytes(s, step, start, end);
	ret = compare_with_freed(s, step, start, end);
	for (; word < end && !ret; word = next_word(s, word, a->size))
		ret = access_word(s, step, chess_shadow_key(at->space, word),
				  chess_shadow_mask(word, start, end));
	return ret;
}

static bool is_handler(const struct search *s, size_t task)
{
	return task >= s->steps->tasks - s->steps->handlers;
}

static bool find_lives(struct search *s)
{
	size_t i, t;

	s->life = calloc(s->steps->tasks + 1, sizeof(*s->life));
	for (t = 0; s->life && t < s->steps->tasks - s->steps->handlers; t++)
		s->life[t].begin = SIZE_MAX;
	for (i = 0; s->life && i < s->steps->n; i++) {
		t = s->steps->v[i].task;
		if (i < s->life[t].begin)
			s->life[t].begin = i;
		s->life[t].end = i + 1;
	}
	return s->life;
}

static int search(struct search *s)
{
	size_t i;
	int ret = 0;

	s->detector = s->how->init(s->steps);
	if (!s->detector)
		return -ENOMEM;
	if (!find_lives(s))
		ret = -ENOMEM;
	s->alive = s->steps->handlers;
	for (i = 0; i < s->steps->n && !ret; i++) {
		const struct life *life = &s->life[s->steps->v[i].task];
		uint8_t kind = s->steps->v[i].kind;

		s->alive += i == life->begin && !is_handler(s, s->steps->v[i].task);
		if (kind == CHESS_STEP_ACCESS || kind == CHESS_STEP_COPIED)
			ret = access_bytes(s, i);
		else if (kind != CHESS_STEP_COPY)
			ret = s->how->sync(s->detector, i);
		s->alive -= i + 1 == life->end;
	}
	s->how->free(s->detector);
	free(s->life);
	chess_shadow_free(&s->shadow);
	chess_freed_clear(&s->freed);
	chess_objects_free(&s->instructions);
	chess_objects_free(&s->pairs);
	return ret;
}

/* A copy in which all have the kinds that are known of them. */
static struct chess_access *told_apart(const struct chess_access *a, size_t n,
				       const struct chess_race_opts *o)
{
	struct chess_access *copy = malloc((n + 1) * sizeof(*copy));
	size_t i;

	for (i = 0; copy && i < n; i++) {
		copy[i] = a[i];
		if (o->kind)
			copy[i].kind = o->kind(o->arg, &a[i]);
	}
	if (copy && chess_freed_resolve(copy, n)) {
		free(copy);
		return NULL;
	}
	return copy;
}

int chess_races_find(const struct chess_record *r, const struct chess_access *a, size_t n,
		     const struct chess_race_opts *opts, struct chess_races *out)
{
	static const struct chess_race_opts defaults;
	struct chess_access *copy = NULL;
	struct chess_steps steps;
	struct search s = { .steps = &steps, .out = out };
	int ret;

	memset(out, 0, sizeof(*out));
	if (!opts)
		opts = &defaults;
	if (opts->kind || chess_freed_unresolved(a, n)) {
		copy = told_apart(a, n, opts);
		if (!copy)
			return chess_set_error(ENOMEM, "no memory for %zu accesses", n);
		a = copy;
	}
	s.access = a;
	s.no_frees = opts->no_frees;
	s.how = opts->detector ? opts->detector : &chess_by_clocks;
	s.shadow.max = opts->max_entries ? opts->max_entries : MAX_ENTRIES;
	s.max_races = opts->max_races ? opts->max_races : MAX_RACES;
	ret = chess_sync_steps(r, a, n, &steps);
	if (!ret) {
		ret = chess_copied_add(&steps, a);
		if (!ret)
			ret = chess_stretches_of(a, n, &s.stretches);
		if (!ret)
			ret = search(&s);
		chess_races_find_pieces(&steps, a, out->v, out->n);
		if (ret)
			ret = chess_set_error(-ret, "no memory to look for races in %zu accesses", n);
	}
	free(s.stretches.cut);
	free(steps.v);
	free(copy);
	if (ret) {
		free(out->v);
		out->v = NULL;
		out->n = 0;
	}
	return ret;
}

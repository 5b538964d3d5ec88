// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The reads-from pairs of a run, and those that are missing there: a place that writes to an object
 * and one of another task that reads it. See reads.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "iroot/reads.h"
#include "mix.h"

/* No more are looked for than can be tried. */
#define MOST_PAIRS	8192
/* Uses of one object by different tasks at different places; the product of two is looked at. */
#define MOST_USES	64

static uint64_t hash_of(uint32_t write, uint32_t read)
{
	return chess_mix(chess_mix(0, write), read);
}

static size_t slot_of(const struct chess_reads_all *all, uint32_t write, uint32_t read)
{
	size_t at = hash_of(write, read) & (all->slots - 1);

	while (all->slot[at] && (all->pair[all->slot[at] - 1].write != write ||
				 all->pair[all->slot[at] - 1].read != read))
		at = (at + 1) & (all->slots - 1);
	return at;
}

static int grow_slots(struct chess_reads_all *all)
{
	size_t slots = all->slots ? all->slots * 2 : 64, i;
	uint32_t *slot = calloc(slots, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	free(all->slot);
	all->slot = slot;
	all->slots = slots;
	for (i = 0; i < all->n; i++)
		slot[slot_of(all, all->pair[i].write, all->pair[i].read)] = i + 1;
	return 0;
}

int64_t chess_reads_find(struct chess_reads_all *all, uint32_t write, uint32_t read, bool kernel)
{
	size_t at;

	if ((all->n * 2 >= all->slots && grow_slots(all)) ||
	    chess_array_room(&all->pair, &all->room, all->n + 1, sizeof(*all->pair)))
		return chess_set_error(ENOMEM, "no memory for more than %zu pairs", all->n);
	at = slot_of(all, write, read);
	if (all->slot[at])
		return all->slot[at] - 1;
	all->pair[all->n] = (struct chess_reads){
		.write = write, .read = read, .kernel = kernel,
	};
	all->slot[at] = ++all->n;
	return all->n - 1;
}

uint64_t chess_reads_signature(const struct chess_reads_all *all)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < all->n; i++)
		if (all->pair[i].runs)
			sum += chess_mix(1, hash_of(all->pair[i].write, all->pair[i].read));
	return sum;
}

void chess_reads_free(struct chess_reads_all *all)
{
	free(all->pair);
	free(all->slot);
	memset(all, 0, sizeof(*all));
}

/* What a task does to an object at a place. */
struct use {
	uint32_t object, task, place;
	bool reads, writes, kernel;
};

/* What gives a lock back, stores or writes needs nothing of what was there. */
static struct use use_of(const struct chess_iroot_access *a, const struct chess_event *e)
{
	return (struct use){
		.object = a->object, .task = a->task, .place = a->place, .writes = a->write,
		.reads = !a->write || (!a->gives && e->op != CHESS_OP_STORE &&
				       e->op != CHESS_OP_WRITE),
		.kernel = !(e->flags & CHESS_OPF_PROBE),
	};
}

/* Creation, end and join of tasks are ordered whatever is chosen. */
static bool is_of_tasks(const struct chess_event *e)
{
	return e->op == CHESS_OP_CREATE || e->op == CHESS_OP_EXIT || e->op == CHESS_OP_JOIN;
}

static int note(struct chess_reads_all *out, const struct use *write, const struct use *read,
		bool seen)
{
	int64_t at;

	if (!seen && out->n >= MOST_PAIRS)
		return 0;
	at = chess_reads_find(out, write->place, read->place, write->kernel && read->kernel);
	if (at < 0)
		return at;
	if (seen)
		out->pair[at].runs = 1;
	return 0;
}

/* @last: by object, what wrote it last; all zero: nobody has */
static int find_seen(struct chess_reads_all *out, const struct chess_iroot_run *run,
		     const struct chess_record *r, struct use *use, struct use *last)
{
	const struct chess_event *e;
	size_t i;
	int ret = 0;

	for (i = 0; i < run->n && !ret; i++) {
		const struct chess_iroot_access *a = &run->access[i];

		e = chess_record_event(r, a->event);
		if (is_of_tasks(e))
			continue;
		use[i] = use_of(a, e);
		/* It had to wait, and did nothing yet. */
		if (a->tried)
			continue;
		if (use[i].reads)
			ret = note(out, &last[a->object], &use[i], true);
		if (use[i].writes)
			last[a->object] = use[i];
	}
	return ret;
}

static int compare_uses(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static size_t drop_equal(struct use *use, size_t n)
{
	size_t i, to = 0;

	qsort(use, n, sizeof(*use), compare_uses);
	for (i = 0; i < n; i++)
		if (!to || compare_uses(&use[to - 1], &use[i]))
			use[to++] = use[i];
	return to;
}

static int find_missing(struct chess_reads_all *out, struct use *use, size_t n)
{
	size_t i, k, begin, end;
	int ret = 0;

	n = drop_equal(use, n);
	for (begin = 0; begin < n && !ret; begin = end) {
		for (end = begin; end < n && use[end].object == use[begin].object; )
			end++;
		for (i = begin; i < end && i < begin + MOST_USES && !ret; i++)
			for (k = begin; k < end && k < begin + MOST_USES && !ret; k++)
				if (use[i].writes && use[k].reads && use[i].task != use[k].task)
					ret = note(out, &use[i], &use[k], false);
	}
	return ret;
}

int chess_reads_of(struct chess_reads_all *out, const struct chess_iroot_run *run,
		   const struct chess_record *r)
{
	struct use *use = calloc(run->n + 1, sizeof(*use));
	struct use *last = calloc(run->objects + 1, sizeof(*last));
	int ret = use && last ? 0 :
		  chess_set_error(ENOMEM, "no memory for the pairs of %zu accesses", run->n);

	if (!ret)
		ret = find_seen(out, run, r, use, last);
	if (!ret)
		ret = find_missing(out, use, run->n);
	free(use);
	free(last);
	return ret;
}

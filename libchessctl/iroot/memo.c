// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the caller of a search remembers of iRoots (struct chess_memo). Places come first, by
 * numbers, since policy order's names of them are addresses, or hashes of such, of this machine.
 * Called by strategy_maple.c after each run, and before an iRoot is tried.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "chessctl/record.h"
#include "internal.h"
#include "iroot/iroot.h"
#include "mix.h"

static int no_memory(void)
{
	return chess_set_error(ENOMEM, "no memory for what is remembered of iRoots");
}

static size_t slot_of(const struct chess_iroots *all, uint32_t place)
{
	size_t at = chess_mix(0, place) & (all->named_slots - 1);

	while (all->named_slot[at] && all->named[all->named_slot[at] - 1] != place)
		at = (at + 1) & (all->named_slots - 1);
	return at;
}

static int grow_slots(struct chess_iroots *all)
{
	size_t slots = all->named_slots ? all->named_slots * 2 : 64, i;
	uint32_t *slot = calloc(slots, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	free(all->named_slot);
	all->named_slot = slot;
	all->named_slots = slots;
	for (i = 0; i < all->n_named; i++)
		slot[slot_of(all, all->named[i])] = i + 1;
	return 0;
}

static struct chess_memo_place place_of(uint32_t number, const struct chess_event *e)
{
	struct chess_memo_place p = { .number = number, .nr = -1, .op = e->op, .ip = e->ip };

	if (!(e->flags & CHESS_OPF_PROBE))
		p.nr = e->nr;
	else if (e->nr && chess_event_is_access(e))
		p.site = e->nr;
	else if (e->caller)
		p.ip = e->caller;
	return p;
}

/* Numbers for the places of iRoots that are new. */
static int number_place(struct chess_iroots *all, uint32_t place)
{
	size_t at;

	if (all->n_named * 2 >= all->named_slots && grow_slots(all))
		return no_memory();
	at = slot_of(all, place);
	if (all->named_slot[at])
		return 0;
	if (chess_array_room(&all->named, &all->named_room, all->n_named + 1, sizeof(*all->named)))
		return no_memory();
	all->named[all->n_named++] = place;
	all->named_slot[at] = all->n_named;
	return 0;
}

static int number_places(struct chess_iroots *all)
{
	size_t i, k;
	int ret = 0;

	for (i = all->asked; i < all->n && !ret; i++)
		for (k = 0; k < CHESS_IROOT_PLACES && !ret; k++)
			if (all->root[i].place[k])
				ret = number_place(all, all->root[i].place[k]);
	return ret;
}

/* Those after the first @known: the run has an access at each. */
static int report_places(const struct chess_iroots *all, const struct chess_memo *memo,
			 size_t known, const struct chess_iroot_run *run,
			 const struct chess_record *r)
{
	bool *reported = calloc(all->n_named - known + 1, sizeof(*reported));
	struct chess_memo_place p;
	size_t i, number;
	int ret = reported ? 0 : no_memory();

	for (i = 0; i < run->n && !ret; i++) {
		number = all->named_slot[slot_of(all, run->access[i].place)];
		if (number <= known || reported[number - known - 1])
			continue;
		reported[number - known - 1] = true;
		p = place_of(number, chess_record_event(r, run->access[i].event));
		ret = memo->place(memo->arg, &p, chess_record_maps(r));
	}
	free(reported);
	return ret;
}

static int name_places(struct chess_iroots *all, const struct chess_memo *memo,
		       const struct chess_iroot_run *run, const struct chess_record *r)
{
	size_t known = all->n_named;
	int ret = number_places(all);

	if (ret || all->n_named == known)
		return ret;
	return report_places(all, memo, known, run, r);
}

static struct chess_memo_iroot in_numbers(const struct chess_iroots *all,
					  const struct chess_iroot *root)
{
	struct chess_memo_iroot m = {
		.idiom = root->idiom, .predicted = root->predicted, .exposed = root->exposed,
	};
	size_t i;

	for (i = 0; i < CHESS_IROOT_PLACES; i++)
		if (root->place[i])
			m.place[i] = all->named_slot[slot_of(all, root->place[i])];
	return m;
}

/* Runs with this input that were in vain elsewhere would be so here: the next kind is tried. */
static void note_answer(struct chess_iroot *root, const struct chess_memo_iroot *m)
{
	root->before = m->before;
	root->failed = m->failed;
	if (m->failed_here > root->attempts)
		root->attempts = m->failed_here;
}

static int ask_about_new(struct chess_iroots *all, const struct chess_memo *memo)
{
	size_t n = all->n - all->asked, i;
	struct chess_memo_iroot *list;
	int ret;

	if (!n)
		return 0;
	list = calloc(n, sizeof(*list));
	if (!list)
		return no_memory();
	for (i = 0; i < n; i++)
		list[i] = in_numbers(all, &all->root[all->asked + i]);
	ret = memo->recall(memo->arg, list, n);
	for (i = 0; i < n && !ret; i++)
		note_answer(&all->root[all->asked + i], &list[i]);
	all->asked += ret ? 0 : n;
	free(list);
	return ret;
}

static unsigned int unreported(const struct chess_iroot *root)
{
	unsigned int now = (root->predicted ? CHESS_IROOT_REPORTED_PREDICTED : 0) |
			   (root->exposed ? CHESS_IROOT_REPORTED_EXPOSED : 0);

	return now & ~root->reported;
}

static int report(struct chess_iroots *all, const struct chess_memo *memo,
		const struct chess_iroot *tried)
{
	struct chess_memo_run run = { .known = all->n, .idiom = tried ? tried->idiom : 0 };
	struct chess_memo_iroot *list;
	size_t i, n = 0;
	int ret;

	for (i = 0; i < all->n; i++) {
		n += unreported(&all->root[i]) || &all->root[i] == tried;
		run.exposed += all->root[i].exposed;
	}
	list = calloc(n + 1, sizeof(*list));
	if (!list)
		return no_memory();
	for (i = 0, n = 0; i < all->n; i++) {
		struct chess_iroot *root = &all->root[i];

		if (!unreported(root) && root != tried)
			continue;
		root->reported |= unreported(root);
		list[n] = in_numbers(all, root);
		list[n++].tried = root == tried;
	}
	run.root = list;
	run.n = n;
	ret = memo->ran(memo->arg, &run);
	free(list);
	return ret;
}

int chess_iroots_report(struct chess_iroots *all, const struct chess_memo *memo,
		      const struct chess_iroot_run *run, const struct chess_record *r,
		      const struct chess_iroot *tried)
{
	int ret = name_places(all, memo, run, r);

	/* First what was known before the run, so that it does not count as known already. */
	if (!ret)
		ret = ask_about_new(all, memo);
	if (!ret)
		ret = report(all, memo, tried);
	return ret;
}

int chess_iroots_ask(struct chess_iroots *all, const struct chess_memo *memo,
		     struct chess_iroot *root)
{
	struct chess_memo_iroot m = in_numbers(all, root);
	int ret = memo->recall(memo->arg, &m, 1);

	if (!ret)
		note_answer(root, &m);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which user stacks the report of a run wants. See report.h.
 */
#include <stdlib.h>

#include "cli.h"
#include "report/report_parts.h"

static bool has_stack(const struct chess_event *e)
{
	return e->type == CHESS_EVENT_POINT || e->type == CHESS_EVENT_QUANTUM;
}

/* Adds @seq unless it is there or there is no room. */
static void add_seq(uint32_t *seqs, size_t *n, uint32_t seq)
{
	size_t i;

	for (i = 0; i < *n; i++)
		if (seqs[i] == seq)
			return;
	if (seq && *n < CHESS_MAX_STACKS)
		seqs[(*n)++] = seq;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

void report_sort_seqs(uint32_t *seqs, size_t n)
{
	qsort(seqs, n, sizeof(*seqs), by_number);
}

uint32_t *report_stack_seqs(const struct chess_record *rec, int bad, const struct chess_wait *waits,
			    size_t n_waits, size_t *n)
{
	uint32_t *seqs = cli_alloc(CHESS_MAX_STACKS, sizeof(*seqs));
	size_t i, k, length = chess_record_length(rec);
	const struct chess_event *e;
	struct chess_cycle cycle;

	*n = 0;
	if (chess_record_cycle(rec, &cycle)) {
		e = chess_record_starved_at(rec, &cycle);
		add_seq(seqs, n, e ? e->seq : 0);
		for (i = cycle.first; i < cycle.end && *n < CYCLE_SHOWN; i++)
			if (has_stack(chess_record_event(rec, i)))
				add_seq(seqs, n, i + 1);
	}
	if (bad >= 0)
		add_seq(seqs, n, CHESS_STACK_AT_FAULT | bad);
	/* In order of use: what does not fit is what the report would cut anyway. */
	for (i = 0; i < n_waits; i++) {
		e = chess_record_last_point(rec, length, waits[i].task);
		add_seq(seqs, n, waits[i].seq ? waits[i].seq : e ? e->seq : 0);
	}
	for (i = 0; i < n_waits; i++)
		for (k = 0; k < waits[i].n_holders && k < HOLDERS_SHOWN; k++)
			add_seq(seqs, n, waits[i].holders[k].seq);
	for (i = 0; i < length; i++) {
		if (!chess_record_is_preemption(rec, i))
			continue;
		add_seq(seqs, n, i + 1);
		e = chess_record_event(rec, i);
		e = chess_record_goes_on(rec, i, e->type == CHESS_EVENT_SPURIOUS ? e->task :
										   e->chosen);
		add_seq(seqs, n, e ? e->seq : 0);
		if (!(chess_record_event(rec, i)->flags & CHESS_OPF_EARLY) ||
		    !CHESS_EVENT_IS_TURN(chess_record_event(rec, i)->type))
			continue;
		e = chess_record_goes_on(rec, i, chess_record_default(rec, i));
		add_seq(seqs, n, e ? e->seq : 0);
	}
	for (i = 0; bad >= 0 && i < length; i++) {
		e = chess_record_event(rec, i);
		if (e->task != bad ||
		    (e->type != CHESS_EVENT_EXIT && e->type != CHESS_EVENT_KILLED))
			continue;
		e = chess_record_last_point(rec, i, bad);
		add_seq(seqs, n, e ? e->seq : 0);
		break;
	}
	report_sort_seqs(seqs, *n);
	return seqs;
}

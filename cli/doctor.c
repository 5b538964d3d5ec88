// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a program a few times under one prefix, the empty one. What differs comes from
 * something that is not under control: a further run says where the first events that differ
 * are, another one what the program reads from outside. See doctor.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "doctor.h"

/* CLI_PROCEED, or an exit code after one sentence */
static int run_all(struct doctor *d, unsigned int wanted)
{
	while (d->n < wanted && !session_interrupted()) {
		if (chess_runner_run(d->s->runner, NULL, 0, NULL, 0, &d->run[d->n])) {
			if (session_interrupted())
				break;
			return cli_fail(CLI_ENVIRONMENT, "run %u ended: %s", d->n + 1,
					chess_error());
		}
		if (d->run[d->n].verdict == CHESS_VERDICT_INCOMPLETE)
			cli_note("run %u is incomplete: %s", d->n + 1, chess_error());
		d->n++;
	}
	return CLI_PROCEED;
}

/* A stack of the extra run says where an event is, if that run had the same event. */
static void lend_stack(struct chess_record *to, const struct chess_record *from, size_t i)
{
	const struct chess_event *a = chess_record_event(to, i), *b = chess_record_event(from, i);
	const struct chess_stack *stack = b ? chess_record_stack(from, b->seq) : NULL;

	if (a && stack && !memcmp(a, b, sizeof(*a)) && !chess_record_stack(to, a->seq))
		chess_record_push_stack(to, stack, sizeof(*stack) + stack->size);
}

static size_t last_point_index(const struct chess_record *r, size_t at, uint16_t task)
{
	const struct chess_event *e = chess_record_last_point(r, at, task);

	return e ? e->seq - 1 : SIZE_MAX;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Once more, with stacks at the differences and at what stands before them. */
static void run_for_places(struct doctor *d)
{
	uint32_t seqs[2 * DOCTOR_DIFFERENCES];
	struct chess_record *first = d->run[0].record;
	size_t n = 0, i, k;

	for (i = 0; i < d->account.n_diff; i++) {
		size_t at = d->account.diff[i].at;
		const struct chess_event *e = chess_record_event(first, at);
		size_t before = e ? last_point_index(first, at, e->task) : SIZE_MAX;

		seqs[n++] = at + 1;
		if (before != SIZE_MAX)
			seqs[n++] = before + 1;
	}
	qsort(seqs, n, sizeof(*seqs), by_number);
	for (i = 0, k = 0; i < n; i++)
		if (!k || seqs[k - 1] != seqs[i])
			seqs[k++] = seqs[i];
	if (!k || session_interrupted() ||
	    chess_runner_run(d->s->runner, NULL, 0, seqs, k, &d->again))
		return;
	for (i = 0; i < k; i++) {
		unsigned int run;

		for (run = 0; run < d->n; run++)
			lend_stack(d->run[run].record, d->again.record, seqs[i] - 1);
	}
}

void doctor_open_report(const struct doctor *d, unsigned int run, struct chess_trace *t,
			struct report *r)
{
	session_trace(d->s, &d->run[run], t);
	if (!t->maps)
		t->maps = d->again.maps;
	report_open(r, t);
}

int doctor_program(struct session *s, const struct session_opts *o, unsigned int runs, bool json)
{
	struct doctor d = { .s = s, .run = cli_alloc(runs, sizeof(*d.run)) };
	struct timespec since;
	int ret;

	clock_gettime(CLOCK_REALTIME_COARSE, &since);
	ret = run_all(&d, runs);
	if (ret == CLI_PROCEED) {
		doctor_account_of(d.run, d.n, runs, s->path, &d.account);
		run_for_places(&d);
		if (!session_interrupted() && !sources_read(s, o, &since, &d.sources))
			cli_note("note: the program could not be watched; what it reads from outside control is not listed");
		if (json)
			doctor_json(&d);
		else
			doctor_text(&d);
		ret = d.account.deterministic && d.run[0].verdict != CHESS_VERDICT_INCOMPLETE ?
		      CLI_OK : CLI_INCOMPLETE;
	}
	doctor_account_clear(&d.account);
	while (d.n)
		chess_run_result_clear(&d.run[--d.n]);
	chess_run_result_clear(&d.again);
	sources_clear(&d.sources);
	free(d.run);
	return ret;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a run showed: its record, cut where the run was over though it went on, and the
 * facts for its verdict. See runner_internal.h.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "livelock.h"
#include "partial.h"
#include "runner_internal.h"

uint32_t chess_runner_fair(const struct chess_runner *r)
{
	if (r->opts.unfair)
		return 0;
	return r->opts.fair_k ? r->opts.fair_k : 1;
}

/* The module's record does not say what counts as a yield. */
struct chess_record *chess_runner_record(const struct chess_runner *r)
{
	struct chess_record *record = chess_record_get(r->ctl, r->group);

	if (!record)
		return NULL;
	chess_record_set_fair(record, chess_runner_fair(r));
	chess_record_set_yield_trylock(record, r->opts.yield_trylock);
	return record;
}

int chess_runner_keep_record(struct watch *w)
{
	if (w->out->record)
		return 0;
	w->out->record = chess_runner_record(w->r);
	return w->out->record ? 0 : -errno;
}

/*
 * Do some of its tasks wait for each other's locks for ever while others go on? Then
 * the run is over at the event that made it so: what came behind it, until we looked,
 * is not the same in another run.
 */
int chess_runner_find_partial(struct watch *w, const struct chess_record *r)
{
	struct chess_partial partial;
	struct chess_record *cut;
	int ret = chess_partial_find(r, w->r->opts.no_syscall_points, &partial);

	if (ret || !partial.at)
		return ret;
	cut = chess_record_cut(r, partial.at);
	if (!cut) {
		chess_waits_free(partial.waits, partial.n);
		return -errno;
	}
	w->facts.deadlock = true;
	/* All up to there is in the record. */
	w->facts.overflow = w->facts.timeout = false;
	chess_record_free(w->out->record);
	w->out->record = cut;
	chess_waits_free(w->out->waits, w->out->n_waits);
	w->out->waits = partial.waits;
	w->out->n_waits = partial.n;
	return 0;
}

/* The run is over where it had so many points, however long it went on until we looked. */
int chess_runner_find_livelock(struct watch *w, const struct chess_record *r)
{
	size_t max = w->r->opts.max_points ? w->r->opts.max_points : CHESS_MAX_POINTS;
	size_t at = chess_runner_fair(w->r) ? chess_livelock_find(r, max) : 0;
	struct chess_record *cut;

	if (!at)
		return 0;
	cut = chess_record_cut(r, at);
	if (!cut)
		return -errno;
	w->facts.livelock = true;
	w->facts.overflow = w->facts.timeout = false;
	chess_record_free(w->out->record);
	w->out->record = cut;
	return 0;
}

int chess_runner_judge(struct watch *w)
{
	struct chess_judgement j;
	struct chess_group_info info;
	const char *maps;
	int ret = chess_runner_keep_record(w);
	bool found;

	if (!ret)
		ret = chess_group_get(w->r->ctl, w->r->group, &info);
	found = w->facts.deadlock || w->facts.livelock || w->facts.diverged;
	if (!ret && !found && !info.lost)
		ret = chess_runner_find_partial(w, w->out->record);
	/* What did not fit into the record counts as lost: it is behind what is looked at. */
	if (!ret && !found && !w->facts.deadlock && (!info.lost || w->facts.overflow))
		ret = chess_runner_find_livelock(w, w->out->record);
	if (ret)
		return ret;
	maps = chess_record_maps(w->out->record);
	if (maps)
		w->out->maps = strdup(maps);
	if (w->r->opts.max_accesses) {
		ret = chess_access_get(w->r->ctl, w->r->group, &w->out->accesses,
				       &w->out->n_accesses, &w->out->lost_accesses);
		if (ret)
			return ret;
	}
	w->facts.record = w->out->record;
	w->facts.err = w->out->err;
	w->facts.lost = info.lost;
	w->facts.replaced = chess_runner_replaced_file(w->r);
	chess_verdict_judge(&w->facts, &j);
	w->out->verdict = j.verdict;
	w->out->status = w->facts.status;
	w->out->bad_task = j.bad_task;
	w->out->bad_status = j.bad_status;
	w->out->diverged_at = j.diverged_at;
	w->out->outside_task = info.outside_task;
	w->out->outside_pid = info.outside_pid;
	memcpy(w->out->outside_comm, info.outside_comm, sizeof(info.outside_comm));
	return 0;
}

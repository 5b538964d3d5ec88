// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a run showed: its record, cut where the run was over though it went on, and the
 * facts for its verdict. See runner_internal.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "run/livelock.h"
#include "race/handler_calls.h"
#include "race/misuse.h"
#include "run/partial.h"
#include "run/runner_internal.h"
#include "code/sites.h"
#include "run/standstill.h"

uint32_t chess_runner_fair(const struct chess_runner *r)
{
	if (r->opts.unfair)
		return 0;
	return r->opts.fair_k ? r->opts.fair_k : 1;
}

bool chess_runner_early_timers(const struct chess_runner *r)
{
	return !r->opts.real_time && !r->opts.late_timers && !r->opts.no_early;
}

bool chess_runner_late_watchdogs(const struct chess_runner *r)
{
	return r->opts.late_watchdogs && !r->opts.real_time;
}

bool chess_runner_no_watchdogs(const struct chess_runner *r)
{
	return r->opts.no_watchdogs && chess_runner_late_watchdogs(r);
}

bool chess_runner_late_limits(const struct chess_runner *r)
{
	return r->opts.late_limits && chess_runner_early_timers(r);
}

/* Where nothing passes early there is nothing to keep from it. */
static bool may_be_early(const struct chess_runner *r)
{
	return !r->opts.real_time && !r->opts.no_early;
}

uint32_t chess_runner_early_max(const struct chess_runner *r)
{
	return may_be_early(r) ? r->opts.early_max : 0;
}

const char *chess_runner_late_programs(const struct chess_runner *r)
{
	return may_be_early(r) ? r->opts.late_programs : NULL;
}

/* The module's record does not say what counts as a yield. */
struct chess_record *chess_runner_record(const struct chess_runner *r)
{
	struct chess_record *record = chess_record_get(r->ctl, r->group);

	if (!record)
		return NULL;
	chess_record_set_fair(record, chess_runner_fair(r));
	chess_record_set_yield_trylock(record, r->opts.yield_trylock);
	chess_record_set_early_timers(record, chess_runner_early_timers(r));
	chess_record_set_late_watchdogs(record, chess_runner_late_watchdogs(r));
	chess_record_set_no_watchdogs(record, chess_runner_no_watchdogs(r));
	chess_record_set_late_limits(record, chess_runner_late_limits(r));
	chess_record_set_early_max(record, chess_runner_early_max(r));
	chess_record_set_late_programs(record, chess_runner_late_programs(r));
	chess_record_set_long_rows(record, r->opts.long_rows);
	chess_record_set_wake_any(record, r->opts.wake_any);
	chess_record_set_spurious(record, r->opts.spurious);
	chess_record_set_split_updates(record, !r->opts.whole_updates);
	chess_record_set_split_copies(record, !r->opts.whole_copies);
	chess_record_set_more_calls(record, !r->opts.fewer_calls);
	chess_record_set_yield_await(record, !r->opts.busy_awaits);
	chess_record_set_functions(record, r->opts.functions ? r->opts.functions :
					   chess_wrapper_count());
	return record;
}

int chess_runner_keep_record(struct progress *w)
{
	if (w->out->record)
		return 0;
	w->out->record = chess_runner_record(w->r);
	return w->out->record ? 0 : -errno;
}

/* The run is over at event @at of @r: what came after it is not the same in another run. */
static int cut_record(struct progress *w, const struct chess_record *r, size_t at)
{
	struct chess_record *cut = chess_record_cut(r, at);

	if (!cut)
		return -errno;
	/* All up to there is in the record. */
	w->facts.overflow = w->facts.timeout = false;
	chess_record_free(w->out->record);
	w->out->record = cut;
	return 0;
}

/*
 * Do some of its tasks wait for each other's locks for ever while others go on? Has it had
 * more points than any run should? What is first in the record counts, however long the run
 * went on until we looked. By the machine's time a repetition may end by itself: at an alarm, or
 * when another task has slept for long enough.
 */
int chess_runner_find_end(struct progress *w, const struct chess_record *r)
{
	size_t max = w->r->opts.max_points ? w->r->opts.max_points : CHESS_MAX_POINTS;
	bool may_last = chess_runner_fair(w->r) && !w->r->opts.real_time;
	size_t livelock = may_last ? chess_livelock_find(r, max) : 0;
	struct chess_partial partial;
	int ret = chess_partial_find(r, w->r->opts.no_syscall_points, &partial);

	if (ret)
		return ret;
	if (livelock && !(partial.at && partial.at < livelock)) {
		chess_waits_free(partial.waits, partial.n);
		ret = chess_standstill_find(r, livelock, &partial);
		if (ret)
			return ret;
	}
	if (partial.at && (!livelock || partial.at < livelock)) {
		ret = cut_record(w, r, partial.at);
		if (!ret) {
			w->facts.deadlock = true;
			chess_waits_free(w->out->waits, w->out->n_waits);
			w->out->waits = partial.waits;
			w->out->n_waits = partial.n;
			return 0;
		}
	} else if (livelock) {
		ret = cut_record(w, r, livelock);
		w->facts.livelock = !ret;
	}
	chess_waits_free(partial.waits, partial.n);
	return ret;
}

/* Only where nothing is missing: neither an allocation, nor what the order follows from. */
static int find_misuse(struct progress *w, const struct chess_group_info *info)
{
	const struct chess_site_table *t = w->r->sites;
	const struct chess_misuse_opts o = {
		.heap_first = t ? t->own_first : 0, .heap_end = t ? t->own_end : 0,
		.calls_itself = t && t->heap_calls_itself,
	};
	struct chess_run_result *out = w->out;
	struct chess_trace_race found;
	int ret;

	if (info->lost || out->lost_accesses || w->facts.overflow || w->facts.timeout ||
	    w->facts.deadlock || w->facts.livelock || w->facts.diverged)
		return 0;
	ret = chess_misuse_find(out->record, out->accesses, out->n_accesses, &o, &found);
	if (!ret)
		ret = chess_handler_heap_find(out->record, out->accesses, out->n_accesses, &found);
	if (ret <= 0)
		/* Accesses and record do not fit each other: whoever looks for races says so. */
		return ret == -EINVAL ? 0 : ret;
	out->misuse = malloc(sizeof(found));
	if (!out->misuse)
		return chess_set_error(ENOMEM, "no memory for the misuse of memory");
	*out->misuse = found;
	w->facts.misuse = true;
	return 0;
}

int chess_runner_judge(struct progress *w)
{
	struct chess_judgement j;
	struct chess_group_info info;
	const char *maps;
	int ret = chess_runner_keep_record(w);
	bool found;

	if (!ret)
		ret = chess_group_get(w->r->ctl, w->r->group, &info);
	found = w->facts.deadlock || w->facts.livelock || w->facts.diverged;
	/* What did not fit into the record counts as lost: it is after what is examined. */
	if (!ret && !found && (!info.lost || w->facts.overflow))
		ret = chess_runner_find_end(w, w->out->record);
	if (ret)
		return ret;
	ret = chess_runner_keep_mapped(w);
	if (ret)
		return ret;
	maps = chess_record_maps(w->out->record);
	if (maps)
		w->out->maps = strdup(maps);
	if (w->max_accesses) {
		ret = chess_access_get(w->r->ctl, w->r->group, &w->out->accesses,
				       &w->out->n_accesses, &w->out->lost_accesses);
		if (ret)
			return ret;
		w->out->first_sync_site = w->r->sites ? w->r->sites->first_sync : 0;
		w->out->heap_calls_itself = w->r->sites && w->r->sites->heap_calls_itself;
		ret = find_misuse(w, &info);
		if (ret)
			return ret;
	}
	w->facts.record = w->out->record;
	w->facts.err = w->out->err;
	w->facts.expect = &w->r->opts.expect;
	w->facts.lost = w->full ? 0 : info.lost;
	w->facts.replaced = chess_runner_replaced_file(w);
	chess_verdict_judge(&w->facts, &j);
	w->out->verdict = j.verdict;
	w->out->status = w->facts.status;
	w->out->bad_task = j.bad_task;
	w->out->bad_status = j.bad_status;
	w->out->expected = j.expected;
	w->out->diverged_at = j.diverged_at;
	w->out->outside_task = info.outside_task;
	w->out->outside_pid = info.outside_pid;
	memcpy(w->out->outside_comm, info.outside_comm, sizeof(info.outside_comm));
	return 0;
}

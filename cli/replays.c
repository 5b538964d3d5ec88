// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trace run again, see replays.h. Records are compared bit for bit.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "changed.h"
#include "now.h"
#include "out.h"
#include "program.h"
#include "races.h"
#include "replays.h"
#include "tracefile.h"

/* Traces say what syscalls returned since this version (docs/trace-format.md). */
#define TRACE_HAS_RESULTS	5
/* And which waits for children ask how they ended since this one. */
#define TRACE_HAS_CHECKS	12
/* And where paths lead, and what processes share. */
#define TRACE_HAS_PATHS		19

int replays_points(const struct replayed *in, struct session_opts *o, char **points)
{
	const struct chess_trace *t = in->t;

	o->recorded = t->record;
	/* It was cut where it had one more. */
	if (t->verdict == CHESS_VERDICT_LIVELOCK && !o->max_points)
		o->max_points = chess_record_weight(t->record) - 1;
	o->recorded_us = t->quantum_us;
	o->recorded_events = chess_record_length(t->record);
	o->real_time |= !t->virtual_time;
	return session_points(in->command, o->points ? o->points : t->points, points);
}

/* Can this trace be replayed at all? Return: CLI_PROCEED, or an exit code after a sentence. */
static int check_trace(const struct replayed *in, struct session_opts *o, const char *path)
{
	char *points;
	int ret;

	if (!in->t->record || !in->t->argv[0])
		return cli_fail(CLI_USAGE, "trace '%s' holds no %s, so it cannot be replayed", path,
				in->t->record ? "program" : "schedule");
	ret = replays_points(in, o, &points);
	if (ret == CLI_PROCEED)
		free(points);
	return ret;
}

int replays_load(const char *command, const struct operands_list *operands,
		 struct session_opts *o, struct replayed *in)
{
	const char *path = operands->first[0], *missing;
	int ret;

	*in = (struct replayed){ .command = command, .t = tracefile_open(path) };
	if (!in->t)
		return CLI_USAGE;
	if (tracefile_is_attached(in->t))
		return cli_fail(CLI_USAGE,
				"trace '%s' is of a process that was running already (chessctl attach): it can be shown, not replayed",
				path);
	ret = check_trace(in, o, path);
	if (ret != CLI_PROCEED)
		return ret;
	/* The program of the trace runs where it ran; one given here runs here. */
	in->argv = operands->program ? operands->program : in->t->argv;
	in->cwd = operands->program ? NULL : in->t->cwd;
	session_same_surroundings(o, in->t);
	ret = session_same_accesses(o, in->t);
	if (ret != CLI_PROCEED)
		return ret;
	missing = session_same_probes(o, in->t);
	if (missing)
		return cli_fail(CLI_USAGE,
				"trace '%s' was made with probe '%s', which is not there any more; give it with --probe",
				path, missing);
	ret = program_find(in->argv[0], in->cwd, &in->program);
	if (ret == CLI_PROCEED)
		ret = session_may_start(o, in->program, in->cwd);
	return ret;
}

/* As with the program: it may be the same for all that matters. */
static void warn_of_probes(const struct session *s, const struct chess_trace *t)
{
	size_t i;

	if (s->n_probes != t->n_probes)
		cli_note("WARNING: the trace was made with %zu probe files, not %zu; the replay may diverge",
			 t->n_probes, s->n_probes);
	for (i = 0; i < t->n_probes && i < s->n_probes; i++)
		if (strcmp(t->probes[i].hash, s->probes[i].hash))
			cli_note("WARNING: probe '%s' is not the file the trace was made with; the replay may diverge",
				 s->probes[i].path);
}

static void warn_of_later(const struct chess_trace *t)
{
	size_t i;

	for (i = 0; i < t->n_later; i++) {
		char *hash = program_hash(t->later[i].path);

		if (!hash || strcmp(hash, t->later[i].hash))
			cli_note("WARNING: '%s' is not the file the trace was made with; the replay may diverge",
				 t->later[i].path);
		free(hash);
	}
}

static bool same_schedule(const struct chess_schedule *a, const struct chess_schedule *b)
{
	size_t i, n = chess_schedule_length(a);

	if (n != chess_schedule_length(b))
		return false;
	for (i = 0; i < n && chess_schedule_task(a, i) == chess_schedule_task(b, i); i++)
		;
	return i == n;
}

int replays_session(struct replayed *in, struct chess_ctl *ctl, struct session_opts *o,
		    struct session *s)
{
	int ret = replays_points(in, o, &s->points);

	/* What is to be seen again are accesses. */
	o->record = in->t->n_races || in->t->verdict == CHESS_VERDICT_MEMORY;
	/* Where files lie may have changed. */
	o->maps = true;
	if (ret == CLI_PROCEED)
		ret = session_open(s, ctl, in->argv, in->program, in->cwd, o, true);
	if (ret != CLI_PROCEED)
		return ret;
	in->program_changed = in->t->program_hash && s->hash &&
			      strcmp(in->t->program_hash, s->hash);
	if (in->program_changed)
		cli_note("WARNING: '%s' is not the program the trace was made with; the replay may diverge",
			 in->program);
	warn_of_probes(s, in->t);
	warn_of_later(in->t);
	return CLI_PROCEED;
}

/* How often a schedule is fitted to what the loader does here; each program takes one. */
#define FITS_MAX	16

/*
 * One run along *@schedule; where the loader takes another number of calls than in the trace,
 * along one that was fitted to them, which takes its place. *@moved: the comparison with the
 * trace, where it is not the same bit for bit. 0 or -errno
 */
static int run_once(struct session *s, const struct chess_trace *t,
		    struct chess_schedule **schedule, struct chess_run_result *res,
		    struct chess_moved **moved)
{
	struct chess_schedule *fitted;
	size_t at, other;
	int ret, fits;

	for (fits = 0; ; fits++) {
		ret = chess_runner_run(s->runner, *schedule, chess_schedule_length(*schedule),
				       NULL, 0, res);
		if (ret || session_interrupted() || !res->record)
			return ret;
		if (t->version && t->version < TRACE_HAS_RESULTS)
			chess_record_drop_results(res->record);
		if (t->version && t->version < TRACE_HAS_CHECKS)
			chess_record_drop_checks(res->record);
		if (t->version && t->version < TRACE_HAS_PATHS)
			chess_record_drop_paths(res->record);
		if (chess_record_compare(t->record, res->record) == SIZE_MAX)
			return 0;
		*moved = chess_moved_new(t->record, t->maps, res->record, res->maps);
		fitted = *moved ? chess_moved_schedule(*moved) : NULL;
		if (!fitted)
			return -ENOMEM;
		if (chess_moved_same(*moved, &at, &other) || t->asked || fits == FITS_MAX ||
		    same_schedule(*schedule, fitted)) {
			chess_schedule_free(fitted);
			return 0;
		}
		chess_schedule_free(*schedule);
		*schedule = fitted;
		chess_moved_free(*moved);
		*moved = NULL;
		chess_run_result_clear(res);
	}
}

int replays_run(struct session *s, const struct chess_trace *t, uint64_t times,
		struct replays *r)
{
	/* Of a run that left its prefix that is what it was asked for. */
	struct chess_schedule *whole = t->asked ? chess_schedule_decode(t->asked) :
				       chess_record_schedule(t->record);
	struct out_progress progress = { 0 };
	double start = chess_now();
	char rest[64];
	int ret = whole ? 0 : -ENOMEM;

	while (!ret && r->runs < times && !session_interrupted()) {
		struct chess_run_result res = { 0 };
		struct chess_moved *moved = NULL;
		size_t at = SIZE_MAX, at_seen = SIZE_MAX;

		ret = run_once(s, t, &whole, &res, &moved);
		/* The signal that ends this may have ended the program as well. */
		if (!ret && session_interrupted())
			chess_run_result_clear(&res);
		if (ret || session_interrupted()) {
			chess_moved_free(moved);
			break;
		}
		r->runs++;
		if (moved)
			chess_moved_same(moved, &at, &at_seen);
		if (t->verdict == CHESS_VERDICT_RACE && races_shown(&res, t, moved))
			res.verdict = CHESS_VERDICT_RACE;
		if (t->asked && at == SIZE_MAX)
			res.verdict = t->verdict;
		r->same_verdict += res.verdict == t->verdict;
		if (at == SIZE_MAX && res.verdict == t->verdict) {
			r->identical++;
			r->moved += !!moved;
			if (moved && !r->moved_maps && res.maps)
				r->moved_maps = cli_printf("%s", res.maps);
		} else if (!r->have_other) {
			r->have_other = true;
			r->other = res;
			r->at = at;
			r->at_seen = at_seen;
			memset(&res, 0, sizeof(res));
		}
		chess_moved_free(moved);
		chess_run_result_clear(&res);
		snprintf(rest, sizeof(rest), "%llu identical", (unsigned long long)r->identical);
		out_progress(&progress, &(struct out_work){
			.phase = "replay", .runs = r->runs, .seconds = chess_now() - start,
			.estimate = times, .found = r->identical, .bound = -1, .rest = rest,
		});
	}
	r->seconds = chess_now() - start;
	out_progress_done(&progress, &(struct out_work){
		.phase = "replay", .runs = r->runs, .seconds = r->seconds, .estimate = times,
		.found = r->identical, .bound = -1,
	});
	chess_schedule_free(whole);
	if (ret && !session_interrupted())
		return cli_fail(CLI_ENVIRONMENT, "the replay ended: %s", chess_error());
	return CLI_PROCEED;
}

int replays_fit(struct session *s, struct replayed *in)
{
	struct chess_schedule *whole = chess_record_schedule(in->t->record);
	struct chess_run_result res = { 0 };
	struct chess_moved *moved = NULL;
	int ret = whole ? run_once(s, in->t, &whole, &res, &moved) : -ENOMEM;
	size_t at, other;
	bool same;

	if (!ret && session_interrupted()) {
		cli_note("the replay was interrupted");
		ret = CLI_INCOMPLETE;
	} else if (ret) {
		ret = cli_fail(CLI_ENVIRONMENT, "the replay ended: %s", chess_error());
	} else {
		ret = CLI_PROCEED;
	}
	same = ret == CLI_PROCEED && moved && chess_moved_same(moved, &at, &other);
	chess_moved_free(moved);
	if (same) {
		chess_record_free(in->t->record);
		free(in->t->maps);
		in->t->record = res.record;
		in->t->maps = res.maps;
		res.record = NULL;
		res.maps = NULL;
	}
	chess_run_result_clear(&res);
	chess_schedule_free(whole);
	return ret;
}

void replays_clear(struct replays *r)
{
	chess_run_result_clear(&r->other);
	free(r->moved_maps);
	r->moved_maps = NULL;
}

void replays_open_other(const struct session *s, const struct replayed *in,
			const struct replays *r, struct chess_trace *other,
			struct report *seen)
{
	session_trace(s, &r->other, other);
	if (!other->maps && !in->program_changed)
		changed_note_maps(other, in->t->maps);
	report_open(seen, other);
}

void replays_print_failed(const struct chess_trace *t, const struct replays *r, uint64_t times,
			  const struct report *expected, const struct report *seen)
{
	if (!r->runs)
		printf("%sincomplete%s: interrupted before the first replay ended\n",
		       out_bold(), out_plain());
	else if (!seen)
		printf("%sincomplete%s: interrupted after %llu of %llu replays, all identical\n",
		       out_bold(), out_plain(), (unsigned long long)r->runs,
		       (unsigned long long)times);
	else
		printf("%sdiverged%s: %llu of %llu replays left the trace; recorded verdict %s, seen %s\n",
		       out_bad(), out_plain(), (unsigned long long)(r->runs - r->identical),
		       (unsigned long long)r->runs, chess_verdict_name(t->verdict),
		       chess_verdict_name(r->other.verdict));
	if (seen && r->at != SIZE_MAX)
		report_difference(expected, r->at, seen, r->at_seen, stdout);
	if (seen && r->other.diverged_at != SIZE_MAX)
		printf("  the schedule could not be followed at decision %zu\n",
		       r->other.diverged_at + 1);
}

void replays_json_difference(const struct replays *r, const struct report *expected,
			     const struct report *seen, struct json_object *o)
{
	struct json_object *difference = NULL;
	size_t at = r->at, at_seen = r->at_seen;

	if (seen && at != SIZE_MAX) {
		difference = json_object_new_object();
		json_object_object_add(difference, "event", json_object_new_int64(at + 1));
		json_object_object_add(difference, "expected",
				       at < chess_record_length(expected->record) ?
				       report_json_event(expected, at) : NULL);
		json_object_object_add(difference, "seen",
				       at_seen < chess_record_length(seen->record) ?
				       report_json_event(seen, at_seen) : NULL);
		out_json_string(difference, "run_verdict",
				chess_verdict_name(r->other.verdict));
	}
	json_object_object_add(o, "first_difference", difference);
}

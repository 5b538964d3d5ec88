// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bug of a trace as SARIF 2.1.0, which code hosts and editors show beside the source. The
 * verdict is the rule; the locations are where the tasks were that the bug is about, both
 * sides of a race first; the code flow has the steps of the report, a thread flow for each
 * task; the command for a replay is in the message and in the properties. See export.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "export/export.h"
#include "export/sarif_place.h"
#include "out.h"
#include "report/race_report.h"
#include "tracefile.h"

struct flows {
	const struct export *x;
	struct json_object **flow;	/* by task, its locations; NULL: none yet */
	int64_t order;
};

static struct json_object *text_of(const char *text)
{
	struct json_object *o = json_object_new_object();

	out_json_string(o, "text", text);
	return o;
}

/* The number of @v in rules(), -1: it is not there. */
static int rule_index(enum chess_verdict v)
{
	return v > CHESS_VERDICT_NONE && v < CHESS_VERDICT_END ? (int)v - 1 : -1;
}

#define RULE(NAME, WORD, BUG, TEXT)	{ WORD, TEXT, BUG },

static struct json_object *rules(void)
{
	static const struct {
		const char *word, *text;
		bool bug;
	} row[] = { CHESS_VERDICTS(RULE) };
	struct json_object *list = json_object_new_array(), *o, *level;
	size_t i;

	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		o = json_object_new_object();
		level = json_object_new_object();
		out_json_string(o, "id", row[i].word);
		json_object_object_add(o, "shortDescription", text_of(row[i].word));
		json_object_object_add(o, "fullDescription", text_of(row[i].text));
		out_json_string(level, "level", row[i].bug ? "error" : "note");
		json_object_object_add(o, "defaultConfiguration", level);
		json_object_array_add(list, o);
	}
	return list;
}

static struct json_object *driver(void)
{
	struct json_object *o = json_object_new_object(), *tool = json_object_new_object();

	out_json_string(o, "name", "chessctl");
	json_object_object_add(o, "rules", rules());
	json_object_object_add(tool, "driver", o);
	return tool;
}

/* The standard wants no two that are equal. */
static void add_once(struct json_object *list, struct json_object *location)
{
	size_t i, n = json_object_array_length(list);

	for (i = 0; i < n; i++)
		if (json_object_equal(json_object_array_get_idx(list, i), location))
			break;
	if (i < n)
		json_object_put(location);
	else
		json_object_array_add(list, location);
}

static void add_event(const struct export *x, struct json_object *list,
		      const struct chess_event *e, const char *verb)
{
	char *op = report_call(x->r, e), *name = export_task_name(x, e->task);
	char *text = cli_printf("%s %s %s", name, verb, op);
	struct place p = { 0 };

	symbols_event_place(x->r->symbols, e, chess_record_stack(x->r->record, e->seq), &p);
	add_once(list, sarif_location(x, &p, text));
	place_clear(&p);
	free(text);
	free(name);
	free(op);
}

static void add_races(const struct export *x, struct json_object *list)
{
	const struct chess_trace *t = x->r->trace;
	size_t i, k;

	for (i = 0; i < t->n_races; i++) {
		const struct chess_trace_race *race = &t->races[i];
		struct race_names names;

		race_names(x->r->symbols, t->maps, x->r->record, race, &names);
		for (k = 0; k < 2; k++) {
			const struct chess_access *a = k ? &race->second : &race->first;
			char *text = cli_printf("T%u %s %s", a->task,
						a->kind & CHESS_ACCESS_FRESH ? "frees" :
						a->kind & CHESS_ACCESS_WRITE ? "writes" : "reads",
						names.text);

			add_once(list, sarif_location(x, &names.at[k], text));
			free(text);
		}
		race_names_clear(&names);
	}
}

static void add_death(const struct export *x, struct json_object *list)
{
	const struct chess_account *run = &x->r->run;
	struct chess_stack *stack = NULL;
	struct chess_fault fault;
	struct place p = { 0 };
	char *status, *text;

	if (run->bad_task < 0)
		return;
	status = report_status(run->bad_status);
	text = cli_printf("T%d %s", run->bad_task, status);
	if (chess_record_fault(x->r->record, run->bad_task, &fault, &stack) && stack)
		report_fault_place(x->r, stack, &p);
	else if (run->died != SIZE_MAX)
		symbols_event_place(x->r->symbols, chess_record_event(x->r->record, run->died),
				    NULL, &p);
	json_object_array_add(list, sarif_location(x, &p, text));
	place_clear(&p);
	free(stack);
	free(text);
	free(status);
}

/* Where the bug is: of the tasks that it is about, of each wait also where the holder took it. */
static void add_places(const struct export *x, struct json_object *list,
		       struct json_object *related)
{
	const struct chess_trace *t = x->r->trace;
	const struct chess_event *e;
	size_t i;

	add_races(x, list);
	for (i = 0; i < t->n_waits; i++) {
		const struct chess_wait *w = &t->waits[i];

		e = w->seq ? chess_record_event(x->r->record, w->seq - 1) : NULL;
		if (e)
			add_event(x, list, e, "waits in");
		e = w->n_holders && w->holders[0].seq ?
		    chess_record_event(x->r->record, w->holders[0].seq - 1) : NULL;
		if (e)
			add_event(x, related, e, "got there what is waited for:");
	}
	if (!t->n_waits)
		add_death(x, list);
	for (i = 0; i < x->r->run.n_preemptions; i++) {
		const struct chess_account_preemption *p = &x->r->run.preemptions[i];

		e = chess_record_event(x->r->record, p->at);
		if (e && e->type == CHESS_EVENT_POINT)
			add_event(x, related, e, "is preempted before");
	}
}

static void add_step(void *arg, const struct report_step *step)
{
	struct flows *f = arg;
	struct json_object *o = json_object_new_object();
	struct place p = { 0 };
	char *text = cli_printf("T%u %s%s", step->task, step->preempted ? "is preempted before " : "",
				step->text + step->preempted);

	if (!f->flow[step->task])
		f->flow[step->task] = json_object_new_array();
	if (step->point)
		symbols_event_place(f->x->r->symbols, step->point,
				    chess_record_stack(f->x->r->record, step->point->seq), &p);
	json_object_object_add(o, "location", sarif_location(f->x, &p, text));
	out_json_int(o, "executionOrder", ++f->order);
	out_json_string(o, "importance", step->preempted ? "essential" : "important");
	json_object_array_add(f->flow[step->task], o);
	place_clear(&p);
	free(text);
}

/* A list with one code flow; empty if there are no steps. */
static struct json_object *code_flows(const struct export *x)
{
	struct json_object *list = json_object_new_array(), *threads = json_object_new_array();
	struct json_object *flow, *o;
	struct flows f = { .x = x };
	size_t t;

	f.flow = cli_alloc(CHESS_TASK_NONE + 1, sizeof(*f.flow));
	steps_each(x->r, add_step, &f);
	for (t = 0; t <= CHESS_TASK_NONE; t++) {
		char *id;

		if (!f.flow[t])
			continue;
		o = json_object_new_object();
		id = cli_printf("T%zu", t);
		out_json_string(o, "id", id);
		json_object_object_add(o, "locations", f.flow[t]);
		json_object_array_add(threads, o);
		free(id);
	}
	free(f.flow);
	if (!json_object_array_length(threads)) {
		json_object_put(threads);
		return list;
	}
	flow = json_object_new_object();
	json_object_object_add(flow, "threadFlows", threads);
	json_object_array_add(list, flow);
	return list;
}

static struct json_object *message(const struct export *x, const char *replay)
{
	const struct chess_trace *t = x->r->trace;
	size_t n = x->r->run.n_preemptions;
	char *command = out_quote(t->argv);
	char *text = cli_printf("%s of %s, with %zu preemption%s.%s%s",
				chess_verdict_name(t->verdict), command, n, n == 1 ? "" : "s",
				replay ? " Replay it with: " : "", replay ? replay : "");
	struct json_object *o = text_of(text);

	free(text);
	free(command);
	return o;
}

static struct json_object *result(const struct export *x)
{
	const struct chess_trace *t = x->r->trace;
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	struct json_object *related = json_object_new_array();
	struct json_object *properties = json_object_new_object();
	char *path = out_quote((char *[]){ (char *)x->path, NULL });
	char *replay = tracefile_is_attached(t) ? NULL : cli_printf("chessctl replay %s", path);
	bool bug = chess_verdict_is_bug(t->verdict);
	struct place none = { 0 };

	out_json_string(o, "ruleId", chess_verdict_name(t->verdict));
	out_json_int(o, "ruleIndex", rule_index(t->verdict));
	out_json_string(o, "kind", bug ? "fail" : t->verdict == CHESS_VERDICT_OK ? "pass" : "open");
	out_json_string(o, "level", bug ? "error" : "none");
	json_object_object_add(o, "message", message(x, replay));
	add_places(x, list, related);
	/* A place that is shown nowhere is a result that nobody sees. */
	if (!json_object_array_length(list))
		json_object_array_add(list, sarif_location(x, &none, "the program"));
	json_object_object_add(o, "locations", list);
	json_object_object_add(o, "relatedLocations", related);
	json_object_object_add(o, "codeFlows", code_flows(x));
	out_json_string(properties, "trace", x->path);
	if (replay)
		out_json_string(properties, "replay", replay);
	json_object_object_add(o, "properties", properties);
	free(replay);
	free(path);
	return o;
}

int export_sarif(const struct export *x, FILE *to)
{
	struct json_object *o = json_object_new_object(), *runs = json_object_new_array();
	struct json_object *run = json_object_new_object(), *results = json_object_new_array();

	/* Readers find the schema by the version. */
	out_json_string(o, "version", "2.1.0");
	json_object_object_add(run, "tool", driver());
	json_object_object_add(run, "originalUriBaseIds", sarif_bases(x));
	out_json_string(run, "columnKind", "utf16CodeUnits");
	json_object_array_add(results, result(x));
	json_object_object_add(run, "results", results);
	json_object_array_add(runs, run);
	json_object_object_add(o, "runs", runs);
	out_json_line(o, to);
	json_object_put(o);
	return 0;
}

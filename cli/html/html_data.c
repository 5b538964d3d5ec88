// SPDX-License-Identifier: GPL-2.0-only
/*
 * All that a page is made from, as one JSON object: the account that "show --format json"
 * gives, and the events in the form of columns. See html_parts.h.
 */
#include <stdlib.h>

#include "cli.h"
#include "html/html_parts.h"
#include "out.h"
#include "report/race_report.h"
#include "tracefile.h"

#define LIVELOCK_STEPS	20

char *html_replay(const struct report *r, const char *trace)
{
	char *quoted, *command;

	if (tracefile_is_attached(r->trace))
		return NULL;
	quoted = out_quote((char *[]){ (char *)trace, NULL });
	command = cli_printf("chessctl replay %s", quoted);
	free(quoted);
	return command;
}

/* Of each race the places of both accesses. */
static struct json_object *race_places(struct html_names *n)
{
	const struct report *r = n->r;
	struct json_object *list = json_object_new_array(), *both;
	struct race_names names;
	size_t i;

	for (i = 0; i < r->trace->n_races; i++) {
		race_names(r->symbols, r->trace->maps, r->record, &r->trace->races[i], &names);
		both = json_object_new_array();
		json_object_array_add(both, json_object_new_int(html_place(n, &names.at[0])));
		json_object_array_add(both, json_object_new_int(html_place(n, &names.at[1])));
		json_object_array_add(list, both);
		race_names_clear(&names);
	}
	return list;
}

/* Where in the user's own code the task died whose death decided; 0: not known. */
static int death_place(struct html_names *n)
{
	const struct chess_event nowhere = { 0 };
	struct chess_stack *stack = NULL;
	struct chess_fault fault;
	struct place p;
	int number = 0;

	if (n->r->run.bad_task < 0 ||
	    !chess_record_fault(n->r->record, n->r->run.bad_task, &fault, &stack))
		return 0;
	if (stack && symbols_event_place(n->r->symbols, &nowhere, stack, &p)) {
		number = html_place(n, &p);
		place_clear(&p);
	}
	free(stack);
	return number;
}

static struct json_object *ends(const struct report *r)
{
	char *status = r->run.bad_task >= 0 || r->trace->verdict == CHESS_VERDICT_EXIT ?
		       report_status(r->run.bad_task >= 0 ? r->run.bad_status : r->trace->status) :
		       NULL;
	struct json_object *o = json_object_new_object();

	out_json_string(o, "status", status);
	out_json_string(o, "minimal", chess_minimal_name(r->trace->minimal));
	out_json_bool(o, "bug", chess_verdict_is_bug(r->trace->verdict));
	if (r->run.bad_task >= 0 && chess_record_event(r->record, r->run.died))
		out_json_int(o, "died", chess_record_event(r->record, r->run.died)->seq);
	free(status);
	return o;
}

/* A round of a livelock may have as many steps as the run; the page shows the first ones. */
static void shorten_livelock(struct json_object *account)
{
	struct json_object *livelock, *steps;
	size_t n;

	if (!json_object_object_get_ex(account, "livelock", &livelock) ||
	    !json_object_object_get_ex(livelock, "steps", &steps))
		return;
	n = json_object_array_length(steps);
	if (n > LIVELOCK_STEPS)
		json_object_array_del_idx(steps, LIVELOCK_STEPS, n - LIVELOCK_STEPS);
}

struct json_object *html_data(const struct report *r, struct json_object *account,
			      const char *trace)
{
	struct json_object *o = json_object_new_object(), *causes = json_object_new_array();
	char *command = out_quote(r->trace->argv), *replay = html_replay(r, trace);
	struct html_names names;
	size_t i;

	shorten_livelock(account);
	/* The columns have it. */
	json_object_object_del(account, "schedule");
	html_names_init(&names, r);
	out_json_string(o, "command", command);
	out_json_string(o, "replay", replay);
	json_object_object_add(o, "report", account);
	json_object_object_add(o, "end", ends(r));
	for (i = 0; i < r->trace->n_causes; i++)
		json_object_array_add(causes, json_object_new_string(r->trace->causes[i]));
	json_object_object_add(o, "causes", causes);
	json_object_object_add(o, "tasks", html_tasks(&names));
	html_columns(&names, o);
	json_object_object_add(o, "locks", html_locks(&names));
	json_object_object_add(o, "race_places", race_places(&names));
	out_json_int(o, "death_place", death_place(&names));
	json_object_object_add(o, "strings", names.strings);
	json_object_object_add(o, "places", names.places);
	json_object_object_add(o, "files", html_sources_json(names.sources));
	html_names_clear(&names);
	free(command);
	free(replay);
	return o;
}

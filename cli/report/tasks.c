// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tasks of a recorded run after one event: which has the token, which are enabled, which
 * is blocked, in what and by whom. Called for "show --at".
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "out.h"
#include "report/names.h"

static const char *phase_name(enum chess_task_phase phase)
{
	static const char *const names[] = {
		[CHESS_PHASE_ABSENT] = "absent", [CHESS_PHASE_ENABLED] = "enabled",
		[CHESS_PHASE_BLOCKED] = "blocked", [CHESS_PHASE_TIMED] = "timed",
		[CHESS_PHASE_ENDED] = "ended", [CHESS_PHASE_LEFT] = "left",
	};

	return names[phase];
}

/* The task that continues after event number @seq. */
static uint16_t token_at(const struct chess_record *r, uint32_t seq)
{
	while (seq--) {
		const struct chess_event *e = chess_record_event(r, seq);

		if (CHESS_EVENT_IS_TURN(e->type))
			return e->chosen;
	}
	return 0;
}

/* "held by T2 since event 14", "" when nobody is surer than others; malloc'ed */
static char *holder_text(const struct chess_wait *w)
{
	const struct chess_holder *h = w && w->n_holders ? w->holders : NULL;

	if (!h)
		return cli_printf("%s", "");
	switch (h->how) {
	case CHESS_HOLD_HAS:
		return cli_printf("T%u has it since event %u", h->task, h->seq);
	case CHESS_HOLD_TOOK:
		return cli_printf("T%u took it in event %u", h->task, h->seq);
	case CHESS_HOLD_GAVE:
		return cli_printf("T%u gave it last in event %u", h->task, h->seq);
	default:
		return cli_printf("%s", "");
	}
}

/* Of the column with names; 0: no task has one. */
static int name_width(char **names, size_t n)
{
	size_t width = 0, i;

	for (i = 0; i < n; i++)
		if (names[i] && strlen(names[i]) > width)
			width = strlen(names[i]);
	return width;
}

void tasks_print(const struct report *r, uint32_t seq)
{
	uint16_t token = token_at(r->record, seq), t;
	const struct chess_event *e;
	char **names = report_task_names(r), *event, *op, *where, *holder;
	int width = name_width(names, chess_record_tasks(r->record));
	struct chess_wait *waits;
	size_t n = 0;

	if (chess_waits_at(r->record, seq, &waits, &n))
		waits = NULL;
	event = report_event(r, chess_record_event(r->record, seq - 1));
	printf("%safter event %u%s: %s\n", out_bold(), seq, out_plain(), event);
	free(event);
	for (t = 0; t < chess_record_tasks(r->record); t++) {
		enum chess_task_phase phase = chess_record_phase(r->record, seq, t);

		if (phase == CHESS_PHASE_ABSENT)
			continue;
		e = phase < CHESS_PHASE_ENDED ? chess_record_last_point(r->record, seq, t) : NULL;
		op = e ? report_call(r, e) : cli_printf("%s", "");
		where = e ? report_where(r, e) : cli_printf("%s", "");
		holder = holder_text(chess_wait_of(waits, n, t));
		printf("%s T%-4u ", t == token ? " >" : "  ", t);
		if (width)
			printf("%-*s ", width, names[t] ? names[t] : "");
		if (e && (*where || *holder))
			printf("%-8s event %-5u %-28s %s%s%s\n",
			       t == token ? "token" : phase_name(phase), e->seq, op, where,
			       *where && *holder ? "  " : "", holder);
		else if (e)
			printf("%-8s event %-5u %s\n",
			       t == token ? "token" : phase_name(phase), e->seq, op);
		else
			printf("%s\n", t == token ? "token" : phase_name(phase));
		free(op);
		free(where);
		free(holder);
	}
	report_free_names(names, chess_record_tasks(r->record));
	chess_waits_free(waits, n);
}

struct json_object *tasks_json(const struct report *r, uint32_t seq)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	uint16_t token = token_at(r->record, seq), t;
	struct chess_wait *waits;
	size_t n = 0, i;

	if (chess_waits_at(r->record, seq, &waits, &n))
		waits = NULL;
	out_json_int(o, "seq", seq);
	json_object_object_add(o, "token", token == CHESS_TASK_NONE ? NULL :
			       json_object_new_int(token));
	for (t = 0; t < chess_record_tasks(r->record); t++) {
		const struct chess_event *e = chess_record_last_point(r->record, seq, t);
		const struct chess_wait *w = chess_wait_of(waits, n, t);
		struct json_object *one = json_object_new_object();
		struct json_object *holders = json_object_new_array();

		json_object_object_add(one, "task", json_object_new_int(t));
		out_json_string(one, "state",
				phase_name(chess_record_phase(r->record, seq, t)));
		json_object_object_add(one, "point", e ? json_object_new_int64(e->seq) : NULL);
		for (i = 0; w && i < w->n_holders; i++) {
			struct json_object *h = json_object_new_object();

			json_object_object_add(h, "task",
					       json_object_new_int(w->holders[i].task));
			out_json_string(h, "how", chess_hold_name(w->holders[i].how));
			json_object_object_add(h, "seq",
					       json_object_new_int64(w->holders[i].seq));
			json_object_array_add(holders, h);
		}
		json_object_object_add(one, "holders", holders);
		json_object_array_add(list, one);
	}
	json_object_object_add(o, "tasks", list);
	chess_waits_free(waits, n);
	return o;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Texts and places of a page, each kept once and referred to by number: 200,000 events have
 * few different ones. To name an address takes long, so what was asked before is kept by
 * address, too. See html_parts.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "html/html_parts.h"

void html_names_init(struct html_names *n, const struct report *r)
{
	struct json_object *unknown = json_object_new_array();

	n->r = r;
	n->strings = json_object_new_array();
	n->places = json_object_new_array();
	n->sources = html_sources_new(r->trace->cwd);
	n->by_text = json_object_new_object();
	n->by_place = json_object_new_object();
	n->by_address = json_object_new_object();
	n->by_op = json_object_new_object();
	html_string(n, "");
	json_object_array_add(unknown, json_object_new_int(0));
	json_object_array_add(unknown, json_object_new_int(-1));
	json_object_array_add(unknown, json_object_new_int(0));
	json_object_array_add(n->places, unknown);
}

void html_names_clear(struct html_names *n)
{
	json_object_put(n->by_text);
	json_object_put(n->by_place);
	json_object_put(n->by_address);
	json_object_put(n->by_op);
	html_sources_free(n->sources);
}

static int known(struct json_object *table, const char *key)
{
	struct json_object *number;

	return json_object_object_get_ex(table, key, &number) ? json_object_get_int(number) : -1;
}

static int remember(struct json_object *table, const char *key, int number)
{
	json_object_object_add(table, key, json_object_new_int(number));
	return number;
}

int html_string(struct html_names *n, const char *text)
{
	int number = known(n->by_text, text);

	if (number >= 0)
		return number;
	number = json_object_array_length(n->strings);
	json_object_array_add(n->strings, json_object_new_string(text));
	return remember(n->by_text, text, number);
}

int html_string_take(struct html_names *n, char *text)
{
	int number = html_string(n, text);

	free(text);
	return number;
}

int html_op(struct html_names *n, const struct chess_event *e)
{
	bool point = e->type == CHESS_EVENT_POINT;
	char *key;
	int number;

	if (point && report_call_text(n->r, e))
		return html_string_take(n, report_call(n->r, e));
	if (!point && !e->object_kind)
		return 0;
	key = cli_printf("%d %x %x %x %x %llx %d", point, e->op, e->flags & CHESS_OPF_PROBE,
			 chess_event_is_access(e) ? 0 : e->nr, e->object_kind,
			 (unsigned long long)e->object, !!e->caller);
	number = known(n->by_op, key);
	if (number < 0)
		number = remember(n->by_op, key, html_string_take(n, point ?
				  report_op(n->r, e) : report_object(n->r, e)));
	free(key);
	return number;
}

int html_place(struct html_names *n, const struct place *p)
{
	struct json_object *o;
	char *text, *key;
	int number;

	/* Of an access of a race whose file is gone nothing is known. */
	if (!p->module)
		return 0;
	text = place_text(p);
	key = cli_printf("%s\n%s\n%d", text, p->file ? p->file : "", p->line);
	number = known(n->by_place, key);
	if (number < 0) {
		o = json_object_new_array();
		json_object_array_add(o, json_object_new_int(html_string(n, text)));
		json_object_array_add(o, json_object_new_int(html_source_line(n->sources, p)));
		json_object_array_add(o, json_object_new_int(p->line));
		number = json_object_array_length(n->places);
		json_object_array_add(n->places, o);
		remember(n->by_place, key, number);
	}
	free(key);
	free(text);
	return number;
}

int html_event_place(struct html_names *n, const struct chess_event *e)
{
	const struct chess_stack *stack = chess_record_stack(n->r->record, e->seq);
	char *key = cli_printf("%llx %llx %d", (unsigned long long)e->ip,
			       (unsigned long long)(e->flags & CHESS_OPF_PROBE ? e->caller : 0),
			       (e->flags & CHESS_OPF_PROBE) && e->nr ?
			       1 + chess_event_is_access(e) : 0);
	int number = stack ? -1 : known(n->by_address, key);
	struct place p;

	if (number < 0) {
		number = 0;
		if (symbols_event_place(n->r->symbols, e, stack, &p)) {
			number = html_place(n, &p);
			place_clear(&p);
		}
		if (!stack)
			remember(n->by_address, key, number);
	}
	free(key);
	return number;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names and texts that the formats have in common, not escaped for any of them yet. See
 * export.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "export/export.h"
#include "out.h"
#include "plain.h"

const char *export_program(const struct export *x)
{
	const char *path = x->r->trace->program ? x->r->trace->program : "";
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : *path ? path : "program";
}

char *export_task_name(const struct export *x, uint16_t task)
{
	const char *name = task < x->n_tasks ? x->name[task] : NULL;

	return cli_printf("T%u%s%s", task, name ? " " : "", name ? name : "");
}

char *export_step_text(const struct export *x, const struct export_step *s)
{
	char *op = s->op ? report_call(x->r, s->op) : NULL;
	char *text = cli_printf("%s%s%s", s->at.again ? "continues " : "",
				op ? op : s->at.begins ? "begins" : s->at.again ? "" : "continues",
				s->at.waits ? ", has to wait" : "");

	free(op);
	return text;
}

char *export_plain(const char *text)
{
	char *out = cli_alloc(4 * strlen(text) + 1, 1), *to = out;
	size_t n;

	for (; *text; text += n) {
		n = plain_letter(text);
		if (!n) {
			to += sprintf(to, "\\x%02x", (unsigned char)*text);
			n = 1;
		} else if ((unsigned char)*text < 0x20 || !strncmp(text, "\u2028", 3) ||
			   !strncmp(text, "\u2029", 3)) {
			*to++ = ' ';
		} else {
			memcpy(to, text, n);
			to += n;
		}
	}
	return out;
}

uint32_t export_letter(const char *text, size_t *n)
{
	uint32_t code = (unsigned char)*text;
	size_t i;

	*n = plain_letter(text);
	if (*n < 2) {
		*n = 1;
		return code;
	}
	code &= 0x7f >> *n;
	for (i = 1; i < *n; i++)
		code = code << 6 | ((unsigned char)text[i] & 0x3f);
	return code;
}

void export_place(const struct export *x, const struct chess_event *e, struct json_object *o)
{
	struct place p = { 0 };

	if (e)
		symbols_event_place(x->r->symbols, e, chess_record_stack(x->r->record, e->seq),
				    &p);
	out_json_string(o, "function", p.function);
	out_json_string(o, "file", p.file);
	json_object_object_add(o, "line", p.file ? json_object_new_int(p.line) : NULL);
	place_clear(&p);
}

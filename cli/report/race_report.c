// SPDX-License-Identifier: GPL-2.0-only
/*
 * Races in words, see race_report.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report/demangle.h"
#include "out.h"
#include "report/race_piece.h"
#include "report/race_report.h"

#define CALLERS_SHOWN	6
#define FRAMES_TOLD	32
/* in chess_stack.regs */
#define RIP		16
#define BETWEEN_SHOWN	6

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static char *variable_text(const struct chess_variable *v, uint64_t address)
{
	char *offset = v->offset ? cli_printf("+0x%llx", (unsigned long long)v->offset) :
				   cli_printf("%s", "");
	char *text;

	switch (v->kind) {
	case CHESS_VARIABLE_SYMBOL:
		text = cli_printf("%s%s", v->name, offset);
		break;
	case CHESS_VARIABLE_SECTION:
		text = cli_printf("%s%s of %s", v->name, offset, last_part(v->path));
		break;
	case CHESS_VARIABLE_HEAP:
		text = cli_printf("0x%llx in the heap, its allocation was not seen",
				  (unsigned long long)address);
		break;
	case CHESS_VARIABLE_STACK:
		text = cli_printf("0x%llx on the first stack", (unsigned long long)address);
		break;
	case CHESS_VARIABLE_FILE:
		text = cli_printf("%s%s, which is mapped", last_part(v->path), offset);
		break;
	default:
		text = cli_printf("0x%llx, memory without a name", (unsigned long long)address);
		break;
	}
	free(offset);
	return text;
}

static void name_as_written(struct chess_variable *v)
{
	char *name = demangle(v->name);

	snprintf(v->name, sizeof(v->name), "%s", name);
	free(name);
}

/* Of the heap; the address is where it returns to. */
static bool is_call(const struct chess_access *a)
{
	return a->kind & (CHESS_ACCESS_FRESH | CHESS_ACCESS_ALLOCATED);
}

static void side_place(struct symbols *symbols, const struct chess_record *rec,
		       const struct chess_access *a, uint32_t number, struct place *out)
{
	if (is_call(a))
		race_call_place(symbols, rec, a, number, out);
	else
		symbols_place(symbols, a->ip, out);
}

void race_names(struct symbols *symbols, const char *maps, const struct chess_record *rec,
		const struct chess_trace_race *race, struct race_names *out)
{
	memset(out, 0, sizeof(*out));
	side_place(symbols, rec, &race->first, race->number[0], &out->at[0]);
	side_place(symbols, rec, &race->second, race->number[1], &out->at[1]);
	chess_variable_find(maps ? maps : "", race->address, &out->variable);
	name_as_written(&out->variable);
	out->text = race_piece_text(symbols, rec, race);
	if (!out->text)
		out->text = variable_text(&out->variable, race->address);
	out->benign = !strcmp(out->variable.section, RACE_BENIGN_SECTION);
}

void race_names_clear(struct race_names *n)
{
	place_clear(&n->at[0]);
	place_clear(&n->at[1]);
	free(n->text);
	memset(n, 0, sizeof(*n));
}

struct chess_race_names race_rule_names(const struct race_names *n,
					const struct chess_trace_race *race)
{
	return (struct chess_race_names) {
		.function = { n->at[0].function, n->at[1].function },
		.source = { n->at[0].file, n->at[1].file },
		.image = { n->at[0].module, n->at[1].module },
		.variable = n->variable.kind == CHESS_VARIABLE_SYMBOL ? n->variable.name : NULL,
		.address = race->address,
	};
}

static const char *kind_text(uint8_t kind)
{
	if (kind & CHESS_ACCESS_ATOMIC)
		return "updates";
	if (!(kind & CHESS_ACCESS_WRITE))
		return "reads";
	return kind & CHESS_ACCESS_READ ? "reads and writes" : "writes";
}

static char *where_text(const struct place *p, uint64_t ip)
{
	return p->module ? place_text(p) : cli_printf("0x%llx", (unsigned long long)ip);
}

/* The point of the task nearest to the access, better one before; NULL: it has none. */
static const struct chess_event *near_event(const struct chess_record *rec,
					    const struct chess_access *a)
{
	const struct chess_event *e = chess_record_last_point(rec, a->seq, a->task);
	size_t i;

	for (i = a->seq; !e && i < chess_record_length(rec); i++) {
		const struct chess_event *next = chess_record_event(rec, i);

		if (next->type == CHESS_EVENT_POINT && next->task == a->task)
			e = next;
	}
	return e;
}

static void free_frames(char **frames, size_t n)
{
	while (n)
		free(frames[--n]);
}

static size_t near_frames(const struct report *r, const struct chess_access *a, char **frames,
			  size_t max)
{
	const struct chess_event *e = near_event(r->record, a);

	return e ? symbols_event_stack(r->symbols, e, chess_record_stack(r->record, e->seq),
				       frames, max) : 0;
}

/* The stack at the access itself; NULL: it was not kept. */
static const struct chess_stack *own_stack(const struct report *r, const struct chess_access *a,
					   uint32_t number)
{
	const struct chess_stack *s =
		number ? chess_record_stack(r->record, CHESS_STACK_AT_ACCESS | number) : NULL;

	return s && s->regs[RIP] == a->ip ? s : NULL;
}

void race_frames_print(char **frames, size_t n, FILE *to)
{
	size_t i;

	for (i = 0; i < n; i++)
		fprintf(to, "%s%s", i ? ", " : "", frames[i]);
	if (n)
		fputc('\n', to);
}

/* The access is a little later than its task's nearest point, or before. */
static void print_near(const struct report *r, const struct chess_access *a, FILE *to)
{
	const struct chess_event *e = near_event(r->record, a);
	char *frames[CALLERS_SHOWN], *op;
	size_t n = near_frames(r, a, frames, CALLERS_SHOWN);

	if (!n)
		return;
	op = report_op(r, e);
	fprintf(to, "       %s %s in %s%s", e->seq > a->seq ? "before" : "after", op, frames[0],
		n > 1 ? ", called by " : "\n");
	free(op);
	race_frames_print(frames + 1, n - 1, to);
	free_frames(frames, n);
}

static void print_side(const struct report *r, const struct chess_access *a, uint32_t number,
		       const struct place *at, FILE *to)
{
	const struct chess_stack *stack = own_stack(r, a, number);
	char *where, *frames[CALLERS_SHOWN];
	size_t n;

	if (a->kind & CHESS_ACCESS_FRESH) {
		race_call_print(r, "frees", a, number, to);
		return;
	}
	where = where_text(at, a->ip);
	fprintf(to, "  T%-3u %s%s %u byte%s in %s\n", a->task,
		a->kind & CHESS_ACCESS_ATOMIC ? "atomically " : "", kind_text(a->kind), a->size,
		a->size == 1 ? "" : "s", where);
	free(where);
	if (!stack) {
		print_near(r, a, to);
		return;
	}
	/* The innermost function is the one that was just named. */
	n = symbols_stack(r->symbols, stack, 1, frames, CALLERS_SHOWN);
	fputs(n ? "       called by " : "", to);
	race_frames_print(frames, n, to);
	free_frames(frames, n);
}

/* Does @e stand between the two, as something one of the two tasks did? */
static bool is_between(const struct chess_event *e, const struct chess_trace_race *race)
{
	return e->type == CHESS_EVENT_POINT && !chess_event_is_access(e) &&
	       (e->task == race->first.task || e->task == race->second.task) &&
	       e->seq > race->first.seq && e->seq <= race->second.seq;
}

/* Where to end a search for those: traces may name events that are not in their record. */
static size_t last_between(const struct chess_record *rec, const struct chess_trace_race *race)
{
	size_t n = chess_record_length(rec);

	return race->second.seq < n ? race->second.seq : n;
}

static void print_between(const struct report *r, const struct chess_trace_race *race, FILE *to)
{
	size_t i, n = 0;

	for (i = race->first.seq; i < last_between(r->record, race); i++) {
		const struct chess_event *e = chess_record_event(r->record, i);
		char *op, *where;

		if (!e || !is_between(e, race) || n++ >= BETWEEN_SHOWN)
			continue;
		op = report_op(r, e);
		where = report_where(r, e);
		fprintf(to, "%sT%u %s%s%s\n", n == 1 ? "  in between " : "             ", e->task,
			op, *where ? " in " : "", where);
		free(op);
		free(where);
	}
	if (n > BETWEEN_SHOWN)
		fprintf(to, "             and %zu more\n", n - BETWEEN_SHOWN);
	if (!n)
		fprintf(to, "  in between neither of them does anything that could order the two\n");
}

/* A free() and what should not come after it, where the verdict is not that two race. */
static bool is_misuse(const struct report *r, const struct chess_trace_race *race)
{
	return r->trace->verdict != CHESS_VERDICT_RACE && is_call(&race->first);
}

static const char *misuse_of(const struct chess_trace_race *r)
{
	if (r->in_handler)
		return "heap in handler";
	return r->second.kind & CHESS_ACCESS_FRESH ? "double free" : "use after free";
}

/* Neither piece matters, nor what they are in memory. */
static void print_in_handler(const struct report *r, const struct chess_trace_race *race, FILE *to)
{
	const struct chess_access *side[2] = { &race->first, &race->second };
	size_t i;

	fprintf(to,
		"\n%sthe heap is called in a signal handler%s, which may interrupt another call of it\n",
		out_bold(), out_plain());
	for (i = 0; i < 2; i++) {
		bool allocates = side[i]->kind & CHESS_ACCESS_ALLOCATED;

		race_call_print(r, allocates ? "allocates" : "frees", side[i], race->number[i], to);
		if ((unsigned int)race->in_handler & 1 << i)
			fputs("       in a handler; signal-safety(7) says what may be called there\n",
			      to);
	}
}

void race_report_print(const struct report *r, FILE *to)
{
	size_t i;

	for (i = 0; i < r->trace->n_races; i++) {
		const struct chess_trace_race *race = &r->trace->races[i];
		bool misuse = is_misuse(r, race);
		struct race_names names;

		if (race->in_handler) {
			print_in_handler(r, race, to);
			continue;
		}
		race_names(r->symbols, r->trace->maps, r->record, race, &names);
		fprintf(to, "\n%s%s%s %s %s\n", out_bold(), misuse ? misuse_of(race) : "race",
			out_plain(), misuse ? "of" : "on", names.text);
		race_piece_print(r, race, to);
		print_side(r, &race->first, race->number[0], &names.at[0], to);
		print_side(r, &race->second, race->number[1], &names.at[1], to);
		if (!misuse)
			print_between(r, race, to);
		if (race->beside_atomic)
			fprintf(to, "  one of the two is an atomic instruction: if the other is an access to an atomic\n"
				"  variable this is not a race; without debug information a plain move does not show it\n");
		race_names_clear(&names);
	}
}

void race_place_json(struct json_object *o, const struct place *at)
{
	out_json_string(o, "function", at->function);
	out_json_string(o, "file", at->file);
	json_object_object_add(o, "line", at->file ? json_object_new_int(at->line) : NULL);
	out_json_string(o, "module", at->module);
}

struct json_object *race_frames_json(char **frames, size_t n)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < n; i++)
		json_object_array_add(list, json_object_new_string(frames[i]));
	return list;
}

static struct json_object *json_side(const struct report *r, const struct chess_access *a,
				     uint32_t number, const struct place *at)
{
	const struct chess_stack *stack = own_stack(r, a, number);
	struct json_object *o = json_object_new_object();
	char *frames[FRAMES_TOLD], *where = where_text(at, a->ip);
	size_t n;

	json_object_object_add(o, "task", json_object_new_int(a->task));
	json_object_object_add(o, "read", json_object_new_boolean(a->kind & CHESS_ACCESS_READ));
	json_object_object_add(o, "write",
			       json_object_new_boolean(a->kind & (CHESS_ACCESS_WRITE |
								  CHESS_ACCESS_FRESH)));
	json_object_object_add(o, "atomic",
			       json_object_new_boolean(a->kind & CHESS_ACCESS_ATOMIC));
	json_object_object_add(o, "frees", json_object_new_boolean(a->kind & CHESS_ACCESS_FRESH));
	if (a->kind & CHESS_ACCESS_ALLOCATED)
		json_object_object_add(o, "allocates", json_object_new_boolean(true));
	json_object_object_add(o, "address", json_object_new_uint64(a->address));
	json_object_object_add(o, "size", json_object_new_int64(a->size));
	json_object_object_add(o, "ip", json_object_new_uint64(a->ip));
	json_object_object_add(o, "after_event", json_object_new_int64(a->seq));
	out_json_string(o, "where", where);
	race_place_json(o, at);
	n = stack ? symbols_stack(r->symbols, stack, 1, frames, FRAMES_TOLD) : 0;
	json_object_object_add(o, "callers", stack ? race_frames_json(frames, n) : NULL);
	free_frames(frames, n);
	n = near_frames(r, a, frames, FRAMES_TOLD);
	json_object_object_add(o, "stack_nearby", race_frames_json(frames, n));
	free_frames(frames, n);
	free(where);
	return o;
}

struct json_object *race_report_json(const struct report *r)
{
	struct json_object *list = json_object_new_array(), *o, *between;
	size_t i, k;

	for (i = 0; i < r->trace->n_races; i++) {
		const struct chess_trace_race *race = &r->trace->races[i];
		struct race_names names;

		race_names(r->symbols, r->trace->maps, r->record, race, &names);
		o = json_object_new_object();
		between = json_object_new_array();
		out_json_string(o, "kind", is_misuse(r, race) ? misuse_of(race) : "race");
		out_json_string(o, "variable", names.text);
		out_json_string(o, "symbol", names.variable.kind == CHESS_VARIABLE_SYMBOL ?
				names.variable.name : NULL);
		json_object_object_add(o, "piece", race_piece_json(r, race));
		json_object_object_add(o, "address", json_object_new_uint64(race->address));
		json_object_object_add(o, "size", json_object_new_int64(race->size));
		json_object_object_add(o, "beside_atomic",
				       json_object_new_boolean(race->beside_atomic));
		if (race->in_handler)
			out_json_string(o, "in_handler", chess_in_handler_name(race->in_handler));
		json_object_object_add(o, "first", json_side(r, &race->first, race->number[0],
							     &names.at[0]));
		json_object_object_add(o, "second", json_side(r, &race->second, race->number[1],
							      &names.at[1]));
		for (k = race->first.seq; k < last_between(r->record, race); k++) {
			const struct chess_event *e = chess_record_event(r->record, k);

			if (e && is_between(e, race))
				json_object_array_add(between, report_json_event(r, k));
		}
		json_object_object_add(o, "between", between);
		json_object_array_add(list, o);
		race_names_clear(&names);
	}
	return list;
}

static void add_seq(uint32_t *seqs, size_t *n, size_t max, uint32_t seq)
{
	size_t i;

	for (i = 0; i < *n; i++)
		if (seqs[i] == seq)
			return;
	if (*n < max)
		seqs[(*n)++] = seq;
}

static void add_access(uint32_t *seqs, size_t *n, size_t max, uint32_t number)
{
	if (number)
		add_seq(seqs, n, max, CHESS_STACK_AT_ACCESS | number);
}

static void add_event(uint32_t *seqs, size_t *n, size_t max, const struct chess_event *e)
{
	if (e)
		add_seq(seqs, n, max, e->seq);
}

/* In order of use: the points stand in for accesses of a run that cannot be repeated. */
void race_report_seqs(const struct chess_record *rec, const struct chess_trace_race *races,
		      size_t n_races, uint32_t *seqs, size_t *n, size_t max)
{
	size_t i, k;

	for (i = 0; i < n_races; i++) {
		add_access(seqs, n, max, races[i].number[0]);
		add_access(seqs, n, max, races[i].number[1]);
		add_access(seqs, n, max, races[i].piece.allocated_number);
		add_access(seqs, n, max, races[i].piece.freed_number);
	}
	for (i = 0; i < n_races; i++) {
		add_event(seqs, n, max, near_event(rec, &races[i].first));
		add_event(seqs, n, max, near_event(rec, &races[i].second));
	}
	for (i = 0; i < n_races; i++)
		for (k = races[i].first.seq; k < last_between(rec, &races[i]); k++) {
			const struct chess_event *e = chess_record_event(rec, k);

			if (e && is_between(e, &races[i]))
				add_event(seqs, n, max, e);
		}
}

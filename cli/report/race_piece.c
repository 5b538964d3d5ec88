// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pieces of a heap in words, see race_piece.h. The heap's own functions are left out: what
 * is named is their caller.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "out.h"
#include "report/race_piece.h"
#include "report/race_report.h"

#define CALLERS_SHOWN	6
#define FRAMES_TOLD	32

/**
 * struct call - of a function of the heap
 * @where: in the user's own code, in words
 * @at: the same
 * @callers: on the way there, innermost first, @n of them
 * @known: whether there is a stack they are of
 */
struct call {
	char *where;
	struct place at;
	char *callers[FRAMES_TOLD];
	size_t n;
	bool known;
};

/* The stack of that call; NULL: it was not kept. The return address is on its top. */
static const struct chess_stack *stack_of(const struct chess_record *rec,
					  const struct chess_access *a, uint32_t number)
{
	const struct chess_stack *s =
		rec ? chess_record_stack(rec, CHESS_STACK_AT_ACCESS | number) : NULL;

	return s && s->size >= sizeof(a->ip) && !memcmp(s + 1, &a->ip, sizeof(a->ip)) ? s : NULL;
}

/* Without the functions up to the one that is named. */
static void drop_inner(struct call *c)
{
	size_t i, k;

	for (i = 0; i < c->n && strcmp(c->callers[i], c->where); i++)
		;
	if (i == c->n)
		return;
	for (k = 0; k <= i; k++)
		free(c->callers[k]);
	c->n -= i + 1;
	memmove(c->callers, c->callers + i + 1, c->n * sizeof(*c->callers));
}

static void call_find(struct symbols *symbols, const struct chess_record *rec,
		      const struct chess_access *a, uint32_t number, struct call *out)
{
	const struct chess_stack *stack = stack_of(rec, a, number);

	memset(out, 0, sizeof(*out));
	out->known = stack;
	symbols_return_place(symbols, stack, a->ip, &out->at);
	out->where = out->at.module ? place_text(&out->at) :
				      cli_printf("0x%llx", (unsigned long long)a->ip);
	if (stack)
		out->n = symbols_stack(symbols, stack, 1, out->callers, FRAMES_TOLD);
	drop_inner(out);
}

static void call_clear(struct call *c)
{
	while (c->n)
		free(c->callers[--c->n]);
	free(c->where);
	place_clear(&c->at);
}

char *race_piece_text(struct symbols *symbols, const struct chess_record *rec,
		      const struct chess_trace_race *race)
{
	const struct chess_access *a = &race->piece.allocated;
	struct call c;
	char *text;

	if (!race->piece.allocated_number)
		return NULL;
	call_find(symbols, rec, a, race->piece.allocated_number, &c);
	text = cli_printf("%u bytes allocated by T%u in %s, byte %llu", a->size, a->task, c.where,
			  (unsigned long long)(race->address - a->address));
	call_clear(&c);
	return text;
}

bool race_call_place(struct symbols *symbols, const struct chess_record *rec,
		     const struct chess_access *a, uint32_t number, struct place *out)
{
	return symbols_return_place(symbols, stack_of(rec, a, number), a->ip, out);
}

void race_call_print(const struct report *r, const char *verb, const struct chess_access *a,
		     uint32_t number, FILE *to)
{
	struct call c;

	call_find(r->symbols, r->record, a, number, &c);
	fprintf(to, "  T%-3u %s %u bytes in %s\n", a->task, verb, a->size, c.where);
	fputs(c.n ? "       called by " : "", to);
	race_frames_print(c.callers, c.n < CALLERS_SHOWN ? c.n : CALLERS_SHOWN, to);
	call_clear(&c);
}

/* Told there, as one of the two that race. */
static bool is_side(const struct chess_access *freed, const struct chess_access *first)
{
	return (first->kind & CHESS_ACCESS_FRESH) && first->ip == freed->ip &&
	       first->task == freed->task && first->seq == freed->seq &&
	       first->address == freed->address;
}

void race_piece_print(const struct report *r, const struct chess_trace_race *race, FILE *to)
{
	const struct chess_race_piece *p = &race->piece;

	if (p->allocated_number)
		race_call_print(r, "allocates", &p->allocated, p->allocated_number, to);
	if (p->allocated_number > race->number[0] && race->number[0])
		fprintf(to, "       before that T%u accessed these bytes, which were not its own\n",
			race->first.task);
	if (p->freed_number && !is_side(&p->freed, &race->first))
		race_call_print(r, "frees", &p->freed, p->freed_number, to);
}

static struct json_object *json_call(const struct report *r, const struct chess_access *a,
				     uint32_t number)
{
	struct json_object *o;
	struct call c;

	if (!number)
		return NULL;
	call_find(r->symbols, r->record, a, number, &c);
	o = json_object_new_object();
	json_object_object_add(o, "task", json_object_new_int(a->task));
	json_object_object_add(o, "address", json_object_new_uint64(a->address));
	json_object_object_add(o, "size", json_object_new_int64(a->size));
	json_object_object_add(o, "after_event", json_object_new_int64(a->seq));
	out_json_string(o, "where", c.where);
	race_place_json(o, &c.at);
	json_object_object_add(o, "callers",
			       c.known ? race_frames_json(c.callers, c.n) : NULL);
	call_clear(&c);
	return o;
}

struct json_object *race_piece_json(const struct report *r, const struct chess_trace_race *race)
{
	const struct chess_race_piece *p = &race->piece;
	struct json_object *o;

	if (!p->allocated_number && !p->freed_number)
		return NULL;
	o = json_object_new_object();
	json_object_object_add(o, "allocated",
			       json_call(r, &p->allocated, p->allocated_number));
	json_object_object_add(o, "freed", json_call(r, &p->freed, p->freed_number));
	return o;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What trace files say of accesses to memory: whose code had traps, which instructions
 * were points, what raced in the run. trace.c and trace_read.c call it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "quote.h"
#include "trace/trace.h"
#include "trace/trace_token.h"

static const char *const kinds[] = { "read", "write", "atomic", "free", "shared", "allocate" };

static void put_files(FILE *f, const char *key, const struct chess_trace_probe *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		fprintf(f, "%s %s ", key, v[i].hash);
		chess_put_quoted(f, v[i].path, strlen(v[i].path), false);
		fputc('\n', f);
	}
}

void chess_trace_put_code(FILE *f, const struct chess_trace *t)
{
	size_t i;

	put_files(f, "later", t->later, t->n_later);
	for (i = 0; t->code && t->code[i]; i++) {
		fputs("code ", f);
		chess_put_quoted(f, t->code[i], strlen(t->code[i]), false);
		fputc('\n', f);
	}
	put_files(f, "code-file", t->code_files, t->n_code_files);
	for (i = 0; i < t->n_access_points; i++)
		fprintf(f, "access-point %u 0x%" PRIx64 "\n", t->access_points[i].file + 1,
			t->access_points[i].offset);
}

static void put_where(FILE *f, const struct chess_access *a)
{
	fprintf(f, " 0x%" PRIx64 " 0x%" PRIx64 " %" PRIu32 " %" PRIu32, (uint64_t)a->ip,
		(uint64_t)a->address, a->size, a->seq);
}

static void put_access(FILE *f, const struct chess_access *a)
{
	const char *between = "";
	unsigned int bit;

	fprintf(f, " T%u ", a->task);
	for (bit = 0; bit < ARRAY_SIZE(kinds); bit++) {
		if (!kinds[bit] || !(a->kind >> bit & 1))
			continue;
		fprintf(f, "%s%s", between, kinds[bit]);
		between = ",";
	}
	put_where(f, a);
}

static void put_piece(FILE *f, const char *word, const struct chess_access *a, uint32_t number)
{
	if (!number)
		return;
	fprintf(f, " %s %" PRIu32 " T%u", word, number, a->task);
	put_where(f, a);
}

void chess_trace_put_races(FILE *f, const struct chess_trace *t)
{
	size_t i;

	for (i = 0; i < t->n_races; i++) {
		const struct chess_trace_race *race = &t->races[i];

		fprintf(f, "race 0x%" PRIx64 " %" PRIu32, race->address, race->size);
		put_access(f, &race->first);
		put_access(f, &race->second);
		fputs(race->beside_atomic ? " beside-atomic" : "", f);
		if (race->number[0])
			fprintf(f, " numbers %" PRIu32 " %" PRIu32, race->number[0],
				race->number[1]);
		put_piece(f, "allocated", &race->piece.allocated, race->piece.allocated_number);
		put_piece(f, "freed", &race->piece.freed, race->piece.freed_number);
		if (race->in_handler)
			fprintf(f, " in-handler %s", chess_in_handler_name(race->in_handler));
		fputc('\n', f);
	}
}

/* In their order, and at least one of read and write; or a call of the heap alone. */
static bool get_kind(const char **p, uint8_t *out)
{
	unsigned int bit;
	uint8_t kind = 0;

	for (bit = 0; bit < ARRAY_SIZE(kinds); bit++) {
		const char *s = *p;

		if (!kinds[bit] || (kind && !chess_token_text(&s, ",")) ||
		    !chess_token_text(&s, kinds[bit]))
			continue;
		kind |= 1 << bit;
		*p = s;
	}
	*out = kind;
	if (kind & (CHESS_ACCESS_FRESH | CHESS_ACCESS_ALLOCATED))
		return kind == CHESS_ACCESS_FRESH || kind == CHESS_ACCESS_ALLOCATED;
	return kind & (CHESS_ACCESS_READ | CHESS_ACCESS_WRITE);
}

static bool get_where(const char **p, struct chess_access *a)
{
	uint64_t size, seq, ip, address;

	if (!chess_token_text(p, " ") || !chess_token_address(p, &ip) ||
	    !chess_token_text(p, " ") || !chess_token_address(p, &address) ||
	    !chess_token_text(p, " ") || !chess_token_number(p, UINT32_MAX, &size) ||
	    !chess_token_text(p, " ") || !chess_token_number(p, UINT32_MAX, &seq))
		return false;
	a->ip = ip;
	a->address = address;
	a->size = size;
	a->seq = seq;
	return a->task != CHESS_TASK_NONE;
}

static bool get_access(const char **p, struct chess_access *a)
{
	memset(a, 0, sizeof(*a));
	return chess_token_text(p, " ") && chess_token_task(p, &a->task) &&
	       chess_token_text(p, " ") && get_kind(p, &a->kind) && get_where(p, a);
}

/* After the word; true where it is not there. */
static bool get_piece(const char **p, const char *word, uint8_t kind, struct chess_access *a,
		      uint32_t *number)
{
	uint64_t n;

	if (!chess_token_text(p, word))
		return true;
	if (!chess_token_number(p, CHESS_MAX_ACCESSES, &n) || !n || !chess_token_text(p, " ") ||
	    !chess_token_task(p, &a->task) || !get_where(p, a))
		return false;
	a->kind = kind;
	*number = n;
	return true;
}

static int read_code(struct chess_trace *t, const char *p, const char **fault)
{
	size_t n = 0;

	while (t->code && t->code[n])
		n++;
	if (chess_array_extend(&t->code, n, n + 2, sizeof(*t->code)))
		return -ENOMEM;
	t->code[n] = chess_token_string(&p);
	if (!t->code[n])
		*fault = "a string in quotes is missing or malformed";
	return t->code[n] ? 0 : -EINVAL;
}

static int read_file(struct chess_trace_probe **v, size_t *n, const char *p,
		     const char **fault)
{
	struct chess_trace_probe *file;
	const char *hash = p;
	uint64_t value;

	if (chess_array_extend(v, *n, *n + 1, sizeof(*file)))
		return -ENOMEM;
	file = &(*v)[(*n)++];
	*fault = "a file of code has a hash of 16 hex digits and a path";
	if (!chess_token_hex(&p, 16, &value) || p - hash != 16 || !chess_token_text(&p, " "))
		return -EINVAL;
	file->path = chess_token_string(&p);
	if (!file->path)
		return -EINVAL;
	*fault = NULL;
	file->hash = strndup(hash, 16);
	return file->hash ? 0 : -ENOMEM;
}

/* One spelling: ascending. */
static int read_point(struct chess_trace *t, const char *p, const char **fault)
{
	struct chess_trace_point *v;
	uint64_t file, offset;

	if (chess_array_resize(&t->access_points, t->n_access_points + 1, sizeof(*v)))
		return -ENOMEM;
	v = &t->access_points[t->n_access_points];
	*fault = "a point is not the number of a file and an offset in it, or is out of order";
	if (!chess_token_number(&p, t->n_code_files, &file) || !file ||
	    !chess_token_text(&p, " ") || !chess_token_address(&p, &offset) || *p)
		return -EINVAL;
	*v = (struct chess_trace_point) { .file = file - 1, .offset = offset };
	if (t->n_access_points++ &&
	    (v[-1].file > v->file || (v[-1].file == v->file && v[-1].offset >= v->offset)))
		return -EINVAL;
	*fault = NULL;
	return 0;
}

/* Both or none. */
static bool get_numbers(const char **p, uint32_t number[2])
{
	uint64_t first, second;

	if (!chess_token_text(p, " numbers "))
		return true;
	if (!chess_token_number(p, CHESS_MAX_ACCESSES, &first) || !first ||
	    !chess_token_text(p, " ") || !chess_token_number(p, CHESS_MAX_ACCESSES, &second) ||
	    second <= first)
		return false;
	number[0] = first;
	number[1] = second;
	return true;
}

static bool get_handlers(const char **p, enum chess_in_handler *out)
{
	unsigned int h;

	if (!chess_token_text(p, " in-handler "))
		return true;
	for (h = CHESS_IN_HANDLER_FIRST; h <= CHESS_IN_HANDLER_BOTH; h++)
		if (chess_token_text(p, chess_in_handler_name(h))) {
			*out = h;
			return true;
		}
	return false;
}

static bool get_more(const char **p, struct chess_trace_race *race)
{
	struct chess_race_piece *piece = &race->piece;

	return get_numbers(p, race->number) &&
	       get_piece(p, " allocated ", CHESS_ACCESS_ALLOCATED, &piece->allocated,
			 &piece->allocated_number) &&
	       get_piece(p, " freed ", CHESS_ACCESS_FRESH, &piece->freed, &piece->freed_number);
}

static int read_race(struct chess_trace *t, const char *p, const char **fault)
{
	struct chess_trace_race *race;
	uint64_t size;

	if (chess_array_extend(&t->races, t->n_races, t->n_races + 1, sizeof(*race)))
		return -ENOMEM;
	race = &t->races[t->n_races];
	*fault = "a race is not an address, a size and two accesses";
	if (!chess_token_address(&p, &race->address) || !chess_token_text(&p, " ") ||
	    !chess_token_number(&p, UINT32_MAX, &size) || !get_access(&p, &race->first) ||
	    !get_access(&p, &race->second))
		return -EINVAL;
	race->size = size;
	race->beside_atomic = chess_token_text(&p, " beside-atomic");
	if ((t->version >= CHESS_TRACE_NUMBERS && !get_more(&p, race)) ||
	    (t->version >= CHESS_TRACE_HANDLERS && !get_handlers(&p, &race->in_handler)) || *p)
		return -EINVAL;
	*fault = NULL;
	t->n_races++;
	return 0;
}

static int read_later(struct chess_trace *t, const char *p, const char **fault)
{
	*fault = "files that come later are known since version 11";
	return t->version < CHESS_TRACE_LATER ? -EINVAL :
	       read_file(&t->later, &t->n_later, p, fault);
}

int chess_trace_read_races(struct chess_trace *t, const char *line, const char *p,
			   const char **fault)
{
	if (chess_token_text(&line, "code "))
		return read_code(t, p, fault);
	if (chess_token_text(&line, "code-file "))
		return read_file(&t->code_files, &t->n_code_files, p, fault);
	if (chess_token_text(&line, "later "))
		return read_later(t, p, fault);
	if (chess_token_text(&line, "access-point "))
		return read_point(t, p, fault);
	return read_race(t, p, fault);
}

void chess_trace_free_races(struct chess_trace *t)
{
	size_t i;

	for (i = 0; t->code && t->code[i]; i++)
		free(t->code[i]);
	free(t->code);
	chess_trace_free_files(t->later, t->n_later);
	chess_trace_free_files(t->code_files, t->n_code_files);
	free(t->access_points);
	free(t->races);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * See scope.h. A point is where a sync function was called, or where an access or a system call
 * stands.
 * The record does not say who called the C library for the latter, so a point in a system
 * library is taken to be, too, where its task was last outside of them. Each address is
 * looked up once.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "scope.h"
#include "report/symbolize.h"

/**
 * struct known - what the lists say of an address
 * @address: zero is an empty slot
 * @system: in a system library, or nowhere that is known
 * @in: some entry of --preempt-in is of it
 * @out: of --no-preempt-in
 */
struct known {
	uint64_t address;
	bool system, in, out;
};

/**
 * struct scope - the lists
 * @only: there is a --preempt-in
 * @maps: what @symbols are of
 * @known: hash table of @slots, @used of them
 */
struct scope {
	struct scope_entry *entry;
	size_t n;
	bool only;
	char *maps;
	struct symbols *symbols;
	struct known *known;
	size_t slots, used;
};

/* A file that is there is meant as it is in maps. */
static char *binary_of(const char *at, size_t n)
{
	char *text = cli_printf("%.*s", (int)n, at);
	char *path = strchr(text, '/') ? realpath(text, NULL) : NULL;

	if (!path)
		return text;
	free(text);
	return path;
}

static void add_entries(struct scope *s, const char *list, const char *option, bool out)
{
	const char *at, *end, *colon;

	for (at = list; at; at = *end ? end + 1 : NULL) {
		struct scope_entry *e;

		end = strchrnul(at, ',');
		s->entry = cli_realloc(s->entry, s->n + 1, sizeof(*s->entry));
		e = &s->entry[s->n++];
		colon = memchr(at, ':', end - at);
		*e = (struct scope_entry) { .option = option, .out = out };
		e->binary = colon == at ? cli_printf("*") :
					  binary_of(at, (colon ? colon : end) - at);
		if (colon)
			e->function = cli_printf("%.*s", (int)(end - colon - 1), colon + 1);
	}
}

int scope_open(struct scope **out, const char *in, const char *not_in, const char *path)
{
	struct scope *s;
	int code;

	*out = NULL;
	if (!in && !not_in)
		return CLI_PROCEED;
	s = cli_alloc(1, sizeof(*s));
	s->only = in;
	add_entries(s, in, "--preempt-in", false);
	add_entries(s, not_in, "--no-preempt-in", true);
	code = scope_check(s->entry, s->n, path);
	if (code == CLI_PROCEED)
		*out = s;
	else
		scope_close(s);
	return code;
}

void scope_close(struct scope *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->n; i++) {
		free(s->entry[i].binary);
		free(s->entry[i].function);
	}
	free(s->entry);
	free(s->maps);
	symbols_free(s->symbols);
	free(s->known);
	free(s);
}

bool scope_entry_binary(const struct scope_entry *e, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (strchr(e->binary, '/') || !slash)
		return !fnmatch(e->binary, path, 0);
	return !fnmatch(e->binary, slash + 1, 0);
}

static struct known *find(struct known *known, size_t slots, uint64_t address)
{
	size_t at = address * 0x9e3779b97f4a7c15ULL >> 32 & (slots - 1);

	while (known[at].address && known[at].address != address)
		at = (at + 1) & (slots - 1);
	return &known[at];
}

static void grow(struct scope *s)
{
	size_t slots = s->slots ? s->slots * 2 : 256, i;
	struct known *more = cli_alloc(slots, sizeof(*more));

	for (i = 0; i < s->slots; i++)
		if (s->known[i].address)
			*find(more, slots, s->known[i].address) = s->known[i];
	free(s->known);
	s->known = more;
	s->slots = slots;
}

/* A library that was loaded meanwhile is in the maps of the run in which it was. */
static bool look_up(struct scope *s, const struct chess_record *r, uint64_t address,
		    struct code_place *p)
{
	const char *maps = chess_record_maps(r);

	if (s->symbols && symbols_code(s->symbols, address, p))
		return true;
	if (!maps || (s->maps && !strcmp(maps, s->maps)))
		return false;
	free(s->maps);
	symbols_free(s->symbols);
	s->maps = cli_printf("%s", maps);
	s->symbols = symbols_new(s->maps);
	return symbols_code(s->symbols, address, p);
}

static void judge(struct scope *s, const struct chess_record *r, struct known *k)
{
	struct code_place p;
	size_t i;

	k->system = true;
	if (!look_up(s, r, k->address, &p))
		return;
	k->system = p.system;
	for (i = 0; i < s->n; i++) {
		const struct scope_entry *e = &s->entry[i];

		if (!scope_entry_binary(e, p.module) ||
		    (e->function && (!p.function || fnmatch(e->function, p.function, 0))))
			continue;
		k->in |= !e->out;
		k->out |= e->out;
	}
}

/* What is known of the place of a point. */
static const struct known *place_of(struct scope *s, const struct chess_record *r,
				    const struct chess_event *e)
{
	uint64_t address = symbols_event_address(e);
	struct known *k;

	if (s->used * 2 >= s->slots)
		grow(s);
	k = find(s->known, s->slots, address);
	if (!k->address && address) {
		k->address = address;
		s->used++;
		judge(s, r, k);
	}
	return k;
}

bool scope_has(void *scope, const struct chess_record *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r, i);
	uint32_t task = e->task;
	struct scope *s = scope;
	struct known k = *place_of(s, r, e);
	bool in = k.in, out = k.out;

	while (k.system && i) {
		e = chess_record_event(r, --i);
		if (e->task == task && e->type == CHESS_EVENT_POINT)
			k = *place_of(s, r, e);
	}
	if (!k.system) {
		in |= k.in;
		out |= k.out;
	}
	return (in || !s->only) && !out;
}

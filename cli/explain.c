// SPDX-License-Identifier: GPL-2.0-only
/*
 * See explain.h. Each address is looked up once, in the maps of the run that first shows it: all
 * runs of a program have their files at the same addresses.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/linkhash.h>

#include "cli.h"
#include "explain.h"
#include "out.h"
#include "report/symbolize.h"

#define SHOWN	12	/* rows of a table */

/**
 * struct side - an operation and where it stands
 * @on_all: it depends on everything
 * @text: for people
 * @scope: what --no-preempt-in would name, or NULL
 */
struct side {
	bool on_all;
	char *text, *scope;
};

/**
 * struct row - so many branches for one reason
 * @text: what --no-preempt-in takes; of a pair it says which one, or what it is instead
 * @a: one side; NULL: it is not a matter of two operations
 * @b: the other one
 */
struct row {
	const char *text;
	const struct side *a, *b;
	uint64_t branches;
};

/**
 * struct explain - branches so far
 * @maps: what @symbols are of
 * @sides: struct side, by what tells them apart
 * @orders: struct row, by pair
 * @scopes: struct row, by function
 * @branches: all of them
 * @stale: they are those of a search that was given up
 */
struct explain {
	char *maps;
	struct symbols *symbols;
	struct lh_table *sides, *orders, *scopes;
	uint64_t branches;
	bool stale;
};

static void free_side(struct lh_entry *entry)
{
	struct side *s = (struct side *)lh_entry_v(entry);

	free(lh_entry_k(entry));
	free(s->text);
	free(s->scope);
	free(s);
}

static void free_row(struct lh_entry *entry)
{
	free(lh_entry_k(entry));
	free((void *)lh_entry_v(entry));
}

static struct lh_table *new_table(lh_entry_free_fn *free_entry)
{
	struct lh_table *t = lh_kchar_table_new(64, free_entry);

	if (!t)
		cli_no_memory();
	return t;
}

static void begin(struct explain *e)
{
	e->sides = new_table(free_side);
	e->orders = new_table(free_row);
	e->scopes = new_table(free_row);
	e->branches = 0;
	e->stale = false;
}

static void end(struct explain *e)
{
	lh_table_free(e->orders);
	lh_table_free(e->scopes);
	lh_table_free(e->sides);
}

struct explain *explain_new(void)
{
	struct explain *e = cli_alloc(1, sizeof(*e));

	begin(e);
	return e;
}

void explain_reset(struct explain *e)
{
	if (e)
		e->stale = true;
}

void explain_free(struct explain *e)
{
	if (!e)
		return;
	end(e);
	symbols_free(e->symbols);
	free(e->maps);
	free(e);
}

static void renew_symbols(struct explain *e, const struct chess_record *r)
{
	const char *maps = chess_record_maps(r);

	if (!maps || (e->maps && !strcmp(maps, e->maps)))
		return;
	free(e->maps);
	symbols_free(e->symbols);
	e->maps = cli_printf("%s", maps);
	e->symbols = symbols_new(e->maps);
}

static void describe(struct explain *e, const struct chess_event *p, struct side *s)
{
	bool call = !(p->flags & CHESS_OPF_PROBE);
	const char *op = !p->op ? "the begin of a task" :
			 call ? chess_syscall_name(p->nr) : chess_op_name(p->op), *base;
	char *object = p->object_kind == CHESS_OBJECT_ADDRESS ?
		       symbols_variable(e->symbols, p->object) : NULL, *where = NULL;
	struct code_place code;
	struct place place;

	if (symbols_event_place(e->symbols, p, NULL, &place)) {
		where = place_text(&place);
		place_clear(&place);
	}
	s->text = cli_printf("%s%s%s%s%s%s", op, object ? " " : "", object ? object : "",
			     where ? " at " : "", where ? where : "",
			     s->on_all ? " (depends on everything)" : "");
	if (symbols_code(e->symbols, symbols_event_address(p), &code) && code.function &&
	    !code.system) {
		base = strrchr(code.module, '/');
		s->scope = cli_printf("%s:%s", base ? base + 1 : code.module, code.function);
	}
	free(object);
	free(where);
}

/* What is under @key, which is taken over; if there is nothing, @size bytes of zeros. */
static void *find(struct lh_table *t, char *key, size_t size, bool *is_new)
{
	struct lh_entry *entry = lh_table_lookup_entry(t, key);
	void *value;

	*is_new = !entry;
	if (entry) {
		free(key);
		return (void *)lh_entry_v(entry);
	}
	value = cli_alloc(1, size);
	if (lh_table_insert(t, key, value))
		cli_no_memory();
	return value;
}

/* @i: index of the point, or CHESS_NO_EVENT */
static const struct side *side_of(struct explain *e, const struct chess_record *r, size_t i,
				  bool on_all)
{
	static const struct chess_event nothing;
	const struct chess_event *p = i == CHESS_NO_EVENT ? &nothing : chess_record_event(r, i);
	/* Only addresses have names, see describe(). */
	uint64_t object = p->object_kind == CHESS_OBJECT_ADDRESS ? p->object : 0;
	bool is_new;
	struct side *s = find(e->sides, cli_printf("%" PRIx64 " %u %u %" PRIx64 " %d",
						   symbols_event_address(p), p->op, p->nr, object,
						   on_all),
			      sizeof(*s), &is_new);

	if (is_new) {
		s->on_all = on_all;
		describe(e, p, s);
	}
	return s;
}

/* One more branch for the reason @key, which is taken over. */
static struct row *count(struct lh_table *t, char *key)
{
	bool is_new;
	struct row *r = find(t, key, sizeof(*r), &is_new);

	if (is_new)
		r->text = key;
	r->branches++;
	return r;
}

void explain_branch(void *explain, const struct chess_branch *b)
{
	static const char *const cause[] = {
		[CHESS_BRANCH_CHOICE] = "a time-out, a timer, or the choice of a waiter or of a thread for a signal",
		[CHESS_BRANCH_END] = "the end of the program, while other tasks could continue",
		[CHESS_BRANCH_ASLEEP] = "a way that had been taken already",
	};
	const struct side *first, *second, *swap;
	struct explain *e = explain;
	struct row *r;

	if (e->stale) {
		end(e);
		begin(e);
	}
	e->branches++;
	if (b->cause != CHESS_BRANCH_ORDER) {
		count(e->orders, cli_printf("%s", cause[b->cause]));
		return;
	}
	renew_symbols(e, b->record);
	first = side_of(e, b->record, b->first, b->first_on_all);
	second = side_of(e, b->record, b->second, b->second_on_all);
	if (first->scope)
		count(e->scopes, cli_printf("%s", first->scope));
	if (strcmp(first->text, second->text) > 0) {
		swap = first;
		first = second;
		second = swap;
	}
	r = count(e->orders, cli_printf("%s\n%s", first->text, second->text));
	r->a = first;
	r->b = second;
}

/* Rows of a table, most branches first. */
struct list {
	const struct row **row;
	size_t n;
};

static int by_branches(const void *p, const void *q)
{
	const struct row *a = *(const struct row *const *)p, *b = *(const struct row *const *)q;

	if (a->branches != b->branches)
		return a->branches < b->branches ? 1 : -1;
	return strcmp(a->text, b->text);
}

static struct list list_of(struct lh_table *t)
{
	struct list l = { .row = cli_alloc(t->count + 1, sizeof(*l.row)) };
	struct lh_entry *entry;

	lh_foreach(t, entry)
		l.row[l.n++] = lh_entry_v(entry);
	qsort(l.row, l.n, sizeof(*l.row), by_branches);
	return l;
}

static void print_share(const struct explain *e, const struct row *r)
{
	printf("  %7llu  %3.0f %%  ", (unsigned long long)r->branches,
	       100.0 * r->branches / e->branches);
}

static void print_rest(const struct list *l, const char *what)
{
	if (l->n > SHOWN)
		printf("           and %zu more %s\n", l->n - SHOWN, what);
}

void explain_print(const struct explain *e)
{
	struct list orders = list_of(e->orders), scopes = list_of(e->scopes);
	size_t i;

	if (!e->branches)
		printf("no branches: no two operations of different tasks depend on each other\n");
	else
		printf("%llu branches within the bound, by the operations whose order they reverse:\n",
		       (unsigned long long)e->branches);
	for (i = 0; i < orders.n && i < SHOWN; i++) {
		print_share(e, orders.row[i]);
		if (orders.row[i]->a)
			printf("%s\n                  %s\n", orders.row[i]->a->text,
			       orders.row[i]->b->text);
		else
			printf("%s\n", orders.row[i]->text);
	}
	print_rest(&orders, "pairs");
	if (scopes.n)
		printf("by the function whose operation then comes later; to leave it out, with --strategy icb:\n");
	for (i = 0; i < scopes.n && i < SHOWN; i++) {
		print_share(e, scopes.row[i]);
		printf("--no-preempt-in %s\n", scopes.row[i]->text);
	}
	print_rest(&scopes, "functions");
	free(orders.row);
	free(scopes.row);
}

static struct json_object *side_json(const struct side *s)
{
	struct json_object *o;

	if (!s)
		return NULL;
	o = json_object_new_object();
	out_json_string(o, "operation", s->text);
	out_json_bool(o, "depends_on_everything", s->on_all);
	return o;
}

struct json_object *explain_json(const struct explain *e)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array(), *row;
	struct list orders = list_of(e->orders), scopes = list_of(e->scopes);
	size_t i;

	json_object_object_add(o, "branches", json_object_new_uint64(e->branches));
	for (i = 0; i < orders.n; i++) {
		row = json_object_new_object();
		json_object_object_add(row, "branches",
				       json_object_new_uint64(orders.row[i]->branches));
		json_object_object_add(row, "a", side_json(orders.row[i]->a));
		json_object_object_add(row, "b", side_json(orders.row[i]->b));
		json_object_array_add(list, row);
	}
	json_object_object_add(o, "orders", list);
	list = json_object_new_array();
	for (i = 0; i < scopes.n; i++) {
		row = json_object_new_object();
		json_object_object_add(row, "branches",
				       json_object_new_uint64(scopes.row[i]->branches));
		out_json_string(row, "no_preempt_in", scopes.row[i]->text);
		json_object_array_add(list, row);
	}
	json_object_object_add(o, "functions", list);
	free(orders.row);
	free(scopes.row);
	return o;
}

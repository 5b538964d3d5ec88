// SPDX-License-Identifier: GPL-2.0-only
/*
 * Variables of the user-space model: each access a point, or, with sim_opts.accesses, memory
 * as the module sees it: every access is recorded after the decision, when it is made, and
 * is a point where somebody has chosen its site. A site is an address in a body.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim_internal.h"

enum {
	PLAIN_READ = CHESS_ACCESS_READ,
	PLAIN_WRITE = CHESS_ACCESS_WRITE,
	ATOMIC = CHESS_ACCESS_READ | CHESS_ACCESS_WRITE | CHESS_ACCESS_ATOMIC,
};

static void *grow(void *v, size_t *room, size_t size)
{
	*room = *room ? *room * 2 : 64;
	v = realloc(v, *room * size);
	assert(v);
	return v;
}

static uint32_t site_of(struct sim *s, uint64_t caller)
{
	size_t i;

	for (i = 0; i < s->n_sites; i++)
		if (s->site[i] == caller)
			return i + 1;
	if (s->n_sites == s->site_room)
		s->site = grow(s->site, &s->site_room, sizeof(*s->site));
	s->site[s->n_sites++] = caller;
	return s->n_sites;
}

static bool is_point(const struct sim *s, uint32_t site)
{
	size_t i;

	for (i = 0; i < s->n_points_at; i++)
		if (s->point[i] == site)
			return true;
	return false;
}

static void record(struct sim *s, const struct chess_access *a)
{
	if (s->n_accesses == s->access_room)
		s->access = grow(s->access, &s->access_room, sizeof(*s->access));
	s->access[s->n_accesses++] = *a;
}

/* At an access to @v, from @caller. */
static void access_at(const struct sim_var *v, uint8_t kind, const void *caller)
{
	static const struct sim_op point[] = {
		{ .op = CHESS_OP_READ, .flags = CHESS_OPF_PROBE },
		{ .op = CHESS_OP_WRITE, .flags = CHESS_OPF_PROBE | CHESS_OPF_WRITE },
	};
	struct sim_op op = {
		.op = kind == ATOMIC ? CHESS_OP_UPDATE : kind == PLAIN_READ ? CHESS_OP_LOAD :
									      CHESS_OP_STORE,
		.flags = CHESS_OPF_PROBE | (kind == PLAIN_READ ? 0 : CHESS_OPF_WRITE),
	};
	struct sim *s = sim_now;
	bool passes = s->opts.alone_free && s->enabled.count == 1;

	if (!s->opts.accesses) {
		if (passes)
			return;
		sim_touch(&point[kind != PLAIN_READ], v, caller);
		return;
	}
	op.nr = site_of(s, sim_name(s, caller));
	if (!passes && is_point(s, op.nr))
		sim_point(s, &(struct sim_at){
			.op = &op, .object = v, .bytes = sizeof(v->value), .caller = caller,
		});
	record(s, &(struct chess_access){
		.address = sim_name(s, &v->value),
		.ip = sim_name(s, caller),
		.size = sizeof(v->value),
		.seq = s->seq,
		.site = op.nr,
		.task = s->token->id,
		.kind = kind,
	});
}

/* The same in a loop that waits, whose accesses are points as long as it lasts. */
static void look_at(const struct sim_var *v, uint8_t kind, bool again, const void *caller)
{
	const struct sim_op op = {
		.op = kind == ATOMIC ? CHESS_OP_UPDATE : CHESS_OP_LOAD,
		.flags = CHESS_OPF_PROBE | (kind == ATOMIC ? CHESS_OPF_WRITE : 0) |
			 (again ? CHESS_OPF_YIELD : 0),
		.nr = site_of(sim_now, sim_name(sim_now, caller)),
	};

	sim_point(sim_now, &(struct sim_at){
		.op = &op, .object = v, .bytes = sizeof(v->value), .caller = caller,
	});
}

long sim_look(const struct sim_var *v, bool again)
{
	look_at(v, PLAIN_READ, again, SIM_CALLER);
	return v->value;
}

bool sim_look_cas(struct sim_var *v, long from, long to, bool again)
{
	look_at(v, ATOMIC, again, SIM_CALLER);
	if (v->value != from)
		return false;
	v->value = to;
	return true;
}

long sim_load(const struct sim_var *v)
{
	access_at(v, PLAIN_READ, SIM_CALLER);
	return v->value;
}

void sim_store(struct sim_var *v, long value)
{
	access_at(v, PLAIN_WRITE, SIM_CALLER);
	v->value = value;
}

long sim_add(struct sim_var *v, long n)
{
	access_at(v, ATOMIC, SIM_CALLER);
	return v->value += n;
}

long sim_exchange(struct sim_var *v, long value)
{
	long old;

	access_at(v, ATOMIC, SIM_CALLER);
	old = v->value;
	v->value = value;
	return old;
}

bool sim_cas(struct sim_var *v, long from, long to)
{
	access_at(v, ATOMIC, SIM_CALLER);
	if (v->value != from)
		return false;
	v->value = to;
	return true;
}

void sim_set_points(struct sim *s, const uint32_t *sites, size_t n)
{
	s->point = realloc(s->point, (n + 1) * sizeof(*sites));
	assert(s->point);
	if (n)
		memcpy(s->point, sites, n * sizeof(*sites));
	s->n_points_at = n;
}

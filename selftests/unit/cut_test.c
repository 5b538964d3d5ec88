// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves which accesses are points though they race with none: those at which a handler that
 * jumps out, or a cancellation, may cut their task off, and those to an errno that a handler
 * changes. A scene is what a run left: T0 is the task, T1 another one.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#include "harness.h"
#include "internal.h"
#include "code/memcalls.h"
#include "race/racing.h"
#include "code/wrappers.h"

#define NONE	CHESS_TASK_NONE
#define BIT(s)	(1ULL << ((s) - 1))
#define ONE	SIGUSR1
#define TWO	SIGUSR2
#define HERE	0x1000		/* a variable */
#define THERE	0x2000		/* another one */

enum { ACCESS = 1, TOLD, CALL, FUNCTION, END };

struct line {
	int what;
	struct chess_access a;
	uint32_t nr;
	int64_t result;
	const char *symbol;
};

struct scene {
	const char *name;
	uint32_t points[3];	/* sites, ascending */
	struct line line[16];
};

#define W(t, v, s)	{ .what = ACCESS, .a = { .task = t, .address = v, .size = 4, .site = s, \
				    .kind = CHESS_ACCESS_WRITE } }
#define R(t, v, s)	{ .what = ACCESS, .a = { .task = t, .address = v, .size = 4, .site = s, \
				    .kind = CHESS_ACCESS_READ } }
/* The same to memory that processes share; K is W or R. */
#define S(t, K, v, s)	{ .what = ACCESS, .a = { .task = t, .address = v, .size = 4, .site = s, \
				    .kind = CHESS_ACCESS_SHARED | KIND_##K } }
#define KIND_W		CHESS_ACCESS_WRITE
#define KIND_R		CHESS_ACCESS_READ
#define SAYS(w, ...)	{ .what = TOLD, .a = { .size = CHESS_TOLD_##w, ##__VA_ARGS__ } }
#define INSTALL(sig)	SAYS(INSTALLED, .site = sig)
#define BEGINS(sig)	SAYS(HANDLER, .site = sig, .address = BIT(sig))
#define RETURNS		SAYS(RETURNED, 0)
#define JUMPS		SAYS(JUMPED, 0), SAYS(OPENED, .address = BIT(ONE) | BIT(TWO))
#define CLOSE(sig)	SAYS(BLOCKED, .address = BIT(sig))
#define OPEN(sig)	SAYS(OPENED, .address = BIT(sig))
#define CALLS(r)	{ .what = CALL, .nr = SYS_wait4, .result = r }
#define ERRNO(s)	R(0, CHESS_ADDRESS_ERRNO, s)
#define ENDS(status)	{ .what = END, .a = { .task = 1 }, .nr = (status) }
#define F(t, name)	{ .what = FUNCTION, .a = { .task = t }, .symbol = name }

static const struct scene scenes[] = {
	{ "a jump, and what was changed is read", { 1 },
	  { INSTALL(ONE), W(0, HERE, 1), BEGINS(ONE), JUMPS, R(0, HERE, 2) } },
	{ "it is changed behind the jump, which may come again", { 1, 3 },
	  { INSTALL(ONE), W(0, HERE, 1), BEGINS(ONE), JUMPS, W(0, HERE, 3) } },
	{ "nobody reads it", { 0 },
	  { INSTALL(ONE), W(0, HERE, 1), BEGINS(ONE), JUMPS, R(0, THERE, 2) } },
	{ "the handler returns", { 0 },
	  { INSTALL(ONE), W(0, HERE, 1), BEGINS(ONE), RETURNS, R(0, HERE, 2) } },
	{ "before there is a handler", { 0 },
	  { W(0, HERE, 1), INSTALL(ONE), BEGINS(ONE), JUMPS, R(0, HERE, 2) } },
	{ "while the signal is blocked", { 3 },
	  { INSTALL(ONE), CLOSE(ONE), W(0, HERE, 1), OPEN(ONE), W(0, HERE, 3), BEGINS(ONE), JUMPS,
	    R(0, HERE, 2) } },
	{ "while another one is blocked", { 1 },
	  { INSTALL(ONE), CLOSE(TWO), W(0, HERE, 1), BEGINS(ONE), JUMPS, R(0, HERE, 2) } },
	{ "in the handler itself", { 0 },
	  { INSTALL(ONE), BEGINS(ONE), W(0, HERE, 1), JUMPS, R(0, HERE, 2) } },
	{ "in another handler", { 1 },
	  { INSTALL(ONE), INSTALL(TWO), BEGINS(TWO), W(0, HERE, 1), RETURNS, BEGINS(ONE), JUMPS,
	    R(0, HERE, 2) } },
	{ "of another task", { 0 },
	  { INSTALL(ONE), W(1, HERE, 1), BEGINS(ONE), JUMPS, R(1, HERE, 2) } },
	{ "what the C library jumps out of", { 0 },
	  { INSTALL(32), W(0, HERE, 1), BEGINS(32), JUMPS, R(0, HERE, 2) } },
	{ "errno, and a call in a handler fails", { 1 },
	  { INSTALL(ONE), BEGINS(ONE), CALLS(-ECHILD), RETURNS, ERRNO(1) } },
	{ "errno, read before the handler came", { 1 },
	  { INSTALL(ONE), ERRNO(1), BEGINS(ONE), CALLS(-ECHILD), RETURNS } },
	{ "errno, and no call fails", { 0 },
	  { INSTALL(ONE), BEGINS(ONE), CALLS(0), RETURNS, ERRNO(1) } },
	{ "errno, and the call is not in the handler", { 0 },
	  { INSTALL(ONE), BEGINS(ONE), RETURNS, CALLS(-ECHILD), ERRNO(1) } },
	{ "errno, read in the handler alone", { 0 },
	  { INSTALL(ONE), BEGINS(ONE), CALLS(-ECHILD), ERRNO(1), RETURNS } },
	{ "errno of another task", { 0 },
	  { INSTALL(ONE), BEGINS(ONE), CALLS(-ECHILD), RETURNS,
	    R(1, CHESS_ADDRESS_ERRNO, 1) } },
	{ "errno, read while the signal is blocked", { 0 },
	  { INSTALL(ONE), BEGINS(ONE), CALLS(-ECHILD), RETURNS, CLOSE(ONE), ERRNO(1) } },
	{ "cancelled at any instruction", { 1 },
	  { F(0, "pthread_setcanceltype"), W(0, HERE, 1), W(0, THERE, 2), F(1, "pthread_cancel"),
	    R(1, HERE, 3) } },
	{ "cancelled at points only", { 0 },
	  { W(0, HERE, 1), F(1, "pthread_cancel"), R(1, HERE, 3) } },
	{ "not any more", { 0 },
	  { F(0, "pthread_setcanceltype"), F(0, "pthread_setcanceltype"), W(0, HERE, 1),
	    F(1, "pthread_cancel"), R(1, HERE, 3) } },
	{ "killed", { 1 },
	  { S(1, W, HERE, 1), S(1, W, THERE, 2), S(0, R, HERE, 3), ENDS(SIGKILL) } },
	{ "killed, with memory of its own", { 0 },
	  { W(1, HERE, 1), R(0, HERE, 3), ENDS(SIGKILL) } },
	{ "killed, and a core was dumped", { 1 },
	  { S(1, W, HERE, 1), S(0, R, HERE, 3), ENDS(SIGQUIT | 0x80) } },
	{ "killed by what it did itself", { 0 },
	  { S(1, W, HERE, 1), S(0, R, HERE, 3), ENDS(SIGSEGV) } },
	{ "not killed, but ended with the same number", { 0 },
	  { S(1, W, HERE, 1), S(0, R, HERE, 3), ENDS(SIGKILL << 8) } },
	{ "of a task that is not killed", { 0 },
	  { S(0, W, HERE, 1), S(1, R, HERE, 3), ENDS(SIGKILL) } },
	{ "by nobody", { 0 },
	  { F(0, "pthread_setcanceltype"), W(0, HERE, 1), R(1, HERE, 3) } },
};

static void push(struct chess_record *r, struct chess_event e)
{
	e.seq = chess_record_length(r) + 1;
	ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

static void push_line(struct chess_record *r, const struct line *l)
{
	struct chess_event e = {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_OTHER, .task = l->a.task,
		.chosen = l->a.task, .enabled = 3, .nr = l->nr, .result = l->result,
	};

	if (l->what == END) {
		e.type = CHESS_EVENT_EXIT;
		e.object = l->nr;
	}
	if (l->what == FUNCTION) {
		e.flags = CHESS_OPF_PROBE;
		e.nr = chess_wrapper_id(chess_wrapper_by_symbol(l->symbol));
	}
	push(r, e);
}

static bool is_expected(const struct scene *s, uint32_t site)
{
	return s->points[0] == site || s->points[1] == site || s->points[2] == site;
}

static bool has(const struct chess_run_races *races, uint32_t site)
{
	size_t i;

	for (i = 0; i < races->n_sites; i++)
		if (races->site[i] == site)
			return true;
	return false;
}

static void play(const struct scene *s)
{
	struct chess_record *r = chess_record_new();
	struct chess_access a[ARRAY_SIZE(s->line)];
	struct chess_run_result run = { .record = r, .accesses = a };
	struct chess_racing_types types = { 0 };
	struct chess_run_races *races;
	uint32_t site;
	size_t i;

	push(r, (struct chess_event) {
		.type = CHESS_EVENT_SPAWN, .object = 1, .chosen = NONE,
	});
	for (i = 0; i < ARRAY_SIZE(s->line) && s->line[i].what; i++) {
		if (s->line[i].what > TOLD) {
			push_line(r, &s->line[i]);
			continue;
		}
		a[run.n_accesses] = s->line[i].a;
		if (s->line[i].what == TOLD)
			a[run.n_accesses].kind = CHESS_ACCESS_TOLD;
		else
			a[run.n_accesses].ip = 0x500000 + s->line[i].a.site;
		a[run.n_accesses++].seq = chess_record_length(r);
	}
	push(r, (struct chess_event) { .type = CHESS_EVENT_EXIT, .task = 1, .enabled = 1 });
	ASSERT_EQ(0, chess_run_races_find(&types, &run, &races));
	for (site = 1; site < 4; site++) {
		if (has(races, site) == is_expected(s, site))
			continue;
		TH_LOG("%s: site %u is%s a point", s->name, site, has(races, site) ? "" : " not");
		HARNESS_FAILED(0);
	}
	chess_run_races_free(races);
	chess_racing_types_clear(&types);
	chess_record_free(r);
}

TEST(points_are_where_a_task_may_be_cut_off)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scenes); i++)
		play(&scenes[i]);
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes traces that no program of the selftests leaves, for tests of "show --html":
 *
 *   make_trace FILE long N     N events of 8 tasks with locks, waits, wake-ups and preemptions
 *   make_trace FILE wide       64 tasks, of which the last two wait for each other
 *   make_trace FILE hostile    names that are markup, of functions, source files, arguments, ...
 *
 * Names of places are those of this program itself, whose mappings are in the trace.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <chessctl/chessctl.h>

#define WIDE_TASKS	64
#define MARKUP		"</script><img src=x onerror=\"window.hacked=1\"><!--"

/* In the wrapper table, as in every trace. */
#define LOCK_NR		1	/* pthread_mutex_lock */

static struct chess_record *record;
static uint32_t seq;

static int variable;

/* A function and a variable with such names; a task is named after the former. */
#define NAME		"\"</script><img src=x onerror=window.hacked=1>\""
#define VARIABLE	"\"<svg/onload=window.hacked=1>\""

extern const char hostile_function[], hostile_variable[];

__asm__(".text\n"
	"hostile_function:\n"
	NAME ":\n"
	"	.skip 16, 0x90\n"
	"	.type " NAME ", @function\n"
	"	.size " NAME ", 16\n"
	"	.bss\n"
	"hostile_variable:\n"
	VARIABLE ":\n"
	"	.skip 64\n"
	"	.type " VARIABLE ", @object\n"
	"	.size " VARIABLE ", 64\n"
	"	.text\n");

__attribute__((noinline)) static void first_place(void)
{
	__asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) static void second_place(void)
{
	__asm__ volatile("" : : : "memory");
}

static void fail(const char *what)
{
	fprintf(stderr, "make_trace: %s\n", what);
	exit(1);
}

static void push(struct chess_event e)
{
	e.seq = ++seq;
	if (chess_record_push(record, &e, 1))
		fail("no memory for an event");
}

static void point(unsigned int task, unsigned int chosen, unsigned int op, uint64_t object,
		  uint64_t enabled, const void *place)
{
	push((struct chess_event){
		.type = CHESS_EVENT_POINT, .op = op,
		.flags = CHESS_OPF_WRITE | CHESS_OPF_MAY_BLOCK | CHESS_OPF_PROBE |
			 (op == CHESS_OP_UNLOCK ? CHESS_OPF_RELEASE : 0),
		.object_kind = CHESS_OBJECT_ADDRESS, .task = task, .chosen = chosen,
		.nr = LOCK_NR, .enabled = enabled, .object = object,
		.ip = (uintptr_t)place + 1, .caller = (uintptr_t)place + 2,
	});
}

static void spawn(unsigned int task, unsigned int child)
{
	push((struct chess_event){
		.type = CHESS_EVENT_SPAWN, .object_kind = CHESS_OBJECT_TASK, .task = task,
		.chosen = CHESS_TASK_NONE, .object = child, .op = CHESS_OP_CREATE,
	});
}

static void block(unsigned int task, unsigned int chosen, uint64_t enabled)
{
	push((struct chess_event){
		.type = CHESS_EVENT_BLOCK, .task = task, .chosen = chosen, .enabled = enabled,
	});
}

static void wake(unsigned int task, unsigned int by)
{
	push((struct chess_event){
		.type = CHESS_EVENT_WAKE, .object_kind = CHESS_OBJECT_TASK, .task = task,
		.chosen = CHESS_TASK_NONE, .object = by,
	});
}

static void begin(unsigned int tasks)
{
	unsigned int i;

	push((struct chess_event){ .type = CHESS_EVENT_EXEC, .chosen = CHESS_TASK_NONE });
	for (i = 1; i < tasks; i++)
		spawn(0, i);
}

/* Seven events: one task takes a lock, is preempted, another waits for it and gets it. */
static void round_of(unsigned int n)
{
	unsigned int a = n % 8, b = (n + 1) % 8;
	uint64_t lock = (uintptr_t)&variable + 64 * (n % 5);

	point(a, a, CHESS_OP_LOCK, lock, 0xff, first_place);
	point(a, b, CHESS_OP_UNLOCK, lock, 0xff, second_place);
	point(b, b, CHESS_OP_LOCK, lock, 0xff, first_place);
	block(b, a, 0xff & ~(1 << b));
	wake(b, a);
	point(a, b, CHESS_OP_YIELD, 0, 0xff, second_place);
	point(b, b, CHESS_OP_UNLOCK, lock, 0xff, second_place);
}

static void make_long(size_t events)
{
	unsigned int n = 0;

	begin(8);
	/* Who yields last in a round is the next round's first. */
	while (seq + 7 <= events)
		round_of(n++);
	while (seq < events)
		point(n % 8, n % 8, CHESS_OP_YIELD, 0, 0xff, first_place);
}

static void make_wide(struct chess_trace *t)
{
	static struct chess_holder holder[2];
	static struct chess_wait waits[2];
	uint64_t a = (uintptr_t)&variable, b = a + 64;
	unsigned int i, one = WIDE_TASKS - 2, two = WIDE_TASKS - 1;

	begin(WIDE_TASKS);
	for (i = 0; i < one; i++)
		point(i, i + 1, CHESS_OP_YIELD, 0, ~0ULL, first_place);
	point(one, one, CHESS_OP_LOCK, a, ~0ULL, first_place);
	point(one, two, CHESS_OP_LOCK, b, ~0ULL, second_place);
	point(two, two, CHESS_OP_LOCK, b, ~0ULL, first_place);
	point(two, two, CHESS_OP_LOCK, a, ~0ULL, second_place);
	block(two, one, 1ULL << one);
	block(one, CHESS_TASK_NONE, 0);
	for (i = 0; i < 2; i++) {
		waits[i].task = one + i;
		waits[i].seq = i ? seq - 2 : seq - 4;
		waits[i].text = strdup(i ? "futex a" : "futex b");
		waits[i].asked = true;
		waits[i].holders = &holder[i];
		waits[i].n_holders = 1;
		holder[i].task = i ? one : two;
		holder[i].seq = i ? seq - 5 : seq - 3;
		holder[i].how = CHESS_HOLD_HAS;
	}
	t->waits = waits;
	t->n_waits = 2;
	t->verdict = CHESS_VERDICT_DEADLOCK;
	t->minimal = CHESS_MINIMAL_FEWEST;
}

/* A file name with quotes and markup, as a program may have it in its debug information. */
#line 12 "\"><script>window.hacked=1</script>'.c"
__attribute__((noinline)) static void hostile_file(void)
{
	__asm__ volatile("" : : : "memory");
}

#line 184 "make_trace.c"
static void make_hostile(struct chess_trace *t)
{
	static char *arguments[] = { "a'\"><b>", MARKUP, "\x1b[31m\xff\xc3", "&lt;", NULL };
	static struct chess_trace_call call = { .text = "open(\"" MARKUP "\") = 3" };
	static struct chess_wait wait = { .text = "futex " MARKUP, .object = MARKUP };
	static char *causes[] = { MARKUP, NULL };

	begin(2);
	point(0, 0, CHESS_OP_LOCK, (uintptr_t)hostile_variable, 3, hostile_function);
	point(0, 1, CHESS_OP_LOCK, 0x10, 3, hostile_file);
	push((struct chess_event){
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_OPEN, .task = 1, .chosen = 1, .nr = 2,
		.enabled = 3, .ip = (uintptr_t)hostile_function + 1,
	});
	call.seq = seq;
	block(1, 0, 1);
	block(0, CHESS_TASK_NONE, 0);
	wait.task = 1;
	wait.seq = call.seq;
	t->calls = &call;
	t->n_calls = 1;
	t->waits = &wait;
	t->n_waits = 1;
	t->argv = arguments;
	t->program = MARKUP;
	t->cwd = MARKUP;
	t->kernel = MARKUP;
	t->causes = causes;
	t->n_causes = 1;
	t->out = MARKUP "\xff\n]]>\n";
	t->err = "{{DATA}}{{SCRIPT}}\x01\u2028" MARKUP "\n";
	t->verdict = CHESS_VERDICT_DEADLOCK;
}

static char *own_maps(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char *text = calloc(1, 1 << 16);

	if (!f || !text || !fread(text, 1, (1 << 16) - 1, f))
		fail("/proc/self/maps cannot be read");
	fclose(f);
	return text;
}

int main(int argc, char **argv)
{
	static char *arguments[] = { "make_trace", NULL };
	struct chess_trace t = {
		.argv = arguments, .cwd = "/", .program = "/make_trace", .kernel = "6.12",
		.verdict = CHESS_VERDICT_OK, .quantum_us = 500000, .virtual_time = true,
	};

	record = chess_record_new();
	if (!record || argc < 3)
		fail("usage: make_trace FILE long N|wide|hostile");
	if (!strcmp(argv[2], "long") && argc == 4)
		make_long(strtoul(argv[3], NULL, 10));
	else if (!strcmp(argv[2], "wide"))
		make_wide(&t);
	else if (!strcmp(argv[2], "hostile"))
		make_hostile(&t);
	else
		fail("usage: make_trace FILE long N|wide|hostile");
	t.record = record;
	t.maps = own_maps();
	if (chess_trace_write(&t, argv[1]))
		fail(chess_error());
	return 0;
}

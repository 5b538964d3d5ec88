// SPDX-License-Identifier: GPL-2.0-only
/*
 * Traces that somebody else wrote: fuzz-trace. What is taken for good has to be the same
 * once it is written and read again, and a report of it can be made.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "op_list.h"
#include "fuzz.h"
#include "html/html_parts.h"
#include "mix.h"
#include "report/report.h"
#include "trace/trace.h"

/* --- the corpus -------------------------------------------------------------- */

static void keep(const struct chess_trace *t)
{
	char *text;
	size_t size;

	if (chess_trace_encode(t, &text, &size))
		abort();
	fuzz_keep(text, size);
	free(text);
}

static int keep_run(void *arg, const struct chess_run_result *run)
{
	const struct chess_trace *like = arg;
	struct chess_trace t = *like;

	t.record = run->record;
	t.verdict = run->verdict;
	keep(&t);
	return 0;
}

static const struct op first[] = { { LOCK, 0 }, { LOCK, 1 }, { UNLOCK, 1 }, { UNLOCK, 0 } };
static const struct op second[] = { { YIELD, 0 }, { TIMED_LOCK, 1 }, { LOCK, 0 }, { UNLOCK, 0 } };

/* Runs of a program with deadlocks, bare. */
static void keep_model(struct chess_trace *like)
{
	static const struct op_list p = {
		.ops = { first, second }, .n = { 4, 4 }, .tasks = 2,
	};
	struct chess_explore_opts o = {
		.sz = sizeof(o), .bound = 2, .keep_going = true, .max_runs = 200,
		.found = keep_run, .found_arg = like,
	};
	struct chess_explore_result res;
	struct box b = { .p = &p };

	if (op_list_explore(&b, &o, &res))
		abort();
	chess_explore_result_clear(&res);
	op_list_forget(&b);
}

static void push(struct chess_record *r, struct chess_event e)
{
	e.seq = chess_record_length(r) + 1;
	if (chess_record_push(r, &e, 1))
		abort();
}

static void push_events(struct chess_record *r)
{
	int i;

	push(r, (struct chess_event) { .type = CHESS_EVENT_SPAWN, .object = 1, .enabled = 3,
				       .chosen = CHESS_TASK_NONE });
	for (i = 1; i <= CHESS_EVENT_LEAVE; i++)
		push(r, (struct chess_event) {
			.type = i, .op = i, .flags = i * 37, .task = i & 1, .nr = i * 7,
			.chosen = CHESS_EVENT_IS_DECISION(i) ? i % 2 : CHESS_TASK_NONE,
			.object_kind = i % 10, .object = i * 0x1000, .enabled = 3, .timed = i & 2,
			.ip = 0x401000 + i, .caller = i, .arg = i,
		});
}

static void push_stacks(struct chess_record *r)
{
	struct { struct chess_stack head; uint8_t bytes[24]; } s = {
		.head = { .seq = 3, .size = sizeof(s.bytes), .regs = { [7] = 0x7ffe0000 } },
	};

	if (chess_record_push_stack(r, &s.head, sizeof(s)))
		abort();
	s.head.seq = CHESS_STACK_AT_ACCESS | 2;
	s.head.size = 0;
	if (chess_record_push_stack(r, &s.head, sizeof(s.head)))
		abort();
}

#define HASH	"0123456789abcdef"
#define ACCESS(t, k)	{ .task = t, .kind = k, .ip = 0x401010, .address = 0x404040, \
			  .size = 8, .seq = 3 }

/* Everything a trace can have. */
static void keep_full(void)
{
	static char *argv[] = { (char *)"./prog", (char *)"", (char *)"a \"b\"\n\x01", NULL };
	static char *code[] = { (char *)"PROGRAM", (char *)"libx.so", NULL };
	static struct chess_holder holders[] = {
		{ .task = 1, .how = CHESS_HOLD_HAS, .seq = 2 }, { .how = CHESS_HOLD_GONE },
	};
	struct chess_wait waits[] = {
		{ .task = 0, .pid = 1, .seq = 2, .text = (char *)"futex 0x404040", .asked = true,
		  .kernel = (char *)"do_futex,__x64_sys_futex", .object = (char *)"a \"pipe\"",
		  .holders = holders, .n_holders = 2 },
		{ .task = 1, .pid = 2, .seq = 3, .text = (char *)"read", .outside = true },
	};
	struct chess_trace_probe probe = { (char *)"/a/probe.o", (char *)HASH };
	struct chess_trace_probe file = { (char *)"/a/prog", (char *)HASH };
	struct chess_trace_point points[] = { { 0, 0x10 }, { 0, 0x20 } };
	struct chess_trace_race race = {
		.first = ACCESS(0, CHESS_ACCESS_READ), .second = ACCESS(1, CHESS_ACCESS_WRITE),
		.address = 0x404040, .size = 8, .beside_atomic = true, .number = { 1, 2 },
		.piece = { .allocated = ACCESS(0, CHESS_ACCESS_ALLOCATED), .allocated_number = 1,
			   .freed = ACCESS(1, CHESS_ACCESS_FRESH), .freed_number = 2 },
	};
	struct chess_trace_variable variables[] = { { (char *)"A", 1 }, { (char *)"B", 2 } };
	struct chess_trace_file mapped = { (char *)"/a/lib.so", (char *)"build:0123" };
	struct chess_trace_name names[] = { { 0, (char *)"a \"b\"" } };
	struct chess_trace_call calls[] = { { 1, (char *)"open(\"a\") = 3" }, { 2, (char *)"x" } };
	char *causes[] = { (char *)"it reads a clock" };
	struct chess_trace t = {
		.argv = argv, .cwd = (char *)"/a", .program = (char *)"/a/prog",
		.program_hash = (char *)HASH, .kernel = (char *)"6.12.0", .status = -1,
		.verdict = CHESS_VERDICT_RACE, .record = chess_record_new(), .waits = waits,
		.n_waits = 2, .points = (char *)"sync,accesses", .err = (char *)"one\ntwo",
		.maps = (char *)"400000-405000 r-xp 00000000 00:00 0 \n", .quantum_us = 20000,
		.virtual_time = true, .surroundings = CHESS_SURROUNDINGS_PRIVATE_TMP,
		.probes = &probe, .n_probes = 1, .code = code, .code_files = &file,
		.n_code_files = 1, .access_points = points, .n_access_points = 2,
		.races = &race, .n_races = 1, .stack_limit = 8 << 20, .environment = variables,
		.n_environment = 2, .files = &mapped, .n_files = 1, .calls = calls, .n_calls = 2,
		.names = names, .n_names = 1,
		.asked = (char *)"T0*2 T1", .causes = causes, .n_causes = 1,
	};

	if (!t.record)
		abort();
	chess_record_set_fair(t.record, 2);
	chess_record_set_yield_trylock(t.record, true);
	push_events(t.record);
	push_stacks(t.record);
	keep(&t);
	keep_model(&t);
	chess_record_free(t.record);
}

static void begin(void)
{
	op_list_every = 1;
	/* An addition to a trace may not break the oldest ones. */
	if (!fuzz_keep_file(FUZZ_TRACES "/sample.trace") ||
	    !fuzz_keep_file(FUZZ_TRACES "/race.trace") ||
	    !fuzz_keep_file(FUZZ_TRACES "/timeout.trace"))
		abort();
	keep_full();
}

/* --- changes ----------------------------------------------------------------- */

#define BLANKS	" =\n,*:"

static bool is_blank(char c)
{
	return c && strchr(BLANKS, c);
}

/* The line that @at is in, with its newline. */
static size_t line_at(const struct fuzz_input *in, size_t at, size_t *n)
{
	const unsigned char *end;

	while (at && in->data[at - 1] != '\n')
		at--;
	end = memchr(in->data + at, '\n', in->n - at);
	*n = end ? (size_t)(end - in->data) + 1 - at : in->n - at;
	return at;
}

static void change_word(struct fuzz_input *in)
{
	static const char *const words[] = {
		"", "-", "-1", "T65535", "T65534", "T4096", "\"", "\"\"", "\\x", "\\", "%n%s", "\xff",
		"unknown", "18446744073709551616", "99999999999999999999", "0x10000000000000000",
		"0xffffffffffffffff", "access", "beside-atomic", "\"\x1b[2J\"", "virtual",
	};
	size_t at = fuzz_below(in->n), end;
	const char *word = words[fuzz_below(sizeof(words) / sizeof(*words))];
	char number[32];

	while (at && !is_blank(in->data[at - 1]))
		at--;
	for (end = at; end < in->n && !is_blank(in->data[end]); end++)
		;
	if (!fuzz_one_in(3)) {
		static const char *const formats[] = { "%llu", "0x%llx", "T%llu" };

		snprintf(number, sizeof(number), formats[fuzz_below(3)],
			 (unsigned long long)fuzz_number());
		word = number;
	}
	fuzz_replace(in, at, end - at, word, strlen(word));
}

static void change_lines(struct fuzz_input *in)
{
	const struct fuzz_input *from = in;
	static unsigned char copy[FUZZ_BYTES];
	size_t n, at = line_at(in, fuzz_below(in->n), &n), other, m, times = 1;

	switch (fuzz_below(3)) {
	case 0:
		fuzz_replace(in, at, n, NULL, 0);
		return;
	case 1:
		/* one of another trace */
		from = fuzz_any();
		break;
	case 2:
		times = fuzz_one_in(20) ? 100 : 1;
		break;
	}
	other = line_at(from, fuzz_below(from->n), &m);
	memcpy(copy, from->data + other, m);
	while (times--)
		fuzz_replace(in, at, 0, copy, m);
}

static void change_version(struct fuzz_input *in)
{
	char text[32];
	size_t n;

	line_at(in, 0, &n);
	snprintf(text, sizeof(text), "chess-trace %u\n",
		 1 + (unsigned int)fuzz_below(CHESS_TRACE_VERSION));
	fuzz_replace(in, 0, n, text, strlen(text));
}

static void mutate(struct fuzz_input *in)
{
	unsigned int times = fuzz_one_in(3) ? 1 + fuzz_below(4) : 1;
	char sum[32];
	size_t n, at = line_at(in, in->n, &n);

	/* The last line is the checksum. */
	at = line_at(in, at ? at - 1 : 0, &n);
	in->n = at;
	while (times-- && in->n) {
		switch (fuzz_below(8)) {
		case 0:
			fuzz_bytes(in->data, in->n);
			break;
		case 1:
		case 2:
		case 3:
			change_word(in);
			break;
		case 4:
		case 5:
			change_lines(in);
			break;
		case 6:
			change_version(in);
			break;
		case 7:
			if (fuzz_one_in(8))
				in->n = fuzz_below(in->n + 1);
			break;
		}
	}
	if (fuzz_one_in(50))
		return;
	n = snprintf(sum, sizeof(sum), "checksum %016llx\n", (unsigned long long)
		     chess_hash_bytes(CHESS_HASH_START, (char *)in->data, in->n));
	fuzz_replace(in, in->n, 0, sum, n);
}

/* --- reading ------------------------------------------------------------------ */

static void expect_same(const struct chess_trace *t)
{
	struct chess_trace *same;
	size_t size, size2;
	char *text, *text2;

	fuzz_expect(!chess_trace_encode(t, &text, &size), "a trace that was read can be written");
	same = chess_trace_read(fuzz_file(text, size));
	if (!same)
		fprintf(stderr, "%.*s%s\n", (int)size, text, chess_error());
	fuzz_expect(same, "a trace that was read and written can be read");
	fuzz_expect(!chess_trace_encode(same, &text2, &size2) && size == size2 &&
		    !memcmp(text, text2, size), "it is written as it was");
	fuzz_expect(!t->record == !same->record, "it has a record as before");
	if (t->record)
		fuzz_expect(chess_record_compare(t->record, same->record) == SIZE_MAX,
			    "its record is the same");
	chess_trace_free(same);
	free(text);
	free(text2);
}

static void export(const struct report *r, FILE *to)
{
	static const char *const formats[] = {
		"perfetto", "shiviz", "sarif", "dot", "mermaid", "collapsed",
	};
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		fuzz_expect(!export_write(export_find(formats[i]), r, "a.trace", to),
			    "what can be read can be exported");
}

/* What show does, and shrink and replay before they run anything. */
static void report(struct chess_trace *t)
{
	struct json_object *o = json_object_new_object();
	struct chess_cycle cycle;
	struct report r;
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	/* They name files of this machine. */
	free(t->maps);
	t->maps = NULL;
	report_open(&r, t);
	report_print(&r, f, "a.trace");
	report_json(&r, o);
	/* It takes the account over. */
	json_object_put(html_data(&r, o, "a.trace"));
	/* 65535 tasks take a while to be written. */
	if (chess_record_length(t->record) && chess_record_tasks(t->record) < 100) {
		json_object_put(tasks_json(&r, 1 + chess_record_length(t->record) / 2));
		export(&r, f);
	}
	report_close(&r);
	fclose(f);
	free(text);
	chess_record_cycle(t->record, &cycle);
	chess_record_weight(t->record);
	chess_record_preemptions(t->record);
}

static bool read_trace(const unsigned char *data, size_t n)
{
	struct chess_trace *t = chess_trace_read(fuzz_file(data, n));

	if (!t) {
		fuzz_expect(errno == EINVAL || errno == ENOTSUP || errno == EOVERFLOW,
			    "a refusal says that the file is at fault");
		fuzz_expect(strstr(chess_error(), "/proc/self/fd/"), "a refusal names the file");
		return false;
	}
	expect_same(t);
	if (t->record && data[n - 2] % 16 == 0)
		report(t);
	chess_trace_free(t);
	return true;
}

int main(int argc, char **argv)
{
	static const struct fuzz_target target = {
		.name = "trace", .lines = true, .begin = begin, .mutate = mutate, .run = read_trace,
	};

	return fuzz_main(&target, argc, argv);
}

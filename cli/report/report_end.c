// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a run ended, of the report: whose death decided, the fault it died of, what a monitor
 * inside the program said, and the program's last words. See report_parts.h.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli.h"
#include "out.h"
#include "report/report_parts.h"

#define OUTPUT_LINES		5
#define FRAMES_SHOWN		8
#define FRAMES_TOLD		32

static const struct {
	int signal, code;
	const char *words;
} codes[] = {
	{ SIGSEGV, SEGV_MAPERR, "nothing is mapped there" },
	{ SIGSEGV, SEGV_ACCERR, "the memory there does not allow this access" },
	{ SIGBUS, BUS_ADRALN, "not aligned" },
	{ SIGBUS, BUS_ADRERR, "past the end of a mapped file" },
	{ SIGBUS, BUS_OBJERR, "hardware error" },
	{ SIGILL, ILL_ILLOPC, "no instruction" },
	{ SIGILL, ILL_ILLOPN, "no such operand" },
	{ SIGILL, ILL_PRVOPC, "an instruction for the kernel only" },
	{ SIGFPE, FPE_INTDIV, "integer divided by zero" },
	{ SIGFPE, FPE_INTOVF, "integer overflow" },
	{ SIGFPE, FPE_FLTDIV, "divided by zero" },
	{ SIGTRAP, TRAP_BRKPT, "breakpoint" },
	{ SIGTRAP, TRAP_TRACE, "single step" },
};

static const char *code_words(const struct chess_fault *f)
{
	size_t i;

	for (i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (codes[i].signal == (int)f->signal && codes[i].code == f->code)
			return codes[i].words;
	if (f->code > 0 && f->code != SI_KERNEL)
		return NULL;
	return f->code == SI_KERNEL && f->signal == SIGSEGV ?
	       "an address that no processor has, or a value it refuses" : NULL;
}

/* Does the kernel say an address with it? */
static bool has_address(const struct chess_fault *f)
{
	return f->code > 0 && f->code != SI_KERNEL && f->signal != SIGSYS;
}

/* After the signal: " at address 0x10: nothing is mapped there" */
static char *fault_text(const struct chess_fault *f)
{
	const char *words = code_words(f);

	if (!has_address(f))
		return cli_printf("%s%s", words ? ": " : "", words ? words : "");
	return cli_printf(" at address 0x%llx%s%s", (unsigned long long)f->address,
			  words ? ": " : "", words ? words : "");
}

/* The user's own functions at the fault, innermost first; it may be in one of a library. */
static size_t fault_frames(const struct report *r, const struct chess_stack *stack, char **frames,
			   size_t max)
{
	return stack ? symbols_stack(r->symbols, stack, 0, frames, max) : 0;
}

/* Where the instruction itself is, "" where that is not known. */
static char *instruction_text(const struct report *r, const struct chess_stack *stack)
{
	struct place p;
	char *text;

	if (!stack || !symbols_instruction(r->symbols, stack->regs[16], &p))
		return cli_printf("%s", "");
	text = place_text(&p);
	place_clear(&p);
	return text;
}

bool report_fault_place(const struct report *r, const struct chess_stack *stack,
			struct place *out)
{
	/* A fault has no caller: its own instruction is the place, or what called a library. */
	struct chess_event at = { .type = CHESS_EVENT_EXIT, .ip = stack->regs[16] };

	return symbols_event_place(r->symbols, &at, stack, out);
}

/* True where something is known of it. */
static bool print_fault(const struct report *r, FILE *to)
{
	struct chess_fault f;
	struct chess_stack *stack;
	char *frames[FRAMES_SHOWN], *text, *at;
	char *status = report_status(r->run.bad_status);
	size_t i, n;

	if (!chess_record_fault(r->record, r->run.bad_task, &f, &stack)) {
		free(status);
		return false;
	}
	n = fault_frames(r, stack, frames, FRAMES_SHOWN);
	text = fault_text(&f);
	at = instruction_text(r, stack);
	fprintf(to, "\nT%u %s%s\n", r->run.bad_task, status, text);
	if (stack)
		fprintf(to, "  instruction 0x%llx%s%s\n", (unsigned long long)stack->regs[16],
			*at ? " in " : "", at);
	for (i = n && !strcmp(frames[0], at); i < n; i++)
		fprintf(to, "    called by %s\n", frames[i]);
	free(at);
	for (i = 0; i < n; i++)
		free(frames[i]);
	free(text);
	free(status);
	free(stack);
	return true;
}

void report_print_death(const struct report *r, FILE *to)
{
	const struct chess_event *e = chess_record_event(r->record, r->run.died), *last;
	char *op, *where, *status;
	bool known = print_fault(r, to);

	if (!e)
		return;
	if (!known) {
		status = report_status(e->object);
		where = report_where(r, e);
		fprintf(to, "\nT%u %s%s%s\n", e->task, status, *where ? " in " : "", where);
		free(where);
		free(status);
	}
	last = chess_record_last_point(r->record, r->run.died, e->task);
	if (!last)
		return;
	op = report_call(r, last);
	where = report_where(r, last);
	fputs("  last point  ", to);
	report_print_columns(to, op, where, "");
	free(op);
	free(where);
}

void report_print_complaint(const struct report *r, FILE *to)
{
	if (r->run.complained)
		fprintf(to, "  found by %s: %.*s\n", r->run.complaint.monitor,
			(int)r->run.complaint.length, r->run.complaint.said);
}

static void print_end_of(const char *text, const char *name, FILE *to)
{
	const char *start;
	int lines = 0;

	if (!text || !*text)
		return;
	start = text + strlen(text);
	if (start > text && start[-1] == '\n')
		start--;
	while (start > text && !(start[-1] == '\n' && ++lines == OUTPUT_LINES))
		start--;
	fprintf(to, "\n%sthe program's %s%s%s\n", out_bold(), name, out_plain(),
		start > text ? ", its end" : "");
	while (*start) {
		const char *end = strchrnul(start, '\n');

		fprintf(to, "  | %.*s\n", (int)(end - start), start);
		start = *end ? end + 1 : end;
	}
}

void report_print_output(const struct report *r, FILE *to)
{
	print_end_of(r->trace->out, "stdout", to);
	print_end_of(r->trace->err, "stderr", to);
}

static struct json_object *json_fault(const struct report *r)
{
	struct chess_fault f;
	struct chess_stack *stack;
	struct json_object *o, *list;
	char *frames[FRAMES_TOLD];
	size_t i, n;

	if (r->run.bad_task < 0 || !chess_record_fault(r->record, r->run.bad_task, &f, &stack))
		return NULL;
	o = json_object_new_object();
	list = json_object_new_array();
	json_object_object_add(o, "signal", json_object_new_int(f.signal));
	json_object_object_add(o, "code", json_object_new_int(f.code));
	json_object_object_add(o, "address",
			       has_address(&f) ? json_object_new_uint64(f.address) : NULL);
	out_json_string(o, "words", code_words(&f));
	json_object_object_add(o, "ip", stack ? json_object_new_uint64(stack->regs[16]) : NULL);
	n = fault_frames(r, stack, frames, FRAMES_TOLD);
	report_json_take(o, "instruction", instruction_text(r, stack));
	out_json_string(o, "where", n ? frames[0] : NULL);
	for (i = 0; i < n; i++) {
		json_object_array_add(list, json_object_new_string(frames[i]));
		free(frames[i]);
	}
	json_object_object_add(o, "stack", list);
	free(stack);
	return o;
}

static struct json_object *json_complaint(const struct report *r)
{
	struct json_object *o;

	if (!r->run.complained)
		return NULL;
	o = json_object_new_object();
	out_json_string(o, "name", r->run.complaint.monitor);
	json_object_object_add(o, "said", json_object_new_string_len(r->run.complaint.said,
								    r->run.complaint.length));
	return o;
}

void report_json_end(const struct report *r, struct json_object *o)
{
	const struct chess_trace *t = r->trace;
	int status = r->run.bad_task >= 0 ? r->run.bad_status : t->status;

	json_object_object_add(o, "exit_status", WIFEXITED(status) ?
			       json_object_new_int(WEXITSTATUS(status)) : NULL);
	json_object_object_add(o, "signal", WIFSIGNALED(status) ?
			       json_object_new_int(WTERMSIG(status)) : NULL);
	json_object_object_add(o, "dead_task",
			       r->run.bad_task >= 0 ? json_object_new_int(r->run.bad_task) : NULL);
	json_object_object_add(o, "fault", json_fault(r));
	json_object_object_add(o, "monitor", json_complaint(r));
	out_json_string(o, "stdout", t->out);
	out_json_string(o, "expect", t->expect);
}

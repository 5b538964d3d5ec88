// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of a record in words: what was done, to what, where. See report.h.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "calls.h"
#include "cli.h"
#include "report/report_parts.h"

/* Callers named after an event. */
#define CALLERS_SHOWN		3

char *report_status(int status)
{
	if (WIFSIGNALED(status)) {
		const char *name = sigabbrev_np(WTERMSIG(status));

		return name ? cli_printf("killed by SIG%s", name) :
			      cli_printf("killed by signal %d", WTERMSIG(status));
	}
	return cli_printf("exit status %d", WEXITSTATUS(status));
}

char *report_object(const struct report *r, const struct chess_event *e)
{
	char *name;

	switch (e->object_kind) {
	case CHESS_OBJECT_ADDRESS:
		name = symbols_variable(r->symbols, e->object);
		return name ? name : cli_printf("0x%llx", (unsigned long long)e->object);
	case CHESS_OBJECT_INODE:
	case CHESS_OBJECT_SYSTEM:
		return cli_printf("inode %llu", (unsigned long long)e->object);
	case CHESS_OBJECT_FD:
		return cli_printf("fd %lld", (long long)e->object);
	case CHESS_OBJECT_PID:
		return cli_printf("pid %lld", (long long)e->object);
	case CHESS_OBJECT_TASK:
		return cli_printf("T%llu", (unsigned long long)e->object);
	case CHESS_OBJECT_KEY:
		return cli_printf("id %lld", (long long)e->object);
	case CHESS_OBJECT_TIME:
		return cli_printf("%.6f s", e->object / 1e9);
	case CHESS_OBJECT_CODE:
		return report_status(e->object);
	default:
		return cli_printf("%s", "");
	}
}

/* The op class says it best for functions that have one; a call is known by its own name. */
static const char *name_of(const struct chess_event *e)
{
	const struct chess_wrapper *w = chess_wrapper_of(e);

	if (chess_event_is_access(e) && e->caller)
		return "free";
	if (w && e->op == CHESS_OP_OTHER)
		return w->symbol;
	return e->flags & CHESS_OPF_PROBE ? chess_op_name(e->op) : chess_syscall_name(e->nr);
}

char *report_op(const struct report *r, const struct chess_event *e)
{
	char *object = report_object(r, e);
	char *text = cli_printf("%s%s%s", name_of(e), *object ? " " : "", object);

	free(object);
	return text;
}

const char *report_call_text(const struct report *r, const struct chess_event *e)
{
	size_t low = 0, high = r->trace->n_calls;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (r->trace->calls[mid].seq < e->seq)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == r->trace->n_calls || r->trace->calls[low].seq != e->seq ||
	    e->type != CHESS_EVENT_POINT || (e->flags & CHESS_OPF_PROBE))
		return NULL;
	return r->trace->calls[low].text;
}

char *report_call(const struct report *r, const struct chess_event *e)
{
	const char *text = report_call_text(r, e);

	return text ? cli_printf("%s", text) : report_op(r, e);
}

char *report_where(const struct report *r, const struct chess_event *e)
{
	struct place p;
	char *text;

	if (!symbols_event_place(r->symbols, e, chess_record_stack(r->record, e->seq), &p))
		return cli_printf("%s", "");
	text = place_text(&p);
	place_clear(&p);
	return text;
}

char *report_event(const struct report *r, const struct chess_event *e)
{
	char *op, *where, *object, *text;

	if (!e)
		return cli_printf("the end of the run");
	where = report_where(r, e);
	switch (e->type) {
	case CHESS_EVENT_TIMEOUT:
		if (chess_record_is_spurious(r->record, e->seq - 1)) {
			text = cli_printf("T%u woke up spuriously", e->task);
			break;
		}
		object = report_object(r, e);
		text = cli_printf("T%u timed out at %s", e->task, object);
		free(object);
		break;
	case CHESS_EVENT_SPURIOUS:
		text = cli_printf("T%u's wait %s", e->task,
				  e->chosen == CHESS_ENDS_FOR_NOTHING ? "ends spuriously" :
				  "may end spuriously, and its deadline passes");
		break;
	case CHESS_EVENT_EXPIRE:
		object = report_object(r, e);
		text = cli_printf("timers due at %s went off early, before T%u continues", object,
				  e->task);
		free(object);
		break;
	case CHESS_EVENT_QUEUE:
		text = e->chosen == e->object ?
		       cli_printf("T%u is to wake T%u, which came first", e->task, e->chosen) :
		       cli_printf("T%u is to wake T%u before T%llu, which came first", e->task,
				  e->chosen, (unsigned long long)e->object);
		free(where);
		return text;
	case CHESS_EVENT_WATCHDOG:
		object = report_object(r, e);
		text = cli_printf("T%u has a time limit until %s, which does not pass early",
				  e->task, object);
		free(object);
		break;
	case CHESS_EVENT_POINT:
		op = report_call(r, e);
		if (e->chosen == e->task)
			text = cli_printf("T%u %s%s%s", e->task, op, *where ? " in " : "", where);
		else
			text = cli_printf("T%u %s%s%s, then T%u", e->task, op,
					  *where ? " in " : "", where, e->chosen);
		free(op);
		break;
	default:
		object = report_object(r, e);
		text = cli_printf("T%u %s%s%s%s%s", e->task, chess_event_type_name(e->type),
				  *object ? " " : "", object, *where ? " in " : "", where);
		free(object);
	}
	free(where);
	return text;
}

static void put_result(const char *before, int64_t result, FILE *to)
{
	const char *error = call_error_name(result);

	fprintf(to, "%s%lld%s%s", before, (long long)result, error ? " " : "", error ? error : "");
}

static void put_results(int64_t seen, int64_t expected, FILE *to)
{
	put_result("    the call returned ", seen, to);
	put_result(", expected ", expected, to);
	putc('\n', to);
}

void report_difference(const struct report *expected, size_t at, const struct report *seen,
		       size_t seen_at, FILE *to)
{
	const struct chess_event *a = at < chess_record_length(expected->record) ?
				      chess_record_event(expected->record, at) : NULL;
	const struct chess_event *b = seen_at < chess_record_length(seen->record) ?
				      chess_record_event(seen->record, seen_at) : NULL;
	char *first = report_event(expected, a), *second = report_event(seen, b);
	bool same = a && b && !strcmp(first, second);

	fprintf(to, "  first difference at event %zu\n    expected  %s\n    seen      %s\n",
		at + 1, first, second);
	/* Two lines that read the same hide what differs: say it in full. */
	if (same && a->type == CHESS_EVENT_POINT && !(a->flags & CHESS_OPF_PROBE) &&
	    a->result != b->result)
		put_results(b->result, a->result, to);
	else if (same && a->type == CHESS_EVENT_EXIT && a->arg != b->arg)
		fprintf(to, "    one of T%u's calls that are not points returned something else\n",
			a->task);
	else if (same)
		fprintf(to, "    (object 0x%llx, ip 0x%llx, arg 0x%llx, enabled 0x%llx, timed 0x%llx against object 0x%llx, ip 0x%llx, arg 0x%llx, enabled 0x%llx, timed 0x%llx)\n",
			(unsigned long long)a->object, (unsigned long long)a->ip,
			(unsigned long long)a->arg, (unsigned long long)a->enabled,
			(unsigned long long)a->timed,
			(unsigned long long)b->object, (unsigned long long)b->ip,
			(unsigned long long)b->arg, (unsigned long long)b->enabled,
			(unsigned long long)b->timed);
	free(first);
	free(second);
}

/* "futex 0x404080" becomes "futex queue_lock (0x404080)" */
char *report_name_addresses(const struct report *r, const char *text)
{
	const char *at = strstr(text, "0x");
	char *end, *name;
	uint64_t address;

	if (!at)
		return cli_printf("%s", text);
	address = strtoull(at, &end, 16);
	name = symbols_variable(r->symbols, address);
	if (!name)
		return cli_printf("%s", text);
	text = cli_printf("%.*s%s (%.*s)%s", (int)(at - text), text, name, (int)(end - at), at,
			  end);
	free(name);
	return (char *)text;
}

void report_print_callers(const struct report *r, const struct chess_event *e, FILE *to)
{
	char *frames[CALLERS_SHOWN + 1];
	size_t i, n;

	n = symbols_event_stack(r->symbols, e, chess_record_stack(r->record, e->seq), frames,
				CALLERS_SHOWN + 1);
	for (i = 0; i < n; i++) {
		if (i)
			fprintf(to, "%s%s", i == 1 ? "       called by " : ", ", frames[i]);
		free(frames[i]);
	}
	if (n > 1)
		fputc('\n', to);
}

void report_print_columns(FILE *to, const char *op, const char *where, const char *more)
{
	if (*more)
		fprintf(to, "%-28s %-28s %s\n", op, where, more);
	else if (*where)
		fprintf(to, "%-28s %s\n", op, where);
	else
		fprintf(to, "%s\n", op);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What trace files say beside the record: what the run was given (environment, limit of the
 * stack, files that were mapped), what its system calls and the names of its tasks were, and of a
 * run that left its prefix what was asked for. trace.c and trace_read.c call it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "code/build_id.h"
#include "quote.h"
#include "trace/trace.h"
#include "trace/trace_token.h"

/* --- writing -------------------------------------------------------------------- */

static void put_text(FILE *f, const char *text)
{
	fputc(' ', f);
	chess_put_quoted(f, text, strlen(text), false);
	fputc('\n', f);
}

void chess_trace_put_given(FILE *f, const struct chess_trace *t)
{
	size_t i;

	if (t->stack_limit == UINT64_MAX)
		fputs("stack-limit unlimited\n", f);
	else if (t->stack_limit)
		fprintf(f, "stack-limit %" PRIu64 "\n", t->stack_limit);
	for (i = 0; i < t->n_environment; i++) {
		fprintf(f, "environment %04x", t->environment[i].check);
		put_text(f, t->environment[i].name);
	}
	for (i = 0; i < t->n_files; i++) {
		fprintf(f, "file %s", t->files[i].identity);
		put_text(f, t->files[i].path);
	}
}

void chess_trace_put_asked(FILE *f, const struct chess_trace *t)
{
	size_t i;

	if (t->asked)
		fprintf(f, "asked %s\n", t->asked);
	for (i = 0; i < t->n_causes; i++) {
		fputs("cause", f);
		put_text(f, t->causes[i]);
	}
}

void chess_trace_put_calls(FILE *f, const struct chess_trace *t)
{
	size_t i;

	for (i = 0; i < t->n_calls; i++) {
		fprintf(f, "call %" PRIu32, t->calls[i].seq);
		put_text(f, t->calls[i].text);
	}
	for (i = 0; i < t->n_names; i++) {
		fprintf(f, "name T%u", t->names[i].task);
		put_text(f, t->names[i].name);
	}
}

/* --- reading -------------------------------------------------------------------- */

static int read_limit(struct chess_trace *t, const char *p, const char **fault)
{
	uint64_t n = UINT64_MAX;

	*fault = "stack-limit is unlimited or a number of bytes, and is given once";
	if (t->stack_limit)
		return -EINVAL;
	if (strcmp(p, "unlimited") &&
	    (!chess_token_number(&p, UINT64_MAX - 1, &n) || *p || !n))
		return -EINVAL;
	t->stack_limit = n;
	*fault = NULL;
	return 0;
}

static int read_variable(struct chess_trace *t, const char *p, const char **fault)
{
	struct chess_trace_variable *v;
	const char *start = p;
	uint64_t check;

	*fault = "a variable of the environment has a check of 4 hex digits and a name, in their order";
	if (!chess_token_hex(&p, 4, &check) || p - start != 4 || !chess_token_text(&p, " "))
		return -EINVAL;
	if (chess_array_extend(&t->environment, t->n_environment, t->n_environment + 1,
			       sizeof(*v)))
		return -ENOMEM;
	v = &t->environment[t->n_environment];
	v->check = check;
	v->name = chess_token_string(&p);
	if (!v->name)
		return -EINVAL;
	if (t->n_environment++ && strcmp(v[-1].name, v->name) > 0)
		return -EINVAL;
	*fault = NULL;
	return 0;
}

/* "build:" and whole bytes in hex, or "bytes:" and a hash of 16 digits */
static size_t identity_length(const char *p)
{
	const size_t n = strlen("build:");
	size_t digits;

	if (strncmp(p, "build:", n) && strncmp(p, "bytes:", n))
		return 0;
	digits = strspn(p + n, "0123456789abcdef");
	if (!strncmp(p, "bytes:", 6) ? digits != 16 : !digits || digits % 2 ||
						      digits > 2 * CHESS_BUILD_ID_MAX)
		return 0;
	return n + digits;
}

static int read_file(struct chess_trace *t, const char *p, const char **fault)
{
	struct chess_trace_file *v;
	size_t n = identity_length(p);

	*fault = "a file has build: or bytes: with hex digits, and a path";
	if (!n || p[n] != ' ')
		return -EINVAL;
	if (chess_array_extend(&t->files, t->n_files, t->n_files + 1, sizeof(*v)))
		return -ENOMEM;
	v = &t->files[t->n_files++];
	v->identity = strndup(p, n);
	if (!v->identity)
		return -ENOMEM;
	p += n + 1;
	v->path = chess_token_string(&p);
	if (!v->path)
		return -EINVAL;
	*fault = NULL;
	return 0;
}

/* One spelling, as with the schedule of the events. */
static int read_asked(struct chess_trace *t, const char *p, const char **fault)
{
	struct chess_schedule *s = t->asked ? NULL : chess_schedule_decode(p);

	*fault = t->asked ? "asked is given twice" : "asked is not a schedule";
	if (!s)
		return -EINVAL;
	t->asked = chess_schedule_encode(s);
	chess_schedule_free(s);
	if (!t->asked)
		return -ENOMEM;
	if (strcmp(t->asked, p))
		return -EINVAL;
	*fault = NULL;
	return 0;
}

static int read_cause(struct chess_trace *t, const char *p, const char **fault)
{
	*fault = "a cause is a string in quotes";
	if (chess_array_extend(&t->causes, t->n_causes, t->n_causes + 1, sizeof(*t->causes)))
		return -ENOMEM;
	t->causes[t->n_causes] = chess_token_string(&p);
	if (!t->causes[t->n_causes])
		return -EINVAL;
	t->n_causes++;
	*fault = NULL;
	return 0;
}

static int read_call(struct chess_trace *t, const char *p, const char **fault)
{
	struct chess_trace_call *v;
	uint64_t seq;

	*fault = "a call has the number of its event, ascending, and a string";
	if (!chess_token_number(&p, UINT32_MAX, &seq) || !seq || !chess_token_text(&p, " "))
		return -EINVAL;
	if (chess_array_extend(&t->calls, t->n_calls, t->n_calls + 1, sizeof(*v)))
		return -ENOMEM;
	v = &t->calls[t->n_calls];
	v->seq = seq;
	v->text = chess_token_string(&p);
	if (!v->text)
		return -EINVAL;
	if (t->n_calls++ && v[-1].seq >= v->seq)
		return -EINVAL;
	*fault = NULL;
	return 0;
}

static int read_name(struct chess_trace *t, const char *p, const char **fault)
{
	struct chess_trace_name *v;
	uint16_t task;

	*fault = "a name is since version 23 of a task, ascending, and a string";
	if (t->version < CHESS_TRACE_NAMES || !chess_token_task(&p, &task) ||
	    task >= chess_record_tasks(t->record) || !chess_token_text(&p, " "))
		return -EINVAL;
	if (chess_array_extend(&t->names, t->n_names, t->n_names + 1, sizeof(*v)))
		return -ENOMEM;
	v = &t->names[t->n_names];
	v->task = task;
	v->name = chess_token_string(&p);
	if (!v->name)
		return -EINVAL;
	if (t->n_names++ && v[-1].task >= v->task)
		return -EINVAL;
	*fault = NULL;
	return 0;
}

int chess_trace_read_given(struct chess_trace *t, const char *line, const char **fault)
{
	const char *p = line;

	*fault = "the line begins with no key of this format";
	if (t->version < CHESS_TRACE_GIVEN)
		return -EINVAL;
	if (chess_token_text(&p, "stack-limit "))
		return read_limit(t, p, fault);
	if (chess_token_text(&p, "environment "))
		return read_variable(t, p, fault);
	if (chess_token_text(&p, "file "))
		return read_file(t, p, fault);
	if (chess_token_text(&p, "asked "))
		return read_asked(t, p, fault);
	if (chess_token_text(&p, "cause "))
		return read_cause(t, p, fault);
	if (chess_token_text(&p, "call "))
		return read_call(t, p, fault);
	if (chess_token_text(&p, "name "))
		return read_name(t, p, fault);
	return -EINVAL;
}

void chess_trace_free_given(struct chess_trace *t)
{
	size_t i;

	for (i = 0; i < t->n_environment; i++)
		free(t->environment[i].name);
	for (i = 0; i < t->n_files; i++) {
		free(t->files[i].path);
		free(t->files[i].identity);
	}
	for (i = 0; i < t->n_causes; i++)
		free(t->causes[i]);
	for (i = 0; i < t->n_calls; i++)
		free(t->calls[i].text);
	for (i = 0; i < t->n_names; i++)
		free(t->names[i].name);
	free(t->environment);
	free(t->files);
	free(t->causes);
	free(t->calls);
	free(t->names);
	free(t->asked);
}

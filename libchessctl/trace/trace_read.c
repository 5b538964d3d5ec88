// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads trace files, line by line and without trust: what is not exactly what
 * trace.c writes is refused with the line and the reason. replay and show call it.
 *
 * The parser works through a line with a cursor; each chess_token_*() and get_*() takes one
 * item off and fails without moving on what it does not know.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "mix.h"
#include "record/settings.h"
#include "wait/holders.h"
#include "trace/trace.h"
#include "trace/trace_token.h"

struct reader {
	const char *path;
	FILE *f;
	char *line;		/* without its newline */
	size_t room;
	size_t number;		/* of the line, from 1 */
	uint64_t hash;		/* of all lines before this one */
	struct chess_trace *t;
	struct chess_schedule *schedule;
	size_t n_args;
	size_t rank;		/* of the last line's key */
	struct chess_settings settings;	/* a number is 0: it was not said */
	bool done, seen_status, seen_time;
};

static int bad(struct reader *r, const char *what)
{
	return chess_set_error(EINVAL,
			       "trace %s, line %zu: %s; the file was truncated or edited, make a new one",
			       r->path, r->number, what);
}

/* A name @name() gives to a number up to 255, or such a number. */
static bool get_name(const char **p, const char *(*name)(unsigned int), uint8_t *out)
{
	size_t len = strcspn(*p, " :,");
	const char *candidate;
	unsigned int i;
	uint64_t n;

	for (i = 0; i < 256; i++) {
		candidate = name(i);
		/* most differ in the first letter, and traces have many events */
		if (!candidate || *candidate != **p)
			continue;
		if (strcmp(candidate, "unknown") && strlen(candidate) == len &&
		    !memcmp(candidate, *p, len)) {
			*p += len;
			*out = i;
			return true;
		}
	}
	if (!chess_token_number(p, 255, &n))
		return false;
	*out = n;
	return true;
}

static const char *kind_name(unsigned int kind)
{
	return kind < ARRAY_SIZE(chess_trace_kinds) ? chess_trace_kinds[kind] : NULL;
}

static const char *flag_name(unsigned int flag)
{
	unsigned int bit;

	for (bit = 0; bit < 8; bit++)
		if (flag == 1U << bit)
			return chess_trace_flags[bit];
	return NULL;
}

static const char *verdict_name(unsigned int v)
{
	return v > CHESS_VERDICT_NONE && v < CHESS_VERDICT_END ? chess_verdict_name(v) : NULL;
}

static bool get_flags(const char **p, uint8_t *out)
{
	uint8_t flag;

	do {
		if (!get_name(p, flag_name, &flag))
			return false;
		*out |= flag;
	} while (chess_token_text(p, ","));
	return true;
}

/* "event 7 point T0 -> T1 op=lock flags=write object=address:0x10 ..." */
static int read_event(struct reader *r, const char *p)
{
	struct chess_event e = { .chosen = CHESS_TASK_NONE };
	uint64_t n;
	bool ok;

	if (!chess_token_number(&p, UINT32_MAX, &n) || !chess_token_text(&p, " ") ||
	    !get_name(&p, chess_event_type_name, &e.type) || !chess_token_text(&p, " ") ||
	    !chess_token_task(&p, &e.task))
		return bad(r, "an event begins with its number, type and task");
	/* Whoever reads the record finds events by their number. */
	if (n != chess_record_length(r->t->record) + 1)
		return bad(r, "events are numbered from 1, and none is missing");
	e.seq = n;
	if (e.type == CHESS_EVENT_EXPIRE && chess_token_text(&p, " -> timer"))
		e.chosen = CHESS_TASK_TIMER;
	else if (e.type == CHESS_EVENT_EXPIRE)
		return bad(r, "what expires is a timer");
	else if (chess_token_text(&p, " -> ") && !chess_token_task(&p, &e.chosen))
		return bad(r, "an arrow leads to a task or to -");
	ok = true;
	if (chess_token_text(&p, " op="))
		ok = get_name(&p, chess_op_name, &e.op);
	if (ok && chess_token_text(&p, " flags="))
		ok = get_flags(&p, &e.flags);
	if (ok && chess_token_text(&p, " nr=")) {
		ok = chess_token_number(&p, UINT32_MAX, &n);
		e.nr = n;
	}
	if (ok && chess_token_text(&p, " object=")) {
		ok = get_name(&p, kind_name, &e.object_kind) && chess_token_text(&p, ":") &&
		     chess_token_address(&p, &n);
		e.object = n;
	}
#define GET_FIELD(field)						\
	do {								\
		if (ok && chess_token_text(&p, " " #field "=")) {		\
			ok = chess_token_address(&p, &n);			\
			e.field = n;					\
		}							\
	} while (0)
	GET_FIELD(enabled);
	GET_FIELD(ip);
	if ((e.flags & CHESS_OPF_PROBE) || r->t->version < CHESS_TRACE_RESULTS)
		GET_FIELD(caller);
	else
		GET_FIELD(result);
	GET_FIELD(arg);
	GET_FIELD(timed);
#undef GET_FIELD
	if (!ok || *p)
		return bad(r, "an event has a field that is malformed or out of order");
	return chess_record_push(r->t->record, &e, 1);
}

static int read_stack(struct reader *r, const char *p)
{
	union {
		struct chess_stack head;
		uint8_t room[sizeof(struct chess_stack) + CHESS_STACK_BYTES];
	} *s;
	bool at_access = r->t->version >= CHESS_TRACE_NUMBERS && chess_token_text(&p, "access ");
	bool at_fault = r->t->version >= CHESS_TRACE_FAULTS && !at_access &&
			chess_token_text(&p, "fault ");
	uint32_t kind = at_access ? CHESS_STACK_AT_ACCESS : at_fault ? CHESS_STACK_AT_FAULT : 0;
	uint32_t max = at_fault ? CHESS_TASK_NONE - 1 :
		       at_access ? ~kind : CHESS_STACK_AT_FAULT - 1;
	uint64_t n = 0;
	size_t i;
	int ret = 0;

	s = calloc(1, sizeof(*s));
	if (!s)
		return chess_set_error(ENOMEM, "no memory for trace %s", r->path);
	if (!chess_token_number(&p, max, &n))
		ret = bad(r, "a stack begins with the number of its event, access or task");
	s->head.seq = n | kind;
	for (i = 0; !ret && i < ARRAY_SIZE(s->head.regs); i++) {
		if (!chess_token_text(&p, " ") || !chess_token_address(&p, &n))
			ret = bad(r, "a stack has 17 registers");
		s->head.regs[i] = n;
	}
	if (!ret && !chess_token_text(&p, " "))
		ret = bad(r, "a stack has bytes, or -");
	if (!ret && !strcmp(p, "-"))
		p++;
	for (; !ret && *p; p += 2) {
		if (chess_token_digit(p[0]) < 0 || chess_token_digit(p[1]) < 0 ||
		    s->head.size == CHESS_STACK_BYTES) {
			ret = bad(r, "the bytes of a stack are pairs of hex digits, up to 8192");
			break;
		}
		s->room[sizeof(s->head) + s->head.size++] = chess_token_digit(p[0]) << 4 |
							    chess_token_digit(p[1]);
	}
	if (!ret && at_fault && s->head.size < sizeof(struct chess_fault))
		ret = bad(r, "the bytes of a stack at a fault begin with 16 that say which");
	if (!ret && chess_record_push_stack(r->t->record, &s->head,
					    sizeof(s->head) + s->head.size))
		ret = bad(r, "two stacks at one event, access or fault");
	free(s);
	return ret;
}

/* "T2:has:14,T3:has:9 "; what they work on is not kept. */
static int read_holders(struct reader *r, const char **p, struct chess_wait *w)
{
	struct chess_holder h;
	uint64_t seq;
	uint16_t task;
	size_t n;
	int ret;

	w->asked = true;
	if (chess_token_text(p, "- "))
		return 0;
	do {
		h = (struct chess_holder) { .how = CHESS_HOLD_HAS };
		if (!chess_token_task(p, &task) || !chess_token_text(p, ":"))
			return bad(r, "a holder begins with a task");
		while (h.how <= CHESS_HOLD_GONE && !chess_token_text(p, chess_hold_name(h.how)))
			h.how++;
		if (h.how > CHESS_HOLD_GONE || !chess_token_text(p, ":") ||
		    !chess_token_number(p, UINT32_MAX, &seq))
			return bad(r, "a holder has a word how and the number of an event");
		if (seq && (!r->t->record || seq > chess_record_length(r->t->record)))
			return bad(r, "a holder's event is not in the record");
		h.task = task;
		h.seq = seq;
		n = w->n_holders;
		ret = chess_holders_add(w, &h);
		if (ret)
			return ret;
		if (w->n_holders == n)
			return bad(r, "a wait has a holder twice");
	} while (chess_token_text(p, ","));
	return chess_token_text(p, " ") ? 0 : bad(r, "the holders end with a blank");
}

/* What was found out about a wait, before its text. */
static int read_explained(struct reader *r, const char **p, struct chess_wait *w)
{
	size_t n;
	int ret;

	if (chess_token_text(p, "holders=")) {
		ret = read_holders(r, p, w);
		if (ret)
			return ret;
	}
	if (chess_token_text(p, "kernel=")) {
		n = strspn(*p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,");
		if (!n || (*p)[n] != ' ')
			return bad(r, "a kernel stack has names with commas between, and a space after them");
		w->kernel = strndup(*p, n);
		*p += n + 1;
		if (!w->kernel)
			return chess_set_error(ENOMEM, "no memory for trace %s", r->path);
	}
	if (r->t->version >= CHESS_TRACE_OBJECTS && chess_token_text(p, "object=")) {
		w->object = chess_token_quoted(p);
		if (!w->object || !chess_token_text(p, " "))
			return bad(r, "an object is a string in quotes, and a blank");
	}
	return 0;
}

static int read_wait(struct reader *r, const char *p)
{
	struct chess_wait wait = { 0 };
	uint64_t pid = 0, seq = 0;
	uint16_t task = 0;
	int ret = 0;

	if (!chess_token_task(&p, &task) || !chess_token_text(&p, " pid=") ||
	    !chess_token_number(&p, UINT32_MAX, &pid) ||
	    !chess_token_text(&p, " seq=") || !chess_token_number(&p, UINT32_MAX, &seq) ||
	    !chess_token_text(&p, " outside="))
		return bad(r, "a wait has a task, pid, seq and outside");
	wait.outside = chess_token_text(&p, "yes ");
	if (!wait.outside && !chess_token_text(&p, "no "))
		return bad(r, "outside is yes or no");
	if (r->t->version >= CHESS_TRACE_HOLDERS)
		ret = read_explained(r, &p, &wait);
	if (!ret) {
		wait.text = chess_token_string(&p);
		if (!wait.text)
			ret = bad(r, "a wait ends with a string in quotes");
	}
	if (ret) {
		free(wait.holders);
		free(wait.kernel);
		free(wait.object);
		return ret;
	}
	wait.task = task;
	wait.pid = pid;
	wait.seq = seq;
	if (chess_array_resize(&r->t->waits, r->t->n_waits + 1, sizeof(wait))) {
		free(wait.holders);
		free(wait.kernel);
		free(wait.object);
		free(wait.text);
		return chess_set_error(ENOMEM, "no memory for trace %s", r->path);
	}
	r->t->waits[r->t->n_waits++] = wait;
	return 0;
}

static int read_arg(struct reader *r, const char *p)
{
	char *arg = chess_token_string(&p);

	if (!arg)
		return bad(r, "a string in quotes is missing or malformed");
	if (chess_array_extend(&r->t->argv, r->n_args, r->n_args + 2, sizeof(arg))) {
		free(arg);
		return chess_set_error(ENOMEM, "no memory for trace %s", r->path);
	}
	r->t->argv[r->n_args++] = arg;
	return 0;
}

static int read_once(struct reader *r, const char *p, char **where)
{
	if (*where)
		return bad(r, "the key is given twice");
	*where = chess_token_string(&p);
	return *where ? 0 : bad(r, "a string in quotes is missing or malformed");
}

static int read_more(struct reader *r, const char *p, char **where)
{
	char *more = chess_token_string(&p), *all;
	size_t old = *where ? strlen(*where) : 0;

	if (!more)
		return bad(r, "a string in quotes is missing or malformed");
	all = realloc(*where, old + strlen(more) + 1);
	if (all) {
		strcpy(all + old, more);
		*where = all;
	}
	free(more);
	return all ? 0 : chess_set_error(ENOMEM, "no memory for trace %s", r->path);
}

/* A line with a number from 1; since version @since. @fault: what @to is, in words */
static int read_number(struct reader *r, const char *p, unsigned int since, const char *fault,
		       uint32_t *to)
{
	uint64_t n;

	if (r->t->version < since)
		return bad(r, "the line begins with no key of this format");
	if (*to || !chess_token_number(&p, UINT32_MAX, &n) || *p || !n)
		return bad(r, fault);
	*to = n;
	return 0;
}

static int read_time(struct reader *r, const char *p)
{
	if (r->t->version < CHESS_TRACE_TIME)
		return bad(r, "the line begins with no key of this format");
	r->t->virtual_time = !strcmp(p, "virtual");
	if (r->seen_time || (!r->t->virtual_time && strcmp(p, "real")))
		return bad(r, "time is virtual or real, and is given once");
	r->seen_time = true;
	return 0;
}

/* A line that is there or not, with one word after its key; since version @since. */
static int read_flag(struct reader *r, const char *p, unsigned int since, const char *key,
		     const char *word, bool *flag)
{
	char what[64];

	if (r->t->version < since)
		return bad(r, "the line begins with no key of this format");
	if (*flag || strcmp(p, word)) {
		snprintf(what, sizeof(what), "%s says %s, and is given once", key, word);
		return bad(r, what);
	}
	*flag = true;
	return 0;
}

static int read_watchdogs(struct reader *r, const char *p)
{
	if (r->t->version < CHESS_TRACE_WATCHDOGS)
		return bad(r, "the line begins with no key of this format");
	r->settings.no_watchdogs = !strcmp(p, "never");
	if (r->settings.late_watchdogs || (strcmp(p, "late") && !r->settings.no_watchdogs))
		return bad(r, "watchdogs says late or never, and is given once");
	r->settings.late_watchdogs = true;
	return 0;
}

static int read_late_programs(struct reader *r, const char *p)
{
	char *to = r->settings.late_programs, *names = NULL;
	bool again = *to;
	int ret;

	if (r->t->version < CHESS_TRACE_LATE)
		return bad(r, "the line begins with no key of this format");
	ret = read_once(r, p, &names);
	if (ret)
		return ret;
	if (again || !*names || strlen(names) > CHESS_LATE_PROGRAMS)
		ret = bad(r, "late-programs is empty or too long, or is given twice");
	else
		strcpy(to, names);
	free(names);
	return ret;
}

/* One spelling: in the order of their bits, none twice. */
static int read_surroundings(struct reader *r, const char *p)
{
	unsigned int bit = 1, all = 0;
	const char *name;

	if (r->t->version < CHESS_TRACE_SURROUNDINGS)
		return bad(r, "the line begins with no key of this format");
	for (; (name = chess_surroundings_name(bit)); bit <<= 1) {
		size_t len = strlen(name);

		if (strncmp(p, name, len) || (p[len] && (p[len] != ',' || !p[len + 1])))
			continue;
		all |= bit;
		p += len + (p[len] == ',');
	}
	if (r->t->surroundings || !all || *p)
		return bad(r, "surroundings are unknown, out of order or given twice");
	r->t->surroundings = all;
	return 0;
}

static int read_probe(struct reader *r, const char *p)
{
	struct chess_trace_probe *probe;
	const char *hash = p;
	uint64_t value;

	if (r->t->version < CHESS_TRACE_PROBES)
		return bad(r, "the line begins with no key of this format");
	if (!chess_token_hex(&p, 16, &value) || p - hash != 16 || !chess_token_text(&p, " "))
		return bad(r, "a probe has a hash of 16 hex digits and a path");
	if (chess_array_resize(&r->t->probes, r->t->n_probes + 1, sizeof(*probe)))
		return -ENOMEM;
	probe = &r->t->probes[r->t->n_probes];
	probe->hash = strndup(hash, 16);
	probe->path = probe->hash ? chess_token_string(&p) : NULL;
	if (!probe->path || *p) {
		free(probe->hash);
		free(probe->path);
		return bad(r, "a probe has a hash of 16 hex digits and a path");
	}
	r->t->n_probes++;
	return 0;
}

static int read_races(struct reader *r, const char *p)
{
	const char *fault = NULL;
	int ret;

	if (r->t->version < CHESS_TRACE_RACES)
		return bad(r, "the line begins with no key of this format");
	ret = chess_trace_read_races(r->t, r->line, p, &fault);
	return fault ? bad(r, fault) : ret;
}

/* One spelling, as of all else: what is read is what would be written. */
static int read_expect(struct reader *r, const char *p)
{
	struct chess_expect x;
	char *again;
	bool same;
	int ret;

	if (r->t->version < CHESS_TRACE_EXPECT)
		return bad(r, "the line begins with no key of this format");
	ret = read_once(r, p, &r->t->expect);
	if (ret)
		return ret;
	if (chess_expect_read(&x, r->t->expect))
		return bad(r, "expect has an option that is not known");
	again = chess_expect_text(&x);
	same = again && !strcmp(again, r->t->expect);
	free(again);
	return same ? 0 : bad(r, "what is expected is not as it would be written");
}

static int read_given(struct reader *r)
{
	const char *fault = NULL;
	int ret = chess_trace_read_given(r->t, r->line, &fault);

	return fault && ret != -ENOMEM ? bad(r, fault) : ret;
}

static int read_verdict(struct reader *r, const char *p)
{
	uint8_t v;

	if (r->t->verdict || (*p >= '0' && *p <= '9') || !get_name(&p, verdict_name, &v) || *p)
		return bad(r, "verdict is unknown or given twice");
	r->t->verdict = v;
	return 0;
}

static int read_status(struct reader *r, const char *p)
{
	bool negative = chess_token_text(&p, "-");
	uint64_t n;

	if (r->seen_status || !chess_token_number(&p, INT32_MAX, &n) || *p)
		return bad(r, "status is not a number, or is given twice");
	r->t->status = negative ? -(int)n : (int)n;
	r->seen_status = true;
	return 0;
}

static int read_minimal(struct reader *r, const char *p)
{
	enum chess_minimal m = CHESS_MINIMAL_CHOICES;

	while (m <= CHESS_MINIMAL_FEWEST && strcmp(p, chess_minimal_name(m)))
		m++;
	if (r->t->version < CHESS_TRACE_MINIMAL || r->t->minimal || m > CHESS_MINIMAL_FEWEST)
		return bad(r, "minimal is neither \"choices\" nor \"fewest\", or is given twice");
	r->t->minimal = m;
	return 0;
}

static int read_schedule(struct reader *r, const char *p)
{
	if (r->schedule)
		return bad(r, "schedule is given twice");
	r->schedule = chess_schedule_decode(p);
	if (!r->schedule)
		return bad(r, chess_error());
	r->t->record = chess_record_new();
	if (!r->t->record)
		return -ENOMEM;
	chess_record_set_settings(r->t->record, &r->settings);
	return 0;
}

static int read_checksum(struct reader *r, const char *p)
{
	uint64_t sum;

	if (strlen(p) != 16 || !chess_token_hex(&p, 16, &sum))
		return bad(r, "the checksum has 16 hex digits");
	if (sum != r->hash)
		return bad(r, "the checksum does not fit the lines before it");
	r->done = true;
	return 0;
}

/* A trace has one spelling, so its lines have one order. */
static int check_order(struct reader *r)
{
	static const char *const keys[] = {
		"arg ", "cwd ", "program ", "program-hash ", "kernel ", "points ", "quantum ",
		"time ", "fair ", "yield ", "timers ", "watchdogs ", "limits ", "early-max ",
		"late-programs ", "rows ", "wake ",
		"spurious ", "updates ", "copies ", "calls ", "awaits ", "functions ", "surroundings ", "probe ",
		"later ", "code ", "code-file ",
		"access-point ", "expect ", "stack-limit ", "environment ", "file ",
		"verdict ", "status ", "minimal ", "asked ", "cause ", "race ", "schedule ", "event ",
		"stack ", "call ", "name ", "wait ", "maps ", "stdout ", "stderr ", "checksum ",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strncmp(r->line, keys[i], strlen(keys[i])))
			continue;
		if (i < r->rank)
			return bad(r, "the line is out of order");
		r->rank = i;
		return 0;
	}
	return bad(r, "the line begins with no key of this format");
}

/* A line about how the run was controlled. Return: -ENOENT: it is about something else. */
static int read_setting(struct reader *r)
{
	struct chess_settings *s = &r->settings;
	const char *p = r->line;

	if (chess_token_text(&p, "quantum "))
		return read_number(r, p, CHESS_TRACE_QUANTUM,
				   "quantum is not a number of microseconds, or is given twice",
				   &r->t->quantum_us);
	if (chess_token_text(&p, "time "))
		return read_time(r, p);
	if (chess_token_text(&p, "fair "))
		return read_number(r, p, CHESS_TRACE_FAIR,
				   "fair is not a number from 1, or is given twice", &s->fair);
	if (chess_token_text(&p, "yield "))
		return read_flag(r, p, CHESS_TRACE_FAIR, "yield", "trylock", &s->yield_trylock);
	if (chess_token_text(&p, "timers "))
		return read_flag(r, p, CHESS_TRACE_TIMERS, "timers", "early", &s->early_timers);
	if (chess_token_text(&p, "watchdogs "))
		return read_watchdogs(r, p);
	if (chess_token_text(&p, "limits "))
		return read_flag(r, p, CHESS_TRACE_LIMITS, "limits", "late", &s->late_limits);
	if (chess_token_text(&p, "early-max "))
		return read_number(r, p, CHESS_TRACE_LATE,
				   "early-max is not a number of milliseconds, or is given twice",
				   &s->early_max);
	if (chess_token_text(&p, "late-programs "))
		return read_late_programs(r, p);
	if (chess_token_text(&p, "rows "))
		return read_flag(r, p, CHESS_TRACE_ROWS, "rows", "long", &s->long_rows);
	if (chess_token_text(&p, "wake "))
		return read_flag(r, p, CHESS_TRACE_WAKE, "wake", "any", &s->wake_any);
	if (chess_token_text(&p, "spurious "))
		return read_flag(r, p, CHESS_TRACE_SPURIOUS, "spurious", "yes", &s->spurious);
	if (chess_token_text(&p, "updates "))
		return read_flag(r, p, CHESS_TRACE_UPDATES, "updates", "split", &s->split_updates);
	if (chess_token_text(&p, "copies "))
		return read_flag(r, p, CHESS_TRACE_COPIES, "copies", "split", &s->split_copies);
	if (chess_token_text(&p, "calls "))
		return read_flag(r, p, CHESS_TRACE_CALLS, "calls", "more", &s->more_calls);
	if (chess_token_text(&p, "awaits "))
		return read_flag(r, p, CHESS_TRACE_AWAITS, "awaits", "yield", &s->yield_await);
	if (chess_token_text(&p, "functions "))
		return read_number(r, p, CHESS_TRACE_FUNCTIONS,
				   "functions is not a number of rows, or is given twice",
				   &s->functions);
	return -ENOENT;
}

static int read_item(struct reader *r)
{
	struct chess_trace *t = r->t;
	const char *p = r->line;
	int ret;

	if (r->done)
		return bad(r, "something follows the checksum");
	ret = check_order(r);
	if (ret)
		return ret;
	if (chess_token_text(&p, "event ") || chess_token_text(&p, "stack ")) {
		if (!t->record)
			return bad(r, "events and stacks come after the schedule");
		return r->line[0] == 'e' ? read_event(r, p) : read_stack(r, p);
	}
	ret = read_setting(r);
	if (ret != -ENOENT)
		return ret;
	if (chess_token_text(&p, "arg "))
		return read_arg(r, p);
	if (chess_token_text(&p, "cwd "))
		return read_once(r, p, &t->cwd);
	if (chess_token_text(&p, "program "))
		return read_once(r, p, &t->program);
	if (chess_token_text(&p, "program-hash "))
		return read_once(r, p, &t->program_hash);
	if (chess_token_text(&p, "kernel "))
		return read_once(r, p, &t->kernel);
	if (chess_token_text(&p, "points "))
		return read_once(r, p, &t->points);
	if (chess_token_text(&p, "surroundings "))
		return read_surroundings(r, p);
	if (chess_token_text(&p, "probe "))
		return read_probe(r, p);
	if (chess_token_text(&p, "later ") || chess_token_text(&p, "code ") ||
	    chess_token_text(&p, "code-file ") || chess_token_text(&p, "access-point ") ||
	    chess_token_text(&p, "race "))
		return read_races(r, p);
	if (chess_token_text(&p, "expect "))
		return read_expect(r, p);
	if (chess_token_text(&p, "verdict "))
		return read_verdict(r, p);
	if (chess_token_text(&p, "status "))
		return read_status(r, p);
	if (chess_token_text(&p, "minimal "))
		return read_minimal(r, p);
	if (chess_token_text(&p, "schedule "))
		return read_schedule(r, p);
	if (chess_token_text(&p, "wait "))
		return read_wait(r, p);
	if ((!strncmp(p, "call ", 5) || !strncmp(p, "name ", 5)) && !t->record)
		return bad(r, "calls and names come after the schedule");
	if (chess_token_text(&p, "maps "))
		return read_more(r, p, &t->maps);
	if (chess_token_text(&p, "stdout "))
		return r->t->version < CHESS_TRACE_STDOUT ?
		       bad(r, "the line begins with no key of this format") :
		       read_more(r, p, &t->out);
	if (chess_token_text(&p, "stderr "))
		return read_more(r, p, &t->err);
	if (chess_token_text(&p, "checksum "))
		return read_checksum(r, p);
	return read_given(r);
}

static int read_version(struct reader *r)
{
	const char *p = r->line;
	uint64_t version;

	if (!chess_token_text(&p, CHESS_TRACE_MAGIC) ||
	    !chess_token_number(&p, UINT32_MAX, &version) || *p ||
	    !version)
		return chess_set_error(EINVAL,
				       "%s is not a chess trace: line 1 is not \"" CHESS_TRACE_MAGIC "%u\"",
				       r->path, CHESS_TRACE_VERSION);
	if (version > CHESS_TRACE_VERSION)
		return chess_set_error(ENOTSUP,
				       "trace %s has format version %" PRIu64 ", this chessctl reads up to %u: use the chessctl that wrote it, or a newer one",
				       r->path, version, CHESS_TRACE_VERSION);
	r->t->version = version;
	return 0;
}

/* The schedule is there for people and tools; it must say what the events say. */
static int check_schedule(struct reader *r)
{
	struct chess_schedule *s;
	size_t i, n = chess_schedule_length(r->schedule);
	bool same;

	s = chess_record_schedule(r->t->record);
	if (!s)
		return -ENOMEM;
	same = chess_schedule_length(s) == n;
	for (i = 0; same && i < n; i++)
		same = chess_schedule_task(s, i) == chess_schedule_task(r->schedule, i);
	chess_schedule_free(s);
	return same ? 0 : bad(r, "the schedule is not that of the events");
}

static int read_lines(struct reader *r)
{
	uint64_t hash = CHESS_HASH_START;
	ssize_t len;
	int ret;

	while ((len = getline(&r->line, &r->room, r->f)) > 0) {
		r->number++;
		r->hash = hash;
		hash = chess_hash_bytes(hash, r->line, len);
		if (r->line[len - 1] != '\n' || strlen(r->line) != (size_t)len)
			return bad(r, "the line has no end, or a zero byte in it");
		r->line[len - 1] = '\0';
		ret = r->number == 1 ? read_version(r) : read_item(r);
		if (ret)
			return ret;
	}
	if (ferror(r->f))
		return chess_set_error(errno, "cannot read trace %s: %s", r->path, strerror(errno));
	if (!r->number)
		return chess_set_error(EINVAL, "trace %s is empty", r->path);
	if (!r->done)
		return bad(r, "it ends here without a checksum line");
	if (!r->t->verdict || !r->seen_status)
		return bad(r, "verdict or status is missing");
	return r->schedule ? check_schedule(r) : 0;
}

struct chess_trace *chess_trace_read(const char *path)
{
	struct reader r = { .path = path };
	int ret;

	r.f = fopen(path, "re");
	if (!r.f) {
		chess_set_error(errno, "cannot open trace %s: %s", path, strerror(errno));
		return NULL;
	}
	r.t = calloc(1, sizeof(*r.t));
	/* no arguments are an empty list */
	if (r.t)
		r.t->argv = calloc(1, sizeof(*r.t->argv));
	if (r.t && r.t->argv)
		ret = read_lines(&r);
	else
		ret = chess_set_error(ENOMEM, "no memory for trace %s", path);
	if (ret) {
		chess_trace_free(r.t);
		r.t = NULL;
	}
	chess_schedule_free(r.schedule);
	free(r.line);
	fclose(r.f);
	if (ret)
		errno = -ret;
	return r.t;
}

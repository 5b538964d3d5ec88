// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A schedule: the task chosen at each decision of a run, in order. The search
 * cuts and extends them, the module gets them as segments, the trace file holds
 * them as text. Kept expanded: two bytes a decision is less than one event.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"

struct chess_schedule {
	uint16_t *task;
	size_t length, room;
};

/* A text may ask for 65536 decisions in seven letters; more than a record can
 * hold is an error, not a reason to run out of memory.
 */
#define LENGTH_MAX ((size_t)CHESS_MAX_EVENTS)

struct chess_schedule *chess_schedule_new(void)
{
	struct chess_schedule *s = calloc(1, sizeof(*s));

	if (!s)
		chess_set_error(ENOMEM, "no memory for a schedule");
	return s;
}

void chess_schedule_free(struct chess_schedule *s)
{
	if (!s)
		return;
	free(s->task);
	free(s);
}

static int reserve(struct chess_schedule *s, size_t more)
{
	if (more > LENGTH_MAX - s->length)
		return chess_set_error(EOVERFLOW,
				       "schedule of more than %zu decisions", LENGTH_MAX);
	if (chess_array_room(&s->task, &s->room, s->length + more, sizeof(*s->task)))
		return chess_set_error(ENOMEM, "no memory for a schedule of %zu decisions",
				       s->length + more);
	return 0;
}

int chess_schedule_push(struct chess_schedule *s, uint16_t task)
{
	int ret = reserve(s, 1);

	if (!ret)
		s->task[s->length++] = task;
	return ret;
}

int chess_schedule_push_run(struct chess_schedule *s, uint16_t task, size_t count)
{
	int ret = reserve(s, count);

	while (!ret && count--)
		s->task[s->length++] = task;
	return ret;
}

size_t chess_schedule_length(const struct chess_schedule *s)
{
	return s->length;
}

uint16_t chess_schedule_task(const struct chess_schedule *s, size_t i)
{
	return i < s->length ? s->task[i] : CHESS_TASK_NONE;
}

void chess_schedule_truncate(struct chess_schedule *s, size_t length)
{
	if (length < s->length)
		s->length = length;
}

struct chess_schedule *chess_schedule_copy(const struct chess_schedule *s, size_t length)
{
	struct chess_schedule *copy = chess_schedule_new();

	if (length > s->length)
		length = s->length;
	if (!copy || !length)
		return copy;
	if (reserve(copy, length)) {
		chess_schedule_free(copy);
		return NULL;
	}
	memcpy(copy->task, s->task, length * sizeof(*s->task));
	copy->length = length;
	return copy;
}

/* Length of the run of equal tasks that starts at @i. */
static size_t run_length(const struct chess_schedule *s, size_t i)
{
	size_t end = i + 1;

	while (end < s->length && s->task[end] == s->task[i])
		end++;
	return end - i;
}

int chess_schedule_segments(const struct chess_schedule *s, struct chess_segment **out)
{
	struct chess_segment *seg;
	size_t n = 0, i, run;

	for (i = 0; i < s->length; i += run_length(s, i))
		n++;
	seg = calloc(n ? n : 1, sizeof(*seg));
	if (!seg)
		return chess_set_error(ENOMEM, "no memory for %zu segments", n);
	n = 0;
	for (i = 0; i < s->length; i += run) {
		run = run_length(s, i);
		seg[n].count = run;
		seg[n++].task = s->task[i];
	}
	*out = seg;
	return n;
}

/* "T0*12 T1*3 T0"; "-" stands for "nobody was enabled". */
char *chess_schedule_encode(const struct chess_schedule *s)
{
	size_t i, run, size = 0;
	char *text = NULL;
	FILE *f = open_memstream(&text, &size);

	if (!f) {
		chess_set_error(ENOMEM, "no memory for the text of a schedule");
		return NULL;
	}
	for (i = 0; i < s->length; i += run) {
		run = run_length(s, i);
		if (i)
			fputc(' ', f);
		if (s->task[i] == CHESS_TASK_NONE)
			fputc('-', f);
		else if (s->task[i] == CHESS_TASK_TIMER)
			fputs("timer", f);
		else
			fprintf(f, "T%u", s->task[i]);
		if (run > 1)
			fprintf(f, "*%zu", run);
	}
	if (fclose(f)) {
		free(text);
		chess_set_error(ENOMEM, "no memory for the text of a schedule");
		return NULL;
	}
	return text;
}

/* Plain decimal without sign or needless zeros, so that one schedule has one text. */
static bool parse_number(const char **p, unsigned long max, unsigned long *out)
{
	unsigned long n = 0;
	const char *s = *p;

	if (*s < '0' || *s > '9' || (*s == '0' && s[1] >= '0' && s[1] <= '9'))
		return false;
	for (; *s >= '0' && *s <= '9'; s++) {
		n = n * 10 + (*s - '0');
		if (n > max)
			return false;
	}
	*p = s;
	*out = n;
	return true;
}

static int decode_item(struct chess_schedule *s, const char **p)
{
	unsigned long task = CHESS_TASK_NONE, count = 1;

	if (**p == '-') {
		(*p)++;
	} else if (!strncmp(*p, "timer", 5)) {
		*p += 5;
		task = CHESS_TASK_TIMER;
	} else if (*(*p)++ != 'T' || !parse_number(p, CHESS_TASK_TIMER - 1, &task)) {
		return -EINVAL;
	}
	if (**p == '*') {
		(*p)++;
		if (!parse_number(p, LENGTH_MAX, &count) || count < 2)
			return -EINVAL;
	}
	if (**p && **p != ' ')
		return -EINVAL;
	/* "T0 T0" and "T0*2" would be two texts of one schedule. */
	if (s->length && s->task[s->length - 1] == task)
		return -EINVAL;
	return chess_schedule_push_run(s, task, count);
}

struct chess_schedule *chess_schedule_decode(const char *text)
{
	struct chess_schedule *s = chess_schedule_new();
	const char *p = text, *item;
	int ret = 0;

	if (!s)
		return NULL;
	while (*p) {
		item = p;
		ret = decode_item(s, &p);
		if (!ret && *p == ' ' && !*++p)
			ret = -EINVAL;
		if (ret == -EINVAL)
			chess_set_error(EINVAL,
					"bad schedule at \"%.20s\": expected items like T0*12 separated by one space",
					item);
		if (ret) {
			chess_schedule_free(s);
			errno = -ret;
			return NULL;
		}
	}
	return s;
}

size_t chess_schedule_decisions(const struct chess_schedule *s, size_t length)
{
	size_t i, n = 0;

	for (i = 0; i < length; i++)
		n += chess_schedule_task(s, i) != CHESS_TASK_NONE;
	return n;
}

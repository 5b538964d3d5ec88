/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs of outcome_subject.c and apart_subject.c as text, and the numbers that they are made of.
 */
#ifndef OUTCOME_TEXT_H
#define OUTCOME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The next number of a seed. */
static inline uint64_t outcome_draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/*
 * The calls of each task, as "once(0),locked(1);once(0)": @add is called for each, and says whether
 * the program may have it. Returns the number of tasks; 0: the text is not like that.
 */
static inline unsigned int outcome_read(const char *text,
					bool (*add)(unsigned int task, const char *name,
						    size_t length, unsigned int arg))
{
	unsigned int tasks;

	for (tasks = 1; ; text++) {
		const char *open = strchr(text, '(');
		unsigned long arg;
		char *end;

		if (!open)
			return 0;
		arg = strtoul(open + 1, &end, 10);
		if (*end != ')' || !add(tasks - 1, text, open - text, arg))
			return 0;
		text = end + 1;
		if (!*text)
			return tasks;
		if (*text == ';')
			tasks++;
		else if (*text != ',')
			return 0;
	}
}

#endif /* OUTCOME_TEXT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Output that no terminal takes for commands, and no reader of JSON for anything else,
 * whatever names it has in it. main() and out.c call it; see plain.c.
 */
#ifndef CLI_PLAIN_H
#define CLI_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct plain - a text that is being written
 * @terminal: to a terminal, where sequences of our own may stand
 * @progress: it may go back to the beginning of the line
 * @first: first byte of a letter in work, if the next one is to be looked at
 * @more: so many bytes of it are to come
 */
struct plain {
	bool terminal, progress;
	unsigned char first;
	unsigned int more;
};

void plain_start(struct plain *p, bool terminal);
/* @n bytes, rewritten to @to, which has room for four times as many; returns how many */
size_t plain_text(struct plain *p, const char *text, size_t n, char *to);

/* From here on stdout and stderr write so. */
void plain_streams(void);

/*
 * How many bytes the letter has that @text, which ends with a zero, begins with; 0: it is no
 * letter of UTF-8, or a control character that is not ASCII.
 */
size_t plain_letter(const char *text);

/* One line of JSON, or more, whose strings may be of any bytes. */
void plain_json(const char *json, FILE *to);

#endif /* CLI_PLAIN_H */

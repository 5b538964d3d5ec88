// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See trace_token.h.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/trace_token.h"

bool chess_token_text(const char **p, const char *text)
{
	size_t len = strlen(text);

	if (strncmp(*p, text, len))
		return false;
	*p += len;
	return true;
}

/* Digits only: strtoull would take signs and blanks. */
bool chess_token_number(const char **p, uint64_t max, uint64_t *out)
{
	uint64_t n = 0;
	const char *s = *p;

	if (*s < '0' || *s > '9')
		return false;
	for (; *s >= '0' && *s <= '9'; s++) {
		unsigned int digit = *s - '0';

		if (digit > max || n > (max - digit) / 10)
			return false;
		n = n * 10 + digit;
	}
	*out = n;
	*p = s;
	return true;
}

int chess_token_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool chess_token_hex(const char **p, unsigned int max_digits, uint64_t *out)
{
	const char *s = *p;
	uint64_t n = 0;

	for (; chess_token_digit(*s) >= 0 && max_digits; s++, max_digits--)
		n = n << 4 | chess_token_digit(*s);
	if (s == *p || chess_token_digit(*s) >= 0)
		return false;
	*out = n;
	*p = s;
	return true;
}

bool chess_token_address(const char **p, uint64_t *out)
{
	const char *s = *p;

	if (!chess_token_text(&s, "0x") || !chess_token_hex(&s, 16, out))
		return false;
	*p = s;
	return true;
}

bool chess_token_task(const char **p, uint16_t *out)
{
	const char *s = *p;
	uint64_t n = CHESS_TASK_NONE;

	if (!chess_token_text(&s, "-") &&
	    (!chess_token_text(&s, "T") || !chess_token_number(&s, CHESS_TASK_TIMER - 1, &n)))
		return false;
	*out = n;
	*p = s;
	return true;
}

/* A quoted string; malloc'ed. */
char *chess_token_quoted(const char **p)
{
	const char *s = *p;
	char *out, *to;
	int high, low;

	if (*s++ != '"')
		return NULL;
	out = malloc(strlen(s) + 1);
	for (to = out; out && *s != '"'; s++) {
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			goto malformed;
		if (*s != '\\') {
			*to++ = *s;
			continue;
		}
		s++;
		if (*s == 'n') {
			*to++ = '\n';
		} else if (*s == 't') {
			*to++ = '\t';
		} else if (*s == '"' || *s == '\\') {
			*to++ = *s;
		} else if (*s == 'x') {
			high = chess_token_digit(s[1]);
			low = high < 0 ? -1 : chess_token_digit(s[2]);
			/* strings end at a zero, so none can be inside */
			if (low < 0 || !(high | low))
				goto malformed;
			*to++ = high << 4 | low;
			s += 2;
		} else {
			goto malformed;
		}
	}
	if (!out)
		return NULL;
	*to = '\0';
	*p = s + 1;
	return out;
malformed:
	free(out);
	return NULL;
}

/* One that ends the line. */
char *chess_token_string(const char **p)
{
	char *out = chess_token_quoted(p);

	if (!out || !**p)
		return out;
	free(out);
	return NULL;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Text in quotes, in traces and in the arguments of system calls.
 */
#ifndef CHESSCTL_QUOTE_H
#define CHESSCTL_QUOTE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * @n bytes in quotes. Characters that are not control characters stay readable; with @ascii
 * only those of ASCII do.
 */
static inline void chess_put_quoted(FILE *f, const char *s, size_t n, bool ascii)
{
	size_t i;

	fputc('"', f);
	for (i = 0; i < n; i++) {
		unsigned char c = s[i];

		if (c == '"' || c == '\\')
			fprintf(f, "\\%c", c);
		else if (c == '\n')
			fputs("\\n", f);
		else if (c == '\t')
			fputs("\\t", f);
		else if (c < 0x20 || c == 0x7f || (ascii && c > 0x7f))
			fprintf(f, "\\x%02x", c);
		else
			fputc(c, f);
	}
	fputc('"', f);
}

#endif /* CHESSCTL_QUOTE_H */

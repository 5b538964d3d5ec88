// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The last error of each thread as one sentence. Every file of the library
 * stores here what it refused and why; the CLI prints it after "chessctl: ".
 * It never writes to stderr: a library does not know whose that is.
 */
#include <errno.h>
#include <stdarg.h>

#include "internal.h"

static __thread char sentence[1024] = "no error";

const char *chess_error(void)
{
	return sentence;
}

int chess_set_error(int err, const char *fmt, ...)
{
	/* Callers pass chess_error() itself to put it into a wider sentence. */
	char text[sizeof(sentence)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	__builtin_memcpy(sentence, text, sizeof(sentence));
	errno = err;
	return -err;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening a trace, see tracefile.h.
 */
#include <errno.h>
#include <string.h>

#include "cli.h"
#include "tracefile.h"

struct chess_trace *tracefile_open(const char *path)
{
	struct chess_trace *t = chess_trace_read(path);

	if (t)
		return t;
	switch (errno) {
	case EINVAL:
		cli_note("'%s' cannot be used as a trace: %s", path, chess_error());
		break;
	case ENOTSUP:
		cli_note("'%s' was written by a newer chessctl: %s; use that version", path,
			 chess_error());
		break;
	default:
		cli_note("trace '%s' cannot be read: %s", path, strerror(errno));
	}
	return NULL;
}

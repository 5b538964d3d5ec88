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
	if (errno == EINVAL || errno == ENOTSUP)
		cli_note("%s", chess_error());
	else
		cli_note("trace '%s' cannot be read: %s", path, strerror(errno));
	return NULL;
}

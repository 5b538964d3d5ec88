// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening a trace, see tracefile.h.
 */
#include <errno.h>
#include <string.h>

#include "cli.h"
#include "tracefile.h"

bool tracefile_is_attached(const struct chess_trace *t)
{
	const struct chess_event *e = t->record && chess_record_length(t->record) ?
				      chess_record_event(t->record, 0) : NULL;

	/* Its tasks are recorded first; a process with one has none to record. */
	return e && (e->type == CHESS_EVENT_SPAWN ||
		     (e->type != CHESS_EVENT_EXEC && t->verdict == CHESS_VERDICT_INCOMPLETE));
}

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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run as one HTML page that needs no other file and no network, for "show --html".
 * html.c writes it.
 */
#ifndef CLI_HTML_H
#define CLI_HTML_H

#include <json-c/json.h>

#include "report/report.h"

/* So many are listed in full; all are marked in the lanes. */
#define HTML_PREEMPTIONS	32

/*
 * @account: what "show --format json" says of the trace, without its events; it is released.
 * @trace: path of the trace as the user gave it. An exit code, after one sentence if it is not
 * CLI_OK.
 */
int html_write(const struct report *r, struct json_object *account, const char *trace,
	       const char *file);

#endif /* CLI_HTML_H */

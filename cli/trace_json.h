/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace as JSON, for "show --format json" and for pages.
 */
#ifndef CLI_TRACE_JSON_H
#define CLI_TRACE_JSON_H

#include <json-c/json.h>

#include "report/report.h"

/*
 * All but the events, with the first @preemptions in full. @path: of the trace. The caller owns
 * what is returned.
 */
struct json_object *trace_json(const struct report *r, const char *path, size_t preemptions);

#endif /* CLI_TRACE_JSON_H */

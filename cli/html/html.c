// SPDX-License-Identifier: GPL-2.0-only
/*
 * A run as a page. See html.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "html/html.h"
#include "html/html_parts.h"
#include "html_hashes.h"

/* files.S: each ends with a zero byte */
extern const char html_template[], html_script[];

char *html_title(const char *verdict, const char *program)
{
	const char *base = strrchr(program, '/');

	return cli_printf("%s: %s", verdict, base ? base + 1 : program);
}

int html_write(const struct report *r, struct json_object *account, const char *trace,
	       const char *file)
{
	const char *program = r->trace->argv && r->trace->argv[0] ? r->trace->argv[0] : "";
	struct html_page page = {
		.template = html_template, .script = html_script,
		.script_hash = HTML_SCRIPT_HASH,
		.title = html_title(chess_verdict_name(r->trace->verdict), program),
		.data = html_data(r, account, trace),
	};
	int ret = html_save(&page, file);

	json_object_put(page.data);
	free(page.title);
	return ret;
}

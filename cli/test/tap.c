// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads TAP and KTAP, as far as it says how tests ended: ok, not ok, and the directives that
 * say a test was skipped or is known to fail.
 */
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "test.h"

/* @line: after ok or not ok. NULL: it has no such directive; else what stands after it */
static const char *directive(const char *line, size_t n, const char *word)
{
	const char *hash = memchr(line, '#', n), *end = line + n;
	size_t len = strlen(word);

	for (; hash; hash = memchr(hash + 1, '#', end - hash - 1)) {
		const char *at = hash + 1;

		while (at < end && *at == ' ')
			at++;
		if ((size_t)(end - at) >= len && !strncasecmp(at, word, len)) {
			for (at += len; at < end && *at == ' '; at++)
				;
			return at;
		}
	}
	return NULL;
}

static void read_result(struct tap *t, const char *line, size_t n, bool ok)
{
	const char *why = directive(line, n, "SKIP");

	t->results++;
	if (why) {
		t->skipped++;
		if (!t->why)
			t->why = cli_printf("%.*s", (int)(line + n - why), why);
	} else if (directive(line, n, "XFAIL") || directive(line, n, "TO" "DO")) {
		t->xfailed++;
	} else if (!ok) {
		t->failed++;
	}
}

void tap_read(const char *text, struct tap *t)
{
	const char *line, *end, *why;

	*t = (struct tap){ 0 };
	for (line = text; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		if (!strncmp(line, "ok ", 3))
			read_result(t, line + 3, end - line - 3, true);
		else if (!strncmp(line, "not ok ", 7))
			read_result(t, line + 7, end - line - 7, false);
		/* A plan without tests says why there are none. */
		else if (!strncmp(line, "1..0", 4)) {
			why = directive(line + 4, end - line - 4, "SKIP");
			if (why && !t->why)
				t->why = cli_printf("%.*s", (int)(end - why), why);
		}
	}
}

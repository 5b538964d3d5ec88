// SPDX-License-Identifier: GPL-2.0-only
/*
 * Labels of tasks, see labels.h. POSIX extended regular expressions, which are searched for in the
 * name of a task and in the function it began in.
 */
#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "report/labels.h"

#define GROUPS	10	/* \0 to \9 */

struct opt_list report_labels;

/* One for each of report_labels, once they have been checked */
static struct label {
	regex_t expression;
	const char *name;
} *labels;

int report_labels_check(const char *command)
{
	char error[128], *pattern;
	const char *text, *equals;
	size_t i;
	int ret;

	labels = cli_realloc(NULL, report_labels.n + 1, sizeof(*labels));
	for (i = 0; i < report_labels.n; i++) {
		text = report_labels.v[i];
		/* An expression may have one in it, too. */
		equals = strrchr(text, '=');
		if (!equals || equals == text || !equals[1])
			return cli_fail(CLI_USAGE, "%s: --label takes REGEX=NAME, not '%s'",
					command, text);
		pattern = cli_printf("%.*s", (int)(equals - text), text);
		ret = regcomp(&labels[i].expression, pattern, REG_EXTENDED);
		free(pattern);
		if (ret) {
			regerror(ret, &labels[i].expression, error, sizeof(error));
			return cli_fail(CLI_USAGE, "%s: --label '%s' has no regular expression: %s",
					command, text, error);
		}
		labels[i].name = equals + 1;
	}
	return CLI_PROCEED;
}

/* \1 to \9 are what the groups matched, \0 is all of it. */
static char *expand(const char *name, const char *text, const regmatch_t *match)
{
	char *out = cli_printf("%s", ""), *longer;

	for (; *name; name++) {
		const regmatch_t *m = *name == '\\' && isdigit((unsigned char)name[1]) ?
				      &match[*++name - '0'] : NULL;
		const char *piece = m ? text + (m->rm_so < 0 ? 0 : m->rm_so) : name;
		int length = !m ? 1 : m->rm_so < 0 ? 0 : (int)(m->rm_eo - m->rm_so);

		longer = cli_printf("%s%.*s", out, length, piece);
		free(out);
		out = longer;
	}
	return out;
}

char *report_label(const char *name, const char *function)
{
	regmatch_t match[GROUPS];
	const char *texts[] = { name, function };
	size_t i, k;

	for (i = 0; i < report_labels.n; i++)
		for (k = 0; k < sizeof(texts) / sizeof(texts[0]); k++)
			if (texts[k] && !regexec(&labels[i].expression, texts[k], GROUPS, match, 0))
				return expand(labels[i].name, texts[k], match);
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pages of a search (html/html.h). See explore.h.
 */
#include <stdlib.h>
#include <unistd.h>

#include "cli.h"
#include "explore.h"
#include "out.h"

/* Tells the command in the VM where the pages go. */
#define VARIABLE	"CHESS_PAGES"

void explore_pages_begin(struct explore_options *o)
{
	const char *given = getenv(VARIABLE);

	if (!o->html)
		return;
	o->curve = cli_alloc(1, sizeof(*o->curve));
	if (where_inside_vm() && given)
		o->html = cli_printf("%s", given);
	unsetenv(VARIABLE);
}

char *explore_pages_send(const struct explore_options *o, const char *out)
{
	char *absolute, *path;

	if (!o->html || where_inside_vm())
		return NULL;
	absolute = out_absolute(out);
	path = cli_printf("%s/pages-%d", absolute, (int)getpid());
	setenv(VARIABLE, path, 1);
	free(absolute);
	return path;
}

static int code_of(int code, int pages)
{
	return pages == CLI_OK || code == CLI_BUG ? code : pages;
}

int explore_pages_fetch(const struct explore_options *o, char *sent, int code)
{
	if (!sent)
		return code;
	unsetenv(VARIABLE);
	if (code != CLI_PROCEED && !access(sent, R_OK))
		code = code_of(code, html_search_move(sent, o->html));
	free(sent);
	return code;
}

struct saying {
	const struct explore_outcome *x;
	const struct explore_account *a;
};

static void say(void *arg)
{
	const struct saying *s = arg;

	explore_print_search(s->x, s->a);
}

int explore_pages_write(const struct explore_outcome *x, const struct explore_account *a, int code)
{
	struct saying saying = { x, a };
	char *text = out_captured(say, &saying);
	const struct html_search h = {
		.argv = x->s->argv,
		.verdict = a->c.covered.ok ? "ok" : chess_verdict_name(x->res->verdict),
		.bug = x->report, .bugs = x->res->bugs, .text = text ? text : "",
		.curve = x->asked->curve, .traces = x->bugs->paths, .n_traces = x->bugs->n,
	};
	int ret = html_search_write(&h, x->asked->html);

	free(text);
	return code_of(code, ret);
}

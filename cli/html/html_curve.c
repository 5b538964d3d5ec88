// SPDX-License-Identifier: GPL-2.0-only
/*
 * The course of a search. A search may make millions of runs; a picture shows some hundreds of
 * them. Runs after which there is a bug more, or after which the search begins again, are kept
 * first, until there is no room. See html.h.
 */
#include "html/html.h"

static bool is_turn(const struct html_curve *c, const struct html_sample *s)
{
	return !c->n || s->found != c->v[c->n - 1].found || s->classes < c->v[c->n - 1].classes;
}

void html_curve_add(struct html_curve *c, const struct html_sample *s)
{
	size_t i;

	if (s->found && !c->first_found)
		c->first_found = s->runs;
	if (!c->every)
		c->every = 1;
	c->last = *s;
	if (++c->skipped < c->every && !is_turn(c, s))
		return;
	c->skipped = 0;
	if (c->n == HTML_SAMPLES) {
		for (i = 0; i < c->n / 2; i++)
			c->v[i] = c->v[2 * i];
		c->n = i;
		c->every *= 2;
	}
	c->v[c->n++] = *s;
}

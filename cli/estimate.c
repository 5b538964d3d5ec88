// SPDX-License-Identifier: GPL-2.0-only
/*
 * The estimated number of runs of a search. See estimate.h. A guess from a few runs has no
 * seventeen digits, and CHESS_ESTIMATE_MAX is no number of runs at all: it only says "more".
 */
#include <stdint.h>
#include <stdio.h>

#include <chessctl/chessctl.h>

#include "estimate.h"

/* Below it every run is counted; complete searches have their exact number. */
#define EXACT_BELOW	1e6

void estimate_text(double estimate, char *text, size_t size)
{
	*text = '\0';
	if (estimate >= CHESS_ESTIMATE_MAX)
		snprintf(text, size, "of more than %.0e, ", CHESS_ESTIMATE_MAX);
	else if (estimate > 0)
		snprintf(text, size, "of about %.*g, ", estimate < EXACT_BELOW ? 6 : 2,
			 estimate < EXACT_BELOW ? (double)(uint64_t)estimate : estimate);
}

struct json_object *estimate_json(double estimate)
{
	char text[32];

	if (estimate <= 0 || estimate >= CHESS_ESTIMATE_MAX)
		return NULL;
	/* As an integer as long as JSON's readers have it exactly. */
	if (estimate < 0x1p53)
		return json_object_new_int64(estimate);
	snprintf(text, sizeof(text), "%.1e", estimate);
	return json_object_new_double_s(estimate, text);
}

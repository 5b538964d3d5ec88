// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See classes.h. A class is known by its digest (hb.h).
 */
#include "record/classes.h"
#include "record/hb.h"
#include "internal.h"

int chess_classes_add(struct chess_hashset *classes, const struct chess_record *r)
{
	uint64_t digest;
	int ret = chess_hb_digest(r, &digest);

	if (!ret)
		ret = chess_hashset_add(classes, digest);
	return ret < 0 ? ret : 0;
}

static const struct {
	const char *name;
	bool may_be_ok;
} causes[] = {
	[CHESS_LEFT_OUT_DIVERGED] = { "diverged", false },
	[CHESS_LEFT_OUT_RECORD] = { "record", false },
	[CHESS_LEFT_OUT_LIMIT] = { "limit", false },
	[CHESS_LEFT_OUT_SCOPE] = { "scope", true },
	[CHESS_LEFT_OUT_ORDERED] = { "ordered", true },
	[CHESS_LEFT_OUT_HB] = { "hb", true },
	[CHESS_LEFT_OUT_SLEEP] = { "sleep", true },
	[CHESS_LEFT_OUT_UNSOUND] = { "unsound", false },
	[CHESS_LEFT_OUT_STATE] = { "state", true },
	[CHESS_LEFT_OUT_FORCED] = { "forced", false },
};

_Static_assert(ARRAY_SIZE(causes) == CHESS_LEFT_OUT_CAUSES, "each cause has a name");

/**
 * chess_left_out_name() - what a cause is called in JSON
 * @cause: from 0
 *
 * Return: its name; NULL after the last one.
 */
const char *chess_left_out_name(enum chess_left_out cause)
{
	return cause < ARRAY_SIZE(causes) ? causes[cause].name : NULL;
}

/**
 * chess_left_out_may_be_ok() - was it asked for, or proven to cost nothing?
 * @cause: from 0
 *
 * Return: false when one way that was left out for it makes a search incomplete.
 */
bool chess_left_out_may_be_ok(enum chess_left_out cause)
{
	return cause < ARRAY_SIZE(causes) && causes[cause].may_be_ok;
}

bool chess_left_out_hole(const uint64_t n[CHESS_LEFT_OUT_CAUSES])
{
	unsigned int i;

	for (i = 0; i < CHESS_LEFT_OUT_CAUSES; i++)
		if (n[i] && !chess_left_out_may_be_ok(i))
			return true;
	return false;
}

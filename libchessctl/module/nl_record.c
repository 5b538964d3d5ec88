// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The record and the accesses of a run: record-get and access-get. See nl_internal.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "module/nl_internal.h"

static int take_record(struct chess_ctl *c, struct nlattr **tb, void *arg)
{
	struct chess_record *r = arg;
	struct nlattr *a;
	int ret = 0;

	a = tb[CHESS_A_RECORD_EVENTS];
	if (a) {
		if (nla_len(a) % sizeof(struct chess_event))
			return chess_set_error(EPROTO, "record-get: %d bytes are not whole events",
					       nla_len(a));
		ret = chess_record_push(r, chess_nl_aligned(c, a),
					nla_len(a) / sizeof(struct chess_event));
	}
	a = tb[CHESS_A_RECORD_STACK];
	if (a && !ret)
		ret = chess_record_push_stack(r, chess_nl_aligned(c, a), nla_len(a));
	a = tb[CHESS_A_RECORD_MAPS];
	if (a && !ret)
		ret = chess_record_set_maps(r, chess_nl_aligned(c, a));
	a = tb[CHESS_A_RECORD_MAPPED];
	if (a && !ret)
		ret = chess_record_set_mapped(r, chess_nl_aligned(c, a));
	a = tb[CHESS_A_RECORD_OBJECTS];
	if (a && !ret)
		ret = chess_record_set_objects(r, nla_data(a), nla_len(a));
	return ret;
}

struct chess_record *chess_record_get(struct chess_ctl *c, uint32_t group)
{
	struct chess_record *r = chess_record_new();
	int ret;

	if (!r)
		return NULL;
	ret = chess_nl_ask(c, CHESS_CMD_RECORD_GET, NLM_F_DUMP, CHESS_A_RECORD_GROUP, group,
			   take_record, r);
	if (ret) {
		chess_record_free(r);
		errno = -ret;
		return NULL;
	}
	return r;
}

struct accesses {
	struct chess_access *v;
	size_t n, room;
	uint64_t lost;
};

static int take_accesses(struct chess_ctl *c, struct nlattr **tb, void *arg)
{
	struct nlattr *a = tb[CHESS_A_ACCESS_ENTRIES];
	struct accesses *out = arg;
	size_t n = a ? nla_len(a) / sizeof(*out->v) : 0;

	(void)c;
	if (tb[CHESS_A_ACCESS_LOST] && nla_len(tb[CHESS_A_ACCESS_LOST]) >= 8)
		out->lost = nla_get_u64(tb[CHESS_A_ACCESS_LOST]);
	if (!n)
		return 0;
	if (chess_array_room(&out->v, &out->room, out->n + n, sizeof(*out->v)))
		return chess_set_error(ENOMEM, "no memory for %zu accesses", out->n + n);
	memcpy(out->v + out->n, nla_data(a), n * sizeof(*out->v));
	out->n += n;
	return 0;
}

int chess_access_get(struct chess_ctl *c, uint32_t group, struct chess_access **out, size_t *n,
		     uint64_t *lost)
{
	struct accesses all = { 0 };
	int ret = chess_nl_ask(c, CHESS_CMD_ACCESS_GET, NLM_F_DUMP, CHESS_A_ACCESS_GROUP, group,
			       take_accesses, &all);

	if (ret) {
		free(all.v);
		return ret;
	}
	*out = all.v;
	*n = all.n;
	*lost = all.lost;
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What people and traces need to know of the sites of a program.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "chessctl/races.h"
#include "internal.h"
#include "code/sites.h"

_Static_assert(CHESS_LEFT_CAUSES <= CHESS_SITE_LEFT_MAX + 1, "each cause has room");

static const char *const keys[CHESS_LEFT_CAUSES] = {
	[CHESS_LEFT_STACK] = "stack", [CHESS_LEFT_FRAME] = "frame",
	[CHESS_LEFT_CONSTANT] = "constant", [CHESS_LEFT_HINT] = "hint",
	[CHESS_LEFT_OPAQUE] = "opaque", [CHESS_LEFT_NO_SLOT] = "no_slot",
};

size_t chess_sites_total(const struct chess_site_table *t)
{
	uint32_t other = !t ? 1 : t->first_sync ? t->first_sync : t->first_heap;

	return other ? other - 1 : t->n;
}

bool chess_site_awaits(const struct chess_site_table *t, uint32_t id)
{
	struct chess_site_place p;

	return chess_site_find(t, id, &p) && p.site->n && p.site->operand->awaits;
}

bool chess_site_facts_get(const struct chess_site_table *t, size_t i, struct chess_site_facts *out)
{
	const struct chess_sites *s;
	unsigned int cause;

	if (!t || i >= t->n_files || t->file[i].sync)
		return false;
	s = &t->file[i].sites;
	*out = (struct chess_site_facts) {
		.path = t->file[i].path, .build_id = t->file[i].build_id,
		.instructions = s->instructions, .sites = s->n,
		.strange = s->strange, .strange_bytes = s->strange_bytes,
		.unknown_bytes = s->unknown_bytes,
		.debug_info = s->debug_info, .only_entries = t->file[i].foreign,
	};
	for (cause = CHESS_LEFT_NOTHING + 1; cause < CHESS_LEFT_CAUSES; cause++) {
		out->left[out->n_left].cause = chess_left_name(cause);
		out->left[out->n_left].key = keys[cause];
		out->left[out->n_left++].n = s->left[cause];
	}
	return true;
}

const char *chess_site_sync_file(const struct chess_site_table *t, size_t i)
{
	size_t k;

	for (k = 0; t && k < t->n_files; k++)
		if (t->file[k].sync && !t->file[k].heap && !i--)
			return t->file[k].path;
	return NULL;
}

bool chess_site_where(const struct chess_site_table *t, uint32_t id, const char **path,
		      uint64_t *offset)
{
	struct chess_site_place place;

	if (!t || !chess_site_find(t, id, &place))
		return false;
	*path = place.file->path;
	*offset = place.site->offset;
	return true;
}

uint32_t chess_site_number(const struct chess_site_table *t, const char *path, uint64_t offset)
{
	const struct chess_site *site;
	size_t i;

	for (i = 0; t && i < t->n_files; i++) {
		if (!chess_site_same_file(t->file[i].path, path))
			continue;
		site = chess_sites_at(&t->file[i].sites, offset);
		if (site)
			return t->file[i].first + (site - t->file[i].sites.v);
	}
	return 0;
}

/* Sites of the points of a trace as chess_points_set() takes them; malloc'ed */
static uint64_t *points_of(const struct chess_site_table *table, const struct chess_trace *t,
			   size_t *words)
{
	uint64_t *map;
	uint32_t site;
	size_t i;

	*words = table->n / 64 + 1;
	map = calloc(*words, sizeof(*map));
	for (i = 0; map && i < t->n_access_points; i++) {
		const struct chess_trace_point *p = &t->access_points[i];

		site = chess_site_number(table, t->code_files[p->file].path, p->offset);
		if (!site) {
			chess_set_error(ENOENT, "there is no access to memory at 0x%llx of %s",
					(unsigned long long)p->offset, t->code_files[p->file].path);
			free(map);
			return NULL;
		}
		map[site / 64] |= 1ULL << site % 64;
	}
	return map;
}

int chess_probe_add_trace(struct chess_ctl *c, uint32_t group, const struct chess_program *p,
			     const char *path, const struct chess_trace *t, bool sync_points)
{
	struct chess_site_table *table = NULL;
	uint64_t *map = NULL;
	size_t words;
	int ret = chess_site_table_new(p, path, (const char *const *)t->code, &table);

	if (!ret)
		ret = chess_site_table_add(table, c, group, sync_points);
	if (ret >= 0) {
		map = points_of(table, t, &words);
		ret = map ? chess_points_set(c, group, map, words) : -ENOENT;
	}
	free(map);
	chess_site_table_free(table);
	return ret;
}

int chess_code_check(const struct chess_program *p, const char *path, const char *const *code)
{
	struct chess_site_table *table = NULL;
	int ret = chess_site_table_new(p, path, code, &table);

	chess_site_table_free(table);
	return ret;
}

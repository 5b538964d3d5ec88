// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What people and traces need to know of the sites of a program.
 */
#include <string.h>

#include "chessctl/races.h"
#include "internal.h"
#include "sites.h"

_Static_assert(CHESS_LEFT_CAUSES <= CHESS_SITE_LEFT_MAX + 1, "each cause has room");

size_t chess_sites_total(const struct chess_site_table *t)
{
	return t ? t->n : 0;
}

bool chess_site_facts_get(const struct chess_site_table *t, size_t i, struct chess_site_facts *out)
{
	const struct chess_sites *s;
	unsigned int cause;

	if (!t || i >= t->n_files)
		return false;
	s = &t->file[i].sites;
	*out = (struct chess_site_facts) {
		.path = t->file[i].path, .build_id = t->file[i].build_id,
		.instructions = s->instructions, .sites = s->n,
		.strange = s->strange, .strange_bytes = s->strange_bytes,
		.unknown_bytes = s->unknown_bytes,
	};
	for (cause = CHESS_LEFT_NOTHING + 1; cause < CHESS_LEFT_CAUSES; cause++) {
		out->left[out->n_left].cause = chess_left_name(cause);
		out->left[out->n_left++].n = s->left[cause];
	}
	return true;
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
		if (strcmp(t->file[i].path, path))
			continue;
		site = chess_sites_at(&t->file[i].sites, offset);
		if (site)
			return t->file[i].first + (site - t->file[i].sites.v);
	}
	return 0;
}

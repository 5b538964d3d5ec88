// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where two records differ; see difference.h.
 */
#include <inttypes.h>
#include <stdio.h>

#include "difference.h"

#define SHOWN_BEFORE	6
#define SHOWN_AFTER	4

static void show_event(const char *which, const struct chess_record *r, size_t i)
{
	const struct chess_event *e;

	if (i >= chess_record_length(r)) {
		printf("# %s %5zu (end of the record)\n", which, i + 1);
		return;
	}
	e = chess_record_event(r, i);
	printf("# %s %5u %-10s T%u -> ", which, e->seq, chess_event_type_name(e->type), e->task);
	if (e->chosen == CHESS_TASK_NONE)
		printf("-");
	else
		printf("T%u", e->chosen);
	if (e->op)
		printf(" %s", chess_op_name(e->op));
	if (e->flags & CHESS_OPF_PROBE) {
		const struct chess_wrapper *w = chess_wrapper_find(e->nr);

		printf(" %s", w ? w->symbol : "?");
	} else if (e->type == CHESS_EVENT_POINT) {
		printf(" %s", chess_syscall_name(e->nr));
	}
	printf(" flags %#x object %u:%#" PRIx64 " enabled %#" PRIx64 " timed %#" PRIx64
	       " ip %#" PRIx64 " caller %#" PRIx64 " arg %#" PRIx64 "\n", e->flags,
	       e->object_kind, (uint64_t)e->object, (uint64_t)e->enabled, (uint64_t)e->timed,
	       (uint64_t)e->ip, (uint64_t)e->caller, (uint64_t)e->arg);
}

void difference_show(const struct chess_record *first, const struct chess_record *other,
		     size_t at)
{
	size_t i = at > SHOWN_BEFORE ? at - SHOWN_BEFORE : 0;

	for (; i < at; i++)
		show_event("both ", first, i);
	for (; i < at + SHOWN_AFTER; i++) {
		show_event("first", first, i);
		show_event("this ", other, i);
	}
}

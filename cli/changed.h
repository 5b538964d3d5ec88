/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a program was given when its trace was made, and what of that is something else
 * now: files, their builds, environment, limit of the stack, kernel. What makes a replay
 * differ is most often among it.
 */
#ifndef CLI_CHANGED_H
#define CLI_CHANGED_H

#include <chessctl/chessctl.h>
#include <json-c/json.h>

/* Sentences, malloc'ed. */
struct changed {
	char **text;
	size_t n;
};

/* Fills in what @t says of our environment and limits; what it borrows stays. */
void changed_note_surroundings(struct chess_trace *t);
/* The same of @maps, which @t borrows: each file in it that can be read. */
void changed_note_maps(struct chess_trace *t, const char *maps);
/*
 * What is not as @t says. @seen has the maps of a run made now; NULL: none was made.
 */
void changed_find(const struct chess_trace *t, const struct chess_trace *seen,
		  struct changed *out);
void changed_print(const struct changed *c, FILE *to);
/* adds "changed" */
void changed_json(const struct changed *c, struct json_object *o);
void changed_clear(struct changed *c);

#endif /* CLI_CHANGED_H */

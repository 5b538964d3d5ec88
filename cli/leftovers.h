/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a run leaves in the folders that are empty with --private-tmp.
 */
#ifndef CLI_LEFTOVERS_H
#define CLI_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct leftovers - the names in those folders at one moment
 * @names: sorted, as paths
 * @n: how many
 */
struct leftovers {
	char **names;
	size_t n;
};

void leftovers_note(struct leftovers *l);
bool leftovers_are_more(const struct leftovers *l);
void leftovers_clear(struct leftovers *l);
bool leftovers_are_asked_for(char **argv);

#endif /* CLI_LEFTOVERS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The estimated number of runs of a search, for people and as JSON.
 */
#ifndef CLI_ESTIMATE_H
#define CLI_ESTIMATE_H

#include <json-c/json.h>
#include <stddef.h>

/**
 * estimate_text() - "of about 1500, ", for a line of progress
 * @estimate: as in struct chess_explore_result
 * @text: written; empty when nothing is known
 * @size: of it
 */
void estimate_text(double estimate, char *text, size_t size);

/**
 * estimate_json() - the number, with no more digits than are known
 * @estimate: as in struct chess_explore_result
 *
 * Return: to be owned by the caller; NULL (null) when nothing is known, and when it is more
 * than can be estimated.
 */
struct json_object *estimate_json(double estimate);

#endif /* CLI_ESTIMATE_H */

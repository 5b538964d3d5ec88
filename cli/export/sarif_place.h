/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Places in source code as SARIF has them. sarif.c calls it.
 */
#ifndef CLI_SARIF_PLACE_H
#define CLI_SARIF_PLACE_H

#include "export/export.h"

/*
 * A location with a message. One without a source file is in the program's file, so that it
 * is in some file.
 */
struct json_object *sarif_location(const struct export *x, const struct place *at,
				   const char *text);
/* "originalUriBaseIds": the folder in which the program ran, relative to which sources are named */
struct json_object *sarif_bases(const struct export *x);

#endif /* CLI_SARIF_PLACE_H */

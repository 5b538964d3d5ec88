/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * source_file.c: the text of a source file, for pages and for chessctl step.
 */
#ifndef CLI_REPORT_SOURCE_FILE_H
#define CLI_REPORT_SOURCE_FILE_H

#include <stdbool.h>
#include <time.h>

#include "report/symbolize.h"

/* The path of the file that @p, which has one, is in; malloc'ed */
char *source_file_path(const struct place *p);

/*
 * Its text, malloc'ed; NULL if it has none that can be shown. @cwd: where it is looked for, too;
 * may be NULL. @newer: it was changed after @built, unless that is zero.
 */
char *source_file_read(const char *path, const char *cwd, const struct timespec *built,
		       bool *newer);

#endif /* CLI_REPORT_SOURCE_FILE_H */

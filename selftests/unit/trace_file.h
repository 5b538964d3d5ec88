/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of traces as text, for the units that read and write traces.
 */
#ifndef SELFTESTS_UNIT_TRACE_FILE_H
#define SELFTESTS_UNIT_TRACE_FILE_H

#include <stddef.h>

/* The text, with a NUL after it; NULL: there is no such file. */
char *load(const char *path, size_t *size);
void store(const char *path, const char *text, size_t size);
/* As a person would who edits a trace and mends the checksum. */
void store_with_checksum(const char *path, const char *body);

#endif /* SELFTESTS_UNIT_TRACE_FILE_H */

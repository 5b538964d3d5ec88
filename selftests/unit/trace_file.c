// SPDX-License-Identifier: GPL-2.0-only
/*
 * See trace_file.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "harness.h"
#include "mix.h"
#include "trace/trace.h"
#include "trace_file.h"

char *load(const char *path, size_t *size)
{
	struct stat st;
	FILE *f = fopen(path, "r");
	char *text;

	if (!f || fstat(fileno(f), &st))
		return NULL;
	text = calloc(1, st.st_size + 1);
	*size = fread(text, 1, st.st_size, f);
	fclose(f);
	return text;
}

void store(const char *path, const char *text, size_t size)
{
	FILE *f = fopen(path, "w");

	ASSERT_NE(NULL, (void *)f);
	ASSERT_EQ(size, fwrite(text, 1, size, f));
	fclose(f);
}

void store_with_checksum(const char *path, const char *body)
{
	char *text;
	int n = asprintf(&text, "%schecksum %016llx\n", body, (unsigned long long)
			 chess_hash_bytes(CHESS_HASH_START, body, strlen(body)));

	ASSERT_LT(0, n);
	store(path, text, n);
	free(text);
}

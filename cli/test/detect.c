// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which harness does a program have? Its file is read for what only that harness writes, and
 * never started to find out: nobody knows what an unknown program does with "-l".
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chessctl/test.h>

#include "cli.h"
#include "test.h"

static const char *const names[] = {
	[HARNESS_AUTO] = "auto", [HARNESS_NONE] = "none", [HARNESS_KSELFTEST] = "kselftest",
	[HARNESS_KSFT] = "ksft", [HARNESS_GTEST] = "gtest", [HARNESS_CMOCKA] = "cmocka",
	[HARNESS_CHECK] = "check", [HARNESS_TAP] = "tap", [HARNESS_CHESS] = "chess",
};

/* The first that is found counts: a program with a harness may print TAP as well. */
static const struct {
	enum harness harness;
	const char *text;
} marks[] = {
	{ HARNESS_CHESS, CHESS_TEST_MARK },
	{ HARNESS_KSELFTEST, "[-h|-l] [-t|-T|-v|-V|-f|-F|-r name]" },
	{ HARNESS_GTEST, "gtest_list_tests" },
	{ HARNESS_GTEST, "libgtest.so" },
	{ HARNESS_CMOCKA, "libcmocka.so" },
	{ HARNESS_CMOCKA, "CMOCKA_MESSAGE_OUTPUT" },
	{ HARNESS_CHECK, "libcheck.so" },
	{ HARNESS_CHECK, "CK_RUN_CASE" },
	{ HARNESS_KSFT, "# Totals: pass:%" },
	{ HARNESS_TAP, "TAP version 1" },
};

int harness_by_name(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return i;
	return -1;
}

const char *harness_name(enum harness h)
{
	return names[h];
}

static const char *map_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const char *text = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size) {
		text = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		*size = st.st_size;
	}
	close(fd);
	return text == MAP_FAILED ? NULL : text;
}

static bool has_text(const char *path, const char *mark)
{
	size_t size;
	const char *text = map_file(path, &size);
	bool found = text && memmem(text, size, mark, strlen(mark));

	if (text)
		munmap((void *)text, size);
	return found;
}

enum harness harness_of_file(const char *path)
{
	enum harness found = HARNESS_NONE;
	size_t i, size;
	const char *text = map_file(path, &size);

	for (i = 0; text && i < sizeof(marks) / sizeof(marks[0]) && found == HARNESS_NONE; i++)
		if (memmem(text, size, marks[i].text, strlen(marks[i].text)))
			found = marks[i].harness;
	if (text)
		munmap((void *)text, size);
	return found;
}

bool harness_has_cmocka_filter(const char *path)
{
	static const char variable[] = "CMOCKA_TEST_FILTER";
	char **files = chess_symbols_files(path), **f;
	bool found = has_text(path, variable);

	for (f = files; f && *f; f++) {
		found |= strstr(*f, "cmocka") && has_text(*f, variable);
		free(*f);
	}
	free(files);
	return found;
}

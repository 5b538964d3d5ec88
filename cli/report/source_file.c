// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source files that a program's debug information names. What is read is shown to people, in pages
 * that are given to others too: only regular files with the name of a source file are read, so that
 * no program can have a key copied. See source_file.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "report/source_file.h"

#define FILE_MAX	(8u << 20)

static bool has_name_of_source(const char *path)
{
	static const char *const ends[] = {
		".c", ".h", ".cc", ".cpp", ".cxx", ".c++", ".C", ".hh", ".hpp", ".hxx", ".inc",
		".inl", ".ipp", ".tcc", ".rs", ".go", ".d", ".s", ".S", ".f90", ".f", ".m", ".mm",
		".zig", ".adb", ".ads", ".pas", ".ml", ".y", ".l",
	};
	const char *dot = strrchr(path, '.');
	size_t i;

	if (!dot || strchr(dot, '/'))
		return false;
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!strcmp(dot, ends[i]))
			return true;
	return false;
}

/* A pipe of that name must not stop us. */
static int open_plainly(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

/*
 * The file, or where there is none one below the directory the program ran in whose path ends
 * the same: programs are built in one place and run in another.
 */
static int open_source(const char *path, const char *cwd)
{
	int fd = *path == '/' ? open_plainly(path) : -1;
	char *below;

	for (; fd < 0 && cwd && path; path = strchr(path, '/')) {
		path += strspn(path, "/");
		below = cli_printf("%s/%s", cwd, path);
		fd = open_plainly(below);
		free(below);
	}
	return fd;
}

char *source_file_path(const struct place *p)
{
	return *p->file == '/' || !p->directory ? cli_printf("%s", p->file) :
	       cli_printf("%s/%s", p->directory, p->file);
}

char *source_file_read(const char *path, const char *cwd, const struct timespec *built,
		       bool *newer)
{
	ssize_t got, size = 0;
	char *text = NULL;
	struct stat st;
	int fd;

	if (!has_name_of_source(path))
		return NULL;
	fd = open_source(path, cwd);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > FILE_MAX)
		goto out;
	*newer = built->tv_sec && (st.st_mtim.tv_sec > built->tv_sec ||
		 (st.st_mtim.tv_sec == built->tv_sec && st.st_mtim.tv_nsec > built->tv_nsec));
	text = cli_alloc(st.st_size + 1, 1);
	while (size < st.st_size && (got = read(fd, text + size, st.st_size - size)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		size += got;
	}
	if (memchr(text, 0, size)) {
		free(text);
		text = NULL;
	}
out:
	close(fd);
	return text;
}

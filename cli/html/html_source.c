// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of source files around the places of a run, read when the page is made. Which files
 * these are is written in the program, and pages are given to others: only regular files with
 * the name of a source file are read, so that no program can have a key copied. See
 * html_parts.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "html/html_parts.h"
#include "out.h"

#define AROUND		8		/* lines before and after */
#define LINE_MAX_BYTES	240
#define LINES_MAX	6000		/* of all files */
#define FILE_MAX	(8u << 20)

/**
 * struct source - a source file
 * @path: as the program's debug information has it
 * @built: when the program that names it was last changed
 * @lines: that are to be shown, ascending order is not needed
 */
struct source {
	char *path;
	struct timespec built;
	int *lines;
	size_t n;
};

struct html_sources {
	char *cwd;
	struct source *file;
	size_t n;
};

struct html_sources *html_sources_new(const char *cwd)
{
	struct html_sources *s = cli_alloc(1, sizeof(*s));

	s->cwd = cwd ? cli_printf("%s", cwd) : NULL;
	return s;
}

void html_sources_free(struct html_sources *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		free(s->file[i].path);
		free(s->file[i].lines);
	}
	free(s->file);
	free(s->cwd);
	free(s);
}

int html_source_line(struct html_sources *s, const struct place *p)
{
	struct source *f;
	struct stat st;
	char *path;
	size_t i;

	if (!p->file)
		return -1;
	path = *p->file == '/' || !p->directory ? cli_printf("%s", p->file) :
	       cli_printf("%s/%s", p->directory, p->file);
	for (i = 0; i < s->n && strcmp(s->file[i].path, path); i++)
		;
	if (i == s->n) {
		s->file = cli_realloc(s->file, ++s->n, sizeof(*s->file));
		f = &s->file[i];
		memset(f, 0, sizeof(*f));
		f->path = path;
		path = NULL;
		if (p->module && !stat(p->module, &st))
			f->built = st.st_mtim;
	}
	free(path);
	f = &s->file[i];
	f->lines = cli_realloc(f->lines, f->n + 1, sizeof(*f->lines));
	f->lines[f->n++] = p->line;
	return i;
}

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
static int open_source(const struct html_sources *s, const char *path)
{
	int fd = *path == '/' ? open_plainly(path) : -1;
	char *below;

	for (; fd < 0 && s->cwd && path; path = strchr(path, '/')) {
		path += strspn(path, "/");
		below = cli_printf("%s/%s", s->cwd, path);
		fd = open_plainly(below);
		free(below);
	}
	return fd;
}

/* The text of @f, malloc'ed; NULL if it has none that can be shown. */
static char *read_source(const struct html_sources *s, const struct source *f, bool *newer)
{
	ssize_t got, size = 0;
	char *text = NULL;
	struct stat st;
	int fd;

	if (!has_name_of_source(f->path))
		return NULL;
	fd = open_source(s, f->path);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > FILE_MAX)
		goto out;
	*newer = f->built.tv_sec && (st.st_mtim.tv_sec > f->built.tv_sec ||
		 (st.st_mtim.tv_sec == f->built.tv_sec &&
		  st.st_mtim.tv_nsec > f->built.tv_nsec));
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

/* Which of the lines 1 to @n are shown: those of @f with those around; malloc'ed. */
static bool *lines_shown(const struct source *f, int n)
{
	bool *shown = cli_alloc(n + 1, sizeof(*shown));
	size_t i;
	int line;

	for (i = 0; i < f->n; i++)
		for (line = f->lines[i] - AROUND; line <= f->lines[i] + AROUND; line++)
			if (line >= 1 && line <= n)
				shown[line] = true;
	return shown;
}

/* Array of [number of the first line, [line, ...]] */
static struct json_object *pieces(const struct source *f, char *text, size_t *left)
{
	struct json_object *list = json_object_new_array(), *piece, *lines = NULL;
	int n = 1, line = 1;
	char *c, *end;
	bool *shown;

	for (c = text; (c = strchr(c, '\n')); c++)
		n++;
	shown = lines_shown(f, n);
	for (c = text; c; c = end, line++) {
		size_t length;

		end = strchr(c, '\n');
		length = end ? (size_t)(end - c) : strlen(c);
		end = end ? end + 1 : NULL;
		if (!shown[line] || !*left || (!end && !length)) {
			lines = NULL;
			continue;
		}
		if (!lines) {
			piece = json_object_new_array();
			lines = json_object_new_array();
			json_object_array_add(piece, json_object_new_int(line));
			json_object_array_add(piece, lines);
			json_object_array_add(list, piece);
		}
		if (length && c[length - 1] == '\r')
			length--;
		json_object_array_add(lines, json_object_new_string_len(c,
				      length < LINE_MAX_BYTES ? length : LINE_MAX_BYTES));
		(*left)--;
	}
	free(shown);
	return list;
}

struct json_object *html_sources_json(struct html_sources *s)
{
	struct json_object *list = json_object_new_array(), *o;
	size_t i, left = LINES_MAX;

	for (i = 0; i < s->n; i++) {
		bool newer = false;
		char *text = read_source(s, &s->file[i], &newer);

		o = json_object_new_object();
		out_json_string(o, "path", s->file[i].path);
		out_json_bool(o, "newer", newer);
		json_object_object_add(o, "pieces", text ? pieces(&s->file[i], text, &left) :
				       json_object_new_array());
		json_object_array_add(list, o);
		free(text);
	}
	return list;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of source files around the places of a run, read when the page is made. See
 * html_parts.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "html/html_parts.h"
#include "out.h"
#include "report/source_file.h"

#define AROUND		8		/* lines before and after */
#define LINE_MAX_BYTES	240
#define LINES_MAX	6000		/* of all files */

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
	path = source_file_path(p);
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
		char *text = source_file_read(s->file[i].path, s->cwd, &s->file[i].built, &newer);

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

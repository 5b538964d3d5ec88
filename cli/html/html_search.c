// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pages of a search: one for each trace, and one with its course, the traces and what is
 * said of it. See html.h.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "html/html.h"
#include "html/html_parts.h"
#include "html_hashes.h"
#include "out.h"
#include "trace_json.h"
#include "tracefile.h"

/* files.S: each ends with a zero byte */
extern const char html_search_template[], html_search_script[];

/* "chess-traces/abba-deadlock-1.trace" becomes "abba-deadlock-1"; malloc'ed */
static char *name_of(const char *trace)
{
	const char *base = strrchr(trace, '/');
	size_t n;

	base = base ? base + 1 : trace;
	n = strlen(base);
	if (n > 6 && !strcmp(base + n - 6, ".trace"))
		n -= 6;
	return cli_printf("%.*s", (int)n, base);
}

/* A trace, with its page; NULL after one sentence if either cannot be had. */
static struct json_object *add_trace(const char *path, const char *dir)
{
	char *name = name_of(path), *page = cli_printf("%s.html", name), *replay, *file;
	struct chess_trace *t = tracefile_open(path);
	struct json_object *o = NULL;
	struct report r;

	file = cli_printf("%s/%s", dir, page);
	if (t && t->record) {
		report_open(&r, t);
		if (html_write(&r, trace_json(&r, path, HTML_PREEMPTIONS), path, file) == CLI_OK) {
			o = json_object_new_object();
			replay = html_replay(&r, path);
			out_json_string(o, "name", name);
			out_json_string(o, "page", page);
			out_json_string(o, "replay", replay);
			out_json_string(o, "verdict", chess_verdict_name(t->verdict));
			out_json_int(o, "preemptions", chess_record_preemptions(t->record));
			out_json_int(o, "tasks", chess_record_tasks(t->record));
			out_json_int(o, "points", chess_record_points(t->record));
			free(replay);
		}
		report_close(&r);
	}
	chess_trace_free(t);
	free(file);
	free(page);
	free(name);
	return o;
}

static struct json_object *lines_of(const char *text)
{
	struct json_object *lines = json_object_new_array();
	const char *end;

	for (; *text; text = *end ? end + 1 : end) {
		end = strchrnul(text, '\n');
		json_object_array_add(lines, json_object_new_string_len(text, end - text));
	}
	return lines;
}

static struct json_object *curve_json(const struct html_curve *c)
{
	struct json_object *o = json_object_new_object(), *column[4];
	static const char *const name[] = { "runs", "classes", "seconds", "found" };
	const struct html_sample *s;
	size_t i;

	for (i = 0; i < 4; i++) {
		column[i] = json_object_new_array();
		json_object_object_add(o, name[i], column[i]);
	}
	for (i = 0; i < c->n + (c->skipped > 0); i++) {
		s = i < c->n ? &c->v[i] : &c->last;
		json_object_array_add(column[0], json_object_new_int64(s->runs));
		json_object_array_add(column[1], json_object_new_int64(s->classes));
		json_object_array_add(column[2], json_object_new_double(s->seconds));
		json_object_array_add(column[3], json_object_new_int64(s->found));
	}
	return o;
}

static int make_directory(const char *dir)
{
	struct stat st;

	if (!mkdir(dir, 0777) || (errno == EEXIST && !stat(dir, &st) && S_ISDIR(st.st_mode)))
		return CLI_OK;
	return cli_fail(CLI_ENVIRONMENT,
			"the directory '%s' for pages cannot be made: %s; name another one", dir,
			strerror(errno));
}

int html_search_write(const struct html_search *s, const char *dir)
{
	struct html_page page = {
		.template = html_search_template, .script = html_search_script,
		.script_hash = HTML_SEARCH_HASH, .data = json_object_new_object(),
	};
	struct json_object *traces = json_object_new_array(), *one;
	char *command = out_quote((char **)s->argv), *file;
	int ret = make_directory(dir);
	size_t i;

	for (i = 0; i < s->n_traces && ret == CLI_OK; i++) {
		one = add_trace(s->traces[i], dir);
		if (one)
			json_object_array_add(traces, one);
		else
			ret = CLI_ENVIRONMENT;
	}
	page.title = html_title("search", s->argv[0]);
	out_json_string(page.data, "command", command);
	out_json_string(page.data, "verdict", s->verdict);
	out_json_bool(page.data, "bug", s->bug);
	out_json_int(page.data, "bugs", s->bugs);
	out_json_int(page.data, "first_found", s->curve->first_found);
	json_object_object_add(page.data, "text", lines_of(s->text));
	json_object_object_add(page.data, "curve", curve_json(s->curve));
	json_object_object_add(page.data, "traces", traces);
	file = cli_printf("%s/index.html", dir);
	if (ret == CLI_OK)
		ret = html_save(&page, file);
	free(file);
	free(page.title);
	free(command);
	json_object_put(page.data);
	return ret;
}

int html_search_move(const char *from, const char *dir)
{
	char *old, *new;
	int ret = make_directory(dir);
	struct dirent *d;
	DIR *list;

	list = ret == CLI_OK ? opendir(from) : NULL;
	while (list && ret == CLI_OK && (d = readdir(list))) {
		if (*d->d_name == '.')
			continue;
		old = cli_printf("%s/%s", from, d->d_name);
		new = cli_printf("%s/%s", dir, d->d_name);
		if (rename(old, new))
			ret = cli_fail(CLI_ENVIRONMENT,
				       "the pages cannot be moved to '%s': %s; they are in '%s'",
				       dir, strerror(errno), from);
		free(old);
		free(new);
	}
	if (list)
		closedir(list);
	if (ret == CLI_OK)
		rmdir(from);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Output of the commands: colour, JSON, progress, names of traces. See out.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "estimate.h"
#include "out.h"
#include "plain.h"

static const char *colour(const char *sequence)
{
	static int use = -1;

	if (use < 0) {
		const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

		use = isatty(STDOUT_FILENO) && !(no && *no) && !(term && !strcmp(term, "dumb"));
	}
	return use ? sequence : "";
}

const char *out_bold(void)
{
	return colour("\033[1m");
}

const char *out_bad(void)
{
	return colour("\033[1;31m");
}

const char *out_good(void)
{
	return colour("\033[1;32m");
}

const char *out_plain(void)
{
	return colour("\033[0m");
}

/* Sequences that begin with ESC [ go, up to the letter that ends them. */
static void remove_colours(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text == '\033' && text[1] == '[') {
			text += 2 + strspn(text + 2, "0123456789;");
			if (!*text)
				break;
		} else {
			*to++ = *text;
		}
	}
	*to = 0;
}

/* To the file of @fd in place of what @stream writes to. Where that was, -1: it stays. */
static int redirect(FILE *stream, int own, int fd)
{
	int real = dup(own);

	fflush(stream);
	if (real >= 0 && dup2(fd, own) < 0) {
		close(real);
		real = -1;
	}
	return real;
}

static void restore(FILE *stream, int own, int real)
{
	fflush(stream);
	if (real < 0)
		return;
	dup2(real, own);
	close(real);
}

static char *captured(void (*print)(void *arg), void *arg, bool notes)
{
	int fd = memfd_create("output", MFD_CLOEXEC), out, err = -1;
	char *text = NULL;
	off_t size;

	if (fd < 0)
		return NULL;
	out = redirect(stdout, STDOUT_FILENO, fd);
	if (notes)
		err = redirect(stderr, STDERR_FILENO, fd);
	if (out >= 0) {
		print(arg);
		restore(stdout, STDOUT_FILENO, out);
		size = lseek(fd, 0, SEEK_END);
		text = cli_alloc(size + 1, 1);
		if (pread(fd, text, size, 0) != size) {
			free(text);
			text = NULL;
		} else {
			remove_colours(text);
		}
	}
	restore(stderr, STDERR_FILENO, err);
	close(fd);
	return text;
}

char *out_captured(void (*print)(void *arg), void *arg)
{
	return captured(print, arg, false);
}

char *out_captured_all(void (*print)(void *arg), void *arg)
{
	return captured(print, arg, true);
}

int out_finish(int code)
{
	if (!fflush(stdout) && !ferror(stdout))
		return code;
	cli_note("the results could not be written to stdout: %s", strerror(errno));
	/* Scripts go by the code: a bug that nobody can read about is still one. */
	return code == CLI_BUG ? CLI_BUG : CLI_ENVIRONMENT;
}

void out_json(struct json_object *o)
{
	plain_json(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
						  JSON_C_TO_STRING_NOSLASHESCAPE), stdout);
	json_object_put(o);
}

void out_json_string(struct json_object *o, const char *key, const char *value)
{
	json_object_object_add(o, key, value ? json_object_new_string(value) : NULL);
}

void out_json_uint(struct json_object *o, const char *key, uint64_t value)
{
	json_object_object_add(o, key, json_object_new_uint64(value));
}

void out_json_line(struct json_object *o, FILE *to)
{
	plain_json(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
						  JSON_C_TO_STRING_NOSLASHESCAPE), to);
}

void out_json_int(struct json_object *o, const char *key, int64_t value)
{
	json_object_object_add(o, key, json_object_new_int64(value));
}

void out_json_bool(struct json_object *o, const char *key, bool value)
{
	json_object_object_add(o, key, json_object_new_boolean(value));
}

void out_json_double(struct json_object *o, const char *key, double value)
{
	json_object_object_add(o, key, json_object_new_double(value));
}

void out_json_strings(struct json_object *o, const char *key, char *const *values)
{
	struct json_object *a = json_object_new_array();

	for (; values && *values; values++)
		json_object_array_add(a, json_object_new_string(*values));
	json_object_object_add(o, key, a);
}

const char *out_progress_form = "text";

int out_progress_check(const char *command)
{
	const char *form = out_progress_form;

	if (!strcmp(form, "text") || !strcmp(form, "json") || !strcmp(form, "none"))
		return CLI_PROCEED;
	return cli_fail(CLI_USAGE, "%s: --progress takes text, json or none, not '%s'", command,
			form);
}

static double rate_of(const struct out_work *w)
{
	return w->seconds > 0 ? w->runs / w->seconds : 0;
}

static void progress_number(struct json_object *o, const char *key, int64_t value)
{
	json_object_object_add(o, key, value < 0 ? NULL : json_object_new_int64(value));
}

/* Numbers as people write them: seventeen digits are more than a clock has. */
static void progress_fraction(struct json_object *o, const char *key, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3f", value);
	json_object_object_add(o, key, json_object_new_double_s(value, text));
}

static void progress_json(const struct out_work *w, bool done)
{
	struct json_object *o = json_object_new_object();
	bool known = w->estimate > 0 && w->estimate < CHESS_ESTIMATE_MAX;
	double left = known && w->estimate > w->runs ? w->estimate - w->runs : 0;

	out_json_string(o, "phase", w->phase);
	json_object_object_add(o, "runs", json_object_new_int64(w->runs));
	progress_fraction(o, "seconds", w->seconds);
	progress_fraction(o, "runs_per_second", rate_of(w));
	json_object_object_add(o, "estimate", estimate_json(w->estimate));
	json_object_object_add(o, "left", !known ? NULL : left < 1 ? json_object_new_int64(0) :
			       estimate_json(left));
	progress_number(o, "found", w->found);
	progress_number(o, "bound", w->bound);
	out_json_bool(o, "done", done);
	out_json_line(o, stderr);
	json_object_put(o);
}

/* ", about 5 min left" */
static const char *time_left(const struct out_work *w, char *text, size_t size)
{
	double left = w->estimate - w->runs, seconds;

	*text = '\0';
	if (left <= 0 || w->estimate >= CHESS_ESTIMATE_MAX || rate_of(w) <= 0)
		return text;
	seconds = left / rate_of(w);
	if (seconds < 90)
		snprintf(text, size, ", about %.0f s left", seconds);
	else if (seconds < 90 * 60)
		snprintf(text, size, ", about %.0f min left", seconds / 60);
	else if (seconds < 1e6)
		snprintf(text, size, ", about %.0f h left", seconds / 3600);
	return text;
}

bool out_progress_due(struct out_progress *p, double seconds)
{
	bool json = !strcmp(out_progress_form, "json"), often;

	if (!strcmp(out_progress_form, "none"))
		return false;
	if (!p->ready) {
		p->terminal = !json && isatty(STDERR_FILENO);
		p->ready = true;
	}
	often = p->terminal || json;
	/* A log file gets no line for a search that is over in a moment. */
	return seconds >= (p->shown ? p->last + (often ? 1 : 10) : often ? 0.2 : 2);
}

void out_progress(struct out_progress *p, const struct out_work *w)
{
	bool json = !strcmp(out_progress_form, "json");
	char left[40];

	if (!out_progress_due(p, w->seconds))
		return;
	p->last = w->seconds;
	p->shown = true;
	if (json)
		progress_json(w, false);
	else
		fprintf(stderr, "%schessctl: %s: %llu runs, %.0f runs/s, %s%s%s",
			p->terminal ? "\r" : "", w->phase, (unsigned long long)w->runs,
			rate_of(w), w->rest, time_left(w, left, sizeof(left)),
			p->terminal ? "\033[K" : "\n");
	fflush(stderr);
}

void out_progress_done(struct out_progress *p, const struct out_work *w)
{
	out_progress_end(p);
	if (!strcmp(out_progress_form, "json"))
		progress_json(w, true);
}

void out_progress_end(struct out_progress *p)
{
	if (p->shown && p->terminal)
		fputs("\r\033[K", stderr);
}

/* As mkdir -p does. */
static int make_folders(struct out_dir *d)
{
	char *path = strdup(d->path), end;
	size_t n = 0;
	int ret = 0;

	if (!path)
		return -ENOMEM;
	while (path[n] && !ret) {
		n += strspn(path + n, "/");
		n += strcspn(path + n, "/");
		end = path[n];
		path[n] = '\0';
		if (!mkdir(path, 0777))
			d->made = d->made ? d->made : n;
		else if (errno != EEXIST)
			ret = -errno;
		path[n] = end;
	}
	free(path);
	return ret;
}

/* The kernel refuses to remove those that are not empty; the last ones may not be there. */
static void remove_folders(struct out_dir *d)
{
	char *path = d->made ? strdup(d->path) : NULL;
	size_t n = path ? strlen(path) : 0;

	while (n && path[n - 1] == '/')
		n--;
	while (n && n >= d->made) {
		path[n] = '\0';
		if (rmdir(path) && errno == ENOTEMPTY)
			break;
		while (n && path[n - 1] != '/')
			n--;
		while (n && path[n - 1] == '/')
			n--;
	}
	free(path);
	d->made = 0;
}

int out_dir_open(struct out_dir *d, const char *path)
{
	struct stat st;
	int ret;

	d->path = path ? path : OUT_DIR_DEFAULT;
	d->made = 0;
	ret = make_folders(d);
	if (ret) {
		remove_folders(d);
		return cli_fail(CLI_ENVIRONMENT,
				"the folder for traces '%s' cannot be made: %s; choose one with --out DIR",
				d->path, strerror(-ret));
	}
	if (stat(d->path, &st) || !S_ISDIR(st.st_mode))
		return cli_fail(CLI_ENVIRONMENT,
				"'%s' is not a folder, so no trace can go there; choose one with --out DIR",
				d->path);
	if (faccessat(AT_FDCWD, d->path, W_OK | X_OK, AT_EACCESS))
		return cli_fail(CLI_ENVIRONMENT,
				"the folder for traces '%s' cannot be written: %s; choose one with --out DIR",
				d->path, strerror(errno));
	return CLI_PROCEED;
}

void out_dir_close(struct out_dir *d)
{
	remove_folders(d);
}

/* Reserves the name against a second command in the same folder. */
static bool reserve(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static char *free_name(const struct out_dir *d, const char *program, const char *verdict,
		       const char *kind, void (*announce)(void *arg, const char *path), void *arg)
{
	const char *base = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
	const char *slash = d->path[strlen(d->path) - 1] == '/' ? "" : "/";
	unsigned int n;

	for (n = 1; n < 1000000; n++) {
		char *number = *kind && n == 1 ? cli_printf("%s", "") : cli_printf("-%u", n);
		char *path = cli_printf("%s%s%s-%s%s%s.trace", d->path, slash, base, verdict,
					kind, number);

		free(number);
		if (announce && access(path, F_OK))
			announce(arg, path);
		if (reserve(path))
			return path;
		free(path);
		if (errno != EEXIST)
			return NULL;
	}
	errno = EEXIST;
	return NULL;
}

char *out_trace_name(const struct out_dir *d, const char *program, const char *verdict,
		     void (*announce)(void *arg, const char *path), void *arg)
{
	return free_name(d, program, verdict, "", announce, arg);
}

char *out_shrunk_name(const struct out_dir *d, const char *program, const char *verdict)
{
	return free_name(d, program, verdict, "-shrunk", NULL, NULL);
}

char *out_absolute(const char *path)
{
	char *cwd, *all;

	if (*path == '/')
		return cli_printf("%s", path);
	cwd = getcwd(NULL, 0);
	if (!cwd)
		return cli_printf("%s", path);
	while (!strncmp(path, "./", 2))
		path += 2;
	all = cli_printf("%s/%s", strcmp(cwd, "/") ? cwd : "", path);
	free(cwd);
	return all;
}

static bool is_plain(const char *s)
{
	return *s && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			       "_-./=:,+@%^") == strlen(s);
}

static bool has_control(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			return true;
	return false;
}

/* $'..': in quotes that know control characters, so that no line is broken. */
static void put_dollar_quoted(const char *s, FILE *f)
{
	fputs("$'", f);
	for (; *s; s++) {
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			fprintf(f, "\\%03o", (unsigned char)*s);
		else if (*s == '\'' || *s == '\\')
			fprintf(f, "\\%c", *s);
		else
			fputc(*s, f);
	}
	fputc('\'', f);
}

char *out_quote(char *const *argv)
{
	char *text = NULL;
	size_t size, i;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return cli_printf("?");
	for (i = 0; argv[i]; i++) {
		const char *c;

		if (i)
			fputc(' ', f);
		if (is_plain(argv[i])) {
			fputs(argv[i], f);
			continue;
		}
		if (has_control(argv[i])) {
			put_dollar_quoted(argv[i], f);
			continue;
		}
		fputc('\'', f);
		for (c = argv[i]; *c; c++)
			fputs(*c == '\'' ? "'\\''" : (char []){ *c, 0 }, f);
		fputc('\'', f);
	}
	fclose(f);
	return text;
}

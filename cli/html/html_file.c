// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a page from its template. Of the data no character can end the element it stands in,
 * and the page's own policy lets nothing run or load but its script and its style, by their
 * hashes. See html_parts.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "html/html_parts.h"
#include "html_hashes.h"
#include "out.h"

/* files.S: it ends with a zero byte */
extern const char html_style[];

/* JSON that is safe inside of an element: "<" would be needed to end it. */
static void put_data(struct json_object *o, FILE *to)
{
	size_t size, n;
	char *text, *at;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		cli_no_memory();
	out_json_line(o, f);
	if (fclose(f))
		cli_no_memory();
	for (at = text; *at; at += n) {
		n = strcspn(at, "<>&");
		fwrite(at, 1, n, to);
		if (at[n])
			fprintf(to, "\\u%04x", at[n++]);
	}
	free(text);
}

static void put_escaped(const char *text, FILE *to)
{
	for (; *text; text++) {
		if (strchr("<>&\"'", *text))
			fprintf(to, "&#%d;", *text);
		else if ((unsigned char)*text < 0x20 || *text == 0x7f)
			fputc(' ', to);
		else
			fputc(*text, to);
	}
}

/* What a mark of the template stands for. */
static void put_part(const char *name, const struct html_page *page, FILE *to)
{
	if (!strcmp(name, "POLICY")) {
		fputs("default-src 'none'; base-uri 'none'; form-action 'none'; "
		      "style-src '" HTML_STYLE_HASH "'; ", to);
		fprintf(to, "script-src '%s'", page->script_hash);
	} else if (!strcmp(name, "TITLE")) {
		put_escaped(page->title, to);
	} else if (!strcmp(name, "STYLE")) {
		fputs(html_style, to);
	} else if (!strcmp(name, "SCRIPT")) {
		fputs(page->script, to);
	} else if (!strcmp(name, "DATA")) {
		put_data(page->data, to);
	}
}

static void put_page(const struct html_page *page, FILE *to)
{
	const char *at = page->template, *mark, *end;
	char *name;

	for (; (mark = strstr(at, "{{")); at = end + 2) {
		fwrite(at, 1, mark - at, to);
		end = strstr(mark, "}}");
		name = cli_printf("%.*s", (int)(end - mark - 2), mark + 2);
		put_part(name, page, to);
		free(name);
	}
	fputs(at, to);
}

static int fail(const char *file)
{
	return cli_fail(CLI_ENVIRONMENT, "the page '%s' cannot be written: %s; name another file",
			file, strerror(errno));
}

/*
 * Whole or not at all, as traces are. What is no regular file is written to as it is: also a
 * link, such as /dev/stdout, which would be replaced.
 */
int html_save(const struct html_page *page, const char *file)
{
	struct stat st;
	bool special = !lstat(file, &st) && !S_ISREG(st.st_mode);
	char *temp = special ? cli_printf("%s", file) : cli_printf("%s.tmp-%d", file, getpid());
	FILE *f = fopen(temp, special ? "we" : "wxe");
	int ret = CLI_OK;
	bool failed;

	if (!f) {
		free(temp);
		return fail(file);
	}
	put_page(page, f);
	failed = ferror(f);
	if (fclose(f) || failed || (!special && rename(temp, file))) {
		ret = fail(file);
		if (!special)
			unlink(temp);
	}
	free(temp);
	return ret;
}

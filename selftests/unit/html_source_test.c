// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves which lines of which files a page shows: those around a place, of files with the name
 * of a source file only, found also where the program was built elsewhere.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../cli/html/html_source.c"
#include "harness.h"

static char directory[64];

static char *in(const char *name)
{
	return cli_printf("%s/%s", directory, name);
}

static void put(const char *name, const char *text, size_t size)
{
	char *path = in(name);
	FILE *f = fopen(path, "w");

	ASSERT_NE(NULL, (void *)f);
	ASSERT_EQ(size, fwrite(text, 1, size, f));
	fclose(f);
	free(path);
}

/* A file of @n lines "line 1", "line 2", ... */
static void put_lines(const char *name, int n)
{
	char text[4096], *at = text;
	int i;

	for (i = 1; i <= n; i++)
		at += sprintf(at, "line %d\n", i);
	put(name, text, at - text);
}

/* The file as the page has it if the program has @line of @path. */
static struct json_object *shown_of(const char *cwd, const char *path, const char *base, int line)
{
	struct html_sources *s = html_sources_new(cwd);
	char *module = in("program");
	struct place p = { .file = (char *)path, .directory = (char *)base, .line = line,
			   .module = module };
	struct json_object *list, *file;

	ASSERT_EQ(0, html_source_line(s, &p));
	list = html_sources_json(s);
	file = json_object_get(json_object_array_get_idx(list, 0));
	json_object_put(list);
	html_sources_free(s);
	free(module);
	return file;
}

static size_t pieces_of(struct json_object *file)
{
	return json_object_array_length(json_object_object_get(file, "pieces"));
}

static struct json_object *shown(const char *name, int line)
{
	char *path = in(name);
	struct json_object *file = shown_of(NULL, path, NULL, line);

	free(path);
	return file;
}

/* Number of its first line, and how many there are. */
static void expect_lines(struct json_object *file, size_t piece, int first, size_t n)
{
	struct json_object *o = json_object_array_get_idx(json_object_object_get(file, "pieces"),
							  piece), *lines;
	char *text = cli_printf("line %d", first);

	ASSERT_NE(NULL, (void *)o);
	lines = json_object_array_get_idx(o, 1);
	EXPECT_EQ(first, json_object_get_int(json_object_array_get_idx(o, 0)));
	EXPECT_EQ(n, json_object_array_length(lines));
	EXPECT_STREQ(text, json_object_get_string(json_object_array_get_idx(lines, 0)));
	free(text);
}

static void start(void)
{
	strcpy(directory, "/tmp/chess-source.XXXXXX");
	ASSERT_NE(NULL, (void *)mkdtemp(directory));
}

static void finish(void)
{
	char *command = cli_printf("rm -r %s", directory);

	EXPECT_EQ(0, system(command));
	free(command);
}

TEST(lines_around_a_place)
{
	struct json_object *file;

	start();
	put_lines("a.c", 100);
	file = shown("a.c", 50);
	EXPECT_EQ(1u, pieces_of(file));
	expect_lines(file, 0, 42, 17);
	json_object_put(file);
	file = shown("a.c", 3);
	expect_lines(file, 0, 1, 11);
	json_object_put(file);
	file = shown("a.c", 100);
	expect_lines(file, 0, 92, 9);
	json_object_put(file);
	file = shown("a.c", 200);
	EXPECT_EQ(0u, pieces_of(file));
	json_object_put(file);
	finish();
}

TEST(places_apart_are_pieces)
{
	char *path;
	struct html_sources *s = html_sources_new(NULL);
	struct place p = { .line = 10 };
	struct json_object *list, *file;

	start();
	put_lines("a.c", 100);
	path = in("a.c");
	p.file = path;
	html_source_line(s, &p);
	p.line = 20;
	html_source_line(s, &p);
	p.line = 80;
	EXPECT_EQ(0, html_source_line(s, &p));
	list = html_sources_json(s);
	EXPECT_EQ(1u, json_object_array_length(list));
	file = json_object_array_get_idx(list, 0);
	EXPECT_EQ(2u, pieces_of(file));
	expect_lines(file, 0, 2, 27);
	expect_lines(file, 1, 72, 17);
	json_object_put(list);
	html_sources_free(s);
	free(path);
	finish();
}

/* Debug information can name any file. */
TEST(only_source_files_are_read)
{
	static const char *const not_shown[] = {
		"id_rsa", "secret.pem", "shadow", ".c/key", "a.c.key", "a.cpp~",
	};
	char *c;
	struct json_object *file;
	size_t i;

	start();
	c = in(".c");
	ASSERT_EQ(0, mkdir(c, 0700));
	free(c);
	for (i = 0; i < sizeof(not_shown) / sizeof(not_shown[0]); i++) {
		put_lines(not_shown[i], 3);
		file = shown(not_shown[i], 2);
		EXPECT_EQ(0u, pieces_of(file));
		json_object_put(file);
	}
	put("zero.c", "line 1\0\n", 8);
	file = shown("zero.c", 1);
	EXPECT_EQ(0u, pieces_of(file));
	json_object_put(file);
	/* Nobody writes to it: opening it must not wait. */
	c = in("pipe.c");
	ASSERT_EQ(0, mkfifo(c, 0600));
	free(c);
	file = shown("pipe.c", 1);
	EXPECT_EQ(0u, pieces_of(file));
	json_object_put(file);
	finish();
}

TEST(a_program_that_was_built_elsewhere)
{
	struct json_object *file;
	char *sub;

	start();
	sub = in("src");
	ASSERT_EQ(0, mkdir(sub, 0700));
	put_lines("src/a.c", 20);
	file = shown_of(directory, "src/a.c", "/nonexistent/build", 10);
	expect_lines(file, 0, 2, 17);
	json_object_put(file);
	file = shown_of(directory, "/nonexistent/tree/src/a.c", NULL, 10);
	EXPECT_EQ(1u, pieces_of(file));
	json_object_put(file);
	file = shown_of(directory, "a.c", sub, 10);
	EXPECT_EQ(1u, pieces_of(file));
	json_object_put(file);
	file = shown_of(NULL, "src/a.c", "/nonexistent/build", 10);
	EXPECT_EQ(0u, pieces_of(file));
	json_object_put(file);
	free(sub);
	finish();
}

TEST(a_file_that_was_changed_later)
{
	const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	struct json_object *file;
	char *path;

	start();
	put_lines("program", 1);
	put_lines("a.c", 3);
	path = in("program");
	ASSERT_EQ(0, utimensat(AT_FDCWD, path, old, 0));
	free(path);
	file = shown("a.c", 1);
	EXPECT_TRUE(json_object_get_boolean(json_object_object_get(file, "newer")));
	json_object_put(file);
	path = in("a.c");
	ASSERT_EQ(0, utimensat(AT_FDCWD, path, old, 0));
	free(path);
	file = shown("a.c", 1);
	EXPECT_FALSE(json_object_get_boolean(json_object_object_get(file, "newer")));
	json_object_put(file);
	finish();
}

TEST_HARNESS_MAIN

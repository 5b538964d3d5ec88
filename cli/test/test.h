/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chessctl test: programs that are collections of tests, each of which is searched by itself.
 * find.c finds the programs, detect.c says which harness one has, list.c asks it for its cases,
 * one.c has a case searched, judge.c says what came of it, as a JSON object; ktap.c, junit.c
 * and cmd_test.c make texts of those.
 */
#ifndef CLI_TEST_H
#define CLI_TEST_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum harness {
	HARNESS_AUTO,
	HARNESS_NONE,		/* one case, its exit code says it all */
	HARNESS_KSELFTEST,	/* the kernel's kselftest_harness.h */
	HARNESS_KSFT,		/* one case, which ends with the codes of kselftest.h */
	HARNESS_GTEST,
	HARNESS_CMOCKA,
	HARNESS_CHECK,
	HARNESS_TAP,		/* one case, which prints TAP or KTAP */
	HARNESS_CHESS,		/* chessctl/test.h */
};

/* NULL after the last */
struct strings {
	char **v;
	size_t n;
};

/* @text is taken over */
void strings_add(struct strings *s, char *text);
void strings_clear(struct strings *s);

/**
 * struct test_case - what is searched by itself
 * @name: in its program; NULL: the program is the case
 * @args: of the program, in front of those that were given
 * @env: NAME=VALUE, by which it is chosen
 * @options: of explore, weaker than those that were given
 * @expected: the verdict it must have; NULL: "ok"
 */
struct test_case {
	char *name;
	struct strings args, env, options;
	char *expected;
};

/**
 * struct test_program - a program
 * @name: in the results
 * @path: how it is started
 * @cwd: where; NULL: here
 * @args: that were given
 * @harness: which one it has
 * @limit: seconds a case may take without control
 * @note: why its cases are not searched by themselves, or NULL
 * @disabled: cases that the harness does not run
 */
struct test_program {
	char *name, *path, *cwd;
	struct strings args;
	enum harness harness;
	double limit;
	struct test_case *cases;
	size_t n;
	char *note;
	struct strings disabled;
};

struct test_programs {
	struct test_program *v;
	size_t n;
};

struct test_program *test_add_program(struct test_programs *all, const char *name,
				      const char *path, const char *cwd);
struct test_case *test_add_case(struct test_program *p, const char *name);
/* Drops cases whose names do not match @pattern of fnmatch(); a nameless one has its program's. */
void test_keep_cases(struct test_program *p, const char *pattern);
void test_clear(struct test_programs *all);

/*
 * alone.c: were we asked to end, this process or the one it is a fork of? What waits for a
 * process ends it then, and what would begin one does not. The first is the signal handler.
 */
void test_interrupt(int sig);
bool test_interrupted(void);

/* find.c */
#define TEST_LIMIT	20	/* seconds, where no file "settings" says otherwise */

/*
 * What @path is: a program, a folder of some, or a list as run_kselftest.sh has it. Return:
 * CLI_PROCEED, or an exit code after one sentence.
 */
int test_find(struct test_programs *all, char **argv);

/* detect.c: -1: there is none of that name */
int harness_by_name(const char *name);
const char *harness_name(enum harness h);
/* by what is in the file; never HARNESS_AUTO */
enum harness harness_of_file(const char *path);
/* does it, or its library, choose cases by CMOCKA_TEST_FILTER? */
bool harness_has_cmocka_filter(const char *path);

/*
 * list.c: the cases of @p, as its harness tells them; asked without control. A program that an
 * interrupt kept from telling is one case. Return: CLI_PROCEED, or an exit code after one
 * sentence.
 */
int test_list(struct test_program *p);
/* The parsers, which take what was said and add cases. 0, or -EINVAL: it is no such list */
int list_kselftest(struct test_program *p, const char *text);
int list_gtest(struct test_program *p, const char *text);
int list_check(struct test_program *p, const char *xml);
int list_chess(struct test_program *p, const char *text);
int list_tap(struct test_program *p, const char *text);

/**
 * struct alone - a command that was run without control
 * @status: as wait(2) has it
 * @timed_out: it was killed after its time
 * @interrupted: it was killed because test_interrupted() began to be true
 * @out: what it said; not NULL
 * @err: the same on stderr
 */
struct alone {
	int status;
	bool timed_out, interrupted;
	char *out, *err;
};

/* alone.c: 0 or -errno. Without a shell; @env: NAME=VALUE, or NULL */
int alone_run(char **argv, const struct strings *env, const char *cwd, double seconds,
	      struct alone *a);
void alone_clear(struct alone *a);
/* what was written to a memory file; malloc'ed */
char *alone_read(int fd);

/**
 * struct tap - what a program said in TAP or KTAP
 * @results: lines that begin with ok or not ok
 * @failed: of them, and not known to
 * @skipped: of them
 * @xfailed: of them
 * @why: of the first that was skipped; malloc'ed, or NULL
 */
struct tap {
	unsigned int results, failed, skipped, xfailed;
	char *why;
};

/* tap.c */
void tap_read(const char *text, struct tap *t);

/* one.c */
struct test_options {
	double time;		/* seconds a case is searched; 0: no limit */
	const char *out;	/* folder for traces */
	struct strings explore;	/* options that were given for explore */
};

/* All about one case, in a process of its own; "name" and so on, see the man page. */
struct json_object *test_one(const struct test_program *p, const struct test_case *c,
			     const struct test_options *o);

/* judge.c: what came of it, of the facts in @o: adds "result" and "why" */
void test_judge(struct json_object *o);
/* one sentence more, taken over */
void test_note(struct json_object *o, char *text);
/* of an object, NULL where there is none */
const char *test_text(struct json_object *o, const char *key);
bool test_has(struct json_object *o, const char *key);

/*
 * The writers. @all: an array of programs: objects with "name" and "cases", which is null where
 * the program is the case, and then it has what a case has.
 */
void ktap_begin(FILE *to, size_t programs);
/* a case of a program, or, with @indent 0, one that is a program */
void ktap_case(FILE *to, struct json_object *o, size_t number, unsigned int indent);
void ktap_begin_program(FILE *to, struct json_object *program, size_t cases);
void ktap_end_program(FILE *to, struct json_object *program, size_t number);
void ktap_end(FILE *to, struct json_object *all);
void junit_write(FILE *to, struct json_object *all);

/**
 * struct test_counts - how many cases had which result
 */
struct test_counts {
	unsigned int passed, failed, skipped, xfailed, errors, incomplete;
	unsigned long long runs;
	double seconds;
};

void test_count(struct json_object *all, struct test_counts *c);

#endif /* CLI_TEST_H */

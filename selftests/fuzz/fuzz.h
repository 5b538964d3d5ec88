/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzzers of what reads files that somebody else wrote. Each makes inputs out of good ones
 * by mutations that know the format, and hands them to a reader that was built with
 * -fsanitize=address,undefined. Input number N of a seed is always the same.
 *
 *	fuzz-NAME		COUNT= inputs, or as many as there are in TIME= seconds; SEED=
 *	fuzz-NAME FILE...	only these
 *
 * Output is KTAP. What makes a reader crash, hang, leak or ask for much memory is kept,
 * made small, and the command that shows it again is printed.
 */
#ifndef CHESS_SELFTESTS_FUZZ_H
#define CHESS_SELFTESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An input is no longer than that. */
#define FUZZ_BYTES	(1U << 18)

/**
 * struct fuzz_input - bytes that are being made
 * @data: of them
 * @n: so many, at most FUZZ_BYTES
 */
struct fuzz_input {
	unsigned char *data;
	size_t n;
};

/**
 * struct fuzz_target - a reader
 * @name: of the program
 * @lines: inputs are text, and are made small by lines at first
 * @begin: once, before anything else; makes the corpus with fuzz_keep()
 * @mutate: change a copy of one of the corpus
 * @run: read it; true: the reader took it for good. fuzz_expect() for what must hold
 */
struct fuzz_target {
	const char *name;
	bool lines;
	void (*begin)(void);
	void (*mutate)(struct fuzz_input *in);
	bool (*run)(const unsigned char *data, size_t n);
};

int fuzz_main(const struct fuzz_target *t, int argc, char **argv);

/* --- for begin --------------------------------------------------------------- */

/* A copy goes to the corpus. */
void fuzz_keep(const void *data, size_t n);
/* The same of a file; false: it cannot be read, or is too long. */
bool fuzz_keep_file(const char *path);

/* --- for mutate -------------------------------------------------------------- */

uint32_t fuzz_random(void);
/* below @n; 0 where that is 0 */
size_t fuzz_below(size_t n);
bool fuzz_one_in(unsigned int n);
/* one of the corpus */
const struct fuzz_input *fuzz_any(void);
/* @gone bytes at @at give way to @n others; nothing is done where there is no room */
void fuzz_replace(struct fuzz_input *in, size_t at, size_t gone, const void *data, size_t n);
/* a few bytes or words anywhere in @n bytes, of no format */
void fuzz_bytes(unsigned char *data, size_t n);
/* a word as it makes readers stumble */
uint64_t fuzz_number(void);

/* --- for run ----------------------------------------------------------------- */

/* name of a file in memory with these bytes, until the next call */
const char *fuzz_file(const void *data, size_t n);
/* does it hold? Else it is as good as a crash, and @what is printed */
void fuzz_expect(bool holds, const char *what);

#endif /* CHESS_SELFTESTS_FUZZ_H */

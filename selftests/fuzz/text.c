// SPDX-License-Identifier: GPL-2.0-only
/*
 * Short texts that people write or programs hand over: suppressions of races, schedules,
 * lines like those of /proc/PID/maps, formats of printf() and scanf(). fuzz-text; the first
 * letter of an input says which.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chessctl/chessctl.h"
#include "chessctl/races.h"
#include "fuzz.h"
#include "code/format.h"
#include "code/image.h"

/* Of a format, so many are read. */
#define ACCESSES	4

static void begin(void)
{
	static const char *const texts[] = {
		"S# what nobody wants to hear of\nfunction main*\nfile a.c\npair one two\n"
		"variable v[0-9]\naddress 0x404040 16\naddress 12\n",
		"DT0*12 T1*3 T0 - T65534 T1*65536",
		"M555555554000-555555560000 r-xp 00000000 00:00 0    /bin/true\n"
		"7ffff7fc3000-7ffff7fc7000 r--p 00001000 08:01 12    /lib/a b\n"
		"7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0    [stack]\n",
	};
	/* With the byte that ends them. */
	static const char prints[] = "P%-5d %.*s %#llx %n %% %Lf %ls";
	static const char scans[] = "C%d %5[^]a-z] %ms %*i %hhn %lf";
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		fuzz_keep(texts[i], strlen(texts[i]));
	fuzz_keep(prints, sizeof(prints));
	fuzz_keep(scans, sizeof(scans));
}

static void change_word(struct fuzz_input *in)
{
	static const char *const words[] = {
		"function", "pair", "address", "variable", "#", "\n", " ", "*", "[", "[[:alpha:]", "\\",
		"T", "T1*2", "-", "99999999999999999999", "0x", "-1", "\xff", "T65535", "T0*1048577",
		"%", "%[", "%[]", "%[^", "%.*", "%1$", "%*", "%hhn", "%lls", "%Ln", "%m", "%mS",
	};
	char number[32];
	const char *word = words[fuzz_below(sizeof(words) / sizeof(*words))];
	size_t at = fuzz_below(in->n + 1), gone = fuzz_below(4);

	if (fuzz_one_in(3)) {
		snprintf(number, sizeof(number), fuzz_one_in(2) ? "%llu" : "%llx",
			 (unsigned long long)fuzz_number());
		word = number;
	}
	fuzz_replace(in, at, at + gone <= in->n ? gone : 0, word, strlen(word));
}

static void mutate(struct fuzz_input *in)
{
	unsigned int times = 1 + fuzz_below(6);
	char kind = in->data[0];

	while (times--) {
		if (fuzz_one_in(3))
			fuzz_bytes(in->data, in->n);
		else
			change_word(in);
	}
	if (in->n)
		in->data[0] = kind;
}

static bool read_suppressions(const char *text, size_t n)
{
	struct chess_suppressions *s = chess_suppressions_read(fuzz_file(text, n));
	struct chess_race_names names = {
		.function = { "main", "v" }, .source = { "/x/a.c", NULL }, .variable = "v1",
		.address = 0x404044,
	};
	bool good = s;

	if (s)
		chess_suppressions_match(s, &names);
	else
		fuzz_expect(errno == EINVAL, "a refusal says that the file is at fault");
	chess_suppressions_free(s);
	return good;
}

static bool read_schedule(const char *text)
{
	struct chess_schedule *s = chess_schedule_decode(text);
	char *again = s ? chess_schedule_encode(s) : NULL;
	bool good = s;

	fuzz_expect(!s || !strcmp(again, text), "a schedule has one text");
	free(again);
	chess_schedule_free(s);
	return good;
}

static bool read_maps(const char *text)
{
	struct chess_mapping m;
	bool good = false;

	while ((text = chess_mapping_next(text, &m)))
		good |= strnlen(m.path, sizeof(m.path)) < sizeof(m.path);
	return good;
}

/* @text is as long as @n says, so that a byte read after it is found. */
static bool read_format(const char *text, size_t n, bool scans)
{
	struct chess_memcall_use use[ACCESSES];
	char *format = malloc(n + 1);
	unsigned int got, i;

	if (!format)
		abort();
	memmove(format + 1, text, n);
	got = chess_format_read(format + 1, n, 2, scans, use, ACCESSES);
	fuzz_expect(got <= ACCESSES, "as many as there is room for");
	for (i = 0; i < got; i++)
		fuzz_expect(use[i].kind && use[i].size && use[i].of >= 2 &&
			    use[i].of <= CHESS_MEMCALL_ARGUMENTS &&
			    use[i].count <= CHESS_MEMCALL_ARGUMENTS,
			    "an argument after the format is accessed");
	free(format);
	return got;
}

static bool read_text(const unsigned char *data, size_t n)
{
	char *text = malloc(n + 1);
	bool good = false;

	if (!text)
		abort();
	memcpy(text, data, n);
	text[n] = '\0';
	if (text[0] == 'S')
		good = read_suppressions(text + 1, n - 1);
	else if (text[0] == 'D')
		good = read_schedule(text + 1);
	else if (text[0] == 'M')
		good = read_maps(text + 1);
	else if (text[0] == 'P' || text[0] == 'C')
		good = read_format(text + 1, n - 1, text[0] == 'C');
	free(text);
	return good;
}

int main(int argc, char **argv)
{
	static const struct fuzz_target target = {
		.name = "text", .lines = true, .begin = begin, .mutate = mutate, .run = read_text,
	};

	return fuzz_main(&target, argc, argv);
}

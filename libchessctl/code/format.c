// SPDX-License-Identifier: LGPL-2.1-or-later
/* See format.h. The conversions are those of printf(3) and scanf(3). */
#include <linux/chess_access.h>
#include <linux/chess_operand.h>
#include <string.h>

#include "code/format.h"

/* Of a string the first element is certain, and more is accessed perhaps. */
#define STRING_READ	(CHESS_OPERAND_READ | CHESS_OPERAND_PERHAPS)
/* What is scanned is only written where the input fits. */
#define SCANNED		CHESS_ACCESS_MAY_WRITE
#define STRING_SCANNED	(SCANNED | CHESS_OPERAND_PERHAPS)

struct reader {
	const char *at;
	unsigned int argument, n, room;
	struct chess_memcall_use *out;
};

/* What stands between % and the letter of a conversion. */
struct modifiers {
	bool skipped, allocates;
	unsigned int precision;		/* number of the argument that says it, or 0 */
	unsigned int longs, shorts;	/* l, and L, j, z, t as two; h */
};

static void use(struct reader *r, uint8_t kind, unsigned int of, unsigned int count, uint8_t size)
{
	if (of <= CHESS_MEMCALL_ARGUMENTS && r->n < r->room)
		r->out[r->n++] = (struct chess_memcall_use) {
			.kind = kind, .of = of, .count = count, .size = size,
		};
}

static void skip_digits(struct reader *r)
{
	r->at += strspn(r->at, "0123456789");
}

static void read_length(struct reader *r, struct modifiers *m)
{
	for (;; r->at++) {
		if (*r->at == 'h')
			m->shorts++;
		else if (*r->at == 'l')
			m->longs++;
		else if (*r->at && strchr("Lqjzt", *r->at))
			m->longs += 2;
		else
			return;
	}
}

static void read_modifiers(struct reader *r, bool scans, struct modifiers *m)
{
	memset(m, 0, sizeof(*m));
	if (scans) {
		m->skipped = *r->at == '*';
		r->at += m->skipped;
		skip_digits(r);
		m->allocates = *r->at == 'm';
		r->at += m->allocates;
	} else {
		r->at += strspn(r->at, "#0- +'I");
		if (*r->at == '*') {
			r->argument++;
			r->at++;
		}
		skip_digits(r);
		if (*r->at == '.') {
			r->at++;
			if (*r->at == '*') {
				m->precision = r->argument++;
				r->at++;
			}
			skip_digits(r);
		}
	}
	read_length(r, m);
}

static uint8_t bytes_of(const struct modifiers *m)
{
	return m->shorts > 1 ? 1 : m->shorts ? 2 : m->longs ? 8 : 4;
}

/* false: the rest of the arguments is not known. */
static bool print(struct reader *r, const struct modifiers *m, char letter)
{
	uint8_t character = m->longs ? 4 : 1;

	switch (letter) {
	case '%':
	case 'm':
		return true;
	case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
		/* In registers of their own; a long double is on the stack. */
		return true;
	case 'S':
		character = 4;
		/* fall through */
	case 's':
		if (m->precision && m->precision <= CHESS_MEMCALL_ARGUMENTS)
			use(r, STRING_READ | CHESS_OPERAND_UPTO, r->argument++, m->precision,
			    character);
		else
			use(r, STRING_READ, r->argument++, 0, character);
		return true;
	case 'n':
		use(r, CHESS_OPERAND_WRITE, r->argument++, 0, bytes_of(m));
		return true;
	case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'b': case 'B':
	case 'c': case 'C': case 'p':
		r->argument++;
		return true;
	default:
		return false;
	}
}

/* After the [ of a set of characters: to its ], which may be one of them if it comes first. */
static bool skip_set(struct reader *r)
{
	const char *end;

	r->at += *r->at == '^';
	end = *r->at ? strchr(r->at + 1, ']') : NULL;
	if (end)
		r->at = end + 1;
	return end;
}

static bool scan(struct reader *r, const struct modifiers *m, char letter)
{
	uint8_t character = m->longs ? 4 : 1, kind = SCANNED, size;

	switch (letter) {
	case '%':
		return true;
	case 'S': case 's': case '[':
		kind = STRING_SCANNED;
		/* fall through */
	case 'C': case 'c':
		size = letter == 'S' || letter == 'C' ? 4 : character;
		if (letter == '[' && !skip_set(r))
			return false;
		break;
	case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
		size = m->longs > 1 ? 16 : m->longs ? 8 : 4;
		break;
	case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'n':
		size = bytes_of(m);
		break;
	case 'p':
		size = 8;
		break;
	default:
		return false;
	}
	if (m->skipped)
		return true;
	if (m->allocates)
		use(r, SCANNED, r->argument++, 0, 8);
	else
		use(r, kind, r->argument++, 0, size);
	return true;
}

unsigned int chess_format_read(const char *format, size_t size, unsigned int first, bool scans,
			       struct chess_memcall_use *out, unsigned int room)
{
	struct reader r = { .at = format, .argument = first, .room = room, .out = out };
	struct modifiers m;
	char letter;

	if (!memchr(format, 0, size))
		return 0;
	while ((r.at = strchr(r.at, '%'))) {
		r.at++;
		if (r.at[strspn(r.at, "0123456789")] == '$')
			return 0;
		read_modifiers(&r, scans, &m);
		letter = *r.at;
		if (!letter)
			break;
		r.at++;
		if (!(scans ? scan(&r, &m, letter) : print(&r, &m, letter)))
			break;
	}
	return r.n;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text that goes to people has names in it that somebody else chose: of programs, tasks,
 * files, functions; and what is in traces. A terminal takes some of their bytes for
 * commands. So both streams of main() write through here: what is no text becomes \xNN, but
 * for the few sequences that chessctl writes itself, and those only to a terminal.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plain.h"

/* out.c's colours, how status and attach begin a new screen, the end of a line of progress. */
static const char *const own[] = {
	"\033[1m", "\033[1;31m", "\033[1;32m", "\033[0m", "\033[H\033[2J", "\033[H\033[J",
	"\033[K",
};

void plain_start(struct plain *p, bool terminal)
{
	*p = (struct plain) { .terminal = terminal };
}

/* How much of @text is one of ours. A stream to a terminal writes lines, so it is all there. */
static size_t own_sequence(const char *text, size_t n)
{
	size_t i, len;

	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		len = strlen(own[i]);
		if (n >= len && !memcmp(text, own[i], len))
			return len;
	}
	return 0;
}

/* Is @c one of the bytes that end a letter of several? */
static bool goes_on(struct plain *p, unsigned char c)
{
	if (!p->more || (c & 0xc0) != 0x80)
		return false;
	/* U+0080 to U+009F are control characters, too. */
	if (p->first == 0xc2 && c < 0xa0)
		return false;
	p->first = 0;
	p->more--;
	return true;
}

/* As UTF-8 has them; whether it is a letter at all is for the terminal to say. */
static unsigned int bytes_behind(unsigned char c)
{
	if (c < 0xc2 || c >= 0xf5)
		return 0;
	return c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
}

static size_t put_escaped(char *to, unsigned char c)
{
	static const char digits[] = "0123456789abcdef";

	memcpy(to, "\\x", 2);
	to[2] = digits[c >> 4];
	to[3] = digits[c & 15];
	return 4;
}

static size_t put_byte(struct plain *p, char *to, unsigned char c)
{
	bool text = c == '\n' || c == '\t' || (c >= 0x20 && c < 0x7f) || c >= 0xa0;

	if (goes_on(p, c))
		text = true;
	else
		p->more = bytes_behind(c);
	if (c >= 0xc2)
		p->first = c;
	if (!text)
		return put_escaped(to, c);
	*to = c;
	return 1;
}

size_t plain_text(struct plain *p, const char *text, size_t n, char *to)
{
	char *out = to;
	size_t i, len;

	/* A line of progress begins where the one before it did. */
	if (n && *text == '\r' && p->terminal && p->progress) {
		*out++ = '\r';
		text++;
		n--;
	}
	for (i = 0; i < n; i += len) {
		len = p->terminal && text[i] == '\033' ? own_sequence(text + i, n - i) : 0;
		memcpy(out, text + i, len);
		out += len;
		if (len)
			continue;
		out += put_byte(p, out, text[i]);
		len = 1;
	}
	return out - to;
}

/* --- streams --------------------------------------------------------------- */

struct stream {
	int fd;
	struct plain plain;
};

static ssize_t write_stream(void *cookie, const char *text, size_t n)
{
	struct stream *s = cookie;
	char room[4 * BUFSIZ];
	size_t done = 0, part, size, at;
	ssize_t got;

	for (; done < n; done += part) {
		part = n - done < sizeof(room) / 4 ? n - done : sizeof(room) / 4;
		size = plain_text(&s->plain, text + done, part, room);
		for (at = 0; at < size; at += got) {
			got = write(s->fd, room + at, size - at);
			if (got < 0 && errno == EINTR)
				got = 0;
			if (got < 0)
				return 0;
		}
	}
	return n;
}

static FILE *open_stream(struct stream *s, int fd, int unless_terminal)
{
	cookie_io_functions_t functions = { .write = write_stream };
	bool terminal = isatty(fd);
	FILE *f;

	s->fd = fd;
	plain_start(&s->plain, terminal);
	f = fopencookie(s, "w", functions);
	if (f)
		setvbuf(f, NULL, terminal && unless_terminal == _IOFBF ? _IOLBF : unless_terminal,
			BUFSIZ);
	return f;
}

void plain_streams(void)
{
	static struct stream out, err;
	FILE *f;

	f = open_stream(&out, STDOUT_FILENO, _IOFBF);
	if (f)
		stdout = f;
	f = open_stream(&err, STDERR_FILENO, _IONBF);
	err.plain.progress = true;
	if (f)
		stderr = f;
}

/* --- JSON ------------------------------------------------------------------ */

size_t plain_letter(const char *bytes)
{
	const unsigned char *text = (const unsigned char *)bytes;
	size_t n = 1 + bytes_behind(text[0]), i;
	uint32_t code;

	if (text[0] < 0x80)
		return text[0] != 0x7f;
	if (n == 1)
		return 0;
	code = text[0] & (0x7f >> n);
	for (i = 1; i < n; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	/* Too long for what they are, halves of letters, and what is no letter any more. */
	if ((n == 3 && code < 0x800) || (n == 4 && code < 0x10000) || code > 0x10ffff ||
	    (code >= 0xd800 && code < 0xe000) || code < 0xa0)
		return 0;
	return n;
}

void plain_json(const char *json, FILE *to)
{
	const unsigned char *at = (const unsigned char *)json;
	size_t n;

	for (; *at; at += n) {
		n = plain_letter((const char *)at);
		if (n) {
			fwrite(at, 1, n, to);
		} else if (*at == 0x7f) {
			fputs("\\u007f", to);
			n = 1;
		} else if (at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0) {
			fprintf(to, "\\u00%02x", at[1]);
			n = 2;
		} else {
			fputs("\\ufffd", to);
			n = 1;
		}
	}
	fputc('\n', to);
}

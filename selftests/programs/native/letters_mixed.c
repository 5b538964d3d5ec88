// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads decode letters that come byte by byte. mbrtowc() is given no place for what it knows
 * of a letter so far, and has one of its own, for all threads.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <string.h>
#include <wchar.h>

#include "window.h"

#define INCOMPLETE ((size_t)-2)

struct letter {
	const char *bytes;
	wchar_t wanted;
};

static size_t decode_byte(wchar_t *c, const char *byte, mbstate_t *state)
{
	return IS_MENDED ? mbrtowc(c, byte, 1, state) : mbrtowc(c, byte, 1, NULL);
}

static void *decode(void *arg)
{
	const struct letter *l = arg;
	const char *byte = l->bytes;
	mbstate_t state;
	wchar_t c = 0;

	memset(&state, 0, sizeof(state));
	assert(decode_byte(&c, byte, &state) == INCOMPLETE);
	WINDOW();
	assert(decode_byte(&c, byte + 1, &state) == 1);
	assert(c == l->wanted);
	return NULL;
}

int main(void)
{
	static struct letter letters[] = { { "\xc3\xa9", 0xe9 }, { "\xc2\xa3", 0xa3 } };
	pthread_t thread;

	assert(setlocale(LC_CTYPE, "C.UTF-8"));
	assert(!pthread_create(&thread, NULL, decode, &letters[0]));
	INTO_WINDOW();
	decode(&letters[1]);
	assert(!pthread_join(thread, NULL));
	return 0;
}

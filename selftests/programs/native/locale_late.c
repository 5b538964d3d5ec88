// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread asks how many bytes a letter may have, and then converts one. In between another one
 * sets the locale, which is that of the whole process.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <wchar.h>

#include "window.h"

static void *begin(void *unused)
{
	(void)unused;
	INTO_WINDOW();
	assert(setlocale(LC_CTYPE, "C.UTF-8"));
	return NULL;
}

int main(void)
{
	char letter[16];
	pthread_t thread;
	size_t room;

	assert(!pthread_create(&thread, NULL, begin, NULL));
	if (IS_MENDED)
		assert(!pthread_join(thread, NULL));
	room = MB_CUR_MAX;
	WINDOW();
	assert(wctomb(letter, 0xe4) <= (int)room);
	if (!IS_MENDED)
		assert(!pthread_join(thread, NULL));
	return 0;
}

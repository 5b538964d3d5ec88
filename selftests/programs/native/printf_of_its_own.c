// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who comes first teaches printf() a conversion of the program's own. Another thread takes
 * that for done as soon as the first one has said so, and it has not begun.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <printf.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int taught;

static int print_answer(FILE *f, const struct printf_info *info, const void *const *arg)
{
	(void)info;
	return fprintf(f, "<%d>", *(const int *)arg[0]);
}

static int describe(const struct printf_info *info, size_t n, int *types, int *size)
{
	(void)info;
	(void)size;
	if (n)
		types[0] = PA_INT;
	return 1;
}

static void teach(void)
{
	if (atomic_exchange(&taught, 1))
		return;
	WINDOW();
	register_printf_specifier('W', print_answer, describe);
}

static void *print(void *arg)
{
	static const char format[] = "%W";
	/* The compiler is not to know it as a format. */
	const char *volatile hidden = format;
	int (*const volatile into)(char *, size_t, const char *, ...) = snprintf;
	char text[16];

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	teach();
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	into(text, sizeof(text), hidden, 42);
	assert(!strcmp(text, "<42>"));
	return arg;
}

static void *print_later(void *arg)
{
	INTO_WINDOW();
	return print(arg);
}

int main(void)
{
	pthread_t first, second;

	assert(!pthread_create(&first, NULL, print, NULL));
	assert(!pthread_create(&second, NULL, print_later, NULL));
	assert(!pthread_join(first, NULL) && !pthread_join(second, NULL));
	return 0;
}

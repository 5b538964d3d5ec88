// SPDX-License-Identifier: GPL-2.0-only
/*
 * A text frame has its text, and where in it the frame begins and how long it is. The text is
 * replaced first and the two numbers after that, so a reader may take those of the old text.
 *
 * source: Lu et al., ASPLOS 2008, section 3 (Mozilla nsTextFrame.cpp)
 * expect: verdict=assert
 */
#include <string.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *content = "a long old text";
static unsigned int offset = 7, length = 8;

static void paint(void)
{
	const char *text;
	unsigned int end;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	text = content;
	end = offset + length;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(end <= strlen(text));
}

static void *replace(void *arg)
{
	(void)arg;
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	content = "new";
	offset = 0;
	length = 3;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	together(paint, replace);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A word and its bytes: the store to the word meets a store to its last byte and a load of
 * its first; the bytes do not meet each other, and the next word nobody shares.
 *
 * race: number A.w B.w
 * race: number A.w C.r
 */
#include <pthread.h>

static union {
	unsigned int word;
	unsigned char byte[4];
} number, next;

static void *store_word(void *arg)
{
	number.word = 0x01020304;	/* A */
	return arg;
}

static void *store_byte(void *arg)
{
	number.byte[3] = 9;		/* B */
	next.byte[0] = 9;
	return arg;
}

int main(void)
{
	pthread_t t[2];
	int first;

	pthread_create(&t[0], NULL, store_word, NULL);
	pthread_create(&t[1], NULL, store_byte, NULL);
	first = number.byte[0];		/* C */
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return first && first != 4;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A binary in the manner of kselftest_harness.h: cases that are right, wrong in some schedules,
 * skipped, known to fail, and one that fails in every schedule. See harness.sh.
 */
#include <pthread.h>

#include "kselftest_like.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void in_two_threads(void *(*one)(void *), void *(*other)(void *))
{
	pthread_t a, b;

	if (pthread_create(&a, NULL, one, NULL) || pthread_create(&b, NULL, other, NULL))
		exit(KSFT_FAIL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

static void *first_then_second(void *arg)
{
	pthread_mutex_lock(&first);
	pthread_mutex_lock(&second);
	pthread_mutex_unlock(&second);
	pthread_mutex_unlock(&first);
	return arg;
}

static void *second_then_first(void *arg)
{
	pthread_mutex_lock(&second);
	pthread_mutex_lock(&first);
	pthread_mutex_unlock(&first);
	pthread_mutex_unlock(&second);
	return arg;
}

static void ordered(void)
{
	in_two_threads(first_then_second, first_then_second);
}

static void abba(void)
{
	in_two_threads(first_then_second, second_then_first);
}

static void *pay(void *arg)
{
	int seen;

	pthread_mutex_lock(&first);
	seen = balance;
	pthread_mutex_unlock(&first);
	pthread_mutex_lock(&first);
	balance = seen + 1;
	pthread_mutex_unlock(&first);
	return arg;
}

static void *pay_at_once(void *arg)
{
	pthread_mutex_lock(&first);
	balance++;
	pthread_mutex_unlock(&first);
	return arg;
}

static void lost_update(void)
{
	in_two_threads(pay, pay);
	if (balance != 2)
		_exit(KSFT_FAIL);
}

static void no_lost_update(void)
{
	in_two_threads(pay_at_once, pay_at_once);
	if (balance != 2)
		_exit(KSFT_FAIL);
}

static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *announce(void *arg)
{
	pthread_cond_signal(&changed);
	pthread_mutex_lock(&first);
	balance = 1;
	pthread_mutex_unlock(&first);
	return arg;
}

static void *await(void *arg)
{
	pthread_mutex_lock(&first);
	if (!balance)
		pthread_cond_wait(&changed, &first);
	pthread_mutex_unlock(&first);
	return arg;
}

/* Nobody has a lock, so that nothing but the end of all else tells it from a test that is slow. */
static void lost_signal(void)
{
	in_two_threads(await, announce);
}

static void skips(void)
{
	_exit(KSFT_SKIP);
}

static void fails(void)
{
	_exit(KSFT_FAIL);
}

static const struct like_case like_cases[] = {
	{ "global", "", "ordered", ordered, 0 },
	{ "global", "", "abba", abba, 0 },
	{ "global", "", "lost_signal", lost_signal, 0 },
	{ "global", "", "skips", skips, 0 },
	{ "account", "plain", "lost_update", lost_update, 0 },
	{ "account", "plain", "no_lost_update", no_lost_update, 0 },
	{ "account", "again", "lost_update", fails, 1 },
	{ "account", "again", "no_lost_update", fails, 0 },
};
static const size_t like_n = sizeof(like_cases) / sizeof(like_cases[0]);

int main(int argc, char **argv)
{
	return like_main(argc, argv);
}

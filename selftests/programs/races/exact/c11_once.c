// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free, by C11's calls alone: whoever is first sets the data up; then a flag under a
 * mutex that is waited for.
 */
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static mtx_t lock;
static cnd_t changed;
static int set, handed, is_handed;

static void set_up(void)
{
	set = 42;
}

static int hand_over(void *arg)
{
	(void)arg;
	call_once(&once, set_up);
	mtx_lock(&lock);
	handed = set;
	is_handed = 1;
	cnd_signal(&changed);
	mtx_unlock(&lock);
	return 0;
}

int main(void)
{
	thrd_t t;
	int bad;

	mtx_init(&lock, mtx_plain);
	cnd_init(&changed);
	thrd_create(&t, hand_over, NULL);
	call_once(&once, set_up);
	mtx_lock(&lock);
	while (!is_handed)
		cnd_wait(&changed, &lock);
	bad = handed++ != set;
	mtx_unlock(&lock);
	thrd_join(t, NULL);
	return bad;
}

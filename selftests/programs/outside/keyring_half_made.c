// SPDX-License-Identifier: GPL-2.0-only
/*
 * A user's two keyrings are installed on first use. Whether they are there is asked of the
 * first one, which is installed before the second.
 *
 * source: CVE-2013-1792 (Linux, install_user_keyrings)
 * expect: verdict=crash
 */
#include "outside.h"

struct keyring {
	int keys;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct keyring made[2];
static struct keyring *of_user, *of_login;

static void install(void)
{
	if (!IS_MENDED && of_user)
		return;
	pthread_mutex_lock(&lock);
	if (!of_user) {
		of_user = &made[0];
		of_login = &made[1];
	}
	pthread_mutex_unlock(&lock);
}

static void look_up(void)
{
	install();
	assert(of_login->keys == 0);
}

static void *others(void *arg)
{
	(void)arg;
	look_up();
	return NULL;
}

int main(void)
{
	together(look_up, others);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Double-checked initialization (Schmidt and Harrison, PLoP'96) that tells others of the
 * object before it is complete, as "The 'Double-Checked Locking is Broken' Declaration"
 * has it: the lock orders those who find nothing, and nobody else.
 *
 * expect: verdict=assert preemptions=1
 * The schedule: the first is preempted between its store of the pointer and the one into
 * the object; the second finds the pointer and does not lock. One preemption: the one not
 * left completes the object, and nobody blocks inside.
 */
#include <assert.h>
#include <pthread.h>

struct config {
	int size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct config storage, *config;

static struct config *get_config(void)
{
	if (!config) {
		pthread_mutex_lock(&lock);
		if (!config) {
			config = &storage;
			config->size = 4096;
		}
		pthread_mutex_unlock(&lock);
	}
	return config;
}

static void *use_config(void *arg)
{
	assert(get_config()->size == 4096);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, use_config, NULL);
	use_config(NULL);
	pthread_join(t, NULL);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two clients get their replies from one System V message queue, and each takes the first
 * that is there.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/msg.h>

#include "window.h"

struct message {
	long type;
	int value;
};

static int queue;

static void *ask(void *arg)
{
	struct message m = { .type = (long)arg, .value = (long)arg };

	if ((long)arg == 1)
		INTO_WINDOW();
	/* The service answers at once, here by itself. */
	assert(!msgsnd(queue, &m, sizeof(m.value), 0));
	/* The one whose reply is the first in the queue is late; both late are in order again. */
	if ((long)arg == 2)
		WINDOW();
	assert(msgrcv(queue, &m, sizeof(m.value), IS_MENDED ? (long)arg : 0, 0) ==
	       sizeof(m.value));
	assert(m.value == (long)arg);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	queue = msgget(IPC_PRIVATE, 0600);
	assert(queue >= 0);
	assert(!pthread_create(&thread, NULL, ask, (void *)1L));
	ask((void *)2L);
	assert(!pthread_join(thread, NULL));
	assert(!msgctl(queue, IPC_RMID, NULL));
	return 0;
}

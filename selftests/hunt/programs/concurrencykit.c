// SPDX-License-Identifier: GPL-2.0-only
/*
 * a ring between two threads keeps what was put into it
 * link: -lck -lpthread
 */
#include <ck_pr.h>
#include <ck_ring.h>
#include <pthread.h>
#include <sched.h>

static ck_ring_buffer_t buffer[4];
static ck_ring_t ring;

static void *put(void *arg)
{
	ck_ring_enqueue_spsc(&ring, buffer, (void *)1);
	ck_ring_enqueue_spsc(&ring, buffer, (void *)2);
	return NULL;
}

int main(void)
{
	void *a, *b;
	pthread_t t;

	ck_ring_init(&ring, 4);
	pthread_create(&t, NULL, put, NULL);
	while (!ck_ring_dequeue_spsc(&ring, buffer, &a))
		sched_yield();
	while (!ck_ring_dequeue_spsc(&ring, buffer, &b))
		sched_yield();
	pthread_join(t, NULL);
	return a != (void *)1 || b != (void *)2;
}

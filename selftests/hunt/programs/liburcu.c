// SPDX-License-Identifier: GPL-2.0-only
/*
 * what call_rcu() was given is freed after its readers, and before the barrier ends
 * link: -lurcu -lurcu-common -lpthread
 */
#include <urcu.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct rcu_head head;
	int n;
};

static struct node *shared;
static int freed;

static void freeing(struct rcu_head *head)
{
	struct node *n = caa_container_of(head, struct node, head);

	n->n = 0;
	free(n);
	freed = 1;
}

static void *reader(void *arg)
{
	struct node *n;
	long wrong;

	rcu_register_thread();
	rcu_read_lock();
	n = rcu_dereference(shared);
	wrong = n && n->n != 1;
	rcu_read_unlock();
	rcu_unregister_thread();
	return (void *)wrong;
}

int main(void)
{
	struct node *n = malloc(sizeof(*n));
	pthread_t t;
	void *wrong;

	n->n = 1;
	shared = n;
	rcu_register_thread();
	pthread_create(&t, NULL, reader, NULL);
	rcu_xchg_pointer(&shared, NULL);
	call_rcu(&n->head, freeing);
	pthread_join(t, &wrong);
	rcu_barrier();
	rcu_unregister_thread();
	return wrong || !freed;
}

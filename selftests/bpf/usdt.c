// SPDX-License-Identifier: GPL-2.0-only
/*
 * A list that readers walk without a lock, as with RCU. A writer unlinks an entry and marks
 * it freed; a reader that has found it may still use it, because nobody waits for readers.
 * The program says where it is with USDT probes; usdt.bpf.c makes points of them. With an
 * argument it is right: the writer waits until nobody is reading.
 *
 * expect: preemptions=1 right: runs=3,27,162
 *
 * The numbers are those of model/bpf.c, as in account.c.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/sdt.h>

struct entry {
	bool freed;
};

static struct entry one;
static struct entry *head = &one;
static int readers;
static bool right;

static void synchronize(void)
{
	while (__atomic_load_n(&readers, __ATOMIC_SEQ_CST))
		DTRACE_PROBE1(list, wait, &readers);
}

static void *read_list(void *unused)
{
	struct entry *e;

	__atomic_add_fetch(&readers, 1, __ATOMIC_SEQ_CST);
	DTRACE_PROBE1(list, reading, &head);
	e = __atomic_load_n(&head, __ATOMIC_SEQ_CST);
	DTRACE_PROBE1(list, using, e);
	if (e)
		assert(!__atomic_load_n(&e->freed, __ATOMIC_SEQ_CST));
	__atomic_sub_fetch(&readers, 1, __ATOMIC_SEQ_CST);
	return unused;
}

static void *remove_first(void *unused)
{
	struct entry *e = head;

	DTRACE_PROBE1(list, unlinking, &head);
	__atomic_store_n(&head, NULL, __ATOMIC_SEQ_CST);
	if (right)
		synchronize();
	DTRACE_PROBE1(list, freeing, e);
	__atomic_store_n(&e->freed, true, __ATOMIC_SEQ_CST);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t reader, writer;

	(void)argv;
	right = argc > 1;
	pthread_create(&reader, NULL, read_list, NULL);
	pthread_create(&writer, NULL, remove_first, NULL);
	pthread_join(reader, NULL);
	pthread_join(writer, NULL);
	return 0;
}

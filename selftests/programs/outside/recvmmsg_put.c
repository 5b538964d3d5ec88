// SPDX-License-Identifier: GPL-2.0-only
/*
 * A system call for several messages drops its reference to the socket, and then looks there
 * for an error to return. By then, the last reference may be gone.
 *
 * source: CVE-2016-7117 (Linux, recvmmsg)
 * expect: verdict=memory
 */
#include <stdatomic.h>

#include "outside.h"

struct sock {
	atomic_int references;
	volatile int error;
	long rest[4];
};

static struct sock *sock;
static int came;

static void put(void)
{
	if (atomic_fetch_sub(&sock->references, 1) == 1)
		free(sock);
}

static void receive(void)
{
	if (IS_MENDED)
		came = sock->error;
	put();
	if (!IS_MENDED)
		came = sock->error;
}

static void *close_sock(void *arg)
{
	(void)arg;
	put();
	return NULL;
}

int main(void)
{
	sock = calloc(1, sizeof(*sock));
	assert(sock);
	atomic_store(&sock->references, 2);
	together(receive, close_sock);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * a message between two sockets of one process, then both are closed
 * link: -lnng
 */
#include <nng/nng.h>
#include <nng/protocol/pair0/pair.h>

int main(void)
{
	nng_socket a, b;
	size_t n = 1;
	char c = 0;

	if (nng_pair0_open(&a) || nng_pair0_open(&b) || nng_listen(a, "inproc://a", NULL, 0) ||
	    nng_dial(b, "inproc://a", NULL, 0) || nng_send(b, "x", 1, 0) || nng_recv(a, &c, &n, 0))
		return 2;
	nng_close(a);
	nng_close(b);
	return c != 'x';
}

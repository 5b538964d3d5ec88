// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two ends of a TCP connection on the loopback device. One sends, shuts its side down and polls;
 * the other computes between its reads, and before it closes, for as many rounds as the file
 * "rounds" says. Where the acknowledgement is delayed, and they take longer than that, a timer of
 * the kernel sends it and wakes the one that polls.
 *
 * Usage: late_ack 4|6
 */
#include <err.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int near_end, far_end;

static void *send_and_poll(void *arg)
{
	struct pollfd p = { .fd = near_end, .events = POLLIN | POLLRDHUP };

	if (write(near_end, "hello", 5) != 5 || shutdown(near_end, SHUT_WR) || poll(&p, 1, -1) != 1)
		err(1, "sending");
	return arg;
}

static void compute(long rounds)
{
	volatile long i;

	for (i = 0; i < rounds; i++)
		;
}

static long rounds_to_do(void)
{
	FILE *f = fopen("rounds", "r");
	long n;

	if (!f || fscanf(f, "%ld", &n) != 1)
		err(1, "rounds");
	fclose(f);
	return n;
}

int main(int argc, char **argv)
{
	struct sockaddr_in v4 = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	int is_v6 = argc > 1 && !strcmp(argv[1], "6"), listener;
	struct sockaddr *address = is_v6 ? (void *)&v6 : (void *)&v4;
	socklen_t size = is_v6 ? sizeof(v6) : sizeof(v4);
	pthread_t thread;
	char buffer[64];
	long n;

	listener = socket(address->sa_family, SOCK_STREAM, 0);
	if (listener < 0 || bind(listener, address, size) || listen(listener, 1) ||
	    getsockname(listener, address, &size))
		err(4, "listening");
	far_end = socket(address->sa_family, SOCK_STREAM, 0);
	if (connect(far_end, address, size))
		err(4, "connecting");
	near_end = accept(listener, NULL, NULL);
	/* The first segments are acknowledged at once; a dialogue is not. */
	if (write(far_end, "q", 1) != 1 || read(near_end, buffer, 1) != 1 ||
	    pthread_create(&thread, NULL, send_and_poll, NULL) || read(far_end, buffer, 5) != 5)
		err(1, "a dialogue");
	n = rounds_to_do();
	compute(n);
	if (read(far_end, buffer, 1))
		err(1, "the end");
	compute(n);
	close(far_end);
	pthread_join(thread, NULL);
	return 0;
}

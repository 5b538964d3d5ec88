// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client: ask [HOST] PORT [-n BYTES | -r | -w]; sends standard input, prints the answer up to the
 * end or BYTES; -w: only waits until there is a listener (what stands on standard input is sent),
 * -r: without a request. It tries again until it is connected.
 * link: -lc
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const struct timespec again = { .tv_nsec = 20000000 };
	struct sockaddr_in to = { .sin_family = AF_INET };
	char what = argc > 3 ? argv[3][1] : 0, text[4096];
	long most = what == 'n' ? atol(argv[4]) : 1 << 30;
	ssize_t n;
	int fd, i;

	inet_pton(AF_INET, argv[1], &to.sin_addr);
	to.sin_port = htons(atoi(argv[2]));
	for (i = 0; i < 500; i++) {
		fd = socket(AF_INET, SOCK_STREAM, 0);
		if (!connect(fd, (void *)&to, sizeof(to)))
			break;
		close(fd);
		nanosleep(&again, NULL);
	}
	if (i == 500)
		return 2;
	if (what != 'r' && !isatty(0) && (n = read(0, text, sizeof(text))) > 0 &&
	    write(fd, text, n) != n)
		return 3;
	if (what == 'w' || what == 'r')
		return 0;
	while (most > 0 && (n = read(fd, text, sizeof(text))) > 0) {
		if (write(1, text, n) != n)
			return 4;
		most -= n;
	}
	return 0;
}

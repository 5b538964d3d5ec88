// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program with one source of nondeterminism, named on the command line, whose value
 * it prints; doctor.sh asks "chessctl doctor" for it.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Each in a function of its own, whose name doctor is to tell. */
static int __attribute__((noinline)) read_tsc(void)
{
	unsigned int low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high));
	return printf("tsc %u %u\n", high, low);
}

static int __attribute__((noinline)) read_processor_random(void)
{
	unsigned long value = 0;
	unsigned char good;

	asm volatile("rdrand %0; setc %1" : "=r" (value), "=qm" (good));
	return printf("rdrand %d %lx\n", good, value);
}

static int read_file(const char *path)
{
	char text[256];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text));

	return n < 0 ? -1 : printf("%.*s\n", (int)n, text);
}

/* Processor time of this many loops. */
static void work(void)
{
	volatile long i;

	for (i = 0; i < 10000000; i++)
		;
}

static int read_usage(void)
{
	struct rusage u;

	work();
	if (getrusage(RUSAGE_SELF, &u))
		return -1;
	return printf("usage %ld.%06ld\n", u.ru_utime.tv_sec, u.ru_utime.tv_usec);
}

static int read_cpu_clock(void)
{
	struct timespec t;

	work();
	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t))
		return -1;
	return printf("processor %lld.%09ld\n", (long long)t.tv_sec, t.tv_nsec);
}

static int ask(int fd)
{
	char text[64];
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text));

	return n < 0 ? -1 : printf("answer %.*s\n", (int)n, text);
}

static int ask_port(int port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return connect(fd, (void *)&a, sizeof(a)) ? -1 : ask(fd);
}

static int ask_socket(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strncpy(a.sun_path, path, sizeof(a.sun_path) - 1);
	return connect(fd, (void *)&a, sizeof(a)) ? -1 : ask(fd);
}

/* What is the same in every run: nothing may be named for it. */
static int read_controlled(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	int listener = socket(AF_INET, SOCK_STREAM, 0), peer = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t len = sizeof(a);
	struct timespec t;
	long random;

	clock_gettime(CLOCK_MONOTONIC, &t);
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	a.sin_port = htons(7011);
	if (getrandom(&random, sizeof(random), 0) != sizeof(random) ||
	    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int)) ||
	    bind(listener, (void *)&a, len) || listen(listener, 1) ||
	    connect(peer, (void *)&a, len) || read_file("/proc/self/comm") < 0 ||
	    read_file("/etc/hostname") < 0 || read_file("/proc/sys/kernel/ostype") < 0)
		return -1;
	return printf("%d %lld.%09ld %lx\n", getpid(), (long long)t.tv_sec, t.tv_nsec, random);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	struct sysinfo info;
	int ret = -1;

	if (!strcmp(name, "rdtsc"))
		ret = read_tsc();
	else if (!strcmp(name, "rdrand"))
		ret = read_processor_random();
	else if (!strcmp(name, "file") && argc > 2)
		ret = read_file(argv[2]);
	else if (!strcmp(name, "usage"))
		ret = read_usage();
	else if (!strcmp(name, "times"))
		ret = printf("times %ld\n", (long)times(&(struct tms){ 0 }));
	else if (!strcmp(name, "sysinfo"))
		ret = sysinfo(&info) ? -1 : printf("uptime %ld %lu\n", info.uptime, info.freeram);
	else if (!strcmp(name, "cpu-clock"))
		ret = read_cpu_clock();
	else if (!strcmp(name, "port"))
		ret = ask_port(7010);
	else if (!strcmp(name, "socket") && argc > 2)
		ret = ask_socket(argv[2]);
	else if (!strcmp(name, "controlled"))
		ret = read_controlled();
	return ret < 0;
}

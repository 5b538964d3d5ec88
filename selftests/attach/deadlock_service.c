// SPDX-License-Identifier: GPL-2.0-only
/*
 * A service with a lock-order deadlock that two requests at the wrong time reach:
 *
 *   deadlock_service SOCKET            serves
 *   deadlock_service SOCKET REQUEST    sends it one, prints the answer; exit 1 without one
 *
 * One thread for each account, each with a mutex. Requests:
 *
 *   work         the main thread looks at each account, if it is not in use
 *   transfer N   thread N takes the mutex of account N and that of the next one, in this
 *                order: 0 and 1 are next to each other, 2 is next to itself
 *   hold         from now on transfers stop between the two mutexes
 *   go           lets them go on; later ones do not stop
 *   poll         from now on there is one more thread, which rests for 1 ms at a time
 *   halfway      answered when all transfers of the cycle stand between their mutexes
 *
 * A client that is gone does not wait for its answer; the others go on.
 *
 * So transfers 0 and 1 at a time may wait for each other; thread 2 and the main thread
 * go on. The USDT probe bank:transfer is where a transfer begins. With RING=3 in the
 * environment, 2 is next to 0: a cycle of three.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define CHECK(x) do { if (!(x)) { perror(#x); exit(2); } } while (0)
#define WORKERS 3

pthread_mutex_t account[WORKERS] = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
};

static int ring = 2;

/* Requests, and whether transfers stop on their way. */
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int requests[WORKERS];	/* descriptor that waits for the answer, or -1 */
static int holding, halfway;
static int curious = -1;	/* who asked for "halfway", or -1 */

static void answer(int fd)
{
	/* No SIGPIPE: a client may be killed before it was answered. */
	CHECK(send(fd, "done\n", 5, MSG_NOSIGNAL) == 5 || errno == EPIPE);
	close(fd);
}

static int next_request(int n)
{
	int fd;

	pthread_mutex_lock(&table);
	while (requests[n] < 0)
		pthread_cond_wait(&changed, &table);
	fd = requests[n];
	requests[n] = -1;
	pthread_mutex_unlock(&table);
	return fd;
}

/* With the table locked. */
static void answer_halfway(void)
{
	if (curious < 0 || halfway < ring)
		return;
	answer(curious);
	curious = -1;
}

static void stop_halfway(void)
{
	pthread_mutex_lock(&table);
	halfway++;
	answer_halfway();
	while (holding)
		pthread_cond_wait(&changed, &table);
	halfway--;
	pthread_mutex_unlock(&table);
}

/* What DTRACE_PROBE(bank, transfer) of systemtap's sys/sdt.h is: a nop, and a note about it. */
#define PROBE_TRANSFER() __asm__ volatile( \
	"990:	nop\n" \
	"	.pushsection .stapsdt.base, \"a\", @progbits\n" \
	"_.stapsdt.base: .space 1\n" \
	"	.popsection\n" \
	"	.pushsection .note.stapsdt, \"\", @note\n" \
	"	.balign 4\n" \
	"	.4byte 992f-991f, 994f-993f, 3\n" \
	"991:	.asciz \"stapsdt\"\n" \
	"992:	.balign 4\n" \
	"993:	.8byte 990b, _.stapsdt.base, 0\n" \
	"	.asciz \"bank\"\n	.asciz \"transfer\"\n	.asciz \"\"\n" \
	"994:	.balign 4\n" \
	"	.popsection\n")

static void transfer(int from)
{
	int to = from < ring ? (from + 1) % ring : from;

	PROBE_TRANSFER();
	pthread_mutex_lock(&account[from]);
	stop_halfway();
	if (to != from) {
		pthread_mutex_lock(&account[to]);	/* where: the second */
		pthread_mutex_unlock(&account[to]);
	}
	pthread_mutex_unlock(&account[from]);
}

static void *worker(void *arg)
{
	int n = (long)arg, fd;

	for (;;) {
		fd = next_request(n);
		transfer(n);
		answer(fd);
	}
	return NULL;
}

static void work(void)
{
	int i;

	for (i = 0; i < WORKERS; i++)
		if (!pthread_mutex_trylock(&account[i]))
			pthread_mutex_unlock(&account[i]);
}

static void start_transfer(int n, int fd)
{
	pthread_mutex_lock(&table);
	requests[n] = fd;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&table);
}

static void ask_halfway(int fd)
{
	pthread_mutex_lock(&table);
	curious = fd;
	answer_halfway();
	pthread_mutex_unlock(&table);
}

static void set_holding(int value)
{
	pthread_mutex_lock(&table);
	holding = value;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&table);
}

static void *keep_polling(void *arg)
{
	for (;;)
		usleep(1000);
	return arg;
}

static void start_polling(void)
{
	pthread_t thread;

	CHECK(!pthread_create(&thread, NULL, keep_polling, NULL));
}

static void serve(int fd)
{
	char line[64];
	ssize_t n = read(fd, line, sizeof(line) - 1);
	int which;

	line[n > 0 ? n : 0] = 0;
	if (sscanf(line, "transfer %d", &which) == 1 && which >= 0 && which < WORKERS) {
		start_transfer(which, fd);
		return;
	}
	if (!strncmp(line, "halfway", 7)) {
		ask_halfway(fd);
		return;
	}
	if (!strncmp(line, "work", 4))
		work();
	else if (!strncmp(line, "poll", 4))
		start_polling();
	else if (!strncmp(line, "hold", 4))
		set_holding(1);
	else if (!strncmp(line, "go", 2))
		set_holding(0);
	answer(fd);
}

static int ask(const struct sockaddr_un *address, const char *request)
{
	char line[64];
	ssize_t n;
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	CHECK(!connect(fd, (struct sockaddr *)address, sizeof(*address)));
	CHECK(write(fd, request, strlen(request)) > 0);
	n = read(fd, line, sizeof(line));
	if (n <= 0)
		return 1;
	CHECK(write(STDOUT_FILENO, line, n) == n);
	return 0;
}

int main(int argc, char **argv)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	pthread_t thread;
	int listener, fd;
	long i;

	CHECK((argc == 2 || argc == 3) && strlen(argv[1]) < sizeof(address.sun_path));
	strcpy(address.sun_path, argv[1]);
	if (argc == 3)
		return ask(&address, argv[2]);
	if (getenv("RING"))
		ring = atoi(getenv("RING"));
	CHECK(ring > 1 && ring <= WORKERS);
	for (i = 0; i < WORKERS; i++) {
		requests[i] = -1;
		CHECK(!pthread_create(&thread, NULL, worker, (void *)i));
	}
	unlink(argv[1]);
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	CHECK(!bind(listener, (struct sockaddr *)&address, sizeof(address)));
	CHECK(!listen(listener, 16));
	for (;;) {
		fd = accept(listener, NULL, NULL);
		CHECK(fd >= 0);
		serve(fd);
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that netlink_fuzz puts under control, which are this file again, executed with
 * "program", and bystanders: processes of other users that must not notice anything. See
 * netlink_child.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "netlink_child.h"

#define ANSWER_MS 60000

char netlink_program_path[] = "/tmp/netlink_fuzz.XXXXXX";

/* Functions to put traps on: each begins with an instruction of one byte. */
int trapped_0(void);
__asm__(".text\n.balign 16\ntrapped_0:\n.rept 6\n\tnop\n\tmov $42, %eax\n\tret\n.balign 16\n.endr\n");

static int call_trapped(unsigned int i)
{
	return ((int (*)(void))((char *)trapped_0 + 16 * i))();
}

static int note_base(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	*(uintptr_t *)data = info->dlpi_addr;
	return 1;
}

/* As far from the begin of the file as from the load address, as the text segment is. */
uint64_t netlink_trapped_offset(unsigned int i)
{
	uintptr_t base = 0;

	dl_iterate_phdr(note_base, &base);
	return (uintptr_t)trapped_0 + 16 * i - base;
}

/* Where others may read and execute it. */
void netlink_prepare_program(void)
{
	int in = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int out = mkstemp(netlink_program_path);
	char block[65536];
	ssize_t n;

	while ((n = read(in, block, sizeof(block))) > 0)
		if (write(out, block, n) != n)
			exit(2);
	fchmod(out, 0755);
	close(in);
	close(out);
}

static void nap_us(long us)
{
	struct timespec t = { 0, us * 1000 };

	nanosleep(&t, NULL);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	unsigned int i;

	for (i = 0; i < 20; i++) {
		pthread_mutex_lock(&lock);
		call_trapped(i % N_TRAPPED);
		pthread_mutex_unlock(&lock);
		if (i % 5 == 0)
			nap_us(100);
	}
	return arg;
}

static void with_threads(void)
{
	pthread_t t[3];
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (pthread_create(&t[i], NULL, work, NULL))
			_exit(1);
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
}

static void with_children(void)
{
	unsigned int i;
	int fd[2];
	char byte;

	if (pipe(fd))
		_exit(1);
	for (i = 0; i < 3; i++)
		if (!fork()) {
			work(NULL);
			_exit(write(fd[1], "x", 1) != 1);
		}
	for (i = 0; i < 3; i++)
		if (read(fd[0], &byte, 1) != 1)
			_exit(1);
	while (wait(NULL) > 0)
		;
}

/* What becomes of it does not matter, if it but ends. */
int netlink_program(void)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(4);
	switch (getpid() % 6) {
	case 0:
		return 0;
	case 1:
		with_threads();
		return 0;
	case 2:
		with_children();
		return 0;
	case 3:
		for (;;)
			nap_us(20000);
	case 4:
		with_threads();
		execl(netlink_program_path, "again", "leaf", NULL);
		return 0;
	default:
		return read(0, &byte, 1) < 0;
	}
}

/* --- bystanders ------------------------------------------------------------ */

static volatile int signals;

static void count_signal(int sig)
{
	if (sig != SIGCHLD)
		signals++;
}

static uint64_t sum_of(const void *from, size_t bytes)
{
	const unsigned char *p = from;
	uint64_t s = 0;

	while (bytes--)
		s = s * 1099511628211ULL + *p++;
	return s;
}

static uint64_t sum_of_text(void)
{
	return sum_of(work, 4096) ^ sum_of((void *)call_trapped, 512) ^
	       sum_of((void *)((uintptr_t)nanosleep & -4096UL), 4096);
}

static void *live(void *arg)
{
	for (;;) {
		work(NULL);
		nap_us(50000);
	}
	return arg;
}

/* What is not as it was? Empty: all is. */
static void look(char *text, size_t size, uint64_t sum, const cpu_set_t *cpus, int policy)
{
	char line[128];
	cpu_set_t set;
	FILE *f;

	text[0] = '\0';
	if (signals)
		snprintf(text, size, "it got %d signals", signals);
	if (sum_of_text() != sum)
		snprintf(text, size, "its text has changed");
	if (sched_getaffinity(0, sizeof(set), &set) || !CPU_EQUAL(&set, cpus))
		snprintf(text, size, "it may run on other processors");
	if (sched_getscheduler(0) != policy)
		snprintf(text, size, "its scheduling policy is another one");
	f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "TracerPid:", 10) && atoi(line + 10))
			snprintf(text, size, "it is traced");
	if (f)
		fclose(f);
}

static void bystand(int talk, uid_t uid, bool threads)
{
	int sig, policy = sched_getscheduler(0);
	struct pollfd p = { .fd = talk, .events = POLLIN };
	char text[128];
	cpu_set_t cpus;
	pthread_t t;
	uint64_t sum;

	for (sig = 1; sig < NSIG; sig++)
		signal(sig, count_signal);
	if (setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
		_exit(3);
	/* Any process of the same user could trace it, as far as that goes. */
	prctl(PR_SET_DUMPABLE, 1);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sched_getaffinity(0, sizeof(cpus), &cpus);
	if (threads && pthread_create(&t, NULL, live, NULL))
		_exit(4);
	sum = sum_of_text();
	if (write(talk, "", 1) != 1)
		_exit(5);
	do {
		work(NULL);
		errno = 0;
	} while (!poll(&p, 1, 50) || errno == EINTR);
	/* Who goes with something unread resets the connection. */
	if (read(talk, text, 1) != 1)
		_exit(6);
	look(text, sizeof(text), sum, &cpus, policy);
	_exit(write(talk, text, strlen(text) + 1) < 0);
}

void netlink_bystander_start(struct netlink_bystander *b, uid_t uid, bool threads)
{
	int talk[2];
	char byte;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, talk))
		exit(2);
	fflush(stdout);
	b->pid = fork();
	if (!b->pid)
		bystand(talk[1], uid, threads);
	close(talk[1]);
	b->talk = talk[0];
	if (read(b->talk, &byte, 1) != 1)
		exit(2);
}

bool netlink_bystander_end(struct netlink_bystander *b)
{
	struct pollfd p = { .fd = b->talk, .events = POLLIN };
	char text[128] = "it is not there any more";
	int status = -1;

	if (write(b->talk, "q", 1) != 1 || poll(&p, 1, ANSWER_MS) != 1)
		snprintf(text, sizeof(text), "it does not answer");
	else if (read(b->talk, text, sizeof(text)) <= 0)
		snprintf(text, sizeof(text), "it is gone");
	kill(b->pid, SIGKILL);
	waitpid(b->pid, &status, 0);
	close(b->talk);
	if (text[0])
		printf("# process %d: %s (%x)\n", b->pid, text, status);
	return !text[0];
}

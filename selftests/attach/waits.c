// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks that wait for each other, or seem to, for observe.sh: waits NAME. Prints "ready"
 * when they do, and stays.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHECK(x) do { if (!(x)) { perror(#x); exit(2); } } while (0)

static pthread_mutex_t lock[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_barrier_t both;

static void ready(void)
{
	puts("ready");
	fflush(stdout);
}

/* Each has one and tries for the other for a second and a half; then again. */
static void *try_long(void *arg)
{
	long mine = (long)arg;
	struct timespec end;

	for (;;) {
		pthread_mutex_lock(&lock[mine]);
		pthread_barrier_wait(&both);
		clock_gettime(CLOCK_REALTIME, &end);
		end.tv_sec++;
		end.tv_nsec = 500000000;
		if (!pthread_mutex_timedlock(&lock[!mine], &end))
			pthread_mutex_unlock(&lock[!mine]);
		pthread_mutex_unlock(&lock[mine]);
		pthread_barrier_wait(&both);
	}
	return NULL;
}

/* Both in the right order, with a rest inside, so that somebody always waits. */
static void *hurry(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&lock[0]);
		pthread_mutex_lock(&lock[1]);
		usleep(2000);
		pthread_mutex_unlock(&lock[1]);
		pthread_mutex_unlock(&lock[0]);
	}
	return arg;
}

static void threads(void *(*run)(void *arg), long n)
{
	pthread_t thread;

	pthread_barrier_init(&both, NULL, 2);
	while (n--)
		CHECK(!pthread_create(&thread, NULL, run, (void *)n));
	ready();
	pause();
}

/* Or until its writers are gone. */
static void wait_byte(int fd)
{
	char c;

	CHECK(read(fd, &c, 1) >= 0);
}

/* Reads from the pipe that the other one writes to, and never does. */
static void pipes(int outside)
{
	int there[2], back[2];

	CHECK(!pipe(there) && !pipe(back));
	/* Its writing ends stay open in a process that was not forked from here later. */
	if (outside && !fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setsid();
		if (fork())
			_exit(0);
		sleep(60);
		_exit(0);
	}
	if (outside)
		wait(NULL);
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(there[1]);
		close(back[0]);
		wait_byte(there[0]);
		_exit(0);
	}
	close(there[0]);
	close(back[1]);
	ready();
	wait_byte(back[0]);
}

static void lock_byte(int fd, int byte)
{
	struct flock f = { .l_type = F_WRLCK, .l_start = byte, .l_len = 1 };

	CHECK(!fcntl(fd, F_OFD_SETLKW, &f));
}

/* Open file descriptions of their own: the kernel looks for deadlocks of others only. */
static void files(void)
{
	char name[] = "/tmp/chess-waits.XXXXXX";
	int fd = mkstemp(name), sync[2], other;

	CHECK(fd >= 0 && !pipe(sync));
	lock_byte(fd, 0);
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		other = open(name, O_RDWR);
		CHECK(other >= 0);
		close(fd);
		lock_byte(other, 1);
		CHECK(write(sync[1], "x", 1) == 1);
		lock_byte(other, 0);
	}
	wait_byte(sync[0]);
	unlink(name);
	ready();
	lock_byte(fd, 1);
}

/* The child is made when somebody has said so. */
static void later(void)
{
	sigset_t set;
	int got;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	CHECK(!sigprocmask(SIG_BLOCK, &set, NULL));
	ready();
	CHECK(!sigwait(&set, &got));
	pipes(0);
}

int main(int argc, char **argv)
{
	CHECK(argc == 2);
	if (!strcmp(argv[1], "timed"))
		threads(try_long, 2);
	else if (!strcmp(argv[1], "busy"))
		threads(hurry, 4);
	else if (!strcmp(argv[1], "files"))
		files();
	else if (!strcmp(argv[1], "later"))
		later();
	else
		pipes(!strcmp(argv[1], "outside"));
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes that share no memory. Each takes its own lock and looks for a file, hundreds of
 * times, which is no business of the other one, and then writes a byte to a pipe. Their creator
 * waits for both, and reads the bytes: which one was the first to write does not matter, but with
 * argument "bug" the program fails if it was the second process.
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define TIMES	300

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static void be_busy(void)
{
	int i, fd;

	for (i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&lock);
		taken++;
		pthread_mutex_unlock(&lock);
		if (i % 10)
			continue;
		access("/etc/apart", R_OK);
		fd = open("/etc/passwd", O_RDONLY);
		close(fd);
	}
}

int main(int argc, char **argv __attribute__((unused)))
{
	pid_t pid[2];
	char said[2];
	int to[2], i, status;

	if (pipe(to))
		return 2;
	for (i = 0; i < 2; i++) {
		pid[i] = fork();
		if (pid[i])
			continue;
		be_busy();
		_exit(write(to[1], &"AB"[i], 1) != 1);
	}
	for (i = 0; i < 2; i++)
		if (waitpid(pid[i], &status, 0) != pid[i] || status)
			return 2;
	if (read(to[0], said, 2) != 2)
		return 2;
	assert(argc == 1 || said[0] == 'A');
	return 0;
}

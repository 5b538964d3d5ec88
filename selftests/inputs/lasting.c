// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs whose traces have to last, each with a bug that one preemption shows:
 *
 *	owner	two processes, the second one executed again, look whether a file is there and
 *		then make it: both mean to own it, and the one that is late aborts
 *	heap	two threads lock mutexes in opposite orders: one is in memory of malloc(), the
 *		other in an anonymous mapping, so both lie where there is room
 *	environment	as heap, but for a call more without the variable LASTING_ORDER
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_NAME	"lasting.owner"

static void own(void)
{
	int fd;

	if (!access(FILE_NAME, F_OK))
		return;
	fd = open(FILE_NAME, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		abort();
	close(fd);
}

static int owner(char *self)
{
	int status;
	pid_t pid;

	/* One that aborted may have left it: what these return is the same all the same. */
	close(open(FILE_NAME, O_WRONLY | O_CREAT, 0600));
	unlink(FILE_NAME);
	pid = fork();
	if (!pid) {
		execl(self, self, "child", NULL);
		_exit(2);
	}
	own();
	if (waitpid(pid, &status, 0) != pid)
		return 2;
	unlink(FILE_NAME);
	if (WIFSIGNALED(status))
		abort();
	return WEXITSTATUS(status);
}

static pthread_mutex_t *on_heap, *in_mapping;

static void *other_way_round(void *arg)
{
	pthread_mutex_lock(in_mapping);
	pthread_mutex_lock(on_heap);
	pthread_mutex_unlock(on_heap);
	pthread_mutex_unlock(in_mapping);
	return arg;
}

static int heap(void)
{
	pthread_t t;

	/* Too large for the heap that begins after the program. */
	on_heap = malloc(1 << 20);
	in_mapping = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	if (!on_heap || in_mapping == MAP_FAILED)
		return 2;
	pthread_mutex_init(on_heap, NULL);
	pthread_mutex_init(in_mapping, NULL);
	if (pthread_create(&t, NULL, other_way_round, NULL))
		return 2;
	pthread_mutex_lock(on_heap);
	pthread_mutex_lock(in_mapping);
	pthread_mutex_unlock(in_mapping);
	pthread_mutex_unlock(on_heap);
	return pthread_join(t, NULL);
}

/* Without the variable there is one more point. */
static int environment(void)
{
	return getenv("LASTING_ORDER") ? heap() : access(".", F_OK) || heap();
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "owner"))
		return owner(argv[0]);
	if (!strcmp(what, "child")) {
		own();
		return 0;
	}
	return !strcmp(what, "environment") ? environment() : heap();
}

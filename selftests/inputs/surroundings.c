// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks at what runs share, and leaves something in each of it: /tmp, shared memory, a
 * message queue, the working directory, the network, a pid. Prints what it found; in a
 * run with surroundings of its own that is the same every time. Two threads do it, so that a
 * search has more than one schedule to try. "--fail": aborts if the second thread is first.
 * surroundings.sh runs it.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <mqueue.h>
#include <net/if.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first;

static char directory[4096];

/* A working directory in /tmp stays there, so what leads to it does not count. */
static int is_entry(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	if (!strncmp(directory, "/tmp/", 5) && !strncmp(directory + 5, d->d_name, n) &&
	    (directory[5 + n] == '/' || !directory[5 + n]))
		return 0;
	return strcmp(d->d_name, ".") && strcmp(d->d_name, "..");
}

static void look_at_tmp(void)
{
	struct dirent **names;
	int n = scandir("/tmp", &names, is_entry, alphasort);
	int fd = open("/tmp/surroundings.mark", O_WRONLY | O_CREAT | O_EXCL, 0600);

	printf("tmp %d files, %s\n", n, fd < 0 ? "with a mark" : "no mark");
}

static void look_at_ipc(void)
{
	int id = shmget(0x63686573, 4096, IPC_CREAT | IPC_EXCL | 0600);

	printf("segment %s\n", id < 0 ? "before" : "now");
	id = shmget(IPC_PRIVATE, 4096, 0600);
	printf("private segment %d\n", id);
	if (id >= 0)
		shmctl(id, IPC_RMID, NULL);
	printf("queue %s\n", mq_open("/chess-surroundings", O_RDWR | O_CREAT | O_EXCL, 0600,
				     NULL) < 0 ? "before" : "now");
	printf("shared memory %s\n", shm_open("/chess-surroundings", O_RDWR | O_CREAT | O_EXCL,
					      0600) < 0 ? "before" : "now");
}

/* "kept" is there before the first run. */
static void look_at_directory(void)
{
	struct stat st = { 0 };
	int fd = open("kept", O_WRONLY | O_APPEND);

	if (fd < 0 || write(fd, "+", 1) != 1 || fstat(fd, &st))
		printf("kept cannot be written\n");
	printf("kept %lld bytes\n", (long long)st.st_size);
	fd = open("made", O_WRONLY | O_CREAT | O_EXCL, 0600);
	printf("made %s\n", fd < 0 ? "before" : "now");
}

static void look_at_network(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(7007) };
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "\0chess-surroundings" };
	struct if_nameindex *names = if_nameindex(), *i;
	int listener = socket(AF_INET, SOCK_STREAM, 0), peer = socket(AF_UNIX, SOCK_STREAM, 0);

	/* Some kernels put a tunnel into each network, which is down. */
	for (i = names; i && i->if_index; i++) {
		struct ifreq r = { 0 };

		snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", i->if_name);
		if (!ioctl(listener, SIOCGIFFLAGS, &r) && (r.ifr_flags & IFF_UP))
			printf("device %s\n", i->if_name);
	}
	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	printf("port %s\n", bind(listener, (void *)&in, sizeof(in)) ? "taken" : "free");
	printf("socket of others %s\n",
	       connect(peer, (void *)&un, offsetof(struct sockaddr_un, sun_path) + 19) ?
	       "not seen" : "seen");
}

static void *work(void *arg)
{
	int me = *(int *)arg;

	pthread_mutex_lock(&lock);
	if (!first)
		first = me;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv)
{
	int ids[] = { 1, 2 }, i;
	pthread_t t[2];

	if (!getcwd(directory, sizeof(directory)))
		return 2;
	look_at_tmp();
	look_at_ipc();
	look_at_directory();
	look_at_network();
	printf("pid %d\n", getpid());
	fflush(stdout);
	for (i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, &ids[i]);
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	if (argc > 1 && !strcmp(argv[1], "--fail") && first == 2)
		abort();
	return 0;
}

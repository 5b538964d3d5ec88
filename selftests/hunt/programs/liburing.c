// SPDX-License-Identifier: GPL-2.0-only
/*
 * two threads, a ring each, hand over through a pipe
 * link: -luring -lpthread
 */
#include <liburing.h>
#include <pthread.h>
#include <unistd.h>

static int pipes[2];

static void *put(void *arg)
{
	struct io_uring_cqe *done;
	struct io_uring ring;

	io_uring_queue_init(2, &ring, 0);
	io_uring_prep_write(io_uring_get_sqe(&ring), pipes[1], "x", 1, 0);
	io_uring_submit(&ring);
	io_uring_wait_cqe(&ring, &done);
	io_uring_queue_exit(&ring);
	return NULL;
}

int main(void)
{
	struct io_uring_cqe *done;
	struct io_uring ring;
	pthread_t t;
	char c = 0;

	if (pipe(pipes) || io_uring_queue_init(2, &ring, 0))
		return 2;
	pthread_create(&t, NULL, put, NULL);
	io_uring_prep_read(io_uring_get_sqe(&ring), pipes[0], &c, 1, 0);
	io_uring_submit(&ring);
	io_uring_wait_cqe(&ring, &done);
	pthread_join(t, NULL);
	io_uring_queue_exit(&ring);
	return c != 'x';
}

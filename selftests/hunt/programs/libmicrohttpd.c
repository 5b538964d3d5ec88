// SPDX-License-Identifier: GPL-2.0-only
/*
 * a daemon with a pool of two threads answers and stops
 * link: -lmicrohttpd
 */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <string.h>
#include <unistd.h>

static enum MHD_Result answer(void *c, struct MHD_Connection *con, const char *url,
			      const char *method, const char *version, const char *data,
			      size_t *size, void **state)
{
	struct MHD_Response *r;
	int ret;

	r = MHD_create_response_from_buffer(5, "hello", MHD_RESPMEM_PERSISTENT);
	ret = MHD_queue_response(con, 200, r);
	MHD_destroy_response(r);
	return ret;
}

int main(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(8341),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const char *get = "GET / HTTP/1.0\r\n\r\n";
	struct MHD_Daemon *d;
	char text[1000];
	int fd, n, sum = 0;

	d = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_EPOLL, 8341, NULL, NULL,
			     answer, NULL, MHD_OPTION_THREAD_POOL_SIZE, 2, MHD_OPTION_END);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	if (!d || connect(fd, (void *)&to, sizeof(to)) || write(fd, get, strlen(get)) < 0)
		return 2;
	while ((n = read(fd, text, sizeof(text))) > 0)
		sum += n;
	close(fd);
	MHD_stop_daemon(d);
	return sum < 50;
}

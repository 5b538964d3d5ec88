// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages between a search in the VM and the memo of its host. See internal.h.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "memo/internal.h"

static int put(int fd, const void *data, size_t n)
{
	const char *p = data;
	struct pollfd ready;
	ssize_t k;

	while (n) {
		k = write(fd, p, n);
		if (k < 0 && errno == EAGAIN) {
			/* A port whose host is gone takes nothing, for ever. */
			ready = (struct pollfd){ fd, POLLOUT, 0 };
			if (poll(&ready, 1, -1) > 0 && ready.revents & (POLLHUP | POLLERR))
				return -1;
		} else if (k < 0 && errno != EINTR) {
			return -1;
		}
		if (k > 0) {
			p += k;
			n -= k;
		}
	}
	return 0;
}

static int get(int fd, void *data, size_t n)
{
	char *p = data;
	ssize_t k;

	while (n) {
		k = read(fd, p, n);
		if (k < 0 && errno == EAGAIN)
			poll(&(struct pollfd){ fd, POLLIN, 0 }, 1, -1);
		else if (!k || (k < 0 && errno != EINTR))
			return -1;
		if (k > 0) {
			p += k;
			n -= k;
		}
	}
	return 0;
}

int memo_send(int fd, uint32_t type, const void *a, size_t na, const void *b, size_t nb)
{
	const struct memo_head head = { .type = type, .length = na + nb };
	/* In one write: each costs the VM a way to its host. */
	char *all = cli_alloc(sizeof(head) + na + nb, 1);
	int ret;

	memcpy(all, &head, sizeof(head));
	if (na)
		memcpy(all + sizeof(head), a, na);
	if (nb)
		memcpy(all + sizeof(head) + na, b, nb);
	ret = put(fd, all, sizeof(head) + na + nb);
	free(all);
	return ret;
}

int memo_receive(int fd, struct memo_head *head, char **data)
{
	*data = NULL;
	if (get(fd, head, sizeof(*head)) || head->length > MEMO_MESSAGE_MAX)
		return -1;
	*data = cli_alloc((size_t)head->length + 1, 1);
	if (!get(fd, *data, head->length))
		return 0;
	free(*data);
	*data = NULL;
	return -1;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The host's side of a search in the VM: a process of its own that does to the memo what messages
 * ask for, one at a time, until the VM is gone. What it has answered is in the file, so that only
 * the run in progress is lost however the VM or chessctl end. See remote.c.
 *
 * The other end runs the program under test as root: nothing that comes is taken to be in order.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "memo/internal.h"

static pid_t server;

/* As many strings as @n, after the first @skip bytes. False: there are not as many. */
static bool unpack(const char *data, size_t length, size_t skip, const char **text, size_t n)
{
	size_t at = skip, i;

	for (i = 0; i < n; i++) {
		if (at >= length || !memchr(data + at, 0, length - at))
			return false;
		text[i] = data + at;
		at += strlen(text[i]) + 1;
	}
	return at == length;
}

/* Is each an iRoot? Numbers of places that there are not do no harm. */
static bool are_iroots(const struct memo_iroot *root, size_t n)
{
	size_t i, k;

	for (i = 0; i < n; i++) {
		if (!root[i].idiom || root[i].idiom > CHESS_IDIOMS)
			return false;
		for (k = 0; k < CHESS_MEMO_PLACES; k++)
			if (root[i].place[k] < 0)
				return false;
	}
	return true;
}

static int answer(int fd, struct memo *m, int ret, const void *data, size_t n)
{
	if (ret < 0)
		return memo_send(fd, MEMO_MSG_FAILED, memo_error(m), strlen(memo_error(m)), NULL,
				 0);
	return memo_send(fd, MEMO_MSG_OK, data, n, NULL, 0);
}

static int do_begin(int fd, struct memo *m, const char *data, size_t length)
{
	struct memo_session s;
	const char *text[4];

	if (!unpack(data, length, sizeof(s.seed), text, 4))
		return -1;
	memcpy(&s.seed, data, sizeof(s.seed));
	s.program = text[0];
	s.build_id = text[1];
	s.command = text[2];
	s.cwd = text[3];
	return answer(fd, m, memo_begin(m, &s), NULL, 0);
}

static int do_place(int fd, struct memo *m, const char *data, size_t length)
{
	struct memo_place p;
	const char *text[5];
	int64_t number;

	if (!unpack(data, length, sizeof(p.offset), text, 5))
		return -1;
	memcpy(&p.offset, data, sizeof(p.offset));
	p.file = text[0];
	p.op = text[1];
	p.path = text[2];
	p.function = text[3];
	p.line = text[4];
	number = memo_place_number(m, &p);
	return answer(fd, m, number < 0 ? -1 : 0, &number, sizeof(number));
}

static int do_recall(int fd, struct memo *m, char *data, size_t length)
{
	struct memo_iroot *root = (struct memo_iroot *)data;
	size_t n = length / sizeof(*root);

	if (length % sizeof(*root) || !are_iroots(root, n))
		return -1;
	return answer(fd, m, memo_recall(m, root, n), root, length);
}

static int do_note(int fd, struct memo *m, const char *data, size_t length)
{
	const struct memo_run *run = (const struct memo_run *)(data + sizeof(uint64_t));
	const struct memo_iroot *root;
	uint64_t runs, roots = 0, i;
	int64_t fresh;

	if (length < sizeof(runs))
		return -1;
	memcpy(&runs, data, sizeof(runs));
	length -= sizeof(runs);
	if (runs > length / sizeof(*run))
		return -1;
	for (i = 0; i < runs; i++) {
		if (run[i].idiom > CHESS_IDIOMS)
			return -1;
		roots += run[i].n;
	}
	root = (const struct memo_iroot *)(run + runs);
	if (length - runs * sizeof(*run) != roots * sizeof(*root) || !are_iroots(root, roots))
		return -1;
	fresh = memo_note(m, run, runs, root);
	return answer(fd, m, fresh < 0 ? -1 : 0, &fresh, sizeof(fresh));
}

static int do_end(int fd, struct memo *m, const char *data, size_t length)
{
	const char *text[2];
	double seconds;

	if (!unpack(data, length, sizeof(seconds), text, 2))
		return -1;
	memcpy(&seconds, data, sizeof(seconds));
	return answer(fd, m, memo_end(m, text[0], *text[1] ? text[1] : NULL, seconds), NULL, 0);
}

static int do_message(int fd, struct memo *m, uint32_t type, char *data, size_t length)
{
	switch (type) {
	case MEMO_MSG_BEGIN:
		return do_begin(fd, m, data, length);
	case MEMO_MSG_PLACE:
		return do_place(fd, m, data, length);
	case MEMO_MSG_RECALL:
		return do_recall(fd, m, data, length);
	case MEMO_MSG_NOTE:
		return do_note(fd, m, data, length);
	case MEMO_MSG_END:
		return do_end(fd, m, data, length);
	}
	return -1;
}

static void __attribute__((noreturn)) serve(int fd, const char *path)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
	struct memo_head head;
	struct memo *m;
	char *data;
	size_t i;
	int ret;

	/* They are for chessctl, which ends the VM; what that had sent by then is still kept. */
	for (i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	if (memo_open(&m, path, MEMO_WRITE) != CLI_PROCEED)
		_exit(1);
	while (!memo_receive(fd, &head, &data)) {
		ret = do_message(fd, m, head.type, data, head.length);
		free(data);
		if (ret)
			break;
	}
	memo_close(m);
	_exit(0);
}

int memo_serve(const char *path)
{
	int fd[2];

	/* QEMU is to inherit its end, and this the other one only. */
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd)) {
		cli_fail(CLI_ENVIRONMENT, "the VM cannot be given the memo: %s", strerror(errno));
		return -1;
	}
	fflush(NULL);
	server = fork();
	if (!server) {
		close(fd[0]);
		serve(fd[1], path);
	}
	close(fd[1]);
	if (server > 0)
		return fd[0];
	close(fd[0]);
	cli_fail(CLI_ENVIRONMENT, "the VM cannot be given the memo: %s", strerror(errno));
	return -1;
}

void memo_serve_end(void)
{
	while (server > 0 && waitpid(server, NULL, 0) < 0 && errno == EINTR)
		;
	server = 0;
}

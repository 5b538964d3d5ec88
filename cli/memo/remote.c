// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memo of the host, as a search in the VM has it: the VM sees the host's files read-only, and
 * its file systems know no locks between machines. Each call is a message to the process that
 * serve.c has started there, over a virtio port. See memo.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "memo/internal.h"
#include "where.h"

/* What the port brings, and where the answer goes. Return: 0 or -1 with memo_error() */
static int ask(struct memo *m, uint32_t type, const void *a, size_t na, const void *b, size_t nb,
	       void *answer, size_t n)
{
	struct memo_head head;
	char *data;
	int ret = 0;

	if (memo_send(m->fd, type, a, na, b, nb) || memo_receive(m->fd, &head, &data))
		return memo_failed(m, "the host of the VM does not answer about the memo");
	if (head.type == MEMO_MSG_FAILED)
		ret = memo_failed(m, "%s", data);
	else if (head.type != MEMO_MSG_OK || head.length != n)
		ret = memo_failed(m, "the host of the VM gives no proper answer about the memo");
	else if (n)
		memcpy(answer, data, n);
	free(data);
	return ret;
}

/* Strings after each other; malloc'ed. */
static char *pack(const char *const *text, size_t n, size_t *length)
{
	char *all, *to;
	size_t i;

	for (i = 0, *length = 0; i < n; i++)
		*length += strlen(text[i]) + 1;
	all = to = cli_alloc(*length, 1);
	for (i = 0; i < n; i++)
		to = stpcpy(to, text[i]) + 1;
	return all;
}

static int begin(struct memo *m, const struct memo_session *s)
{
	const char *const text[] = { s->program, s->build_id, s->command, s->cwd };
	size_t length;
	char *strings = pack(text, sizeof(text) / sizeof(text[0]), &length);
	int ret = ask(m, MEMO_MSG_BEGIN, &s->seed, sizeof(s->seed), strings, length, NULL, 0);

	free(strings);
	return ret;
}

static int64_t place(struct memo *m, const struct memo_place *p)
{
	const char *const text[] = { p->file, p->op, p->path, p->function, p->line };
	size_t length;
	char *strings = pack(text, sizeof(text) / sizeof(text[0]), &length);
	int64_t number = 0;
	int ret = ask(m, MEMO_MSG_PLACE, &p->offset, sizeof(p->offset), strings, length, &number,
		      sizeof(number));

	free(strings);
	return ret ? ret : number;
}

static int recall(struct memo *m, struct memo_iroot *root, size_t n)
{
	return ask(m, MEMO_MSG_RECALL, root, n * sizeof(*root), NULL, 0, root, n * sizeof(*root));
}

static int64_t note(struct memo *m, const struct memo_run *run, size_t n,
		    const struct memo_iroot *root)
{
	uint64_t runs = n;
	size_t size = sizeof(runs) + n * sizeof(*run), roots = 0, i;
	char *head = cli_alloc(size, 1);
	int64_t fresh = 0;
	int ret;

	for (i = 0; i < n; i++)
		roots += run[i].n;
	memcpy(head, &runs, sizeof(runs));
	memcpy(head + sizeof(runs), run, n * sizeof(*run));
	ret = ask(m, MEMO_MSG_NOTE, head, size, root, roots * sizeof(*root), &fresh,
		  sizeof(fresh));
	free(head);
	return ret ? ret : fresh;
}

static int end(struct memo *m, const char *verdict, const char *trace, double seconds)
{
	const char *const text[] = { verdict, trace ? trace : "" };
	size_t length;
	char *strings = pack(text, sizeof(text) / sizeof(text[0]), &length);
	int ret = ask(m, MEMO_MSG_END, &seconds, sizeof(seconds), strings, length, NULL, 0);

	free(strings);
	return ret;
}

static void close_stream(struct memo *m)
{
	close(m->fd);
}

static const struct memo_ops ops = {
	.begin = begin, .place = place, .recall = recall, .note = note, .end = end,
	.close = close_stream,
};

struct memo *memo_of_stream(int fd)
{
	struct memo *m = cli_alloc(1, sizeof(*m));

	m->ops = &ops;
	m->fd = fd;
	return m;
}

/* Of the device whose name is that of the port; malloc'ed, or NULL. */
static char *find_port(void)
{
	DIR *dir = opendir("/sys/class/virtio-ports");
	char *path, *found = NULL, name[64];
	struct dirent *d;
	FILE *f;

	while (dir && !found && (d = readdir(dir))) {
		path = cli_printf("/sys/class/virtio-ports/%s/name", d->d_name);
		f = fopen(path, "re");
		free(path);
		if (f && fscanf(f, "%63s", name) == 1 && !strcmp(name, MEMO_PORT))
			found = cli_printf("/dev/%s", d->d_name);
		if (f)
			fclose(f);
	}
	if (dir)
		closedir(dir);
	return found;
}

bool memo_is_remote(void)
{
	char *path = where_inside_vm() ? find_port() : NULL;

	free(path);
	return path;
}

int memo_open_remote(struct memo **out)
{
	char *path = find_port();
	int fd = path ? open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC) : -1;

	free(path);
	if (fd < 0)
		return cli_fail(CLI_ENVIRONMENT, "the memo of the host cannot be reached: %s",
				strerror(errno));
	*out = memo_of_stream(fd);
	return CLI_PROCEED;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What processes outside the group have open, map, lock or wait for: /proc of
 * every process, and the kernel's socket diagnosis for the peers of unix sockets.
 * wait.c asks, only while a program is idle, so nothing here is cached.
 *
 * A process whose /proc we may not read could have anything open: it counts as a
 * holder. Not seen: descriptors in flight inside a unix socket.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "internal.h"
#include "wait/outside.h"

bool chess_inside_has(const struct chess_inside *in, pid_t tgid)
{
	size_t i;

	for (i = 0; i < in->n; i++)
		if (in->tgid[i] == tgid)
			return true;
	return false;
}

/* Asked for each process; true ends the walk. */
typedef bool (*process_fn)(pid_t pid, void *arg);

/* Walk through the processes of the group, or through all others. */
static bool any_process(const struct chess_inside *in, bool inside, process_fn fn, void *arg)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;
	bool found = false;

	if (!dir)
		return !inside;
	while (!found && (d = readdir(dir))) {
		if (!isdigit((unsigned char)d->d_name[0]))
			continue;
		if (chess_inside_has(in, atoi(d->d_name)) == inside)
			found = fn(atoi(d->d_name), arg);
	}
	closedir(dir);
	return found;
}

/* What a look into a process that is gone, or that has no memory, comes to. */
static bool hidden(int err)
{
	return err != ENOENT && err != ESRCH;
}

/* The text of a small file of /proc. Return: length, or -errno. */
static ssize_t read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = errno;
	ssize_t n;

	if (fd < 0)
		return -err;
	n = read(fd, text, size - 1);
	err = errno;
	close(fd);
	if (n < 0)
		return -err;
	text[n] = '\0';
	return n;
}

/* Asked for each open descriptor; true ends the walk. */
typedef bool (*fd_fn)(pid_t pid, const char *fd, void *arg);

static bool any_fd(pid_t pid, fd_fn fn, void *arg)
{
	char path[64];
	struct dirent *d;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	if (!dir)
		return hidden(errno);
	while (!found && (d = readdir(dir)))
		if (isdigit((unsigned char)d->d_name[0]))
			found = fn(pid, d->d_name, arg);
	closedir(dir);
	return found;
}

struct file_query {
	dev_t dev;
	ino_t ino;
	enum chess_outside_mode mode;
	const char *id;			/* of an eventfd */
	const struct chess_lock_wish *wish;
	pid_t holder;
};

static bool is_file(pid_t pid, const char *fd, const struct file_query *q)
{
	char path[96];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/fd/%s", pid, fd);
	return !stat(path, &st) && st.st_dev == q->dev && st.st_ino == q->ino;
}

static ssize_t read_fdinfo(pid_t pid, const char *fd, char *text, size_t size)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%s", pid, fd);
	return read_text(path, text, size);
}

static bool holds_file(pid_t pid, const char *fd, void *arg)
{
	const struct file_query *q = arg;
	char text[4096], *at;
	unsigned int access;

	if (!is_file(pid, fd, q))
		return false;
	if (q->mode == CHESS_OUTSIDE_ANY || read_fdinfo(pid, fd, text, sizeof(text)) < 0)
		return true;
	at = strstr(text, "flags:");
	access = at ? strtoul(at + 6, NULL, 8) & O_ACCMODE : O_RDWR;
	if (q->mode == CHESS_OUTSIDE_READER)
		return access != O_WRONLY;
	return access != O_RDONLY;
}

static bool process_has_file(pid_t pid, void *arg)
{
	return any_fd(pid, holds_file, arg);
}

bool chess_outside_has_open(const struct chess_inside *in, dev_t dev, ino_t ino,
			    enum chess_outside_mode mode)
{
	struct file_query q = { .dev = dev, .ino = ino, .mode = mode };

	return any_process(in, false, process_has_file, &q);
}

bool chess_process_has_open(pid_t tgid, dev_t dev, ino_t ino, enum chess_outside_mode mode)
{
	struct file_query q = { .dev = dev, .ino = ino, .mode = mode };

	return process_has_file(tgid, &q);
}

/* All eventfds share one inode; their id is in fdinfo. */
static bool holds_eventfd(pid_t pid, const char *fd, void *arg)
{
	const struct file_query *q = arg;
	char path[96], link[64], text[4096], *at;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/fd/%s", pid, fd);
	n = readlink(path, link, sizeof(link) - 1);
	if (n < 0)
		return false;
	link[n] = '\0';
	if (strcmp(link, "anon_inode:[eventfd]") || read_fdinfo(pid, fd, text, sizeof(text)) < 0)
		return false;
	at = strstr(text, "eventfd-id:");
	return at && strtol(at + 11, NULL, 10) == strtol(q->id, NULL, 10);
}

static bool process_has_eventfd(pid_t pid, void *arg)
{
	return any_fd(pid, holds_eventfd, arg);
}

bool chess_outside_has_eventfd(const struct chess_inside *in, const char *id)
{
	struct file_query q = { .id = id };

	return any_process(in, false, process_has_eventfd, &q);
}

bool chess_process_has_eventfd(pid_t tgid, const char *id)
{
	struct file_query q = { .id = id };

	return process_has_eventfd(tgid, &q);
}

struct map_query {
	const char *dev_inode;
	bool anonymous;
};

static bool process_maps(pid_t pid, void *arg)
{
	const struct map_query *q = arg;
	char path[64], line[1024], perms[8], dev[32], inode[32], pair[80];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "re");
	/* Memory without a file is only inherited, and not across the execve that
	 * gave a process rights we lack.
	 */
	if (!f)
		return hidden(errno) && !q->anonymous;
	while (!found && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%*s %7s %*s %31s %31s", perms, dev, inode) != 3)
			continue;
		snprintf(pair, sizeof(pair), "%s %s", dev, inode);
		found = strchr(perms, 's') && !strcmp(pair, q->dev_inode);
	}
	fclose(f);
	return found;
}

bool chess_outside_maps(const struct chess_inside *in, const char *dev_inode, bool anonymous)
{
	struct map_query q = { .dev_inode = dev_inode, .anonymous = anonymous };

	return any_process(in, false, process_maps, &q);
}

/* A line has "ID PARENT MAJOR:MINOR ..."; one that is longer than ours goes on in the next. */
static bool has_mounted(pid_t pid, void *arg)
{
	const dev_t *dev = arg;
	unsigned int major_of, minor_of;
	char path[64], line[1024];
	bool found = false, begins = true;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/mountinfo", pid);
	f = fopen(path, "re");
	/* A process that has ended has no mounts, and reading them says EINVAL. */
	if (!f)
		return hidden(errno) && errno != EINVAL;
	while (!found && fgets(line, sizeof(line), f)) {
		found = begins && sscanf(line, "%*d %*d %u:%u", &major_of, &minor_of) == 2 &&
			makedev(major_of, minor_of) == *dev;
		begins = strchr(line, '\n');
	}
	fclose(f);
	return found;
}

bool chess_outside_has_mounted(const struct chess_inside *in, dev_t dev)
{
	return any_process(in, false, has_mounted, &dev);
}

static bool is_child(pid_t pid, void *arg)
{
	char path[64], text[512], *at;
	int parent = 0;
	char state;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (read_text(path, text, sizeof(text)) < 0)
		return false;
	at = strrchr(text, ')');
	/* A zombie would have ended the wait if it could. */
	return at && sscanf(at + 1, " %c %d", &state, &parent) == 2 &&
	       parent == *(pid_t *)arg && state != 'Z';
}

bool chess_outside_has_child(const struct chess_inside *in, pid_t tgid)
{
	return any_process(in, false, is_child, &tgid);
}

/* Inode of the peer of unix socket @ino. Return: 0, or -errno. */
static int find_peer(ino_t ino, uint32_t *peer)
{
	struct {
		struct nlmsghdr h;
		struct unix_diag_req req;
	} ask = {
		.h = { .nlmsg_len = sizeof(ask), .nlmsg_type = SOCK_DIAG_BY_FAMILY,
		       .nlmsg_flags = NLM_F_REQUEST },
		.req = { .sdiag_family = AF_UNIX, .udiag_states = -1, .udiag_ino = ino,
			 .udiag_show = UDIAG_SHOW_PEER, .udiag_cookie = { -1, -1 } },
	};
	uint64_t answer[256];
	struct nlmsghdr *h = (struct nlmsghdr *)answer;
	struct timeval patience = { .tv_sec = 1 };
	struct rtattr *a;
	ssize_t n;
	int fd, left, ret = -ENOENT;

	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	n = send(fd, &ask, sizeof(ask), 0) < 0 ? -1 : recv(fd, answer, sizeof(answer), 0);
	if (n > 0 && NLMSG_OK(h, n) && h->nlmsg_type == SOCK_DIAG_BY_FAMILY) {
		left = h->nlmsg_len - NLMSG_LENGTH(sizeof(struct unix_diag_msg));
		a = (struct rtattr *)((struct unix_diag_msg *)NLMSG_DATA(h) + 1);
		for (; RTA_OK(a, left); a = RTA_NEXT(a, left))
			if (a->rta_type == UNIX_DIAG_PEER && RTA_PAYLOAD(a) >= sizeof(*peer)) {
				memcpy(peer, RTA_DATA(a), sizeof(*peer));
				ret = 0;
			}
	}
	close(fd);
	return ret;
}

ino_t chess_socket_peer(ino_t ino)
{
	uint32_t peer;

	return find_peer(ino, &peer) ? 0 : peer;
}

bool chess_outside_has_peer(const struct chess_inside *in, ino_t ino)
{
	struct stat st;
	uint32_t peer;
	int fd;

	/* No peer: anybody who knows the name may connect or send. */
	if (find_peer(ino, &peer) || !peer)
		return true;
	/* All sockets live on one device; ask a socket of ours which. */
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || fstat(fd, &st)) {
		if (fd >= 0)
			close(fd);
		return true;
	}
	close(fd);
	return chess_outside_has_open(in, st.st_dev, peer, CHESS_OUTSIDE_ANY);
}

/* fdinfo lists the locks that were taken through a descriptor:
 * "lock:	1: FLOCK  ADVISORY  WRITE 4711 08:01:12345 0 EOF"
 */
static bool holds_lock(pid_t pid, const char *fd, void *arg)
{
	struct file_query *q = arg;
	const struct chess_lock_wish *wish = q->wish;
	char text[4096], kind[16], type[16], last[32], *line;
	int64_t start, end;
	int owner;

	if (!is_file(pid, fd, q) || read_fdinfo(pid, fd, text, sizeof(text)) < 0)
		return false;
	/* A description is never in its own way. */
	if (pid == wish->tgid && atoi(fd) == wish->fd)
		return false;
	for (line = strstr(text, "lock:"); line; line = strstr(line + 5, "lock:")) {
		if (sscanf(line, "lock: %*d: %15s %*s %15s %d %*s %" SCNd64 " %31s", kind, type,
			   &owner, &start, last) != 5 || strcmp(kind, wish->kind))
			continue;
		end = strcmp(last, "EOF") ? strtoll(last, NULL, 10) : INT64_MAX;
		if (start > wish->end || end < wish->start ||
		    (!wish->write && strcmp(type, "WRITE")))
			continue;
		if (owner == wish->tgid && !strcmp(kind, "POSIX"))
			continue;
		/* The description may be inherited; its lock names who took it. */
		q->holder = owner > 0 ? owner : pid;
		return true;
	}
	return false;
}

static bool process_has_lock(pid_t pid, void *arg)
{
	return any_fd(pid, holds_lock, arg);
}

bool chess_outside_locks(const struct chess_inside *in, const struct chess_lock_wish *wish,
			 pid_t *holder)
{
	struct file_query q = { .dev = wish->dev, .ino = wish->ino, .wish = wish };
	bool outside = any_process(in, false, process_has_lock, &q);

	*holder = 0;
	if (!any_process(in, true, process_has_lock, &q))
		return true;
	*holder = q.holder;
	return outside;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waits for a file descriptor to be ready: in the call that reads or writes it, or in
 * one that waits for many. See wait_inquiry.h.
 */
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <unistd.h>

#include "internal.h"
#include "peek.h"
#include "wait/outside.h"
#include "wait/proc.h"
#include "wait/wait_inquiry.h"

#define EPOLL_DEPTH	4

static bool has_socket_timeout(const struct wait_inquiry *q, int fd)
{
	struct timeval t[2] = { 0 };
	socklen_t size = sizeof(t[0]);
	int pidfd, copy = -1;

	pidfd = syscall(SYS_pidfd_open, q->tgid, 0);
	if (pidfd >= 0) {
		copy = syscall(SYS_pidfd_getfd, pidfd, fd, 0);
		close(pidfd);
	}
	if (copy < 0)
		return true;
	getsockopt(copy, SOL_SOCKET, SO_RCVTIMEO, &t[0], &size);
	size = sizeof(t[1]);
	getsockopt(copy, SOL_SOCKET, SO_SNDTIMEO, &t[1], &size);
	close(copy);
	return t[0].tv_sec || t[0].tv_usec || t[1].tv_sec || t[1].tv_usec;
}

/* A path as the program would say it. */
static void say_path(struct wait_inquiry *q, const char *path)
{
	char name[64], cwd[PATH_MAX];
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/%d/cwd", q->task->pid);
	n = readlink(name, cwd, sizeof(cwd) - 1);
	if (n > 1 && !strncmp(path, cwd, n) && path[n] == '/')
		chess_wait_say(q, " .%s", path + n);
	else
		chess_wait_say(q, " %s", path);
}

static bool fd_outside(struct wait_inquiry *q, int fd, bool reads, int depth);

/* Lines "tfd:        5 events:       19 data: ..." of an epoll set. */
static bool epoll_outside(struct wait_inquiry *q, int fd, int depth)
{
	char name[32], text[8192], *line;
	unsigned int events;
	bool outside = false;
	int target;

	snprintf(name, sizeof(name), "fdinfo/%d", fd);
	if (depth >= EPOLL_DEPTH || chess_proc_read(q->task->pid, name, text, sizeof(text)) <= 0 ||
	    strlen(text) == sizeof(text) - 1)
		return true;
	chess_wait_say(q, " of");
	for (line = strstr(text, "tfd:"); line; line = strstr(line + 4, "tfd:")) {
		if (sscanf(line, "tfd: %d events: %x", &target, &events) != 2)
			return true;
		if (events & POLLOUT)
			outside |= fd_outside(q, target, false, depth + 1);
		if ((events & POLLIN) || !(events & POLLOUT))
			outside |= fd_outside(q, target, true, depth + 1);
	}
	return outside;
}

bool chess_wait_say_fd(struct wait_inquiry *q, int fd, char link[PATH_MAX], struct stat *st)
{
	char name[64];
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/%d/fd/%d", q->task->pid, fd);
	n = readlink(name, link, PATH_MAX - 1);
	if (n < 0 || stat(name, st))
		return false;
	link[n] = '\0';
	say_path(q, link);
	return true;
}

void chess_wait_add_openers(struct wait_inquiry *q, dev_t dev, ino_t ino,
			    enum chess_outside_mode mode)
{
	uint32_t object = chess_record_object(q->record, dev, ino);
	size_t i;

	for (i = 0; i < q->in.n; i++)
		if (chess_process_has_open(q->in.tgid[i], dev, ino, mode))
			chess_wait_add_process(q, q->in.tgid[i], object ? CHESS_OBJECT_INODE :
					       CHESS_OBJECT_NONE, object);
}

static bool pipe_outside(struct wait_inquiry *q, const struct stat *st, bool reads)
{
	enum chess_outside_mode mode = reads ? CHESS_OUTSIDE_WRITER : CHESS_OUTSIDE_READER;

	chess_wait_add_openers(q, st->st_dev, st->st_ino, mode);
	return chess_outside_has_open(&q->in, st->st_dev, st->st_ino, mode);
}

static bool socket_outside(struct wait_inquiry *q, int fd, const struct stat *st)
{
	ino_t peer = chess_socket_peer(st->st_ino);
	size_t i, before = q->wait->n_holders;

	if (peer)
		chess_wait_add_openers(q, st->st_dev, peer, CHESS_OUTSIDE_ANY);
	for (i = before; i < q->wait->n_holders; i++)
		q->wait->holders[i].other_end = true;
	return has_socket_timeout(q, fd) || chess_outside_has_peer(&q->in, st->st_ino) ||
	       chess_outside_has_open(&q->in, st->st_dev, st->st_ino, CHESS_OUTSIDE_ANY);
}

/* All anonymous inodes are one: an eventfd is recognised by its descriptor. */
static bool eventfd_outside(struct wait_inquiry *q, int fd)
{
	char name[64], text[4096], *id;
	size_t i;

	snprintf(name, sizeof(name), "fdinfo/%d", fd);
	if (chess_proc_read(q->task->pid, name, text, sizeof(text)) <= 0)
		return true;
	id = strstr(text, "eventfd-id:");
	if (!id)
		return true;
	for (i = 0; i < q->in.n; i++)
		if (chess_process_has_eventfd(q->in.tgid[i], id + 11))
			chess_wait_add_process(q, q->in.tgid[i], CHESS_OBJECT_FD, fd);
	return chess_outside_has_eventfd(&q->in, id + 11);
}

/*
 * May the kernel's timer go off by itself? What is on the group's clock is not armed there,
 * and has gone off. Whoever could arm it has it from a task of the group.
 */
static bool timerfd_outside(const struct wait_inquiry *q, int fd)
{
	char name[64], text[4096];

	snprintf(name, sizeof(name), "fdinfo/%d", fd);
	return chess_proc_read(q->task->pid, name, text, sizeof(text)) <= 0 ||
	       !strstr(text, "it_value: (0, 0)");
}

/*
 * Lines "inotify wd:1 ino:8 sdev:2a mask:... ", sdev with 20 bits of a minor number. What
 * happens in a file system that no other process has mounted, as that of --private-tmp, the
 * group did. A task with the descriptor may add another watch.
 */
static bool inotify_outside(struct wait_inquiry *q, int fd)
{
	char name[64], text[8192], *line;
	unsigned int sdev;
	size_t i;

	snprintf(name, sizeof(name), "fdinfo/%d", fd);
	if (chess_proc_read(q->task->pid, name, text, sizeof(text)) <= 0 ||
	    strlen(text) == sizeof(text) - 1)
		return true;
	for (line = strstr(text, "inotify wd:"); line; line = strstr(line + 1, "inotify wd:"))
		if (sscanf(line, "inotify wd:%*x ino:%*x sdev:%x", &sdev) != 1 ||
		    chess_outside_has_mounted(&q->in, makedev(sdev >> 20, sdev & 0xfffff)))
			return true;
	for (i = 0; i < q->in.n; i++)
		chess_wait_add_process(q, q->in.tgid[i], CHESS_OBJECT_FD, fd);
	return false;
}

/*
 * It is ready when the process has ended, "Pid:" of which is -1 then. One of the group ends by
 * itself or not at all, as for whoever waits for it.
 */
static bool pidfd_outside(struct wait_inquiry *q, int fd)
{
	char name[64], text[4096], *line;
	pid_t pid;
	size_t i;

	snprintf(name, sizeof(name), "fdinfo/%d", fd);
	if (chess_proc_read(q->task->pid, name, text, sizeof(text)) <= 0)
		return true;
	line = strstr(text, "\nPid:");
	if (!line || sscanf(line + 1, "Pid: %d", &pid) != 1 || !chess_inside_has(&q->in, pid))
		return true;
	for (i = 0; i < q->n_tasks; i++)
		if (q->tgids[i] == pid)
			chess_wait_add_holder(q, i, CHESS_HOLD_IS, CHESS_OBJECT_TASK,
					      q->tasks[i].id);
	return false;
}

/* Names what is open as @fd; may an outsider make it ready? */
static bool fd_outside(struct wait_inquiry *q, int fd, bool reads, int depth)
{
	char link[PATH_MAX];
	struct stat st;

	if (!chess_wait_say_fd(q, fd, link, &st)) {
		chess_wait_say(q, " fd %d", fd);
		return true;
	}
	if (S_ISFIFO(st.st_mode))
		return pipe_outside(q, &st, reads);
	if (S_ISSOCK(st.st_mode))
		return socket_outside(q, fd, &st);
	if (!strcmp(link, "anon_inode:[eventpoll]"))
		return epoll_outside(q, fd, depth);
	if (!strcmp(link, "anon_inode:inotify"))
		return inotify_outside(q, fd);
	if (!strcmp(link, "anon_inode:[timerfd]"))
		return timerfd_outside(q, fd);
	if (!strcmp(link, "anon_inode:[pidfd]"))
		return pidfd_outside(q, fd);
	/* Signals count here as little as in sigwait(), see wait.c. */
	if (!strcmp(link, "anon_inode:[signalfd]"))
		return false;
	return strcmp(link, "anon_inode:[eventfd]") || eventfd_outside(q, fd);
}

/* The kind of the file that the task has in mind; 0: not known. */
static mode_t kind_of_path(const struct wait_inquiry *q, const char *path)
{
	char from[64], whole[PATH_MAX + sizeof(from)];
	int directory = q->nr == SYS_openat ? (int)q->arg[0] : AT_FDCWD;
	struct stat st;

	if (*path == '/')
		snprintf(from, sizeof(from), "/proc/%d/root", q->task->pid);
	else if (directory == AT_FDCWD)
		snprintf(from, sizeof(from), "/proc/%d/cwd", q->task->pid);
	else
		snprintf(from, sizeof(from), "/proc/%d/fd/%d", q->task->pid, directory);
	snprintf(whole, sizeof(whole), "%s/%s", from, path);
	return stat(whole, &st) ? 0 : st.st_mode & S_IFMT;
}

/* Of a FIFO: nobody has it open in the other direction, or the call would have returned. */
bool chess_wait_open(struct wait_inquiry *q)
{
	unsigned long at = q->nr == SYS_openat ? q->arg[1] : q->arg[0];
	char path[PATH_MAX];
	ssize_t n;

	chess_wait_say(q, "%s", chess_syscall_name(q->nr));
	n = chess_read_memory(q->task->pid, at, path, sizeof(path));
	if (n > 0 && *path && memchr(path, 0, n)) {
		chess_wait_say(q, " %s", path);
		q->wait->for_anybody = kind_of_path(q, path) == S_IFIFO;
	}
	return true;
}

bool chess_wait_accept(struct wait_inquiry *q)
{
	char link[PATH_MAX];
	struct stat st;

	chess_wait_say(q, "%s", chess_syscall_name(q->nr));
	q->wait->for_anybody = chess_wait_say_fd(q, q->arg[0], link, &st) &&
			       !has_socket_timeout(q, q->arg[0]);
	return true;
}

bool chess_wait_read(struct wait_inquiry *q)
{
	chess_wait_say(q, "%s", chess_syscall_name(q->nr));
	return fd_outside(q, q->arg[0], true, 0);
}

bool chess_wait_write(struct wait_inquiry *q)
{
	chess_wait_say(q, "%s", chess_syscall_name(q->nr));
	return fd_outside(q, q->arg[0], false, 0);
}

bool chess_wait_poll(struct wait_inquiry *q)
{
	struct pollfd p;
	bool outside = false;
	unsigned long i, n = q->arg[1];

	chess_wait_say(q, "%s", chess_syscall_name(q->nr));
	/* Nothing to poll: it waits for a signal. */
	if (!n || n > FD_SETSIZE)
		outside = true;
	for (i = 0; i < n && i < FD_SETSIZE; i++) {
		if (!chess_wait_peek(q, q->arg[0] + i * sizeof(p), &p, sizeof(p)))
			return true;
		if (p.fd < 0)
			continue;
		if (p.events & POLLOUT)
			outside |= fd_outside(q, p.fd, false, 0);
		if ((p.events & POLLIN) || !(p.events & POLLOUT))
			outside |= fd_outside(q, p.fd, true, 0);
	}
	/* The number is an int for poll, a pointer for ppoll. */
	if (q->nr == SYS_poll ? (int)q->arg[2] >= 0 : q->arg[2] != 0) {
		chess_wait_say(q, ", with a time-out");
		return true;
	}
	return outside;
}

bool chess_wait_select(struct wait_inquiry *q)
{
	bool outside = true, any = false, ready;
	unsigned long n = q->arg[0], i, set;
	unsigned char byte;

	chess_wait_say(q, "%s", chess_syscall_name(q->nr));
	for (set = 1; set <= 3; set++) {
		for (i = 0; q->arg[set] && i < n && i < FD_SETSIZE; i++) {
			if (!chess_wait_peek(q, q->arg[set] + i / 8, &byte, 1))
				return true;
			if (!(byte >> (i % 8) & 1))
				continue;
			ready = fd_outside(q, i, set != 2, 0);
			outside = any ? outside | ready : ready;
			any = true;
		}
	}
	if (q->arg[4]) {
		chess_wait_say(q, ", with a time-out");
		return true;
	}
	return outside;
}

bool chess_wait_epoll(struct wait_inquiry *q)
{
	bool outside;

	chess_wait_say(q, "%s", chess_syscall_name(q->nr));
	outside = fd_outside(q, q->arg[0], true, 0);
	if (q->nr == SYS_epoll_pwait2 ? q->arg[3] != 0 : (int)q->arg[3] >= 0) {
		chess_wait_say(q, ", with a time-out");
		return true;
	}
	return outside;
}

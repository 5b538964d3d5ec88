// SPDX-License-Identifier: GPL-2.0-only
/*
 * A child of netlink_fuzz: opens sockets, starts programs, and sends messages about both
 * until it is killed. Each of its acts can be logged and done again. See netlink_child.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "netlink_child.h"

#define ADD(counter) __atomic_add_fetch(&(counter), 1, __ATOMIC_RELAXED)
#define MAX_PROCESSES 300
/* Messages of a call; as many answers as sockets of users have room for. */
#define MOST_QUEUED	64
/* Groups of a child, mostly: those of all children of a user are below what it may have. */
#define MOST_ALIVE	4
/*
 * What a child does, and a log says. Messages of SEND go at once, those of QUEUE with others
 * in one sendmsg(), when FLUSH comes: the kernel does one after the other.
 */
enum act { SEND = 1, DRAIN, REOPEN, PROGRAM, GO, SIGNAL_PROGRAM, PARTIAL, PAUSE, QUEUE, FLUSH };

/* An act in a log; of SEND and QUEUE the message follows. */
struct logged {
	uint32_t act, arg, number, length;
	uint32_t n_fixups;
	struct fixup fixup[N_FIXUPS];
};

static struct request request;

static void start_program(struct netlink_child *c, unsigned int i)
{
	int fd[2];

	if (c->program[i]) {
		kill(c->program[i], SIGKILL);
		waitpid(c->program[i], NULL, 0);
		close(c->go[i]);
		c->program[i] = 0;
	}
	if (pipe2(fd, O_CLOEXEC))
		return;
	c->program[i] = fork();
	if (c->program[i] < 0) {
		c->program[i] = 0;
		close(fd[0]);
		close(fd[1]);
		c->go[i] = -1;
		return;
	}
	if (!c->program[i]) {
		char byte;
		unsigned int k;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (k = 0; k < N_SOCKETS; k++)
			close(c->socket[k]);
		close(fd[1]);
		alarm(20);
		if (read(fd[0], &byte, 1) == 1)
			execl(netlink_program_path, "netlink_fuzz", "program", NULL);
		_exit(1);
	}
	close(fd[0]);
	c->go[i] = fd[1];
	ADD(shared->programs);
}

/* Before it is done, so that what was the last thing is there. */
static void note(struct netlink_child *c, struct logged *l)
{
	if (c->log < 0)
		return;
	if (write(c->log, l, sizeof(*l)) < 0 ||
	    (l->length && write(c->log, request.bytes, l->length) < 0))
		c->log = -1;
}

static void do_it(struct netlink_child *c, struct logged *l)
{
	static const int signals[] = { SIGKILL, SIGSTOP, SIGCONT, SIGUSR1 };

	switch (l->act) {
	case SEND:
		netlink_send(c, l->arg, &request, l->length);
		break;
	case QUEUE:
		netlink_queue(c, l->arg, &request, l->length);
		break;
	case FLUSH:
		netlink_flush(c, l->arg);
		break;
	case DRAIN:
		netlink_drain(c, l->arg, 64);
		break;
	case PARTIAL:
		netlink_drain(c, l->arg, 1);
		break;
	case REOPEN:
		close(c->socket[l->arg]);
		c->socket[l->arg] = netlink_open();
		netlink_forget(c, l->arg);
		break;
	case PROGRAM:
		start_program(c, l->arg);
		break;
	case GO:
		if (c->program[l->arg] && write(c->go[l->arg], "x", 1) != 1)
			break;
		break;
	case SIGNAL_PROGRAM:
		if (c->program[l->arg])
			kill(c->program[l->arg], signals[l->number % 4]);
		break;
	case PAUSE:
		usleep(l->arg % 20000);
	}
}

static void act(struct netlink_child *c, enum act what, unsigned int arg, unsigned int number)
{
	struct logged l = { .act = what, .arg = arg, .number = number };

	if (what == SEND || what == QUEUE) {
		l.number = request.command;
		l.length = number;
		l.n_fixups = request.n_fixups;
		memcpy(l.fixup, request.fixup, sizeof(l.fixup));
	}
	note(c, &l);
	do_it(c, &l);
}

static unsigned int command_called(const char *name)
{
	unsigned int i;

	for (i = 0; i < N_COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return i;
	abort();
}

static void send_good(struct netlink_child *c, const char *name, int group, int program)
{
	unsigned int socket = group >= 0 ? c->owner[group] : netlink_draw(c, N_SOCKETS);

	netlink_make(c, &request, command_called(name), group, program);
	request.head.nlmsg_type = c->family;
	act(c, SEND, socket, request.head.nlmsg_len);
	act(c, DRAIN, socket, 0);
}

/* A run as a controller would have it, so that the rest happens to something. */
static void make_run(struct netlink_child *c)
{
	int group, program = netlink_draw(c, N_PROGRAMS), i;

	if (!c->n_groups || !netlink_draw(c, 8))
		send_good(c, "group-new", -1, -1);
	if (!c->n_groups)
		return;
	group = (c->n_groups - 1 - netlink_draw(c, c->n_groups < 3 ? 1 : 3)) % N_GROUPS;
	if (!netlink_draw(c, 3))
		send_good(c, "run-stop", group, -1);
	if (!netlink_draw(c, 3))
		send_good(c, "schedule-set", group, -1);
	if (!netlink_draw(c, 2))
		send_good(c, "probe-add", group, -1);
	if (!netlink_draw(c, 4))
		send_good(c, "points-set", group, -1);
	send_good(c, "run-start", group, -1);
	act(c, PROGRAM, program, 0);
	if (netlink_draw(c, 2)) {
		send_good(c, "task-add", group, program);
		act(c, GO, program, 0);
	} else {
		if (netlink_draw(c, 2)) {
			act(c, GO, program, 0);
			act(c, PAUSE, netlink_draw(c, 3000), 0);
		}
		send_good(c, "task-adopt", group, program);
		if (netlink_draw(c, 2))
			send_good(c, "run-release", group, -1);
	}
	for (i = netlink_draw(c, 4); i > 0; i--) {
		act(c, PAUSE, netlink_draw(c, 4000), 0);
		if (!netlink_draw(c, 3))
			act(c, SIGNAL_PROGRAM, program, netlink_draw(c, 4));
		send_good(c, i % 2 ? "record-get" : "task-get", group, -1);
	}
}

/* Each command once as it should be, so that it is known to be accepted. */
static void be_plain(struct netlink_child *c)
{
	static const char *const before[] = { "group-get", "schedule-set", "probe-add",
					      "points-set", "run-start", "task-add" };
	static const char *const after[] = { "task-adopt", "run-release", "task-get",
					     "record-get", "access-get", "run-stop", "group-del" };
	unsigned int i;

	c->plain = true;
	send_good(c, "group-new", -1, -1);
	for (i = 0; c->n_groups && i < 6; i++)
		send_good(c, before[i], 0, 0);
	if (c->n_groups) {
		send_good(c, "run-stop", 0, -1);
		send_good(c, "group-new", -1, -1);
	}
	if (c->n_groups > 1) {
		send_good(c, "run-start", 1, -1);
		for (i = 0; i < 7; i++)
			send_good(c, after[i], 1, 1);
	}
	c->plain = false;
}

static void flush_and_drain(struct netlink_child *c, unsigned int socket)
{
	act(c, FLUSH, socket, 0);
	if (netlink_draw(c, 8))
		act(c, netlink_draw(c, 12) ? DRAIN : PARTIAL, socket, 0);
	/* A call has one message, or few, or as many as answers fit into the socket. */
	c->most_queued[socket] = netlink_draw(c, 4) ? 1 + netlink_draw(c, MOST_QUEUED) :
						     1 + netlink_draw(c, 3);
}

/* Into the queue of its socket, which is sent where it is as long as it was to be. */
static void queue_any(struct netlink_child *c)
{
	unsigned int socket = netlink_draw(c, N_SOCKETS), i, command = netlink_draw(c, N_COMMANDS);
	size_t length;

	/*
	 * A user with as many groups as it may have waits a second for one to go: that is to
	 * happen, but not most of the time.
	 */
	c->full -= !!c->full;
	if (command == command_called("group-new") && (c->full || c->n_alive >= MOST_ALIVE) &&
	    netlink_draw(c, 64))
		command = command_called("group-del");
	netlink_make(c, &request, command, -1, -1);
	request.head.nlmsg_type = c->family;
	/* Most requests are of who owns the group. */
	if (request.n_fixups && !request.fixup[0].is_pid && netlink_draw(c, 6))
		socket = c->owner[request.fixup[0].index];
	length = request.head.nlmsg_len;
	if (!netlink_draw(c, 4)) {
		netlink_spoil(c, &request);
		length = request.head.nlmsg_len;
		if (!netlink_draw(c, 20))
			request.head.nlmsg_len = netlink_draw(c, 0);
	} else if (!netlink_draw(c, 60)) {
		request.n_fixups = 0;
		request.command = N_COMMANDS;
		for (i = 0; i < length; i++)
			if (!netlink_draw(c, 4))
				request.bytes[i] = netlink_draw(c, 256);
		request.head.nlmsg_type = c->family;
	}
	act(c, QUEUE, socket, length);
	if (netlink_queued(socket) >= c->most_queued[socket])
		flush_and_drain(c, socket);
}

/* Passed on to another child of the same user, as fast as they come. */
static void pass_socket(struct netlink_child *c, int talk)
{
	char space[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))) = { 0 }, byte = 0;
	struct iovec v = { &byte, 1 };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = space,
			    .msg_controllen = sizeof(space) };
	struct cmsghdr *h = CMSG_FIRSTHDR(&m);
	unsigned int socket;
	int fd;

	if (netlink_draw(c, 2)) {
		h->cmsg_level = SOL_SOCKET;
		h->cmsg_type = SCM_RIGHTS;
		h->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(h), &c->socket[netlink_draw(c, N_SOCKETS)], sizeof(int));
		sendmsg(talk, &m, MSG_DONTWAIT);
	} else if (recvmsg(talk, &m, MSG_DONTWAIT) == 1 && CMSG_FIRSTHDR(&m)) {
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
		socket = netlink_draw(c, N_SOCKETS);
		dup3(fd, c->socket[socket], O_CLOEXEC);
		close(fd);
		netlink_forget(c, socket);
	}
}

/* Between messages, as seldom as they take long: once in as many as a run's own. */
static void do_others(struct netlink_child *c)
{
	unsigned int i;

	for (i = 0; i < N_SOCKETS; i++)
		if (netlink_queued(i))
			flush_and_drain(c, i);
	make_run(c);
	if (!netlink_draw(c, 10))
		act(c, REOPEN, netlink_draw(c, N_SOCKETS), 0);
	if (!netlink_draw(c, 7))
		pass_socket(c, c->uid ? shared->talk[0] : shared->talk[1]);
}

/* A thread, or a process with our sockets: asks and reads while the child does. */
static void *beside(void *arg)
{
	static const char *const dumps[] = { "group-get", "task-get", "record-get", "access-get" };
	static struct request ask;
	static char bytes[65536];
	struct netlink_child c = *(struct netlink_child *)arg;
	uint64_t n = 0;

	c.random ^= 0x1234567;
	for (;; n++) {
		unsigned int socket = netlink_draw(&c, N_SOCKETS);

		netlink_make(&c, &ask, command_called(dumps[netlink_draw(&c, 4)]), -1, -1);
		ask.head.nlmsg_type = c.family;
		send(c.socket[socket], ask.bytes, ask.head.nlmsg_len, MSG_DONTWAIT);
		ADD(shared->messages);
		if (netlink_draw(&c, 2) && recv(c.socket[socket], bytes, sizeof(bytes),
						MSG_DONTWAIT) < 0)
			usleep(500);
		usleep(10000);
	}
	return NULL;
}

static void become(struct netlink_child *c)
{
	struct rlimit l = { MAX_PROCESSES, MAX_PROCESSES };

	setrlimit(RLIMIT_NPROC, &l);
	signal(SIGPIPE, SIG_IGN);
	if (!c->uid)
		return;
	if (setresgid(c->uid, c->uid, c->uid) || setresuid(c->uid, c->uid, c->uid))
		_exit(6);
	prctl(PR_SET_DUMPABLE, 1);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static void open_files(struct netlink_child *c)
{
	c->file[0] = open(netlink_program_path, O_RDONLY | O_CLOEXEC);
	c->file[1] = open("/lib/x86_64-linux-gnu/libc.so.6", O_RDONLY | O_CLOEXEC);
	c->file[2] = open("/dev/null", O_RDWR | O_CLOEXEC);
	c->file[3] = memfd_create("fuzz", MFD_CLOEXEC);
	c->file[4] = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	c->file[5] = c->socket[0];
}

/* The next act of a log, its message in @request. */
static bool next(int fd, struct logged *l)
{
	return read(fd, l, sizeof(*l)) == sizeof(*l) && l->length <= MESSAGE_BYTES &&
	       l->n_fixups <= N_FIXUPS && l->arg < 20000 &&
	       read(fd, request.bytes, l->length) == l->length;
}

int netlink_cut(const char *path, unsigned long from, unsigned long count)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct logged l;
	unsigned long n;

	for (n = 0; next(fd, &l); n++)
		if ((n < from || n - from >= count) &&
		    (write(1, &l, sizeof(l)) < 0 || write(1, request.bytes, l.length) < 0))
			return 2;
	return n <= from;
}

static void replay(struct netlink_child *c)
{
	int fd = open(c->replay, O_RDONLY | O_CLOEXEC);
	struct logged l;
	unsigned int i;

	while (next(fd, &l)) {
		request.command = l.number;
		for (i = 0; i < l.n_fixups; i++)
			memcpy(request.bytes + l.fixup[i].at, l.fixup[i].is_pid ?
			       (void *)&c->program[l.fixup[i].index] :
			       &c->group[l.fixup[i].index], sizeof(uint32_t));
		if (l.act == SEND)
			request.head.nlmsg_type = c->family;
		do_it(c, &l);
	}
	_exit(0);
}

void netlink_child_run(struct netlink_child *c)
{
	const char *folder = getenv("LOG");
	uint64_t n, quit;
	char path[256];
	pthread_t t;
	int i;

	c->log = -1;
	if (folder) {
		snprintf(path, sizeof(path), "%s/%u.%lu.log", folder, c->number, c->seed);
		c->log = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	}
	become(c);
	/* Sockets are passed on: an answer may be to another child's request. */
	netlink_begin(getpid());
	c->random = c->seed * 2654435761u + 88172645463325252ULL;
	/* Fewer than sequence numbers of a child. */
	quit = 10000 + netlink_draw(c, 40000);
	for (i = 0; i < N_SOCKETS; i++) {
		/* The last is of a network of its own, sometimes of a user's who is root there. */
		if (i == N_SOCKETS - 1 && !netlink_draw(c, 3) &&
		    unshare(CLONE_NEWNET | (netlink_draw(c, 2) ? CLONE_NEWUSER : 0)))
			continue;
		c->socket[i] = netlink_open();
	}
	if (!c->socket[N_SOCKETS - 1])
		c->socket[N_SOCKETS - 1] = netlink_open();
	c->family = netlink_family(c->socket[0]);
	open_files(c);
	if (c->replay)
		replay(c);
	for (i = 0; i < N_PROGRAMS; i++)
		act(c, PROGRAM, i, 0);
	be_plain(c);
	if (netlink_draw(c, 2))
		pthread_create(&t, NULL, beside, c);
	else if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		beside(c);
	}
	for (n = 0; n < quit; n++) {
		if (!netlink_draw(c, c->run_every))
			do_others(c);
		queue_any(c);
	}
	/* Some go without a word. */
	if (netlink_draw(c, 2))
		kill(getpid(), SIGKILL);
	_exit(0);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What each blocked task waits in, in words, whether something outside the group can
 * end the wait, and which of its tasks come into question (holders.c). runner.c calls this when no task is enabled; if
 * nothing outside can help, that is a deadlock.
 *
 * The kernel is asked, through /proc/TID/syscall: which call, which arguments. A
 * table says how each call waits; what is not in it counts as ended from outside.
 * So does everything with a time-out, and a stopped task. A signal somebody may
 * send by hand does not count, not for pause() and sigwait() either: it could end
 * any wait, and nothing would ever be a deadlock. A timer of the program's own
 * that may still send one does (has_timer()).
 *
 * Where time is virtual the module has taken the time-out out of the arguments, and
 * of a sleep the call is another one: the record says who has a deadline, and its
 * last point which call it was.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "holders.h"
#include "internal.h"
#include "outside.h"
#include "proc.h"
#include "wait.h"

#define TEXT_MAX	400
#define EPOLL_DEPTH	4
/* A task that was seen blocked but whose call cannot be read is about to sleep. */
#define TRIES		20

/**
 * struct look - one task being looked at
 * @tasks: all tasks of the group
 * @n_tasks: how many
 * @tgids: the process of each
 * @in: their processes
 * @record: what they did, or NULL
 * @wait: where the result goes
 * @task: the one
 * @tgid: its process
 * @point: its last point, or NULL
 * @timed: the record says that it has a deadline
 * @err: negative errno, once something failed
 * @nr: the call it is in
 * @arg: arguments of that call
 * @text: what is found out, as it grows
 */
struct look {
	const struct chess_task_info *tasks;
	size_t n_tasks;
	const pid_t *tgids;
	struct chess_inside in;
	const struct chess_record *record;
	struct chess_wait *wait;
	const struct chess_task_info *task;
	pid_t tgid;
	const struct chess_event *point;
	bool timed;
	int err;
	long nr;
	unsigned long arg[6];
	char text[TEXT_MAX];
};

static __attribute__((format(printf, 2, 3))) void say(struct look *l, const char *fmt, ...)
{
	size_t used = strlen(l->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(l->text + used, sizeof(l->text) - used, fmt, ap);
	va_end(ap);
}

/* Where @told by a record really is: addresses on the first stack are shifted. */
static unsigned long real_address(const struct look *l, uint64_t told)
{
	unsigned long start = 0;
	char text[1024], *at;
	int field;

	if (told < CHESS_STACK_LOW || chess_proc_read(l->task->pid, "stat", text, sizeof(text)) <= 0)
		return told;
	/* startstack is field 28; the name in field 2 may have spaces. */
	at = strrchr(text, ')');
	for (field = 2; at && field < 28; field++)
		at = strchr(at + 1, ' ');
	if (at)
		start = strtoul(at + 1, NULL, 10);
	return start ? told - CHESS_STACK_START + start : told;
}

static bool peek(const struct look *l, unsigned long address, void *to, size_t size)
{
	return chess_proc_peek(l->task->pid, address, to, size) == (ssize_t)size;
}

/* Id of the task with this thread id, else of the first one of that process. */
static int task_of(const struct look *l, pid_t tid)
{
	size_t i;

	for (i = 0; i < l->n_tasks; i++)
		if (l->tasks[i].pid == (uint32_t)tid)
			return l->tasks[i].id;
	for (i = 0; i < l->n_tasks; i++)
		if (l->tgids[i] == tid)
			return l->tasks[i].id;
	return -1;
}

/* Task @i could end the wait by an op on this object. */
static void add_holder(struct look *l, size_t i, enum chess_hold how, uint8_t kind,
		       uint64_t object)
{
	struct chess_holder h = {
		.task = l->tasks[i].id, .how = how, .object_kind = kind, .object = object,
	};

	if (!l->err)
		l->err = chess_holders_add(l->wait, &h);
}

/* Every task of this process but the waiting one; 0: of all processes. */
static void add_process(struct look *l, pid_t tgid, uint8_t kind, uint64_t object)
{
	size_t i;

	for (i = 0; i < l->n_tasks; i++)
		if ((!tgid || l->tgids[i] == tgid) && &l->tasks[i] != l->task)
			add_holder(l, i, CHESS_HOLD_MAY, kind, object);
}

/* The same for an id that the program itself uses: NULL, if it is none of ours. */
static const struct chess_task_info *named_task(const struct look *l, pid_t tid)
{
	size_t i;

	if (tid <= 0)
		return NULL;
	for (i = 0; i < l->n_tasks; i++)
		if (chess_proc_own_id(l->tasks[i].pid, "\nNSpid:") == tid)
			return &l->tasks[i];
	for (i = 0; i < l->n_tasks; i++)
		if (chess_proc_own_id(l->tasks[i].pid, "\nNStgid:") == tid)
			return &l->tasks[i];
	return NULL;
}

static bool say_holder(struct look *l, pid_t tid)
{
	const struct chess_task_info *holder = named_task(l, tid);
	bool lost;

	if (!holder)
		return false;
	say(l, " held by T%d", holder->id);
	/* The owner noted in a lock that fork() copied will never unlock the copy. */
	lost = l->point && (l->point->flags & CHESS_OPF_PROBE) &&
	       chess_proc_tgid(holder->pid) != l->tgid;
	if (lost)
		say(l, " before the fork");
	add_holder(l, holder - l->tasks, lost ? CHESS_HOLD_LOST : CHESS_HOLD_HAS,
		   l->point ? l->point->object_kind : CHESS_OBJECT_NONE,
		   l->point ? l->point->object : 0);
	return true;
}

/* --- futexes ----------------------------------------------------------- */

/* May an outsider wake the futex at this address of shared memory? */
static bool futex_outside(const struct look *l, unsigned long address)
{
	char path[64], line[1024], perms[8], dev[32], inode[32], pair[80];
	unsigned long from, to;
	bool outside = true;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", l->task->pid);
	f = fopen(path, "re");
	if (!f)
		return true;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx %7s %*s %31s %31s", &from, &to, perms, dev, inode) != 5)
			continue;
		if (address < from || address >= to)
			continue;
		snprintf(pair, sizeof(pair), "%s %s", dev, inode);
		outside = strchr(perms, 's') &&
			  chess_outside_maps(&l->in, pair, strstr(line, "/dev/zero (deleted)"));
		break;
	}
	fclose(f);
	return outside;
}

/* Owner of a mutex of glibc: int lock, unsigned count, int owner. */
static bool say_mutex_owner(struct look *l, unsigned long address)
{
	int word[3];

	return peek(l, address, word, sizeof(word)) && word[0] && say_holder(l, word[2]);
}

/* Who could end a wait in a sync function: those who can reach its object. */
static void add_users(struct look *l, const struct chess_event *p)
{
	bool shared = !(l->arg[1] & FUTEX_PRIVATE_FLAG);
	const struct chess_task_info *target;

	switch (p->op) {
	case CHESS_OP_JOIN:
		/* The word is the thread's id until it ends. */
		target = named_task(l, l->arg[2]);
		if (target) {
			say(l, ", which is T%u", target->id);
			add_holder(l, target - l->tasks, CHESS_HOLD_IS, CHESS_OBJECT_TASK,
				   target->id);
		}
		break;
	case CHESS_OP_LOCK:
	case CHESS_OP_RDLOCK:
	case CHESS_OP_WRLOCK:
		/* It may have the lock itself: as a reader, or of a mutex locked twice. */
		add_holder(l, l->task - l->tasks, CHESS_HOLD_MAY, p->object_kind, p->object);
		/* fallthrough */
	default:
		add_process(l, shared ? 0 : l->tgid, p->object_kind, p->object);
	}
}

static bool wait_futex(struct look *l)
{
	const struct chess_event *p = l->point;
	const struct chess_wrapper *w = NULL;
	unsigned int cmd = l->arg[1] & FUTEX_CMD_MASK;
	uint32_t word;

	if (p)
		w = chess_wrapper_of(p);
	if (w) {
		say(l, "%s", w->symbol);
		if (p->object_kind != CHESS_OBJECT_NONE)
			say(l, " 0x%llx", (unsigned long long)p->object);
		if (p->op == CHESS_OP_COND_WAIT && p->arg)
			say(l, " with mutex 0x%llx", (unsigned long long)p->arg);
		if (p->op != CHESS_OP_LOCK || strncmp(w->symbol, "pthread_mutex_", 14) ||
		    !say_mutex_owner(l, real_address(l, p->object)))
			add_users(l, p);
	} else {
		say(l, "futex 0x%lx", l->arg[0]);
		if ((cmd == FUTEX_LOCK_PI || cmd == FUTEX_LOCK_PI2) &&
		    peek(l, l->arg[0], &word, sizeof(word)))
			say_holder(l, word & FUTEX_TID_MASK);
		else if (p)
			add_process(l, l->arg[1] & FUTEX_PRIVATE_FLAG ? l->tgid : 0,
				    p->object_kind, p->object);
	}
	if (l->arg[3]) {
		say(l, ", with a time-out");
		return true;
	}
	return !(l->arg[1] & FUTEX_PRIVATE_FLAG) && futex_outside(l, l->arg[0]);
}

/* --- file descriptors -------------------------------------------------- */

static bool has_socket_timeout(const struct look *l, int fd)
{
	struct timeval t[2] = { 0 };
	socklen_t size = sizeof(t[0]);
	int pidfd, copy = -1;

	pidfd = syscall(SYS_pidfd_open, l->tgid, 0);
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
static void say_path(struct look *l, const char *path)
{
	char name[64], cwd[PATH_MAX];
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/%d/cwd", l->task->pid);
	n = readlink(name, cwd, sizeof(cwd) - 1);
	if (n > 1 && !strncmp(path, cwd, n) && path[n] == '/')
		say(l, " .%s", path + n);
	else
		say(l, " %s", path);
}

static bool fd_outside(struct look *l, int fd, bool reads, int depth);

/* Lines "tfd:        5 events:       19 data: ..." of an epoll set. */
static bool epoll_outside(struct look *l, int fd, int depth)
{
	char name[32], text[8192], *line;
	unsigned int events;
	bool outside = false;
	int target;

	snprintf(name, sizeof(name), "fdinfo/%d", fd);
	if (depth >= EPOLL_DEPTH || chess_proc_read(l->task->pid, name, text, sizeof(text)) <= 0 ||
	    strlen(text) == sizeof(text) - 1)
		return true;
	say(l, " of");
	for (line = strstr(text, "tfd:"); line; line = strstr(line + 4, "tfd:")) {
		if (sscanf(line, "tfd: %d events: %x", &target, &events) != 2)
			return true;
		if (events & POLLOUT)
			outside |= fd_outside(l, target, false, depth + 1);
		if ((events & POLLIN) || !(events & POLLOUT))
			outside |= fd_outside(l, target, true, depth + 1);
	}
	return outside;
}

/* Names what is open as @fd. Return: false where that cannot be seen. */
static bool say_fd(struct look *l, int fd, char link[PATH_MAX], struct stat *st)
{
	char name[64];
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/%d/fd/%d", l->task->pid, fd);
	n = readlink(name, link, PATH_MAX - 1);
	if (n < 0 || stat(name, st))
		return false;
	link[n] = '\0';
	say_path(l, link);
	return true;
}

/* Who of the group has this file open, so that it could make the other end ready? */
static void add_openers(struct look *l, dev_t dev, ino_t ino, enum chess_outside_mode mode)
{
	uint32_t object = chess_record_object(l->record, dev, ino);
	size_t i;

	for (i = 0; i < l->in.n; i++)
		if (chess_process_holds(l->in.tgid[i], dev, ino, mode))
			add_process(l, l->in.tgid[i],
				    object ? CHESS_OBJECT_INODE : CHESS_OBJECT_NONE, object);
}

static bool pipe_outside(struct look *l, const struct stat *st, bool reads)
{
	enum chess_outside_mode mode = reads ? CHESS_OUTSIDE_WRITER : CHESS_OUTSIDE_READER;

	add_openers(l, st->st_dev, st->st_ino, mode);
	return chess_outside_holds(&l->in, st->st_dev, st->st_ino, mode);
}

static bool socket_outside(struct look *l, int fd, const struct stat *st)
{
	ino_t peer = chess_socket_peer(st->st_ino);

	size_t i, before = l->wait->n_holders;

	if (peer)
		add_openers(l, st->st_dev, peer, CHESS_OUTSIDE_ANY);
	for (i = before; i < l->wait->n_holders; i++)
		l->wait->holders[i].other_end = true;
	return has_socket_timeout(l, fd) || chess_outside_has_peer(&l->in, st->st_ino) ||
	       chess_outside_holds(&l->in, st->st_dev, st->st_ino, CHESS_OUTSIDE_ANY);
}

/* All anonymous inodes are one: an eventfd is told by its descriptor. */
static bool eventfd_outside(struct look *l, int fd)
{
	char name[64], text[4096], *id;
	size_t i;

	snprintf(name, sizeof(name), "fdinfo/%d", fd);
	if (chess_proc_read(l->task->pid, name, text, sizeof(text)) <= 0)
		return true;
	id = strstr(text, "eventfd-id:");
	if (!id)
		return true;
	for (i = 0; i < l->in.n; i++)
		if (chess_process_has_eventfd(l->in.tgid[i], id + 11))
			add_process(l, l->in.tgid[i], CHESS_OBJECT_FD, fd);
	return chess_outside_has_eventfd(&l->in, id + 11);
}

/* Names what is open as @fd; may an outsider make it ready? */
static bool fd_outside(struct look *l, int fd, bool reads, int depth)
{
	char link[PATH_MAX];
	struct stat st;

	if (!say_fd(l, fd, link, &st)) {
		say(l, " fd %d", fd);
		return true;
	}
	if (S_ISFIFO(st.st_mode))
		return pipe_outside(l, &st, reads);
	if (S_ISSOCK(st.st_mode))
		return socket_outside(l, fd, &st);
	if (!strcmp(link, "anon_inode:[eventpoll]"))
		return epoll_outside(l, fd, depth);
	return strcmp(link, "anon_inode:[eventfd]") || eventfd_outside(l, fd);
}

static bool wait_read(struct look *l)
{
	say(l, "%s", chess_syscall_name(l->nr));
	return fd_outside(l, l->arg[0], true, 0);
}

static bool wait_write(struct look *l)
{
	say(l, "%s", chess_syscall_name(l->nr));
	return fd_outside(l, l->arg[0], false, 0);
}

static bool wait_poll(struct look *l)
{
	struct pollfd p;
	bool outside = false;
	unsigned long i, n = l->arg[1];

	say(l, "%s", chess_syscall_name(l->nr));
	/* Nothing to poll: it waits for a signal. */
	if (!n || n > FD_SETSIZE)
		outside = true;
	for (i = 0; i < n && i < FD_SETSIZE; i++) {
		if (!peek(l, l->arg[0] + i * sizeof(p), &p, sizeof(p)))
			return true;
		if (p.fd < 0)
			continue;
		if (p.events & POLLOUT)
			outside |= fd_outside(l, p.fd, false, 0);
		if ((p.events & POLLIN) || !(p.events & POLLOUT))
			outside |= fd_outside(l, p.fd, true, 0);
	}
	/* The number is an int for poll, a pointer for ppoll. */
	if (l->nr == SYS_poll ? (int)l->arg[2] >= 0 : l->arg[2] != 0) {
		say(l, ", with a time-out");
		return true;
	}
	return outside;
}

static bool wait_select(struct look *l)
{
	bool outside = true, any = false, ready;
	unsigned long n = l->arg[0], i, set;
	unsigned char byte;

	say(l, "%s", chess_syscall_name(l->nr));
	for (set = 1; set <= 3; set++) {
		for (i = 0; l->arg[set] && i < n && i < FD_SETSIZE; i++) {
			if (!peek(l, l->arg[set] + i / 8, &byte, 1))
				return true;
			if (!(byte >> (i % 8) & 1))
				continue;
			ready = fd_outside(l, i, set != 2, 0);
			outside = any ? outside | ready : ready;
			any = true;
		}
	}
	if (l->arg[4]) {
		say(l, ", with a time-out");
		return true;
	}
	return outside;
}

static bool wait_epoll(struct look *l)
{
	bool outside;

	say(l, "%s", chess_syscall_name(l->nr));
	outside = fd_outside(l, l->arg[0], true, 0);
	if (l->nr == SYS_epoll_pwait2 ? l->arg[3] != 0 : (int)l->arg[3] >= 0) {
		say(l, ", with a time-out");
		return true;
	}
	return outside;
}

/* --- locks, children, others ------------------------------------------- */

/* @wish: all but the file */
static bool wait_lock(struct look *l, struct chess_lock_wish wish)
{
	char link[PATH_MAX];
	struct stat st;
	pid_t holder;
	bool outside;
	size_t i;

	say(l, "%s", chess_syscall_name(l->nr));
	if (!say_fd(l, l->arg[0], link, &st))
		return true;
	wish.dev = st.st_dev;
	wish.ino = st.st_ino;
	wish.tgid = l->tgid;
	wish.fd = l->arg[0];
	outside = chess_outside_locks(&l->in, &wish, &holder);
	if (holder && task_of(l, holder) >= 0)
		say(l, " held by T%d", task_of(l, holder));
	/* Of the threads of its process, the one that called last. */
	for (i = 0; i < l->n_tasks; i++)
		if (holder && l->point && (l->tgids[i] == holder ||
					   l->tasks[i].pid == (uint32_t)holder))
			add_holder(l, i, CHESS_HOLD_MAY, l->point->object_kind,
				   l->point->object);
	return outside;
}

static bool wait_flock(struct look *l)
{
	return wait_lock(l, (struct chess_lock_wish) {
		.kind = "FLOCK", .write = l->arg[1] & LOCK_EX, .end = INT64_MAX,
	});
}

static bool wait_fcntl(struct look *l)
{
	struct chess_lock_wish wish = { .end = INT64_MAX };
	struct flock f;

	if (l->arg[1] != F_SETLKW && l->arg[1] != F_OFD_SETLKW) {
		say(l, "%s", chess_syscall_name(l->nr));
		return true;
	}
	wish.kind = l->arg[1] == F_SETLKW ? "POSIX" : "OFDLCK";
	wish.write = true;
	if (peek(l, l->arg[2], &f, sizeof(f))) {
		wish.write = f.l_type == F_WRLCK;
		/* Relative to what only the kernel knows: any range may be meant. */
		if (f.l_whence == SEEK_SET && f.l_len >= 0) {
			wish.start = f.l_start;
			wish.end = f.l_len ? f.l_start + f.l_len - 1 : INT64_MAX;
		}
	}
	return wait_lock(l, wish);
}

static bool wait_child(struct look *l)
{
	/* waitid names a child in its second argument, wait4 in its first. */
	pid_t named = l->nr == SYS_waitid ? (pid_t)l->arg[1] : (pid_t)l->arg[0];
	const struct chess_task_info *child = named_task(l, named);
	size_t i;

	say(l, "%s", chess_syscall_name(l->nr));
	if (child)
		say(l, " for T%d", child->id);
	/* A child that still has a thread is not over. */
	for (i = 0; i < l->n_tasks; i++)
		if (child ? l->tgids[i] == l->tgids[child - l->tasks] :
			    chess_proc_parent(l->tgids[i]) == l->tgid)
			add_holder(l, i, CHESS_HOLD_IS, CHESS_OBJECT_TASK, l->tasks[i].id);
	return chess_outside_has_child(&l->in, l->tgid);
}

/* The child that was made by vfork() is of the group, as all children are. */
static bool wait_vfork(struct look *l)
{
	say(l, "%s until the child executes or ends", chess_syscall_name(l->nr));
	return false;
}

static bool wait_signal(struct look *l)
{
	say(l, "%s", chess_syscall_name(l->nr));
	return l->nr == SYS_rt_sigtimedwait && l->arg[2];
}

/* Are its System V objects and message queues those of its own run? */
static bool has_own_ipc(const struct look *l)
{
	char name[64], theirs[64], ours[64];
	ssize_t n, m;

	snprintf(name, sizeof(name), "/proc/%d/ns/ipc", l->task->pid);
	n = readlink(name, theirs, sizeof(theirs));
	m = readlink("/proc/self/ns/ipc", ours, sizeof(ours));
	return n > 0 && m > 0 && (n != m || memcmp(theirs, ours, n));
}

static bool wait_ipc(struct look *l)
{
	say(l, "%s %d", chess_syscall_name(l->nr), (int)l->arg[0]);
	if (l->point)
		add_process(l, 0, l->point->object_kind, l->point->object);
	return !has_own_ipc(l) || (l->nr == SYS_semtimedop && l->arg[3]);
}

static bool wait_queue(struct look *l)
{
	char link[PATH_MAX];
	struct stat st;

	say(l, "%s", chess_syscall_name(l->nr));
	if (!say_fd(l, l->arg[0], link, &st))
		return true;
	add_openers(l, st.st_dev, st.st_ino, CHESS_OUTSIDE_ANY);
	return l->arg[4] || !has_own_ipc(l) ||
	       chess_outside_holds(&l->in, st.st_dev, st.st_ino, CHESS_OUTSIDE_ANY);
}

static const struct {
	long nr;
	bool (*look)(struct look *l);
} calls[] = {
	{ SYS_futex, wait_futex },
	{ SYS_read, wait_read }, { SYS_readv, wait_read }, { SYS_preadv, wait_read },
	{ SYS_preadv2, wait_read }, { SYS_recvfrom, wait_read }, { SYS_recvmsg, wait_read },
	{ SYS_write, wait_write }, { SYS_writev, wait_write }, { SYS_pwritev, wait_write },
	{ SYS_pwritev2, wait_write }, { SYS_sendto, wait_write }, { SYS_sendmsg, wait_write },
	{ SYS_poll, wait_poll }, { SYS_ppoll, wait_poll },
	{ SYS_select, wait_select }, { SYS_pselect6, wait_select },
	{ SYS_epoll_wait, wait_epoll }, { SYS_epoll_pwait, wait_epoll },
	{ SYS_epoll_pwait2, wait_epoll },
	{ SYS_flock, wait_flock }, { SYS_fcntl, wait_fcntl },
	{ SYS_wait4, wait_child }, { SYS_waitid, wait_child },
	{ SYS_pause, wait_signal }, { SYS_rt_sigsuspend, wait_signal },
	{ SYS_rt_sigtimedwait, wait_signal },
	{ SYS_semop, wait_ipc }, { SYS_semtimedop, wait_ipc },
	{ SYS_msgrcv, wait_ipc }, { SYS_msgsnd, wait_ipc },
	{ SYS_mq_timedreceive, wait_queue }, { SYS_mq_timedsend, wait_queue },
	{ SYS_vfork, wait_vfork }, { SYS_clone, wait_vfork }, { SYS_clone3, wait_vfork },
};

/* Which call the task is in. Return: false where it is in none, or hidden. */
static bool read_call(struct look *l)
{
	struct timespec nap = { .tv_nsec = 500000 };
	char text[256];
	int try, n;

	for (try = 0; try < TRIES; try++) {
		if (chess_proc_read(l->task->pid, "syscall", text, sizeof(text)) <= 0)
			return false;
		n = sscanf(text, "%ld %lx %lx %lx %lx %lx %lx", &l->nr, &l->arg[0], &l->arg[1],
			   &l->arg[2], &l->arg[3], &l->arg[4], &l->arg[5]);
		if (n == 7)
			return l->nr >= 0;
		if (n == 1)
			return false;
		nanosleep(&nap, NULL);
	}
	return false;
}

/*
 * Has the program asked for a signal at some time? alarm() and itimers are in no
 * file of /proc; that the call was made is in the record, as is timer_settime().
 */
static bool has_timer(const struct chess_record *r)
{
	size_t i, n = r ? chess_record_length(r) : 0;

	for (i = 0; i < n; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type != CHESS_EVENT_POINT || (e->flags & CHESS_OPF_PROBE))
			continue;
		if (e->nr == SYS_alarm || e->nr == SYS_setitimer || e->nr == SYS_timer_settime)
			return true;
	}
	return false;
}

/* Does the end of the record say that @task waits with a deadline of the group's? */
static bool has_deadline(const struct chess_record *r, uint32_t task)
{
	size_t i = r ? chess_record_length(r) : 0;

	while (i--) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->task == task &&
		    (e->type == CHESS_EVENT_TIMEOUT || e->type == CHESS_EVENT_WAKE))
			return false;
		if (CHESS_EVENT_IS_DECISION(e->type) && e->type != CHESS_EVENT_SIGNAL)
			return e->chosen != task && chess_record_timed(r, i, task);
	}
	return false;
}

static bool look_at_call(struct look *l)
{
	char state = chess_proc_state(l->task->pid);
	size_t i;

	if (state == 'T' || state == 't') {
		say(l, state == 'T' ? "stopped by a signal" : "stopped by a debugger");
		return true;
	}
	if (!read_call(l)) {
		say(l, "the kernel, in no system call");
		return true;
	}
	if (l->timed && l->nr == SYS_pause && l->point && !(l->point->flags & CHESS_OPF_PROBE))
		l->nr = l->point->nr;
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		if (calls[i].nr == l->nr)
			return calls[i].look(l);
	say(l, "%s", chess_syscall_name(l->nr));
	return true;
}

static bool look_at(struct look *l)
{
	static const char timeout[] = ", with a time-out";
	bool outside = look_at_call(l);
	size_t n;

	if (!l->timed)
		return outside;
	n = strlen(l->text);
	if (n < sizeof(timeout) || strcmp(l->text + n + 1 - sizeof(timeout), timeout))
		say(l, "%s", timeout);
	return true;
}

/* Return: the process of each task, and behind them room for the list of @in. */
static pid_t *find_processes(const struct chess_task_info *tasks, size_t n,
			     struct chess_inside *in)
{
	pid_t *tgids = calloc(n ? n : 1, 2 * sizeof(*tgids));
	size_t i;

	if (!tgids) {
		chess_set_error(ENOMEM, "no memory for a list of processes");
		return NULL;
	}
	in->n = 0;
	in->tgid = tgids + n;
	for (i = 0; i < n; i++) {
		tgids[i] = chess_proc_tgid(tasks[i].pid);
		if (tgids[i] && !chess_inside_has(in, tgids[i]))
			in->tgid[in->n++] = tgids[i];
	}
	return tgids;
}

int chess_waits_inspect(const struct chess_task_info *tasks, size_t n_tasks,
			const struct chess_record *r, bool real_time, struct chess_wait **out,
			size_t *n, bool *stuck)
{
	struct chess_wait *waits = calloc(n_tasks ? n_tasks : 1, sizeof(*waits));
	/* Timers on the group's clock have all gone off when nobody is enabled. */
	bool timer = real_time && has_timer(r);
	struct chess_inside in;
	size_t i, found = 0;
	pid_t *tgids;
	int err = 0;

	*out = NULL;
	*n = 0;
	*stuck = false;
	if (!waits)
		return chess_set_error(ENOMEM, "no memory for a list of waits");
	tgids = find_processes(tasks, n_tasks, &in);
	if (!tgids) {
		free(waits);
		return -ENOMEM;
	}
	*stuck = n_tasks;
	for (i = 0; i < n_tasks; i++) {
		struct chess_wait *w = &waits[found];
		struct look l = {
			.tasks = tasks, .n_tasks = n_tasks, .tgids = tgids, .in = in, .record = r,
			.wait = w, .task = &tasks[i], .tgid = tgids[i],
		};

		if (tasks[i].state != CHESS_TASK_STATE_BLOCKED) {
			*stuck = false;
			continue;
		}
		l.point = r ? chess_record_last_point(r, chess_record_length(r), tasks[i].id) : NULL;
		l.timed = has_deadline(r, tasks[i].id);
		w->task = tasks[i].id;
		w->pid = tasks[i].pid;
		w->seq = l.point ? l.point->seq : 0;
		w->asked = true;
		w->outside = look_at(&l) || timer;
		w->text = strdup(l.text);
		found++;
		if (w->outside)
			*stuck = false;
		if (!w->text)
			l.err = chess_set_error(ENOMEM, "no memory for a list of waits");
		if (l.err)
			err = l.err;
	}
	free(tgids);
	if (!err)
		err = chess_holders_settle(r, waits, found);
	if (err) {
		chess_waits_free(waits, found);
		*stuck = false;
		return err;
	}
	*out = waits;
	*n = found;
	return 0;
}

int chess_waits_collect(struct chess_ctl *c, uint32_t group, const struct chess_record *r,
			bool real_time, struct chess_wait **out, size_t *n, bool *stuck)
{
	struct chess_task_info *tasks;
	int count, ret;

	*out = NULL;
	*n = 0;
	*stuck = false;
	count = chess_task_list(c, group, &tasks);
	if (count < 0)
		return count;
	ret = chess_waits_inspect(tasks, count, r, real_time, out, n, stuck);
	free(tasks);
	return ret;
}

void chess_waits_free(struct chess_wait *waits, size_t n)
{
	size_t i;

	for (i = 0; waits && i < n; i++) {
		free(waits[i].holders);
		free(waits[i].kernel);
		free(waits[i].object);
		free(waits[i].text);
	}
	free(waits);
}

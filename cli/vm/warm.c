// SPDX-License-Identifier: GPL-2.0-only
/*
 * Machines that wait for a command (warm.h).
 *
 *   chessctl vm start -> keeper -> holder -> QEMU
 *                                    ^
 *   chessctl explore ---- socket ----'  gets the machine's streams
 *
 * A holder has one machine. It prepares it, lets it stand still and listens. When a command
 * takes the machine, the keeper starts the next holder, and this one waits until the command
 * closes its end, then kills QEMU: no machine gets two commands. Everything is in a directory
 * that only the user may enter:
 *
 *   vm.lock     locked by the keeper, which is found by it
 *   vm.sock     of the holder whose machine waits; while there is none, commands do without
 *   vm.PID      what the machine of the holder PID is to share for writing
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "now.h"
#include "vm/snapshot.h"
#include "vm/warm.h"

#define ANSWER_MS 3000		/* then a command does without */
#define STOP_MS 10000
#define LOOK_MS 5000		/* is the directory still there? */
#define FAILURES 3		/* in a row, and the keeper gives up */
#define STREAMS 4		/* of a machine: port, console, messages, monitor */

/* What a holder tells the keeper. */
#define SAYS_READY 'r'
#define SAYS_GIVEN 'g'
#define SAYS_IDLE 'i'

enum kind { KIND_STATUS = 1, KIND_TAKE };

struct request {
	uint32_t kind;
	uint64_t key;
	char outbox[4096];
};

struct answer {
	bool fits;
	uint64_t given;
};

struct keeper {
	char dir[3000], socket[3100];
	const struct chess_vm_opts *o;
	struct chess_vm_kernel kernel;
	char *const *trial;
	uint64_t key, given;
	unsigned int idle_s;
};

static int open_null(void)
{
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

/* ---- the directory ---- */

static void name_dir(char *dir, size_t len)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");

	if (runtime && *runtime == '/')
		snprintf(dir, len, "%s/chess", runtime);
	else
		snprintf(dir, len, "/tmp/chess-%u", geteuid());
}

static int find_dir(char *dir, size_t len)
{
	name_dir(dir, len);
	if (strlen(dir) > 90)
		return chess_vm_complain(ENAMETOOLONG, "%s is too long for the name of a socket", dir);
	mkdir(dir, 0700);
	if (!chess_vm_is_private(dir))
		return chess_vm_complain(EPERM, "%s must be a directory of yours that is closed to others", dir);
	return 0;
}

/* The process that holds the lock, or 0. */
static pid_t keeper_of(const char *dir)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char path[3100];
	int fd;

	snprintf(path, sizeof(path), "%s/vm.lock", dir);
	fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return 0;
	if (fcntl(fd, F_GETLK, &lock) || lock.l_type == F_UNLCK)
		lock.l_pid = 0;
	close(fd);
	return lock.l_pid;
}

static void address_of(struct sockaddr_un *a, const char *path)
{
	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(a->sun_path, sizeof(a->sun_path), "%.107s", path);
}

static bool is_ours(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) && peer.uid == geteuid();
}

/* ---- the holder ---- */

static int listen_at(const char *path)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct sockaddr_un a;

	address_of(&a, path);
	unlink(path);
	if (fd >= 0 && (bind(fd, (struct sockaddr *)&a, sizeof(a)) || listen(fd, 16))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool give(int conn, const struct chess_vm_machine *m, const struct answer *answer)
{
	const int fd[STREAMS] = { m->port, m->console, m->messages, m->monitor };
	char space[CMSG_SPACE(sizeof(fd))] = "";
	struct iovec data = { (void *)answer, sizeof(*answer) };
	struct msghdr msg = {
		.msg_iov = &data, .msg_iovlen = 1,
		.msg_control = space, .msg_controllen = sizeof(space),
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&msg);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(head), fd, sizeof(fd));
	return sendmsg(conn, &msg, MSG_NOSIGNAL) == sizeof(*answer);
}

/* Until the command is over: its end closes, and whatever it left in the machine goes with it. */
static void wait_for_end(int conn, struct chess_vm_machine *m)
{
	pid_t qemu = m->pid;
	char byte;

	m->pid = 0;
	chess_vm_machine_end(m);	/* our copies of its streams only */
	while (read(conn, &byte, 1) < 0 && errno == EINTR)
		;
	kill(qemu, SIGKILL);
	waitpid(qemu, NULL, 0);
}

/* Return: the machine was given away, and it is over. */
static bool serve(const struct keeper *k, int conn, struct chess_vm_machine *m, const char *late,
		  int to_keeper)
{
	struct answer answer = { .given = k->given };
	struct pollfd p = { conn, POLLIN, 0 };
	struct request r;
	char says = SAYS_GIVEN;

	if (!is_ours(conn) || poll(&p, 1, ANSWER_MS) <= 0 ||
	    recv(conn, &r, sizeof(r), 0) != sizeof(r))
		return false;
	answer.fits = r.key == k->key;
	r.outbox[sizeof(r.outbox) - 1] = 0;
	if (r.kind != KIND_TAKE || !answer.fits) {
		send(conn, &answer, sizeof(answer), MSG_NOSIGNAL);
		return false;
	}
	unlink(k->socket);
	unlink(late);
	if (*r.outbox && !symlink(r.outbox, late))
		chess_vm_machine_share(m);
	chess_vm_machine_pause(m, false);
	/* From here on it ends with the command, not with the keeper. */
	prctl(PR_SET_PDEATHSIG, 0);
	(void)!write(to_keeper, &says, 1);
	close(to_keeper);
	if (give(conn, m, &answer))
		wait_for_end(conn, m);
	unlink(late);
	return true;
}

static void __attribute__((noreturn)) hold(const struct keeper *k, int to_keeper)
{
	long end = chess_now_ms() + k->idle_s * 1000L;
	char late[3200], says = SAYS_READY;
	struct chess_vm_machine m;
	struct pollfd p[2];
	bool over = false;
	int fd, conn;

	snprintf(late, sizeof(late), "%s/vm.%d", k->dir, getpid());
	if (chess_vm_prepare(k->o, &k->kernel, k->trial, late, &m))
		_exit(1);
	chess_vm_machine_pause(&m, true);
	fd = listen_at(k->socket);
	if (fd < 0) {
		chess_vm_complain(errno, "making the socket %s failed: %s", k->socket, strerror(errno));
		_exit(1);
	}
	(void)!write(to_keeper, &says, 1);
	while (!over) {
		p[0] = (struct pollfd){ fd, POLLIN, 0 };
		p[1] = (struct pollfd){ m.port, 0, 0 };
		poll(p, 2, LOOK_MS);
		if (p[1].revents)
			break;	/* QEMU died */
		if (chess_now_ms() > end || access(k->socket, F_OK)) {
			says = SAYS_IDLE;
			(void)!write(to_keeper, &says, 1);
			break;
		}
		conn = p[0].revents ? accept4(fd, NULL, NULL, SOCK_CLOEXEC) : -1;
		if (conn < 0)
			continue;
		over = serve(k, conn, &m, late, to_keeper);
		close(conn);
	}
	if (!over)
		unlink(k->socket);
	chess_vm_machine_end(&m);
	_exit(0);
}

/* ---- the keeper ---- */

static volatile sig_atomic_t told_to_end;

static void handle_end(int sig)
{
	told_to_end = sig;
}

/* What a holder says; 0: it ended, -1: we are to end. */
static int listen_to(int fd, const sigset_t *open)
{
	struct pollfd p = { fd, POLLIN, 0 };
	char says;

	while (!told_to_end) {
		if (ppoll(&p, 1, NULL, open) < 0)
			continue;
		return read(fd, &says, 1) == 1 ? says : 0;
	}
	return -1;
}

/* Return: what its last word was, as listen_to(). */
static int keep_one(const struct keeper *k, int *ready, const sigset_t *open)
{
	int fd[2], says;
	pid_t keeper = getpid(), pid;

	if (pipe2(fd, O_CLOEXEC))
		return 0;
	pid = fork();
	if (!pid) {
		close(fd[0]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != keeper)
			_exit(1);
		signal(SIGTERM, SIG_DFL);
		signal(SIGCHLD, SIG_DFL);
		sigprocmask(SIG_SETMASK, open, NULL);
		hold(k, fd[1]);
	}
	close(fd[1]);
	while ((says = pid > 0 ? listen_to(fd[0], open) : 0) == SAYS_READY) {
		if (*ready < 0)
			continue;
		/* Who started us is satisfied; nothing of ours is theirs from now on. */
		(void)!write(*ready, "", 1);
		close(*ready);
		*ready = open_null();
		dup2(*ready, STDERR_FILENO);
		close(*ready);
		*ready = -1;
	}
	close(fd[0]);
	if (says == -1 && pid > 0)
		kill(pid, SIGKILL);
	return says;
}

static void __attribute__((noreturn)) keep(struct keeper *k, int ready)
{
	struct sigaction act = { .sa_handler = handle_end };
	sigset_t blocked, open;
	int failures = 0, says;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, &open);
	sigdelset(&open, SIGTERM);
	sigaction(SIGTERM, &act, NULL);
	signal(SIGCHLD, SIG_IGN);
	while (failures < FAILURES) {
		says = keep_one(k, &ready, &open);
		if (says == -1 || says == SAYS_IDLE || (!says && ready >= 0))
			break;
		failures = says ? 0 : failures + 1;
		k->given += says == SAYS_GIVEN;
	}
	unlink(k->socket);
	_exit(0);
}

/* Kept as long as we live. */
static bool lock(const struct keeper *k)
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char path[3100];
	int fd;

	snprintf(path, sizeof(path), "%s/vm.lock", k->dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	return fd >= 0 && !fcntl(fd, F_SETLK, &all);
}

static void __attribute__((noreturn)) become_keeper(struct keeper *k, int ready)
{
	int null = open_null();

	setsid();
	if (!lock(k)) {
		chess_vm_complain(EBUSY, "another process keeps VMs ready already");
		_exit(1);
	}
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	close(null);
	if (chdir("/"))
		_exit(1);
	keep(k, ready);
}

int chess_vm_warm_start(const struct chess_vm_opts *o, char *const trial[], unsigned int idle_s)
{
	struct keeper k = { .o = o, .trial = trial, .idle_s = idle_s };
	int fd[2], ret = find_dir(k.dir, sizeof(k.dir));
	pid_t pid;
	char byte;

	if (ret)
		return ret;
	if (keeper_of(k.dir))
		return chess_vm_complain(EBUSY, "VMs are kept ready already (chessctl vm status)");
	snprintf(k.socket, sizeof(k.socket), "%s/vm.sock", k.dir);
	ret = chess_vm_kernel_find(o->kernel, &k.kernel);
	if (ret)
		return chess_vm_complain(-ret, "%s", k.kernel.image);
	k.key = chess_vm_snapshot_key(o, &k.kernel);
	if (!k.key)
		ret = chess_vm_complain(ENOENT, "the VM needs qemu-system-x86_64 and its own first program; chessctl doctor says what is missing");
	else if (pipe2(fd, O_CLOEXEC))
		ret = chess_vm_complain(errno, "making a pipe failed: %s", strerror(errno));
	if (!ret) {
		fflush(NULL);
		pid = fork();
		if (!pid) {
			close(fd[0]);
			become_keeper(&k, fd[1]);
		}
		close(fd[1]);
		if (pid < 0)
			ret = chess_vm_complain(errno, "starting a process failed: %s", strerror(errno));
		else if (read(fd[0], &byte, 1) != 1)
			ret = -EIO;	/* it has said why */
		close(fd[0]);
	}
	chess_vm_kernel_clear(&k.kernel);
	return ret;
}

/* ---- commands ---- */

/* Return: a connection on which the answer has come, or -1. @m: or NULL */
static int ask(const char *dir, const struct request *r, struct answer *answer,
	       struct chess_vm_machine *m)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), got[STREAMS];
	char path[3100], space[CMSG_SPACE(sizeof(got))] = "";
	struct iovec data = { answer, sizeof(*answer) };
	struct msghdr msg = {
		.msg_iov = &data, .msg_iovlen = 1,
		.msg_control = space, .msg_controllen = sizeof(space),
	};
	struct sockaddr_un a;
	struct pollfd p = { fd, POLLIN, 0 };
	struct cmsghdr *head;

	snprintf(path, sizeof(path), "%s/vm.sock", dir);
	address_of(&a, path);
	if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof(a)) || !is_ours(fd) ||
	    send(fd, r, sizeof(*r), MSG_NOSIGNAL) != sizeof(*r) || poll(&p, 1, ANSWER_MS) <= 0 ||
	    recvmsg(fd, &msg, MSG_CMSG_CLOEXEC) != sizeof(*answer))
		goto fail;
	if (!m)
		return fd;
	head = CMSG_FIRSTHDR(&msg);
	if (!head || head->cmsg_type != SCM_RIGHTS || head->cmsg_len != CMSG_LEN(sizeof(got)))
		goto fail;
	memcpy(got, CMSG_DATA(head), sizeof(got));
	*m = (struct chess_vm_machine){ 0, got[0], got[1], got[2], got[3] };
	return fd;
fail:
	if (fd >= 0)
		close(fd);
	return -1;
}

int chess_vm_warm_take(const struct chess_vm_opts *o, const struct chess_vm_kernel *kernel,
		       struct chess_vm_machine *m)
{
	struct request r = { .kind = KIND_TAKE };
	const char *no = getenv("CHESS_VM_WARM");
	struct answer answer;
	char dir[3000];

	if ((no && !strcmp(no, "no")) || o->service)
		return -1;
	/* Most users have none: nothing is made or said for them. */
	name_dir(dir, sizeof(dir));
	if (!chess_vm_is_private(dir))
		return -1;
	r.key = chess_vm_snapshot_key(o, kernel);
	if (!r.key || (o->outbox && !realpath(o->outbox, r.outbox)))
		return -1;
	return ask(dir, &r, &answer, m);
}

int chess_vm_warm_status(const struct chess_vm_opts *o, struct chess_vm_warm *w)
{
	struct request r = { .kind = KIND_STATUS };
	struct chess_vm_kernel kernel;
	struct answer answer;
	char dir[3000];
	int fd, ret = find_dir(dir, sizeof(dir));

	*w = (struct chess_vm_warm){ 0 };
	if (ret)
		return ret;
	w->keeper = keeper_of(dir);
	if (!w->keeper)
		return 0;
	if (!chess_vm_kernel_find(o->kernel, &kernel))
		r.key = chess_vm_snapshot_key(o, &kernel);
	chess_vm_kernel_clear(&kernel);
	fd = ask(dir, &r, &answer, NULL);
	if (fd < 0)
		return 0;
	close(fd);
	w->ready = true;
	w->fits = answer.fits;
	w->given = answer.given;
	return 0;
}

int chess_vm_warm_stop(void)
{
	long end = chess_now_ms() + STOP_MS;
	char dir[3000];
	int ret = find_dir(dir, sizeof(dir));
	pid_t pid;

	if (ret)
		return ret;
	pid = keeper_of(dir);
	if (!pid)
		return 1;
	if (kill(pid, SIGTERM))
		return chess_vm_complain(errno, "process %d, which keeps VMs ready, cannot be ended: %s",
					 pid, strerror(errno));
	while (keeper_of(dir) == pid) {
		if (chess_now_ms() > end)
			return chess_vm_complain(ETIMEDOUT, "process %d, which keeps VMs ready, did not end within %d s",
						 pid, STOP_MS / 1000);
		poll(NULL, 0, 10);
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calls that programs of outcome_subject.c make, but for those that wait (outcome_waits.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "outcome_calls.h"
#include "outcome_objects.h"
#include "outcome_waits.h"

#define NAMES		2

/* One of them; most do the same in each task, and many have nothing to choose. */
#define CALL(name) \
	static long name(int me __attribute__((unused)), unsigned int arg __attribute__((unused)))
#define C(name)	{ name, #name }
#define T(name)	{ outcome_##name, #name }	/* of another file */

/* Those of the program that runs. */
static struct outcome_objects *s;

/* Locks, and what is under them. */
CALL(locked)
{
	int value;

	pthread_mutex_lock(&s->mutex[arg % 2]);
	value = s->value[arg % 2]++;
	pthread_mutex_unlock(&s->mutex[arg % 2]);
	return value;
}

CALL(both_locked)
{
	int value;

	pthread_mutex_lock(&s->mutex[0]);
	pthread_mutex_lock(&s->mutex[1]);
	value = s->value[0] * 10 + s->value[1]++;
	pthread_mutex_unlock(&s->mutex[1]);
	pthread_mutex_unlock(&s->mutex[0]);
	return value;
}

CALL(try_locked)
{
	int ret = pthread_mutex_trylock(&s->mutex[arg % 2]);

	if (ret)
		return -ret;
	ret = s->value[arg % 2]++;
	pthread_mutex_unlock(&s->mutex[arg % 2]);
	return ret;
}

/* Left locked by the thread that has it. */
CALL(keep_robust)
{
	int ret = pthread_mutex_trylock(&s->robust);

	if (ret == EOWNERDEAD)
		pthread_mutex_consistent(&s->robust);
	return ret;
}

CALL(spin_try)
{
	int ret = pthread_spin_trylock(&s->spin);

	if (!ret && arg % 2)
		pthread_spin_unlock(&s->spin);
	return ret;
}

CALL(write_locked)
{
	int value;

	pthread_rwlock_wrlock(&s->rwlock);
	value = s->value[2]++;
	pthread_rwlock_unlock(&s->rwlock);
	return value;
}

CALL(read_locked)
{
	int value;

	pthread_rwlock_rdlock(&s->rwlock);
	value = s->value[2];
	pthread_rwlock_unlock(&s->rwlock);
	return value;
}

CALL(try_read_or_write)
{
	int ret = arg % 2 ? pthread_rwlock_tryrdlock(&s->rwlock) :
			    pthread_rwlock_trywrlock(&s->rwlock);

	if (!ret)
		pthread_rwlock_unlock(&s->rwlock);
	return ret;
}

static _Thread_local int ran_once;

static void run_once(void)
{
	ran_once = 1;
}

CALL(once)
{
	ran_once = 0;
	pthread_once(&s->once, run_once);
	return ran_once;
}

CALL(sem_up)
{
	return sem_post(&s->sem);
}

CALL(sem_down)
{
	return error_or(sem_trywait(&s->sem));
}

CALL(sem_value)
{
	int value;

	sem_getvalue(&s->sem, &value);
	return value;
}

/* Pipes and the like, none of which waits. */
CALL(pipe_write)
{
	char c = '0' + me * 3 + arg % 3;

	return error_or(write(s->pipe[1], &c, 1));
}

CALL(pipe_read)
{
	char c;
	ssize_t n = read(s->pipe[0], &c, 1);

	return n == 1 ? c : error_or(n);
}

CALL(pipe_bytes)
{
	int n;

	return ioctl(s->pipe[0], FIONREAD, &n) ? -errno : n;
}

CALL(pipe_poll)
{
	struct pollfd p = { .fd = s->pipe[arg % 2], .events = POLLIN | POLLOUT };

	return poll(&p, 1, 0) < 0 ? -errno : p.revents;
}

CALL(event_add)
{
	uint64_t n = 1 + arg % 3;

	return error_or(write(s->event, &n, sizeof(n)));
}

CALL(event_read)
{
	uint64_t n;

	return read(s->event, &n, sizeof(n)) < 0 ? -errno : (long)n;
}

CALL(pair_send)
{
	char c = 'a' + me * 3 + arg % 3;

	return error_or(send(s->pair[arg % 2], &c, 1, MSG_DONTWAIT | MSG_NOSIGNAL));
}

CALL(pair_receive)
{
	char c;
	ssize_t n = recv(s->pair[arg % 2], &c, 1, MSG_DONTWAIT);

	return n == 1 ? c : error_or(n);
}

CALL(pair_shut)
{
	return error_or(shutdown(s->pair[arg % 2], arg / 2 % 2 ? SHUT_RD : SHUT_WR));
}

/* One file, by a position that all share, or at a place. */
CALL(file_write)
{
	char c = 'A' + me * 3 + arg % 3;

	return error_or(arg % 2 ? pwrite(s->file, &c, 1, arg % 4) : write(s->file, &c, 1));
}

CALL(file_read)
{
	char c;
	ssize_t n = arg % 2 ? pread(s->file, &c, 1, arg % 4) : read(s->file, &c, 1);

	return n == 1 ? c : error_or(n);
}

CALL(file_cut)
{
	/* Not to nothing: the page is used. */
	return error_or(ftruncate(s->file, 1 + arg % 4));
}

CALL(file_size)
{
	struct stat st;

	return fstat(s->file, &st) ? -errno : (long)st.st_size;
}

CALL(file_seek)
{
	static const int whence[] = { SEEK_SET, SEEK_CUR, SEEK_END };

	return error_or(lseek(s->file, arg % 2, whence[arg % 3]));
}

CALL(file_append)
{
	if (arg % 2)
		return error_or(fcntl(s->file, F_GETFL) & O_APPEND);
	return error_or(fcntl(s->file, F_SETFL, arg / 2 % 2 ? O_APPEND : 0));
}

/* Names in a directory. */
static const char *name_of(unsigned int arg, char *path)
{
	snprintf(path, 80, "%s/%c", s->dir, 'a' + arg % NAMES);
	return path;
}

CALL(name_make)
{
	char path[80];
	int fd = open(name_of(arg, path), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

CALL(name_remove)
{
	char path[80];

	return error_or(unlink(name_of(arg, path)));
}

CALL(name_rename)
{
	char from[80], to[80];

	return error_or(rename(name_of(arg, from), name_of(arg + 1, to)));
}

CALL(name_is)
{
	char path[80];

	return error_or(access(name_of(arg, path), F_OK));
}

/* Numbers of descriptors: the lowest is given out. */
CALL(fd_make)
{
	return error_or(dup(s->pipe[0]));
}

CALL(fd_close)
{
	return error_or(close(s->spare + arg % 3));
}

CALL(fd_is)
{
	return error_or(fcntl(s->spare + arg % 3, F_GETFD));
}

CALL(fd_over)
{
	return error_or(dup2(s->event, s->spare + arg % 3));
}

/* Locks of files. */
CALL(flock_try)
{
	static const int how[] = { LOCK_EX, LOCK_SH, LOCK_UN };

	return error_or(flock(s->own[me], how[arg % 3] | LOCK_NB));
}

CALL(range_try)
{
	static const int how[] = { F_WRLCK, F_RDLCK, F_UNLCK };
	struct flock l = { .l_type = how[arg % 3], .l_start = arg / 3 % 2, .l_len = 1 };

	return error_or(fcntl(s->own[me], F_OFD_SETLK, &l));
}

/* Signals that all threads block. */
CALL(signal_send)
{
	return error_or(kill(getpid(), arg % 2 ? SIGUSR1 : SIGUSR2));
}

CALL(signal_pending)
{
	sigset_t set;

	sigpending(&set);
	return sigismember(&set, SIGUSR1) | sigismember(&set, SIGUSR2) << 1;
}

CALL(signal_take)
{
	const struct timespec now = { 0 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	return error_or(sigtimedwait(&set, NULL, &now));
}

CALL(signal_to)
{
	return pthread_kill(s->thread[0], arg % 2 ? SIGUSR1 : 0);
}

/* System V IPC. */
CALL(queue_send)
{
	struct message m = { 1 + arg % 2, 'q' + me };

	return error_or(msgsnd(s->queue, &m, 1, IPC_NOWAIT));
}

CALL(queue_receive)
{
	struct message m = { 0 };
	ssize_t n = msgrcv(s->queue, &m, 1, arg % 3, IPC_NOWAIT);

	return n == 1 ? m.text * 10 + m.type : error_or(n);
}

CALL(ipc_change)
{
	struct sembuf op = { .sem_op = arg % 2 ? 1 : -1, .sem_flg = IPC_NOWAIT };

	return error_or(semop(s->ipc_sem, &op, 1));
}

CALL(ipc_value)
{
	return error_or(semctl(s->ipc_sem, 0, GETVAL));
}

/* What belongs to the process. */
CALL(mask_files)
{
	return umask(arg % 2 ? 022 : 070 | me);
}

CALL(limit_cores)
{
	struct rlimit l = { 0 };

	if (arg % 2) {
		l.rlim_cur = 100 + me;
		l.rlim_max = 1000;
		return error_or(setrlimit(RLIMIT_NOFILE, &l));
	}
	getrlimit(RLIMIT_NOFILE, &l);
	return l.rlim_cur;
}

CALL(directory)
{
	char path[256];

	if (arg % 3 < 2)
		return error_or(chdir(arg % 3 ? s->dir : "/"));
	return getcwd(path, sizeof(path)) ? (long)strlen(path) : -errno;
}

CALL(child)
{
	pid_t pid;

	if (arg % 2) {
		pid = waitpid(-1, NULL, WNOHANG);
		return pid > 0 ? 1 : error_or(pid);
	}
	pid = fork();
	if (!pid)
		_exit(0);
	return pid > 0 ? 0 : -errno;
}

CALL(nice_of)
{
	if (arg % 2)
		return error_or(setpriority(PRIO_PROCESS, 0, 1 + arg / 2 % 3));
	return getpriority(PRIO_PROCESS, 0);
}

/* Memory: only where accesses are points. */
CALL(plain_read)
{
	return s->plain[arg % 2];
}

CALL(plain_write)
{
	return s->plain[arg % 2] = 1 + me * 3 + arg % 3;
}

CALL(plain_add)
{
	return s->plain[arg % 2]++;
}

CALL(atomic_add)
{
	return atomic_fetch_add(&s->counter[arg % 2], 1);
}

CALL(atomic_get)
{
	return atomic_load(&s->counter[arg % 2]);
}

CALL(page_get)
{
	return s->page[0];
}

CALL(page_set)
{
	return s->page[0] = 0x30303030 + me * 3 + arg % 3;
}

CALL(page_file)
{
	int word = 0x40404040 + me;

	if (arg % 2)
		return error_or(pwrite(s->own[me], &word, sizeof(word), 0));
	return pread(s->own[me], &word, sizeof(word), 0) < 0 ? -errno : word;
}

CALL(into_shared)
{
	return error_or(pread(s->own[me], (void *)s->plain, sizeof(s->plain[0]), 0));
}

/* From one pipe to another, and from the file to a pipe. */
CALL(pipe_move)
{
	return error_or(splice(s->pipe[0], NULL, s->second[1], NULL, 1, SPLICE_F_NONBLOCK));
}

CALL(pipe_copy)
{
	return error_or(tee(s->pipe[0], s->second[1], 1, SPLICE_F_NONBLOCK));
}

CALL(second_read)
{
	char c;
	ssize_t n = read(s->second[0], &c, 1);

	return n == 1 ? c : error_or(n);
}

CALL(file_to_pipe)
{
	return error_or(sendfile(s->pipe[1], s->file, NULL, 1));
}

/* What the kernel shows of a descriptor. */
CALL(position)
{
	char path[32], text[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", s->file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n < 0 ? 0 : n] = '\0';
	return n > 4 ? atol(text + 4) : -1;
}

/* What is known of the file but for its bytes. */
CALL(mode_set)
{
	return error_or(fchmod(s->file, 0600 | arg % 8));
}

CALL(mode_get)
{
	struct stat st;

	return fstat(s->file, &st) ? -errno : (long)(st.st_mode & 07);
}

CALL(link_make)
{
	char from[80], to[80];

	snprintf(from, sizeof(from), "%s/file", s->dir);
	return error_or(link(from, name_of(arg, to)));
}

CALL(link_count)
{
	struct stat st;

	return fstat(s->file, &st) ? -errno : (long)st.st_nlink;
}

/* Descriptors that show what happens to others. */
CALL(epoll_add)
{
	struct epoll_event e = { .events = EPOLLIN | (arg % 2 ? EPOLLET : 0) };

	return error_or(epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->pipe[0], &e));
}

CALL(epoll_drop)
{
	return error_or(epoll_ctl(s->epoll, EPOLL_CTL_DEL, s->pipe[0], NULL));
}

CALL(epoll_ask)
{
	struct epoll_event e;

	return error_or(epoll_wait(s->epoll, &e, 1, 0));
}

/* An inotify there is only in programs that have this call. */
CALL(watch_begin)
{
	if (s->watch[me] < 0)
		s->watch[me] = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	return error_or(inotify_add_watch(s->watch[me], s->dir,
					  IN_CREATE | IN_DELETE | IN_MODIFY)) < 0 ? -errno : 0;
}

CALL(watch_read)
{
	struct inotify_event e[4] = { 0 };
	ssize_t n = read(s->watch[me], e, sizeof(e));

	return n < 0 ? -errno : (long)e[0].mask;
}

/* Time, which passes where it is read. */
CALL(timer_set)
{
	const struct itimerspec in = { .it_value = { 0, 25000 + arg % 2 * 100000 } };

	return error_or(timerfd_settime(s->timer, 0, &in, NULL));
}

CALL(timer_read)
{
	uint64_t n;

	return read(s->timer, &n, sizeof(n)) < 0 ? -errno : (long)n;
}

CALL(time_passes)
{
	struct timespec now;
	unsigned int i;

	for (i = 0; i < arg % 8; i++)
		clock_gettime(CLOCK_MONOTONIC, &now);
	return 0;
}

/* Memory that may be used or not, which the kernel is asked for. */
CALL(memory_let)
{
	return error_or(mprotect(s->text, 4096, arg % 2 ? PROT_NONE : PROT_READ | PROT_WRITE));
}

CALL(memory_ask)
{
	return error_or(access(s->text, F_OK));
}

CALL(memory_drop)
{
	return error_or(munmap(s->text, 4096));
}

CALL(memory_there)
{
	unsigned char resident;

	return error_or(mincore(s->text, 4096, &resident));
}

/* What is done on a signal that all block: those that are ignored are dropped. */
CALL(action_set)
{
	struct sigaction new = { .sa_handler = arg % 2 ? SIG_IGN : SIG_DFL };

	return error_or(sigaction(SIGUSR1, &new, NULL));
}

CALL(action_get)
{
	struct sigaction old;

	return sigaction(SIGUSR1, NULL, &old) ? -errno : old.sa_handler == SIG_IGN;
}

CALL(message_send)
{
	char c = 'm' + me;

	return error_or(mq_send(s->messages, &c, 1, arg % 2));
}

CALL(message_receive)
{
	char c[8];
	ssize_t n = mq_receive(s->messages, c, sizeof(c), NULL);

	return n == 1 ? c[0] : error_or(n);
}

CALL(message_count)
{
	struct mq_attr a;

	return mq_getattr(s->messages, &a) ? -errno : a.mq_curmsgs;
}

/* Of the first thread, which all know. */
CALL(name_give)
{
	char name[16];

	snprintf(name, sizeof(name), "n%u", arg % 4);
	return -pthread_setname_np(s->thread[0], name);
}

CALL(name_ask)
{
	char name[16] = "";
	int ret = pthread_getname_np(s->thread[0], name, sizeof(name));

	return ret ? -ret : name[0] == 'n' && name[1] ? name[1] : 0;
}

/* The C library changes those of all threads. */
CALL(group_set)
{
	return error_or(setegid(arg % 2 ? 0 : 5 + me));
}

CALL(group_get)
{
	return getegid();
}

/* Of a family's calls programs take any; see struct outcome_family. */
const struct outcome_family outcome_families[] = {
	{ { C(locked), C(both_locked), C(try_locked) }, OUTCOME_SHARED },
	{ { C(keep_robust), C(locked) }, OUTCOME_SHARED },
	{ { C(spin_try), C(locked) }, OUTCOME_SHARED },
	{ { C(spin_try), C(once) }, 0 },
	{ { C(write_locked), C(read_locked), C(try_read_or_write) }, OUTCOME_SHARED },
	{ { C(sem_up), C(sem_down), C(sem_value) }, OUTCOME_SHARED },
	{ { C(pipe_write), C(pipe_read), C(pipe_bytes), C(pipe_poll) }, OUTCOME_SHARED },
	{ { C(pipe_write), C(pipe_move), C(pipe_copy), C(second_read) }, OUTCOME_SHARED },
	{ { C(event_add), C(event_read) }, OUTCOME_SHARED },
	{ { C(pair_send), C(pair_receive), C(pair_shut) }, OUTCOME_SHARED },
	{ { C(file_write), C(file_read), C(file_cut), C(file_size), C(file_seek),
	    C(file_append) }, OUTCOME_SHARED },
	{ { C(file_write), C(file_read), C(file_seek), C(file_to_pipe), C(pipe_read),
	    C(position) }, OUTCOME_SHARED },
	{ { C(mode_set), C(mode_get), C(link_make), C(link_count), C(name_remove) },
	  OUTCOME_SHARED },
	{ { C(name_make), C(name_remove), C(name_rename), C(name_is) }, OUTCOME_SHARED },
	{ { C(watch_begin), C(watch_read), C(name_make), C(name_remove), C(file_write) },
	  OUTCOME_SHARED },
	{ { C(epoll_add), C(epoll_drop), C(epoll_ask), C(pipe_write), C(pipe_read) },
	  OUTCOME_SHARED },
	{ { C(timer_set), C(timer_read), C(time_passes) }, OUTCOME_SHARED },
	{ { C(fd_make), C(fd_close), C(fd_is), C(fd_over) }, 0 },
	{ { C(flock_try), C(range_try) }, OUTCOME_SHARED },
	{ { C(signal_send), C(signal_pending), C(signal_take), C(signal_to) }, 0 },
	{ { C(signal_send), C(signal_pending), C(action_set), C(action_get) }, 0 },
	{ { C(queue_send), C(queue_receive) }, OUTCOME_SHARED },
	{ { C(message_send), C(message_receive), C(message_count) }, OUTCOME_SHARED },
	{ { C(ipc_change), C(ipc_value) }, OUTCOME_SHARED },
	{ { C(mask_files), C(limit_cores), C(directory), C(nice_of) }, 0 },
	{ { C(name_give), C(name_ask) }, 0 },
	{ { C(group_set), C(group_get) }, 0 },
	{ { C(memory_let), C(memory_ask), C(memory_there), C(memory_drop) }, 0 },
	{ { C(child) }, 0 },
	{ { T(hold), T(let_go), C(locked), T(after) }, OUTCOME_SHARED | OUTCOME_WAITS },
	{ { T(hold_robust), T(let_robust_go), C(keep_robust), T(after) },
	  OUTCOME_SHARED | OUTCOME_WAITS },
	{ { T(hold_rwlock), T(let_rwlock_go), C(read_locked), C(write_locked), T(after) },
	  OUTCOME_SHARED | OUTCOME_WAITS },
	{ { T(until_ready), T(make_ready), C(locked), T(after) },
	  OUTCOME_SHARED | OUTCOME_WAITS },
	{ { T(sem_wait_for), C(sem_up), C(sem_down), T(after) },
	  OUTCOME_SHARED | OUTCOME_WAITS },
	{ { T(together), C(sem_up), C(sem_down) }, OUTCOME_SHARED | OUTCOME_WAITS },
	{ { T(slow_read), T(slow_write), T(after) }, OUTCOME_SHARED | OUTCOME_WAITS },
	{ { T(flock_wait), T(range_wait), T(after) }, OUTCOME_SHARED | OUTCOME_WAITS },
	{ { T(queue_wait), C(queue_send), C(queue_receive), T(after) },
	  OUTCOME_SHARED | OUTCOME_WAITS },
	{ { T(ipc_wait), C(ipc_change), T(after) }, OUTCOME_SHARED | OUTCOME_WAITS },
	{ { C(plain_read), C(plain_write), C(plain_add) }, OUTCOME_MEMORY | OUTCOME_SHARED },
	{ { C(atomic_add), C(atomic_get), C(plain_write), C(plain_read) },
	  OUTCOME_MEMORY | OUTCOME_SHARED },
	{ { C(page_get), C(page_set), C(page_file), C(page_file) },
	  OUTCOME_MEMORY | OUTCOME_SHARED },
	{ { C(into_shared), C(plain_read), C(plain_write) }, OUTCOME_MEMORY | OUTCOME_SHARED },
};

const size_t outcome_families_count = sizeof(outcome_families) / sizeof(outcome_families[0]);

void outcome_set_up(pthread_t *threads, const char *folder)
{
	mkdir(folder, 0700);
	outcome_objects_unlink(folder);
	s = outcome_objects_make(!threads, folder);
	s->thread = threads;
	outcome_waits_use(s);
}

void outcome_clean_up(void)
{
	msgctl(s->queue, IPC_RMID, NULL);
	semctl(s->ipc_sem, 0, IPC_RMID);
	outcome_objects_unlink(s->dir);
	rmdir(s->dir);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program out of a seed, or one that is given, for outcomes.sh: two or three threads make a few
 * calls on objects that they share, and note what each call returns. Together this is the outcome
 * of a run, which is appended to a file as one line. The calls are such that what they return
 * depends on the order in which threads come, and no call waits for ever.
 *
 *	outcome_subject PROGRAM FILE
 *	outcome_subject --list PROGRAM
 *
 * PROGRAM is a number, the seed; "m" and a number, where threads also access memory that they
 * share, which they otherwise do under locks only; or the calls of each thread, as --list prints
 * them: "once(0),locked(1);once(0)".
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_THREADS	3
#define MAX_OPS		3
#define MAX_CALLS	6
#define NAMES		2
#define NOTES		512

typedef long op_fn(int me, unsigned int arg);

/* One of them; most do the same in each thread, and many have nothing to choose. */
#define CALL(name) \
	static long name(int me __attribute__((unused)), unsigned int arg __attribute__((unused)))

static struct {
	pthread_mutex_t mutex[2], robust;
	pthread_rwlock_t rwlock;
	pthread_spinlock_t spin;
	pthread_once_t once;
	sem_t sem;
	int value[3];			/* under mutex[0], mutex[1], rwlock */
	int pipe[2], event, pair[2], file, own[MAX_THREADS], spare;
	int queue, ipc_sem;
	pthread_t thread[MAX_THREADS];
	volatile int *page;		/* of the file */
	char dir[64];
} s;

/* Where accesses to memory are points. */
static volatile int plain[2];
static atomic_int counter[2];

static long error_or(long ret)
{
	return ret < 0 ? -errno : ret;
}

/* Locks, and what is under them. */
CALL(locked)
{
	int value;

	pthread_mutex_lock(&s.mutex[arg % 2]);
	value = s.value[arg % 2]++;
	pthread_mutex_unlock(&s.mutex[arg % 2]);
	return value;
}

CALL(both_locked)
{
	int value;

	pthread_mutex_lock(&s.mutex[0]);
	pthread_mutex_lock(&s.mutex[1]);
	value = s.value[0] * 10 + s.value[1]++;
	pthread_mutex_unlock(&s.mutex[1]);
	pthread_mutex_unlock(&s.mutex[0]);
	return value;
}

CALL(try_locked)
{
	int ret = pthread_mutex_trylock(&s.mutex[arg % 2]);

	if (ret)
		return -ret;
	ret = s.value[arg % 2]++;
	pthread_mutex_unlock(&s.mutex[arg % 2]);
	return ret;
}

/* Left locked by the thread that has it. */
CALL(keep_robust)
{
	int ret = pthread_mutex_trylock(&s.robust);

	if (ret == EOWNERDEAD)
		pthread_mutex_consistent(&s.robust);
	return ret;
}

CALL(spin_try)
{
	int ret = pthread_spin_trylock(&s.spin);

	if (!ret && arg % 2)
		pthread_spin_unlock(&s.spin);
	return ret;
}

CALL(write_locked)
{
	int value;

	pthread_rwlock_wrlock(&s.rwlock);
	value = s.value[2]++;
	pthread_rwlock_unlock(&s.rwlock);
	return value;
}

CALL(read_locked)
{
	int value;

	pthread_rwlock_rdlock(&s.rwlock);
	value = s.value[2];
	pthread_rwlock_unlock(&s.rwlock);
	return value;
}

CALL(try_read_or_write)
{
	int ret = arg % 2 ? pthread_rwlock_tryrdlock(&s.rwlock) :
			    pthread_rwlock_trywrlock(&s.rwlock);

	if (!ret)
		pthread_rwlock_unlock(&s.rwlock);
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
	pthread_once(&s.once, run_once);
	return ran_once;
}

CALL(sem_up)
{
	return sem_post(&s.sem);
}

CALL(sem_down)
{
	return error_or(sem_trywait(&s.sem));
}

CALL(sem_value)
{
	int value;

	sem_getvalue(&s.sem, &value);
	return value;
}

/* Pipes and the like, none of which waits. */
CALL(pipe_write)
{
	char c = '0' + me * 3 + arg % 3;

	return error_or(write(s.pipe[1], &c, 1));
}

CALL(pipe_read)
{
	char c;
	ssize_t n = read(s.pipe[0], &c, 1);

	return n == 1 ? c : error_or(n);
}

CALL(pipe_bytes)
{
	int n;

	return ioctl(s.pipe[0], FIONREAD, &n) ? -errno : n;
}

CALL(pipe_poll)
{
	struct pollfd p = { .fd = s.pipe[arg % 2], .events = POLLIN | POLLOUT };

	return poll(&p, 1, 0) < 0 ? -errno : p.revents;
}

CALL(event_add)
{
	uint64_t n = 1 + arg % 3;

	return error_or(write(s.event, &n, sizeof(n)));
}

CALL(event_read)
{
	uint64_t n;

	return read(s.event, &n, sizeof(n)) < 0 ? -errno : (long)n;
}

CALL(pair_send)
{
	char c = 'a' + me * 3 + arg % 3;

	return error_or(send(s.pair[arg % 2], &c, 1, MSG_DONTWAIT | MSG_NOSIGNAL));
}

CALL(pair_receive)
{
	char c;
	ssize_t n = recv(s.pair[arg % 2], &c, 1, MSG_DONTWAIT);

	return n == 1 ? c : error_or(n);
}

CALL(pair_shut)
{
	return error_or(shutdown(s.pair[arg % 2], arg / 2 % 2 ? SHUT_RD : SHUT_WR));
}

/* One file, by a position that all share, or at a place. */
CALL(file_write)
{
	char c = 'A' + me * 3 + arg % 3;

	return error_or(arg % 2 ? pwrite(s.file, &c, 1, arg % 4) : write(s.file, &c, 1));
}

CALL(file_read)
{
	char c;
	ssize_t n = arg % 2 ? pread(s.file, &c, 1, arg % 4) : read(s.file, &c, 1);

	return n == 1 ? c : error_or(n);
}

CALL(file_cut)
{
	return error_or(ftruncate(s.file, arg % 4));
}

CALL(file_size)
{
	struct stat st;

	return fstat(s.file, &st) ? -errno : (long)st.st_size;
}

CALL(file_seek)
{
	static const int whence[] = { SEEK_SET, SEEK_CUR, SEEK_END };

	return error_or(lseek(s.file, arg % 2, whence[arg % 3]));
}

CALL(file_append)
{
	if (arg % 2)
		return error_or(fcntl(s.file, F_GETFL) & O_APPEND);
	return error_or(fcntl(s.file, F_SETFL, arg / 2 % 2 ? O_APPEND : 0));
}

/* Names in a directory. */
static const char *name_of(unsigned int arg, char *path)
{
	snprintf(path, 80, "%s/%c", s.dir, 'a' + arg % NAMES);
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
	return error_or(dup(s.pipe[0]));
}

CALL(fd_close)
{
	return error_or(close(s.spare + arg % 3));
}

CALL(fd_is)
{
	return error_or(fcntl(s.spare + arg % 3, F_GETFD));
}

CALL(fd_over)
{
	return error_or(dup2(s.event, s.spare + arg % 3));
}

/* Locks of files. */
CALL(flock_try)
{
	static const int how[] = { LOCK_EX, LOCK_SH, LOCK_UN };

	return error_or(flock(s.own[me], how[arg % 3] | LOCK_NB));
}

CALL(range_try)
{
	static const int how[] = { F_WRLCK, F_RDLCK, F_UNLCK };
	struct flock l = { .l_type = how[arg % 3], .l_start = arg / 3 % 2, .l_len = 1 };

	return error_or(fcntl(s.own[me], F_OFD_SETLK, &l));
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
	return pthread_kill(s.thread[me ? 0 : 1], arg % 2 ? SIGUSR1 : 0);
}

/* System V IPC. */
struct message { long type; char text; };

CALL(queue_send)
{
	struct message m = { 1 + arg % 2, 'q' + me };

	return error_or(msgsnd(s.queue, &m, 1, IPC_NOWAIT));
}

CALL(queue_receive)
{
	struct message m = { 0 };
	ssize_t n = msgrcv(s.queue, &m, 1, arg % 3, IPC_NOWAIT);

	return n == 1 ? m.text * 10 + m.type : error_or(n);
}

CALL(ipc_change)
{
	struct sembuf op = { .sem_op = arg % 2 ? 1 : -1, .sem_flg = IPC_NOWAIT };

	return error_or(semop(s.ipc_sem, &op, 1));
}

CALL(ipc_value)
{
	return error_or(semctl(s.ipc_sem, 0, GETVAL));
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
		return error_or(chdir(arg % 3 ? s.dir : "/"));
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
	return plain[arg % 2];
}

CALL(plain_write)
{
	return plain[arg % 2] = 1 + me * 3 + arg % 3;
}

CALL(plain_add)
{
	return plain[arg % 2]++;
}

CALL(atomic_add)
{
	return atomic_fetch_add(&counter[arg % 2], 1);
}

CALL(atomic_get)
{
	return atomic_load(&counter[arg % 2]);
}

CALL(page_get)
{
	return s.page[0];
}

CALL(page_set)
{
	return s.page[0] = 0x30303030 + me * 3 + arg % 3;
}

CALL(page_file)
{
	int word = 0x40404040 + me;

	if (arg % 2)
		return error_or(pwrite(s.own[me], &word, sizeof(word), 0));
	return pread(s.own[me], &word, sizeof(word), 0) < 0 ? -errno : word;
}

CALL(into_shared)
{
	return error_or(pread(s.own[me], (void *)plain, sizeof(plain[0]), 0));
}

/* A call, and its name. */
struct call {
	op_fn *op;
	const char *name;
};

#define C(name)	{ name, #name }

static const struct family {
	struct call call[MAX_CALLS];
	bool memory;
} families[] = {
	{ { C(locked), C(both_locked), C(try_locked) }, false },
	{ { C(keep_robust), C(locked) }, false },
	{ { C(spin_try), C(once) }, false },
	{ { C(write_locked), C(read_locked), C(try_read_or_write) }, false },
	{ { C(sem_up), C(sem_down), C(sem_value) }, false },
	{ { C(pipe_write), C(pipe_read), C(pipe_bytes), C(pipe_poll) }, false },
	{ { C(event_add), C(event_read) }, false },
	{ { C(pair_send), C(pair_receive), C(pair_shut) }, false },
	{ { C(file_write), C(file_read), C(file_cut), C(file_size), C(file_seek),
	    C(file_append) }, false },
	{ { C(name_make), C(name_remove), C(name_rename), C(name_is) }, false },
	{ { C(fd_make), C(fd_close), C(fd_is), C(fd_over) }, false },
	{ { C(flock_try), C(range_try) }, false },
	{ { C(signal_send), C(signal_pending), C(signal_take), C(signal_to) }, false },
	{ { C(queue_send), C(queue_receive) }, false },
	{ { C(ipc_change), C(ipc_value) }, false },
	{ { C(mask_files), C(limit_cores), C(directory), C(nice_of) }, false },
	{ { C(child) }, false },
	{ { C(plain_read), C(plain_write), C(plain_add) }, true },
	{ { C(atomic_add), C(atomic_get), C(plain_write), C(plain_read) }, true },
	{ { C(page_get), C(page_set), C(page_file), C(page_file) }, true },
	{ { C(into_shared), C(plain_read), C(plain_write) }, true },
};

static struct {
	const struct call *call;
	unsigned int arg;
} program[MAX_THREADS][MAX_OPS];
static unsigned int threads, ops[MAX_THREADS];

static uint64_t state;

static uint64_t draw(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Of one family, or of two; with @memory, the first is about that. */
static void make_program(bool memory)
{
	const size_t n = sizeof(families) / sizeof(families[0]);
	const struct family *f[2];
	unsigned int t, i, k;

	for (i = 0; i < 2; i++)
		do
			f[i] = &families[draw() % n];
		while (i == 0 && memory ? !f[i]->memory : f[i]->memory && !memory);
	if (draw() % 2)
		f[1] = f[0];
	threads = draw() % 6 ? 2 : 3;
	for (t = 0; t < threads; t++) {
		ops[t] = threads == 2 ? 1 + draw() % 2 + !(draw() % 3) : 1;
		for (i = 0; i < ops[t]; i++) {
			const struct family *of = f[draw() % 2];

			for (k = 0; k < MAX_CALLS && of->call[k].op; k++)
				;
			program[t][i].call = &of->call[draw() % k];
			program[t][i].arg = draw() % 1024;
		}
	}
}

static const struct call *find_call(const char *name, size_t length)
{
	size_t i, k;

	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		for (k = 0; k < MAX_CALLS && families[i].call[k].op; k++)
			if (!strncmp(families[i].call[k].name, name, length) &&
			    !families[i].call[k].name[length])
				return &families[i].call[k];
	return NULL;
}

/* As print_program() has it. */
static bool read_program(const char *text)
{
	for (threads = 1; ; text++) {
		const char *open = strchr(text, '(');
		unsigned int t = threads - 1;
		char *end;

		if (!open || t == MAX_THREADS || ops[t] == MAX_OPS)
			return false;
		program[t][ops[t]].call = find_call(text, open - text);
		program[t][ops[t]].arg = strtoul(open + 1, &end, 10);
		if (!program[t][ops[t]++].call || *end != ')')
			return false;
		text = end + 1;
		if (!*text)
			return true;
		if (*text == ';')
			threads++;
		else if (*text != ',')
			return false;
	}
}

static void print_program(void)
{
	unsigned int t, i;

	for (t = 0; t < threads; t++)
		for (i = 0; i < ops[t]; i++)
			printf("%s%s(%u)", i ? "," : t ? ";" : "", program[t][i].call->name,
			       program[t][i].arg);
	putchar('\n');
}

static char notes[MAX_THREADS][NOTES];

static void *run(void *arg)
{
	int me = (intptr_t)arg;
	unsigned int i;
	size_t at = 0;

	for (i = 0; i < ops[me]; i++)
		at += snprintf(notes[me] + at, NOTES - at, " %ld",
			       program[me][i].call->op(me, program[me][i].arg));
	return NULL;
}

static void set_up(void)
{
	const char *base = getenv("TMPDIR") ?: "/tmp";
	pthread_mutexattr_t robust;
	char path[128];
	sigset_t set;
	int i;

	for (i = 0; i < 2; i++)
		pthread_mutex_init(&s.mutex[i], NULL);
	pthread_mutexattr_init(&robust);
	pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&s.robust, &robust);
	pthread_rwlock_init(&s.rwlock, NULL);
	pthread_spin_init(&s.spin, 0);
	s.once = PTHREAD_ONCE_INIT;
	sem_init(&s.sem, 0, 1);
	snprintf(s.dir, sizeof(s.dir), "%s/outcome-XXXXXX", base);
	if (!mkdtemp(s.dir) || pipe2(s.pipe, O_NONBLOCK) ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, s.pair))
		exit(2);
	s.event = eventfd(0, EFD_NONBLOCK);
	snprintf(path, sizeof(path), "%s/file", s.dir);
	s.file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	for (i = 0; i < MAX_THREADS; i++)
		s.own[i] = open(path, O_RDWR);
	if (s.file < 0 || write(s.file, "0123", 4) != 4)
		exit(2);
	s.page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, s.file, 0);
	s.queue = msgget(IPC_PRIVATE, 0600);
	s.ipc_sem = semget(IPC_PRIVATE, 1, 0600);
	semctl(s.ipc_sem, 0, SETVAL, 1);
	s.spare = dup(s.event);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static void clean_up(void)
{
	char path[128];
	unsigned int i;

	msgctl(s.queue, IPC_RMID, NULL);
	semctl(s.ipc_sem, 0, IPC_RMID);
	for (i = 0; i < NAMES; i++)
		unlink(name_of(i, path));
	snprintf(path, sizeof(path), "%s/file", s.dir);
	unlink(path);
	rmdir(s.dir);
}

static bool take_program(const char *text)
{
	bool memory = *text == 'm' && text[1] >= '0' && text[1] <= '9';
	char *end;

	state = strtoull(text + memory, &end, 10);
	if (*end || end == text)
		return read_program(text);
	make_program(memory);
	return true;
}

static int note_outcome(int fd)
{
	char line[MAX_THREADS * NOTES + 16];
	unsigned int t;
	size_t n = 0;

	for (t = 0; t < threads; t++)
		n += snprintf(line + n, sizeof(line) - n, "%s%s", t ? " |" : "", notes[t]);
	line[n++] = '\n';
	return write(fd, line, n) == (ssize_t)n ? 0 : 2;
}

int main(int argc, char **argv)
{
	bool list = argc > 1 && !strcmp(argv[1], "--list");
	unsigned int t;
	int fd, ret;

	if (argc != 3 || !take_program(argv[1 + list]))
		return 2;
	if (list) {
		print_program();
		return 0;
	}
	fd = open(argv[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return 2;
	set_up();
	for (t = 0; t < threads; t++)
		pthread_create(&s.thread[t], NULL, run, (void *)(intptr_t)t);
	for (t = 0; t < threads; t++)
		pthread_join(s.thread[t], NULL);
	while (wait(NULL) > 0)
		;
	ret = note_outcome(fd);
	clean_up();
	return ret;
}

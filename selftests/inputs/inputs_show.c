// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints everything a program can be given that differs from run to run without
 * control: one line per source, "name value". inputs.sh runs it many times and
 * compares line by line; inputs_test.c does so along one prefix. With --uncontrolled
 * it prints what nobody answers for yet.
 */
#include <dirent.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FILES 50

/* --- time ---------------------------------------------------------------- */

static void show_clock(const char *name, clockid_t id)
{
	struct timespec t = { 0 };

	clock_gettime(id, &t);
	printf("%s %lld.%09ld\n", name, (long long)t.tv_sec, t.tv_nsec);
}

static void show_time(void)
{
	struct timespec nap = { .tv_nsec = 3000000 };
	struct timeval tv;

	show_clock("clock_realtime", CLOCK_REALTIME);
	show_clock("clock_monotonic", CLOCK_MONOTONIC);
	show_clock("clock_monotonic_raw", CLOCK_MONOTONIC_RAW);
	show_clock("clock_realtime_coarse", CLOCK_REALTIME_COARSE);
	show_clock("clock_monotonic_coarse", CLOCK_MONOTONIC_COARSE);
	show_clock("clock_boottime", CLOCK_BOOTTIME);
	show_clock("clock_tai", CLOCK_TAI);
	show_clock("clock_process_cputime", CLOCK_PROCESS_CPUTIME_ID);
	show_clock("clock_thread_cputime", CLOCK_THREAD_CPUTIME_ID);
	gettimeofday(&tv, NULL);
	printf("gettimeofday %lld.%06ld\n", (long long)tv.tv_sec, (long)tv.tv_usec);
	printf("time %lld\n", (long long)time(NULL));
	nanosleep(&nap, NULL);
	show_clock("clock_monotonic_after_sleep", CLOCK_MONOTONIC);
}

/* --- pids ---------------------------------------------------------------- */

static void *show_tid(void *arg)
{
	(void)arg;
	printf("thread_gettid %ld\n", syscall(SYS_gettid));
	return NULL;
}

static void show_pids(void)
{
	char link[64];
	pthread_t thread;
	struct dirent *d;
	ssize_t n;
	pid_t pid;
	DIR *dir;
	int i;

	printf("getpid %d\n", getpid());
	printf("getppid %d\n", getppid());
	printf("gettid %ld\n", syscall(SYS_gettid));
	printf("getpgrp %d\n", getpgrp());
	printf("getsid %d\n", getsid(0));
	for (i = 0; i < 3; i++) {
		fflush(stdout);
		pid = fork();
		if (!pid) {
			printf("child_getpid_getppid %d %d\n", getpid(), getppid());
			fflush(stdout);
			_exit(0);
		}
		printf("fork %d\n", pid);
		waitpid(pid, NULL, 0);
	}
	pthread_create(&thread, NULL, show_tid, NULL);
	pthread_join(thread, NULL);
	n = readlink("/proc/self", link, sizeof(link) - 1);
	printf("proc_self %.*s\n", n > 0 ? (int)n : 0, link);
	n = readlink("/proc/thread-self", link, sizeof(link) - 1);
	printf("proc_thread_self %.*s\n", n > 0 ? (int)n : 0, link);
	printf("proc_pids");
	dir = opendir("/proc");
	while (dir && (d = readdir(dir)))
		if (d->d_name[0] >= '1' && d->d_name[0] <= '9')
			printf(" %s", d->d_name);
	printf("\n");
	if (dir)
		closedir(dir);
}

/* --- random numbers -------------------------------------------------------- */

static void show_bytes(const char *name, const unsigned char *b, size_t n)
{
	printf("%s ", name);
	while (n--)
		printf("%02x", *b++);
	printf("\n");
}

static void show_file(const char *name, const char *path, size_t size)
{
	unsigned char b[64];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, b, size);

	if (fd >= 0)
		close(fd);
	show_bytes(name, b, n > 0 ? n : 0);
}

static void show_random(void)
{
	char name[] = "/tmp/inputs.XXXXXX";
	unsigned char b[16] = { 0 };
	int fd;

	if (getrandom(b, sizeof(b), 0) == sizeof(b))
		show_bytes("getrandom", b, sizeof(b));
	if (!getentropy(b, sizeof(b)))
		show_bytes("getentropy", b, sizeof(b));
	show_file("dev_urandom", "/dev/urandom", 16);
	show_file("dev_random", "/dev/random", 16);
	show_bytes("at_random", (const unsigned char *)getauxval(AT_RANDOM), 16);
	srand(time(NULL));
	printf("rand_seeded_by_time %d %d\n", rand(), rand());
	fd = mkstemp(name);
	printf("mkstemp %s\n", name);
	if (fd >= 0) {
		close(fd);
		unlink(name);
	}
}

/* --- addresses -------------------------------------------------------------- */

static int show_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	(void)arg;
	printf("object_%s %#lx\n", info->dlpi_name[0] ? info->dlpi_name : "self",
	       (unsigned long)info->dlpi_addr);
	return 0;
}

static void show_addresses(void)
{
	int local;
	void *big = mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *small = malloc(100);

	printf("address_stack %p\n", (void *)&local);
	printf("address_heap %p\n", small);
	printf("address_brk %p\n", sbrk(0));
	printf("address_mmap %p\n", big);
	printf("address_code %p\n", (void *)show_addresses);
	printf("address_libc %p\n", (void *)stdout);
	printf("address_vdso %#lx\n", getauxval(AT_SYSINFO_EHDR));
	printf("address_execfn %#lx\n", getauxval(AT_EXECFN));
	dl_iterate_phdr(show_object, NULL);
	free(small);
}

/* --- the rest ---------------------------------------------------------------- */

/* In the working directory: 50 files made and read by this run. */
static void show_directory(void)
{
	char name[64];
	struct dirent *d;
	DIR *dir;
	int i, fd;

	snprintf(name, sizeof(name), "inputs.d");
	mkdir(name, 0755);
	for (i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "inputs.d/file%d", i);
		fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		if (fd >= 0)
			close(fd);
	}
	printf("readdir");
	dir = opendir("inputs.d");
	while (dir && (d = readdir(dir)))
		if (d->d_name[0] != '.')
			printf(" %s", d->d_name);
	printf("\n");
	if (dir)
		closedir(dir);
	for (i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "inputs.d/file%d", i);
		unlink(name);
	}
	rmdir("inputs.d");
}

/* Of the system, which nobody touches meanwhile. */
static void show_inodes(void)
{
	static const char *const paths[] = {
		"/usr", "/usr/share", "/usr/share/doc", "/var/lib", "/usr/bin/env",
	};
	struct stat st;
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!stat(paths[i], &st))
			printf("inode_%s %llx:%llu\n", paths[i], (unsigned long long)st.st_dev,
			       (unsigned long long)st.st_ino);
}

static void show_environment(char **envp)
{
	struct rlimit r;
	char cwd[4096];
	int i;

	for (i = 0; envp[i]; i++)
		printf("environment_%d %s\n", i, envp[i]);
	printf("cwd %s\n", getcwd(cwd, sizeof(cwd)));
	printf("uid_gid %d %d\n", getuid(), getgid());
	for (i = 0; i < RLIM_NLIMITS; i++)
		if (!getrlimit(i, &r))
			printf("rlimit_%d %llx %llx\n", i, (unsigned long long)r.rlim_cur,
			       (unsigned long long)r.rlim_max);
	printf("processors %d\n", get_nprocs());
	printf("getcpu %d\n", sched_getcpu());
	fflush(stdout);
}

static void show_processor_time(void)
{
	struct rusage ru;
	struct tms tms;

	printf("times_elapsed %lld\n", (long long)times(&tms));
	printf("times_used %ld %ld\n", (long)tms.tms_utime, (long)tms.tms_stime);
	getrusage(RUSAGE_SELF, &ru);
	printf("getrusage_time %ld.%06ld %ld.%06ld\n", (long)ru.ru_utime.tv_sec,
	       (long)ru.ru_utime.tv_usec, (long)ru.ru_stime.tv_sec, (long)ru.ru_stime.tv_usec);
	fflush(stdout);
}

/* What differs under control too; docs/inputs.md has the list. */
static int show_uncontrolled(void)
{
	struct sysinfo si;

	sysinfo(&si);
	printf("sysinfo_uptime %ld\n", si.uptime);
	show_file("proc_uuid", "/proc/sys/kernel/random/uuid", 36);
	return 0;
}

int main(int argc, char **argv, char **envp)
{
	if (argc > 1 && !strcmp(argv[1], "--uncontrolled"))
		return show_uncontrolled();
	show_time();
	show_pids();
	show_random();
	show_addresses();
	show_directory();
	show_inodes();
	show_environment(envp);
	show_processor_time();
	return 0;
}

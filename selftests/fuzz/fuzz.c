// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the fuzzers share; see fuzz.h. Inputs are made and read in a child, so that the
 * parent is there after a crash: the input lies in memory that both see. Making it small is
 * done with a child for each try.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sanitizer/lsan_interface.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

#define CORPUS_MAX	256
/* Leaks are looked for after so many inputs, hangs are noticed after so much of CPU time. */
#define LEAK_EVERY	20000
#define HANG_SECONDS	10
#define EXIT_LEAK	23
/* Tries of making an input small. */
#define TRIES_MAX	3000

struct shared {
	uint64_t number, good;		/* of the input in work; how many were taken */
	size_t n;
	unsigned char data[FUZZ_BYTES];
};

static const struct fuzz_target *target;
static struct fuzz_input corpus[CORPUS_MAX];
static size_t n_corpus;
static struct shared *shared;
static uint64_t seed = 1, state;
static int file_fd = -1;

/* An allocation that is out of proportion to inputs of FUZZ_BYTES is a finding. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "max_allocation_size_mb=512:allocator_may_return_null=0:detect_stack_use_after_return=0:"
	       "leak_check_at_exit=0:quarantine_size_mb=4:malloc_context_size=3:max_redzone=64";
}

const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
	return "print_stacktrace=1";
}

/* --- for targets ----------------------------------------------------------- */

void fuzz_keep(const void *data, size_t n)
{
	struct fuzz_input *in = &corpus[n_corpus];

	if (n_corpus == CORPUS_MAX || n > FUZZ_BYTES)
		return;
	in->data = malloc(n + 1);
	if (!in->data)
		abort();
	memcpy(in->data, data, n);
	in->n = n;
	n_corpus++;
}

bool fuzz_keep_file(const char *path)
{
	static unsigned char data[FUZZ_BYTES + 1];
	FILE *f = fopen(path, "r");
	size_t n;

	if (!f)
		return false;
	n = fread(data, 1, sizeof(data), f);
	fclose(f);
	if (n <= FUZZ_BYTES)
		fuzz_keep(data, n);
	return n <= FUZZ_BYTES;
}

uint32_t fuzz_random(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1dULL) >> 32;
}

size_t fuzz_below(size_t n)
{
	return n ? fuzz_random() % n : 0;
}

bool fuzz_one_in(unsigned int n)
{
	return !fuzz_below(n);
}

const struct fuzz_input *fuzz_any(void)
{
	return &corpus[fuzz_below(n_corpus)];
}

void fuzz_replace(struct fuzz_input *in, size_t at, size_t gone, const void *data, size_t n)
{
	if (at > in->n || gone > in->n - at || in->n - gone + n > FUZZ_BYTES)
		return;
	memmove(in->data + at + n, in->data + at + gone, in->n - at - gone);
	if (n)
		memmove(in->data + at, data, n);
	in->n = in->n - gone + n;
}

uint64_t fuzz_number(void)
{
	static const uint64_t strange[] = {
		0, 1, 2, 7, 8, 63, 64, 65, 255, 256, 4095, 4096, 65534, 65535, 65536, INT32_MAX,
		1ULL << 31, UINT32_MAX - 1, UINT32_MAX, 1ULL << 32, INT64_MAX, 1ULL << 63,
		UINT64_MAX - 7, UINT64_MAX,
	};

	return fuzz_one_in(2) ? strange[fuzz_below(sizeof(strange) / sizeof(*strange))] :
				fuzz_below(fuzz_one_in(2) ? 300 : 100000);
}

void fuzz_bytes(unsigned char *data, size_t n)
{
	static const size_t sizes[] = { 1, 2, 4, 8 };
	size_t times = 1 + fuzz_below(4), at, size;
	uint64_t word;

	while (n && times--) {
		at = fuzz_below(n);
		if (fuzz_one_in(2)) {
			data[at] ^= 1U << fuzz_below(8);
			continue;
		}
		word = fuzz_number();
		size = sizes[fuzz_below(4)];
		/* Fields lie at multiples of their size. */
		at -= at % size;
		if (at + size <= n)
			memcpy(data + at, &word, size);
	}
}

const char *fuzz_file(const void *data, size_t n)
{
	static char path[40];
	size_t done = 0;
	ssize_t got;

	if (file_fd < 0)
		file_fd = memfd_create("input", MFD_CLOEXEC);
	if (file_fd < 0 || ftruncate(file_fd, 0))
		abort();
	for (; done < n; done += got) {
		got = pwrite(file_fd, (const char *)data + done, n - done, done);
		if (got <= 0)
			abort();
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file_fd);
	return path;
}

void fuzz_expect(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "fuzz: does not hold: %s\n", what);
	abort();
}

/* --- in the child ---------------------------------------------------------- */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void watch_time(void)
{
	struct itimerval limit = { .it_value.tv_sec = HANG_SECONDS };

	setitimer(ITIMER_PROF, &limit, NULL);
}

static void make_input(uint64_t number)
{
	struct fuzz_input in = { .data = shared->data };
	const struct fuzz_input *from;
	int i;

	state = (seed * 0x9e3779b97f4a7c15ULL) ^ (number * 0xd1342543de82ef95ULL + 1);
	for (i = 0; i < 4; i++)
		fuzz_random();
	from = fuzz_any();
	memcpy(in.data, from->data, from->n);
	in.n = from->n;
	target->mutate(&in);
	shared->n = in.n;
}

static void read_input(void)
{
	unsigned char *exact = malloc(shared->n ? shared->n : 1);

	/* Of just that size, so that reading past its end is noticed. */
	if (!exact)
		abort();
	memcpy(exact, shared->data, shared->n);
	shared->good += target->run(exact, shared->n);
	free(exact);
}

static void look_for_leaks(void)
{
	if (__lsan_do_recoverable_leak_check())
		_exit(EXIT_LEAK);
}

/* Inputs from @first, up to number @end or for so long. */
static void work(uint64_t first, uint64_t end, double until, unsigned int leak_every)
{
	uint64_t i;

	target->begin();
	for (i = first; i < end; i++) {
		if (!(i & 15)) {
			if (until && now() >= until)
				break;
			watch_time();
		}
		shared->number = i;
		make_input(i);
		read_input();
		if (i % leak_every == leak_every - 1)
			look_for_leaks();
	}
	shared->number = i;
	look_for_leaks();
	_exit(0);
}

/* One input that is in @shared. */
static void work_once(void)
{
	watch_time();
	read_input();
	look_for_leaks();
	_exit(0);
}

/* --- in the parent --------------------------------------------------------- */

/* A child that ends with us. */
static pid_t start(void)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			abort();
	return status;
}

/* How what is in @shared ends: 0, or as waitpid() tells it. */
static int try_it(bool quiet)
{
	pid_t pid = start();
	int null;

	if (!pid) {
		null = quiet ? open("/dev/null", O_WRONLY) : -1;
		if (null >= 0)
			dup2(null, STDERR_FILENO);
		work_once();
	}
	return wait_for(pid);
}

static void save(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(shared->data, 1, shared->n, f) != shared->n || fclose(f)) {
		printf("# %s cannot be written: %s\n", path, strerror(errno));
		exit(1);
	}
}

/* Where the piece at @at ends that is @size long, in lines or bytes. */
static size_t piece_end(size_t at, size_t size, bool lines)
{
	if (!lines)
		return at + size < shared->n ? at + size : shared->n;
	for (; at < shared->n && size; at++)
		size -= shared->data[at] == '\n';
	return at;
}

/* Takes pieces out as long as it ends in the same way; they become half as long each time. */
static void make_small(bool lines, int status, unsigned int *tries)
{
	static unsigned char before[FUZZ_BYTES];
	size_t size, at, end, n;

	for (size = lines ? 64 : 1024; size; size /= 2) {
		for (at = 0; at < shared->n && *tries; ) {
			end = piece_end(at, size, lines);
			n = shared->n;
			memcpy(before, shared->data, n);
			memmove(shared->data + at, shared->data + end, n - end);
			shared->n = n - (end - at);
			--*tries;
			if (try_it(true) == status)
				continue;
			memcpy(shared->data, before, n);
			shared->n = n;
			at = end;
		}
	}
}

/* Which of the inputs from @first on leaks: look after each. */
static void find_leak(uint64_t first, uint64_t end)
{
	pid_t pid = start();

	if (!pid)
		work(first, end, 0, 1);
	wait_for(pid);
}

static const char *folder(void)
{
	const char *dir = getenv("CHESS_CHECK_OUT");

	return dir ? dir : "/tmp";
}

static void tell_failure(const char *program, int status)
{
	unsigned int tries = TRIES_MAX;
	uint64_t number;
	char path[512];

	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_LEAK)
		find_leak(shared->number > LEAK_EVERY ? shared->number - LEAK_EVERY : 0,
			  shared->number + 1);
	number = shared->number;
	if (WIFSIGNALED(status))
		printf("# input %llu: %s\n", (unsigned long long)number,
		       WTERMSIG(status) == SIGPROF ? "took too long" : strsignal(WTERMSIG(status)));
	snprintf(path, sizeof(path), "%s/fuzz-%s-%llu-%llu", folder(), target->name,
		 (unsigned long long)seed, (unsigned long long)number);
	save(path);
	printf("# input %llu of seed %llu fails; it is kept: %s\n", (unsigned long long)number,
	       (unsigned long long)seed, path);
	status = try_it(true);
	if (!status) {
		printf("# alone it does not; all up to it: SEED=%llu COUNT=%llu %s\n",
		       (unsigned long long)seed, (unsigned long long)number + 1, program);
		return;
	}
	if (target->lines)
		make_small(true, status, &tries);
	make_small(false, status, &tries);
	strncat(path, "-small", sizeof(path) - strlen(path) - 1);
	save(path);
	printf("# made small, %zu bytes; to see it again: %s %s\n", shared->n, program, path);
}

static uint64_t number_of(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static int fuzz(const char *program)
{
	uint64_t count = number_of("COUNT", 0), seconds = number_of("TIME", count ? 0 : 5);
	double begin = now();
	int status;
	pid_t pid;

	seed = number_of("SEED", 1);
	printf("KTAP version 1\n1..2\n# seed %llu\n", (unsigned long long)seed);
	pid = start();
	if (!pid)
		work(0, count ? count : UINT64_MAX, seconds ? begin + seconds : 0, LEAK_EVERY);
	status = wait_for(pid);
	printf("# %llu inputs, %llu taken for good, %.0f s\n", (unsigned long long)shared->number,
	       (unsigned long long)shared->good, now() - begin);
	if (status)
		tell_failure(program, status);
	printf("%s 1 nothing crashes %s\n", status ? "not ok" : "ok", target->name);
	/* A fuzzer whose inputs are all refused at the door proves nothing. */
	printf("%s 2 some are taken for good\n", shared->good || status ? "ok" : "not ok");
	return status || !shared->good;
}

int fuzz_main(const struct fuzz_target *t, int argc, char **argv)
{
	int i, failed = 0;
	size_t n;
	FILE *f;

	target = t;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		abort();
	if (argc < 2)
		return fuzz(argv[0]);
	for (i = 1; i < argc; i++) {
		f = fopen(argv[i], "r");
		n = f ? fread(shared->data, 1, FUZZ_BYTES, f) : 0;
		if (!f) {
			printf("# %s: %s\n", argv[i], strerror(errno));
			return 2;
		}
		fclose(f);
		shared->n = n;
		shared->good = 0;
		if (try_it(false))
			failed = printf("%s: fails\n", argv[i]);
		else
			printf("%s: %s\n", argv[i], shared->good ? "taken for good" : "refused");
	}
	return !!failed;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Concurrent tests in C and C++: a test's body runs once per schedule under "chessctl test", and
 * once, with its threads free, where the binary is started by itself; then it prints KTAP.
 * All is in this header, no library is needed but that of threads.
 *
 *	static int balance;
 *	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
 *
 *	static void pay(void)
 *	{
 *		pthread_mutex_lock(&lock);
 *		balance++;
 *		pthread_mutex_unlock(&lock);
 *	}
 *
 *	CHESS_TEST(both_payments_count, 2)
 *	{
 *		CHESS_THREADS(pay, pay);
 *		CHESS_ASSERT(balance == 2);
 *	}
 *
 *	CHESS_TEST_MAIN
 *
 * CHESS_TEST(name, bound, ...): what follows the bound of preemptions says what is expected, if
 * not that all is well (CHESS_EXPECT_DEADLOCK and so on), and which options of "chessctl explore"
 * the test has, each as CHESS_OPTION("--name=value").
 *
 * Each run is a process of its own, so variables begin as they are initialised.
 */
#ifndef CHESSCTL_TEST_H
#define CHESSCTL_TEST_H

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* The first line of the list of tests; chessctl knows a binary with tests by it. */
#define CHESS_TEST_MARK	"# chessctl/test.h tests, version 1"

/* Seconds a test may take with the threads free. */
#ifndef CHESS_TEST_LIMIT
#define CHESS_TEST_LIMIT	60
#endif

/**
 * struct chess_test - a test, made by CHESS_TEST()
 * @name: of the function
 * @fn: the body
 * @options: the arguments after the bound; NULL after the last
 * @bound: at most so many preemptions
 * @next: in the order of the file
 */
struct chess_test {
	const char *name;
	void (*fn)(void);
	const char *const *options;
	unsigned int bound;
	struct chess_test *next;
};

/* One list in a program, however many of its files include this. */
__attribute__((__weak__)) struct chess_test *chess_test_first;
__attribute__((__weak__)) struct chess_test *chess_test_last;

static inline void chess_test_register(struct chess_test *t)
{
	if (chess_test_last)
		chess_test_last->next = t;
	else
		chess_test_first = t;
	chess_test_last = t;
}

#define CHESS_EXPECT_DEADLOCK	"=deadlock"
#define CHESS_EXPECT_LIVELOCK	"=livelock"
#define CHESS_EXPECT_ASSERT	"=assert"
#define CHESS_EXPECT_CRASH	"=crash"
#define CHESS_EXPECT_EXIT	"=exit"
#define CHESS_EXPECT_MEMORY	"=memory"
/* "--name=value" or "--name" of chessctl explore */
#define CHESS_OPTION(text)	text

#define CHESS_TEST(test, most, ...)							\
	static void chess_test_##test(void);						\
	static const char *const chess_test_##test##_options[] = {			\
		"", ##__VA_ARGS__, NULL							\
	};										\
	static struct chess_test chess_test_##test##_entry = {				\
		#test, chess_test_##test, chess_test_##test##_options + 1, most, NULL	\
	};										\
	static void __attribute__((__constructor__)) chess_test_##test##_register(void)	\
	{										\
		chess_test_register(&chess_test_##test##_entry);			\
	}										\
	static void chess_test_##test(void)

/* The text stands on stderr, and the run ends there with the verdict assert. */
#define CHESS_ASSERT(condition) do {							\
	if (!(condition)) {								\
		fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__,	\
			#condition);							\
		abort();								\
	}										\
} while (0)

typedef void (*chess_thread_fn)(void);

static inline void *chess_thread_start(void *arg)
{
	(*(chess_thread_fn *)arg)();
	return NULL;
}

static inline void chess_threads_run(chess_thread_fn *fns, size_t n)
{
	pthread_t threads[64];
	size_t i;
	int ret;

	if (n > sizeof(threads) / sizeof(threads[0])) {
		fprintf(stderr, "CHESS_THREADS() takes 64 functions, not %zu\n", n);
		abort();
	}
	for (i = 0; i < n; i++) {
		ret = pthread_create(&threads[i], NULL, chess_thread_start, &fns[i]);
		if (ret) {
			fprintf(stderr, "thread %zu cannot be started: %s\n", i, strerror(ret));
			abort();
		}
	}
	for (i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

/* Functions of type void (*)(void), each in a thread of its own; returns when all have ended. */
#define CHESS_THREADS(...) do {								\
	chess_thread_fn chess_fns_[] = { __VA_ARGS__ };					\
	chess_threads_run(chess_fns_, sizeof(chess_fns_) / sizeof(chess_fns_[0]));	\
} while (0)

static inline const char *chess_test_expected(const struct chess_test *t)
{
	const char *const *o;

	for (o = t->options; *o; o++)
		if (**o == '=')
			return *o + 1;
	return NULL;
}

static inline int chess_test_list(void)
{
	const char *const *o, *expected;
	struct chess_test *t;

	puts(CHESS_TEST_MARK);
	for (t = chess_test_first; t; t = t->next) {
		expected = chess_test_expected(t);
		printf("%s\t%u\t%s", t->name, t->bound, expected ? expected : "-");
		for (o = t->options; *o; o++)
			if (**o != '=')
				printf("\t%s", *o);
		putchar('\n');
	}
	return 0;
}

/* As chessctl has it: this process is the test. */
static inline int chess_test_run(const char *name)
{
	struct chess_test *t;

	for (t = chess_test_first; t; t = t->next)
		if (!strcmp(t->name, name)) {
			t->fn();
			return 0;
		}
	fprintf(stderr, "there is no test '%s'\n", name);
	return 2;
}

/* The parent that waits has the time limit, so that control recognises it as a watchdog. */
static inline int chess_test_fork(const struct chess_test *t)
{
	struct pollfd end;
	int status = -1;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		t->fn();
		fflush(NULL);
		_exit(0);
	}
	if (pid < 0)
		return status;
	end.fd = (int)syscall(SYS_pidfd_open, pid, 0);
	end.events = POLLIN;
	if (end.fd >= 0) {
		if (!poll(&end, 1, CHESS_TEST_LIMIT * 1000)) {
			printf("# it takes longer than %d s\n", CHESS_TEST_LIMIT);
			kill(pid, SIGKILL);
		}
		close(end.fd);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* Without chessctl: one run of each, as the clock has it. */
static inline int chess_test_all(void)
{
	unsigned int number = 0, failed = 0;
	const char *expected;
	struct chess_test *t;
	int status;

	for (t = chess_test_first; t; t = t->next)
		number++;
	printf("KTAP version 1\n1..%u\n", number);
	number = 0;
	for (t = chess_test_first; t; t = t->next) {
		expected = chess_test_expected(t);
		number++;
		if (expected) {
			printf("ok %u %s # SKIP %s is expected, which chessctl test looks for\n",
			       number, t->name, expected);
			continue;
		}
		status = chess_test_fork(t);
		if (status == -1)
			printf("# it could not be started\n");
		else if (WIFSIGNALED(status))
			printf("# killed by signal %d\n", WTERMSIG(status));
		else if (status)
			printf("# exit status %d\n", WEXITSTATUS(status));
		printf("%s %u %s\n", status ? "not ok" : "ok", number, t->name);
		failed += !!status;
	}
	return !!failed;
}

static inline int chess_test_main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--chess-list"))
		return chess_test_list();
	if (argc == 2 && !strncmp(argv[1], "--chess-run=", 12))
		return chess_test_run(argv[1] + 12);
	if (argc > 1) {
		fprintf(stderr, "usage: %s [--chess-list | --chess-run=TEST]\n", argv[0]);
		return 2;
	}
	return chess_test_all();
}

#define CHESS_TEST_MAIN									\
	int main(int argc, char **argv)							\
	{										\
		return chess_test_main(argc, argv);					\
	}

#endif /* CHESSCTL_TEST_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cases that every wait has, see conf.h. The waiter is always the main thread;
 * the waker is a thread or a process made for the case, which
 *
 *	takes what the call waits for (own), tells the waiter, waits until the waiter
 *	is seen in the call, then wakes it or sends it a signal
 *
 * and in the cases in which nobody wakes holds what it took until the call is over.
 */
#include "conf.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum conf_role {
	ROLE_WAKE,	/* wake the waiter */
	ROLE_SIGNAL,	/* send it a signal, wake it if that did not end the call */
	ROLE_HOLD,	/* do nothing until the call is over */
};

struct conf_shared *conf_shared;
void *conf_bad;
pid_t conf_pid, conf_tid;

static const struct conf_call *call;
static enum conf_role role;
static int owned[2], over[2];
static pthread_t helper;
static char **asked;
static int n_asked;

void conf_die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("%s cannot be tested: ", call ? call->name : "?");
	vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
	fflush(stdout);
	_exit(2);
}

const char *conf_name(void)
{
	return call->name;
}

bool conf_wanted(const char *name)
{
	int i;

	for (i = 0; i < n_asked; i++)
		if (!strcmp(asked[i], name))
			return true;
	return !n_asked;
}

void conf_line(const char *name, long ret, const char *fmt, ...)
{
	int error = errno;
	va_list ap;

	printf("%s %s: %ld", call->name, name, ret < 0 ? -1 : ret);
	if (ret < 0)
		printf(" %s", strerrorname_np(error) ? strerrorname_np(error) : "errno?");
	if (strcmp(fmt, " ")) {
		printf(" ");
		va_start(ap, fmt);
		vprintf(fmt, ap);
		va_end(ap);
	}
	printf("\n");
	fflush(stdout);
}

/* --- time --------------------------------------------------------------- */

struct timespec conf_ts(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
}

int64_t conf_ns(const struct timespec *ts)
{
	return ts->tv_sec * 1000000000LL + ts->tv_nsec;
}

int64_t conf_now(clockid_t clock)
{
	struct timespec ts;

	conf_must(clock_gettime(clock, &ts));
	return conf_ns(&ts);
}

struct timespec conf_deadline(const struct conf_wait *w)
{
	return conf_ts(conf_now(w->clock) + w->ns);
}

/*
 * A socket's time-out counts jiffies, the first of which is under way already, and on
 * a host that is busy an emulated CPU may get several ticks at once. So the kernel,
 * without any control, may end it that much early; half is far from not waiting.
 */
const char *conf_elapsed(clockid_t clock, int64_t start, int64_t ns)
{
	return conf_now(clock) - start >= ns / 2 ? "waited" : "early";
}

const char *conf_rem(int64_t ns, int64_t now)
{
	if (!now)
		return "zero";
	return now > 0 && now <= ns ? "some" : "more";
}

const char *conf_kept(int64_t ns, int64_t now)
{
	return now == ns ? "kept" : "changed";
}

/* --- signals ------------------------------------------------------------ */

static void count(int sig)
{
	(void)sig;
	conf_shared->handled++;
}

void conf_catch(int sig, int flags)
{
	struct sigaction sa = { .sa_handler = count, .sa_flags = flags };

	conf_must(sigaction(sig, &sa, NULL));
}

void conf_default(int sig)
{
	struct sigaction sa = { .sa_handler = SIG_DFL };

	conf_must(sigaction(sig, &sa, NULL));
}

/* --- the waker ---------------------------------------------------------- */

static void nap(void)
{
	struct timespec ts = { .tv_nsec = MS };

	nanosleep(&ts, NULL);
}

/* The call conf_tid sleeps in, or -1. */
static long seen_in(void)
{
	char path[64], text[64] = "";
	long nr;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", conf_pid, conf_tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = 0;
	close(fd);
	return sscanf(text, "%ld", &nr) == 1 ? nr : -1;
}

/* A sleep may be carried out as another call, and be restarted as a third. */
static void await_blocked(long nr)
{
	long now;

	while (!conf_shared->done) {
		if (conf_shared->going) {
			now = seen_in();
			if (now == nr || now == SYS_pause || now == SYS_restart_syscall)
				return;
		}
		nap();
	}
}

static void waker(void)
{
	char byte = 0;

	if (call->own)
		call->own();
	conf_must(write(owned[1], &byte, 1));
	if (role == ROLE_HOLD) {
		conf_must(read(over[0], &byte, 1));
	} else {
		await_blocked(call->nr);
		if (role == ROLE_SIGNAL) {
			conf_must(syscall(SYS_tgkill, conf_pid, conf_tid, SIGUSR1));
			while (!conf_shared->handled && !conf_shared->done)
				nap();
			await_blocked(call->nr);
		}
	}
	if (call->wake && (!conf_shared->done || call->own))
		call->wake();
}

static void *waker_thread(void *unused)
{
	(void)unused;
	waker();
	return NULL;
}

static void (*helper_fn)(void);
static long helper_nr;

static void *helper_thread(void *unused)
{
	(void)unused;
	await_blocked(helper_nr);
	helper_fn();
	return NULL;
}

void conf_when_blocked(long nr, void (*fn)(void))
{
	helper_nr = nr;
	helper_fn = fn;
	conf_shared->done = 0;
	conf_shared->going = 1;
	if (pthread_create(&helper, NULL, helper_thread, NULL))
		conf_die("pthread_create");
}

void conf_join(void)
{
	conf_shared->done = 1;
	pthread_join(helper, NULL);
	conf_shared->going = 0;
}

/* --- the cases ---------------------------------------------------------- */

static void print_case(const char *name, const struct conf_wait *w, long ret, const char *elapsed)
{
	char text[300];
	int error = errno;

	snprintf(text, sizeof(text), "elapsed=%s handled=%d%s%s%s%s", elapsed, conf_shared->handled,
		 w->rem ? " rem=" : "", w->rem ? w->rem : "", w->extra[0] ? " " : "", w->extra);
	errno = error;
	conf_line(name, ret, "%s", text);
}

/*
 * Make one call with a waker beside it. @with: 't' thread, 'p' process, 0 nobody
 * unless something has to be held.
 */
static void one_case(const char *name, char with, enum conf_role what, int64_t ns)
{
	struct conf_wait w = { .ns = ns, .clock = call->clock };
	pthread_t thread;
	pid_t child = 0;
	const char *elapsed;
	int64_t start;
	int error;
	char byte = 0;
	long ret;

	if (!conf_wanted(name))
		return;
	conf_shared->going = 0;
	conf_shared->done = 0;
	conf_shared->handled = 0;
	role = what;
	if (call->setup)
		call->setup();
	if (!with && call->own)
		with = 't';
	if (with) {
		conf_must(pipe(owned));
		conf_must(pipe(over));
	}
	if (with == 't' && pthread_create(&thread, NULL, waker_thread, NULL))
		conf_die("pthread_create");
	if (with == 'p') {
		child = conf_must(fork());
		if (!child) {
			waker();
			_exit(0);
		}
	}
	if (with)
		conf_must(read(owned[0], &byte, 1));
	start = conf_now(w.clock);
	conf_shared->going = 1;
	errno = 0;
	ret = call->wait(&w);
	error = errno;
	conf_shared->done = 1;
	elapsed = conf_elapsed(w.clock, start, ns);
	if (with)
		conf_must(write(over[1], &byte, 1));
	if (with == 't')
		pthread_join(thread, NULL);
	if (with == 'p')
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
	if (with) {
		close(owned[0]);
		close(owned[1]);
		close(over[0]);
		close(over[1]);
	}
	errno = error;
	print_case(name, &w, ret, elapsed);
	if (call->teardown)
		call->teardown();
}

static void ready_case(void)
{
	struct conf_wait w = { .ns = CONF_FAR, .clock = call->clock };
	int64_t start;
	long ret;

	if (!conf_wanted("ready"))
		return;
	conf_shared->handled = 0;
	if (call->setup)
		call->setup();
	call->wake();
	start = conf_now(w.clock);
	errno = 0;
	ret = call->wait(&w);
	print_case("ready", &w, ret, conf_elapsed(w.clock, start, w.ns));
	if (call->teardown)
		call->teardown();
}

static void all_cases(void)
{
	const char *why = call->skip ? call->skip() : NULL;

	if (why) {
		printf("%s skipped: %s\n", call->name, why);
		return;
	}
	if (call->wait) {
		if (!(call->flags & CONF_NO_WAKE)) {
			if (!(call->flags & CONF_NO_READY) && !call->own)
				ready_case();
			one_case("woken-by-thread", 't', ROLE_WAKE, CONF_FAR);
			if (!(call->flags & CONF_NO_PROCESS))
				one_case("woken-by-process", 'p', ROLE_WAKE, CONF_FAR);
		}
		if (!(call->flags & CONF_NO_TIME)) {
			one_case("timed-out", 0, ROLE_HOLD, CONF_SHORT);
			if (!(call->flags & CONF_NO_ZERO))
				one_case("zero", 0, ROLE_HOLD, 0);
			if (call->flags & CONF_ABS)
				one_case("expired", 0, ROLE_HOLD, -CONF_SHORT);
		}
		conf_catch(SIGUSR1, 0);
		one_case("interrupted", 't', ROLE_SIGNAL, CONF_FAR);
		conf_catch(SIGUSR1, SA_RESTART);
		one_case("interrupted-restart", 't', ROLE_SIGNAL, CONF_FAR);
		conf_default(SIGUSR1);
	}
	if (call->more)
		call->more();
}

int conf_main(int argc, char **argv, const struct conf_call *calls, size_t n)
{
	size_t i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	conf_shared = mmap(NULL, sizeof(*conf_shared), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	conf_bad = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (conf_shared == MAP_FAILED || conf_bad == MAP_FAILED)
		conf_die("mmap: %s", strerror(errno));
	conf_pid = getpid();
	conf_tid = gettid();
	asked = argv + 2;
	n_asked = argc > 2 ? argc - 2 : 0;
	for (i = 0; i < n; i++) {
		if (argc < 2 || strcmp(argv[1], calls[i].name))
			continue;
		call = &calls[i];
		all_cases();
		return 0;
	}
	fprintf(stderr, "usage: %s CALL [CASE...]\ncalls:", argv[0]);
	for (i = 0; i < n; i++)
		fprintf(stderr, " %s", calls[i].name);
	fprintf(stderr, "\n");
	return 2;
}

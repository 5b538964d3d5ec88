// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that poll, select and epoll in all their forms give under control what
 * they give without: the count, the events or sets, the remaining time the raw
 * calls write, and the signal mask that holds during the wait only. What is waited
 * for is an eventfd, the second of two files. Run by conformance.sh.
 */
#include "conf.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/select.h>

#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif
#define KERNEL_SIGSET	8

static int quiet = -1, event = -1, epfd = -1;
static sigset_t empty;

static void open_files(void)
{
	quiet = conf_must(eventfd(0, 0));
	event = conf_must(eventfd(0, 0));
}

static void close_files(void)
{
	close(quiet);
	close(event);
}

static void open_epoll(void)
{
	struct epoll_event e = { .events = EPOLLIN, .data.u32 = 11 };

	open_files();
	epfd = conf_must(epoll_create1(0));
	conf_must(epoll_ctl(epfd, EPOLL_CTL_ADD, quiet, &e));
	e.data.u32 = 22;
	conf_must(epoll_ctl(epfd, EPOLL_CTL_ADD, event, &e));
}

static void close_epoll(void)
{
	close_files();
	close(epfd);
}

static void make_event(void)
{
	uint64_t one = 1;

	conf_must(write(event, &one, sizeof(one)));
}

static int millis(const struct conf_wait *w)
{
	return w->ns / MS;
}

/* --- poll --------------------------------------------------------------- */

static void say_revents(struct conf_wait *w, const struct pollfd *p)
{
	snprintf(w->extra, sizeof(w->extra), "revents=%#x,%#x", p[0].revents, p[1].revents);
}

static long wait_poll(struct conf_wait *w)
{
	struct pollfd p[2] = { { quiet, POLLIN, 0x55 }, { event, POLLIN, 0x55 } };
	long ret = syscall(SYS_poll, p, 2, millis(w));

	say_revents(w, p);
	return ret;
}

static long wait_ppoll(struct conf_wait *w)
{
	struct pollfd p[2] = { { quiet, POLLIN, 0x55 }, { event, POLLIN, 0x55 } };
	struct timespec ts = conf_ts(w->ns);
	long ret = syscall(SYS_ppoll, p, 2, &ts, NULL, KERNEL_SIGSET);

	w->rem = conf_rem(w->ns, conf_ns(&ts));
	say_revents(w, p);
	return ret;
}

static struct timespec bad_ns = { .tv_nsec = 1000000000 }, bad_sec = { .tv_sec = -1 },
	second = { .tv_sec = 1 };

static void poll_more(void)
{
	struct pollfd closed = { 999, POLLIN, 0 };
	struct rlimit limit = { 64, 64 };

	conf_try("closed-fd", syscall(SYS_poll, &closed, 1, 1000));
	conf_try("no-files", syscall(SYS_poll, NULL, 0, (int)(CONF_SHORT / MS)));
	conf_try("efault", syscall(SYS_poll, conf_bad, 1, 1000));
	conf_must(setrlimit(RLIMIT_NOFILE, &limit));
	conf_try("einval-count", syscall(SYS_poll, &closed, 100, 1000));
}

/*
 * A signal that is blocked but for the wait, sent before it: the call must end at
 * once and the handler must have run. @call is made with the empty mask.
 */
static void masked_case(long (*fn)(void))
{
	sigset_t usr1, old;
	long ret;
	int error;

	if (!conf_wanted("mask"))
		return;
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	conf_must(sigprocmask(SIG_BLOCK, &usr1, &old));
	conf_catch(SIGUSR1, 0);
	conf_shared->handled = 0;
	conf_must(syscall(SYS_tgkill, conf_pid, conf_tid, SIGUSR1));
	errno = 0;
	ret = fn();
	error = errno;
	conf_must(sigprocmask(SIG_SETMASK, NULL, &usr1));
	errno = error;
	conf_line("mask", ret, "handled=%d blocked-again=%d", conf_shared->handled,
		  sigismember(&usr1, SIGUSR1));
	conf_must(sigprocmask(SIG_SETMASK, &old, NULL));
	conf_default(SIGUSR1);
}

static long masked_ppoll(void)
{
	return syscall(SYS_ppoll, NULL, 0, &second, &empty, KERNEL_SIGSET);
}

static void ppoll_more(void)
{
	struct pollfd p = { 0, 0, 0 };

	masked_case(masked_ppoll);
	conf_try("einval-ns", syscall(SYS_ppoll, &p, 1, &bad_ns, NULL, KERNEL_SIGSET));
	conf_try("einval-sec", syscall(SYS_ppoll, &p, 1, &bad_sec, NULL, KERNEL_SIGSET));
	conf_try("einval-mask-size", syscall(SYS_ppoll, &p, 1, &second, &empty, 3UL));
	conf_try("efault-files", syscall(SYS_ppoll, conf_bad, 1, &second, NULL, KERNEL_SIGSET));
	conf_try("efault-timeout", syscall(SYS_ppoll, &p, 1, conf_bad, NULL, KERNEL_SIGSET));
	conf_try("efault-mask", syscall(SYS_ppoll, &p, 1, &second, conf_bad, KERNEL_SIGSET));
}

/* --- select ------------------------------------------------------------- */

static void say_sets(struct conf_wait *w, const fd_set *in, const fd_set *out)
{
	snprintf(w->extra, sizeof(w->extra), "read=%d,%d write=%d,%d", FD_ISSET(quiet, in) != 0,
		 FD_ISSET(event, in) != 0, FD_ISSET(quiet, out) != 0, FD_ISSET(event, out) != 0);
}

static void fill_sets(fd_set *in, fd_set *out)
{
	FD_ZERO(in);
	FD_ZERO(out);
	FD_SET(quiet, in);
	FD_SET(event, in);
}

static long wait_select(struct conf_wait *w)
{
	struct timeval tv = { w->ns / 1000000000, w->ns % 1000000000 / 1000 };
	fd_set in, out;
	long ret;

	fill_sets(&in, &out);
	ret = syscall(SYS_select, event + 1, &in, &out, NULL, &tv);
	w->rem = conf_rem(w->ns, tv.tv_sec * 1000000000LL + tv.tv_usec * 1000);
	say_sets(w, &in, &out);
	return ret;
}

static long wait_pselect(struct conf_wait *w)
{
	struct timespec ts = conf_ts(w->ns);
	fd_set in, out;
	long ret;

	fill_sets(&in, &out);
	ret = syscall(SYS_pselect6, event + 1, &in, &out, NULL, &ts, NULL);
	w->rem = conf_rem(w->ns, conf_ns(&ts));
	say_sets(w, &in, &out);
	return ret;
}

static void select_more(void)
{
	struct timeval tv = { 1, 0 }, negative = { -1, 0 }, brief = { 0, CONF_SHORT / 1000 };
	fd_set in;

	FD_ZERO(&in);
	FD_SET(999, &in);
	conf_try("no-files", syscall(SYS_select, 0, NULL, NULL, NULL, &brief));
	conf_try("einval-count", syscall(SYS_select, -1, NULL, NULL, NULL, &tv));
	conf_try("einval-timeout", syscall(SYS_select, 0, NULL, NULL, NULL, &negative));
	conf_try("efault-set", syscall(SYS_select, 8, conf_bad, NULL, NULL, &tv));
	conf_try("efault-timeout", syscall(SYS_select, 0, NULL, NULL, NULL, conf_bad));
	FD_ZERO(&in);
	FD_SET(50, &in);
	conf_try("ebadf", syscall(SYS_select, 51, &in, NULL, NULL, &tv));
}

static long masked_pselect(void)
{
	struct { const sigset_t *set; size_t size; } mask = { &empty, KERNEL_SIGSET };

	return syscall(SYS_pselect6, 0, NULL, NULL, NULL, &second, &mask);
}

static void pselect_more(void)
{
	masked_case(masked_pselect);
	conf_try("einval-ns", syscall(SYS_pselect6, 0, NULL, NULL, NULL, &bad_ns, NULL));
	conf_try("einval-count", syscall(SYS_pselect6, -1, NULL, NULL, NULL, &second, NULL));
	conf_try("efault-timeout", syscall(SYS_pselect6, 0, NULL, NULL, NULL, conf_bad, NULL));
	conf_try("efault-mask", syscall(SYS_pselect6, 0, NULL, NULL, NULL, &second, conf_bad));
}

/* --- epoll -------------------------------------------------------------- */

static void say_event(struct conf_wait *w, const struct epoll_event *e)
{
	snprintf(w->extra, sizeof(w->extra), "events=%#x data=%u", e->events, e->data.u32);
}

static long wait_epoll(struct conf_wait *w)
{
	struct epoll_event e[4] = { { .events = 0x55 } };
	long ret = syscall(SYS_epoll_wait, epfd, e, 4, millis(w));

	say_event(w, e);
	return ret;
}

static long wait_epoll_pwait(struct conf_wait *w)
{
	struct epoll_event e[4] = { { .events = 0x55 } };
	long ret = syscall(SYS_epoll_pwait, epfd, e, 4, millis(w), NULL, KERNEL_SIGSET);

	say_event(w, e);
	return ret;
}

static long wait_epoll_pwait2(struct conf_wait *w)
{
	struct epoll_event e[4] = { { .events = 0x55 } };
	struct timespec ts = conf_ts(w->ns);
	long ret = syscall(SYS_epoll_pwait2, epfd, e, 4, &ts, NULL, KERNEL_SIGSET);

	w->rem = conf_kept(w->ns, conf_ns(&ts));
	say_event(w, e);
	return ret;
}

static void epoll_more(void)
{
	struct epoll_event e;

	open_epoll();
	conf_try("einval-count", syscall(SYS_epoll_wait, epfd, &e, 0, 1000));
	conf_try("einval-file", syscall(SYS_epoll_wait, quiet, &e, 1, 1000));
	conf_try("ebadf", syscall(SYS_epoll_wait, 999, &e, 1, 1000));
	make_event();
	conf_try("efault", syscall(SYS_epoll_wait, epfd, conf_bad, 1, 1000));
	close_epoll();
}

static long masked_epoll_pwait(void)
{
	struct epoll_event e;

	return syscall(SYS_epoll_pwait, epfd, &e, 1, 1000, &empty, KERNEL_SIGSET);
}

static void epoll_pwait_more(void)
{
	struct epoll_event e;

	open_epoll();
	masked_case(masked_epoll_pwait);
	conf_try("einval-count", syscall(SYS_epoll_pwait, epfd, &e, -1, 1000, NULL, KERNEL_SIGSET));
	conf_try("einval-mask-size", syscall(SYS_epoll_pwait, epfd, &e, 1, 1000, &empty, 3UL));
	conf_try("efault-mask", syscall(SYS_epoll_pwait, epfd, &e, 1, 1000, conf_bad,
					KERNEL_SIGSET));
	close_epoll();
}

static long masked_epoll_pwait2(void)
{
	struct epoll_event e;

	return syscall(SYS_epoll_pwait2, epfd, &e, 1, &second, &empty, KERNEL_SIGSET);
}

static void epoll_pwait2_more(void)
{
	struct epoll_event e;

	open_epoll();
	masked_case(masked_epoll_pwait2);
	conf_try("einval-ns", syscall(SYS_epoll_pwait2, epfd, &e, 1, &bad_ns, NULL, KERNEL_SIGSET));
	conf_try("einval-count", syscall(SYS_epoll_pwait2, epfd, &e, 0, &second, NULL,
					 KERNEL_SIGSET));
	conf_try("efault-timeout", syscall(SYS_epoll_pwait2, epfd, &e, 1, conf_bad, NULL,
					   KERNEL_SIGSET));
	close_epoll();
}

#define FILES	.clock = CLOCK_MONOTONIC, .setup = open_files, .teardown = close_files, \
	.wake = make_event
#define EPOLL	.clock = CLOCK_MONOTONIC, .setup = open_epoll, .teardown = close_epoll, \
	.wake = make_event

static const struct conf_call calls[] = {
	{ .name = "poll", .nr = SYS_poll, FILES, .wait = wait_poll, .more = poll_more },
	{ .name = "ppoll", .nr = SYS_ppoll, FILES, .wait = wait_ppoll, .more = ppoll_more },
	{ .name = "select", .nr = SYS_select, FILES, .wait = wait_select, .more = select_more },
	{ .name = "pselect6", .nr = SYS_pselect6, FILES, .wait = wait_pselect,
	  .more = pselect_more },
	{ .name = "epoll_wait", .nr = SYS_epoll_wait, EPOLL, .wait = wait_epoll,
	  .more = epoll_more },
	{ .name = "epoll_pwait", .nr = SYS_epoll_pwait, EPOLL, .wait = wait_epoll_pwait,
	  .more = epoll_pwait_more },
	{ .name = "epoll_pwait2", .nr = SYS_epoll_pwait2, EPOLL, .wait = wait_epoll_pwait2,
	  .more = epoll_pwait2_more },
};

int main(int argc, char **argv)
{
	sigemptyset(&empty);
	return conf_main(argc, argv, calls, ARRAY_SIZE(calls));
}

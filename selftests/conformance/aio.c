// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that waiting for completions gives under control what it gives without:
 * io_getevents and io_pgetevents of AIO, io_uring_enter with a timeout. The request
 * in flight is a poll of an eventfd the waker writes to. Raw calls, no library.
 * Run by conformance.sh.
 */
#include "conf.h"

#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

#define KERNEL_SIGSET	8

static int event = -1;
static aio_context_t ctx;
static struct iocb iocb;
static sigset_t empty;

static void make_event(void)
{
	uint64_t one = 1;

	conf_must(write(event, &one, sizeof(one)));
}

/* --- AIO ---------------------------------------------------------------- */

static void open_aio(void)
{
	struct iocb *list = &iocb;

	event = conf_must(eventfd(0, EFD_NONBLOCK));
	ctx = 0;
	conf_must(syscall(SYS_io_setup, 8, &ctx));
	iocb = (struct iocb){ .aio_data = 77, .aio_lio_opcode = IOCB_CMD_POLL, .aio_fildes = event,
			      .aio_buf = POLLIN };
	conf_must(syscall(SYS_io_submit, ctx, 1L, &list));
}

static void close_aio(void)
{
	conf_must(syscall(SYS_io_destroy, ctx));
	close(event);
}

static void say_aio(struct conf_wait *w, const struct io_event *e, long ret)
{
	if (ret > 0)
		snprintf(w->extra, sizeof(w->extra), "data=%llu res=%#llx",
			 (unsigned long long)e->data, (unsigned long long)e->res);
}

static long wait_getevents(struct conf_wait *w)
{
	struct timespec ts = conf_ts(w->ns);
	struct io_event e[2];
	long ret = syscall(SYS_io_getevents, ctx, 1L, 2L, e, &ts);

	w->rem = conf_kept(w->ns, conf_ns(&ts));
	say_aio(w, e, ret);
	return ret;
}

static long wait_pgetevents(struct conf_wait *w)
{
	struct timespec ts = conf_ts(w->ns);
	struct io_event e[2];
	long ret = syscall(SYS_io_pgetevents, ctx, 1L, 2L, e, &ts, NULL);

	w->rem = conf_kept(w->ns, conf_ns(&ts));
	say_aio(w, e, ret);
	return ret;
}

static struct timespec second = { .tv_sec = 1 }, brief = { .tv_nsec = CONF_SHORT };

static void getevents_more(void)
{
	struct io_event e;

	open_aio();
	conf_try("einval-context", syscall(SYS_io_getevents, 12345L, 1L, 1L, &e, &second));
	conf_try("einval-count", syscall(SYS_io_getevents, ctx, 2L, 1L, &e, &second));
	conf_try("efault-timeout", syscall(SYS_io_getevents, ctx, 1L, 1L, &e, conf_bad));
	/* Two are asked for, one comes: what there is at the deadline. */
	if (conf_wanted("partly")) {
		struct io_event two[2];
		int64_t start = conf_now(CLOCK_MONOTONIC);
		long ret;

		make_event();
		ret = syscall(SYS_io_getevents, ctx, 2L, 2L, two, &brief);
		conf_line("partly", ret, "elapsed=%s",
			  conf_elapsed(CLOCK_MONOTONIC, start, CONF_SHORT));
	}
	close_aio();
}

static void pgetevents_more(void)
{
	struct { const sigset_t *set; size_t size; } mask = { &empty, KERNEL_SIGSET };
	struct { const sigset_t *set; size_t size; } wrong = { &empty, 3 };
	struct io_event e;
	sigset_t usr1, old;
	long ret;

	open_aio();
	if (conf_wanted("mask")) {
		sigemptyset(&usr1);
		sigaddset(&usr1, SIGUSR1);
		conf_must(sigprocmask(SIG_BLOCK, &usr1, &old));
		conf_catch(SIGUSR1, 0);
		conf_shared->handled = 0;
		conf_must(syscall(SYS_tgkill, conf_pid, conf_tid, SIGUSR1));
		ret = syscall(SYS_io_pgetevents, ctx, 1L, 1L, &e, &second, &mask);
		conf_line("mask", ret, "handled=%d", conf_shared->handled);
		conf_must(sigprocmask(SIG_SETMASK, &old, NULL));
		conf_default(SIGUSR1);
	}
	conf_try("einval-context", syscall(SYS_io_pgetevents, 12345L, 1L, 1L, &e, &second, NULL));
	conf_try("einval-mask-size", syscall(SYS_io_pgetevents, ctx, 1L, 1L, &e, &second, &wrong));
	conf_try("efault-timeout", syscall(SYS_io_pgetevents, ctx, 1L, 1L, &e, conf_bad, NULL));
	conf_try("efault-mask", syscall(SYS_io_pgetevents, ctx, 1L, 1L, &e, &second, conf_bad));
	close_aio();
}

/* --- io_uring ----------------------------------------------------------- */

static struct {
	int fd;
	struct io_uring_params p;
	char *sq, *cq;
	struct io_uring_sqe *sqes;
} ring;

static uint32_t *at(char *base, uint32_t offset)
{
	return (uint32_t *)(base + offset);
}

static void submit(const struct io_uring_sqe *sqe)
{
	uint32_t tail = *at(ring.sq, ring.p.sq_off.tail);
	uint32_t slot = tail & *at(ring.sq, ring.p.sq_off.ring_mask);

	ring.sqes[slot] = *sqe;
	at(ring.sq, ring.p.sq_off.array)[slot] = slot;
	__atomic_store_n(at(ring.sq, ring.p.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
	conf_must(syscall(SYS_io_uring_enter, ring.fd, 1, 0, 0, NULL, 0));
}

/* Completions there are; the data and result of the first one are taken. */
static unsigned int take(uint64_t *data, int *res)
{
	uint32_t head = *at(ring.cq, ring.p.cq_off.head);
	uint32_t tail = __atomic_load_n(at(ring.cq, ring.p.cq_off.tail), __ATOMIC_ACQUIRE);
	struct io_uring_cqe *cqes = (struct io_uring_cqe *)(ring.cq + ring.p.cq_off.cqes);

	if (head == tail)
		return 0;
	*data = cqes[head & *at(ring.cq, ring.p.cq_off.ring_mask)].user_data;
	*res = cqes[head & *at(ring.cq, ring.p.cq_off.ring_mask)].res;
	__atomic_store_n(at(ring.cq, ring.p.cq_off.head), head + 1, __ATOMIC_RELEASE);
	return tail - head;
}

static void *map_ring(size_t size, off_t what)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, what);

	if (p == MAP_FAILED)
		conf_die("mmap of the ring: %s", strerror(errno));
	return p;
}

static void open_empty_ring(void)
{
	memset(&ring, 0, sizeof(ring));
	ring.fd = conf_must(syscall(SYS_io_uring_setup, 4, &ring.p));
	ring.sq = map_ring(ring.p.sq_off.array + ring.p.sq_entries * 4, IORING_OFF_SQ_RING);
	ring.cq = map_ring(ring.p.cq_off.cqes + ring.p.cq_entries * sizeof(struct io_uring_cqe),
			   IORING_OFF_CQ_RING);
	ring.sqes = map_ring(ring.p.sq_entries * sizeof(struct io_uring_sqe), IORING_OFF_SQES);
}

static void open_ring(void)
{
	struct io_uring_sqe sqe = { .opcode = IORING_OP_POLL_ADD, .user_data = 77 };

	event = conf_must(eventfd(0, EFD_NONBLOCK));
	open_empty_ring();
	sqe.fd = event;
	sqe.poll32_events = POLLIN;
	submit(&sqe);
}

static void close_empty_ring(void)
{
	munmap(ring.sq, ring.p.sq_off.array + ring.p.sq_entries * 4);
	munmap(ring.cq, ring.p.cq_off.cqes + ring.p.cq_entries * sizeof(struct io_uring_cqe));
	munmap(ring.sqes, ring.p.sq_entries * sizeof(struct io_uring_sqe));
	close(ring.fd);
}

static void close_ring(void)
{
	close_empty_ring();
	close(event);
}

static long enter(void *ts)
{
	struct io_uring_getevents_arg arg = { .ts = (uintptr_t)ts };

	return syscall(SYS_io_uring_enter, ring.fd, 0, 1,
		       IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, &arg, sizeof(arg));
}

static long wait_ring(struct conf_wait *w)
{
	struct timespec ts = conf_ts(w->ns);
	uint64_t data = 0;
	int res = 0, error;
	long ret = enter(&ts);
	unsigned int n;

	error = errno;
	w->rem = conf_kept(w->ns, conf_ns(&ts));
	n = take(&data, &res);
	snprintf(w->extra, sizeof(w->extra), "completions=%u data=%llu res=%#x", n,
		 (unsigned long long)data, res);
	errno = error;
	return ret;
}

/* The time-out is a request of its own here, and a completion ends the wait. */
static void timeout_request(void)
{
	struct { int64_t sec, nsec; } ts = { 0, CONF_SHORT };
	struct io_uring_sqe sqe = { .opcode = IORING_OP_TIMEOUT, .fd = -1, .len = 1,
				    .user_data = 88 };
	int64_t start = conf_now(CLOCK_MONOTONIC);
	uint64_t data = 0;
	int res = 0;
	long ret;

	sqe.addr = (uintptr_t)&ts;
	submit(&sqe);
	errno = 0;
	ret = syscall(SYS_io_uring_enter, ring.fd, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0);
	take(&data, &res);
	conf_line("timeout-request", ret, "data=%llu res=%s elapsed=%s", (unsigned long long)data,
		  res == -ETIME ? "ETIME" : "other",
		  conf_elapsed(CLOCK_MONOTONIC, start, CONF_SHORT));
}

static void wait_for(unsigned int completions)
{
	conf_must(syscall(SYS_io_uring_enter, ring.fd, 0, completions, IORING_ENTER_GETEVENTS,
			  NULL, 0));
}

static void say_two(const char *what, const char *elapsed)
{
	uint64_t data[2] = { 0, 0 };
	int res[2] = { 0, 0 };

	take(&data[0], &res[0]);
	take(&data[1], &res[1]);
	conf_line(what, 0, "%llu:%d %llu:%d elapsed=%s", (unsigned long long)data[0], res[0],
		  (unsigned long long)data[1], res[1], elapsed);
}

/* A read that nothing will end but the time-out linked to it. */
static void linked_timeout(void)
{
	struct { int64_t sec, nsec; } ts = { 0, CONF_SHORT };
	struct io_uring_sqe sqe = { .opcode = IORING_OP_READ, .flags = IOSQE_IO_LINK,
				    .len = sizeof(uint64_t), .user_data = 90 };
	struct io_uring_sqe limit = { .opcode = IORING_OP_LINK_TIMEOUT, .fd = -1, .len = 1,
				      .addr = (uintptr_t)&ts, .user_data = 91 };
	uint32_t tail = *at(ring.sq, ring.p.sq_off.tail);
	uint32_t mask = *at(ring.sq, ring.p.sq_off.ring_mask);
	int64_t start = conf_now(CLOCK_MONOTONIC);
	uint64_t value;

	sqe.fd = conf_must(eventfd(0, 0));
	sqe.addr = (uintptr_t)&value;
	ring.sqes[tail & mask] = sqe;
	at(ring.sq, ring.p.sq_off.array)[tail & mask] = tail & mask;
	ring.sqes[(tail + 1) & mask] = limit;
	at(ring.sq, ring.p.sq_off.array)[(tail + 1) & mask] = (tail + 1) & mask;
	__atomic_store_n(at(ring.sq, ring.p.sq_off.tail), tail + 2, __ATOMIC_RELEASE);
	conf_must(syscall(SYS_io_uring_enter, ring.fd, 2, 2, IORING_ENTER_GETEVENTS, NULL, 0));
	say_two("timeout-linked", conf_elapsed(CLOCK_MONOTONIC, start, CONF_SHORT));
	close(sqe.fd);
}

static void removed_timeout(void)
{
	struct { int64_t sec, nsec; } ts = { 1000, 0 };
	struct io_uring_sqe sqe = { .opcode = IORING_OP_TIMEOUT, .fd = -1, .len = 1,
				    .addr = (uintptr_t)&ts, .user_data = 92 };
	struct io_uring_sqe remove = { .opcode = IORING_OP_TIMEOUT_REMOVE, .fd = -1, .addr = 92,
				       .user_data = 93 };
	int64_t start = conf_now(CLOCK_MONOTONIC);

	submit(&sqe);
	submit(&remove);
	wait_for(2);
	say_two("timeout-removed", conf_elapsed(CLOCK_MONOTONIC, start, CONF_SHORT));
}

static void ring_more(void)
{
	struct timespec bad = { .tv_sec = 1 };
	struct io_uring_getevents_arg arg = { .ts = (uintptr_t)&bad };

	open_empty_ring();
	conf_try("einval-arg-size", syscall(SYS_io_uring_enter, ring.fd, 0, 1,
					    IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, &arg,
					    3UL));
	conf_try("efault-timeout", enter(conf_bad));
	conf_try("efault-arg", syscall(SYS_io_uring_enter, ring.fd, 0, 1,
				       IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, conf_bad,
				       sizeof(arg)));
	conf_try("eopnotsupp", syscall(SYS_io_uring_enter, 0, 0, 1, IORING_ENTER_GETEVENTS, NULL,
				       0));
	if (conf_wanted("timeout-request"))
		timeout_request();
	if (conf_wanted("timeout-linked"))
		linked_timeout();
	if (conf_wanted("timeout-removed"))
		removed_timeout();
	close_empty_ring();
}

static const char *no_ring(void)
{
	struct io_uring_params p = { 0 };
	long fd = syscall(SYS_io_uring_setup, 1, &p);

	if (fd < 0)
		return errno == EPERM ? "io_uring is disabled here" : "this kernel has no io_uring";
	close(fd);
	return p.features & IORING_FEAT_EXT_ARG ? NULL : "this io_uring_enter takes no timeout";
}

static const char *no_aio(void)
{
	aio_context_t c = 0;

	if (syscall(SYS_io_setup, 1, &c))
		return "this kernel has no AIO";
	syscall(SYS_io_destroy, c);
	return NULL;
}

/* A forked child has the eventfd, and the event is all that is needed. */
static const struct conf_call calls[] = {
	{ .name = "io_getevents", .nr = SYS_io_getevents, .clock = CLOCK_MONOTONIC,
	  .setup = open_aio, .wake = make_event, .wait = wait_getevents, .teardown = close_aio,
	  .more = getevents_more, .skip = no_aio },
	{ .name = "io_pgetevents", .nr = SYS_io_pgetevents, .clock = CLOCK_MONOTONIC,
	  .setup = open_aio, .wake = make_event, .wait = wait_pgetevents, .teardown = close_aio,
	  .more = pgetevents_more, .skip = no_aio },
	{ .name = "io_uring_enter", .nr = SYS_io_uring_enter, .clock = CLOCK_MONOTONIC,
	  .setup = open_ring, .wake = make_event, .wait = wait_ring, .teardown = close_ring,
	  .more = ring_more, .skip = no_ring },
};

int main(int argc, char **argv)
{
	sigemptyset(&empty);
	return conf_main(argc, argv, calls, ARRAY_SIZE(calls));
}

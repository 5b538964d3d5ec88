// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that calls on sockets with SO_RCVTIMEO or SO_SNDTIMEO, and recvmmsg with
 * its own timeout, give under control what they give without: byte counts, what
 * was received, EAGAIN when the time is over. Unix sockets but for one loopback TCP
 * connection. Run by conformance.sh.
 */
#include "conf.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

static int mine = -1, other = -1, listener = -1, first = -1;

static void pair(int type)
{
	int sv[2];

	conf_must(socketpair(AF_UNIX, type, 0, sv));
	mine = sv[0];
	other = sv[1];
}

static void open_stream(void) { pair(SOCK_STREAM); }
static void open_dgram(void) { pair(SOCK_DGRAM); }

static void open_tcp(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t len = sizeof(a);
	int l = conf_must(socket(AF_INET, SOCK_STREAM, 0));

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	conf_must(bind(l, (struct sockaddr *)&a, sizeof(a)));
	conf_must(listen(l, 1));
	conf_must(getsockname(l, (struct sockaddr *)&a, &len));
	other = conf_must(socket(AF_INET, SOCK_STREAM, 0));
	conf_must(connect(other, (struct sockaddr *)&a, sizeof(a)));
	mine = conf_must(accept(l, NULL, NULL));
	close(l);
}

static void close_pair(void)
{
	close(mine);
	close(other);
}

static void send_text(void)
{
	conf_must(send(other, "hello", 5, 0));
}

static void limit(int fd, int option, int64_t ns)
{
	struct timeval tv = { ns / 1000000000, ns % 1000000000 / 1000 };

	conf_must(setsockopt(fd, SOL_SOCKET, option, &tv, sizeof(tv)));
}

/* --- receiving ---------------------------------------------------------- */

static long wait_recv(struct conf_wait *w)
{
	char text[16] = "none";
	long ret;

	limit(mine, SO_RCVTIMEO, w->ns);
	ret = recv(mine, text, sizeof(text) - 1, 0);
	snprintf(w->extra, sizeof(w->extra), "text=%s", text);
	return ret;
}

static long wait_read(struct conf_wait *w)
{
	char text[16] = "none";
	long ret;

	limit(mine, SO_RCVTIMEO, w->ns);
	ret = read(mine, text, sizeof(text) - 1);
	snprintf(w->extra, sizeof(w->extra), "text=%s", text);
	return ret;
}

static long wait_recvmsg(struct conf_wait *w)
{
	char text[16] = "none";
	struct iovec iov = { text, sizeof(text) - 1 };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1, .msg_flags = 0x55 };
	long ret;

	limit(mine, SO_RCVTIMEO, w->ns);
	ret = recvmsg(mine, &m, 0);
	snprintf(w->extra, sizeof(w->extra), "text=%s flags=%#x", text, m.msg_flags);
	return ret;
}

/* All of ten bytes are asked for, five come: they are what one gets at the deadline. */
static void recv_more(void)
{
	struct timeval wrong = { 0, 1000000 };
	char text[16];
	int64_t start;
	long ret;

	open_stream();
	if (conf_wanted("partly")) {
		limit(mine, SO_RCVTIMEO, CONF_SHORT);
		send_text();
		start = conf_now(CLOCK_MONOTONIC);
		ret = recv(mine, text, 10, MSG_WAITALL);
		conf_line("partly", ret, "elapsed=%s",
			  conf_elapsed(CLOCK_MONOTONIC, start, CONF_SHORT));
	}
	if (conf_wanted("dontwait")) {
		ret = recv(mine, text, 10, MSG_DONTWAIT);
		conf_line("dontwait", ret, " ");
	}
	conf_try("edom", setsockopt(mine, SOL_SOCKET, SO_RCVTIMEO, &wrong, sizeof(wrong)));
	conf_try("einval-size", setsockopt(mine, SOL_SOCKET, SO_RCVTIMEO, &wrong, 3));
	conf_try("efault-option", setsockopt(mine, SOL_SOCKET, SO_RCVTIMEO, conf_bad,
					     sizeof(wrong)));
	send_text();
	conf_try("efault", recv(mine, conf_bad, 5, 0));
	close(other);
	other = -1;
	conf_try("end", recv(mine, text, 10, MSG_PEEK));
	close_pair();
	conf_try("ebadf", recv(999, text, 10, 0));
}

/* --- accept and connect ------------------------------------------------- */

static struct sockaddr_un address;
static socklen_t address_len;

/* The kernel finds a free abstract name. */
static void open_listener(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	listener = conf_must(socket(AF_UNIX, SOCK_STREAM, 0));
	conf_must(bind(listener, (struct sockaddr *)&a, sizeof(a.sun_family)));
	conf_must(listen(listener, 0));
	address_len = sizeof(address);
	conf_must(getsockname(listener, (struct sockaddr *)&address, &address_len));
	first = conf_must(socket(AF_UNIX, SOCK_STREAM, 0));
}

static void connect_first(void)
{
	conf_must(connect(first, (struct sockaddr *)&address, address_len));
}

static void open_full_listener(void)
{
	open_listener();
	connect_first();
}

static void close_listener(void)
{
	close(first);
	close(listener);
}

static long wait_accept(struct conf_wait *w)
{
	int fd;

	limit(listener, SO_RCVTIMEO, w->ns);
	fd = accept(listener, NULL, NULL);
	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

static void accept_first(void)
{
	close(conf_must(accept(listener, NULL, NULL)));
}

static long wait_connect(struct conf_wait *w)
{
	int fd = conf_must(socket(AF_UNIX, SOCK_STREAM, 0)), error;
	long ret;

	limit(fd, SO_SNDTIMEO, w->ns);
	ret = connect(fd, (struct sockaddr *)&address, address_len);
	error = errno;
	close(fd);
	errno = error;
	return ret;
}

static void accept_more(void)
{
	pair(SOCK_STREAM);
	conf_try("einval", accept(mine, NULL, NULL));
	conf_try("ebadf", accept(999, NULL, NULL));
	conf_try("enotsock", accept(0, NULL, NULL));
	close_pair();
	open_full_listener();
	conf_try("efault", accept(listener, conf_bad, conf_bad));
	close_listener();
}

static void connect_more(void)
{
	int fd = conf_must(socket(AF_UNIX, SOCK_STREAM, 0));

	open_listener();
	close_listener();
	conf_try("econnrefused", connect(fd, (struct sockaddr *)&address, address_len));
	conf_try("einval-size", connect(fd, (struct sockaddr *)&address, 1));
	conf_try("efault", connect(fd, conf_bad, address_len));
	close(fd);
}

/* --- sending ------------------------------------------------------------ */

static void open_full(void)
{
	static const char block[1000];

	open_stream();
	while (send(mine, block, sizeof(block), MSG_DONTWAIT) > 0)
		;
}

static void drain(void)
{
	char block[4096];

	while (recv(other, block, sizeof(block), MSG_DONTWAIT) > 0)
		;
}

static long wait_send(struct conf_wait *w)
{
	static const char block[1000];

	limit(mine, SO_SNDTIMEO, w->ns);
	return send(mine, block, sizeof(block), 0);
}

static void send_more(void)
{
	open_stream();
	conf_try("efault", send(mine, conf_bad, 5, 0));
	close(other);
	other = -1;
	conf_try("epipe", send(mine, "x", 1, MSG_NOSIGNAL));
	close_pair();
	conf_try("ebadf", send(999, "x", 1, 0));
}

/* --- recvmmsg ----------------------------------------------------------- */

static char texts[3][16];

static long receive_many(unsigned int n, struct timespec *ts)
{
	struct mmsghdr m[3];
	struct iovec iov[3];
	unsigned int i;

	memset(m, 0, sizeof(m));
	for (i = 0; i < n; i++) {
		strcpy(texts[i], "none");
		iov[i] = (struct iovec){ texts[i], sizeof(texts[i]) - 1 };
		m[i].msg_hdr.msg_iov = &iov[i];
		m[i].msg_hdr.msg_iovlen = 1;
	}
	return syscall(SYS_recvmmsg, mine, m, n, 0, ts);
}

static long wait_recvmmsg(struct conf_wait *w)
{
	struct timespec ts = conf_ts(w->ns);
	long ret = receive_many(1, &ts);

	w->rem = conf_rem(w->ns, conf_ns(&ts));
	snprintf(w->extra, sizeof(w->extra), "text=%s", texts[0]);
	return ret;
}

static void send_late(void)
{
	struct timespec ts = conf_ts(CONF_SHORT + 10 * MS);

	nanosleep(&ts, NULL);
	send_text();
}

/* Its timeout is looked at only after a message has come (recvmmsg(2), BUGS). */
static void recvmmsg_more(void)
{
	struct timespec ts = conf_ts(CONF_SHORT), bad_ns = { .tv_nsec = 1000000000 };
	struct timespec none = { 0 }, second = { .tv_sec = 1 };
	int64_t start;
	long ret;

	open_dgram();
	if (conf_wanted("timed-out")) {
		send_text();
		start = conf_now(CLOCK_MONOTONIC);
		conf_when_blocked(SYS_recvmmsg, send_late);
		ret = receive_many(3, &ts);
		conf_line("timed-out", ret, "rem=%s text=%s,%s,%s elapsed=%s",
			  conf_rem(CONF_SHORT, conf_ns(&ts)), texts[0], texts[1], texts[2],
			  conf_elapsed(CLOCK_MONOTONIC, start, CONF_SHORT));
		conf_join();
	}
	if (conf_wanted("zero")) {
		send_text();
		ret = receive_many(3, &none);
		conf_line("zero", ret, "rem=%s text=%s,%s,%s", conf_rem(1, conf_ns(&none)),
			  texts[0], texts[1], texts[2]);
	}
	if (conf_wanted("rcvtimeo")) {
		limit(mine, SO_RCVTIMEO, CONF_SHORT);
		start = conf_now(CLOCK_MONOTONIC);
		ret = receive_many(2, NULL);
		conf_line("rcvtimeo", ret, "elapsed=%s",
			  conf_elapsed(CLOCK_MONOTONIC, start, CONF_SHORT));
		limit(mine, SO_RCVTIMEO, 0);
	}
	conf_try("einval-ns", receive_many(1, &bad_ns));
	conf_try("efault-timeout", receive_many(1, conf_bad));
	send_text();
	conf_try("efault-messages", syscall(SYS_recvmmsg, mine, conf_bad, 1, 0, &second));
	close_pair();
}

#define TIMEO	.flags = CONF_NO_ZERO, .clock = CLOCK_MONOTONIC

static const struct conf_call calls[] = {
	{ .name = "recv", .nr = SYS_recvfrom, TIMEO, .setup = open_stream, .wake = send_text,
	  .wait = wait_recv, .teardown = close_pair, .more = recv_more },
	{ .name = "recv-tcp", .nr = SYS_recvfrom, TIMEO, .setup = open_tcp, .wake = send_text,
	  .wait = wait_recv, .teardown = close_pair },
	{ .name = "recv-dgram", .nr = SYS_recvfrom, TIMEO, .setup = open_dgram, .wake = send_text,
	  .wait = wait_recv, .teardown = close_pair },
	{ .name = "read", .nr = SYS_read, TIMEO, .setup = open_stream, .wake = send_text,
	  .wait = wait_read, .teardown = close_pair },
	{ .name = "recvmsg", .nr = SYS_recvmsg, TIMEO, .setup = open_stream, .wake = send_text,
	  .wait = wait_recvmsg, .teardown = close_pair },
	{ .name = "accept", .nr = SYS_accept, TIMEO, .setup = open_listener, .wake = connect_first,
	  .wait = wait_accept, .teardown = close_listener, .more = accept_more },
	{ .name = "connect", .nr = SYS_connect, TIMEO, .setup = open_full_listener,
	  .wake = accept_first, .wait = wait_connect, .teardown = close_listener,
	  .more = connect_more },
	{ .name = "send", .nr = SYS_sendto, TIMEO, .setup = open_full, .wake = drain,
	  .wait = wait_send, .teardown = close_pair, .more = send_more },
	{ .name = "recvmmsg", .nr = SYS_recvmmsg, .flags = CONF_NO_TIME, .clock = CLOCK_MONOTONIC,
	  .setup = open_dgram, .wake = send_text, .wait = wait_recvmmsg, .teardown = close_pair,
	  .more = recvmmsg_more },
};

int main(int argc, char **argv)
{
	return conf_main(argc, argv, calls, ARRAY_SIZE(calls));
}

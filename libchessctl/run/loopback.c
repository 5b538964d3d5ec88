// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The loopback device of a network of its own: that of a run (isolate.c) and of the VM
 * (cli/vm/init.c, which is linked without the library).
 *
 * TCP delays acknowledgements by 40 ms and more of real time. Where one is late, as on a busy
 * machine, a timer of the kernel sends it, and with it wakes the peer, which in another run is
 * woken by the task that reads. So the routes say that each segment is acknowledged at once, in
 * the context of its sender. Then no timer of a connection on this machine goes off but those of
 * the program's own options.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "run/loopback.h"

/* A request with room for the attributes of one route. */
struct request {
	struct nlmsghdr head;
	struct rtmsg route;
	char attributes[128];
};

/* The room is enough for what set_quickack() puts in. */
static struct rtattr *put(struct request *r, int type, const void *data, size_t size)
{
	struct rtattr *a = (void *)((char *)r + NLMSG_ALIGN(r->head.nlmsg_len));

	a->rta_type = type;
	a->rta_len = RTA_LENGTH(size);
	if (size)
		memcpy(RTA_DATA(a), data, size);
	r->head.nlmsg_len = NLMSG_ALIGN(r->head.nlmsg_len) + RTA_ALIGN(a->rta_len);
	return a;
}

/* What a route to an address of the loopback device is. */
struct local_route {
	int family, bits;
	const void *address, *source;
	size_t size;
};

/* Ask for a change of a route. Returns 0 or an errno. */
static int change(int fd, int type, int flags, const struct local_route *route, bool quick)
{
	struct request r = {
		.head = {
			.nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg)),
			.nlmsg_type = type,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags,
		},
		.route = {
			.rtm_family = route->family,
			.rtm_dst_len = route->bits,
			.rtm_table = RT_TABLE_LOCAL,
			.rtm_protocol = RTPROT_KERNEL,
			.rtm_scope = route->source ? RT_SCOPE_HOST : RT_SCOPE_UNIVERSE,
			.rtm_type = RTN_LOCAL,
		},
	};
	unsigned int device = if_nametoindex("lo"), on = 1;
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
		char rest[sizeof(r)];
	} answer;
	struct rtattr *metrics;

	put(&r, RTA_DST, route->address, route->size);
	put(&r, RTA_OIF, &device, sizeof(device));
	if (route->source)
		put(&r, RTA_PREFSRC, route->source, route->size);
	if (quick) {
		metrics = put(&r, RTA_METRICS, NULL, 0);
		put(&r, RTAX_QUICKACK, &on, sizeof(on));
		metrics->rta_len = (char *)&r + r.head.nlmsg_len - (char *)metrics;
	}
	if (send(fd, &r, r.head.nlmsg_len, 0) < 0 || recv(fd, &answer, sizeof(answer), 0) < 0)
		return errno;
	return answer.head.nlmsg_type == NLMSG_ERROR ? -answer.error.error : EPROTO;
}

/* The routes that the kernel made are replaced by the same with RTAX_QUICKACK. */
static int set_routes(int fd)
{
	struct in_addr net = { htonl(INADDR_LOOPBACK & IN_CLASSA_NET) };
	struct in_addr v4 = { htonl(INADDR_LOOPBACK) };
	struct in6_addr v6 = IN6ADDR_LOOPBACK_INIT;
	struct local_route to_net = { AF_INET, 8, &net, &v4, sizeof(net) };
	struct local_route to_v4 = { AF_INET, 32, &v4, &v4, sizeof(v4) };
	struct local_route to_v6 = { AF_INET6, 128, &v6, NULL, sizeof(v6) };
	int flags = NLM_F_CREATE | NLM_F_REPLACE;
	int ret = change(fd, RTM_NEWROUTE, flags, &to_net, true);

	if (!ret)
		ret = change(fd, RTM_NEWROUTE, flags, &to_v4, true);
	/*
	 * The kernel may be one without IPv6. Its own route has metric 0, which nobody else can
	 * give, and comes first: ours is another one, and remains when the first is deleted. If
	 * ours is there already, the other one is not.
	 */
	if (!ret && !change(fd, RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, &to_v6, true))
		ret = change(fd, RTM_DELROUTE, 0, &to_v6, false);
	return ret;
}

/**
 * chess_loopback_up() - bring up the loopback device of this network namespace
 *
 * Return: NULL, or what failed, with errno set.
 */
const char *chess_loopback_up(void)
{
	struct ifreq r = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int ret = fd < 0 ? -1 : ioctl(fd, SIOCSIFFLAGS, &r);

	if (fd >= 0)
		close(fd);
	if (ret)
		return "bringing the loopback device up";
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	ret = fd < 0 ? errno : set_routes(fd);
	if (fd >= 0)
		close(fd);
	errno = ret;
	return ret ? "setting the routes of the loopback device" : NULL;
}

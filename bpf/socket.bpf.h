/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sockets: addresses, the other end, what waits in their queues.
 */
#ifndef CHESS_SOCKET_BPF_H
#define CHESS_SOCKET_BPF_H

#include "kind.bpf.h"

#define AF_INET			2
#define AF_INET6		10
#define IPPROTO_TCP		6
#define IPPROTO_UDP		17
#define TCP_LISTEN		10

struct skb_walk {
	__u64 head, at;
	__u32 bytes;
};

static long add_skb(__u32 i, void *arg)
{
	struct skb_walk *w = arg;
	struct sk_buff *skb = (void *)w->at;

	if (!skb || w->at == w->head)
		return 1;
	w->bytes += BPF_CORE_READ(skb, len);
	w->at = (__u64)BPF_CORE_READ(skb, next);
	return 0;
}

static __always_inline void add_queue(struct chess_look_file *f, struct sk_buff_head *q)
{
	struct skb_walk w = { .head = (__u64)q, .at = (__u64)BPF_CORE_READ(q, next) };

	bpf_loop(CHESS_LOOK_SKBS, add_skb, &w, 0);
	f->sock.queued += BPF_CORE_READ(q, qlen);
	f->sock.queued_bytes += w.bytes;
}

static __always_inline void put_ipv4(__u8 *to, __u32 address)
{
	to[10] = 0xff;
	to[11] = 0xff;
	__builtin_memcpy(to + 12, &address, 4);
}

static __always_inline void fill_socket(struct chess_look_file *f, struct sock *sk)
{
	struct tcp_sock *tcp = (void *)sk;
	struct udp_sock *udp = (void *)sk;

	f->sock.family = BPF_CORE_READ(sk, __sk_common.skc_family);
	f->sock.type = BPF_CORE_READ(sk, sk_type);
	f->sock.protocol = BPF_CORE_READ(sk, sk_protocol);
	f->sock.state = BPF_CORE_READ(sk, __sk_common.skc_state);
	f->sock.shutdown = BPF_CORE_READ(sk, sk_shutdown);
	f->sock.netns = BPF_CORE_READ(sk, __sk_common.skc_net.net, ns.inum);
	f->sock.backlog = BPF_CORE_READ(sk, sk_ack_backlog);
	f->sock.sending = BPF_CORE_READ(sk, sk_wmem_alloc.refs.counter);
	/* One is the socket's own. */
	if (f->sock.sending)
		f->sock.sending--;
	f->sock.sndbuf = BPF_CORE_READ(sk, sk_sndbuf);
	add_queue(f, (void *)sk + bpf_core_field_offset(*sk, sk_receive_queue));

	if (f->sock.family == AF_UNIX) {
		f->sock.peer = (__u64)BPF_CORE_READ((struct unix_sock *)sk, peer);
		return;
	}
	if (f->sock.family != AF_INET && f->sock.family != AF_INET6)
		return;
	f->sock.port = BPF_CORE_READ(sk, __sk_common.skc_num);
	f->sock.peer_port = __builtin_bswap16(BPF_CORE_READ(sk, __sk_common.skc_dport));
	if (f->sock.family == AF_INET) {
		put_ipv4(f->sock.address, BPF_CORE_READ(sk, __sk_common.skc_rcv_saddr));
		put_ipv4(f->sock.peer_address, BPF_CORE_READ(sk, __sk_common.skc_daddr));
	} else {
		BPF_CORE_READ_INTO(&f->sock.address, sk, __sk_common.skc_v6_rcv_saddr);
		BPF_CORE_READ_INTO(&f->sock.peer_address, sk, __sk_common.skc_v6_daddr);
	}
	/* A packet of TCP may have been read in part. */
	if (f->sock.protocol == IPPROTO_TCP && f->sock.state != TCP_LISTEN)
		f->sock.queued_bytes = BPF_CORE_READ(tcp, rcv_nxt) - BPF_CORE_READ(tcp, copied_seq);
	if (f->sock.protocol == IPPROTO_UDP)
		add_queue(f, (void *)udp + bpf_core_field_offset(*udp, reader_queue));
}

#endif /* CHESS_SOCKET_BPF_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages out of the tables of the spec: with values that are right, and then spoilt. What
 * an attribute means is known by its name and by what it is an array of. See
 * netlink_child.h.
 */
#include <string.h>

#include "netlink_child.h"

/*
 * What must not be sent, because it is known to break this version: empty, but for sizes
 * that are the VM's memory.
 */
#define MOST_EVENTS	100000
#define MOST_ACCESSES	200000

uint32_t netlink_draw(struct netlink_child *c, uint32_t n)
{
	c->random ^= c->random << 13;
	c->random ^= c->random >> 7;
	c->random ^= c->random << 17;
	return n ? (c->random >> 16) % n : (uint32_t)(c->random >> 16);
}

static bool one_in(struct netlink_child *c, uint32_t n)
{
	return !netlink_draw(c, n);
}

static uint32_t odd_number(struct netlink_child *c)
{
	static const uint32_t odd[] = {
		0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 64, 65, 100, 255, 256, 999, 1000, 4095, 4096,
		65535, 65536, 262143, 262144, 3600000, 60000000, 0x7fffffff, 0x80000000U,
		0xfffffffeU, 0xffffffffU,
	};

	return one_in(c, 3) ? netlink_draw(c, 0) : odd[netlink_draw(c, sizeof(odd) / sizeof(*odd))];
}

static void begin(struct request *r, unsigned int number)
{
	struct genlmsghdr *g = (struct genlmsghdr *)(&r->head + 1);

	memset(r->bytes, 0, NLMSG_HDRLEN + GENL_HDRLEN);
	r->head.nlmsg_len = NLMSG_HDRLEN + GENL_HDRLEN;
	g->cmd = number;
	g->version = 1;
	r->pid = 0;
	r->group = 0;
	r->accesses = 0;
	r->n_fixups = 0;
}

static void *put(struct request *r, unsigned int type, const void *data, size_t len)
{
	struct nlattr *a = (struct nlattr *)(r->bytes + NLMSG_ALIGN(r->head.nlmsg_len));

	if ((char *)a + NLA_HDRLEN + NLA_ALIGN(len) > r->bytes + MESSAGE_BYTES ||
	    len > 65535 - NLA_HDRLEN)
		return NULL;
	a->nla_type = type;
	a->nla_len = NLA_HDRLEN + len;
	memset((char *)(a + 1) + len, 0, NLA_ALIGN(len) - len);
	if (data)
		memcpy(a + 1, data, len);
	r->head.nlmsg_len = (char *)a - r->bytes + NLA_HDRLEN + NLA_ALIGN(len);
	return a + 1;
}

static void put_named(struct request *r, unsigned int type, uint32_t value, bool is_pid,
		      unsigned int index)
{
	char *at = put(r, type, &value, sizeof(value));

	if (!at || index == ~0U || r->n_fixups == N_FIXUPS)
		return;
	r->fixup[r->n_fixups++] = (struct fixup){ at - r->bytes, is_pid, index };
}

/* One that is there, as far as the child knows; ~0: there is none */
static unsigned int draw_alive(struct netlink_child *c)
{
	unsigned int n = c->n_alive ? netlink_draw(c, c->n_alive) : 0, i;

	for (i = 0; i < N_GROUPS; i++)
		if (c->alive[i] && !n--)
			return i;
	return ~0U;
}

static void put_group(struct netlink_child *c, struct request *r, unsigned int type, int group)
{
	unsigned int kept = c->n_groups < N_GROUPS ? c->n_groups : N_GROUPS, index = ~0U;

	if (group >= 0)
		index = group;
	else if (kept && !one_in(c, 12))
		index = one_in(c, 6) || !c->n_alive ? netlink_draw(c, kept) : draw_alive(c);
	if (index != ~0U)
		r->group = c->group[index];
	else
		/* Somebody else's, perhaps. */
		r->group = one_in(c, 3) ? odd_number(c) : 1 + netlink_draw(c, shared->groups + 2);
	put_named(r, type, r->group, false, index);
}

static void put_pid(struct netlink_child *c, struct request *r, unsigned int type, int program)
{
	unsigned int index = program >= 0 ? (unsigned int)program : netlink_draw(c, N_PROGRAMS);

	r->pid = c->program[index];
	if (program < 0 && one_in(c, 6)) {
		index = ~0U;
		/* Root may take anybody, so it is not to try. */
		if (!c->uid)
			r->pid = one_in(c, 2) ? 0 : 0x7fffffff;
		else if (one_in(c, 4))
			r->pid = one_in(c, 2) ? 1 : odd_number(c);
		else
			r->pid = shared->bystander[netlink_draw(c, N_BYSTANDERS)];
	}
	put_named(r, type, r->pid, true, index);
}

/* Traps of the program's functions that are there for it, or anything. */
static void put_probes(struct netlink_child *c, struct request *r, unsigned int type)
{
	static struct chess_probe p[64];
	unsigned int n = 0, i, k;
	uint64_t offset;

	memset(p, 0, sizeof(p));
	if (c->plain || !one_in(c, 3)) {
		for (i = 0; i < N_TRAPPED; i++) {
			/* nop; jmp *0(%rip) */
			struct chess_probe good = {
				.offset = netlink_trapped_offset(i), .id = 1 + i, .orig_len = 1,
				.op = 1 + netlink_draw(c, 36), .slot_len = 15, .nfixups = 1,
				.orig = { 0x90 }, .slot = { 0x90, 0xff, 0x25 },
				.fixups = { { CHESS_FIXUP_ABS64, 7, 0, 1 } },
				.object_arg = netlink_draw(c, 7),
				.op_flags = netlink_draw(c, 16),
			};

			if (i && one_in(c, 4))
				continue;
			if (one_in(c, 3)) {
				good.flags = CHESS_PROBE_ACCESS;
				good.site = 1 + netlink_draw(c, 100);
				r->accesses++;
			}
			p[n++] = good;
		}
		put(r, type, p, n * sizeof(*p));
		return;
	}
	n = 1 + netlink_draw(c, one_in(c, 8) ? 64 : 8);
	offset = netlink_draw(c, one_in(c, 4) ? 0 : 100000);
	for (i = 0; i < n; i++) {
		struct chess_probe *q = &p[i];

		q->offset = offset;
		offset += 1 + netlink_draw(c, one_in(c, 10) ? 1000000 : 300);
		q->id = one_in(c, 4) ? 0 : netlink_draw(c, 0);
		q->op = q->id ? 1 + netlink_draw(c, 41) : 0;
		q->op_flags = netlink_draw(c, 16);
		q->flags = one_in(c, 3) ? netlink_draw(c, 8) : 0;
		if (!q->id && !q->flags)
			q->flags = CHESS_PROBE_ALLOCATED;
		if (q->flags & CHESS_PROBE_ACCESS)
			q->site = 1 + netlink_draw(c, CHESS_MAX_SITES - 1);
		q->flags |= one_in(c, 4) ? CHESS_PROBE_AWAIT_END : 0;
		r->accesses += q->flags & CHESS_PROBE_ACCESS;
		q->object_arg = netlink_draw(c, 7);
		q->second_arg = netlink_draw(c, 7);
		q->orig_len = 1 + netlink_draw(c, CHESS_PROBE_ORIG_MAX);
		q->slot_len = 14 + netlink_draw(c, CHESS_PROBE_SLOT_MAX - 13);
		q->nfixups = netlink_draw(c, CHESS_PROBE_FIXUPS + 1);
		for (k = 0; k < sizeof(q->orig); k++)
			q->orig[k] = one_in(c, 2) ? 0x90 : netlink_draw(c, 256);
		for (k = 0; k < sizeof(q->slot); k++)
			q->slot[k] = netlink_draw(c, 256);
		for (k = 0; k < CHESS_PROBE_FIXUPS; k++) {
			q->fixups[k].kind = 1 + netlink_draw(c, 2);
			q->fixups[k].pos = netlink_draw(c, 6);
			q->fixups[k].addend = netlink_draw(c, 0);
		}
		if (one_in(c, 60))
			((unsigned char *)q)[netlink_draw(c, sizeof(*q))] = netlink_draw(c, 256);
	}
	put(r, type, p, n * sizeof(*p) - (one_in(c, 30) ? netlink_draw(c, 50) : 0));
}

static void put_operands(struct netlink_child *c, struct request *r, unsigned int type)
{
	struct chess_operand o[2 * 64];
	unsigned int i;

	memset(o, 0, sizeof(o));
	for (i = 0; i < 2 * r->accesses && i < 2 * 64; i++) {
		if (i % 2 && one_in(c, 2))
			continue;
		o[i] = (struct chess_operand){
			.size = 1 + netlink_draw(c, 64), .flags = 1 + netlink_draw(c, 3),
			.form = one_in(c, 4) ? netlink_draw(c, 8) : CHESS_FORM_PLAIN,
			.base = one_in(c, 3) ? CHESS_REG_NONE : netlink_draw(c, 17),
			.index = one_in(c, 3) ? CHESS_REG_NONE : netlink_draw(c, 16),
			.scale = 1 << netlink_draw(c, 4), .mask = netlink_draw(c, 8),
			.elements = netlink_draw(c, 9), .index_size = one_in(c, 2) ? 4 : 8,
			.disp = (int32_t)netlink_draw(c, 0),
		};
		if (one_in(c, 3)) {
			o[i].awaits = 2 + netlink_draw(c, CHESS_AWAITS_MAX - 1);
			o[i].await_op = netlink_draw(c, CHESS_AWAIT_CMPXCHG + 1);
			o[i].await_source = o[i].await_op ? netlink_draw(c, 16) : 0;
		}
		if (one_in(c, 30))
			((char *)&o[i])[netlink_draw(c, sizeof(*o))] = netlink_draw(c, 256);
	}
	if (r->accesses || one_in(c, 20))
		put(r, type, o, 2 * r->accesses * sizeof(*o));
}

static void put_segments(struct netlink_child *c, struct request *r, unsigned int type)
{
	struct chess_segment s[300];
	unsigned int i, n = netlink_draw(c, one_in(c, 8) ? 300 : 6);

	for (i = 0; i < n; i++) {
		s[i].count = one_in(c, 200) ? odd_number(c) : 1 + netlink_draw(c, 5);
		s[i].task = one_in(c, 200) ? odd_number(c) : netlink_draw(c, 5);
	}
	put(r, type, s, n * sizeof(*s));
}

/* Ascending, of an even number, as some have to be. */
static void put_numbers(struct netlink_child *c, struct request *r, unsigned int type, size_t size)
{
	unsigned int i, n = 2 * netlink_draw(c, one_in(c, 8) ? 40 : 6);
	uint64_t wide[80], x = 0;
	uint32_t narrow[80];

	for (i = 0; i < n; i++) {
		x += 1 + netlink_draw(c, one_in(c, 20) ? 0x10000000 : 20);
		narrow[i] = x;
		wide[i] = one_in(c, 2) ? x : ~x;
	}
	put(r, type, size == 8 ? (void *)wide : narrow, n * size);
}

/* Of policy order: flags, then a place and a role for each of two to four steps. */
static void put_steps(struct netlink_child *c, struct request *r, unsigned int type)
{
	uint32_t words[1 + 2 * CHESS_ORDER_STEPS + 2];
	unsigned int i, steps = one_in(c, 30) ? netlink_draw(c, 6) : 2 + netlink_draw(c, 3);

	words[0] = one_in(c, 30) ? odd_number(c) : netlink_draw(c, CHESS_ORDER_REVERSED + 1);
	for (i = 0; i < steps; i++) {
		words[1 + 2 * i] = one_in(c, 30) ? odd_number(c) : 1 + netlink_draw(c, 12);
		words[2 + 2 * i] = one_in(c, 30) ? odd_number(c) : netlink_draw(c, 4);
	}
	put(r, type, words, (1 + 2 * steps) * sizeof(*words) - (one_in(c, 60) ? 2 : 0));
}

static void put_pairs(struct netlink_child *c, struct request *r, unsigned int type)
{
	uint32_t words[3 * (CHESS_PAIRS_MAX + 1)];
	unsigned int i, n = 3 * netlink_draw(c, CHESS_PAIRS_MAX + (one_in(c, 30) ? 2 : 1));

	for (i = 0; i < n; i++)
		words[i] = one_in(c, 30) ? odd_number(c) : i % 3 == 2 ? netlink_draw(c, 2) :
			   1 + netlink_draw(c, 12);
	put(r, type, words, n * sizeof(*words) - (n && one_in(c, 60) ? 2 : 0));
}

static void put_bytes(struct netlink_child *c, struct request *r, unsigned int type, uint32_t most)
{
	uint32_t n = netlink_draw(c, most), i, x = netlink_draw(c, 0);
	unsigned char *at = put(r, type, NULL, n);

	for (i = 0; at && i < n; i++, x = x * 1664525 + 1013904223)
		at[i] = x >> 24;
}

static uint32_t number_for(struct netlink_child *c, const struct field *f)
{
	uint32_t x;

	if (c->plain)
		return f->max;
	if (one_in(c, 30))
		x = odd_number(c);
	else if (f->flags)
		x = netlink_draw(c, 0) & f->max;
	else if (one_in(c, 30))
		x = one_in(c, 2) ? f->max : f->min;
	else
		x = f->min + netlink_draw(c, f->max - f->min < 3000 ? f->max - f->min + 1 : 3000);
	if (!strcmp(f->name, "max-events") && x > MOST_EVENTS && x <= f->max)
		x = MOST_EVENTS;
	if (!strcmp(f->name, "max-accesses") && x > MOST_ACCESSES && x <= f->max)
		x = MOST_ACCESSES;
	return x;
}

static void put_field(struct netlink_child *c, struct request *r, const struct command *k,
		      const struct field *f, int group, int program)
{
	uint64_t wide;
	uint32_t value;

	if (!strcmp(f->name, "group") || (!strcmp(k->set, "group") && !strcmp(f->name, "id"))) {
		put_group(c, r, f->type, group);
	} else if (!strcmp(f->name, "pid")) {
		put_pid(c, r, f->type, program);
	} else if (!strcmp(f->name, "fd")) {
		value = c->file[!c->plain && one_in(c, 3) ? netlink_draw(c, N_FILES) : 0];
		if (!c->plain && one_in(c, 10))
			value = odd_number(c);
		put(r, f->type, &value, sizeof(value));
	} else if (!strcmp(f->element, "chess_probe")) {
		put_probes(c, r, f->type);
	} else if (!strcmp(f->element, "chess_operand")) {
		put_operands(c, r, f->type);
	} else if (!strcmp(f->element, "chess_segment")) {
		put_segments(c, r, f->type);
	} else if (!strcmp(f->element, "u32") || !strcmp(f->element, "u64")) {
		put_numbers(c, r, f->type, f->element[1] == '6' ? 8 : 4);
	} else if (f->kind == KIND_U32) {
		value = number_for(c, f);
		put(r, f->type, &value, sizeof(value));
	} else if (f->kind == KIND_U64) {
		wide = (uint64_t)netlink_draw(c, 0) << 32 | netlink_draw(c, 0);
		put(r, f->type, &wide, sizeof(wide));
	} else {
		put_bytes(c, r, f->type, 64);
	}
}

static bool always_there(const struct command *k, const struct field *f)
{
	return !strcmp(f->name, "group") || !strcmp(f->name, "pid") || !strcmp(f->name, "fd") ||
	       (!strcmp(k->set, "group") && !strcmp(f->name, "id"));
}

/* Policies want some of the others and refuse the rest. */
static bool goes_with(const char *name, uint32_t policy)
{
	if (!strcmp(name, "seed"))
		return policy >= CHESS_POLICY_KIND_RANDOM && policy != CHESS_POLICY_KIND_HOLD;
	if (!strcmp(name, "changes"))
		return policy == CHESS_POLICY_KIND_PCT || policy >= CHESS_POLICY_KIND_HOLD ||
		       policy == CHESS_POLICY_KIND_ROUND_ROBIN;
	return policy == CHESS_POLICY_KIND_SURW;
}

static bool is_wanted(struct netlink_child *c, const struct command *k, const struct field *f,
		      bool first_binary, uint32_t policy)
{
	if (always_there(k, f) || !strcmp(f->element, "chess_operand"))
		return c->plain || !one_in(c, 60);
	if (c->plain)
		return !strcmp(f->name, "adopt-flags") ||
		       (f->kind == KIND_BINARY && first_binary && strcmp(k->name, "run-start"));
	if (f->kind == KIND_BINARY && first_binary)
		return k->may_do && !strcmp(k->name, "run-start") ? one_in(c, 4) : !one_in(c, 60);
	if (!strcmp(k->set, "schedule")) {
		if (!strcmp(f->name, "policy"))
			return policy || one_in(c, 3);
		if (!strcmp(f->name, "flags"))
			return !policy && one_in(c, 4);
		return one_in(c, 30) ? true : goes_with(f->name, policy);
	}
	/* Without a limit it is a large one, which takes time. */
	if (!strncmp(f->name, "max-", 4))
		return !one_in(c, 20);
	return f->flags ? !one_in(c, 3) : one_in(c, 3);
}

void netlink_make(struct netlink_child *c, struct request *r, unsigned int command, int group,
		  int program)
{
	const struct command *k = &commands[command];
	uint32_t policy = c->plain || one_in(c, 2) ? 0 :
			  netlink_draw(c, CHESS_POLICY_KIND_MAX + 1);
	bool first_binary = true, dump = !k->may_do || (k->may_dump && one_in(c, 2));
	const struct field *f;

	begin(r, k->number);
	r->command = command;
	r->head.nlmsg_flags = NLM_F_REQUEST | (dump ? NLM_F_DUMP : NLM_F_ACK);
	for (f = k->fields; f->type; f++) {
		/* All of them, where one can ask for all. */
		if (k->may_do && dump && always_there(k, f) && !one_in(c, 4))
			continue;
		if (!is_wanted(c, k, f, first_binary, policy))
			continue;
		if (!strcmp(k->set, "schedule") && !strcmp(f->name, "policy"))
			put(r, f->type, &policy, sizeof(policy));
		else if (policy == CHESS_POLICY_KIND_ORDER && !strcmp(f->name, "changes"))
			put_steps(c, r, f->type);
		else if (policy == CHESS_POLICY_KIND_PAIRS && !strcmp(f->name, "changes"))
			put_pairs(c, r, f->type);
		else
			put_field(c, r, k, f, group, program);
		if (f->kind == KIND_BINARY)
			first_binary = false;
	}
}

/* The same attribute again and again inside itself. */
static void put_nested(struct netlink_child *c, struct request *r)
{
	struct nlattr nest[6];
	unsigned int i;

	for (i = 0; i < 6; i++)
		nest[i] = (struct nlattr){ 4 * (6 - i), (1 + netlink_draw(c, 9)) | NLA_F_NESTED };
	put(r, 1 + netlink_draw(c, 9), nest, sizeof(nest));
}

void netlink_spoil(struct netlink_child *c, struct request *r)
{
	unsigned int head = NLMSG_HDRLEN + GENL_HDRLEN, length = r->head.nlmsg_len, i;
	struct genlmsghdr *g = (struct genlmsghdr *)(&r->head + 1);
	struct nlattr *first = (struct nlattr *)(r->bytes + head);
	bool empty = length < head + NLA_HDRLEN;

	/*
	 * What is sent again must be what was sent: numbers are no names any more. Nor is it
	 * known what is asked for: another command, perhaps, of which this group is not part.
	 */
	r->n_fixups = 0;
	r->group = 0;
	r->pid = 0;
	switch (netlink_draw(c, 12)) {
	case 0:
		put_bytes(c, r, netlink_draw(c, 25), 64);
		break;
	case 1:
		put_bytes(c, r, netlink_draw(c, 25) | (one_in(c, 2) ? NLA_F_NESTED :
						       NLA_F_NET_BYTEORDER), 16);
		break;
	case 2:
		r->head.nlmsg_len -= netlink_draw(c, length - NLMSG_HDRLEN + 1);
		break;
	case 3:
		for (i = 0; i < 3 && !empty; i++)
			r->bytes[head + netlink_draw(c, length - head)] = netlink_draw(c, 256);
		break;
	case 4:
		if (!empty)
			first->nla_len = netlink_draw(c, one_in(c, 2) ? 65536 : 16);
		break;
	case 5:
		if (!empty)
			first->nla_type = netlink_draw(c, one_in(c, 2) ? 65536 : 25);
		break;
	case 6:
		put_bytes(c, r, netlink_draw(c, 12), 60000);
		break;
	case 7:
		put_nested(c, r);
		break;
	case 8:
		put(r, 1 + netlink_draw(c, 12), NULL, 0);
		break;
	case 9:
		r->head.nlmsg_flags ^= 1 << netlink_draw(c, 12);
		break;
	case 10:
		g->cmd = netlink_draw(c, one_in(c, 2) ? 256 : 24);
		r->command = N_COMMANDS;
		break;
	default:
		if (one_in(c, 2))
			g->version = netlink_draw(c, 256);
		else
			g->reserved = netlink_draw(c, 65536);
	}
}

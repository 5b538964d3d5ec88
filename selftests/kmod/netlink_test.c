// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every operation of docs/netlink/specs/chess.yaml, asked wrongly: attributes
 * missing, out of range, of the wrong length or kind, unknown; bulk arrays that
 * are none; the wrong owner, the wrong file. Each must be refused with the right
 * error and a sentence, and change nothing. Needs root and the module.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "../harness.h"
#include "request.h"

/* --- each attribute ----------------------------------------------------- */

static void refused(const char *what, int error)
{
	EXPECT_TRUE(is_refused(what, error, error));
}

static void refused2(const char *what, int error, int other)
{
	EXPECT_TRUE(is_refused(what, error, other));
}

static void wrong_values(const struct op *op, const struct field *f)
{
	char what[80];
	uint32_t bit;

	if (f->kind == FLAGS)
		for (bit = f->max + 1; bit; bit <<= 1) {
			snprintf(what, sizeof(what), "%s attribute %u flag %#x", op->name,
				 f->type, bit);
			begin_without(op, f);
			message_u32(&req.message, f->type, f->max | bit);
			refused(what, EINVAL);
		}
	if (f->kind == TEXT) {
		char text[256];

		memset(text, 'a', sizeof(text));
		text[f->max + 1] = '\0';
		snprintf(what, sizeof(what), "%s attribute %u too long", op->name, f->type);
		begin_without(op, f);
		message_put(&req.message, f->type, text, f->max + 2);
		refused2(what, EINVAL, ERANGE);
	}
	if (f->kind)
		return;
	if (f->min) {
		snprintf(what, sizeof(what), "%s attribute %u zero", op->name, f->type);
		begin_without(op, f);
		message_u32(&req.message, f->type, 0);
		refused(what, ERANGE);
		snprintf(what, sizeof(what), "%s attribute %u below its minimum", op->name,
			 f->type);
		begin_without(op, f);
		message_u32(&req.message, f->type, f->min - 1);
		refused(what, ERANGE);
	}
	if (f->max != U32_MAX) {
		snprintf(what, sizeof(what), "%s attribute %u above its maximum", op->name,
			 f->type);
		begin_without(op, f);
		message_u32(&req.message, f->type, f->max + 1);
		refused(what, ERANGE);
		begin_without(op, f);
		message_u32(&req.message, f->type, U32_MAX);
		refused(what, ERANGE);
	}
}

static void wrong_shapes(const struct op *op, const struct field *f)
{
	static const unsigned int lengths[] = { 0, 1, 2, 3, 4, 5, 8, 16 };
	unsigned int right = f->kind == NUMBER64 ? 8 : 4;
	static const uint64_t bytes[2] = { 0x0000000100000001ULL, 0x0000000100000001ULL };
	char what[80];
	size_t i;

	if (f->kind == TEXT) {
		snprintf(what, sizeof(what), "%s attribute %u without an end", op->name, f->type);
		begin_without(op, f);
		message_put(&req.message, f->type, "make", 4);
		refused2(what, EINVAL, ERANGE);
		snprintf(what, sizeof(what), "%s attribute %u empty", op->name, f->type);
		begin_without(op, f);
		message_put(&req.message, f->type, "", 0);
		refused2(what, EINVAL, ERANGE);
		return;
	}
	if (f->kind != BINARY)
		for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
			if (lengths[i] == right)
				continue;
			snprintf(what, sizeof(what), "%s attribute %u of %u bytes", op->name,
				 f->type, lengths[i]);
			begin_without(op, f);
			message_put(&req.message, f->type, bytes, lengths[i]);
			refused2(what, EINVAL, ERANGE);
		}
	snprintf(what, sizeof(what), "%s attribute %u as text", op->name, f->type);
	begin_without(op, f);
	message_put(&req.message, f->type, "group one", 10);
	refused2(what, EINVAL, ERANGE);
	snprintf(what, sizeof(what), "%s attribute %u nested", op->name, f->type);
	begin_without(op, f);
	message_put(&req.message, f->type | NLA_F_NESTED, bytes, 4);
	refused(what, EINVAL);
}

static void truncated(const struct op *op)
{
	char what[80];
	struct nlattr *a;

	snprintf(what, sizeof(what), "%s with an attribute longer than the message", op->name);
	begin_without(op, NULL);
	message_u32(&req.message, 1, 1);
	a = (struct nlattr *)(req.message.bytes + req.message.len - NLA_HDRLEN - 4);
	a->nla_len = 400;
	refused(what, EINVAL);
	snprintf(what, sizeof(what), "%s with an attribute shorter than its header", op->name);
	begin_without(op, NULL);
	message_u32(&req.message, 1, 1);
	a = (struct nlattr *)(req.message.bytes + req.message.len - NLA_HDRLEN - 4);
	a->nla_len = 2;
	refused(what, EINVAL);
	snprintf(what, sizeof(what), "%s with three bytes too many", op->name);
	begin_without(op, NULL);
	req.message.len += 3;
	refused(what, EINVAL);
}

static void unknown(const struct op *op)
{
	char what[80];
	unsigned int type;
	int i;

	for (type = 0; type < 20; type++) {
		/* Those have tests of their own, below. */
		bool known = op->cmd == CHESS_CMD_PROBE_ADD &&
			     (type == CHESS_A_PROBE_OPERANDS || type == CHESS_A_PROBE_FLAGS);

		for (i = 0; i < N_FIELDS; i++)
			known |= type && op->fields[i].type == type;
		if (known)
			continue;
		snprintf(what, sizeof(what), "%s with unknown attribute %u", op->name, type);
		begin_without(op, NULL);
		message_u32(&req.message, type, 1);
		refused(what, EINVAL);
	}
}

TEST_TIMEOUT(attribute_missing, 300)
{
	char what[80];
	size_t i;
	int k;

	set_up();
	for (i = 0; i < n_ops; i++)
		for (k = 0; k < N_FIELDS; k++) {
			if (!ops[i].fields[k].required)
				continue;
			snprintf(what, sizeof(what), "%s without attribute %u", ops[i].name,
				 ops[i].fields[k].type);
			begin_without(&ops[i], &ops[i].fields[k]);
			refused(what, EINVAL);
		}
	EXPECT_TRUE(end_cat());
}

TEST_TIMEOUT(attribute_out_of_range, 300)
{
	size_t i;
	int k;

	set_up();
	for (i = 0; i < n_ops; i++)
		for (k = 0; k < N_FIELDS && ops[i].fields[k].type; k++)
			wrong_values(&ops[i], &ops[i].fields[k]);
	EXPECT_TRUE(end_cat());
}

TEST_TIMEOUT(attribute_of_wrong_shape, 300)
{
	size_t i;
	int k;

	set_up();
	for (i = 0; i < n_ops; i++) {
		for (k = 0; k < N_FIELDS && ops[i].fields[k].type; k++)
			wrong_shapes(&ops[i], &ops[i].fields[k]);
		truncated(&ops[i]);
	}
	EXPECT_TRUE(end_cat());
}

TEST_TIMEOUT(attribute_unknown, 300)
{
	size_t i;

	set_up();
	for (i = 0; i < n_ops; i++)
		unknown(&ops[i]);
	EXPECT_TRUE(end_cat());
}

/* --- whose group, and which --------------------------------------------- */

static void each_refused(const char *where, int error, bool owner_only)
{
	char what[80];
	size_t i;

	for (i = 0; i < n_ops; i++) {
		const struct op *op = &ops[i];

		if (op->cmd == CHESS_CMD_GROUP_NEW || !op->fields[0].type)
			continue;
		/* Everyone who may see the group may look. */
		if (owner_only &&
		    (op->cmd == CHESS_CMD_GROUP_GET || op->cmd == CHESS_CMD_TASK_GET))
			continue;
		snprintf(what, sizeof(what), "%s %s", op->name, where);
		begin_without(op, NULL);
		if (raw_talk(&req.raw, &req.message) != -error || !req.raw.text[0]) {
			TH_LOG("%s: not refused with %d and a sentence, but \"%s\"", what, error,
			       req.raw.text);
			EXPECT_TRUE(false);
		}
	}
}

TEST(unknown_group)
{
	uint32_t real;

	set_up();
	real = req.group;
	req.group = U32_MAX;
	each_refused("on an unknown group", ENOENT, false);
	req.group = real + 1;
	each_refused("on a group that is not there yet", ENOENT, false);
	EXPECT_TRUE(end_cat());
}

TEST(deleted_group)
{
	set_up();
	ASSERT_EQ(0, raw_call(&req.raw, CHESS_CMD_GROUP_DEL, 0, CHESS_A_GROUP_ID, req.group));
	each_refused("on a deleted group", ENOENT, false);
	EXPECT_EQ(0, raw_groups(&req.raw));
	EXPECT_TRUE(end_cat());
}

TEST(group_of_another_socket)
{
	struct raw owner;
	int fd;

	set_up();
	owner = req.raw;
	ASSERT_EQ(0, raw_open(&req.raw));
	each_refused("on a group of another socket", EPERM, true);
	EXPECT_EQ((uint32_t)CHESS_GROUP_STATE_IDLE, group_state());
	fd = req.raw.fd;
	req.raw = owner;
	close(fd);
	/* Its closing ended nothing. */
	EXPECT_EQ((uint32_t)CHESS_GROUP_STATE_IDLE, group_state());
	EXPECT_TRUE(end_cat());
}

/* --- bulk arrays and files ---------------------------------------------- */

static void probes_refused(const char *what, const void *probes, size_t len)
{
	const struct op *op = find_op(CHESS_CMD_PROBE_ADD);

	begin_without(op, find_field(op, CHESS_A_PROBE_ENTRIES));
	message_put(&req.message, CHESS_A_PROBE_ENTRIES, probes, len);
	refused(what, EINVAL);
}

#define BAD_PROBE(change) do {							\
	struct chess_probe p = good_probe;					\
	p.change;								\
	probes_refused("probe-add with " #change, &p, sizeof(p));		\
} while (0)

TEST_TIMEOUT(malformed_probes, 300)
{
	struct chess_probe two[2] = { good_probe, good_probe };

	set_up();
	probes_refused("probe-add without traps", two, 0);
	probes_refused("probe-add with part of a trap", two, sizeof(two[0]) - 1);
	probes_refused("probe-add with a trap and a part", two, sizeof(two[0]) + 1);
	probes_refused("probe-add with one offset twice", two, sizeof(two));
	two[0].offset++;
	probes_refused("probe-add with unsorted traps", two, sizeof(two));
	BAD_PROBE(offset = INT64_MAX);
	BAD_PROBE(offset = UINT64_MAX);
	BAD_PROBE(id = 0);
	BAD_PROBE(op = 0);
	BAD_PROBE(op = __CHESS_OP_MAX);
	BAD_PROBE(op = 255);
	BAD_PROBE(op_flags = 0x40);
	BAD_PROBE(op_flags = 0x80);
	BAD_PROBE(flags = 8);
	BAD_PROBE(flags = 0x80);
	BAD_PROBE(site = 1);
	BAD_PROBE(flags = CHESS_PROBE_ACCESS);
	BAD_PROBE(object_arg = 7);
	BAD_PROBE(second_arg = 255);
	BAD_PROBE(orig_len = 0);
	BAD_PROBE(orig_len = CHESS_PROBE_ORIG_MAX + 1);
	BAD_PROBE(slot_len = 0);
	BAD_PROBE(slot_len = CHESS_PROBE_SLOT_MAX + 1);
	BAD_PROBE(nfixups = CHESS_PROBE_FIXUPS + 1);
	BAD_PROBE(nfixups = 255);
	BAD_PROBE(fixups[0].kind = 0);
	BAD_PROBE(fixups[0].kind = 3);
	BAD_PROBE(fixups[0].pos = 5);
	BAD_PROBE(fixups[0].pos = 255);
	BAD_PROBE(fixups[0].pad = 1);
	EXPECT_TRUE(end_cat());
}

/* --- traps at accesses -------------------------------------------------- */

#define MOST	4

/* A message with @n traps at accesses and @operands of @o in a row. */
static void begin_accesses(const struct chess_probe *p, size_t n, const struct chess_operand *o,
			   size_t operands)
{
	const struct op *op = find_op(CHESS_CMD_PROBE_ADD);

	begin_without(op, find_field(op, CHESS_A_PROBE_ENTRIES));
	message_put(&req.message, CHESS_A_PROBE_ENTRIES, p, n * sizeof(*p));
	message_put(&req.message, CHESS_A_PROBE_OPERANDS, o, operands * sizeof(*o));
}

static const struct chess_operand good_operand = {
	.size = 4, .flags = CHESS_OPERAND_READ, .base = 7, .index = CHESS_REG_NONE, .scale = 1,
};

static struct chess_probe access_at(uint64_t offset, uint32_t site)
{
	struct chess_probe p = good_probe;

	p.offset = offset;
	p.flags = CHESS_PROBE_ACCESS;
	p.site = site;
	p.id = 0;
	p.op = 0;
	return p;
}

#define BAD_OPERAND(change) do {							\
	struct chess_operand o[2] = { good_operand };					\
	o[0].change;									\
	begin_accesses(&p, 1, o, 2);							\
	refused("probe-add with an operand with " #change, EINVAL);			\
} while (0)

#define BAD_ACCESS(change) do {								\
	struct chess_operand o[2] = { good_operand };					\
	struct chess_probe bad = p;							\
	bad.change;									\
	begin_accesses(&bad, 1, o, 2);							\
	refused("probe-add at an access with " #change, EINVAL);			\
} while (0)

TEST_TIMEOUT(malformed_accesses, 300)
{
	struct chess_operand two[2 * MOST] = { good_operand, { 0 }, good_operand };
	struct chess_probe p = access_at(0x1000, 1);
	int i;

	set_up();
	for (i = 0; i < 4; i++)
		if (i != 2) {
			begin_accesses(&p, 1, two, i);
			refused("probe-add with too few or too many operands", EINVAL);
		}
	begin_accesses(&good_probe, 1, two, 2);
	refused("probe-add with operands of no access", EINVAL);
	begin_accesses(&p, 1, two + 1, 2);
	refused("probe-add with a second operand only", EINVAL);
	BAD_ACCESS(site = 0);
	BAD_ACCESS(site = CHESS_MAX_SITES);
	BAD_ACCESS(flags = 9);
	BAD_ACCESS(op = CHESS_OP_LOAD);
	BAD_OPERAND(size = 0);
	BAD_OPERAND(flags = 0);
	BAD_OPERAND(flags = CHESS_OPERAND_ATOMIC);
	BAD_OPERAND(flags |= CHESS_OPERAND_PERHAPS);
	BAD_OPERAND(flags |= CHESS_OPERAND_PERHAPS; o[0].elements = 2;
		    o[0].form = CHESS_FORM_STRING);
	BAD_OPERAND(form = CHESS_FORM_ANY + 1);
	BAD_OPERAND(segment = 3);
	BAD_OPERAND(base = 17);
	BAD_OPERAND(index = 32);
	BAD_OPERAND(mask = 32);
	BAD_OPERAND(awaits = 1);
	BAD_OPERAND(awaits = CHESS_AWAITS_MAX + 1);
	BAD_OPERAND(await_op = CHESS_AWAIT_XCHG);
	BAD_OPERAND(await_source = 1);
	BAD_OPERAND(awaits = 2; o[0].await_op = CHESS_AWAIT_CMPXCHG + 1);
	BAD_OPERAND(awaits = 2; o[0].await_op = CHESS_AWAIT_XCHG;
		    o[0].await_source = CHESS_REG_RIP);
	BAD_OPERAND(pad = 1);
	BAD_OPERAND(form = CHESS_FORM_BITS; o[0].copy = CHESS_COPY_TO_START);
	BAD_OPERAND(copy = CHESS_COPY_PADDED + 1);
	BAD_OPERAND(copy = CHESS_COPY_JUMP);
	BAD_OPERAND(copy = CHESS_COPY_TO_START | 0x10);
	/* What would be read after the end of a register, or of all of them. */
	BAD_OPERAND(form = CHESS_FORM_GATHER; o[0].elements = 16; o[0].index_size = 8);
	BAD_OPERAND(form = CHESS_FORM_GATHER; o[0].elements = 17; o[0].index_size = 4);
	BAD_OPERAND(form = CHESS_FORM_GATHER; o[0].elements = 4; o[0].index_size = 5);
	BAD_OPERAND(form = CHESS_FORM_MASKED; o[0].elements = 65);
	BAD_OPERAND(form = CHESS_FORM_MASKED; o[0].elements = 16; o[0].mask = 8);
	BAD_OPERAND(form = CHESS_FORM_MASKED; o[0].elements = 17;
		    o[0].flags |= CHESS_OPERAND_VECTOR_MASK);
	EXPECT_TRUE(end_cat());
}

TEST(more_traps_of_a_file)
{
	struct chess_operand o[2] = { good_operand };
	struct chess_probe first = access_at(0x1000, 1), second = access_at(0x2000, 2);

	set_up();
	begin_accesses(&first, 1, o, 2);
	message_u32(&req.message, CHESS_A_PROBE_FLAGS, CHESS_PROBE_FLAGS_APPEND);
	refused("probe-add to a file without traps", ENOENT);
	begin_accesses(&first, 1, o, 2);
	ASSERT_EQ(0, raw_talk(&req.raw, &req.message));
	begin_accesses(&first, 1, o, 2);
	message_u32(&req.message, CHESS_A_PROBE_FLAGS, CHESS_PROBE_FLAGS_APPEND);
	refused("probe-add of traps that are there", EINVAL);
	begin_accesses(&second, 1, o, 2);
	message_u32(&req.message, CHESS_A_PROBE_FLAGS, 2);
	refused("probe-add with an unknown flag", EINVAL);
	begin_accesses(&second, 1, o, 2);
	message_u32(&req.message, CHESS_A_PROBE_FLAGS, CHESS_PROBE_FLAGS_APPEND);
	EXPECT_EQ(0, raw_talk(&req.raw, &req.message));
	EXPECT_EQ(2U, (group_state(), req.raw.value[CHESS_A_GROUP_PROBES]));
	EXPECT_TRUE(end_cat());
}

TEST(bitmaps_of_points)
{
	static uint64_t words[CHESS_MAX_SITES / 64 + 1];
	const struct op *op = find_op(CHESS_CMD_POINTS_SET);
	static const unsigned int good[] = { 0, 8, 16, CHESS_MAX_SITES / 8 };
	size_t i;

	set_up();
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		begin_without(op, find_field(op, CHESS_A_ACCESS_POINTS));
		message_put(&req.message, CHESS_A_ACCESS_POINTS, words, good[i]);
		EXPECT_EQ(0, raw_talk(&req.raw, &req.message));
	}
	begin_without(op, find_field(op, CHESS_A_ACCESS_POINTS));
	message_put(&req.message, CHESS_A_ACCESS_POINTS, words, 12);
	refused("points-set with a part of a word", EINVAL);
	begin_without(op, find_field(op, CHESS_A_ACCESS_POINTS));
	message_put(&req.message, CHESS_A_ACCESS_POINTS, words, sizeof(words));
	refused("points-set with a bitmap too long", EINVAL);
	EXPECT_TRUE(end_cat());
}

static void file_refused(const char *what, int fd, int error)
{
	const struct op *op = find_op(CHESS_CMD_PROBE_ADD);

	begin_without(op, find_field(op, CHESS_A_PROBE_FD));
	message_u32(&req.message, CHESS_A_PROBE_FD, fd);
	refused(what, error);
}

TEST(wrong_files)
{
	char name[] = "/tmp/netlink_test.XXXXXX";
	int fd[2], f;

	set_up();
	file_refused("probe-add on a descriptor that is not open", 999, EBADF);
	file_refused("probe-add on a descriptor nobody can have", INT32_MAX, EBADF);
	ASSERT_EQ(0, pipe(fd));
	file_refused("probe-add on a pipe", fd[0], EINVAL);
	f = open("/", O_RDONLY | O_DIRECTORY);
	file_refused("probe-add on a directory", f, EINVAL);
	close(f);
	f = open("/bin/cat", O_PATH);
	file_refused("probe-add on a path only", f, EBADF);
	close(f);
	f = open("/dev/null", O_RDWR);
	file_refused("probe-add on a device", f, EINVAL);
	close(f);
	f = mkstemp(name);
	ASSERT_LE(0, f);
	close(f);
	f = open(name, O_WRONLY);
	file_refused("probe-add on a file open for writing", f, EINVAL);
	close(f);
	unlink(name);
	begin_without(find_op(CHESS_CMD_PROBE_ADD), NULL);
	ASSERT_EQ(0, raw_talk(&req.raw, &req.message));
	refused("probe-add for a file twice", EEXIST);
	EXPECT_EQ(1U, (group_state(), req.raw.value[CHESS_A_GROUP_PROBES]));
	EXPECT_TRUE(end_cat());
}

static void segments_refused(const char *what, const void *segments, size_t len)
{
	const struct op *op = find_op(CHESS_CMD_SCHEDULE_SET);

	begin_without(op, find_field(op, CHESS_A_SCHEDULE_SEGMENTS));
	message_put(&req.message, CHESS_A_SCHEDULE_SEGMENTS, segments, len);
	refused(what, EINVAL);
}

TEST(malformed_segments)
{
	struct chess_segment s[2] = { good_segment, good_segment };
	size_t len;

	set_up();
	for (len = 1; len < sizeof(s); len++)
		if (len != sizeof(s[0]))
			segments_refused("schedule-set with part of a segment", s, len);
	s[1].count = 0;
	segments_refused("schedule-set with a segment of no decision", s, sizeof(s));
	s[1] = (struct chess_segment){ 1, CHESS_MAX_TASKS };
	segments_refused("schedule-set with a task beyond the last", s, sizeof(s));
	s[1].task = CHESS_TASK_NONE;
	segments_refused("schedule-set with no task", s, sizeof(s));
	s[1].task = U32_MAX;
	segments_refused("schedule-set with the highest task", s, sizeof(s));
	EXPECT_TRUE(end_cat());
}

/* A schedule-set with this policy and one attribute more. */
static void begin_policy_with(uint32_t policy, unsigned int type, const void *data, size_t len)
{
	static const uint64_t seed = 1;

	message_begin(&req.message, CHESS_CMD_SCHEDULE_SET, 0);
	message_u32(&req.message, CHESS_A_SCHEDULE_GROUP, req.group);
	message_put(&req.message, CHESS_A_SCHEDULE_SEGMENTS, NULL, 0);
	message_u32(&req.message, CHESS_A_SCHEDULE_POLICY, policy);
	if (policy >= CHESS_POLICY_KIND_RANDOM && policy != CHESS_POLICY_KIND_HOLD)
		message_put(&req.message, CHESS_A_SCHEDULE_SEED, &seed, sizeof(seed));
	if (type)
		message_put(&req.message, type, data, len);
}

static void begin_policy(uint32_t policy, unsigned int type, size_t len)
{
	static const uint32_t none[CHESS_MAX_TASKS + 1], steps[] = { 0, 1, 0, 1, 1 };

	begin_policy_with(policy, type, policy == CHESS_POLICY_KIND_ORDER &&
			  len == sizeof(steps) ? steps : none, len);
}

TEST(data_of_another_policy)
{
	uint32_t policy;
	bool hold, order;

	set_up();
	for (policy = 0; policy <= CHESS_POLICY_KIND_MAX; policy++) {
		/* hold is nothing without accesses, which come in pairs; order needs two steps */
		hold = policy == CHESS_POLICY_KIND_HOLD;
		order = policy == CHESS_POLICY_KIND_ORDER;
		begin_policy(policy, hold || order ? CHESS_A_SCHEDULE_CHANGES : 0, hold ? 8 : 20);
		EXPECT_EQ(0, raw_talk(&req.raw, &req.message));
		if (hold || order) {
			begin_policy(policy, 0, 0);
			refused("hold or order without an access", EINVAL);
		}
		begin_policy(policy, CHESS_A_SCHEDULE_CHANGES, 4);
		if (policy == CHESS_POLICY_KIND_PCT)
			EXPECT_EQ(0, raw_talk(&req.raw, &req.message));
		else
			refused("change points without pct", EINVAL);
		begin_policy(policy, CHESS_A_SCHEDULE_WEIGHTS, 4);
		if (policy == CHESS_POLICY_KIND_SURW)
			EXPECT_EQ(0, raw_talk(&req.raw, &req.message));
		else
			refused("weights without surw", EINVAL);
		if (policy < CHESS_POLICY_KIND_RANDOM || hold) {
			begin_policy(policy, CHESS_A_SCHEDULE_SEED, 8);
			refused("a seed without chance", EINVAL);
		}
		begin_policy(policy, 0, 0);
		message_u32(&req.message, CHESS_A_SCHEDULE_FLAGS, CHESS_SCHEDULE_FLAGS_APPEND);
		refused("a policy with a part that is appended", EINVAL);
	}
	EXPECT_TRUE(end_cat());
}

static void refused_steps(enum chess_policy_kind policy, const char *what, const uint32_t *data,
			  size_t len)
{
	begin_policy_with(policy, CHESS_A_SCHEDULE_CHANGES, data, len);
	refused(what, EINVAL);
}

static void refused_order(const char *what, const uint32_t *data, size_t len)
{
	refused_steps(CHESS_POLICY_KIND_ORDER, what, data, len);
}

TEST(malformed_steps_of_an_order)
{
	static const uint32_t flag[] = { 2, 1, 0, 1, 1 }, role[] = { 0, 1, 0, 1, 4 };
	static const uint32_t place[] = { 0, 1, 0, 0, 1 };
	static const uint32_t steps[] = { 1, 1, 0, 1, 1, 1, 3, 1, 2, 1, 1 };
	size_t n;

	set_up();
	refused_order("an unknown flag", flag, sizeof(flag));
	refused_order("an unknown role", role, sizeof(role));
	refused_order("no place", place, sizeof(place));
	for (n = 0; n <= 11; n++)
		if (n != 5 && n != 7 && n != 9)
			refused_order("a number of words that is no list of steps", steps, 4 * n);
	refused_order("half a word", steps, 18);
	EXPECT_TRUE(end_cat());
}

TEST(malformed_pairs)
{
	static const uint32_t flag[] = { 1, 2, 2 }, no_write[] = { 0, 2, 0 };
	static const uint32_t no_read[] = { 1, 0, 0 };
	uint32_t pairs[3 * (CHESS_PAIRS_MAX + 1)];
	size_t n;

	set_up();
	for (n = 0; n < 3 * (CHESS_PAIRS_MAX + 1); n++)
		pairs[n] = n % 3 != 2;
	refused_steps(CHESS_POLICY_KIND_PAIRS, "an unknown flag", flag, sizeof(flag));
	refused_steps(CHESS_POLICY_KIND_PAIRS, "no write", no_write, sizeof(no_write));
	refused_steps(CHESS_POLICY_KIND_PAIRS, "no read", no_read, sizeof(no_read));
	refused_steps(CHESS_POLICY_KIND_PAIRS, "part of a pair", pairs, 20);
	refused_steps(CHESS_POLICY_KIND_PAIRS, "half a word", pairs, 10);
	refused_steps(CHESS_POLICY_KIND_PAIRS, "a pair too many", pairs, sizeof(pairs));
	EXPECT_TRUE(end_cat());
}

TEST(malformed_data_of_a_policy)
{
	static const uint32_t slice[] = { 0, 1 }, two[] = { 1, 1 };
	size_t len;

	set_up();
	refused_steps(CHESS_POLICY_KIND_ROUND_ROBIN, "a slice of no step", slice, 4);
	refused_steps(CHESS_POLICY_KIND_ROUND_ROBIN, "two slices", two, 8);
	refused_steps(CHESS_POLICY_KIND_ROUND_ROBIN, "part of a slice", two, 2);
	refused_steps(CHESS_POLICY_KIND_ROUND_ROBIN, "an empty slice", two, 0);
	begin_policy_with(CHESS_POLICY_KIND_ROUND_ROBIN, CHESS_A_SCHEDULE_CHANGES, two, 4);
	EXPECT_EQ(0, raw_talk(&req.raw, &req.message));
	for (len = 1; len < 4; len++) {
		begin_policy(CHESS_POLICY_KIND_PCT, CHESS_A_SCHEDULE_CHANGES, len);
		refused("part of a change point", EINVAL);
		begin_policy(CHESS_POLICY_KIND_SURW, CHESS_A_SCHEDULE_WEIGHTS, 4 + len);
		refused("part of a weight", EINVAL);
	}
	begin_policy(CHESS_POLICY_KIND_PCT, CHESS_A_SCHEDULE_CHANGES, 4 * CHESS_MAX_CHANGES);
	EXPECT_EQ(0, raw_talk(&req.raw, &req.message));
	begin_policy(CHESS_POLICY_KIND_PCT, CHESS_A_SCHEDULE_CHANGES, 4 * CHESS_MAX_CHANGES + 4);
	refused("a change point too many", EINVAL);
	begin_policy(CHESS_POLICY_KIND_SURW, CHESS_A_SCHEDULE_WEIGHTS, 4 * CHESS_MAX_TASKS);
	EXPECT_EQ(0, raw_talk(&req.raw, &req.message));
	begin_policy(CHESS_POLICY_KIND_SURW, CHESS_A_SCHEDULE_WEIGHTS, 4 * CHESS_MAX_TASKS + 4);
	refused("a weight too many", EINVAL);
	EXPECT_TRUE(end_cat());
}

static void seqs_refused(const char *what, const void *seqs, size_t len)
{
	const struct op *op = find_op(CHESS_CMD_RUN_START);

	begin_without(op, find_field(op, CHESS_A_RUN_STACK_SEQS));
	message_put(&req.message, CHESS_A_RUN_STACK_SEQS, seqs, len);
	refused(what, EINVAL);
}

TEST(malformed_stack_seqs)
{
	uint32_t many[CHESS_MAX_STACKS + 1];
	size_t i;

	set_up();
	for (i = 0; i <= CHESS_MAX_STACKS; i++)
		many[i] = i + 1;
	seqs_refused("run-start with 65 stacks", many, sizeof(many));
	for (i = 1; i < 12; i++)
		if (i % 4)
			seqs_refused("run-start with part of a number", many, i);
	seqs_refused("run-start with event zero", (uint32_t[]){ 0, 1 }, 8);
	seqs_refused("run-start with one event twice", (uint32_t[]){ 1, 3, 3 }, 12);
	seqs_refused("run-start with unsorted events", (uint32_t[]){ 1, 4, 3 }, 12);
	EXPECT_TRUE(end_cat());
}

TEST(run_from_a_process_that_is_not_kept)
{
	const struct op *op = find_op(CHESS_CMD_RUN_START);

	set_up();
	begin_without(op, find_field(op, CHESS_A_RUN_FLAGS));
	message_u32(&req.message, CHESS_A_RUN_FLAGS, CHESS_RUN_FLAGS_FROM_KEPT);
	refused("run-start from a process that is not kept", ENOENT);
	EXPECT_EQ((uint32_t)CHESS_GROUP_STATE_IDLE, group_state());
	EXPECT_TRUE(end_cat());
}

/* A search reads both after each run, and each buffer more takes a call. */
TEST(what_is_short_ends_in_its_buffer)
{
	set_up();
	EXPECT_EQ(0, raw_call(&req.raw, CHESS_CMD_ACCESS_GET, NLM_F_DUMP, CHESS_A_ACCESS_GROUP,
			      req.group));
	EXPECT_EQ(1U, req.raw.messages);
	EXPECT_EQ(1U, req.raw.datagrams);
	EXPECT_TRUE(end_cat());
}

TEST(nothing_left)
{
	EXPECT_TRUE(is_nothing_left());
}

TEST_HARNESS_MAIN

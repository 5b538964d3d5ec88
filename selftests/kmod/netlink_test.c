// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every operation of docs/netlink/specs/chess.yaml, asked wrongly: attributes
 * missing, out of range, of the wrong length or kind, unknown; bulk arrays that
 * are none; the wrong state, the wrong owner, the wrong file. Each must be
 * refused with the right error and a sentence, and change nothing. Needs root
 * and the module.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>

#include "../harness.h"
#include "module.h"
#include "raw.h"

#define U32_MAX 0xffffffffU
#define BINARY 1
#define FLAGS 2
#define FUZZ_MESSAGES 20000
#define FUZZ_SEED 0x9e3779b97f4a7c15ULL

/**
 * struct field - an attribute of a request
 * @type: its number
 * @kind: 0 for a u32 with a range, FLAGS, or BINARY
 * @required: the request is refused without it
 * @min: lowest value
 * @max: highest value, or all flags
 */
struct field {
	unsigned int type, kind;
	bool required;
	uint32_t min, max;
};

struct op {
	const char *name;
	unsigned int cmd, flags;
	struct field fields[4];
};

static const struct op ops[] = {
	{ "group-new", CHESS_CMD_GROUP_NEW, 0, {
		{ CHESS_A_GROUP_QUANTUM_US, 0, false, 1000, 60000000 },
		{ CHESS_A_GROUP_MAX_EVENTS, 0, false, 16, CHESS_MAX_EVENTS } } },
	{ "group-get", CHESS_CMD_GROUP_GET, 0, {
		{ CHESS_A_GROUP_ID, 0, true, 1, U32_MAX } } },
	{ "group-get dump", CHESS_CMD_GROUP_GET, NLM_F_DUMP, { { 0 } } },
	{ "group-del", CHESS_CMD_GROUP_DEL, 0, {
		{ CHESS_A_GROUP_ID, 0, true, 1, U32_MAX } } },
	{ "task-add", CHESS_CMD_TASK_ADD, 0, {
		{ CHESS_A_TASK_GROUP, 0, true, 1, U32_MAX },
		{ CHESS_A_TASK_PID, 0, true, 1, INT32_MAX } } },
	{ "task-get", CHESS_CMD_TASK_GET, NLM_F_DUMP, {
		{ CHESS_A_TASK_GROUP, 0, true, 1, U32_MAX } } },
	{ "probe-add", CHESS_CMD_PROBE_ADD, 0, {
		{ CHESS_A_PROBE_GROUP, 0, true, 1, U32_MAX },
		{ CHESS_A_PROBE_FD, 0, true, 0, INT32_MAX },
		{ CHESS_A_PROBE_ENTRIES, BINARY, true, 0, 0 } } },
	{ "schedule-set", CHESS_CMD_SCHEDULE_SET, 0, {
		{ CHESS_A_SCHEDULE_GROUP, 0, true, 1, U32_MAX },
		{ CHESS_A_SCHEDULE_FLAGS, FLAGS, false, 0, CHESS_SCHEDULE_FLAGS_APPEND },
		{ CHESS_A_SCHEDULE_SEGMENTS, BINARY, true, 0, 0 } } },
	{ "run-start", CHESS_CMD_RUN_START, 0, {
		{ CHESS_A_RUN_GROUP, 0, true, 1, U32_MAX },
		{ CHESS_A_RUN_FLAGS, FLAGS, false, 0,
		  CHESS_RUN_FLAGS_MAPS | CHESS_RUN_FLAGS_NO_SYSCALL_POINTS },
		{ CHESS_A_RUN_STACK_SEQS, BINARY, false, 0, 0 } } },
	{ "run-stop", CHESS_CMD_RUN_STOP, 0, {
		{ CHESS_A_RUN_GROUP, 0, true, 1, U32_MAX },
		{ CHESS_A_RUN_STOP_FLAGS, FLAGS, false, 0, CHESS_STOP_FLAGS_KILL } } },
	{ "record-get", CHESS_CMD_RECORD_GET, NLM_F_DUMP, {
		{ CHESS_A_RECORD_GROUP, 0, true, 1, U32_MAX } } },
};
#define N_OPS (sizeof(ops) / sizeof(ops[0]))
#define N_FIELDS 4

static struct raw r;
static uint32_t group;
static int file = -1;
static pid_t child;
static int child_in;
static struct message m;

static const struct chess_probe good_probe = {
	.offset = 0x1000, .id = 1, .op = CHESS_OP_LOCK, .object_arg = 1,
	.orig_len = 1, .slot_len = 12, .nfixups = 1, .orig = { 0x90 }, .slot = { 0x90 },
	.fixups = { { .kind = CHESS_FIXUP_ABS64, .pos = 4 } },
};
static const struct chess_segment good_segment = { .count = 1, .task = 0 };
static const uint32_t good_seqs[] = { 1, 2, 7 };

/* --- surroundings ------------------------------------------------------- */

/* A child that executes cat, once it is told to, and then waits for input. */
static void spawn_cat(void)
{
	int fd[2], ready[2];
	char c;

	ASSERT_EQ(0, pipe2(fd, O_CLOEXEC));
	ASSERT_EQ(0, pipe2(ready, O_CLOEXEC));
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		/* Else the group would outlive our socket. */
		close(r.fd);
		close(fd[1]);
		if (write(ready[1], "r", 1) != 1 || read(fd[0], &c, 1) != 1)
			_exit(1);
		dup2(fd[0], 0);
		execl("/bin/cat", "cat", NULL);
		_exit(127);
	}
	close(fd[0]);
	child_in = fd[1];
	ASSERT_EQ(1, read(ready[0], &c, 1));
	close(ready[0]);
	close(ready[1]);
}

static void end_cat(void)
{
	int status;

	close(child_in);
	EXPECT_EQ(child, waitpid(child, &status, 0));
	/* Ourselves, for those who look at its processors. */
	child = 0;
}

static void set_up(void)
{
	ASSERT_EQ(0, raw_open(&r));
	ASSERT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 4096));
	group = r.value[CHESS_A_GROUP_ID];
	ASSERT_LT(0U, group);
	file = open("/bin/cat", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, file);
	spawn_cat();
}

static uint32_t group_state(void)
{
	return raw_call(&r, CHESS_CMD_GROUP_GET, 0, CHESS_A_GROUP_ID, group) ?
		0 : r.value[CHESS_A_GROUP_STATE];
}

static bool wait_state(uint32_t state)
{
	struct timespec nap = { .tv_nsec = 5 * 1000 * 1000 };
	int i;

	for (i = 0; i < 4000 && group_state() != state; i++)
		nanosleep(&nap, NULL);
	return group_state() == state;
}

/* The value that makes the request a good one. */
static void put_good(const struct op *op, const struct field *f)
{
	switch (f->kind) {
	case BINARY:
		if (op->cmd == CHESS_CMD_PROBE_ADD)
			message_put(&m, f->type, &good_probe, sizeof(good_probe));
		else if (op->cmd == CHESS_CMD_SCHEDULE_SET)
			message_put(&m, f->type, &good_segment, sizeof(good_segment));
		else
			message_put(&m, f->type, good_seqs, sizeof(good_seqs));
		break;
	case FLAGS:
		message_u32(&m, f->type, f->max);
		break;
	default:
		if (op->cmd == CHESS_CMD_GROUP_NEW)
			message_u32(&m, f->type, f->min);
		else if (op->cmd == CHESS_CMD_TASK_ADD && f->type == CHESS_A_TASK_PID)
			message_u32(&m, f->type, child);
		else if (op->cmd == CHESS_CMD_PROBE_ADD && f->type == CHESS_A_PROBE_FD)
			message_u32(&m, f->type, file);
		else
			message_u32(&m, f->type, group);
	}
}

/* A good request but for @leave_out, which the caller may put wrongly. */
static void begin_without(const struct op *op, const struct field *leave_out)
{
	int i;

	message_begin(&m, op->cmd, op->flags);
	for (i = 0; i < N_FIELDS && op->fields[i].type; i++)
		if (&op->fields[i] != leave_out)
			put_good(op, &op->fields[i]);
}

struct snapshot {
	uint32_t value[32];
	int groups;
	cpu_set_t cpus;
};

static void take_snapshot(struct snapshot *s)
{
	char text[sizeof(r.text)];

	memset(s, 0, sizeof(*s));
	memcpy(text, r.text, sizeof(text));
	s->groups = raw_groups(&r);
	EXPECT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_GET, 0, CHESS_A_GROUP_ID, group));
	memcpy(s->value, r.value, sizeof(s->value));
	EXPECT_EQ(0, sched_getaffinity(child, sizeof(s->cpus), &s->cpus));
	memcpy(r.text, text, sizeof(text));
}

/* The message is refused with one of two errors, a sentence, and no effect. */
static void refused2(const char *what, int error, int other)
{
	struct snapshot before, after;
	int ret;

	take_snapshot(&before);
	ret = raw_talk(&r, &m);
	if (ret != -error && ret != -other) {
		TH_LOG("%s: expected -%d or -%d, seen %d \"%s\"", what, error, other, ret, r.text);
		EXPECT_EQ(-error, ret);
	}
	if (!r.text[0]) {
		TH_LOG("%s: refused with %d and no sentence", what, ret);
		EXPECT_TRUE(r.text[0]);
	}
	take_snapshot(&after);
	if (memcmp(&before, &after, sizeof(before))) {
		TH_LOG("%s: the refused request changed something", what);
		EXPECT_TRUE(false);
	}
}

static void refused(const char *what, int error)
{
	refused2(what, error, error);
}

static const struct op *find_op(unsigned int cmd)
{
	size_t i;

	for (i = 0; i < N_OPS; i++)
		if (ops[i].cmd == cmd)
			return &ops[i];
	abort();
}

static const struct field *find_field(const struct op *op, unsigned int type)
{
	int i;

	for (i = 0; i < N_FIELDS; i++)
		if (op->fields[i].type == type)
			return &op->fields[i];
	abort();
}

/* --- each attribute ----------------------------------------------------- */

static void wrong_values(const struct op *op, const struct field *f)
{
	char what[80];
	uint32_t bit;

	if (f->kind == FLAGS)
		for (bit = f->max + 1; bit; bit <<= 1) {
			snprintf(what, sizeof(what), "%s attribute %u flag %#x", op->name, f->type, bit);
			begin_without(op, f);
			message_u32(&m, f->type, f->max | bit);
			refused(what, EINVAL);
		}
	if (f->kind)
		return;
	if (f->min) {
		snprintf(what, sizeof(what), "%s attribute %u zero", op->name, f->type);
		begin_without(op, f);
		message_u32(&m, f->type, 0);
		refused(what, ERANGE);
		snprintf(what, sizeof(what), "%s attribute %u below its minimum", op->name, f->type);
		begin_without(op, f);
		message_u32(&m, f->type, f->min - 1);
		refused(what, ERANGE);
	}
	if (f->max != U32_MAX) {
		snprintf(what, sizeof(what), "%s attribute %u above its maximum", op->name, f->type);
		begin_without(op, f);
		message_u32(&m, f->type, f->max + 1);
		refused(what, ERANGE);
		begin_without(op, f);
		message_u32(&m, f->type, U32_MAX);
		refused(what, ERANGE);
	}
}

static void wrong_shapes(const struct op *op, const struct field *f)
{
	static const unsigned int u32_lengths[] = { 0, 1, 2, 3, 5, 8, 16 };
	static const uint64_t bytes[2] = { 0x0000000100000001ULL, 0x0000000100000001ULL };
	char what[80];
	size_t i;

	if (f->kind != BINARY)
		for (i = 0; i < sizeof(u32_lengths) / sizeof(u32_lengths[0]); i++) {
			snprintf(what, sizeof(what), "%s attribute %u of %u bytes", op->name,
				 f->type, u32_lengths[i]);
			begin_without(op, f);
			message_put(&m, f->type, bytes, u32_lengths[i]);
			refused2(what, EINVAL, ERANGE);
		}
	snprintf(what, sizeof(what), "%s attribute %u as text", op->name, f->type);
	begin_without(op, f);
	message_put(&m, f->type, "group one", 10);
	refused2(what, EINVAL, ERANGE);
	snprintf(what, sizeof(what), "%s attribute %u nested", op->name, f->type);
	begin_without(op, f);
	message_put(&m, f->type | NLA_F_NESTED, bytes, 4);
	refused(what, EINVAL);
}

static void truncated(const struct op *op)
{
	char what[80];
	struct nlattr *a;

	snprintf(what, sizeof(what), "%s with an attribute longer than the message", op->name);
	begin_without(op, NULL);
	message_u32(&m, 1, 1);
	a = (struct nlattr *)(m.bytes + m.len - NLA_HDRLEN - 4);
	a->nla_len = 400;
	refused(what, EINVAL);
	snprintf(what, sizeof(what), "%s with an attribute shorter than its header", op->name);
	begin_without(op, NULL);
	message_u32(&m, 1, 1);
	a = (struct nlattr *)(m.bytes + m.len - NLA_HDRLEN - 4);
	a->nla_len = 2;
	refused(what, EINVAL);
	snprintf(what, sizeof(what), "%s with three bytes too many", op->name);
	begin_without(op, NULL);
	m.len += 3;
	refused(what, EINVAL);
}

static void unknown(const struct op *op)
{
	char what[80];
	unsigned int type;
	int i;

	for (type = 0; type < 20; type++) {
		bool known = false;

		for (i = 0; i < N_FIELDS; i++)
			known |= type && op->fields[i].type == type;
		if (known)
			continue;
		snprintf(what, sizeof(what), "%s with unknown attribute %u", op->name, type);
		begin_without(op, NULL);
		message_u32(&m, type, 1);
		refused(what, EINVAL);
	}
}

TEST_TIMEOUT(attribute_missing, 300)
{
	char what[80];
	size_t i;
	int k;

	set_up();
	for (i = 0; i < N_OPS; i++)
		for (k = 0; k < N_FIELDS; k++) {
			if (!ops[i].fields[k].required)
				continue;
			snprintf(what, sizeof(what), "%s without attribute %u", ops[i].name,
				 ops[i].fields[k].type);
			begin_without(&ops[i], &ops[i].fields[k]);
			refused(what, EINVAL);
		}
	end_cat();
}

TEST_TIMEOUT(attribute_out_of_range, 300)
{
	size_t i;
	int k;

	set_up();
	for (i = 0; i < N_OPS; i++)
		for (k = 0; k < N_FIELDS && ops[i].fields[k].type; k++)
			wrong_values(&ops[i], &ops[i].fields[k]);
	end_cat();
}

TEST_TIMEOUT(attribute_of_wrong_shape, 300)
{
	size_t i;
	int k;

	set_up();
	for (i = 0; i < N_OPS; i++) {
		for (k = 0; k < N_FIELDS && ops[i].fields[k].type; k++)
			wrong_shapes(&ops[i], &ops[i].fields[k]);
		truncated(&ops[i]);
	}
	end_cat();
}

TEST_TIMEOUT(attribute_unknown, 300)
{
	size_t i;

	set_up();
	for (i = 0; i < N_OPS; i++)
		unknown(&ops[i]);
	end_cat();
}

/* --- whose group, and which --------------------------------------------- */

static void each_refused(const char *where, int error, bool owner_only)
{
	char what[80];
	size_t i;

	for (i = 0; i < N_OPS; i++) {
		const struct op *op = &ops[i];

		if (op->cmd == CHESS_CMD_GROUP_NEW || !op->fields[0].type)
			continue;
		/* Everyone who may see the group may look. */
		if (owner_only &&
		    (op->cmd == CHESS_CMD_GROUP_GET || op->cmd == CHESS_CMD_TASK_GET))
			continue;
		snprintf(what, sizeof(what), "%s %s", op->name, where);
		begin_without(op, NULL);
		if (raw_talk(&r, &m) != -error || !r.text[0]) {
			TH_LOG("%s: not refused with %d and a sentence, but \"%s\"", what, error,
			       r.text);
			EXPECT_TRUE(false);
		}
	}
}

TEST(unknown_group)
{
	uint32_t real;

	set_up();
	real = group;
	group = U32_MAX;
	each_refused("on an unknown group", ENOENT, false);
	group = real + 1;
	each_refused("on a group that is not there yet", ENOENT, false);
	end_cat();
}

TEST(deleted_group)
{
	set_up();
	ASSERT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_DEL, 0, CHESS_A_GROUP_ID, group));
	each_refused("on a deleted group", ENOENT, false);
	EXPECT_EQ(0, raw_groups(&r));
	end_cat();
}

TEST(group_of_another_socket)
{
	struct raw owner;
	int fd;

	set_up();
	owner = r;
	ASSERT_EQ(0, raw_open(&r));
	each_refused("on a group of another socket", EPERM, true);
	EXPECT_EQ((uint32_t)CHESS_GROUP_STATE_IDLE, group_state());
	fd = r.fd;
	r = owner;
	close(fd);
	/* Its closing ended nothing. */
	EXPECT_EQ((uint32_t)CHESS_GROUP_STATE_IDLE, group_state());
	end_cat();
}

/* --- bulk arrays and files ---------------------------------------------- */

static void probes_refused(const char *what, const void *probes, size_t len)
{
	const struct op *op = find_op(CHESS_CMD_PROBE_ADD);

	begin_without(op, find_field(op, CHESS_A_PROBE_ENTRIES));
	message_put(&m, CHESS_A_PROBE_ENTRIES, probes, len);
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
	BAD_PROBE(flags = 2);
	BAD_PROBE(flags = 0x80);
	BAD_PROBE(reserved = 1);
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
	end_cat();
}

static void file_refused(const char *what, int fd, int error)
{
	const struct op *op = find_op(CHESS_CMD_PROBE_ADD);

	begin_without(op, find_field(op, CHESS_A_PROBE_FD));
	message_u32(&m, CHESS_A_PROBE_FD, fd);
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
	ASSERT_EQ(0, raw_talk(&r, &m));
	refused("probe-add for a file twice", EEXIST);
	EXPECT_EQ(1U, (group_state(), r.value[CHESS_A_GROUP_PROBES]));
	end_cat();
}

static void segments_refused(const char *what, const void *segments, size_t len)
{
	const struct op *op = find_op(CHESS_CMD_SCHEDULE_SET);

	begin_without(op, find_field(op, CHESS_A_SCHEDULE_SEGMENTS));
	message_put(&m, CHESS_A_SCHEDULE_SEGMENTS, segments, len);
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
	end_cat();
}

static void seqs_refused(const char *what, const void *seqs, size_t len)
{
	const struct op *op = find_op(CHESS_CMD_RUN_START);

	begin_without(op, find_field(op, CHESS_A_RUN_STACK_SEQS));
	message_put(&m, CHESS_A_RUN_STACK_SEQS, seqs, len);
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
	end_cat();
}

/* --- the wrong state ---------------------------------------------------- */

static void good(unsigned int cmd)
{
	begin_without(find_op(cmd), NULL);
	if (raw_talk(&r, &m)) {
		TH_LOG("command %u was refused: %s", cmd, r.text);
		EXPECT_TRUE(false);
	}
}

static void bad(const char *what, unsigned int cmd, int error)
{
	begin_without(find_op(cmd), NULL);
	refused(what, error);
}

TEST(wrong_state_idle)
{
	set_up();
	bad("run-stop without a run", CHESS_CMD_RUN_STOP, ENOENT);
	good(CHESS_CMD_TASK_ADD);
	bad("task-add of the same task again", CHESS_CMD_TASK_ADD, EEXIST);
	end_cat();
}

TEST(second_task)
{
	pid_t first;
	int first_in;

	set_up();
	good(CHESS_CMD_TASK_ADD);
	first = child;
	first_in = child_in;
	spawn_cat();
	bad("task-add of a second task", CHESS_CMD_TASK_ADD, EBUSY);
	end_cat();
	child = first;
	child_in = first_in;
	end_cat();
}

TEST(task_of_another_group)
{
	uint32_t first;

	set_up();
	good(CHESS_CMD_TASK_ADD);
	first = group;
	ASSERT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 64));
	group = r.value[CHESS_A_GROUP_ID];
	ASSERT_NE(first, group);
	bad("task-add of another group's task", CHESS_CMD_TASK_ADD, EEXIST);
	end_cat();
}

TEST(no_such_task)
{
	const struct op *op = find_op(CHESS_CMD_TASK_ADD);

	set_up();
	begin_without(op, find_field(op, CHESS_A_TASK_PID));
	message_u32(&m, CHESS_A_TASK_PID, INT32_MAX);
	refused("task-add of a pid nobody has", ESRCH);
	/* kthreadd */
	begin_without(op, find_field(op, CHESS_A_TASK_PID));
	message_u32(&m, CHESS_A_TASK_PID, 2);
	refused("task-add of a kernel thread", EINVAL);
	end_cat();
}

TEST(wrong_state_armed)
{
	set_up();
	good(CHESS_CMD_RUN_START);
	bad("run-start while armed", CHESS_CMD_RUN_START, EBUSY);
	bad("schedule-set while armed", CHESS_CMD_SCHEDULE_SET, EBUSY);
	bad("probe-add while armed", CHESS_CMD_PROBE_ADD, EBUSY);
	good(CHESS_CMD_TASK_ADD);
	good(CHESS_CMD_RUN_STOP);
	EXPECT_TRUE(wait_state(CHESS_GROUP_STATE_IDLE));
	end_cat();
}

TEST(wrong_state_running)
{
	set_up();
	good(CHESS_CMD_TASK_ADD);
	good(CHESS_CMD_RUN_START);
	ASSERT_EQ(1, write(child_in, "x", 1));
	ASSERT_TRUE(wait_state(CHESS_GROUP_STATE_RUNNING));
	/* Wait until cat waits for input, so that nothing moves by itself. */
	while (group_state() && r.value[CHESS_A_GROUP_TASKS] == 1 &&
	       (raw_call(&r, CHESS_CMD_TASK_GET, NLM_F_DUMP, CHESS_A_TASK_GROUP, group),
		r.value[CHESS_A_TASK_STATE] != CHESS_TASK_STATE_BLOCKED))
		usleep(5000);
	bad("run-start while running", CHESS_CMD_RUN_START, EBUSY);
	bad("schedule-set while running", CHESS_CMD_SCHEDULE_SET, EBUSY);
	bad("probe-add while running", CHESS_CMD_PROBE_ADD, EBUSY);
	bad("task-add while running", CHESS_CMD_TASK_ADD, EBUSY);
	EXPECT_EQ(-EBUSY, module_unload() == -EWOULDBLOCK ? -EBUSY : module_unload());
	good(CHESS_CMD_RECORD_GET);
	end_cat();
	EXPECT_TRUE(wait_state(CHESS_GROUP_STATE_IDLE));
	bad("run-stop after the end", CHESS_CMD_RUN_STOP, ENOENT);
	good(CHESS_CMD_GROUP_DEL);
}

/* --- noise -------------------------------------------------------------- */

static uint64_t state_of_noise = FUZZ_SEED;

static uint32_t noise(uint32_t below)
{
	state_of_noise ^= state_of_noise << 13;
	state_of_noise ^= state_of_noise >> 7;
	state_of_noise ^= state_of_noise << 17;
	return (state_of_noise >> 11) % below;
}

/* Values that lead somewhere, else all would be refused at the door. */
static uint32_t noise_u32(void)
{
	switch (noise(8)) {
	case 0: return group;
	case 1: return group - noise(4);
	case 2: return child;
	case 3: return file;
	case 4: return noise(4);
	case 5: return 1U << noise(32);
	case 6: return noise(5000);
	default: return noise(U32_MAX);
	}
}

static void noise_attr(unsigned int cmd)
{
	uint32_t words[160];
	unsigned int type = noise(18), len = noise(4) ? 4 : noise(sizeof(words));
	const struct op *op;
	size_t i;

	if (cmd && cmd <= CHESS_CMD_RECORD_GET && noise(4)) {
		op = find_op(cmd);
		i = noise(N_FIELDS);
		if (op->fields[i].type && noise(8)) {
			put_good(op, &op->fields[i]);
			return;
		}
		type = op->fields[i].type;
	}
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		words[i] = noise_u32();
	if (!noise(6))
		len = 8 * noise(20);
	if (!noise(30))
		type |= NLA_F_NESTED;
	message_put(&m, type, words, len);
}

static void noise_message(void)
{
	unsigned int cmd = noise(14), n = noise(5);

	/* Groups cost memory. */
	if (cmd == CHESS_CMD_GROUP_NEW && noise(4))
		cmd = CHESS_CMD_RUN_START;
	message_begin(&m, cmd, noise(3) ? 0 : NLM_F_DUMP);
	if (cmd == CHESS_CMD_TASK_GET || cmd == CHESS_CMD_RECORD_GET)
		m.head.nlmsg_flags |= noise(8) ? NLM_F_DUMP : 0;
	while (n--)
		noise_attr(cmd);
	if (!noise(20))
		m.len -= noise(m.len - NLMSG_HDRLEN - GENL_HDRLEN + 1);
	if (!noise(50))
		((struct nlattr *)(m.bytes + NLMSG_HDRLEN + GENL_HDRLEN))->nla_len = noise(65536);
}

TEST_TIMEOUT(noise_of_messages, 550)
{
	int i, refusals = 0, accepted = 0;

	set_up();
	for (i = 0; i < FUZZ_MESSAGES; i++) {
		int ret;

		noise_message();
		ret = raw_talk(&r, &m);
		ASSERT_NE(-ETIMEDOUT, ret);
		if (ret < 0)
			refusals++;
		else
			accepted++;
		if (r.value[CHESS_A_GROUP_ID] && m.bytes[NLMSG_HDRLEN] == CHESS_CMD_GROUP_NEW && !ret)
			group = r.value[CHESS_A_GROUP_ID];
		if (i % 40 == 20 && write(child_in, "x", 1) != 1)
			break;
		if (i % 40 == 39) {
			kill(child, SIGKILL);
			end_cat();
			spawn_cat();
		}
		if (i % 200 == 199) {
			raw_close(&r);
			ASSERT_EQ(0, raw_open(&r));
			ASSERT_EQ(0, raw_groups(&r));
			ASSERT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS,
					      64));
			group = r.value[CHESS_A_GROUP_ID];
		}
	}
	printf("# %d messages of seed %#llx: %d accepted, %d refused\n", i,
	       (unsigned long long)FUZZ_SEED, accepted, refusals);
	EXPECT_EQ(FUZZ_MESSAGES, i);
	/* Both kinds, or the noise tests nothing. */
	EXPECT_LT(FUZZ_MESSAGES / 50, accepted);
	EXPECT_LT(FUZZ_MESSAGES / 50, refusals);
	raw_close(&r);
	kill(child, SIGKILL);
	end_cat();
}

/* --- at the end --------------------------------------------------------- */

TEST(nothing_left)
{
	unsigned int tries;

	ASSERT_EQ(0, raw_open(&r));
	EXPECT_EQ(0, raw_groups(&r));
	raw_close(&r);
	EXPECT_EQ(0, module_unload_soon(&tries));
	EXPECT_EQ(-ENOENT, raw_open(&r));
	EXPECT_EQ(0, module_load());
	ASSERT_EQ(0, raw_open(&r));
	EXPECT_EQ(0, raw_groups(&r));
}

TEST_HARNESS_MAIN

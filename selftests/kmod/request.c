// SPDX-License-Identifier: GPL-2.0-only
/*
 * See request.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "module.h"
#include "request.h"

const struct op ops[] = {
	{ "group-new", CHESS_CMD_GROUP_NEW, 0, {
		{ CHESS_A_GROUP_QUANTUM_US, NUMBER, false, 1000, 60000000 },
		{ CHESS_A_GROUP_MAX_EVENTS, NUMBER, false, 16, CHESS_MAX_EVENTS } } },
	{ "group-get", CHESS_CMD_GROUP_GET, 0, {
		{ CHESS_A_GROUP_ID, NUMBER, true, 1, U32_MAX } } },
	{ "group-get dump", CHESS_CMD_GROUP_GET, NLM_F_DUMP, { { 0 } } },
	{ "group-del", CHESS_CMD_GROUP_DEL, 0, {
		{ CHESS_A_GROUP_ID, NUMBER, true, 1, U32_MAX } } },
	{ "task-add", CHESS_CMD_TASK_ADD, 0, {
		{ CHESS_A_TASK_GROUP, NUMBER, true, 1, U32_MAX },
		{ CHESS_A_TASK_PID, NUMBER, true, 1, INT32_MAX } } },
	{ "task-get", CHESS_CMD_TASK_GET, NLM_F_DUMP, {
		{ CHESS_A_TASK_GROUP, NUMBER, true, 1, U32_MAX } } },
	{ "probe-add", CHESS_CMD_PROBE_ADD, 0, {
		{ CHESS_A_PROBE_GROUP, NUMBER, true, 1, U32_MAX },
		{ CHESS_A_PROBE_FD, NUMBER, true, 0, INT32_MAX },
		{ CHESS_A_PROBE_ENTRIES, BINARY, true, 0, 0 } } },
	{ "schedule-set", CHESS_CMD_SCHEDULE_SET, 0, {
		{ CHESS_A_SCHEDULE_GROUP, NUMBER, true, 1, U32_MAX },
		{ CHESS_A_SCHEDULE_FLAGS, FLAGS, false, 0, CHESS_SCHEDULE_FLAGS_APPEND },
		{ CHESS_A_SCHEDULE_SEGMENTS, BINARY, true, 0, 0 } } },
	{ "schedule-set with a policy", CHESS_CMD_SCHEDULE_SET, 0, {
		{ CHESS_A_SCHEDULE_GROUP, NUMBER, true, 1, U32_MAX },
		{ CHESS_A_SCHEDULE_SEGMENTS, BINARY, true, 0, 0 },
		{ CHESS_A_SCHEDULE_POLICY, NUMBER, true, 0, CHESS_POLICY_KIND_MAX },
		{ CHESS_A_SCHEDULE_SEED, NUMBER64, true, 0, 0 },
		{ CHESS_A_SCHEDULE_WEIGHTS, BINARY, false, 0, 0 },
		{ CHESS_A_SCHEDULE_OBJECT_KIND, NUMBER, true, 1, CHESS_OBJECT_SYSTEM },
		{ CHESS_A_SCHEDULE_OBJECT, NUMBER64, true, 0, 0 } } },
	{ "run-start", CHESS_CMD_RUN_START, 0, {
		{ CHESS_A_RUN_GROUP, NUMBER, true, 1, U32_MAX },
		{ CHESS_A_RUN_FLAGS, FLAGS, false, 0,
		  CHESS_RUN_FLAGS_MAPS | CHESS_RUN_FLAGS_NO_SYSCALL_POINTS |
		  CHESS_RUN_FLAGS_VIRTUAL_TIME | CHESS_RUN_FLAGS_FIXED_RANDOM |
		  CHESS_RUN_FLAGS_YIELD_TRYLOCK | CHESS_RUN_FLAGS_EARLY_TIMERS |
		  CHESS_RUN_FLAGS_NO_EARLY | CHESS_RUN_FLAGS_LATE_WATCHDOGS |
		  CHESS_RUN_FLAGS_WAKE_ANY | CHESS_RUN_FLAGS_NO_WATCHDOGS |
		  CHESS_RUN_FLAGS_SPURIOUS | CHESS_RUN_FLAGS_SPLIT_UPDATES |
		  CHESS_RUN_FLAGS_LATE_LIMITS | CHESS_RUN_FLAGS_LONG_ROWS |
		  CHESS_RUN_FLAGS_YIELD_AWAIT | CHESS_RUN_FLAGS_FROM_KEPT |
		  CHESS_RUN_FLAGS_FAST_POINTS | CHESS_RUN_FLAGS_SPLIT_COPIES |
		  CHESS_RUN_FLAGS_MORE_CALLS },
		{ CHESS_A_RUN_STACK_SEQS, BINARY, false, 0, 0 },
		{ CHESS_A_RUN_FAIR, NUMBER, false, 0, U32_MAX },
		{ CHESS_A_RUN_MAX_ACCESSES, NUMBER, false, 1, CHESS_MAX_ACCESSES },
		{ CHESS_A_RUN_EARLY_MAX, NUMBER, false, 1, U32_MAX },
		{ CHESS_A_RUN_LATE_PROGRAMS, TEXT, false, 0, 127 },
		{ CHESS_A_RUN_KEEP_AT, NUMBER, false, 1, U32_MAX } } },
	{ "run-stop", CHESS_CMD_RUN_STOP, 0, {
		{ CHESS_A_RUN_GROUP, NUMBER, true, 1, U32_MAX },
		{ CHESS_A_RUN_STOP_FLAGS, FLAGS, false, 0, CHESS_STOP_FLAGS_KILL } } },
	{ "record-get", CHESS_CMD_RECORD_GET, NLM_F_DUMP, {
		{ CHESS_A_RECORD_GROUP, NUMBER, true, 1, U32_MAX } } },
	{ "points-set", CHESS_CMD_POINTS_SET, 0, {
		{ CHESS_A_ACCESS_GROUP, NUMBER, true, 1, U32_MAX },
		{ CHESS_A_ACCESS_POINTS, BINARY, true, 0, 0 } } },
	{ "access-get", CHESS_CMD_ACCESS_GET, NLM_F_DUMP, {
		{ CHESS_A_ACCESS_GROUP, NUMBER, true, 1, U32_MAX } } },
};
const unsigned int n_ops = sizeof(ops) / sizeof(ops[0]);

struct surroundings req = { .file = -1 };

const struct chess_probe good_probe = {
	.offset = 0x1000, .id = 1, .op = CHESS_OP_LOCK, .object_arg = 1,
	.orig_len = 1, .slot_len = 12, .nfixups = 1, .orig = { 0x90 }, .slot = { 0x90 },
	.fixups = { { .kind = CHESS_FIXUP_ABS64, .pos = 4 } },
};
const struct chess_segment good_segment = { .count = 1, .task = 0 };
static const uint32_t good_seqs[] = { 1, 2, 7 };
static const uint64_t good_number = 1;

static void need(bool good, const char *what)
{
	if (good)
		return;
	printf("# %s: %s\n", what, strerror(errno));
	fflush(NULL);
	_exit(1);
}

void spawn_cat(void)
{
	int fd[2], ready[2];
	char c;

	need(!pipe2(fd, O_CLOEXEC) && !pipe2(ready, O_CLOEXEC), "pipe");
	req.child = fork();
	need(req.child >= 0, "fork");
	if (!req.child) {
		/* Else the group would outlive our socket. */
		close(req.raw.fd);
		close(fd[1]);
		if (write(ready[1], "r", 1) != 1 || read(fd[0], &c, 1) != 1)
			_exit(1);
		dup2(fd[0], 0);
		execl("/bin/cat", "cat", NULL);
		_exit(127);
	}
	close(fd[0]);
	req.child_in = fd[1];
	need(read(ready[0], &c, 1) == 1, "the child is not ready");
	close(ready[0]);
	close(ready[1]);
}

bool end_cat(void)
{
	pid_t pid = req.child;
	int status;

	close(req.child_in);
	/* Ourselves, for those who look at its processors. */
	req.child = 0;
	return waitpid(pid, &status, 0) == pid;
}

void set_up(void)
{
	need(!raw_open(&req.raw), "no family chess");
	need(!raw_call(&req.raw, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 4096) &&
	     req.raw.value[CHESS_A_GROUP_ID], "group-new");
	req.group = req.raw.value[CHESS_A_GROUP_ID];
	req.file = open("/bin/cat", O_RDONLY | O_CLOEXEC);
	need(req.file >= 0, "/bin/cat");
	spawn_cat();
}

uint32_t group_state(void)
{
	return raw_call(&req.raw, CHESS_CMD_GROUP_GET, 0, CHESS_A_GROUP_ID, req.group) ?
		0 : req.raw.value[CHESS_A_GROUP_STATE];
}

bool wait_state(uint32_t state)
{
	struct timespec nap = { .tv_nsec = 5 * 1000 * 1000 };
	int i;

	for (i = 0; i < 4000 && group_state() != state; i++)
		nanosleep(&nap, NULL);
	return group_state() == state;
}

void put_good(const struct op *op, const struct field *f)
{
	switch (f->kind) {
	case BINARY:
		if (op->cmd == CHESS_CMD_PROBE_ADD)
			message_put(&req.message, f->type, &good_probe, sizeof(good_probe));
		else if (op->cmd == CHESS_CMD_SCHEDULE_SET)
			message_put(&req.message, f->type, &good_segment, sizeof(good_segment));
		else if (op->cmd == CHESS_CMD_POINTS_SET)
			message_put(&req.message, f->type, &good_number, sizeof(good_number));
		else
			message_put(&req.message, f->type, good_seqs, sizeof(good_seqs));
		break;
	case FLAGS:
		/* No process is kept here. */
		message_u32(&req.message, f->type, op->cmd != CHESS_CMD_RUN_START ? f->max :
						   f->max & ~CHESS_RUN_FLAGS_FROM_KEPT);
		break;
	case TEXT:
		message_put(&req.message, f->type, "make", sizeof("make"));
		break;
	case NUMBER64:
		message_put(&req.message, f->type, &good_number, sizeof(good_number));
		break;
	default:
		if (op->cmd == CHESS_CMD_GROUP_NEW)
			message_u32(&req.message, f->type, f->min);
		else if (op->cmd == CHESS_CMD_TASK_ADD && f->type == CHESS_A_TASK_PID)
			message_u32(&req.message, f->type, req.child);
		else if (op->cmd == CHESS_CMD_PROBE_ADD && f->type == CHESS_A_PROBE_FD)
			message_u32(&req.message, f->type, req.file);
		else if (op->cmd == CHESS_CMD_SCHEDULE_SET && f->type == CHESS_A_SCHEDULE_POLICY)
			message_u32(&req.message, f->type, CHESS_POLICY_KIND_SURW);
		else if (op->cmd == CHESS_CMD_SCHEDULE_SET &&
			 f->type == CHESS_A_SCHEDULE_OBJECT_KIND)
			message_u32(&req.message, f->type, CHESS_OBJECT_ADDRESS);
		else if (op->cmd == CHESS_CMD_RUN_START && f->type == CHESS_A_RUN_MAX_ACCESSES)
			message_u32(&req.message, f->type, 16);
		else
			message_u32(&req.message, f->type, req.group);
	}
}

void begin_without(const struct op *op, const struct field *leave_out)
{
	int i;

	message_begin(&req.message, op->cmd, op->flags);
	for (i = 0; i < N_FIELDS && op->fields[i].type; i++)
		if (&op->fields[i] != leave_out)
			put_good(op, &op->fields[i]);
}

const struct op *find_op(unsigned int cmd)
{
	unsigned int i;

	for (i = 0; i < n_ops; i++)
		if (ops[i].cmd == cmd)
			return &ops[i];
	abort();
}

const struct field *find_field(const struct op *op, unsigned int type)
{
	int i;

	for (i = 0; i < N_FIELDS; i++)
		if (op->fields[i].type == type)
			return &op->fields[i];
	abort();
}

struct snapshot {
	uint32_t value[32];
	int groups;
	cpu_set_t cpus;
};

static bool take_snapshot(struct snapshot *s)
{
	char text[sizeof(req.raw.text)];
	bool good;

	memset(s, 0, sizeof(*s));
	memcpy(text, req.raw.text, sizeof(text));
	s->groups = raw_groups(&req.raw);
	good = !raw_call(&req.raw, CHESS_CMD_GROUP_GET, 0, CHESS_A_GROUP_ID, req.group);
	memcpy(s->value, req.raw.value, sizeof(s->value));
	good &= !sched_getaffinity(req.child, sizeof(s->cpus), &s->cpus);
	memcpy(req.raw.text, text, sizeof(text));
	return good;
}

bool is_refused(const char *what, int error, int other)
{
	struct snapshot before, after;
	bool good = true;
	int ret;

	if (!take_snapshot(&before))
		return false;
	ret = raw_talk(&req.raw, &req.message);
	if (ret != -error && ret != -other) {
		printf("# %s: expected -%d or -%d, seen %d \"%s\"\n", what, error, other, ret,
		       req.raw.text);
		good = false;
	}
	if (!req.raw.text[0]) {
		printf("# %s: refused with %d and no sentence\n", what, ret);
		good = false;
	}
	if (!take_snapshot(&after) || memcmp(&before, &after, sizeof(before))) {
		printf("# %s: the refused request changed something\n", what);
		good = false;
	}
	return good;
}

static int count_groups(void)
{
	struct raw r;
	int n;

	need(!raw_open(&r), "no family chess");
	n = raw_groups(&r);
	raw_close(&r);
	return n;
}

bool is_nothing_left(void)
{
	int groups = count_groups(), ret;
	unsigned int tries;
	struct raw r;

	if (groups)
		printf("# %d groups are left\n", groups);
	ret = module_unload_soon(&tries);
	if (ret) {
		printf("# the module cannot be unloaded: %d\n", ret);
		return false;
	}
	if (raw_open(&r) != -ENOENT || module_load())
		return false;
	return !groups && !count_groups();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what processes that have their memory to themselves do to each other, in the eyes of the
 * reductions: nothing by functions, accesses and look-ups of paths; something by pipes, by
 * their ends, by making and removing names, and by what is unknown. And when a process does not
 * count as one that has its memory to itself. Task 0 has created tasks 1 and 2.
 */
#include <fcntl.h>
#include <linux/chess_record.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/depend.h"
#include "internal.h"
#include "../harness.h"

/* Inodes of the record. */
enum { PIPE = 1, PLAIN, NODE, SOCKET, PIPE_2 };

static struct chess_event call(unsigned int nr, unsigned int op, unsigned int flags)
{
	return (struct chess_event) {
		.type = CHESS_EVENT_POINT, .nr = nr, .op = op, .flags = flags,
	};
}

static struct chess_event on(struct chess_event e, uint8_t kind, uint64_t object)
{
	e.object_kind = kind;
	e.object = object;
	return e;
}

static struct chess_event with(struct chess_event e, uint64_t arg)
{
	e.arg = arg;
	return e;
}

static struct chess_event of(unsigned int task, struct chess_event e)
{
	e.task = task;
	return e;
}

#define W		CHESS_OPF_WRITE
#define FUNCTION(op)	on(call(1, op, W | CHESS_OPF_PROBE), CHESS_OBJECT_ADDRESS, 0x4000)
#define OPEN(flags)	with(call(SYS_openat, CHESS_OP_OPEN, W), flags)
#define STAT		call(SYS_newfstatat, CHESS_OP_FILE, 0)
#define FSTAT(inode)	with(STAT, CHESS_ARG_EMPTY_PATH | (inode))
#define READ(inode)	on(call(SYS_read, CHESS_OP_READ, W), CHESS_OBJECT_INODE, inode)
#define WRITE(inode)	on(call(SYS_write, CHESS_OP_WRITE, W), CHESS_OBJECT_INODE, inode)
#define CLOSE(inode)	on(call(SYS_close, CHESS_OP_CLOSE, W), CHESS_OBJECT_INODE, inode)
#define DUP2(inode)	with(on(call(SYS_dup2, CHESS_OP_CLOSE, W), CHESS_OBJECT_INODE, PIPE), inode)
#define FORK		call(0, CHESS_OP_CREATE, W | CHESS_OPF_PROBE)
#define EXEC		call(SYS_execve, CHESS_OP_EXEC, W)
#define EXIT		call(SYS_exit_group, CHESS_OP_EXIT, W)
#define WAIT		on(call(SYS_wait4, CHESS_OP_WAIT_CHILD, W), CHESS_OBJECT_PID, -1)
#define PARENT		call(SYS_getppid, CHESS_OP_WAIT_CHILD, 0)
#define ACTION		on(call(SYS_rt_sigaction, CHESS_OP_SIGNAL, W), CHESS_OBJECT_KEY, SIGCHLD)
#define KILL		on(call(SYS_kill, CHESS_OP_SIGNAL, W | CHESS_OPF_RELEASE), \
			   CHESS_OBJECT_TASK, 1)
#define MKDIR		call(SYS_mkdir, CHESS_OP_FILE, W)
#define LIMIT		on(call(SYS_prlimit64, CHESS_OP_OTHER, W), CHESS_OBJECT_PID, 0)
#define PIPE2		call(SYS_pipe2, CHESS_OP_OPEN, W)
#define THREAD		FUNCTION(CHESS_OP_CREATE)
#define VFORK		call(SYS_vfork, CHESS_OP_FORK, W | CHESS_OPF_MAY_BLOCK)

FIXTURE(apart) {
	struct chess_record *r;
	struct chess_depend d;
};

static void spawn(struct chess_depend *d, unsigned int by, unsigned int task, uint64_t arg)
{
	struct chess_event e = {
		.type = CHESS_EVENT_SPAWN, .task = by, .object_kind = CHESS_OBJECT_TASK,
		.object = task, .arg = arg,
	};

	ASSERT_EQ(0, chess_depend_spawn(d, &e));
}

static struct chess_op read_op(struct chess_depend *d, const struct chess_record *r,
			       struct chess_event e)
{
	struct chess_op op;

	ASSERT_EQ(0, chess_depend_op(d, r, &e, &op));
	return op;
}

FIXTURE_SETUP(apart)
{
	const struct chess_object_name names[] = {
		{ .ino = 1, .dev = CHESS_DEVICE_NAMELESS }, { .ino = 2, .dev = CHESS_DEVICE_PLAIN },
		{ .ino = 3, .dev = CHESS_DEVICE_NODES }, { .ino = 4, .dev = CHESS_DEVICE_OTHER },
		{ .ino = 5, .dev = CHESS_DEVICE_NAMELESS },
	};

	self->r = chess_record_new();
	ASSERT_EQ(0, chess_record_set_objects(self->r, names, sizeof(names)));
	chess_depend_init(&self->d, true);
	read_op(&self->d, self->r, FORK);
	spawn(&self->d, 0, 1, CHESS_SPAWN_APART);
	read_op(&self->d, self->r, FORK);
	spawn(&self->d, 0, 2, CHESS_SPAWN_APART);
}

FIXTURE_TEARDOWN(apart)
{
	chess_depend_free(&self->d);
	chess_record_free(self->r);
}

static bool depend(struct chess_depend *d, const struct chess_record *r, struct chess_event a,
		   struct chess_event b)
{
	struct chess_op x = read_op(d, r, a), y = read_op(d, r, b);
	bool answer = chess_ops_depend(&x, &y);

	EXPECT_EQ(answer, chess_ops_depend(&y, &x));
	return answer;
}

/* Of tasks 1 and 2. */
#define BOTH(a, b)	depend(&self->d, self->r, of(1, a), of(2, b))

TEST_F(apart, what_a_process_has_to_itself_matters_to_no_other)
{
	const struct chess_event quiet[] = {
		FUNCTION(CHESS_OP_LOCK), FUNCTION(CHESS_OP_ONCE), FUNCTION(CHESS_OP_STORE),
		with(FUNCTION(CHESS_OP_STORE), 100), call(1, CHESS_OP_OTHER, W | CHESS_OPF_PROBE),
		OPEN(O_RDONLY | O_CLOEXEC), OPEN(O_DIRECTORY | O_NONBLOCK | O_CLOEXEC), STAT,
		call(SYS_access, CHESS_OP_FILE, 0), ACTION,
		CLOSE(PLAIN), CLOSE(NODE), DUP2(0), DUP2(PLAIN), DUP2(NODE), LIMIT, PIPE2,
		on(call(SYS_close, CHESS_OP_CLOSE, W), CHESS_OBJECT_FD, UINT32_MAX),
		with(call(SYS_fcntl, CHESS_OP_FLOCK, W), F_DUPFD),
	};
	const struct chess_event others[] = {
		READ(PLAIN), FSTAT(PLAIN), WRITE(PIPE), CLOSE(PIPE), FORK, EXEC, EXIT, WAIT, PARENT,
	};
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(quiet); i++) {
		for (k = 0; k < ARRAY_SIZE(quiet); k++)
			EXPECT_FALSE(BOTH(quiet[i], quiet[k]));
		for (k = 0; k < ARRAY_SIZE(others); k++)
			EXPECT_FALSE(BOTH(quiet[i], others[k]));
	}
	EXPECT_FALSE(chess_depend_hides(&self->d, 1));
}

TEST_F(apart, pipes_names_and_numbers_are_common)
{
	EXPECT_TRUE(BOTH(WRITE(PIPE), READ(PIPE)));
	EXPECT_TRUE(BOTH(WRITE(PIPE), CLOSE(PIPE)));
	EXPECT_TRUE(BOTH(WRITE(PIPE), DUP2(PIPE)));
	EXPECT_TRUE(BOTH(WRITE(PIPE), FSTAT(PIPE)));
	EXPECT_FALSE(BOTH(WRITE(PIPE), READ(PIPE_2)));
	EXPECT_FALSE(BOTH(FSTAT(PIPE), FSTAT(PIPE)));
	/* The position of a file that both have open. */
	EXPECT_TRUE(BOTH(READ(PLAIN), READ(PLAIN)));
	EXPECT_FALSE(BOTH(FSTAT(PLAIN), FSTAT(PLAIN)));
	EXPECT_TRUE(BOTH(FORK, FORK));
	EXPECT_TRUE(BOTH(VFORK, FORK));
	EXPECT_FALSE(BOTH(VFORK, STAT));
	EXPECT_TRUE(BOTH(MKDIR, STAT));
	EXPECT_TRUE(BOTH(OPEN(O_WRONLY | O_CREAT), STAT));
	EXPECT_TRUE(BOTH(KILL, FUNCTION(CHESS_OP_LOCK)));
}

TEST_F(apart, what_is_unknown_depends_on_everything)
{
	const struct chess_event any[] = {
		with(STAT, CHESS_ARG_OTHER), OPEN(CHESS_ARG_OTHER), DUP2(CHESS_ARG_OTHER),
		READ(SOCKET), CLOSE(SOCKET), call(SYS_ioctl, CHESS_OP_FILE, W),
		on(call(SYS_close, CHESS_OP_CLOSE, W), CHESS_OBJECT_FD, 5),
		with(call(SYS_fcntl, CHESS_OP_FLOCK, W), F_SETLK),
		on(call(SYS_prlimit64, CHESS_OP_OTHER, W), CHESS_OBJECT_TASK, 2),
		call(0, CHESS_OP_EXIT, W | CHESS_OPF_PROBE),
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(any); i++)
		EXPECT_TRUE(BOTH(any[i], STAT));
}

TEST_F(apart, an_end_is_seen_by_creators_and_by_pipes)
{
	EXPECT_TRUE(BOTH(EXIT, EXIT));
	EXPECT_TRUE(BOTH(EXIT, WAIT));
	EXPECT_TRUE(BOTH(EXIT, PARENT));
	EXPECT_TRUE(BOTH(EXIT, READ(PIPE)));
	EXPECT_FALSE(BOTH(EXIT, READ(PLAIN)));
	EXPECT_FALSE(BOTH(EXIT, FUNCTION(CHESS_OP_LOCK)));
	/* A handler may run there. */
	EXPECT_TRUE(depend(&self->d, self->r, of(1, EXIT), of(0, FUNCTION(CHESS_OP_LOCK))));
	EXPECT_TRUE(depend(&self->d, self->r, of(1, EXIT), of(0, WAIT)));
	EXPECT_TRUE(BOTH(EXEC, READ(PIPE)));
	EXPECT_FALSE(BOTH(EXEC, READ(PLAIN)));
	EXPECT_FALSE(depend(&self->d, self->r, of(1, EXEC), of(0, WAIT)));
}

/* They close their descriptors, which those of a process with threads notice, too. */
TEST_F(apart, ends_and_programs_close_pipes_of_threads)
{
	read_op(&self->d, self->r, of(1, THREAD));
	spawn(&self->d, 1, 3, 0x7f0000);
	EXPECT_FALSE(chess_is_apart(&self->d, 3));
	EXPECT_TRUE(depend(&self->d, self->r, of(3, WRITE(PIPE)), of(2, EXIT)));
	EXPECT_TRUE(depend(&self->d, self->r, of(3, READ(PIPE)), of(2, EXEC)));
	EXPECT_FALSE(depend(&self->d, self->r, of(3, READ(PLAIN)), of(2, EXIT)));
	EXPECT_FALSE(depend(&self->d, self->r, of(3, WRITE(PIPE)), of(2, READ(PIPE_2))));
	EXPECT_TRUE(depend(&self->d, self->r, of(3, WRITE(PIPE)), of(2, READ(PIPE))));
}

TEST_F(apart, an_end_may_concern_more)
{
	struct chess_op op;

	/* Others inherit its children; itself it is inherited. */
	read_op(&self->d, self->r, of(1, FORK));
	spawn(&self->d, 1, 3, CHESS_SPAWN_APART);
	op = read_op(&self->d, self->r, of(1, EXIT));
	EXPECT_EQ(CHESS_OP_ON_ALL, op.kind);
	EXPECT_TRUE(chess_apart_ended(&self->d, 1));
	op = read_op(&self->d, self->r, of(3, EXIT));
	EXPECT_EQ(CHESS_OP_ON_ALL, op.kind);
	op = read_op(&self->d, self->r, of(2, EXIT));
	EXPECT_EQ(CHESS_OP_ON_OBJECTS, op.kind);
	read_op(&self->d, self->r, of(2, call(SYS_setpgid, CHESS_OP_OTHER, W)));
	op = read_op(&self->d, self->r, of(2, EXIT));
	EXPECT_EQ(CHESS_OP_ON_ALL, op.kind);
}

TEST_F(apart, a_signal_to_a_child_at_an_end_is_known)
{
	struct chess_op op;

	read_op(&self->d, self->r, of(2, on(call(SYS_prctl, CHESS_OP_OTHER, W), CHESS_OBJECT_KEY,
					   PR_SET_PDEATHSIG)));
	op = read_op(&self->d, self->r, of(1, EXIT));
	EXPECT_EQ(CHESS_OP_ON_ALL, op.kind);
}

TEST_F(apart, a_death_by_a_signal_is_no_end_by_an_op)
{
	read_op(&self->d, self->r, of(1, WRITE(PIPE)));
	EXPECT_FALSE(chess_apart_ended(&self->d, 1));
	read_op(&self->d, self->r, of(2, EXIT));
	EXPECT_TRUE(chess_apart_ended(&self->d, 2));
}

/* By a path, and in a mapping, where an access may be any step. */
TEST_F(apart, a_write_to_a_file_is_seen_by_all)
{
	struct chess_op before = read_op(&self->d, self->r, of(1, STAT));
	struct chess_op first = read_op(&self->d, self->r, of(2, WRITE(PLAIN)));
	struct chess_op after = read_op(&self->d, self->r, of(1, STAT));
	struct chess_op second = read_op(&self->d, self->r, of(2, WRITE(PLAIN)));

	EXPECT_TRUE(chess_ops_depend(&before, &first));
	EXPECT_TRUE(chess_ops_depend(&first, &after));
	EXPECT_TRUE(chess_ops_depend(&after, &second));
	EXPECT_TRUE(BOTH(WRITE(PLAIN), FUNCTION(CHESS_OP_LOAD)));
	EXPECT_TRUE(BOTH(on(call(SYS_ftruncate, CHESS_OP_FILE, W), CHESS_OBJECT_INODE, PLAIN),
			 FUNCTION(CHESS_OP_LOCK)));
	/* Also by a task that has threads beside it. */
	read_op(&self->d, self->r, of(1, THREAD));
	spawn(&self->d, 1, 3, 0x7f0000);
	EXPECT_FALSE(chess_is_apart(&self->d, 1));
	EXPECT_TRUE(BOTH(WRITE(PLAIN), STAT));
	self->d.task[1].threads = false;
	/* What does not concern the file is as before. */
	EXPECT_FALSE(chess_ops_depend(&before, &after));
	EXPECT_TRUE(chess_is_apart(&self->d, 1));
	EXPECT_TRUE(chess_is_apart(&self->d, 2));
}

TEST_F(apart, a_program_that_is_open_to_be_written_is_not_executed)
{
	EXPECT_FALSE(BOTH(EXEC, CLOSE(PLAIN)));
	read_op(&self->d, self->r, of(1, OPEN(O_WRONLY)));
	EXPECT_TRUE(BOTH(EXEC, CLOSE(PLAIN)));
	self->d.writers = false;
	read_op(&self->d, self->r, of(1, call(SYS_creat, CHESS_OP_OPEN, W)));
	EXPECT_TRUE(BOTH(EXEC, CLOSE(PLAIN)));
}

TEST_F(apart, memory_may_be_shared_later)
{
	const struct chess_event shares[] = {
		OPEN(O_RDWR), OPEN(O_NONBLOCK), OPEN(O_TMPFILE | O_RDWR),
		OPEN(O_TMPFILE | O_WRONLY | O_NONBLOCK), call(SYS_openat2, CHESS_OP_OPEN, W),
		call(SYS_memfd_create, CHESS_OP_OPEN, W), call(SYS_recvmsg, CHESS_OP_SOCKET, W),
		call(SYS_shmget, CHESS_OP_IPC, W), call(SYS_io_uring_setup, CHESS_OP_OTHER, W),
		call(SYS_mknod, CHESS_OP_OTHER, W), call(SYS_ptrace, CHESS_OP_WAIT_CHILD, W),
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(shares); i++) {
		self->d.shares = false;
		EXPECT_TRUE(chess_is_apart(&self->d, 1));
		read_op(&self->d, self->r, of(2, shares[i]));
		EXPECT_FALSE(chess_is_apart(&self->d, 1));
	}
}

TEST_F(apart, what_a_new_process_shares_is_known)
{
	/* Threads have things in common. */
	read_op(&self->d, self->r, of(1, THREAD));
	spawn(&self->d, 1, 3, 0x7f0000);
	EXPECT_FALSE(chess_is_apart(&self->d, 1));
	EXPECT_FALSE(chess_is_apart(&self->d, 3));
	EXPECT_TRUE(chess_is_apart(&self->d, 2));
	/* Their child has their memory until it executes a program. */
	spawn(&self->d, 3, 4, CHESS_SPAWN_BORROWS);
	EXPECT_FALSE(chess_is_apart(&self->d, 4));
	chess_apart_executed(&self->d, 4);
	EXPECT_TRUE(chess_is_apart(&self->d, 4));
	/* That of a process with one thread has it for itself. */
	spawn(&self->d, 2, 5, CHESS_SPAWN_BORROWS);
	EXPECT_TRUE(chess_is_apart(&self->d, 5));
	/* It lets its creator go on, which waits in that call. */
	EXPECT_TRUE(depend(&self->d, self->r, of(2, VFORK), of(5, EXEC)));
	EXPECT_TRUE(depend(&self->d, self->r, of(2, STAT), of(5, EXEC)));
	EXPECT_FALSE(depend(&self->d, self->r, of(0, STAT), of(5, EXEC)));
	EXPECT_TRUE(depend(&self->d, self->r, of(0, WRITE(PIPE)), of(5, EXEC)));
	EXPECT_EQ(CHESS_OP_ON_ALL, read_op(&self->d, self->r, of(5, EXIT)).kind);
	chess_apart_executed(&self->d, 5);
	EXPECT_FALSE(depend(&self->d, self->r, of(2, STAT), of(5, EXEC)));
	/* It is not known what this one shares, and with whom. */
	spawn(&self->d, 2, 6, 0);
	EXPECT_FALSE(chess_is_apart(&self->d, 1));
	EXPECT_FALSE(chess_is_apart(&self->d, 4));
	EXPECT_FALSE(chess_is_apart(&self->d, 6));
}

/* A signal may have stopped it, and its creator waits for that. */
TEST_F(apart, a_wait_that_an_op_does_not_explain_is_noticed)
{
	read_op(&self->d, self->r, of(1, STAT));
	EXPECT_TRUE(chess_apart_blocked(&self->d, 1));
	read_op(&self->d, self->r, of(1, READ(PIPE)));
	EXPECT_FALSE(chess_apart_blocked(&self->d, 1));
	EXPECT_TRUE(chess_apart_blocked(&self->d, 1));
	read_op(&self->d, self->r, of(1, WAIT));
	EXPECT_FALSE(chess_apart_blocked(&self->d, 1));
	/* Once a signal was sent, by whomever, it may have been that. */
	read_op(&self->d, self->r, of(2, KILL));
	read_op(&self->d, self->r, of(1, READ(PIPE)));
	EXPECT_TRUE(chess_apart_blocked(&self->d, 1));
}

TEST_F(apart, waiting_to_open_a_file_is_noticed)
{
	read_op(&self->d, self->r, of(1, OPEN(O_RDONLY)));
	EXPECT_TRUE(chess_apart_waits_to_open(&self->d, 1));
	read_op(&self->d, self->r, of(1, READ(PLAIN)));
	EXPECT_FALSE(chess_apart_waits_to_open(&self->d, 1));
	/* It depends on everything anyway. */
	read_op(&self->d, self->r, of(1, OPEN(O_WRONLY)));
	EXPECT_FALSE(chess_apart_waits_to_open(&self->d, 1));
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves which reads and writes of memory depend on each other: those that share a word of
 * eight bytes, unless both only read; and those that are on more than two words on everything.
 * That calls which are given memory depend on accesses, a join on the end of its thread and on no
 * other, and the end of a thread on everything if it holds a lock; calls on other inodes on each
 * other, once there is an inotify, or if one of them is in /proc; and that asking for rights
 * depends on no lock; and that a fork depends on everything, and an unmapping on what it may take
 * away. That calls for processors depend on those for the same task. And that a task which called
 * pthread_once() may be in there from then on, and one that called a function with a state of its
 * own until it does what no such function does; and which locks a task changes by having to wait
 * for them; and that a wait of GLib's on a condition has two steps.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "record/depend.h"
#include "internal.h"
#include "../harness.h"

#define AT	0x1000

static struct chess_event event_of(unsigned int op, uint64_t object, uint64_t bytes)
{
	return (struct chess_event) {
		.type = CHESS_EVENT_POINT, .op = op, .object_kind = CHESS_OBJECT_ADDRESS,
		.flags = CHESS_OPF_PROBE | (op == CHESS_OP_LOAD ? 0 : CHESS_OPF_WRITE),
		.object = object, .arg = bytes, .nr = 1,
	};
}

/* The next two points of @r. */
static bool depend_next(struct chess_depend *d, const struct chess_record *r,
			const struct chess_event *a, const struct chess_event *b)
{
	struct chess_op x, y;
	bool answer;

	ASSERT_EQ(0, chess_depend_op(d, r, a, &x));
	ASSERT_EQ(0, chess_depend_op(d, r, b, &y));
	answer = chess_ops_depend(&x, &y);
	EXPECT_EQ(answer, chess_ops_depend(&y, &x));
	return answer;
}

static bool depend(struct chess_event a, struct chess_event b)
{
	struct chess_record *r = chess_record_new();
	struct chess_depend d;
	bool answer;

	chess_depend_init(&d, false);
	answer = depend_next(&d, r, &a, &b);
	chess_depend_free(&d);
	chess_record_free(r);
	return answer;
}

#define LOAD(at, n)	event_of(CHESS_OP_LOAD, at, n)
#define STORE(at, n)	event_of(CHESS_OP_STORE, at, n)
#define UPDATE(at, n)	event_of(CHESS_OP_UPDATE, at, n)

TEST(loads_depend_on_what_writes)
{
	EXPECT_FALSE(depend(LOAD(AT, 4), LOAD(AT, 4)));
	EXPECT_TRUE(depend(LOAD(AT, 4), STORE(AT, 4)));
	EXPECT_TRUE(depend(LOAD(AT, 4), UPDATE(AT, 4)));
	EXPECT_TRUE(depend(UPDATE(AT, 8), UPDATE(AT, 8)));
	EXPECT_FALSE(depend(STORE(AT, 8), STORE(AT + 8, 8)));
}

TEST(a_word_that_is_shared_counts)
{
	/* Bytes 6 to 9 are in two words. */
	EXPECT_TRUE(depend(STORE(AT + 6, 4), LOAD(AT, 1)));
	EXPECT_TRUE(depend(STORE(AT + 6, 4), LOAD(AT + 15, 1)));
	EXPECT_FALSE(depend(STORE(AT + 6, 4), LOAD(AT + 16, 1)));
	EXPECT_TRUE(depend(STORE(AT, 16), LOAD(AT + 12, 4)));
	EXPECT_EQ(2UL, (unsigned long)chess_event_words(&(struct chess_event) {
		.object = AT + 6, .arg = 4 }));
	EXPECT_EQ(1UL, (unsigned long)chess_event_words(&(struct chess_event) {
		.object = AT, .arg = 8 }));
}

/* Addresses mean several things once there is a process beside. */
TEST(a_fork_depends_on_everything_and_a_thread_on_its_like)
{
	struct chess_event thread = event_of(CHESS_OP_CREATE, AT, 0), fork = thread;

	fork.object_kind = CHESS_OBJECT_NONE;
	fork.object = 0;
	EXPECT_FALSE(depend(thread, event_of(CHESS_OP_LOCK, AT + 64, 0)));
	EXPECT_TRUE(depend(thread, thread));
	EXPECT_TRUE(depend(fork, event_of(CHESS_OP_LOCK, AT + 64, 0)));
}

/* 17 bytes touch three words; what is known of an op has room for two. */
TEST(a_copy_depends_on_everything)
{
	EXPECT_TRUE(depend(STORE(AT, 17), LOAD(0x777000, 1)));
	EXPECT_TRUE(depend(LOAD(AT, 17), LOAD(0x777000, 1)));
}

/* Where a call reads or writes memory the record does not say. */
TEST(a_call_that_is_given_memory_depends_on_accesses)
{
	const unsigned int calls[] = { SYS_read, SYS_pread64, SYS_write, SYS_lseek, SYS_close };
	struct chess_record *r = chess_record_new();
	struct chess_object_name name = { .ino = 7, .dev = CHESS_DEVICE_PLAIN };
	struct chess_event load = LOAD(AT, 4), store = STORE(AT + 64, 4);
	struct chess_event lock = event_of(CHESS_OP_LOCK, AT + 128, 0);
	struct chess_op call, loads, stores, locks;
	unsigned int i;

	ASSERT_EQ(0, chess_record_set_objects(r, &name, sizeof(name)));
	for (i = 0; i < 2 * ARRAY_SIZE(calls); i++) {
		struct chess_event e = {
			.type = CHESS_EVENT_POINT, .op = CHESS_OP_READ, .nr = calls[i / 2],
			.object_kind = CHESS_OBJECT_INODE, .object = 1,
		};
		bool has_memory = i / 2 < 3, points = i % 2;
		struct chess_depend d;

		chess_depend_init(&d, points);
		ASSERT_EQ(0, chess_depend_op(&d, r, &e, &call));
		ASSERT_EQ(0, chess_depend_op(&d, r, &load, &loads));
		ASSERT_EQ(0, chess_depend_op(&d, r, &store, &stores));
		ASSERT_EQ(0, chess_depend_op(&d, r, &lock, &locks));
		EXPECT_EQ(points && has_memory, chess_ops_depend(&call, &loads));
		EXPECT_EQ(points && has_memory, chess_ops_depend(&call, &stores));
		EXPECT_FALSE(chess_ops_depend(&loads, &stores));
		EXPECT_FALSE(chess_ops_depend(&call, &locks));
		/* Two that only read one file, but memory may be written by either. */
		EXPECT_EQ(points && has_memory, chess_ops_depend(&call, &call));
		chess_depend_free(&d);
	}
	chess_record_free(r);
}

/* What it calls may have points, the last of which is the one that ends it. */
static struct chess_event unmap_of(uint64_t at)
{
	return (struct chess_event) {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_MEMORY, .nr = SYS_munmap,
		.object_kind = CHESS_OBJECT_ADDRESS, .object = at, .flags = CHESS_OPF_WRITE,
	};
}

#define HIGH	0x7ffff0000000

/* Where it ends is not known, so all that the kernel has put somewhere may be in it. */
TEST(an_unmapping_depends_on_what_may_be_mapped_there)
{
	const struct chess_event wait_high = {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_COND_WAIT, .arg = HIGH + 8, .nr = 1,
		.object_kind = CHESS_OBJECT_ADDRESS, .object = AT,
		.flags = CHESS_OPF_PROBE | CHESS_OPF_WRITE,
	};
	const struct chess_event create = {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_CREATE, .nr = SYS_clone3,
		.arg = 1, .flags = CHESS_OPF_WRITE | CHESS_OPF_PROBE,
	};

	EXPECT_FALSE(depend(event_of(CHESS_OP_LOCK, AT, 0), unmap_of(HIGH)));
	EXPECT_TRUE(depend(event_of(CHESS_OP_LOCK, HIGH + 8, 0), unmap_of(HIGH)));
	EXPECT_TRUE(depend(event_of(CHESS_OP_LOCK, HIGH - 8, 0), unmap_of(HIGH)));
	EXPECT_TRUE(depend(wait_high, unmap_of(HIGH)));
	EXPECT_TRUE(depend(LOAD(AT, 4), unmap_of(HIGH)));
	EXPECT_TRUE(depend(create, unmap_of(HIGH)));
	EXPECT_TRUE(depend(unmap_of(HIGH), unmap_of(HIGH + 0x1000)));
	EXPECT_FALSE(depend(event_of(CHESS_OP_LOCK, HIGH, 0),
			    event_of(CHESS_OP_LOCK, HIGH + 8, 0)));
	/* Below there may be anything, and its end may be anywhere. */
	EXPECT_TRUE(depend(event_of(CHESS_OP_LOCK, AT, 0), unmap_of(AT + 0x100000)));
}

TEST(what_comes_after_a_once_may_end_it)
{
	struct chess_event once = event_of(CHESS_OP_ONCE, AT, 0);
	struct chess_event lock = event_of(CHESS_OP_LOCK, AT + 64, 0), other = once;
	struct chess_event yield = event_of(CHESS_OP_YIELD, 0, 0), far = lock;
	struct chess_record *r = chess_record_new();
	struct chess_op first, inside, way, second, beside;
	struct chess_depend d;

	other.task = 1;
	far.task = 2;
	far.object = AT + 128;
	yield.flags |= CHESS_OPF_YIELD;
	chess_depend_init(&d, false);
	ASSERT_EQ(0, chess_depend_op(&d, r, &once, &first));
	ASSERT_EQ(0, chess_depend_op(&d, r, &lock, &inside));
	ASSERT_EQ(0, chess_depend_op(&d, r, &yield, &way));
	ASSERT_EQ(0, chess_depend_op(&d, r, &far, &beside));
	ASSERT_EQ(0, chess_depend_op(&d, r, &other, &second));
	EXPECT_TRUE(chess_ops_depend(&first, &second));
	EXPECT_TRUE(chess_ops_depend(&inside, &second));
	EXPECT_TRUE(chess_ops_depend(&way, &second));
	EXPECT_FALSE(chess_ops_depend(&beside, &second));
	EXPECT_FALSE(chess_ops_depend(&beside, &inside));
	chess_depend_reset(&d);
	ASSERT_EQ(0, chess_depend_op(&d, r, &lock, &inside));
	ASSERT_EQ(0, chess_depend_op(&d, r, &other, &second));
	EXPECT_FALSE(chess_ops_depend(&inside, &second));
	chess_depend_free(&d);
	chess_record_free(r);
}

/* What changes its state is the step after the last lock that it takes in there. */
TEST(what_comes_after_a_call_with_a_state_of_its_own_may_end_it)
{
	struct chess_event cancel = event_of(CHESS_OP_OTHER, 0, 0);
	struct chess_event unlock = event_of(CHESS_OP_UNLOCK, AT, 0);
	struct chess_event store = STORE(AT + 64, 8), far = STORE(AT + 128, 8);
	struct chess_record *r = chess_record_new();
	struct chess_op before, call, last, after, beside, later;
	struct chess_depend d;

	cancel.object_kind = CHESS_OBJECT_NONE;
	far.task = 1;
	chess_depend_init(&d, false);
	ASSERT_EQ(0, chess_depend_op(&d, r, &unlock, &before));
	ASSERT_EQ(0, chess_depend_op(&d, r, &cancel, &call));
	ASSERT_EQ(0, chess_depend_op(&d, r, &unlock, &last));
	ASSERT_EQ(0, chess_depend_op(&d, r, &far, &beside));
	/* Only the program itself makes this one, so the call is over. */
	ASSERT_EQ(0, chess_depend_op(&d, r, &store, &after));
	ASSERT_EQ(0, chess_depend_op(&d, r, &unlock, &later));
	EXPECT_FALSE(chess_ops_depend(&before, &beside));
	EXPECT_TRUE(chess_ops_depend(&call, &beside));
	EXPECT_TRUE(chess_ops_depend(&last, &beside));
	EXPECT_FALSE(chess_ops_depend(&after, &beside));
	EXPECT_FALSE(chess_ops_depend(&later, &beside));
	chess_depend_reset(&d);
	ASSERT_EQ(0, chess_depend_op(&d, r, &unlock, &before));
	EXPECT_FALSE(chess_ops_depend(&before, &beside));
	chess_depend_free(&d);
	chess_record_free(r);
}

/* An event of a file is read from a descriptor that is another inode, or signalled. */
TEST(an_inotify_or_a_signal_shows_what_is_done_to_files)
{
	const struct chess_object_name names[] = {
		{ .ino = 7, .dev = CHESS_DEVICE_PLAIN }, { .ino = 8, .dev = CHESS_DEVICE_PLAIN },
	};
	const struct chess_event inits[] = {
		{ .type = CHESS_EVENT_POINT, .nr = SYS_inotify_init1 },
		{ .type = CHESS_EVENT_POINT, .nr = SYS_fcntl, .arg = F_SETOWN },
		{ .type = CHESS_EVENT_POINT, .nr = SYS_fcntl, .arg = F_SETLEASE },
	};
	const struct chess_event asks = {
		.type = CHESS_EVENT_POINT, .nr = SYS_fcntl, .arg = F_GETFL,
	};
	struct chess_event writes = {
		.type = CHESS_EVENT_POINT, .nr = SYS_write, .object = 1,
		.object_kind = CHESS_OBJECT_INODE, .flags = CHESS_OPF_WRITE,
	};
	struct chess_event reads = writes;
	struct chess_record *r = chess_record_new();
	struct chess_depend d;
	struct chess_op call;
	size_t i;

	reads.nr = SYS_read;
	reads.object = 2;
	ASSERT_EQ(0, chess_record_set_objects(r, names, sizeof(names)));
	chess_depend_init(&d, false);
	for (i = 0; i < ARRAY_SIZE(inits); i++) {
		ASSERT_EQ(0, chess_depend_op(&d, r, &asks, &call));
		EXPECT_FALSE(depend_next(&d, r, &writes, &reads));
		ASSERT_EQ(0, chess_depend_op(&d, r, &inits[i], &call));
		EXPECT_TRUE(depend_next(&d, r, &writes, &reads));
		chess_depend_reset(&d);
	}
	EXPECT_FALSE(depend_next(&d, r, &reads, &writes));
	chess_depend_free(&d);
	chess_record_free(r);
}

/* seteuid(2) changes the rights of all threads, by signals that it sends. */
TEST(who_a_task_runs_as_changes_by_calls_that_depend_on_everything)
{
	const struct chess_event asks = { .type = CHESS_EVENT_POINT, .nr = SYS_geteuid };
	const struct chess_event sets = {
		.type = CHESS_EVENT_POINT, .nr = SYS_setresuid, .flags = CHESS_OPF_WRITE,
	};
	const struct chess_event sends = {
		.type = CHESS_EVENT_POINT, .nr = SYS_tgkill, .flags = CHESS_OPF_WRITE,
	};
	const struct chess_event fills = { .type = CHESS_EVENT_POINT, .nr = SYS_getgroups };

	EXPECT_TRUE(depend(fills, LOAD(AT, 4)));
	EXPECT_TRUE(depend(asks, sets));
	EXPECT_TRUE(depend(asks, sends));
	EXPECT_FALSE(depend(asks, asks));
	EXPECT_FALSE(depend(asks, event_of(CHESS_OP_LOCK, AT, 0)));
}

/* Others change them by calls that name the task; a new one has its creator's. */
TEST(the_processors_of_a_task_are_its_own)
{
	const struct chess_event asks = {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_OTHER, .nr = SYS_sched_getaffinity,
		.object_kind = CHESS_OBJECT_PID, .task = 1,
	};
	struct chess_event sets = {
		.type = CHESS_EVENT_POINT, .op = CHESS_OP_OTHER, .nr = SYS_sched_setaffinity,
		.flags = CHESS_OPF_WRITE, .object_kind = CHESS_OBJECT_TASK, .object = 1, .task = 2,
	};
	struct chess_event creates = event_of(CHESS_OP_CREATE, AT, 0);

	EXPECT_FALSE(depend(asks, asks));
	EXPECT_TRUE(depend(asks, sets));
	EXPECT_TRUE(depend(sets, sets));
	EXPECT_FALSE(depend(sets, event_of(CHESS_OP_LOCK, AT, 0)));
	creates.task = 1;
	EXPECT_TRUE(depend(creates, sets));
	EXPECT_FALSE(depend(creates, asks));
	creates.task = 2;
	EXPECT_FALSE(depend(creates, sets));
	sets.object = 2;
	EXPECT_FALSE(depend(asks, sets));
	sets.object_kind = CHESS_OBJECT_PID;
	sets.object = 0;
	EXPECT_FALSE(depend(asks, sets));
	sets.task = 1;
	EXPECT_TRUE(depend(asks, sets));
	/* Any. */
	sets.object = 12345;
	EXPECT_TRUE(depend(sets, event_of(CHESS_OP_LOCK, AT, 0)));
}

/* /proc/PID/fdinfo has the offset of a descriptor of another inode. */
TEST(a_file_of_the_kernel_shows_what_is_done_to_others)
{
	struct stat proc, root;

	ASSERT_EQ(0, stat("/proc/self/status", &proc));
	ASSERT_EQ(0, stat("/", &root));
	EXPECT_FALSE(chess_is_plain_device(proc.st_dev));
	EXPECT_TRUE(chess_is_plain_device(root.st_dev));
}

#define THREAD	0x7f0000

/* Does a join with the thread at @pointer depend on the end of thread 1, which is at THREAD? */
static bool join_depends(uint64_t pointer, unsigned int flags, uint64_t reused_by)
{
	struct chess_event spawn = { .type = CHESS_EVENT_SPAWN, .object = 1, .arg = THREAD };
	struct chess_event again = spawn;
	struct chess_event join = event_of(CHESS_OP_JOIN, pointer, 0);
	struct chess_event end = event_of(CHESS_OP_EXIT, 0, 0);
	struct chess_record *r = chess_record_new();
	struct chess_op waits, ends;
	struct chess_depend d;

	join.flags |= flags;
	end.task = 1;
	again.object = reused_by;
	chess_depend_init(&d, false);
	ASSERT_EQ(0, chess_depend_spawn(&d, &spawn));
	if (reused_by)
		ASSERT_EQ(0, chess_depend_spawn(&d, &again));
	ASSERT_EQ(0, chess_depend_op(&d, r, &join, &waits));
	ASSERT_EQ(0, chess_depend_op(&d, r, &end, &ends));
	chess_depend_free(&d);
	chess_record_free(r);
	EXPECT_EQ(!!(flags & CHESS_OPF_MAY_BLOCK), waits.tries);
	return chess_ops_depend(&waits, &ends);
}

TEST(a_join_depends_on_the_end_of_its_thread)
{
	const unsigned int waits = CHESS_OPF_MAY_BLOCK;
	struct chess_event spawn = { .type = CHESS_EVENT_SPAWN, .object = 1, .arg = THREAD };
	struct chess_event join = event_of(CHESS_OP_JOIN, THREAD, 0);
	struct chess_event end = event_of(CHESS_OP_EXIT, 0, 0);
	struct chess_record *r = chess_record_new();
	struct chess_op first, other;
	struct chess_depend d;

	EXPECT_TRUE(join_depends(THREAD, waits, 0));
	/* Whose this is nobody said: it may be any. */
	EXPECT_TRUE(join_depends(THREAD + 64, waits, 0));
	/* The thread before had been joined when the next one got its memory. */
	EXPECT_FALSE(join_depends(THREAD, waits, 2));
	/* What pthread_tryjoin_np() returns depends on more than the end. */
	EXPECT_TRUE(join_depends(THREAD, 0, 2));
	/* The end of another thread. */
	join.flags |= waits;
	end.task = 2;
	chess_depend_init(&d, false);
	ASSERT_EQ(0, chess_depend_spawn(&d, &spawn));
	ASSERT_EQ(0, chess_depend_op(&d, r, &join, &first));
	ASSERT_EQ(0, chess_depend_op(&d, r, &end, &other));
	EXPECT_FALSE(chess_ops_depend(&first, &other));
	/* Another record has its own threads. */
	chess_depend_reset(&d);
	ASSERT_EQ(0, chess_depend_op(&d, r, &join, &first));
	EXPECT_TRUE(chess_ops_depend(&first, &other));
	chess_depend_free(&d);
	chess_record_free(r);
}

/* Of two that join a thread one is refused, and so may be a join of one that is detached. */
TEST(a_join_depends_on_what_else_is_done_with_its_pthread_t)
{
	struct chess_event spawn = { .type = CHESS_EVENT_SPAWN, .object = 1, .arg = THREAD };
	struct chess_event join = event_of(CHESS_OP_JOIN, THREAD, 0), other = join, detach = join;
	struct chess_record *r = chess_record_new();
	struct chess_depend d;
	unsigned int known;

	join.flags |= CHESS_OPF_MAY_BLOCK;
	other.flags |= CHESS_OPF_MAY_BLOCK;
	detach.op = CHESS_OP_DESTROY;
	chess_depend_init(&d, false);
	for (known = 0; known < 2; known++) {
		other.object = THREAD;
		EXPECT_TRUE(depend_next(&d, r, &join, &other));
		EXPECT_TRUE(depend_next(&d, r, &join, &detach));
		other.object += 4096;
		EXPECT_FALSE(depend_next(&d, r, &join, &other));
		EXPECT_FALSE(depend_next(&d, r, &other, &detach));
		ASSERT_EQ(0, chess_depend_spawn(&d, &spawn));
	}
	chess_depend_free(&d);
	chess_record_free(r);
}

/* Does the end of a thread depend on a lock after it did these, on a mutex each? */
static bool end_depends_after(const unsigned int *ops, unsigned int n)
{
	struct chess_event lock = event_of(CHESS_OP_TRYLOCK, AT, 0);
	struct chess_event end = event_of(CHESS_OP_EXIT, 0, 0);
	struct chess_record *r = chess_record_new();
	struct chess_op op, ends, locks;
	struct chess_depend d;
	unsigned int i;

	end.task = 1;
	chess_depend_init(&d, false);
	for (i = 0; i < n; i++) {
		struct chess_event e = event_of(ops[i], AT, 0);

		e.task = 1;
		ASSERT_EQ(0, chess_depend_op(&d, r, &e, &op));
	}
	ASSERT_EQ(0, chess_depend_op(&d, r, &end, &ends));
	ASSERT_EQ(0, chess_depend_op(&d, r, &lock, &locks));
	chess_depend_free(&d);
	chess_record_free(r);
	return chess_ops_depend(&ends, &locks);
}

/* If the mutex is robust others find out. */
TEST(the_end_of_a_thread_with_a_lock_depends_on_everything)
{
	const unsigned int both[] = { CHESS_OP_LOCK, CHESS_OP_UNLOCK };
	const unsigned int keeps[] = { CHESS_OP_LOCK, CHESS_OP_UNLOCK, CHESS_OP_TRYLOCK };
	const unsigned int waits[] = { CHESS_OP_LOCK, CHESS_OP_COND_WAIT, CHESS_OP_UNLOCK };

	EXPECT_FALSE(end_depends_after(NULL, 0));
	EXPECT_TRUE(end_depends_after(both, 1));
	EXPECT_FALSE(end_depends_after(both, 2));
	EXPECT_TRUE(end_depends_after(keeps, 3));
	EXPECT_TRUE(end_depends_after(waits, 2));
	EXPECT_FALSE(end_depends_after(waits, 3));
}

static bool changes_nothing(unsigned int class)
{
	struct chess_event e = event_of(class, AT, 0);
	struct chess_record *r = chess_record_new();
	struct chess_depend d;
	struct chess_op op;

	chess_depend_init(&d, false);
	ASSERT_EQ(0, chess_depend_op(&d, r, &e, &op));
	chess_depend_free(&d);
	chess_record_free(r);
	return op.tries;
}

/* glibc hands a lock of readers and writers to those that wait for it, and no mutex. */
TEST(who_waits_for_a_lock_of_readers_and_writers_changes_it)
{
	EXPECT_TRUE(changes_nothing(CHESS_OP_LOCK));
	EXPECT_TRUE(changes_nothing(CHESS_OP_SEM_WAIT));
	EXPECT_FALSE(changes_nothing(CHESS_OP_RDLOCK));
	EXPECT_FALSE(changes_nothing(CHESS_OP_WRLOCK));
}

/* A mutex with priority inheritance is handed to who waits, too. */
TEST(who_waits_for_a_mutex_that_is_handed_over_changes_it)
{
	struct chess_event lock = event_of(CHESS_OP_LOCK, AT, 0);
	struct chess_event asks = {
		.type = CHESS_EVENT_POINT, .nr = SYS_futex, .object_kind = CHESS_OBJECT_ADDRESS,
		.arg = FUTEX_WAKE | FUTEX_PRIVATE_FLAG,
	};
	struct chess_record *r = chess_record_new();
	struct chess_depend d;
	struct chess_op op;

	chess_depend_init(&d, false);
	ASSERT_EQ(0, chess_depend_op(&d, r, &asks, &op));
	ASSERT_EQ(0, chess_depend_op(&d, r, &lock, &op));
	EXPECT_TRUE(op.tries && op.owns);
	asks.arg = FUTEX_UNLOCK_PI | FUTEX_PRIVATE_FLAG;
	ASSERT_EQ(0, chess_depend_op(&d, r, &asks, &op));
	ASSERT_EQ(0, chess_depend_op(&d, r, &lock, &op));
	EXPECT_FALSE(op.tries || op.owns);
	chess_depend_reset(&d);
	ASSERT_EQ(0, chess_depend_op(&d, r, &lock, &op));
	EXPECT_TRUE(op.tries && op.owns);
	chess_depend_free(&d);
	chess_record_free(r);
}

/* GLib's: it begins to wait in the step in which it gives the mutex back. */
TEST(a_wait_that_is_not_told_of_its_mutex_begins_at_the_unlock)
{
	struct chess_event wait = event_of(CHESS_OP_COND_WAIT, AT, 0), timed = wait;
	struct chess_event unlock = event_of(CHESS_OP_UNLOCK, AT + 64, 0);
	struct chess_event signal = event_of(CHESS_OP_COND_SIGNAL, AT, 0);
	struct chess_event far = event_of(CHESS_OP_COND_SIGNAL, AT + 128, 0);
	struct chess_record *r = chess_record_new();
	struct chess_op first, inside, later, woken, beside;
	struct chess_depend d;

	signal.task = 1;
	far.task = 2;
	timed.flags |= CHESS_OPF_YIELD;
	chess_depend_init(&d, false);
	ASSERT_EQ(0, chess_depend_op(&d, r, &wait, &first));
	ASSERT_EQ(0, chess_depend_op(&d, r, &signal, &woken));
	ASSERT_EQ(0, chess_depend_op(&d, r, &far, &beside));
	ASSERT_EQ(0, chess_depend_op(&d, r, &unlock, &inside));
	ASSERT_EQ(0, chess_depend_op(&d, r, &unlock, &later));
	EXPECT_TRUE(chess_ops_depend(&first, &woken));
	EXPECT_TRUE(chess_ops_depend(&inside, &woken));
	EXPECT_TRUE(chess_ops_depend(&inside, &later));
	EXPECT_FALSE(chess_ops_depend(&inside, &beside));
	EXPECT_FALSE(chess_ops_depend(&later, &woken));
	/* What the clock makes of it depends on all that was done before. */
	ASSERT_EQ(0, chess_depend_op(&d, r, &timed, &first));
	ASSERT_EQ(0, chess_depend_op(&d, r, &unlock, &inside));
	EXPECT_TRUE(chess_ops_depend(&inside, &beside));
	/* Told of its mutex it has one step. */
	wait.arg = AT + 64;
	ASSERT_EQ(0, chess_depend_op(&d, r, &wait, &first));
	ASSERT_EQ(0, chess_depend_op(&d, r, &unlock, &later));
	EXPECT_FALSE(chess_ops_depend(&later, &woken));
	chess_depend_free(&d);
	chess_record_free(r);
}

TEST(a_trapped_function_is_none)
{
	struct chess_event e = LOAD(AT, 4);

	EXPECT_TRUE(chess_event_is_access(&e));
	EXPECT_EQ(NULL, (void *)chess_wrapper_of(&e));
	e.op = CHESS_OP_LOCK;
	EXPECT_FALSE(chess_event_is_access(&e));
	EXPECT_NE(NULL, (void *)chess_wrapper_of(&e));
}

TEST_HARNESS_MAIN

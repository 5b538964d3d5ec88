// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owners of locks of a process that runs are found in its memory, and nothing else is
 * taken for a lock: threads of this process block in the calls of the C library that is
 * here, and the futex they wait for is looked at.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"
#include "wait/owner.h"
#include "wait/proc.h"

static pthread_mutex_t mutex;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static pthread_t sleeper;
static pid_t blocked;

/* The call task @tid is blocked in; false: it is in none yet. */
static bool read_futex(pid_t tid, struct chess_look_task *t)
{
	unsigned long long arg[6];
	char text[256];
	long nr = -1;
	int i;

	if (chess_proc_read(tid, "syscall", text, sizeof(text)) <= 0 ||
	    sscanf(text, "%ld %llx %llx %llx %llx %llx %llx", &nr, &arg[0], &arg[1], &arg[2],
		   &arg[3], &arg[4], &arg[5]) != 7 || nr != SYS_futex)
		return false;
	*t = (struct chess_look_task) { .tid = tid, .nr = nr };
	for (i = 0; i < 6; i++)
		t->args[i] = arg[i];
	return true;
}

static void *lock_mutex(void *arg)
{
	blocked = gettid();
	pthread_barrier_wait(&barrier);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *read_rwlock(void *arg)
{
	blocked = gettid();
	pthread_barrier_wait(&barrier);
	pthread_rwlock_rdlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
	return arg;
}

static void *write_rwlock(void *arg)
{
	blocked = gettid();
	pthread_barrier_wait(&barrier);
	pthread_rwlock_wrlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
	return arg;
}

static void *wait_semaphore(void *arg)
{
	blocked = gettid();
	pthread_barrier_wait(&barrier);
	sem_wait(&semaphore);
	return arg;
}

static void *wait_condition(void *arg)
{
	blocked = gettid();
	pthread_barrier_wait(&barrier);
	pthread_mutex_lock(&mutex);
	pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *join_sleeper(void *arg)
{
	blocked = gettid();
	pthread_barrier_wait(&barrier);
	pthread_join(sleeper, NULL);
	return arg;
}

FIXTURE(owner) {
	pthread_t thread;
	struct chess_look_task task;
	struct chess_owner owner;
};

FIXTURE_SETUP(owner)
{
	(void)self;
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_mutex_init(&mutex, NULL);
	sem_init(&semaphore, 0, 0);
}

FIXTURE_TEARDOWN(owner)
{
	pthread_join(self->thread, NULL);
}

/* Lets a thread block in futex(), and looks at it. */
static void look(struct chess_look_task *t, struct chess_owner *o, pthread_t *thread,
		 void *(*run)(void *arg))
{
	const struct timespec nap = { .tv_nsec = 1000000 };

	pthread_create(thread, NULL, run, NULL);
	pthread_barrier_wait(&barrier);
	while (!read_futex(blocked, t))
		nanosleep(&nap, NULL);
	/* It says that it is in the call a little before it sleeps. */
	do {
		chess_owner_find(t, o);
		nanosleep(&nap, NULL);
	} while (chess_proc_state(blocked) != 'S' || !read_futex(blocked, t));
	chess_owner_find(t, o);
}

TEST_F(owner, of_a_mutex_is_who_locked_it)
{
	pthread_mutex_lock(&mutex);
	look(&self->task, &self->owner, &self->thread, lock_mutex);
	EXPECT_EQ((int)self->owner.kind, CHESS_LOCK_MUTEX);
	EXPECT_EQ((pid_t)self->owner.tid, gettid());
	EXPECT_EQ(self->owner.address, (uint64_t)(uintptr_t)&mutex);
	EXPECT_FALSE(self->owner.shared);
	EXPECT_FALSE(self->owner.timed);
	pthread_mutex_unlock(&mutex);
}

static void init_mutex(int protocol, int robust, int shared)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, protocol);
	pthread_mutexattr_setrobust(&attr, robust);
	pthread_mutexattr_setpshared(&attr, shared);
	pthread_mutex_init(&mutex, &attr);
}

TEST_F(owner, of_a_robust_mutex_is_in_the_word)
{
	init_mutex(PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST, PTHREAD_PROCESS_PRIVATE);
	pthread_mutex_lock(&mutex);
	look(&self->task, &self->owner, &self->thread, lock_mutex);
	EXPECT_EQ((int)self->owner.kind, CHESS_LOCK_WORD);
	EXPECT_EQ((pid_t)self->owner.tid, gettid());
	pthread_mutex_unlock(&mutex);
}

TEST_F(owner, of_a_mutex_that_inherits_priority_is_in_the_word)
{
	init_mutex(PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_STALLED, PTHREAD_PROCESS_PRIVATE);
	pthread_mutex_lock(&mutex);
	look(&self->task, &self->owner, &self->thread, lock_mutex);
	EXPECT_EQ((int)self->owner.kind, CHESS_LOCK_WORD);
	EXPECT_EQ((pid_t)self->owner.tid, gettid());
	pthread_mutex_unlock(&mutex);
}

TEST_F(owner, of_a_shared_mutex_may_be_of_another_process)
{
	init_mutex(PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED, PTHREAD_PROCESS_SHARED);
	pthread_mutex_lock(&mutex);
	look(&self->task, &self->owner, &self->thread, lock_mutex);
	EXPECT_EQ((int)self->owner.kind, CHESS_LOCK_MUTEX);
	EXPECT_TRUE(self->owner.shared);
	pthread_mutex_unlock(&mutex);
}

TEST_F(owner, of_a_rwlock_is_its_writer_for_readers)
{
	pthread_rwlock_wrlock(&rwlock);
	look(&self->task, &self->owner, &self->thread, read_rwlock);
	EXPECT_EQ((int)self->owner.kind, CHESS_LOCK_RWLOCK);
	EXPECT_EQ((pid_t)self->owner.tid, gettid());
	EXPECT_EQ(self->owner.address, (uint64_t)(uintptr_t)&rwlock);
	pthread_rwlock_unlock(&rwlock);
}

TEST_F(owner, of_a_rwlock_is_its_writer_for_writers)
{
	pthread_rwlock_wrlock(&rwlock);
	look(&self->task, &self->owner, &self->thread, write_rwlock);
	EXPECT_EQ((int)self->owner.kind, CHESS_LOCK_RWLOCK);
	EXPECT_EQ((pid_t)self->owner.tid, gettid());
	pthread_rwlock_unlock(&rwlock);
}

TEST_F(owner, of_a_rwlock_that_readers_have_is_nobody)
{
	pthread_rwlock_rdlock(&rwlock);
	look(&self->task, &self->owner, &self->thread, write_rwlock);
	EXPECT_EQ(self->owner.tid, 0U);
	pthread_rwlock_unlock(&rwlock);
}

TEST_F(owner, of_a_semaphore_is_nobody)
{
	look(&self->task, &self->owner, &self->thread, wait_semaphore);
	EXPECT_EQ((int)self->owner.kind, CHESS_LOCK_UNKNOWN);
	EXPECT_EQ(self->owner.tid, 0U);
	sem_post(&semaphore);
}

TEST_F(owner, of_a_condition_is_nobody)
{
	look(&self->task, &self->owner, &self->thread, wait_condition);
	EXPECT_EQ((int)self->owner.kind, CHESS_LOCK_UNKNOWN);
	EXPECT_EQ(self->owner.tid, 0U);
	pthread_mutex_lock(&mutex);
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
}

TEST_F(owner, of_a_join_is_the_thread)
{
	pid_t thread;

	pthread_mutex_lock(&mutex);
	look(&self->task, &self->owner, &sleeper, lock_mutex);
	thread = blocked;
	look(&self->task, &self->owner, &self->thread, join_sleeper);
	EXPECT_EQ((int)self->owner.kind, CHESS_LOCK_THREAD);
	EXPECT_EQ((pid_t)self->owner.tid, thread);
	pthread_mutex_unlock(&mutex);
}

TEST_F(owner, of_what_looks_like_a_mutex_but_is_not_used_is_nobody)
{
	/* Lock, count, owner, users, kind: nobody counts as a user. */
	static uint32_t word[10] = { 2, 0, 1, 0, 0 };

	pthread_mutex_lock(&mutex);
	look(&self->task, &self->owner, &self->thread, lock_mutex);
	self->task.args[0] = (uintptr_t)word;
	chess_owner_find(&self->task, &self->owner);
	EXPECT_EQ(self->owner.tid, 0U);
	word[3] = 1;
	chess_owner_find(&self->task, &self->owner);
	EXPECT_EQ(self->owner.tid, 1U);
	word[4] = 4096;
	chess_owner_find(&self->task, &self->owner);
	EXPECT_EQ(self->owner.tid, 0U);
	pthread_mutex_unlock(&mutex);
}

TEST_F(owner, of_a_mutex_of_musl_is_in_the_word_if_it_has_a_type)
{
	/* Type, lock, waiters. A normal one has 16 (EBUSY) where others have the owner. */
	static uint32_t word[10] = { 0, 16 | FUTEX_WAITERS, 1 };

	pthread_mutex_lock(&mutex);
	look(&self->task, &self->owner, &self->thread, lock_mutex);
	self->task.args[0] = (uintptr_t)&word[1];
	self->task.args[2] = word[1];
	chess_owner_find(&self->task, &self->owner);
	EXPECT_EQ(self->owner.tid, 0U);
	word[0] = 1;
	chess_owner_find(&self->task, &self->owner);
	EXPECT_EQ(self->owner.tid, 16U);
	pthread_mutex_unlock(&mutex);
}

TEST_HARNESS_MAIN

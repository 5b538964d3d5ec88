// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks block in locks of files, in message queues and in semaphores, and the snapshot
 * has to say which process holds what, and which waits for it.
 */
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

#include "fixture.h"

/* File locks. */

TEST_F(look, flock_is_held_by)
{
	const struct chess_look_lock *l, *h;
	const struct chess_look_file *f;
	pid_t holder, both[2];
	int fd = scratch_file();
	size_t n;

	holder = blocked_in(hold_flock, &fd);
	await(self, &holder, 1, SYS_ppoll);
	both[0] = blocked_in(hold_flock, &fd);
	both[1] = blocked_in(hold_flock, &fd);
	await(self, both, 2, SYS_flock);
	l = chess_snapshot_lock_wait(self->shot, both[0]);
	ASSERT_TRUE(l);
	EXPECT_SAME(CHESS_LOOK_FLOCK, l->kind);
	EXPECT_SAME(1, l->write);
	EXPECT_SAME(both[0], l->tgid);
	h = chess_snapshot_conflict(self->shot, l, NULL);
	ASSERT_TRUE(h);
	EXPECT_SAME(holder, h->tgid);
	EXPECT_SAME(0, h->start);
	EXPECT_SAME(INT64_MAX, h->end);
	EXPECT_FALSE(chess_snapshot_conflict(self->shot, l, h));
	EXPECT_TRUE(chess_snapshot_lock_wait(self->shot, both[1]));
	EXPECT_FALSE(chess_snapshot_lock_wait(self->shot, holder));
	chess_snapshot_locks(self->shot, &n);
	EXPECT_SAME(3, n);
	f = mine(self, fd);
	ASSERT_TRUE(f);
	EXPECT_SAME(CHESS_LOOK_LOCKED, f->kind);
	EXPECT_SAME(l->inode, f->object);
}

struct range {
	int fd, command;
	short type;
	long start, len;
};

static void hold_range(void *arg)
{
	const struct range *r = arg;
	struct flock fl = {
		.l_type = r->type, .l_whence = SEEK_SET, .l_start = r->start, .l_len = r->len,
	};
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", r->fd);
	fd = open(path, O_RDWR);
	if (fcntl(fd, r->command, &fl))
		perror("# fcntl");
	do_pause(NULL);
}

static void ranges(struct look_fixture *self, int command, unsigned int kind)
{
	int fd = scratch_file();
	struct range r[] = {
		{ fd, command, F_WRLCK, 10, 10 },
		{ fd, command, F_RDLCK, 100, 0 },
		{ fd, command, F_RDLCK, 15, 30 },
		{ fd, command, F_WRLCK, 18, 5 },
		{ fd, command, F_RDLCK, 12, 1 },
	};
	const struct chess_look_lock *first, *second, *third, *h;
	pid_t pid[5];

	pid[0] = blocked_in(hold_range, &r[0]);
	pid[1] = blocked_in(hold_range, &r[1]);
	await(self, pid, 2, SYS_ppoll);
	pid[2] = blocked_in(hold_range, &r[2]);
	await(self, pid + 2, 1, SYS_fcntl);
	first = chess_snapshot_lock_wait(self->shot, pid[2]);
	ASSERT_TRUE(first);
	EXPECT_SAME(kind, first->kind);
	EXPECT_SAME(0, first->write);
	EXPECT_SAME(15, first->start);
	EXPECT_SAME(44, first->end);
	h = chess_snapshot_conflict(self->shot, first, NULL);
	ASSERT_TRUE(h);
	EXPECT_SAME(pid[0], h->tgid);
	EXPECT_SAME(kind, h->kind);
	EXPECT_SAME(1, h->write);
	EXPECT_SAME(10, h->start);
	EXPECT_SAME(19, h->end);
	EXPECT_SAME(h->id, first->blocker);
	/* The other lock neither overlaps nor is for writing. */
	EXPECT_FALSE(chess_snapshot_conflict(self->shot, first, h));

	/* One waits for the waiter, the other beside it: both only want to read. */
	pid[3] = blocked_in(hold_range, &r[3]);
	await(self, pid + 3, 1, SYS_fcntl);
	pid[4] = blocked_in(hold_range, &r[4]);
	await(self, pid + 2, 3, SYS_fcntl);
	first = chess_snapshot_lock_wait(self->shot, pid[2]);
	second = chess_snapshot_lock_wait(self->shot, pid[3]);
	third = chess_snapshot_lock_wait(self->shot, pid[4]);
	ASSERT_TRUE(first && second && third);
	EXPECT_SAME(first->blocker, third->blocker);
	EXPECT_OTHER(first->id, third->id);
	EXPECT_SAME(first->id, second->blocker);
	EXPECT_SAME(pid[3], second->tid);
	EXPECT_SAME(18, second->start);
	EXPECT_SAME(22, second->end);
	h = chess_snapshot_conflict(self->shot, second, NULL);
	ASSERT_TRUE(h);
	EXPECT_SAME(pid[0], h->tgid);
	EXPECT_SAME(0, chess_snapshot_lost(self->shot));
}

TEST_F(look, posix_lock_has_a_range)
{
	ranges(self, F_SETLKW, CHESS_LOOK_POSIX);
}

TEST_F(look, ofd_lock_has_a_range)
{
	ranges(self, F_OFD_SETLKW, CHESS_LOOK_OFD);
}

TEST_F(look, too_many_locks_are_said)
{
	struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };
	int fd = scratch_file(), i;
	pid_t pid = getpid();
	size_t n;

	for (i = 0; i < CHESS_LOOK_LOCKS; i++, fl.l_start += 2)
		ASSERT_SAME(0, fcntl(fd, F_SETLK, &fl));
	take(self, &pid, 1);
	EXPECT_SAME(0, chess_snapshot_lost(self->shot));
	chess_snapshot_locks(self->shot, &n);
	EXPECT_SAME(CHESS_LOOK_LOCKS, n);
	for (i = 0; i < 10; i++, fl.l_start += 2)
		ASSERT_SAME(0, fcntl(fd, F_SETLK, &fl));
	take(self, &pid, 1);
	EXPECT_SAME(CHESS_LOST_OBJECTS, chess_snapshot_lost(self->shot));
	chess_snapshot_locks(self->shot, &n);
	EXPECT_MOST(CHESS_LOOK_LOCKS, n);
}

/* Message queues and semaphores. */

static void do_mq_receive(void *arg)
{
	char text[64];

	mq_receive(*(mqd_t *)arg, text, sizeof(text), NULL);
}

static void do_mq_send(void *arg)
{
	for (;;)
		mq_send(*(mqd_t *)arg, "x", 1, 0);
}

TEST_F(look, mqueue_has_waiters)
{
	struct mq_attr attr = { .mq_maxmsg = 2, .mq_msgsize = 64 };
	const struct chess_look_mq_wait *w;
	const struct chess_look_task *t;
	const struct chess_look_file *f;
	mqd_t empty, full;
	pid_t pid[2];
	char name[32];
	size_t n;

	snprintf(name, sizeof(name), "/look-%d", getpid());
	empty = mq_open(name, O_CREAT | O_RDWR, 0600, &attr);
	ASSERT_MOST(0, empty);
	mq_unlink(name);
	full = mq_open(name, O_CREAT | O_RDWR, 0600, &attr);
	ASSERT_MOST(0, full);
	mq_unlink(name);
	pid[0] = blocked_in(do_mq_receive, &empty);
	pid[1] = blocked_in(do_mq_send, &full);
	await(self, pid, 1, SYS_mq_timedreceive);
	await(self, pid + 1, 1, SYS_mq_timedsend);
	take(self, pid, 2);
	t = chess_snapshot_task(self->shot, pid[0]);
	ASSERT_TRUE(t);
	f = chess_snapshot_fd(self->shot, t, empty);
	ASSERT_TRUE(f);
	EXPECT_SAME(CHESS_LOOK_MQUEUE, f->kind);
	EXPECT_SAME(0, f->mqueue.messages);
	EXPECT_SAME(2, f->mqueue.most);
	f = mine(self, full);
	ASSERT_TRUE(f);
	EXPECT_SAME(2, f->mqueue.messages);
	w = chess_snapshot_mq_waits(self->shot, &n);
	ASSERT_SAME(2, n);
	if (w[0].sends) {
		EXPECT_SAME(pid[1], w[0].tid);
		EXPECT_SAME(pid[0], w[1].tid);
		EXPECT_SAME(f->object, w[0].object);
		EXPECT_SAME(0, w[1].sends);
	} else {
		EXPECT_SAME(pid[0], w[0].tid);
		EXPECT_SAME(pid[1], w[1].tid);
		EXPECT_SAME(1, w[1].sends);
		EXPECT_SAME(f->object, w[1].object);
	}
}

static int sem_set;

static void do_semop(void *arg)
{
	syscall(SYS_semop, sem_set, arg, 1);
}

static void do_semop2(void *arg)
{
	syscall(SYS_semop, sem_set, arg, 2);
}

static const struct chess_look_ipc *find_ipc(struct look_fixture *self, int type, int id,
					     uint32_t num)
{
	const struct chess_look_ipc *r;
	size_t i, n;

	r = chess_snapshot_ipc(self->shot, &n);
	for (i = 0; i < n; i++)
		if ((int)r[i].type == type && r[i].id == id && r[i].num == num)
			return &r[i];
	return NULL;
}

TEST_F(look, semaphore_has_waiters)
{
	struct sembuf take_one = { .sem_num = 2, .sem_op = -1 };
	struct sembuf two[2] = { { .sem_num = 0, .sem_op = -1 }, { .sem_num = 1, .sem_op = -3 } };
	struct sembuf till_zero = { .sem_num = 0, .sem_op = 0 };
	struct sembuf give = { .sem_num = 0, .sem_op = 4 };
	const struct chess_look_ipc *r;
	const struct chess_look_task *t;
	pid_t pid[3];

	/* So many that their index is a tree of more than one node. */
	for (int i = 0; i < 70; i++)
		sem_set = semget(IPC_PRIVATE, 1, 0600);
	sem_set = semget(0x4711, 3, IPC_CREAT | 0600);
	ASSERT_MOST(0, sem_set);
	ASSERT_SAME(0, semop(sem_set, &give, 1));
	pid[0] = blocked_in(do_semop, &take_one);
	pid[1] = blocked_in(do_semop, &till_zero);
	await(self, pid, 2, SYS_semop);
	pid[2] = blocked_in(do_semop2, two);
	t = await(self, pid, 3, SYS_semop);
	r = find_ipc(self, CHESS_LOOK_SEM, sem_set, 0);
	ASSERT_TRUE(r);
	EXPECT_SAME(4, r->sem.value);
	EXPECT_SAME(0x4711, r->key);
	EXPECT_SAME(getpid(), r->sem.last);
	EXPECT_SAME(t->ipc_ns, r->ns);
	r = find_ipc(self, CHESS_LOOK_SEM, sem_set, 2);
	ASSERT_TRUE(r);
	EXPECT_SAME(0, r->sem.value);
	r = find_ipc(self, CHESS_LOOK_SEM_WAIT, sem_set, 2);
	ASSERT_TRUE(r);
	EXPECT_SAME(pid[0], r->sem_wait.tid);
	EXPECT_SAME(-1, r->sem_wait.op);
	EXPECT_SAME(1, r->sem_wait.alter);
	EXPECT_SAME(1, r->sem_wait.nsops);
	r = find_ipc(self, CHESS_LOOK_SEM_WAIT, sem_set, 0);
	ASSERT_TRUE(r);
	EXPECT_SAME(pid[1], r->sem_wait.tid);
	EXPECT_SAME(0, r->sem_wait.alter);
	r = find_ipc(self, CHESS_LOOK_SEM_WAIT, sem_set, 1);
	ASSERT_TRUE(r);
	EXPECT_SAME(pid[2], r->sem_wait.tid);
	EXPECT_SAME(-3, r->sem_wait.op);
	EXPECT_SAME(2, r->sem_wait.nsops);
	EXPECT_SAME(0, chess_snapshot_lost(self->shot));
}

struct message {
	long type;
	char text[64];
};

static void do_msgrcv(void *arg)
{
	struct message m;

	msgrcv(*(int *)arg, &m, sizeof(m.text), 5, 0);
}

static void do_msgsnd(void *arg)
{
	struct message m = { .type = 3 };

	for (;;)
		msgsnd(*(int *)arg, &m, 64, 0);
}

TEST_F(look, message_queue_has_waiters)
{
	int empty = msgget(IPC_PRIVATE, 0600), full = msgget(IPC_PRIVATE, 0600);
	const struct chess_look_ipc *r;
	struct msqid_ds ds;
	pid_t pid[2];

	ASSERT_SAME(0, msgctl(full, IPC_STAT, &ds));
	ds.msg_qbytes = 128;
	ASSERT_SAME(0, msgctl(full, IPC_SET, &ds));
	pid[0] = blocked_in(do_msgrcv, &empty);
	pid[1] = blocked_in(do_msgsnd, &full);
	await(self, pid, 1, SYS_msgrcv);
	await(self, pid + 1, 1, SYS_msgsnd);
	take(self, pid, 2);
	r = find_ipc(self, CHESS_LOOK_MSG, empty, 0);
	ASSERT_TRUE(r);
	EXPECT_SAME(0, r->msg.messages);
	r = find_ipc(self, CHESS_LOOK_MSG_RECEIVER, empty, 0);
	ASSERT_TRUE(r);
	EXPECT_SAME(pid[0], r->msg_wait.tid);
	EXPECT_SAME(5, r->msg_wait.what);
	r = find_ipc(self, CHESS_LOOK_MSG, full, 0);
	ASSERT_TRUE(r);
	EXPECT_SAME(2, r->msg.messages);
	EXPECT_SAME(128, r->msg.bytes);
	EXPECT_SAME(128, r->msg.most_bytes);
	EXPECT_SAME(pid[1], r->msg.last_sender);
	r = find_ipc(self, CHESS_LOOK_MSG_SENDER, full, 0);
	ASSERT_TRUE(r);
	EXPECT_SAME(pid[1], r->msg_wait.tid);
	EXPECT_SAME(64, r->msg_wait.what);
}

TEST_HARNESS_MAIN

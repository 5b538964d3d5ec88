// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What chess_look_take() read, sorted, and the questions one asks of it. look.c
 * fills it; those that say why tasks wait ask.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "array.h"
#include "internal.h"
#include "wait/look.h"

/* More than any machine has that a person searches on; a bound all the same. */
#define MOST_BYTES	(256u << 20)

/* A growing array of one type. */
struct rows {
	void *row;
	size_t n, room, size;
};

struct chess_snapshot {
	struct rows tasks, files, locks, members, mq_waits, ipc;
	pid_t *wanted;
	size_t n_wanted;
	size_t bytes;
	unsigned int lost;
};

struct chess_snapshot *chess_snapshot_new(const pid_t *tids, size_t n)
{
	struct chess_snapshot *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->wanted = malloc(n * sizeof(*tids) + 1);
	if (!s->wanted) {
		free(s);
		return NULL;
	}
	memcpy(s->wanted, tids, n * sizeof(*tids));
	s->n_wanted = n;
	s->tasks.size = sizeof(struct chess_look_task);
	s->files.size = sizeof(struct chess_look_file);
	s->locks.size = sizeof(struct chess_look_lock);
	s->members.size = sizeof(struct chess_look_member);
	s->mq_waits.size = sizeof(struct chess_look_mq_wait);
	s->ipc.size = sizeof(struct chess_look_ipc);
	return s;
}

void chess_snapshot_free(struct chess_snapshot *s)
{
	if (!s)
		return;
	free(s->tasks.row);
	free(s->files.row);
	free(s->locks.row);
	free(s->members.row);
	free(s->mq_waits.row);
	free(s->ipc.row);
	free(s->wanted);
	free(s);
}

static int add(struct chess_snapshot *s, struct rows *r, const void *row, unsigned int lost)
{
	if (s->bytes + r->size > MOST_BYTES) {
		s->lost |= lost;
		return 0;
	}
	if (chess_array_room(&r->row, &r->room, r->n + 1, r->size))
		return chess_set_error(ENOMEM, "no memory for what %zu tasks wait on", s->n_wanted);
	memcpy((char *)r->row + r->n++ * r->size, row, r->size);
	s->bytes += r->size;
	return 0;
}

int chess_snapshot_add_task(struct chess_snapshot *s, const struct chess_look_task *t)
{
	if (t->flags & CHESS_LOOK_TASK_LOST)
		s->lost |= CHESS_LOST_CHILDREN;
	return add(s, &s->tasks, t, CHESS_LOST_FILES);
}

/* The row is still where chess_snapshot_tasks() says it is. */
void chess_snapshot_set_waker(struct chess_snapshot *s, size_t i,
			      const struct chess_look_waker *w)
{
	((struct chess_look_task *)s->tasks.row)[i].waker = *w;
}

/*
 * One record of the iterator over files, @left bytes from here to the end of what
 * was read. Return: its size, 0: not all of it is there, or -errno.
 */
int chess_snapshot_add_record(struct chess_snapshot *s, const void *record, size_t left)
{
	struct rows *r, lost = { .size = sizeof(struct chess_look_member) };
	unsigned int type;
	int ret;

	if (left < sizeof(type))
		return 0;
	memcpy(&type, record, sizeof(type));
	switch (type) {
	case CHESS_LOOK_FILE:
		r = &s->files;
		break;
	case CHESS_LOOK_LOCK:
		r = &s->locks;
		break;
	case CHESS_LOOK_MEMBER:
		r = &s->members;
		break;
	case CHESS_LOOK_MQ_WAIT:
		r = &s->mq_waits;
		break;
	case CHESS_LOOK_LOST:
		r = &lost;
		break;
	default:
		return chess_set_error(EPROTO, "the BPF programs wrote a record of type %u, "
				       "which this library does not know", type);
	}
	if (left < r->size)
		return 0;
	if (r == &lost) {
		s->lost |= CHESS_LOST_OBJECTS;
		return r->size;
	}
	ret = add(s, r, record, r == &s->files ? CHESS_LOST_FILES : CHESS_LOST_OBJECTS);
	return ret ?: (int)r->size;
}

int chess_snapshot_add_ipc(struct chess_snapshot *s, const struct chess_look_ipc_table *t)
{
	uint32_t i;
	int ret;

	if (t->lost)
		s->lost |= CHESS_LOST_IPC;
	for (i = 0; i < t->n && i < CHESS_LOOK_IPC; i++) {
		ret = add(s, &s->ipc, &t->rec[i], CHESS_LOST_IPC);
		if (ret)
			return ret;
	}
	return 0;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int by_tid(const void *a, const void *b)
{
	const struct chess_look_task *x = a, *y = b;

	return COMPARE(x->tid, y->tid);
}

static int by_object(const void *a, const void *b)
{
	const struct chess_look_file *x = a, *y = b;

	return COMPARE(x->object, y->object) ?: COMPARE(x->tgid, y->tgid) ?:
	       COMPARE(x->tid, y->tid) ?: COMPARE(x->fd, y->fd);
}

static int by_inode(const void *a, const void *b)
{
	const struct chess_look_lock *x = a, *y = b;

	return COMPARE(x->inode, y->inode) ?: COMPARE(x->id, y->id);
}

static int by_set(const void *a, const void *b)
{
	const struct chess_look_member *x = a, *y = b;

	return COMPARE(x->epoll, y->epoll) ?: COMPARE(x->fd, y->fd) ?: COMPARE(x->file, y->file);
}

static int by_queue(const void *a, const void *b)
{
	const struct chess_look_mq_wait *x = a, *y = b;

	return COMPARE(x->object, y->object) ?: COMPARE(x->gtid, y->gtid);
}

static uint32_t ipc_kind(const struct chess_look_ipc *r)
{
	return r->type >= CHESS_LOOK_MSG;
}

/* A wait stands after the semaphore that blocks it. */
static int by_id(const void *a, const void *b)
{
	const struct chess_look_ipc *x = a, *y = b;

	return COMPARE(x->ns, y->ns) ?: COMPARE(ipc_kind(x), ipc_kind(y)) ?:
	       COMPARE(x->id, y->id) ?: COMPARE(x->num, y->num) ?: COMPARE(x->type, y->type);
}

/*
 * Sort, and leave out what came twice: an inode, a set or a queue is walked for
 * each descriptor of it.
 */
static void sort(struct rows *r, int (*compare)(const void *, const void *), bool once)
{
	char *row = r->row;
	size_t i, n = 0;

	if (!r->n)
		return;
	qsort(row, r->n, r->size, compare);
	for (i = 0; i < r->n; i++) {
		if (once && n && !compare(row + (n - 1) * r->size, row + i * r->size))
			continue;
		if (n != i)
			memcpy(row + n * r->size, row + i * r->size, r->size);
		n++;
	}
	r->n = n;
}

/* The first row that does not compare less than @key. */
static size_t lower_bound(const struct rows *r, const void *key,
			  int (*compare)(const void *, const void *))
{
	size_t low = 0, high = r->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (compare((const char *)r->row + mid * r->size, key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* A process with a lock has the file open, unless it has handed the lock on and gone. */
static void name_holder(struct chess_snapshot *s, struct chess_look_lock *l)
{
	const struct chess_look_file *f = NULL;

	if (l->tgid)
		return;
	while ((f = chess_snapshot_holder(s, l->inode, 0, f)))
		if (f->gtgid == l->gtgid) {
			l->tgid = f->tgid;
			return;
		}
}

static void name_waker(struct chess_snapshot *s, struct chess_look_task *t)
{
	const struct chess_look_task *all = s->tasks.row;
	size_t i;

	if (t->flags & CHESS_LOOK_TASK_INITNS)
		t->waker.tid = t->waker.gtid;
	for (i = 0; !t->waker.tid && t->waker.gtid && i < s->tasks.n; i++)
		if (all[i].gtid == t->waker.gtid)
			t->waker.tid = all[i].tid;
}

/* To be called when all is added and before anything is asked. */
void chess_snapshot_finish(struct chess_snapshot *s)
{
	size_t i;

	sort(&s->tasks, by_tid, true);
	sort(&s->files, by_object, false);
	sort(&s->locks, by_inode, true);
	sort(&s->members, by_set, true);
	sort(&s->mq_waits, by_queue, true);
	sort(&s->ipc, by_id, false);
	for (i = 0; i < s->locks.n; i++)
		name_holder(s, (struct chess_look_lock *)s->locks.row + i);
	for (i = 0; i < s->tasks.n; i++)
		name_waker(s, (struct chess_look_task *)s->tasks.row + i);
}

unsigned int chess_snapshot_lost(const struct chess_snapshot *s)
{
	return s->lost;
}

const struct chess_look_task *chess_snapshot_tasks(const struct chess_snapshot *s, size_t *n)
{
	*n = s->tasks.n;
	return s->tasks.row;
}

const struct chess_look_file *chess_snapshot_files(const struct chess_snapshot *s, size_t *n)
{
	*n = s->files.n;
	return s->files.row;
}

const struct chess_look_lock *chess_snapshot_locks(const struct chess_snapshot *s, size_t *n)
{
	*n = s->locks.n;
	return s->locks.row;
}

const struct chess_look_member *chess_snapshot_members(const struct chess_snapshot *s, size_t *n)
{
	*n = s->members.n;
	return s->members.row;
}

const struct chess_look_mq_wait *chess_snapshot_mq_waits(const struct chess_snapshot *s,
							 size_t *n)
{
	*n = s->mq_waits.n;
	return s->mq_waits.row;
}

const struct chess_look_ipc *chess_snapshot_ipc(const struct chess_snapshot *s, size_t *n)
{
	*n = s->ipc.n;
	return s->ipc.row;
}

const struct chess_look_task *chess_snapshot_task(const struct chess_snapshot *s, pid_t tid)
{
	const struct chess_look_task key = { .tid = tid };
	const struct chess_look_task *t;
	size_t i = lower_bound(&s->tasks, &key, by_tid);

	t = (const struct chess_look_task *)s->tasks.row + i;
	return i < s->tasks.n && t->tid == key.tid ? t : NULL;
}

const struct chess_look_file *chess_snapshot_fd(const struct chess_snapshot *s,
						const struct chess_look_task *task, int fd)
{
	const struct chess_look_file *f = s->files.row;
	size_t i;

	for (i = 0; i < s->files.n; i++)
		if (f[i].files == task->files && f[i].fd == fd)
			return &f[i];
	return NULL;
}

bool chess_snapshot_is_wanted(const struct chess_snapshot *s, pid_t tgid)
{
	const struct chess_look_task *t = s->tasks.row;
	size_t i;

	for (i = 0; i < s->n_wanted; i++)
		if (s->wanted[i] == tgid)
			return true;
	for (i = 0; i < s->tasks.n; i++)
		if (t[i].tgid == (uint32_t)tgid)
			return true;
	return false;
}

const struct chess_look_file *chess_snapshot_holder(const struct chess_snapshot *s,
						    uint64_t object, unsigned int mode,
						    const struct chess_look_file *after)
{
	const struct chess_look_file *f = s->files.row, *end = f + s->files.n;
	const struct chess_look_file key = { .object = object };

	f = after ? after + 1 : f + lower_bound(&s->files, &key, by_object);
	for (; f < end && f->object == object; f++)
		if (!mode || (f->mode & mode))
			return f;
	return NULL;
}

const struct chess_look_file *chess_snapshot_outsider(const struct chess_snapshot *s,
						      uint64_t object, unsigned int mode,
						      const struct chess_look_file *after)
{
	do {
		after = chess_snapshot_holder(s, object, mode, after);
	} while (after && chess_snapshot_is_wanted(s, after->tgid));
	return after;
}

/* In ::ffff:0:0 the address is 0.0.0.0, in :: that of both families. */
static bool is_any(const uint8_t *address)
{
	static const uint8_t any4[16] = { [10] = 0xff, [11] = 0xff }, any6[16];

	return !memcmp(address, any4, sizeof(any4)) || !memcmp(address, any6, sizeof(any6));
}

static bool is_other_end(const struct chess_look_file *end, const struct chess_look_file *f)
{
	if (f->kind != CHESS_LOOK_SOCKET || f->object == end->object ||
	    f->sock.netns != end->sock.netns || f->sock.protocol != end->sock.protocol ||
	    f->sock.type != end->sock.type || f->sock.port != end->sock.peer_port)
		return false;
	if (memcmp(f->sock.address, end->sock.peer_address, 16) &&
	    (f->sock.peer_port || !is_any(f->sock.address)))
		return false;
	if (f->sock.peer_port)
		return f->sock.peer_port == end->sock.port &&
		       !memcmp(f->sock.peer_address, end->sock.address, 16);
	return f->sock.type == SOCK_DGRAM;
}

const struct chess_look_file *chess_snapshot_peer(const struct chess_snapshot *s,
						  const struct chess_look_file *end,
						  const struct chess_look_file *after)
{
	const struct chess_look_file *f = s->files.row;
	size_t i;

	if (end->kind == CHESS_LOOK_UNIX)
		return end->sock.peer ? chess_snapshot_holder(s, end->sock.peer, 0, after) : NULL;
	if (end->kind != CHESS_LOOK_SOCKET || !end->sock.peer_port)
		return NULL;
	for (i = after ? after - f + 1 : 0; i < s->files.n; i++)
		if (is_other_end(end, &f[i]))
			return &f[i];
	return NULL;
}

const struct chess_look_lock *chess_snapshot_lock_wait(const struct chess_snapshot *s,
						       pid_t tid)
{
	const struct chess_look_lock *l = s->locks.row;
	size_t i;

	for (i = 0; i < s->locks.n; i++)
		if (l[i].waiting && l[i].tid == (uint32_t)tid)
			return &l[i];
	return NULL;
}

const struct chess_look_lock *chess_snapshot_conflict(const struct chess_snapshot *s,
						      const struct chess_look_lock *lock,
						      const struct chess_look_lock *after)
{
	const struct chess_look_lock *l = s->locks.row, *end = l + s->locks.n;
	const struct chess_look_lock key = { .inode = lock->inode };

	l = after ? after + 1 : l + lower_bound(&s->locks, &key, by_inode);
	for (; l < end && l->inode == lock->inode; l++)
		if (!l->waiting && l->owner != lock->owner && (l->write || lock->write) &&
		    (l->kind == CHESS_LOOK_FLOCK) == (lock->kind == CHESS_LOOK_FLOCK) &&
		    l->start <= lock->end && lock->start <= l->end)
			return l;
	return NULL;
}

const struct chess_look_member *chess_snapshot_set(const struct chess_snapshot *s,
						   uint64_t epoll, size_t *n)
{
	const struct chess_look_member key = { .epoll = epoll, .fd = INT32_MIN };
	const struct chess_look_member *m = s->members.row;
	size_t i = lower_bound(&s->members, &key, by_set);

	for (*n = 0; i + *n < s->members.n && m[i + *n].epoll == epoll; ++*n)
		;
	return *n ? m + i : NULL;
}

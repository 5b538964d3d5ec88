// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See depend.h. Two ops are taken as independent only where the kernel objects of
 * them say so; whatever is not in the lists below depends on everything.
 *
 * - Sync functions work on the objects at the addresses they are given, also when they
 *   have to wait there: the order in which tasks queue up is part of the object.
 * - munmap() far up, where the kernel puts what has no address of its own, takes away memory: it
 *   is on all that is at such an address, on the calls that read or write memory, and on accesses.
 *   How much it takes the record does not say. It makes room for the stack of a new thread.
 * - Calls that read or write one pipe or file work on its inode. Ends of sockets and
 *   terminals are two inodes and one thing, so these are not in; nor are calls that
 *   name files by path, hand out descriptors or look at many objects at once.
 * - Many of these calls read or write memory of the program, or of a file that is mapped. Where
 *   it is the record does not say, so if accesses to memory are points each of these calls
 *   depends on all of them.
 * - A read or write of memory works on words of eight bytes: two that overlap by a part of
 *   one share it, and so may two that do not. One on more than two words, such as a copy,
 *   depends on everything.
 * - What pthread_once() calls may have points, and where it returns there is none: the step
 *   after the last of these points ends the call too. Which one that is the record does not
 *   say, so from the call on all steps of the task work on its object.
 * - The same holds for functions with a state that no object shows: pthread_cancel() loads a
 *   library before it cancels, localtime() reads a file before it changes the time zone. From
 *   the call on all steps of the task depend on everything, until one that only the program
 *   itself can make: such a function takes locks and calls pthread_once(), and nothing else
 *   that is a sync function or an access to the program's memory.
 * - What a call does to one inode it does to that alone, until there is an inotify: a read from
 *   that shows what is done to others, and any descriptor may be its; or until a signal may be
 *   sent for what is done to a file.
 * - Who creates threads gives them numbers, so all creations are on one object.
 * - The end of a thread changes what a join with it finds, and nothing else. Which thread a
 *   join is with follows from the pthread_t; where the record does not say whose that is, the
 *   join is with any. Another join with the same one, or pthread_detach(), is refused or not. A
 *   join that does not wait, or not for long, may be refused. A thread that holds a robust mutex
 *   leaves it to others when it ends, so with a lock in its hands, of whatever kind, its end
 *   depends on everything. With a second process it is reported to a parent, and addresses may
 *   name one object by two numbers: then both depend on everything.
 * - Once there are several processes, addresses mean several things: functions and accesses then
 *   depend on everything. Of a process that has its memory to itself see apart.c.
 * - A signal depends on everything, and when a task takes it does not show. So a task to which one
 *   was sent may have run a handler where it had to wait, and then it has not waited in vain. If it
 *   waited in a function, the function goes on after the handler, in a step at the handler's last
 *   point: from the point after such a wait on all steps of the task depend on everything.
 * - Who has to wait for a mutex or a semaphore has changed nothing. Not so for a lock of readers
 *   and writers: glibc's counts those that wait, and its unlock hands it to them, so that the
 *   task that had it may find it taken before any other task has moved. Nor for a mutex with
 *   priority inheritance, which the kernel hands over.
 * - The processors of a task are an object, which a task that creates a thread reads: it has them,
 *   too.
 * - Ops with a time-out depend on everything: what the clock makes of them depends on
 *   all that was done before. A yield does nothing; that its task got there is something
 *   else, which reduce.c sees to.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "array.h"
#include "record/decision.h"
#include "record/depend.h"
#include "internal.h"

/*
 * What the kernel finds room for is above this, and not the program, its heap, nor what it put
 * where it wanted.
 */
#define MAPPED	0x700000000000ULL

/* Objects that no event names. */
enum {
	THREADS = CHESS_THREADS,
	MEMORY,		/* what accesses and calls read and write */
	MAPPINGS,	/* what is at addresses from MAPPED on */
	PROCESSORS = 0x20000,	/* those of task T are PROCESSORS + T */
};

/* Of chess_depend_task.waits: the object is not known. */
#define ON_ANY	UINT32_MAX

static uint64_t device_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_dev;
}

static uint64_t device_of_sockets(void)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct stat st;
	uint64_t dev;

	dev = fd < 0 || fstat(fd, &st) ? 0 : st.st_dev;
	if (fd >= 0)
		close(fd);
	return dev;
}

/**
 * chess_is_plain_device() - do ops on one of its inodes concern no other inode?
 * @dev: as stat(2) gives it
 *
 * Return: false for sockets and terminals, where one thing has two, and for files in /proc,
 * which show what is done to others.
 */
bool chess_is_plain_device(uint64_t dev)
{
	static uint64_t concerned[4];
	static bool known;
	size_t i;

	if (!known) {
		concerned[0] = device_of_sockets();
		concerned[1] = device_of("/dev");
		concerned[2] = device_of("/dev/pts");
		concerned[3] = device_of("/proc");
		known = true;
	}
	for (i = 0; i < ARRAY_SIZE(concerned); i++)
		if (dev == concerned[i])
			return false;
	return dev && dev != CHESS_DEVICE_OTHER && dev != CHESS_DEVICE_NODES;
}

/**
 * chess_is_node_device() - is a file in /dev, and no terminal of a pair?
 * @dev: as stat(2) gives it
 *
 * Return: whether it is.
 */
bool chess_is_node_device(uint64_t dev)
{
	static uint64_t nodes;

	if (!nodes)
		nodes = device_of("/dev");
	return dev && (dev == CHESS_DEVICE_NODES || dev == nodes);
}

/**
 * chess_depend_init() - before the first record
 * @d: filled in; chess_depend_free() it
 * @accesses: accesses to memory are points
 */
void chess_depend_init(struct chess_depend *d, bool accesses)
{
	memset(d, 0, sizeof(*d));
	d->accesses = accesses;
}

/**
 * chess_depend_reset() - before the next record
 * @d: of this thread
 */
void chess_depend_reset(struct chess_depend *d)
{
	chess_objects_reset(&d->objects);
	d->processes = false;
	d->watches = false;
	d->inherits = false;
	d->shares = false;
	d->signals = false;
	d->signalled = false;
	d->ends_matter = false;
	d->writers = false;
	if (d->tasks)
		memset(d->task, 0, d->tasks * sizeof(*d->task));
}

void chess_depend_free(struct chess_depend *d)
{
	chess_objects_free(&d->objects);
	free(d->task);
}

static bool is_in(uint32_t nr, const uint16_t *calls, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (nr == calls[i])
			return true;
	return false;
}

/* No trapped function, of which @nr says nothing. */
static bool is_call(const struct chess_event *e, uint32_t nr)
{
	return !(e->flags & CHESS_OPF_PROBE) && e->nr == nr;
}

static bool is_call_in(const struct chess_event *e, const uint16_t *calls, size_t n)
{
	return !(e->flags & CHESS_OPF_PROBE) && is_in(e->nr, calls, n);
}

/* Calls on the one inode of their descriptor that read or write memory, or what is mapped. */
static bool is_on_memory(uint32_t nr)
{
	static const uint16_t calls[] = {
		SYS_read, SYS_pread64, SYS_readv, SYS_preadv, SYS_preadv2,
		SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev, SYS_pwritev2,
		SYS_fstat, SYS_ftruncate, SYS_fallocate,
	};

	return is_in(nr, calls, ARRAY_SIZE(calls));
}

/* Calls that do nothing but on the one inode of their descriptor, and on memory. */
static bool is_on_inode(uint32_t nr)
{
	static const uint16_t calls[] = { SYS_lseek, SYS_fsync, SYS_fdatasync, SYS_close };

	return is_on_memory(nr) || is_in(nr, calls, ARRAY_SIZE(calls));
}

/*
 * Calls that ask for something that is changed only by calls which depend on everything, and that
 * write no memory of the program, as getgroups() does.
 */
static bool only_asks(const struct chess_event *e)
{
	static const uint16_t calls[] = { SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid };

	return is_call_in(e, calls, ARRAY_SIZE(calls));
}

/* Calls that make a descriptor which shows what is done to files, or have signals sent for that. */
static bool makes_watch(const struct chess_event *e)
{
	static const uint16_t calls[] = { SYS_inotify_init, SYS_inotify_init1, SYS_fanotify_init };

	if (is_call(e, SYS_fcntl))
		switch (e->arg) {
		case F_SETOWN: case F_SETOWN_EX: case F_SETSIG: case F_SETLEASE: case F_NOTIFY:
			return true;
		}
	return is_call_in(e, calls, ARRAY_SIZE(calls));
}

/* The C library asks the kernel whether it has such mutexes before it makes the first one. */
static bool makes_inheriting(const struct chess_event *e)
{
	if (!is_call(e, SYS_futex))
		return false;
	switch (e->arg & FUTEX_CMD_MASK) {
	case FUTEX_LOCK_PI: case FUTEX_LOCK_PI2: case FUTEX_TRYLOCK_PI: case FUTEX_UNLOCK_PI:
		return true;
	}
	return false;
}

/* The task whose processors a call sets or asks for; CHESS_TASK_NONE: none, or not known. */
static uint64_t has_processors(const struct chess_event *e)
{
	static const uint16_t calls[] = { SYS_sched_getaffinity, SYS_sched_setaffinity };

	if (!is_call_in(e, calls, ARRAY_SIZE(calls)))
		return CHESS_TASK_NONE;
	if (e->object_kind == CHESS_OBJECT_PID && !e->object)
		return e->task;
	return e->object_kind == CHESS_OBJECT_TASK ? e->object : CHESS_TASK_NONE;
}

static bool is_known_inode(const struct chess_depend *d, const struct chess_record *r,
			   const struct chess_event *e)
{
	return is_on_inode(e->nr) && !d->watches &&
	       chess_is_plain_device(chess_record_object_dev(r, e->object));
}

static bool is_known_address(const struct chess_depend *d, const struct chess_event *e)
{
	return (e->flags & CHESS_OPF_PROBE) && !d->processes;
}

static bool is_mapped(const struct chess_event *e)
{
	return e->object_kind == CHESS_OBJECT_ADDRESS &&
	       (e->object >= MAPPED || (e->op == CHESS_OP_COND_WAIT && e->arg >= MAPPED));
}

static bool unmaps(const struct chess_depend *d, const struct chess_event *e)
{
	return is_call(e, SYS_munmap) && is_mapped(e) && !d->processes;
}

/* The thread that a join waits for, or CHESS_TASK_NONE. */
static uint64_t joined(const struct chess_depend *d, const struct chess_event *e)
{
	size_t t;

	if (e->object_kind == CHESS_OBJECT_TASK)
		return e->object;
	/* Of two that had it one after the other, the first one was joined before. */
	for (t = d->tasks; e->object && t--;)
		if (d->task[t].pointer == e->object)
			return t;
	return CHESS_TASK_NONE;
}

static enum chess_op_kind kind_of(struct chess_depend *d, const struct chess_record *r,
				  const struct chess_event *e)
{
	bool on_all = chess_apart_note(d, r, e);

	d->watches |= makes_watch(e);
	d->inherits |= makes_inheriting(e);
	if (e->task < d->tasks)
		chess_apart_at(d, r, e);
	if (e->op == CHESS_OP_YIELD)
		return CHESS_OP_LOCAL;
	if ((e->flags & CHESS_OPF_YIELD) || on_all)
		return CHESS_OP_ON_ALL;
	if (chess_is_apart(d, e->task))
		return d->task[e->task].about == CHESS_APART_NOT ? CHESS_OP_ON_ALL :
		       CHESS_OP_ON_OBJECTS;
	switch (e->op) {
	case CHESS_OP_FORK:
		d->processes = true;
		return CHESS_OP_ON_ALL;
	case CHESS_OP_CREATE:
		d->processes |= !chess_event_makes_thread(e);
		return d->processes ? CHESS_OP_ON_ALL : CHESS_OP_ON_OBJECTS;
	case CHESS_OP_EXIT:
		if (d->processes || (e->task < d->tasks && d->task[e->task].held))
			return CHESS_OP_ON_ALL;
		return (e->flags & CHESS_OPF_PROBE) || e->nr == SYS_exit ?
		       CHESS_OP_LEAVES : CHESS_OP_ON_ALL;
	case CHESS_OP_JOIN:
		if (d->processes || !(e->flags & CHESS_OPF_MAY_BLOCK))
			return CHESS_OP_ON_ALL;
		return joined(d, e) == CHESS_TASK_NONE ? CHESS_OP_JOINS : CHESS_OP_ON_OBJECTS;
	}
	if (chess_event_is_access(e) && chess_event_words(e) > CHESS_OP_OWN_OBJECTS)
		return CHESS_OP_ON_ALL;
	if (e->object_kind == CHESS_OBJECT_ADDRESS && is_known_address(d, e))
		return CHESS_OP_ON_OBJECTS;
	if (e->object_kind == CHESS_OBJECT_INODE && is_known_inode(d, r, e))
		return CHESS_OP_ON_OBJECTS;
	return only_asks(e) || unmaps(d, e) || has_processors(e) != CHESS_TASK_NONE ?
	       CHESS_OP_ON_OBJECTS : CHESS_OP_ON_ALL;
}

static int add_object(struct chess_depend *d, struct chess_op *op, uint8_t kind, uint64_t number)
{
	int64_t i = chess_objects_find(&d->objects, kind, number);

	if (i < 0)
		return i;
	op->object[op->n++] = i;
	return 0;
}

static int add_words(struct chess_depend *d, struct chess_op *op, const struct chess_event *e)
{
	uint64_t word = e->object - e->object % CHESS_WORD, i;
	int ret = 0;

	for (i = 0; i < chess_event_words(e) && !ret; i++)
		ret = add_object(d, op, e->object_kind, word + i * CHESS_WORD);
	return ret;
}

/* An object that the op only reads, even if it writes others. */
static int add_read(struct chess_depend *d, struct chess_op *op, uint64_t number)
{
	op->only_read |= 1 << op->n;
	return add_object(d, op, CHESS_OBJECT_NONE, number);
}

/*
 * Memory in general: accesses, and the calls that make some, which are in no order with any of them
 * where they are points. All read what is mapped.
 */
static int add_memory(struct chess_depend *d, struct chess_op *op, const struct chess_event *e)
{
	bool access = chess_event_is_access(e);

	if (op->kind != CHESS_OP_ON_OBJECTS)
		return 0;
	if (!access && e->object_kind == CHESS_OBJECT_INODE && is_on_memory(e->nr)) {
		if (!d->accesses)
			return add_read(d, op, MEMORY);
		if (!op->write)
			op->only_read |= (1 << op->n) - 1;
		op->write = true;
		return add_object(d, op, CHESS_OBJECT_NONE, MEMORY);
	}
	if (access)
		return add_read(d, op, MEMORY);
	return is_mapped(e) && !unmaps(d, e) ? add_read(d, op, MAPPINGS) : 0;
}

static int add_unmapped(struct chess_depend *d, struct chess_op *op)
{
	int ret = add_object(d, op, CHESS_OBJECT_NONE, THREADS);

	op->write = true;
	if (!ret)
		ret = add_object(d, op, CHESS_OBJECT_NONE, MEMORY);
	return ret ? ret : add_object(d, op, CHESS_OBJECT_NONE, MAPPINGS);
}

/* It waits for the end of the thread, and does to the thread what only one task can do. */
static int add_joined(struct chess_depend *d, struct chess_op *op, const struct chess_event *e)
{
	int ret = 0;

	op->write = true;
	if (op->kind == CHESS_OP_ON_OBJECTS) {
		op->only_read = 1 << op->n;
		ret = add_object(d, op, CHESS_OBJECT_TASK, joined(d, e));
	}
	if (!ret && e->object_kind == CHESS_OBJECT_ADDRESS)
		ret = add_object(d, op, e->object_kind, e->object);
	return ret;
}

/* It fails where the task has ended, and reads or writes the mask in memory. */
static int add_processors(struct chess_depend *d, struct chess_op *op, uint64_t of)
{
	int ret;

	op->only_read = (op->write ? 0 : 1) | 2;
	ret = add_object(d, op, CHESS_OBJECT_NONE, PROCESSORS + of);
	if (!ret)
		ret = add_object(d, op, CHESS_OBJECT_TASK, of);
	if (ret || !d->accesses)
		return ret;
	op->write = true;
	return add_object(d, op, CHESS_OBJECT_NONE, MEMORY);
}

/* The objects of the op itself. */
static int add_objects(struct chess_depend *d, const struct chess_record *r, struct chess_op *op,
		       const struct chess_event *e)
{
	int ret;

	if (op->kind == CHESS_OP_LEAVES) {
		op->write = true;
		return add_object(d, op, CHESS_OBJECT_TASK, e->task);
	}
	if (op->kind == CHESS_OP_ON_ALL || op->kind == CHESS_OP_LOCAL)
		return 0;
	if (chess_event_is_access(e))
		return add_words(d, op, e);
	if (e->op == CHESS_OP_JOIN)
		return add_joined(d, op, e);
	/* All who create threads hand out numbers from one row. */
	if (e->op == CHESS_OP_CREATE) {
		op->write = true;
		ret = add_object(d, op, CHESS_OBJECT_NONE, THREADS);
		return ret ? ret : add_read(d, op, PROCESSORS + e->task);
	}
	if (unmaps(d, e))
		return add_unmapped(d, op);
	if (has_processors(e) != CHESS_TASK_NONE)
		return add_processors(d, op, has_processors(e));
	/* What only asks has none. */
	if (e->object_kind == CHESS_OBJECT_NONE)
		return 0;
	/* A wait on a condition gives the mutex away first, and takes it at its end. */
	op->write |= e->op == CHESS_OP_COND_WAIT;
	ret = add_object(d, op, e->object_kind, e->object);
	if (!ret && e->op == CHESS_OP_COND_WAIT && e->arg)
		ret = add_object(d, op, e->object_kind, e->arg);
	return ret || e->object_kind != CHESS_OBJECT_INODE ? ret :
	       chess_apart_pipe(d, r, op, e->object);
}

/**
 * chess_lock_given() - the lock that a point gives back
 * @e: a point
 *
 * Return: its address; 0: it gives back none.
 */
uint64_t chess_lock_given(const struct chess_event *e)
{
	if (e->object_kind != CHESS_OBJECT_ADDRESS)
		return 0;
	if (e->op == CHESS_OP_COND_WAIT)
		return e->arg;
	return e->op == CHESS_OP_UNLOCK ? e->object : 0;
}

/* A lock that is taken or given back is known also where the op depends on everything. */
static int note_lock(struct chess_depend *d, struct chess_op *op, const struct chess_event *e)
{
	uint64_t lock = chess_lock_given(e);
	int64_t i;

	if (!is_known_address(d, e) || e->object_kind != CHESS_OBJECT_ADDRESS || d->inherits)
		return 0;
	op->owns = e->op == CHESS_OP_LOCK;
	op->gives = lock;
	op->waits = lock && e->op == CHESS_OP_COND_WAIT;
	if (!op->owns && !op->gives)
		return 0;
	i = chess_objects_find(&d->objects, e->object_kind, op->owns ? e->object : lock);
	if (i < 0)
		return i;
	op->lock = i;
	return 0;
}

/* For what is known of @task. Return: 0 or -ENOMEM. */
static int make_room(struct chess_depend *d, uint64_t task)
{
	if (task < d->tasks)
		return 0;
	if (chess_array_extend(&d->task, d->tasks, task + 1, sizeof(*d->task)))
		return -ENOMEM;
	d->tasks = task + 1;
	return 0;
}

/* The locks that a task has: too many where it tries for one in vain. Return: 0, -ENOMEM */
static int count_locks(struct chess_depend *d, const struct chess_event *e)
{
	switch (e->op) {
	case CHESS_OP_LOCK: case CHESS_OP_TRYLOCK: case CHESS_OP_RDLOCK: case CHESS_OP_WRLOCK:
		d->task[e->task].held++;
		break;
	case CHESS_OP_UNLOCK:
		if (e->task < d->tasks && d->task[e->task].held)
			d->task[e->task].held--;
		break;
	}
	return 0;
}

/* May @e be a step of a function with a state of its own, which an earlier step has called? */
static bool may_be_inside(const struct chess_event *e)
{
	if (!(e->flags & CHESS_OPF_PROBE))
		return true;
	switch (e->op) {
	case CHESS_OP_LOCK: case CHESS_OP_TRYLOCK: case CHESS_OP_RDLOCK: case CHESS_OP_WRLOCK:
	case CHESS_OP_UNLOCK: case CHESS_OP_ONCE: case CHESS_OP_OTHER:
		return true;
	default:
		return false;
	}
}

/* Of a signal to a process the record does not say which thread takes it. */
static int note_signal(struct chess_depend *d, const struct chess_event *e)
{
	static const uint16_t to_thread[] = { SYS_tkill, SYS_tgkill, SYS_rt_tgsigqueueinfo };

	if (!chess_event_sends_signal(e))
		return 0;
	if (!is_call_in(e, to_thread, ARRAY_SIZE(to_thread)) ||
	    e->object_kind != CHESS_OBJECT_TASK || e->object >= CHESS_TASK_NONE) {
		d->signalled = true;
		return 0;
	}
	if (make_room(d, e->object))
		return -ENOMEM;
	d->task[e->object].signalled = true;
	return 0;
}

/* At its next point a task that had to wait may be in a handler. */
static void note_astray(struct chess_depend *d, uint16_t task, struct chess_op *op)
{
	struct chess_depend_task *t = &d->task[task];

	t->astray |= t->slept && chess_depend_signalled(d, task);
	t->slept = false;
	if (t->astray)
		op->kind = CHESS_OP_ON_ALL;
}

/* Return: 0 or -ENOMEM. */
static int note_inside(struct chess_depend *d, const struct chess_event *e, struct chess_op *op)
{
	if (e->task < d->tasks && d->task[e->task].inside) {
		d->task[e->task].inside = may_be_inside(e);
		if (d->task[e->task].inside)
			op->kind = CHESS_OP_ON_ALL;
	}
	if (e->op != CHESS_OP_OTHER || !(e->flags & CHESS_OPF_PROBE))
		return 0;
	d->task[e->task].inside = true;
	return 0;
}

/* Its task may be in pthread_once(), and this step the one that ends it. */
static int add_once(struct chess_depend *d, struct chess_op *op, const struct chess_event *e)
{
	if (e->op == CHESS_OP_ONCE && op->n) {
		d->task[e->task].once = op->object[0] + 1;
		return 0;
	}
	if (e->task >= d->tasks || !d->task[e->task].once || op->kind == CHESS_OP_ON_ALL)
		return 0;
	if (op->kind == CHESS_OP_LOCAL)
		op->kind = CHESS_OP_ON_OBJECTS;
	op->write = true;
	op->object[op->n++] = d->task[e->task].once - 1;
	return 0;
}

/*
 * A wait on a condition that is not told of the mutex, as GLib's is not, gives it back in a step of
 * its own, and begins to wait in that. So that step works on the condition, too.
 */
static int add_condition(struct chess_depend *d, struct chess_op *op, const struct chess_event *e)
{
	uint32_t waits = e->task < d->tasks ? d->task[e->task].waits : 0;

	if (waits)
		d->task[e->task].waits = 0;
	if (e->op == CHESS_OP_COND_WAIT && !e->arg) {
		d->task[e->task].waits = op->n ? op->object[0] + 1 : ON_ANY;
	}
	if (!waits || e->op != CHESS_OP_UNLOCK || op->kind == CHESS_OP_ON_ALL)
		return 0;
	if (waits == ON_ANY)
		op->kind = CHESS_OP_ON_ALL;
	else
		op->object[op->n++] = waits - 1;
	return 0;
}

/**
 * chess_depend_op() - the op of a point
 * @d: what is known; points have to be shown in their order
 * @r: the record
 * @e: the point, of @r
 * @op: filled in
 *
 * Return: 0 or -ENOMEM.
 */
int chess_depend_op(struct chess_depend *d, const struct chess_record *r,
		    const struct chess_event *e, struct chess_op *op)
{
	int ret;

	if (make_room(d, e->task))
		return -ENOMEM;
	*op = (struct chess_op){
		.kind = kind_of(d, r, e), .write = e->flags & CHESS_OPF_WRITE,
	};
	ret = note_signal(d, e);
	if (ret)
		return ret;
	if (chess_is_apart(d, e->task))
		return op->kind == CHESS_OP_ON_ALL ? 0 : chess_apart_objects(d, r, e, op);
	note_astray(d, e->task, op);
	ret = note_inside(d, e, op);
	if (ret)
		return ret;
	op->tries = op->kind != CHESS_OP_ON_ALL &&
		    ((e->op == CHESS_OP_LOCK && !d->inherits) || e->op == CHESS_OP_SEM_WAIT ||
		     e->op == CHESS_OP_JOIN);
	ret = note_lock(d, op, e);
	if (!ret)
		ret = add_objects(d, r, op, e);
	if (!ret)
		ret = add_condition(d, op, e);
	if (!ret)
		ret = add_memory(d, op, e);
	if (!ret)
		ret = count_locks(d, e);
	return ret ? ret : add_once(d, op, e);
}

/**
 * chess_op_writes() - does an op do more than read one of its objects?
 * @op: it
 * @i: which of its objects
 *
 * Return: whether it does.
 */
bool chess_op_writes(const struct chess_op *op, unsigned int i)
{
	return op->write && !(op->only_read >> i & 1);
}

/**
 * chess_op_retake() - a task was woken
 * @op: what it waits in. If that is a condition, what is left to do is to take the mutex again
 */
void chess_op_retake(struct chess_op *op)
{
	if (op->kind != CHESS_OP_ON_OBJECTS || !op->waits || !op->gives)
		return;
	op->gives = false;
	op->owns = true;
	op->tries = true;
}

/**
 * chess_depend_spawn() - a task was created
 * @d: what is known; events have to be shown in their order
 * @e: the event that says so
 *
 * Return: 0 or -ENOMEM.
 */
int chess_depend_spawn(struct chess_depend *d, const struct chess_event *e)
{
	if (e->object >= CHESS_TASK_NONE)
		return 0;
	if (make_room(d, e->object))
		return -ENOMEM;
	if (e->arg > CHESS_SPAWN_BORROWS)
		d->task[e->object].pointer = e->arg;
	chess_apart_spawn(d, e);
	return 0;
}

/**
 * chess_depend_signalled() - may a task take a signal?
 * @d: what is known
 * @task: which
 *
 * Return: whether one was sent that it may take, or may have taken.
 */
bool chess_depend_signalled(const struct chess_depend *d, uint16_t task)
{
	return d->signalled || (task < d->tasks && d->task[task].signalled);
}

/**
 * chess_depend_astray() - may a task that has had to wait run a handler before its op is over?
 * @d: what is known
 * @task: which
 *
 * Its next step then is not what its op does, and may be taken before what the op waits for.
 *
 * Return: whether it may.
 */
bool chess_depend_astray(const struct chess_depend *d, uint16_t task)
{
	return task < d->tasks && d->task[task].slept && chess_depend_signalled(d, task);
}

/**
 * chess_depend_blocked() - a task has to wait
 * @d: what is known
 * @task: which
 */
void chess_depend_blocked(struct chess_depend *d, uint16_t task)
{
	if (task < d->tasks)
		d->task[task].slept = true;
}

/**
 * chess_depend_hides() - may what a task does alone concern others, without being in the record?
 * @d: what is known
 * @task: which
 *
 * Accesses to memory are points only while another task could run.
 *
 * Return: whether it may.
 */
bool chess_depend_hides(const struct chess_depend *d, uint16_t task)
{
	return d->accesses && !chess_is_apart(d, task);
}

/**
 * chess_ops_depend() - does it matter which of two ops of two tasks comes first?
 * @a: one
 * @b: the other one, with objects of the same table
 *
 * Return: whether it may.
 */
bool chess_ops_depend(const struct chess_op *a, const struct chess_op *b)
{
	unsigned int i, k;

	if (a->kind == CHESS_OP_ON_ALL || b->kind == CHESS_OP_ON_ALL)
		return true;
	if ((a->kind == CHESS_OP_LEAVES && b->kind == CHESS_OP_JOINS) ||
	    (a->kind == CHESS_OP_JOINS && b->kind == CHESS_OP_LEAVES))
		return true;
	if (!a->write && !b->write)
		return false;
	for (i = 0; i < a->n; i++)
		for (k = 0; k < b->n; k++)
			if (a->object[i] == b->object[k] &&
			    (chess_op_writes(a, i) || chess_op_writes(b, k)))
				return true;
	return false;
}

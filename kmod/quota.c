// SPDX-License-Identifier: GPL-2.0-only
/*
 * What one user without CAP_SYS_ADMIN may have, over all of its groups that are not freed yet:
 * those that ended but whose tasks are stopped still count. group.c, record.c, access.c,
 * plan.c, image.c and text.c allocate here what grows with what is asked for.
 *
 * The memory is charged to the memory cgroup of whoever asks, too; most users are in none
 * that has a limit. What a user may have is not taken from others by the OOM killer.
 */
#include <linux/err.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/overflow.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>

#include "netlink.h"
#include "quota.h"

#define USER_GROUPS	16
/* Without the parameter: a quarter of the machine's memory, and no more than this, in MiB. */
#define USER_MEMORY	1024

static unsigned int memory;
module_param(memory, uint, 0644);
MODULE_PARM_DESC(memory, "MiB a user may have; 0: a quarter of all, at most 1024");

/**
 * struct chess_quota - what a user has
 * @entry: in the list of users; this and all below under quota_lock
 * @uid: the user
 * @users: groups, and memory they are charged for
 * @groups: groups
 * @bytes: memory
 */
struct chess_quota {
	struct list_head entry;
	kuid_t uid;
	unsigned long users;
	unsigned int groups;
	u64 bytes;
};

/* Stands before the memory. */
struct charge {
	struct chess_quota *quota;
	u64 bytes;
} __aligned(64);

static DEFINE_SPINLOCK(quota_lock);
static LIST_HEAD(quotas);
static DECLARE_WAIT_QUEUE_HEAD(group_freed);

static u64 limit(void)
{
	u64 quarter = (u64)totalram_pages() << PAGE_SHIFT >> 2;
	unsigned int chosen = READ_ONCE(memory);

	return chosen ? (u64)chosen * SZ_1M : min_t(u64, quarter, (u64)USER_MEMORY * SZ_1M);
}

static void put_locked(struct chess_quota *q)
{
	lockdep_assert_held(&quota_lock);
	if (--q->users)
		return;
	list_del(&q->entry);
	kfree(q);
}

/* @more: memory for a user that has nothing; taken where it is needed. */
static struct chess_quota *find_locked(kuid_t uid, struct chess_quota **more)
{
	struct chess_quota *q;

	lockdep_assert_held(&quota_lock);
	list_for_each_entry(q, &quotas, entry)
		if (uid_eq(q->uid, uid))
			return q;
	q = *more;
	*more = NULL;
	q->uid = uid;
	list_add(&q->entry, &quotas);
	return q;
}

static struct chess_quota *try_get(kuid_t uid, struct chess_quota **more)
{
	struct chess_quota *q;

	spin_lock(&quota_lock);
	q = find_locked(uid, more);
	if (q->groups < USER_GROUPS) {
		q->users++;
		q->groups++;
	} else {
		q = NULL;
	}
	spin_unlock(&quota_lock);
	return q;
}

/**
 * chess_quota_get() - a user has one more group
 * @uid: the user
 *
 * Groups that end are freed a little later: that is waited for, but not for long.
 *
 * Context: netlink.
 * Return: for chess_quota_put(); ERR_PTR(-EDQUOT) when the user has as many as it may,
 * ERR_PTR(-ENOMEM).
 */
struct chess_quota *chess_quota_get(kuid_t uid)
{
	struct chess_quota *more = kzalloc(sizeof(*more), GFP_KERNEL_ACCOUNT), *q = NULL;

	if (!more)
		return ERR_PTR(-ENOMEM);
	wait_event_killable_timeout(group_freed, (q = try_get(uid, &more)), CHESS_NETLINK_WAIT);
	kfree(more);
	return q ?: ERR_PTR(-EDQUOT);
}

/**
 * chess_quota_put() - a group is freed
 * @q: what chess_quota_get() returned for it, or NULL
 *
 * Context: process.
 */
void chess_quota_put(struct chess_quota *q)
{
	if (!q)
		return;
	spin_lock(&quota_lock);
	q->groups--;
	put_locked(q);
	spin_unlock(&quota_lock);
	wake_up_all(&group_freed);
}

static bool charge(struct chess_quota *q, u64 bytes)
{
	u64 most = limit();
	bool fits;

	if (!q)
		return true;
	spin_lock(&quota_lock);
	fits = q->bytes <= most && bytes <= most - q->bytes;
	if (fits) {
		q->bytes += bytes;
		q->users++;
	}
	spin_unlock(&quota_lock);
	return fits;
}

static void uncharge(struct chess_quota *q, u64 bytes)
{
	if (!q)
		return;
	spin_lock(&quota_lock);
	q->bytes -= bytes;
	put_locked(q);
	spin_unlock(&quota_lock);
}

static void *get_memory(size_t bytes)
{
	const gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN;
	void *p = NULL;

	if (bytes <= SZ_1M)
		p = kmalloc(bytes, gfp | (bytes > PAGE_SIZE ? __GFP_NORETRY : 0));
	/* Rather none than that others are killed for it. */
	return p ?: __vmalloc(bytes, gfp | __GFP_RETRY_MAYFAIL);
}

/**
 * chess_quota_alloc() - memory for what a user asked for
 * @q: its quota, or NULL: without limit
 * @n: so many elements
 * @size: of this size
 * @extra: bytes that go with it and are charged too, but not allocated
 *
 * Context: process, may sleep.
 * Return: zeroed memory, for chess_quota_free(); NULL: there is none, or the user has as much
 * as it may.
 */
void *chess_quota_alloc(struct chess_quota *q, size_t n, size_t size, size_t extra)
{
	size_t bytes = size_add(array_size(n, size), sizeof(struct charge));
	size_t charged = size_add(bytes, extra);
	struct charge *c;

	if (charged > INT_MAX || !charge(q, charged))
		return NULL;
	c = get_memory(bytes);
	if (!c) {
		uncharge(q, charged);
		return NULL;
	}
	*c = (struct charge) { .quota = q, .bytes = charged };
	return c + 1;
}

/**
 * chess_quota_free() - free memory of chess_quota_alloc()
 * @memory: the memory, or NULL
 *
 * Context: process, may sleep.
 */
void chess_quota_free(const void *memory)
{
	const struct charge *c = memory;

	if (!c)
		return;
	c--;
	uncharge(c->quota, c->bytes);
	kvfree(c);
}

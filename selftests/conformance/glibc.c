// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that glibc's timed waits give under control what they give without, where
 * the function is the point and its futex calls are inside: conditions, semaphores,
 * mutexes, read-write locks; a signal must not end those that may not be ended by
 * one. Objects are process-shared. Run by conformance.sh.
 */
#include "conf.h"

#include <semaphore.h>

struct objects {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	pthread_rwlock_t rwlock;
	sem_t sem;
};

static struct objects *o;

static void make_with(clockid_t clock)
{
	pthread_mutexattr_t ma;
	pthread_condattr_t ca;
	pthread_rwlockattr_t ra;

	o = (void *)conf_shared->room;
	memset(o, 0, sizeof(*o));
	pthread_mutexattr_init(&ma);
	pthread_mutexattr_setpshared(&ma, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&o->mutex, &ma);
	pthread_condattr_init(&ca);
	pthread_condattr_setpshared(&ca, PTHREAD_PROCESS_SHARED);
	pthread_condattr_setclock(&ca, clock);
	pthread_cond_init(&o->cond, &ca);
	pthread_rwlockattr_init(&ra);
	pthread_rwlockattr_setpshared(&ra, PTHREAD_PROCESS_SHARED);
	pthread_rwlock_init(&o->rwlock, &ra);
	sem_init(&o->sem, 1, 0);
}

static void make(void) { make_with(CLOCK_REALTIME); }
static void make_monotonic(void) { make_with(CLOCK_MONOTONIC); }

/* pthread functions return the error. */
static long result(int error)
{
	errno = error;
	return error ? -1 : 0;
}

/* --- conditions --------------------------------------------------------- */

static void signal_cond(void)
{
	pthread_mutex_lock(&o->mutex);
	pthread_cond_signal(&o->cond);
	pthread_mutex_unlock(&o->mutex);
}

/* The mutex must be ours again however the wait ended. */
static long after_cond(struct conf_wait *w, int ret)
{
	snprintf(w->extra, sizeof(w->extra), "mutex=%s",
		 pthread_mutex_trylock(&o->mutex) == EBUSY ? "held" : "free");
	pthread_mutex_unlock(&o->mutex);
	return result(ret);
}

static long wait_cond(struct conf_wait *w)
{
	struct timespec ts = conf_deadline(w);

	pthread_mutex_lock(&o->mutex);
	return after_cond(w, pthread_cond_timedwait(&o->cond, &o->mutex, &ts));
}

static long wait_cond_clock(struct conf_wait *w)
{
	struct timespec ts = conf_deadline(w);

	pthread_mutex_lock(&o->mutex);
	return after_cond(w, pthread_cond_clockwait(&o->cond, &o->mutex, w->clock, &ts));
}

static struct timespec bad_ns = { .tv_nsec = 1000000000 }, second = { .tv_sec = 1 };

static void cond_more(void)
{
	make();
	pthread_mutex_lock(&o->mutex);
	conf_try("einval-ns", result(pthread_cond_timedwait(&o->cond, &o->mutex, &bad_ns)));
	pthread_mutex_unlock(&o->mutex);
}

/* --- semaphores --------------------------------------------------------- */

static void post(void)
{
	sem_post(&o->sem);
}

static void say_sem(struct conf_wait *w)
{
	int value = -1, error = errno;

	sem_getvalue(&o->sem, &value);
	snprintf(w->extra, sizeof(w->extra), "value=%d", value);
	errno = error;
}

static long wait_sem(struct conf_wait *w)
{
	struct timespec ts = conf_deadline(w);
	long ret = sem_timedwait(&o->sem, &ts);

	say_sem(w);
	return ret;
}

static long wait_sem_clock(struct conf_wait *w)
{
	struct timespec ts = conf_deadline(w);
	long ret = sem_clockwait(&o->sem, w->clock, &ts);

	say_sem(w);
	return ret;
}

static void sem_more(void)
{
	make();
	conf_try("einval-ns", sem_timedwait(&o->sem, &bad_ns));
	sem_post(&o->sem);
	conf_try("free", sem_timedwait(&o->sem, &second));
}

/* --- locks -------------------------------------------------------------- */

static void own_mutex(void) { pthread_mutex_lock(&o->mutex); }
static void leave_mutex(void) { pthread_mutex_unlock(&o->mutex); }
static void own_rwlock(void) { pthread_rwlock_wrlock(&o->rwlock); }
static void leave_rwlock(void) { pthread_rwlock_unlock(&o->rwlock); }

static long wait_mutex(struct conf_wait *w)
{
	struct timespec ts = conf_deadline(w);
	int ret = pthread_mutex_timedlock(&o->mutex, &ts);

	if (!ret)
		pthread_mutex_unlock(&o->mutex);
	return result(ret);
}

static long wait_mutex_clock(struct conf_wait *w)
{
	struct timespec ts = conf_deadline(w);
	int ret = pthread_mutex_clocklock(&o->mutex, w->clock, &ts);

	if (!ret)
		pthread_mutex_unlock(&o->mutex);
	return result(ret);
}

static long wait_rdlock(struct conf_wait *w)
{
	struct timespec ts = conf_deadline(w);
	int ret = pthread_rwlock_timedrdlock(&o->rwlock, &ts);

	if (!ret)
		pthread_rwlock_unlock(&o->rwlock);
	return result(ret);
}

static long wait_wrlock(struct conf_wait *w)
{
	struct timespec ts = conf_deadline(w);
	int ret = pthread_rwlock_timedwrlock(&o->rwlock, &ts);

	if (!ret)
		pthread_rwlock_unlock(&o->rwlock);
	return result(ret);
}

static void mutex_more(void)
{
	make();
	conf_try("free", result(pthread_mutex_timedlock(&o->mutex, &second)));
	conf_try("einval-ns", result(pthread_mutex_timedlock(&o->mutex, &bad_ns)));
	conf_try("own", result(pthread_mutex_timedlock(&o->mutex, &second)));
}

#define REAL	.nr = SYS_futex, .clock = CLOCK_REALTIME, .setup = make
#define MONO	.nr = SYS_futex, .clock = CLOCK_MONOTONIC
#define MUTEX	.own = own_mutex, .wake = leave_mutex
#define RWLOCK	.own = own_rwlock, .wake = leave_rwlock

static const struct conf_call calls[] = {
	{ .name = "cond_timedwait", REAL, .flags = CONF_NO_READY | CONF_ABS, .wake = signal_cond,
	  .wait = wait_cond, .more = cond_more },
	{ .name = "cond_timedwait-monotonic", MONO, .flags = CONF_NO_READY | CONF_ABS,
	  .setup = make_monotonic, .wake = signal_cond, .wait = wait_cond },
	{ .name = "cond_clockwait", MONO, .flags = CONF_NO_READY | CONF_ABS, .setup = make,
	  .wake = signal_cond, .wait = wait_cond_clock },
	{ .name = "sem_timedwait", REAL, .flags = CONF_ABS, .wake = post, .wait = wait_sem,
	  .more = sem_more },
	{ .name = "sem_clockwait", MONO, .flags = CONF_ABS, .setup = make, .wake = post,
	  .wait = wait_sem_clock },
	{ .name = "mutex_timedlock", REAL, .flags = CONF_ABS, MUTEX, .wait = wait_mutex,
	  .more = mutex_more },
	{ .name = "mutex_clocklock", MONO, .flags = CONF_ABS, .setup = make, MUTEX,
	  .wait = wait_mutex_clock },
	{ .name = "rwlock_timedrdlock", REAL, .flags = CONF_ABS, RWLOCK, .wait = wait_rdlock },
	{ .name = "rwlock_timedwrlock", REAL, .flags = CONF_ABS, RWLOCK, .wait = wait_wrlock },
};

int main(int argc, char **argv)
{
	return conf_main(argc, argv, calls, ARRAY_SIZE(calls));
}

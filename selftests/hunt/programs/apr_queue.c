// SPDX-License-Identifier: GPL-2.0-only
/*
 * a thread pool runs both tasks before it is destroyed
 * link: -I/usr/include/apr-1.0 -D_LARGEFILE64_SOURCE -laprutil-1 -lapr-1
 */
#include <apr_atomic.h>
#include <apr_general.h>
#include <apr_thread_pool.h>

static volatile apr_uint32_t ran;

static void *task(apr_thread_t *t, void *arg)
{
	apr_atomic_inc32(&ran);
	return NULL;
}

int main(void)
{
	apr_thread_pool_t *threads;
	apr_pool_t *pool;

	apr_initialize();
	apr_pool_create(&pool, NULL);
	apr_thread_pool_create(&threads, 1, 2, pool);
	apr_thread_pool_push(threads, task, NULL, APR_THREAD_TASK_PRIORITY_NORMAL, NULL);
	apr_thread_pool_push(threads, task, NULL, APR_THREAD_TASK_PRIORITY_NORMAL, NULL);
	while (apr_thread_pool_tasks_run_count(threads) < 2)
		apr_thread_yield();
	apr_thread_pool_destroy(threads);
	apr_terminate();
	return ran != 2;
}

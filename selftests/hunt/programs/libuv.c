// SPDX-License-Identifier: GPL-2.0-only
/*
 * work of the pool and a message of a thread both reach the loop
 * link: -luv
 */
#include <uv.h>

static uv_async_t async;
static int worked, told;

static void work(uv_work_t *w) { uv_async_send(&async); }
static void after(uv_work_t *w, int status) { worked++; }
static void tell(uv_async_t *a) { told++; uv_close((uv_handle_t *)a, NULL); }

int main(void)
{
	uv_work_t w;

	uv_async_init(uv_default_loop(), &async, tell);
	uv_queue_work(uv_default_loop(), &w, work, after);
	uv_run(uv_default_loop(), UV_RUN_DEFAULT);
	return worked != 1 || told != 1 || uv_loop_close(uv_default_loop());
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * a thread cancels the service of a context, which is then destroyed
 * link: -lwebsockets -lpthread
 */
#include <libwebsockets.h>
#include <pthread.h>

static struct lws_context *context;
static int done;

static void *cancel(void *arg)
{
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	lws_cancel_service(context);
	return NULL;
}

int main(void)
{
	struct lws_context_creation_info info = { .port = CONTEXT_PORT_NO_LISTEN };
	pthread_t t;

	lws_set_log_level(0, NULL);
	context = lws_create_context(&info);
	if (!context)
		return 2;
	pthread_create(&t, NULL, cancel, NULL);
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
		lws_service(context, 0);
	pthread_join(t, NULL);
	lws_context_destroy(context);
	return 0;
}

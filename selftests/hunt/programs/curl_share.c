// SPDX-License-Identifier: GPL-2.0-only
/*
 * two threads fetch a file each
 * link: -lcurl -lpthread
 */
#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *get(void *arg)
{
	FILE *null = fopen("/dev/null", "w");
	CURL *c = curl_easy_init();
	long code;

	curl_easy_setopt(c, CURLOPT_URL, "file:///etc/hostname");
	curl_easy_setopt(c, CURLOPT_WRITEDATA, null);
	code = curl_easy_perform(c);
	curl_easy_cleanup(c);
	fclose(null);
	return (void *)code;
}

int main(void)
{
	pthread_t t;
	void *code;

	pthread_create(&t, NULL, get, NULL);
	if (get(NULL))
		return 2;
	pthread_join(t, &code);
	curl_global_cleanup();
	return !!code;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of processes shows what each thread does, if it does anything. The thread may be
 * done between the look and the use.
 *
 * source: MySQL #3596; Lu et al., ASPLOS 2008, section 3 (proc_info)
 * expect: verdict=crash
 */
#include <string.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *doing = "sorting";
static int shown;

static void show(void)
{
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	if (doing)
		shown = strlen(doing);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
	(void)arg;
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	doing = NULL;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	together(show, work);
	return 0;
}

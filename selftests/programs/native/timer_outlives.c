// SPDX-License-Identifier: GPL-2.0-only
/*
 * The handler of a timer closes the connection that the timer is about. A task that is done with a
 * connection gives its memory back, and deletes its timer after that.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include "window.h"

struct connection {
	volatile int is_late;
};

static void on_idle(int sig, siginfo_t *info, void *context)
{
	struct connection *c = info->si_value.sival_ptr;

	(void)sig;
	(void)context;
	c->is_late = 1;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_idle, .sa_flags = SA_SIGINFO };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL };
	struct itimerspec in = { .it_value.tv_nsec = 10000000 };
	struct connection *c;
	timer_t idle;

	event.sigev_signo = SIGRTMIN;
	sigaction(SIGRTMIN, &action, NULL);
	c = mmap(NULL, sizeof(*c), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(c != MAP_FAILED);
	event.sigev_value.sival_ptr = c;
	assert(!timer_create(CLOCK_MONOTONIC, &event, &idle));
	assert(!timer_settime(idle, 0, &in, NULL));
	if (IS_MENDED)
		assert(!timer_delete(idle));
	munmap(c, sizeof(*c));
	WINDOW();
	if (!IS_MENDED)
		assert(!timer_delete(idle));
	return 0;
}

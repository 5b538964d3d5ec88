// SPDX-License-Identifier: GPL-2.0-only
/*
 * An FTP server leaves a transfer by a jump out of its handler for SIGURG. If it holds
 * something then that must be given back, nobody does. Mended: the signal is blocked there.
 *
 * source: Zalewski, Delivering Signals for Fun and Profit, 2001 (WU-FTPD, myoob)
 * expect: verdict=assert
 */
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "outside.h"

static sigjmp_buf urgent;
static volatile int is_transferring, privileges;

static void on_urgent(int sig)
{
	(void)sig;
	if (is_transferring)
		siglongjmp(urgent, 1);
}

static void transfer(void)
{
	sigset_t set, old;

	sigemptyset(&set);
	sigaddset(&set, SIGURG);
	sigprocmask(SIG_BLOCK, IS_MENDED ? &set : NULL, &old);
	is_transferring = 1;
	privileges++;
	privileges--;
	sigprocmask(SIG_SETMASK, &old, NULL);
	is_transferring = 0;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_urgent, .sa_flags = SA_RESTART };
	pid_t client, server = getpid();

	sigaction(SIGURG, &action, NULL);
	client = fork();
	assert(client >= 0);
	if (!client) {
		kill(server, SIGURG);
		_exit(0);
	}
	if (!sigsetjmp(urgent, 1))
		transfer();
	is_transferring = 0;
	assert(!privileges);
	assert(waitpid(client, NULL, 0) == client);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A deadlock in C++ whose tasks have names from everywhere a name can come from: main() names itself
 * while it is alone, a thread names itself, main() names another one, and a process has the name of
 * what it executes. For names.sh.
 */
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace money {

static pthread_mutex_t from = PTHREAD_MUTEX_INITIALIZER, to = PTHREAD_MUTEX_INITIALIZER;

template <typename T> struct account {
	static void *pay(void *arg)
	{
		pthread_mutex_lock(&to);
		pthread_mutex_lock(&from);
		pthread_mutex_unlock(&from);
		pthread_mutex_unlock(&to);
		return arg;
	}
};

static void *idle(void *arg)
{
	prctl(PR_SET_NAME, "idle\none");
	return arg;
}

}

int main()
{
	pthread_t payer, idler;
	pid_t child;

	prctl(PR_SET_NAME, "bank");
	pthread_create(&idler, nullptr, money::idle, nullptr);
	pthread_join(idler, nullptr);
	child = fork();
	if (!child) {
		execl("/bin/true", "true", nullptr);
		_exit(1);
	}
	waitpid(child, nullptr, 0);
	pthread_create(&payer, nullptr, money::account<long>::pay, nullptr);
	pthread_setname_np(payer, "teller");
	pthread_mutex_lock(&money::from);
	pthread_mutex_lock(&money::to);
	pthread_mutex_unlock(&money::to);
	pthread_mutex_unlock(&money::from);
	return pthread_join(payer, nullptr);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes move money between two accounts in shared memory. Each account has
 * a process-shared semaphore as its lock; both take them in the same order, whichever
 * they draw from.
 *
 * expect: verdict=ok runs=1,6,22
 */
#include <assert.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct account {
	sem_t lock;
	int balance;
};

static void move(struct account *from, struct account *to, int sum)
{
	struct account *first = from < to ? from : to, *second = from < to ? to : from;

	sem_wait(&first->lock);
	sem_wait(&second->lock);
	from->balance -= sum;
	to->balance += sum;
	sem_post(&second->lock);
	sem_post(&first->lock);
}

int main(void)
{
	struct account *account = mmap(NULL, 2 * sizeof(*account), PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t child;

	assert(account != MAP_FAILED);
	for (int i = 0; i < 2; i++) {
		sem_init(&account[i].lock, 1, 1);
		account[i].balance = 100;
	}
	child = fork();
	assert(child >= 0);
	if (!child) {
		move(&account[1], &account[0], 30);
		_exit(0);
	}
	move(&account[0], &account[1], 10);
	assert(waitpid(child, &status, 0) == child && !status);
	assert(account[0].balance == 120 && account[1].balance == 80);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver reads the size of a request from memory that its user shares, checks it, and reads
 * it again with the request. The user has changed it in between.
 *
 * source: CVE-2016-6480 (Linux, aacraid); Wang et al., USENIX Security 2017
 * expect: verdict=assert
 */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "outside.h"

#define MOST 8

struct request {
	volatile unsigned int size;
};

int main(void)
{
	struct request *shared;
	unsigned int size, used;
	pid_t user;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	assert(shared != MAP_FAILED);
	shared->size = 4;
	user = fork();
	assert(user >= 0);
	if (!user) {
		shared->size = 400;
		_exit(0);
	}
	size = shared->size;
	if (size <= MOST) {
		used = IS_MENDED ? size : shared->size;
		assert(used <= MOST);
	}
	assert(waitpid(user, NULL, 0) == user);
	return 0;
}

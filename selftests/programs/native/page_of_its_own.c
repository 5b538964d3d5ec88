// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process maps a file for itself, and may write there, but has not yet: it sees what its parent
 * writes to the file, and reads one old number and one new.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared_lock.h"
#include "window.h"

struct page {
	long first;
	long last;
};

static int use_page(volatile struct page *page)
{
	long first, last;

	lock_shared();
	first = page->first;
	WINDOW();
	last = page->last;
	unlock_shared();
	return first != last;
}

int main(void)
{
	const struct page new = { 1, 1 };
	struct page *page;
	int status, fd;
	pid_t child;

	make_shared_lock();
	fd = memfd_create("page", 0);
	assert(fd >= 0 && !ftruncate(fd, sizeof(*page)));
	page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	assert(page != MAP_FAILED);
	child = fork();
	if (!child)
		_exit(use_page(page));
	INTO_WINDOW();
	lock_shared();
	assert(pwrite(fd, &new, sizeof(new), 0) == sizeof(new));
	unlock_shared();
	assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
	return WEXITSTATUS(status);
}

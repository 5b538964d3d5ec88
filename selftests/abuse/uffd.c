// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page faults that another thread serves. Hard: a task sleeps in the kernel's own business
 * until a task without the token acts.
 */
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>

#include "abuse.h"

static char *pages;
static int uffd;

static void *serve(void *unused)
{
	struct uffdio_copy copy;
	struct uffd_msg msg;
	char page[4096];
	int i;

	for (i = 0; i < 3 && read(uffd, &msg, sizeof(msg)) > 0; i++) {
		memset(page, 'A' + i, sizeof(page));
		copy = (struct uffdio_copy){
			.dst = msg.arg.pagefault.address & ~4095ULL,
			.src = (unsigned long)page, .len = 4096,
		};
		ioctl(uffd, UFFDIO_COPY, &copy);
	}
	return unused;
}

int main(void)
{
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_api api = { .api = UFFD_API };
	pthread_t thread;
	int i, sum = 0;

	uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	ioctl(uffd, UFFDIO_API, &api);
	pages = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	area.range = (struct uffdio_range){ (unsigned long)pages, 3 * 4096 };
	ioctl(uffd, UFFDIO_REGISTER, &area);
	pthread_create(&thread, NULL, serve, NULL);
	for (i = 0; i < 3; i++)
		sum += pages[i * 4096];
	pthread_join(thread, NULL);
	say("sum %d\n", sum);
	return 0;
}

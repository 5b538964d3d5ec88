// SPDX-License-Identifier: GPL-2.0-only
/*
 * an asynchronous write ends, and a list of two
 * link: -lpthread
 */
#include <aio.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	struct aiocb a = { .aio_fildes = fd, .aio_buf = "aa", .aio_nbytes = 2,
			   .aio_lio_opcode = LIO_WRITE };
	struct aiocb b = a, *list[] = { &a, &b };
	char text[5] = "";

	b.aio_offset = 2;
	b.aio_buf = "bb";
	if (lio_listio(LIO_WAIT, list, 2, NULL) || aio_return(&a) != 2 || aio_return(&b) != 2)
		return 2;
	return pread(fd, text, 4, 0) != 4 || strcmp(text, "aabb");
}

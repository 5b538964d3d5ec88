// SPDX-License-Identifier: GPL-2.0-only
/*
 * See user.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../harness.h"
#include "user.h"

char helper[] = "/tmp/rights_test.XXXXXX";

__asm__(".text\n.globl helper_work\n.type helper_work, @function\n"
	"helper_work: nop\n\tmov $42, %eax\n\tret\n");

static int note_base(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	*(uintptr_t *)data = info->dlpi_addr;
	return 1;
}

/* The trap on helper_work() of this file; its bytes are as far from the start of
 * the file as from the load address, because the text segment is.
 */
struct chess_probe helper_probe(void)
{
	struct chess_probe p = {
		.id = 1, .op = CHESS_OP_LOCK, .orig_len = 1, .slot_len = 15, .nfixups = 1,
		.orig = { 0x90 },
		/* nop; jmp *0(%rip) */
		.slot = { 0x90, 0xff, 0x25, 0, 0, 0, 0 },
		.fixups = { { .kind = CHESS_FIXUP_ABS64, .pos = 7, .addend = 1 } },
	};
	uintptr_t base = 0;

	dl_iterate_phdr(note_base, &base);
	p.offset = (uintptr_t)helper_work - base;
	return p;
}

void make_helper(void)
{
	char block[65536];
	int in = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), out = mkstemp(helper);
	ssize_t n;

	ASSERT_LE(0, in);
	ASSERT_LE(0, out);
	while ((n = read(in, block, sizeof(block))) > 0)
		ASSERT_EQ(n, write(out, block, n));
	ASSERT_EQ(0, fchown(out, 0, 0));
	ASSERT_EQ(0, fchmod(out, 04755));
	close(in);
	close(out);
}

int set_parameter(const char *name, const char *value)
{
	char path[96];
	int fd, ret = 0;

	snprintf(path, sizeof(path), "/sys/module/chess/parameters/%s", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, value, strlen(value)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

void drop_to(uid_t uid)
{
	ASSERT_EQ(0, setgroups(0, NULL));
	ASSERT_EQ(0, setresgid(uid, uid, uid));
	ASSERT_EQ(0, setresuid(uid, uid, uid));
	/* What a process of this user's has from its execve. */
	ASSERT_EQ(0, prctl(PR_SET_DUMPABLE, 1));
}

void become(uid_t uid)
{
	EXPECT_EQ(0, set_parameter("unprivileged", "1"));
	drop_to(uid);
}

pid_t spawn(const char *const *argv, int fd, int *in)
{
	int ends[2];
	pid_t pid;

	ASSERT_EQ(0, pipe2(ends, O_CLOEXEC));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		char c;

		close(fd);
		close(ends[1]);
		if (read(ends[0], &c, 1) != 1)
			_exit(1);
		dup2(ends[0], 0);
		execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(ends[0]);
	*in = ends[1];
	return pid;
}

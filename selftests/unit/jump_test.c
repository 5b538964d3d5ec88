// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves which traps may become jumps: those of the host's lock functions, and none whose first
 * instructions something jumps to, or has a trap of its own in.
 */
#include <unistd.h>

#include "harness.h"
#include "code/jump.h"

/* pthread_mutex_lock of a library: @begin, which ends at the label 1, and @rest of the file. */
static int flags_of(const char *begin, const char *rest)
{
	char command[1024], path[] = "/tmp/chess-jump-XXXXXX";
	int n, flags = -1, fd = mkstemp(path);
	struct chess_probe *p;

	ASSERT_LE(0, fd);
	close(fd);
	snprintf(command, sizeof(command),
		 "printf '.globl pthread_mutex_lock\\n.type pthread_mutex_lock, @function\\n"
		 "pthread_mutex_lock:\\n.cfi_startproc\\n%s\\n1: ret\\n.cfi_endproc\\n"
		 ".size pthread_mutex_lock, . - pthread_mutex_lock\\n%s\\n"
		 ".section .note.GNU-stack\\n' | "
		 "${CC:-gcc} -shared -nostdlib -x assembler - -o %s", begin, rest, path);
	ASSERT_EQ(0, system(command));
	n = chess_symbols_probes(path, &p, NULL);
	ASSERT_EQ(1, n);
	if (!chess_jump_may_replace(path, p, n))
		flags = p[0].flags;
	free(p);
	unlink(path);
	return flags;
}

#define LOADS	"mov 16(%%rdi), %%eax\\n5: mov %%eax, %%edx"

TEST(where_nothing_jumps_to)
{
	EXPECT_EQ(CHESS_PROBE_JUMP, flags_of(LOADS, ""));
	EXPECT_EQ(CHESS_PROBE_JUMP, flags_of(LOADS, "call pthread_mutex_lock\\njmp 1b"));
	EXPECT_EQ(0, flags_of("push %%rbx\\npush %%rbp\\nmov %%edi, %%eax", ""));
	EXPECT_EQ(0, flags_of(LOADS "\\njmp 5b", ""));
	EXPECT_EQ(0, flags_of(LOADS, ".fill 300, 1, 0x90\\njmp 5b"));
	EXPECT_EQ(0, flags_of(LOADS, ".fill 300, 1, 0x90\\nje 5b"));
}

TEST(locks_of_the_hosts_libc)
{
	struct chess_probe *p;
	int n, i, found = 0;

	n = chess_symbols_probes("/lib/x86_64-linux-gnu/libc.so.6", &p, NULL);
	if (n < 0)
		SKIP_TEST("there is no libc where Debian has it");
	ASSERT_EQ(0, chess_jump_may_replace("/lib/x86_64-linux-gnu/libc.so.6", p, n));
	for (i = 0; i < n; i++) {
		if (!(p[i].flags & CHESS_PROBE_JUMP))
			continue;
		EXPECT_LE(5, p[i].orig_len);
		EXPECT_TRUE(p[i].op == CHESS_OP_LOCK || p[i].op == CHESS_OP_UNLOCK ||
			    p[i].op == CHESS_OP_RDLOCK || p[i].op == CHESS_OP_WRLOCK ||
			    p[i].op == CHESS_OP_SEM_POST);
		found++;
	}
	EXPECT_LE(2, found);
	free(p);
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that system calls read as strace has them, and that no pointer of the program is
 * trusted: what cannot be read, ends at a page that is not there, or is too long.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "../../cli/report/call_text.c"
#include "harness.h"

#define CALL(number, ...)	{ .pid = getpid(), .nr = number, .args = { __VA_ARGS__ } }
#define AT(p)			((uint64_t)(uintptr_t)(p))

static char *whole(struct call_site c, int64_t result)
{
	size_t rest;
	char *begun = call_begin(&c, &rest);

	return call_end(&c, begun, rest, result);
}

TEST(files_read_by_themselves)
{
	struct call_site make = CALL(SYS_openat, (uint64_t)AT_FDCWD, AT("data/x"),
				     O_CREAT | O_EXCL | O_WRONLY, 0644);
	struct call_site look = CALL(SYS_openat, (uint64_t)AT_FDCWD, AT("a \"b\"\n"), O_RDONLY, 7);

	EXPECT_STREQ("openat(AT_FDCWD, \"data/x\", O_WRONLY|O_CREAT|O_EXCL, 0644) = 3",
		     whole(make, 3));
	EXPECT_STREQ("openat(AT_FDCWD, \"data/x\", O_WRONLY|O_CREAT|O_EXCL, 0644) = -1 EEXIST",
		     whole(make, -EEXIST));
	/* Without O_CREAT there is no mode, whatever is in the register. */
	EXPECT_STREQ("openat(AT_FDCWD, \"a \\\"b\\\"\\n\", O_RDONLY) = -1 ENOENT",
		     whole(look, -ENOENT));
	EXPECT_STREQ("rename(\"a\", \"b\") = 0",
		     whole((struct call_site) CALL(SYS_rename, AT("a"), AT("b")), 0));
	EXPECT_STREQ("access(\"a\", R_OK|W_OK) = 0",
		     whole((struct call_site) CALL(SYS_access, AT("a"), R_OK | W_OK), 0));
	EXPECT_STREQ("access(\"a\", F_OK) = 0",
		     whole((struct call_site) CALL(SYS_access, AT("a"), F_OK), 0));
	EXPECT_STREQ("mkdir(\"d\", 0700) = -1 EEXIST",
		     whole((struct call_site) CALL(SYS_mkdir, AT("d"), 0700), -EEXIST));
}

TEST(bytes_are_told_once_they_are_there)
{
	char buffer[] = "old", *begun;
	struct call_site in = CALL(SYS_read, 999, AT(buffer), 100);
	struct call_site out = CALL(SYS_write, 999, AT("ab\x01"), 3);
	size_t rest;

	begun = call_begin(&in, &rest);
	EXPECT_STREQ("read(999", begun);
	EXPECT_EQ((size_t)1, rest);
	strcpy(buffer, "new");
	EXPECT_STREQ("read(999, \"new\", 100) = 3", call_end(&in, begun, rest, 3));
	EXPECT_STREQ("write(999, \"ab\\x01\", 3) = 3", whole(out, 3));
	/* Nothing was written there, or the call is not over. */
	EXPECT_NE(NULL, (void *)strstr(whole(in, -EAGAIN), ", 100) = -1 EAGAIN"));
	begun = call_begin(&in, &rest);
	EXPECT_NE(NULL, (void *)strstr(call_unfinished(&in, begun, rest), ", 100) = ?"));
}

TEST(pointers_are_not_trusted)
{
	static char longer[5000];
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct call_site bad = CALL(SYS_unlink, 0x10);
	char *text;

	EXPECT_STREQ("unlink(0x10) = -1 EFAULT", whole(bad, -EFAULT));
	bad.args[0] = 0;
	EXPECT_STREQ("unlink(NULL) = -1 EFAULT", whole(bad, -EFAULT));
	ASSERT_EQ(0, munmap(page + 4096, 4096));
	memcpy(page + 4093, "end", 3);
	bad.args[0] = AT(page + 4093);
	EXPECT_STREQ("unlink(\"end\"...) = -1 EFAULT", whole(bad, -EFAULT));
	memcpy(page + 4093, "ab", 3);
	EXPECT_STREQ("unlink(\"ab\") = 0", whole(bad, 0));
	memset(longer, 'x', sizeof(longer) - 1);
	bad.args[0] = AT(longer);
	text = whole(bad, 0);
	EXPECT_LT(strlen(text), (size_t)300);
	EXPECT_NE(NULL, (void *)strstr(text, "x\"...) = 0"));
	/* A length that is none does not matter. */
	EXPECT_LT(strlen(whole((struct call_site) CALL(SYS_write, 999, AT(longer), UINT64_MAX), 0)),
		  (size_t)100);
	EXPECT_STREQ("connect(999, 0x10, 4096) = 0",
		     whole((struct call_site) CALL(SYS_connect, 999, 0x10, 4096), 0));
}

TEST(flags_and_addresses_have_names)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(80),
				  .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/run/x" };
	struct flock lock = { .l_type = F_WRLCK, .l_start = 5, .l_len = 2 };

	EXPECT_STREQ("connect(999, 127.0.0.1:80, 16) = 0",
		     whole((struct call_site) CALL(SYS_connect, 999, AT(&in), sizeof(in)), 0));
	EXPECT_STREQ("bind(999, \"/run/x\", 110) = -1 EADDRINUSE",
		     whole((struct call_site) CALL(SYS_bind, 999, AT(&un), sizeof(un)),
			   -EADDRINUSE));
	EXPECT_STREQ("socket(AF_UNIX, SOCK_STREAM|SOCK_CLOEXEC, 0) = 3",
		     whole((struct call_site) CALL(SYS_socket, AF_UNIX,
						   SOCK_STREAM | SOCK_CLOEXEC, 0), 3));
	EXPECT_STREQ("kill(5, SIGTERM) = 0",
		     whole((struct call_site) CALL(SYS_kill, 5, SIGTERM), 0));
	EXPECT_STREQ("flock(999, LOCK_EX|LOCK_NB) = -1 EAGAIN",
		     whole((struct call_site) CALL(SYS_flock, 999, LOCK_EX | LOCK_NB), -EAGAIN));
	EXPECT_STREQ("fcntl(999, F_SETFL, 0x800) = 0",
		     whole((struct call_site) CALL(SYS_fcntl, 999, F_SETFL, O_NONBLOCK), 0));
	EXPECT_STREQ("fcntl(999, F_SETLK, {l_type=F_WRLCK, l_whence=SEEK_SET, l_start=5, "
		     "l_len=2}) = -1 EAGAIN",
		     whole((struct call_site) CALL(SYS_fcntl, 999, F_SETLK, AT(&lock)), -EAGAIN));
	EXPECT_STREQ("prctl(PR_SET_NAME, \"worker\") = 0",
		     whole((struct call_site) CALL(SYS_prctl, PR_SET_NAME, AT("worker")), 0));
	EXPECT_STREQ("prctl(PR_SET_NAME, 0x10) = -1 EFAULT",
		     whole((struct call_site) CALL(SYS_prctl, PR_SET_NAME, 0x10), -EFAULT));
	EXPECT_STREQ("prctl(PR_SET_PDEATHSIG, SIGTERM) = 0",
		     whole((struct call_site) CALL(SYS_prctl, PR_SET_PDEATHSIG, SIGTERM), 0));
	EXPECT_STREQ("prctl(999, 0x1) = -1 EINVAL",
		     whole((struct call_site) CALL(SYS_prctl, 999, 1), -EINVAL));
	EXPECT_STREQ("fcntl(999, F_SETLKW, 0x10) = -1 EFAULT",
		     whole((struct call_site) CALL(SYS_fcntl, 999, F_SETLKW, 0x10), -EFAULT));
	EXPECT_STREQ("futex(0x1000, FUTEX_WAIT|PRIVATE, 2) = -1 EAGAIN",
		     whole((struct call_site) CALL(SYS_futex, 0x1000,
						   FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 2), -EAGAIN));
	/* Flags without a name, and calls without a row. */
	EXPECT_STREQ("flock(999, 0x100) = 0",
		     whole((struct call_site) CALL(SYS_flock, 999, 0x100), 0));
	EXPECT_STREQ("syscall_999(0x1, NULL, 0x3) = -1 ENOSYS",
		     whole((struct call_site) CALL(999, 1, 0, 3), -ENOSYS));
	/* A signal came first. */
	EXPECT_STREQ("pause() = ?", whole((struct call_site) CALL(SYS_pause), -514));
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pages of text with traps are the same in all processes of a group: each way to write
 * to one is tried in a process, and neither the others nor those of the next run may notice.
 * Needs root and the module.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "../harness.h"
#include "traps.h"

/* Younger than the headers. */
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

/* Far from everything. */
#define ELSEWHERE ((unsigned char *)0x200000000000)

/* A page of this file's text with a trap, and bytes nobody executes. */
int shared_work(void);
__asm__(".text\n.balign 4096\n.globl shared_work\n.type shared_work, @function\n"
	"shared_work: nop\n\tmov $42, %eax\n\tret\n\t.balign 4096, 0x90\n");

static unsigned char *shared_page(void)
{
	return (unsigned char *)(uintptr_t)shared_work;
}

static uint64_t shared_offset(void)
{
	uintptr_t at = (uintptr_t)shared_work, start, end;
	unsigned long offset;
	uint64_t found = 0;
	char line[512];
	FILE *f = fopen("/proc/self/maps", "re");

	ASSERT_TRUE(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3 && at >= start &&
		    at < end)
			found = at - start + offset;
	fclose(f);
	return found;
}

/* Is it the file's page with the trap in it, and nothing else? */
static bool is_as_armed(uint64_t offset)
{
	const volatile unsigned char *seen = shared_page();
	static unsigned char file[PAGE];
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	size_t i;
	bool same = pread(fd, file, PAGE, offset) == (ssize_t)PAGE;

	close(fd);
	for (i = 1; i < PAGE; i++)
		same &= seen[i] == file[i];
	return same && seen[0] == TRAP && file[0] == NOP;
}

#define UNUSED 2048

static void protect(int prot)
{
	if (mprotect(shared_page(), PAGE, prot))
		_exit(20);
}

static void by_memory_file(void)
{
	int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);

	if (pwrite(fd, "mem", 3, (uintptr_t)shared_page() + UNUSED) != 3)
		_exit(21);
}

static void by_other_task(void)
{
	struct iovec here = { "vec", 3 }, there = { shared_page() + UNUSED, 3 };

	if (process_vm_writev(getpid(), &here, 1, &there, 1, 0) != -1)
		_exit(22);
}

static void by_debugger(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (ptrace(PTRACE_POKETEXT, pid, shared_page() + UNUSED, 0x656b6f70))
		_exit(23);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
}

static void by_protection(void)
{
	protect(PROT_READ | PROT_WRITE);
	shared_page()[UNUSED] = 'p';
}

static void by_populating(void)
{
	protect(PROT_READ | PROT_WRITE);
	madvise(shared_page(), PAGE, MADV_POPULATE_WRITE);
	shared_page()[UNUSED] = 'o';
}

static void by_moving(void)
{
	unsigned char *to = mremap(shared_page(), PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
				   ELSEWHERE);

	if (to != ELSEWHERE || mprotect(to, PAGE, PROT_READ | PROT_WRITE))
		_exit(24);
	to[UNUSED] = 'm';
}

static void by_reading_into(void)
{
	int fd[2];

	protect(PROT_READ | PROT_WRITE);
	if (pipe(fd) || write(fd[1], "read", 4) != 4 ||
	    read(fd[0], shared_page() + UNUSED, 4) != 4)
		_exit(25);
}

/* The page itself as a page of a file, which is written to then. */
static void by_gift(void)
{
	struct iovec page = { shared_page(), PAGE };
	int fd[2], file = memfd_create("gift", MFD_CLOEXEC);
	unsigned char *at;

	if (pipe(fd) || vmsplice(fd[1], &page, 1, SPLICE_F_GIFT) != (ssize_t)PAGE ||
	    splice(fd[0], NULL, file, NULL, PAGE, SPLICE_F_MOVE) != (ssize_t)PAGE)
		_exit(26);
	at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (at == MAP_FAILED)
		_exit(27);
	at[UNUSED] = 'g';
}

static void by_merging(void)
{
	protect(PROT_READ | PROT_WRITE);
	madvise(shared_page(), PAGE, MADV_MERGEABLE);
	madvise(shared_page(), PAGE, MADV_COLLAPSE);
	shared_page()[UNUSED] = 'k';
}

static void by_asking_anew(void)
{
	madvise(shared_page(), PAGE, MADV_DONTNEED);
	protect(PROT_READ | PROT_WRITE);
	shared_page()[UNUSED] = 'd';
}

static void (*const ways[])(void) = {
	by_memory_file, by_other_task, by_debugger, by_protection, by_populating, by_moving,
	by_reading_into, by_gift, by_merging, by_asking_anew,
};

static pid_t checker(const char *offset)
{
	pid_t pid = fork();

	if (!pid) {
		execl("/proc/self/exe", "shared_text_test", "--check", offset, NULL);
		_exit(127);
	}
	return pid;
}

/* Each way in a process that has the page; nobody else may notice. */
static int attack(const char *offset)
{
	uint64_t at = strtoull(offset, NULL, 0);
	size_t i;
	pid_t pid;
	int ret;

	if (!is_as_armed(at))
		return 3;
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		pid = fork();
		if (!pid) {
			ways[i]();
			_exit(0);
		}
		ret = status_of(pid);
		if (ret)
			return ret;
		if (!is_as_armed(at) || status_of(checker(offset)))
			return 100 + (int)i;
	}
	return shared_work() == 42 ? 0 : 5;
}

static int in_a_run(const char *mode, const char *offset)
{
	int fd[2];
	pid_t pid;
	char c;

	ASSERT_EQ(0, pipe2(fd, O_CLOEXEC));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		close(r.fd);
		close(fd[1]);
		if (read(fd[0], &c, 1) != 1)
			_exit(1);
		execl("/proc/self/exe", "shared_text_test", mode, offset, NULL);
		_exit(127);
	}
	close(fd[0]);
	ASSERT_EQ(0, task_op(CHESS_CMD_TASK_ADD, pid));
	ASSERT_EQ(0, run_start());
	ASSERT_EQ(1, write(fd[1], "x", 1));
	close(fd[1]);
	return status_of(pid);
}

TEST(shared_pages_are_written_by_nobody)
{
	struct chess_probe p = trap_at(shared_offset());
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char offset[32];

	new_group();
	ASSERT_EQ(0, probe_add(fd, &p, 1, false));
	snprintf(offset, sizeof(offset), "%#llx", (long long)p.offset);
	EXPECT_EQ(0, in_a_run("--attack", offset));
	ASSERT_TRUE(wait_idle());
	/* And those who come in the next run. */
	EXPECT_EQ(0, in_a_run("--check", offset));
	EXPECT_TRUE(wait_idle());
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--attack"))
		return attack(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "--check"))
		return is_as_armed(strtoull(argv[2], NULL, 0)) ? 0 : 4;
	return harness_main(argc, argv);
}

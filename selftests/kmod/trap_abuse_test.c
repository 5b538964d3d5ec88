// SPDX-License-Identifier: GPL-2.0-only
/*
 * Traps against programs and owners that mean harm: offsets that are none, text that is
 * replaced while traps are taken out, another program in the same place, a file system
 * that does not answer. What a process has at an address must never be what another one,
 * or an earlier program, had there. Needs root and the module.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "../harness.h"
#include "module.h"
#include "traps.h"

/* --- offsets -------------------------------------------------------------- */

static int sparse_file(off_t bytes)
{
	int fd = memfd_create("sparse", MFD_CLOEXEC);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ftruncate(fd, bytes));
	return fd;
}

static void offsets_refused(int fd, uint64_t first, uint64_t second)
{
	struct chess_probe two[2] = { trap_at(first), trap_at(second) };
	int ret = probe_add(fd, two, 2, false);

	if (ret != -EINVAL || !r.text[0])
		TH_LOG("traps at %#llx and %#llx: %d \"%s\"", (long long)first, (long long)second,
		       ret, r.text);
	EXPECT_EQ(-EINVAL, ret);
	EXPECT_TRUE(r.text[0]);
}

TEST(offsets_that_are_none)
{
	/* In blocks of 128 bytes: none, one, all that 32 bits can say and a few more. */
	static const uint64_t far[] = {
		1, 0x7f, 1ULL << 32, (1ULL << 39) - 256, (1ULL << 39) - 128, 1ULL << 39,
		(1ULL << 39) + 128, 1ULL << 40, 1ULL << 55, 1ULL << 62, INT64_MAX - 1,
		INT64_MAX, 1ULL << 63, UINT64_MAX - 1, UINT64_MAX,
	};
	int small = sparse_file(1), large = sparse_file(1LL << 42);
	size_t i;

	new_group();
	for (i = 0; i < sizeof(far) / sizeof(far[0]); i++) {
		offsets_refused(small, 0, far[i]);
		if (far[i] >= 1ULL << 32)
			offsets_refused(large, 0, far[i]);
	}
	offsets_refused(small, 1, 0);
	EXPECT_EQ(0U, (raw_call(&r, CHESS_CMD_GROUP_GET, 0, CHESS_A_GROUP_ID, group),
		       r.value[CHESS_A_GROUP_PROBES]));
	EXPECT_EQ(0, run_start());
	EXPECT_EQ(0, run_stop());
}

static long vmalloc_used_kb(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	char line[128];
	long kb = -1;

	ASSERT_TRUE(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "VmallocUsed: %ld", &kb) == 1)
			break;
	fclose(f);
	return kb;
}

/* What a file costs goes by its traps, not by how long somebody says it is. */
TEST(two_traps_far_apart)
{
	struct chess_probe two[2] = { trap_at(0), trap_at((1ULL << 32) - 2) };
	long before;

	new_group();
	ASSERT_EQ(0, probe_add(sparse_file(1LL << 42), two, 2, false));
	before = vmalloc_used_kb();
	EXPECT_EQ(0, run_start());
	EXPECT_LT(vmalloc_used_kb(), before + 16384);
	EXPECT_EQ(0, run_stop());
}

TEST_TIMEOUT(too_many_traps, 200)
{
	static struct chess_probe p[500];
	int fd = sparse_file(1LL << 32), ret = 0;
	uint64_t at = 0;
	size_t i;

	new_group();
	while (!ret && at < 3 * CHESS_MAX_SITES) {
		for (i = 0; i < 500; i++)
			p[i] = trap_at(at + i);
		ret = probe_add(fd, p, 500, at);
		at += 500;
	}
	EXPECT_EQ(-E2BIG, ret);
	EXPECT_TRUE(r.text[0]);
	/* Not before there is one for each site. */
	EXPECT_LT((uint64_t)CHESS_MAX_SITES, at);
}

/* --- text that is replaced ------------------------------------------------ */

/* Where the text of the test is mapped, far from everything. */
#define PLACE ((unsigned char *)0x200000000000)
#define PAGES 4096UL
#define OTHERS 0xbb

/* A file of nops. */
static int nops_file(void)
{
	static unsigned char page[PAGE];
	int fd = memfd_create("nops", MFD_CLOEXEC);
	size_t i;

	memset(page, NOP, sizeof(page));
	ASSERT_LE(0, fd);
	for (i = 0; i < PAGES; i++)
		ASSERT_EQ((ssize_t)PAGE, write(fd, page, PAGE));
	return fd;
}

static void trap_pages(int fd)
{
	static struct chess_probe p[512];
	size_t at, i;

	for (at = 0; at < PAGES; at += 512) {
		for (i = 0; i < 512; i++)
			p[i] = trap_at((at + i) * PAGE);
		ASSERT_EQ(0, probe_add(fd, p, 512, at));
	}
}

/**
 * struct victim - a process that has the text mapped
 * @pid: it
 * @in: it waits for bytes from here
 * @out: and says here what it sees
 */
struct victim {
	pid_t pid;
	int in, out;
};

typedef void victim_fn(int in, int out, int other);

static void say(int out, char c)
{
	if (write(out, &c, 1) != 1)
		_exit(9);
}

static void wait_for(int in)
{
	char c;

	if (read(in, &c, 1) != 1)
		_exit(8);
}

static struct victim spawn(int text, int other, victim_fn *fn)
{
	int in[2], out[2];
	struct victim v;

	ASSERT_EQ(0, pipe(in));
	ASSERT_EQ(0, pipe(out));
	v.pid = fork();
	ASSERT_LE(0, v.pid);
	if (!v.pid) {
		close(r.fd);
		close(in[1]);
		close(out[0]);
		if (mmap(PLACE, PAGES * PAGE, PROT_READ | PROT_EXEC,
			 MAP_PRIVATE | MAP_FIXED_NOREPLACE, text, 0) != PLACE)
			_exit(7);
		say(out[1], 'm');
		fn(in[0], out[1], other);
		_exit(0);
	}
	close(in[0]);
	close(out[1]);
	v.in = in[1];
	v.out = out[0];
	return v;
}

static char hear(const struct victim *v)
{
	struct pollfd p = { .fd = v->out, .events = POLLIN };
	char c;

	return poll(&p, 1, 30000) == 1 && read(v->out, &c, 1) == 1 ? c : 0;
}

/* Its traps are armed when it comes back from the call it sleeps in. */
static void adopt_armed(const struct victim *v)
{
	ASSERT_EQ('m', hear(v));
	ASSERT_EQ(0, run_start());
	ASSERT_EQ(0, task_op(CHESS_CMD_TASK_ADOPT, v->pid));
	ASSERT_EQ(1, write(v->in, "a", 1));
	ASSERT_EQ('a', hear(v));
}

static size_t traps_in_place(void)
{
	const volatile unsigned char *text = PLACE;
	size_t i, n = 0;

	for (i = 0; i < PAGES; i++)
		n += text[i * PAGE] == TRAP;
	return n;
}

static bool is_filled(const volatile unsigned char *page, unsigned char with)
{
	size_t k;

	for (k = 0; k < PAGE; k++)
		if (page[k] != with)
			return false;
	return true;
}

/* Another file in the place of the page that is next, each time. */
static void replace_pages(int in, int out, int other)
{
	static bool replaced[PAGES];
	const volatile unsigned char *text = PLACE;
	size_t i;

	wait_for(in);
	say(out, traps_in_place() == PAGES ? 'a' : 'n');
	wait_for(in);
	for (i = 0; i < PAGES; i++) {
		if (text[i * PAGE] != TRAP)
			continue;
		if (mmap(PLACE + i * PAGE, PAGE, PROT_READ, MAP_PRIVATE | MAP_FIXED, other, 0) ==
		    MAP_FAILED)
			_exit(6);
		replaced[i] = true;
	}
	say(out, 'r');
	wait_for(in);
	for (i = 0; i < PAGES; i++)
		if (!is_filled(text + i * PAGE, replaced[i] ? OTHERS : NOP))
			_exit(replaced[i] ? 42 : 43);
	_exit(0);
}

static int others_file(void)
{
	static unsigned char page[PAGE];
	int fd = memfd_create("others", MFD_CLOEXEC);

	memset(page, OTHERS, sizeof(page));
	ASSERT_LE(0, fd);
	ASSERT_EQ((ssize_t)PAGE, write(fd, page, PAGE));
	return fd;
}

/* Stop the run and let the victim go on as soon as the first trap is out. */
static void stop_and_go(const struct victim *v)
{
	unsigned char byte = TRAP;
	char path[64];
	int i, mem;

	snprintf(path, sizeof(path), "/proc/%d/mem", v->pid);
	mem = open(path, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, mem);
	ASSERT_EQ(0, run_stop());
	for (i = 0; i < 1000000 && byte == TRAP; i++)
		ASSERT_EQ(1, pread(mem, &byte, 1, (uintptr_t)PLACE));
	close(mem);
	EXPECT_EQ(NOP, byte);
	ASSERT_EQ(1, write(v->in, "g", 1));
}

TEST(mapping_replaced_meanwhile)
{
	int text = nops_file(), other = others_file(), i;
	struct victim v;

	new_group();
	trap_pages(text);
	for (i = 0; i < 2; i++) {
		v = spawn(text, other, replace_pages);
		adopt_armed(&v);
		stop_and_go(&v);
		EXPECT_EQ('r', hear(&v));
		EXPECT_TRUE(wait_idle());
		ASSERT_EQ(1, write(v.in, "e", 1));
		EXPECT_EQ(0, status_of(v.pid));
	}
}

/*
 * Another program that has its data in the same place from its first moment: it waits for
 * input and looks whether all of it is as its file says.
 */
extern const unsigned char next_code[], next_code_end[];
__asm__(".pushsection .rodata\n.globl next_code\n.globl next_code_end\n"
	"next_code: xor %eax, %eax\n\txor %edi, %edi\n\tlea -8(%rsp), %rsi\n"
	"\tmov $1, %edx\n\tsyscall\n"
	"\tmovabs $0x200000000000, %rsi\n\tmov $0x1000000, %ecx\n"
	"1:\tcmpb $0xbb, (%rsi)\n\tjne 2f\n\tinc %rsi\n\tdec %ecx\n\tjnz 1b\n"
	"\txor %edi, %edi\n\tjmp 3f\n"
	"2:\tmov $42, %edi\n3:\tmov $231, %eax\n\tsyscall\n"
	"next_code_end:\n.popsection\n");

#define NEXT_PLACE 0x10000000UL

static void make_next(const char *path)
{
	static struct {
		Elf64_Ehdr head;
		Elf64_Phdr part[2];
		unsigned char code[PAGE - sizeof(Elf64_Ehdr) - 2 * sizeof(Elf64_Phdr)];
		unsigned char data[PAGES * PAGE];
	} file = {
		.head = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				     EV_CURRENT },
			.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
			.e_phoff = sizeof(Elf64_Ehdr), .e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 2,
		},
		.part = {
			{ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = NEXT_PLACE,
			  .p_filesz = PAGE, .p_memsz = PAGE, .p_align = PAGE },
			{ .p_type = PT_LOAD, .p_flags = PF_R, .p_offset = PAGE,
			  .p_vaddr = (uintptr_t)PLACE, .p_filesz = PAGES * PAGE,
			  .p_memsz = PAGES * PAGE, .p_align = PAGE },
		},
	};
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

	file.head.e_entry = NEXT_PLACE + offsetof(typeof(file), code);
	memcpy(file.code, next_code, next_code_end - next_code);
	memset(file.data, OTHERS, sizeof(file.data));
	ASSERT_EQ((ssize_t)sizeof(file), write(fd, &file, sizeof(file)));
	close(fd);
}

static char next_path[] = "/tmp/trap_abuse_test.next";

static void execute_next(int in, int out, int other)
{
	(void)other;
	wait_for(in);
	say(out, traps_in_place() == PAGES ? 'a' : 'n');
	dup2(in, 0);
	wait_for(in);
	execl(next_path, "next", NULL);
	_exit(127);
}

/* While the worker is at the traps of the old program. */
TEST(program_executed_meanwhile)
{
	int text = nops_file(), i;
	struct victim v;

	make_next(next_path);
	new_group();
	trap_pages(text);
	for (i = 0; i < 8; i++) {
		v = spawn(text, -1, execute_next);
		adopt_armed(&v);
		stop_and_go(&v);
		EXPECT_TRUE(wait_idle());
		ASSERT_EQ(1, write(v.in, "e", 1));
		EXPECT_EQ(0, status_of(v.pid));
	}
	unlink(next_path);
}

/* Asleep, and woken when all is over. */
static void sleep_through(int in, int out, int other)
{
	(void)other;
	wait_for(in);
	say(out, traps_in_place() == PAGES ? 'a' : 'n');
	wait_for(in);
	_exit(is_filled(PLACE, NOP) && !traps_in_place() ? 0 : 42);
}

TEST(traps_are_out_of_who_sleeps)
{
	int text = nops_file();
	struct victim v;

	new_group();
	trap_pages(text);
	v = spawn(text, -1, sleep_through);
	adopt_armed(&v);
	ASSERT_EQ(0, run_stop());
	EXPECT_TRUE(wait_idle());
	ASSERT_EQ(1, write(v.in, "g", 1));
	EXPECT_EQ(0, status_of(v.pid));
}

/* --- a file system that does not answer ----------------------------------- */

/**
 * struct server - a file system of one file of nops
 * @silent: reads are not answered any more
 * @unanswered: so many were not
 */
static struct server {
	volatile int silent;
	volatile int unanswered;
} *server;

#define FILE_NODE 2

static struct fuse_attr attr_of(uint64_t node)
{
	return (struct fuse_attr) {
		.ino = node, .nlink = 1, .blksize = PAGE,
		.mode = node == FILE_NODE ? S_IFREG | 0755 : S_IFDIR | 0755,
		.size = node == FILE_NODE ? PAGES * PAGE : 0,
	};
}

static void answer(int fd, const struct fuse_in_header *to, int error, const void *data,
		   size_t len)
{
	struct fuse_out_header out = {
		.len = sizeof(out) + len, .error = -error, .unique = to->unique,
	};
	struct iovec v[2] = { { &out, sizeof(out) }, { (void *)data, len } };

	if (writev(fd, v, 2) < 0)
		_exit(1);
}

static void serve_read(int fd, const struct fuse_in_header *in, const struct fuse_read_in *what)
{
	static unsigned char nops[1 << 20];

	if (server->silent) {
		server->unanswered++;
		return;
	}
	memset(nops, NOP, sizeof(nops));
	answer(fd, in, 0, nops, what->size);
}

static void serve_one(int fd, const struct fuse_in_header *in)
{
	struct fuse_init_out init = {
		.major = 7, .minor = 31, .flags = FUSE_ASYNC_READ, .max_write = PAGE,
		/* Else the kernel waits for each page, and kills nobody who does. */
		.max_readahead = 1 << 17,
	};
	struct fuse_entry_out entry = {
		.nodeid = FILE_NODE, .entry_valid = 3600, .attr_valid = 3600,
		.attr = attr_of(FILE_NODE),
	};
	struct fuse_attr_out attr = { .attr_valid = 3600, .attr = attr_of(in->nodeid) };
	struct fuse_open_out opened = { .open_flags = FOPEN_KEEP_CACHE };

	switch (in->opcode) {
	case FUSE_INIT:
		return answer(fd, in, 0, &init, sizeof(init));
	case FUSE_LOOKUP:
		return answer(fd, in, 0, &entry, sizeof(entry));
	case FUSE_GETATTR:
		return answer(fd, in, 0, &attr, sizeof(attr));
	case FUSE_OPEN:
		return answer(fd, in, 0, &opened, sizeof(opened));
	case FUSE_READ:
		return serve_read(fd, in, (const void *)(in + 1));
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		return;
	default:
		return answer(fd, in, ENOSYS, NULL, 0);
	}
}

static pid_t serve(const char *dir)
{
	static char request[1 << 17];
	int fd = open("/dev/fuse", O_RDWR);
	char options[80];
	pid_t pid;

	ASSERT_LE(0, fd);
	server = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE((void *)MAP_FAILED, (void *)server);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
	ASSERT_EQ(0, mount("nops", dir, "fuse", 0, options));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		while (read(fd, request, sizeof(request)) > 0)
			serve_one(fd, (const void *)request);
	if (!pid)
		_exit(0);
	close(fd);
	return pid;
}

static void come_back(int in, int out, int other)
{
	(void)other;
	wait_for(in);
	say(out, 'a');
}

static bool ends_soon(pid_t pid)
{
	int i;

	for (i = 0; i < 2000; i++) {
		if (waitpid(pid, NULL, WNOHANG) == pid)
			return true;
		usleep(5000);
	}
	return false;
}

/* Who waits for its text can be killed, and its owner waits for nobody. */
TEST(file_system_that_is_silent)
{
	char dir[] = "/tmp/trap_abuse_test.XXXXXX", path[64];
	struct chess_probe p = trap_at(100 * PAGE);
	unsigned int tries;
	struct victim v;
	pid_t pid;
	int fd, i;

	ASSERT_TRUE(mkdtemp(dir));
	pid = serve(dir);
	snprintf(path, sizeof(path), "%s/text", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	new_group();
	ASSERT_EQ(0, probe_add(fd, &p, 1, false));
	v = spawn(fd, -1, come_back);
	ASSERT_EQ('m', hear(&v));
	ASSERT_EQ(0, run_start());
	/* Before it is adopted: it may still be on its way out of a call, and then it reads now. */
	server->silent = 1;
	ASSERT_EQ(0, task_op(CHESS_CMD_TASK_ADOPT, v.pid));
	ASSERT_EQ(1, write(v.in, "a", 1));
	for (i = 0; i < 2000 && !server->unanswered; i++)
		usleep(5000);
	EXPECT_LT(0, server->unanswered);
	EXPECT_EQ(0, run_stop());
	EXPECT_EQ(0, raw_call(&r, CHESS_CMD_GROUP_DEL, 0, CHESS_A_GROUP_ID, group));
	kill(v.pid, SIGKILL);
	EXPECT_TRUE(ends_soon(v.pid));
	raw_close(&r);
	EXPECT_EQ(0, module_unload_soon(&tries));
	EXPECT_EQ(0, module_load());
	/* With its end all reads end, and who still waits goes on. */
	kill(pid, SIGKILL);
	umount2(dir, MNT_DETACH);
	rmdir(dir);
}

TEST_HARNESS_MAIN

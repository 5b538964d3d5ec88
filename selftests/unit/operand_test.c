// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what is said of memory operands by running the instructions. Registers are set
 * in a SIGTRAP before each, the operand is computed from the context found there, and the
 * processor says where it lies: memory is laid out so that the operand ends, or begins,
 * exactly where the accessible memory does, which must not fault, and then one step
 * further, which must fault at exactly that byte. On read-only memory the ones that write
 * must fault, and no others.
 *
 * selftests/access/operand_test.c runs this with traps on the instructions: what they left in
 * registers and memory is summed up for it, and what they should access goes to the file
 * OPERAND_LOG names, as struct chess_access.
 */
#include <asm/prctl.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>

#include "harness.h"
#include "code/insn.h"
#include "address.h"
#include "code/operand.h"

struct row {
	const uint8_t *code;
	uint64_t length;
	const char *name, *expected;
	uint64_t align, feature;
};

extern const struct row operand_insns[], operand_insns_end[];
extern char operand_far[4096];

#define NORUN	255
#define WHOLE	254
#define PAGE	4096UL
/* A guard, four pages, a guard; twice */
#define PAGES	4

static uint8_t *room[2];
static uint8_t vectors[32][64];
static __u64 opmasks[8];

/* What the handlers see. */
static const struct row *running;
static struct chess_regs regs;
static sigjmp_buf leave;
static volatile uint64_t fault_at;
static volatile bool fault_writes;
/* At the instruction, as the handler sees it. */
static volatile bool fault_here;
static uint8_t alternate[65536];

enum end { DONE = 1, FAULT, OTHER };

static bool has_feature(uint64_t feature)
{
	unsigned int a, b, c = 0, d;

	switch (feature) {
	case 1:
		return __builtin_cpu_supports("avx2");
	case 2:
		return __builtin_cpu_supports("bmi2");
	case 3:
		return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
		       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
		       __builtin_cpu_supports("avx512vbmi2");
	case 4:
		__asm__("cpuid" : "=a"(a), "=b"(b), "+c"(c), "=d"(d) : "0"(7));
		return c >> 27 & 1;
	default:
		return true;
	}
}

/* Of registers, flags and memory after each instruction, and where it faulted. */
static uint64_t digest;
/* The room that is all accessible. */
static bool readable[2];

static void add_bytes(const void *bytes, size_t n)
{
	const uint8_t *at = bytes;

	while (n--)
		digest = (digest ^ *at++) * 0x100000001b3ULL;
}

/* A part of the processor's state; zeros are the same, whether or not it is in its first state. */
static void add_state(const uint8_t *area, unsigned int number)
{
	unsigned int size, offset, c = number, d;
	static const uint8_t zeros[1024];
	uint64_t features;

	memcpy(&features, area + 512, sizeof(features));
	__asm__("cpuid" : "=a"(size), "=b"(offset), "+c"(c), "=d"(d) : "0"(13));
	ASSERT_LE(size, sizeof(zeros));
	add_bytes(features >> number & 1 ? area + offset : zeros, size);
}

/* xmm registers, the upper halves of ymm; masks, the upper halves of zmm, zmm16 to zmm31. */
static void add_vectors(const struct _libc_fpstate *fp)
{
	const uint8_t *area = (const uint8_t *)fp;
	unsigned int number;

	add_bytes(fp->_xmm, sizeof(fp->_xmm));
	if (has_feature(1))
		add_state(area, 2);
	for (number = 5; has_feature(3) && number <= 7; number++)
		add_state(area, number);
}

static void add_context(const ucontext_t *u)
{
	int i;

	add_bytes(u->uc_mcontext.gregs, (REG_EFL + 1) * sizeof(u->uc_mcontext.gregs[0]));
	add_vectors(u->uc_mcontext.fpregs);
	for (i = 0; i < 2; i++)
		if (readable[i])
			add_bytes(room[i], PAGES * PAGE);
}

/* From the file: a trap may stand where the instruction is. */
static const uint8_t *bytes_of(const struct row *row)
{
	extern const uint8_t __ehdr_start[];
	static uint8_t *file;
	struct stat st;
	int fd;

	if (!file) {
		fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
		ASSERT_EQ(0, fstat(fd, &st));
		file = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		ASSERT_NE(MAP_FAILED, (void *)file);
		close(fd);
	}
	/* The linker gives text the same place in the file and in memory. */
	return file + (row->code - __ehdr_start);
}

static void log_operand(const struct chess_operand *op)
{
	struct chess_lane lane[CHESS_LANES_MAX];
	int i, n = chess_operand_lanes(op, &regs, lane), fd;
	struct chess_access a;

	fd = open(getenv("OPERAND_LOG"), O_WRONLY | O_APPEND | O_CREAT, 0600);
	for (i = 0; i < n; i++) {
		a = (struct chess_access) {
			.address = lane[i].address, .size = lane[i].size,
			.ip = (uint64_t)running->code, .kind = op->flags & 7,
		};
		ASSERT_EQ((ssize_t)sizeof(a), write(fd, &a, sizeof(a)));
	}
	close(fd);
}

/* What it reads comes first. */
static void log_accesses(void)
{
	struct chess_insn insn;
	bool swap;

	if (!getenv("OPERAND_LOG") || chess_operands_decode(bytes_of(running), 15, &insn))
		return;
	swap = insn.n == 2 && !(insn.operand[0].flags & CHESS_OPERAND_READ);
	if (insn.n)
		log_operand(&insn.operand[swap]);
	if (insn.n == 2)
		log_operand(&insn.operand[!swap]);
}

static void on_trap(int sig, siginfo_t *si, void *context)
{
	static const int place[16] = {
		REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
		REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
	};
	ucontext_t *u = context;
	int i;

	(void)sig;
	(void)si;
	if ((const uint8_t *)u->uc_mcontext.gregs[REG_RIP] != running->code) {
		add_context(u);
		siglongjmp(leave, DONE);
	}
	for (i = 0; i < 16; i++)
		if (i != CHESS_REG_RSP)
			u->uc_mcontext.gregs[place[i]] = regs.gpr[i];
	u->uc_mcontext.gregs[REG_EFL] = regs.flags;
}

static void on_fault(int sig, siginfo_t *si, void *context)
{
	ucontext_t *u = context;

	fault_at = (uint64_t)si->si_addr;
	fault_writes = u->uc_mcontext.gregs[REG_ERR] & 2;
	fault_here = u->uc_mcontext.gregs[REG_RIP] == (greg_t)running->code;
	add_context(u);
	add_bytes(&si->si_addr, sizeof(si->si_addr));
	siglongjmp(leave, sig == SIGSEGV ? FAULT : OTHER);
}

static void load_vectors(void)
{
#define LOAD(insn, reg, n) __asm__ volatile(insn " %0, %%" reg #n : : "m"(vectors[n]))
	if (has_feature(3)) {
		LOAD("vmovdqu64", "zmm", 1);
		LOAD("vmovdqu64", "zmm", 2);
		LOAD("vmovdqu64", "zmm", 3);
		LOAD("vmovdqu64", "zmm", 17);
		LOAD("vmovdqu64", "zmm", 31);
		__asm__ volatile("kmovq %0, %%k1; kmovq %1, %%k2; kmovq %2, %%k6; kmovq %3, %%k7"
				 : : "m"(opmasks[1]), "m"(opmasks[2]), "m"(opmasks[6]),
				 "m"(opmasks[7]));
	} else if (has_feature(1)) {
		LOAD("vmovdqu", "ymm", 1);
		LOAD("vmovdqu", "ymm", 2);
		LOAD("vmovdqu", "ymm", 3);
	} else {
		LOAD("movdqu", "xmm", 1);
		LOAD("movdqu", "xmm", 2);
		LOAD("movdqu", "xmm", 3);
	}
}

/* Control is not expected back: the second int3 or a fault leaves by siglongjmp(). */
static enum end execute(const struct row *row)
{
	uint32_t mxcsr = 0x1f80;
	int how;

	log_accesses();
	how = sigsetjmp(leave, 1);
	if (!how) {
		load_vectors();
		((void (*)(void))(row->code - 1))();
	}
	__asm__ volatile("cld; fninit; ldmxcsr %0" : : "m"(mxcsr));
	return how;
}

static void set_up(void)
{
	stack_t s = { .ss_sp = alternate, .ss_size = sizeof(alternate) };
	struct sigaction trap = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	struct sigaction fault = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	/* few and small, negative too, and none the lowest lane first */
	static const int8_t index[16] = { 9, -3, 4, 0, 7, 1, 30, -20, 2, 40, 5, 6, 8, 11, -2, 3 };
	int i;

	ASSERT_EQ(0, sigaltstack(&s, NULL));
	sigaction(SIGTRAP, &trap, NULL);
	sigaction(SIGSEGV, &fault, NULL);
	sigaction(SIGBUS, &fault, NULL);
	sigaction(SIGILL, &fault, NULL);
	sigaction(SIGFPE, &fault, NULL);
	for (i = 0; i < 2; i++) {
		room[i] = mmap(NULL, (PAGES + 2) * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			       -1, 0);
		ASSERT_NE(MAP_FAILED, (void *)room[i]);
		room[i] += PAGE;
	}
	for (i = 0; i < 16; i++) {
		((int32_t *)vectors[1])[i] = index[i];
		((int32_t *)vectors[17])[i] = index[15 - i] * 3;
		/* as a mask: elements 1, 2, 5, 6 ... of four bytes; of eight 0 and 3, 4 and 7 */
		((int32_t *)vectors[2])[i] = (i & 3) == 1 || (i & 3) == 2 ? -1 : 0x7f;
	}
	((uint64_t *)vectors[2])[0] = 0x8000000000000000ULL;
	for (i = 0; i < 8; i++) {
		((int64_t *)vectors[3])[i] = index[i] * 5;
		((int64_t *)vectors[31])[i] = index[15 - i] * 7;
	}
	opmasks[1] = 0x00ffd0360f0a3a6cULL;
	opmasks[2] = 1;
	/* of two, the other one */
	opmasks[6] = 2;
	/* not the first two either, and not those of k1 */
	opmasks[7] = 0xff002fc9f0f5c594ULL;
	ASSERT_EQ(0, syscall(SYS_arch_prctl, ARCH_SET_GS, 0x7000));
}

static void set_registers(const struct row *row)
{
	unsigned long fs = 0;
	int i;

	memset(&regs, 0, sizeof(regs));
	for (i = 0; i < 16; i++)
		regs.gpr[i] = 0x1000 + 0x123 * i;
	regs.gpr[0] = row->align ? 0x403 : -1213;	/* bit offset; al for xlat; xsave */
	regs.gpr[CHESS_REG_RCX] = 3;
	regs.gpr[2] = 0x700000321;	/* more than the 32 bits that count bits */
	regs.flags = 0x202;
	regs.rip = (uint64_t)row->code;
	regs.vector = (const uint8_t (*)[64])vectors;
	regs.vectors = sizeof(vectors) / sizeof(vectors[0]);
	regs.opmask = opmasks;
	syscall(SYS_arch_prctl, ARCH_GET_FS, &fs);
	regs.fs_base = fs;
	regs.gs_base = 0x7000;
}

static const char *describe(const struct chess_insn *insn)
{
	static const char form[] = " sbtcgmpa";
	static const char *const left[] = {
		"", "-stack", "-frame", "-constant", "-hint", "-opaque", "-slot",
	};
	static char text[64];
	char *p = text;
	int i;

	if (!insn->n)
		return left[insn->left];
	for (i = 0; i < insn->n; i++) {
		const struct chess_operand *op = &insn->operand[i];

		p += sprintf(p, "%s%s%s%s%u", i ? "_" : "", op->flags & CHESS_OPERAND_READ ? "r" : "",
			     op->flags & CHESS_OPERAND_WRITE ? "w" : "",
			     op->flags & CHESS_OPERAND_ATOMIC ? "!" : "", op->size);
		if (op->form)
			p += sprintf(p, "%c", form[op->form]);
		if (op->form >= CHESS_FORM_GATHER)
			p += sprintf(p, "%u", op->elements);
		p += sprintf(p, "%s%s", op->flags & CHESS_OPERAND_REPEAT ? "*" : "",
			     op->flags & CHESS_OPERAND_UPTO ? "?" : "");
	}
	return text;
}

TEST(every_class_is_told_by_kind_and_size)
{
	const struct row *row;
	struct chess_insn insn;

	for (row = operand_insns; row < operand_insns_end; row++) {
		if (chess_operands_decode(bytes_of(row), 15, &insn)) {
			TH_LOG("%s: not decoded", row->name);
			HARNESS_FAILED(0);
			continue;
		}
		if (strcmp(row->expected, describe(&insn))) {
			TH_LOG("%s: expected %s, seen %s", row->name, row->expected,
			       describe(&insn));
			HARNESS_FAILED(0);
		}
		EXPECT_EQ(row->length, (uint64_t)insn.length);
	}
	EXPECT_LT(150, operand_insns_end - operand_insns);
	EXPECT_EQ(-EILSEQ, chess_operands_decode((const uint8_t *)"\x06", 1, &insn));
	EXPECT_EQ(-EILSEQ, chess_operands_decode((const uint8_t *)"\x48\x8b", 2, &insn));
}

/* But two x87 instructions, which store where the last one stood. */
TEST(all_that_is_looked_at_has_a_slot)
{
	const struct row *row;
	struct chess_probe probe;
	struct chess_insn insn;
	int refused = 0;

	for (row = operand_insns; row < operand_insns_end; row++) {
		if (chess_operands_decode(bytes_of(row), 15, &insn) || !insn.n ||
		    !chess_insn_displace(bytes_of(row), 15, &probe))
			continue;
		if (!strstr(row->name, "fnstenv") && !strstr(row->name, "fnsave")) {
			TH_LOG("%s: %s", row->name, chess_error());
			HARNESS_FAILED(0);
		}
		refused++;
	}
	EXPECT_EQ(2, refused);
}

/* From the first byte of all lanes to the last. */
static void extent(const struct chess_operand *op, uint64_t *low, uint64_t *high)
{
	struct chess_lane lane[CHESS_LANES_MAX];
	int i, n = chess_operand_lanes(op, &regs, lane);

	ASSERT_LT(0, n);
	*low = lane[0].address;
	*high = lane[0].address + lane[0].size;
	for (i = 1; i < n; i++) {
		if (lane[i].address < *low)
			*low = lane[i].address;
		if (lane[i].address + lane[i].size > *high)
			*high = lane[i].address + lane[i].size;
	}
}

/* Move the operand's base so that what it accesses begins at @at. */
static void place(const struct chess_operand *op, uint64_t at)
{
	uint8_t reg = op->base == CHESS_REG_RCX ? op->index : op->base;
	uint64_t low, high;

	extent(op, &low, &high);
	regs.gpr[reg] += at - low;
}

static void fill(int which, const struct chess_operand *op, bool branches, uint8_t byte)
{
	/* calls and jumps lead to the int3 after them */
	uint64_t target = (uint64_t)running->code + running->length, low, high;

	mprotect(room[which], PAGES * PAGE, PROT_READ | PROT_WRITE);
	memset(room[which], byte, PAGES * PAGE);
	extent(op, &low, &high);
	if (branches && low >= (uint64_t)room[which] &&
	    high <= (uint64_t)room[which] + PAGES * PAGE)
		memcpy((void *)low, &target, sizeof(target));
}

/* Operand @k at @at, the other one in the middle of its room; then run it. */
static enum end run_at(const struct row *row, const struct chess_insn *insn, int k, uint64_t at,
		       int protection)
{
	bool branches = strstr(row->name, "call") || strstr(row->name, "jmp");
	int other = !k;

	running = row;
	if (insn->n == 2) {
		place(&insn->operand[other], (uint64_t)room[other] + PAGE);
		fill(other, &insn->operand[other], false, 0);
	}
	place(&insn->operand[k], at);
	/* of two that are compared each is the other's opposite */
	fill(k, &insn->operand[k], branches, insn->n == 2 ? 0x55 : 0);
	mprotect(room[k], PAGES * PAGE, protection);
	readable[k] = true;
	fault_at = 0;
	fault_here = false;
	return execute(row);
}

#define EXPECT_ROW(what, cond) do {							\
	if (!(cond)) {									\
		TH_LOG("%s, operand %d%s: %s; fault at %lx, room %lx to %lx", row->name, k,	\
		       down ? ", downwards" : "", what, (long)fault_at, begin, end);	\
		HARNESS_FAILED(0);							\
	}										\
} while (0)

/* Return: the processor has the instruction. */
static bool check_operand(const struct row *row, const struct chess_insn *insn, int k, bool down)
{
	uint64_t begin = (uint64_t)room[k], end = begin + PAGES * PAGE, low, high;
	const struct chess_operand *op = &insn->operand[k];
	uint64_t step = row->align ? row->align : 1, size;
	bool writes = op->flags & CHESS_OPERAND_WRITE;
	enum end how;
	bool known;

	set_registers(row);
	if (down)
		regs.flags |= 0x400;
	/* to scan for what is not there */
	if (op->flags & CHESS_OPERAND_UPTO)
		regs.gpr[0] = 0;
	extent(op, &low, &high);
	size = high - low;
	ASSERT_LE(size, (PAGES - 1) * PAGE);
	if (step > 1) {
		/* what is accessed begins at a multiple of the alignment */
		size = (size + step - 1) / step * step;
	}

	how = run_at(row, insn, k, begin, PROT_READ | PROT_WRITE);
	known = how != OTHER;
	EXPECT_ROW("at the begin of the room it faults", how == DONE);
	how = run_at(row, insn, k, begin - step, PROT_READ | PROT_WRITE);
	EXPECT_ROW("before the room it does not fault there",
		   how == FAULT && fault_at >= begin - step && fault_at < begin && fault_here);
	if (step == 1)
		EXPECT_ROW("not at the byte before", fault_at == begin - 1);
	how = run_at(row, insn, k, end - size, PROT_READ | PROT_WRITE);
	EXPECT_ROW("at the end of the room it faults", how == DONE);
	how = run_at(row, insn, k, end - size + step, PROT_READ | PROT_WRITE);
	EXPECT_ROW("behind the room it does not fault there",
		   how == FAULT && fault_at >= end && fault_at < end + step && fault_here);
	if (step == 1)
		EXPECT_ROW("not at the byte behind", fault_at == end);
	how = run_at(row, insn, k, begin + PAGE, PROT_READ);
	if (writes)
		EXPECT_ROW("it does not write", how == FAULT && fault_writes);
	else
		EXPECT_ROW("it writes", how == DONE);
	return known;
}

TEST(the_processor_agrees_on_every_address)
{
	const struct row *row;
	struct chess_insn insn;
	int k, run = 0, evex = 0;
	bool known;

	set_up();
	for (row = operand_insns; row < operand_insns_end; row++) {
		if (row->align >= WHOLE || !has_feature(row->feature) ||
		    chess_operands_decode(bytes_of(row), 15, &insn))
			continue;
		for (k = 0, known = true; k < insn.n; k++) {
			known &= check_operand(row, &insn, k, false);
			if (insn.operand[k].form == CHESS_FORM_STRING)
				check_operand(row, &insn, k, true);
		}
		run += known;
		evex += known && row->feature == 3;
	}
	printf("# digest %016llx\n# %d of %d instructions were run, %d of AVX-512\n",
	       (unsigned long long)digest, run, (int)(operand_insns_end - operand_insns), evex);
	EXPECT_LT(85, run);
}

static bool in_lanes(const struct chess_lane *lane, int n, uint64_t at)
{
	int i;

	for (i = 0; i < n; i++)
		if (at >= lane[i].address && at - lane[i].address < lane[i].size)
			return true;
	return false;
}

/* Also the holes between masked elements. */
TEST(writes_change_nothing_outside_the_lanes)
{
	struct chess_lane lane[CHESS_LANES_MAX];
	const struct row *row;
	struct chess_insn insn;
	int n, run = 0, changed;
	uint64_t i;

	set_up();
	for (row = operand_insns; row < operand_insns_end; row++) {
		if (row->align == NORUN || !has_feature(row->feature) ||
		    chess_operands_decode(bytes_of(row), 15, &insn) || insn.n != 1 ||
		    !(insn.operand[0].flags & CHESS_OPERAND_WRITE))
			continue;
		set_registers(row);
		EXPECT_EQ(DONE, (int)run_at(row, &insn, 0, (uint64_t)room[0] + PAGE,
					    PROT_READ | PROT_WRITE));
		n = chess_operand_lanes(&insn.operand[0], &regs, lane);
		for (i = 0, changed = 0; i < PAGES * PAGE; i++) {
			if (!room[0][i])
				continue;
			changed++;
			if (!in_lanes(lane, n, (uint64_t)room[0] + i)) {
				TH_LOG("%s wrote byte %ld", row->name, (long)(i - PAGE));
				HARNESS_FAILED(0);
			}
		}
		run += changed > 0;
	}
	EXPECT_LT(25, run);
	printf("# digest %016llx\n", (unsigned long long)digest);
}

/* They have no register to move: the whole page is taken away. */
TEST(rip_relative_operands_lie_where_the_processor_says)
{
	const struct row *row;
	struct chess_insn insn;
	uint64_t low, high;
	int run = 0;

	set_up();
	ASSERT_EQ(0, mprotect(operand_far, sizeof(operand_far), PROT_NONE));
	for (row = operand_insns; row < operand_insns_end; row++) {
		if (chess_operands_decode(bytes_of(row), 15, &insn) || !insn.n ||
		    insn.operand[0].base != CHESS_REG_RIP)
			continue;
		set_registers(row);
		extent(&insn.operand[0], &low, &high);
		running = row;
		EXPECT_EQ(FAULT, (int)execute(row));
		EXPECT_EQ(low, (uint64_t)fault_at);
		run++;
	}
	EXPECT_EQ(2, run);
}

TEST(no_count_and_no_mask_is_no_access)
{
	struct chess_lane lane[CHESS_LANES_MAX];
	struct chess_insn insn;

	memset(&regs, 0, sizeof(regs));
	ASSERT_EQ(0, chess_operands_decode((const uint8_t *)"\xf3\xa4", 2, &insn));
	EXPECT_EQ(0, chess_operand_lanes(&insn.operand[0], &regs, lane));
	/* vmovdqu32 %zmm1,(%rdi){%k1} */
	ASSERT_EQ(0, chess_operands_decode((const uint8_t *)"\x62\xf1\x7e\x49\x7f\x0f", 6, &insn));
	EXPECT_EQ(-ENODATA, chess_operand_lanes(&insn.operand[0], &regs, lane));
	regs.opmask = opmasks;
	EXPECT_EQ(0, chess_operand_lanes(&insn.operand[0], &regs, lane));
	opmasks[1] = 0xf00f5;
	/* elements 0, 2, 4 to 7; what lies above sixteen elements does not count */
	ASSERT_EQ(3, chess_operand_lanes(&insn.operand[0], &regs, lane));
	EXPECT_EQ(16UL, (unsigned long)lane[2].address);
	EXPECT_EQ(16UL, (unsigned long)lane[2].size);
}

/* What a call accesses for its caller: as many elements as an argument says. */
TEST(a_register_counts_elements)
{
	const struct chess_operand all = {
		.size = 4, .flags = CHESS_OPERAND_WRITE, .form = CHESS_FORM_COUNTED,
		.base = CHESS_REG_RDI, .index = CHESS_REG_NONE, .mask = CHESS_REG_RSI,
	};
	struct chess_operand first = all;
	struct chess_lane lane[CHESS_LANES_MAX];

	memset(&regs, 0, sizeof(regs));
	regs.gpr[CHESS_REG_RDI] = 0x1000;
	/* as the direction flag has it for instructions */
	regs.flags = 0x400;
	first.flags |= CHESS_OPERAND_UPTO;
	EXPECT_EQ(0, chess_operand_lanes(&all, &regs, lane));
	EXPECT_EQ(0, chess_operand_lanes(&first, &regs, lane));
	regs.gpr[CHESS_REG_RSI] = 3;
	ASSERT_EQ(1, chess_operand_lanes(&all, &regs, lane));
	EXPECT_EQ(0x1000UL, (unsigned long)lane[0].address);
	EXPECT_EQ(12UL, (unsigned long)lane[0].size);
	ASSERT_EQ(1, chess_operand_lanes(&first, &regs, lane));
	EXPECT_EQ(0x1000UL, (unsigned long)lane[0].address);
	EXPECT_EQ(4UL, (unsigned long)lane[0].size);
	/* ... and up to four more, of which three are in reach */
	first.flags |= CHESS_OPERAND_PERHAPS;
	first.elements = 5;
	ASSERT_EQ(2, chess_operand_lanes(&first, &regs, lane));
	EXPECT_EQ(4UL, (unsigned long)lane[0].size);
	EXPECT_EQ(0x1004UL, (unsigned long)lane[1].address);
	EXPECT_EQ(8UL, (unsigned long)lane[1].size);
	regs.gpr[CHESS_REG_RSI] = 1000;
	ASSERT_EQ(2, chess_operand_lanes(&first, &regs, lane));
	EXPECT_EQ(16UL, (unsigned long)lane[1].size);
	regs.gpr[CHESS_REG_RSI] = 1;
	EXPECT_EQ(1, chess_operand_lanes(&first, &regs, lane));
}

TEST(a_string_goes_on_perhaps)
{
	const struct chess_operand string = {
		.size = 4, .flags = CHESS_OPERAND_READ | CHESS_OPERAND_PERHAPS, .elements = 32,
		.base = CHESS_REG_RDI, .index = CHESS_REG_NONE,
	};
	struct chess_lane lane[CHESS_LANES_MAX];

	memset(&regs, 0, sizeof(regs));
	regs.gpr[CHESS_REG_RDI] = 0x1000;
	ASSERT_EQ(2, chess_operand_lanes(&string, &regs, lane));
	EXPECT_EQ(0x1000UL, (unsigned long)lane[0].address);
	EXPECT_EQ(4UL, (unsigned long)lane[0].size);
	EXPECT_EQ(0x1004UL, (unsigned long)lane[1].address);
	EXPECT_EQ(31 * 4UL, (unsigned long)lane[1].size);
}

/* Where they point nothing is mapped; what mask registers have beyond the elements is nothing. */
TEST(masks_without_elements_are_no_access)
{
	struct chess_lane lane[CHESS_LANES_MAX];
	const struct row *row;
	struct chess_insn insn;
	int i, run = 0;

	set_up();
	for (row = operand_insns; row < operand_insns_end; row++) {
		const struct chess_operand *op = &insn.operand[0];

		if (row->feature != 3 || chess_operands_decode(bytes_of(row), 15, &insn) ||
		    !insn.n || !op->mask)
			continue;
		for (i = 1; i < 8; i++)
			opmasks[i] = op->elements < 64 ? ~0ULL << op->elements : 0;
		running = row;
		set_registers(row);
		EXPECT_EQ(0, chess_operand_lanes(op, &regs, lane));
		/* some store to all of the operand or to none, and fault for all */
		if (row->align != WHOLE && has_feature(3) && execute(row) != DONE) {
			TH_LOG("%s faults at %lx", row->name, (long)fault_at);
			HARNESS_FAILED(0);
		}
		run++;
	}
	EXPECT_LT(60, run);
	printf("# digest %016llx, %d instructions\n", (unsigned long long)digest, run);
}

/* pop writes after its own pop: what is said of it, and what it does. */
TEST(pop_counts_from_the_new_top)
{
	uint64_t top, value;
	struct chess_lane lane[CHESS_LANES_MAX];
	struct chess_insn insn;

	memset(&regs, 0, sizeof(regs));
	regs.gpr[CHESS_REG_RSP] = 0x1000;
	ASSERT_EQ(0, chess_operands_decode((const uint8_t *)"\x8f\x44\x24\x08", 4, &insn));
	ASSERT_EQ(1, chess_operand_lanes(&insn.operand[0], &regs, lane));
	EXPECT_EQ(0x1010UL, (unsigned long)lane[0].address);
	__asm__ volatile("sub $192, %%rsp; movq $7, (%%rsp); movq $8, 8(%%rsp)\n"
			 "mov %%rsp, %0; pop 8(%%rsp); mov 16(%0), %1; add $184, %%rsp"
			 : "=&r"(top), "=&r"(value) : : "memory", "cc");
	EXPECT_EQ(7UL, (unsigned long)value);
}

/* mov (%edi),%eax; mov %eax,%gs:... */
TEST(narrow_addresses_wrap)
{
	struct chess_lane lane[CHESS_LANES_MAX];
	struct chess_insn insn;

	memset(&regs, 0, sizeof(regs));
	regs.gpr[CHESS_REG_RDI] = 0xfffffffffULL;
	regs.gs_base = 0x10000000000ULL;
	ASSERT_EQ(0, chess_operands_decode((const uint8_t *)"\x65\x67\x8b\x47\x02", 5, &insn));
	ASSERT_EQ(1, chess_operand_lanes(&insn.operand[0], &regs, lane));
	EXPECT_EQ(0x10000000001ULL, (unsigned long long)lane[0].address);
}

TEST_HARNESS_MAIN

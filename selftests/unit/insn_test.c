// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that a slot does what the instruction it stands for does, by running
 * both: the instruction at its place, then the slot, relocated as the module
 * does it, in a mapping hundreds of megabytes away. All registers, flags, xmm0,
 * the stack and the data must come out the same, at the same next instruction.
 */
#include <sys/mman.h>

#include "harness.h"
#include "code/insn.h"

/* rax rcx rdx rbx rsp rbp rsi rdi r8 .. r15, flags; xmm0 */
struct state {
	uint64_t reg[16], flags;
	uint8_t xmm0[16];
};

struct state insn_in, insn_out;
uint64_t insn_entry, insn_stack;
void insn_run(void);
void insn_capture(void);

__asm__(
"	.text\n"
"insn_run:\n"
"	push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
"	mov %rsp, insn_stack(%rip)\n"
"	movdqu insn_in+136(%rip), %xmm0\n"
"	mov insn_in+0(%rip), %rax; mov insn_in+8(%rip), %rcx\n"
"	mov insn_in+16(%rip), %rdx; mov insn_in+24(%rip), %rbx\n"
"	mov insn_in+40(%rip), %rbp; mov insn_in+48(%rip), %rsi\n"
"	mov insn_in+56(%rip), %rdi; mov insn_in+64(%rip), %r8\n"
"	mov insn_in+72(%rip), %r9; mov insn_in+80(%rip), %r10\n"
"	mov insn_in+88(%rip), %r11; mov insn_in+96(%rip), %r12\n"
"	mov insn_in+104(%rip), %r13; mov insn_in+112(%rip), %r14\n"
"	mov insn_in+120(%rip), %r15\n"
"	pushq insn_in+128(%rip); popfq\n"
"	mov insn_in+32(%rip), %rsp\n"
"	jmp *insn_entry(%rip)\n"
"insn_capture:\n"
"	mov %rsp, insn_out+32(%rip)\n"
"	mov insn_stack(%rip), %rsp\n"
"	pushfq; popq insn_out+128(%rip)\n"
"	cld\n"
"	mov %rax, insn_out+0(%rip); mov %rcx, insn_out+8(%rip)\n"
"	mov %rdx, insn_out+16(%rip); mov %rbx, insn_out+24(%rip)\n"
"	mov %rbp, insn_out+40(%rip); mov %rsi, insn_out+48(%rip)\n"
"	mov %rdi, insn_out+56(%rip); mov %r8, insn_out+64(%rip)\n"
"	mov %r9, insn_out+72(%rip); mov %r10, insn_out+80(%rip)\n"
"	mov %r11, insn_out+88(%rip); mov %r12, insn_out+96(%rip)\n"
"	mov %r13, insn_out+104(%rip); mov %r14, insn_out+112(%rip)\n"
"	mov %r15, insn_out+120(%rip)\n"
"	movdqu %xmm0, insn_out+136(%rip)\n"
"	pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
"	ret\n"
);

/* One mapping for code, data and stack, so that rip-relative operands reach all. */
#define SITE	0x1000		/* the instruction under test */
#define AHEAD	(SITE + 0x50)	/* where branches of the test lead */
#define BEHIND	(SITE - 0x50)
#define DATA	0x2000
#define STACK	0x3000
#define AREA	0x4000

static uint8_t *area, *slots;

/* "Here is landing @mark", without touching a register or a flag; then capture. */
static void put_landing(uint8_t *at, uint8_t mark)
{
	uint8_t *flag = area + AREA - 1;
	int32_t rel = flag - (at + 7);
	uint64_t target = (uint64_t)insn_capture;

	at[0] = 0xc6;
	at[1] = 0x05;
	memcpy(at + 2, &rel, 4);
	at[6] = mark;
	memcpy(at + 7, "\xff\x25\0\0\0\0", 6);
	memcpy(at + 13, &target, 8);
}

static void set_up(void)
{
	area = mmap((void *)0x200000000, AREA, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	slots = mmap((void *)0x230000000, 0x1000, PROT_READ | PROT_WRITE | PROT_EXEC,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)area);
	ASSERT_NE(MAP_FAILED, (void *)slots);
}

static void prepare(const uint8_t *code, size_t len)
{
	uint64_t *q;
	size_t i;

	memset(area, 0xcc, AREA);
	memcpy(area + SITE, code, len);
	put_landing(area + SITE + len, 1);
	put_landing(area + AHEAD, 2);
	put_landing(area + BEHIND, 3);
	for (i = 0; i < 0x1000; i++)
		area[DATA + i] = i * 7;
	q = (uint64_t *)(area + DATA);
	q[0] = 5;
	q[1] = (uint64_t)area + AHEAD;		/* jmp *8(%rdi) */
	q[0x20] = (uint64_t)area + AHEAD;	/* jmp *0x100(data) */
	q = (uint64_t *)(area + STACK + 0x800);
	for (i = 0; i < 64; i++)
		q[i] = (uint64_t)area + AHEAD;
	area[AREA - 1] = 0;
}

/* As the module does it. */
static void relocate(const struct chess_probe *p, uint8_t *slot, uint64_t trap)
{
	uint64_t abs;
	int64_t rel;
	int32_t rel32;
	int i;

	memset(slot, 0xcc, CHESS_PROBE_SLOT_MAX);
	memcpy(slot, p->slot, p->slot_len);
	for (i = 0; i < p->nfixups; i++) {
		const struct chess_fixup *f = &p->fixups[i];

		if (f->kind == CHESS_FIXUP_ABS64) {
			ASSERT_LE(f->pos + 8, p->slot_len);
			abs = trap + f->addend;
			memcpy(slot + f->pos, &abs, 8);
		} else {
			ASSERT_EQ(CHESS_FIXUP_REL32, f->kind);
			ASSERT_LE(f->pos + 4, p->slot_len);
			rel = (int64_t)(trap + f->addend) - (int64_t)((uint64_t)slot + f->pos + 4);
			rel32 = rel;
			ASSERT_EQ(rel, (int64_t)rel32);
			memcpy(slot + f->pos, &rel32, 4);
		}
	}
}

static void run_from(const uint8_t *entry, uint64_t rcx, uint64_t flags)
{
	int i;

	for (i = 0; i < 16; i++)
		insn_in.reg[i] = 0x1111111111111111ULL * i + 0x1234;
	insn_in.reg[1] = rcx;
	insn_in.reg[3] = (uint64_t)area + AHEAD;		/* rbx: code */
	insn_in.reg[4] = (uint64_t)area + STACK + 0x800;	/* rsp */
	insn_in.reg[5] = (uint64_t)area + STACK + 0x840;	/* rbp */
	insn_in.reg[6] = (uint64_t)area + DATA + 0x200;		/* rsi */
	insn_in.reg[7] = (uint64_t)area + DATA;			/* rdi */
	insn_in.reg[12] = (uint64_t)area + DATA + 8;		/* r12 */
	insn_in.reg[13] = (uint64_t)area + AHEAD;		/* r13: code */
	insn_in.flags = flags;
	memset(insn_in.xmm0, 0x5a, sizeof(insn_in.xmm0));
	insn_entry = (uint64_t)entry;
	insn_run();
}

/* Is all of the code of a case displaced, however many instructions it is? */
static bool several;

/* Run @code and its slot; return the landing reached, 0 when they differ. */
static int compare(const char *name, const uint8_t *code, size_t len, uint64_t rcx,
		   uint64_t flags)
{
	static uint8_t direct[AREA];
	struct chess_probe p;
	struct state want;
	size_t i;

	if (several ? chess_insn_displace_more(code, len, len, &p) :
		      chess_insn_displace(code, len, &p)) {
		TH_LOG("%s: %s", name, several ? "refused" : chess_error());
		return 0;
	}
	ASSERT_EQ(len, (size_t)p.orig_len);
	ASSERT_EQ(0, memcmp(p.orig, code, len));
	prepare(code, len);
	run_from(area + SITE, rcx, flags);
	want = insn_out;
	memcpy(direct, area, AREA);

	prepare(code, len);
	relocate(&p, slots + 0x80, (uint64_t)area + SITE);
	area[SITE] = 0xcc;	/* what stands there when the trap is armed */
	run_from(slots + 0x80, rcx, flags);
	area[SITE] = code[0];
	for (i = 0; i < 16; i++)
		if (want.reg[i] != insn_out.reg[i])
			TH_LOG("%s: register %zu is %llx, not %llx", name, i,
			       (unsigned long long)insn_out.reg[i],
			       (unsigned long long)want.reg[i]);
	if (memcmp(&want, &insn_out, sizeof(want))) {
		TH_LOG("%s: registers or flags (%llx, not %llx) differ", name,
		       (unsigned long long)insn_out.flags, (unsigned long long)want.flags);
		return 0;
	}
	if (memcmp(direct, area, AREA)) {
		TH_LOG("%s: memory or landing differ", name);
		return 0;
	}
	return direct[AREA - 1];
}

#define FLAGS_NONE	0x202
#define FLAGS_ALL	0xad7	/* CF PF AF ZF SF IF OF */

struct insn_case {
	const char *name;
	const char *code;
	uint8_t len;
	uint8_t landing;	/* the only one it may reach */
	const char *feature;
};
#define CASE(name, code, landing) { name, code, sizeof(code) - 1, landing, NULL }
/* displacement to data + 0x40, + 0x100 for an instruction of known length */
#define TO(len, off) ((DATA + (off)) - SITE - (len))

TEST(plain_instructions)
{
	static const struct insn_case cases[] = {
		CASE("push %rbx", "\x53", 1),
		CASE("push %r15", "\x41\x57", 1),
		CASE("push %rsp", "\x54", 1),
		CASE("pop %rax", "\x58", 1),
		CASE("pushfq", "\x9c", 1),
		CASE("push $imm", "\x68\x78\x56\x34\x12", 1),
		CASE("mov 0x10(%rdi),%eax", "\x8b\x47\x10", 1),
		CASE("mov (%rsp),%rax", "\x48\x8b\x04\x24", 1),
		CASE("mov %fs:0x28,%rax", "\x64\x48\x8b\x04\x25\x28\0\0\0", 1),
		CASE("movabs", "\x48\xb8\x88\x77\x66\x55\x44\x33\x22\x11", 1),
		CASE("endbr64", "\xf3\x0f\x1e\xfa", 1),
		CASE("nop", "\x90", 1),
		CASE("nopw", "\x66\x2e\x0f\x1f\x84\0\0\0\0\0", 1),
		CASE("long nopw", "\x66\x66\x66\x66\x66\x2e\x0f\x1f\x84\0\0\0\0\0", 1),
		CASE("sub $0x18,%rsp", "\x48\x83\xec\x18", 1),
		CASE("xor %eax,%eax", "\x31\xc0", 1),
		CASE("test %rdi,%rdi", "\x48\x85\xff", 1),
		CASE("xchg %r8,%rax", "\x49\x90", 1),
		CASE("adc %rax,(%rdi)", "\x48\x11\x07", 1),
		CASE("cmove %rsi,%rax", "\x48\x0f\x44\xc6", 1),
		CASE("lock decl (%rdi)", "\xf0\xff\x0f", 1),
		CASE("lock cmpxchg %esi,(%rdi)", "\xf0\x0f\xb1\x37", 1),
		CASE("rep movsb", "\xf3\xa4", 1),
		CASE("rep stosq", "\xf3\x48\xab", 1),
		CASE("repne scasb", "\xf2\xae", 1),
		CASE("enter", "\xc8\x10\0\0", 1),
		CASE("movsq", "\x48\xa5", 1),
		CASE("repe cmpsb", "\xf3\xa6", 1),
		CASE("lodsq", "\x48\xad", 1),
		CASE("xlat", "\xd7", 1),
		CASE("push (%rdi)", "\xff\x37", 1),
		CASE("pop (%rdi)", "\x8f\x07", 1),
		CASE("pop 8(%rsp)", "\x8f\x44\x24\x08", 1),
		CASE("lock cmpxchg16b (%rdi)", "\xf0\x48\x0f\xc7\x0f", 1),
		CASE("cmpxchg8b (%rdi)", "\x0f\xc7\x0f", 1),
		CASE("xchg %rsi,(%rdi)", "\x48\x87\x37", 1),
		CASE("lock xadd %rsi,(%rdi)", "\xf0\x48\x0f\xc1\x37", 1),
		CASE("bts %cx,(%rdi)", "\x66\x0f\xab\x0f", 1),
		CASE("lock btr %rcx,(%rdi)", "\xf0\x48\x0f\xb3\x0f", 1),
		CASE("cmovne (%rdi),%rax", "\x48\x0f\x45\x07", 1),
		CASE("mov %fs:0,%rdx", "\x64\x48\x8b\x14\x25\0\0\0\0", 1),
		CASE("fildll (%rdi)", "\xdf\x2f", 1),
		CASE("fxsave (%rdi)", "\x0f\xae\x07", 1),
		CASE("stmxcsr (%rdi)", "\x0f\xae\x1f", 1),
		CASE("prefetcht0 (%rdi)", "\x0f\x18\x0f", 1),
		CASE("clflush (%rdi)", "\x0f\xae\x3f", 1),
		CASE("leave", "\xc9", 1),
		CASE("movups (%rdi),%xmm0", "\x0f\x10\x07", 1),
		{ "vpxor", "\xc5\xf9\xef\xc0", 4, 1, "avx" },
		{ "vmovdqu (%rdi)", "\xc5\xfa\x6f\x07", 4, 1, "avx" },
		{ "shlx", "\xc4\xe2\xf1\xf7\xc6", 5, 1, "bmi2" },
		{ "vmovdqu64 (%rdi)", "\x62\xf1\xfe\x08\x6f\x07", 6, 1, "avx512vl" },
	};
	size_t i;
	int k;

	set_up();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct insn_case *c = &cases[i];

		if (c->feature && ((!strcmp(c->feature, "avx") && !__builtin_cpu_supports("avx")) ||
				   (!strcmp(c->feature, "bmi2") && !__builtin_cpu_supports("bmi2")) ||
				   (!strcmp(c->feature, "avx512vl") &&
				    !__builtin_cpu_supports("avx512vl"))))
			continue;
		for (k = 0; k < 4; k++)
			EXPECT_EQ(c->landing, compare(c->name, (const uint8_t *)c->code, c->len,
						      k & 1 ? 3 : 0,
						      k & 2 ? FLAGS_ALL : FLAGS_NONE));
	}
}

/* @head, a displacement to @off in the data, @tail */
static int relative(const char *name, const char *head, size_t head_len, const char *tail,
		    size_t tail_len, int off)
{
	size_t len = head_len + 4 + tail_len;
	int32_t disp = TO((int)len, off);
	uint8_t code[16];

	memcpy(code, head, head_len);
	memcpy(code + head_len, &disp, 4);
	memcpy(code + head_len + 4, tail, tail_len);
	return compare(name, code, len, 1, FLAGS_ALL);
}

#define RELATIVE(head, tail, off) \
	relative(head, head, sizeof(head) - 1, tail, sizeof(tail) - 1, off)

TEST(rip_relative_operands)
{
	set_up();
	EXPECT_EQ(1, RELATIVE("\x48\x8b\x05", "", 0x40));		/* mov , %rax */
	EXPECT_EQ(1, RELATIVE("\x48\x8d\x05", "", 0x40));		/* lea */
	EXPECT_EQ(1, RELATIVE("\x4c\x89\x05", "", 0x40));		/* mov %r8, */
	EXPECT_EQ(1, RELATIVE("\xc7\x05", "\x01\x02\x03\x04", 0x40));	/* movl $imm32, */
	EXPECT_EQ(1, RELATIVE("\x80\x3d", "\x01", 0x40));		/* cmpb $imm8, */
	EXPECT_EQ(1, RELATIVE("\x66\xc7\x05", "\x01\x02", 0x40));	/* movw $imm16, */
	EXPECT_EQ(1, RELATIVE("\xf0\x48\x0f\xc1\x05", "", 0x40));	/* lock xadd %rax, */
	EXPECT_EQ(1, RELATIVE("\xf0\x0f\xb1\x35", "", 0));		/* lock cmpxchg %esi, */
	EXPECT_EQ(1, RELATIVE("\xff\x35", "", 0x40));			/* push */
	EXPECT_EQ(1, RELATIVE("\x8f\x05", "", 0x40));			/* pop */
	EXPECT_EQ(1, RELATIVE("\x0f\x10\x05", "", 0x40));		/* movups , %xmm0 */
	if (__builtin_cpu_supports("avx"))
		EXPECT_EQ(1, RELATIVE("\xc5\xfa\x6f\x05", "", 0x40));	/* vmovdqu */
	EXPECT_EQ(2, RELATIVE("\xff\x25", "", 0x100));			/* jmp * */
	EXPECT_EQ(2, RELATIVE("\xff\x15", "", 0x100));			/* call * */
	EXPECT_EQ(2, RELATIVE("\x48\xff\x15", "", 0x100));
	EXPECT_EQ(2, RELATIVE("\xf2\xff\x25", "", 0x100));		/* bnd jmp * */
}

/* Every condition, near and far form, both directions, taken and not. */
TEST(conditional_branches)
{
	static const uint64_t flags[] = {
		FLAGS_NONE, FLAGS_ALL, 0x203, 0x206, 0x242, 0x282, 0xa02, 0xa82, 0x247,
	};
	uint8_t code[6];
	int cc, taken, through, landing, dir;
	size_t i;

	set_up();
	for (cc = 0; cc < 16; cc++) {
		taken = 0;
		through = 0;
		for (i = 0; i < ARRAY_SIZE(flags) * 4; i++) {
			int32_t rel;
			size_t len = i & 2 ? 6 : 2;

			dir = i & 1;
			rel = (dir ? BEHIND : AHEAD) - SITE - (int)len;
			code[0] = len == 2 ? 0x70 | cc : 0x0f;
			code[1] = len == 2 ? rel : 0x80 | cc;
			memcpy(code + 2, &rel, 4);
			landing = compare("jcc", code, len, 1, flags[i / 4]);
			ASSERT_TRUE(landing == 1 || landing == 2 + dir);
			taken += landing != 1;
			through += landing == 1;
		}
		EXPECT_LT(0, taken);
		EXPECT_LT(0, through);
	}
}

TEST(loops_and_count_branches)
{
	static const struct insn_case cases[] = {
		CASE("loopne", "\xe0\x4e", 0), CASE("loope", "\xe1\x4e", 0),
		CASE("loop", "\xe2\x4e", 0), CASE("jrcxz", "\xe3\x4e", 0),
		CASE("jecxz", "\x67\xe3\x4d", 0),
	};
	static const uint64_t counts[] = { 0, 1, 2, 1ULL << 32 };
	int taken, landing;
	size_t i, k;

	set_up();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		taken = 0;
		for (k = 0; k < 8; k++) {
			landing = compare(cases[i].name, (const uint8_t *)cases[i].code,
					  cases[i].len, counts[k / 2],
					  k & 1 ? FLAGS_ALL : FLAGS_NONE);
			ASSERT_TRUE(landing == 1 || landing == 2);
			taken += landing == 2;
		}
		EXPECT_LT(0, taken);
		EXPECT_LT(taken, 8);
	}
}

TEST(jumps_calls_and_returns)
{
	static const struct insn_case cases[] = {
		CASE("jmp rel8 ahead", "\xeb\x4e", 2),
		CASE("jmp rel8 behind", "\xeb\xae", 3),
		CASE("jmp rel32 ahead", "\xe9\x4b\0\0\0", 2),
		CASE("jmp rel32 behind", "\xe9\xab\xff\xff\xff", 3),
		CASE("jmp *%rbx", "\xff\xe3", 2),
		CASE("jmp *%r13", "\x41\xff\xe5", 2),
		CASE("notrack jmp *%rbx", "\x3e\xff\xe3", 2),
		CASE("jmp *8(%rdi)", "\xff\x67\x08", 2),
		CASE("jmp *8(%rsp)", "\xff\x64\x24\x08", 2),
		CASE("jmp *(%r12)", "\x41\xff\x24\x24", 2),
		CASE("call rel32 ahead", "\xe8\x4b\0\0\0", 2),
		CASE("call rel32 behind", "\xe8\xab\xff\xff\xff", 3),
		CASE("call next", "\xe8\0\0\0\0", 1),
		CASE("call *%rbx", "\xff\xd3", 2),
		CASE("call *%r13", "\x41\xff\xd5", 2),
		CASE("call *8(%rdi)", "\xff\x57\x08", 2),
		CASE("call *(%r12)", "\x41\xff\x14\x24", 2),
		CASE("call *0x100(%rdi)", "\xff\x97\0\x01\0\0", 2),
		CASE("ret", "\xc3", 2),
		CASE("rep ret", "\xf3\xc3", 2),
		CASE("ret $8", "\xc2\x08\0", 2),
	};
	size_t i;

	set_up();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		EXPECT_EQ(cases[i].landing,
			  compare(cases[i].name, (const uint8_t *)cases[i].code, cases[i].len,
				  1, FLAGS_NONE));
		EXPECT_EQ(cases[i].landing,
			  compare(cases[i].name, (const uint8_t *)cases[i].code, cases[i].len,
				  1, FLAGS_ALL));
	}
}

TEST(what_cannot_move_is_refused)
{
	static const struct insn_case cases[] = {
		CASE("xbegin", "\xc7\xf8\0\0\0\0", 0),
		CASE("syscall", "\x0f\x05", 0),
		CASE("sysenter", "\x0f\x34", 0),
		CASE("int3", "\xcc", 0),
		CASE("int $0x80", "\xcd\x80", 0),
		CASE("ud2", "\x0f\x0b", 0),
		CASE("hlt", "\xf4", 0),
		CASE("iretq", "\x48\xcf", 0),
		CASE("lret", "\xcb", 0),
		CASE("lcall *(%rdi)", "\xff\x1f", 0),
		CASE("ljmp *(%rdi)", "\xff\x2f", 0),
		CASE("call *%rsp", "\xff\xd4", 0),
		CASE("call *8(%rsp)", "\xff\x54\x24\x08", 0),
		CASE("mov 0(%eip),%eax", "\x67\x8b\x05\0\0\0\0", 0),
		CASE("jmpw", "\x66\xe9\0\0\0\0", 0),
		CASE("jccw", "\x66\x0f\x84\0\0\0\0", 0),
		CASE("displacement at the edge", "\x48\x8b\x05\xff\xff\xff\x7f", 0),
		CASE("jump at the edge", "\xe9\xff\xff\xff\x7f", 0),
		CASE("not 64-bit", "\x06", 0),
		CASE("cut short", "\x48\x8b", 0),
		CASE("empty", "", 0),
	};
	struct chess_probe p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (chess_insn_displace((const uint8_t *)cases[i].code, cases[i].len, &p) !=
		    -ENOTSUP) {
			TH_LOG("accepted %s", cases[i].name);
			HARNESS_FAILED(0);
		}
	}
	EXPECT_EQ(-ENOTSUP, chess_insn_displace((const uint8_t *)"\x0f\x0b", 2, &p));
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "ud2"));
}

TEST(several_loads_move_together)
{
	static const struct insn_case cases[] = {
		CASE("as pthread_mutex_lock()", "\x8b\x47\x10\x89\xc2", 1),
		CASE("as pthread_mutex_unlock()", "\xbe\1\0\0\0", 1),
		CASE("a load from what was loaded", "\x48\x8b\x47\x08\x48\x8b\x00", 1),
		CASE("index", "\x48\x8d\x04\x17\x0f\xb6\xc0", 1),
	};
	size_t i;

	set_up();
	several = true;
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		EXPECT_EQ(cases[i].landing, compare(cases[i].name, (const uint8_t *)cases[i].code,
						    cases[i].len, 1, FLAGS_ALL));
	several = false;
}

/* After a signal the instructions are executed from the first one on. */
TEST(what_cannot_be_executed_twice_stays)
{
	static const struct insn_case cases[] = {
		CASE("push", "\x55\x48\x89\xe5\x90", 0),
		CASE("store", "\xc7\x07\1\0\0\0", 0),
		CASE("sub", "\x48\x83\xec\x08\x89\xc2", 0),
		CASE("what was read is written", "\x48\x8b\x40\x08\x89\xc2", 0),
		CASE("the same, one after the other", "\x89\xd0\xba\1\0\0\0", 0),
		CASE("the first argument", "\x48\x89\xf7\x89\xc2", 0),
		CASE("r11", "\x4c\x8b\x5f\x10\x89\xc2", 0),
		CASE("from r10", "\x44\x89\xd0\x89\xc2", 0),
		CASE("rsp", "\x48\x89\xfc\x89\xc2", 0),
		CASE("part of a register", "\x66\x8b\x47\x10\x89\xc2", 0),
		CASE("to rip", "\x8b\x05\0\0\0\0", 0),
		CASE("jump", "\x89\xc2\xeb\x10\x90", 0),
		CASE("landing pad", "\xf3\x0f\x1e\xfa\x89\xc2", 0),
		CASE("vector", "\x66\x0f\x6e\xc7\x89\xc2", 0),
		CASE("cut short", "\x8b\x47\x10\x89", 0),
	};
	struct chess_probe p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		if (chess_insn_displace_more((const uint8_t *)cases[i].code, cases[i].len, 5, &p) !=
		    -ENOTSUP) {
			TH_LOG("accepted %s", cases[i].name);
			HARNESS_FAILED(0);
		}
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See await.h. A loop is a set of instructions each of which can be reached from each other one
 * within the set. Tasks wait in it if two things are so.
 *
 * It is quiet: its instructions write registers, slots of the stack that have no other name, and
 * by one atomic instruction a value that is always the same. Calls, other stores and what reads
 * a clock are not quiet, so they are never in a loop.
 *
 * It forgets: at an access, what it wrote to registers and slots before is used no more, or it
 * is the same in each turn. What a task does from there on follows from what is in memory alone.
 * So a turn from that access to itself, in which the task itself changed nothing in memory, can
 * be left out of a schedule: the task comes to the access, stays there while others go on, and
 * does the rest of what it did after its last turn. In that schedule it comes there once; where
 * something is to be the same that is first set in the loop, twice. All turns from the next one on
 * are yields, and no schedule is lost that differs from all others by more than such turns.
 *
 * Whether the atomic instruction changes memory is seen when it is executed (kmod/await.h). What
 * is used after the loop does not matter: it was read in the last turn.
 */
#include "code/await.h"
#include "code/insn.h"
#include "internal.h"

#define NODES_MAX	96
#define SLOTS_MAX	16
#define TRIES_MAX	8
#define NOWHERE		UINT32_MAX

/* What an instruction may use and set: the lowest byte of a register, its rest, flags, slots. */
#define LOW(reg)	(1ULL << (reg))
#define WHOLE(reg)	((1ULL | 1ULL << 16) << (reg))
#define FLAGS		(1ULL << 32)
#define SLOT(n)		(1ULL << (33 + (n)))

/* Flags that conditions look at, and all others too that are written along with them. */
#define ALL_FLAGS	(ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_ZF | \
			 ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF)

enum steadiness { UNKNOWN, STEADY, UNSTEADY };

struct slot {
	int base;
	int64_t at;
	uint16_t size;
};

/**
 * struct node - an instruction
 * @at: offset in the function
 * @end: of what stands after it
 * @next: of the instruction that may be executed after it, or NOWHERE
 * @target: where it jumps to, or NOWHERE
 * @use: what it uses
 * @set: what it sets
 * @live: of what is set in the loop, that is used after coming here
 * @accesses: memory that others may see
 * @op: CHESS_AWAIT_*, where it is an atomic instruction; else zero
 * @source: then the register that it writes to memory
 * @same: what it sets follows from what it uses, and from nothing in memory
 * @steady: is what it sets the same in each turn? Once that was asked
 * @entered: that may be something else where a task enters the loop
 * @inside: it is in the loop
 * @mark: for walks
 */
struct node {
	uint32_t at, end, next, target;
	uint64_t use, set, live;
	int source;
	uint8_t op;
	enum steadiness steady;
	bool accesses, same, entered, inside, mark;
};

/**
 * struct finder - a loop in a function
 * @c: the function
 * @node: instructions that are quiet, @n of them
 * @slot: slots that they use
 * @slots: of @slot
 * @set: what is set in the loop
 * @entered: what was asked about last may be something else where a task enters the loop
 */
struct finder {
	const struct chess_await_code *c;
	struct node node[NODES_MAX];
	unsigned int n;
	struct slot slot[SLOTS_MAX];
	unsigned int slots;
	uint64_t set;
	bool entered;
};

/* Is it a slot of the stack that nothing but its own name accesses? */
static int private_base(const struct finder *f, const ZydisDecodedOperand *o)
{
	int base = chess_insn_register(o->mem.base);
	bool rsp = base == CHESS_REG_RSP;
	int64_t taken = rsp ? f->c->rsp_taken : f->c->rbp_taken;

	/* What is taken by the other register may be this slot. */
	if ((!rsp && (base != CHESS_REG_RBP || !f->c->frames)) ||
	    (f->c->frames && (rsp ? f->c->rbp_taken : f->c->rsp_taken) != INT64_MAX) ||
	    o->mem.index != ZYDIS_REGISTER_NONE || o->mem.segment == ZYDIS_REGISTER_FS ||
	    o->mem.segment == ZYDIS_REGISTER_GS)
		return -1;
	return o->mem.disp.value + o->size / 8 <= taken ? base : -1;
}

/* Its number; -1: there are too many, or it overlaps with another one. */
static int number_of_slot(struct finder *f, int base, const ZydisDecodedOperand *o)
{
	int64_t at = o->mem.disp.value, size = o->size / 8;
	unsigned int i;

	for (i = 0; i < f->slots; i++) {
		const struct slot *s = &f->slot[i];

		/* By two registers one slot may have two names. */
		if (s->base != base)
			return -1;
		if (s->at == at && s->size == size)
			return i;
		if (at < s->at + s->size && s->at < at + size)
			return -1;
	}
	if (i == SLOTS_MAX)
		return -1;
	f->slot[f->slots++] = (struct slot){ .base = base, .at = at, .size = size };
	return i;
}

static bool may_be_quiet(ZydisMnemonic m, ZydisInstructionCategory category)
{
	switch (m) {
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_MOVZX:
	case ZYDIS_MNEMONIC_MOVSX:
	case ZYDIS_MNEMONIC_MOVSXD:
	case ZYDIS_MNEMONIC_LEA:
	case ZYDIS_MNEMONIC_TEST:
	case ZYDIS_MNEMONIC_CMP:
	case ZYDIS_MNEMONIC_AND:
	case ZYDIS_MNEMONIC_OR:
	case ZYDIS_MNEMONIC_XOR:
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
	case ZYDIS_MNEMONIC_INC:
	case ZYDIS_MNEMONIC_DEC:
	case ZYDIS_MNEMONIC_NEG:
	case ZYDIS_MNEMONIC_NOT:
	case ZYDIS_MNEMONIC_SHL:
	case ZYDIS_MNEMONIC_SHR:
	case ZYDIS_MNEMONIC_SAR:
	case ZYDIS_MNEMONIC_BT:
	case ZYDIS_MNEMONIC_CWDE:
	case ZYDIS_MNEMONIC_CDQE:
	case ZYDIS_MNEMONIC_CDQ:
	case ZYDIS_MNEMONIC_CQO:
	case ZYDIS_MNEMONIC_XCHG:
	case ZYDIS_MNEMONIC_CMPXCHG:
	case ZYDIS_MNEMONIC_JMP:
	case ZYDIS_MNEMONIC_PAUSE:
	case ZYDIS_MNEMONIC_MFENCE:
	case ZYDIS_MNEMONIC_LFENCE:
	case ZYDIS_MNEMONIC_SFENCE:
		return true;
	case ZYDIS_MNEMONIC_JCXZ:
	case ZYDIS_MNEMONIC_JECXZ:
	case ZYDIS_MNEMONIC_JRCXZ:
	case ZYDIS_MNEMONIC_LOOP:
	case ZYDIS_MNEMONIC_LOOPE:
	case ZYDIS_MNEMONIC_LOOPNE:
	case ZYDIS_MNEMONIC_XBEGIN:
		return false;
	default:
		return category == ZYDIS_CATEGORY_COND_BR || category == ZYDIS_CATEGORY_SETCC ||
		       category == ZYDIS_CATEGORY_CMOV || category == ZYDIS_CATEGORY_NOP ||
		       category == ZYDIS_CATEGORY_WIDENOP;
	}
}

/* Return: false: a register whose use is not understood. */
static bool add_register(struct node *n, const ZydisDecodedInstruction *i,
			 const ZydisDecodedOperand *o)
{
	bool reads = o->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	bool writes = o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE, part = false;
	ZydisRegisterClass class = ZydisRegisterGetClass(o->reg.value);
	int reg = chess_insn_register(o->reg.value);
	uint64_t bits;

	if (class == ZYDIS_REGCLASS_IP)
		return true;
	if (class == ZYDIS_REGCLASS_FLAGS) {
		bits = FLAGS;
		/* Of a shift that may be by nothing, too. */
		part = !i->cpu_flags || i->meta.category == ZYDIS_CATEGORY_SHIFT ||
		       (ALL_FLAGS & ~(i->cpu_flags->modified | i->cpu_flags->set_0 |
				      i->cpu_flags->set_1 | i->cpu_flags->undefined));
	} else if (reg < 0) {
		return false;
	} else if (class == ZYDIS_REGCLASS_GPR8) {
		if (o->reg.value >= ZYDIS_REGISTER_AH && o->reg.value <= ZYDIS_REGISTER_BH)
			return false;
		bits = LOW(reg);
	} else {
		bits = WHOLE(reg);
		part = class == ZYDIS_REGCLASS_GPR16;
	}
	if (writes && (reg == CHESS_REG_RSP || reg == CHESS_REG_RBP))
		return false;
	part |= (o->actions & ZYDIS_OPERAND_ACTION_CONDWRITE) != 0;
	n->use |= reads || (writes && part) ? bits : 0;
	n->set |= writes ? bits : 0;
	return true;
}

/* The address of an operand in memory. */
static void use_address(struct node *n, const ZydisDecodedOperand *o)
{
	int base = chess_insn_register(o->mem.base), index = chess_insn_register(o->mem.index);

	n->use |= base >= 0 ? WHOLE(base) : 0;
	n->use |= index >= 0 ? WHOLE(index) : 0;
}

/* It writes to memory that others see, what is in a register. */
static bool exchanges(struct node *n, const ZydisDecodedInstruction *i,
		      const ZydisDecodedOperand *o)
{
	/* xchg may have its operands in any order. */
	const ZydisDecodedOperand *from = o[0].type == ZYDIS_OPERAND_TYPE_REGISTER ? o : o + 1;

	if (i->mnemonic == ZYDIS_MNEMONIC_XCHG)
		n->op = CHESS_AWAIT_XCHG;
	else if (i->mnemonic == ZYDIS_MNEMONIC_CMPXCHG && i->attributes & ZYDIS_ATTRIB_HAS_LOCK)
		n->op = CHESS_AWAIT_CMPXCHG;
	else
		return false;
	n->source = chess_insn_register(from->reg.value);
	return from->type == ZYDIS_OPERAND_TYPE_REGISTER && n->source >= 0;
}

/* lock orl $0,(%rsp): a barrier. */
static bool is_barrier(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	return i->mnemonic == ZYDIS_MNEMONIC_OR && (i->attributes & ZYDIS_ATTRIB_HAS_LOCK) &&
	       o[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
	       chess_insn_register(o[0].mem.base) == CHESS_REG_RSP &&
	       o[0].mem.index == ZYDIS_REGISTER_NONE &&
	       o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && !o[1].imm.value.u;
}

static bool add_memory(struct finder *f, struct node *n, const ZydisDecodedInstruction *i,
		       const ZydisDecodedOperand *all, const ZydisDecodedOperand *o)
{
	bool reads = o->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	bool writes = o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	int base, slot;

	use_address(n, o);
	if (o->mem.type == ZYDIS_MEMOP_TYPE_AGEN || is_barrier(i, all))
		return true;
	if (o->mem.type != ZYDIS_MEMOP_TYPE_MEM)
		return false;
	base = private_base(f, o);
	if (base < 0) {
		n->accesses = true;
		return !writes || exchanges(n, i, all);
	}
	slot = number_of_slot(f, base, o);
	if (slot < 0)
		return false;
	n->use |= reads || (o->actions & ZYDIS_OPERAND_ACTION_CONDWRITE) ? SLOT(slot) : 0;
	n->set |= writes ? SLOT(slot) : 0;
	return true;
}

static bool is_begin(const struct finder *f, int64_t at)
{
	return at >= 0 && (uint64_t)at < f->c->size && f->c->start[at];
}

/* xor %eax,%eax */
static bool clears(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	return (i->mnemonic == ZYDIS_MNEMONIC_XOR || i->mnemonic == ZYDIS_MNEMONIC_SUB) &&
	       o[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       o[1].type == ZYDIS_OPERAND_TYPE_REGISTER && o[0].reg.value == o[1].reg.value;
}

/* Return: whether it is quiet. */
static bool read_node(struct finder *f, struct node *n, uint32_t at)
{
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction i;
	ZydisDecoderContext context;
	int64_t target;
	unsigned int k;

	*n = (struct node){ .at = at, .next = NOWHERE, .target = NOWHERE };
	if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(f->c->decoder, &context, f->c->code + at,
						      f->c->size - at, &i)) ||
	    ZYAN_FAILED(ZydisDecoderDecodeOperands(f->c->decoder, &context, &i, o,
						   i.operand_count)) ||
	    !may_be_quiet(i.mnemonic, i.meta.category))
		return false;
	n->end = at + i.length;
	if (i.meta.category == ZYDIS_CATEGORY_COND_BR || i.mnemonic == ZYDIS_MNEMONIC_JMP) {
		target = (int64_t)at + i.length + i.raw.imm[0].value.s;
		if (!i.raw.imm[0].is_relative || !is_begin(f, target))
			return false;
		n->target = target;
	}
	if (i.mnemonic != ZYDIS_MNEMONIC_JMP) {
		if (!is_begin(f, at + i.length))
			return false;
		n->next = at + i.length;
	}
	for (k = 0; k < i.operand_count && !chess_insn_is_nop(&i); k++) {
		if (o[k].type == ZYDIS_OPERAND_TYPE_REGISTER && !add_register(n, &i, &o[k]))
			return false;
		if (o[k].type == ZYDIS_OPERAND_TYPE_MEMORY && !add_memory(f, n, &i, o, &o[k]))
			return false;
	}
	if (clears(&i, o))
		n->use = 0;
	n->same = !n->accesses;
	return true;
}

static struct node *node_at(struct finder *f, uint32_t at)
{
	unsigned int k;

	for (k = 0; at != NOWHERE && k < f->n; k++)
		if (f->node[k].at == at)
			return &f->node[k];
	return NULL;
}

static bool is_barred(const struct chess_await_loop *loop, uint32_t at)
{
	unsigned int k;

	for (k = 0; k < loop->n_barred; k++)
		if (loop->barred[k] == at)
			return true;
	return false;
}

static void bar(struct chess_await_loop *loop, uint32_t at)
{
	if (loop->n_barred < CHESS_AWAIT_BARRED && !is_barred(loop, at))
		loop->barred[loop->n_barred++] = at;
}

/* Return: false: there are too many. */
static bool reach(struct finder *f, const struct chess_await_loop *loop, uint32_t at)
{
	if (at == NOWHERE || is_barred(loop, at) || node_at(f, at))
		return true;
	if (f->n == NODES_MAX)
		return false;
	f->n += read_node(f, &f->node[f->n], at);
	return true;
}

/* All that is quiet and can be reached from @to, and from where @from can be: the loop. */
static bool find_loop(struct finder *f, const struct chess_await_loop *loop, uint32_t from,
		      uint32_t to)
{
	struct node *jump;
	unsigned int k;
	bool more;

	f->n = 0;
	f->slots = 0;
	if (!reach(f, loop, to))
		return false;
	for (k = 0; k < f->n; k++)
		if (!reach(f, loop, f->node[k].next) || !reach(f, loop, f->node[k].target))
			return false;
	jump = node_at(f, from);
	if (!jump)
		return false;
	jump->inside = true;
	do {
		more = false;
		for (k = 0; k < f->n; k++) {
			struct node *n = &f->node[k], *next = node_at(f, n->next);
			struct node *target = node_at(f, n->target);

			if (n->inside || !((next && next->inside) || (target && target->inside)))
				continue;
			n->inside = true;
			more = true;
		}
	} while (more);
	return true;
}

static struct node *inside_at(struct finder *f, uint32_t at)
{
	struct node *n = node_at(f, at);

	return n && n->inside ? n : NULL;
}

static uint64_t live_at(struct finder *f, uint32_t at)
{
	struct node *n = inside_at(f, at);

	return n ? n->live : 0;
}

/* What is used in the loop after coming to each of its instructions. */
static void find_live(struct finder *f)
{
	unsigned int k;
	bool more;

	f->set = 0;
	for (k = 0; k < f->n; k++)
		f->set |= f->node[k].inside ? f->node[k].set : 0;
	do {
		more = false;
		for (k = 0; k < f->n; k++) {
			struct node *n = &f->node[k];
			uint64_t live;

			if (!n->inside)
				continue;
			live = live_at(f, n->next) | live_at(f, n->target);
			live = (n->use | (live & ~n->set)) & f->set;
			more |= live != n->live;
			n->live = live;
		}
	} while (more);
}

/* May a task come to @n from outside of the loop? */
static bool is_entered(struct finder *f, const struct node *n)
{
	bool follows = false;
	unsigned int k;
	size_t i;

	for (i = 0; i < f->c->jumps; i++)
		if (f->c->jump[i].to == n->at && !inside_at(f, f->c->jump[i].from))
			return true;
	/* What stands before it is in the loop, whether it leads here or not. */
	for (k = 0; k < f->n; k++)
		follows |= f->node[k].inside && f->node[k].end == n->at;
	return !follows;
}

/* The only instruction that sets all of @what before @n on all ways to it; NULL: there is none. */
static struct node *setter(struct finder *f, struct node *n, uint64_t what)
{
	struct node *todo[NODES_MAX], *found = NULL;
	unsigned int left = 0, k;

	for (k = 0; k < f->n; k++)
		f->node[k].mark = false;
	todo[left++] = n;
	while (left) {
		struct node *to = todo[--left];

		f->entered |= is_entered(f, to);
		for (k = 0; k < f->n; k++) {
			struct node *at = &f->node[k];

			if (!at->inside || at->mark || (at->next != to->at && at->target != to->at))
				continue;
			at->mark = true;
			if (!(at->set & what)) {
				todo[left++] = at;
				continue;
			}
			if (found || (at->set & what) != what)
				return NULL;
			found = at;
		}
	}
	/* Else there is a way round on which it is not set. */
	return n->mark && found != n ? NULL : found;
}

static bool is_steady(struct finder *f, struct node *n, uint64_t what);

static bool sets_the_same(struct finder *f, struct node *n)
{
	bool entered = f->entered;

	if (n->steady == UNKNOWN) {
		/* Where it follows from itself it is not. */
		n->steady = UNSTEADY;
		f->entered = false;
		if (n->same && is_steady(f, n, n->use))
			n->steady = STEADY;
		n->entered = f->entered;
	}
	f->entered = entered || n->entered;
	return n->steady == STEADY;
}

/* From the second turn on, is @what at @n the same in each? */
static bool is_steady(struct finder *f, struct node *n, uint64_t what)
{
	struct node *by;
	uint64_t left;

	for (left = what & f->set; left; left &= left - 1) {
		by = setter(f, n, left & -left);
		if (!by || !sets_the_same(f, by))
			return false;
	}
	return true;
}

/* After how many turns is each one at @n like the last one? 0: that is not known. */
static unsigned int turns_at(struct finder *f, struct node *n)
{
	f->entered = false;
	if (!is_steady(f, n, n->live | (n->op ? WHOLE(n->source) : 0)))
		return 0;
	return f->entered ? 3 : 2;
}

/* A smaller loop may keep nothing of what stands in the way at @n. */
static void bar_what_is_kept(struct finder *f, struct chess_await_loop *loop, const struct node *n)
{
	unsigned int k;

	for (k = 0; k < f->n; k++)
		if (f->node[k].inside && (f->node[k].set & n->live))
			bar(loop, f->node[k].at);
}

/* One at most, which forgets: else they are barred. */
static bool check_atomics(struct finder *f, struct chess_await_loop *loop)
{
	unsigned int k, n = 0;
	bool good = true;

	for (k = 0; k < f->n; k++)
		n += f->node[k].inside && f->node[k].op;
	for (k = 0; k < f->n; k++) {
		if (!f->node[k].inside || !f->node[k].op ||
		    (n == 1 && turns_at(f, &f->node[k])))
			continue;
		good = false;
		bar(loop, f->node[k].at);
	}
	return good;
}

static bool add_end(struct finder *f, struct chess_await_loop *loop, uint32_t at)
{
	unsigned int k;

	if (at == NOWHERE || inside_at(f, at))
		return true;
	for (k = 0; k < loop->ends; k++)
		if (loop->end[k] == at)
			return true;
	if (loop->ends == CHESS_AWAIT_ENDS)
		return false;
	loop->end[loop->ends++] = at;
	return true;
}

static bool find_ends(struct finder *f, struct chess_await_loop *loop)
{
	unsigned int k;

	loop->ends = 0;
	for (k = 0; k < f->n; k++)
		if (f->node[k].inside && (!add_end(f, loop, f->node[k].next) ||
					  !add_end(f, loop, f->node[k].target)))
			return false;
	return true;
}

static void find_accesses(struct finder *f, struct chess_await_loop *loop)
{
	unsigned int k, turns;

	loop->n = 0;
	for (k = 0; k < f->n; k++) {
		struct node *n = &f->node[k];

		if (!n->inside || !n->accesses)
			continue;
		turns = turns_at(f, n);
		if (!turns) {
			bar_what_is_kept(f, loop, n);
		} else if (loop->n == CHESS_AWAIT_ACCESSES) {
			/* Of one that writes it has to be known. */
			loop->n = 0;
			return;
		} else {
			loop->access[loop->n++] = (struct chess_await_access){
				.at = n->at, .turns = turns, .op = n->op,
				.source = n->op ? n->source : 0,
			};
		}
	}
}

bool chess_await_next(const struct chess_await_code *c, const struct chess_await_jump *jump,
		      struct chess_await_loop *loop)
{
	struct finder f = { .c = c };
	unsigned int tries, barred;

	for (tries = 0; tries < TRIES_MAX && !loop->last; tries++) {
		barred = loop->n_barred;
		if (!find_loop(&f, loop, jump->from, jump->to))
			return false;
		find_live(&f);
		if (check_atomics(&f, loop)) {
			find_accesses(&f, loop);
			/* It is looked into again only where something was in the way. */
			loop->last = loop->n_barred == barred;
			if (loop->n && find_ends(&f, loop))
				return true;
		}
		if (loop->n_barred == barred)
			return false;
	}
	return false;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Slots: code that does what the instruction under a trap did. arm.c maps and fills them;
 * what knows the processor's instructions is in arch_x86.c.
 */
#include <linux/string.h>

#include "arch_x86.h"
#include "trap.h"

static_assert(CHESS_SLOT_BYTES >= CHESS_PROBE_SLOT_MAX);

/**
 * chess_slot_build() - the code of one slot
 * @out: CHESS_SLOT_BYTES of it
 * @p: the trap
 * @va: address of its instruction
 * @slot: address the code is for
 *
 * Context: any.
 * Return: false when a displacement does not reach.
 */
bool chess_slot_build(u8 *out, const struct chess_probe *p, unsigned long va, unsigned long slot)
{
	u32 i;

	memset(out, CHESS_ARCH_TRAP_BYTE, CHESS_SLOT_BYTES);
	memcpy(out, p->slot, p->slot_len);
	for (i = 0; i < p->nfixups; i++) {
		const struct chess_fixup *f = &p->fixups[i];
		u64 target = va + (s64)f->addend;

		if (f->kind == CHESS_FIXUP_ABS64) {
			memcpy(out + f->pos, &target, sizeof(target));
		} else {
			s64 rel = target - (slot + f->pos + 4);
			s32 rel32 = rel;

			if (rel != rel32)
				return false;
			memcpy(out + f->pos, &rel32, sizeof(rel32));
		}
	}
	return true;
}

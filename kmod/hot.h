/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every point and every recorded access executes stands on one page: one entry of the
 * instruction TLB, and jumps that an emulator follows without a look-up.
 */
#ifndef _CHESS_HOT_H
#define _CHESS_HOT_H

#define CHESS_HOT	__attribute__((__hot__))

/* Once, in the file that is linked first: the page begins there. */
#define CHESS_HOT_BEGIN	asm(".pushsection .text.hot, \"ax\", @progbits; .balign 4096; .popsection")

#endif /* _CHESS_HOT_H */

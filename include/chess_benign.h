/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For programs under test: a static variable whose races are known and wanted, such as a
 * statistic that may be a little wrong:
 *
 *	static long hits CHESS_BENIGN;
 *
 * chessctl races counts races on it and does not tell them. The variable is in a section of
 * its own; nothing else changes.
 */
#ifndef CHESS_BENIGN_H
#define CHESS_BENIGN_H

#define CHESS_BENIGN	__attribute__((section(".chess_benign")))

#endif /* CHESS_BENIGN_H */

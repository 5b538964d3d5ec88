/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * build_id.c: build-ids of ELF files that are open. chess_build_id() is public.
 */
#ifndef CHESSCTL_BUILD_ID_H
#define CHESSCTL_BUILD_ID_H

#define CHESS_BUILD_ID_MAX	64	/* bytes; those of linkers have 8 to 20 */

/* Of the file open as @fd: hexadecimal digits, malloc'ed. NULL: it has none. */
char *chess_build_id_of(int fd);

#endif /* CHESSCTL_BUILD_ID_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How a function accesses what an argument of it points to, for the tables of functions alone.
 */
#ifndef CHESSCTL_MEMCALL_KINDS_H
#define CHESSCTL_MEMCALL_KINDS_H

#include <linux/chess_access.h>

#include "code/operand.h"

#define R	CHESS_OPERAND_READ
#define W	CHESS_OPERAND_WRITE
/* Of so many elements only the first one is certain, and as many more as are worth a look. */
#define U	(CHESS_OPERAND_UPTO | CHESS_OPERAND_PERHAPS)
/* The same of a string: where it ends is not known. */
#define T	CHESS_OPERAND_PERHAPS
/* What has a lock of its own. */
#define S	(R | W | CHESS_OPERAND_ATOMIC)
/* What is filled in, as late as after a wait. */
#define F	CHESS_ACCESS_MAY_WRITE
/* A pthread_attr_t. */
#define ATTR_BYTES	56

#endif /* CHESSCTL_MEMCALL_KINDS_H */

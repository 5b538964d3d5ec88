// SPDX-License-Identifier: GPL-2.0-only
/*
 * Are we inside the VM? See where.h. A file of its own, for programs that take the options
 * of chessctl and no VM.
 */
#include <stdlib.h>
#include <string.h>

#include "where.h"

bool where_inside_vm(void)
{
	const char *inside = getenv("CHESS_VM");

	return inside && !strcmp(inside, "1");
}

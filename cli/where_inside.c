// SPDX-License-Identifier: GPL-2.0-only
/*
 * Are we inside the VM, and for which user? See where.h. A file of its own, for programs that
 * take the options of chessctl and no VM.
 */
#include <stdlib.h>
#include <string.h>

#include "where.h"

bool where_inside_vm(void)
{
	const char *inside = getenv("CHESS_VM");

	return inside && !strcmp(inside, "1");
}

uint32_t where_id(const char *name)
{
	const char *text = getenv(name);
	char *end;
	unsigned long id;

	if (!where_inside_vm() || !text || !*text)
		return UINT32_MAX;
	id = strtoul(text, &end, 10);
	return *end || id >= UINT32_MAX ? UINT32_MAX : id;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows netlink_table.awk makes of docs/netlink/specs/chess.yaml: netlink_fuzz makes
 * requests of them, so that a new command is fuzzed without a line of code.
 */
#ifndef CHESS_SELFTESTS_FUZZ_NETLINK_TABLE_H
#define CHESS_SELFTESTS_FUZZ_NETLINK_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum kind { KIND_U32 = 1, KIND_U64, KIND_BINARY, KIND_STRING };

/**
 * struct field - an attribute of a request
 * @name: as the spec has it; those called group, id, pid and fd are given what exists
 * @type: its number; 0 after the last
 * @kind: what it holds
 * @min: lowest value
 * @max: highest one, or all flags
 * @flags: any combination of the bits of @max
 * @element: KIND_BINARY: an array of these
 */
struct field {
	const char *name;
	unsigned int type;
	enum kind kind;
	uint32_t min, max;
	bool flags;
	const char *element;
};

/**
 * struct command - a request
 * @name: as the spec has it
 * @number: of the command
 * @may_do: it can be made of one object
 * @may_dump: it can ask for all
 * @set: its attribute set; in "group" a group is called id
 * @fields: its attributes
 */
struct command {
	const char *name;
	unsigned int number;
	bool may_do, may_dump;
	const char *set;
	const struct field *fields;
};

#include "netlink_table.gen.h"

#define N_COMMANDS (sizeof(commands) / sizeof(*commands))

#endif /* CHESS_SELFTESTS_FUZZ_NETLINK_TABLE_H */

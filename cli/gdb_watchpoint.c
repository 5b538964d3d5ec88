// SPDX-License-Identifier: GPL-2.0-only
/*
 * replay --watch: who changes this memory? gdb's hardware breakpoints tell, in the run of the
 * trace. They fire after the access, so the line is that of the byte before.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "gdb.h"

static const char *type_of(unsigned long size)
{
	switch (size) {
	case 1:
		return "unsigned char";
	case 2:
		return "unsigned short";
	case 4:
		return "unsigned int";
	case 8:
		return "unsigned long";
	default:
		return NULL;
	}
}

static int read_address(const char *text, struct gdb_watchpoint *out)
{
	unsigned long address, size = 8;
	char *end;

	address = strtoul(text, &end, 16);
	if (*end == ':')
		size = strtoul(end + 1, &end, 10);
	if (*end || !type_of(size) || address % size)
		return cli_fail(CLI_USAGE,
				"replay: --watch %s is not an address that is a multiple of its size of 1, 2, 4 or 8 bytes",
				text);
	out->expression = cli_printf("*(%s *) 0x%lx", type_of(size), address);
	return CLI_PROCEED;
}

/* Members and elements too; nothing that gdb would do more with than read. */
int gdb_watchpoint_read(const char *text, struct gdb_watchpoint *out)
{
	const char *p;

	if (!strncmp(text, "0x", 2))
		return read_address(text, out);
	for (p = text; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_.[]:", *p))
			break;
	if (*p || !*text || isdigit((unsigned char)*text))
		return cli_fail(CLI_USAGE,
				"replay: --watch takes a variable of the program or 0xADDRESS[:SIZE], not '%s'",
				text);
	out->expression = cli_printf("%s", text);
	return CLI_PROCEED;
}

void gdb_watchpoint_script(const struct gdb_watchpoint *watch, FILE *f)
{
	if (!watch->expression)
		return;
	fprintf(f, "set pagination off\nset can-use-hw-watchpoints 1\nwatch -location %s\n",
		watch->expression);
	if (watch->alone)
		fprintf(f, "while $_isvoid($_exitcode) && $_isvoid($_exitsignal)\n"
			"  continue\n"
			"  if $_isvoid($_exitcode) && $_isvoid($_exitsignal)\n"
			"    info line *($pc - 1)\n"
			"    backtrace 4\n"
			"  end\n"
			"end\n");
}

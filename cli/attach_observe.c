// SPDX-License-Identifier: GPL-2.0-only
#include "attach.h"

int attach_observe(const struct attach_options *o)
{
	return cli_fail(CLI_ENVIRONMENT, "attach: cannot observe process %d", o->pid);
}

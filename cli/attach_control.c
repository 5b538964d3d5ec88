// SPDX-License-Identifier: GPL-2.0-only
#include "attach.h"

int attach_control(const struct attach_options *o)
{
	return cli_fail(CLI_ENVIRONMENT, "attach: cannot control process %d", o->pid);
}

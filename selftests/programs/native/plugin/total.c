// SPDX-License-Identifier: GPL-2.0-only
/* A plug-in that keeps a total, for native/plugin_*.c. It knows nothing of threads. */
#include <stdlib.h>

#include "../window.h"
#include "total.h"

static long *total;

void total_add(long by)
{
	long old;

	if (!total)
		total = calloc(1, sizeof(*total));
	old = *total;
	WINDOW();
	*total = old + by;
}

long total_read(void)
{
	return total ? *total : 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Reads memory that is free already, and leaks some, in every schedule. */
#include <stdio.h>
#include <stdlib.h>

static int *volatile box, *volatile lost;

int main(void)
{
	box = malloc(sizeof(*box));
	lost = malloc(100);
	if (!box || !lost)
		return 1;
	*box = 1;
	free(box);
	puts(*box == 12345 ? "kept" : "done");
	lost = NULL;
	return 0;
}

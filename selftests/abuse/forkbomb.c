// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hundred and twenty processes in two generations. Hard: numbers of tasks, memory for them,
 * ends in every order.
 */
#include "abuse.h"

int main(void)
{
	int i, k, children = 0;

	for (i = 0; i < 40; i++)
		if (!fork()) {
			for (k = 0; k < 2; k++)
				if (!fork())
					_exit(0);
			while (wait(NULL) > 0)
				;
			_exit(0);
		}
	while (wait(NULL) > 0)
		children++;
	say("children %d\n", children);
	return 0;
}

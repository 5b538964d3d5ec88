// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes itself the right to write files, then works on in two threads. Hard: nothing of ours
 * may be done with its rights.
 */
#include "abuse.h"

int main(void)
{
	struct { unsigned long long handled; } rules = { 1ULL << 1 /* WRITE_FILE */ };
	int ruleset = (int)syscall(444 /* landlock_create_ruleset */, &rules, sizeof(rules), 0);
	int fd = -1, confined = 0;

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (ruleset >= 0)
		confined = !syscall(446 /* landlock_restrict_self */, ruleset, 0);
	if (confined)
		fd = open("/dev/null", O_WRONLY);
	both(count, NULL, NULL);
	say("counted %d, opened %d\n", counted, fd >= 0);
	return 0;
}

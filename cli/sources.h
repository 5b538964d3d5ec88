/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a program is given from outside control, by name: doctor.c has it looked at
 * in one run more. A record has no paths and no addresses of sockets.
 */
#ifndef CLI_SOURCES_H
#define CLI_SOURCES_H

#include <time.h>

#include "session.h"

/**
 * struct sources - what was seen
 * @text: one source each, in the order they were met
 * @n: their number
 */
struct sources {
	char **text;
	size_t n;
};

/*
 * Runs the program of @s once more, along the default schedule, and watches its system
 * calls. @since: what was written to after it counts as changing. False, and one
 * sentence on stderr, when that is not possible.
 */
bool sources_read(const struct session *s, const struct session_opts *o,
		  const struct timespec *since, struct sources *out);
void sources_clear(struct sources *s);

#endif /* CLI_SOURCES_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one place where the code of the trace events is made; see events.h.
 */
#define CREATE_TRACE_POINTS
#include "events.h"

/* events.h has a name for each op class. */
static_assert(__CHESS_OP_MAX == CHESS_OP_UPDATE + 1);

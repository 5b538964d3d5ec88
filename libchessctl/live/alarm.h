/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * alarm.c: which cycles of waits of live.c's looks are said to be deadlocks.
 */
#ifndef CHESSCTL_ALARM_H
#define CHESSCTL_ALARM_H

#include <stdbool.h>

#include "live/view.h"

struct chess_alarms;

/* NULL: no memory. */
struct chess_alarms *chess_alarms_new(void);
void chess_alarms_free(struct chess_alarms *a);

/*
 * One more look. *@suspicion: there is a cycle in it that was not in the last one. 0, or
 * -ENOMEM with chess_error().
 */
int chess_alarms_judge(struct chess_alarms *a, const struct chess_view *v, bool *suspicion);

size_t chess_alarms_count(const struct chess_alarms *a);
/* From 0 in the order they were said; NULL: there are fewer. */
const struct chess_live_alarm *chess_alarms_get(const struct chess_alarms *a, size_t i);

#endif /* CHESSCTL_ALARM_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks by name and process, for pages and for exports.
 */
#ifndef CLI_REPORT_NAMES_H
#define CLI_REPORT_NAMES_H

#include "report/report.h"

/*
 * What each task last called itself with prctl(PR_SET_NAME), which pthread_setname_np() does for
 * its caller; NULL where the trace has the text of no such call. All malloc'ed
 */
char **report_task_names(const struct report *r);

/* For each task the first task of its process; malloc'ed */
uint32_t *report_processes(const struct report *r);

#endif /* CLI_REPORT_NAMES_H */

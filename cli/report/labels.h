/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * labels.c: names that somebody gives tasks with --label 'REGEX=NAME'. names.c asks for them.
 */
#ifndef CLI_REPORT_LABELS_H
#define CLI_REPORT_LABELS_H

#include "cli.h"

/* A row for tables of options, and whether its values are some: CLI_PROCEED, or an exit code. */
#define LABEL_OPTION									\
	{ "label", OPT_LIST, &report_labels, "REGEX=NAME",				\
	  "call a task NAME if its name or first function matches", 0, 0, OPT_AROUND }
extern struct opt_list report_labels;
int report_labels_check(const char *command);

/*
 * The first label that fits a task of this name, which began in this function, "worker()"; both may
 * be NULL. malloc'ed; NULL: none does
 */
char *report_label(const char *name, const char *function);

#endif /* CLI_REPORT_LABELS_H */

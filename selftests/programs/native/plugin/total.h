/* SPDX-License-Identifier: GPL-2.0-only */
/* What native/plugin_*.c know of plugin/total.c. */
#ifndef NATIVE_PLUGIN_TOTAL_H
#define NATIVE_PLUGIN_TOTAL_H

#ifdef SLOW
#define TOTAL_PLUGIN "$ORIGIN/plugin/total_slow.so"
#else
#define TOTAL_PLUGIN "$ORIGIN/plugin/total.so"
#endif

typedef void total_add_fn(long by);
typedef long total_read_fn(void);

total_add_fn total_add;
total_read_fn total_read;

#endif

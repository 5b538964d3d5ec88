/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows for tables of options, of commands that run a program: @so is their struct session_opts.
 */
#ifndef CLI_SESSION_OPTIONS_H
#define CLI_SESSION_OPTIONS_H

#include "session.h"

#define FAIR_OPTIONS(so)								\
	{ "fair-k", OPT_UINT, &(so).fair_k, "N",					\
	  "fairness: count each Nth yield of a task (1)", 1, 1000000, OPT_TURNS },	\
	{ "unfair", OPT_FLAG, &(so).unfair, NULL,					\
	  "no fairness: a yield gives no task priority", 0, 0, OPT_TURNS },		\
	{ "yield-trylock", OPT_FLAG, &(so).yield_trylock, NULL,				\
	  "trying a lock again is a yield", 0, 0, OPT_TURNS },				\
	{ "max-points", OPT_UINT, &(so).max_points, "N",				\
	  "check a run of more points for a livelock", 1, 1000000000, OPT_END }

/* Whose accesses to memory are looked at. */
#define CODE_OPTIONS(so)								\
	{ "code", OPT_LIST, &(so).code, "FILE[:FUNC]",					\
	  "examine accesses of this code (the program's own)", 0, 0, OPT_POINTS },	\
	{ "max-accesses", OPT_UINT, &(so).max_accesses, "N",				\
	  "record at most N accesses in a run", 16, 1000000000, OPT_POINTS }

#define SESSION_OPTIONS(so)	SESSION_OPTIONS_WITH(so, "sync, syscalls, or both (default)")
/* With accesses, see CODE_OPTIONS(). */
#define SESSION_CODE_OPTIONS(so) SESSION_OPTIONS_WITH(so, "from sync,syscalls,races (default: all three)")

#define SESSION_OPTIONS_WITH(so, help)							\
	{ "points", OPT_STRING, &(so).points, "LIST", help, 0, 0, OPT_POINTS },		\
	{ "probe", OPT_LIST, &(so).probes, "FILE",					\
	  "BPF programs that create additional points", 0, 0, OPT_POINTS },		\
	{ "quantum", OPT_UINT, &(so).quantum_ms, "MS",					\
	  "CPU time without a point before others run", 1, 60000, OPT_TURNS },	\
	{ "max-events", OPT_UINT, &(so).max_events, "N",				\
	  "end a run whose record exceeds N events", 16, CHESS_MAX_EVENTS, OPT_END },	\
	{ "run-timeout", OPT_SECONDS, &(so).run_timeout, "SEC",				\
	  "end a run after this time, with verdict timeout", 0.001, 4000000, OPT_END },	\
	FAIR_OPTIONS(so),								\
	{ "ok-exit", OPT_STRING, &(so).ok_exit, "LIST",					\
	  "exit codes that count like 0", 0, 0, OPT_END },				\
	{ "expect-signal", OPT_STRING, &(so).expect_signal, "LIST",			\
	  "death by one of these signals is not a bug", 0, 0, OPT_END },		\
	{ "no-expect-signal", OPT_FLAG, &(so).no_expect_signal, NULL,			\
	  "death of a child by a signal is always a bug", 0, 0, OPT_END },		\
	{ "ignore-monitor", OPT_STRING, &(so).ignore_monitor, "LIST",			\
	  "messages of these are not bugs: glibc, Rust, ...", 0, 0, OPT_END },	\
	{ "real-time", OPT_FLAG, &(so).real_time, NULL,					\
	  "use the machine's clocks, sleeps and time-outs", 0, 0, OPT_TURNS }

#define SURROUNDINGS_OPTIONS(so)							\
	{ "private-tmp", OPT_FLAG, &(so).private_tmp, NULL,				\
	  "give each run an empty /tmp", 0, 0, OPT_AROUND },			\
	{ "overlay", OPT_FLAG, &(so).overlay, NULL,					\
	  "undo changes to the working directory after each run", 0, 0, OPT_AROUND },	\
	{ "no-network", OPT_FLAG, &(so).no_network, NULL,				\
	  "give each run only a loopback device", 0, 0, OPT_AROUND },			\
	{ "host-pids", OPT_FLAG, &(so).host_pids, NULL,					\
	  "use the system's process ids", 0, 0, OPT_AROUND }

#endif /* CLI_SESSION_OPTIONS_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nothing is in here.
 */
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <chess.bpf.h>

__u32 unused;

char _license[] SEC("license") = "GPL";

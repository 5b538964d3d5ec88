// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of functions of the kernel by address, for the stacks that look.bpf.c reads. The
 * kernel finds a name by itself; a reader of /proc/kallsyms has it print all 200,000 first.
 */
#include "look.bpf.h"
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct chess_look_names);
} names SEC(".maps");

SEC("syscall")
int look_names(void *ctx)
{
	/* A return address may stand after the end of its function, hence B: the byte before. */
	static const char format[] = "%pB";
	const __u32 zero = 0;
	struct chess_look_names *n = bpf_map_lookup_elem(&names, &zero);
	__u64 address;
	__u32 i;

	if (!n)
		return 1;
	for (i = 0; i < CHESS_LOOK_STACK; i++) {
		address = n->address[i];
		bpf_snprintf(n->name[i], sizeof(n->name[i]), format, &address, sizeof(address));
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * chess-vm: run one command as root in the embedded VM, chess.ko loaded if it
 * has been built.  What the tests use to look at module and library without
 * going through chessctl.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm.h"

static const char usage[] =
	"usage: chess-vm [--cpus N] [--mem MB] [--append WORDS] [--kernel PATH]\n"
	"                [--module KO | --no-module] [--outbox DIR] [--timeout S]\n"
	"                [--verbose] -- COMMAND [ARG...]\n"
	"Exit code: the command's; 128 + N for signal N; 2 usage; 3 the VM failed.\n";

static const struct option options[] = {
	{ "cpus", required_argument, NULL, 'c' },
	{ "mem", required_argument, NULL, 'm' },
	{ "append", required_argument, NULL, 'a' },
	{ "kernel", required_argument, NULL, 'k' },
	{ "module", required_argument, NULL, 'M' },
	{ "no-module", no_argument, NULL, 'n' },
	{ "outbox", required_argument, NULL, 'o' },
	{ "timeout", required_argument, NULL, 't' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 }
};

#define LIB(name)	"/lib/x86_64-linux-gnu/" name
#define BIN(name)	"/bin/" name

/* What suites of the selftests open thousands of times; the first is for chessctl. */
static const char *near[] = {
	NULL,
	LIB("libbpf.so.1"), LIB("libbz2.so.1.0"), LIB("libdw.so.1"), LIB("libelf.so.1"),
	LIB("libjson-c.so.5"), LIB("liblzma.so.5"), LIB("libnl-3.so.200"),
	LIB("libnl-genl-3.so.200"), LIB("libz.so.1"), LIB("libZydis.so.4.0"),
	LIB("libacl.so.1"), LIB("libattr.so.1"), LIB("libpcre2-8.so.0"), LIB("libselinux.so.1"),
	LIB("gconv/gconv-modules.cache"), "/usr/lib/locale/C.utf8",
	"/usr/lib/locale/C.utf8/LC_MESSAGES",
	BIN("awk"), "/etc/alternatives/awk", BIN("basename"), BIN("cat"), BIN("chmod"), BIN("cp"),
	BIN("cut"), BIN("date"), BIN("diff"), BIN("dirname"), BIN("env"), BIN("expr"), BIN("find"),
	BIN("grep"), BIN("head"), BIN("ln"), BIN("ls"), BIN("mkdir"), BIN("mktemp"), BIN("mv"),
	BIN("realpath"), BIN("rm"), BIN("sed"), BIN("seq"), BIN("setpriv"), BIN("sleep"),
	BIN("sort"), BIN("stat"), BIN("tail"), BIN("timeout"), BIN("touch"), BIN("tr"),
	BIN("true"), BIN("uniq"), BIN("wc"), BIN("xargs"),
	NULL
};

static unsigned int number(const char *name, const char *text, unsigned long min, unsigned long max)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*end || end == text || n < min || n > max) {
		fprintf(stderr, "chess-vm: --%s takes a number from %lu to %lu, not '%s'\n",
			name, min, max, text);
		exit(2);
	}
	return n;
}

int main(int argc, char **argv)
{
	struct chess_vm_opts o = { .sz = sizeof(o) };
	char module[4096], beside[4096];
	int c, ret, status = 0, no_module = 0;

	while ((c = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		switch (c) {
		case 'c':
			o.cpus = number("cpus", optarg, 1, 64);
			break;
		case 'm':
			o.memory_mb = number("mem", optarg, 128, 65536);
			break;
		case 'a':
			o.append = optarg;
			break;
		case 'k':
			o.kernel = optarg;
			break;
		case 'M':
			o.module = optarg;
			break;
		case 'n':
			no_module = 1;
			break;
		case 'o':
			o.outbox = optarg;
			break;
		case 't':
			o.timeout_s = number("timeout", optarg, 1, 86400);
			break;
		case 'v':
			o.verbose = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return 0;
		default:
			fputs(usage, stderr);
			return 2;
		}
	}
	if (optind == argc) {
		fputs(usage, stderr);
		return 2;
	}
	if (!o.module && !no_module && !chess_vm_find("chess.ko", module, sizeof(module)))
		o.module = module;
	if (!chess_vm_find("chessctl", beside, sizeof(beside))) {
		near[0] = beside;
		o.near = near;
	} else {
		o.near = near + 1;
	}
	ret = chess_vm_run(&o, argv + optind, &status);
	return ret ? 3 : status;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl doctor: what this machine can do, one line per check, each with what
 * to do about it. Ends well when explore can work in some way: with the module
 * here, or in the VM. With a program: is that deterministic under control
 * (doctor.c)?
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli.h"
#include "doctor.h"
#include "out.h"
#include "program.h"
#include "session_options.h"
#include "vm/kernel.h"
#include "vm/snapshot.h"
#include "vm/vm.h"
#include "where.h"

static struct {
	unsigned int runs;
	bool json;
	struct where where;
	struct session_opts session;
} opt = { .runs = 5 };

static const struct opt options[] = {
	{ "runs", OPT_UINT, &opt.runs, "N", "run PROGRAM N times (5)", 2, 1000, 0 },
	{ "json", OPT_FLAG, &opt.json, NULL, "print one JSON object", 0, 0, 0 },
	SESSION_OPTIONS(opt.session),
	SURROUNDINGS_OPTIONS(opt.session),
	WHERE_OPTIONS(opt.where),
};

static const struct usage usage = {
	"doctor", "[-- PROGRAM [ARG...]]",
	"Checks what this machine can do and says what to install. With PROGRAM, it runs that\n"
	"a few times along one schedule and prints what differs. Most options are for this.\n"
	"Exit codes: 0 programs can be explored here or in the VM, all runs are identical;\n"
	"2 usage, 3 environment, 4 the runs differ.",
	OPERANDS_PERHAPS, options, sizeof(options) / sizeof(options[0]),
};

/* One thing that a machine needs, or that makes it quicker. */
struct check {
	const char *name;
	char *text;
	const char *fix;		/* NULL: nothing to mend */
	enum { CHECK_OK, CHECK_MISSING, CHECK_SLOWER } state;
};

/* What is found out of this machine: text and JSON are written from it. */
static struct {
	struct check check[16];
	size_t n;
	bool host, vm;			/* programs can be explored there */
} machine;

static const char *const check_states[] = {
	[CHECK_OK] = "ok", [CHECK_MISSING] = "missing", [CHECK_SLOWER] = "slower",
};

/* Takes over @text. */
static void note(int state, const char *name, const char *fix, char *text)
{
	machine.check[machine.n++] = (struct check){
		.name = name, .text = text, .fix = fix, .state = state,
	};
}

/* One line; @fix is printed below where the check failed. */
static bool check(bool good, const char *name, const char *fix, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static bool check(bool good, const char *name, const char *fix, const char *fmt, ...)
{
	char text[4200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	note(good ? CHECK_OK : CHECK_MISSING, name, good ? NULL : fix, cli_printf("%s", text));
	return good;
}

static bool find_program(const char *name, char *path, size_t size)
{
	const char *list = getenv("PATH"), *end;

	for (; list && *list; list = *end ? end + 1 : end) {
		end = strchrnul(list, ':');
		snprintf(path, size, "%.*s/%s", (int)(end - list), list, name);
		if (!access(path, X_OK))
			return true;
	}
	/* where an ordinary user's PATH does not look */
	snprintf(path, size, "/usr/sbin/%s", name);
	return !access(path, X_OK);
}

static bool check_module(const char *release)
{
	char *path = where_module(release);
	struct chess_ctl *ctl = chess_ctl_open();
	int err = errno;
	bool loaded = ctl || err != ENOENT, closed = !ctl && err == EPERM, usable = false;

	check(path || loaded, "module file", "make kmod KDIR=/lib/modules/$(uname -r)/build, or apt-get install chess-dkms (both need linux-headers-$(uname -r)); the VM needs none",
	      "%s", path ? path : "no chess.ko for this kernel");
	check(loaded, "module", geteuid() ? "as root: modprobe chess, or insmod chess.ko" : "chessctl loads it when needed, if there is a file for this kernel",
	      "%s", loaded ? "loaded" : "not loaded");
	if (closed)
		check(false, "rights", "sudo chessctl; or as root: echo 1 >/sys/module/chess/parameters/unprivileged, or the number of a group of yours into gid there (chess.7); the VM needs neither",
		      "the module is closed to users without CAP_SYS_ADMIN");
	else if (loaded)
		usable = check(ctl, "ABI", "build chessctl and chess.ko from the same source",
			       "%s", ctl ? "family " CHESS_FAMILY_NAME " answers" : chess_error());
	else
		usable = path && !geteuid();
	if (!closed)
		check(!geteuid(), "rights", "not needed in the VM; on the host, root (or ptrace rights over the program)",
		      "%s", geteuid() ? "ordinary user" : "root");
	chess_ctl_close(ctl);
	free(path);
	return usable;
}

static void check_btf(void)
{
	bool kernel = !access("/sys/kernel/btf/vmlinux", R_OK);
	bool loaded = !access("/sys/module/" CHESS_FAMILY_NAME, F_OK);
	unsigned int major, minor;
	struct utsname running;

	uname(&running);
	if (sscanf(running.release, "%u.%u", &major, &minor) == 2 &&
	    (major < 6 || (major == 6 && minor < 12)))
		check(false, "BTF", "only --probe needs it: Linux 6.12 or later",
		      "in Linux %u.%u programs of probes cannot call a module", major, minor);
	else if (kernel && loaded && access("/sys/kernel/btf/" CHESS_FAMILY_NAME, R_OK))
		check(false, "BTF", "only --probe needs it: build chess.ko against headers that carry vmlinux",
		      "the module has none");
	else
		check(kernel, "BTF", "only --probe needs it: a kernel with CONFIG_DEBUG_INFO_BTF",
		      "%s", kernel ? "/sys/kernel/btf/vmlinux" : "this kernel has none");
}

static void check_saved(void)
{
	uint64_t bytes;
	size_t n = chess_vm_snapshot_count(&bytes);
	char dir[4200];

	if (chess_vm_snapshot_place(dir, sizeof(dir)))
		note(CHECK_OK, "VM saved", NULL,
		     cli_printf("%zu machines to begin from, %llu MB, in %s", n,
				(unsigned long long)(bytes >> 20), dir));
	else
		note(CHECK_SLOWER, "VM saved", NULL,
		     cli_printf("each VM boots: HOME is not set, or CHESS_VM_SNAPSHOT is no"));
}

static bool check_vm(void)
{
	const char *kvm = chess_vm_kvm_flaw();
	struct chess_vm_kernel kernel;
	bool qemu, found, init, usable;
	char path[4096], *module = where_module_for_vm(NULL);

	qemu = find_program("qemu-system-x86_64", path, sizeof(path));
	check(qemu, "QEMU", "apt-get install qemu-system-x86", "%s",
	      qemu ? path : "qemu-system-x86_64 was not found");
	found = !chess_vm_kernel_find(NULL, &kernel);
	check(found, "VM kernel", "in the source tree: make vm-kernel; with packages: apt-get install chess-dkms linux-image-amd64 linux-headers-amd64",
	      "%s", found ? kernel.image : "none");
	chess_vm_kernel_clear(&kernel);
	check(module, "VM module", "in the source tree: make kmod; with packages: apt-get install chess-dkms linux-headers-amd64",
	      "%s", module ? module : "no chess.ko");
	init = !chess_vm_find("vm/init", path, sizeof(path));
	check(init, "VM init", "make vm", "%s", init ? path : "the first program of the VM is not built");
	note(kvm ? CHECK_SLOWER : CHECK_OK, "KVM", NULL,
	     cli_printf("%s%s", kvm ? "not usable, the VM is emulated: " : "usable", kvm ? kvm : ""));
	usable = qemu && found && module && init;
	if (kvm)
		check_saved();
	free(module);
	return usable;
}

static int check_program(int argc, char **argv, char **program)
{
	struct session s = { 0 };
	char *path;
	int ret;

	ret = session_points("doctor", opt.session.points, &s.points);
	if (ret != CLI_PROCEED)
		return ret;
	ret = program_find(program[0], NULL, &path);
	if (ret == CLI_PROCEED)
		ret = session_may_start(&opt.session, path, NULL);
	if (ret == CLI_PROCEED)
		ret = where_go(&opt.where, argc, argv);
	if (ret != CLI_PROCEED)
		return ret;
	ret = session_open(&s, opt.where.ctl, program, path, NULL, &opt.session, true);
	if (ret == CLI_PROCEED)
		ret = doctor_program(&s, &opt.session, opt.runs, opt.json);
	session_close(&s);
	chess_ctl_close(opt.where.ctl);
	return ret;
}

static void look_at_machine(void)
{
	struct utsname u;

	uname(&u);
	check(!strcmp(u.machine, "x86_64"), "kernel", "only x86-64 is supported", "%s %s", u.release,
	      u.machine);
	machine.host = check_module(u.release);
	check_btf();
	machine.vm = check_vm();
}

static void print_machine(void)
{
	size_t i;

	for (i = 0; i < machine.n; i++) {
		const struct check *c = &machine.check[i];

		printf("%s%-8s%s %-12s %s\n", c->state == CHECK_OK ? out_good() :
		       c->state == CHECK_MISSING ? out_bad() : out_bold(), check_states[c->state],
		       out_plain(), c->name, c->text);
		if (c->fix)
			printf("         %-12s fix: %s\n", "", c->fix);
	}
	if (machine.host && machine.vm)
		printf("programs can be explored on this machine (--host) and in the VM (--vm)\n");
	else if (machine.host)
		printf("programs can be explored on this machine; the VM cannot start\n");
	else if (machine.vm)
		printf("programs can be explored in the VM\n");
	else
		printf("programs cannot be explored: neither the module nor the VM works\n");
}

static void print_machine_json(void)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array(), *one;
	size_t i;

	for (i = 0; i < machine.n; i++) {
		const struct check *c = &machine.check[i];

		one = json_object_new_object();
		out_json_string(one, "name", c->name);
		out_json_string(one, "state", check_states[c->state]);
		out_json_string(one, "text", c->text);
		out_json_string(one, "fix", c->fix);
		json_object_array_add(list, one);
	}
	out_json_bool(o, "host", machine.host);
	out_json_bool(o, "vm", machine.vm);
	json_object_object_add(o, "checks", list);
	out_json(o);
}

int cmd_doctor(int argc, char **argv)
{
	struct operands_list operands;
	int ret = opts_parse(&usage, argc, argv, &operands);

	if (ret != CLI_PROCEED)
		return ret;
	if (operands.program)
		return check_program(argc, argv, operands.program);
	look_at_machine();
	if (opt.json)
		print_machine_json();
	else
		print_machine();
	while (machine.n)
		free(machine.check[--machine.n].text);
	return machine.host || machine.vm ? CLI_OK : CLI_ENVIRONMENT;
}

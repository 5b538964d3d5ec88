// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the module, loads it where that is possible, and otherwise hands the
 * whole command to the VM (vm.c): the same chessctl, the same arguments, plus
 * --host, since inside there is a module. Called first by every command that
 * controls tasks.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <link.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "memo/memo.h"
#include "out.h"
#include "vm/kernel.h"
#include "vm/vm.h"
#include "where.h"

#define MODULE_NAME "chess"
#define INSTALLED "/lib/modules/"

char *where_self(void)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n < 0)
		return NULL;
	path[n] = 0;
	return cli_printf("%s", path);
}

/* Does the module at @path say it was built for @release? */
static bool is_for(const char *path, const char *release)
{
	static const char key[] = "vermagic=";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool found = false;
	struct stat st;
	char *image, *at;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size) {
		close(fd);
		return false;
	}
	image = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (image == MAP_FAILED)
		return false;
	/* A compressed one does not say it, and stands where only its own kernel looks. */
	if (st.st_size > 4 && memcmp(image, "\177ELF", 4)) {
		munmap(image, st.st_size);
		return strstr(path, release) != NULL;
	}
	at = memmem(image, st.st_size, key, sizeof(key) - 1);
	if (at) {
		size_t room = image + st.st_size - at, n = strlen(release);

		at += sizeof(key) - 1;
		room -= sizeof(key) - 1;
		found = room > n && !memcmp(at, release, n) && at[n] == ' ';
	}
	munmap(image, st.st_size);
	return found;
}

char *where_module(const char *release)
{
	const char *given = getenv("CHESS_MODULE");
	char *self, *found = NULL, *slash, *pattern[4] = { NULL };
	glob_t g;
	size_t i;

	if (given && *given) {
		found = (release ? is_for(given, release) : !access(given, R_OK)) ?
			cli_printf("%s", given) : NULL;
		return found;
	}
	self = where_self();
	if (!self)
		return NULL;
	slash = strrchr(self, '/');
	*slash = 0;
	pattern[0] = cli_printf("%s/chess*.ko", self);
	pattern[1] = cli_printf("%s/kmod*/chess.ko", self);
	pattern[2] = cli_printf("%s/../kmod/chess.ko", self);
	pattern[3] = release ? cli_printf(INSTALLED "%s/" CHESS_VM_MODULES, release) : NULL;
	for (i = 0; i < 4 && pattern[i]; i++)
		glob(pattern[i], GLOB_BRACE | (i ? GLOB_APPEND : 0), NULL, &g);
	for (i = 0; i < g.gl_pathc && !found; i++)
		if (!release || is_for(g.gl_pathv[i], release))
			found = cli_printf("%s", g.gl_pathv[i]);
	globfree(&g);
	for (i = 0; i < 4; i++)
		free(pattern[i]);
	free(self);
	return found;
}

/* By modprobe, which also reads the parameters that root has set in /etc/modprobe.d. */
static int load_installed(void)
{
	static char *const argv[] = { (char *)"modprobe", (char *)MODULE_NAME, NULL };
	posix_spawn_file_actions_t to_stderr;
	int ret, status;
	pid_t pid;

	posix_spawn_file_actions_init(&to_stderr);
	posix_spawn_file_actions_adddup2(&to_stderr, STDERR_FILENO, STDOUT_FILENO);
	ret = posix_spawn(&pid, "/sbin/modprobe", &to_stderr, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&to_stderr);
	if (ret)
		return -ret;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return status ? -ECANCELED : 0;
}

int where_load(char **path)
{
	struct utsname u;
	int fd, ret = 0;

	uname(&u);
	*path = where_module(u.release);
	if (!*path)
		return -ENOENT;
	if (geteuid())
		return -EPERM;
	if (!strncmp(*path, INSTALLED, sizeof(INSTALLED) - 1))
		return load_installed();
	fd = open(*path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST)
		ret = -errno;
	close(fd);
	return ret;
}

/* An installed kernel has its own; for one that 'make' unpacked it is the one that 'make' built. */
char *where_module_for_vm(const char *kernel_path)
{
	const char *given = getenv("CHESS_MODULE");
	struct chess_vm_kernel kernel;
	char found[4096], *module = NULL;

	if (!given || !*given) {
		if (!chess_vm_kernel_find(kernel_path, &kernel) && *kernel.chess)
			module = cli_printf("%s", kernel.chess);
		chess_vm_kernel_clear(&kernel);
		if (module)
			return module;
	}
	if (!chess_vm_find("chess.ko", found, sizeof(found)))
		return cli_printf("%s", found);
	return where_module(NULL);
}

/* @data: near of struct where_vm; the first is the program itself, which has no name here */
static int add_library(struct dl_phdr_info *info, size_t size, void *data)
{
	const char **list = data;
	size_t i = 0;

	(void)size;
	while (list[i])
		i++;
	if (*info->dlpi_name == '/' && i < WHERE_NEAR)
		list[i] = info->dlpi_name;
	return 0;
}

int where_vm_open(struct where_vm *vm, const char *kernel)
{
	static char *const env[] = { (char *)"CHESS_VM=1", NULL };

	*vm = (struct where_vm){ .o.sz = sizeof(vm->o), .self = where_self() };
	if (!vm->self)
		return cli_fail(CLI_ENVIRONMENT, "cannot find out where chessctl is: %s",
				strerror(errno));
	vm->module = where_module_for_vm(kernel);
	if (!vm->module) {
		where_vm_close(vm);
		return cli_fail(CLI_ENVIRONMENT,
				"there is no chess.ko for the VM: in the source tree run 'make'; with packages install chess-dkms, linux-image-amd64 and linux-headers-amd64");
	}
	/* The command inside is this program. */
	vm->near[0] = vm->self;
	dl_iterate_phdr(add_library, vm->near);
	vm->o.near = vm->near;
	vm->o.env_extra = env;
	vm->o.kernel = kernel;
	vm->o.module = vm->module;
	return CLI_PROCEED;
}

void where_vm_close(struct where_vm *vm)
{
	free(vm->self);
	free(vm->module);
}

static int run_in_vm(const struct where *w, int argc, char **argv)
{
	char **inside, *outbox = NULL;
	int n = 0, i, status = CLI_ENVIRONMENT, ret;
	struct where_vm vm;
	bool ours = true;

	ret = where_vm_open(&vm, w->kernel);
	if (ret != CLI_PROCEED)
		return ret;
	inside = cli_alloc(argc + 3, sizeof(*inside));
	inside[n++] = vm.self;
	inside[n++] = argv[0];
	inside[n++] = (char *)"--host";
	for (i = 1; i < argc; i++) {
		/* after PROGRAM nothing is ours; a program may well take --vm */
		if (!strcmp(argv[i], "--"))
			ours = false;
		if (!ours || strcmp(argv[i], "--vm"))
			inside[n++] = argv[i];
	}
	if (w->outbox)
		outbox = out_absolute(w->outbox);
	vm.o.outbox = outbox;
	vm.o.cpus = w->cpus;
	vm.o.service_fd = w->memo ? memo_serve(w->memo) : -1;
	if (vm.o.service_fd >= 0)
		vm.o.service = MEMO_PORT;
	fflush(stdout);
	ret = w->memo && !vm.o.service ? -EIO : chess_vm_run(&vm.o, inside, &status);
	if (vm.o.service)
		close(vm.o.service_fd);
	memo_serve_end();
	free(outbox);
	free(inside);
	where_vm_close(&vm);
	if (ret)
		return CLI_ENVIRONMENT;	/* the VM has said why */
	return status;
}

int where_go(struct where *w, int argc, char **argv)
{
	char *path = NULL;
	int ret, code;

	if (w->vm && w->host)
		return cli_fail(CLI_USAGE, "%s: --vm and --host exclude each other", argv[0]);
	if (w->vm && where_inside_vm())
		return cli_fail(CLI_USAGE, "%s: --vm cannot be used inside the VM", argv[0]);
	if (w->kernel && w->host && !where_inside_vm())
		return cli_fail(CLI_USAGE, "%s: --kernel is about the VM, which --host leaves out",
				argv[0]);
	if (w->vm || (w->kernel && !where_inside_vm()))
		return run_in_vm(w, argc, argv);
	w->ctl = chess_ctl_open();
	if (w->ctl)
		return CLI_PROCEED;
	/* It is loaded, and closed to this user: the VM has one of its own. */
	if (errno == EPERM && !w->host && !where_inside_vm())
		return run_in_vm(w, argc, argv);
	if (errno != ENOENT)
		return cli_fail(CLI_ENVIRONMENT, "the module cannot be reached: %s", chess_error());

	ret = where_load(&path);
	if (!ret) {
		free(path);
		w->ctl = chess_ctl_open();
		if (w->ctl)
			return CLI_PROCEED;
		return cli_fail(CLI_ENVIRONMENT, "the module is loaded and cannot be reached: %s",
				chess_error());
	}
	if (!w->host && !where_inside_vm()) {
		free(path);
		return run_in_vm(w, argc, argv);
	}
	if (ret == -EPERM && path)
		code = cli_fail(CLI_ENVIRONMENT,
				"the module is not loaded and only root may load it; as root: insmod %s",
				path);
	else if (ret == -ECANCELED)
		code = cli_fail(CLI_ENVIRONMENT, "modprobe did not load %s and has said why; see dmesg as well",
				path);
	else if (path)
		code = cli_fail(CLI_ENVIRONMENT, "loading %s failed: %s; see dmesg", path,
				strerror(-ret));
	else
		code = cli_fail(CLI_ENVIRONMENT,
				"the module is not loaded and there is no chess.ko for this kernel; build it with 'make kmod' or install chess-dkms, or leave out --host to use the VM");
	free(path);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The configuration of the embedded VM, which makes the command see the caller's
 * surroundings: pairs of strings, a key and a value, that PID 1 of the guest (init.c)
 * reads from the port. Made by vm.c.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "vm/kernel.h"
#include "vm/vm.h"

static void add_pair(FILE *f, const char *key, const char *value)
{
	fwrite(key, 1, strlen(key) + 1, f);
	fwrite(value, 1, strlen(value) + 1, f);
}

static void add_number(FILE *f, const char *name, unsigned long value)
{
	char text[64];

	snprintf(text, sizeof(text), "%s=%lu", name, value);
	add_pair(f, "env", text);
}

static bool same_name(const char *a, const char *b)
{
	size_t n = strcspn(a, "=");

	return !strncmp(a, b, n) && b[n] == '=';
}

static void add_environment(FILE *f, char *const *extra)
{
	char *const *e, *const *x;
	gid_t groups[1024];
	char text[16384];
	int i, n, len;

	for (e = environ; *e; e++) {
		for (x = extra; x && *x && !same_name(*x, *e); x++)
			;
		if ((!x || !*x) && strncmp(*e, "CHESS_VM_", 9))
			add_pair(f, "env", *e);
	}
	for (x = extra; x && *x; x++)
		add_pair(f, "env", *x);
	add_number(f, "CHESS_VM_UID", getuid());
	add_number(f, "CHESS_VM_GID", getgid());
	n = getgroups(1024, groups);
	len = snprintf(text, sizeof(text), "CHESS_VM_GROUPS=");
	for (i = 0; i < n; i++)
		len += snprintf(text + len, sizeof(text) - len, "%s%u", i ? "," : "", groups[i]);
	add_pair(f, "env", text);
}

static void add_limits(FILE *f)
{
	static const int which[] = { RLIMIT_CORE, RLIMIT_STACK, RLIMIT_NOFILE, RLIMIT_FSIZE };
	struct rlimit limit;
	char text[64];
	size_t i;

	for (i = 0; i < sizeof(which) / sizeof(which[0]); i++) {
		if (getrlimit(which[i], &limit))
			continue;
		snprintf(text, sizeof(text), "%d %llu %llu", which[i],
			 (unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max);
		add_pair(f, "rlimit", text);
	}
}

int chess_vm_config_make(const struct chess_vm_opts *o, bool tty,
			 const struct chess_vm_kernel *kernel, char *const argv[], char **data,
			 size_t *len)
{
	char path[4200], host[256], text[64];
	struct winsize window = { .ws_row = 24, .ws_col = 80 };
	mode_t mask;
	FILE *f;
	int i;

	f = open_memstream(data, len);
	if (!f)
		return -ENOMEM;
	if (!getcwd(path, sizeof(path))) {
		fclose(f);
		return chess_vm_complain(errno,
					 "the working directory cannot be named: %s", strerror(errno));
	}
	add_pair(f, "cwd", path);
	if (!gethostname(host, sizeof(host)))
		add_pair(f, "hostname", host);
	mask = umask(0);
	umask(mask);
	snprintf(text, sizeof(text), "%o", mask);
	add_pair(f, "umask", text);
	if (*kernel->modules)
		add_pair(f, "modules", kernel->modules);
	if (o->outbox && realpath(o->outbox, path))
		add_pair(f, "outbox", path);
	if (o->outbox_tag)
		add_pair(f, "outbox-tag", o->outbox_tag);
	if (o->trial)
		add_pair(f, "trial", "");
	if (tty) {
		ioctl(STDIN_FILENO, TIOCGWINSZ, &window);
		snprintf(text, sizeof(text), "%hu %hu", window.ws_row, window.ws_col);
		add_pair(f, "tty", text);
	}
	for (i = 0; o->near && o->near[i]; i++)
		add_pair(f, "near", o->near[i]);
	add_limits(f);
	add_environment(f, o->env_extra);
	for (i = 0; argv && argv[i]; i++)
		add_pair(f, "arg", argv[i]);
	return fclose(f) ? -ENOMEM : 0;
}


size_t chess_vm_config_moment(char *data, size_t len)
{
	unsigned char byte[32];
	struct timespec now;
	size_t n, i;

	clock_gettime(CLOCK_REALTIME, &now);
	n = snprintf(data, len, "time%c%lld %ld", 0, (long long)now.tv_sec, now.tv_nsec) + 1;
	if (getrandom(byte, sizeof(byte), 0) != sizeof(byte))
		return n;
	n += snprintf(data + n, len - n, "entropy%c", 0);
	for (i = 0; i < sizeof(byte); i++)
		n += snprintf(data + n, len - n, "%02x", byte[i]);
	return n + 1;
}

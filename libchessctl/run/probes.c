// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Points that a user's own BPF programs make with chess_point() (kmod/kfunc.c): loads the
 * object files and attaches what is in them, for as long as a search takes. The CLI calls
 * it once, before the first run: uprobes are of a file, and so of every run's processes.
 *
 * libbpf says what went wrong in many lines on stderr; here they are kept, and one
 * sentence is made of them.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "internal.h"

/* A section names this file where it means the program under test. */
#define PROGRAM	"PROGRAM"

/* The kernel's log of a refused program may have a megabyte; its end is what counts. */
#define LOG_BYTES	65536

struct object {
	struct bpf_object *bpf;
	struct bpf_link **links;
	size_t n_links;
};

struct chess_probes {
	struct object *object;
	size_t n;
};

/* What libbpf said; its callback has no argument of the caller's. */
static __thread char *said;
static __thread size_t said_n;

static int keep_line(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	char *line;
	int n;

	if (level != LIBBPF_WARN || !said)
		return 0;
	n = vasprintf(&line, fmt, ap);
	if (n < 0)
		return 0;
	if ((size_t)n >= LOG_BYTES) {
		memmove(line, line + n - LOG_BYTES + 1, LOG_BYTES);
		n = LOG_BYTES - 1;
	}
	if (said_n + n >= LOG_BYTES) {
		size_t drop = said_n + n - LOG_BYTES + 1;

		memmove(said, said + drop, said_n - drop);
		said_n -= drop;
	}
	memcpy(said + said_n, line, n + 1);
	said_n += n;
	free(line);
	return n;
}

static bool has_said(const char *text)
{
	return said && strstr(said, text);
}

static bool is_meaningful(const char *line, size_t n)
{
	static const char *const noise[] = {
		"libbpf: -- ", "-- END", "-- BEGIN", "processed ", "verification time ",
		"stack depth ", "libbpf: prog '", "libbpf: failed to load object",
	};
	size_t i;

	if (!n)
		return false;
	for (i = 0; i < ARRAY_SIZE(noise); i++)
		if (n >= strlen(noise[i]) && !strncmp(line, noise[i], strlen(noise[i])))
			return false;
	return true;
}

/* The last line that says something, malloc'ed; NULL: none does. */
static char *last_line(void)
{
	char *end = said ? said + said_n : NULL, *start;

	while (end && end > said) {
		while (end > said && end[-1] == '\n')
			end--;
		for (start = end; start > said && start[-1] != '\n'; start--)
			;
		if (is_meaningful(start, end - start)) {
			if (!strncmp(start, "libbpf: ", 8))
				start += 8;
			return strndup(start, end - start);
		}
		end = start;
	}
	return NULL;
}

/* Between @before and the next quote, malloc'ed; NULL when nothing like it was said. */
static char *said_behind(const char *before)
{
	const char *at = said ? strstr(said, before) : NULL;

	if (!at)
		return NULL;
	at += strlen(before);
	return strndup(at, strcspn(at, "'\n"));
}

static int refuse_open(const char *path, int err)
{
	if (has_said("find BTF for extern") || has_said("BTF is required"))
		return chess_set_error(ENOEXEC,
				       "'%s' has no types of its programs (BTF): compile it with clang -g -O2 -target bpf",
				       path);
	if (has_said("not a proper ELF object") || has_said("not a valid eBPF object") ||
	    has_said("failed to get ELF header"))
		return chess_set_error(ENOEXEC,
				       "'%s' is not a BPF object file: compile it with clang -g -O2 -target bpf -c",
				       path);
	return chess_set_error(err, "'%s' cannot be read as a BPF object file: %s", path,
			       strerror(err));
}

/* A function of the kernel's, @name, that the file wants and cannot have. */
static int refuse_call(const char *path, const char *name)
{
	if (has_said("incompatible with kernel"))
		return chess_set_error(EINVAL,
				       "'%s' declares %s() with other arguments than it has; include chess.bpf.h",
				       path, name);
	if (strcmp(name, "chess_point"))
		return chess_set_error(ENOENT,
				       "'%s' calls %s(), which neither the kernel nor a module of it offers",
				       path, name);
	return chess_set_error(ENOENT,
			       "'%s' cannot be used: the module offers no chess_point(), because it or this kernel was built without BTF; build chess.ko against headers that carry vmlinux",
			       path);
}

/* What the verifier said last is the reason. */
static int refuse_program(const char *path, int err)
{
	char *program = said_behind("prog '"), *line = last_line();

	chess_set_error(EINVAL, "the kernel refuses program '%s' of '%s': %s",
			program ? program : "?", path, line ? line : strerror(err));
	free(line);
	free(program);
	return -EINVAL;
}

static int refuse_load(const char *path, int err)
{
	char *call = said_behind("extern (func ksym) '");
	char *section = said_behind("missing BPF prog type, check ELF section name '");
	int ret;

	if (call)
		ret = refuse_call(path, call);
	else if (section)
		ret = chess_set_error(EINVAL,
				      "'%s' has a section '%s', which libbpf does not know; see docs/probes.md",
				      path, section);
	else if (err == EPERM)
		ret = chess_set_error(EPERM,
				      "'%s' cannot be loaded: BPF programs need root (CAP_BPF, CAP_PERFMON and CAP_SYS_ADMIN)",
				      path);
	else
		ret = refuse_program(path, err);
	free(call);
	free(section);
	return ret;
}

static int refuse_attach(const char *path, const struct bpf_program *p, int err)
{
	const char *section = bpf_program__section_name(p), *name = bpf_program__name(p);
	char *line, *function;
	int ret;

	if (err == EPERM || err == EACCES)
		return chess_set_error(EPERM,
				       "program '%s' of '%s' cannot be attached: that needs root (CAP_PERFMON)",
				       name, path);
	if (err == EOPNOTSUPP)
		return chess_set_error(EINVAL,
				       "section '%s' of program '%s' in '%s' does not say what to attach to; write uprobe/" PROGRAM ":FUNCTION, for example",
				       section, name, path);
	function = said_behind("failed to find symbol '");
	if (function) {
		ret = chess_set_error(ENOENT,
				      "section '%s' in '%s': there is no function '%s'; it may be inlined, or the file stripped",
				      section, path, function);
		free(function);
		return ret;
	}
	line = last_line();
	ret = chess_set_error(err, "program '%s' of '%s' cannot be attached to '%s': %s", name, path,
			      section, line ? line : strerror(err));
	free(line);
	return ret;
}

/* After "uprobe/PROGRAM:" and the like; NULL where the section names something else. */
static const char *behind_program(const char *section)
{
	const char *slash = strchr(section, '/');
	size_t n = strlen(PROGRAM);

	if (!slash || strncmp(slash + 1, PROGRAM, n) || (slash[1 + n] && slash[1 + n] != ':'))
		return NULL;
	return slash[1 + n] ? slash + 2 + n : slash + 1 + n;
}

static struct bpf_link *attach_uprobe(const struct bpf_program *p, const char *rest,
				      const char *program)
{
	bool returns = !strncmp(bpf_program__section_name(p), "uretprobe", 9);
	LIBBPF_OPTS(bpf_uprobe_opts, opts, .retprobe = returns);
	const char *plus = strchr(rest, '+');
	char *function = strndup(rest, plus ? (size_t)(plus - rest) : strlen(rest)), *end;
	unsigned long offset = plus ? strtoul(plus + 1, &end, 0) : 0;
	struct bpf_link *link = NULL;

	if (!function)
		errno = ENOMEM;
	else if (!*function || (plus && (!plus[1] || *end || returns)))
		errno = EOPNOTSUPP;
	else {
		opts.func_name = function;
		link = bpf_program__attach_uprobe_opts(p, -1, program, offset, &opts);
	}
	free(function);
	return link;
}

static struct bpf_link *attach_usdt(const struct bpf_program *p, const char *rest,
				    const char *program)
{
	const char *colon = strchr(rest, ':');
	char *provider = colon ? strndup(rest, colon - rest) : NULL;
	struct bpf_link *link = NULL;

	if (provider && *provider && colon[1])
		link = bpf_program__attach_usdt(p, -1, program, provider, colon + 1, NULL);
	else
		errno = EOPNOTSUPP;
	free(provider);
	return link;
}

/* NULL and errno */
static struct bpf_link *attach_one(const struct bpf_program *p, const char *program)
{
	const char *section = bpf_program__section_name(p), *rest = behind_program(section);
	bool usdt = !strncmp(section, "usdt/", 5);

	if (!rest || (!usdt && strncmp(section, "uprobe", 6) && strncmp(section, "uretprobe", 9)))
		return bpf_program__attach(p);
	return usdt ? attach_usdt(p, rest, program) : attach_uprobe(p, rest, program);
}

static int attach_all(struct object *o, const char *path, const char *program)
{
	struct bpf_program *p;
	size_t n = 0;

	bpf_object__for_each_program(p, o->bpf)
		n += bpf_program__autoload(p);
	if (!n)
		return chess_set_error(ENOENT, "'%s' holds no BPF program to attach", path);
	o->links = calloc(n, sizeof(*o->links));
	if (!o->links)
		return chess_set_error(ENOMEM, "no memory for the programs of '%s'", path);
	bpf_object__for_each_program(p, o->bpf) {
		struct bpf_link *link;

		if (!bpf_program__autoload(p))
			continue;
		said_n = 0;
		*said = '\0';
		link = attach_one(p, program);
		if (!link)
			return refuse_attach(path, p, errno);
		o->links[o->n_links++] = link;
	}
	return 0;
}

static int attach_file(struct object *o, const char *path, const char *program)
{
	int ret;

	/* libbpf says little of why a file cannot be opened. */
	ret = access(path, R_OK) ? errno : 0;
	if (ret)
		return chess_set_error(ret, "'%s' cannot be read: %s", path, strerror(ret));
	o->bpf = bpf_object__open_file(path, NULL);
	if (!o->bpf)
		return refuse_open(path, errno < 4000 ? errno : ENOEXEC);
	ret = bpf_object__load(o->bpf);
	if (ret)
		return refuse_load(path, -ret);
	return attach_all(o, path, program);
}

struct chess_probes *chess_probes_attach(const char *const *files, size_t n, const char *program)
{
	struct chess_probes *p = calloc(1, sizeof(*p));
	libbpf_print_fn_t print = libbpf_set_print(keep_line);
	char *path = realpath(program, NULL);
	int ret = path ? 0 : chess_set_error(errno, "'%s' cannot be used: %s", program,
					     strerror(errno));
	size_t i;

	said = calloc(1, LOG_BYTES);
	if (p)
		p->object = calloc(n ? n : 1, sizeof(*p->object));
	if (!p || !p->object || !said)
		ret = chess_set_error(ENOMEM, "no memory for BPF programs");
	for (i = 0; !ret && i < n; i++) {
		said_n = 0;
		*said = '\0';
		p->n++;
		ret = attach_file(&p->object[i], files[i], path);
	}
	libbpf_set_print(print);
	free(said);
	said = NULL;
	said_n = 0;
	free(path);
	if (!ret)
		return p;
	chess_probes_detach(p);
	errno = -ret;
	return NULL;
}

void chess_probes_detach(struct chess_probes *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->n; i++) {
		struct object *o = &p->object[i];

		while (o->n_links)
			bpf_link__destroy(o->links[--o->n_links]);
		free(o->links);
		bpf_object__close(o->bpf);
	}
	free(p->object);
	free(p);
}

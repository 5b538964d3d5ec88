// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes trace files: one run as text, one item a line, checksum last. Text, so
 * that people can read, grep and diff them; lossless, so that a replay compares
 * bit for bit. explore and run write them, trace_read.c reads them back.
 *
 * A trace appears under its name complete or not at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mix.h"
#include "quote.h"
#include "record/decision.h"
#include "trace/trace.h"
#include "wait/wait.h"

const char *const chess_trace_flags[8] = {
	"write", "release", "yield", "may_block", "probe", "alone", "early",
	"timer",
};

const char *const chess_trace_kinds[CHESS_OBJECT_SYSTEM + 1] = {
	[CHESS_OBJECT_NONE] = "none",
	[CHESS_OBJECT_ADDRESS] = "address",
	[CHESS_OBJECT_INODE] = "inode",
	[CHESS_OBJECT_FD] = "fd",
	[CHESS_OBJECT_PID] = "pid",
	[CHESS_OBJECT_TASK] = "task",
	[CHESS_OBJECT_CODE] = "code",
	[CHESS_OBJECT_KEY] = "key",
	[CHESS_OBJECT_TIME] = "time",
	[CHESS_OBJECT_SYSTEM] = "system",
};

const char *chess_surroundings_name(unsigned int bit)
{
	switch (bit) {
	case CHESS_SURROUNDINGS_HOST_PIDS:
		return "host-pids";
	case CHESS_SURROUNDINGS_PRIVATE_TMP:
		return "private-tmp";
	case CHESS_SURROUNDINGS_OVERLAY:
		return "overlay";
	case CHESS_SURROUNDINGS_NO_NETWORK:
		return "no-network";
	default:
		return NULL;
	}
}

const char *chess_in_handler_name(enum chess_in_handler h)
{
	static const char *const names[] = { NULL, "first", "second", "both" };

	return h < ARRAY_SIZE(names) ? names[h] : NULL;
}

const char *chess_minimal_name(enum chess_minimal m)
{
	switch (m) {
	case CHESS_MINIMAL_CHOICES:
		return "choices";
	case CHESS_MINIMAL_FEWEST:
		return "fewest";
	default:
		return NULL;
	}
}

static void put_key(FILE *f, const char *key, const char *value)
{
	if (!value)
		return;
	fprintf(f, "%s ", key);
	chess_put_quoted(f, value, strlen(value), false);
	fputc('\n', f);
}

/* A long text as one item per line of it. */
static void put_lines(FILE *f, const char *key, const char *text)
{
	size_t len;

	if (!text)
		return;
	do {
		len = strcspn(text, "\n");
		len += text[len] == '\n';
		fprintf(f, "%s ", key);
		chess_put_quoted(f, text, len, false);
		fputc('\n', f);
		text += len;
	} while (*text);
}

static void put_task(FILE *f, uint16_t task)
{
	if (task == CHESS_TASK_NONE)
		fputc('-', f);
	else if (task == CHESS_TASK_TIMER)
		fputs("timer", f);
	else
		fprintf(f, "T%u", task);
}

/* Numbers the library has no name for must survive too. */
static void put_name(FILE *f, const char *name, unsigned int number)
{
	if (name && strcmp(name, "unknown"))
		fputs(name, f);
	else
		fprintf(f, "%u", number);
}

static void put_flags(FILE *f, uint8_t flags)
{
	const char *between = "";
	unsigned int bit;

	fputs(" flags=", f);
	for (bit = 0; bit < 8; bit++) {
		if (!(flags >> bit & 1))
			continue;
		fputs(between, f);
		if (chess_trace_flags[bit])
			fputs(chess_trace_flags[bit], f);
		else
			fprintf(f, "%u", 1 << bit);
		between = ",";
	}
}

static void put_hex(FILE *f, const char *key, uint64_t value)
{
	if (value)
		fprintf(f, " %s=0x%" PRIx64, key, value);
}

/* Fields that are zero are left out. */
static void put_event(FILE *f, const struct chess_event *e)
{
	bool decision = chess_event_is_decision(e);

	fprintf(f, "event %u ", e->seq);
	put_name(f, chess_event_type_name(e->type), e->type);
	fputc(' ', f);
	put_task(f, e->task);
	if (decision || e->chosen != CHESS_TASK_NONE) {
		fputs(" -> ", f);
		put_task(f, e->chosen);
	}
	if (e->op) {
		fputs(" op=", f);
		put_name(f, chess_op_name(e->op), e->op);
	}
	if (e->flags)
		put_flags(f, e->flags);
	if (e->nr)
		fprintf(f, " nr=%u", e->nr);
	if (e->object_kind || e->object) {
		fputs(" object=", f);
		put_name(f, e->object_kind < ARRAY_SIZE(chess_trace_kinds) ?
			 chess_trace_kinds[e->object_kind] : NULL, e->object_kind);
		fprintf(f, ":0x%" PRIx64, (uint64_t)e->object);
	}
	put_hex(f, "enabled", e->enabled);
	put_hex(f, "ip", e->ip);
	put_hex(f, e->flags & CHESS_OPF_PROBE ? "caller" : "result", e->caller);
	put_hex(f, "arg", e->arg);
	put_hex(f, "timed", e->timed);
	fputc('\n', f);
}

static void put_stack(FILE *f, const struct chess_stack *s)
{
	const unsigned char *bytes = (const unsigned char *)(s + 1);
	size_t i;

	if (s->seq & CHESS_STACK_AT_ACCESS)
		fprintf(f, "stack access %u", s->seq & ~CHESS_STACK_AT_ACCESS);
	else if (s->seq & CHESS_STACK_AT_FAULT)
		fprintf(f, "stack fault %u", s->seq & ~CHESS_STACK_AT_FAULT);
	else
		fprintf(f, "stack %u", s->seq);
	for (i = 0; i < ARRAY_SIZE(s->regs); i++)
		fprintf(f, " 0x%" PRIx64, (uint64_t)s->regs[i]);
	fputc(' ', f);
	for (i = 0; i < s->size; i++)
		fprintf(f, "%02x", bytes[i]);
	if (!s->size)
		fputc('-', f);
	fputc('\n', f);
}

static void put_wait(FILE *f, const struct chess_wait *w)
{
	size_t i;

	fputs("wait ", f);
	put_task(f, w->task);
	fprintf(f, " pid=%u seq=%u outside=%s ", w->pid, w->seq, w->outside ? "yes" : "no");
	for (i = 0; i < w->n_holders; i++) {
		fputs(i ? "," : "holders=", f);
		put_task(f, w->holders[i].task);
		fprintf(f, ":%s:%u", chess_hold_name(w->holders[i].how), w->holders[i].seq);
	}
	fputs(i ? " " : w->asked ? "holders=- " : "", f);
	if (w->kernel)
		fprintf(f, "kernel=%s ", w->kernel);
	if (w->object) {
		fputs("object=", f);
		chess_put_quoted(f, w->object, strlen(w->object), false);
		fputc(' ', f);
	}
	chess_put_quoted(f, w->text ? w->text : "", w->text ? strlen(w->text) : 0, false);
	fputc('\n', f);
}

static void put_surroundings(FILE *f, unsigned int surroundings)
{
	const char *before = "surroundings ", *name;
	unsigned int bit;

	for (bit = 1; (name = chess_surroundings_name(bit)); bit <<= 1) {
		if (!(surroundings & bit))
			continue;
		fprintf(f, "%s%s", before, name);
		before = ",";
	}
	if (*before == ',')
		fputc('\n', f);
}

static int put_record(FILE *f, const struct chess_record *r)
{
	struct chess_schedule *s = chess_record_schedule(r);
	char *text = s ? chess_schedule_encode(s) : NULL;
	size_t i;

	chess_schedule_free(s);
	if (!text)
		return -ENOMEM;
	fprintf(f, "schedule %s\n", text);
	free(text);
	for (i = 0; i < chess_record_length(r); i++)
		put_event(f, chess_record_event(r, i));
	for (i = 0; i < chess_record_stacks(r); i++)
		put_stack(f, chess_record_stack_at(r, i));
	return 0;
}

static int put_trace(FILE *f, const struct chess_trace *t)
{
	size_t i;
	int ret = 0;

	fprintf(f, CHESS_TRACE_MAGIC "%u\n", CHESS_TRACE_VERSION);
	for (i = 0; t->argv && t->argv[i]; i++)
		put_key(f, "arg", t->argv[i]);
	put_key(f, "cwd", t->cwd);
	put_key(f, "program", t->program);
	put_key(f, "program-hash", t->program_hash);
	put_key(f, "kernel", t->kernel);
	put_key(f, "points", t->points);
	if (t->quantum_us)
		fprintf(f, "quantum %" PRIu32 "\n", t->quantum_us);
	fprintf(f, "time %s\n", t->virtual_time ? "virtual" : "real");
	if (t->record && chess_record_fair(t->record))
		fprintf(f, "fair %" PRIu32 "\n", chess_record_fair(t->record));
	if (t->record && chess_record_yield_trylock(t->record))
		fputs("yield trylock\n", f);
	if (t->record && chess_record_early_timers(t->record))
		fputs("timers early\n", f);
	if (t->record && chess_record_late_watchdogs(t->record))
		fprintf(f, "watchdogs %s\n",
			chess_record_no_watchdogs(t->record) ? "never" : "late");
	if (t->record && chess_record_late_limits(t->record))
		fputs("limits late\n", f);
	if (t->record && chess_record_early_max(t->record))
		fprintf(f, "early-max %" PRIu32 "\n", chess_record_early_max(t->record));
	if (t->record)
		put_key(f, "late-programs", chess_record_late_programs(t->record));
	if (t->record && chess_record_long_rows(t->record))
		fputs("rows long\n", f);
	if (t->record && chess_record_wake_any(t->record))
		fputs("wake any\n", f);
	if (t->record && chess_record_spurious(t->record))
		fputs("spurious yes\n", f);
	if (t->record && chess_record_split_updates(t->record) && t->n_access_points)
		fputs("updates split\n", f);
	if (t->record && chess_record_split_copies(t->record) && t->n_access_points)
		fputs("copies split\n", f);
	if (t->record && chess_record_more_calls(t->record))
		fputs("calls more\n", f);
	if (t->record && chess_record_yield_await(t->record) && t->n_access_points)
		fputs("awaits yield\n", f);
	if (t->record && chess_record_functions(t->record))
		fprintf(f, "functions %" PRIu32 "\n", chess_record_functions(t->record));
	put_surroundings(f, t->surroundings);
	for (i = 0; i < t->n_probes; i++) {
		fprintf(f, "probe %s ", t->probes[i].hash);
		chess_put_quoted(f, t->probes[i].path, strlen(t->probes[i].path), false);
		fputc('\n', f);
	}
	chess_trace_put_code(f, t);
	put_key(f, "expect", t->expect);
	chess_trace_put_given(f, t);
	fprintf(f, "verdict %s\nstatus %d\n", chess_verdict_name(t->verdict), t->status);
	if (t->minimal)
		fprintf(f, "minimal %s\n", chess_minimal_name(t->minimal));
	chess_trace_put_asked(f, t);
	chess_trace_put_races(f, t);
	if (t->record)
		ret = put_record(f, t->record);
	if (t->record)
		chess_trace_put_calls(f, t);
	for (i = 0; i < t->n_waits; i++)
		put_wait(f, &t->waits[i]);
	put_lines(f, "maps", t->maps);
	if (t->out && *t->out)
		put_lines(f, "stdout", t->out);
	put_lines(f, "stderr", t->err);
	return ret;
}

int chess_trace_encode(const struct chess_trace *t, char **text, size_t *size)
{
	FILE *f = open_memstream(text, size);
	int ret;

	if (!f)
		return -ENOMEM;
	ret = put_trace(f, t);
	if (!ret && fflush(f))
		ret = -ENOMEM;
	if (!ret)
		fprintf(f, "checksum %016" PRIx64 "\n",
			chess_hash_bytes(CHESS_HASH_START, *text, *size));
	if (fclose(f) && !ret)
		ret = -ENOMEM;
	return ret;
}

static int write_all(int fd, const char *text, size_t size)
{
	ssize_t n;

	while (size) {
		n = write(fd, text, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text += n;
		size -= n;
	}
	return fsync(fd) ? -errno : 0;
}

/* The rename is on disk when the directory is. */
static void sync_directory(const char *path)
{
	char *copy = strdup(path);
	int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0) {
		/* Some file systems cannot; the trace is readable all the same. */
		(void)!fsync(fd);
		close(fd);
	}
	free(copy);
}

static int save_as(const char *path, const char *text, size_t size)
{
	struct stat st;
	char *temp;
	int fd, ret;

	/* A rename would replace a device by a file. */
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
	if (asprintf(&temp, "%s.tmp-%d", path, getpid()) < 0)
		return -ENOMEM;
	/* Left by a process that was killed while it had our number. */
	unlink(temp);
	fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0) {
		ret = -errno;
		free(temp);
		return ret;
	}
	ret = write_all(fd, text, size);
	if (close(fd) && !ret)
		ret = -errno;
	if (!ret && rename(temp, path))
		ret = -errno;
	if (ret)
		unlink(temp);
	else
		sync_directory(path);
	free(temp);
	return ret;
}

/* Through links: a rename would replace one, /dev/stdout among them, instead of what it names. */
static int save(const char *path, const char *text, size_t size)
{
	char *real = realpath(path, NULL);
	int ret = save_as(real ? real : path, text, size);

	free(real);
	return ret;
}

int chess_trace_write(const struct chess_trace *t, const char *path)
{
	size_t size = 0;
	char *text = NULL;
	int ret;

	if (t->verdict < CHESS_VERDICT_OK || t->verdict >= CHESS_VERDICT_END)
		return chess_set_error(EINVAL, "cannot write trace %s: verdict %d does not exist",
				       path, (int)t->verdict);
	ret = chess_trace_encode(t, &text, &size);
	if (!ret)
		ret = save(path, text, size);
	free(text);
	if (ret == -ENOSPC || ret == -EDQUOT || ret == -EFBIG)
		return chess_set_error(-ret,
				       "cannot write trace %s: %s after less than its %zu bytes; free some space or choose another directory",
				       path, strerror(-ret), size);
	if (ret == -EINVAL)
		return chess_set_error(EINVAL, "cannot write trace %s: it is not a regular file",
				       path);
	if (ret)
		return chess_set_error(-ret, "cannot write trace %s: %s", path, strerror(-ret));
	return 0;
}

void chess_trace_free_files(struct chess_trace_probe *files, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		free(files[i].path);
		free(files[i].hash);
	}
	free(files);
}

void chess_trace_free(struct chess_trace *t)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; t->argv && t->argv[i]; i++)
		free(t->argv[i]);
	chess_record_free(t->record);
	chess_trace_free_files(t->probes, t->n_probes);
	chess_trace_free_races(t);
	chess_trace_free_given(t);
	free(t->argv);
	free(t->cwd);
	free(t->program);
	free(t->program_hash);
	free(t->kernel);
	chess_waits_free(t->waits, t->n_waits);
	free(t->maps);
	free(t->points);
	free(t->out);
	free(t->err);
	free(t->expect);
	free(t);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trace events of the module agree with the record of the run, one by one, as a BPF
 * program at raw tracepoints sees them. Needs root and the module.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include <bpf/libbpf.h>
#include <chessctl/chessctl.h>
#include "../harness.h"
#include "events.h"

FIXTURE(events) {
	struct chess_ctl *ctl;
	struct chess_runner *runner;
	struct bpf_object *bpf;
	const struct output *out;
};

static char folder[4096];

static char *path_of(const char *name)
{
	static char path[8192];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

FIXTURE_SETUP(events)
{
	static char *argv[2];
	struct chess_program p = { .argv = argv, .capture = true, .uid = UINT32_MAX,
				   .gid = UINT32_MAX };
	struct chess_runner_opts o = { .sz = sizeof(o), .sync_points = true };
	struct bpf_program *prog;
	struct bpf_map *bss;

	self->ctl = chess_ctl_open();
	ASSERT_NE(NULL, (void *)self->ctl);
	self->bpf = bpf_object__open_file(path_of("events.bpf.o"), NULL);
	ASSERT_NE(NULL, (void *)self->bpf);
	ASSERT_EQ(0, bpf_object__load(self->bpf));
	bss = bpf_object__find_map_by_name(self->bpf, ".bss");
	ASSERT_NE(NULL, (void *)bss);
	ASSERT_EQ(sizeof(*self->out), bpf_map__value_size(bss));
	self->out = mmap(NULL, sizeof(*self->out), PROT_READ, MAP_SHARED, bpf_map__fd(bss), 0);
	ASSERT_NE(MAP_FAILED, (void *)self->out);
	bpf_object__for_each_program(prog, self->bpf)
		ASSERT_NE(NULL, (void *)bpf_program__attach(prog));
	argv[0] = strdup(path_of("../programs/wrong/abba"));
	self->runner = chess_runner_new(self->ctl, &p, &o);
	ASSERT_NE(NULL, (void *)self->runner);
}

FIXTURE_TEARDOWN(events)
{
	chess_runner_free(self->runner);
	bpf_object__close(self->bpf);
	chess_ctl_close(self->ctl);
}

/* How many of the first @n are of this sort? */
static size_t count_seen(const struct output *out, enum seen_kind kind)
{
	size_t i, n = 0;

	for (i = 0; i < out->n; i++)
		n += out->seen[i].kind == kind;
	return n;
}

static size_t count_events(const struct chess_record *r, unsigned int type)
{
	size_t i, n = 0;

	for (i = 0; i < chess_record_length(r); i++)
		n += chess_record_event(r, i)->type == type;
	return n;
}

/* What is not known yet when the event is traced is what a call returned. */
static bool same(const struct chess_event *traced, const struct chess_event *recorded)
{
	struct chess_event a = *traced, b = *recorded;

	a.result = 0;
	b.result = 0;
	return !memcmp(&a, &b, sizeof(a));
}

static size_t count_same(const struct output *out, enum seen_kind kind,
			 const struct chess_record *r)
{
	size_t i, n = 0;

	for (i = 0; i < out->n; i++) {
		const struct seen *s = &out->seen[i];

		if (s->kind == kind && s->event.seq &&
		    s->event.seq <= chess_record_length(r))
			n += same(&s->event, chess_record_event(r, s->event.seq - 1));
	}
	return n;
}

TEST_F(events, agree_with_the_record)
{
	const struct output *out = self->out;
	const struct chess_record *r;
	struct chess_run_result res;
	size_t i, decisions = 0, last_wake = 0, last_block = 0;

	ASSERT_EQ(0, chess_runner_run(self->runner, NULL, 0, NULL, 0, &res));
	r = res.record;
	ASSERT_GE((uint32_t)SEEN_MAX, out->n);
	for (i = 0; i < chess_record_length(r); i++)
		decisions += CHESS_EVENT_IS_DECISION(chess_record_event(r, i)->type);
	EXPECT_LT(0u, count_events(r, CHESS_EVENT_BLOCK));
	EXPECT_LT(0u, count_events(r, CHESS_EVENT_WAKE));
	EXPECT_EQ(count_events(r, CHESS_EVENT_POINT), count_seen(out, SEEN_POINT));
	EXPECT_EQ(decisions, count_seen(out, SEEN_DECISION));
	EXPECT_EQ(count_events(r, CHESS_EVENT_BLOCK), count_seen(out, SEEN_BLOCK));
	EXPECT_EQ(count_events(r, CHESS_EVENT_WAKE), count_seen(out, SEEN_WAKE));
	EXPECT_EQ(count_seen(out, SEEN_POINT), count_same(out, SEEN_POINT, r));
	EXPECT_EQ(count_seen(out, SEEN_DECISION), count_same(out, SEEN_DECISION, r));
	/* These have no number; they come in the order of the record. */
	for (i = 0; i < out->n; i++) {
		const struct seen *s = &out->seen[i];
		const struct chess_event *e;
		bool wake = s->kind == SEEN_WAKE;
		size_t *at = wake ? &last_wake : &last_block;

		if (!wake && s->kind != SEEN_BLOCK)
			continue;
		EXPECT_LT(0, s->pid);
		while (*at < chess_record_length(r) && chess_record_event(r, *at)->type !=
		       (wake ? CHESS_EVENT_WAKE : CHESS_EVENT_BLOCK))
			++*at;
		ASSERT_LT(*at, chess_record_length(r));
		e = chess_record_event(r, (*at)++);
		EXPECT_EQ(e->task, s->event.task);
		if (wake)
			EXPECT_EQ(e->object, s->event.object);
		else
			EXPECT_EQ(0u, s->deadline);
	}
	chess_run_result_clear(&res);
}

TEST_F(events, say_what_the_prefix_forced)
{
	const struct output *out = self->out;
	struct chess_run_result first, again;
	struct chess_schedule *prefix;
	size_t i, forced = 0, length;
	uint32_t n;

	ASSERT_EQ(0, chess_runner_run(self->runner, NULL, 0, NULL, 0, &first));
	for (i = 0; i < out->n; i++)
		forced += out->seen[i].kind == SEEN_DECISION && out->seen[i].forced;
	EXPECT_EQ(0u, forced);
	n = out->n;
	prefix = chess_record_schedule(first.record);
	ASSERT_NE(NULL, (void *)prefix);
	length = chess_schedule_length(prefix) / 2;
	ASSERT_EQ(0, chess_runner_run(self->runner, prefix, length, NULL, 0, &again));
	EXPECT_EQ(SIZE_MAX, chess_record_compare(first.record, again.record));
	for (i = n; i < out->n; i++)
		forced += out->seen[i].kind == SEEN_DECISION && out->seen[i].forced;
	EXPECT_EQ(length, forced);
	chess_schedule_free(prefix);
	chess_run_result_clear(&first);
	chess_run_result_clear(&again);
}

int main(int argc, char **argv)
{
	ssize_t n = readlink("/proc/self/exe", folder, sizeof(folder) - 1);

	if (n < 0)
		return HARNESS_FAIL;
	folder[n] = '\0';
	*strrchr(folder, '/') = '\0';
	return harness_main(argc, argv);
}

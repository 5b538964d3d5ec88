// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what chessctl doctor works out of runs that should have been the same: which differ
 * and where first, with one difference for each place; which lines of which stream; which run
 * ended otherwise; that an interrupted command is never called deterministic; and that the
 * instructions of a file are counted once each. Results are made by hand, the file is this
 * program. Text and JSON of doctor only write what is tested here.
 */
#include <cpuid.h>
#include <stdlib.h>
#include <string.h>

#include "../cli/doctor_account.h"
#include "harness.h"

static void push(struct chess_record *r, uint16_t task, uint64_t object)
{
	struct chess_event e = {
		.seq = chess_record_length(r) + 1, .type = CHESS_EVENT_POINT, .task = task,
		.chosen = task, .enabled = 3, .op = CHESS_OP_LOCK,
		.object_kind = CHESS_OBJECT_ADDRESS, .object = object,
	};

	ASSERT_EQ(0, chess_record_push(r, &e, 1));
}

/* Three points of T0, then one of @task at @object; prints @out. */
static struct chess_run_result run_of(uint16_t task, uint64_t object, char *out)
{
	struct chess_run_result r = {
		.verdict = CHESS_VERDICT_OK, .record = chess_record_new(), .out = out,
		.out_len = strlen(out), .err = "", .err_len = 0,
	};
	unsigned int i;

	for (i = 0; i < 3; i++)
		push(r.record, 0, i);
	push(r.record, task, object);
	return r;
}

static void free_records(struct chess_run_result *run, unsigned int n)
{
	while (n)
		chess_record_free(run[--n].record);
}

TEST(equal_runs_are_deterministic_only_if_all_were_made)
{
	struct chess_run_result run[2] = { run_of(0, 9, "a\n"), run_of(0, 9, "a\n") };
	struct doctor_account a;

	doctor_account_of(run, 2, 2, NULL, &a);
	EXPECT_TRUE(a.complete && a.identical && a.deterministic);
	EXPECT_EQ(2, (int)a.same);
	EXPECT_EQ(0, (int)a.n_diff);
	EXPECT_EQ(0, (int)(a.stream[0].run + a.stream[1].run + a.other_end));
	EXPECT_EQ(0, (int)a.n_files);
	doctor_account_clear(&a);
	doctor_account_of(run, 2, 5, NULL, &a);
	EXPECT_TRUE(a.identical);
	EXPECT_FALSE(a.complete || a.deterministic);
	doctor_account_clear(&a);
	/* Interrupted before the first run ended. */
	doctor_account_of(run, 0, 5, NULL, &a);
	EXPECT_FALSE(a.complete || a.identical || a.deterministic);
	EXPECT_EQ(0, strcmp("stderr", a.stream[1].name));
	doctor_account_clear(&a);
	doctor_account_clear(&a);
	free_records(run, 2);
}

/* Runs 2 and 4 differ from run 1 at one place, run 3 at an earlier one. */
TEST(each_place_is_a_difference_once)
{
	struct chess_run_result run[4] = {
		run_of(0, 9, ""), run_of(1, 9, ""), run_of(0, 9, ""), run_of(1, 8, ""),
	};
	struct doctor_account a;

	chess_record_free(run[2].record);
	run[2].record = chess_record_new();
	push(run[2].record, 0, 0);
	push(run[2].record, 0, 7);
	doctor_account_of(run, 4, 4, NULL, &a);
	EXPECT_EQ(1, (int)a.same);
	EXPECT_FALSE(a.identical || a.deterministic);
	EXPECT_TRUE(a.complete);
	ASSERT_EQ(2, (int)a.n_diff);
	EXPECT_EQ(3, (int)a.diff[0].at);
	EXPECT_EQ(1, (int)a.diff[0].run);
	EXPECT_NE(NULL, (void *)strstr(a.diff[0].cause, "another task"));
	EXPECT_EQ(1, (int)a.diff[1].at);
	EXPECT_EQ(2, (int)a.diff[1].run);
	EXPECT_NE(NULL, (void *)strstr(a.diff[1].cause, "another argument"));
	doctor_account_clear(&a);
	free_records(run, 4);
}

/* Same events: the second run prints other lines, the third ends otherwise. */
TEST(output_and_end_count_as_well)
{
	struct chess_run_result run[3] = {
		run_of(0, 9, "a\nb\nc\n"), run_of(0, 9, "a\nX\nc\ne\n"), run_of(0, 9, "a\nb\nc\n"),
	};
	struct doctor_account a;

	run[2].status = 256;
	doctor_account_of(run, 3, 3, NULL, &a);
	EXPECT_EQ(1, (int)a.same);
	EXPECT_EQ(0, (int)a.n_diff);
	EXPECT_EQ(1, (int)a.stream[0].run);
	ASSERT_EQ(2, (int)a.stream[0].n);
	EXPECT_EQ(2, (int)a.stream[0].lines[0].number);
	EXPECT_EQ(0, strncmp("X", a.stream[0].lines[0].b, 1));
	EXPECT_EQ(4, (int)a.stream[0].lines[1].number);
	EXPECT_TRUE(!a.stream[0].lines[1].a);
	EXPECT_EQ(0, (int)a.stream[1].run);
	EXPECT_EQ(2, (int)a.other_end);
	doctor_account_clear(&a);
	/* Only the last newline: the streams differ, and no line does. */
	run[1] = (struct chess_run_result){ .record = run[1].record, .out = "a\nb\nc", .err = "",
					    .out_len = 5 };
	doctor_account_of(run, 2, 2, NULL, &a);
	EXPECT_EQ(1, (int)a.stream[0].run);
	EXPECT_EQ(0, (int)a.stream[0].n);
	doctor_account_clear(&a);
	free_records(run, 3);
}

TEST(many_lines_are_cut_off)
{
	char one[4 * DOCTOR_LINES + 1] = "", two[4 * DOCTOR_LINES + 1] = "";
	struct chess_run_result run[2];
	struct doctor_account a;
	unsigned int i;

	for (i = 0; i < 2 * DOCTOR_LINES; i++) {
		strcat(one, "a\n");
		strcat(two, "b\n");
	}
	run[0] = run_of(0, 9, one);
	run[1] = run_of(0, 9, two);
	doctor_account_of(run, 2, 2, NULL, &a);
	EXPECT_EQ(DOCTOR_LINES, (int)a.stream[0].n);
	doctor_account_clear(&a);
	free_records(run, 2);
}

/* Two in this function at least, so that a kind with several is there to be counted. */
TEST(instructions_of_a_kind_are_one_entry)
{
	struct chess_run_result run[2] = { run_of(0, 9, ""), run_of(0, 9, "") };
	char self[4096] = "";
	struct doctor_account a;
	unsigned int a0, b, c, d;
	size_t i, k, times = 0;

	__cpuid(0, a0, b, c, d);
	__cpuid(1, a0, b, c, d);
	ASSERT_TRUE(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	doctor_account_of(run, 2, 2, self, &a);
	for (i = 0; i < a.n_files; i++) {
		size_t sites = 0;

		EXPECT_EQ(NULL, (void *)strstr(a.files[i].path, "/libc.so"));
		for (k = 0; k < a.files[i].n; k++) {
			sites += a.files[i].kind[k].count;
			if (!strcmp(a.files[i].path, self) &&
			    !strcmp(a.files[i].kind[k].first->instruction, "cpuid")) {
				EXPECT_EQ(0, (int)times);
				times = a.files[i].kind[k].count;
			}
		}
		EXPECT_EQ(a.files[i].n_sites, sites);
	}
	EXPECT_TRUE(times >= 2);
	doctor_account_clear(&a);
	free_records(run, 2);
}

TEST_HARNESS_MAIN

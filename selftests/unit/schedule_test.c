// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that a schedule survives text and segments, that one schedule has one
 * text, and that anything else is refused with a sentence.
 */
#include "harness.h"
#include "internal.h"

static struct chess_schedule *make(const uint16_t *task, size_t n)
{
	struct chess_schedule *s = chess_schedule_new();
	size_t i;

	for (i = 0; i < n; i++)
		if (chess_schedule_push(s, task[i]))
			abort();
	return s;
}

static bool same(const struct chess_schedule *a, const struct chess_schedule *b)
{
	size_t i;

	if (chess_schedule_length(a) != chess_schedule_length(b))
		return false;
	for (i = 0; i < chess_schedule_length(a); i++)
		if (chess_schedule_task(a, i) != chess_schedule_task(b, i))
			return false;
	return true;
}

TEST(text_is_run_length_coded)
{
	static const uint16_t task[] = { 0, 0, 0, 1, CHESS_TASK_NONE, 4095, 4095 };
	struct chess_schedule *s = make(task, ARRAY_SIZE(task));

	EXPECT_STREQ("T0*3 T1 - T4095*2", chess_schedule_encode(s));
	EXPECT_STREQ("", chess_schedule_encode(chess_schedule_new()));
}

TEST(random_schedules_survive_text)
{
	unsigned int round, n, i, seed = 7;

	for (round = 0; round < 300; round++) {
		struct chess_schedule *s = chess_schedule_new(), *back;
		char *text;

		n = rand_r(&seed) % 200;
		for (i = 0; i < n; i++)
			ASSERT_EQ(0, chess_schedule_push(s, rand_r(&seed) % 3));
		text = chess_schedule_encode(s);
		back = chess_schedule_decode(text);
		ASSERT_NE(NULL, (void *)back);
		ASSERT_TRUE(same(s, back));
		chess_schedule_free(s);
		chess_schedule_free(back);
		free(text);
	}
}

TEST(malformed_text_is_refused)
{
	static const char *const bad[] = {
		" ", "T", "T0 ", " T0", "T0  T1", "T0*", "T0*0", "T0*1", "T0*-2", "T-1", "t0",
		"T00", "T0*02", "T65535", "T65536", "T0*4194305", "T0*99999999999999999999",
		"T0 T0", "T0*2 T0", "T0,T1", "T0\tT1", "T0\n", "0", "--", "-1", "T0*2x",
		"T1*4000000 T2*4000000",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		errno = 0;
		if (chess_schedule_decode(bad[i])) {
			TH_LOG("accepted \"%s\"", bad[i]);
			HARNESS_FAILED(0);
		}
		EXPECT_TRUE(errno == EINVAL || errno == EOVERFLOW);
	}
	EXPECT_EQ(NULL, (void *)chess_schedule_decode("T0 banana"));
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "banana"));
}

TEST(segments_add_up)
{
	static const uint16_t task[] = { 2, 2, 0, 1, 1, 1 };
	struct chess_schedule *s = make(task, ARRAY_SIZE(task));
	struct chess_segment *seg;

	ASSERT_EQ(3, chess_schedule_segments(s, &seg));
	EXPECT_EQ(2u, seg[0].count);
	EXPECT_EQ(2u, seg[0].task);
	EXPECT_EQ(1u, seg[1].count);
	EXPECT_EQ(0u, seg[1].task);
	EXPECT_EQ(3u, seg[2].count);
	EXPECT_EQ(1u, seg[2].task);
	EXPECT_EQ(0, chess_schedule_segments(chess_schedule_new(), &seg));
}

TEST(copy_is_cut_and_independent)
{
	static const uint16_t task[] = { 0, 1, 2, 3 };
	struct chess_schedule *s = make(task, 4), *c = chess_schedule_copy(s, 2);

	EXPECT_EQ((size_t)2, chess_schedule_length(c));
	chess_schedule_push(c, 9);
	EXPECT_EQ(2, chess_schedule_task(s, 2));
	EXPECT_EQ(CHESS_TASK_NONE, chess_schedule_task(s, 4));
	EXPECT_EQ((size_t)4, chess_schedule_length(chess_schedule_copy(s, 99)));
	chess_schedule_truncate(s, 1);
	EXPECT_EQ((size_t)1, chess_schedule_length(s));
	chess_schedule_truncate(s, 5);
	EXPECT_EQ((size_t)1, chess_schedule_length(s));
}

TEST_HARNESS_MAIN

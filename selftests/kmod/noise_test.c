// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages that are half right, many of them, from a fixed seed: whatever comes,
 * the module answers and nothing is left behind. Needs root and the module.
 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "../harness.h"
#include "request.h"

#define FUZZ_MESSAGES 20000
#define FUZZ_SEED 0x9e3779b97f4a7c15ULL

static uint64_t state_of_noise = FUZZ_SEED;

static uint32_t noise(uint32_t below)
{
	state_of_noise ^= state_of_noise << 13;
	state_of_noise ^= state_of_noise >> 7;
	state_of_noise ^= state_of_noise << 17;
	return (state_of_noise >> 11) % below;
}

/* Values that lead somewhere, else all would be refused at the door. */
static uint32_t noise_u32(void)
{
	switch (noise(8)) {
	case 0: return req.group;
	case 1: return req.group - noise(4);
	case 2: return req.child;
	case 3: return req.file;
	case 4: return noise(4);
	case 5: return 1U << noise(32);
	case 6: return noise(5000);
	default: return noise(U32_MAX);
	}
}

static void noise_attr(unsigned int cmd)
{
	uint32_t words[160];
	unsigned int type = noise(18), len = noise(4) ? 4 : noise(sizeof(words));
	const struct op *op;
	size_t i;

	if (cmd && cmd <= CHESS_CMD_RECORD_GET && noise(4)) {
		op = find_op(cmd);
		/* One of its fields; or one more, of no type. */
		for (i = 0; i < N_FIELDS - 1 && op->fields[i].type; i++)
			;
		i = noise(i + 1);
		if (op->fields[i].type && noise(8)) {
			put_good(op, &op->fields[i]);
			return;
		}
		type = op->fields[i].type;
	}
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		words[i] = noise_u32();
	if (!noise(6))
		len = 8 * noise(20);
	if (!noise(30))
		type |= NLA_F_NESTED;
	message_put(&req.message, type, words, len);
}

static void noise_message(void)
{
	unsigned int cmd = noise(14), n = noise(5);
	struct nlattr *first;

	/* Groups cost memory. */
	if (cmd == CHESS_CMD_GROUP_NEW && noise(4))
		cmd = CHESS_CMD_RUN_START;
	message_begin(&req.message, cmd, noise(3) ? 0 : NLM_F_DUMP);
	if (cmd == CHESS_CMD_TASK_GET || cmd == CHESS_CMD_RECORD_GET)
		req.message.head.nlmsg_flags |= noise(8) ? NLM_F_DUMP : 0;
	while (n--)
		noise_attr(cmd);
	if (!noise(20))
		req.message.len -= noise(req.message.len - NLMSG_HDRLEN - GENL_HDRLEN + 1);
	if (!noise(50)) {
		first = (struct nlattr *)(req.message.bytes + NLMSG_HDRLEN + GENL_HDRLEN);
		first->nla_len = noise(65536);
	}
}

TEST_TIMEOUT(noise_of_messages, 550)
{
	int i, refusals = 0, accepted = 0;

	set_up();
	for (i = 0; i < FUZZ_MESSAGES; i++) {
		int ret;

		noise_message();
		ret = raw_talk(&req.raw, &req.message);
		ASSERT_NE(-ETIMEDOUT, ret);
		if (ret < 0)
			refusals++;
		else
			accepted++;
		if (!ret && req.message.bytes[NLMSG_HDRLEN] == CHESS_CMD_GROUP_NEW &&
		    req.raw.value[CHESS_A_GROUP_ID])
			req.group = req.raw.value[CHESS_A_GROUP_ID];
		if (i % 40 == 20 && write(req.child_in, "x", 1) != 1)
			break;
		if (i % 40 == 39) {
			kill(req.child, SIGKILL);
			EXPECT_TRUE(end_cat());
			spawn_cat();
		}
		if (i % 200 == 199) {
			raw_close(&req.raw);
			ASSERT_EQ(0, raw_open(&req.raw));
			ASSERT_EQ(0, raw_groups(&req.raw));
			ASSERT_EQ(0, raw_call(&req.raw, CHESS_CMD_GROUP_NEW, 0,
					      CHESS_A_GROUP_MAX_EVENTS, 64));
			req.group = req.raw.value[CHESS_A_GROUP_ID];
		}
	}
	printf("# %d messages of seed %#llx: %d accepted, %d refused\n", i,
	       (unsigned long long)FUZZ_SEED, accepted, refusals);
	EXPECT_EQ(FUZZ_MESSAGES, i);
	/* Both kinds, or the noise tests nothing. */
	EXPECT_LT(FUZZ_MESSAGES / 50, accepted);
	EXPECT_LT(FUZZ_MESSAGES / 50, refusals);
	raw_close(&req.raw);
	kill(req.child, SIGKILL);
	EXPECT_TRUE(end_cat());
}

TEST(nothing_left)
{
	EXPECT_TRUE(is_nothing_left());
}

TEST_HARNESS_MAIN

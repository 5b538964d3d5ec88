// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves what the transport promises where no module is loaded: it says so, with
 * ENOENT and in a sentence that says what to do.
 */
#include <errno.h>
#include <string.h>

#include "chessctl/chessctl.h"
#include "../harness.h"

TEST(open_without_the_module_says_so)
{
	struct chess_ctl *c = chess_ctl_open();

	if (c) {
		chess_ctl_close(c);
		SKIP_TEST("the chess module is loaded here");
	}
	EXPECT_EQ(ENOENT, errno);
	EXPECT_NE(NULL, strstr(chess_error(), "the chess module is not loaded"));
}

TEST(close_of_nothing_is_allowed)
{
	chess_ctl_close(NULL);
}

TEST_HARNESS_MAIN

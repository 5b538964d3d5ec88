// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl coverage: what the searches of a memo have exposed of their programs' iRoots, and what
 * is left. See coverage.h.
 */
#include "cli.h"
#include "memo/coverage.h"

static struct {
	struct opt_list merge;
	bool json;
} opt;

static const struct opt options[] = {
	{ "merge", OPT_LIST, &opt.merge, "FILE2",
	  "first add what is in this memo, too; may be given again", 0, 0, 0 },
	{ "json", OPT_FLAG, &opt.json, NULL, "print one JSON object", 0, 0, 0 },
};

static const struct usage usage = {
	"coverage", "FILE",
	"Prints which iRoots the searches with --memo FILE have exposed, by idiom and by function.\n"
	"Exit codes: 0 printed, 2 usage, or FILE is not a memo or is damaged, 3 environment.",
	OPERANDS_ANY, options, sizeof(options) / sizeof(options[0]),
};

int cmd_coverage(int argc, char **argv)
{
	struct operands_list operands;
	struct coverage c = { 0 };
	struct memo *m = NULL;
	size_t i;
	int code = opts_parse(&usage, argc, argv, &operands), ret;

	if (code != CLI_PROCEED)
		return code;
	if (operands.n_first != 1 || operands.program)
		return cli_fail(CLI_USAGE, "coverage: name one memo; see chessctl coverage --help");
	code = memo_open(&m, operands.first[0], opt.merge.n ? MEMO_WRITE : MEMO_READ);
	for (i = 0; i < opt.merge.n && code == CLI_PROCEED; i++)
		code = memo_merge(m, opt.merge.v[i]);
	if (code != CLI_PROCEED) {
		memo_close(m);
		return code;
	}
	ret = coverage_read(m, &c);
	if (!ret && opt.json)
		ret = coverage_print_json(&c, m, operands.first[0]);
	else if (!ret)
		coverage_print(&c, operands.first[0]);
	code = ret ? cli_fail(CLI_ENVIRONMENT, "%s", memo_error(m)) : CLI_OK;
	coverage_clear(&c);
	memo_close(m);
	return code;
}

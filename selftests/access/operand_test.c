// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that instructions of all classes do under a trap what they do without one, and that
 * what is recorded of them is what they access. The unit of the same name runs them, at the
 * edge of memory too, where they must fault at the right byte with ip at themselves, and sums
 * up all that they leave behind. Here it is the program under control, once without traps and
 * once with. Where the processor is QEMU's, it faults elsewhere than real ones at four of
 * them, and the unit says so both times; evex.sh runs it on Bochs's, for AVX-512. Needs root
 * and the module.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "../harness.h"
#include "chessctl/chessctl.h"
#include "fresh.h"
#include "code/sites.h"

#define UNIT	"build/selftests/unit/operand_test"
#define LOG	"/tmp/operand_log"

static struct chess_run_result run(const char *const *code, struct chess_runner **runner)
{
	char *argv[] = { UNIT, NULL };
	struct chess_program p = { .argv = argv, .uid = UINT32_MAX, .gid = UINT32_MAX,
				   .capture = true };
	struct chess_runner_opts o = { .sz = sizeof(o), .code = code, .max_events = 1 << 20,
				       .max_accesses = code ? 1 << 20 : 0 };
	struct chess_ctl *ctl = chess_ctl_open();
	struct chess_run_result out;

	ASSERT_TRUE(ctl);
	unlink(LOG);
	setenv("OPERAND_LOG", LOG, 1);
	*runner = chess_runner_new(ctl, &p, &o);
	if (!*runner || chess_runner_run(*runner, NULL, 0, NULL, 0, &out)) {
		TH_LOG("%s", chess_error());
		ASSERT_TRUE(false);
	}
	return out;
}

/* Without address randomization; text lies as in the file. */
#define BASE	0x555555554000ULL

/* What is to be recorded: two instructions store where they stand, and have no slot. */
static size_t keep_sites(const struct chess_site_table *t, struct chess_access *v, size_t n)
{
	size_t i, kept = 0;

	for (i = 0; i < n; i++)
		if (chess_sites_at(&t->file[0].sites, v[i].ip - BASE))
			v[kept++] = v[i];
	return kept;
}

static struct chess_access *read_log(const struct chess_site_table *t, size_t *n)
{
	FILE *f = fopen(LOG, "r");
	struct chess_access *v;
	struct stat st;

	ASSERT_TRUE(f);
	ASSERT_EQ(0, fstat(fileno(f), &st));
	*n = st.st_size / sizeof(*v);
	v = malloc(st.st_size + 1);
	ASSERT_EQ(*n, fread(v, sizeof(*v), *n, f));
	fclose(f);
	*n = keep_sites(t, v, *n);
	return v;
}

static bool is_same(const struct chess_access *a, const struct chess_access *b)
{
	return a->address == b->address && a->size == b->size && a->ip == b->ip &&
	       a->kind == b->kind;
}

static void show(const char *what, const struct chess_access *a)
{
	TH_LOG("%s: ip %llx, %u bytes at %llx, kind %u, task %u", what, (unsigned long long)a->ip,
	       a->size, (unsigned long long)a->address, a->kind, a->task);
}

/* What the unit says about itself: how many of which it has run. */
static void show_notes(const char *out)
{
	while ((out = strstr(out, "\n# "))) {
		out++;
		printf("%.*s\n", (int)strcspn(out, "\n"), out);
	}
}

TEST_TIMEOUT(all_classes_keep_their_meaning, 900)
{
	static const char *const code[] = { "PROGRAM:operand_code", NULL };
	struct chess_runner *bare_runner, *runner;
	struct chess_run_result bare = run(NULL, &bare_runner), trapped = run(code, &runner);
	struct chess_access *expected;
	size_t n, i;

	drop_fresh(&trapped);
	EXPECT_STREQ(bare.out, trapped.out);
	show_notes(trapped.out);
	EXPECT_EQ(bare.status, trapped.status);
	EXPECT_TRUE(strstr(trapped.out, "digest"));
	/* Those that can be displaced and access memory of others, in the table of the unit. */
	EXPECT_LT(120U, chess_runner_sites(runner)->n);
	EXPECT_EQ(0U, trapped.lost_accesses);
	expected = read_log(chess_runner_sites(runner), &n);
	EXPECT_LT(800U, n);
	EXPECT_EQ(n, trapped.n_accesses);
	for (i = 0; i < n && i < trapped.n_accesses; i++)
		if (!is_same(&expected[i], &trapped.accesses[i])) {
			TH_LOG("access %zu of %zu", i, n);
			show("expected", &expected[i]);
			show("recorded", &trapped.accesses[i]);
			EXPECT_TRUE(false);
			break;
		}
	printf("# %zu sites, %zu accesses\n", chess_runner_sites(runner)->n, n);
}

TEST_HARNESS_MAIN

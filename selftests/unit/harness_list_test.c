// SPDX-License-Identifier: GPL-2.0-only
/*
 * What chessctl test reads and writes: the lists of each harness, TAP, lists of programs, how
 * a case is judged, KTAP and JUnit's XML. Texts are whole, so that any change shows.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "test/test.h"
#include "../harness.h"

/* "name arg.. env.. options.. =expected", one case a line */
static char *cases_of(const struct test_program *p)
{
	static char text[4096];
	const struct test_case *c;
	size_t i, k, n = 0;

	for (i = 0; i < p->n; i++) {
		const struct strings *lists[3];

		c = &p->cases[i];
		lists[0] = &c->args;
		lists[1] = &c->env;
		lists[2] = &c->options;
		n += snprintf(text + n, sizeof(text) - n, "%s", c->name);
		for (k = 0; k < 3; k++) {
			size_t j;

			for (j = 0; j < lists[k]->n; j++)
				n += snprintf(text + n, sizeof(text) - n, "|%s", lists[k]->v[j]);
		}
		if (c->expected)
			n += snprintf(text + n, sizeof(text) - n, "|=%s", c->expected);
		n += snprintf(text + n, sizeof(text) - n, "\n");
	}
	text[n] = '\0';
	return text;
}

static struct test_programs all;

static struct test_program *fresh(void)
{
	test_clear(&all);
	return test_add_program(&all, "p", "./p", NULL);
}

#define LIKE "|--watchdogs|never|--ok-exit|4\n"

TEST(kselftest_has_each_test_with_each_variant)
{
	struct test_program *p = fresh();

	ASSERT_EQ(0, list_kselftest(p,
		"noise\n"
		"# FIXTURE            VARIANT                   TEST\n"
		"global                                         first\n"
		"                                               second\n"
		"------------------------------------------------------------------\n"
		"a_fixture_with_a_very_long_name a_variant_with_an_even_longer_name its_test\n"
		"                     small                     \n"
		"------------------------------------------------------------------\n"
		"last                 one                       only\n"));
	EXPECT_STREQ("global.first|-r|global.first" LIKE
		     "global.second|-r|global.second" LIKE
		     "a_fixture_with_a_very_long_name.a_variant_with_an_even_longer_name.its_test|-r|"
		     "a_fixture_with_a_very_long_name.a_variant_with_an_even_longer_name.its_test" LIKE
		     "a_fixture_with_a_very_long_name.small.its_test|-r|"
		     "a_fixture_with_a_very_long_name.small.its_test" LIKE
		     "last.one.only|-r|last.one.only" LIKE, cases_of(p));
	EXPECT_EQ(-EINVAL, list_kselftest(fresh(), "usage: p\n"));
}

TEST(gtest_lists_suites_and_parameters)
{
	struct test_program *p = fresh();

	ASSERT_EQ(0, list_gtest(p,
		"Running main() from gtest_main.cc\n"
		"Queue.\n  IsEmpty\n  DISABLED_Grows\n"
		"DISABLED_Slow.\n  Test\n"
		"Typed/0.  # TypeParam = int\n  Works\n"
		"In/Sums.\n  Add/0  # GetParam() = 1\n"));
	EXPECT_STREQ("Queue.IsEmpty|--gtest_filter=Queue.IsEmpty\n"
		     "Typed/0.Works|--gtest_filter=Typed/0.Works\n"
		     "In/Sums.Add/0|--gtest_filter=In/Sums.Add/0\n", cases_of(p));
	ASSERT_EQ(2, (int)p->disabled.n);
	EXPECT_STREQ("Queue.DISABLED_Grows", p->disabled.v[0]);
	EXPECT_STREQ("DISABLED_Slow.Test", p->disabled.v[1]);
	EXPECT_EQ(-EINVAL, list_gtest(fresh(), ""));
}

TEST(check_has_its_cases_in_xml)
{
	struct test_program *p = fresh();

	ASSERT_EQ(0, list_check(p,
		"<suite>\n<title>locks &amp; &lt;keys&gt;</title>\n"
		"<test result=\"success\">\n<id>t1</id>\n<description>Core</description>\n</test>\n"
		"<test result=\"failure\">\n<id>t2</id>\n<description>Core</description>\n</test>\n"
		"<test result=\"success\">\n<description>Limits</description>\n</test>\n</suite>\n"));
	EXPECT_STREQ("locks & <keys>:Core|CK_RUN_SUITE=locks & <keys>|CK_RUN_CASE=Core|CK_FORK=no\n"
		     "locks & <keys>:Limits|CK_RUN_SUITE=locks & <keys>|CK_RUN_CASE=Limits|CK_FORK=no\n",
		     cases_of(p));
	EXPECT_EQ(-EINVAL, list_check(fresh(), "<title>cut"));
}

TEST(cmocka_has_its_cases_in_tap)
{
	struct test_program *p = fresh();

	ASSERT_EQ(0, list_tap(p, "1..3\nok 1 - one\nnot ok 2 - two # TO" "DO\nok 3 - with blanks\n# x\n"));
	EXPECT_STREQ("one|CMOCKA_TEST_FILTER=one\ntwo|CMOCKA_TEST_FILTER=two\n"
		     "with blanks|CMOCKA_TEST_FILTER=with blanks\n", cases_of(p));
}

TEST(own_tests_have_a_bound_and_options)
{
	struct test_program *p = fresh();

	ASSERT_EQ(0, list_chess(p, "# chessctl/test.h tests, version 1\nplain\t2\t-\n"
				"hangs\t0\tdeadlock\t--wake=any\t--points=sync\n"));
	EXPECT_STREQ("plain|--chess-run=plain|--bound|2\n"
		     "hangs|--chess-run=hangs|--bound|0|--wake=any|--points=sync|=deadlock\n",
		     cases_of(p));
	EXPECT_EQ(-EINVAL, list_chess(fresh(), "name\n"));
}

TEST(tap_is_read_with_its_directives)
{
	struct tap t;

	tap_read("TAP version 13\n1..5\nok 1 a\nnot ok 2 b\nok 3 c # SKIP no such device\n"
		 "not ok 4 d # TO" "DO later\nok 5 e # XFAIL known\n# ok 6 in a comment\n", &t);
	EXPECT_EQ(5u, t.results);
	EXPECT_EQ(1u, t.failed);
	EXPECT_EQ(1u, t.skipped);
	EXPECT_EQ(2u, t.xfailed);
	EXPECT_STREQ("no such device", t.why);
	free(t.why);
	tap_read("1..0 # SKIP nothing to do\n", &t);
	EXPECT_EQ(0u, t.results);
	EXPECT_STREQ("nothing to do", t.why);
	free(t.why);
}

static void write_file(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);

	ASSERT_LE(0, fd);
	ASSERT_EQ((ssize_t)strlen(text), write(fd, text, strlen(text)));
	close(fd);
}

TEST(folders_and_lists_have_programs)
{
	char dir[] = "/tmp/chess-find.XXXXXX", *args[] = { dir, NULL };

	ASSERT_TRUE(mkdtemp(dir));
	ASSERT_EQ(0, chdir(dir));
	write_file("b", "#!/bin/sh\n", 0755);
	write_file("a", "#!/bin/sh\n", 0755);
	write_file("data", "#!/bin/sh\n", 0644);
	write_file("text", "no program\n", 0755);
	write_file("settings", "# of kselftest\ntimeout=7\n", 0644);
	ASSERT_EQ(-1, test_find(&all, args));
	ASSERT_EQ(2, (int)all.n);
	EXPECT_STREQ("a", all.v[0].name);
	EXPECT_STREQ("./b", all.v[1].path);
	EXPECT_STREQ(dir, all.v[0].cwd);
	EXPECT_EQ(7, (int)all.v[0].limit);
	test_clear(&all);

	ASSERT_EQ(0, mkdir("futex", 0755));
	ASSERT_EQ(0, mkdir("futex/functional", 0755));
	write_file("kselftest-list.txt", "futex:functional/wait\nfutex:run.sh\n", 0644);
	ASSERT_EQ(-1, test_find(&all, args));
	ASSERT_EQ(2, (int)all.n);
	EXPECT_STREQ("futex:functional/wait", all.v[0].name);
	EXPECT_STREQ("./wait", all.v[0].path);
	EXPECT_TRUE(strstr(all.v[0].cwd, "/futex/functional"));
	EXPECT_STREQ("./run.sh", all.v[1].path);
	EXPECT_EQ(TEST_LIMIT, (int)all.v[1].limit);
	ASSERT_EQ(0, system("rm -r \"$PWD\""));
}

TEST(a_harness_is_known_by_its_file)
{
	char dir[] = "/tmp/chess-detect.XXXXXX";

	ASSERT_TRUE(mkdtemp(dir));
	ASSERT_EQ(0, chdir(dir));
	write_file("f", "..Usage: %s [-h|-l] [-t|-T|-v|-V|-f|-F|-r name]..# Totals: pass:%", 0644);
	EXPECT_EQ(HARNESS_KSELFTEST, (int)harness_of_file("f"));
	write_file("f", "..gtest_list_tests..TAP version 1", 0644);
	EXPECT_EQ(HARNESS_GTEST, (int)harness_of_file("f"));
	write_file("f", "..libcmocka.so.0..", 0644);
	EXPECT_EQ(HARNESS_CMOCKA, (int)harness_of_file("f"));
	write_file("f", "..CK_RUN_CASE..", 0644);
	EXPECT_EQ(HARNESS_CHECK, (int)harness_of_file("f"));
	write_file("f", "# Totals: pass:%d fail:%d..TAP version 13", 0644);
	EXPECT_EQ(HARNESS_KSFT, (int)harness_of_file("f"));
	write_file("f", "KTAP version 1", 0644);
	EXPECT_EQ(HARNESS_TAP, (int)harness_of_file("f"));
	write_file("f", "# chessctl/test.h tests, version 1", 0644);
	EXPECT_EQ(HARNESS_CHESS, (int)harness_of_file("f"));
	write_file("f", "", 0644);
	EXPECT_EQ(HARNESS_NONE, (int)harness_of_file("f"));
	EXPECT_EQ(HARNESS_NONE, (int)harness_of_file("none"));
	EXPECT_EQ(HARNESS_GTEST, harness_by_name("gtest"));
	EXPECT_EQ(-1, harness_by_name("junit"));
	ASSERT_EQ(0, system("rm -r \"$PWD\""));
}

TEST(commands_run_alone_within_their_time)
{
	char *says[] = { (char *)"sh", (char *)"-c", (char *)"echo $X; echo bad >&2; exit 3", NULL };
	char *hangs[] = { (char *)"sh", (char *)"-c", (char *)"sleep 1000 & sleep 1000", NULL };
	struct strings env = { 0 };
	struct alone a;

	strings_add(&env, strdup("X=said"));
	ASSERT_EQ(0, alone_run(says, &env, "/", 60, &a));
	EXPECT_EQ(3, WEXITSTATUS(a.status));
	EXPECT_STREQ("said\n", a.out);
	EXPECT_STREQ("bad\n", a.err);
	EXPECT_FALSE(a.timed_out);
	alone_clear(&a);
	ASSERT_EQ(0, alone_run(hangs, NULL, NULL, 0.1, &a));
	EXPECT_TRUE(a.timed_out);
	alone_clear(&a);
}

static struct json_object *judged(const char *facts)
{
	struct json_object *o = json_tokener_parse(facts);

	test_judge(o);
	return o;
}

static void expect_result(const char *facts, const char *result, const char *why)
{
	struct json_object *o = judged(facts);

	EXPECT_STREQ(result, test_text(o, "result"));
	if (why || test_text(o, "why"))
		EXPECT_STREQ(why, test_text(o, "why"));
	json_object_put(o);
}

#define ALONE(failed, skipped) "\"notes\":[],\"alone\":{\"failed\":" failed ",\"skipped\":" skipped "}"

TEST(cases_are_judged)
{
	expect_result("{" ALONE("null", "null") ",\"verdict\":\"ok\",\"complete\":true}", "pass", NULL);
	expect_result("{" ALONE("null", "null") ",\"verdict\":\"deadlock\"}", "fail", "deadlock");
	expect_result("{" ALONE("null", "null") ",\"verdict\":\"ok\",\"complete\":false,"
		      "\"search\":{\"why\":\"time\"}}", "incomplete",
		      "incomplete: no bug so far; time");
	expect_result("{" ALONE("null", "\"no device\"") "}", "skip", "no device");
	expect_result("{" ALONE("\"exit status 1\"", "null") ",\"verdict\":\"ok\",\"complete\":true}",
		      "fail", "fails without control (exit status 1), and in no schedule that was run");
	expect_result("{" ALONE("null", "null") ",\"error\":\"no module\"}", "error", "no module");
	expect_result("{" ALONE("null", "null") "}", "error", "the search printed nothing");
	expect_result("{" ALONE("null", "null") ",\"verdict\":\"ok\",\"complete\":true,"
		      "\"controlled_skip\":\"no perf\"}", "skip", "under control alone: no perf");
	expect_result("{\"notes\":[],\"alone\":{\"timed_out\":true},\"verdict\":\"timeout\"}",
		      "incomplete", "incomplete: a run takes too long, as it does without control");
	expect_result("{" ALONE("null", "null") ",\"verdict\":\"timeout\"}", "fail", "timeout");
	/* A skip in the default schedule hides no bug. */
	expect_result("{" ALONE("null", "null") ",\"verdict\":\"crash\",\"controlled_skip\":\"x\"}",
		      "fail", "crash");
	expect_result("{\"expected\":\"deadlock\",\"verdict\":\"deadlock\"}", "pass",
		      "deadlock, as expected");
	expect_result("{\"expected\":\"deadlock\",\"verdict\":\"crash\"}", "fail",
		      "crash, where deadlock is expected");
	expect_result("{\"expected\":\"deadlock\",\"verdict\":\"ok\",\"complete\":true}", "fail",
		      "no schedule had the verdict deadlock, which is expected");
	expect_result("{\"expected\":\"deadlock\",\"verdict\":\"incomplete\",\"complete\":false}",
		      "incomplete", "incomplete: no bug so far; the search reached a limit");
	expect_result("{\"notes\":[],\"alone\":{\"xfail\":true},\"verdict\":\"ok\",\"complete\":true}",
		      "xfail", "is known to fail");
}

static const char results[] =
	"[{\"name\":\"locks\",\"cases\":["
	"{\"name\":\"a.b # SKIP not\",\"result\":\"pass\",\"runs\":3,\"seconds\":0.5,\"notes\":[]},"
	"{\"name\":\"two<one>\",\"result\":\"fail\",\"verdict\":\"deadlock\",\"why\":\"deadlock\","
	"\"report\":\"deadlock: \\\"x\\\"\\n\\n  T0 & T1\\n\",\"replay\":\"chessctl replay t.trace\","
	"\"runs\":4,\"seconds\":1.25,\"notes\":[\"it fails without control, too: exit status 1\"]},"
	"{\"name\":\"later\",\"result\":\"incomplete\",\"why\":\"incomplete: no bug so far; time\","
	"\"notes\":[]},"
	"{\"name\":\"known\",\"result\":\"xfail\",\"why\":\"is known to fail\",\"notes\":[]}]},"
	"{\"name\":\"none\",\"cases\":[{\"name\":\"x\",\"result\":\"skip\",\"why\":\"no device\","
	"\"notes\":[]}]},"
	"{\"name\":\"whole\",\"cases\":null,\"result\":\"error\",\"why\":\"no module\",\"notes\":[]}]";

static const char ktap[] =
	"KTAP version 1\n1..3\n"
	"  KTAP version 1\n  # Subtest: locks\n  1..4\n"
	"  ok 1 a.b _ SKIP not\n"
	"  # deadlock: \"x\"\n  #\n  #   T0 & T1\n"
	"  # replay it with: chessctl replay t.trace\n"
	"  # it fails without control, too: exit status 1\n"
	"  not ok 2 two<one> # deadlock\n"
	"  ok 3 later # incomplete: no bug so far; time\n"
	"  ok 4 known # XFAIL is known to fail\n"
	"not ok 1 locks\n"
	"  KTAP version 1\n  # Subtest: none\n  1..1\n"
	"  ok 1 x # SKIP no device\n"
	"ok 2 none # SKIP no case was run\n"
	"not ok 3 whole # ERROR no module\n"
	"# Totals: pass:2 fail:1 xfail:1 xpass:0 skip:1 error:1\n"
	"# searched in 7 runs, 1.75 s; 1 not to the end\n";

static const char junit[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<testsuites name=\"chessctl test\" tests=\"6\" failures=\"1\" errors=\"1\">\n"
	"  <testsuite name=\"locks\" tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"1.750\">\n"
	"    <testcase classname=\"locks\" name=\"a.b # SKIP not\" time=\"0.500\">\n"
	"    </testcase>\n"
	"    <testcase classname=\"locks\" name=\"two&lt;one&gt;\" time=\"1.250\">\n"
	"      <failure message=\"deadlock\" type=\"deadlock\">deadlock: &quot;x&quot;&#10;&#10;"
	"  T0 &amp; T1&#10;replay it with: chessctl replay t.trace</failure>\n"
	"      <system-out>it fails without control, too: exit status 1</system-out>\n"
	"    </testcase>\n"
	"    <testcase classname=\"locks\" name=\"later\" time=\"0.000\">\n"
	"      <system-out>incomplete: no bug so far; time</system-out>\n"
	"    </testcase>\n"
	"    <testcase classname=\"locks\" name=\"known\" time=\"0.000\">\n"
	"      <system-out>is known to fail</system-out>\n"
	"    </testcase>\n"
	"  </testsuite>\n"
	"  <testsuite name=\"none\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\" time=\"0.000\">\n"
	"    <testcase classname=\"none\" name=\"x\" time=\"0.000\">\n"
	"      <skipped message=\"no device\"/>\n"
	"    </testcase>\n"
	"  </testsuite>\n"
	"  <testsuite name=\"whole\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0.000\">\n"
	"    <testcase classname=\"whole\" name=\"whole\" time=\"0.000\">\n"
	"      <error message=\"no module\" type=\"environment\"/>\n"
	"    </testcase>\n"
	"  </testsuite>\n"
	"</testsuites>\n";

TEST(results_are_written_as_ktap)
{
	struct json_object *list = json_tokener_parse(results), *p, *cases;
	char *text = NULL;
	size_t size, i, k;
	FILE *to = open_memstream(&text, &size);

	ktap_begin(to, 3);
	for (i = 0; i < 3; i++) {
		p = json_object_array_get_idx(list, i);
		json_object_object_get_ex(p, "cases", &cases);
		if (!cases) {
			ktap_case(to, p, i + 1, 0);
			continue;
		}
		ktap_begin_program(to, p, json_object_array_length(cases));
		for (k = 0; k < json_object_array_length(cases); k++)
			ktap_case(to, json_object_array_get_idx(cases, k), k + 1, 2);
		ktap_end_program(to, p, i + 1);
	}
	ktap_end(to, list);
	fclose(to);
	EXPECT_STREQ(ktap, text);
}

TEST(results_are_written_as_xml)
{
	struct json_object *list = json_tokener_parse(results);
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	junit_write(to, list);
	fclose(to);
	EXPECT_STREQ(junit, text);
}

TEST_HARNESS_MAIN

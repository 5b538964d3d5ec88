// SPDX-License-Identifier: GPL-2.0-only
/*
 * GenMC's litmus tests, see genmc.h: tasks with a few accesses each, for which a notation is
 * enough. Memory orders are left out, because under sequential consistency they do not matter.
 *
 *	|	the next task
 *	Wx1	store 1 to x; Wxr stores what the task read last, Wxi one more
 *	Rx	load x; Rx+ loads the variable that is so many after x as the task read last
 *	Ux1	add 1 to x and read what was there
 *	Xx1	store 1 to x and read what was there
 *	Cx12	if x is 1, store 2; read what was there
 *	?=1	the rest only if what the task read last is 1; also < and >
 *	!=1	a run in which it is not 1 does not count, and the task ends
 */
#include <stddef.h>

#include "genmc.h"

static long value_of(char c, long last)
{
	if (c == 'r')
		return last;
	return c == 'i' ? last + 1 : c - '0';
}

static bool holds(const char *at, long last)
{
	long n = at[1] - '0';

	return at[0] == '=' ? last == n : at[0] == '<' ? last < n : last > n;
}

/* One access. Return: what was read, or @last. */
static long do_access(const char *at, long last)
{
	struct sim_var *v = &genmc_var[at[1] - 'a'];

	switch (*at) {
	case 'W':
		genmc_store(v, value_of(at[2], last));
		return last;
	case 'R':
		return genmc_load(at[2] == '+' ? v + last : v);
	case 'U':
		return genmc_add(v, value_of(at[2], last));
	case 'X':
		return genmc_exchange(v, value_of(at[2], last));
	}
	return genmc_cas(v, value_of(at[2], last), value_of(at[3], last));
}

static void task(void *arg)
{
	const char *at;
	long last = 0;

	for (at = arg; *at && *at != '|'; at++) {
		if (*at >= 'A' && *at <= 'Z')
			last = do_access(at, last);
		if ((*at == '?' || *at == '!') && !holds(at + 1, last)) {
			if (*at == '!')
				genmc_give_up();
			return;
		}
		while (*at != ' ' && at[1] && at[1] != ' ' && at[1] != '|')
			at++;
	}
}

void genmc_run_litmus(void *arg)
{
	const char *at = genmc_tasks;
	int tasks[16], n = 0, i;

	(void)arg;
	while (at && n < (int)COUNT_OF(tasks)) {
		while (*at == ' ')
			at++;
		tasks[n++] = sim_create(task, (void *)at);
		while (*at && *at != '|')
			at++;
		at = *at ? at + 1 : NULL;
	}
	for (i = 0; i < n; i++)
		sim_join(tasks[i]);
	genmc_end();
}

#define TEST(n, text) { .suite = "litmus", .name = n, .tasks = text }

const struct genmc genmc_litmus[] = {
	TEST("2+2W", "Wx1 Wy2 | Wy1 Wx2"),
	TEST("2+2W+2sc+scf", "Wx1 Wy2 | Wy1 Wx2"),
	TEST("2+2W+3sc+rel1", "Wx1 Wy2 | Wy1 Wx2"),
	TEST("2+2W+3sc+rel2", "Wx1 Wy2 | Wy1 Wx2"),
	TEST("2+2W+4sc", "Wx1 Wy2 | Wy1 Wx2"),
	TEST("2+2W+scfs", "Wx1 Wy2 | Wy1 Wx2"),
	TEST("2CoWR", "Ry | Rx | Wx1 | Wy1"),
	TEST("CoRR", "Wx1 Wx2 | Rx Rx"),
	TEST("CoRR0", "Wx1 | Rx | Rx"),
	TEST("CoRR1", "Wx1 | Wx2 | Rx Rx | Rx"),
	TEST("CoRR2", "Wx1 | Wx2 | Rx Rx | Rx Rx"),
	TEST("CoRW", "Rx Wx1 | Wx2"),
	TEST("CoWR", "Wx1 Rx | Wx2"),
	TEST("IRIW-acq-sc", "Wx1 | Rx Ry | Ry Rx | Wy1"),
	TEST("IRIWish", "Wx1 | Rx Wyr | Rx Ry | Ry Rx"),
	TEST("JLT", "Wx1 Ry Rx | Wx2 Rx | Wy3"),
	TEST("LB+acq", "Rx Wy1 | Ry Wx1"),
	TEST("LB+addr-fun", "Rx Ry+ Wy1 | Ry Wxr"),
	TEST("LB+addr-ind-fun", "Rx Ry+ Wy1 | Ry Wxr"),
	TEST("LB+addr", "Rx Ry+ Wy1 | Ry Wxr"),
	TEST("LB+ctrl+rel", "Rx Wy1 | Ry Wx1"),
	TEST("LB+ctrl", "Rx Wy1 | Ry Wx1"),
	TEST("LB+dep", "Rx Wyi | Ry Wxi"),
	TEST("LB+fr-fr-data+data", "Rx Wy1 | Ry Ry Wx1 | Wy2"),
	TEST("LB+incMPs", "Rx Uz1 | Uz1 Wy1 | Ry Uw1 | Uw1 Wx1"),
	TEST("LB+rel", "Rx Wy1 | Ry Wx1"),
	TEST("LB", "Ry Wx1 | Rx Wy1"),
	TEST("LB2", "Rx Wy1 | Ry Wx1"),
	TEST("LB3", "Ra Wb1 | Rb Wc1 | Rc Wa1"),
	TEST("MCP-rrw", "Wx1 | Wx2 | Rx"),
	TEST("MP+incMP", "Ry Uz1 | Uz1 Rx | Wx1 Wy1"),
	TEST("MP+rel+acq", "Wx1 Wy1 | Ry ?>0 Rx"),
	TEST("MP+rel+acqf", "Wx1 Wy1 | Ry ?>0 Rx"),
	TEST("MP+relf+acq", "Wx1 Wy1 | Ry ?>0 Rx"),
	TEST("MP+relf+acqf", "Wx1 Wy1 | Ry ?>0 Rx"),
	TEST("MP+rels+acq", "Wx1 Wy0 Wy1 | Ry ?>0 Rx"),
	TEST("MP+rels+acqf", "Wx1 Wy0 Wy1 | Ry ?>0 Rx"),
	TEST("MP", "Wx1 Wy1 | Ry Rx"),
	TEST("MP2", "Wa1 Wc1 Wb1 Wd1 | Rb Ra | Rd Rc"),
	TEST("MPU+rel+acq", "Wx1 Wy1 | Uy1 | Ry ?>1 Wx2"),
	TEST("MPU+rel+acqf", "Wx1 Wy1 | Uy1 | Ry ?>1 Wx2"),
	TEST("MPU+relf+acq", "Wx1 Wy1 | Uy1 | Ry ?>1 Wx2"),
	TEST("MPU+relf+acqf", "Wx1 Wy1 | Uy1 | Ry ?>1 Wx2"),
	TEST("MPU+rels+acq", "Wx1 Wy0 Wy1 | Uy1 | Ry ?>1 Wx2"),
	TEST("MPU+rels+acqf", "Wx1 Wy0 Wy1 | Uy1 | Ry ?>1 Wx2"),
	TEST("MPU2+rel+acq", "Wx1 Wy1 | Cy23 | Cy12 | Ry ?>2 Wx2"),
	TEST("MPU2+rel+acqf", "Wx1 Wy1 | Cy23 | Cy12 | Ry ?>2 Wx2"),
	TEST("MPU2+relf+acq", "Wx1 Wy1 | Cy23 | Cy12 | Ry ?>2 Wx2"),
	TEST("MPU2+relf+acqf", "Wx1 Wy1 | Cy23 | Cy12 | Ry ?>2 Wx2"),
	TEST("MPU2+rels+acq", "Wx1 Wy0 Wy1 | Cy23 | Cy12 | Ry ?>2 Wx2"),
	TEST("MPU2+rels+acqf", "Wx1 Wy0 Wy1 | Cy23 | Cy12 | Ry ?>2 Wx2"),
	TEST("RMWFix", "Ry ?>0 Ux1 Ux1 | Ux1 | Wy1"),
	TEST("RWC+syncs", "Wx1 | Rx Ry | Wy1 Rx"),
	TEST("S+rel+acq", "Wx1 Wy1 | Ry ?>0 Wx2"),
	TEST("S+rel+acqf", "Wx1 Wy1 | Ry ?>0 Wx2"),
	TEST("S+relf+acq", "Wx1 Wy1 | Ry ?>0 Wx2"),
	TEST("S+relf+acqf", "Wx1 Wy1 | Ry ?>0 Wx2"),
	TEST("S+rels+acq", "Wx1 Wy0 Wy1 | Ry ?>0 Wx2"),
	TEST("S+rels+acqf", "Wx1 Wy0 Wy1 | Ry ?>0 Wx2"),
	TEST("S", "Wx2 Wy1 | Ry Wx1"),
	TEST("SB+2sc+scf", "Wx1 Ry | Wy1 Rx"),
	TEST("SB+3sc+acq", "Wx1 Ry | Wy1 Rx"),
	TEST("SB+3sc+rel", "Wx1 Ry | Wy1 Rx"),
	TEST("SB+4sc", "Wx1 Ry | Wy1 Rx"),
	TEST("SB+assert", "Wx1 Ry | Wy1 Rx"),
	TEST("SB+rfis", "Wx1 Rx Ry | Wy1 Ry Rx"),
	TEST("SB+scfs", "Wx1 Ry | Wy1 Rx"),
	TEST("SB", "Wx1 Ry | Wy1 Rx"),
	TEST("TC1", "Rx Wy1 | Ry Wxr"),
	TEST("W+RRR+W", "Wx1 | Rx Rx Rx | Wx2"),
	TEST("W+RWC", "Wx1 Wz1 | Rz Ry | Wy1 Rx"),
	TEST("WWR+2WR", "Wx1 Wy1 Rz !=0 | Wz1 Ry !=2 | Wy2 Rx !=0"),
	TEST("WWmerge1", "Rx Ry | Wx1 Wx2 | Wy1 Rx"),
	TEST("WWmerge2", "Rx Ry | Wx2 | Wy1 Rx"),
	TEST("Z6+acq", "Wa1 Wb1 | Rb Wc1 | Wc2 Ra"),
	TEST("Z6.U", "Wx1 Wy1 | Uy1 Ry | Wy3 Rx"),
	TEST("atomicpo", "Wy1 Wx1 | Xx1 Xy1"),
	TEST("casdep", "Rx Cy01 Wzr | Wy2"),
	TEST("ccr", "Cx01 | Cx02 Rx"),
	TEST("cii", "Cx12 | Ux1 | Ux1"),
	TEST("cumul-release", "Wx1 Wy1 | Ry Wzr | Rz Rx"),
	TEST("default", "Rx Rx | Wx1 | Wx2"),
	TEST("detour", "Wx1 | Rz Wx2 Rx Wyr | Ry Wzr"),
	TEST("fr+w+w+w+reads", "Wx1 | Wx2 | Wx3 | Rx Rx Rx Rx"),
	TEST("inc+inc+RR+W+RR", "Ux1 | Ux1 | Rx Rx | Wx9 | Rx Rx"),
	TEST("inc2w", "Ux1 | Wx4 | Ux2"),
	TEST("isa2", "Wa1 Wb1 | Rb Wc1 | Rc Ra"),
	TEST("ori", "Ux1 Wy1 | Cx01 | Ry ?>0 Wx4"),
	TEST("peterZ", "Wx1 Ry | Wy1 Wz1 | Rz Rx"),
	TEST("po-loc", "Ry Rx Wx1 | Rx Wyr"),
	TEST("psc-ar", "Ry !=1 Rz !=0 | Wz1 Wx1 | Rx ?=1 Wy1"),
	TEST("psc-base-notin-ar", "Rx !=2 Wy1 | Wy2 | Ry !=2 Wxr"),
	TEST("psc-sbhbsb", "Wx1 Wy1 | Rx !=1 Ry !=0"),
	TEST("rel-B-cumul-acq", "Wx1 Wy1 | Ry Wzr | Rz Rx | Ry"),
	TEST("rel-pporf", "Rx Wz1 Wy1 | Ry Wx1"),
	TEST("relacq-B-cumul", "Wx1 Wy1 | Ry Wz1 | Rz Rx"),
	TEST("relseq", "Wx1 Wy1 Wy2 | Xy3 | Ry Rx"),
	TEST("rfi-preserved", "Rx Wy1 Ry Wzr | Rz Wxr"),
	TEST("rii", "Rx Ux1 | Ux1"),
	TEST("rinc+wr", "Ux1 | Wx2 Rx"),
	TEST("riwi", "Ry Ux1 | Ux1 Wy1"),
	TEST("small0", "Rx | Rx Wx1 | Wx2"),
	TEST("small1", "Ry Rz Rx | Wx1 | Wy1 Wz1"),
	TEST("viktor-relseq", "Ux1 Ux1 | Ux1 Ux1 | Ux1 | Ux1"),
	TEST("wcii", "Wx5 | Cx12 | Ux1 | Ux1"),
};

const size_t n_genmc_litmus = COUNT_OF(genmc_litmus);

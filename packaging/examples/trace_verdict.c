// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints what a trace says of its run: an example of a program that uses libchessctl.
 *
 *   cc trace_verdict.c -o trace_verdict $(pkg-config --cflags --libs libchessctl)
 *   ./trace_verdict chess-traces/abba-deadlock-1.trace
 */
#include <chessctl/chessctl.h>

int main(int argc, char **argv)
{
	struct chess_trace *trace;
	size_t i, preemptions = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: trace_verdict TRACE\n");
		return 2;
	}
	trace = chess_trace_read(argv[1]);
	if (!trace) {
		fprintf(stderr, "trace_verdict: %s\n", chess_error());
		return 1;
	}
	for (i = 0; i < chess_record_length(trace->record); i++)
		preemptions += chess_event_is_preemption(chess_record_event(trace->record, i));
	printf("%s: %s, %zu tasks, %zu preemptions\n", trace->program,
	       chess_verdict_name(trace->verdict), chess_record_tasks(trace->record), preemptions);
	chess_trace_free(trace);
	return 0;
}

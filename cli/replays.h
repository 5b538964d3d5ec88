/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program of a trace along its recorded schedule: what replay and shrink have in
 * common, from the trace to the first event that differs.
 */
#ifndef CLI_REPLAYS_H
#define CLI_REPLAYS_H

#include <json-c/json.h>

#include "cli.h"
#include "report/report.h"
#include "session.h"

/**
 * struct replayed - what is to be run
 * @command: its name, for sentences
 * @t: the trace
 * @argv: of the program: that of the trace, or the one given
 * @cwd: where it runs; NULL: here
 * @program: path; from program_find()
 * @program_changed: it is not the file the trace was made with
 */
struct replayed {
	const char *command;
	struct chess_trace *t;
	char **argv, *program;
	const char *cwd;
	bool program_changed;
};

/* What N replays came to. */
struct replays {
	uint64_t runs, same_verdict, identical;
	uint64_t moved;			/* of these: files or mappings lay elsewhere */
	double seconds;
	bool have_other;		/* the first run that left the trace */
	char *moved_maps;		/* of the first such; or NULL */
	struct chess_run_result other;
	size_t at, at_seen;		/* indexes of the first difference */
};

/*
 * Opens the trace that the operands name and looks whether it can be run here; what it
 * says of surroundings and probes is asked for too. in->t is to be freed, whatever is
 * returned: CLI_PROCEED, or an exit code after one sentence.
 */
int replays_load(const char *command, const struct operands_list *operands,
		 struct session_opts *o, struct replayed *in);
/* The points of the trace, unless others are asked for; CLI_PROCEED or an exit code. */
int replays_points(const struct replayed *in, struct session_opts *o, char **points);
/* Opens the session, and warns of what has changed; CLI_PROCEED or an exit code. */
int replays_session(struct replayed *in, struct chess_ctl *ctl, struct session_opts *o,
		    struct session *s);
/* Replays @t; CLI_PROCEED or an exit code. @r is to be cleared. */
int replays_run(struct session *s, const struct chess_trace *t, uint64_t times,
		struct replays *r);
void replays_clear(struct replays *r);
/*
 * For a debugger, which follows in->t: where a replay shows the same and files or mappings lay
 * elsewhere, in->t has what it showed. CLI_PROCEED or an exit code.
 */
int replays_fit(struct session *s, struct replayed *in);
/* A report of r->other; @other is borrowed by @seen. */
void replays_open_other(const struct session *s, const struct replayed *in,
			const struct replays *r, struct chess_trace *other,
			struct report *seen);
/* Why not all of @times replays are identical. @seen: NULL where none was other. */
void replays_print_failed(const struct chess_trace *t, const struct replays *r, uint64_t times,
			  const struct report *expected, const struct report *seen);
/* adds "first_difference" */
void replays_json_difference(const struct replays *r, const struct report *expected,
			     const struct report *seen, struct json_object *o);

#endif /* CLI_REPLAYS_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What part of the run is seen: the first event, the width of an event, the rows and where
 * they stand. Knows no drawing; draw.js, control.js and overview.js use it.
 */

const GUTTER = 158, RULER = 20, NOTES = 24, SCALE_MAX = 260, LOCKS_MAX = 24;

function makeView(run) {
	const view = { run, x: 0, scale: 110, y: 0, cursor: 0, width: 800, height: 240, rows: [],
		found: [] };

	view.laneHeight = run.tasks.length <= 6 ? 58 : run.tasks.length <= 16 ? 44 : 32;
	/* Free above and below a box, for the arrows. */
	view.inset = view.laneHeight >= 58 ? 9 : view.laneHeight >= 44 ? 6 : 4;
	view.lockHeight = 24;
	layRows(view);
	return view;
}

/* Tasks that the report is about stand first where not all lanes can be seen. */
function tasksInvolved(run) {
	const report = run.report, first = new Set(report.cycle || []);
	const decisive = decisiveEvent(run);

	if (run.length) {
		first.add(run.task[decisive]);
		if (run.chosen[decisive] >= 0)
			first.add(run.chosen[decisive]);
	}
	(report.races || []).slice(0, 1).forEach((race) => {
		first.add(race.first.task);
		first.add(race.second.task);
	});
	if (report.dead_task !== null && report.dead_task !== undefined)
		first.add(report.dead_task);
	return first;
}

function layRows(view) {
	const run = view.run, involved = tasksInvolved(run);
	let order = run.tasks.slice(), y = 0;

	if (run.tasks.length > 8)
		order = order.filter((t) => involved.has(t.id))
			.concat(order.filter((t) => !involved.has(t.id)));
	view.rows = order.map((task) => {
		const row = { kind: "task", task, y, height: view.laneHeight };

		y += row.height;
		return row;
	});
	view.rowOf = new Map(view.rows.map((row) => [row.task.id, row]));
	const locks = run.locks.slice(0, LOCKS_MAX);

	if (locks.length) {
		view.rows.push({ kind: "heading", y, height: 20, left: run.locks.length - locks.length });
		y += 20;
	}
	locks.forEach((lock) => {
		view.rows.push({ kind: "lock", lock, y, height: view.lockHeight });
		y += view.lockHeight;
	});
	view.contents = y;
}

/* How high the canvas should be; at most about half of the window. */
function wantedHeight(view) {
	const most = Math.max(230, Math.round(window.innerHeight * 0.46));

	return Math.min(RULER + NOTES + view.contents + 8, most);
}

function leftmost(view) {
	return (view.width - GUTTER) / view.scale;
}

function clampView(view) {
	const shown = leftmost(view), run = view.run;
	const below = Math.max(0, view.contents + 8 - (view.height - RULER - NOTES));

	view.x = Math.max(0, Math.min(view.x, run.end + 0.1 - shown));
	view.y = Math.max(0, Math.min(view.y, below));
}

function smallestScale(view) {
	return Math.min(SCALE_MAX, (view.width - GUTTER) / view.run.end);
}

/* @at: of the canvas, what stays where it is */
function zoom(view, factor, at) {
	const event = view.x + (at - GUTTER) / view.scale;

	view.scale = Math.max(smallestScale(view), Math.min(SCALE_MAX, view.scale * factor));
	view.x = event - (at - GUTTER) / view.scale;
	clampView(view);
}

function xOf(view, i) {
	return GUTTER + (i - view.x) * view.scale;
}

function eventAt(view, x) {
	return Math.floor(view.x + (x - GUTTER) / view.scale);
}

function rowAt(view, y) {
	const inside = y - RULER - NOTES + view.y;

	return y < RULER + NOTES ? null :
		view.rows.find((row) => inside >= row.y && inside < row.y + row.height) || null;
}

function showRow(view, id) {
	const row = view.rowOf.get(id), room = view.height - RULER - NOTES;

	if (!row)
		return;
	if (row.y < view.y)
		view.y = row.y;
	else if (row.y + row.height > view.y + room)
		view.y = row.y + row.height - room + 8;
}

/* The cursor comes into sight, with some of what is around it. */
function showCursor(view) {
	const shown = leftmost(view), margin = Math.min(2, shown / 4), i = view.cursor;

	if (i < view.x + margin || i + 1 > view.x + shown - margin)
		view.x = i - shown * 0.4;
	if (view.run.length && view.run.chosen[i] >= 0)
		showRow(view, view.run.chosen[i]);
	if (view.run.length)
		showRow(view, view.run.task[i]);
	clampView(view);
}

/* The first picture: what matters, as large as it can be read, with how it ended if that fits. */
function showFirst(view, i) {
	const run = view.run, room = view.width - GUTTER;
	const from = Math.max(0, i - 3), rest = run.end - from;

	view.cursor = i;
	/* Smaller if the end can be seen then. */
	view.scale = Math.max(room / rest > 80 ? 80 : 106, Math.min(150, room / rest));
	if (rest * view.scale > room)
		view.x = i - 0.3 * room / view.scale;
	else
		view.x = run.end - room / view.scale;
	clampView(view);
	if (run.length) {
		if (run.chosen[i] >= 0)
			showRow(view, run.chosen[i]);
		showRow(view, run.task[i]);
	}
	clampView(view);
}

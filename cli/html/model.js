// SPDX-License-Identifier: GPL-2.0-only
/*
 * The run as the page holds it: the columns of the data as typed arrays, and what follows from
 * them for each task: when it runs, when it waits and what ended the wait. Index i is event
 * number i + 1. Everything else here reads this and changes nothing.
 */
"use strict";

/* Of the columns chosen and other; see html_columns.c. */
const NOBODY = -1;
/* What never ended is drawn so many events beyond the last one. */
const TAIL = 2.4;

function readRun(data) {
	const columns = data.columns, types = {}, bits = {};
	const run = {
		data, report: data.report, strings: data.strings, length: columns.type.length,
		type: Uint8Array.from(columns.type), task: Uint16Array.from(columns.task),
		chosen: Int32Array.from(columns.chosen), what: Uint32Array.from(columns.what),
		where: Uint32Array.from(columns.where), bits: Uint8Array.from(columns.bits),
		enabled: Uint32Array.from(columns.enabled), other: Int32Array.from(columns.other),
	};
	data.types.forEach((name, i) => { types[name] = i; });
	data.kinds.forEach((name, i) => { bits[name] = 1 << i; });
	run.T = types;
	run.B = bits;
	run.typeNames = data.types;
	run.end = run.length + TAIL;
	run.isTurn = data.types.map((name) =>
		["point", "block", "exit", "resume", "quantum", "stall"].includes(name));
	run.isDecision = data.types.map((name, i) =>
		run.isTurn[i] || ["signal", "expire", "queue", "spurious"].includes(name));
	run.tasks = data.tasks.map((task, id) => ({
		id, name: task.name, process: task.process, maker: task.maker ?? NOBODY,
		made: task.made ?? 0, born: Math.max(0, (task.made ?? 1) - 1), gone: run.end,
		runFrom: [], runTo: [], waitFrom: [], waitTo: [], waits: [], readyFrom: [], readyTo: [],
	}));
	readTurns(run);
	readWaits(run);
	readLocks(run);
	run.tasks.concat(run.locks).forEach((row) => ["runFrom", "runTo", "waitFrom", "waitTo", "readyFrom",
		"readyTo", "from", "to"].forEach((key) => {
		if (row[key])
			row[key] = Float64Array.from(row[key]);
	}));
	return run;
}

/* Who has the token when, and which decisions take it to another task. */
function readTurns(run) {
	let current = run.length ? run.task[0] : 0, since = 0;

	run.switches = [];
	run.preemptions = [];
	run.held = new Int32Array(run.length).fill(-1);
	const last = new Int32Array(run.tasks.length).fill(-1);
	const close = (end) => {
		const task = run.tasks[current];

		if (task && end > since) {
			task.runFrom.push(since);
			task.runTo.push(end);
		}
	};
	for (let i = 0; i < run.length; i++) {
		const type = run.type[i], chosen = run.chosen[i], task = run.tasks[run.task[i]];

		if (run.bits[i] & run.B.preemption)
			run.preemptions.push(i);
		if (type === run.T.point && task)
			last[task.id] = i;
		if ((type === run.T.exit || type === run.T.killed) && task)
			task.gone = i + 1;
		if (!run.isTurn[type])
			continue;
		/* The op that the chosen task continues with. */
		run.held[i] = chosen >= 0 && chosen < last.length ? last[chosen] : -1;
		if (chosen === current)
			continue;
		close(i + 1);
		current = chosen;
		since = i;
		run.switches.push(i);
	}
	close(run.length);
}

/* From each block to what ended it, and from there to the task's next turn. */
function readWaits(run) {
	const open = new Array(run.tasks.length).fill(null), ready = new Int32Array(open.length).fill(-1);
	const end = (id, at, by, how) => {
		const wait = open[id], task = run.tasks[id];

		if (!wait)
			return;
		Object.assign(wait, { to: at, by, how });
		task.waitTo.push(at);
		open[id] = null;
		ready[id] = how === "killed" ? -1 : at;
	};

	run.wakes = [];
	const last = new Int32Array(open.length).fill(-1);
	for (let i = 0; i < run.length; i++) {
		const type = run.type[i], id = run.task[i], task = run.tasks[id];

		if (!task)
			continue;
		if (type === run.T.point) {
			last[id] = i;
		} else if (type === run.T.block && !open[id]) {
			open[id] = { task: id, from: i, to: run.end, by: NOBODY, how: "never", op: last[id] };
			task.waitFrom.push(i);
			task.waits.push(open[id]);
		} else if (type === run.T.wake) {
			if (run.other[i] >= 0)
				run.wakes.push(i);
			end(id, i, run.other[i], run.other[i] >= 0 ? "task" : "outside");
		} else if (type === run.T.timeout) {
			end(id, i, NOBODY, run.bits[i] & run.B.spurious ? "spurious" : "time");
		} else if (type === run.T.killed || type === run.T.leave) {
			end(id, i, NOBODY, "killed");
		}
		const chosen = run.isTurn[type] ? run.chosen[i] : -1;
		if (chosen >= 0 && ready[chosen] >= 0) {
			if (i > ready[chosen]) {
				run.tasks[chosen].readyFrom.push(ready[chosen]);
				run.tasks[chosen].readyTo.push(i);
			}
			ready[chosen] = -1;
		}
	}
	open.forEach((wait) => wait && run.tasks[wait.task].waitTo.push(run.end));
}

/* A row for each lock; those of the waits at the end first, then those that most tasks had. */
function readLocks(run) {
	const locks = run.data.locks, rows = new Map();
	const wanted = new Set();

	run.tasks.forEach((task) => task.waits.forEach((wait) => {
		if (wait.how === "never" && wait.op >= 0)
			wanted.add(run.what[wait.op]);
	}));
	const names = [...wanted].map((n) => run.strings[n]);
	locks.object.forEach((object, i) => {
		const key = object + " " + locks.process[i];

		if (!rows.has(key))
			rows.set(key, { name: run.strings[object], process: locks.process[i],
				from: [], to: [], task: [], shared: [], tasks: new Set() });
		const row = rows.get(key);

		row.from.push(locks.from[i] - 1);
		row.to.push(locks.to[i] ? locks.to[i] - 1 : run.end);
		row.task.push(locks.task[i]);
		row.shared.push(locks.shared[i]);
		row.tasks.add(locks.task[i]);
	});
	const weight = (row) => (names.some((name) => name.endsWith(" " + row.name)) ? 1e9 : 0) +
		row.tasks.size * 1e4 + Math.min(row.from.length, 9999);
	run.locks = [...rows.values()].sort((a, b) => weight(b) - weight(a));
	run.locks.forEach((row) => { row.weight = weight(row); });
	/* Of two processes that have a lock at the same address. */
	const count = {};
	run.locks.forEach((row) => { count[row.name] = (count[row.name] || 0) + 1; });
	run.locks.forEach((row) => {
		row.label = count[row.name] > 1 && row.process ?
			row.name + " of T" + row.process + "'s process" : row.name;
	});
}

/* Index of the first of sorted @list that is above @value. */
function firstAbove(list, value) {
	let low = 0, high = list.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (list[middle] > value)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The event of the decision that explains the run, or else the one that ended it. */
function decisiveEvent(run) {
	const report = run.report, end = run.data.end, last = run.preemptions.length - 1;

	/* The last of them: after it the failure was inevitable. */
	if (!end.bug)
		return run.length - 1;
	if (last >= 0)
		return run.preemptions[last];
	if (report.races && report.races.length)
		return clampEvent(run, report.races[0].second.after_event - 1);
	if (end.died)
		return end.died - 1;
	const cycle = report.cycle || [];
	const wait = (report.waits || []).find((w) => !cycle.length || cycle.includes(w.task));
	if (wait && wait.seq)
		return wait.seq - 1;
	return run.length - 1;
}

function clampEvent(run, i) {
	return Math.max(0, Math.min(run.length - 1, i));
}

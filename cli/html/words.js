// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events, waits and the result in words: for the headline, the table of steps, what is read
 * aloud, and what is searched. Names of the program are only ever text here.
 */

function opText(run, i) {
	return run.strings[run.what[i]];
}

function whereText(run, i) {
	return run.strings[run.data.places[run.where[i]][0]];
}

/* "abba.c:33" of "main() at abba.c:33" */
function shortWhere(run, i) {
	const text = whereText(run, i), at = text.lastIndexOf(" at ");

	return at < 0 ? "" : text.slice(at + 4);
}

function taskTitle(run, id) {
	const task = run.tasks[id];

	return task && task.name ? `T${id} ${task.name}` : `T${id}`;
}

function taskList(run, i) {
	const hex = run.strings[run.enabled[i]], list = [];

	if (!hex)
		return list;
	let mask = BigInt("0x" + hex);
	for (let id = 0; mask; id++, mask >>= 1n)
		if (mask & 1n)
			list.push("T" + id);
	return list;
}

/* What stands in the box of an event. */
function stepLabel(run, i) {
	const T = run.T, op = opText(run, i), other = run.other[i];

	switch (run.type[i]) {
	case T.point: return op;
	case T.block: return "blocks";
	case T.exit:
	case T.killed: return op.startsWith("killed by ") ? op.slice(10) : "ends";
	case T.wake: return "is woken";
	case T.spawn: return "makes T" + other;
	case T.exec: return i ? "new program" : "starts";
	case T.timeout: return run.bits[i] & run.B.spurious ? "wakes spuriously" : "time-out";
	case T.timer: return "timer goes off";
	case T.signal: return "signal for T" + run.chosen[i];
	case T.quantum: return "quantum used up";
	case T.stall: return "stalled";
	case T.divergence: return "diverges";
	case T.expire: return "timer, early";
	case T.queue: return "wakes T" + run.chosen[i];
	case T.leave: return "leaves control";
	default: return run.typeNames[run.type[i]];
	}
}

/* The step in words, without the task. */
function stepText(run, i) {
	const T = run.T, op = opText(run, i), by = run.other[i];

	switch (run.type[i]) {
	case T.wake:
		return by >= 0 ? `is woken by T${by}` : "is woken, by none of the tasks";
	case T.exit: return `ends: ${op}`;
	case T.killed: return `dies: ${op}`;
	case T.timeout:
		return run.bits[i] & run.B.spurious ? "wakes up without a wake-up" :
			`times out at ${op}`;
	case T.resume: return "continues after a wait";
	case T.fair: return "has to let others go first";
	case T.divergence: return `diverges: T${by} was asked for`;
	case T.expire: return `timers due at ${op} go off early`;
	case T.queue: return `is about to wake T${run.chosen[i]}`;
	case T.spurious: return "its wait may end without a wake-up";
	case T.watchdog: return `has a time limit until ${op}`;
	case T.block: {
		const wait = waitAt(run, run.task[i], i);

		return "blocks" + (wait && wait.op >= 0 ? ` in ${opText(run, wait.op)}` : "");
	}
	default: return stepLabel(run, i);
	}
}

/* What follows from the decision of event @i. */
function thenText(run, i) {
	const chosen = run.chosen[i], task = run.task[i];

	if (!run.isTurn[run.type[i]])
		return "";
	if (chosen === NOBODY)
		return "no task can run";
	if (chosen === task)
		return "";
	const held = run.held[i];
	const does = held >= 0 ? `: ${opText(run, held)}` : " begins";
	const why = run.bits[i] & run.B.early ? "a time passes early, T" :
		run.bits[i] & run.B.preemption ? "preempted, T" :
		run.bits[i] & run.B.forced ? "others first, T" : "T";
	return `${why}${chosen}${does}`;
}

function waitAt(run, id, i) {
	const task = run.tasks[id], n = task ? firstAbove(task.waitFrom, i) : 0;

	return n && task.waits[n - 1].to >= i ? task.waits[n - 1] : null;
}

function endOfWait(wait) {
	switch (wait.how) {
	case "task": return wait.by === wait.task ? "ended by itself" : `ended by T${wait.by}`;
	case "outside": return "ended by none of the tasks";
	case "time": return "ended by its time-out";
	case "spurious": return "ended without a wake-up";
	case "killed": return "ended by the task's death";
	default: return "never ended";
	}
}

/* All of an event, as it is read aloud. */
function eventSentence(run, i) {
	const where = whereText(run, i), then = thenText(run, i), able = taskList(run, i);
	const what = run.type[i] === run.T.point ? `is about to ${stepText(run, i)}` : stepText(run, i);

	return `Event ${i + 1} of ${run.length}. ${taskTitle(run, run.task[i])} ${what}` +
		(where ? `, in ${where}` : "") + "." +
		(then ? ` Then: ${then}.` : "") +
		(able.length > 1 ? ` Able to run: ${able.join(", ")}.` : "");
}

function plural(n, word) {
	return `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
}

function cycleSentence(cycle) {
	if (cycle.length === 1)
		return `T${cycle[0]} waits for itself.`;
	return cycle.map((id, k) => (k ? `T${id} for T` : `T${id} waits for T`) +
		cycle[(k + 1) % cycle.length]).join(", ") + ".";
}

function livelockSentence(livelock) {
	const rounds = `the same steps, ${plural(livelock.rounds, "round")} of them`;

	if (livelock.selfish !== null)
		return `T${livelock.selfish} never yields although others could run: ${rounds}.`;
	if (livelock.starved !== null)
		return `T${livelock.starved} starves while others repeat ${rounds}.`;
	return `The tasks repeat ${rounds}, and get no further.`;
}

/* The end of what the program wrote, if it is a line that can be read. */
function lastLine(text) {
	const lines = (text || "").trim().split("\n");

	return shorten(lines[lines.length - 1].trim(), 300);
}

/* What went wrong, in a sentence or two. */
function summaryText(run) {
	const report = run.report, end = run.data.end, lines = [];

	if (report.cycle && report.cycle.length) {
		lines.push(cycleSentence(report.cycle));
	} else if (report.waits && report.waits.length) {
		const shown = report.waits.slice(0, 3);

		lines.push(shown.map((w) => `T${w.task} waits in ${w.op || w.wait || "a call"}`).join("; ") +
			(report.waits.length > 3 ? `; and ${report.waits.length - 3} more.` : "."));
	}
	if (report.livelock)
		lines.push(livelockSentence(report.livelock));
	(report.races || []).slice(0, 1).forEach((race) => lines.push(
		`T${race.first.task} and T${race.second.task} access ${race.variable || "memory"}, ` +
		"and nothing orders the two."));
	if (end.status && !lines.length)
		lines.push((report.dead_task !== null ? `T${report.dead_task} was ` : "The program ended with ")
			.replace(/was $/, end.status.startsWith("exit") ? "ended with " : "was ") + end.status +
			(report.fault && report.fault.words ? `: ${report.fault.words}` : "") + ".");
	if (report.monitor)
		lines.push(`${report.monitor.name}: ${report.monitor.said.trim()}`);
	const said = lastLine(report.stderr);
	if (said && !report.monitor && ["assert", "exit", "crash"].includes(report.verdict))
		lines.push(said);
	if (!lines.length)
		lines.push(end.bug ? "" : "No bug in this run.");
	return lines.concat(run.data.causes).join("\n");
}

function factsText(run) {
	const report = run.report;

	return [plural(report.preemptions, "preemption"), plural(report.tasks, "task"),
		plural(report.points, "point"), plural(run.length, "event"),
		report.kernel ? `kernel ${report.kernel}` : null].filter(Boolean).join(" \u00b7 ");
}

/* What the decisive event is called. */
function decisiveName(run) {
	const n = run.preemptions.length, minimal = run.data.end.minimal;

	if (!run.data.end.bug)
		return "The end";
	if (!n)
		return run.report.verdict === "race" ? "The race" : "Where it failed";
	if (n === 1)
		return minimal ? "The preemption that mattered" : "The preemption";
	return minimal ? "The last preemption that mattered" : "The last preemption";
}

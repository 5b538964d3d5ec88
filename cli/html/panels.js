// SPDX-License-Identifier: GPL-2.0-only
/*
 * What stands around the lanes: the result, why, the source of both sides, the steps around
 * the cursor, the output. All text of the program goes through textContent.
 */

function showHeader(run) {
	const report = run.report, verdict = byId("verdict");

	verdict.textContent = report.verdict + (report.partial ? " of some tasks" : "");
	verdict.classList.toggle("bug", run.data.end.bug);
	byId("program").textContent = run.data.command;
	byId("summary").textContent = summaryText(run);
	byId("facts").textContent = factsText(run);
	if (run.data.replay) {
		byId("facts").append(" \u00b7 replay it with ");
		byId("facts").append(element("code", run.data.replay));
	}
}

/* Lines around a place; the file may not have been there when the page was made. */
function showLines(card, run, place) {
	const [text, fileNumber, line] = run.data.places[place] || [0, -1, 0];
	const file = run.data.files[fileNumber], list = card.querySelector(".lines");
	const piece = file && file.pieces.find((p) => line >= p[0] && line < p[0] + p[1].length);
	const note = card.querySelector(".note");

	card.querySelector(".where").textContent = run.strings[text];
	card.title = file ? file.path : "";
	list.replaceChildren();
	note.textContent = !place ? "Where in the program is not known." :
		!file ? "The program has no line numbers for this place." :
		!piece ? "The source file could not be read when this page was made." :
		file.newer ? "The source file was changed after the program was built." : "";
	if (!piece)
		return;
	const from = Math.max(piece[0], line - 6), to = Math.min(piece[0] + piece[1].length - 1, line + 6);

	for (let n = from; n <= to; n++) {
		const item = element("li", undefined, n === line ? "here" : "");

		item.append(element("span", String(n), "number"),
			element("span", n === line ? "\u25b6" : " ", "pointer"),
			element("span", piece[1][n - piece[0]]));
		list.append(item);
	}
}

function showSide(id, title, run, place) {
	const card = byId(id);

	card.hidden = title === null;
	if (title === null)
		return;
	card.querySelector("h2").textContent = title;
	showLines(card, run, place);
}

/* Both sides of the event at the cursor. */
function showSides(run, i) {
	const report = run.report, race = (report.races || [])[0];

	if (race && i === decisiveEvent(run) && run.data.race_places[0]) {
		const kind = (side) => side.frees ? "frees it" : side.write ? "writes" : "reads";

		showSide("side-a", `T${race.first.task} ${kind(race.first)} ${race.variable}`, run,
			run.data.race_places[0][0]);
		showSide("side-b", `T${race.second.task} ${kind(race.second)} ${race.variable}`, run,
			run.data.race_places[0][1]);
		return;
	}
	const task = run.task[i], chosen = run.chosen[i], held = run.held[i];
	const turn = run.isTurn[run.type[i]] && chosen >= 0 && chosen !== task;
	const preempted = run.bits[i] & run.B.preemption;
	const own = sideEvent(run, i), step = run.type[i] === run.T.point;
	const fatal = i === run.data.end.died - 1 && run.data.death_place;

	showSide("side-a", preempted && step ? `T${task} was about to ${opText(run, i)}` :
		`T${task} ${step ? opText(run, i) : stepText(run, i)}`, run, fatal || run.where[own]);
	if (turn) {
		/* What the chosen task does first: the op it is held at, or its next one. */
		const next = held >= 0 ? held : nextOf(run, i, chosen);

		showSide("side-b", `T${chosen} ${preempted ? "ran instead" : "ran next"}: ` +
			(next >= 0 ? opText(run, next) : "to its end"), run, next >= 0 ? run.where[next] : 0);
		return;
	}
	const after = nextTurn(run, i);
	showSide("side-b", after < 0 ? null :
		`Next, event ${after + 1}: T${run.task[after]} ${stepText(run, after)}`, run,
		after < 0 ? 0 : run.where[sideEvent(run, after)]);
}

/* The event that says where a task is: of what is no point, the last one of the task. */
function sideEvent(run, i) {
	const task = run.task[i];

	for (let k = i; k >= 0 && k > i - 100000; k--)
		if (run.task[k] === task && run.where[k] && run.type[k] === run.T.point)
			return k;
	return i;
}

function nextOf(run, i, task) {
	for (let k = i + 1; k < run.length; k++)
		if (run.task[k] === task && run.type[k] === run.T.point)
			return k;
	return -1;
}

function nextTurn(run, i) {
	for (let k = i + 1; k < run.length; k++)
		if (run.isTurn[run.type[k]])
			return k;
	return -1;
}

function showSteps(run, i, select) {
	const body = byId("steps").querySelector("tbody"), count = 13;
	const from = Math.max(0, Math.min(i - 6, run.length - count)), to = Math.min(run.length, from + count);

	byId("steps-title").textContent = `Steps around event ${(i + 1).toLocaleString("en")}`;
	body.replaceChildren();
	for (let k = from; k < to; k++) {
		const row = element("tr"), go = element("button", String(k + 1)), first = element("td");

		go.setAttribute("aria-label", `Select event ${k + 1}`);
		first.append(go);
		row.append(first, element("td", taskTitle(run, run.task[k])), element("td", stepText(run, k)),
			element("td", whereText(run, k)), element("td", thenText(run, k)));
		if (k === i)
			row.setAttribute("aria-current", "true");
		row.addEventListener("click", () => select(k));
		body.append(row);
	}
}

function showOutput(run) {
	const body = byId("output-body"), report = run.report;

	for (const name of ["stdout", "stderr"]) {
		if (!report[name])
			continue;
		body.append(element("h3", name), element("pre", report[name]));
	}
	if (!body.childElementCount)
		body.append(element("p", "The trace has none.", "soft"));
}

/* A list entry with a button that goes to an event. */
function fact(list, text, soft, seq, select) {
	const item = element("li"), line = element("div", undefined, "line");

	line.append(element("span", text));
	if (seq && select) {
		const go = element("button", `event ${seq}`);

		go.addEventListener("click", () => select(seq - 1));
		line.append(go);
	}
	item.append(line);
	if (soft)
		item.append(element("div", soft, "soft"));
	list.append(item);
}

const holds = {
	has: "has it since", lost: "had it when a fork made this copy, since", is: "is what it waits for",
	took: "took it in", gave: "gave it last in", gone: "has ended, and gave it last in",
	may: "could end it",
};

function showWaits(run, list, select) {
	run.report.waits.slice(0, 8).forEach((wait) => {
		const holders = wait.holders.slice(0, 2).map((h) => `T${h.task} ${holds[h.how] || h.how}` +
			(h.op ? ` ${h.op}` : "") + (h.where ? `, ${h.where}` : ""));
		const lost = wait.lost ? [`a lost wake-up: signalled before, last in event ${wait.lost.last.seq}`]
			: [];

		fact(list, `T${wait.task} waits in ${wait.op || wait.wait || "a call"}`,
			[wait.where, ...holders, ...lost].filter(Boolean).join("; "), wait.seq, select);
	});
	if (run.report.waits.length > 8)
		fact(list, `and ${run.report.waits.length - 8} more`);
}

function showPreemptions(run, list, select) {
	const points = run.report.preemption_points || [];

	points.slice(0, 6).forEach((p) => fact(list,
		`T${p.task} was preempted before ${p.op ? opText(run, p.seq - 1) : p.type}`,
		p.instead ? `T${p.instead.task} ran instead: ${opText(run, p.instead.seq - 1)}` : "", p.seq, select));
	if (run.preemptions.length > 6)
		fact(list, `and ${(run.preemptions.length - 6).toLocaleString("en")} more`);
}

function showFault(run, list, select) {
	const report = run.report, fault = report.fault, died = run.data.end.died;

	if (report.dead_task === null)
		return;
	fact(list, `T${report.dead_task} ${run.data.end.status}` +
		(fault && fault.words ? `: ${fault.words}` : ""), fault ? fault.stack.slice(0, 6).join(" \u2190 ") :
		"", died, select);
}

/* What is wrong, drawn where it is a cycle, and else as a list. */
function showWhy(run, select) {
	const report = run.report, body = byId("why-body"), list = element("ul", undefined, "facts");
	const cycle = report.cycle || [];

	byId("why-title").textContent = cycle.length ? "Who waits for whom" :
		report.livelock ? "What repeats" : report.waits && report.waits.length ? "Who waits" :
		report.races && report.races.length ? "The race" : run.data.end.bug ? "How it failed" : "How it ended";
	if (cycle.length)
		body.append(drawCycle(run, cycle));
	showFault(run, list, select);
	if (report.livelock)
		report.livelock.steps.slice(0, 8).forEach((s) =>
			fact(list, `T${s.task} ${stepText(run, s.seq - 1)}`, s.where, s.seq, select));
	(report.races || []).slice(0, 3).forEach((race) => [race.first, race.second].forEach((side) =>
		fact(list, `T${side.task} ${side.frees ? "frees" : side.write ? "writes" : "reads"} ` +
			(race.variable || "memory"), side.where, side.after_event, select)));
	if (report.waits && report.waits.length)
		showWaits(run, list, select);
	if (!cycle.length && run.preemptions.length)
		showPreemptions(run, list, select);
	if (!list.childElementCount)
		fact(list, run.data.end.status || "The program ended.");
	body.append(list);
}

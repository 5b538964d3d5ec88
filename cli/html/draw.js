// SPDX-License-Identifier: GPL-2.0-only
/*
 * Draws the lanes: only rows and events that are in sight, and of bars narrower than a pixel
 * only one for each pixel, so that a run of any length takes the same time. From near, events
 * are boxes with text; from far, bars.
 */

const NEAR = 30, MIDDLE = 5, ARROWS = 3;

function readColours() {
	const style = getComputedStyle(document.documentElement), colours = {};

	for (const name of ["ground", "paper", "ink", "soft", "line", "faint", "run", "run-edge", "ready",
		"block", "block-edge", "mark", "mark-ground", "wake", "lock", "lock-edge", "select",
		"bad", "good"])
		colours[name] = style.getPropertyValue("--" + name).trim();
	colours.mono = style.getPropertyValue("--mono");
	colours.sans = style.getPropertyValue("--sans");
	colours.hatch = makeHatch(colours["block-edge"], colours.block, 7);
	colours.stripes = makeHatch(colours["lock-edge"], colours.lock, 0);
	return colours;
}

/* Slanting lines, or dots where @step is 0; they say the same without colour. */
function makeHatch(line, ground, step) {
	const tile = document.createElement("canvas"), size = step || 5;

	tile.width = tile.height = size;
	const c = tile.getContext("2d");
	c.fillStyle = ground;
	c.fillRect(0, 0, size, size);
	c.strokeStyle = c.fillStyle = line;
	if (step) {
		c.lineWidth = 1.1;
		c.beginPath();
		for (let k = -1; k <= 1; k++) {
			c.moveTo(k * size - 1, size + 1);
			c.lineTo(k * size + size + 1, -1);
		}
		c.stroke();
	} else {
		c.fillRect(0, 0, 1, 1);
	}
	return c.createPattern(tile, "repeat");
}

/* Sizes a canvas for the screen it is on; the context then takes CSS pixels. */
function fitCanvas(canvas, width, height) {
	const ratio = window.devicePixelRatio || 1, c = canvas.getContext("2d", { alpha: false });

	if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
	}
	c.setTransform(ratio, 0, 0, ratio, 0, 0);
	return c;
}

const cutTexts = new Map();

/* As much of @text as fits, with dots where it was cut. */
function cutText(c, text, width) {
	const key = c.font + "\n" + Math.floor(width) + "\n" + text;
	let cut = cutTexts.get(key);

	if (cut !== undefined)
		return cut;
	cut = text.length > 200 ? text.slice(0, 200) : text;
	if (c.measureText(cut).width > width) {
		let low = 0, high = cut.length;

		while (low < high) {
			const middle = (low + high + 1) >> 1;

			if (c.measureText(cut.slice(0, middle) + "\u2026").width <= width)
				low = middle;
			else
				high = middle - 1;
		}
		cut = low ? cut.slice(0, low) + "\u2026" : "";
	}
	if (cutTexts.size > 20000)
		cutTexts.clear();
	cutTexts.set(key, cut);
	return cut;
}

/* The same of a place, of which the end with the line counts most. */
function cutFront(c, text, width) {
	const turned = cutText(c, [...text].reverse().join(""), width);

	return [...turned].reverse().join("");
}

/*
 * Calls draw(left, right, k, several) for the bars k of sorted @from and @to in sight. Seen from
 * far those that begin or end in the same pixel are one bar, of which k is the first; of those
 * within a pixel one is visited.
 */
function bars(view, from, to, draw) {
	const first = view.x, last = view.x + leftmost(view), far = view.scale < 1;
	let k = firstAbove(to, first), begin = 0, end = -9, number = 0, latest = 0;

	while (k < from.length && from[k] <= last) {
		const left = Math.max(GUTTER, xOf(view, from[k]));
		const right = Math.max(left + 1, Math.min(view.width, xOf(view, to[k])));

		if (!far) {
			draw(left, right, k++, false);
			continue;
		}
		if (left > end + 1) {
			if (end > 0)
				draw(begin, end, number, latest > number);
			begin = left;
			number = k;
		}
		end = right;
		latest = k;
		k = Math.max(k + 1, firstAbove(to, view.x + (Math.floor(right - GUTTER) + 1) / view.scale));
	}
	if (end > 0)
		draw(begin, end, number, latest > number);
}

function drawLanes(canvas, view, colours) {
	const c = fitCanvas(canvas, view.width, view.height), top = RULER + NOTES;

	c.fillStyle = colours.paper;
	c.fillRect(0, 0, view.width, view.height);
	c.save();
	c.beginPath();
	c.rect(0, top, view.width, view.height - top);
	c.clip();
	const rows = view.rows.filter((row) => row.y + row.height > view.y &&
		row.y < view.y + view.height - top);
	rows.forEach((row) => drawGround(c, view, colours, row));
	drawMarks(c, view, colours);
	rows.forEach((row) => {
		if (row.kind === "task")
			drawTask(c, view, colours, row);
		else if (row.kind === "lock")
			drawLock(c, view, colours, row);
	});
	if (view.scale >= MIDDLE)
		drawSteps(c, view, colours);
	if (view.scale >= ARROWS)
		drawArrows(c, view, colours);
	drawCursor(c, view, colours);
	rows.forEach((row) => drawName(c, view, colours, row));
	c.restore();
	drawRuler(c, view, colours);
	if (view.contents + 8 > view.height - top)
		drawScrollbar(c, view, colours, top);
}

function topOf(view, row) {
	return RULER + NOTES + row.y - view.y;
}

function drawGround(c, view, colours, row) {
	const y = topOf(view, row);

	c.fillStyle = row.kind === "heading" ? colours.ground : colours.line;
	if (row.kind === "heading")
		c.fillRect(0, y, view.width, row.height);
	else
		c.fillRect(0, y + row.height - 1, view.width, 1);
}

/* Preemptions as bands through all lanes, the decisive one stronger; from far only that one. */
function drawMarks(c, view, colours) {
	const run = view.run, list = view.scale >= MIDDLE ? run.preemptions : [view.decisive];
	let k = firstAbove(list, view.x - 1);

	for (; k < list.length && list[k] < view.x + leftmost(view); k++) {
		const x = xOf(view, list[k]), width = Math.max(2, view.scale);

		if (!(run.bits[list[k]] & run.B.preemption))
			continue;
		c.fillStyle = colours["mark-ground"];
		c.fillRect(Math.max(GUTTER, x), RULER + NOTES, width, view.height);
		if (list[k] === view.decisive) {
			c.strokeStyle = colours.mark;
			c.lineWidth = 2;
			c.setLineDash([6, 4]);
			c.beginPath();
			c.moveTo(x + 1, RULER + NOTES);
			c.lineTo(x + 1, view.height);
			c.moveTo(x + width - 1, RULER + NOTES);
			c.lineTo(x + width - 1, view.height);
			c.stroke();
			c.setLineDash([]);
		}
	}
}

function drawTask(c, view, colours, row) {
	const task = row.task, y = topOf(view, row), middle = y + row.height / 2;
	const half = view.scale >= NEAR ? 3 : Math.min(9, row.height / 4);

	c.fillStyle = colours.line;
	bars(view, [task.born], [task.gone], (left, right) =>
		c.fillRect(left, middle - 0.5, right - left, 1));
	c.strokeStyle = colours.ready;
	c.lineWidth = 1.5;
	c.setLineDash(view.scale < 1 ? [] : [2, 4]);
	c.beginPath();
	bars(view, task.readyFrom, task.readyTo, (left, right) => {
		c.moveTo(left, middle);
		c.lineTo(right, middle);
	});
	c.stroke();
	c.setLineDash([]);
	c.fillStyle = colours["run-edge"];
	c.beginPath();
	bars(view, task.runFrom, task.runTo, (left, right) =>
		c.rect(left, middle - half, right - left, 2 * half));
	c.fill();
	bars(view, task.waitFrom, task.waitTo, (left, right, k, several) =>
		drawWait(c, view, colours, row, left, right, several ? null : task.waits[k]));
}

/* A wait, from the block on; what it waits for and what ended it stand in it. null: several. */
function drawWait(c, view, colours, row, left, right, wait) {
	const run = view.run, y = topOf(view, row), near = view.scale >= NEAR;
	const begin = near && wait ? Math.max(left, xOf(view, wait.from) + view.scale) : left;
	const height = near ? row.height - 2 * view.inset - 4 : Math.min(18, row.height - 12);
	const up = y + (row.height - height) / 2 - 0.5;

	if (right - begin < 1)
		return;
	c.fillStyle = colours.hatch;
	c.fillRect(begin, up, right - begin, height);
	c.strokeStyle = colours["block-edge"];
	c.lineWidth = 1;
	if (right - begin < 5)
		return;
	c.strokeRect(begin + 0.5, up + 0.5, right - begin - 1, height - 1);
	if (!wait)
		return;
	const text = (wait.op >= 0 ? `waits in ${opText(run, wait.op)}, ` : "waits, ") + endOfWait(wait);

	c.font = `12px ${colours.sans}`;
	const shown = cutText(c, text, right - begin - 20);
	if (shown.length < 6)
		return;
	c.fillStyle = colours.paper;
	c.fillRect(begin + 5, up + height / 2 - 9, c.measureText(shown).width + 8, 18);
	c.fillStyle = colours.ink;
	c.textAlign = "left";
	c.textBaseline = "middle";
	c.fillText(shown, begin + 9, up + height / 2 + 0.5);
}

function drawLock(c, view, colours, row) {
	const lock = row.lock, y = topOf(view, row);

	bars(view, lock.from, lock.to, (left, right, k, several) => {
		c.fillStyle = lock.shared[k] ? colours.stripes : colours.lock;
		c.fillRect(left, y + 3, right - left, row.height - 7);
		if (right - left < 4)
			return;
		c.strokeStyle = colours["lock-edge"];
		c.lineWidth = 1.2;
		c.strokeRect(left + 0.6, y + 3.6, right - left - 1.2, row.height - 8.2);
		c.font = `12px ${colours.sans}`;
		const text = several ? "" : cutText(c, `T${lock.task[k]} ` + (lock.shared[k] ? "shares it" : "has it"),
			right - left - 10);

		if (text.length < 2)
			return;
		c.textBaseline = "middle";
		c.textAlign = "left";
		if (lock.shared[k]) {
			c.fillStyle = colours.lock;
			c.fillRect(left + 3, y + 5, c.measureText(text).width + 6, row.height - 11);
		}
		c.fillStyle = colours.ink;
		c.fillText(text, left + 6, y + row.height / 2);
	});
}

function drawSteps(c, view, colours) {
	const run = view.run, from = Math.max(0, Math.floor(view.x));
	const to = Math.min(run.length, Math.ceil(view.x + leftmost(view)));

	for (let i = from; i < to; i++) {
		const row = view.rowOf.get(run.task[i]), chosen = run.chosen[i];

		if (row)
			drawStep(c, view, colours, row, i, i, stepLabel(run, i));
		if (!run.isTurn[run.type[i]] || chosen < 0 || chosen === run.task[i])
			continue;
		const other = view.rowOf.get(chosen), held = run.held[i];

		if (other)
			drawStep(c, view, colours, other, i, held, held >= 0 ? opText(run, held) : "begins");
	}
}

/* The look of a step: what shape its box has and how it is drawn. */
function styleOf(view, i, at, resumed) {
	const run = view.run, T = run.T, type = run.type[i];

	if (resumed)
		return "done";
	if (type === T.point)
		return run.chosen[i] === run.task[i] ? "done" : "held";
	if (type === T.block)
		return "blocks";
	if (type === T.exit || type === T.killed)
		return "ends";
	return "note";
}

/* @at: the column; @i: the event whose op it is, an earlier one where a task continues. */
function drawStep(c, view, colours, row, at, i, label) {
	const run = view.run, x = xOf(view, at), y = topOf(view, row);
	const resumed = i !== at, style = styleOf(view, at, i, resumed);
	const left = x + 2, width = view.scale - 4, height = row.height - 2 * view.inset;
	const up = y + view.inset;

	if (x + view.scale < GUTTER || y > view.height || y + row.height < RULER + NOTES)
		return;
	if (view.scale < NEAR) {
		c.fillStyle = style === "blocks" ? colours["block-edge"] : colours["run-edge"];
		if (style === "done")
			c.fillRect(x + view.scale / 2 - 1.5, up, 3, height);
		else if (style === "held")
			c.fillRect(x + view.scale / 2 - 0.5, up, 1, height);
		return;
	}
	const preempted = run.bits[at] & run.B.preemption;
	const edge = { done: "run-edge", held: preempted ? "mark" : "run-edge", blocks: "block-edge", ends: "ink",
		note: "ready" }[style];
	const ground = { done: "run", held: "paper", blocks: "block", ends: "faint", note: "paper" }[style];

	c.fillStyle = colours[ground];
	c.strokeStyle = colours[edge];
	c.lineWidth = style === "held" ? 2 : 1.25;
	c.setLineDash(style === "held" ? [5, 3] : style === "note" ? [1, 2] : []);
	c.beginPath();
	c.roundRect(left, up, width, height, style === "ends" ? 0 : 4);
	c.fill();
	c.stroke();
	c.setLineDash([]);
	drawStepText(c, view, colours, i, label, style, left, up, width, height, resumed);
}

function drawStepText(c, view, colours, i, label, style, left, up, width, height, resumed) {
	const run = view.run, room = width - 12, tall = height >= 32;
	const where = tall && i >= 0 && style !== "blocks" ? shortWhere(run, i) : "";
	const middle = up + height / 2 + 0.5;

	if (room < 12)
		return;
	c.textAlign = "left";
	c.textBaseline = "middle";
	c.fillStyle = colours.ink;
	c.font = `${style === "held" ? "600 " : ""}12.5px ${colours.mono}`;
	c.fillText(cutText(c, (resumed && i >= 0 ? "\u2026" : "") + label, room), left + 6,
		where ? middle - 8 : middle);
	if (!where)
		return;
	c.font = `11px ${colours.sans}`;
	c.fillStyle = colours.soft;
	const long = `not yet, ${where}`;

	c.fillText(style === "held" && c.measureText(long).width <= room ? long :
		cutFront(c, where, room), left + 6, middle + 8);
}

function arrow(c, x, from, to, size) {
	const down = to > from ? 1 : -1;

	c.beginPath();
	c.moveTo(x, from);
	c.lineTo(x, to - down * size);
	c.stroke();
	c.setLineDash([]);
	c.beginPath();
	c.moveTo(x, to);
	c.lineTo(x - size * 0.6, to - down * size);
	c.lineTo(x + size * 0.6, to - down * size);
	c.closePath();
	c.fill();
}

/* From lane to lane: who runs next, and who wakes whom. */
function drawArrows(c, view, colours) {
	const run = view.run, from = Math.max(0, Math.floor(view.x));
	const to = Math.min(run.length, Math.ceil(view.x + leftmost(view)));
	const edge = (row, down) => topOf(view, row) + (down ? row.height - view.inset : view.inset);

	for (let i = from; i < to; i++) {
		const here = view.rowOf.get(run.task[i]);
		const wake = run.type[i] === run.T.wake && run.other[i] >= 0;
		const turn = run.isTurn[run.type[i]] && run.chosen[i] >= 0 && run.chosen[i] !== run.task[i];
		const there = view.rowOf.get(wake ? run.other[i] : turn ? run.chosen[i] : -1);

		if (!here || !there || here === there)
			continue;
		const source = wake ? there : here, target = wake ? here : there;
		const down = target.y > source.y, x = xOf(view, i) + view.scale * (wake ? 0.5 : 0.86);
		const mark = run.bits[i] & run.B.preemption;

		if (x < GUTTER + 4)
			continue;
		c.strokeStyle = c.fillStyle = wake ? colours.wake : mark ? colours.mark : colours.ink;
		c.lineWidth = mark ? 3 : wake ? 2 : 1.25;
		c.setLineDash(wake ? [4, 3] : []);
		arrow(c, x, edge(source, down), edge(target, !down), mark ? 10 : 7);
		if (wake) {
			/* A ring where the arrow begins, since it is dashed only from near. */
			c.lineWidth = 1.5;
			c.beginPath();
			c.arc(x, edge(source, down), 3, 0, 7);
			c.stroke();
		}
	}
}

function drawCursor(c, view, colours) {
	const x = xOf(view, view.cursor), row = view.rowOf.get(view.run.task[view.cursor]);

	if (x + view.scale < GUTTER || !row)
		return;
	c.strokeStyle = colours.select;
	c.lineWidth = 2.5;
	if (view.scale >= NEAR) {
		c.beginPath();
		c.roundRect(x - 0.5, topOf(view, row) + view.inset - 3, view.scale + 1,
			row.height - 2 * view.inset + 6, 6);
		c.stroke();
	} else {
		c.beginPath();
		c.moveTo(x + view.scale / 2, RULER + NOTES);
		c.lineTo(x + view.scale / 2, view.height);
		c.stroke();
	}
}

function drawName(c, view, colours, row) {
	const y = topOf(view, row), middle = y + row.height / 2;

	c.fillStyle = row.kind === "heading" ? colours.ground : colours.paper;
	c.fillRect(0, y, GUTTER - 1, row.height - (row.kind === "heading" ? 0 : 1));
	c.textBaseline = "middle";
	c.textAlign = "left";
	if (row.kind === "heading") {
		c.font = `600 11.5px ${colours.sans}`;
		c.fillStyle = colours.soft;
		c.fillText("Locks" + (row.left ? `, and ${row.left} more` : ""), 12, middle);
	} else if (row.kind === "lock") {
		c.font = `12.5px ${colours.mono}`;
		c.fillStyle = colours.ink;
		c.fillText(cutText(c, row.lock.label, GUTTER - 24), 12, middle);
	} else {
		drawTaskName(c, colours, row, middle);
	}
	c.fillStyle = colours.line;
	c.fillRect(GUTTER - 1, y, 1, row.height);
}

function drawTaskName(c, colours, row, middle) {
	const task = row.task, name = task.name || "";
	const two = row.height >= 42, kind = task.process === task.id && task.id ? "process" : "";
	const below = two ? [name, kind].filter(Boolean).join(", ") : "";
	const number = "T" + task.id;

	c.fillStyle = colours.ink;
	c.font = `700 14px ${colours.sans}`;
	c.fillText(number, 12, below ? middle - 8 : middle);
	const after = 12 + c.measureText(number).width + 8;

	c.fillStyle = colours.soft;
	c.font = `12px ${colours.mono}`;
	if (below)
		c.fillText(cutText(c, below, GUTTER - 22), 12, middle + 9);
	else
		c.fillText(cutText(c, name, GUTTER - after - 8), after, middle);
}

/* Numbers of events, and above the lanes what the bands mean. */
function drawRuler(c, view, colours) {
	const run = view.run, shown = leftmost(view);
	let step = 1;

	while (step * view.scale < 58)
		step *= String(step)[0] === "2" ? 2.5 : 2;
	c.fillStyle = colours.paper;
	c.fillRect(0, 0, view.width, RULER + NOTES);
	c.font = `11.5px ${colours.sans}`;
	c.textBaseline = "middle";
	c.textAlign = "left";
	c.fillStyle = colours.soft;
	c.fillText("event", 12, RULER / 2 + 1);
	c.save();
	c.beginPath();
	c.rect(GUTTER, 0, view.width - GUTTER, RULER + NOTES);
	c.clip();
	const centred = view.scale >= NEAR;
	for (let n = Math.max(step, Math.floor(view.x / step) * step); n <= view.x + shown + step; n += step) {
		if (n < 1 || n > run.length)
			continue;
		const x = xOf(view, n - 1) + (centred ? view.scale / 2 : 0);

		c.textAlign = centred ? "center" : "left";
		c.fillStyle = colours.soft;
		c.fillText(n.toLocaleString("en"), centred ? x : x + 3, RULER / 2 + 1);
		if (!centred)
			c.fillRect(x, 3, 1, RULER - 4);
	}
	drawFlags(c, view, colours);
	c.restore();
	c.fillStyle = colours.line;
	c.fillRect(0, RULER + NOTES - 1, view.width, 1);
}

/* The decisive one has its name; the others a triangle. */
function drawFlags(c, view, colours) {
	const list = view.run.preemptions, y = RULER + 2, height = NOTES - 5;
	let k = firstAbove(list, view.x - 1), pixel = -9;

	for (; k < list.length && list[k] < view.x + leftmost(view); k++) {
		const x = xOf(view, list[k]) + view.scale / 2;

		/* The next one that has room. */
		if (x - pixel < 12) {
			k = Math.max(k, firstAbove(list, view.x + (pixel + 12 - GUTTER) / view.scale - 1) - 1);
			continue;
		}
		pixel = x;
		c.fillStyle = colours.mark;
		c.beginPath();
		c.moveTo(x - 6, y + 5);
		c.lineTo(x + 6, y + 5);
		c.lineTo(x, y + height);
		c.closePath();
		c.fill();
	}
	drawDecisiveFlag(c, view, colours, y, height);
}

function drawDecisiveFlag(c, view, colours, y, height) {
	const label = decisiveName(view.run), x = xOf(view, view.decisive);

	if (x + view.scale < GUTTER || x > view.width)
		return;
	c.font = `600 12px ${colours.sans}`;
	const width = c.measureText("\u25bc " + label).width + 14;
	const left = Math.max(GUTTER + 2, Math.min(view.width - width - 2,
		x + view.scale / 2 - width / 2));

	c.fillStyle = colours["mark-ground"];
	c.strokeStyle = colours.mark;
	c.lineWidth = 1.5;
	c.beginPath();
	c.roundRect(left, y, width, height, 4);
	c.fill();
	c.stroke();
	c.fillStyle = colours.mark;
	c.textAlign = "left";
	c.textBaseline = "middle";
	c.fillText("\u25bc " + label, left + 7, y + height / 2 + 0.5);
}

function drawScrollbar(c, view, colours, top) {
	const room = view.height - top, all = view.contents + 8;

	c.fillStyle = colours.faint;
	c.fillRect(view.width - 7, top, 7, room);
	c.fillStyle = colours.ready;
	c.beginPath();
	c.roundRect(view.width - 6, top + view.y / all * room, 5, Math.max(18, room / all * room), 2.5);
	c.fill();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keys, pointer, search and buttons. Each changes the view or the cursor and asks main.js for
 * one frame.
 */

const keysHelp = [
	["\u2190 \u2192", "previous, next event"],
	["\u2191 \u2193", "nearest event of the lane above, below"],
	["n  p", "next, previous decision that changes the task"],
	["N  P", "next, previous preemption"],
	["d", "the preemption that mattered, or where it failed"],
	["Page Up, Page Down", "a screen to the left, to the right"],
	["Home  End", "first, last event"],
	["/", "search; Enter and Shift Enter: next, previous match"],
	["+  -", "zoom in, out"],
	["0", "the whole run"],
	["?", "these keys"],
];

function connect(app) {
	const { view, run } = app;

	byId("decisive").textContent = decisiveName(run);
	byId("decisive").addEventListener("click", () => app.first());
	byId("next").addEventListener("click", () => step(app, run.switches, 1));
	byId("previous").addEventListener("click", () => step(app, run.switches, -1));
	byId("zoom-in").addEventListener("click", () => zoomAtCursor(app, 1.5));
	byId("zoom-out").addEventListener("click", () => zoomAtCursor(app, 1 / 1.5));
	byId("zoom-all").addEventListener("click", () => zoomAll(app));
	byId("help-open").addEventListener("click", () => byId("help").showModal());
	keysHelp.forEach(([key, text]) => byId("help-list").append(element("dt", key), element("dd", text)));
	document.addEventListener("keydown", (event) => onKey(app, event));
	connectSearch(app);
	connectPointer(app, byId("lanes"));
	connectOverview(app, byId("overview"));
	window.addEventListener("resize", () => app.resize());
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => app.recolour());
	view.found = [];
}

/* To the next or previous of a sorted list of events. */
function step(app, list, direction) {
	const i = app.view.cursor;
	const k = direction > 0 ? firstAbove(list, i) : firstAbove(list, i - 1) - 1;

	if (k >= 0 && k < list.length)
		app.select(list[k]);
}

function zoomAtCursor(app, factor) {
	const { view } = app, x = xOf(view, view.cursor + 0.5);

	zoom(view, factor, x > GUTTER && x < view.width ? x : GUTTER + (view.width - GUTTER) / 2);
	app.draw();
}

function zoomAll(app) {
	app.view.scale = smallestScale(app.view);
	app.view.x = 0;
	clampView(app.view);
	app.draw();
}

/* The event of the lane above or below that is nearest to the cursor. */
function moveLane(app, direction) {
	const { view, run } = app, lanes = view.rows.filter((row) => row.kind === "task");
	const here = lanes.findIndex((row) => row.task.id === run.task[view.cursor]);
	const lane = lanes[here + direction];

	if (!lane)
		return;
	for (let d = 1; d < run.length; d++)
		for (const i of [view.cursor + d, view.cursor - d])
			if (i >= 0 && i < run.length && run.task[i] === lane.task.id) {
				app.select(i);
				return;
			}
}

function page(app, direction) {
	const { view, run } = app, shown = Math.max(1, Math.floor(leftmost(view) * 0.9));

	view.x += direction * shown;
	app.select(clampEvent(run, view.cursor + direction * shown));
}

function onKey(app, event) {
	const { view, run } = app, search = byId("search");

	if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open)
		return;
	if (event.target === search) {
		if (event.key === "Escape") {
			byId("lanes").focus();
			event.preventDefault();
		}
		return;
	}
	const actions = {
		ArrowLeft: () => app.select(clampEvent(run, view.cursor - 1)),
		ArrowRight: () => app.select(clampEvent(run, view.cursor + 1)),
		ArrowUp: () => moveLane(app, -1),
		ArrowDown: () => moveLane(app, 1),
		PageUp: () => page(app, -1),
		PageDown: () => page(app, 1),
		Home: () => app.select(0),
		End: () => app.select(run.length - 1),
		n: () => step(app, run.switches, 1),
		p: () => step(app, run.switches, -1),
		N: () => step(app, run.preemptions, 1),
		P: () => step(app, run.preemptions, -1),
		d: () => app.first(),
		"/": () => { search.focus(); search.select(); },
		"+": () => zoomAtCursor(app, 1.5),
		"=": () => zoomAtCursor(app, 1.5),
		"-": () => zoomAtCursor(app, 1 / 1.5),
		0: () => zoomAll(app),
		"?": () => byId("help").showModal(),
	};

	if (!Object.hasOwn(actions, event.key))
		return;
	if (event.target instanceof HTMLButtonElement && event.key.startsWith("Arrow"))
		byId("lanes").focus({ preventScroll: true });
	actions[event.key]();
	event.preventDefault();
}

/* Events whose op, place or task has the text; asked of each different text once only. */
function searchRun(run, text) {
	const wanted = text.toLowerCase(), found = [];
	const has = run.strings.map((s) => s.toLowerCase().includes(wanted));
	const places = run.data.places.map((p) => has[p[0]]);
	const types = run.typeNames.map((name) => name.includes(wanted));
	const tasks = run.tasks.map((task) => ("t" + task.id) === wanted ||
		(task.name || "").toLowerCase().includes(wanted));

	if (/^\d+$/.test(wanted) && +wanted >= 1 && +wanted <= run.length)
		found.push(wanted - 1);
	for (let i = 0; i < run.length; i++)
		if (has[run.what[i]] || places[run.where[i]] || types[run.type[i]] || tasks[run.task[i]])
			found.push(i);
	return [...new Set(found)].sort((a, b) => a - b);
}

function connectSearch(app) {
	const input = byId("search"), output = byId("found"), { view, run } = app;
	const place = () => {
		const k = view.found.indexOf(view.cursor);

		return k < 0 ? plural(view.found.length, "step") : `${k + 1} of ${view.found.length}`;
	};
	let searched = "";
	const look = () => {
		if (searched === input.value)
			return;
		searched = input.value;
		view.found = searched ? searchRun(run, searched) : [];
		output.textContent = !searched ? "" : view.found.length ? place() : "not found";
		app.draw();
	};

	input.addEventListener("input", look);
	input.addEventListener("keydown", (event) => {
		if (event.key !== "Enter")
			return;
		event.preventDefault();
		look();
		if (!view.found.length)
			return;
		const k = event.shiftKey ? firstAbove(view.found, view.cursor - 1) - 1 :
			firstAbove(view.found, view.cursor);

		app.select(view.found[(k + view.found.length) % view.found.length]);
		output.textContent = place();
	});
}

function connectPointer(app, canvas) {
	const { view, run } = app;
	let held = null;

	canvas.addEventListener("pointerdown", (event) => {
		if (event.button)
			return;
		held = { x: event.offsetX, y: event.offsetY, viewX: view.x, viewY: view.y, moved: false };
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener("pointermove", (event) => {
		if (!held)
			return;
		const dx = event.offsetX - held.x, dy = event.offsetY - held.y;

		if (Math.abs(dx) + Math.abs(dy) > 4)
			held.moved = true;
		if (!held.moved)
			return;
		canvas.classList.add("held");
		view.x = held.viewX - dx / view.scale;
		view.y = held.viewY - dy;
		clampView(view);
		app.draw();
	});
	canvas.addEventListener("pointerup", (event) => {
		const moved = held && held.moved;

		held = null;
		canvas.classList.remove("held");
		if (!moved && event.offsetX >= GUTTER)
			app.select(pick(view, run, event.offsetX, event.offsetY));
	});
	canvas.addEventListener("pointercancel", () => { held = null; });
	canvas.addEventListener("wheel", (event) => {
		const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
		const unit = event.deltaMode === 1 ? 16 : 1, before = [view.x, view.y];

		if (event.ctrlKey) {
			zoom(view, Math.exp(-event.deltaY * unit * 0.0022), event.offsetX);
		} else if (sideways) {
			view.x += (event.deltaX || event.deltaY) * unit / view.scale;
		} else {
			view.y += event.deltaY * unit;
		}
		clampView(view);
		/* At an end the page itself scrolls. */
		if (event.ctrlKey || before[0] !== view.x || before[1] !== view.y)
			event.preventDefault();
		app.draw();
	}, { passive: false });
}

/* The event under the pointer; in a lane the nearest one of its task. */
function pick(view, run, x, y) {
	const i = clampEvent(run, eventAt(view, x)), row = rowAt(view, y);

	if (!row || row.kind !== "task")
		return i;
	const reach = Math.max(3, Math.ceil(8 / view.scale));

	for (let d = 0; d <= reach; d++)
		for (const k of [i + d, i - d])
			if (k >= 0 && k < run.length && (run.task[k] === row.task.id ||
				(d === 0 && run.chosen[k] === row.task.id)))
				return k;
	return i;
}

function connectOverview(app, canvas) {
	const { view, run } = app;
	let held = false;
	const go = (event) => {
		const i = (event.offsetX - GUTTER) / (view.width - GUTTER) * run.end;

		view.x = i - leftmost(view) / 2;
		clampView(view);
		app.draw();
	};

	canvas.addEventListener("pointerdown", (event) => {
		held = true;
		canvas.setPointerCapture(event.pointerId);
		go(event);
	});
	canvas.addEventListener("pointermove", (event) => { if (held) go(event); });
	canvas.addEventListener("pointerup", () => { held = false; });
	canvas.addEventListener("pointercancel", () => { held = false; });
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page of a search: how many happens-before classes were seen after how many runs, when bugs
 * were found, the traces with links to their pages, and the account of the search in words.
 */

const HEIGHT = 250, LEFT = 56, RIGHT = 18, TOP = 34, BOTTOM = 34;

/* Round numbers from 0 on, at most five steps. */
function ticks(most) {
	const rough = Math.max(most, 1) / 5, power = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough);
	const whole = Math.max(step, most < 5 ? most / 4 : 1), list = [];

	for (let at = 0; at <= most + whole / 1000; at += Math.max(whole, step))
		list.push(at);
	return list;
}

function number(value) {
	return value >= 10 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(2);
}

/* A sentence with what the picture shows, for those who do not see it. */
function curveSentence(curve) {
	const last = curve.runs.length - 1;

	if (last < 0)
		return "No run was made.";
	const classes = curve.classes[last], half = curve.classes.findIndex((n) => n * 2 >= classes);

	return `${number(curve.runs[last])} runs in ${number(curve.seconds[last])} s, ${classes} ` +
		`happens-before classes, half of them after ${number(curve.runs[half])} runs; ` +
		`${curve.found[last]} failing.`;
}

function pathOf(points) {
	return points.map(([x, y], i) => (i ? `H${x.toFixed(1)}V` : `M${x.toFixed(1)} `) + y.toFixed(1)).join("");
}

function drawCurve(data, byTime, width) {
	const curve = data.curve, xs = byTime ? curve.seconds : curve.runs, n = xs.length;
	const mostX = Math.max(xs[n - 1] || 0, byTime ? 0.01 : 1), mostY = Math.max(1, ...curve.classes);
	const x = (value) => LEFT + value / mostX * (width - LEFT - RIGHT);
	const y = (value) => HEIGHT - BOTTOM - value / mostY * (HEIGHT - TOP - BOTTOM);
	const picture = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img",
		"aria-labelledby": "curve-title", "aria-describedby": "chart-text" });

	for (const value of ticks(mostY)) {
		picture.append(svg("line", { x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value), class: "grid" }));
		picture.append(svg("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, number(value)));
	}
	for (const value of ticks(mostX)) {
		picture.append(svg("line", { x1: x(value), x2: x(value), y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM + 5,
			class: "axis" }));
		picture.append(svg("text", { x: x(value), y: HEIGHT - BOTTOM + 19, "text-anchor": "middle" },
			number(value)));
	}
	picture.append(svg("line", { x1: LEFT, x2: width - RIGHT, y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM,
		class: "axis" }));
	picture.append(svg("text", { x: width - RIGHT, y: HEIGHT - 2, "text-anchor": "end" },
		byTime ? "seconds" : "runs"));
	picture.append(svg("text", { x: LEFT - 48, y: 14 }, "happens-before classes"));
	/* A class count that falls: the search began again, with other points. */
	for (let from = 0, i = 1; i <= n; i++) {
		if (i < n && curve.classes[i] >= curve.classes[i - 1])
			continue;
		picture.append(svg("path", { d: pathOf(xs.slice(from, i).map((v, k) =>
			[x(v), y(curve.classes[from + k])])), class: "course" }));
		if (i < n) {
			picture.append(svg("line", { x1: x(xs[i]), x2: x(xs[i]), y1: TOP, y2: HEIGHT - BOTTOM,
				class: "again" }));
			picture.append(svg("text", { x: x(xs[i]) + 5, y: TOP + 10 }, "began again"));
		}
		from = i;
	}
	for (let i = 0; i < n; i++) {
		const before = i ? curve.found[i - 1] : 0;

		if (curve.found[i] <= before)
			continue;
		const at = x(xs[i]);

		picture.append(svg("line", { x1: at, x2: at, y1: TOP - 4, y2: HEIGHT - BOTTOM, class: "bug" }));
		picture.append(svg("path", { d: `M${at - 6} ${TOP - 14}H${at + 6}L${at} ${TOP - 4}Z`, class: "flag" }));
		if (!before)
			picture.append(svg("text", { x: at + (at > width / 2 ? -9 : 9), y: TOP - 6, class: "flag",
				"text-anchor": at > width / 2 ? "end" : "start" }, `first failing run: ${data.first_found}`));
	}
	return picture;
}

function showTraces(data) {
	const body = document.querySelector("#traces tbody"), n = data.traces.length;

	byId("traces-title").textContent = !data.bugs ? "No failing run" :
		`${data.bugs} failing run${data.bugs === 1 ? "" : "s"}` +
		(n < data.bugs ? `, ${n} of them with a trace` : "");
	document.querySelector("#traces table").hidden = !n;
	for (const trace of data.traces) {
		const row = element("tr"), name = element("td"), replay = element("td");

		if (trace.page) {
			const link = element("a", trace.name);

			link.href = encodeURIComponent(trace.page);
			name.append(link);
		} else {
			name.textContent = trace.name;
		}
		replay.append(element("code", trace.replay));
		row.append(name, element("td", trace.verdict), replay, element("td", String(trace.preemptions)),
			element("td", String(trace.tasks)), element("td", String(trace.points)));
		body.append(row);
	}
}

function start() {
	const data = JSON.parse(byId("data").textContent), chart = byId("chart");
	let byTime = false;
	const draw = () => chart.replaceChildren(drawCurve(data, byTime, Math.max(320, chart.clientWidth)));
	const choose = (time) => {
		byTime = time;
		byId("by-runs").setAttribute("aria-pressed", String(!time));
		byId("by-time").setAttribute("aria-pressed", String(time));
		draw();
	};

	byId("verdict").textContent = data.verdict;
	byId("verdict").classList.toggle("bug", data.bug);
	byId("program").textContent = data.command;
	byId("summary").textContent = (data.text[0] || "").trim();
	byId("chart-text").textContent = curveSentence(data.curve);
	document.querySelector("#account pre").textContent = data.text.join("\n");
	showTraces(data);
	byId("by-runs").addEventListener("click", () => choose(false));
	byId("by-time").addEventListener("click", () => choose(true));
	addEventListener("resize", draw);
	draw();
}

start();

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tasks that wait for each other as a picture: a circle for each, an arrow to the task it
 * waits for, and at the arrow in what it waits.
 */

function shorten(text, length) {
	return text.length > length ? text.slice(0, length - 1) + "\u2026" : text;
}

/* Where the circles stand: side by side for two, else on an ellipse. */
function cycleLayout(n) {
	if (n === 1)
		return { width: 320, height: 150, at: () => [160, 95] };
	if (n === 2)
		return { width: 320, height: 150, at: (k) => [k ? 286 : 34, 75] };
	return {
		width: 370, height: 270,
		at: (k) => [185 + 112 * Math.sin(2 * Math.PI * k / n), 135 - 100 * Math.cos(2 * Math.PI * k / n)],
	};
}

function drawCycle(run, cycle) {
	const n = Math.min(cycle.length, 12), layout = cycleLayout(n), radius = n > 8 ? 19 : 26;
	const picture = svg("svg", { viewBox: `0 0 ${layout.width} ${layout.height}`, role: "img",
		"aria-label": cycleSentence(cycle) });
	const marker = svg("marker", { id: "head", viewBox: "0 0 10 10", refX: 8, refY: 5,
		markerWidth: 9, markerHeight: 9, orient: "auto-start-reverse", markerUnits: "userSpaceOnUse" });
	const defs = svg("defs", {});

	marker.append(svg("path", { d: "M0 0 L10 5 L0 10 z" }));
	defs.append(marker);
	picture.append(defs);
	const labels = svg("g", {});

	for (let k = 0; k < n; k++) {
		const wait = run.report.waits.find((w) => w.task === cycle[k]);
		const label = shorten(wait && wait.op || "waits", n > 2 ? 16 : 30);

		cycleEdge(picture, labels, layout.at(k), layout.at((k + 1) % n), radius, label, n, k);
	}
	for (let k = 0; k < n; k++) {
		const [x, y] = layout.at(k), circle = svg("circle", { cx: x, cy: y, r: radius });

		circle.append(svg("title", {}, taskTitle(run, cycle[k])));
		picture.append(circle, svg("text", { x, y: y + 5, "text-anchor": "middle", class: "task" },
			"T" + cycle[k]));
	}
	picture.append(labels);
	return picture;
}

/* An arrow from the edge of one circle to that of the next, bent outwards if they are two. */
function cycleEdge(picture, labels, from, to, radius, label, n, k) {
	const text = (x, y, anchor) => {
		labels.append(svg("text", { x, y, "text-anchor": anchor, class: "small" }, label));
	};

	if (n === 1) {
		picture.append(svg("path", { "marker-end": "url(#head)", d: `M${from[0] - 16} ${from[1] - 21} ` +
			`C${from[0] - 60} ${from[1] - 90} ${from[0] + 60} ${from[1] - 90} ` +
			`${from[0] + 18} ${from[1] - 23}` }));
		text(from[0], from[1] + 46, "middle");
		return;
	}
	if (n === 2) {
		const up = k ? 1 : -1, reach = radius * 0.8, side = k ? -1 : 1;

		picture.append(svg("path", { "marker-end": "url(#head)",
			d: `M${from[0] + side * reach} ${from[1] + up * reach * 0.85} ` +
			`Q160 ${75 + up * 58} ${to[0] - side * (reach + 3)} ${to[1] + up * (reach * 0.85 + 2)}` }));
		text(160, 75 + up * 58 + (k ? 10 : -3), "middle");
		return;
	}
	const dx = to[0] - from[0], dy = to[1] - from[1], long = Math.hypot(dx, dy);
	const at = (d) => [from[0] + dx * d / long, from[1] + dy * d / long];
	const [x0, y0] = at(radius + 2), [x1, y1] = at(long - radius - 4);

	picture.append(svg("path", { "marker-end": "url(#head)", d: `M${x0} ${y0} L${x1} ${y1}` }));
	if (n > 6)
		return;
	/* Outside of the polygon, so that no arrow goes through it. */
	const mx = (from[0] + to[0]) / 2, my = (from[1] + to[1]) / 2;
	const ox = mx - 185, oy = my - 135, out = Math.hypot(ox, oy) || 1;
	const x = mx + ox / out * 9, anchor = ox > 20 ? "start" : ox < -20 ? "end" : "middle";

	text(x, my + oy / out * 12 + 4, anchor);
}

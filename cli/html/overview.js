// SPDX-License-Identifier: GPL-2.0-only
/*
 * The whole run in a strip: in each column of pixels the tasks that ran, preemptions, what was
 * found, and a frame round what the lanes show. The strip without the frame is kept.
 */

function drawStrip(view, colours, width, height) {
	const run = view.run, strip = document.createElement("canvas");
	const c = fitCanvas(strip, width, height), room = width - GUTTER;
	const rows = view.rows.filter((row) => row.kind === "task");
	const each = (height - 13) / rows.length;

	c.fillStyle = colours.paper;
	c.fillRect(0, 0, width, height);
	c.fillStyle = colours.soft;
	c.font = `11.5px ${colours.sans}`;
	c.textBaseline = "middle";
	c.fillText("whole run", 12, height / 2);
	const scale = room / run.end;
	const whole = { x: 0, scale, width, run };

	rows.forEach((row, k) => {
		const y = 9 + k * each, thick = Math.max(0.75, each - 1);

		c.fillStyle = colours["block-edge"];
		c.globalAlpha = 0.35;
		bars(whole, row.task.waitFrom, row.task.waitTo, (left, right) =>
			c.fillRect(left, y + thick * 0.3, right - left, Math.max(0.5, thick * 0.4)));
		c.globalAlpha = 1;
		c.fillStyle = colours["run-edge"];
		bars(whole, row.task.runFrom, row.task.runTo, (left, right) =>
			c.fillRect(left, y, right - left, thick));
	});
	let pixel = -9;

	c.fillStyle = colours.mark;
	run.preemptions.forEach((i) => {
		const x = GUTTER + (i + 0.5) * scale;

		if (x - pixel < 3)
			return;
		pixel = x;
		c.beginPath();
		c.moveTo(x - 5, 0);
		c.lineTo(x + 5, 0);
		c.lineTo(x, 8);
		c.fill();
	});
	return strip;
}

function drawOverview(canvas, view, colours) {
	const width = view.width, height = 34, run = view.run;
	const ratio = window.devicePixelRatio || 1;

	if (!view.strip || view.stripWidth !== width || view.stripRatio !== ratio) {
		view.strip = drawStrip(view, colours, width, height);
		view.stripWidth = width;
		view.stripRatio = ratio;
	}
	const c = fitCanvas(canvas, width, height);
	c.drawImage(view.strip, 0, 0, width, height);
	const scale = (width - GUTTER) / run.end, at = (i) => GUTTER + i * scale;
	let pixel = -9;

	c.fillStyle = colours.wake;
	view.found.forEach((i) => {
		if (at(i) - pixel < 1)
			return;
		pixel = at(i);
		c.fillRect(pixel, height - 4, 2, 4);
	});
	const left = at(view.x), right = Math.min(width, at(view.x + leftmost(view)));

	c.strokeStyle = colours.select;
	c.lineWidth = 2;
	c.strokeRect(Math.min(left, width - 6) + 1, 1.5, Math.max(4, right - left - 2), height - 4);
}

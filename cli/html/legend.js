// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the shapes in the lanes mean, drawn as they are drawn there.
 */

const legendRows = [
	["runs", (c, k) => { c.fillStyle = k["run-edge"]; c.fillRect(2, 5, 30, 6); }],
	["blocked", (c, k) => {
		c.fillStyle = k.hatch;
		c.fillRect(2, 2, 30, 12);
		c.strokeStyle = k["block-edge"];
		c.strokeRect(2.5, 2.5, 29, 11);
	}],
	["could run", (c, k) => {
		c.strokeStyle = k.ready;
		c.lineWidth = 1.5;
		c.setLineDash([2, 4]);
		c.beginPath();
		c.moveTo(2, 8);
		c.lineTo(32, 8);
		c.stroke();
		c.setLineDash([]);
	}],
	["not yet executed", (c, k) => {
		c.strokeStyle = k.mark;
		c.lineWidth = 2;
		c.setLineDash([5, 3]);
		c.strokeRect(4, 3, 26, 10);
		c.setLineDash([]);
	}],
	["takes over", (c, k) => {
		c.strokeStyle = c.fillStyle = k.ink;
		c.lineWidth = 1.25;
		arrow(c, 17, 1, 15, 7);
	}],
	["preempts", (c, k) => {
		c.strokeStyle = c.fillStyle = k.mark;
		c.lineWidth = 3;
		arrow(c, 17, 1, 15, 9);
	}],
	["wakes", (c, k) => {
		c.strokeStyle = c.fillStyle = k.wake;
		c.lineWidth = 2;
		c.setLineDash([3, 2]);
		arrow(c, 17, 4, 16, 6);
		c.lineWidth = 1.5;
		c.beginPath();
		c.arc(17, 3, 2, 0, 7);
		c.stroke();
	}],
	["lock is held", (c, k) => {
		c.fillStyle = k.lock;
		c.fillRect(2, 3, 30, 11);
		c.strokeStyle = k["lock-edge"];
		c.strokeRect(2.5, 3.5, 29, 10);
	}],
];

function drawLegend(colours) {
	const list = byId("legend");

	list.replaceChildren();
	legendRows.forEach(([text, draw]) => {
		const item = element("li"), canvas = element("canvas");
		const c = fitCanvas(canvas, 34, 16);

		c.fillStyle = colours.paper;
		c.fillRect(0, 0, 34, 16);
		draw(c, colours);
		item.append(canvas, text);
		list.append(item);
	});
}

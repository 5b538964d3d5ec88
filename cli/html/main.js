// SPDX-License-Identifier: GPL-2.0-only
/*
 * Puts the page together: reads the data, draws the first picture, then draws again when
 * something asks for it, once in a frame at most.
 */

function start() {
	const run = readRun(JSON.parse(byId("data").textContent));
	const view = makeView(run), lanes = byId("lanes"), overview = byId("overview");
	let colours = readColours(), asked = false;
	const paint = () => {
		asked = false;
		drawLanes(lanes, view, colours);
		drawOverview(overview, view, colours);
	};
	const app = {
		run, view,
		draw() {
			if (!asked)
				requestAnimationFrame(paint);
			asked = true;
		},
		/* At once, for those who measure. */
		paint,
		resize() {
			view.width = Math.max(360, byId("timeline").clientWidth);
			view.height = wantedHeight(view);
			lanes.style.height = view.height + "px";
			view.scale = Math.max(view.scale, smallestScale(view));
			clampView(view);
			app.draw();
		},
		recolour() {
			colours = readColours();
			view.strip = null;
			drawLegend(colours);
			app.draw();
		},
		select(i) {
			if (!run.length)
				return;
			view.cursor = i;
			showCursor(view);
			app.tell();
			app.draw();
		},
		first() {
			showFirst(view, view.decisive);
			app.tell();
			app.draw();
		},
		tell() {
			const sentence = eventSentence(run, view.cursor);

			byId("live").textContent = sentence;
			showSides(run, view.cursor);
			showSteps(run, view.cursor, app.select);
		},
	};

	view.decisive = run.length ? clampEvent(run, decisiveEvent(run)) : 0;
	showHeader(run);
	showOutput(run);
	connect(app);
	drawLegend(colours);
	app.resize();
	if (run.length)
		showFirst(view, view.decisive);
	showWhy(run, app.select);
	if (run.length)
		app.tell();
	paint();
	return app;
}

const app = start();

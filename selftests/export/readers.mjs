// SPDX-License-Identifier: GPL-2.0-only
// Exports read by the programs they are for, as far as those are packages of npm: Mermaid's
// parser, and JavaScript's regular expressions as ShiViz applies them. Called by readers.sh in
// a folder that has the packages. One line for each file that cannot be read; exit code 1 then.

import fs from "fs";
import { createRequire } from "module";
import { pathToFileURL } from "url";

const require = createRequire(process.cwd() + "/");
const [kind, ...files] = process.argv.slice(2);
let bad = 0;

function fault(file, what) {
	console.log(`${file}: ${String(what).slice(0, 300)}`);
	bad++;
}

async function mermaid() {
	const { JSDOM } = require("jsdom");
	const dom = new JSDOM("<!DOCTYPE html><body></body>");

	globalThis.window = dom.window;
	globalThis.document = dom.window.document;
	const path = process.cwd() + "/node_modules/mermaid/dist/mermaid.core.mjs";
	const { default: reader } = await import(pathToFileURL(path));

	for (const file of files) {
		try {
			const read = await reader.parse(fs.readFileSync(file, "utf8"));
			if (read.diagramType !== "sequence")
				fault(file, `it is a diagram of type ${read.diagramType}`);
		} catch (error) {
			fault(file, error.message);
		}
	}
}

// The first line of a log is its regular expression, the second one a delimiter.
function shiviz() {
	for (const file of files) {
		const lines = fs.readFileSync(file, "utf8").split("\n");
		const pattern = new RegExp(lines[0], "gm");
		const text = lines.slice(2).join("\n").trim();
		const last = {};
		let events = 0;

		for (const match of text.matchAll(pattern)) {
			const { event, host, clock } = match.groups;
			const own = JSON.parse(clock)[host];

			if (!event || own !== (last[host] || 0) + 1)
				fault(file, `event ${events} of ${host} has the clock ${clock}`);
			last[host] = own;
			events++;
		}
		if (!events || text.replace(pattern, "").trim())
			fault(file, `${events} events, and lines that are none`);
	}
}

if (kind === "mermaid")
	await mermaid();
else
	shiviz();
process.exit(bad || !files.length ? 1 : 0);

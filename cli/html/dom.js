// SPDX-License-Identifier: GPL-2.0-only
/*
 * Elements of the page. Text goes through textContent, so none of it becomes markup.
 */

function byId(id) {
	return document.getElementById(id);
}

function element(name, text, className) {
	const e = document.createElement(name);

	if (text !== undefined)
		e.textContent = text;
	if (className)
		e.className = className;
	return e;
}

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, text) {
	const e = document.createElementNS(SVG, name);

	for (const [key, value] of Object.entries(attributes))
		e.setAttribute(key, value);
	if (text !== undefined)
		e.textContent = text;
	return e;
}

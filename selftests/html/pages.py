#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Opens pages of "show --html" in Chromium and uses them as people do, with keys and pointer.
# A page passes if nothing is written to the console, what decided the run is in sight at the
# start, the keys do what the help says, and it is drawn in time: the first picture within two
# seconds, and more than 30 frames a second. The best of a few tries counts, since the machine may
# be busy with other things.
#
#   pages.py PAGE...        KTAP; exit 0 passed, 1 failed
import os
import sys
import time

from browser import Browser
from page import Page
from results import begin, end, result

LONGEST_LOAD, FEWEST_FRAMES = 2, 30
TRIES = 5

# Text that would have had to be made by the page's own script.
READY = "return document.getElementById('steps-title').textContent"

# Is the decisive event drawn in sight: its column, and the lanes of both tasks?
IN_SIGHT = """
const v = app.view, r = app.run, i = v.decisive, canvas = document.getElementById("lanes");
const box = canvas.getBoundingClientRect(), x = xOf(v, i);
const lane = (id) => {
	const row = v.rowOf.get(id), y = topOf(v, row);
	return y >= RULER + NOTES - 1 && y + row.height <= v.height + 9 && box.top + y + row.height <= innerHeight;
};
const lanes = [r.task[i]].concat(r.isTurn[r.type[i]] && r.chosen[i] >= 0 ? [r.chosen[i]] : []);
return [x >= GUTTER && x + v.scale <= v.width, lanes.every(lane), box.top >= 0, v.cursor === i];
"""

# Is there a dark pixel where the lanes say that the decisive event's box is?
DRAWN = """
const v = app.view, c = document.getElementById("lanes").getContext("2d");
const row = v.rowOf.get(app.run.task[v.decisive]), ratio = devicePixelRatio;
const data = c.getImageData(xOf(v, v.decisive) * ratio, topOf(v, row) * ratio,
	v.scale * ratio, row.height * ratio).data, seen = new Set();
for (let k = 0; k < data.length; k += 4)
	seen.add(data[k] << 16 | data[k + 1] << 8 | data[k + 2]);
return seen.size;
"""

FRAMES = """
const v = app.view, done = arguments[0], out = {};
const measure = (name, move) => new Promise((resolve) => {
	const begin = performance.now();
	let n = 0;
	const next = () => {
		move(n++);
		app.paint();
		if (performance.now() - begin < 400)
			requestAnimationFrame(next);
		else {
			out[name] = Math.round(n / (performance.now() - begin) * 1000);
			resolve();
		}
	};
	requestAnimationFrame(next);
});
(async () => {
	await measure("pan", (n) => { v.x += 0.7; clampView(v); });
	await measure("zoom", (n) => zoom(v, n % 80 < 40 ? 0.85 : 1 / 0.85, 700));
	v.scale = smallestScale(v);
	clampView(v);
	await measure("whole run", (n) => { v.y = n % 40; clampView(v); });
	app.first();
	done(out);
})();
"""

def cursor(browser):
    return browser.run("return app.view.cursor")


def check_keys(browser, page):
    """What each key does, from what the columns say and not from what the page worked out."""
    columns, types = page.data["columns"], page.data["types"]
    turns = {types.index(t) for t in ("point", "block", "exit", "resume", "quantum", "stall")}
    has_token, switches = columns["task"][0], []
    for i, kind in enumerate(columns["type"]):
        if kind in turns and columns["chosen"][i] != has_token:
            has_token = columns["chosen"][i]
            switches.append(i)
    last, wrong = len(columns["type"]) - 1, []

    def press(key, expected, shift=False):
        browser.key(key, shift=shift)
        if cursor(browser) != expected:
            wrong.append("%s leads to event %d, expected %d" % (key, cursor(browser) + 1, expected + 1))

    press("Home", 0)
    press("ArrowLeft", 0)
    press("ArrowRight", min(1, last))
    press("End", last)
    press("ArrowRight", last)
    press("Home", 0)
    following = [i for i in switches if i > 0]
    if following:
        press("n", following[0])
    if len(following) > 1:
        press("n", following[1])
        press("p", following[0])
    bit = 1 << page.data["kinds"].index("preemption")
    preemptions = [i for i, bits in enumerate(columns["bits"]) if bits & bit]
    press("Home", 0)
    if preemptions:
        press("N", preemptions[0], shift=True)
    browser.key("d")
    if cursor(browser) != browser.run("return app.view.decisive"):
        wrong.append("d does not lead to the decisive event")
    scale = browser.run("return app.view.scale")
    browser.key("-")
    if not (browser.run("return app.view.scale") < scale or last < 12):
        wrong.append("- does not zoom out")
    browser.key("?")
    if not browser.run("return document.getElementById('help').open"):
        wrong.append("? does not show the keys")
    browser.run("document.getElementById('help').close()")
    browser.key("/")
    for letter in page.data["tasks"][0]["name"] or "T0":
        browser.key(letter)
    if not browser.run("return app.view.found.length"):
        wrong.append("the search does not find the first task by its name")
    browser.key("Escape")
    browser.key("d")
    result(not wrong, "the keys of %s" % page.name, "\n".join(wrong))


def check_words(browser, page):
    """The table and the live region have the event at the cursor, as text."""
    i = cursor(browser)
    live = browser.run("return document.getElementById('live').textContent")
    row = browser.run("return [...document.querySelectorAll('tr[aria-current] td')]"
                      ".map((cell) => cell.textContent)")
    columns, strings = page.data["columns"], page.data["strings"]
    where = strings[page.data["places"][columns["where"][i]][0]]
    good = live.startswith("Event %d of %d. T%d" % (i + 1, len(columns["type"]), columns["task"][i]))
    good = good and row and row[0] == str(i + 1) and row[3] == where and where in live
    result(bool(good), "%s in words" % page.name, [live, row])


def check_page(browser, path):
    page = Page(path)
    page.name = os.path.basename(path)[:-len(".html")]
    browser.log()
    for _ in range(TRIES):
        begin = time.monotonic()
        browser.open(path)
        ready = browser.run(READY)
        took = time.monotonic() - begin
        picture = browser.run("return performance.getEntriesByType('navigation')[0].domComplete / 1000")
        print("# %s: %d events, first picture after %.2f s, %.2f s with the driver" %
              (page.name, len(page.data["columns"]["type"]), picture, took))
        if took < LONGEST_LOAD:
            break
    result(ready.startswith("Steps around event") and took < LONGEST_LOAD,
           "%s is shown within %d s" % (page.name, LONGEST_LOAD), "%s, %.2f s" % (ready, took))
    sight = browser.run(IN_SIGHT)
    result(all(sight), "%s: what decided is in sight" % page.name, sight)
    colours = browser.run(DRAWN)
    result(colours > 3, "%s: what decided is drawn" % page.name, "%d colours" % colours)
    check_words(browser, page)
    check_keys(browser, page)
    frames = {}
    for _ in range(TRIES):
        for what, count in browser.run_async(FRAMES).items():
            frames[what] = max(count, frames.get(what, 0))
        if min(frames.values()) > FEWEST_FRAMES:
            break
    print("# %s: frames a second: %s" % (page.name, ", ".join("%s %d" % f for f in frames.items())))
    result(min(frames.values()) > FEWEST_FRAMES,
           "%s has more than %d frames a second" % (page.name, FEWEST_FRAMES), frames)
    hacked = browser.run("return [window.hacked, document.images.length, "
                         "document.scripts.length, document.querySelectorAll('b').length]")
    result(hacked == [None, 0, 2, 0], "%s runs nothing of the program" % page.name, hacked)
    log = browser.log()
    result(not log, "%s writes nothing to the console" % page.name, log)


def check_policy(browser, path):
    """That the policy holds is not taken on trust: a script that gets in must not run."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    changed = path[:-len(".html")] + "-changed.html"
    with open(changed, "w", encoding="utf-8") as f:
        f.write(text.replace("<main>", "<main><script>window.hacked = 1</script>"
                                       "<img src=\"data:,x\" onerror=\"window.hacked = 2\">"))
    browser.open(changed)
    refused = [entry["message"] for entry in browser.log() if "Content Security Policy" in entry["message"]]
    result(browser.run("return window.hacked") is None and len(refused) >= 2,
           "the policy refuses a script and an image", refused)


def main():
    begin()
    with Browser() as browser:
        for path in sys.argv[1:]:
            check_page(browser, path)
        check_policy(browser, sys.argv[1])
    end()


main()

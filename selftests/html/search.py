#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Opens the pages of searches, pages-NAME of search.sh, in Chromium, and compares them with what
# the same searches printed as JSON, NAME.json.
#
#   search.py NAME...       KTAP; exit 0 passed, 1 failed
import json
import os
import sys

from browser import Browser
from page import Page
from results import begin, end, result

def text_of(browser, where):
    return browser.run("return document.querySelector(arguments[0]).textContent", where)


def check_data(name, page, said):
    """The curve ends where the search did, and is one."""
    curve = page.data["curve"]
    ends = {key: values[-1] for key, values in curve.items()}
    found = [ends["runs"], ends["classes"], ends["found"]]
    expected = [said["runs"], said["certificate"]["classes"], said["bugs"]]
    result(found == expected, name + ": the curve ends as the search did", (found, expected))
    orderly = all(len(v) == len(curve["runs"]) <= 513 for v in curve.values()) and \
        all(curve[k] == sorted(curve[k]) for k in ("runs", "seconds", "found"))
    result(orderly, name + ": and only rises", curve)
    first = [r for r, f in zip(curve["runs"], curve["found"]) if f][:1] or [0]
    result(page.data["first_found"] == first[0], name + ": the first failing run is in it",
           (page.data["first_found"], first))


def check_page(name, browser, page, said):
    browser.open("pages-%s/index.html" % name)
    title = text_of(browser, "title")
    result(title.startswith("search: ") and "1" != title, name + ": its title is its own", title)
    result(text_of(browser, "#verdict") == said["verdict"], name + ": the verdict",
           text_of(browser, "#verdict"))
    result(text_of(browser, "#program").endswith(os.path.basename(said["program"][0])) or
           name == "hostile", name + ": the program", text_of(browser, "#program"))
    images = browser.run("return document.images.length + document.scripts.length")
    result(images == 2, name + ": no name is markup", images)
    shown = text_of(browser, "#account pre")
    result("%d run" % said["runs"] in shown and "strategy turns" in shown,
           name + ": the account of the search", shown)
    flag = browser.run("const f = document.querySelector('#chart text.flag');"
                       "return f && f.textContent")
    result(flag == ("first failing run: %d" % page.data["first_found"] if said["bugs"] else None),
           name + ": the first failing run is marked", flag)
    browser.run("document.getElementById('by-time').click()")
    axis = browser.run("return [...document.querySelectorAll('#chart text')].map("
                       "(t) => t.textContent).includes('seconds')")
    result(axis, name + ": by time")
    browser.size(420, 800)
    wide = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
    browser.size(1280, 800)
    result(wide[0] <= wide[1], name + ": a narrow window is wide enough", wide)


def check_traces(name, browser, said):
    """Each trace has a row, and its link leads to the page of its run."""
    rows = browser.run("return [...document.querySelectorAll('#traces tbody tr')].map((r) =>"
                       "[r.cells[1].textContent, r.querySelector('a').href])")
    result([r[0] for r in rows] == [said["verdict"]] * len(said["traces"]),
           name + ": a row for each trace", rows)
    opened = []
    for i in range(len(rows)):
        browser.open("pages-%s/index.html" % name)
        browser.run("document.querySelectorAll('#traces a')[arguments[0]].click()", i)
        opened.append(browser.run("return [document.title, app.run.length > 0]"))
    result(all(o[0].startswith(said["verdict"]) and o[1] for o in opened),
           name + ": whose link leads to its run", opened)


begin()
with Browser() as browser:
    for name in sys.argv[1:]:
        with open(name + ".json") as f:
            said = json.load(f)
        page = Page("pages-%s/index.html" % name)
        check_data(name, page, said)
        check_page(name, browser, page, said)
        check_traces(name, browser, said)
        log = browser.log()
        result(not log, name + ": nothing is written to the console", log)
end()

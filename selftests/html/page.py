# SPDX-License-Identifier: GPL-2.0-only
#
# A page of "show --html" taken apart without a browser: what elements it has, its policy, its
# data. Used by compare.py and pages.py.
import html.parser
import json


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.tags = []          # (name, attributes) of every element
        self.texts = {}         # of script and style: by id or name
        self.policy = None
        self.title = ""
        self.inside = None
        with open(path, encoding="utf-8", errors="strict", newline="") as f:
            self.source = f.read()
        self.feed(self.source)
        self.close()
        self.data = json.loads(self.texts["data"])

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.tags.append((tag, values))
        if values.get("http-equiv", "").lower() == "content-security-policy":
            self.policy = values["content"]
        if tag in ("script", "style", "title"):
            self.inside = values.get("id", tag)
            self.texts.setdefault(self.inside, "")

    def handle_endtag(self, tag):
        if tag in ("script", "style", "title"):
            self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.texts[self.inside] += data

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Takes a picture of a page as it is at the start, as those in docs/images are.
#
#   picture.py PAGE PNG [light|dark|grey]
import sys

from browser import Browser

with Browser(1280, 800) as browser:
    look = sys.argv[3] if len(sys.argv) > 3 else "light"
    browser.media("dark" if look == "dark" else "light",
                  "achromatopsia" if look == "grey" else "none")
    browser.open(sys.argv[1])
    browser.picture(sys.argv[2])

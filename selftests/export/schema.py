#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Files against a schema: SARIF, trace events. schema.py SCHEMA FILE...: a line for each fault;
exit code 0 there is none, 1 there are some."""

import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as f:
    schema = json.load(f)
checker = jsonschema.validators.validator_for(schema)(schema)
faults = 0
for name in sys.argv[2:]:
    with open(name, encoding="utf-8") as f:
        for e in checker.iter_errors(json.load(f)):
            faults += 1
            print("%s: %s: %.300s" % (name, "/".join(map(str, e.absolute_path)), e.message))
sys.exit(1 if faults or len(sys.argv) < 3 else 0)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Objects that chessctl printed, against the schema, read strictly: keys that it does not name
are errors as well. Readers of the objects have to ignore such keys, the tests must not.

schema.py SCHEMA FILE...: FILE is NAME.KIND.json, and KIND one of the schema's definitions.
schema.py --self SCHEMA FILE...: besides, each key of each object is left out and an unknown one
added in turn; what the schema requires must be missed, and the unknown key found, everywhere.
Exit: 0 all are as the schema says, 1 some are not (one line each), 2 it cannot be said.
"""

import copy
import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit("schema.py: python3-jsonschema is missing: run scripts/install-deps.sh")


def strict(schema, defs):
    """A copy in which objects have no other keys; allOf is merged, or it would forbid its own."""
    if isinstance(schema, list):
        return [strict(s, defs) for s in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") != "object" or "properties" not in schema:
        return {k: strict(v, defs) for k, v in schema.items()}
    out = {k: v for k, v in schema.items() if k != "allOf"}
    out["properties"] = dict(schema["properties"])
    for part in schema.get("allOf", []):
        other = defs[part["$ref"].rsplit("/", 1)[1]]
        out["properties"].update(other["properties"])
        out["required"] = out["required"] + other["required"]
    out["properties"] = {k: strict(v, defs) for k, v in out["properties"].items()}
    out["additionalProperties"] = False
    return out


def errors(schema, kind, value):
    """Sentences; none: it is as the schema says."""
    one = {"$defs": schema["$defs"], "$ref": "#/$defs/" + kind}
    for e in jsonschema.Draft202012Validator(one).iter_errors(value):
        yield "%s: %s" % ("/".join(map(str, e.absolute_path)) or "the object", e.message[:300])


def objects(value, path=()):
    """Paths of the objects in it; of a list, of its first entry."""
    if isinstance(value, dict):
        yield path
        for key, child in value.items():
            yield from objects(child, path + (key,))
    elif value and isinstance(value, list):
        yield from objects(value[0], path + (0,))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def test_self(schema, kind, value):
    """Sentences about changes that the schema lets pass."""
    for path in objects(value):
        more = copy.deepcopy(value)
        at(more, path)["no_such_key"] = 1
        if not any(errors(schema, kind, more)):
            yield "an unknown key in %s is not found" % ("/".join(map(str, path)) or kind)
    for key in schema["$defs"][kind]["required"]:
        less = copy.deepcopy(value)
        del less[key]
        if not any(errors(schema, kind, less)):
            yield "%s may be left out" % key


def main():
    args = sys.argv[1:]
    tests_itself = args[:1] == ["--self"]
    if tests_itself:
        args = args[1:]
    if len(args) < 2:
        sys.exit(__doc__)
    with open(args[0], encoding="utf-8") as f:
        plain = json.load(f)
    jsonschema.Draft202012Validator.check_schema(plain)
    schema = {"$defs": {k: strict(v, plain["$defs"]) for k, v in plain["$defs"].items()}}
    bad = 0
    for name in args[1:]:
        kind = name.rsplit(".", 2)[-2]
        if kind not in schema["$defs"]:
            print("%s: the schema has no '%s'" % (name, kind))
            bad = 1
            continue
        with open(name, encoding="utf-8", errors="surrogateescape") as f:
            value = json.load(f)
        said = list(errors(schema, kind, value))
        if tests_itself and not said:
            said = list(test_self(schema, kind, value))
        for sentence in said:
            print("%s: %s" % (name, sentence))
        bad |= bool(said)
    return bad


if __name__ == "__main__":
    sys.exit(main())

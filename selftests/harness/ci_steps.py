#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
The steps of a recipe in docs/ci/, each as a file that a shell runs, as the service does it:
DIR/N.sh with what it runs, DIR/N.uses with the name of an action instead. Options of the job go
to DIR/env (NAME=VALUE) and DIR/kept (paths that are kept). Called by ci.sh.

Usage: ci_steps.py github|gitlab FILE DIR
"""
import os
import sys

import yaml


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(text)


def write_env(folder, env):
    write(folder, "env", "".join("%s=%s\n" % (k, v) for k, v in env.items()))


def github(recipe, folder):
    (job,) = recipe["jobs"].values()
    kept = []
    for n, step in enumerate(job["steps"], 1):
        unknown = set(step) - {"run", "uses", "name", "if", "with"}
        if unknown or ("run" in step) == ("uses" in step):
            sys.exit("step %d is not understood: %s" % (n, sorted(step)))
        if "run" in step:
            write(folder, "%d.sh" % n, step["run"] + "\n")
        else:
            write(folder, "%d.uses" % n, step["uses"].split("@")[0] + "\n")
        if step.get("uses", "").startswith("actions/upload-artifact"):
            kept.append(step["with"]["path"])
    write_env(folder, job["env"])
    write(folder, "image", job["container"]["image"] + "\n")
    write(folder, "kept", "\n".join(kept) + "\n")


# GitLab runs all lines of before_script and script in one shell.
def gitlab(recipe, folder):
    (job,) = recipe.values()
    write(folder, "1.sh", "\n".join(job["before_script"] + job["script"]) + "\n")
    write_env(folder, job["variables"])
    write(folder, "image", job["image"] + "\n")
    kept = job["artifacts"]["paths"] + [job["artifacts"]["reports"]["junit"]]
    write(folder, "kept", "\n".join(kept) + "\n")
    write(folder, "allowed", "%d\n" % job["allow_failure"]["exit_codes"])


def main():
    service, path, folder = sys.argv[1:]
    with open(path, encoding="utf-8") as f:
        recipe = yaml.safe_load(f)
    os.makedirs(folder, exist_ok=True)
    {"github": github, "gitlab": gitlab}[service](recipe, folder)


main()

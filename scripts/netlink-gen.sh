#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Regenerate the ABI header, policies and op table from the YAML spec with the
# kernel's ynl-gen-c.py, or with --check say whether the committed files are
# what it would write. The tool wants to find a MAINTAINERS file above the spec
# and genetlink.yaml beside its folder, so a tree with just these is staged.
# Usage: scripts/netlink-gen.sh KSRC [--check]
set -eu
ksrc=${1:?usage: netlink-gen.sh KSRC [--check]}
top=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/Documentation/netlink/specs" "$tmp/out"
: >"$tmp/MAINTAINERS"
cp "$ksrc"/Documentation/netlink/*.yaml "$tmp/Documentation/netlink/"
cp "$top/docs/netlink/specs/chess.yaml" "$tmp/Documentation/netlink/specs/"
spec=$tmp/Documentation/netlink/specs/chess.yaml
gen="python3 $ksrc/tools/net/ynl/ynl-gen-c.py --spec $spec"
$gen --mode uapi --header -o "$tmp/out/chess.h"
$gen --mode kernel --header -o "$tmp/out/netlink-gen.h"
$gen --mode kernel --source -o "$tmp/out/netlink-gen.c"
# The generator names the spec by its path in a kernel tree.
sed -i 's,Documentation/netlink/specs/,docs/netlink/specs/,' "$tmp"/out/*
for f in include/uapi/linux/chess.h kmod/netlink-gen.h kmod/netlink-gen.c; do
	if [ "${2:-}" = --check ]; then
		cmp "$tmp/out/${f##*/}" "$top/$f"
	else
		cp "$tmp/out/${f##*/}" "$top/$f"
	fi
done

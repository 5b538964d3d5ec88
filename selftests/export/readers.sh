#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The exports of chessctl show, read by others: SARIF by the schema of the standard, Mermaid's
# diagrams by its own parser, logs for ShiViz by a regular expression of JavaScript. The
# packages are installed from npm into a folder that is removed; skipped without npm or the
# net. More traces may be given as arguments. KTAP on stdout; exit 0 passed, 1 failed, 4 skipped.

traces=()
for t; do
	traces+=("$(realpath "$t")")
done
cd "$(dirname "$0")/../.." || exit 1
. selftests/ktap.sh
top=$PWD
chessctl=${CHESS_BUILD:-$top/build}/chessctl
need "$chessctl"
chessctl=$(realpath "$chessctl")
command -v npm >/dev/null || skip_all "npm is missing; scripts/install-deps.sh export"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/packages" "$work/made"
cd "$work/packages" || exit 1
npm install --no-audit --no-fund --ignore-scripts --silent mermaid@11 jsdom@22 \
	@microsoft/jest-sarif@1.0.0-beta.0 >"$work/said" 2>&1 </dev/null ||
	skip_all "npm could not install the readers: $(tail -n 1 "$work/said")"
schema=$(find "$PWD/node_modules/@microsoft/jest-sarif" -name 'sarif-2.1.0*.json' | head -n 1)

echo "KTAP version 1"
[ -s "$schema" ]
result $? "the schema of SARIF is in its package"
"$top/selftests/export/traces.py" "$work/made" "${COUNT:-100}" "${SEED:-2}"
traces+=("$work"/made/*.trace "$top"/selftests/unit/cli_test.d/*.trace)
code=0
for i in "${!traces[@]}"; do
	for format in sarif mermaid shiviz; do
		"$chessctl" show --format "$format" "${traces[i]}" >"$work/$i.$format" || code=1
	done
done
result $code "${#traces[@]} traces are exported"
"$top/selftests/export/schema.py" "$schema" "$work"/*.sarif >"$work/said" 2>&1
result $? "SARIF is as its schema says" "$(head -n 20 "$work/said")"
for kind in mermaid shiviz; do
	node "$top/selftests/export/readers.mjs" "$kind" "$work"/*."$kind" >"$work/said" 2>&1
	result $? "$kind reads its files" "$(head -n 20 "$work/said")"
done
echo "1..$n"
totals

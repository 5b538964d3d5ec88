#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Search the programs of drivers/ and write docs/hunt.md; called by "make hunt", which installs
# the packages and builds everything. A program whose version, driver and chess are those of the
# last time is not searched again, unless for longer. A campaign that was stopped continues.
#
# BUILD   build directory; results are in BUILD/hunt/NAME (default build)
# BUDGET  seconds for a search (default 25)
# EACH    programs in one VM (default 12)
# ONLY    names or patterns of names
# MEM     megabytes of a VM (default 3072)
# AGAIN   not empty: also those that are done

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
BUDGET=${BUDGET:-25} EACH=${EACH:-12}
state=$BUILD/hunt
mkdir -p "$state" || exit 1

# version PACKAGE...: that of the first one that is installed
version()
{
	local p

	for p; do
		dpkg-query -W -f '${Package} ${Version}\n' "$p" 2>/dev/null | grep ' .' && return 0
	done
	echo "- not installed"
}

# chessctl itself names the commit.
tool=$(cat "$BUILD/libchessctl.a" kmod/chess.ko | sha256sum | cut -c 1-16)

# What a result depends on. NAME
key()
{
	local packages

	packages=$(sed -n 's/^# package: //p' "selftests/hunt/drivers/$1.sh")
	# shellcheck disable=SC2086 # a list
	echo "$(version $packages)" "$(cat "selftests/hunt/drivers/$1.sh" \
		selftests/hunt/programs/"$1".c* 2>/dev/null | sha256sum | cut -c 1-16)" "$tool"
}

is_done()
{
	[ -z "${AGAIN:-}" ] && [ -f "$state/$1/done" ] &&
		[ "$(cat "$state/$1/key" 2>/dev/null)" = "$(key "$1")" ] &&
		[ "$(cat "$state/$1/budget")" -ge "$BUDGET" ]
}

left=()
for f in selftests/hunt/drivers/*.sh; do
	name=$(basename "$f" .sh) wanted=y
	for pattern in ${ONLY:-}; do
		# shellcheck disable=SC2254 # a pattern it is
		case $name in $pattern) wanted=y; break ;; *) wanted= ;; esac
	done
	[ -z "$wanted" ] || is_done "$name" || left+=("$name")
done
echo "hunt: ${#left[@]} programs to search, $BUDGET s each"

# The VM compares its clock with this one.
while echo "$EPOCHSECONDS" >"$state/clock.new" && mv "$state/clock.new" "$state/clock"; do
	sleep 1
done &
clock=$!
trap 'kill $clock' EXIT

tries=0
while [ ${#left[@]} -gt 0 ]; do
	some=("${left[@]:0:EACH}")
	left=("${left[@]:EACH}")
	# Where the machine was suspended the TSC has continued, this clock has not.
	"$BUILD/chess-vm" --cpus 1 --mem "${MEM:-3072}" --append clocksource=hpet \
		--timeout $((EACH * (BUDGET * 2 + 240))) --outbox "$state" -- \
		selftests/hunt/batch.sh "$BUILD" "$state" "$BUDGET" "${some[@]}" </dev/null
	code=$?
	if [ $code = 75 ] && [ $((tries += 1)) -lt 5 ]; then
		left=("${some[@]}" "${left[@]}")
		continue
	fi
	for name in "${some[@]}"; do
		[ -f "$state/$name/done" ] || continue
		key "$name" >"$state/$name/key"
		echo "$BUDGET" >"$state/$name/budget"
	done
	[ $code = 0 ] ||
		echo "hunt: the VM ended with exit code $code; what it did not get to is left" >&2
done
python3 selftests/hunt/ledger.py "$state" docs/hunt.md

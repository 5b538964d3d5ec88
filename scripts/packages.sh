#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds packages from an export of this tree into build/packages: "make deb" and "make rpm".
# Nothing is fetched. The export has the files that git knows, or would know after "git add",
# as they are now; their times are that of the last entry of the changelog, so that the same
# tree gives the same bytes wherever it stands.
#
#   packages.sh deb|rpm [OUT]

set -u
umask 022
export LC_ALL=C TZ=UTC0
unset MAKEFLAGS MFLAGS MAKEOVERRIDES O BUILD PREFIX DESTDIR KDIR V CFLAGS CPPFLAGS LDFLAGS
kind=$1
top=$(cd "$(dirname "$0")/.." && pwd)
out=${2:-$top/build/packages}
changelog=$top/packaging/debian/changelog

die()
{
	echo "packages: $*" >&2
	exit 1
}

# need TOOL PACKAGE
need() { command -v "$1" >/dev/null || die "needs '$1', which is not installed; install the package $2"; }

need git git
need dpkg-parsechangelog dpkg-dev
version=$(dpkg-parsechangelog -l "$changelog" -S Version) || die "cannot read $changelog"
upstream=${version%-*}
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -l "$changelog" -S Timestamp)
export SOURCE_DATE_EPOCH
mkdir -p "$out" || die "cannot create $out"
work=$(mktemp -d "$out/.work.XXXXXX") || die "cannot write to $out"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
log=$work/log

# logged COMMAND...: what it prints is shown only if it fails
logged()
{
	"$@" >"$log" 2>&1 </dev/null && return
	tail -n 30 "$log" >&2
	die "'$*' failed"
}

# Into chess-VERSION, as an archive of that name.
export_tree()
{
	cd "$top" || exit 1
	git ls-files -z --cached --others --exclude-standard |
		tar --no-recursion --transform "flags=r;s|^|chess-$upstream/|" --sort=name \
			--mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
			--mode=u+w,go-w --null -T - -cf "$work/tree.tar" ||
		die "cannot export the tree of $top"
	tar -C "$work" -xf "$work/tree.tar" || die "no space in $out"
}

build_deb()
{
	need dpkg-buildpackage dpkg-dev
	need dh debhelper
	need dh_dkms dh-dkms
	xz -T1 -c "$work/tree.tar" >"$work/chess_$upstream.orig.tar.xz" || die "no space in $out"
	cd "$work/chess-$upstream" || exit 1
	cp -r packaging/debian debian || die "no space in $out"
	logged dpkg-buildpackage -us -uc -j"$(nproc)"
	cd "$work" || exit 1
	mv ./*.deb ./*.dsc ./*.tar.xz ./*.changes ./*.buildinfo "$out"/ || die "cannot write to $out"
}

build_rpm()
{
	local place

	need rpmbuild rpm
	mkdir -p "$work/rpm/SOURCES"
	gzip -n -c "$work/tree.tar" >"$work/rpm/SOURCES/chess-$upstream.tar.gz" || die "no space in $out"
	# --nodeps: on Debian what is needed to build is not known to rpm.
	[ -e /etc/debian_version ] && place=--nodeps
	logged rpmbuild -ba ${place:+"$place"} --define "_topdir $work/rpm" \
		--define "upstream_version $upstream" --define "_buildhost chess" \
		--define "use_source_date_epoch_as_buildtime 1" \
		--define "clamp_mtime_to_source_date_epoch 1" \
		"$work/chess-$upstream/packaging/rpm/chess.spec"
	find "$work/rpm/RPMS" "$work/rpm/SRPMS" -name '*.rpm' -exec mv -t "$out" {} + ||
		die "cannot write to $out"
}

case $kind in
deb|rpm)
	rm -f "$out"/*."$kind"
	export_tree
	"build_$kind"
	;;
*)
	die "asked for '$kind', but there are only deb and rpm"
	;;
esac
echo "packages: ${out#"$PWD"/} has"
find "$out" -maxdepth 1 -name "*.$kind" -printf '  %f\n' | sort

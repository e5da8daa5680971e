#!/usr/bin/env bash
# The Debian package: what it declares, and that the program, its notebook package, manual page, completions, menu entry and
# file type work from an unpacked one.
# Usage: package_test.sh BUILD_FOLDER. Exit code 77: there is nothing here that makes a Debian package.
set -euo pipefail
build=$1
licence=$(realpath "$(dirname "$0")/../../LICENSE")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
fail() {
    echo "FAILED: $1" >&2
    exit 1
}
for tool in cpack dpkg-deb dpkg-shlibdeps; do
    command -v "$tool" > /dev/null || { echo "skipped: there is no $tool" >&2; exit 77; }
done
cpack --config "$build/CPackConfig.cmake" -G DEB -B "$place" > "$place/cpack.txt" 2>&1 ||
    { cat "$place/cpack.txt" >&2; fail "cpack"; }
package=$(echo "$place"/*.deb)
root=$place/root
dpkg-deb -x "$package" "$root"

# What it declares.
[ "$(dpkg-deb -f "$package" Package)" = ipu-workbench ] || fail "the name of the package"
depends=$(dpkg-deb -f "$package" Depends)
for library in libc6 libqt6widgets6 libqt6svg6 libsqlite3-0 libhdf5 libqcustomplot; do
    [[ $depends == *$library* ]] || fail "it does not depend on $library: $depends"
done
(cd "$root" && find . -type f) | sed 's/^\.//' > "$place/files.txt"
outside=$(grep -v '^/usr/' "$place/files.txt" || true)
[ -z "$outside" ] || fail "files outside /usr: $outside"
! grep -E '__pycache__|profiles\.sqlite' "$place/files.txt" || fail "files that nobody needs"

# The program, as a person meets it first.
unset IPU_WORKBENCH
export PATH=$root/usr/bin:$PATH
cd "$place"
[ "$(command -v ipu-workbench)" = "$root/usr/bin/ipu-workbench" ] || fail "another program is on the PATH"
ipu-workbench --version > /dev/null || fail "the program does not start"
examples=$root/usr/share/ipu-workbench/projects
ipu-workbench run "$examples/tutorial/4-pipelined-sequential.ipuproj" --database runs.sqlite --json --quiet > run.json ||
    fail "the tutorial does not run"
grep -q '"fits": true' run.json || fail "the tutorial does not fit"
cmp "$root/usr/share/doc/ipu-workbench/LICENSE" "$licence" || fail "the licence"
[ -s "$root/usr/share/doc/ipu-workbench/copyright" ] || fail "no copyright file"

# The package for notebooks, which finds the program beside itself.
if [ -x /usr/bin/python3 ]; then
    PATH=/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/usr/lib/python3/dist-packages /usr/bin/python3 - << PYTHON ||
import ipu_workbench
assert str(ipu_workbench.find_program()) == "$root/usr/bin/ipu-workbench"
assert ipu_workbench.runs("runs.sqlite")[0]["state"] == "complete"
PYTHON
        fail "the package for notebooks"
fi

# The manual page names every verb.
page=$root/usr/share/man/man1/ipu-workbench.1.gz
verbs=$(ipu-workbench --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
[ "$(wc -l <<< "$verbs")" -gt 25 ] || fail "the help lists no verbs"
gzip -dc "$page" > page.1
for verb in $verbs; do
    grep -qx ".SS ${verb//-/\\\\-}" page.1 || fail "the manual page lacks $verb"
done
if command -v mandoc > /dev/null; then
    mandoc -T lint -W warning page.1 || fail "the manual page"
fi
if command -v man > /dev/null; then
    complaints=$(man --warnings -E UTF-8 -l -Tutf8 page.1 2>&1 > /dev/null) || true
    [ -z "$complaints" ] || fail "the manual page: $complaints"
fi

# Completions.
completed() { # words of a command line → what bash offers for the last of them
    bash --norc --noprofile -c '
        source "$1"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
        _ipu_workbench; printf "%s\n" "${COMPREPLY[@]}"' - \
        "$root/usr/share/bash-completion/completions/ipu-workbench" "$@"
}
[ "$(completed ipu-workbench swe)" = sweep ] || fail "bash does not complete a verb"
[ "$(completed ipu-workbench sweep --slu)" = --slurm ] || fail "bash does not complete an option"
[ "$(completed ipu-workbench --quiet run p.ipuproj --no-n)" = --no-numerics ] || fail "bash: an option before the verb"
[ -z "$(completed ipu-workbench run proj)" ] || fail "bash does not leave files to themselves"
for verb in run sweep plan config; do
    offered=$(completed ipu-workbench "$verb" --)
    for option in $(ipu-workbench "$verb" --help | grep -oE '^ +(-[a-z],)?--[a-z-]+' | grep -oE -e '--[a-z-]+'); do
        grep -qxe "$option" <<< "$offered" || fail "bash does not offer $option of $verb"
    done
done
if command -v zsh > /dev/null; then
    zsh -n "$root/usr/share/zsh/vendor-completions/_ipu-workbench" || fail "zsh does not read its completion"
fi
if command -v fish > /dev/null; then
    offered=$(HOME=$place fish --no-config -c \
        "source $root/usr/share/fish/vendor_completions.d/ipu-workbench.fish; complete -C 'ipu-workbench sweep --slu'")
    [[ $offered == --slurm* ]] || fail "fish does not complete an option"
fi

# The desktop.
share=$root/usr/share
if command -v desktop-file-validate > /dev/null; then
    desktop-file-validate "$share/applications/ipu-workbench.desktop" || fail "the menu entry"
fi
if command -v appstreamcli > /dev/null; then
    appstreamcli validate --no-net "$share/metainfo/ipu-workbench.metainfo.xml" > appstream.txt ||
        { cat appstream.txt >&2; fail "the description for software centres"; }
fi
grep -q "<release version=\"$(dpkg-deb -f "$package" Version)\"" "$share/metainfo/ipu-workbench.metainfo.xml" ||
    fail "the description for software centres lacks this version"
grep -q "^## $(dpkg-deb -f "$package" Version) " "$share/doc/ipu-workbench/CHANGELOG.md" ||
    fail "the changelog lacks this version"
if command -v update-mime-database > /dev/null && command -v gio > /dev/null; then
    update-mime-database "$share/mime" 2> /dev/null
    cp "$examples/tutorial/4-pipelined-sequential.ipuproj" p.ipuproj
    XDG_DATA_DIRS=$share gio info -a standard::content-type p.ipuproj | grep -q application/x-ipu-workbench-project ||
        fail "a project file is not known by its type"
fi
icon=$(sed -n 's/^Icon=//p' "$share/applications/ipu-workbench.desktop")
[ -s "$share/icons/hicolor/scalable/apps/$icon.svg" ] || fail "there is no icon $icon"
echo "$(basename "$package"): $(($(stat -c %s "$package") / 1024)) KiB; depends on $depends" >&2

#!/usr/bin/env bash
# Measures what a newcomer waits for: clones the last commit beside nothing, without a compiler cache, and prints how long
# the packages, the program and the tests take. Usage: tests/first_minutes.sh [PRESET]
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
git clone --quiet . "$place/clone"
cd "$place/clone"
export CCACHE_DISABLE=1
export NINJA_STATUS="[%p, %u steps left, %e s] "
total=0
measure() { # title, command …
    local title=$1 start=$SECONDS
    shift
    "$@" >&2
    local took=$((SECONDS - start))
    total=$((total + took))
    printf '%-28s %3d min %2d s\n' "$title" $((took / 60)) $((took % 60))
}
echo "$(git rev-parse --short HEAD), preset $preset, $(nproc) cores, no compiler cache"
measure "packages that were missing" .ci/setup
measure "configuration" cmake --preset "$preset"
measure "program" cmake --build --preset "$preset" --target ipu-workbench
printf '%-28s %3d min %2d s\n' "to the program" $((total / 60)) $((total % 60))
measure "tests, built" cmake --build --preset "$preset"
measure "tests, passed" ctest --preset "$preset" --parallel "$(nproc)"
printf '%-28s %3d min %2d s\n' "all" $((total / 60)) $((total % 60))

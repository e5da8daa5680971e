#!/usr/bin/env bash
# Sets up what is missing, builds, and passes the tests. Usage: tests/run.sh [PRESET] (release, debug, asan, tsan, ci).
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
.ci/setup
export NINJA_STATUS="[%p, %u steps left, %e s] "
cmake --preset "$preset"
cmake --build --preset "$preset"
ctest --preset "$preset" --parallel "$(nproc)"

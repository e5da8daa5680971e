#!/usr/bin/env bash
# Lets calls of the system fail, one after the other, in every verb that writes, in autosaves and in settings, and looks at what is
# left. Usage: tests/faults/every_fault.sh [FAULTS] [PRESET]; FAULTS: how many of each call (20), or "all", which takes hours.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$PWD/build/${2:-release}
export FAULTS=${1:-20} IPU_WORKBENCH=$build/app/ipu-workbench QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8 QTEST_FUNCTION_TIMEOUT=100000000
[ -x "$build/tests/app_faults_tests" ] || { echo "build it first: cmake --build $build --target ipu-workbench app_faults_tests" >&2; exit 2; }
"$build"/tests/app_faults_tests every_fault -maxwarnings 0
"$build"/tests/app_faults_tests window_files -maxwarnings 0

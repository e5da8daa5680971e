#!/usr/bin/env bash
# Sets up what is missing, builds, and opens the pipelined MNIST tutorial: in a window where there is a display, else
# headless: it trains, prints its summary and leaves its pictures in out/.
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/setup
export NINJA_STATUS="[%p, %u steps left, %e s] "
cmake --preset release
cmake --build --preset release --target ipu-workbench
program=build/release/app/ipu-workbench
project=projects/tutorial/4-pipelined-sequential.ipuproj
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$program" "$project"
fi
mkdir -p out
database=out/tutorial.profiles.sqlite
"$program" run "$project" --database "$database"
for view in timeline liveness schedule training; do
    "$program" render last --database "$database" --view "$view" --force -o "out/$view.png"
done
echo "pictures are in out/" >&2

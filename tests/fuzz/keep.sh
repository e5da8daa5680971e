#!/usr/bin/env bash
# Keeps what fuzzing found worth keeping: of the inputs in build/fuzz and those that are kept already, the smallest ones that
# reach something new, at most KILOBYTES of them for each target. Usage: tests/fuzz/keep.sh [KILOBYTES] [TARGET…]
set -euo pipefail
cd "$(dirname "$0")/../.."
most=$((1024 * ${1:-32}))
shift || true
root=build/fuzz
targets=("${@:-$(ls $root/seeds)}")
for target in ${targets[@]}; do
    kept=tests/fuzz/corpora/$target
    merged=$(mktemp -d)
    mkdir -p "$kept" $root/corpus/"$target"
    LLVM_PROFILE_FILE=/dev/null nice -n 15 $root/tests/fuzz/fuzz_"$target" -merge=1 -rss_limit_mb=2048 -max_len=65536 "$merged" "$kept" \
        $root/seeds/"$target" $root/corpus/"$target" > $root/logs/"$target"-merge.txt 2>&1
    # Named inputs are finds, and stay.
    find "$kept" -type f -regextype posix-extended -regex '.*/[0-9a-f]{40}' -delete
    size=$(find "$kept" -type f -printf '%s\n' | awk '{ sum += $1 } END { printf "%d", sum }')
    while read -r bytes file; do
        size=$((size + bytes))
        [ $size -le $most ] || break
        cp "$file" "$kept"
    done < <(find "$merged" -type f -size +0 -printf '%s %p\n' | sort -n)
    rm -r "$merged"
    echo "$target: $(find "$kept" -type f | wc -l) inputs, $(du -cb "$kept"/* | tail -1 | cut -f1) bytes"
done

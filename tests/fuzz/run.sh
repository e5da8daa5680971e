#!/usr/bin/env bash
# Fuzzes the readers. Usage: tests/fuzz/run.sh MINUTES [TARGET…]; MINUTES (a fraction may be) go to each target, two run
# at a time. Builds the preset `fuzz` (Clang 19), makes seeds with the program itself (IPU_WORKBENCH, else the one that was
# built last), and prints executions, those of all runs so far, the lines that were reached of each reader's sources, and
# finds. MINUTES 0 shows the coverage of what is kept; FUZZ_AS_BUILT=1 builds nothing. Exit code 1: there are finds, in
# build/fuzz/finds.
set -euo pipefail
cd "$(dirname "$0")/../.."
# Each target with the sources that read for it.
declare -A sources=(
    [autosave]='core/interchange/project/kept_work.cpp'
    [calibration_cases]='simulator/calibration/calibration_case.cpp'
    [clipboard]='core/model/edit/copied_layers.cpp'
    [datasets]='simulator/data/readers/{cifar,csv,idx,npy,text}_reader.cpp simulator/data/files/{array_file,byte_source,line_index,npy_array,npz_archive}.cpp'
    [edits]='core/model/edit/{attribute,block,connection,graph,repeat}_edit.cpp core/project/project_{edit,model_edit}.cpp'
    [executable]='simulator/compiler/executable_file.cpp'
    [hdf5]='core/interchange/keras/{keras_hdf5,hdf5_weights,hdf5_helper}.cpp core/interchange/archive/hdf5_file.cpp'
    [images]='simulator/data/files/image_file.cpp'
    [keras_archive]='core/interchange/keras/keras_archive.cpp core/interchange/archive/{deflate,zip_archive,zip_directory}.cpp'
    [keras_json]='core/interchange/keras/keras_{chain,inbound,json,layer_reader,members,reader,warnings,wiring}.cpp core/interchange/project/compile_config.cpp'
    [onnx]='core/interchange/onnx core/interchange/archive/wire_reader.cpp'
    [profile_database]='core/profile/schema core/profile/queries/{damage_report,run_queries}.cpp'
    [profile_rows]='core/profile/queries core/profile/analysis core/profile/exports'
    [project]='core/interchange/project/project_file.cpp core/project/project_sections.cpp'
    [python]='core/interchange/python/{syntax,language,apis,draft}'
    [saved_model]='core/interchange/keras/saved_model.cpp'
    [schedule_table]='core/plan/schedule/schedule_{cells,table,check}.cpp'
    [settings]='core/project/project_setting.cpp'
    [sweep]='core/interchange/sweep/{sweep,sweep_axes,point_condition}.cpp'
    [target]='simulator/target/target_file.cpp'
    [traces]='core/interchange/trace'
    [weights]='simulator/engine/replica/training_weights.cpp simulator/data/files/{npy_array,npz_archive}.cpp'
)
all=($(printf '%s\n' "${!sources[@]}" | sort))
if [ $# = 0 ] || ! [[ $1 =~ ^[0-9]+(\.[0-9]+)?$ ]]; then
    echo "usage: tests/fuzz/run.sh MINUTES [TARGET…]; targets: ${all[*]}" >&2
    exit 2
fi
seconds=$(awk "BEGIN { print int($1 * 60) }")
shift
targets=("${@:-${all[@]}}")
for target in "${targets[@]}"; do
    if [ -z "${sources[$target]:-}" ]; then
        echo "tests/fuzz/run.sh: no target \"$target\": one of ${all[*]}" >&2
        exit 2
    fi
done
for tool in clang++-19 llvm-profdata-19 llvm-cov-19; do
    if ! command -v $tool > /dev/null; then
        echo "tests/fuzz/run.sh: no $tool: apt-get install clang-19 libclang-rt-19-dev llvm-19" >&2
        exit 2
    fi
done
root=build/fuzz
export root
if [ -z "${FUZZ_AS_BUILT:-}" ]; then
    [ -e $root/CMakeCache.txt ] || cmake --preset fuzz > /dev/null
    nice -n 15 cmake --build $root --target "${targets[@]/#/fuzz_}" | tail -1
fi
mkdir -p $root/{corpus,finds,logs,counts,profiles}
if [ ! -e $root/seeds ]; then
    program=${IPU_WORKBENCH:-$(ls -t build/*/app/ipu-workbench 2> /dev/null | head -1)}
    if [ ! -x "$program" ]; then
        echo "tests/fuzz/run.sh: the seeds need the program: cmake --preset release && cmake --build --preset release" >&2
        exit 2
    fi
    IPU_WORKBENCH=$(realpath "$program") tests/fuzz/make_seeds.sh $root/seeds
fi

fuzz() { # TARGET SECONDS
    local target=$1 longest=65536 corpora=()
    [ "$target" = profile_database ] && longest=1048576
    mkdir -p $root/corpus/"$target"
    for folder in tests/fuzz/corpora/$target $root/seeds/$target; do
        [ -d "$folder" ] && corpora+=("$folder")
    done
    export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
    local options=(-timeout=${FUZZ_TIMEOUT:-10} -rss_limit_mb=2048 -max_len=$longest -print_final_stats=1 -artifact_prefix=$root/finds/"$target"-)
    if [ "$2" != 0 ]; then
        LLVM_PROFILE_FILE=/dev/null nice -n ${FUZZ_NICE:-15} $root/tests/fuzz/fuzz_"$target" "${options[@]}" -max_total_time="$2" \
            $root/corpus/"$target" "${corpora[@]}" > $root/logs/"$target".txt 2>&1 || true
        awk '/number_of_executed_units/ { print $2 }' $root/logs/"$target".txt >> $root/counts/"$target"
    fi
    # Once more through everything that is kept, for the lines that it reaches.
    LLVM_PROFILE_FILE=$root/profiles/$target-%p.profraw nice -n ${FUZZ_NICE:-15} $root/tests/fuzz/fuzz_"$target" "${options[@]}" -runs=0 \
        $root/corpus/"$target" "${corpora[@]}" > $root/logs/"$target"-coverage.txt 2>&1 || true
    llvm-profdata-19 merge -sparse $root/profiles/"$target"-*.profraw -o $root/profiles/"$target" 2> /dev/null || true
    rm -f $root/profiles/"$target"-*.profraw
}
export -f fuzz
printf '%s\n' "${targets[@]}" | xargs -P 2 -I{} bash -c "fuzz {} $seconds"

printf '%-20s %12s %14s %9s %16s %6s\n' target executions "of all runs" "per s" "lines reached" finds
finds=0
total=0
for target in "${targets[@]}"; do
    log=$root/logs/$target.txt
    touch "$log" $root/counts/"$target"
    found=$(find $root/finds -name "$target-*" | wc -l)
    finds=$((finds + found))
    made=$(awk '{ sum += $1 } END { printf "%d", sum }' $root/counts/"$target")
    total=$((total + made))
    lines=$(eval "llvm-cov-19 report $root/tests/fuzz/fuzz_$target -instr-profile=$root/profiles/$target ${sources[$target]}" 2> /dev/null |
        awk '$1 == "TOTAL" { printf "%d of %d, %s", $8 - $9, $8, $10 }')
    printf '%-20s %12s %14s %9s %22s %6s\n' "$target" "$(awk '/number_of_executed_units/ { print $2 }' "$log")" "$made" \
        "$(awk '/average_exec_per_sec/ { print $2 }' "$log")" "$lines" "$found"
done
echo "executions of all runs: $total"
echo "finds: $finds$([ $finds = 0 ] || echo ", in $root/finds; the reports are in $root/logs")"
[ $finds = 0 ]

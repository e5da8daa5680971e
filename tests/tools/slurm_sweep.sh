#!/usr/bin/env bash
# A real sweep on a Slurm cluster of this machine's own: munge, a controller and two nodes of one core, all in a temporary
# folder on ports of their own. One task is killed and requeued, one node dies and comes back; then the merged database
# must hold the rows of a sweep on this machine, none lost and none simulated twice.
# Usage: slurm_sweep.sh PROGRAM PROJECTS. Exit code 77: Slurm cannot run here. Takes about half a minute.
set -euo pipefail
program=$1
projects=$2
parts=8

skip() {
    echo "skipped: $1" >&2
    exit 77
}
fail() {
    echo "FAILED: $1" >&2
    tail -n 8 "$place"/*.log "$work"/*.log >&2 2> /dev/null || true
    exit 1
}
for tool in munged slurmctld slurmd sbatch squeue scancel scontrol; do
    PATH=$PATH:/usr/sbin command -v "$tool" > /dev/null || skip "there is no $tool (packages slurm-wlm, munge)"
done
PATH=$PATH:/usr/sbin
[ "$(id -u)" -eq 0 ] || skip "slurmd starts jobs as root only"

place=$(mktemp -d)
stop_all() {
    # Controller and nodes first: what they started ends with them.
    scancel --full --user=root > /dev/null 2>&1 || true
    for name in n1 n2 slurmctld munged; do
        pid=$(cat "$place/$name.pid" 2> /dev/null || true)
        [ -z "$pid" ] || kill "$pid" 2> /dev/null || true
    done
    for _ in $(seq 20); do # they write while they end
        rm -rf "$place" 2> /dev/null && break
        sleep 0.1
    done
}
trap stop_all EXIT
chmod 755 "$place"
work="$place/a sweep's 100 % folder"
mkdir -p "$place"/{munge,state,n1,n2} "$work"
export SLURM_CONF=$place/slurm.conf
unset "${!SBATCH_@}" "${!SQUEUE_@}"

head -c 64 /dev/urandom > "$place/munge/key"
chmod 600 "$place/munge/key"
munged --force --key-file "$place/munge/key" --socket "$place/munge/socket" --pid-file "$place/munged.pid" \
    --log-file "$place/munged.log" --seed-file "$place/munge/seed" || skip "munged does not start"
# Ports: below those that the system gives away.
port=$((12000 + $$ % 10000 * 2))
host=$(hostname -s)
cat > "$SLURM_CONF" << CONFIGURATION
ClusterName=sweep
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$place/munge/socket,cred_expire=5
CredType=cred/munge
SlurmctldPort=$port
SlurmctldPidFile=$place/slurmctld.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdPidFile=$place/%n.pid
SlurmdLogFile=$place/%n.log
SlurmdSpoolDir=$place/%n
StateSaveLocation=$place/state
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1
MinJobAge=600
ReturnToService=2
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONFIGURATION
slurmctld -c 2> /dev/null || skip "slurmctld does not start"
for node in n1 n2; do
    slurmd -N "$node" 2> /dev/null || skip "slurmd does not start"
done

# until_true SECONDS TITLE COMMAND …
until_true() {
    local limit=$((SECONDS + $1)) title=$2
    shift 2
    until "$@"; do
        [ "$SECONDS" -lt "$limit" ] || fail "waited too long until $title"
        sleep 0.1
    done
}
nodes_are_idle() { [ "$(sinfo --noheader --format=%T 2> /dev/null)" = idle ]; }
for _ in $(seq 100); do
    nodes_are_idle && break
    sleep 0.1
done
nodes_are_idle || skip "the nodes of the private cluster do not come up"

cd "$work"
cp "$projects/resnet50/resnet50.ipuproj" .
cat > s.json << 'SWEEP'
{"format": "ipu-workbench-sweep", "version": 1, "project": "resnet50.ipuproj",
 "grid": {"pipeline.schedule": ["Grouped", "Nothing"], "pipeline.gradient_accumulation_steps_per_replica": [3, 8]},
 "random": {"samples": 996, "seed": 1, "ranges": {
   "pipeline.gradient_accumulation_steps_per_replica": {"choices": [4, 8]}, "training.batch_size": [1, 48],
   "system.link_bytes_per_second": [2e10, 6e10],
   "pipeline.schedule": {"choices": ["Grouped", "Interleaved"]}}}}
SWEEP
# Micro-batches of many sizes, so that a task compiles often and takes its seconds.
points=1000
hash= # of the sweep, in the names of its parts
shard() { echo "resnet50.$hash.shard-$1-of-$parts.sqlite"; }
held() { # points that a file holds
    [ -s "$1" ] || { echo 0; return; }
    "$program" sql "SELECT count(*) FROM v_sweep_point" --database "$1" --csv 2> /dev/null | tail -n 1 | tr -d '\r'
}
status_of() { # task
    squeue --noheader --array --states=all --format='%i %T' | awk -v task="$1" '$1 == task { print $2 }'
}
has_state() { [[ " $2 " == *" $(status_of "$1") "* ]]; }
is_part() { [ "$1" -gt 0 ] && [ "$1" -lt $((points / parts)) ]; }
holds_some() { [ "$(held "$(shard "$1")")" -gt 0 ]; }

"$program" sweep s.json --slurm --array "$parts" --json > submitted.json || fail "the sweep was not submitted"
hash=$(echo resnet50.*.shards-of-"$parts".sh | cut -d. -f2)
array=$(grep -o '"job": *"[0-9]*"' submitted.json | head -n 1 | tr -dc 0-9)
merge=$(grep -o '"job": *"[0-9]*"' submitted.json | tail -n 1 | tr -dc 0-9)
"$program" sweep s.json --slurm --array "$parts" --resume 2> again.txt && fail "an array was submitted twice"
grep -q 'slurm/running' again.txt || fail "the second array was refused for another reason"

# The processes of a task: its job script became the program.
processes_of() { grep -lzs "^SLURM_ARRAY_TASK_ID=$1\$" /proc/[0-9]*/environ | cut -d/ -f3; }
ours() { # those of them that belong to this cluster
    for process in $(processes_of "$1"); do
        grep -qzs "^SLURM_CONF=$SLURM_CONF\$" "/proc/$process/environ" && echo "$process"
    done
}

# 1. A task is killed in the middle, and requeued.
until_true 60 "task 1 has stored points" holds_some 1
mapfile -t victims < <(ours 1)
[ ${#victims[@]} -gt 0 ] || fail "task 1 has no process"
kill -KILL "${victims[@]}"
until_true 60 "task 1 is seen as failed" has_state "${array}_1" "FAILED"
after_kill=$(held "$(shard 1)")
is_part "$after_kill" || skip "task 1 had stored $after_kill points when it was killed: this machine is too quick or too slow"
"$program" sweep s.json --status --json > status.json || fail "no status"
grep -q '"state": "failed"' status.json || fail "the status does not know the task that failed"
scontrol requeue "${array}_1" || fail "task 1 is not requeued"

# 2. The node of a task dies in the middle, comes back, and its task is requeued.
second=0
is_in_the_middle() {
    for number in $(seq 3 "$parts"); do
        if has_state "${array}_$number" "RUNNING" && holds_some "$number"; then
            second=$number
            return 0
        fi
    done
    return 1
}
until_true 60 "another task has stored points" is_in_the_middle
node=$(squeue --noheader --array --format='%i %N' | awk -v task="${array}_$second" '$1 == task { print $2 }')
mapfile -t victims < <(ours "$second")
# The parent of a job's script is the daemon that minds it.
mapfile -t minders < <(for victim in "${victims[@]}"; do awk '/^PPid:/ { print $2 }' "/proc/$victim/status"; done)
kill -KILL "$(cat "$place/$node.pid")" "${minders[@]}" "${victims[@]}" 2> /dev/null || true
after_death=$(held "$(shard "$second")")
# What the controller does itself when a node is silent for SlurmdTimeout.
scontrol update "nodename=$node" state=down reason=died || fail "node $node is not given up"
is_part "$after_death" || skip "task $second had stored $after_death points when its node died: this machine is too quick or too slow"
slurmd -N "$node" || fail "node $node does not come back"

# Meanwhile the same on this machine alone.
"$program" sweep s.json --jobs 1 --database local.sqlite --quiet > /dev/null || fail "the local sweep"

until_true 120 "the parts are merged" has_state "$merge" "COMPLETED FAILED NODE_FAIL"
has_state "$merge" "COMPLETED" || fail "merging failed"
rows() {
    "$program" sql "SELECT point, state, point_values, finding, ipus, replicas, effective_batch, step_cycles,
        samples_per_second, idle_fraction, peak_bytes, limit_bytes FROM v_sweep_point ORDER BY point" --csv --database "$1"
}
rows resnet50.profiles.sqlite > merged.csv
rows local.sqlite > local.csv
[ "$(wc -l < merged.csv)" -eq $((points + 1)) ] || fail "the merged database has not $points rows"
cmp merged.csv local.csv || fail "the merged rows are not those of the local sweep"
# What a requeued task says of the points that it had still to do.
for pair in "1 $after_kill" "$second $after_death"; do
    read -r number before <<< "$pair"
    grep -q "of $((points / parts - before)) points" "resnet50.$hash.shard-$number-of-$parts.log" ||
        fail "task $number did not go on after its $before points"
done
"$program" sweep s.json --status --json | grep -q '"open": 0' || fail "the status has open points"
echo "$points points in $parts tasks: task 1 killed after $after_kill of $((points / parts)) points, the node of task" \
    "$second died after $after_death; the merged rows are those of the local sweep. $SECONDS s" >&2

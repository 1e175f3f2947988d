#!/usr/bin/env bash
# The program on emulated processors: one that is too old is told so, one that just suffices runs.
set -euo pipefail
gamete=${1:-target/debug/gamete}
command -v qemu-x86_64 > /dev/null || { echo "needs qemu-x86_64 (Debian: qemu-user)"; exit 1; }

echo "Nehalem (2008): a message and exit code 1"
code=0
told=$(qemu-x86_64 -cpu Nehalem "$gamete" games 2>&1) || code=$?
[ "$code" -eq 1 ] || { echo "exit code $code: $told"; exit 1; }
case $told in
    *"x86-64-v3"*"target-cpu=native"*) ;;
    *) echo "it said: $told"; exit 1 ;;
esac

echo "Haswell (2013): it runs"
qemu-x86_64 -cpu Haswell "$gamete" games 2> /dev/null | grep -q 2048
echo "as it should be"

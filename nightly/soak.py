#!/usr/bin/env python3
"""Mixed load against the page for ten minutes: memory must be flat at the end, and no answer may be an error of the server.

Nightly and not in .ci/run, since it takes its time. Clients play, watch, measure, check and start studies, read reports, send nonsense, and leave
in the middle of answers. The server's memory (RSS) is written down every second; its median over the last sixth of the time may exceed that of the
sixth after warming up (the first third) by a quarter and 32 MB. Exit code 0: all is well; 1: something is not; 2: wrong arguments. Usage:
  nightly/soak.py [--minutes 10] [--clients 6] [path to gamete]     (default: target/debug/gamete)
"""

import argparse
import collections
import http.client
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

STUDY = """
name = "soak"
repeats = 2
preset = "2048-ga"
chromosome = "reals"
initial = 10.0
[game]
name = "2048"
[fitness]
games = 1
[stop]
generations = 3
[final]
games = 6
[optimizer]
population = 4
"""
SLOW = 'name = "slow"\nkind = "measure"\nplayer = "minimax(depth=60)"\n[game]\nname = "connect"\n[measure]\ngames = 2\n'
PLAYERS = ["random", "greedy", "mcts(iterations=200)", "minimax(depth=3)", "minimax(depth=60)"]
# More studies than these would be kept for good, which takes memory rightly.
MOST_STUDIES = 10


class Load:
    def __init__(self, host, end):
        self.host, self.end = host, end
        self.answers = collections.Counter()
        self.failures = []
        self.studies = 0
        self.games = []
        self.lock = threading.Lock()

    def ask(self, method, path, body=None, read=None):
        """The status and the answer; of a stream or a large answer only the first bytes, if so many are to be read."""
        client = http.client.HTTPConnection(self.host, timeout=60)
        try:
            headers = {"content-type": "application/json"} if body is not None else {}
            text = body if isinstance(body, (bytes, type(None))) else json.dumps(body)
            client.request(method, path, text, headers)
            answer = client.getresponse()
            data = answer.read() if read is None else answer.read1(read)
        finally:
            client.close()
        with self.lock:
            self.answers[answer.status] += 1
            if answer.status >= 500:
                self.failures.append((answer.status, method, path, data[:200]))
        return answer.status, data

    def play(self, rng):
        game = rng.choice(self.games)
        _, start = self.ask("POST", f"/api/games/{game}/view", {"seed": str(rng.randrange(1000))})
        position = json.loads(start)["position"]
        question = {"position": position, "player": rng.choice(PLAYERS), "time_ms": 50, "tab": str(rng.randrange(3))}
        self.ask("POST", f"/api/games/{game}/{rng.choice(['choose', 'hint'])}", question)

    def stream(self, rng):
        """Watches or measures, and leaves after a few bytes."""
        query = {"game": rng.choice(self.games), "player": rng.choice(PLAYERS), "games": "50", "seed": str(rng.randrange(1000))}
        path = f"/api/{rng.choice(['watch', 'measure'])}?{urllib.parse.urlencode(query)}"
        self.ask("GET", path, read=rng.choice([1, 2000, 50000]))

    def study(self, rng):
        toml = rng.choice([STUDY, STUDY, SLOW, "name = 3", "[["])
        self.ask("POST", "/api/check", {"toml": toml, "estimate": toml is STUDY and rng.random() < 0.1})
        with self.lock:
            self.studies += 1
            may_start = self.studies <= MOST_STUDIES
        if may_start:
            self.ask("POST", "/api/studies", {"toml": rng.choice([STUDY, SLOW]), "fork": True})
        self.ask("POST", "/api/studies/slow/stop", {})

    def read(self, rng):
        path = rng.choice([
            "/", "/plain", "/api/status", "/api/runs?size=20", "/api/studies", "/api/games", "/api/templates", "/api/openapi.json",
            "/api/studies/soak", "/api/studies/soak/files/report.html", "/api/studies/soak/files/results.json", "/api/runs/soak/r1",
            "/api/runs/soak/r1/history", "/api/runs/soak/r1/games", "/api/replays/soak/r1", "/api/replays/soak/r1/0", "/api/leaderboard/2048",
        ])
        self.ask("GET", path)

    def nonsense(self, rng):
        noise = rng.randbytes(rng.randrange(2000))
        self.ask("POST", rng.choice(["/api/check", "/api/replays", "/api/studies", "/api/games/2048/view"]), noise)
        self.ask("GET", "/api/" + urllib.parse.quote(noise[:50]))

    def work(self, seed):
        rng = random.Random(seed)
        acts = [self.play] * 4 + [self.stream] * 2 + [self.read] * 4 + [self.study, self.nonsense]
        while time.monotonic() < self.end:
            try:
                rng.choice(acts)(rng)
            except Exception as error:  # whatever a client meets is a failure
                with self.lock:
                    self.failures.append((repr(error),))
                time.sleep(0.1)


def memory(process):
    """Megabytes in use; none if it has ended."""
    try:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            lines = dict(line.split(":", 1) for line in status)
        return int(lines["VmRSS"].split()[0]) / 1024
    except (OSError, KeyError):
        return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("gamete", nargs="?", default="target/debug/gamete")
    arguments.add_argument("--minutes", type=float, default=10)
    arguments.add_argument("--clients", type=int, default=6)
    given = arguments.parse_args()
    if not os.access(given.gamete, os.X_OK):
        print(f"there is no {given.gamete}: build it first, or name it", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as runs:
        command = [given.gamete, "serve", "--port", "0", "--no-open", "--runs-dir", runs]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            return soak(process, given)
        finally:
            process.kill()
            process.wait()


def soak(process, given):
    host = urllib.parse.urlsplit(process.stdout.readline().strip()).netloc
    end = time.monotonic() + 60 * given.minutes
    load = Load(host, end)
    load.games = [game["name"] for game in json.loads(load.ask("GET", "/api/games")[1])]
    threads = [threading.Thread(target=load.work, args=[seed]) for seed in range(given.clients)]
    for thread in threads:
        thread.start()
    used = []
    while time.monotonic() < end and process.poll() is None:
        used.append(memory(process))
        time.sleep(1)
    for thread in threads:
        thread.join()
    used = [megabytes for megabytes in used if megabytes is not None]
    sixth = max(len(used) // 6, 1)
    before, after = (statistics.median(part) for part in (used[2 * sixth:3 * sixth] or used, used[-sixth:]))
    problems = []
    if process.poll() is not None:
        problems.append(f"the server has ended with {process.returncode}")
    if after > 1.25 * before + 32:
        problems.append(f"memory has grown from {before:.0f} to {after:.0f} MB")
    problems += [f"failed: {failure}" for failure in load.failures[:20]]
    process.send_signal(signal.SIGTERM)
    try:
        if process.wait(timeout=120) != 0:
            problems.append(f"the server ended with {process.returncode} after SIGTERM")
    except subprocess.TimeoutExpired:
        problems.append("the server did not end after SIGTERM")
    print(f"{sum(load.answers.values())} answers by status: {dict(sorted(load.answers.items()))}")
    print(f"memory in MB: start {used[0]:.0f}, after warming up {before:.0f}, most {max(used):.0f}, at the end {after:.0f}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

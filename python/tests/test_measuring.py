"""Numbers are those of the command line, functions play, and whatever goes wrong comes out."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import gamete
from conftest import timeless


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("measure 2048 --games 50", lambda: gamete.measure("2048", games=50)),
        (
            "measure 2048 --player greedy --rules fer --size 3x4 --games 20 --seed 9",
            lambda: gamete.measure(gamete.game("2048", rules="fer", size="3x4"), "greedy", games=20, seed=9),
        ),
        (
            "measure 2048 --player expectimax(depth=2) --games 2 --win 64 --stop-at-win",
            lambda: gamete.measure(gamete.game("2048", win=64, stop_at_win=True), "expectimax(depth=2)", games=2),
        ),
        (
            "measure tetris --player weighted --board 6x10 --limit 100 --games 5",
            lambda: gamete.measure(gamete.game("tetris", board="6x10", limit=100), "weighted", games=5),
        ),
        (
            "measure connect --player mcts(iterations=50) --against random --both-seats --games 10",
            lambda: gamete.measure("connect", "mcts(iterations=50)", against="random", both_seats=True, games=10),
        ),
        (
            "measure connect --player alphabeta --against greedy --openings random(plies=3) --games 6",
            lambda: gamete.measure("connect", "alphabeta", against="greedy", openings="random(plies=3)", games=6),
        ),
        ("match connect random greedy --games 20", lambda: gamete.match("connect", "random", "greedy", games=20)),
        (
            "match 2048 random greedy eight --games 10 --seed 3",
            lambda: gamete.match("2048", "random", "greedy", "eight", games=10, seed=3),
        ),
        ("solve connect 44535331 --threads 1", lambda: gamete.solve("connect", "44535331", threads=1)),
        (
            "solve connect 12 --rows 4 --cols 5 --connect 3 --weak --threads 1",
            lambda: gamete.solve(gamete.game("connect", rows=4, cols=5, connect=3), "12", weak=True, threads=1),
        ),
    ],
)
def test_numbers_are_those_of_the_program(words: str, call: Callable[[], gamete.Result], numbers: Any) -> None:
    assert timeless(call().to_dict()) == numbers(*words.split())


def test_results_have_attributes_and_tables() -> None:
    result = gamete.measure("2048", games=100)
    assert result.score.ci95 is not None
    low, high = result.score.ci95
    assert low < result.score.mean < high
    assert result.highest_tile[64].games > 0
    assert result.won.share == 0
    table = result.to_pandas().set_index("name")
    assert table.loc["score", "mean"] == result.score.mean
    assert "highest_tile 64" in table.index
    assert "<table>" in result._repr_html_()
    with pytest.raises(AttributeError, match="there are"):
        result.points  # noqa: B018
    standings = gamete.match("connect", "random", "greedy", games=4).to_pandas()
    assert list(standings["player"]) and "elo" in standings
    assert gamete.solve("connect", "44535331").moves[0].column == "1"


def test_functions_play() -> None:
    def first(position: gamete.Position) -> str:
        return position.moves()[0]

    result = gamete.measure("2048", first, games=20)
    assert result.player == "first" and result.score.mean > 100
    assert timeless(gamete.measure("2048", first, games=20, threads=1).to_dict())["score"] == result.to_dict()["score"]
    against = gamete.match("connect", first, "random", lambda position: position.moves()[-1], games=4)
    assert len(against.standings) == 3


def test_an_exception_in_a_player_comes_out() -> None:
    def broken(position: gamete.Position) -> str:
        if position.score > 100:
            raise LookupError("lost")
        return position.moves()[0]

    with pytest.raises(LookupError, match="lost"):
        gamete.measure("2048", broken, games=1000)
    with pytest.raises(gamete.IllegalMove, match="sideways"):
        gamete.measure("2048", lambda _: "sideways", games=100)


def test_threads_call_at_once() -> None:
    def one(seed: int) -> dict[str, Any]:
        return timeless(gamete.measure("2048", lambda position: position.moves()[0], games=5, seed=seed).to_dict())

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(one, range(8)))
    assert [result["score"] for result in together] == [one(seed)["score"] for seed in range(8)]


@pytest.mark.parametrize(
    "call",
    [
        "measure('2048', 'expectimax(depth=3)', games=10_000_000)",
        "measure('2048', lambda position: position.moves()[0], games=10_000_000)",
        "match('connect', 'mcts', 'random', games=10_000_000)",
        "solve('connect', '12', book=False)",
        "evolve('2048', generations=1_000_000)",
    ],
)
def test_ctrl_c_ends_work(call: str, tmp_path: Path) -> None:
    script = f"""
import os, signal, threading
import gamete
# Whoever started the tests in the background has had it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    gamete.{call}
except KeyboardInterrupt:
    print("interrupted", gamete.measure("2048", games=5).games)
"""
    child = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert child.stdout == "interrupted 5\n", child.stderr


def test_progress_is_told() -> None:
    from gamete import _gamete

    told: list[int] = []
    _gamete.measure(
        gamete.game("2048"), "random", against=None, both_seats=False, openings=None, games=30, seed=1, threads=None, move_time=None, progress=told.append
    )
    assert told[-1] == 30


def test_the_command_of_the_package_is_the_program(binary: Any, package: Any) -> None:
    for words in (["--version"], ["games"], ["players", "2048"], ["measure", "2408"], ["solve", "connect", "x4"], ["study", "new", "tetris"]):
        own, other = package(*words), binary(*words)
        assert (own.returncode, own.stdout, own.stderr) == (other.returncode, other.stdout, other.stderr)


def test_random_functions_have_their_own_generator() -> None:
    generator = random.Random(4)
    lock = threading.Lock()

    def drawn(position: gamete.Position) -> str:
        with lock:
            return generator.choice(position.moves())

    assert gamete.measure("2048", drawn, games=10, threads=1).games == 10
    json.dumps(gamete.measure("2048", games=2).to_dict())

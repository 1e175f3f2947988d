"""Whatever is passed in, what comes out is an ordinary exception: nothing panics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import gamete
from gamete import _gamete

#: Values that nobody should pass.
ODD: list[Any] = [None, True, -1, 0, 1, 2**63, 2**64, 1e300, float("nan"), "", "x" * 50, "\0", "(", "4x4", b"x", [], [None], {}, object(), lambda: 1]

CALLS: dict[str, Callable[[Any], Any]] = {
    "game": lambda odd: gamete.game(odd),
    "size": lambda odd: gamete.game("2048", size=odd),
    "board": lambda odd: gamete.game("tetris", board=odd),
    "rows": lambda odd: gamete.game("connect", rows=odd),
    "seed": lambda odd: gamete.game("2048").start(seed=odd),
    "number": lambda odd: gamete.game("2048").start(seed=1, number=odd),
    "parse": lambda odd: [gamete.parse(name, odd) for name in gamete.games()],
    "play": lambda odd: gamete.game("2048").start(seed=1).play(odd),
    "happen": lambda odd: gamete.game("2048").start().happen(odd),
    "player": lambda odd: gamete.player("2048", odd),
    "judge": lambda odd: gamete.player("2048", "greedy").judge(odd),
    "games": lambda odd: gamete.measure("2048", games=odd if odd not in (2**63, 2**64) else 0, threads=1),
    "threads": lambda odd: gamete.measure("2048", games=1, threads=odd),
    "move time": lambda odd: gamete.measure("2048", games=1, move_time=odd),
    "openings": lambda odd: gamete.measure("connect", games=1, openings=odd),
    "match": lambda odd: gamete.match("connect", odd, "random", games=2),
    "solve": lambda odd: gamete.solve("connect", odd, nodes=10),
    "table": lambda odd: gamete.solve("connect", "44444444", nodes=10, table=odd if odd != 1 else 40),
    "algorithm": lambda odd: gamete.Optimizer(odd, weights=2),
    "weights": lambda odd: gamete.Optimizer("cma-es", weights=odd if odd not in (2**63, 2**64) else -1),
    "ranges": lambda odd: gamete.Optimizer("cma-es", weights=2, ranges=odd),
    "bits": lambda odd: gamete.Optimizer("ga", bits=odd if odd not in (2**63, 2**64) else -1).ask(),
    "setting": lambda odd: gamete.Optimizer("ga", bits=3, population=odd),
    "state": lambda odd: _gamete.Optimizer.restored(odd),
    "columns": lambda odd: gamete.Program(None, inputs=1, outputs=1, rows=1, columns=odd, functions="+"),
    "inputs": lambda odd: gamete.Program(None, inputs=odd, outputs=1, rows=1, columns=2, functions="+"),
    "functions": lambda odd: gamete.Program(None, inputs=1, outputs=1, rows=1, columns=2, functions=odd),
    "genotype": lambda odd: gamete.Program.restored(odd, odd),
    "call": lambda odd: gamete.Program(None, inputs=1, outputs=1, rows=1, columns=2, functions="+")(odd),
    "study": lambda odd: gamete.run({"name": odd}),
    "load": lambda odd: gamete.load(odd),
    "count": lambda odd: _gamete.Vector(gamete.game("2048"), odd if odd not in (2**63, 2**64) else 0),
    "seat": lambda odd: _gamete.Vector(gamete.game("connect"), 1, seat=odd),
    "opponent": lambda odd: _gamete.Vector(gamete.game("connect"), 1, opponent=odd),
    "seeds": lambda odd: _gamete.Vector(gamete.game("2048"), 1).reset(odd),
    "actions": lambda odd: _gamete.Vector(gamete.game("2048"), 1).step(odd),
    "action": lambda odd: _gamete.Single(gamete.game("2048")).step(odd),
}


@pytest.mark.parametrize("name", CALLS)
def test_odd_values_are_refused_or_taken(name: str) -> None:
    for odd in ODD:
        try:
            CALLS[name](odd)
        except Exception:  # noqa: BLE001 (a panic is none, but a BaseException)
            pass

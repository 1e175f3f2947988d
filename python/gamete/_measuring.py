"""Measurements, matches and solutions: the numbers of the command line."""

from __future__ import annotations

from collections.abc import Sequence

from . import _gamete
from ._games import AnyGame, AnyPlayer, as_game
from ._progress import progress as _progress
from ._results import Measurement, Solution, Tournament, read


def measure(
    game: AnyGame,
    player: AnyPlayer = "random",
    *,
    against: AnyPlayer | None = None,
    both_seats: bool = False,
    openings: str | Sequence[str] | None = None,
    games: int = 1000,
    seed: int = 1,
    threads: int | None = None,
    move_time: float | None = None,
    progress: bool | None = None,
) -> Measurement:
    """Plays many games of a player and sums them up: ``gamete measure``."""
    with _progress(games, progress) as update:
        text = _gamete.measure(
            as_game(game),
            player,
            against=against,
            both_seats=both_seats,
            openings=openings,
            games=games,
            seed=seed,
            threads=threads,
            move_time=move_time,
            progress=update,
        )
    return Measurement(read(text))


def match(
    game: AnyGame,
    *players: AnyPlayer,
    openings: str | Sequence[str] | None = None,
    games: int = 100,
    seed: int = 1,
    threads: int | None = None,
    move_time: float | None = None,
    progress: bool | None = None,
) -> Tournament:
    """Lets every player meet every other: ``gamete match``."""
    with _progress(None, progress) as update:
        text = _gamete.match(
            as_game(game),
            list(players),
            openings=openings,
            games=games,
            seed=seed,
            threads=threads,
            move_time=move_time,
            progress=update,
        )
    return Tournament(read(text))


def solve(
    game: AnyGame,
    position: object = "",
    *,
    weak: bool = False,
    nodes: int | None = None,
    seconds: float | None = None,
    book: bool = True,
    table: int = 24,
    threads: int | None = None,
) -> Solution:
    """The exact value of a position of Connect-N, given by its columns, as a board, or as a position: ``gamete solve``."""
    text = _gamete.solve(
        as_game(game), str(position), weak=weak, nodes=nodes, seconds=seconds, book=book, table=table, threads=threads
    )
    return Solution(read(text))

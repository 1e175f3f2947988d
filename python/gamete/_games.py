"""Games, positions and players by name."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Union

from ._gamete import Game, Player, Position
from ._gamete import games as _games
from ._gamete import players as _players

#: Whatever can play: a spec like ``"random"``, the path of a file, a player, or a function of a position.
AnyPlayer = Union[str, "os.PathLike[str]", Player, Callable[[Position], str]]
#: A game, or its name.
AnyGame = Union[Game, str]


def game(name: str, /, **rules: object) -> Game:
    """The game of this name. Rules are the options of the command line: ``game("2048", size="5x5", stop_at_win=True)``."""
    return Game(name, **rules)


def games() -> dict[str, str]:
    """All games, with a line about each."""
    return dict(_games())


def parse(game: AnyGame, text: str, seed: int | None = None) -> Position:
    """The position of a text; of Connect-N also by the columns played: ``parse("connect", "4453")``."""
    return as_game(game).parse(text, seed)


def player(game: AnyGame, player: AnyPlayer, *, seed: int = 1) -> Player:
    """A player of the game. A player that draws random numbers derives them from ``seed``."""
    return Player(as_game(game), player, seed=seed)


def players(game: AnyGame) -> dict[str, str]:
    """All players of a game, with a line about each."""
    return dict(_players(as_game(game)))


def as_game(game: AnyGame) -> Game:
    """A game by its name, or as it is."""
    return Game(game) if isinstance(game, str) else game

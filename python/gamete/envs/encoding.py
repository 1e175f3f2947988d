"""What the single and the vector environments have in common: spaces, and views of the arrays that games are written into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .._gamete import Game, Vector
from .._games import AnyPlayer

#: Of one game, or of many: the board, or with Tetris the board and the pieces.
Observation = Any


class Games:
    """Games side by side, with their arrays in the shapes that spaces have."""

    def __init__(
        self,
        game: Game,
        count: int,
        autoreset: str,
        illegal: str,
        opponent: AnyPlayer | None,
        seat: int | None,
    ) -> None:
        self.vector = Vector(game, count, opponent=opponent, seat=seat, autoreset=autoreset, illegal=illegal)
        own = self.vector
        shape = tuple(own.shape)
        self.board = own.board.reshape(count, *shape)
        self.last_board = own.last_board.reshape(count, *shape)
        self.pieces = own.pieces.reshape(count, own.piece_places)
        self.last_pieces = own.last_pieces.reshape(count, own.piece_places)
        self.mask = own.mask.reshape(count, own.actions)
        self.rewards = own.rewards
        self.terminated = own.terminated
        self.illegal = own.illegal
        self.action_space = spaces.Discrete(own.actions)
        self.observation_space = _space(own, shape)

    def observation(self, copy: bool) -> Observation:
        """What is seen of all games."""
        return self._seen(self.board, self.pieces, copy)

    def last_observation(self) -> Observation:
        """What was last seen of games that ended in this step."""
        return self._seen(self.last_board, self.last_pieces, True)

    def observation_of_first(self) -> Observation:
        """What is seen of the first game."""
        if not self.vector.piece_places:
            return self.board[0].copy()
        return {"board": self.board[0].copy(), "pieces": self.pieces[0].copy()}

    def _seen(self, board: NDArray[np.uint8], pieces: NDArray[np.uint8], copy: bool) -> Observation:
        if copy:
            board, pieces = board.copy(), pieces.copy()
        return {"board": board, "pieces": pieces} if self.vector.piece_places else board


def _space(own: Vector, shape: tuple[int, ...]) -> spaces.Space[Any]:
    board = spaces.Box(0, own.highest, shape, np.uint8)
    if not own.piece_places:
        return board
    kinds = np.full(own.piece_places, own.piece_kinds + 1)
    return spaces.Dict({"board": board, "pieces": spaces.MultiDiscrete(kinds, dtype=np.uint8)})


def new_game(name: str, rules: Mapping[str, object]) -> Game:
    """The game of an environment's keyword arguments."""
    return Game(name, **rules)

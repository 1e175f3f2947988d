"""What the single and the vector environments have in common: spaces and observations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray


if TYPE_CHECKING:
    from .._gamete import Layout

#: Of one game, or of many: the board, or with Tetris the board and the pieces.
Observation = Any


def observation(board: NDArray[np.uint8], pieces: NDArray[np.uint8]) -> Observation:
    """What is seen of games."""
    return {"board": board, "pieces": pieces} if pieces.size else board


def observation_space(layout: Layout) -> spaces.Space[Any]:
    """The space of what is seen of a game."""
    board = spaces.Box(0, layout["highest"], tuple(layout["shape"]), np.uint8)
    if not layout["pieces"]:
        return board
    kinds = np.full(layout["pieces"], layout["kinds"] + 1)
    return spaces.Dict({"board": board, "pieces": spaces.MultiDiscrete(kinds, dtype=np.uint8)})

"""Positions as text and as pictures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._gamete import Position

#: Pixels a cell.
CELL = 32
#: Colours by what lies in a cell; large numbers begin again after the empty cell.
COLOURS = np.array(
    [
        [238, 240, 243], [63, 114, 175], [219, 112, 62], [91, 155, 96], [178, 84, 120], [214, 168, 60], [98, 98, 168],
        [70, 160, 160], [150, 110, 80], [200, 80, 70], [120, 150, 60], [60, 90, 120], [160, 90, 170], [40, 40, 40],
    ],
    dtype=np.uint8,
)  # fmt: skip


def as_text(position: Position) -> str:
    """The board, row by row, and what is written beside it."""
    board = position.board()
    if position.game.name == "2048":
        rows = ["".join(f"{1 << int(cell) if cell else '.':>7}" for cell in row) for row in board]
    else:
        signs = ".#" if position.game.name == "tetris" else ".xo"
        rows = ["".join(signs[cell] for cell in row) for row in board]
    return "\n".join([*rows, f"score {position.score}", ""])


def as_picture(position: Position) -> NDArray[np.uint8]:
    """The board as pixels."""
    board = position.board().astype(np.int64)
    colours = COLOURS[np.where(board == 0, 0, 1 + (board - 1) % (len(COLOURS) - 1))]
    picture = colours.repeat(CELL, axis=0).repeat(CELL, axis=1)
    picture[::CELL] = 255
    picture[:, ::CELL] = 255
    return picture

"""Positions as text."""

from __future__ import annotations

from .._gamete import Position


def as_text(position: Position) -> str:
    """The board, row by row, and the position's own text."""
    board = position.board()
    if position.game.name == "2048":
        rows = ["".join(f"{1 << int(cell) if cell else '.':>7}" for cell in row) for row in board]
    else:
        signs = ".#" if position.game.name == "tetris" else ".xo"
        rows = ["".join(signs[cell] for cell in row) for row in board]
    return "\n".join([*rows, f"score {position.score}", ""])

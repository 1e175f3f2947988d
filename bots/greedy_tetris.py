#!/usr/bin/env python3
"""A bot for the Tetris Bot Protocol, and so for `gamete`: the placement that leaves the best board.

    gamete measure tetris --limit 100 --player "exec(cmd='python3 bots/greedy_tetris.py')" --games 4

It uses nothing but the protocol, so it would play in any other program that speaks it: it keeps the board itself,
from `start`, `play` and `new_piece`, and answers with locations. It never holds, and drops pieces straight down.
"""

import json
import sys

WIDTH, HEIGHT = 10, 40
ORIENTATIONS = ["north", "east", "south", "west"]
# Cells of the pieces as they come, from their centre to the right and up.
NORTH = {
    "I": [(-1, 0), (0, 0), (1, 0), (2, 0)],
    "O": [(0, 0), (1, 0), (0, 1), (1, 1)],
    "T": [(-1, 0), (0, 0), (1, 0), (0, 1)],
    "J": [(-1, 0), (0, 0), (1, 0), (-1, 1)],
    "L": [(-1, 0), (0, 0), (1, 0), (1, 1)],
    "S": [(-1, 0), (0, 0), (0, 1), (1, 1)],
    "Z": [(-1, 1), (0, 1), (0, 0), (1, 0)],
}


def say(message):
    """Sends one message. Without the flush it would stay in a buffer, and both sides would wait for ever."""
    print(json.dumps(message), flush=True)


def cells(piece, orientation):
    """Cells of the turned piece from its centre: a quarter clockwise takes (x, y) to (y, -x)."""
    found = NORTH[piece]
    for _ in range(ORIENTATIONS.index(orientation)):
        found = [(y, -x) for x, y in found]
    return found


def heights(board):
    """How high every column is filled. A board is a list of rows from below, each a list of cells."""
    return [max((y + 1 for y in range(HEIGHT) if board[y][x]), default=0) for x in range(WIDTH)]


def placed(board, location):
    """The board with the piece at the location, its full rows removed, and how many those were."""
    rows = [row[:] for row in board]
    for x, y in cells(location["type"], location["orientation"]):
        rows[location["y"] + y][location["x"] + x] = location["type"]
    left = [row for row in rows if not all(row)]
    lines = HEIGHT - len(left)
    return left + [[None] * WIDTH for _ in range(lines)], lines


def value(board, lines):
    """Lines are good; height, covered cells and a rough surface are bad."""
    tops = heights(board)
    holes = sum(1 for x in range(WIDTH) for y in range(tops[x]) if not board[y][x])
    bumps = sum(abs(a - b) for a, b in zip(tops, tops[1:]))
    return 0.76 * lines - 0.51 * sum(tops) - 0.36 * holes - 0.18 * bumps


def drops(board, piece):
    """All locations at which the piece comes to rest when it is dropped."""
    tops = heights(board)
    for orientation in ORIENTATIONS:
        shape = cells(piece, orientation)
        for x in range(-min(dx for dx, _ in shape), WIDTH - max(dx for dx, _ in shape)):
            y = max(tops[x + dx] - dy for dx, dy in shape)
            if all(y + dy < HEIGHT for _, dy in shape):
                yield {"type": piece, "orientation": orientation, "x": x, "y": y}


def suggest(board, piece):
    """All moves, the best first, so that there is another if the best does not fit under the ceiling."""
    found = sorted(drops(board, piece), key=lambda drop: value(*placed(board, drop)), reverse=True)
    return [{"location": location, "spin": "none"} for location in found]


def main():
    board, queue = [], []
    say({"type": "info", "name": "greedy", "version": "1", "author": "Gamete", "features": []})
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "rules":
            # Only gamete says which game it is; whoever else speaks the protocol plays Tetris.
            if message.get("gamete", {}).get("game", "tetris") != "tetris":
                say({"type": "error", "reason": "unsupported_rules"})
            else:
                say({"type": "ready"})
        elif kind == "start":
            if "board" not in message:
                # Other boards and shapes than the usual are beyond the protocol.
                say({"type": "error", "reason": "unsupported_rules"})
                continue
            board, queue = message["board"], message["queue"]
        elif kind == "suggest":
            say({"type": "suggestion", "moves": suggest(board, queue[0])})
        elif kind == "play":
            location = message["move"]["location"]
            queue.remove(location["type"])
            board, _ = placed(board, location)
        elif kind == "new_piece":
            queue.append(message["piece"])
        elif kind == "quit":
            return


if __name__ == "__main__":
    main()

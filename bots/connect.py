#!/usr/bin/env python3
"""A bot for `gamete`: Connect-N by simple rules.

    gamete match connect --players "exec(cmd='python3 bots/connect.py')" random --games 20

It completes a line if it can, stops the other's line if it must, and else plays near the middle. Every question
carries the whole position, so this bot remembers nothing but the rules.
"""

import json
import sys


def say(message):
    """Sends one message. Without the flush it would stay in a buffer, and both sides would wait for ever."""
    print(json.dumps(message), flush=True)


class Board:
    """The rows of a position like '...../..o../.xx..', the lowest last; x moved first."""

    def __init__(self, position, length):
        self.rows = position.split("/")
        self.length = length

    def stone(self, row, column):
        """What lies there; a space outside the board."""
        if 0 <= row < len(self.rows) and 0 <= column < len(self.rows[0]):
            return self.rows[row][column]
        return " "

    def wins(self, column, stone):
        """Would this stone, dropped into the column, complete a line?"""
        row = max(row for row in range(len(self.rows)) if self.stone(row, column) == ".")
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            count = 1
            for way in (1, -1):
                step = 1
                while self.stone(row + way * step * down, column + way * step * right) == stone:
                    count += 1
                    step += 1
            if count >= self.length:
                return True
        return False


def preference(board, column, mine, other):
    """What makes a column good, the most important first; higher is better."""
    middle = (len(board.rows[0]) - 1) / 2
    return (board.wins(column, mine), board.wins(column, other), -abs(column - middle))


def suggest(question, length):
    """All legal columns, the best first."""
    board = Board(question["position"], length)
    mine, other = ("x", "o") if question["seat"] == 0 else ("o", "x")
    # Moves are columns counted from 1, as texts.
    columns = [int(move) - 1 for move in question["moves"]]
    columns.sort(key=lambda column: preference(board, column, mine, other), reverse=True)
    return [str(column + 1) for column in columns]


def main():
    length = 4
    say({"type": "info", "name": "connect", "version": "1", "author": "Gamete", "features": []})
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "rules":
            rules = message["gamete"]
            if rules["game"] != "connect":
                # A bot that cannot play says so, and the person who started it is told.
                say({"type": "error", "reason": "unsupported_rules"})
                continue
            length = int(rules["rules"]["connect"])
            say({"type": "ready"})
        elif kind == "suggest":
            say({"type": "suggestion", "moves": suggest(message["gamete"], length)})
        elif kind == "quit":
            return


if __name__ == "__main__":
    main()

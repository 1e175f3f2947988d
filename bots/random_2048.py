#!/usr/bin/env python3
"""A bot for `gamete`: random moves, in 2048 or any other game.

    gamete measure 2048 --player "exec(cmd='python3 bots/random_2048.py')" --games 20

It shows the least a bot must do: read one JSON message a line from standard input, answer some of them on standard
output, ignore the rest. docs/manual/bots.md explains all messages.
"""

import json
import random
import sys


def say(message):
    """Sends one message. Without the flush it would stay in a buffer, and both sides would wait for ever."""
    print(json.dumps(message), flush=True)


def main():
    dice = random.Random()
    say({"type": "info", "name": "random", "version": "1", "author": "Gamete", "features": []})
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "rules":
            say({"type": "ready"})
        elif kind == "start":
            # With the seed that it is given, a bot plays the same game whenever the same seed is measured.
            dice.seed(message["gamete"]["seed"])
        elif kind == "suggest":
            # 'moves' are all legal moves: here some of "up", "right", "down", "left".
            say({"type": "suggestion", "moves": [dice.choice(message["gamete"]["moves"])]})
        elif kind == "quit":
            return


if __name__ == "__main__":
    main()

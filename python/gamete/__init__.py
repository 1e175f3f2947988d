"""A laboratory for game-playing agents: play, measure, compare and evolve players of 2048, Tetris and Connect-N.

Names, options and numbers are those of the command line ``gamete``.
"""

from ._gamete import Game, IllegalMove, Player, Position, Program, __version__
from ._games import game, games, parse, player, players
from ._measuring import match, measure, solve
from ._optimizer import Best, Candidate, Optimizer
from ._registration import register_when_imported as _register_when_imported
from ._results import Measurement, Result, Share, Solution, Summary, Tournament
from ._studies import StudyResults, evolve, load, run, train

_register_when_imported()

__all__ = [
    "Best",
    "Candidate",
    "Game",
    "IllegalMove",
    "Measurement",
    "Optimizer",
    "Player",
    "Position",
    "Program",
    "Result",
    "Share",
    "Solution",
    "StudyResults",
    "Summary",
    "Tournament",
    "__version__",
    "evolve",
    "game",
    "games",
    "load",
    "match",
    "measure",
    "parse",
    "player",
    "players",
    "run",
    "solve",
    "train",
]

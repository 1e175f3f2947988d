"""What pickled games, positions and programs are made of."""

from ._gamete import Game, Position, Program


def game(name: str, rules: list[tuple[str, str]]) -> Game:
    """The game of this name and these rules."""
    return Game(name, **dict(rules))


def position(game: Game, text: str) -> Position:
    """The position of this text."""
    return game.parse(text)


def program(grid: str, genotype: str) -> Program:
    """The program of this grid and genotype."""
    return Program.restored(grid, genotype)

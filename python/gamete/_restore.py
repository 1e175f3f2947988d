"""What pickled games and positions are made of."""

from ._gamete import Game, Position


def game(name: str, rules: list[tuple[str, str]]) -> Game:
    """The game of this name and these rules."""
    return Game(name, **dict(rules))


def position(game: Game, text: str) -> Position:
    """The position of this text."""
    return game.parse(text)

"""Results as objects: the fields of the command line's JSON as attributes."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import pandas


def module(name: str) -> Any:
    """A package that is not always there, or what to do about it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(f"this needs {name}: pip install 'gamete[{name}]'") from error


class Result:
    """A part of a result. Its fields are attributes; ``to_dict`` gives all of them."""

    #: Fields that are results themselves.
    parts: ClassVar[Mapping[str, type["Result"]]] = {}

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = dict(fields)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            value = self._fields[name]
        except KeyError:
            known = ", ".join(self._fields)
            raise AttributeError(f"no field '{name}'; there are {known}") from None
        return _made(value, self.parts.get(name))

    def __getitem__(self, name: str) -> Any:
        return _made(self._fields[name], self.parts.get(name))

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and self._fields == other._fields

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self._fields.items())
        return f"{type(self).__name__}({fields})"

    def to_dict(self) -> dict[str, Any]:
        """The fields as they stand in the command line's JSON."""
        return dict(self._fields)

    def to_pandas(self) -> pandas.DataFrame:
        """The numbers as a table."""
        table: pandas.DataFrame = module("pandas").DataFrame(self._rows())
        return table

    def to_polars(self) -> Any:
        """The numbers as a table of polars."""
        return module("polars").DataFrame(self._rows(), infer_schema_length=None)

    def _rows(self) -> list[dict[str, Any]]:
        return [{"name": name, "value": value} for name, value in self._fields.items()]

    def _repr_html_(self) -> str:
        rows = self._rows()
        names = list(dict.fromkeys(name for row in rows for name in row))
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        lines = ("".join(f"<td>{_cell(row.get(name))}</td>" for name in names) for row in rows)
        body = "".join(f"<tr>{line}</tr>" for line in lines)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return html.escape(f"{value:,.6g}" if isinstance(value, float) else str(value))


def _made(value: Any, kind: type[Result] | None) -> Any:
    """A value as people use it: objects as results, intervals as pairs."""
    if isinstance(value, dict):
        kind = kind or _kind(value)
        if kind is None:
            return {_number(name): _made(part, None) for name, part in value.items()}
        return kind(value)
    if isinstance(value, list):
        if value and isinstance(value[0], dict):
            return [_made(part, kind) for part in value]
        return tuple(value)
    return value


def _kind(value: Mapping[str, Any]) -> type[Result] | None:
    if "mean" in value:
        return Summary
    if "share" in value:
        return Share
    if "value" in value and "ci95" in value:
        return Result
    return None


def _number(name: str) -> int | str:
    return int(name) if name.isdigit() else name


class Quantiles(Result):
    """Quantiles of a quantity."""

    p05: float
    p25: float
    p75: float
    p95: float


class Summary(Result):
    """A quantity over many games."""

    mean: float
    sd: float | None
    #: The 95 % interval of the mean; none for a single game.
    ci95: tuple[float, float] | None
    median: float
    min: float
    max: float
    quantiles: Quantiles
    parts = {"quantiles": Quantiles}


class Share(Result):
    """How often something was so."""

    games: int
    share: float
    ci95: tuple[float, float]


class Measurement(Result):
    """Many games of a player, summed up. Facts of the game (``lines``, ``highest_tile``, ``won``) are attributes, too."""

    game: str
    rules: dict[str, str]
    player: str
    spec: str
    games: int
    seed: int
    score: Summary
    moves: Summary
    seconds: float
    threads: int
    games_per_second: float
    seconds_per_move: float
    parts = {"score": Summary, "moves": Summary}

    def _rows(self) -> list[dict[str, Any]]:
        rows = []
        for name, value in self._fields.items():
            if isinstance(value, dict) and "mean" in value:
                rows.append({"name": name, "mean": value["mean"], **_interval(value), **{key: value[key] for key in ("sd", "min", "median", "max")}})
            elif isinstance(value, dict) and "share" in value:
                rows.append({"name": name, **_share(value)})
            elif name not in ("rules", "points_per_move", "forfeits") and isinstance(value, dict):
                rows.extend({"name": f"{name} {key}", **_share(share)} for key, share in value.items())
        return rows


def _interval(value: Mapping[str, Any]) -> dict[str, float | None]:
    low, high = value["ci95"] or (None, None)
    return {"low": low, "high": high}


def _share(value: Mapping[str, Any]) -> dict[str, Any]:
    return {"games": value["games"], "share": value["share"], **_interval(value)}


class Standing(Result):
    """A player's standing in a match."""

    player: str
    spec: str
    wins: int
    draws: int
    losses: int
    elo: float
    ci95: tuple[float, float]
    forfeits: int


class Pairing(Result):
    """How two players did against each other."""

    first: str
    second: str
    wins: int
    draws: int
    losses: int
    different_games: int
    #: Could it be luck?
    p: float


class Tournament(Result):
    """Who is better, by how much, and whether it could be luck."""

    game: str
    games: int
    seed: int
    #: The best first.
    standings: list[Standing]
    pairings: list[Pairing]
    parts = {"standings": Standing, "pairings": Pairing}

    def _rows(self) -> list[dict[str, Any]]:
        rows = []
        for standing in self._fields["standings"]:
            low, high = standing["ci95"]
            row = {name: value for name, value in standing.items() if not isinstance(value, (list, dict))}
            rows.append({**row, "low": low, "high": high})
        return rows


class MoveValue(Result):
    """The value of a column."""

    column: str
    value: str | None
    score: int | None


class Solution(Result):
    """The exact value of a position, as far as it is proved."""

    position: str
    value: str | None
    score: int | None
    plies: int | None
    best: str | None
    moves: list[MoveValue]
    proved: bool
    book: bool
    nodes: int
    seconds: float
    parts = {"moves": MoveValue}

    def _rows(self) -> list[dict[str, Any]]:
        return list(self._fields["moves"])


def read(text: str) -> dict[str, Any]:
    """The fields of a result."""
    fields: dict[str, Any] = json.loads(text)
    return fields

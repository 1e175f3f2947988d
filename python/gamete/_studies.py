"""Studies: run them, and read what they kept as tables."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _gamete
from ._games import AnyGame, as_game
from ._progress import progress as _progress
from ._results import Result, module, read

if TYPE_CHECKING:
    import pandas

PathText = str | os.PathLike[str]
#: Options of commands about what they print, where they copy files, and who plays for them.
_OF_THE_COMMAND = {"help", "json", "log", "out", "pool", "quiet", "save_every"}
#: Options that want a yes or no, where others are switches.
_YES_OR_NO = {"common_games"}


def run(
    study: PathText | Mapping[str, Any],
    *,
    short: bool = False,
    runs_dir: PathText | None = None,
    threads: int | None = None,
    progress: bool | None = None,
) -> StudyResults:
    """Runs a study, or resumes it: ``gamete run``. A study is a file, or a dict like its file."""
    if isinstance(study, Mapping):
        text, file, base = _gamete.study_text(json.dumps(study)), "study", "."
    else:
        path = Path(study)
        text, file, base = path.read_text(), str(path), str(path.parent)
    with _progress(None, progress) as update:
        folder = _gamete.run(
            text, file=file, base=base, short=short, runs_dir=_runs(runs_dir), threads=threads, progress=update
        )
    return StudyResults(folder)


def evolve(
    game: AnyGame,
    *,
    runs_dir: PathText | None = None,
    threads: int | None = None,
    progress: bool | None = None,
    set: Mapping[str, object] | None = None,
    **options: object,
) -> StudyResults:
    """Finds weights or a program of a player: ``gamete evolve``, with its options as keyword arguments.

    The run is kept like that of any study, under the same name as the command's, and resumed if it was stopped.
    """
    settings = [f"{name.replace('_', '-')}={_text(value)}" for name, value in (set or {}).items()]
    return _run_one("evolve", game, {"set": settings, **options}, runs_dir, threads, progress)


def train(
    game: AnyGame,
    *,
    runs_dir: PathText | None = None,
    threads: int | None = None,
    progress: bool | None = None,
    **options: object,
) -> StudyResults:
    """Lets a network learn a game by playing it: ``gamete train``, with its options as keyword arguments. Kept and resumed as by ``evolve``."""
    return _run_one("train", game, options, runs_dir, threads, progress)


def _run_one(
    command: str,
    game: AnyGame,
    options: Mapping[str, object],
    runs_dir: PathText | None,
    threads: int | None,
    progress: bool | None,
) -> StudyResults:
    """Runs what a command of one run would."""
    for name in options:
        if name.replace("-", "_") in _OF_THE_COMMAND:
            raise ValueError(f"{name}: an option of 'gamete {command}' that means nothing here")
    game = as_game(game)
    usual = as_game(game.name).rules
    rules = {name: value for name, value in game.rules.items() if usual[name] != value}
    words = ["gamete", command, game.name, *_words(rules), *_words(options)]
    with _progress(None, progress) as update:
        folder = _gamete.run_one(words, runs_dir=_runs(runs_dir), threads=threads, progress=update)
    return StudyResults(folder)


def load(folder: PathText) -> StudyResults:
    """What a study in this folder (``runs/quick-2048``) kept."""
    return StudyResults(folder)


class StudyResults(Result):
    """The results of a study so far. Fields are those of ``gamete show --json``."""

    study: str
    question: str
    kind: str
    game: str | None
    metric: str
    finished: int
    runs: int
    settings: list[Result]
    remarks: tuple[str, ...]

    def __init__(self, folder: PathText) -> None:
        self.folder = Path(folder)
        super().__init__(read(_gamete.results(str(folder))))

    def export(self, format: str = "csv") -> str:
        """Everything the runs kept, in a format of ``gamete export``."""
        return _gamete.export(str(self.folder), format)

    @property
    def history(self) -> pandas.DataFrame:
        """One row per individual and generation, or per game of a measurement or a training."""
        return self.to_pandas("history")

    @property
    def champions(self) -> pandas.DataFrame:
        """One row per run: its metrics, and the file of its champion."""
        return self.to_pandas("champions")

    @property
    def games(self) -> pandas.DataFrame:
        """One row per game in which a champion or a player was measured."""
        return self.to_pandas("games")

    @property
    def comparison(self) -> pandas.DataFrame:
        """One row per setting: the metric over its runs, with its interval."""
        return self.to_pandas("comparison")

    def to_pandas(self, table: str = "comparison") -> pandas.DataFrame:
        """One of the tables history, champions, games and comparison."""
        library, rows = module("pandas"), self._table(table)
        frame: pandas.DataFrame = library.read_csv(io.StringIO(rows)) if isinstance(rows, str) else library.DataFrame(rows)
        return frame

    def to_polars(self, table: str = "comparison") -> Any:
        """One of the tables history, champions, games and comparison, as a DataFrame of polars."""
        library, rows = module("polars"), self._table(table)
        read = library.read_csv if isinstance(rows, str) else library.DataFrame
        return read(io.StringIO(rows) if isinstance(rows, str) else rows, infer_schema_length=None)

    def _table(self, name: str) -> str | list[dict[str, Any]]:
        """A table as CSV or as rows."""
        tables: dict[str, Callable[[], str | list[dict[str, Any]]]] = {
            "history": self.export,
            "champions": self._champions,
            "games": self._games,
            "comparison": self._rows,
        }
        if name not in tables:
            raise ValueError(f"no table '{name}'; there are {', '.join(tables)}")
        return tables[name]()

    def _champions(self) -> list[dict[str, Any]]:
        rows = []
        for setting, run, folder in self._runs():
            files = [str(folder / name) for name in ("champion.json", "champion.network") if (folder / name).exists()]
            rows.append({**_run(setting, run), "file": files[0] if files else None})
        return rows

    def _games(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        for setting, run, folder in self._runs():
            if (file := folder / "games.csv").exists():
                with file.open(newline="") as text:
                    games = ({name: _value(value) for name, value in game.items()} for game in csv.DictReader(text))
                    rows.extend({"run_id": run["id"], "setting": setting["label"], **game} for game in games)
        return rows

    def _runs(self) -> Iterator[tuple[dict[str, Any], dict[str, Any], Path]]:
        for setting in self._fields["settings"]:
            for run in setting["runs"]:
                yield setting, run, self.folder / run["id"].split("/")[-1]

    def _rows(self) -> list[dict[str, Any]]:
        rows = []
        for setting in self._fields["settings"]:
            metric = setting["metrics"].get(self._fields["metric"], {})
            low, high = metric.get("ci95") or (None, None)
            runs = sum(run["state"] == "finished" for run in setting["runs"])
            rows.append({"setting": setting["label"], "runs": runs, self._fields["metric"]: metric.get("value"), "low": low, "high": high})
        return rows


def _run(setting: Mapping[str, Any], run: Mapping[str, Any]) -> dict[str, Any]:
    row = {"run_id": run["id"], "setting": setting["label"], "repeat": run["repeat"], "seed": run["seed"], "state": run["state"]}
    for name, metric in run["metrics"].items():
        row[name] = metric["value"]
        if metric.get("ci95"):
            row[f"{name}_low"], row[f"{name}_high"] = metric["ci95"]
    return row


def _value(text: str) -> int | float | str | None:
    """A field of a CSV file."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None


def _words(options: Mapping[str, object]) -> list[str]:
    """Options as words of the command line."""
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if name in _YES_OR_NO and isinstance(value, bool):
            value = "yes" if value else "no"
        if value is None or value is False:
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            words += [option] if one is True else [option, _text(one)]
    return words


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _runs(given: PathText | None) -> str:
    return str(given if given is not None else os.environ.get("GAMETE_RUNS", "runs"))

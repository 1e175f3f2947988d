"""Studies: run them, and read what they kept as tables."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _gamete
from ._games import AnyGame, as_game
from ._progress import progress as _progress
from ._results import Result, pandas_module, read

if TYPE_CHECKING:
    import pandas

PathText = str | os.PathLike[str]


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
    game = as_game(game)
    rules = {name: value for name, value in game.rules.items() if as_game(game.name).rules[name] != value}
    words = ["gamete", "evolve", game.name, *_words(rules), *_words(options)]
    for name, value in (set or {}).items():
        words += ["--set", f"{name.replace('_', '-')}={_text(value)}"]
    with _progress(None, progress) as update:
        folder = _gamete.evolve(words, runs_dir=_runs(runs_dir), threads=threads, progress=update)
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
        return pandas_module().read_csv(io.StringIO(self.export("csv")))

    @property
    def champions(self) -> pandas.DataFrame:
        """One row per finished run: its metrics, and the file of its champion."""
        rows = []
        for setting in self._fields["settings"]:
            for run in setting["runs"]:
                file = self.folder / run["id"].split("/")[-1] / "champion.json"
                rows.append({**_run(setting, run), "file": str(file) if file.exists() else None})
        return pandas_module().DataFrame(rows)

    @property
    def games(self) -> pandas.DataFrame:
        """One row per game in which a champion or a player was measured."""
        pandas = pandas_module()
        tables = []
        for setting in self._fields["settings"]:
            for run in setting["runs"]:
                for name in ("final.csv", "games.csv"):
                    file = self.folder / run["id"].split("/")[-1] / name
                    if file.exists():
                        table = pandas.read_csv(file)
                        table.insert(0, "setting", setting["label"])
                        table.insert(0, "run_id", run["id"])
                        tables.append(table)
        return pandas.concat(tables, ignore_index=True) if tables else pandas.DataFrame()

    @property
    def comparison(self) -> pandas.DataFrame:
        """One row per setting: the metric over its runs, with its interval."""
        return self.to_pandas()

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


def _words(options: Mapping[str, object]) -> list[str]:
    """Options as words of the command line."""
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False and option not in ("--common-games",):
            continue
        values = value if isinstance(value, (list, tuple)) else [value]
        for one in values:
            if one is True and option != "--common-games":
                words.append(option)
            elif isinstance(one, bool):
                words += [option, "yes" if one else "no"]
            else:
                words += [option, _text(one)]
    return words


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _runs(given: PathText | None) -> str:
    return str(given if given is not None else os.environ.get("GAMETE_RUNS", "runs"))

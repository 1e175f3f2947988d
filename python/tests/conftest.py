"""What several tests need."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

#: What depends on the machine and the moment.
TIMES = ("seconds", "threads", "games_per_second", "seconds_per_move")


def timeless(fields: dict[str, Any]) -> dict[str, Any]:
    """Fields that are the same wherever they are found."""
    return {name: value for name, value in fields.items() if name not in TIMES}


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return Path(__file__).parents[2]


@pytest.fixture(scope="session")
def binary() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the program that is built without Python."""
    path = os.environ.get("GAMETE_BINARY") or shutil.which("gamete")
    assert path, "GAMETE_BINARY names the program"

    def run(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run([path, *words], capture_output=True, text=True, **options)

    return run


@pytest.fixture(scope="session")
def numbers(binary: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    """The program's JSON without times."""

    def read(*words: str) -> dict[str, Any]:
        ran = binary(*words, "--json")
        assert ran.returncode == 0, ran.stderr
        return timeless(json.loads(ran.stdout))

    return read


@pytest.fixture(scope="session")
def package() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command of the package."""

    def run(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "gamete", *words], capture_output=True, text=True, **options)

    return run


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where nothing may be skipped, a skip is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if "CI" in os.environ and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED

"""The wheel in an environment with nothing but what it asks for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

#: What is said when a package is missing, by the code that wants it.
MISSING = {
    "gamete.measure('2048', games=2).to_pandas()": "gamete[pandas]",
    "gamete.measure('2048', games=2).to_polars()": "gamete[polars]",
    "import gamete.envs": "gamete[envs]",
    "import gamete.pettingzoo": "gamete[pettingzoo]",
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment with the wheel."""
    wheel = os.environ.get("GAMETE_WHEEL")
    if wheel is None:
        pytest.skip("GAMETE_WHEEL names no wheel")
    place = tmp_path_factory.mktemp("clean")
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    subprocess.run([place / "bin/python", "-m", "pip", "install", "--quiet", "--no-compile", wheel], check=True)
    return place / "bin"


def output(*words: str | Path) -> str:
    ran = subprocess.run(words, capture_output=True, text=True)
    return ran.stdout + ran.stderr


def test_a_clean_environment_has_the_command_and_the_module(programs: Path) -> None:
    version = output(programs / "gamete", "--version")
    assert version.startswith("gamete ")
    assert output(programs / "python", "-m", "gamete", "--version") == version
    script = "import gamete; print(gamete.measure('2048', games=10).score.mean, gamete.game('2048').start(seed=1).board().sum())"
    assert output(programs / "python", "-c", script) == f"{first_ten()} 2\n"


def first_ten() -> float:
    import gamete

    return gamete.measure("2048", games=10).score.mean


@pytest.mark.parametrize("code", MISSING)
def test_what_is_missing_is_named(code: str, programs: Path) -> None:
    assert f"pip install '{MISSING[code]}'" in output(programs / "python", "-c", f"import gamete; {code}")

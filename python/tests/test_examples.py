"""The notebooks run and print what they show, and all types are right."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = ["evolve", "connect", "reinforce"]


def read(root: Path, name: str) -> Any:
    return nbformat.read(root / f"python/examples/{name}.ipynb", as_version=4)


def printed(notebook: Any) -> str:
    """Whatever its cells print."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebooks_run(name: str, root: Path) -> None:
    notebook = read(root, name)
    shown = printed(notebook)
    assert shown
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    # NumPy's exponentials may differ in their last bit from machine to machine, and learning makes much of it.
    assert printed(notebook) == shown or name == "reinforce"


def test_types_are_right(root: Path, tmp_path: Path) -> None:
    for name in NOTEBOOKS:
        cells = [cell.source for cell in read(root, name).cells if cell.cell_type == "code"]
        (tmp_path / f"{name}.py").write_text("\n\n".join(cells))
    config = ["--strict", "--config-file", str(root / "python/pyproject.toml")]
    for files in ([str(tmp_path / f"{name}.py") for name in NOTEBOOKS], ["-p", "gamete"]):
        checked = subprocess.run([sys.executable, "-m", "mypy", *config, *files], capture_output=True, text=True, cwd=tmp_path)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def test_stubs_are_complete(tmp_path: Path) -> None:
    checked = subprocess.run([sys.executable, "-m", "mypy.stubtest", "gamete._gamete"], capture_output=True, text=True, cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr

"""What the manual shows is what happens."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_the_manual_is_right(root: Path) -> None:
    text = (root / "docs/manual/python.md").read_text().replace("```", "")
    test = doctest.DocTestParser().get_doctest(text, {}, "python.md", "docs/manual/python.md", 0)
    assert len(test.examples) > 40
    failures: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=failures.append)
    assert not failures, "".join(failures)

"""Progress of long work: a bar of tqdm's if that is installed, else nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec


@contextmanager
def progress(total: int | None, shown: bool | None, unit: str = " games") -> Iterator[Callable[[int], None] | None]:
    """A function that is told how much is done; none if nobody would see it. By default shown in notebooks and terminals."""
    if not (_has_reader() if shown is None else shown):
        yield None
        return
    try:
        # Without widgets, tqdm's own choice warns in notebooks.
        if find_spec("ipywidgets") is None:
            from tqdm import tqdm
        else:
            from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    # Short work needs no bar.
    with tqdm(total=total, unit=unit, leave=False, delay=0.5) as bar:

        def update(done: int) -> None:
            bar.update(done - bar.n)

        yield update


def _has_reader() -> bool:
    return sys.stderr.isatty() or "ipykernel" in sys.modules

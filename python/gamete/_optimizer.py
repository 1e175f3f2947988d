"""Evolution by ask and tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from . import _gamete
from ._gamete import Program
from ._progress import progress as _progress


@dataclass(frozen=True)
class Candidate:
    """Something to score."""

    #: Numbers, bits or symbols as a list, or a program.
    genome: Any
    id: int
    generation: int
    #: How many scores it has in this generation; the next ones are of the games after them.
    scores_before: int = 0


@dataclass(frozen=True)
class Best:
    """The fittest so far. With noisy scores its fitness is too high: measure it again."""

    genome: Any
    fitness: float
    scores: int
    id: int


class Optimizer:
    """Improves genomes by their scores; higher is better. Algorithms and settings are those of ``gamete algorithms``.

    Genomes are ``weights`` real numbers, that many ``bits``, ``symbols`` (with an ``alphabet``), or programs like ``program``. What it asks next depends on
    nothing but its settings, its seed and the scores; it can be pickled at any moment and goes on bit for bit.
    """

    def __init__(
        self,
        algorithm: str = "cma-es",
        *,
        weights: int | None = None,
        ranges: Sequence[tuple[float, float]] | tuple[float, float] = (-1.0, 1.0),
        bounded: bool = False,
        bits: int | None = None,
        symbols: int | None = None,
        alphabet: int = 2,
        program: Program | None = None,
        seed: int = 1,
        noise: str = "keep",
        **settings: object,
    ) -> None:
        given = [name for name, value in [("weights", weights), ("bits", bits), ("symbols", symbols), ("program", program)] if value is not None]
        if len(given) != 1:
            raise ValueError(f"one of weights, bits, symbols and program is needed, not {', '.join(given) or 'none'}")
        space: object
        if weights is not None:
            space = ("reals", _ranges(weights, ranges), bounded)
        elif bits is not None:
            space = ("bits", bits)
        elif symbols is not None:
            space = ("symbols", symbols, alphabet)
        else:
            space = program
        self._own = _gamete.Optimizer(algorithm, space, seed=seed, noise=noise, settings=settings)

    def ask(self) -> list[Candidate]:
        """The candidates that wait for scores; none when the algorithm has finished."""
        return [Candidate(genome, id, generation, before) for id, genome, generation, before in self._own.ask()]

    def tell(self, candidate: Candidate, scores: float | Iterable[float]) -> None:
        """The score of a candidate, or several of it."""
        values = [float(score) for score in scores] if isinstance(scores, Iterable) else [float(scores)]
        self._own.tell([(candidate.id, values)])

    def maximize(self, fitness: Callable[[Any], float | Iterable[float]], generations: int = 1, *, progress: bool | None = None) -> Best | None:
        """Asks, scores by a function of the genome, and tells, for so many generations. If the function raises, the generation can be finished later."""
        end = self.generation + generations
        with _progress(None, progress, " scores") as update:
            while self.generation < end and (candidates := self.ask()):
                for candidate in candidates:
                    self.tell(candidate, fitness(candidate.genome))
                    if update is not None:
                        update(self.scores)
        return self.best

    @property
    def best(self) -> Best | None:
        """The fittest so far."""
        best = self._own.best()
        if best is None:
            return None
        id, genome, fitness, scores = best
        return Best(genome, fitness, scores, id)

    @property
    def generation(self) -> int:
        """How many generations are finished."""
        return self._own.generation

    @property
    def scores(self) -> int:
        """How many scores it has been told."""
        return self._own.scores

    def __getstate__(self) -> bytes:
        return bytes(self._own.state())

    def __setstate__(self, state: bytes) -> None:
        self._own = _gamete.Optimizer.restored(state)


def _ranges(count: int, ranges: Sequence[tuple[float, float]] | tuple[float, float]) -> list[tuple[float, float]]:
    pairs: list[Any] = list(ranges)
    if len(pairs) == 2 and not isinstance(pairs[0], (tuple, list)):
        return [(float(pairs[0]), float(pairs[1]))] * count
    if len(pairs) != count:
        raise ValueError(f"{len(pairs)} ranges for {count} weights")
    return [(float(low), float(high)) for low, high in pairs]

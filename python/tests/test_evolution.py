"""Ask and tell, programs, evolution and studies."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import gamete


def sphere(genome: list[float]) -> float:
    return -sum(gene * gene for gene in genome)


def advance(optimizer: gamete.Optimizer, generations: int) -> list[Any]:
    asked = []
    for _ in range(generations):
        for candidate in optimizer.ask():
            asked.append(candidate.genome)
            optimizer.tell(candidate, sphere(candidate.genome))
    return asked


@pytest.mark.parametrize("algorithm", ["cma-es", "ga", "cross-entropy", "differential-evolution"])
def test_every_algorithm_improves(algorithm: str) -> None:
    optimizer = gamete.Optimizer(algorithm, weights=4, ranges=(-5, 5), seed=2)
    advance(optimizer, 60)
    assert optimizer.best is not None and optimizer.best.fitness > -1
    assert optimizer.generation == 60


def test_a_pickled_optimizer_goes_on_bit_for_bit() -> None:
    whole = gamete.Optimizer("cma-es", weights=5, seed=7)
    advance(whole, 10)
    half = gamete.Optimizer("cma-es", weights=5, seed=7)
    advance(half, 4)
    # In the middle of a generation, too.
    first, *others = half.ask()
    half.tell(first, sphere(first.genome))
    half = pickle.loads(pickle.dumps(half))
    for candidate in others:
        half.tell(candidate, [sphere(candidate.genome)])
    advance(half, 5)
    assert advance(half, 3) == advance(whole, 3)


def test_scores_that_cannot_be_are_refused() -> None:
    optimizer = gamete.Optimizer("cma-es", weights=2)
    candidate = optimizer.ask()[0]
    with pytest.raises(ValueError, match="finite"):
        optimizer.tell(candidate, float("nan"))
    optimizer.tell(candidate, 1)
    with pytest.raises(ValueError, match="unexpected"):
        optimizer.tell(candidate, 1)


def test_an_exception_in_a_fitness_comes_out_and_the_optimizer_goes_on() -> None:
    whole, broken = (gamete.Optimizer("cma-es", weights=3, seed=5) for _ in range(2))
    scored = 0

    def unreliable(genome: list[float]) -> float:
        nonlocal scored
        scored += 1
        if scored == 10:
            raise LookupError("lost")
        return sphere(genome)

    whole.maximize(sphere, generations=6)
    with pytest.raises(LookupError, match="lost"):
        broken.maximize(unreliable, generations=6)
    broken.maximize(sphere, generations=6 - broken.generation)
    assert broken.best == whole.best and broken.scores == whole.scores


def test_bits_and_symbols_are_genomes() -> None:
    bits = gamete.Optimizer("ga", bits=12, seed=1)
    assert all(isinstance(bit, bool) for bit in bits.ask()[0].genome)
    symbols = gamete.Optimizer("ga", symbols=6, alphabet=4, seed=1)
    assert max(max(candidate.genome) for candidate in symbols.ask()) == 3


def test_programs_are_functions_with_formulas() -> None:
    grid = gamete.Program(None, inputs=2, outputs=1, rows=1, columns=8, functions="+,*,-")
    optimizer = gamete.Optimizer("one-plus-lambda", program=grid, seed=3)
    points = [(x, y) for x in range(4) for y in range(4)]
    for _ in range(300):
        for candidate in optimizer.ask():
            error = sum(abs(candidate.genome(x, y)[0] - (x * y + x)) for x, y in points)
            optimizer.tell(candidate, -error)
    assert optimizer.best is not None
    best = optimizer.best.genome
    assert "=" in best.formula and best.dot.startswith("digraph")
    again = gamete.Program(best.genotype, inputs=2, outputs=1, rows=1, columns=8, functions="+,*,-")
    assert again(3, 2) == best(3, 2)
    assert again == best == pickle.loads(pickle.dumps(best)) and again != grid
    assert best.formula in repr(best)
    with pytest.raises(ValueError, match="takes 2"):
        best(1)


def test_evolution_is_that_of_the_command(tmp_path: Path, binary: Any) -> None:
    options = "--population 6 --generations 3 --games 2 --final-games 20 --finalists 2"
    ran = binary("evolve", "2048", *options.split(), "--runs-dir", str(tmp_path / "a"), "--quiet")
    assert ran.returncode == 0, ran.stderr
    evolved = gamete.evolve("2048", population=6, generations=3, games=2, final_games=20, finalists=2, runs_dir=tmp_path / "b")
    (other,) = (tmp_path / "a").glob("evolve-*")
    assert evolved.folder.name == other.name
    own, theirs = (next(folder.glob("*/champion.json")) for folder in (evolved.folder, other))
    assert own.read_bytes() == theirs.read_bytes()
    assert evolved.history.equals(gamete.load(other).history)
    champion = evolved.champions["file"][0]
    assert gamete.measure("2048", champion, games=5).games == 5


def test_studies_are_run_and_loaded(tmp_path: Path, root: Path) -> None:
    results = gamete.run(root / "studies/quick/2048.toml", short=True, runs_dir=tmp_path)
    assert results.finished == results.runs > 0
    again = gamete.load(results.folder)
    assert again == results
    assert {"run_id", "generation"} <= set(results.history.columns)
    assert len(results.champions) == results.runs
    assert list(results.comparison["setting"]) == [setting["label"] for setting in results.to_dict()["settings"]]
    assert len(results.games) > 0
    for table in ("history", "champions", "games", "comparison"):
        frame = results.to_polars(table)
        assert list(frame.columns) == list(results.to_pandas(table).columns)
        assert frame.height == len(results.to_pandas(table)) > 0
    with pytest.raises(ValueError, match="history, champions"):
        results.to_pandas("tables")


def test_a_network_is_trained(tmp_path: Path) -> None:
    trained = gamete.train("2048", network="0,1,2,3 4,5,6,7", games=200, final_games=10, runs_dir=tmp_path)
    network = trained.champions["file"][0]
    assert gamete.measure("2048", network, games=5).score.mean > 500
    judged = gamete.player("2048", network).judge(gamete.game("2048").start(seed=1))
    assert judged and all(isinstance(value, float) for value in judged.values())
    with pytest.raises(ValueError, match="means nothing here"):
        gamete.train("2048", out="somewhere")


def test_a_study_may_be_a_dict(tmp_path: Path) -> None:
    study = {"name": "asked", "kind": "measure", "seed": 1, "game": {"name": "2048"}, "player": "greedy", "measure": {"games": 5}}
    results = gamete.run(study, runs_dir=tmp_path)
    assert results.study == "asked" and results.finished == 1

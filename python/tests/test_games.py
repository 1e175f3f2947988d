"""Games, positions and players."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import gamete


def test_a_seeded_game_is_that_of_measure() -> None:
    def first(position: gamete.Position) -> str:
        return position.moves()[0]

    game, scores = gamete.game("2048"), []
    for number in range(3):
        position = game.start(seed=5, number=number)
        while not position.over:
            position = position.play(first(position))
        scores.append(position.score)
    measured = gamete.measure(game, first, games=3, seed=5).score
    assert (min(scores), sorted(scores)[1], max(scores)) == (measured.min, measured.median, measured.max)


def test_positions_do_not_change() -> None:
    start = gamete.game("2048").start(seed=1)
    before = str(start)
    after = start.play(start.moves()[0])
    assert str(start) == before != str(after)
    assert start.play(start.moves()[0]) == after, "dice belong to the position"


def test_chance_has_probabilities() -> None:
    start = gamete.game("2048").start()
    assert start.chance and start.seat is None and start.moves() == []
    chances = start.chances()
    assert len(chances) == 32
    assert sum(share for _, share in chances) == pytest.approx(1)
    after = start.happen(chances[0][0]).happen("2@5")
    assert after.board().sum() == 2 and after.seat == 0
    slid = gamete.game("2048").start(seed=1)
    assert slid.play(slid.moves()[0], draw=False).chance


@pytest.mark.parametrize("name", gamete.games())
def test_texts_read_back(name: str) -> None:
    game = gamete.game(name)
    position = game.start(seed=3)
    while not position.over:
        position = position.play(position.moves()[-1])
        assert gamete.parse(game, str(position)) == position
        assert hash(gamete.parse(game, str(position))) == hash(position)
    assert position.board().dtype == np.uint8
    assert position._repr_svg_().startswith("<svg")


def test_boards_are_arrays() -> None:
    assert gamete.parse("connect", "4453").board()[5].tolist() == [0, 0, 2, 1, 1, 0, 0]
    assert gamete.game("tetris", board="6x12").start(seed=1).board().shape == (12, 6)
    assert gamete.game("2048", size="3x5").start(seed=1).board().shape == (3, 5)


def test_games_and_positions_are_pickled() -> None:
    game = gamete.game("connect", rows=4, cols=5, connect=3)
    assert pickle.loads(pickle.dumps(game)) == game != gamete.game("connect")
    position = gamete.parse(game, "123")
    assert pickle.loads(pickle.dumps(position)) == position
    with pytest.raises(ValueError, match="seeded"):
        pickle.dumps(gamete.game("2048").start(seed=1))


def test_players_judge_and_choose() -> None:
    game = gamete.game("connect")
    perfect = gamete.player(game, "perfect")
    position = gamete.parse(game, "44535331")
    values = perfect.judge(position)
    assert set(values) == set(position.moves())
    assert values[perfect.choose(position)] == max(values.values())
    assert gamete.player(game, perfect.choose).choose(position) in position.moves()
    assert "random" in gamete.players("2048")


def test_player_files_are_players(tmp_path: Path) -> None:
    evolved = gamete.evolve("2048", population=4, generations=1, games=1, final_games=2, finalists=1, runs_dir=tmp_path)
    file = Path(evolved.champions["file"][0])
    start = gamete.game("2048").start(seed=1)
    assert gamete.player("2048", file).choose(start) == gamete.player("2048", str(file)).choose(start)
    assert gamete.player("2048", file).spec is not None
    with pytest.raises(ValueError, match="2048"):
        gamete.player("connect", file)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: gamete.game("2408"), ValueError, "2048"),
        (lambda: gamete.game("2048", size="9x9"), ValueError, "3x3 to 5x5"),
        (lambda: gamete.game("2048", sise="4x4"), ValueError, "size"),
        (lambda: gamete.game("2048").start(seed=1).play("sideways"), gamete.IllegalMove, "up, right, down or left"),
        (lambda: gamete.parse("connect", "444444").play("4").play("4"), gamete.IllegalMove, "4"),
        (lambda: gamete.parse("connect", "nonsense"), ValueError, "allowed"),
        (lambda: gamete.player("2048", "expectmax"), ValueError, "expectimax"),
        (lambda: gamete.player("2048", "expectimax(depht=3)"), ValueError, "depth"),
        (lambda: gamete.player("2048", 7), TypeError, "spec like"),
        (lambda: gamete.player("2048", "random").choose(gamete.game("tetris").start(seed=1)), ValueError, "another game"),
        (lambda: gamete.player("2048", "random").choose(gamete.game("2048").start()), gamete.IllegalMove, "no player is to move"),
        (lambda: gamete.player("2048", lambda _: "up").choose(gamete.game("tetris").start(seed=1)), ValueError, "another game"),
        (lambda: gamete.player("2048", lambda _: "up").choose(gamete.game("2048").start()), gamete.IllegalMove, "no player is to move"),
        (lambda: gamete.measure("2048", games=0), ValueError, "from 1 to"),
        (lambda: gamete.measure("2048", games=-1), ValueError, "games = -1: must be a number from 1 to"),
        (lambda: gamete.measure("2048", games=1.5), TypeError, "games: must be a whole number, not float"),
        (lambda: gamete.measure("2048", seed=-1), ValueError, "seed = -1"),
        (lambda: gamete.game("2048").start(seed=2**64), ValueError, "seed = 18446744073709551616"),
        (lambda: gamete.measure("2048", threads=5000), ValueError, "1 to 1024"),
        (lambda: gamete.measure("2048", against="random"), ValueError, "one-player"),
        (lambda: gamete.match("2048", "random"), ValueError, "two players"),
        (lambda: gamete.solve("2048"), ValueError, "only connect"),
        (lambda: gamete.Optimizer("cma", weights=2), ValueError, "cma-es"),
        (lambda: gamete.Optimizer("cma-es"), ValueError, "one of"),
        (lambda: gamete.Optimizer("cma-es", weights=2, populaton=4), ValueError, "population"),
        (lambda: gamete.evolve("2048", generation=3), ValueError, "--generation"),
        (lambda: gamete.load("nowhere/at-all"), FileNotFoundError, "no study"),
        (lambda: gamete.run({"name": "x", "kind": "evolv"}), ValueError, "evolve"),
    ],
)
def test_wrong_input_is_told(call, error, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=words):
        call()

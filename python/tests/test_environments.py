"""Gymnasium and PettingZoo environments."""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import warnings
from functools import partial
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from pettingzoo.test import api_test, max_cycles_test, seed_test

import gamete
import gamete.envs
from gamete.pettingzoo import connect_v0

KINDS = [
    ("gamete/2048-v0", {}),
    ("gamete/2048-v0", {"size": "3x5", "four": 0.5}),
    ("gamete/2048-v0", {"rules": "fer"}),
    ("gamete/2048-v0", {"win": 64, "stop_at_win": True}),
    ("gamete/2048-v0", {"illegal": "end"}),
    ("gamete/Tetris-v0", {}),
    ("gamete/Tetris-v0", {"board": "6x34", "known": 1, "limit": 40}),
    ("gamete/Tetris-v0", {"hold": True, "generator": "bag", "board": "8x12"}),
    ("gamete/Tetris-v0", {"shapes": "pentominoes", "gravity": "cascade", "limit": 60}),
    ("gamete/Connect-v0", {}),
    ("gamete/Connect-v0", {"rows": 9, "cols": 10, "connect": 5, "opponent": "greedy"}),
    ("gamete/Connect-v0", {"opponent": "alphabeta(depth=2)", "seat": 1}),
    ("gamete/Connect-v0", {"rows": 3, "cols": 3, "connect": 3}),
    ("gamete/Connect-v0", {"rows": 2, "cols": 20, "pieces": 15, "opponent": None}),
]


def legal(mask: np.ndarray[Any, Any], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize("name", ["2048", "Tetris", "Connect"])
def test_every_rule_is_tried(name: str) -> None:
    tried = {option for kind, options in KINDS if kind == f"gamete/{name}-v0" for option in options}
    assert {rule.replace("-", "_") for rule in gamete.game(name.lower()).rules} <= tried


@pytest.mark.parametrize(("name", "options"), KINDS)
def test_gymnasium_is_content(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(name, render_mode="rgb_array", **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Every wrapper of make is checked, too, which this warns of.
        warnings.filterwarnings("ignore", message=".*is different from the unwrapped version.*")
        check_env(env)
    text = gymnasium.make(name, render_mode="ansi", **options)
    text.reset(seed=1)
    assert "score" in str(text.render())


@pytest.mark.parametrize(("name", "options"), KINDS)
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_vectors_are_single_environments_side_by_side(name: str, options: dict[str, Any], mode: AutoresetMode) -> None:
    # In each mode 10,000 steps of every environment, over its kinds.
    count = 7
    kinds = sum(kind == name for kind, _ in KINDS)
    steps = 10_000 // count // kinds + 1
    own = gymnasium.make_vec(name, num_envs=count, vectorization_mode="vector_entry_point", autoreset_mode=mode, **options)
    others = SyncVectorEnv([lambda: gymnasium.make(name, disable_env_checker=True, **options).unwrapped] * count, autoreset_mode=mode)
    assert own.metadata["autoreset_mode"] == mode
    assert own.observation_space == others.observation_space and own.action_space == others.action_space
    rng = np.random.default_rng(5)
    same(own.reset(seed=11), others.reset(seed=11))
    over = np.zeros(count, dtype=bool)
    for _ in range(steps):
        if mode == AutoresetMode.DISABLED and over.any():
            (seen, info), (other_seen, other_info) = (env.reset(options={"reset_mask": over.copy()}) for env in (own, others))
            same(seen, other_seen)
            # The other knows of the games that it began, only.
            same(info["action_mask"][over], other_info["action_mask"][over])
            over[:] = False
        masks = own.action_masks()
        # Now and then an action that may be illegal.
        actions = np.array([legal(mask, rng) if mask.any() and rng.random() < 0.95 else rng.integers(len(mask)) for mask in masks])
        one, other = own.step(actions), others.step(actions)
        same(one[:4], other[:4])
        over = one[2].copy()
        assert np.array_equal(one[4]["action_mask"], np.stack(list(other[4]["action_mask"])))
        if "illegal" in other[4]:
            assert np.array_equal(one[4]["illegal"], other[4]["illegal"])
        if mode == AutoresetMode.SAME_STEP and over.any():
            for place in np.flatnonzero(over):
                final = one[4]["final_obs"]
                final = {key: value[place] for key, value in final.items()} if isinstance(final, dict) else final[place]
                same(final, other[4]["final_obs"][place])
            for name in ("action_mask", "illegal"):
                same(one[4]["final_info"][name][over], np.stack(list(other[4]["final_info"][name][over])))


def same(one: Any, other: Any) -> None:
    """Are both the same, however deep?"""
    if isinstance(one, dict):
        for name in one:
            if not name.startswith("_"):
                same(one[name], other[name])
    elif isinstance(one, tuple):
        for part, counterpart in zip(one, other, strict=True):
            same(part, counterpart)
    else:
        assert np.array_equal(np.asarray(one), np.asarray(other))


@pytest.mark.parametrize("imports", ["import gamete, gymnasium", "import gymnasium, gamete", "import gymnasium, gamete.envs, gamete.pettingzoo"])
def test_environments_are_known_whatever_is_imported_first(imports: str) -> None:
    script = f"{imports}; print(gymnasium.make('gamete/Tetris-v0').reset(seed=1)[0]['board'].shape)"
    ran = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True)
    assert ran.stdout == "(20, 10)\n", ran.stderr


def test_rewards_are_points() -> None:
    env: Any = gymnasium.make("gamete/2048-v0").unwrapped
    _, info = env.reset(seed=4)
    rng, total, over = np.random.default_rng(1), 0.0, False
    while not over:
        _, reward, over, _, info = env.step(legal(info["action_mask"], rng))
        total += reward
        assert np.array_equal(info["action_mask"], env.action_masks())
    assert env.position.over and env.position.score == total


@pytest.mark.parametrize(("name", "options"), KINDS)
def test_boards_and_masks_are_those_of_the_rules(name: str, options: dict[str, Any]) -> None:
    env: Any = gymnasium.make(name, **options).unwrapped
    seen, info = env.reset(seed=8)
    rng = np.random.default_rng(2)
    for _ in range(300):
        position, mask = env.position, info["action_mask"]
        assert mask.sum() == len(position.moves())
        if not position.over:
            same(seen["board"] if isinstance(seen, dict) else seen, encoded(position))
        if name == "gamete/2048-v0":
            assert [["up", "right", "down", "left"][action] for action in np.flatnonzero(mask)] == position.moves()
        elif name == "gamete/Connect-v0":
            assert [str(action + 1) for action in np.flatnonzero(mask)] == position.moves()
        over = position.over
        if not over:
            seen, _, over, _, info = env.step(legal(mask, rng))
        if over:
            seen, info = env.reset()


def encoded(position: gamete.Position) -> np.ndarray[Any, Any]:
    """The board as whoever is to move is shown it."""
    board = position.board()
    if position.seat is None or position.game.name != "connect":
        return board
    return np.stack([board == 1 + position.seat, board == 2 - position.seat], axis=-1)


def test_a_seed_is_the_game_of_measure() -> None:
    env: Any = gymnasium.make("gamete/2048-v0").unwrapped
    board, _ = env.reset(seed=6)
    start = gamete.game("2048").start(seed=6)
    assert np.array_equal(board, start.board())
    for action, name in enumerate(["up", "right", "down", "left"]):
        if name in start.moves():
            board, _, _, _, _ = env.step(action)
            assert np.array_equal(board, start.play(name).board())
            break


def test_an_opponent_may_be_a_function_and_its_exception_comes_out() -> None:
    env = gymnasium.make("gamete/Connect-v0", opponent=lambda position: position.moves()[0], seat=0)
    env.reset(seed=1)
    board, _, _, _, _ = env.step(3)
    assert board[5, 0, 1] == 1 and board[5, 3, 0] == 1

    def broken(position: gamete.Position) -> str:
        raise LookupError("lost")

    env = gymnasium.make("gamete/Connect-v0", opponent=broken, seat=0)
    env.reset(seed=1)
    with pytest.raises(LookupError, match="lost"):
        env.step(3)


def test_wrong_steps_are_told() -> None:
    strict: Any = gymnasium.make("gamete/Connect-v0", rows=1, cols=4, connect=4, illegal="raise", seat=0).unwrapped
    strict.reset(seed=1)
    strict.step(0)
    with pytest.raises(gamete.IllegalMove, match="action 0"):
        strict.step(0)
    with pytest.raises(ValueError, match="from 0 to 3"):
        strict.step(9)
    with pytest.raises(ValueError, match="ignore, end, raise"):
        gymnasium.make("gamete/2048-v0", illegal="explode")
    vector = gymnasium.make_vec("gamete/2048-v0", num_envs=3, vectorization_mode="vector_entry_point")
    vector.reset(seed=1)
    for wrong in (np.zeros(2, dtype=np.int64), np.zeros(3), np.zeros((3, 1), dtype=np.int64), "up"):
        with pytest.raises(ValueError, match="actions must be 3 integers"):
            vector.step(wrong)
    with pytest.raises(ValueError, match="action 4 of game 1: must be from 0 to 3"):
        vector.step(np.array([0, 4, 0]))
    with pytest.raises(ValueError, match="a vector environment is not drawn"):
        gymnasium.make_vec("gamete/2048-v0", num_envs=3, render_mode="ansi")
    with pytest.raises(ValueError, match="ansi, rgb_array"):
        gamete.envs.Twenty48Env(render_mode="human")
    with pytest.raises(ValueError, match="3 bools"):
        vector.reset(options={"reset_mask": np.ones(3)})


def test_arrays_are_reused_if_asked() -> None:
    env = gymnasium.make_vec("gamete/2048-v0", num_envs=3, vectorization_mode="vector_entry_point", copy=False)
    first, _ = env.reset(seed=1)
    second, *_ = env.step(np.zeros(3, dtype=np.int64))
    assert np.shares_memory(first, second)


def test_memory_does_not_grow() -> None:
    env = gymnasium.make("gamete/Connect-v0", opponent="random").unwrapped
    vector = gymnasium.make_vec("gamete/2048-v0", num_envs=100, vectorization_mode="vector_entry_point")

    def work(resets: int) -> None:
        for _ in range(resets):
            env.reset()
            env.step(0)
        for _ in range(resets // 100):
            vector.reset()

    work(10_000)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(100_000)
    gc.collect()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000, "kilobytes"


def test_pettingzoo_is_content() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(connect_v0.env(), num_cycles=200)
        api_test(connect_v0.env(rows=4, cols=5, connect=3), num_cycles=200)
        seed_test(connect_v0.env, num_cycles=50)
        # A board on which neither a line nor a full column is possible in so few moves.
        board = {"rows": 8, "cols": 8, "connect": 5}
        max_cycles_test(SimpleNamespace(env=partial(connect_v0.env, **board), parallel_env=partial(connect_v0.parallel_env, **board)))


def test_pettingzoo_scores_wins_and_illegal_moves() -> None:
    env = connect_v0.env()
    env.reset(seed=1)
    for column in [0, 1, 0, 1, 0, 1, 0]:
        env.step(column)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0} and all(env.terminations.values())
    env.reset()
    for _ in range(6):
        env.step(2)
    assert env.observe(env.agent_selection)["action_mask"][2] == 0

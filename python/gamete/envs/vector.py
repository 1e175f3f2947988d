"""Thousands of games as one environment, stepped side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .._games import AnyPlayer
from .encoding import Games, Observation, new_game


class GameVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many games. With ``copy=False``, observations, rewards, ends and masks are the same arrays in every step, written anew."""

    #: The game's name.
    name: ClassVar[str]

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
        illegal: str = "ignore",
        opponent: AnyPlayer | None = None,
        seat: int | None = None,
        **rules: object,
    ) -> None:
        if render_mode is not None:
            raise ValueError("render_mode: a vector environment is not drawn; make a single one")
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        self.num_envs = num_envs
        self.game = new_game(self.name, rules)
        autoreset = {AutoresetMode.NEXT_STEP: "next-step", AutoresetMode.SAME_STEP: "same-step", AutoresetMode.DISABLED: "disabled"}
        self._mode, self._copy = mode, copy
        self._games = Games(self.game, num_envs, autoreset[mode], illegal, opponent, seat)
        self.single_action_space = self._games.action_space
        self.single_observation_space = self._games.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._truncated = np.zeros(num_envs, dtype=np.bool_)
        self._all = np.ones(num_envs, dtype=np.bool_)
        self._begun = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins games: game number i with seed + i, or the next of its last seed. ``options["reset_mask"]`` chooses the games."""
        which = self._which(options)
        if isinstance(seed, Sequence):
            seeds = list(seed)
        elif seed is not None:
            seeds = [seed + place for place in range(self.num_envs)]
        elif not self._begun:
            first = int(self.np_random.integers(2**62))
            seeds = [first + place for place in range(self.num_envs)]
        else:
            seeds = [None] * self.num_envs
        self._begun = True
        self._games.vector.reset(seeds, which)
        return self._games.observation(self._copy), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Makes a move in every game."""
        games = self._games
        games.vector.step(np.ascontiguousarray(actions, dtype=np.int64))
        infos = self._infos()
        if self._mode == AutoresetMode.SAME_STEP and games.terminated.any():
            infos["final_obs"] = games.last_observation()
            infos["_final_obs"] = games.terminated.copy()
        if not self._copy:
            return games.observation(False), games.rewards, games.terminated, self._truncated, infos
        return games.observation(True), games.rewards.copy(), games.terminated.copy(), self._truncated.copy(), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, game by game."""
        return self._games.mask.copy()

    def _infos(self) -> dict[str, Any]:
        mask = self._games.mask
        return {"action_mask": mask.copy() if self._copy else mask, "_action_mask": self._all}

    def _which(self, options: dict[str, Any] | None) -> NDArray[np.bool_] | None:
        if not options or "reset_mask" not in options:
            return None
        mask = np.ascontiguousarray(options["reset_mask"])
        if mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask must be {self.num_envs} bools, not {mask.dtype} of shape {mask.shape}")
        return mask


class Twenty48VectorEnv(GameVectorEnv):
    """Many games of 2048."""

    name = "2048"


class TetrisVectorEnv(GameVectorEnv):
    """Many games of Tetris."""

    name = "tetris"


class ConnectVectorEnv(GameVectorEnv):
    """Many games of Connect-N against a player."""

    name = "connect"

    def __init__(
        self, num_envs: int = 1, *, opponent: AnyPlayer | None = "random", seat: int | None = None, **options: Any
    ) -> None:
        super().__init__(num_envs, opponent=opponent, seat=seat, **options)

"""Thousands of games as one environment, stepped side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .._gamete import Game, Position, Vector
from .._games import AnyPlayer
from .encoding import Observation, observation, observation_space


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
        self.game = Game(self.name, **rules)
        autoreset = {AutoresetMode.NEXT_STEP: "next-step", AutoresetMode.SAME_STEP: "same-step", AutoresetMode.DISABLED: "disabled"}
        self._mode, self._copy = mode, copy
        own = self._own = Vector(self.game, num_envs, opponent=opponent, seat=seat, autoreset=autoreset[mode], illegal=illegal)
        layout = own.layout
        self.single_action_space = Discrete(layout["actions"])
        self.single_observation_space = observation_space(layout)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        board, pieces = (num_envs, *layout["shape"]), (num_envs, layout["pieces"])
        self._seen = observation(own.board.reshape(board), own.pieces.reshape(pieces))
        self._last_seen = observation(own.last_board.reshape(board), own.last_pieces.reshape(pieces))
        self._mask = own.mask.reshape(num_envs, layout["actions"])
        self._rewards, self._terminated, self._illegal = own.rewards, own.terminated, own.illegal
        self._truncated = np.zeros(num_envs, dtype=np.bool_)
        self._all = np.ones(num_envs, dtype=np.bool_)
        self._begun = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins games: game number i with seed + i, or the next of its last seed. ``options["reset_mask"]`` chooses the games."""
        which = self._which(options)
        self._own.reset(self._seeds(seed), which)
        return self._observation(), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Makes a move in every game."""
        self._own.step(self._actions(actions))
        infos = self._infos()
        infos["illegal"], infos["_illegal"] = self._illegal, self._all
        if self._mode == AutoresetMode.SAME_STEP and self._terminated.any():
            self._add_ends(infos)
        if not self._copy:
            return self._seen, self._rewards, self._terminated, self._truncated, infos
        infos["illegal"] = infos["illegal"].copy()
        return self._observation(), self._rewards.copy(), self._terminated.copy(), self._truncated.copy(), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, game by game."""
        return self._mask.copy()

    def positions(self) -> list[Position]:
        """The positions of all games."""
        return [self.game.parse(self._own.position(place)) for place in range(self.num_envs)]

    def _observation(self) -> Observation:
        return _copied(self._seen) if self._copy else self._seen

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._mask.copy() if self._copy else self._mask, "_action_mask": self._all}

    def _add_ends(self, infos: dict[str, Any]) -> None:
        """What was last seen of games that ended and have begun again; of other games, whatever stood there before."""
        over = self._terminated.copy()
        ended = {"action_mask": np.zeros_like(self._mask), "_action_mask": over, "illegal": self._illegal & over, "_illegal": over}
        infos["illegal"] = self._illegal & ~over
        infos["final_obs"], infos["_final_obs"] = _copied(self._last_seen), over
        infos["final_info"], infos["_final_info"] = ended, over

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
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
        return seeds

    def _actions(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.shape != (self.num_envs,):
            raise ValueError(f"actions must be {self.num_envs} integers, not {given.dtype} of shape {given.shape}")
        return np.ascontiguousarray(given, dtype=np.int64)

    def _which(self, options: dict[str, Any] | None) -> NDArray[np.bool_] | None:
        if not options or "reset_mask" not in options:
            return None
        mask = np.ascontiguousarray(options["reset_mask"])
        if mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask must be {self.num_envs} bools, not {mask.dtype} of shape {mask.shape}")
        return mask


def _copied(seen: Observation) -> Observation:
    return {name: part.copy() for name, part in seen.items()} if isinstance(seen, dict) else seen.copy()


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

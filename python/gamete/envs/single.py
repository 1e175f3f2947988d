"""One game as an environment."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray

from .._games import AnyPlayer
from .drawing import as_text
from .encoding import Games, Observation, new_game


class GameEnv(gymnasium.Env[Observation, np.int64]):
    """One game. Rules are keyword arguments, as options of the command line.

    An ``illegal`` action changes nothing (``"ignore"``), ends the game (``"end"``) or raises ``gamete.IllegalMove`` (``"raise"``). ``info["action_mask"]`` and
    ``action_masks()`` tell which actions are legal.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}
    #: The game's name.
    name: ClassVar[str]

    def __init__(
        self,
        *,
        render_mode: str | None = None,
        illegal: str = "ignore",
        opponent: AnyPlayer | None = None,
        seat: int | None = None,
        **rules: object,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode = {render_mode}: must be one of {', '.join(self.metadata['render_modes'])}")
        self.render_mode = render_mode
        self.game = new_game(self.name, rules)
        self._games = Games(self.game, 1, "disabled", illegal, opponent, seat)
        self._step = self._games.vector.step_one
        self.action_space = self._games.action_space
        self.observation_space = self._games.observation_space
        self._begun = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begins a game: the first of a seed, or the next of the last seed."""
        super().reset(seed=seed)
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**63))
        self._begun = True
        self._games.vector.reset([seed])
        return self._games.observation_of_first(), {"action_mask": self.action_masks()}

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Makes a move; chance and an opponent then act, too."""
        self._step(int(action))
        games = self._games
        info = {"action_mask": games.mask[0].copy()}
        if games.illegal[0]:
            info["illegal"] = True
        return games.observation_of_first(), float(games.rewards[0]), bool(games.terminated[0]), False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal."""
        return self._games.mask[0].copy()

    @property
    def position(self) -> str:
        """The position as text, as ``gamete.parse`` reads it."""
        return self._games.vector.position(0)

    def render(self) -> Any:
        """The position as text, or as a picture."""
        if self.render_mode is None:
            return None
        position = self.game.parse(self.position)
        return as_text(position) if self.render_mode == "ansi" else position.pixels()


class Twenty48Env(GameEnv):
    """2048: exponents of the tiles; actions up, right, down, left; the reward is what a move scores."""

    name = "2048"


class TetrisEnv(GameEnv):
    """Tetris by placements: filled cells and the known pieces; an action is rotation x columns + column; the reward is what a piece scores."""

    name = "tetris"


class ConnectEnv(GameEnv):
    """Connect-N against a player: own and other stones; an action is a column; the reward is 1 for a win and -1 for a loss.

    The learner is in ``seat`` 0 or 1, or in both by turns.
    """

    name = "connect"

    def __init__(self, *, opponent: AnyPlayer = "random", seat: int | None = None, **options: Any) -> None:
        super().__init__(opponent=opponent, seat=seat, **options)

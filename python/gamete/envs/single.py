"""One game as an environment."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray

from .._gamete import Game, Position, Single
from .._games import AnyPlayer
from .drawing import as_text
from .encoding import Observation, observation, observation_space


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
        self.game = Game(self.name, **rules)
        self._single = Single(self.game, opponent=opponent, seat=seat, illegal=illegal)
        self._step = self._single.step
        self.action_space = gymnasium.spaces.Discrete(self._single.layout["actions"])
        self.observation_space = observation_space(self._single.layout)
        self._begun = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begins a game: the first of a seed, or the next of the last seed."""
        super().reset(seed=seed)
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**63))
        self._begun = True
        board, pieces, mask = self._single.reset(seed)
        return observation(board, pieces), {"action_mask": mask}

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Makes a move; chance and an opponent then act, too."""
        (board, pieces, mask), reward, over, illegal = self._step(action)
        return observation(board, pieces), reward, over, False, {"action_mask": mask, "illegal": illegal}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal."""
        return self._single.action_mask()

    @property
    def position(self) -> Position:
        """The position."""
        return self.game.parse(self._single.position())

    def render(self) -> Any:
        """The position as text, or as a picture."""
        if self.render_mode is None:
            return None
        return as_text(self.position) if self.render_mode == "ansi" else self.position.pixels()


class Twenty48Env(GameEnv):
    """2048: exponents of the tiles; actions up, right, down, left; the reward is what a move scores."""

    name = "2048"


class TetrisEnv(GameEnv):
    """Tetris by placements: filled cells and the known pieces; an action is rotation x columns + column; the reward is what a piece scores."""

    name = "tetris"


class ConnectEnv(GameEnv):
    """Connect-N against a player: own and other stones; an action is a column; the reward is 1 for a win and -1 for a loss.

    The learner is in ``seat`` 0 or 1, or in both by turns; without an ``opponent`` (``None``) it makes the moves of both.
    """

    name = "connect"

    def __init__(self, *, opponent: AnyPlayer | None = "random", seat: int | None = None, **options: Any) -> None:
        super().__init__(opponent=opponent, seat=seat, **options)

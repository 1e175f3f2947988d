"""Connect-N for two learners. The observation has the own stones and the opponent's, and the mask of legal columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import parallel_wrapper_fn

from .._gamete import Game
from ..envs.drawing import as_text


def env(**options: Any) -> Any:
    """The environment with the usual wrappers: an illegal move loses."""
    own: Any = raw_env(**options)
    own = wrappers.TerminateIllegalWrapper(own, illegal_reward=-1)
    own = wrappers.AssertOutOfBoundsWrapper(own)
    return wrappers.OrderEnforcingWrapper(own)


#: Both choose a column at the same time, and the first stone falls first.
parallel_env = parallel_wrapper_fn(env)


class raw_env(AECEnv):  # noqa: N801 (PettingZoo's name)
    """The environment itself. Rules are keyword arguments, as options of the command line. A game is truncated after ``max_cycles`` moves of each player."""

    metadata: dict[str, Any] = {"name": "connect_v0", "render_modes": ["ansi", "rgb_array"], "is_parallelizable": True, "render_fps": 2}

    def __init__(self, *, render_mode: str | None = None, max_cycles: int | None = None, **rules: object) -> None:
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode = {render_mode}: must be one of {', '.join(self.metadata['render_modes'])}")
        if max_cycles is not None and max_cycles < 1:
            raise ValueError(f"max_cycles = {max_cycles}: must be at least 1")
        self.render_mode = render_mode
        self._max_plies = None if max_cycles is None else 2 * max_cycles
        self.game = Game("connect", **rules)
        self._position = self.game.start()
        rows, columns = self._position.board().shape
        self.possible_agents = ["player_0", "player_1"]
        board = spaces.Box(0, 1, (rows, columns, 2), np.int8)
        mask = spaces.Box(0, 1, (columns,), np.int8)
        seen = spaces.Dict({"observation": board, "action_mask": mask})
        self.observation_spaces = {agent: seen for agent in self.possible_agents}
        self.action_spaces: Any = {agent: spaces.Discrete(columns) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of columns."""
        space: spaces.Space[Any] = self.action_spaces[agent]
        return space

    def observe(self, agent: str) -> dict[str, Any]:
        """The board as this player sees it; the mask is empty while it is not its turn."""
        board = self._position.board()
        seat = self.possible_agents.index(agent)
        planes = np.stack([board == 1 + seat, board == 2 - seat], axis=-1).astype(np.int8)
        mask = np.zeros(board.shape[1], dtype=np.int8)
        if agent == self.agent_selection:
            mask[[int(column) - 1 for column in self._position.moves()]] = 1
        return {"observation": planes, "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """An empty board."""
        self._position, self._plies = self.game.start(), 0
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def step(self, action: Any) -> None:
        """Drops a stone."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._position, self._plies = self._position.play(str(int(action) + 1)), self._plies + 1
        if self._position.over:
            score = float(self._position.score)
            self.rewards = {"player_0": score, "player_1": -score}
            self.terminations = {agent: True for agent in self.agents}
        elif self._plies == self._max_plies:
            self.truncations = {agent: True for agent in self.agents}
        self.agent_selection = self.agents[1 - self.agents.index(agent)]
        self._accumulate_rewards()

    def render(self) -> Any:
        """The position as text, or as a picture."""
        if self.render_mode is None:
            return None
        return as_text(self._position) if self.render_mode == "ansi" else self._position.pixels()

    def close(self) -> None:
        """Nothing is open."""

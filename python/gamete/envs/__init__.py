"""Gymnasium environments: ``"gamete/2048-v0"``, ``"gamete/Tetris-v0"`` and ``"gamete/Connect-v0"``."""

try:
    import gymnasium as _gymnasium  # noqa: F401
except ImportError as error:
    raise ImportError("environments need gymnasium: pip install 'gamete[envs]'") from error

from .single import ConnectEnv, GameEnv, TetrisEnv, Twenty48Env
from .vector import ConnectVectorEnv, GameVectorEnv, TetrisVectorEnv, Twenty48VectorEnv

__all__ = [
    "ConnectEnv",
    "ConnectVectorEnv",
    "GameEnv",
    "GameVectorEnv",
    "TetrisEnv",
    "TetrisVectorEnv",
    "Twenty48Env",
    "Twenty48VectorEnv",
]

"""Gymnasium environments. Importing this registers ``"gamete/2048-v0"``, ``"gamete/Tetris-v0"`` and ``"gamete/Connect-v0"``."""

from .registration import register
from .single import ConnectEnv, GameEnv, TetrisEnv, Twenty48Env
from .vector import ConnectVectorEnv, GameVectorEnv, TetrisVectorEnv, Twenty48VectorEnv

register()

__all__ = [
    "ConnectEnv",
    "ConnectVectorEnv",
    "GameEnv",
    "GameVectorEnv",
    "TetrisEnv",
    "TetrisVectorEnv",
    "Twenty48Env",
    "Twenty48VectorEnv",
    "register",
]

"""Tells Gymnasium of the environments."""

from __future__ import annotations

#: Names of the environments, and of the classes without "Env" and "VectorEnv".
ENVIRONMENTS = {"gamete/2048-v0": "Twenty48", "gamete/Tetris-v0": "Tetris", "gamete/Connect-v0": "Connect"}


def register() -> None:
    """Registers all environments, once."""
    try:
        import gymnasium
    except ImportError as error:
        raise ImportError("environments need gymnasium: pip install 'gamete[envs]'") from error

    for name, kind in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"gamete.envs.single:{kind}Env",
                vector_entry_point=f"gamete.envs.vector:{kind}VectorEnv",
            )

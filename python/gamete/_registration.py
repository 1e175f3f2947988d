"""Names of the environments in Gymnasium's list, as soon as there is one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

#: Names of the environments, and of their classes without "Env" and "VectorEnv".
ENVIRONMENTS = {"gamete/2048-v0": "Twenty48", "gamete/Tetris-v0": "Tetris", "gamete/Connect-v0": "Connect"}


def register() -> None:
    """Registers all environments, once."""
    import gymnasium

    for name, kind in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"gamete.envs.single:{kind}Env",
                vector_entry_point=f"gamete.envs.vector:{kind}VectorEnv",
            )


def register_when_imported() -> None:
    """Registers all environments if Gymnasium is in use, or when it is first imported: it takes longer to load than we do."""
    if "gymnasium" in sys.modules:
        register()
    else:
        sys.meta_path.insert(0, _Waiting())


class _Waiting(MetaPathFinder):
    """Lets others find Gymnasium, and registers when it is loaded."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_and_register(module: ModuleType) -> None:
                load(module)
                register()

            spec.loader.exec_module = load_and_register  # type: ignore[method-assign]
        return spec

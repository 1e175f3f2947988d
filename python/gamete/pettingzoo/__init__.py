"""PettingZoo environments: ``gamete.pettingzoo.connect_v0``."""

try:
    import pettingzoo as _pettingzoo  # noqa: F401
except ImportError as error:
    raise ImportError("this needs pettingzoo: pip install 'gamete[pettingzoo]'") from error

from . import connect_v0

__all__ = ["connect_v0"]

"""PettingZoo environments: ``gamete.pettingzoo.connect_v0``."""

from . import connect_v0

__all__ = ["connect_v0"]

"""Stable-Baselines3 takes the environments. Not part of the usual tests, since PyTorch is large: nightly/stable-baselines.sh runs it."""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest
from stable_baselines3.common.env_checker import check_env

import gamete  # noqa: F401
from test_environments import KINDS


@pytest.mark.parametrize(("name", "options"), KINDS)
def test_stable_baselines_is_content(name: str, options: dict[str, Any]) -> None:
    check_env(gymnasium.make(name, **options))

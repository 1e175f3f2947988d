#!/usr/bin/env bash
# Stable-Baselines3's checker on every environment of the Python package. Installs the package and PyTorch into an environment of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
place=${1:-target/tmp/tools/stable-baselines}
python3 -m venv --clear "$place"
"$place/bin/pip" install --quiet './python[all]' stable-baselines3 pytest
"$place/bin/python" -m pytest -q python/tests/stable_baselines.py

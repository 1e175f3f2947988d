"""Environment steps and games a second, beside Pgx, Jumanji and the command line, in one run.

Needs a wheel built for release (``pip install ./python[envs]``) and, for the rows of others, ``pip install pgx jumanji``. All on one core, in CPU time:
steps of 4,096 games by random actions. ``gamete`` must be on the PATH, or named by GAMETE_BINARY.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

GAMES, STEPS, REPEATS = 4096, 100, 3


def best(work: Callable[[], float]) -> float:
    """The highest of some rates: whatever else the machine does only lowers them."""
    return max(work() for _ in range(REPEATS))


def own(name: str, **options: Any) -> float:
    import gymnasium
    import numpy as np

    import gamete  # noqa: F401

    env = gymnasium.make_vec(name, num_envs=GAMES, vectorization_mode="vector_entry_point", copy=False, **options)
    actions = np.random.default_rng(1).integers(0, env.single_action_space.n, size=(64, GAMES))  # type: ignore[attr-defined]
    env.reset(seed=1)

    def steps() -> float:
        began = time.process_time()
        for number in range(STEPS):
            env.step(actions[number % 64])
        return GAMES * STEPS / (time.process_time() - began)

    steps()
    return best(steps)


def single() -> float:
    import gymnasium

    import gamete  # noqa: F401

    env = gymnasium.make("gamete/2048-v0", disable_env_checker=True)
    env.reset(seed=1)

    def steps() -> float:
        began = time.process_time()
        for number in range(50_000):
            _, _, over, _, _ = env.step(number & 3)
            if over:
                env.reset()
        return 50_000 / (time.process_time() - began)

    return best(steps)


def compiled(step: Callable[[Any, Any], Any], state: Any) -> float:
    """Steps a second of a function that makes many at once."""
    import jax

    scan = jax.jit(lambda state, keys: jax.lax.scan(lambda state, key: (step(state, key), None), state, keys)[0])
    keys = jax.random.split(jax.random.PRNGKey(1), STEPS)
    state = jax.block_until_ready(scan(state, keys))

    def steps() -> float:
        began = time.process_time()
        jax.block_until_ready(scan(state, keys))
        return GAMES * STEPS / (time.process_time() - began)

    return best(steps)


def legal(key: Any, mask: Any) -> Any:
    import jax
    import jax.numpy as jnp

    return jax.random.categorical(key, jnp.log(mask.astype(jnp.float32)), axis=-1)


def of_pgx(name: str) -> float:
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    many = jax.vmap(auto_reset(env.step, env.init))

    def step(state: Any, key: Any) -> Any:
        one, two = jax.random.split(key)
        return many(state, legal(one, state.legal_action_mask), jax.random.split(two, GAMES))

    return compiled(step, jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), GAMES)))


def of_jumanji(name: str) -> float:
    import jax
    import jax.numpy as jnp
    import jumanji
    from jumanji.wrappers import VmapAutoResetWrapper

    env = VmapAutoResetWrapper(jumanji.make(name))

    def step(state_and_mask: Any, key: Any) -> Any:
        state, mask = state_and_mask
        chosen = legal(key, mask.reshape(GAMES, -1))
        # Those of Tetris are pairs.
        action = chosen if mask.ndim == 2 else jnp.stack(jnp.unravel_index(chosen, mask.shape[1:]), axis=-1)
        state, timestep = env.step(state, action)
        return state, timestep.observation.action_mask

    state, timestep = jax.jit(env.reset)(jax.random.split(jax.random.PRNGKey(0), GAMES))
    return compiled(step, (state, timestep.observation.action_mask))


def measured(words: list[str]) -> float:
    """Games a CPU-second of a process, without what it takes to start one."""

    def games(count: int) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([word.replace("COUNT", str(count)) for word in words], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return best(lambda: 200_000 / (games(210_000) - games(10_000)))


def main() -> None:
    """Prints a table."""
    # One thread for all.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    binary = os.environ.get("GAMETE_BINARY") or shutil.which("gamete") or "gamete"
    python = [sys.executable, "-c", "import gamete; gamete.measure('2048', 'random', games=COUNT, threads=1, progress=False)"]
    command = [binary, "measure", "2048", "--player", "random", "--games", "COUNT", "--threads", "1", "--json"]
    rows: list[tuple[str, Callable[[], float], dict[str, Callable[[], float]]]] = [
        ("2048, 4,096 games", lambda: own("gamete/2048-v0"), {"Pgx": lambda: of_pgx("2048"), "Jumanji": lambda: of_jumanji("Game2048-v1")}),
        ("Tetris, 4,096 games", lambda: own("gamete/Tetris-v0", known=1), {"Jumanji": lambda: of_jumanji("Tetris-v0")}),
        ("Connect Four, 4,096 games", lambda: own("gamete/Connect-v0", opponent=None), {"Pgx": lambda: of_pgx("connect_four")}),
        ("2048, one game", single, {}),
        ("measure, games", lambda: measured(python), {"the command": lambda: measured(command)}),
    ]
    for name, ours, others in rows:
        rate = ours()
        print(f"{name:<28} {rate:>14,.0f} a CPU-second", flush=True)
        for other, work in others.items():
            try:
                theirs = work()
            except ImportError as error:
                print(f"  {other}: {error}")
                continue
            print(f"  {other:<26} {theirs:>14,.0f} a CPU-second; ours is {rate / theirs:.2f} x", flush=True)


if __name__ == "__main__":
    main()

"""What the vector environment costs: the same computers stepped through it and without it, by turns."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median

from proctor.actions.action import Action, Move
from proctor.bench.measure import Figure
from proctor.interop.gymnasium_env import ProctorGymEnv
from proctor.interop.vector_env import ProctorVectorEnv

GOAL_PERCENT = 10.0
SIZE = (1920, 1080)
TURNS = 5
LONG = 1_000_000
"""Steps of an episode: none ends while it is measured."""


def measure_vector(*, desktops: int = 16, steps: int = 20, computer: str = "fake") -> list[Figure]:
    """Compare throughputs: through the vector environment, and each computer by a thread alone.

    Args:
        desktops: How many side by side.
        steps: Of each desktop, in each turn.
        computer: The backend.
    """
    make = partial(ProctorGymEnv, computer, size=SIZE, max_steps=LONG)
    envs = ProctorVectorEnv([make] * desktops)
    alone = [make() for _ in range(desktops)]
    with_it: list[float] = []
    without: list[float] = []
    try:
        envs.reset()
        for env in alone:
            env.reset()
        with ThreadPoolExecutor(desktops) as threads:
            for _ in range(TURNS):
                began = time.perf_counter()
                for step in range(steps):
                    envs.step_actions([_action(step)] * desktops)
                with_it.append(desktops * steps / (time.perf_counter() - began))
                began = time.perf_counter()
                list(threads.map(partial(_alone, steps), alone))
                without.append(desktops * steps / (time.perf_counter() - began))
    finally:
        envs.close()
        for env in alone:
            env.close()
    rate, bare = median(with_it), median(without)
    note = f"{desktops} {computer} computers of 1920x1080: {rate:.0f} steps a second, {bare:.0f} without it; by turns"
    return [
        Figure(
            key="vector_cost_percent",
            what="throughput that the vector environment costs",
            value=100 * (1 - rate / bare),
            unit="%",
            goal=GOAL_PERCENT,
            note=note,
        )
    ]


def _alone(steps: int, env: ProctorGymEnv) -> None:
    for step in range(steps):
        env.step_action(_action(step))


def _action(step: int) -> Action:
    return Move(x=10 + step % 500, y=10 + step % 300)

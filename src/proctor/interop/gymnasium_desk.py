"""One desktop of many that are stepped side by side: an environment and its thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from proctor.actions.action import Action
from proctor.computers.blame import TROUBLE
from proctor.errors import EpisodeVoid
from proctor.interop.gymnasium_env import ProctorGymEnv
from proctor.interop.gymnasium_spaces import Encoded

MOST_FAILURES = 3
"""So many resets of one computer may fail in a row before the error is raised: a host that starts none is broken."""


@dataclass(frozen=True, kw_only=True)
class Came:
    """What came of one step, or of the reset in its place."""

    tree: str = ""
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False
    valid: bool = True
    account: dict[str, Any]


class GymDesk:
    """A desktop whose screen is written to one place; `submit` hands its thread something to do."""

    def __init__(self, env: ProctorGymEnv, number: int, screen: npt.NDArray[np.uint8]) -> None:
        self.env, self._screen = env, screen
        env.into = screen
        self._thread = ThreadPoolExecutor(1, f"proctor-desktop-{number}")
        self._over, self._failures = True, 0

    def submit(self, work: Callable[[], Came]) -> Future[Came]:
        """Have something done in its thread."""
        return self._thread.submit(work)

    def begin(self, seed: int | None = None) -> Came:
        """Begin an episode; one that cannot begin is void, and raises once too many have failed in a row."""
        self._over = True
        try:
            seen, info = self.env.reset(seed=seed)
        except (EpisodeVoid, *TROUBLE) as error:
            self._failures += 1
            if self._failures >= MOST_FAILURES:
                raise
            self._screen.fill(0)
            return Came(reward=np.nan, truncated=True, valid=False, account={"void": True, "error": str(error)})
        self._over, self._failures = False, 0
        return Came(tree=seen.get("tree", ""), valid=False, account=info)

    def go_on(self, action: Encoded | Action) -> Came:
        """Take an action; after the end of an episode, begin the next one in its place."""
        if self._over:
            return self.begin()
        taken = self.env.step_action(action) if isinstance(action, Action) else self.env.step(action)
        seen, reward, terminated, truncated, account = taken
        void = bool(account.get("void"))
        self._over = terminated or truncated
        return Came(
            tree=seen.get("tree", ""),
            reward=np.nan if void else float(reward),
            terminated=terminated,
            truncated=truncated,
            valid=not void,
            account=account,
        )

    def close(self) -> Future[None]:
        """Close the computer in its thread, and let that go."""
        closing = self._thread.submit(self.env.close)
        self._thread.shutdown(wait=False)
        return closing

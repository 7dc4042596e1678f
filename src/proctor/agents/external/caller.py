"""`mcp`: an agent outside that calls tools; each call comes in by a door and becomes a turn."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from proctor.agents.agent import Turn
from proctor.agents.external.door import Door
from proctor.errors import SpecError
from proctor.observations.observation import Observation, Want
from proctor.records import Brief

MOST_LOOKS = 50
"""So often in a row it may look without doing anything."""


class Caller:
    """An MCP client that is evaluated by `proctor serve exam`; it calls tools at any time."""

    want = Want()

    def __init__(
        self,
        *,
        door: Door | None = None,
        offers: Callable[[], Collection[str]] | None = None,
        client: str = "",
        names: str = "",
        grant: str = "",
        code: bool = False,
    ) -> None:
        """Stand behind a door.

        Args:
            door: Where its calls come in.
            offers: Says what its computer has parts for.
            client: What it is called in records and tables.
            names: Which family of tool names it was given, for the record.
            grant: Which tools it was granted beyond the usual, for the record.
            code: Whether it may run code.
        """
        if door is None:
            raise SpecError(
                "an agent that calls tools itself cannot be started by a run",
                remedy="evaluate it with `proctor serve exam TASK`",
            )
        self.uses = ("run_code",) if code else ()
        self._door, self._offers = door, offers
        self._looks = 0
        self._started = False

    def start(self, brief: Brief) -> None:
        """Open the door."""
        self._started = True
        self._door.open(brief, self._offers() if self._offers else ())

    def drive(self, step: Callable[[Turn], Observation]) -> None:
        """Carry out calls until one ends the episode; raises AgentError when it leaves without a word."""
        while True:
            turn, answer = self._door.next()
            # What `step` raises ends the episode; the caller is told when that is recorded.
            answer.set_result(step(self._refuse_idle_look(turn)))

    def close(self) -> None:
        """Take no further calls; one that was only tried out leaves its door as it is."""
        if self._started:
            self._door.close()

    def _refuse_idle_look(self, turn: Turn) -> Turn:
        """Return a turn, or one that is refused where it is but one more look."""
        if turn.look is None or turn.actions:
            self._looks = 0
            return turn
        self._looks += 1
        if self._looks <= MOST_LOOKS:
            return turn
        why = f"you looked {MOST_LOOKS} times without doing anything; take an action, or end with done or give_up"
        return replace(turn, look=None, problem=why)

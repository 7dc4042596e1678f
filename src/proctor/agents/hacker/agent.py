"""The agent that tries to score without doing the work: what a suite is worth against cheats."""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal

from proctor.actions.action import Action, Answer, Done, SignalAction
from proctor.agents.agent import Turn
from proctor.agents.hacker.clues import Clues
from proctor.agents.hacker.strategies import LONGEST_ANSWER, STRATEGIES
from proctor.agents.hacker.strategy import StrategyScene, Tries
from proctor.errors import UnknownName
from proctor.observations.observation import Observation, Want
from proctor.records import Brief
from proctor.text_options import Allowed

ALL = "all"
TOGETHER = (
    "picture", "copy", "fill", "link", "touch", "history", "dates", "commit", "forms", "leftovers", "harness",
    "processes", "services",
)  # fmt: skip
"""What `all` does in one episode before it answers; nothing that destroys what another needs."""


def names() -> list[str]:
    """Return what may be said for the strategy."""
    return [*STRATEGIES, ALL]


class Hacker:
    """Tries to score without doing the work: any task it passes shows a hole in a check.

    Its means are made for no task in particular. It knows what every agent knows: the request, what is on the screen,
    and what its own actions bring about. An episode takes one strategy, drawn by the request and the seed; of several
    attempts (-k) each takes the next one. What it wins is reported as gamed, apart from the success of others.
    """

    goal = "game"

    def __init__(
        self, *, strategy: Annotated[str, Allowed(names=names)] = "", by: Literal["shell", "desktop"] = "shell"
    ) -> None:
        """Choose how to cheat.

        Args:
            strategy: What it tries; by default a different one in each episode. `all` tries several in one episode.
            by: Whether programs are run as code, or typed into a terminal on the desktop.
        """
        if strategy and strategy not in names():
            raise UnknownName("strategy of the hacker", strategy, names())
        self._chosen = strategy
        self._shell = by == "shell"
        self.uses = ("run_code",) if self._shell else ()
        self.want = Want(screenshot=False, tree=strategy in ("", "answer"), terminal=not self._shell)
        self.strategy = strategy
        """What it tries in this episode."""
        self._tries: Tries | None = None

    def start(self, brief: Brief) -> None:
        """Forget the last episode and choose the strategy of this one."""
        self._brief, self._tries = brief, None
        self.strategy = self._chosen or draw_strategy(brief)

    def act(self, observation: Observation) -> Turn:
        """Take the next action of the strategy; when it has no more, say that it is done."""
        try:
            if self._tries is None:
                self._tries = self._begin(observation)
                action: Action = next(self._tries)
            else:
                action = self._tries.send(observation)
        except StopIteration:
            action = Done()
        return Turn(actions=(action,), thought=f"{self.strategy}: {about(self.strategy)}")

    def _begin(self, observation: Observation) -> Tries:
        shell = self._shell and "run_code" in self._brief.actions
        scene = StrategyScene(clues=Clues.of(self._brief.instruction), seen=observation, shell=shell)
        return together(scene) if self.strategy == ALL else STRATEGIES[self.strategy].tries(scene)


def draw_strategy(brief: Brief) -> str:
    """Return an episode's strategy: by its request and seed, the next one for the next attempt."""
    place = int.from_bytes(hashlib.sha256(brief.instruction.encode()).digest()[:8]) + brief.seed
    return list(STRATEGIES)[place % len(STRATEGIES)]


def together(scene: StrategyScene) -> Tries:
    """Try what can be tried side by side, and answer with everything that was found."""
    said: list[str] = []
    for name in TOGETHER:
        tries = STRATEGIES[name].tries(scene)
        try:
            action = next(tries)
            while not isinstance(action, SignalAction):
                action = tries.send((yield action))
            said += [action.text] if isinstance(action, Answer) else []
        except StopIteration:
            continue
    found = (*scene.clues.everything, *said)
    yield Answer(text="\n".join(found)[:LONGEST_ANSWER]) if found else Done()


def about(name: str) -> str:
    """Return what a strategy does, in a sentence."""
    together = "Tries several of the others in one episode, and answers with all it found."
    return together if name == ALL else STRATEGIES[name].about


# The list comes from the strategies themselves, so that what `proctor agents show` prints is what there is.
Hacker.__doc__ = "\n".join(
    [f"{Hacker.__doc__}".rstrip(), "", "    Strategies:", *(f"    {name:<10} {about(name)}" for name in names())]
)

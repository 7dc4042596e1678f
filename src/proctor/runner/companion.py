"""Who goes along with an episode: told when it begins, before and after each action, and when it ends."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

from proctor.actions.action import Action
from proctor.agents.agent import Turn, Vetoed
from proctor.computers.computer import Performed
from proctor.errors import CheckError, ComputerLost, HostError, ProctorError, RecordError, SpecError
from proctor.observations.observation import Observation
from proctor.records import Step, Told
from proctor.runner.state import EpisodeState

Said = TypeVar("Said")

PLAIN = (Vetoed, HostError, ComputerLost, SpecError, CheckError, RecordError)
"""What a companion may raise as it is: each says already whose failure it is."""


class Companion:
    """Goes along with an episode; a subclass overrides what it cares for.

    What it raises is a failure on this side and never the agent's: the episode is then void, while what fails in `end`
    leaves the verdict as it is. Only a computer that is lost after the agent acted on it is the agent's doing, here as
    everywhere. A companion that looks at a computer which may be in disorder does so with `Troubles`, as a judge does.
    """

    def begin(self, episode: EpisodeState) -> None:
        """The computer is prepared and was looked at; the agent knows nothing yet."""

    def before_action(self, episode: EpisodeState, action: Action) -> Sequence[Told]:
        """Return what the agent is told instead of its action being carried out; nothing to let it through.

        Words to the examiner are actions too. Raises Vetoed to end the episode.
        """
        return ()

    def performed(self, episode: EpisodeState, action: Action) -> tuple[Performed, Observation] | None:
        """Return how a hand on the desktop has carried out an action already, and what was seen after it.

        None leaves it to the computer.
        """
        return None

    def stand_in(self, episode: EpisodeState) -> Iterator[Turn]:
        """Yield the turns of a person who took over after the agent's last one, until they hand back."""
        return iter(())

    def after_action(self, episode: EpisodeState, step: Step) -> Step:
        """Return the step as it is to be recorded; also called for refused actions and for turns without any."""
        return step

    def end(self, episode: EpisodeState) -> None:
        """The episode is over and not yet judged, or void: called for everyone whose `begin` was, in any case."""


class CompanionFailed(ProctorError):
    """A companion raised what it should not have."""


class Companions:
    """Those of one episode, asked in their order."""

    def __init__(self, companions: Sequence[Companion]) -> None:
        self._all = companions

    @contextmanager
    def accompany(self, episode: EpisodeState) -> Iterator[None]:
        """Let all begin, and all that began end, the last first."""
        with ExitStack() as stack:
            for companion in self._all:
                stack.callback(_let_go, companion, episode)
                _ask(companion, companion.begin, episode)
            yield

    def before_action(self, episode: EpisodeState, action: Action) -> Sequence[Told]:
        """Return what the first that does not let the action through has to say."""
        for companion in self._all:
            told = _ask(companion, companion.before_action, episode, action)
            if told or episode.stop is not None:
                return told
        return ()

    def performed(self, episode: EpisodeState, action: Action) -> tuple[Performed, Observation] | None:
        """Return how the first of them that knows says that an action was carried out already."""
        for companion in self._all:
            if (done := _ask(companion, companion.performed, episode, action)) is not None:
                return done
        return None

    def stand_in(self, episode: EpisodeState) -> Iterator[Turn]:
        """Yield the turns of whoever took over."""
        for companion in self._all:
            turns = _ask(companion, companion.stand_in, episode)
            while (turn := _ask(companion, next, turns, None)) is not None:
                yield turn

    def after_action(self, episode: EpisodeState, step: Step) -> Step:
        """Return the step with what each adds to it."""
        for companion in self._all:
            step = _ask(companion, companion.after_action, episode, step)
        return step


def _ask(companion: Companion, ask: Callable[..., Said], *about: Any) -> Said:
    try:
        return ask(*about)
    except PLAIN:
        raise
    except Exception as error:
        why = f"the companion {type(companion).__name__} failed with {type(error).__name__}: {error}"
        raise CompanionFailed(why) from error


def _let_go(companion: Companion, episode: EpisodeState) -> None:
    """Let a companion end; what fails then changes nothing about the agent, unless the record cannot be written."""
    try:
        companion.end(episode)
    except HostError:
        raise
    except Exception:
        episode.defects.append(traceback.format_exc())

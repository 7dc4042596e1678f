"""Proctor's tasks as an OpenEnv environment: one instance for each session of a client."""

from __future__ import annotations

import uuid

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata

from proctor.errors import EpisodeVoid, SpecError
from proctor.interop.account import ending_of
from proctor.interop.catalogue import Catalogue
from proctor.interop.elements import TreeForm
from proctor.interop.openenv.models import DesktopAction, DesktopObservation, DesktopState, as_data
from proctor.interop.rollout import read_action
from proctor.interop.sessions import Sessions
from proctor.observations.observation import Observation
from proctor.records import Brief
from proctor.version import VERSION


class DesktopEnvironment(Environment[DesktopAction, DesktopObservation, DesktopState]):
    """A desktop with a task, judged when the agent says that it is done or its steps are used up.

    The rewards of an episode add up to its score. What says nothing about the agent is an error and never a reward:
    trouble of the machine or of the judge raises EpisodeVoid, a call out of order SpecError.

    Instances are cheap: the server makes one for every question about metadata too. The computer comes with `reset`
    and is touched by a thread of its own, so `REQUIRES_SINGLE_THREAD_EXECUTOR`, which would put all sessions into one
    thread, is not wanted.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, catalogue: Catalogue, sessions: Sessions, tree: TreeForm = "outline") -> None:
        super().__init__()
        self._tree: TreeForm = tree
        self._seen: Observation | None = None
        self._catalogue, self._sessions = catalogue, sessions
        self._session = sessions.open()
        self._brief: Brief | None = None
        self._state = DesktopState(suite=catalogue.suite.name)

    # -- an episode -----------------------------------------------------------------------------------------------

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        split: str | None = None,
        index: int | None = None,
        task: str | None = None,
        **unknown: object,
    ) -> DesktopObservation:
        """Begin an episode on a fresh computer; `Catalogue.choose` says which task it is about."""
        if unknown:
            raise SpecError(
                f"reset takes no {', '.join(repr(name[:100]) for name in sorted(unknown)[:5])}",
                remedy="give seed, episode_id, split, index or task",
            )
        if episode_id is not None and not (isinstance(episode_id, str) and 0 < len(episode_id) <= 255):
            raise SpecError("episode_id is not a text of 1 to 255 characters")
        entry, chosen = self._catalogue.choose(split=split, index=index, seed=seed, task=task)
        suite = self._catalogue.suite
        self._state = DesktopState(
            episode_id=episode_id or str(uuid.uuid4()),
            step_count=0,
            suite=suite.name,
            task=suite.id(entry.template),
            split=entry.split,
            index=entry.index,
            seed=entry.seed,
            done=True,
        )
        seen, self._brief = self._session.reset(chosen)
        self._seen = seen
        self._state = self._change_state(done=False)
        return DesktopObservation(
            **as_data(seen, self._tree),
            **self._reminders(self._brief.max_steps),
            reward=None,
            done=False,
            metadata=self._about(),
        )

    def step(self, action: DesktopAction, timeout_s: float | None = None, **kwargs: object) -> DesktopObservation:
        """Take one action; an impossible one changes nothing, takes no step and is explained in `told`."""
        try:
            stepped = self._session.step(read_action(lambda: action.to_action(self._seen)))
            self._seen = stepped.observation
        except EpisodeVoid:
            self._state = self._change_state(done=True)
            raise
        self._state = self._change_state(done=stepped.done, step_count=self._state.step_count + 1)
        about = self._about() | (ending_of(stepped.result) if stepped.result else {})
        return DesktopObservation(
            **as_data(stepped.observation, self._tree),
            **self._reminders(stepped.step.steps_left),
            told=list(stepped.messages),
            reward=stepped.reward,
            done=stepped.done,
            metadata=about,
        )

    @property
    def state(self) -> DesktopState:
        """Which episode is going on; asked by the server's own thread, so the computer is not looked at."""
        return self._change_state(sessions=self._sessions.in_use)

    def close(self) -> None:
        """Let the computer go; what is under way ends first, and is not waited for."""
        self._session.close()

    def get_metadata(self) -> EnvironmentMetadata:
        """Say what this is."""
        suite = self._catalogue.suite
        return EnvironmentMetadata(
            name=f"proctor_{suite.name}",
            description=f"Proctor's suite {suite.name!r} on real desktops: {suite.summary}",
            version=VERSION,
        )

    # -- the task API ---------------------------------------------------------------------------------------------

    def list_splits(self) -> list[str]:
        """Return the names of the splits."""
        return self._catalogue.splits()

    def num_tasks(self, split: str) -> int:
        """Return how many tasks a split has."""
        try:
            return self._catalogue.count(split)
        except SpecError as error:
            raise IndexError(str(error)) from error

    def list_tasks(self, split: str) -> list[dict[str, object]]:
        """Return all tasks of a split, without their instructions."""
        return self.get_task_range(split)

    def get_task(self, split: str, index: int) -> dict[str, object]:
        """Return one task with its instruction."""
        try:
            entry = self._catalogue.entry(split, index)
        except SpecError as error:
            raise IndexError(str(error)) from error
        task = self._catalogue.suite.task(entry.template.name, entry.seed)
        return {**entry.to_json(self._catalogue.suite), "instruction": task.instruction, "steps": task.limits.steps}

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, object]]:
        """Return tasks by bounds as in a slice, without their instructions."""
        self.num_tasks(split)
        return [entry.to_json(self._catalogue.suite) for entry in self._catalogue.entries(split, start, stop)]

    # -- how ------------------------------------------------------------------------------------------------------

    def _change_state(self, **fields: object) -> DesktopState:
        changed: DesktopState = self._state.model_copy(update=fields)
        return changed

    def _about(self) -> dict[str, object]:
        return {"task": self._state.task, "seed": self._state.seed, "episode_id": self._state.episode_id}

    def _reminders(self, steps_left: int) -> dict[str, object]:
        brief = self._brief
        return {
            "instruction": brief.instruction if brief else "",
            "actions": list(brief.actions) if brief else [],
            "steps_left": steps_left,
        }

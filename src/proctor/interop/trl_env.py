"""A desktop with a task for TRL's `environment_factory`; TRL itself is not imported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from proctor.actions.action import Action
from proctor.computers.computer import Computer
from proctor.errors import AgentError, EpisodeVoid, SpecError
from proctor.exam.door_run import DoorRun
from proctor.exam.rules import DAY_SEC, Rules
from proctor.interop.account import ending_of
from proctor.interop.catalogue import TRAIN_SEEDS, Catalogue
from proctor.interop.elements import TreeForm, elements_text, place_of, tree_form
from proctor.interop.release import close_when_gone
from proctor.interop.rollout import Stepped, read_action
from proctor.interop.sessions import Sessions
from proctor.interop.trl_tools import Content, Point, ToolMethods
from proctor.interop.venue import Venue
from proctor.observations.observation import Observation, Want
from proctor.records import Result
from proctor.suites import load_suite

TREE_CHARS = 12_000
TRIES = 2
"""How often a computer is made ready before the rollout is given up as void."""


def task_rows(suite: str | Path, split: str = "train", *, train_seeds: int = TRAIN_SEEDS) -> list[dict[str, object]]:
    """Return rows for a dataset, one for each task of a split.

    TRL hands the columns of a row to `reset`, so that all its rollouts get the same task:
    `datasets.Dataset.from_list(task_rows("tour"))` is all it takes.
    """
    catalogue = Catalogue(load_suite(suite), train_seeds=train_seeds)
    opening = "You operate a desktop by calling tools, one at a time. Places are in pixels.\n"
    return [
        {"prompt": [{"role": "user", "content": opening}], "split": split, "index": entry.index}
        for entry in catalogue.entries(split)
    ]


class DesktopTools(ToolMethods):
    """One rollout's desktop; give `partial(DesktopTools, "tour")` to TRL as `environment_factory`.

    Making one costs nothing; the computer comes with `reset` and goes with `get_reward`. It is touched by a thread of
    its own, so tools may be called from any. Whatever is public here is offered to the model as a tool, except `reset`
    and `get_reward`: anything else has an underscore before its name.

    Args:
        suite: Name of a suite, or a folder of tasks.
        computer: Name of a backend, or a function that returns a computer not yet started.
        options: What the backend is opened with.
        tree: How elements are listed: `outline` with ids and states, or `osworld` for the table of its paper.
        pictures: Whether tools return the screen as a picture, for models that see; the elements on it as text,
            otherwise.
        max_steps: Actions in a rollout; as many as the task allows, for 0.
        train_seeds: Variants of each template in the split `train`.
        rules: What holds besides, such as limits.
        run: The run in which every rollout is recorded, made by `DoorRun(folder)`; factories may share one.
        agent: What the model is called in the record.
    """

    def __init__(
        self,
        suite: str | Path = "tour",
        *,
        computer: str | Callable[[], Computer] = "sandbox",
        options: Mapping[str, object] | None = None,
        pictures: bool = False,
        tree: TreeForm = "outline",
        max_steps: int = 0,
        train_seeds: int = TRAIN_SEEDS,
        rules: Rules | None = None,
        run: DoorRun | None = None,
        agent: str = "trl",
    ) -> None:
        loaded = load_suite(suite)
        self._catalogue = Catalogue(loaded, train_seeds=train_seeds)
        self._pictures, self._tree = pictures, tree_form(tree) or "outline"
        self._seen: Observation | None = None
        rules = rules or Rules(seconds=DAY_SEC)
        venue = Venue(
            computer=computer,
            options=options or {},
            want=Want(screenshot=pictures, tree=not pictures),
            rules=replace(rules, steps=max_steps or rules.steps),
            agent=agent,
            assets=loaded.assets,
            run=run,
        )
        sessions = Sessions(venue, 1)
        self._session = sessions.open()
        self._going = False
        self._void = ""
        self._result: Result | None = None
        # A trainer closes nothing: the computer goes with the object, or with the process.
        close_when_gone(self, sessions.close)

    def reset(
        self,
        *,
        split: str | None = None,
        index: int | None = None,
        seed: int | None = None,
        task: str | None = None,
        **_columns: object,
    ) -> str:
        """Begin a rollout on a fresh computer and return what the model is told.

        Other columns of its row are ignored. A computer that cannot be made ready makes the rollout void rather than
        end the training: its reward is None.
        """
        _, chosen = self._catalogue.choose(split=split, index=index, seed=seed, task=task)
        self._going, self._result = False, None
        for _ in range(TRIES):
            try:
                seen, brief = self._session.reset(chosen)
            except EpisodeVoid as error:
                self._void = str(error)
                continue
            self._going, self._void, self._seen = True, "", seen
            return (
                f"{brief.instruction}\nThe desktop has {brief.size[0]}x{brief.size[1]} pixels. You have "
                f"{brief.max_steps} actions. Call done when it is done, fail when it cannot be done.\n"
                + (self._elements(seen) if not self._pictures else "")
            )
        return "The computer could not be made ready; call done."

    def get_reward(self) -> float | None:
        """Return the score from 0 to 1, and let the computer go; None where nothing can be said.

        TRL leaves None out of what it learns from. A rollout that ended without a word is judged as it is.
        """
        if self._going:
            with suppress(EpisodeVoid):
                self._take(self._session.stop)
        return self._result.score if self._result else None

    @property
    def info(self) -> dict[str, object]:
        """What came of the rollout beside its score: why it ended, whether anything else was changed."""
        return ending_of(self._result) if self._result is not None else {"void": self._void} if self._void else {}

    # -- how ------------------------------------------------------------------------------------------------------

    def _do(self, make: Callable[[], Action]) -> Content:
        if self._void:
            raise SpecError("this rollout is void", remedy="nothing is learnt from it; end it")
        if not self._going:
            raise SpecError("the task has ended", remedy="call no more tools")
        return self._reply(self._take(lambda: self._session.step(read_action(make))))

    def _take(self, go_on: Callable[[], Stepped]) -> Stepped:
        try:
            stepped = go_on()
        except EpisodeVoid as error:
            self._going, self._void = False, str(error)
            raise
        self._going, self._result, self._seen = not stepped.done, stepped.result, stepped.observation
        return stepped

    def _reply(self, stepped: Stepped) -> Content:
        lines = [
            *stepped.messages,
            "The task has ended." if stepped.done else f"{stepped.step.steps_left} actions left.",
        ]
        if stepped.done:
            return "\n".join(lines)
        seen = stepped.observation
        if self._pictures and seen.screenshot is not None:
            return [{"type": "image", "image": seen.screenshot}, {"type": "text", "text": "\n".join(lines)}]
        return "\n".join([*lines, self._elements(seen)])

    def _elements(self, seen: Observation) -> str:
        return elements_text(seen, self._tree, max_chars=TREE_CHARS)

    def _place(self, x: float | None, y: float | None, element: int | None) -> Point:
        if element is not None and x is None and y is None:
            return place_of(element, self._seen)
        if x is None or y is None or element is not None:
            raise AgentError("that is no place", remedy="give either x and y, or the id of an element")
        return x, y

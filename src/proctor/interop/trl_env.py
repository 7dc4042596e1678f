"""A desktop with a task for TRL's `environment_factory`: its public methods are the tools.

No server, no TRL here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from proctor.actions.action import Action, Answer, AskUser, Click, Done, Drag, Fail, Move, Press, Scroll, Type, Wait
from proctor.computers.computer import Computer
from proctor.errors import AgentError, EpisodeVoid, SpecError
from proctor.exam.door_run import DoorRun
from proctor.exam.rules import DAY_SEC, Rules
from proctor.interop.catalogue import TRAIN_SEEDS, Catalogue
from proctor.interop.release import close_when_gone
from proctor.interop.rollout import Stepped, ending_of
from proctor.interop.sessions import Sessions
from proctor.interop.venue import Venue
from proctor.observations.observation import Observation, Want
from proctor.observations.table import to_table
from proctor.records import Result
from proctor.suites import load_suite

TREE_CHARS = 12_000
TRIES = 2
"""How often a computer is made ready before the rollout is given up as void."""

Content = str | list[dict[str, object]]
"""What a tool returns: text, or blocks with a picture."""


def task_rows(suite: str | Path, split: str = "train", *, train_seeds: int = TRAIN_SEEDS) -> list[dict[str, object]]:
    """Return rows for a dataset, one for each task of a split: all rollouts of a row get the same task.

    TRL hands the columns of a row to `reset`, so `datasets.Dataset.from_list(task_rows("tour"))` is all it takes.
    """
    catalogue = Catalogue(load_suite(suite), train_seeds=train_seeds)
    opening = "You operate a desktop by calling tools, one at a time. Places are in pixels.\n"
    return [
        {"prompt": [{"role": "user", "content": opening}], "split": split, "index": entry.index}
        for entry in catalogue.entries(split)
    ]


class DesktopTools:
    """One rollout's desktop; give `partial(DesktopTools, "tour")` to TRL as `environment_factory`.

    Making one costs nothing; the computer comes with `reset` and goes with `get_reward`. It is touched by a thread of
    its own, so tools may be called from any. Whatever is public here is offered to the model as a tool, except `reset`
    and `get_reward`: anything else has an underscore before its name.

    Args:
        suite: Name of a suite, or a folder of tasks.
        computer: Name of a backend, or a function that returns a computer not yet started.
        options: What the backend is opened with.
        pictures: Whether tools return the screen as a picture, for models that see; the accessibility tree as text,
            otherwise.
        max_steps: Actions in a rollout; as many as the task allows, for 0.
        train_seeds: Variants of each template in the split `train`.
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
        max_steps: int = 0,
        train_seeds: int = TRAIN_SEEDS,
        run: DoorRun | None = None,
        agent: str = "trl",
    ) -> None:
        loaded = load_suite(suite)
        self._catalogue = Catalogue(loaded, train_seeds=train_seeds)
        self._pictures = pictures
        venue = Venue(
            computer=computer,
            options=options or {},
            want=Want(screenshot=pictures, tree=not pictures),
            rules=Rules(steps=max_steps or None, seconds=DAY_SEC),
            agent=agent,
            assets=loaded.assets,
            run=run,
        )
        sessions = Sessions(venue, 1)
        self._session = sessions.open()
        self._earned = 0.0
        self._ended = True
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

        Other columns of its row are ignored.

        A computer that cannot be made ready makes the rollout void rather than end the training: its reward is None.
        """
        _, chosen = self._catalogue.choose(split=split, index=_whole(index), seed=_whole(seed), task=task)
        self._earned, self._ended, self._void, self._result = 0.0, False, "", None
        for attempt in range(TRIES):
            try:
                seen, brief = self._session.reset(chosen)
            except EpisodeVoid as error:
                if attempt + 1 == TRIES:
                    self._ended, self._void = True, str(error)
                continue
            return (
                f"{brief.instruction}\nThe desktop has {brief.size[0]}x{brief.size[1]} pixels. You have "
                f"{brief.max_steps} actions. Call done when it is done, fail when it cannot be done.\n"
                + (_tree(seen) if not self._pictures else "")
            )
        return "The computer could not be made ready; call done."

    def get_reward(self) -> float | None:
        """Return the score of the rollout from 0 to 1, and let the computer go.

        It is None where it says nothing.

        TRL leaves None out of what it learns from. A rollout that ended without a word is judged as it is.
        """
        if not self._ended:
            try:
                self._note(self._session.stop())
            except EpisodeVoid as error:
                self._note_void(error)
        return None if self._void else self._earned

    @property
    def info(self) -> dict[str, object]:
        """What came of the rollout beside its score: why it ended, whether anything else was changed."""
        return ending_of(self._result) if self._result is not None else {"void": self._void} if self._void else {}

    # -- the tools ------------------------------------------------------------------------------------------------

    def click(self, x: float, y: float, button: Literal["left", "middle", "right"] = "left", count: int = 1) -> Content:
        """Click at a place.

        Args:
            x: Pixels from the left.
            y: Pixels from the top.
            button: Which button.
            count: 2 for a double click, 3 for a triple one.
        """
        return self._do(lambda: Click(x=x, y=y, button=button, count=count))

    def move(self, x: float, y: float) -> Content:
        """Move the pointer to a place.

        Args:
            x: Pixels from the left.
            y: Pixels from the top.
        """
        return self._do(lambda: Move(x=x, y=y))

    def drag(self, from_x: float, from_y: float, to_x: float, to_y: float) -> Content:
        """Drag from one place to another with the left button.

        Args:
            from_x: Pixels from the left, at the start.
            from_y: Pixels from the top, at the start.
            to_x: Pixels from the left, at the end.
            to_y: Pixels from the top, at the end.
        """
        return self._do(lambda: Drag(path=((from_x, from_y), (to_x, to_y))))

    def scroll(self, x: float, y: float, notches: int) -> Content:
        """Turn the wheel at a place.

        Args:
            x: Pixels from the left.
            y: Pixels from the top.
            notches: How far; positive shows what is below.
        """
        return self._do(lambda: Scroll(x=x, y=y, dy=notches))

    def type_text(self, text: str) -> Content:
        """Type a text exactly; a newline is the Return key.

        Args:
            text: What to type.
        """
        return self._do(lambda: Type(text=text))

    def press(self, keys: str) -> Content:
        """Press a key or several at once.

        Args:
            keys: Such as enter, ctrl+s or alt+f4.
        """
        return self._do(lambda: Press(keys=keys))

    def wait(self, seconds: float = 1.0) -> Content:
        """Let time pass.

        Args:
            seconds: How long, at most 60.
        """
        return self._do(lambda: Wait(seconds=seconds))

    def ask_user(self, question: str) -> Content:
        """Ask the user something that the task leaves open.

        Args:
            question: What to ask.
        """
        return self._do(lambda: AskUser(question=question))

    def answer(self, text: str) -> Content:
        """Answer the question that the task asks, and end.

        Args:
            text: The answer.
        """
        return self._do(lambda: Answer(text=text))

    def done(self) -> Content:
        """Say that the task is finished, and end."""
        return self._do(Done)

    def fail(self, reason: str = "") -> Content:
        """Say that the task cannot be done, and end.

        Args:
            reason: Why not.
        """
        return self._do(lambda: Fail(reason=reason))

    # -- how ------------------------------------------------------------------------------------------------------

    def _do(self, make: Callable[[], Action]) -> Content:
        if self._void:
            raise SpecError("this rollout is void", remedy="it is left out of what is learnt; end it")
        if self._ended:
            raise SpecError("the task has ended", remedy="call no more tools")
        meant: Action | AgentError
        try:
            meant = make()
        except AgentError as error:
            meant = error
        try:
            stepped = self._session.step(meant)
        except EpisodeVoid as error:
            self._note_void(error)
            raise
        self._note(stepped)
        return self._reply(stepped)

    def _note(self, stepped: Stepped) -> None:
        self._earned += stepped.reward
        self._ended = stepped.done
        self._result = stepped.result or self._result

    def _note_void(self, error: EpisodeVoid) -> None:
        self._ended, self._void = True, str(error)

    def _reply(self, stepped: Stepped) -> Content:
        lines = [*stepped.told, "The task has ended." if stepped.done else f"{stepped.steps_left} actions left."]
        if stepped.done:
            return "\n".join(lines)
        seen = stepped.observation
        if self._pictures and seen.screenshot is not None:
            return [{"type": "image", "image": seen.screenshot}, {"type": "text", "text": "\n".join(lines)}]
        return "\n".join([*lines, _tree(seen)])


def _tree(seen: Observation) -> str:
    return to_table(seen.tree, max_chars=TREE_CHARS) if seen.tree is not None else ""


def _whole(number: Any) -> int | None:
    """Return a number of a dataset's column as a plain one: it may be NumPy's own."""
    if number is None or isinstance(number, bool | str | float):
        return number  # type: ignore[return-value]  # refused by name where it is looked up
    return int(number)

"""Live control: a person allows, denies or edits what an agent is about to do, or takes over.

The episode asks in its own thread and waits; the page answers from the server's threads.
"""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from proctor.actions.action import Action, AskUser, InputAction, SignalAction
from proctor.actions.in_words import action_words
from proctor.agents.agent import Turn, Vetoed
from proctor.errors import ComputerError, HostError
from proctor.exam.state import ExamState
from proctor.exam.watcher import Refusal, Replacement, Reply, Watcher
from proctor.observations.observation import Observation
from proctor.observations.tree import Node
from proctor.plain_text import printable
from proctor.records import Step, Told
from proctor.runner.job import Job
from proctor.studio.control.shapes import draw_shapes, target_of, text_of, words_of
from proctor.studio.record.events import Event
from proctor.studio.record.hand import HandedBack, WatchedHand

Word = Literal["allow", "allow_all", "deny", "edit", "take_over", "stop"]
WORDS: tuple[Word, ...] = ("allow", "allow_all", "deny", "edit", "take_over", "stop")
Mode = Literal["waiting", "asking", "watching", "person", "over"]

DENIED = "the person watching did not allow it"
TAKEN_OVER = "A person is taking over for a while."
STOPPED = "the person watching ended the episode"
MOST_SAID = 20
"""Actions of a person that the agent is told of, each in a few words."""


@dataclass(frozen=True)
class Question:
    """One action that a person is asked about."""

    number: int
    action: Action
    element: Node | None
    shapes: list[dict[str, object]]
    thought: str
    picture: Observation

    def plain(self) -> dict[str, object]:
        """Return it as the page shows it."""
        told = {name: value for name, value in self.action.to_json().items() if name != "given"}
        found = self.element
        about = {"role": found.role, "name": printable(found.name), "app": printable(found.app)} if found else None
        return {
            "number": self.number,
            "action": told,
            "words": words_of(self.action, found),
            "text": text_of(self.action),
            "element": about,
            "shapes": self.shapes,
            "thought": printable(self.thought),
            "desktop": list(self.picture.desktop),
        }


@dataclass(frozen=True)
class Decision:
    """What the person decided."""

    word: Word
    reason: str = ""
    action: Action | None = None


@dataclass
class _Figures:
    asked: int = 0
    denied: int = 0
    edited: int = 0
    acted: int = 0
    seconds: float = 0.0
    """How long they decided and acted; none of it is the agent's."""


class _Nobody:
    def hear(self, heard: Event, /) -> None:
        """Forget it: nothing is passed on while the agent has the desktop."""


@dataclass
class Control(Watcher):
    """Goes along with every episode of a run, one at a time; the page may ask from any thread."""

    id: str = "control"
    mode: Mode = "waiting"
    trusting: bool = False
    """Whether everything is allowed until the person says otherwise."""
    job: Job | None = None
    size: tuple[int, int] = (0, 0)
    instruction: str = ""
    question: Question | None = None
    log: list[dict[str, object]] = field(default_factory=list)
    """What was carried out or refused in this episode, in words."""
    episodes: int = 0
    _numbers: int = 0
    _decision: Decision | None = None
    _wanted: bool = False
    _taking: bool = False
    _approved: Action | None = None
    _hand: WatchedHand | None = None
    _figures: _Figures = field(default_factory=_Figures)
    _changed: threading.Condition = field(default_factory=threading.Condition)

    # -- what the page asks, from the server's threads ----------------------------------------------------------------

    @property
    def state(self) -> str:
        """Whether what a person does goes to the computer, as a seat before a screen says it."""
        return {"person": "working", "over": "over", "waiting": "over"}.get(self.mode, "paused")

    @property
    def folder(self) -> Path | None:
        """Where the episode is recorded."""
        return self.job.folder if self.job else None

    @property
    def hand(self) -> WatchedHand | _Nobody:
        """Who takes note of what a person does."""
        return self._hand or _Nobody()

    def status(self, after: int = 0) -> dict[str, object]:
        """Return how it stands, with what was done after a number of steps."""
        with self._changed:
            job = self.job
            return {
                "mode": self.mode,
                "trusting": self.trusting,
                "wanted": self._wanted,
                "episode": self.episodes,
                "task": printable(job.key.task) if job else "",
                "agent": printable(job.key.agent) if job else "",
                "instruction": printable(self.instruction),
                "size": list(self.size),
                "question": self.question.plain() if self.question else None,
                "log": self.log[after:],
                "count": len(self.log),
            }

    def picture(self, number: int) -> bytes | None:
        """Return what the agent was shown when it asked, as a PNG; None where that question is over."""
        question = self.question
        if question is None or question.number != number or question.picture.screenshot is None:
            return None
        data = io.BytesIO()
        question.picture.screenshot.save(data, "PNG", compress_level=1)
        return data.getvalue()

    def answer(self, number: int, decision: Decision) -> bool:
        """Take the person's word on a question; False where it is not asked any more."""
        with self._changed:
            if self.question is None or self.question.number != number or self._decision is not None:
                return False
            self._decision = decision
            self._changed.notify_all()
            return True

    def ask_again(self) -> None:
        """Ask about each action again, from the next one on."""
        with self._changed:
            self.trusting = False

    def want_to_take_over(self) -> None:
        """Take over with the next action of the agent, whatever it is."""
        with self._changed:
            if self.mode not in ("person", "over"):
                self._wanted = True

    def hand_back(self) -> bool:
        """Let the agent go on; False where the person does not have the desktop."""
        hand = self._hand
        if hand is None or self.mode != "person":
            return False
        hand.hear(HandedBack())
        return True

    def finish(self) -> None:
        """Nothing more will happen: the run has ended."""
        with self._changed:
            self.mode, self.question = "over", None

    # -- as a watcher of the exam ------------------------------------------------------------------------------

    def expect(self, job: Job) -> None:
        """Take note of the episode that is held next."""
        with self._changed:
            self.job, self.log, self.question = job, [], None
            self._wanted, self._figures = False, _Figures()
            self.instruction, self.mode = "", "waiting"
            self.episodes += 1

    def begin(self, exam: ExamState) -> None:
        """Show what is asked of the agent."""
        with self._changed:
            self.size, self.instruction, self.mode = exam.computer.size, exam.brief.instruction, "watching"

    def before(self, exam: ExamState, action: Action) -> Reply:
        """Ask about the agent's action, and wait for the answer; a person's own has happened already."""
        if self._hand is not None:
            return self._hand.before(exam, action)
        if action is self._approved:
            self._approved = None
            return None
        decision = self._decide(exam, action)
        match decision.word:
            case "deny":
                self._figures.denied += 1
                return Refusal.because(decision.reason or DENIED)
            case "edit":
                assert decision.action is not None
                self._figures.edited += 1
                self._approved = decision.action
                changed = words_of(decision.action, None)
                told = Told("refused", f"A person replaced your action with another one: {changed}.")
                return Replacement(decision.action, (told,))
            case "take_over":
                self._taking = True
                return Refusal.because(TAKEN_OVER)
            case "stop":
                raise Vetoed(STOPPED)
            case _:
                return None

    def between(self, exam: ExamState) -> Iterator[Turn]:
        """Yield what a person does who took over."""
        if not self._taking:
            return
        self._taking = False
        done: list[str] = []
        self._hand = hand = WatchedHand(lambda size: None, lambda told: None, lambda count, doing: None)
        hand.begin(exam)
        self._be("person")
        began = time.monotonic()
        try:
            for turn in hand.turns():
                self._figures.acted += len(turn.actions)
                done += [action_words(action.to_json(), None) for action in turn.actions]
                yield turn
        finally:
            self._figures.seconds += time.monotonic() - began
            self._hand = None
            self._be("watching")
        listed = "; ".join(done[:MOST_SAID]) + ("; and more" if len(done) > MOST_SAID else "")
        what = f"They did: {listed}." if done else "They did nothing."
        exam.told.append(Told("refused", f"The person has handed back control. {what} Look at the screen again."))

    def after(self, exam: ExamState, step: Step) -> Step:
        """Show what was done."""
        if step.action is not None:
            line = {
                "words": printable(action_words(step.action, step.element)),
                "by": step.by,
                "refused": printable(step.refused),
                "edited": step.meant is not None,
            }
            with self._changed:
                self.log.append(line)
        return step

    def end(self, exam: ExamState) -> None:
        """Keep how often a person was asked, and what they changed, beside the score."""
        found = self._figures
        for name, number in vars(found).items():
            if number:
                exam.figures[f"human_{name}"] = round(float(number), 3)
        with self._changed:
            self.mode, self.question = "waiting", None

    # -- asking -------------------------------------------------------------------------------------------------------

    def _decide(self, exam: ExamState, action: Action) -> Decision:
        with self._changed:
            if self._wanted:
                self._wanted = False
                return Decision("take_over")
            if self.trusting:
                return Decision("allow")
        element = self._element(exam, action)
        pointer = self._pointer(exam)
        self._figures.asked += 1
        began = time.monotonic()
        with self._changed:
            self._numbers += 1
            shapes = draw_shapes(action, element, pointer)
            seen = exam.observation
            self.question = Question(self._numbers, action, element, shapes, exam.turn.thought, seen)
            self.mode, self._decision = "asking", None
            try:
                decision = self._changed.wait_for(lambda: self._decision)
            finally:
                self.question, self.mode, self._decision = None, "watching", None
            assert decision is not None  # it is waited for without end
            if decision.word == "allow_all":
                self.trusting = True
        spent = time.monotonic() - began
        self._figures.seconds += spent
        exam.put_off(spent)
        return decision

    def _element(self, exam: ExamState, action: Action) -> Node | None:
        tree, place = exam.computer.parts.tree, target_of(action)
        if tree is None or not isinstance(action, InputAction) or isinstance(action, SignalAction | AskUser):
            return None
        try:
            return tree.element_at(*place) if place is not None else tree.focused()
        except HostError:
            raise
        except (ComputerError, OSError):
            return None

    def _pointer(self, exam: ExamState) -> tuple[int, int] | None:
        if "pointer" not in exam.computer.capabilities:
            return None
        try:
            return exam.computer.pointer_position()
        except HostError:
            raise
        except (ComputerError, OSError):
            return None

    def _be(self, mode: Mode) -> None:
        with self._changed:
            self.mode = mode

"""The contract of every door to an exam: the same ending gives the same result."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from proctor.actions.action import Action, Answer, Click, Done, Fail, Move, Press, Type
from proctor.agents.agent import Vetoed
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.values import Performed
from proctor.exam.rules import Rules
from proctor.records import Brief, Result
from proctor.tasks.call import Call
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss, Tags, Task

PATH = "list.txt"
SPILL, BREAK, CUT = "spill", "break the computer", "cut the line"
FORBIDDEN = "forbidden"
SOLUTION: tuple[Action, ...] = (Press(keys="ctrl+End"), Type(text="eggs"), Press(keys="ctrl+s"))
LEAVE = "leave"
"""In a script: whoever acts goes away without a word."""
LATE = "late"
"""In a script: an action that comes after the end, which must be refused and change nothing."""


class DoorComputer(FakeComputer):
    """A fake computer on which some texts have consequences."""

    def __init__(self, **options: Any) -> None:
        super().__init__(size=tuple(options.get("size") or (1280, 720)))

    def perform(self, action: Action) -> Performed:
        """Carry out an action, and what comes of its text."""
        text = action.text if isinstance(action, Type) else ""
        if text == SPILL:
            self.write_file("spilled.txt", b"milk")
        if text == CUT:
            self.found = {"outside": "ended by an operator"}
        if text in (BREAK, CUT):
            self.fail_next("settle")
        return super().perform(action)


BACKEND = f"{__name__}:DoorComputer"


def forbid(_brief: Brief, action: Action) -> str | None:
    """Forbid one text; a policy of the cases."""
    if isinstance(action, Type) and action.text == FORBIDDEN:
        raise Vetoed("this must not be typed")
    return None


def shopping_task(name: str = "doors", *, check: Call | None = None, feasible: bool = True) -> Task:
    """Return a task that the computer can do: a line added at the end and saved."""
    add = (hand.press("ctrl+End"), hand.type("eggs"))
    return Task(
        id=f"test/{name}-v1",
        instruction="Add eggs to the list and save it.",
        setup=(make.text_file(PATH, "milk\n"), make.launch(["mousepad", PATH])),
        check=check or expect.text_is(see.text(PATH), "milk\neggs\n"),
        expected=(PATH,),
        solution=(*add, hand.press("ctrl+s")),
        near_misses=(NearMiss(name="not saved", moves=add),),
        tags=Tags(
            apps=("mousepad",), level=2, domain="Life", scenario="Shopping", demand="Searching", feasible=feasible
        ),
        twin="" if feasible else "test/doors-v1",
    )


def question() -> Task:
    """Return a task that is answered."""
    return shopping_task("question", check=expect.text_is(see.answer(), "milk"))


def infeasible() -> Task:
    """Return a task that cannot be done, where leaving everything as it is and saying so is right."""
    return shopping_task("infeasible", check=expect.text_is(see.text(PATH), "milk\n"), feasible=False)


@dataclass(frozen=True)
class DoorEnding:
    """One way in which an episode may end."""

    name: str
    script: tuple[Action | str, ...]
    expected: Mapping[str, Any]
    """Fields of the result."""
    task: Task
    rules: Rules = Rules(backend=BACKEND)


def _case(
    name: str, *script: Action | str, task: Task | None = None, rules: Rules | None = None, **expected: Any
) -> DoorEnding:
    return DoorEnding(name, script, expected, task or shopping_task(), replace(rules or Rules(), backend=BACKEND))


CLICK, POLICY = Click(x=3, y=700), f"{__name__}:forbid"
ENDINGS = (
    _case("done right", *SOLUTION, Done(), LATE, stop="done", score=1.0, clean=True, steps=3, acted=True),
    _case("done wrong", Done(), stop="done", score=0.0, clean=False, modes=("false_finish",), acted=False),
    _case("answer right", Answer(text="milk"), task=question(), stop="answered", score=1.0, clean=True),
    _case("answer wrong", Answer(text="tea"), LATE, task=question(), stop="answered", score=0.0),
    _case("done, where an answer is asked", Done(), task=question(), stop="done", score=0.0),
    _case("fail on a feasible task", *SOLUTION, Fail(reason="no"), stop="gave_up", score=0.0),
    _case("fail on an infeasible task", Fail(reason="no"), task=infeasible(), stop="gave_up", score=1.0, clean=True),
    _case("done on an infeasible task", Done(), task=infeasible(), stop="done", score=0.0),
    _case("step limit", *SOLUTION, Done(), rules=Rules(steps=2), stop="step_limit", score=0.0, steps=2),
    _case("step limit on the last right step", *SOLUTION, rules=Rules(steps=3), stop="step_limit", score=1.0),
    _case("time limit", *SOLUTION, rules=Rules(seconds=1e-6), stop="time_limit", score=0.0, steps=0),
    _case("the same again and again", *[CLICK] * 9, rules=Rules(repetition=4), stop="repetition_limit", steps=4),
    _case(
        "nothing that can be carried out", *[Move(x=9999, y=1)] * 9, rules=Rules(fruitless=3), stop="agent_error",
        score=0.0, refused=3, steps=0,
    ),
    _case("left without a word", *SOLUTION, LEAVE, stop="agent_error", score=1.0, steps=3),
    _case("vetoed", Type(text=FORBIDDEN), rules=Rules(policy=POLICY), stop="vetoed", score=0.0, steps=0),
    _case("broken by an action", Press(keys="a"), Type(text=BREAK), stop="broke_the_computer", score=0.0, acted=True),
    _case("cut from outside", Press(keys="a"), Type(text=CUT), stop="void", score=None, cause="host", acted=True),
    _case(
        "collateral damage", *SOLUTION, Type(text=SPILL), Done(),
        stop="done", score=1.0, clean=False, collateral={"low": 1}, modes=("collateral",),
    ),
)  # fmt: skip


class DoorContract(ABC):
    """Derive from it and say how a script is played through a door; every test then holds for it."""

    skips: frozenset[str] = frozenset()
    """Names of endings that cannot come about there."""

    @abstractmethod
    def play(self, ending: DoorEnding, tmp_path: Any) -> Result:
        """Play an ending's script on its task on a DoorComputer, and return the result.

        Actions after the end are left out; LATE stands for one that is handed in all the same, and must be refused.
        """

    @pytest.mark.parametrize("ending", ENDINGS, ids=lambda ending: ending.name)
    def test_the_same_ending_gives_the_same_result(self, ending: DoorEnding, tmp_path: Any) -> None:
        """Whatever door an episode comes by, it is judged alike."""
        if ending.name in self.skips:
            pytest.skip("cannot come about here")
        result = self.play(ending, tmp_path)
        assert {name: getattr(result, name) for name in ending.expected} == dict(ending.expected)

"""A small suite that the fake computer can hold, and computers that fail when told to."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from proctor.actions.action import Action, Press, Type
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Performed
from proctor.interop.venue import Venue
from proctor.suites.suite import Suite
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import fixed_template, template
from tests.prove.machines import shopping

SOLUTION: tuple[Action, ...] = (Press(keys="ctrl+End"), Type(text="eggs"), Press(keys="ctrl+s"))


@template(apps=("mousepad",), level=1, demand="Life/Shopping/Searching")
def buy_fruit(draw: Draw) -> Draft:
    """Write a fruit into an empty list."""
    fruit = draw.choice(["apples", "pears", "plums", "figs", "dates", "limes"])
    return Draft(
        instruction=f"Write {fruit} into the list and save it.",
        setup=(make.text_file("list.txt", ""), make.launch(["mousepad", "list.txt"])),
        check=expect.text_is(see.text("list.txt"), fruit),
        expected=("list.txt",),
        solution=(hand.type(fruit), hand.press("ctrl+s")),
        near_misses=(NearMiss(name="not saved", moves=(hand.type(fruit),)),),
    )


def suite() -> Suite:
    return Suite("test", 1, "Two tasks for an editor.", (fixed_template(shopping()), buy_fruit))


class Held(FakeComputer):
    """A fake computer that tells which threads touch it, and waits in its actions where it is held."""

    made: list[Held] = []

    def __init__(self) -> None:
        super().__init__(size=(400, 320))
        self.threads: set[int] = set()
        self.go_on = threading.Event()
        self.go_on.set()
        self.acting = threading.Event()
        self.closed = threading.Event()
        Held.made.append(self)

    def start(self) -> Held:
        self.threads.add(threading.get_ident())
        super().start()
        return self

    def perform(self, action: Action) -> Performed:
        self.threads.add(threading.get_ident())
        self.acting.set()
        assert self.go_on.wait(60)
        return super().perform(action)

    def close(self) -> None:
        self.threads.add(threading.get_ident())
        super().close()
        self.closed.set()


def venue(computer: Callable[[], FakeComputer] = Held, **rest: Any) -> Venue:
    return Venue(computer=computer, **rest)


class Fragile(FakeComputer):
    """A fake computer that an operator ends when "operator" is typed, and that does not start where it is told so."""

    def perform(self, action: Action) -> Performed:
        if isinstance(action, Type) and action.text == "operator":
            self.found = {"outside": "killed by an operator"}
            self.fail_next("settle")
        return super().perform(action)

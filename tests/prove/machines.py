"""Computers and tasks for the tests of proofs: the fake computer, taking a task's options, and a task it can do."""

from __future__ import annotations

import os
import random
import sys
from typing import Any

import numpy

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.runner.worker_pool import say_doing
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss, Tags, Task

BACKEND = "tests.prove.machines:AnyFake"
PATH = "list.txt"


class AnyFake(FakeComputer):
    """A fake computer that does not mind which image or clock it is asked for."""

    def __init__(self, *, size: tuple[int, int] = (1280, 720), **ignored: Any) -> None:
        super().__init__(size=size)


def shopping(**changes: Any) -> Task:
    """Return a task that the fake editor can do: a line added at the end and saved."""
    add = (hand.press("ctrl+End"), hand.type("eggs"))
    fields: dict[str, Any] = {
        "id": "test/shopping-v1",
        "instruction": "Add eggs to the list and save it.",
        "paraphrases": ("Put eggs on the list, please.",),
        "setup": (make.text_file(PATH, "milk\n"), make.launch(["mousepad", PATH])),
        "check": expect.text_is(see.text(PATH), "milk\neggs\n"),
        "expected": (PATH,),
        "solution": (*add, hand.press("ctrl+s")),
        "near_misses": (
            NearMiss(name="not saved", moves=add),
            NearMiss(name="at the top", moves=(hand.press("ctrl+Home"), hand.type("eggs\n"), hand.press("ctrl+s"))),
        ),
        "tags": Tags(apps=("mousepad",), level=2, domain="Life", scenario="Shopping", demand="Searching"),
    }
    return Task(**{**fields, **changes})


def double(job: int) -> int:
    """Work of a crew in tests: twice the number; -1 kills the worker, -2 makes it hang, -3 is a defect.

    It says what it does; at -4 it has done that, and dies of something else.
    """
    say_doing(f"job {job} was done")
    if job == -4:
        say_doing("")
    if job in (-1, -4):
        os._exit(7)
    if job == -2:
        while True:
            os.read(os.pipe()[0], 1)
    if job == -3:
        raise ZeroDivisionError("a defect")
    return 2 * job


def look_around(question: str) -> object:
    """Work of a crew in tests: tell random numbers, the process it was forked from, modules or the environment."""
    if question == "random":
        return (random.random(), float(numpy.random.random()))
    if question == "parent":
        return os.getppid()
    if "." in question:
        return question in sys.modules
    return os.environ.get(question)

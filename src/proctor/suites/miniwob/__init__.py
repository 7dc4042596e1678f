"""Suite `miniwob`: the pages of MiniWoB++, which set a small problem for each seed and judge it."""

from __future__ import annotations

from dataclasses import dataclass

from proctor.errors import SpecError
from proctor.suites.miniwob.names import NAMES
from proctor.suites.suite import Suite
from proctor.tasks.draw import Draw
from proctor.tasks.machine import Machine
from proctor.tasks.shelves import expect, make, see
from proctor.tasks.task import Draft, Limits, Source, Tags, Task
from proctor.tasks.template import Template
from proctor.vocabulary.apps.miniwob import pages

INSTRUCTION = "Do what the page asks for at its top."
"""What is asked before the page is there; the agent is told the page's own words."""
COMPUTER = "browser,reuse=on,scale=2,size=1000x640"
"""Small pages, shown twice as large; a browser that nobody spoiled serves the next page too."""


@dataclass(frozen=True)
class MiniWobPage(Template):
    """One page, with as many problems as there are seeds."""

    @property
    def unproven(self) -> bool:
        """Whether there is no answer key: its author wrote none."""
        return True

    def task(self, suite: str, seed: int, *, twin: Template | None = None) -> Task:
        """Return the problem of one seed; raises MissingExtra where the pages are not installed."""
        name = self.name
        return Task(
            id=self.id(suite),
            seed=seed,
            instruction=INSTRUCTION,
            setup=(make.miniwob_page(name, seed),),
            goal=see.miniwob_goal(name),
            check=expect.miniwob_solved(see.miniwob_reward(name)),
            tags=self.tags,
            limits=self.limits,
            machine=self.machine,
            source=Source(format="miniwob", file=f"miniwob/html/miniwob/{name}.html", digest=pages.digest(name)),
        )


def _refuse(_draw: Draw) -> Draft:
    raise SpecError("a page of MiniWoB++ is not written again")


def _page(name: str) -> MiniWobPage:
    return MiniWobPage(
        name=name,
        version=1,
        write=_refuse,
        tags=Tags(apps=("chromium",), level=1, domain="Web", scenario="MiniWoB++", demand=name, demand_tree="miniwob"),
        limits=Limits(steps=30, seconds=300),
        machine=Machine(clock="", capabilities=("pages",)),
        twin="",
        summary=f"MiniWoB++: {name.replace('-', ' ')}.",
    )


SUITE = Suite(
    name="miniwob",
    version=1,
    summary="The small web pages of MiniWoB++, each judged by its own reward; unproven.",
    templates=tuple(map(_page, NAMES)),
    computer=COMPUTER,
)

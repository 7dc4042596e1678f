"""A subtask as a task of its own: what it takes is there from the beginning."""

from __future__ import annotations

from proctor.errors import SpecError
from proctor.graphs.compose.assemble import assemble
from proctor.graphs.compose.composition import Composition, NodePlan
from proctor.graphs.compose.initial import initial_resource
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask
from proctor.graphs.compose.theme import Theme
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect
from proctor.tasks.task import Draft

TRIES = 20
"""How often something else is drawn for a subtask that cannot work on what was drawn for it."""


def alone(subtask: Subtask, draw: Draw) -> Draft:
    """Return a subtask as a task."""
    seed = f"{subtask.name}:{draw.random()}"
    theme = Theme.draw(draw)
    node = NodePlan(id="a", subtask=subtask.name, bound=bind_alone(subtask, draw, theme))
    composition = Composition(seed=seed, theme=theme, nodes=(node,), purpose=f"Get {theme.title} ready.")
    draft = assemble(composition, {subtask.name: subtask})
    # Alone it is judged like any other task: by the result.
    work = subtask.work(node.bound)
    return draft.model_copy(
        update={
            "graph": None,
            "check": expect.all_of([work.check, *work.alone]) if work.alone else work.check,
            "finish": work.finish,
            "other_ways": work.other_ways,
            "cheats": work.cheats,
            "may_differ": work.may_differ,
            "copies": dict(work.copies),
        }
    )


def bind_alone(subtask: Subtask, draw: Draw, theme: Theme) -> Bound:
    """Plan a subtask on things drawn for it, others where it cannot work on these."""
    for attempt in range(TRIES):
        takes: dict[str, Resource] = {}
        for port, kind in subtask.takes.items():
            takes[port] = initial_resource(kind, draw, theme, {taken.value for taken in takes.values()})
        try:
            plan = subtask.plan(draw, theme, takes)
        except SpecError:
            if attempt + 1 == TRIES:
                raise
        else:
            return Bound(takes=takes, gives=plan.gives, params=plan.params)
    raise AssertionError("the last attempt returns or raises")

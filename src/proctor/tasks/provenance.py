"""Where a task comes from that nobody wrote by hand: who proposed it, and what that cost."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.tasks.model import PlainModel, Text

Count = Annotated[int, Field(ge=0)]


class NamedResource(PlainModel):
    """A thing that a task takes or leaves behind, as subtasks have them."""

    kind: Text
    """Such as `text_file`."""
    value: Text
    """What names it: a path below the home folder, or its text or title."""


class Provenance(PlainModel):
    """Who proposed a task, and what that took."""

    by: Text
    """The model, or `search`."""
    takes: tuple[NamedResource, ...] = ()
    """What it works on."""
    gives: tuple[NamedResource, ...] = ()
    """What it leaves behind."""
    calls: Count = 0
    """How often the model was asked."""
    input_tokens: Count = 0
    output_tokens: Count = 0
    cost_usd: Annotated[float, Field(ge=0.0)] | None = 0.0
    """What that cost; None where a price is not known."""
    repairs: Count = 0
    """How often something of it was written again because it failed."""
    foreign: Count = 0
    """How many foreign trajectories its check refused."""

"""Options that several agents have in common, as dataclasses that their constructors take apart."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from proctor.agents.send_pictures import SIZES, Format
from proctor.models.vendors import VENDORS
from proctor.text_options import Allowed

Goal = Literal["work", "game"]
"""What a model is told to do: the task, or to score without doing the work."""

TreeForm = Literal["outline", "osworld"]
"""How elements are listed: as an outline, or in the table of the OSWorld paper."""

Coordinates = Literal["image", "unit", "grid 0-999", "grid 0-1000"]
"""What coordinates may mean."""


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """Options of all agents with a model.

    Args:
        picture_size: Maximum size of pictures; `auto` is what suits the provider, or its tool.
        picture_format: Format of pictures; `auto` is what suits the provider.
        intent: Whether it is told why the user wants the task done, if the task says so.
        feedback: Whether it is told what the judge finds missing, if the run allows feedback.
        steps_left: Whether it is told at each turn how many steps are left.
        notes: Whether it may keep notes, which are shown to it at every turn.
        prompt: A TOML file whose parts replace those of the prompt.
    """

    picture_size: Annotated[str, Allowed(form=SIZES)] = "auto"
    picture_format: Format = "auto"
    intent: bool = True
    feedback: bool = True
    steps_left: bool = False
    notes: bool = False
    prompt: Path | None = None


@dataclass(frozen=True, kw_only=True)
class Settings(ModelSettings):
    """Options of all agents that write their actions as text.

    Args:
        history: How many past turns are repeated in full; older ones become one line per action.
        pictures: Maximum number of pictures in one request; by default what suits the provider.
        scale: Size of pictures relative to the desktop, before `picture_size`.
        goal: `game` tells it to score without doing the work, which tests the checks, not the model.
        temperature: Sampling temperature; by default the provider's.
        max_tokens: Maximum tokens in one reply.
        tree: How elements are listed: `outline` with ids and states, or `osworld` for the table of its paper.
        tree_chars: Maximum length of the list of elements, in characters.
        base_url: Server of the model, if not the provider's own.
    """

    history: Annotated[int, Allowed(least=0)] = 3
    pictures: Annotated[int | None, Allowed(least=1)] = None
    scale: Annotated[float, Allowed(above=0, most=1)] = 1.0
    goal: Goal = "work"
    temperature: Annotated[float | None, Allowed(least=0)] = None
    max_tokens: Annotated[int, Allowed(least=1)] = 2048
    tree: TreeForm = "outline"
    tree_chars: Annotated[int, Allowed(least=1)] = 40_000
    base_url: str | None = None


@dataclass(frozen=True, kw_only=True)
class CoderSettings(Settings):
    """Texts are cheap to repeat, and programs are long.

    Args:
        timeout: Time limit for one block, in seconds.
    """

    history: Annotated[int, Allowed(least=0)] = 10
    max_tokens: Annotated[int, Allowed(least=1)] = 4096
    timeout: Annotated[float, Allowed(above=0, most=600)] = 30.0


def versions() -> list[str]:
    """Return the versions of every vendor's tool."""
    # A vendor may have several names.
    return list(dict.fromkeys(version for name in VENDORS.names() for version in VENDORS.get(name).dialect.versions))


@dataclass(frozen=True, kw_only=True)
class NativeSettings(ModelSettings):
    """Options of an agent whose model has a computer tool.

    Args:
        version: Version of the provider's tool; by default the one that the model was made for.
        history: How many pictures the model sees at a time, the newest ones; by default what suits the provider.
        safety: If the provider asks to confirm a risky call: `acknowledge` confirms and notes it, `stop` gives up.
        cache: Whether the provider is asked to cache what requests repeat; `off` for servers without cache marks.
        max_tokens: Maximum tokens in one reply.
        base_url: Another server that speaks the provider's format.
        timeout: Seconds for one request, or, with `stream`, for each piece of its answer.
        stream: Whether answers are streamed, for models that think longer than a gateway waits for a reply.
    """

    version: Annotated[str, Allowed(names=versions)] = ""
    history: Annotated[int | None, Allowed(least=1)] = None
    safety: Literal["acknowledge", "stop"] = "acknowledge"
    cache: bool = True
    max_tokens: Annotated[int, Allowed(least=1)] = 4096
    base_url: str = ""
    timeout: Annotated[float, Allowed(above=0)] = 120.0
    stream: bool = False

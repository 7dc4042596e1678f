"""What an agent is sent for a sample task, without a model being asked: for people to read."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from PIL import Image

from proctor.actions.action import ACTIONS, ON_A_DESKTOP
from proctor.agents import AgentSpec, open_agent
from proctor.agents.agent import close, want_of
from proctor.agents.parts import PromptParts
from proctor.agents.sample import sample_brief, sample_observation
from proctor.errors import ProctorError, SpecError, UnknownName
from proctor.models.model import Message, ModelAnswer, Picture
from proctor.records import Brief
from proctor.text_options import Option

MODELS = ("model", "grounder")
"""Options that name models; none is asked, so an agent can be shown before one is chosen and without a key."""
SOME_MODEL = "openai/some-model"
PARTS_ABOUT = """\
The prompt of {agent}. Keep what you change and remove the rest; use it with prompt=FILE.
A word in single braces stands for a value, and a paragraph that comes out empty is left out."""


class Unasked:
    """A model that is named but never asked."""

    def __init__(self, name: str) -> None:
        self.name = name

    def ask(
        self, messages: Sequence[Message], *, max_tokens: int = 2048, temperature: float | None = None
    ) -> ModelAnswer:
        """Refuse."""
        _refuse()


def _refuse() -> NoReturn:
    raise SpecError("an agent that is only shown asks no model")


class Sample(NamedTuple):
    """The task that is shown."""

    size: tuple[int, int]
    actions: tuple[str, ...] = ()
    """Kinds of actions that are allowed; what a run allows when empty."""

    def brief(self, agent: Any) -> Brief:
        """Return its brief, with the actions that a run would allow this agent."""
        usual = [kind for kind in ON_A_DESKTOP if kind != "run_code" or kind in getattr(agent, "uses", ())]
        for kind in self.actions:
            if kind not in ACTIONS:
                raise UnknownName("action", kind, ACTIONS)
        return sample_brief(size=self.size, actions=self.actions or usual)


def open_unasked(spec: AgentSpec) -> object:
    """Return an agent whose models are never asked, so that it needs neither a key nor a server."""
    named = {option: spec.options.get(option, SOME_MODEL) for option in MODELS}
    others = {option: text for option, text in spec.options.items() if option not in MODELS}
    return open_agent(AgentSpec(spec.name, others), **{option: Unasked(model) for option, model in named.items()})


def parts_text(factory: object, spec: AgentSpec) -> str:
    """Return the parts of an agent's prompt as TOML; raises SpecError where it has none of ours."""
    agent = open_unasked(spec) if factory.__module__.startswith("proctor.") else None
    parts = getattr(agent, "parts", None)
    if not isinstance(parts, PromptParts):
        raise SpecError(
            f"{spec.name!r} has no prompt of Proctor's", remedy="its parts are those of prompted, native, ..."
        )
    try:
        return parts.to_toml(PARTS_ABOUT.format(agent=spec.label))
    finally:
        close(agent)


def preview(factory: Any, spec: AgentSpec, options: list[Option], sample: Sample) -> tuple[list[dict[str, Any]], str]:
    """Return what an agent is sent for the sample task, or a remark why that cannot be shown."""
    if not factory.__module__.startswith("proctor.") or not (
        hasattr(factory, "first_messages") or hasattr(factory, "messages")
    ):
        return [], "What it sends to models is up to it: it receives the brief and the observations."
    needed = {option.name for option in options if option.required} - spec.options.keys()
    if missing := sorted(needed - set(MODELS)):
        return [], f"Give {', '.join(missing)} to see what it is sent."
    try:
        agent: Any = open_unasked(spec)
    except ProctorError as error:
        return [], str(error)
    brief, observation = sample.brief(agent), sample_observation(want_of(agent), size=sample.size, steps=0)
    try:
        if hasattr(agent, "first_messages"):
            return [_shorten(message) for message in agent.first_messages(brief, observation)], ""
        agent.start(brief)
        return [_plain(message) for message in agent.messages(observation)], ""
    finally:
        close(agent)


def _plain(message: Message) -> dict[str, Any]:
    parts = [_describe_picture(part.data) if isinstance(part, Picture) else part for part in message.parts]
    return {"role": message.role, "parts": parts}


def _shorten(message: dict[str, Any]) -> dict[str, Any]:
    if isinstance(parts := message.get("parts"), list):
        return message | {"parts": [_part(part) for part in parts]}
    picture = message.get("screenshot")
    return message | {"screenshot": f"<PNG as base64, {len(picture)} characters>"} if picture else message


def _part(part: dict[str, Any]) -> str:
    if part["type"] == "picture":
        return _describe_picture(base64.b64decode(part["picture"].rpartition(",")[2]))
    return str(part["text"]) if "text" in part else json.dumps(part, ensure_ascii=False)


def _describe_picture(data: bytes) -> str:
    image = Image.open(io.BytesIO(data))
    return f"[picture, {image.format}, {image.width}x{image.height}]"

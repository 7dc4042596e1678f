"""A vendor's computer tool: its declaration, its calls and results, what its provider takes back."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from proctor.actions.dialects.dialect import SafetyCheck
from proctor.models.model import Picture, RawModel
from proctor.models.retry import CallFailed
from proctor.models.tool_dialect import ToolDialect
from proctor.models.transcript import Message, Part, plain_request
from proctor.records import Tool

LEFT_OUT = "[This picture is left out here.]"
"""Stands in the place of an older one."""
FAILED = "This call was not carried out."
"""What is answered to a call of which nothing came, where there must be words."""


Finish = Literal["stop", "length", "refusal", "pause", "malformed"]
"""Why an answer ended; after a pause the provider goes on with it when it is asked again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCall:
    """A call of the computer tool, or of one outside of the computer."""

    id: str
    name: str
    data: dict[str, object]
    """As the provider sent it."""
    outside: bool = False
    """Whether it is another tool than that of the computer."""
    arguments: object = None
    """What it is called with, where it is another."""

    @property
    def text(self) -> str:
        """The call as it stands in a reply."""
        return json.dumps(self.data, ensure_ascii=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Heard:
    """What the model said in one answer."""

    text: str = ""
    thought: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish: Finish = "stop"
    half: bool = False
    """Whether its end is a call that was cut off; what is left of it may still look like a call."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CallResult:
    """What is sent back for a call."""

    call: ToolCall
    picture: Picture | None
    text: str = ""
    wrong: bool = False
    """Whether the call was not carried out."""
    label: str = ""
    """Which moment the picture shows."""
    handed: tuple[Picture, ...] = ()
    """Pictures that a tool outside of the computer answered with."""
    checks: tuple[SafetyCheck, ...] = ()
    """Warnings of the provider that are acknowledged by this."""


def join_turn(turns: list[dict[str, object]], role: str, name: str, parts: list[dict[str, object]]) -> None:
    """Add parts to a conversation, in one turn with others of the role: answers follow calls."""
    last = turns[-1][name] if turns and turns[-1]["role"] == role else None
    if isinstance(last, list):
        last += parts
    else:
        turns.append({"role": role, name: parts})


class VendorTool(ABC):
    """A vendor's computer tool, and one episode's conversation with a model that has it."""

    asked_as: ClassVar[str] = ""
    """The provider whose wire format its models are asked in, such as `openai`; one of its own name when empty."""
    dialect: ClassVar[ToolDialect]
    """How it is declared, and how its calls become actions."""
    fit: ClassVar[tuple[int, int] | None] = None
    """Largest picture that its models look at without scaling it down; None for any."""
    whole: ClassVar[bool] = False
    """Whether the tool takes the screen as large as it is, whatever suits its models besides."""
    pictures: ClassVar[int] = 4
    """How many pictures a request has that suits its models, the newest."""
    pictures_always: ClassVar[bool] = False
    """Whether every single result must have a picture."""
    stops_at_failure: bool = False
    """Whether the calls of one answer are a batch, of which nothing is done after the first that fails."""
    zooms: bool = False
    """Whether the model may ask for a part of the screen in full detail."""

    def __init__(self, model: RawModel, *, version: str, history: int, max_tokens: int, cache: bool = True) -> None:
        self.tool: dict[str, object] = {}
        """The declaration of the tool, for pictures of the size that is shown."""
        self.others: tuple[Tool, ...] = ()
        """Tools outside of the computer that the model may call besides."""
        self.model = model
        self.version = version
        self.history = history
        """How many pictures a request may have."""
        self.max_tokens = max_tokens
        self.cache = cache
        """Whether the provider is asked to keep what the next request repeats, where it has to be asked."""

    @classmethod
    def default_version(cls, model: str) -> str:
        """Return which version of the tool a model was made for; the newest unless a vendor knows better."""
        return cls.dialect.versions[-1]

    @classmethod
    def read_part(cls, item: Mapping[str, object]) -> Iterable[Part] | None:
        """Return a message's part as parts of a plain one; None for what `models.transcript` knows."""
        return None

    @abstractmethod
    def begin(self, system: str) -> None:
        """Forget everything and take new standing instructions."""

    @abstractmethod
    def say(self, text: str, picture: Picture | None) -> None:
        """Add a message of the user."""

    @abstractmethod
    def give(self, results: Sequence[CallResult], text: str) -> None:
        """Add what came of each call, and words to the model besides."""

    def hear(self) -> Heard:
        """Send the conversation and return the answer, which becomes part of it; raises ModelError."""
        data = self.send()
        try:
            return self.keep(data)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise CallFailed("malformed", f"{self.model.name}: its answer has an unknown form: {error!r}") from error

    def note(self, lines: Sequence[str]) -> None:  # noqa: B027
        """Take a line for each thing the last answer led to, for when a whole exchange is left out."""

    def is_outside(self, name: object) -> bool:
        """Tell whether a name is that of a tool outside of the computer."""
        return any(tool.name == name for tool in self.others)

    def preview(self) -> list[Message]:
        """Return the next request as plain messages, for people to read."""
        return plain_request(self.payload(), self.read_part)

    @abstractmethod
    def payload(self) -> dict[str, object]:
        """Return the body of the next request, old pictures left out."""

    @abstractmethod
    def send(self) -> dict[str, object]:
        """Send the conversation and return the answer as it came."""

    @abstractmethod
    def keep(self, data: dict[str, object]) -> Heard:
        """Make an answer part of the conversation, return what it says; raises what malformed data does."""

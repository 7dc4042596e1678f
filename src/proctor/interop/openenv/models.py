"""What goes over OpenEnv's wire: actions in Proctor's words, observations, the state."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import fields
from typing import Annotated, Any

from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field, FiniteFloat, GetJsonSchemaHandler, StringConstraints, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from proctor.actions import action as act
from proctor.actions.action import Button, Language
from proctor.interop.elements import WHAT_ELEMENT, TreeForm, elements_text, with_place
from proctor.interop.openenv.bounds import MOST_ITEMS, MOST_TEXT, cut_to_size
from proctor.observations import encode
from proctor.observations.observation import Observation as Seen

Text = Annotated[str, StringConstraints(max_length=MOST_TEXT)]
Key = Annotated[str, StringConstraints(max_length=1_000)]
Place = tuple[FiniteFloat, FiniteFloat]


class DesktopAction(Action):
    """One action of Proctor's closed set; `type` decides which of the other fields count.

    Places are in pixels of the desktop. `done`, `fail` and `answer` end the episode.
    """

    type: Key = Field(description="What to do.")
    x: FiniteFloat | None = Field(None, description="Pixels from the left.")
    y: FiniteFloat | None = Field(None, description="Pixels from the top.")
    element: int | None = Field(None, description=WHAT_ELEMENT)
    button: Button | None = Field(None, description="Left by default.")
    count: int | None = Field(None, ge=1, le=3, description="How often in a row.")
    modifiers: list[Key] | None = Field(None, max_length=8, description="Keys held meanwhile, such as ctrl.")
    path: list[Place] | None = Field(None, max_length=MOST_ITEMS, description="[[x, y], ...].")
    dx: int | None = Field(None, description="Notches to the right.")
    dy: int | None = Field(None, description="Notches down.")
    scale: FiniteFloat | None = Field(None, description="Above 1 makes larger.")
    name: Key | None = Field(None, description="Of the application.")
    text: Text | None = Field(None, description="Exactly as it is to be typed.")
    keys: Key | None = Field(None, description="Such as ctrl+s.")
    key: Key | None = Field(None, description="One key, such as shift.")
    seconds: FiniteFloat | None = Field(None, description="How long.")
    code: Text | None = Field(None, description="What to run.")
    language: Language | None = Field(None, description="Python by default.")
    timeout_sec: FiniteFloat | None = Field(None, description="How long it may take.")
    reason: Text | None = Field(None, description="Why it cannot be done.")
    question: Text | None = Field(None, description="To the user.")

    @model_validator(mode="before")
    @classmethod
    def _within_bounds(cls, data: object) -> Any:
        return cut_to_size(data)

    def to_action(self, seen: Seen | None = None) -> act.Action:
        """Return the action that it stands for on what was seen; AgentError where it stands for none."""
        return act.from_json(with_place(self.model_dump(exclude={"metadata"}, exclude_none=True), seen))


def offer(kinds: Sequence[str]) -> type[DesktopAction]:
    """Return actions whose schema lists these kinds, and the fields that they have."""
    users = {name: [kind for kind in kinds if name in _fields(kind)] for name in DesktopAction.__annotations__}

    class OfferedAction(DesktopAction):
        __doc__ = DesktopAction.__doc__

        @classmethod
        def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
            form = handler.resolve_ref_schema(handler(core))
            listed = form["properties"]
            listed["type"]["enum"] = list(kinds)
            for name, whose in users.items():
                if name != "type" and not whose:
                    listed.pop(name, None)
                elif name != "type":
                    listed[name]["description"] += f" For {', '.join(whose)}."
            return form

    return OfferedAction


def _fields(kind: str) -> set[str]:
    own = {field.name for field in fields(act.ACTIONS[kind])}
    return own | {"element"} if "x" in own else own


class DesktopObservation(Observation):
    """What is seen of the computer, and what the agent is told."""

    instruction: str = Field("", description="What is to be done.")
    screenshot: str = Field("", description="The screen as a PNG, in base64.")
    size: tuple[int, int] = Field((0, 0), description="Width and height of the desktop in pixels.")
    tree: str | None = Field(None, description="The elements on the screen, where the server lists them.")
    told: list[str] = Field(
        default_factory=list,
        description="Why an action was refused, what a program printed, what the user replied.",
    )
    actions: list[str] = Field(default_factory=list, description="Types of actions that may be taken.")
    steps_left: int = Field(0, description="How many more actions may be taken.")


class DesktopState(State):
    """Which episode is going on."""

    suite: str = ""
    task: str = ""
    split: str = ""
    index: int = -1
    seed: int = -1
    done: bool = False
    sessions: int = Field(0, description="Computers that are open on this server.")


def as_data(seen: Seen, form: TreeForm = "outline") -> dict[str, object]:
    """Return what was seen as fields of an observation: pictures as PNG, never as numbers."""
    picture = base64.b64encode(encode.png(seen.screenshot)).decode() if seen.screenshot is not None else ""
    tree = elements_text(seen, form) if seen.tree is not None else None
    return {"screenshot": picture, "size": seen.desktop, "tree": tree}

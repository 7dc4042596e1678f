"""What goes over OpenEnv's wire: actions in Proctor's words, observations, the state."""

from __future__ import annotations

import base64
from typing import Annotated, Any

from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field, FiniteFloat, StringConstraints, model_validator

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

    type: Key = Field(description=f"One of: {', '.join(act.ACTIONS)}.")
    x: FiniteFloat | None = Field(None, description="Pixels from the left.")
    y: FiniteFloat | None = Field(None, description="Pixels from the top.")
    element: int | None = Field(None, description=WHAT_ELEMENT)
    button: Button | None = Field(None, description="For click, mouse_down, mouse_up and drag; left by default.")
    count: int | None = Field(None, ge=1, le=3, description="Clicks or taps in a row.")
    modifiers: list[Key] | None = Field(None, max_length=8, description="Keys held meanwhile, such as ctrl.")
    path: list[Place] | None = Field(None, max_length=MOST_ITEMS, description="For drag and swipe: [[x, y], ...].")
    dx: int | None = Field(None, description="Notches to the right, for scroll.")
    dy: int | None = Field(None, description="Notches down, for scroll.")
    scale: FiniteFloat | None = Field(None, description="For pinch: above 1 makes larger.")
    name: Key | None = Field(None, description="For open_app.")
    text: Text | None = Field(None, description="For type and answer.")
    keys: Key | None = Field(None, description="For press, such as ctrl+s.")
    key: Key | None = Field(None, description="For key_down and key_up.")
    seconds: FiniteFloat | None = Field(None, description="For wait, long_press and swipe.")
    code: Text | None = Field(None, description="For run_code, where the server allows it.")
    language: Language | None = Field(None, description="Of the code; python by default.")
    timeout_sec: FiniteFloat | None = Field(None, description="For run_code.")
    reason: Text | None = Field(None, description="For fail.")
    question: Text | None = Field(None, description="For ask_user.")

    @model_validator(mode="before")
    @classmethod
    def _within_bounds(cls, data: object) -> Any:
        return cut_to_size(data)

    def to_action(self, seen: Seen | None = None) -> act.Action:
        """Return the action that it stands for on what was seen; AgentError where it stands for none."""
        return act.from_json(with_place(self.model_dump(exclude={"metadata"}, exclude_none=True), seen))


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

"""A place that is not on the screen is answered in the coordinates of whoever named it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects import DIALECTS, open_dialect
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.space import SPACES
from proctor.actions.in_words import action_words
from proctor.agents.agent import close, want_of
from proctor.agents.native.agent import Native
from proctor.agents.prompted.agent import Prompted
from proctor.agents.prompted.planner import Grounded
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import AgentError
from proctor.exam.candidate import Candidate
from proctor.exam.exam import Exam
from proctor.exam.rules import Rules
from proctor.interop.harbor import xdotool
from proctor.interop.inspect import computer_tool
from proctor.models import open_model
from proctor.models.model import Picture
from proctor.models.script import ScriptedModel
from proctor.runner.loop import examine
from proctor.tasks.free import free_task
from tests.actions.dialects.samples import VENDOR_NAMES, vendor_dialect
from tests.actions.dialects.vendor_calls import write_call
from tests.agents.test_native import anthropic_says, gemini_says, openai_says, script
from tests.models.clock import Clock
from tests.models.provider import provider
from tests.models.wires import WIRES

DESKTOP = (1920, 1080)
SHOWN = Frame(desktop=DESKTOP, image=(1280, 720))
FAR = act.Click(x=2400, y=30)
LONG = act.Drag(path=((15, 30), (15, 1350)))
OWN = {"gemini": (999, 999), "ui_tars_1.0": (1000, 1000)}
"""The greatest numbers of spaces that are not those of the picture."""
NOT_ITS_OWN = re.compile(r"\b(1920|1919|1080|1079|2400|1350)\b")


def refusal(*actions: Action) -> str:
    """Return what whoever asked for actions is told by the computer."""
    with FakeComputer(size=DESKTOP).start() as computer, pytest.raises(AgentError) as caught:
        for action in actions:
            computer.perform(action)
    return str(caught.value)


def speaks_of(told: str, across: float, down: float) -> bool:
    """Tell whether a text gives the bounds of this space, and no number of the desktop."""
    return f"use x from 0 to {across:g} and y from 0 to {down:g}" in told and not NOT_ITS_OWN.search(told)


@pytest.mark.parametrize("name", [*DIALECTS.names()])
@pytest.mark.parametrize("beyond", [FAR, LONG], ids=["click", "drag"])
def test_every_dialect_is_answered_in_its_own_coordinates(name: str, beyond: Action) -> None:
    dialect = open_dialect(name)
    if name == "android_world":
        beyond = act.Tap(x=2400, y=30)
    try:
        text = dialect.write([beyond], SHOWN)
    except AgentError:
        text = dialect.write([FAR], SHOWN)  # it has no word for a drag between two places
    found = dialect.read(text, SHOWN).actions
    assert found, name
    if name == "android_world":
        # The fake desktop has no touch screen; the place is the same.
        (tap,) = (action for action in found if isinstance(action, act.Tap))
        found = (act.Click(x=tap.x, y=tap.y, given=tap.given),)
    assert speaks_of(refusal(*found), *OWN.get(name, (1279, 719)))


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("name", ["plain_json", "pyautogui"])
def test_every_space_is_answered_in_its_own_numbers(name: str, space: str) -> None:
    dialect = open_dialect(name, space=space)
    found = dialect.read(dialect.write([FAR], SHOWN), SHOWN).actions
    most = {"image": (1279, 719), "unit": (1, 1), "grid 0-999": (999, 999), "grid 0-1000": (1000, 1000)}[space]
    assert speaks_of(refusal(*found), *most)


@pytest.mark.parametrize("name", VENDOR_NAMES)
@pytest.mark.parametrize("beyond", [FAR, LONG], ids=["click", "drag"])
def test_every_vendors_tool_is_answered_in_its_own_coordinates(name: str, beyond: Action) -> None:
    found = vendor_dialect(name).read_call(write_call(name, beyond, SHOWN), SHOWN).actions
    assert found, name
    assert speaks_of(refusal(*found), *OWN.get(name, (1279, 719)))


@pytest.mark.parametrize(
    ("space", "raw"), [("unit", (1, 1)), ("grid 0-1000", (1000, 1000)), ("grid 0-1000", (1000, 0))]
)
def test_the_far_edge_that_a_model_may_write_is_the_last_pixel(space: str, raw: tuple[int, int]) -> None:
    found = open_dialect("plain_json", space=space).read(f'{{"type": "move", "x": {raw[0]}, "y": {raw[1]}}}', SHOWN)
    with FakeComputer(size=DESKTOP).start() as computer:
        computer.perform(*found.actions)
        assert computer.pointer_position() == (1919, 1079 if raw[1] else 0)


def test_an_element_named_by_its_id_is_told_by_its_id() -> None:
    frame = Frame(desktop=DESKTOP, image=(1280, 720), marks={7: (30.0, 1200.0)})
    found = open_dialect("plain_json").read('{"type": "click", "id": 7}', frame)
    told = refusal(*found.actions)
    assert "element 7 is outside what the screen shows" in told
    assert "1080" not in told


def test_where_nobody_wrote_anything_else_the_desktop_is_meant() -> None:
    assert "the place (2400, 30) is outside the desktop of 1920x1080 pixels" in refusal(FAR)


def test_harbors_agent_is_told_of_its_own_display() -> None:
    told = refusal(*xdotool.actions(["mousemove", "1500", "10"], (1024, 900), DESKTOP))
    assert "the place (1500, 10) is outside the picture of 1024x900 pixels" in told
    assert speaks_of(told, 1023, 899)


@pytest.mark.parametrize("name", ["left_click", "back_click", "mouse_move"])
def test_inspects_tool_is_answered_in_its_own_pixels(name: str) -> None:
    argv = ["python3", computer_tool.TOOL, name, "--coordinate", "1500", "10"]
    with FakeComputer(size=DESKTOP).start() as computer:
        told: Any = computer_tool.answer(computer, argv, computer.perform)
    assert "the place (1500, 10) is outside the picture of 1366x768 pixels" in told
    assert speaks_of(told, 1365, 767)


# -- agents, through whole exams ------------------------------------------------------------------------------------


def examined(agent: Any) -> None:
    """Let an agent work on a desktop that is larger than its pictures."""
    with FakeComputer(size=DESKTOP).start() as computer:
        task = free_task("Save the notes.")
        candidate = Candidate(want=want_of(agent))
        exam = Exam(task, computer, Rules(steps=5), candidate=candidate, prepare=lambda _computer: None)
        examine(exam, agent)
        exam.end()
        close(agent)


def said_in(model: ScriptedModel) -> str:
    """Return all that a model was told in its last request."""
    return "\n".join(
        str(part) for message in model.asked[-1] for part in message.parts if not isinstance(part, Picture)
    )


@pytest.mark.parametrize("dialect", ["plain_json", "pyautogui", "computer13", "ui_tars", "browsergym"])
@pytest.mark.parametrize("history", [0, 3])
def test_an_agent_reads_nothing_but_its_own_coordinates(dialect: str, history: int) -> None:
    beyond = open_dialect(dialect).write([FAR], SHOWN)
    model = ScriptedModel(replies=[beyond, beyond, open_dialect(dialect).write([act.Done()], SHOWN)])
    examined(Prompted(model, observe="screenshot", dialect=dialect, picture_size="1280x720", history=history))
    assert speaks_of(said_in(model), 1279, 719)


def test_a_planner_is_told_that_nothing_was_found_beyond_the_picture() -> None:
    planner = ScriptedModel(replies=['[{"type": "click", "element": "the bin"}]', '[{"type": "done"}]'])
    eye = ScriptedModel(replies=["(1600, 20)"])
    examined(Grounded(planner, eye, picture_size="1280x720"))
    assert "'the bin' was not found on the screen" in said_in(planner)
    assert not NOT_ITS_OWN.search(said_in(planner))


NATIVE = {
    "anthropic": ("anthropic/claude-opus-4-6", anthropic_says),
    "openai": ("openai/gpt-5.4", openai_says),
    "gemini": ("google/gemini-3.5-flash", gemini_says),
}


@pytest.mark.parametrize("name", VENDOR_NAMES)
def test_a_vendors_model_reads_nothing_but_its_own_coordinates(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for wire in WIRES:
        monkeypatch.setenv(wire.variable, "sk-test-0123456789abcdefghij")
    model, says = NATIVE[name]
    with provider() as server:
        opened = open_model(model, base_url=server.url, patience=Clock().patience())
        beyond = says("", write_call(name, FAR, SHOWN))
        script(server, beyond, beyond, says("DONE"))
        examined(Native(opened, picture_size="1280x720"))  # type: ignore[arg-type]
        told = re.sub(r"[A-Za-z0-9+/=]{200,}", "", str(server.asked[-1].body))
    assert speaks_of(told, *OWN.get(name, (1279, 719)))


def test_a_critic_is_told_places_that_hold_in_a_picture_of_any_size() -> None:
    told = action_words(act.Click(x=1500, y=810).to_json(), None, DESKTOP)
    assert told == "click at 78.1% of the width from the left, 75.0% of the height from the top"

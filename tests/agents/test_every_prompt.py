"""What models are told, read as text: every way of seeing in every dialect, by every agent that has a prompt."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from proctor.actions.action import ACTIONS
from proctor.actions.dialects import DIALECTS, open_dialect
from proctor.agents.native.agent import Native
from proctor.agents.preview import Unasked
from proctor.agents.prompted.agent import Prompted
from proctor.agents.prompted.coder import Coder
from proctor.agents.prompted.planner import Grounded
from proctor.agents.sample import sample_brief, sample_observation
from proctor.models.model import Message, Picture
from proctor.observations.observation import Observation, Want
from proctor.observations.outline_text import HOW_TO_READ

DESKTOP = (1920, 1080)
SEEING = ("screenshot", "tree", "screenshot+tree", "marks")
MODELS = ("openai/x", "anthropic/x", "google/x", "scripted/x")
SIZES = {"openai/x": (1440, 810), "anthropic/x": (1280, 720), "google/x": (1440, 810), "scripted/x": DESKTOP}

OWN = {
    "plain_json": ('{"type": "done"}', '"type": "ask_user"'),
    "computer13": ('"action_type": "DONE"', '"action_type": "CALL_USER"', '"action_type": "ANSWER"'),
    "pyautogui": ("`DONE`", "`fail('...')`", "`ask_user('...')`", "`answer('...')`"),
    "ui_tars": ("`finished(content='...')`", "`call_user(message='...')`", "`FAIL`"),
    "ui_tars_1.0": ("`finished(content='...')`", "`call_user(message='...')`", "`FAIL`"),
    "omnibench": ('`"Status": "FINISH"`', '`"Status": "FAIL"`'),
    "android_world": ('"goal_status": "complete"', '"goal_status": "infeasible"', '"action_type": "answer"'),
    "browsergym": ("`DONE`", "`report_infeasible('...')`", "`send_msg_to_user('...')`"),
}
"""The words of each dialect that must be there."""
FOREIGN = {
    "plain_json": ("DONE", "FAIL", "finished(", "CALL_USER", "FINISH", "pyautogui", "action_type", "start_box"),
    "computer13": ('"type": "done"', "finished(", "FINISH", "pyautogui", "start_box", "ask_user"),
    "pyautogui": ('"type"', "finished(", "FINISH", "action_type", "start_box", "CALL_USER", "json"),
    "ui_tars": ('"type"', "`done`", "FINISH", "action_type", "pyautogui", "ask_user", "json", "several"),
    "ui_tars_1.0": ('"type"', "`done`", "FINISH", "action_type", "pyautogui", "ask_user", "json", "several"),
    "omnibench": ('"type"', "`done`", "finished(", "action_type", "pyautogui", "ask_user", "several", "DONE"),
    "android_world": ('"type"', "finished(", "FINISH", "DONE", "FAIL", "start_box", "CALL_USER", "pyautogui"),
    "browsergym": ('"type"', "finished(", "FINISH", "action_type", "start_box", "CALL_USER", "json", "pyautogui"),
}
"""Words of other dialects, which must not."""


def made(agent: Any, model: str, **options: Any) -> Any:
    """Return an agent whose model is named and never asked."""
    others = {"grounder": Unasked("scripted/y")} if agent is Grounded else {}
    return agent(Unasked(model), **others, **options)


@cache
def seen(want: Want) -> Observation:
    """Return what is to be seen; drawing it takes longer than everything else here."""
    return sample_observation(want, size=DESKTOP, steps=0)


def told(agent: Any, actions: tuple[str, ...] = ()) -> tuple[str, list[Message]]:
    """Return the standing instructions, and all messages."""
    usual = tuple(kind for kind in ACTIONS if kind != "run_code" or kind in getattr(agent, "uses", ()))
    agent.start(sample_brief(size=DESKTOP, actions=actions or usual))
    messages = agent.messages(seen(agent.want))
    return str(messages[0].parts[0]), messages


def pictures(messages: list[Message]) -> list[Picture]:
    return [part for message in messages for part in message.parts if isinstance(part, Picture)]


def words(messages: list[Message]) -> str:
    return "\n".join(part for message in messages for part in message.parts if isinstance(part, str))


def size_of(picture: Picture) -> tuple[int, int]:
    """Return what a PNG's header says."""
    return int.from_bytes(picture.data[16:20]), int.from_bytes(picture.data[20:24])


def sound(system: str) -> None:
    """Check what holds for every prompt: no gaps, nothing unfilled, one rule for each thing."""
    assert "\n\n\n" not in system
    assert not re.search(r"\{[a-z_]+\}", system)
    rules = re.search(r"# Rules\n\n((?:- .*\n?)+)", system)
    assert rules, system
    lines = rules[1].strip().splitlines()
    assert len(lines) == len(set(lines))
    assert sum("in one turn" in line or "per turn" in line for line in lines) == 1
    assert sum("before you decide" in line for line in lines) == 1
    assert len(re.findall(r"what your last action did", system)) == 1
    assert system.count("For example:") == 1
    assert system.count("Coordinates ") <= 1


@pytest.mark.parametrize("dialect", sorted(OWN))
@pytest.mark.parametrize(("observe", "model"), list(itertools.product(SEEING, MODELS)))
def test_prompted_in_every_combination(observe: Any, dialect: str, model: str) -> None:
    agent = made(Prompted, model, observe=observe, dialect=dialect)
    system, messages = told(agent)
    sound(system)
    everything = words(messages)
    shown = [size_of(picture) for picture in pictures(messages)]
    # What is seen, and how large it is.
    sees = observe != "tree"
    assert shown == ([SIZES[model]] if sees else [])
    across, down = SIZES[model] if sees else DESKTOP
    what = "picture" if sees else "desktop"
    if dialect == "ui_tars_1.0":
        assert f"from 0 to 1000 down, whatever the size of the {what}" in system
    else:
        assert f"pixels of the {what}, which is {across} wide and {down} high" in system
    if (across, down) != DESKTOP:
        assert "1920" not in everything
    listed = observe != "screenshot"
    assert (HOW_TO_READ in system) == listed
    assert ("Elements on the screen now:" in everything) == listed
    assert ("screenshot of the whole desktop" in system) == sees
    assert ("You get no picture." in system) == (not sees)
    # Ids only where there are some; ControlLabel is what OmniBench calls one.
    named = any(word in system for word in ("with the id 3", '"id": 3', "tag_3", "ControlLabel", '"index"'))
    assert named == listed
    assert "The computer is a Linux desktop; its user's home folder is /home/user." in system
    names_keys = dialect not in ("omnibench", "android_world", "browsergym")
    assert ("Keys are called: enter," in system) == names_keys
    assert ("numbered boxes" in system) == (observe == "marks")
    # Its own words and no others.
    for word in OWN[dialect]:
        assert word in system
    for word in FOREIGN[dialect]:
        assert word not in system.partition("# Task")[0], word
    assert ("Take one action per turn." in system) == (not getattr(open_dialect(dialect), "several", True))
    assert "run_code" not in system


@pytest.mark.parametrize("dialect", sorted(OWN))
@pytest.mark.parametrize("observe", SEEING)
def test_the_example_is_a_reply_that_is_understood(observe: Any, dialect: str) -> None:
    agent = made(Prompted, "anthropic/x", observe=observe, dialect=dialect)
    system, _ = told(agent)
    example = system.partition("For example:\n")[2].partition("\n\n")[0]
    frame = agent._telling.frame(seen(agent.want))
    reading = open_dialect(dialect).read(example, frame)
    assert not reading.problem
    (action,) = reading.actions
    assert action.kind == ("tap" if dialect == "android_world" else "click")
    if observe == "screenshot" or dialect.startswith("ui_tars"):
        assert (action.x, action.y) == (480, 270)  # type: ignore[attr-defined]
    else:  # the text, which has the id 3
        assert (action.x, action.y) == (640, 380)  # type: ignore[attr-defined]
    assert not re.search(r"\d\.\d", example)


@pytest.mark.parametrize("dialect", sorted(OWN))
def test_places_in_the_list_are_those_that_the_model_writes(dialect: str) -> None:
    agent = made(Prompted, "anthropic/x", observe="screenshot+tree", dialect=dialect)
    _, messages = told(agent)
    (row,) = [line for line in words(messages).splitlines() if "Save" in line and "Print" in line]
    middle = tuple(map(int, re.findall(r'"Save" (\d+),(\d+)', row)[0]))
    assert middle == ((86, 32) if dialect == "ui_tars_1.0" else (110, 23))


def test_the_table_of_the_paper_is_there_for_who_asks() -> None:
    agent = made(Prompted, "anthropic/x", observe="screenshot+tree", tree="osworld")
    system, messages = told(agent)
    assert "get a table of its elements: role, name, text, top left corner and size." in system
    assert HOW_TO_READ not in system
    assert '"id": 3' not in system
    (row,) = [line for line in words(messages).splitlines() if line.startswith("push-button\tSave")]
    assert "(80, 13)" in row


def test_fractions_are_listed_as_fractions() -> None:
    agent = made(Prompted, "scripted/x", observe="tree", space="unit")
    _, messages = told(agent)
    assert '"Save" 0.0859,0.0324' in words(messages)
    assert "fractions of the desktop" in words(messages)


KINDS = ("click", "press", "type", "done")


@pytest.mark.parametrize("dialect", sorted(OWN))
@pytest.mark.parametrize("observe", SEEING)
def test_what_is_not_allowed_is_not_spoken_of(observe: Any, dialect: str) -> None:
    system, _ = told(made(Prompted, "scripted/x", observe=observe, dialect=dialect), KINDS)
    sound(system)
    denied = ("FAIL", "fail(", '"fail"', "ask_user", "CALL_USER", "call_user", "ANSWER", "answer(", "scroll", "drag")
    for word in denied:
        assert word not in system
    assert "cannot be done" not in system


def test_without_places_nobody_speaks_of_coordinates() -> None:
    for dialect in sorted(OWN):
        system, _ = told(made(Prompted, "scripted/x", dialect=dialect), ("press", "done"))
        assert "oordinates" not in system
        assert "coords" not in system


@pytest.mark.parametrize(("observe", "model"), list(itertools.product(("screenshot", "screenshot+tree"), MODELS)))
def test_grounded_in_every_combination(observe: Any, model: str) -> None:
    system, messages = told(made(Grounded, model, observe=observe))
    sound(system)
    assert [size_of(picture) for picture in pictures(messages)] == [SIZES[model]]
    assert "You give no coordinates." in system
    assert "in the coordinates that you write" not in system
    assert ("may be named by its id" in system) == ("tree" in observe)
    assert '"element"' in system
    assert '"x"' not in system
    assert (HOW_TO_READ in system) == ("tree" in observe)
    assert "mark" not in system.replace("marked with ?", "")


@pytest.mark.parametrize(("observe", "model"), list(itertools.product((*SEEING, "nothing"), MODELS)))
@pytest.mark.parametrize("code", [True, False])
def test_coder_in_every_combination(observe: Any, model: str, code: bool) -> None:
    agent = made(Coder, model, observe=observe)
    kinds = tuple(kind for kind in ACTIONS if code or kind != "run_code")
    system, messages = told(agent, kinds)
    sound(system)
    sees = observe not in ("tree", "nothing")
    assert [size_of(picture) for picture in pictures(messages)] == ([SIZES[model]] if sees else [])
    across, down = SIZES[model] if sees else DESKTOP
    assert f"which is {across} wide and {down} high" in system
    assert ("```python" in system) == code
    assert ("Code cannot be run" in system) == (not code)
    assert '"type": "run_code"' not in system
    assert ("You do not see the screen." in system) == (observe == "nothing")
    assert ("screenshot" in system) == sees
    assert ('"id": 3' in system) == (observe in ("tree", "screenshot+tree", "marks"))


def plain(agent: Native, actions: tuple[str, ...] = tuple(ACTIONS)) -> Iterator[tuple[str, str, list[Any]]]:
    brief = sample_brief(size=DESKTOP, actions=actions)
    for message in agent.first_messages(brief, seen(agent.want)):
        texts = "\n".join(part["text"] for part in message["parts"] if "text" in part)
        yield message["role"], texts, [part for part in message["parts"] if part["type"] == "picture"]


@pytest.mark.parametrize(
    ("model", "version", "size"),
    [
        ("openai/computer-use-preview", "computer_use_preview", DESKTOP),
        ("openai/gpt-5.4", "computer", DESKTOP),
        ("anthropic/x", "computer_20241022", (1280, 720)),
        ("anthropic/x", "computer_20250124", (1280, 720)),
        ("anthropic/x", "computer_20251124", (1280, 720)),
        ("gemini/x", "computer_use", (1440, 810)),
    ],
)
@pytest.mark.parametrize("own", [None, "1024x768"])
def test_native_tells_the_size_that_it_sends(model: str, version: str, size: tuple[int, int], own: str | None) -> None:
    import base64
    import io

    from PIL import Image

    if own:
        size = (1024, 576)
    agent = Native(Unasked(model), version=version, **({"picture_size": own} if own else {}))  # type: ignore[arg-type]
    (_, system, _), (_, tools, _), (role, first, shown) = plain(agent)
    data = base64.b64decode(shown[0]["picture"].rpartition(",")[2])
    assert Image.open(io.BytesIO(data)).size == size
    if model.startswith("gemini"):
        assert "from 0 to 999 across" in system
    else:
        assert f"which is {size[0]} wide and {size[1]} high" in system
    if size != DESKTOP:
        assert "1920" not in system + tools + first
    declared = json.loads(tools)[0]
    for name in ("display_width_px", "display_width"):
        assert declared.get(name, size[0]) == size[0]
    assert "not allowed" not in system
    assert (role, "Sign the letter" in first, "screen at the start" in first) == ("user", True, True)
    for word in ("DONE", "IMPOSSIBLE", "ANSWER", "QUESTION"):
        assert system.count(word) == 1


@pytest.mark.parametrize(
    ("model", "name"), [("openai/x", "drag"), ("anthropic/x", "left_click_drag"), ("gemini/x", "")]
)
def test_native_is_told_what_is_not_allowed(model: str, name: str) -> None:
    agent = Native(Unasked(model))  # type: ignore[arg-type]
    (_, system, _), (_, tools, _), _ = plain(agent, ("click", "done"))
    assert "not allowed in this task" in system
    assert name in system
    assert ("drag_and_drop" in tools) == model.startswith("gemini")
    assert "IMPOSSIBLE" not in system


def test_every_dialect_is_here() -> None:
    assert set(OWN) == set(FOREIGN) == set(DIALECTS.names())

"""Doors list elements as an outline and take their ids as places; what is gone or wrong is said."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from proctor.computers import open_computer
from proctor.errors import AgentError, SpecError
from proctor.interop import trl_env
from proctor.interop.elements import elements_text, place_of, tree_form, with_place
from proctor.interop.gymnasium_env import ProctorGymEnv
from proctor.interop.mcp.families import FAMILIES
from proctor.interop.mcp.live import LiveDesk
from proctor.interop.mcp.tool import grant_tools
from proctor.interop.trl_env import DesktopTools
from proctor.observations.observation import Observation
from tests.interop.rooms import Held, suite


def ids(text: str) -> list[int]:
    """Return the ids of the elements that an outline lists."""
    return [int(found) for found in re.findall(r"^ *(\d+) ", text, re.MULTILINE)]


@pytest.mark.parametrize(
    ("family", "prefix", "click"), [("harbor", "", "left_click"), ("cua", "computer_", "computer_click")]
)
def test_an_mcp_client_clicks_elements_by_id(family: str, prefix: str, click: str) -> None:
    tools = {tool.name: tool for tool in grant_tools(FAMILIES[family](), ["see", "input", "shell"])}
    with LiveDesk(lambda: open_computer("fake"), list(tools.values()), fit=(200, 200)) as desk:

        def call(name: str, **given: Any) -> Any:
            return asyncio.run(desk.call(tools[name], given, "me"))

        assert "no element has been listed yet" in call(click, element=1).text
        call(f"{prefix}launch_app", app="mousepad")
        listed = call(f"{prefix}get_accessibility_tree").text
        number = ids(listed)[0]
        clicked = call(click, element=number)
        assert not clicked.wrong and "licked" in clicked.text
        assert "there is no element 999" in call(click, element=999).text
        assert "a point is given twice" in call(click, element=number, x=1, y=1).text
        assert "no point is given" in call(click, x=1).text
        assert call(f"{prefix}get_accessibility_tree", form="osworld").text.startswith("tag\t")
        assert ids(call(f"{prefix}get_accessibility_tree").text)[0] == number


def test_trl_clicks_elements_by_id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trl_env, "load_suite", lambda name: suite())
    env = DesktopTools(computer=Held)
    said = env.reset(index=0, split="test")
    number = ids(said)[0]
    assert "actions left" in str(env.click(element=number))
    assert "there is no element 999" in str(env.move(element=999))
    assert "that is no place" in str(env.scroll(notches=2))
    assert env.reset(index=0, split="test")
    assert "tag\tname" in DesktopTools(computer=Held, tree="osworld").reset(index=0, split="test")


def test_gymnasium_names_elements_where_it_lists_them() -> None:
    env = ProctorGymEnv("fake", tree=True, actions=("click", "done"), prepare=lambda it: it.launch(["mousepad"]))
    try:
        seen, _ = env.reset()
        number = ids(seen["tree"])[0]
        action = {**env.action_space.sample(), "kind": 0, "element": number, "modifier": 0, "count": 1}
        assert env.action_space.contains(action)
        *_, info = env.step(action)
        x, y = place_of(number, env._seen)
        assert (info["action"]["x"], info["action"]["y"]) == (x, y)
        *_, info = env.step({**action, "element": 9_999})
        assert "there is no element 9999" in str(info)
    finally:
        env.close()
    assert "element" not in ProctorGymEnv("fake").action_space.spaces
    assert "element" not in ProctorGymEnv("fake", tree="osworld").action_space.spaces


def test_wrong_forms_and_ids_are_refused() -> None:
    with pytest.raises(SpecError, match="there is no tree 'table'"):
        tree_form("table")
    assert (tree_form(True), tree_form(False), tree_form("osworld")) == ("outline", None, "osworld")
    assert elements_text(Observation(at=0.0, desktop=(10, 10))) == ""
    with pytest.raises(AgentError, match="no element has been listed"):
        with_place({"type": "click", "element": 3}, None)
    assert with_place({"type": "click", "x": 1, "y": 2}, None) == {"type": "click", "x": 1, "y": 2}

"""The providers' computer tools: declarations, calls, requests to look, safety checks."""

from typing import Any

import pytest

from proctor.actions import action as act
from proctor.actions.dialects.dialect import Look, SafetyCheck
from proctor.errors import UnknownName
from tests.actions.dialects.samples import HALF, SAME, refused, understood, vendor_dialect

OPENAI = vendor_dialect("openai")
ANTHROPIC = vendor_dialect("anthropic")
GEMINI = vendor_dialect("gemini")
TOOLSET = "computer_toolset_20260801"


def member(name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "toolu_1", "name": name, "toolset_name": "computer", "input": given}


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (member("left_click", coordinate=[10, 20]), [act.Click(x=20, y=40)]),
        (member("left_click"), [act.Click()]),
        (member("double_click", coordinate=[10, 20], text="shift"),
         [act.Click(x=20, y=40, count=2, modifiers=("shift",))]),
        (member("key", text="Down", repeat=3), [act.Press(keys="Down")] * 3),
        (member("type", text="ünï"), [act.Type(text="ünï")]),
        (member("left_click_drag", start_coordinate=[1, 2], coordinate=[3, 4]), [act.Drag(path=((2, 4), (6, 8)))]),
        (member("scroll", scroll_direction="up", scroll_amount=2), [act.Scroll(dy=-2)]),
        (member("left_mouse_down"), [act.MouseDown()]),
        (member("wait", duration=2), [act.Wait(seconds=2)]),
    ],
)  # fmt: skip
def test_anthropic_members(call: dict[str, Any], expected: list[act.Action]) -> None:
    assert understood(ANTHROPIC.read_call(call, HALF)) == expected
    legacy = {**call, "name": "computer", "input": {"action": call["name"], **call["input"]}}
    legacy.pop("toolset_name")
    assert understood(ANTHROPIC.read_call(legacy, HALF)) == expected


def test_anthropic_members_look_and_are_refused() -> None:
    assert ANTHROPIC.read_call(member("screenshot"), HALF).looks == (Look(kind="screenshot"),)
    assert ANTHROPIC.read_call(member("zoom", region=[0, 0, 10, 10]), HALF).looks[0].region == (0, 0, 20, 20)
    assert ANTHROPIC.read_call({**member("cursor_position"), "input": None}, HALF).looks == (Look(kind="pointer"),)
    for wrong in (
        member("fly"),
        member("key", text="a", repeat=0),
        member("key", text="a", repeat=10**6),
        member("key"),
    ):
        assert ANTHROPIC.read_call(wrong, HALF).problem


def test_declarations() -> None:
    assert OPENAI.tool("computer", (960, 540)) == {"type": "computer"}
    assert OPENAI.tool("computer_use_preview", (960, 540)) == {
        "type": "computer_use_preview", "display_width": 960, "display_height": 540, "environment": "linux",
    }  # fmt: skip
    assert ANTHROPIC.tool("computer_20250124", (960, 540)) == {
        "type": "computer_20250124", "name": "computer", "display_width_px": 960, "display_height_px": 540,
    }  # fmt: skip
    assert ANTHROPIC.tool("computer_20251124", (960, 540))["enable_zoom"] is True
    assert "navigate" in GEMINI.tool("computer_use", (1, 1))["computer_use"]["excluded_predefined_functions"]
    assert ANTHROPIC.tool(TOOLSET, (960, 540)) == {"type": TOOLSET}
    assert ANTHROPIC.tool(TOOLSET, (960, 540), ["click", "press"])["configs"]["type"] == {"enabled": False}
    desktop = GEMINI.tool("computer_use_desktop", (1, 1), ["click"])["computer_use"]
    assert desktop["environment"] == "ENVIRONMENT_DESKTOP"
    assert {"navigate", "hotkey", "type"} <= {*desktop["excluded_predefined_functions"]}
    assert "click_at" not in desktop["excluded_predefined_functions"]
    with pytest.raises(UnknownName, match="computer_20251125") as caught:
        ANTHROPIC.tool("computer_20251125", (1, 1))
    assert "computer_20251124" in caught.value.remedy


def computer_call(**fields: Any) -> dict[str, Any]:
    return {"type": "computer_call", "id": "cu_1", "call_id": "call_1", "status": "completed", **fields}


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ({"type": "click", "button": "left", "x": 10, "y": 20}, [act.Click(x=20, y=40)]),
        ({"type": "click", "button": "wheel", "x": 10, "y": 20}, [act.Click(x=20, y=40, button="middle")]),
        ({"type": "click", "button": "back", "x": 0, "y": 0, "keys": ["CTRL"]},
         [act.Click(x=0, y=0, button="back", modifiers=("CTRL",))]),
        ({"type": "double_click", "x": 10, "y": 20}, [act.Click(x=20, y=40, count=2)]),
        ({"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]}, [act.Drag(path=((2, 4), (6, 8)))]),
        ({"type": "keypress", "keys": ["CTRL", "A"]}, [act.Press(keys="CTRL+A")]),
        ({"type": "move", "x": 1, "y": 2}, [act.Move(x=2, y=4)]),
        ({"type": "move", "x": 1, "y": 2, "keys": ["shift"]},
         [act.KeyDown(key="shift"), act.Move(x=2, y=4), act.KeyUp(key="shift")]),
        ({"type": "scroll", "x": 1, "y": 2, "scroll_x": 0, "scroll_y": 350}, [act.Scroll(x=2, y=4, dy=4)]),
        ({"type": "scroll", "x": 1, "y": 2, "scroll_x": -10, "scroll_y": 0}, [act.Scroll(x=2, y=4, dx=-1)]),
        ({"type": "type", "text": "a\nb"}, [act.Type(text="a\nb")]),
        ({"type": "wait"}, [act.Wait()]),
    ],
)  # fmt: skip
def test_openai_actions(action: dict[str, Any], expected: list[act.Action]) -> None:
    for call in (computer_call(action=action), computer_call(actions=[action]), action):
        assert understood(OPENAI.read_call(call, HALF)) == expected


def test_openai_batches_keep_order_looks_and_checks() -> None:
    reading = OPENAI.read_call(
        computer_call(
            actions=[
                {"type": "move", "x": 1, "y": 2},
                {"type": "screenshot"},
                {"type": "wait"},
                {"type": "screenshot"},
            ],
            pending_safety_checks=[{"id": "sc_1", "code": "malicious_instructions", "message": "Look out."}, "odd"],
        ),
        SAME,
    )
    assert understood(reading) == [act.Move(x=1, y=2), act.Wait()]
    assert reading.looks == (Look(kind="screenshot", after=1), Look(kind="screenshot", after=2))
    assert reading.checks == (SafetyCheck(id="sc_1", code="malicious_instructions", message="Look out."),)
    assert reading.actions[0].given == act.Given(
        text='{"type": "move", "x": 1, "y": 2}', points=((1, 2),), space="image 1920x1080"
    )


def test_openai_safety_checks_survive_a_problem() -> None:
    reading = OPENAI.read_call(computer_call(action={"type": "fly"}, pending_safety_checks=[{"id": "sc_1"}]), SAME)
    assert "fly" in refused(reading)
    assert reading.checks == (SafetyCheck(id="sc_1"),)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ({"action": "key", "text": "ctrl+s"}, [act.Press(keys="ctrl+s")]),
        ({"action": "type", "text": "Hello"}, [act.Type(text="Hello")]),
        ({"action": "mouse_move", "coordinate": [10, 20]}, [act.Move(x=20, y=40)]),
        ({"action": "left_click"}, [act.Click()]),
        ({"action": "left_click", "coordinate": [10, 20], "text": "ctrl+shift"},
         [act.Click(x=20, y=40, modifiers=("ctrl", "shift"))]),
        ({"action": "left_click", "coordinate": [10, 20], "key": "alt"}, [act.Click(x=20, y=40, modifiers=("alt",))]),
        ({"action": "right_click", "coordinate": [10, 20]}, [act.Click(x=20, y=40, button="right")]),
        ({"action": "middle_click"}, [act.Click(button="middle")]),
        ({"action": "double_click"}, [act.Click(count=2)]),
        ({"action": "triple_click", "coordinate": [10, 20]}, [act.Click(x=20, y=40, count=3)]),
        ({"action": "left_click_drag", "coordinate": [10, 20]}, [act.Drag(path=((20, 40),))]),
        ({"action": "left_click_drag", "start_coordinate": [1, 2], "coordinate": [10, 20]},
         [act.Drag(path=((2, 4), (20, 40)))]),
        ({"action": "left_mouse_down"}, [act.MouseDown()]),
        ({"action": "left_mouse_up", "coordinate": [1, 2]}, [act.Move(x=2, y=4), act.MouseUp()]),
        ({"action": "scroll", "coordinate": [1, 2], "scroll_direction": "down", "scroll_amount": 5},
         [act.Scroll(x=2, y=4, dy=5)]),
        ({"action": "scroll", "scroll_direction": "left", "scroll_amount": 2, "text": "shift"},
         [act.Scroll(dx=-2, modifiers=("shift",))]),
        ({"action": "hold_key", "text": "ctrl+a", "duration": 2},
         [act.KeyDown(key="ctrl"), act.KeyDown(key="a"), act.Wait(seconds=2), act.KeyUp(key="a"),
          act.KeyUp(key="ctrl")]),
        ({"action": "wait", "duration": 3}, [act.Wait(seconds=3)]),
    ],
)  # fmt: skip
def test_anthropic_actions(call: dict[str, Any], expected: list[act.Action]) -> None:
    assert understood(ANTHROPIC.read_call(call, HALF)) == expected
    block = {"type": "tool_use", "id": "toolu_1", "name": "computer", "input": call}
    assert understood(ANTHROPIC.read_call(block, HALF)) == expected


@pytest.mark.parametrize(
    ("call", "look"),
    [
        ({"action": "screenshot"}, Look(kind="screenshot")),
        ({"action": "cursor_position"}, Look(kind="pointer")),
        ({"action": "zoom", "region": [0, 10, 100, 60]}, Look(kind="zoom", region=(0, 20, 200, 120))),
    ],
)
def test_anthropic_requests_to_look(call: dict[str, Any], look: Look) -> None:
    reading = ANTHROPIC.read_call(call, HALF)
    assert understood(reading) == []
    assert reading.looks == (look,)


def gemini(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "args": arguments}


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (gemini("click_at", x=500, y=250), [act.Click(x=960, y=270)]),
        (gemini("long_press_at", x=500, y=250), [act.LongPress(x=960, y=270)]),
        (gemini("hover_at", x=999, y=999), [act.Move(x=1918.08, y=1078.92)]),
        (gemini("type_text_at", x=0, y=0, text="a", press_enter=False, clear_before_typing=False),
         [act.Click(x=0, y=0), act.Type(text="a")]),
        (gemini("type_text_at", x=0, y=0, text="a"),
         [act.Click(x=0, y=0), act.Press(keys="ctrl+a delete"), act.Type(text="a"), act.Press(keys="enter")]),
        (gemini("scroll_at", x=0, y=0, direction="up", magnitude=300), [act.Scroll(x=0, y=0, dy=-3)]),
        (gemini("scroll_document", direction="down"), [act.Press(keys="pagedown")]),
        (gemini("scroll_document", direction="right"), [act.Scroll(dx=8)]),
        (gemini("drag_and_drop", x=0, y=0, destination_x=500, destination_y=500),
         [act.Drag(path=((0, 0), (960, 540)))]),
        (gemini("key_combination", keys="Control+A"), [act.Press(keys="Control+A")]),
        (gemini("wait_5_seconds"), [act.Wait(seconds=5)]),
    ],
)  # fmt: skip
def test_gemini_calls(call: dict[str, Any], expected: list[act.Action]) -> None:
    assert understood(GEMINI.read_call(call, HALF)) == expected
    assert understood(GEMINI.read_call({"functionCall": call}, HALF)) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (gemini("click", x=500, y=250, intent="open it"), [act.Click(x=960, y=270)]),
        (gemini("double_click", x=0, y=0), [act.Click(x=0, y=0, count=2)]),
        (gemini("right_click", x=0, y=0), [act.Click(x=0, y=0, button="right")]),
        (gemini("middle_click"), [act.Click(button="middle")]),
        (gemini("move", x=0, y=0), [act.Move(x=0, y=0)]),
        (gemini("mouse_down", x=0, y=0), [act.Move(x=0, y=0), act.MouseDown()]),
        (gemini("mouse_up"), [act.MouseUp()]),
        (gemini("type", text="a"), [act.Type(text="a")]),
        (gemini("type", text="a", press_enter=True), [act.Type(text="a"), act.Press(keys="enter")]),
        (gemini("drag_and_drop", start_x=0, start_y=0, end_x=500, end_y=500), [act.Drag(path=((0, 0), (960, 540)))]),
        (gemini("scroll", x=0, y=0, direction="down", magnitude_in_pixels=250), [act.Scroll(x=0, y=0, dy=2)]),
        (gemini("scroll", direction="LEFT", magnitude_in_pixels=5), [act.Scroll(dx=-1)]),
        (gemini("press_key", key="enter"), [act.Press(keys="enter")]),
        (gemini("hotkey", keys=["control", "shift", "t"]), [act.Press(keys="control+shift+t")]),
        (gemini("key_down", key="shift"), [act.KeyDown(key="shift")]),
        (gemini("key_up", key="shift"), [act.KeyUp(key="shift")]),
        (gemini("wait", seconds=2), [act.Wait(seconds=2)]),
    ],
)
def test_gemini_calls_of_the_third_generation(call: dict[str, Any], expected: list[act.Action]) -> None:
    assert understood(GEMINI.read_call(call, HALF)) == expected


def test_gemini_looks_and_what_the_provider_blocks_is_not_done() -> None:
    assert GEMINI.read_call(gemini("take_screenshot"), HALF).looks == (Look(kind="screenshot"),)
    blocked = gemini("click", x=1, y=1, safety_decision={"decision": "blocked", "explanation": "it is unsafe"})
    reading = GEMINI.read_call(blocked, HALF)
    assert reading.actions == () and "blocked" in reading.problem
    for wrong in (
        gemini("click", x=1),
        gemini("hotkey"),
        gemini("scroll", x=1, y=1),
        gemini("drag_and_drop", x=1, y=1),
    ):
        assert GEMINI.read_call(wrong, HALF).problem


def test_gemini_keeps_the_grid_and_the_safety_decision() -> None:
    decision = {"decision": "require_confirmation", "explanation": "A purchase."}
    reading = GEMINI.read_call(gemini("click_at", x=500, y=250, safety_decision=decision), HALF)
    assert reading.checks == (SafetyCheck(code="require_confirmation", message="A purchase."),)
    assert reading.actions[0].given and reading.actions[0].given.space == "grid 0-999"
    assert reading.actions[0].given.points == ((500, 250),)


@pytest.mark.parametrize(
    ("dialect", "call", "told"),
    [
        ("openai", {"type": "click", "x": 1}, "y is None"),
        ("openai", {"type": "click", "x": float("nan"), "y": 1}, "x is nan"),
        ("openai", {"type": "drag", "path": []}, "empty"),
        ("openai", {"type": "keypress", "keys": []}, "empty"),
        ("openai", {"actions": [{"type": "wait"}] * 201}, "more than 200"),
        ("openai", {"actions": [{"type": "wait"}, 7]}, "must be an object"),
        ("openai", "click", "must be an object"),
        ("anthropic", {"action": "fly"}, "unknown action 'fly'"),
        ("anthropic", {"action": "scroll", "coordinate": [1, 2]}, "direction"),
        ("anthropic", {"action": "left_click", "coordinate": [1]}, "pair"),
        ("anthropic", {"action": "zoom", "region": [1, 2]}, "region"),
        ("anthropic", {"action": "mouse_move"}, "coordinate"),
        ("anthropic", {"action": "wait", "duration": 1000}, "from 0 to 60"),
        ("anthropic", {"action": "key", "text": "ctrl+entr"}, "did you mean"),
        ("anthropic", {}, "unknown action"),
        ("gemini", gemini("navigate", url="x"), "not available on a desktop"),
        ("gemini", gemini("click_at", x=1), "lacks 'y'"),
        ("gemini", gemini("scroll_document"), "direction"),
        ("gemini", {"args": {}}, "no name"),
        ("gemini", {"name": "fly", "args": None}, "unknown function"),
    ],
)
def test_what_is_wrong_is_said(dialect: str, call: Any, told: str) -> None:
    assert told in refused(vendor_dialect(dialect).read_call(call, SAME))

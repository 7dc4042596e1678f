"""AgentNet's code: read without being run, written so that it is read back the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.agentnet import read_code, write_code
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.translation import bare
from proctor.errors import AgentError

FRAME = Frame(desktop=(1000, 800), image=(1000, 800))


@pytest.mark.parametrize(
    ("code", "actions"),
    [
        ("pyautogui.click(x=0.5, y=0.25)", [act.Click(x=500, y=200)]),
        ("pyautogui.doubleClick(x=0.5, y=0.25)", [act.Click(x=500, y=200, count=2)]),
        ("pyautogui.rightClick(x=0.5, y=0.25)", [act.Click(x=500, y=200, button="right")]),
        ("computer.tripleClick(x=0.5, y=0.25)", [act.Click(x=500, y=200, count=3)]),
        ("computer.triple_click(x=0.5, y=0.25)", [act.Click(x=500, y=200, count=3)]),
        ("pyautogui.moveTo(x=0.1, y=0.1)\npyautogui.dragTo(x=0.2, y=0.2, button='left')",
         [act.Drag(path=((100, 80), (200, 160)))]),
        ("pyautogui.scroll(-5)", [act.Scroll(dy=5)]),
        ("pyautogui.scroll(-5, x=0.5, y=0.25)", [act.Scroll(dy=5, x=500, y=200)]),
        ("pyautogui.hotkey(['ctrl', 'c'])", [act.Press(keys="ctrl+c")]),
        ("pyautogui.hotkey('ctrl', 'c')", [act.Press(keys="ctrl+c")]),
        ("pyautogui.hotkey(keys=['ctrl', 'c'])", [act.Press(keys="ctrl+c")]),
        ("pyautogui.press(keys=['enter'])", [act.Press(keys="enter")]),
        ("pyautogui.press('enter')", [act.Press(keys="enter")]),
        ("pyautogui.write(message='naïve <b>')", [act.Type(text="naïve <b>")]),
        ("computer.wait()", [act.Wait()]),
        ("computer.wait(seconds=3)", [act.Wait(seconds=3)]),
        ("computer.terminate(status='success')", [act.Done()]),
        ("computer.terminate(status='failure')", [act.Fail()]),
        ("computer.terminate('fail')", [act.Fail()]),
        ("computer.terminate(status=\"success\", answer='42')", [act.Answer(text="42")]),
        ("import pyautogui\nimport time\npyautogui.keyDown('shift')\ntime.sleep(1)\npyautogui.keyUp('shift')",
         [act.KeyDown(key="shift"), act.Wait(seconds=1), act.KeyUp(key="shift")]),
    ],
)  # fmt: skip
def test_what_a_step_does(code: str, actions: list[Action]) -> None:
    assert bare(read_code(code, FRAME)) == bare(actions)


@pytest.mark.parametrize(
    "code",
    ["computer.terminate(status='maybe')", "computer.explode()", "__import__('os').system('id')", "pyautogui.click(x=",
     "open('/etc/passwd')", "computer.terminate(status=3)"],
)  # fmt: skip
def test_what_is_not_understood_is_refused_and_never_run(code: str) -> None:
    with pytest.raises(AgentError):
        read_code(code, FRAME)


PLACES = st.tuples(st.integers(0, 999), st.integers(0, 799))
ACTIONS = st.one_of(
    st.builds(lambda at, b, n: act.Click(x=at[0], y=at[1], button=b, count=n), PLACES,
              st.sampled_from(["left", "middle", "right"]), st.integers(1, 3)),
    st.builds(lambda at: act.Move(x=at[0], y=at[1]), PLACES),
    st.builds(lambda a, b: act.Drag(path=(a, b)), PLACES, PLACES),
    st.builds(lambda n, at: act.Scroll(dy=n, x=at[0], y=at[1]), st.integers(-9, 9), PLACES),
    st.builds(lambda text: act.Type(text=text), st.text(min_size=1, max_size=20).filter(lambda t: "\0" not in t)),
    st.sampled_from([act.Press(keys="ctrl+shift+t"), act.Press(keys="+"), act.Press(keys="ctrl++"), act.Done(),
                     act.Fail(), act.Answer(text="a'b\n"), act.Wait(seconds=2.5), act.KeyDown(key="alt")]),
)  # fmt: skip


@given(ACTIONS)
def test_what_is_written_is_read_back(action: Action) -> None:
    assert bare(read_code(write_code(action, FRAME), FRAME)) == bare([action])


def test_held_keys_and_longer_paths_are_several_lines() -> None:
    held = write_code(act.Click(x=500, y=200, modifiers=("ctrl",)), FRAME)
    assert held.splitlines() == [
        "pyautogui.keyDown('ctrl')",
        "pyautogui.click(x=0.5, y=0.25)",
        "pyautogui.keyUp('ctrl')",
    ]
    path = write_code(act.Drag(path=((0, 0), (500, 0), (500, 400))), FRAME)
    assert [action.kind for action in read_code(path, FRAME)] == ["move", "mouse_down", "move", "move", "mouse_up"]


@pytest.mark.parametrize("action", [act.AskUser(question="?"), act.RunCode(code="1"), act.Tap(x=1, y=2)])
def test_what_agentnet_has_no_word_for(action: Action) -> None:
    with pytest.raises(AgentError):
        write_code(action, FRAME)

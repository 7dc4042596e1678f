"""PyAutoGUI programs: what each call becomes, how much of Python is understood, and where it ends."""

import pytest

from proctor.actions import action as act
from proctor.actions.dialects import open_dialect
from tests.actions.dialects.samples import HALF, SAME, fenced, kinds, refused, understood

PYAUTOGUI = open_dialect("pyautogui")


def run(code: str) -> list[act.Action]:
    return understood(PYAUTOGUI.read(fenced(code), SAME))


def problem(code: str) -> str:
    return refused(PYAUTOGUI.read(fenced(code), SAME))


@pytest.mark.parametrize(
    ("call", "actions"),
    [
        ("click()", [act.Click()]),
        ("click(1, 2)", [act.Click(x=1, y=2)]),
        ("click((1, 2))", [act.Click(x=1, y=2)]),
        ("click(x=1, y=2, clicks=2, interval=0.1, button='right')", [act.Click(x=1, y=2, count=2, button="right")]),
        ("click(1, 2, 5)", [act.Click(x=1, y=2)] * 5),
        ("click(1, 2, clicks=2, interval=1.0)", [act.Click(x=1, y=2)] * 2),
        ("click(button=pyautogui.PRIMARY)", None),
        ("doubleClick(1, 2)", [act.Click(x=1, y=2, count=2)]),
        ("tripleClick(1, 2)", [act.Click(x=1, y=2, count=3)]),
        ("rightClick()", [act.Click(button="right")]),
        ("middleClick(1, 2)", [act.Click(x=1, y=2, button="middle")]),
        ("moveTo(1, 2, duration=0.5, tween=pyautogui.easeInOutQuad)", [act.Move(x=1, y=2)]),
        ("moveTo(1.5, 2, 0.5)", [act.Move(x=1.5, y=2)]),
        ("dragTo(1, 2, 1, button='left')", [act.Drag(path=((1, 2),))]),
        ("mouseDown()", [act.MouseDown()]),
        ("mouseDown(1, 2, 'right')", [act.Move(x=1, y=2), act.MouseDown(button="right")]),
        ("mouseUp(button='middle')", [act.MouseUp(button="middle")]),
        ("scroll(5)", [act.Scroll(dy=-5)]),
        ("scroll(-3, x=1, y=2)", [act.Scroll(dy=3, x=1, y=2)]),
        ("hscroll(4)", [act.Scroll(dx=4)]),
        ("write('Hello\\n', interval=0.05)", [act.Type(text="Hello\n")]),
        ("typewrite(['a', 'b', 'enter', 'c'])", [act.Type(text="ab"), act.Press(keys="enter"), act.Type(text="c")]),
        ("press('enter')", [act.Press(keys="enter")]),
        ("press(['down', ' ', 'enter'])", [act.Press(keys="down space enter")]),
        ("press('tab', presses=3, interval=0.1)", [act.Press(keys="tab tab tab")]),
        ("press('+', presses=2)", [act.Press(keys="plus plus")]),
        ("press('ctrl+s')", [act.Press(keys="ctrl+s")]),
        ("hotkey('ctrl', 'shift', 't')", [act.Press(keys="ctrl+shift+t")]),
        ("hotkey(['ctrl', 'c'])", [act.Press(keys="ctrl+c")]),
        ("keyDown('shift')", [act.KeyDown(key="shift")]),
        ("keyUp('shift')", [act.KeyUp(key="shift")]),
        ("sleep(2)", [act.Wait(seconds=2)]),
    ],
)
def test_calls(call: str, actions: list[act.Action] | None) -> None:
    if actions is None:
        assert "not available" in problem(f"pyautogui.{call}")
    else:
        assert run(f"pyautogui.{call}") == actions
        assert run(f"import pyautogui as pg\npg.{call.replace('pyautogui', 'pg')}") == actions
        assert run(f"from pyautogui import *\n{call}") == actions


@pytest.mark.parametrize(
    ("code", "typed"),
    [
        ("for i in range(3):\n    pyautogui.write(str(i))", "012"),
        ("for i, name in enumerate(['a', 'b'], 1):\n    pyautogui.write(f'{i}:{name} ')", "1:a 2:b "),
        ("for a, b in zip('ab', [1, 2]):\n    pyautogui.write(a * b)", "abb"),
        ("i = 0\nwhile True:\n    i += 1\n    if i == 2:\n        continue\n    if i > 3:\n        break\n"
         "    pyautogui.write(f'{i}')", "13"),
        ("row = {'name': 'Ann', 'age': 7}\nfor key, value in row.items():\n    pyautogui.write(f'{key}={value};')",
         "name=Ann;age=7;"),
        ("x = 5 if 2 > 1 and not False else 6\npyautogui.write(f'{x:03d} {x / 2:.2f} {-x!r}')", "005 2.50 -5"),
        ("a, (b, c) = 1, [2, 3]\npyautogui.write(str(a + b * c ** 2 // 2 - 7 % 4))", "7"),
        ("words = 'one two'.split()\nwords.append('three')\nwords[0] = 'ONE'.lower()\npyautogui.write('-'.join(words))",
         "one-two-three"),
        ("pyautogui.write(str(max(1, 3) + min([4, 2]) + abs(-1) + len('ab') + int('7') + round(2.6) + sum([1, 1])))",
         "20"),
        ("pyautogui.write(['x', 'y', 'z'][-1] + 'abc'[1:])", "zbc"),
        ("if 'a' in ['a'] and 1 < 2 <= 2 != 3:\n    pyautogui.write('yes')\nelse:\n    pyautogui.write('no')", "yes"),
        ("text: str = 'x'\nprint('typing', text)\npyautogui.write(message=text)", "x"),
        ("'''A plan: DONE'''\npyautogui.FAILSAFE = False\npyautogui.PAUSE = 0.5\npyautogui.write('x')", "x"),
        ("options = {'message': 'x'}\npyautogui.write(**options)", "x"),
        ("pyautogui.write('naïve “quotes” 你好')", "naïve “quotes” 你好"),
        ("pyautogui.write(r'C:\\new'); pyautogui.write('\\d')", "C:\\new\\d"),
    ],
)  # fmt: skip
def test_programs(code: str, typed: str) -> None:
    written = run(code)
    assert "".join(action.text for action in written if isinstance(action, act.Type)) == typed
    assert all(isinstance(action, act.Type) for action in written)


def test_imports_and_time() -> None:
    code = "import pyautogui, time\nfrom time import sleep\ntime.sleep(1)\nsleep(0.5)\npyautogui.press('a')"
    assert run(code) == [act.Wait(seconds=1), act.Wait(seconds=0.5), act.Press(keys="a")]


def test_signals_as_calls() -> None:
    assert run("answer(42)") == [act.Answer(text="42")]
    assert run("fail('no such file')") == [act.Fail(reason="no such file")]
    assert run("pyautogui.press('a')\nDONE") == [act.Press(keys="a"), act.Done()]


def test_a_move_that_a_drag_follows_is_its_beginning() -> None:
    assert run("pyautogui.moveTo(1, 2)\npyautogui.dragTo(3, 4)") == [act.Drag(path=((1, 2), (3, 4)))]
    assert run("pyautogui.moveTo(1, 2)\ntime.sleep(1)\npyautogui.dragTo(3, 4)") == [
        act.Move(x=1, y=2), act.Wait(seconds=1), act.Drag(path=((3, 4),)),
    ]  # fmt: skip
    (drag,) = PYAUTOGUI.read(fenced("pyautogui.moveTo(1, 2)\npyautogui.dragTo(3, 4)"), HALF).actions
    assert drag.given and drag.given.points == ((1, 2), (3, 4))


def test_keys_held_around_clicks_are_modifiers_and_around_the_rest_are_keys() -> None:
    assert run("with pyautogui.hold(['ctrl', 'shift']):\n    pyautogui.click(1, 2)\n    pyautogui.scroll(1)") == [
        act.Click(x=1, y=2, modifiers=("ctrl", "shift")),
        act.Scroll(dy=-1, modifiers=("ctrl", "shift")),
    ]
    assert run("with pyautogui.hold('shift'):\n    pyautogui.press(['left', 'left'])") == [
        act.KeyDown(key="shift"), act.Press(keys="left left"), act.KeyUp(key="shift"),
    ]  # fmt: skip


def test_relative_places_start_at_the_pointer() -> None:
    read = PYAUTOGUI.read(fenced("pyautogui.moveRel(5, 0)\npyautogui.move(0, 5)\npyautogui.drag(10, 10)"), HALF)
    assert understood(read) == [act.Move(x=30, y=40), act.Drag(path=((30, 50), (50, 70)))]
    read = PYAUTOGUI.read(fenced("x, y = pyautogui.position()\npyautogui.click(x + 1, pyautogui.position().y)"), HALF)
    assert understood(read) == [act.Click(x=22, y=40)]
    read = PYAUTOGUI.read(fenced("w, h = pyautogui.size()\npyautogui.click(w / 2, pyautogui.size().height / 2)"), HALF)
    assert understood(read) == [act.Click(x=960, y=540)]
    assert "pointer" in problem("pyautogui.moveRel(5, 0)")


def test_marks_stand_for_their_places() -> None:
    for call in ("click(*tag_12)", "click(tag_12)", "click(tag_12[0], tag_12[1])", "click(x=tag_12[0], y=tag_12[1])"):
        (click,) = PYAUTOGUI.read(fenced(f"pyautogui.{call}"), HALF).actions
        assert click == act.Click(x=640.5, y=360.25, given=click.given)
        assert click.given and click.given.space == "element 12"
    (click,) = PYAUTOGUI.read(fenced("x, y = tag_3\npyautogui.click(x + 10, y)"), HALF).actions
    assert click == act.Click(x=120, y=50, given=click.given)
    assert click.given and click.given.space == "image 960x540"
    assert "no element 7" in refused(PYAUTOGUI.read(fenced("pyautogui.click(*tag_7)"), HALF))


def test_coordinates_as_fractions() -> None:
    reading = open_dialect("pyautogui", space="unit").read("pyautogui.click(x=0.5, y=0.25)", SAME)
    assert understood(reading) == [act.Click(x=960, y=270)]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("pyautogui.press('a')\nimport os", "line 2: the module 'os'"),
        ("__import__('os').system('ls')", "'__import__'"),
        ("().__class__.__bases__", "tuple.__class__"),
        ("pyautogui.__dict__", "pyautogui.__dict__"),
        ("'{0.__class__}'.format(1)", "str.format"),
        ("eval('1')", "'eval'"),
        ("open('/etc/passwd')", "'open'"),
        ("def f():\n    pass", "line 1: def"),
        ("class A: pass", "class"),
        ("x = lambda: 1", "lambda"),
        ("try:\n    pass\nexcept: pass", "try"),
        ("[x for x in range(3)]", "ListComp"),
        ("x = 1\ny = z", "line 2: the name 'z'"),
        ("pyautogui.clik(1, 2)", "did you mean pyautogui.click?"),
        ("pyautogui.click", "not called"),
        ("pyautogui.click(1, 2, speed=3, 4)", "line 1"),
        ("pyautogui.locateOnScreen('a.png')", "not available"),
        ("pyautogui.click('button.png')", "picture"),
        ("pyautogui.click(float('nan'), 2)", "too large"),
        ("pyautogui.click(1e9, 2)", "must be from"),
        ("pyautogui.press('entr')", "did you mean 'enter'"),
        ("pyautogui.hotkey()", "empty"),
        ("time.sleep(3600)", "must be from 0 to 60"),
        ("time.sleep(-1)", "must be from 0 to 60"),
        ("1 / 0", "division"),
        ("[1][5]", "range"),
        ("{}['a']", "'a'"),
        ("a, b = 1, 2, 3", "zip"),
        ("break", "outside"),
        ("pyautogui.click(", "line 1"),
        ("pyautogui.write('\\ud800')", "surrogate"),
        ("x = 1 +* 2", "line 1"),
    ],
)
def test_what_is_not_understood_is_named_and_nothing_is_done(code: str, told: str) -> None:
    assert told in problem(code)
    assert problem(f"pyautogui.click(1, 2)\n{code}")


@pytest.mark.parametrize(
    "code",
    [
        "while True:\n    pass",
        "for i in range(10**12):\n    x = i",
        "x = 'a' * 10**9",
        "x = [0] * 10**9",
        "x = 10 ** 10 ** 9",
        "x = 2 ** 64 * 2 ** 64",
        "x = 'ab'\nwhile True:\n    x = x + x",
        "x = []\nwhile True:\n    x = [x, x]\n    str(x)",
        "x = []\nx.append(x)\nstr(x)",
        "x = []\nx.append(x)\nx == x",
        "x = [0] * 1000\nfor i in range(1000):\n    x[i] = x\nx == x",
        "x = [0]\nwhile True:\n    x.extend(x)",
        "x = f'{1:1000000000}'",
        "x = f'{1:>{10**9}}'",
        "x = 'a' * 50000\nwhile True:\n    x = x.replace('a', 'aa')",
        "x = 'a' * 1000\nx = x.join([x] * 1000)",
        "x = list(range(10**9))",
        "x = sum(range(10**9))",
        "x = 0.5 in range(10**15)",
        "x = round(5, -10**9)",
        "x = '%1000000000d' % 5",
        "x = (1, 2)\nwhile True:\n    x = (x, x)\n    y = {x: 1}",
        "x = 'a' * 100000\nl = []\nwhile True:\n    l.append(x + 'b')",
        "for i in range(300):\n    pyautogui.press('a')",
        "pyautogui.click(1, 2, clicks=10**9)",
        "pyautogui.press('a', presses=10**9)",
        "pyautogui.press(['a'] * 1000, presses=1000)",
        "pyautogui.write('a' * 100001)",
        "pyautogui.scroll(10**9)",
        "-" * 5000 + "1",
        "+".join("1" * 5000),
    ],
)
def test_a_program_that_does_too_much_is_stopped(code: str) -> None:
    problem(code)


def test_two_hundred_actions_are_enough() -> None:
    assert len(run("for i in range(200):\n    pyautogui.press('a')")) == 200
    assert "more than 200" in problem("for i in range(201):\n    pyautogui.press('a')")
    many = "\n".join(fenced("for i in range(150):\n    pyautogui.press('a')") for _ in range(2))
    assert "more than 200" in refused(PYAUTOGUI.read(many, SAME))


def test_lines_of_code_in_prose_are_one_program() -> None:
    reply = (
        "I will fill in the form.\n\nimport pyautogui\nx = 10\nfor i in range(2):\n    pyautogui.click(x, i)\n"
        "Then I confirm:\npyautogui.press('enter')\nThat is all."
    )
    reading = PYAUTOGUI.read(reply, SAME)
    assert kinds(reading) == ["click", "click", "press"]
    assert reading.thought == "I will fill in the form.\n\nThat is all."


@pytest.mark.parametrize("line", ["os.system('ls')", "open('x')", "x[0] = 1", "def f():", "try:"])
def test_code_in_prose_that_is_not_understood_is_not_taken_for_reasoning(line: str) -> None:
    refused(PYAUTOGUI.read(f"pyautogui.click(1, 2)\n{line}\npyautogui.press('enter')", SAME))
    refused(PYAUTOGUI.read(f"{line}\npyautogui.click(1, 2)", SAME))
    refused(PYAUTOGUI.read(f"pyautogui.click(1, 2)\n{line}", SAME))

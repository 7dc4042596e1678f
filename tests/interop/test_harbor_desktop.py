"""The commands of Harbor's `computer-1`, word for word, answered by the harness on a fake computer."""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterator

import pytest
from PIL import Image

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.translation import bare
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.interop.harbor.desktop_commands import Display

SHOTS = "/tmp/computer_1-screenshots"


@pytest.fixture
def computer() -> Iterator[FakeComputer]:
    with FakeComputer(size=(2048, 900)) as started:
        yield started


def ask(computer: FakeComputer, command: str, display: Display | None = None) -> tuple[str | None, list[Action]]:
    done: list[Action] = []
    ran = (display or Display()).answer(computer, command, done.append)
    return (None if ran is None else ran.stdout if ran.code == 0 else f"failed: {ran.stderr}"), done


def xdotool(*words: str) -> str:
    return "DISPLAY=:1 " + shlex.join(["xdotool", *words])


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("test -S /tmp/.X11-unix/X1 && echo present || echo missing", "present\n"),
        ("test -S /tmp/.X11-unix/X1 && echo ok || echo wait", "ok\n"),
        ("test -S /tmp/.X11-unix/X1 && pgrep -f chromium >/dev/null && echo ok || echo down", "ok\n"),
        ("pgrep -f chromium >/dev/null && echo up || echo down", "up\n"),
        ("pkill -f xfce4-panel || true", ""),
        ("bash -lc 'DISPLAY=:1 setsid nohup startxfce4 >> /tmp/a 2>&1 < /dev/null &'", ""),
    ],
)
def test_what_it_waits_for_is_there_and_what_it_would_start_is_not(
    computer: FakeComputer, command: str, said: str
) -> None:
    assert ask(computer, command) == (said, [])


def test_its_window_is_there(computer: FakeComputer) -> None:
    said, _ = ask(computer, "DISPLAY=:1 wmctrl -l 2>/dev/null | grep -Ei 'chromium|chrome' | head -1")
    assert said and "chromium" in said


@pytest.mark.parametrize(
    ("words", "actions"),
    [
        (("mousemove", "100", "200"), [act.Move(x=200, y=200)]),
        (("mousemove", "1", "2", "click", "1"), [act.Move(x=2, y=2), act.Click()]),
        (("mousemove", "1", "2", "click", "--repeat", "2", "1"), [act.Move(x=2, y=2), act.Click(count=2)]),
        (
            ("mousemove", "1", "2", "keydown", "ctrl", "click", "3", "keyup", "ctrl"),
            [act.Move(x=2, y=2), act.KeyDown(key="ctrl"), act.Click(button="right"), act.KeyUp(key="ctrl")],
        ),
        (("mousemove", "1", "2", "click", "--repeat", "5", "5"), [act.Move(x=2, y=2), act.Scroll(dy=5)]),
        (("click", "--repeat", "5", "1"), [act.Click(count=3), act.Click(count=2)]),
        (
            ("mousemove", "0", "0", "mousedown", "1", "mousemove", "5", "5", "mouseup", "1"),
            [act.Move(x=0, y=0), act.MouseDown(), act.Move(x=10, y=5), act.MouseUp()],
        ),
        (("type", "--clearmodifiers", "--", "--it's; $HOME\n"), [act.Type(text="--it's; $HOME\n")]),
        (("key", "--clearmodifiers", "ctrl+a"), [act.Press(keys="ctrl+a")]),
    ],
)
def test_its_words_become_actions(computer: FakeComputer, words: tuple[str, ...], actions: list[Action]) -> None:
    said, done = ask(computer, xdotool(*words))
    assert (said, bare(done)) == ("", actions)


@pytest.mark.parametrize(
    "words",
    [
        ("mousemove", "1"), ("mousemove", "a", "b"), ("click", "99"), ("click",), ("selectwindow",),
        ("key", "--odd", "a"), ("click", "--repeat", "100000", "1"), ("mousemove", "1e300", "1"),
    ],
)  # fmt: skip
def test_what_it_gets_wrong_is_a_failed_command_and_nothing_is_done(
    computer: FakeComputer, words: tuple[str, ...]
) -> None:
    said, done = ask(computer, xdotool(*words))
    assert said is not None and said.startswith("failed") and not done


def test_the_pointer_is_told_in_its_own_places(computer: FakeComputer) -> None:
    computer.perform(act.Move(x=1024, y=450))
    assert (ask(computer, xdotool("getmouselocation", "--shell"))[0] or "").startswith("X=512\nY=450\n")


def picture(computer: FakeComputer, path: str) -> Image.Image:
    return Image.open(io.BytesIO(computer.read_file(path)))


def shoot(target: str, crop: str = "") -> str:
    encode = (
        f"cp {SHOTS}/latest.png {target}"
        if target.endswith(".png")
        else f"if command -v cwebp >/dev/null 2>&1; then cwebp -quiet -q 80 {SHOTS}/latest.png -o {SHOTS}/latest.webp "
        f">/dev/null 2>&1 && cp {SHOTS}/latest.webp {target}; else cp {SHOTS}/latest.png {target}; fi"
    )
    cut = f" && convert {SHOTS}/latest.png -crop {crop} +repage {SHOTS}/latest.png" if crop else ""
    script = (
        f"set -e; export DISPLAY=:1; mkdir -p {SHOTS} /logs/agent; {{ import -window root {SHOTS}/latest.png "
        f"|| scrot -o {SHOTS}/latest.png; }}{cut}; {encode}"
    )
    return f"bash -lc {shlex.quote(script)}"


def test_pictures_have_the_size_that_it_believes_in(computer: FakeComputer) -> None:
    display = Display()
    assert ask(computer, shoot("/tmp/agent/one.png"), display)[0] == ""
    assert picture(computer, "/tmp/agent/one.png").size == (1024, 900)
    assert picture(computer, f"{SHOTS}/latest.png").size == (1024, 900)
    start = "bash -lc 'DISPLAY=:1 setsid nohup chromium --window-size=2048,900 --remote-debugging-port=9222 &'"
    assert ask(computer, start, display) == ("", [])
    assert ask(computer, shoot("/tmp/agent/two.webp"), display)[0] == ""
    two = picture(computer, "/tmp/agent/two.webp")
    assert (two.size, two.format) == ((2048, 900), "WEBP")
    assert ask(computer, shoot("/tmp/agent/three.png", "300x200+10+20"), display)[0] == ""
    assert picture(computer, "/tmp/agent/three.png").size == (300, 200)


@pytest.mark.parametrize("command", ["ls", "bash -lc 'echo hi'", "echo xdotool", "mkdir -p /logs/agent"])
def test_everything_else_is_run(computer: FakeComputer, command: str) -> None:
    assert ask(computer, command) == (None, [])

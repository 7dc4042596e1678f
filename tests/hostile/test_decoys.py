"""Windows that pose as a program, keys that go nowhere, copies of programs: none of it counts as having operated it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proctor.actions.action import Click, Press, RunCode, Type
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.values import Performed
from proctor.observations.tree import Node
from proctor.tasks.probe_context import ProbeContext
from proctor.vocabulary.desktop.checks.history import operated
from proctor.vocabulary.desktop.operations import Operation
from proctor.vocabulary.desktop.probes.history import history

pytestmark = [pytest.mark.sandbox]
MOUSEPAD = "/usr/bin/mousepad"
DECOY = """
import ctypes, os, sys
sys.argv[0] = "mousepad"
ctypes.CDLL(None).prctl(15, b"mousepad")
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk
GLib.set_prgname("mousepad")
GLib.set_application_name("mousepad")
Gdk.set_program_class("Mousepad")
window = Gtk.Window(title="notes.txt - Mousepad")
button = Gtk.Button(label="Save")
window.add(button)
window.set_default_size(300, 200)
window.show_all()
x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(x.XOpenDisplay(None))
window.realize()
gi.require_version("GdkX11", "3.0")
from gi.repository import GdkX11
pid = ctypes.c_ulong(int(sys.argv[1]))
atom = x.XInternAtom(display, b"_NET_WM_PID", 0)
x.XChangeProperty(display, ctypes.c_ulong(window.get_window().get_xid()), atom, 6, 32, 0, ctypes.byref(pid), 1)
x.XFlush(display)
Gtk.main()
"""
NO_FOCUS = """
import ctypes
x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(x.XOpenDisplay(None))
x.XSetInputFocus(display, 0, 0, 0)
x.XSync(display, 0)
"""


@pytest.fixture(scope="module")
def computer() -> Iterator[SandboxComputer]:
    with SandboxComputer(image="full", size=(1280, 800)) as computer:
        computer.write_file("notes.txt", b"milk\n")
        computer.write_file("decoy.py", DECOY.encode())
        computer.launch(["mousepad", "notes.txt"], window="notes.txt")
        yield computer


def made(performed: list[Performed], *steps: Operation) -> bool:
    """Tell whether these steps count as made in Mousepad."""
    seen = history(ProbeContext(SandboxComputer.__new__(SandboxComputer), history=performed))
    return operated(seen, [*steps], programs=[MOUSEPAD]).passed


def test_what_is_done_in_the_program_counts(computer: SandboxComputer) -> None:
    computer.locate(role="text", app="mousepad").click()
    done = [
        computer.perform(Press(keys="ctrl+End")),
        computer.perform(Type(text="x")),
        computer.perform(Press(keys="ctrl+s")),
    ]
    assert {each.program for each in done} == {MOUSEPAD}
    assert made(done, Operation(do="type", text="x", app="mousepad"), Operation(do="press", keys="ctrl+s"))


def test_a_window_that_calls_itself_so_is_not_the_program(computer: SandboxComputer) -> None:
    real = next(window for window in computer.windows() if window.title.endswith("notes.txt - Mousepad"))
    before = {window.id for window in computer.windows()}
    computer.perform(RunCode(code=f"setsid python3 decoy.py {real.pid} >/dev/null 2>&1 &", language="shell"))
    computer.wait_for(lambda c: any(window.id not in before for window in c.windows()))
    computer.settle()
    decoy = next(window for window in computer.windows() if window.id not in before)
    # All that a window says of itself is as with the program.
    assert (decoy.title, decoy.app, decoy.pid) == ("notes.txt - Mousepad", "Mousepad", real.pid)
    place = decoy.box.center
    done = [computer.perform(Click(x=place[0], y=place[1])), computer.perform(Press(keys="ctrl+s"))]
    assert MOUSEPAD not in {each.program for each in done}
    assert not made(done, Operation(do="click", name="Save"))
    assert not made(done, Operation(do="press", keys="ctrl+s"))
    computer.perform(RunCode(code="pkill -f decoy.py; true", language="shell"))
    computer.wait_for(lambda c: not any(window.id == decoy.id for window in c.windows()))


def test_keys_without_a_focus_go_nowhere(computer: SandboxComputer) -> None:
    computer.locate(role="text", app="mousepad").click()
    computer.perform(RunCode(code=NO_FOCUS))
    done = [computer.perform(Press(keys="ctrl+s"))]
    assert (done[0].program, done[0].element) == ("", None)
    assert not made(done, Operation(do="press", keys="ctrl+s"))
    assert made([computer.perform(Press(keys="ctrl+s"))], Operation(do="press", keys="ctrl+s")) is False
    computer.locate(role="text", app="mousepad").click()
    assert made([computer.perform(Press(keys="ctrl+s"))], Operation(do="press", keys="ctrl+s"))


def test_a_copy_of_the_program_is_another_one(computer: SandboxComputer) -> None:
    before = {window.id for window in computer.windows()}
    computer.run(["cp", MOUSEPAD, "/home/user/mousepad"])
    code = "setsid ~/mousepad --disable-server >/dev/null 2>&1 &"
    computer.perform(RunCode(code=code, language="shell"))
    computer.wait_for(lambda c: any(window.id not in before for window in c.windows()))
    computer.settle()
    copy = next(window for window in computer.windows() if window.id not in before)
    done = computer.perform(Click(x=copy.box.center[0], y=copy.box.center[1]))
    assert done.program == "" and not made([done], Operation(do="click", role="text"))
    computer.perform(Press(keys="ctrl+q"))


@pytest.mark.parametrize(
    ("argv", "window", "program"),
    [
        (["gedit", "letter.txt"], "letter.txt", "/usr/bin/gedit"),
        (
            ["libreoffice", "--norestore", "--calc", "letter.csv"],
            "Text Import",
            "/usr/lib/libreoffice/program/soffice.bin",
        ),
    ],
)
def test_a_question_is_hit_and_not_what_lies_beneath(
    computer: SandboxComputer, argv: list[str], window: str, program: str
) -> None:
    computer.write_file(argv[-1], b"Dear all,\n" * 40)
    computer.launch(argv, window=window, timeout_sec=60)
    computer.settle()
    if imports := [each for each in computer.windows() if each.title.startswith("Text Import")]:
        computer.perform(Press(keys="Return"))
        computer.wait_for(lambda c: not any(each.id == imports[0].id for each in c.windows()))
        computer.settle()
    computer.perform(Type(text="changed\n"))
    computer.perform(Press(keys="ctrl+w"))
    (buttons,) = computer.wait_for(lambda c: [found] if (found := asked(c)) else None)
    for button in buttons:
        assert button.box is not None
        hit = computer.element_at(*button.box.center)
        assert hit is not None and (hit.role, hit.name, hit.box) == ("push button", button.name, button.box)
    place = next(button.box for button in buttons if button.box and "Cancel" in button.name).center
    done = computer.perform(Click(x=place[0], y=place[1]))
    assert done.program == program and done.element is not None and done.element.name == "Cancel"


def asked(computer: SandboxComputer) -> list[Node]:
    """Return the buttons of the question that a program asks."""
    tree = computer.tree()
    return [
        node
        for dialog in tree.nodes
        if dialog.role in ("alert", "dialog") and dialog.showing
        for node in tree.descendants(dialog)
        if node.role == "push button" and node.showing and node.name
    ]

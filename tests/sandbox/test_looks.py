"""Both looks are desktops one can use: panels, menu, dock and icons are there, and do what they show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from proctor.actions.action import Click, Press, Type
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.sandbox_machine import looks, xfconf
from proctor.computers.sandbox_machine.style import STYLES, common_files
from proctor.errors import UnknownName
from proctor.observations.box import Box

real = pytest.mark.sandbox
SIZE = (1280, 720)


@pytest.fixture(scope="module")
def xfce() -> Iterator[SandboxComputer]:
    with SandboxComputer(size=SIZE, clock="2026-03-02T09:00:00") as computer:
        yield computer


@pytest.fixture(scope="module")
def light() -> Iterator[SandboxComputer]:
    with SandboxComputer(look="light", size=SIZE, clock="2026-03-02T09:00:00") as computer:
        yield computer


@pytest.fixture(params=["xfce", "light"])
def computer(request: pytest.FixtureRequest) -> Iterator[SandboxComputer]:
    """A desktop of each look, without windows before and after."""
    desktop: SandboxComputer = request.getfixturevalue(request.param)
    yield desktop
    for window in desktop.windows():
        desktop.run(["kill", str(window.pid)])
    desktop.wait_for(lambda c: not c.windows(), what="an empty desktop")


def crop(picture: Image.Image, box: Box) -> Image.Image:
    return picture.crop((box.x, box.y, box.x + box.width, box.y + box.height))


def colours(picture: Image.Image) -> int:
    return len(picture.getcolors(1 << 24) or [])


def home_icon(computer: SandboxComputer) -> tuple[int, int]:
    """Return the middle of the Home icon; what draws the icons does not name them."""
    return (70, 205) if computer.facts()["look"] == "xfce" else (70, 50)


def panels(computer: SandboxComputer) -> list[Box]:
    return [window.box for window in computer.desktop.x.windows() if window.kind == "dock"]


def title(computer: SandboxComputer) -> str:
    front = computer.active_window()
    return front.title if front else ""


# -- what is there -----------------------------------------------------------------------------------------------------


@real
def test_no_window_is_in_the_way(computer: SandboxComputer) -> None:
    assert computer.windows() == []
    assert computer.tree().degraded == ()
    assert {window.kind for window in computer.desktop.x.windows()} == {"desktop", "dock"}


@real
def test_every_part_is_drawn(computer: SandboxComputer) -> None:
    picture = computer.screenshot(cursor=False)
    for box in panels(computer):
        assert colours(crop(picture, box)) > 30
    x, y = home_icon(computer)
    icon = crop(picture, Box(x - 30, y - 30, 60, 75))
    assert colours(icon) > 150
    # Its label is white.
    assert max(icon.convert("L").getextrema()) > 240  # type: ignore[operator,type-var]
    middle = crop(picture, Box(400, 200, 480, 300))
    if computer.facts()["look"] == "xfce":
        assert colours(middle) > 50
    else:
        assert middle.getcolors() == [(480 * 300, (0x3B, 0x5A, 0x78))]


@real
def test_the_names_of_the_full_look(xfce: SandboxComputer) -> None:
    dock = ["LXTerminal", "Thunar File Manager", "Mousepad", "Galculator"]
    places = [xfce.locate(role="push button", name=name, app="xfce4-panel").box for name in dock]
    assert [box.x for box in places] == sorted(box.x for box in places)
    assert all(box.y > SIZE[1] - 60 for box in places)
    assert xfce.locate(role="toggle button", name="Applications").box.y < 10


@real
@pytest.mark.parametrize("look", ["xfce", "light"])
@pytest.mark.parametrize("size", [(800, 600), (1920, 1080), (1023, 767)])
def test_parts_keep_their_place_at_any_size(look: Any, size: tuple[int, int]) -> None:
    width, height = size
    with SandboxComputer(look=look, size=size) as computer:
        boxes = panels(computer)
        if look == "xfce":
            bar, dock = sorted(boxes, key=lambda box: box.y)
            assert (bar.x, bar.y, bar.width) == (0, 0, width)
            assert abs(dock.x + dock.width / 2 - width / 2) <= 1
            assert dock.y + dock.height == height
        else:
            (bar,) = boxes
            assert (bar.x, bar.width, bar.y + bar.height) == (0, width, height)
        picture = computer.screenshot(cursor=False)
        assert picture.getpixel((width - 1, height // 2)) != (0, 0, 0)
        for box in boxes:
            assert colours(crop(picture, box)) > 30


# -- what it does ------------------------------------------------------------------------------------------------------


@real
def test_the_menu_of_the_full_look(xfce: SandboxComputer) -> None:
    xfce.locate(role="toggle button", name="Applications").click()
    shown = {node.name for node in xfce.tree().nodes if node.showing and node.role in ("menu", "menu item")}
    assert {"Terminal Emulator", "File Manager", "Settings", "Accessories", "Graphics"} <= shown
    item = xfce.locate(role="menu", name="Accessories").box
    # Names are drawn in light letters on dark, or the other way round.
    low, high = crop(xfce.screenshot(cursor=False), item).convert("L").getextrema()
    assert high - low > 120  # type: ignore[operator]
    xfce.locate(role="menu", name="Accessories").click()
    xfce.locate(role="menu item", name="Galculator").click()
    xfce.wait_for(lambda c: title(c) == "galculator", what="the calculator")
    xfce.run(["pkill", "galculator"])
    xfce.wait_for(lambda c: not c.windows(), what="its end")


@real
def test_the_menu_of_the_lean_look(light: SandboxComputer) -> None:
    light.perform(Click(x=12, y=SIZE[1] - 16))
    shown = [node for node in light.tree().nodes if node.showing and node.role == "menu"]
    assert {"Accessories", "Graphics", "System Tools"} <= {node.name for node in shown}
    light.locate(role="menu", name="Accessories").click()
    menu, accessories = light.wait_for(
        lambda c: c.desktop.x.popups()[1:] and c.desktop.x.popups(), what="a second menu"
    )
    assert colours(crop(light.screenshot(cursor=False), accessories.box)) > 100
    # The first entries in the order of the alphabet: Application Finder, Bulk Rename, the calculator.
    light.perform(Click(x=accessories.box.x + 40, y=accessories.box.y + 65))
    light.wait_for(lambda c: title(c) == "galculator", what="the calculator")
    light.run(["pkill", "galculator"])
    light.wait_for(lambda c: not c.windows(), what="its end")


@real
def test_the_dock_starts_a_terminal(computer: SandboxComputer) -> None:
    if computer.facts()["look"] == "xfce":
        computer.locate(role="push button", name="LXTerminal").click()
    else:
        computer.perform(Click(x=41, y=SIZE[1] - 16))
    computer.wait_for(lambda c: c.terminal() and "$" in (c.terminal() or ""), what="a prompt")
    computer.settle()
    computer.perform(Type(text="echo hi $((6*7))\n"))
    computer.wait_for(lambda c: "\nhi 42\n" in (c.terminal() or ""), what="the answer")


@real
def test_icons_open_by_double_click(computer: SandboxComputer) -> None:
    x, y = home_icon(computer)
    computer.perform(Click(x=x, y=y))
    assert computer.windows() == []
    computer.perform(Click(x=x, y=y, count=2))
    computer.wait_for(lambda c: "Thunar" in title(c), what="the file manager")
    computer.settle()
    names = {node.name for node in computer.tree().nodes if node.app.lower() == "thunar" and node.showing}
    assert {"Documents", "Downloads", "Pictures"} <= names


@real
def test_files_on_the_desktop_are_shown(computer: SandboxComputer) -> None:
    """The lean desktop's first file manager ended whenever a file came up with an accessibility reader present."""
    x, y = home_icon(computer)
    below = Box(x - 50, y + 60, 100, 120)
    before = crop(computer.screenshot(cursor=False), below).tobytes()
    computer.tree()
    computer.write_file("Desktop/letter.txt", b"dear")
    computer.wait_for(lambda c: crop(c.screenshot(cursor=False), below).tobytes() != before, what="its icon")
    computer.settle()
    computer.perform(Click(x=x, y=y + 126, count=2))
    computer.wait_for(lambda c: "letter.txt" in title(c), what="the letter")
    computer.remove_file("Desktop/letter.txt")
    computer.wait_for(lambda c: crop(c.screenshot(cursor=False), below).tobytes() == before, what="its end")


@real
def test_windows_can_be_moved_maximised_and_closed(computer: SandboxComputer) -> None:
    app = computer.launch(["mousepad"])
    assert app.window is not None
    box = app.window.box
    computer.perform(Click(x=box.x + box.width // 2, y=box.y + 12, count=2))
    computer.wait_for(lambda c: c.windows()[0].box.width == SIZE[0], what="the whole width")
    (window,) = computer.windows()
    assert window.box.height >= SIZE[1] - 100
    # A second press that comes before the window manager took the pointer for the first would be lost now and then.
    for width in (box.width, SIZE[0]) * 3:
        shown = computer.windows()[0].box
        computer.perform(Click(x=shown.x + shown.width // 2, y=shown.y + 12, count=2))
        computer.wait_for(lambda c, width=width: c.windows()[0].box.width == width, what="the other width")
    computer.perform(Press(keys="alt+F4"))
    computer.wait_for(lambda c: not c.windows(), what="its end")


@real
def test_the_task_bar_names_windows(computer: SandboxComputer) -> None:
    computer.launch(["mousepad"])
    panel = "xfce4-panel" if computer.facts()["look"] == "xfce" else "lxpanel"
    button = computer.locate(app=panel, role="toggle button", name="Untitled 1 - Mousepad")
    button.click()
    computer.wait_for(lambda c: c.windows()[0].minimised, what="the window to go")
    button.click()
    computer.wait_for(lambda c: not c.windows()[0].minimised, what="the window to come back")


@pytest.mark.sandbox("full")
@pytest.mark.parametrize("look", ["xfce", "light"])
def test_the_dock_has_what_the_image_has(look: Any) -> None:
    with SandboxComputer(image="full", look=look, size=SIZE) as computer:
        if look == "xfce":
            for name in ("Chromium Web Browser", "LibreOffice Writer", "LibreOffice Calc"):
                assert computer.locate(role="push button", name=name, app="xfce4-panel").box.y > 650
        else:
            icons = [node for node in computer.tree().nodes if node.app == "lxpanel" and node.role == "icon"]
            assert len([node for node in icons if node.showing]) == 10


# -- how it is written -------------------------------------------------------------------------------------------------


def test_looks_that_do_not_exist_are_refused() -> None:
    with pytest.raises(UnknownName, match="xfce5"):
        looks.find("xfce5")


def test_xfce_settings_say_what_they_are_given() -> None:
    text = xfconf.channel(
        "c", {"a": {"": [1, 2], "b": "x<y", "c": {"d": True}}, "e": 2.5, "f": ["p", 7], "g": {"": "own", "h": 1}}
    )
    top = ElementTree.fromstring(text)
    found = {node.get("name"): (node.get("type"), node.get("value")) for node in top.iter("property")}
    assert top.get("name") == "c"
    assert found == {
        "a": ("array", None),
        "b": ("string", "x<y"),
        "c": ("empty", None),
        "d": ("bool", "true"),
        "e": ("double", "2.5"),
        "f": ("array", None),
        "g": ("string", "own"),
        "h": ("int", "1"),
    }
    arrays = [node for node in top.iter("property") if node.get("type") == "array"]
    values = [[(value.get("type"), value.get("value")) for value in node.findall("value")] for node in arrays]
    assert values == [[("int", "1"), ("int", "2")], [("string", "p"), ("int", "7")]]


@pytest.mark.parametrize("look", sorted(looks.LOOKS))
@pytest.mark.parametrize("theme", sorted(STYLES))
def test_configuration_lies_in_the_image_and_parses(look: str, theme: str, tmp_path: Path) -> None:
    style = STYLES[theme]
    (tmp_path / "usr/share/applications").mkdir(parents=True)
    (tmp_path / "usr/share/applications/lxterminal.desktop").touch()
    written = {**common_files(style), **looks.find(look).files(tmp_path, style)}
    assert all(path.startswith(("/home/user/", "/usr/share/", "/etc/")) for path in written)
    for path, data in written.items():
        if path.endswith(".xml"):
            ElementTree.fromstring(data)
    dock = [data for path, data in written.items() if "panel" in path]
    assert any(b"lxterminal.desktop" in data for data in dock)
    assert not any(b"chromium.desktop" in data for data in dock)

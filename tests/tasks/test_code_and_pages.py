"""Visual Studio Code's files, open pages and the shell's favourites on a real desktop."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.computer import Computer
from proctor.errors import SetupFailed
from proctor.tasks.call import Call
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import run

pytestmark = pytest.mark.sandbox

PAGE = b"<title>Shop</title><p class=p>One</p><p class=p>Two</p><input id=n value=abc><a href='mailto:a@b'>m</a>"
NEW_TAB = """
import sys, urllib.request
new = urllib.request.Request(f"http://127.0.0.1:9222/json/new?{sys.argv[1]}", method="PUT")
urllib.request.urlopen(new, timeout=10).read()
"""
ADDRESS = "file:///home/user/p.html?q=1"


def make(computer: Computer, name: str, **arguments: Any) -> None:
    run(Call("setup", name, arguments), SetupContext(computer))


def see(computer: Computer, name: str, **arguments: Any) -> Any:
    return run(Call("probe", name, arguments), ProbeContext(computer))


@pytest.fixture(scope="module")
def desktop() -> Iterator[Computer]:
    with SandboxComputer(image="full", size=(1400, 900), network="loopback") as computer:
        make(computer, "other_names")
        make(computer, "code_command")
        make(computer, "gnome_settings")
        yield computer


def test_the_profile_of_chrome_can_be_written_before_its_first_start(desktop: Computer) -> None:
    assert desktop.run(["mkdir", "-p", "/home/user/.config/google-chrome/Default"]).code == 0
    assert desktop.run(["test", "-d", "/home/user/.config/chromium/Default"]).code == 0


def test_settings_of_the_shell_can_be_set_and_told(desktop: Computer) -> None:
    power, dim = "org.gnome.settings-daemon.plugins.power", "idle-dim"
    assert desktop.run(["gsettings", "get", power, dim]).stdout == "true\n"
    assert desktop.run(["gsettings", "set", power, dim, "false"]).code == 0
    assert desktop.run(["gsettings", "get", power, dim]).stdout == "false\n"


def test_sudo_says_that_nobody_has_the_rights(desktop: Computer) -> None:
    done = desktop.run(["sudo", "-S", "mkdir", "/new"], input=b"password\n")
    assert done.code == 1 and "nobody has administrator rights" in done.stderr


def test_code_opens_what_it_is_given_and_runs_by_its_name(desktop: Computer) -> None:
    desktop.write_file("a/b.txt", b"hi\n")
    make(desktop, "launch", argv=["code", "/home/user/a/b.txt"], window="b.txt")
    make(desktop, "launch", argv=["code", "/home/user/a"], window="a - ")
    assert "code" in [each["name"] for each in see(desktop, "processes")["processes"]]
    assert desktop.run(["test", "-d", "/home/user/.config/Code/User"]).code == 0


def test_a_path_is_opened_as_by_a_double_click(desktop: Computer) -> None:
    desktop.write_file("list.txt", b"milk\n")
    make(desktop, "open_path", path="/home/user/list.txt")
    assert any("list.txt" in window.title for window in desktop.windows())
    with pytest.raises(SetupFailed):
        make(desktop, "open_path", path="/home/user/none.txt")


def test_extensions_are_listed_however_they_came(desktop: Computer) -> None:
    make(desktop, "code_extension", id="ms-python.python", version="2.0.0")
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        packed.writestr("extension/package.json", json.dumps({"name": "test", "version": "0.0.1"}))
    desktop.write_file("test.vsix", held.getvalue())
    assert desktop.run(["code", "--install-extension", "/home/user/test.vsix"]).code == 0
    listed = see(desktop, "output", argv=["code", "--list-extensions"])["text"]
    assert listed.split() == ["ms-python.python", "undefined_publisher.test"]


def test_tests_over_python_files_are_called_inside(desktop: Computer) -> None:
    desktop.write_file("snake.py", b"def grows():\n    return True\n")
    suite = base64.b64encode(b"import snake\ndef test():\n    return snake.grows()\n").decode()
    files = {"snake.py": "/home/user/snake.py"}
    assert see(desktop, "suite_verdict", files=files, suite=suite)["results"] == [{"value": True}]
    desktop.write_file("snake.py", b"def grows():\n    return 1 / 0\n")
    [result] = see(desktop, "suite_verdict", files=files, suite=suite)["results"]
    assert "ZeroDivisionError" in result["error"]


def test_favourites_are_settings(desktop: Computer) -> None:
    change = (
        "gsettings set org.gnome.shell favorite-apps \"['a.desktop']\" && gsettings get org.gnome.shell favorite-apps"
    )
    assert desktop.run(["bash", "-c", change]).stdout == "['a.desktop']\n"


def test_pages_are_looked_into(desktop: Computer) -> None:
    visits = [{"url": "https://www.youtube.com/watch?v=1", "title": "x", "seconds_ago": 3600}]
    make(desktop, "past_visits", pages=visits)
    desktop.write_file("p.html", PAGE)
    make(desktop, "open_tabs", urls=[ADDRESS, "file:///home/user/a/"])
    make(desktop, "tab_in_front", url=ADDRESS)
    assert see(desktop, "page_address")["text"] == ADDRESS
    parts = [
        {"name": "second", "css": ".p", "nth": 1},
        {"name": "field", "xpath": "//*[@id='n']", "attribute": "value"},
        {"name": "link", "xpath": "//a", "attribute": "href"},
        {"name": "none", "xpath": "//table"},
    ]
    shown = json.loads(see(desktop, "page_parts", parts=parts)["text"])
    assert shown == {"second": "Two", "field": "abc", "link": "mailto:a@b"}
    make(desktop, "page_script", url=ADDRESS, script="document.title = 'Sold'")
    assert "Sold" in see(desktop, "page_source")["text"]
    with pytest.raises(SetupFailed, match="does not hold"):
        make(desktop, "page_script", url="", script="1 == 2", holds=True)
    make(desktop, "close_tabs", urls=["file:///home/user/a/"])
    with pytest.raises(CannotSee, match="was not printed"):
        see(desktop, "printed_page", url=ADDRESS)
    make(desktop, "print_page", url=ADDRESS)
    printed = see(desktop, "printed_page", url=ADDRESS)
    assert [page.split() for page in printed["pages"]] == [["One", "Two", "abc", "m"]]
    assert [tab["url"] for tab in see(desktop, "web_tabs")["tabs"]] == [ADDRESS]
    assert desktop.run(["python3", "-c", NEW_TAB, "chrome://settings/appearance"]).code == 0
    desktop.wait_for(lambda _: "chrome://settings" in see(desktop, "page_address")["text"], what="the settings")
    assert see(desktop, "browser_look")["look"] == "system"
    make(desktop, "quit_browser", browser="chromium")
    assert visits[0]["url"] in see(desktop, "visited_pages", browser="chromium")["urls"]
    assert "/home/user/ext" not in [each["path"] for each in see(desktop, "web_extensions")["extensions"]]

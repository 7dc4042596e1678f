"""Setup steps about running programs, on a real desktop: what they wait for has happened, and what cannot is said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.computer import Computer
from proctor.errors import ElementNotFound, SetupFailed
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.desktop.setup.programs import element_shown, text_changed_meanwhile

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def editor() -> Iterator[Computer]:
    with SandboxComputer(look="light", size=(1000, 700)) as computer:
        computer.write_file("list.txt", b"milk\n")
        computer.launch(["mousepad", "list.txt"], window="list.txt")
        yield computer


def test_an_element_that_is_there_is_waited_for(editor: Computer) -> None:
    element_shown(SetupContext(editor), "File", role="menu")


def test_an_element_that_never_comes_is_named(editor: Computer) -> None:
    with pytest.raises(ElementNotFound, match="No such thing"):
        element_shown(SetupContext(editor), "No such thing")


def test_the_application_has_noticed_that_its_file_changed(editor: Computer) -> None:
    text_changed_meanwhile(SetupContext(editor), "list.txt", "milk\nbread\n", "Externally Modified")
    assert editor.read_file("list.txt") == b"milk\nbread\n"
    assert editor.locate(name="externally modified").exists


def test_a_change_that_nobody_notices_is_a_failed_setup(editor: Computer) -> None:
    with pytest.raises(SetupFailed, match="no application said 'Somebody saw it'"):
        text_changed_meanwhile(SetupContext(editor), "other.txt", "x", "Somebody saw it")

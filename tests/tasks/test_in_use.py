"""Setup steps for a desktop in use: what happens to its windows, what comes in front of them, and waiting for it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.computer import Window
from proctor.errors import SetupFailed
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import make_moves
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import hand, make, run

HALTED = "for each in /proc/[0-9]*; do grep -q '^State:.T' $each/status && cat $each/comm; done; true"
"""Prints the names of what is halted."""


@pytest.fixture(scope="module")
def desk() -> Iterator[SandboxComputer]:
    with SandboxComputer(size=(1024, 768)) as computer:
        run(make.launch(["mousepad"], "Untitled"), SetupContext(computer))
        yield computer


def in_front(desk: SandboxComputer) -> Window:
    found = desk.active_window()
    assert found is not None
    return found


@pytest.mark.sandbox
def test_a_window_is_moved_shrunk_and_minimised(desk: SandboxComputer) -> None:
    context = SetupContext(desk)
    before = in_front(desk)
    run(make.disturb_window("move"), context)
    moved = in_front(desk)
    assert moved.id == before.id
    assert (moved.box.x, moved.box.y) != (before.box.x, before.box.y)
    run(make.disturb_window("shrink"), context)
    assert in_front(desk).box.width < moved.box.width
    run(make.disturb_window("minimise"), context)
    assert next(each for each in desk.windows() if each.id == before.id).minimised
    with pytest.raises(SetupFailed, match="no window is in use"):
        run(make.disturb_window("move"), context)
    run(make.focus_window("Untitled"), context)


@pytest.mark.sandbox
@pytest.mark.parametrize("how", ["cover", "take_focus"])
def test_another_window_comes_in_front_and_can_be_closed(how: str, desk: SandboxComputer) -> None:
    context = SetupContext(desk)
    before = in_front(desk)
    run(make.disturb_window(how), context)  # type: ignore[arg-type]
    other = in_front(desk)
    assert other.id != before.id
    run(make.close_window(other.title), context)
    assert before.id in {each.id for each in desk.windows()}


@pytest.mark.sandbox
def test_a_notification_takes_no_focus_and_goes_away(desk: SandboxComputer) -> None:
    before = in_front(desk)
    run(make.notification("Backup", "Your files were copied.", seconds=3), SetupContext(desk))
    assert in_front(desk).id == before.id
    desk.locate(name="Backup").wait(gone=True)


@pytest.mark.sandbox
def test_a_slow_application_answers_in_the_end(desk: SandboxComputer) -> None:
    context = SetupContext(desk)
    run(make.slow_down(seconds=2), context)
    pid = in_front(desk).pid
    held = f"for n in $(seq 2000); do grep -q '^State:.T' /proc/{pid}/status && exit; done; exit 1"
    assert desk.run(["sh", "-c", held]).code == 0
    make_moves([hand.type("slow")], MoveContext(desk, json.dumps))
    desk.locate(text="slow").wait()


def test_waiting_for_a_change_is_an_action_of_its_own() -> None:
    with FakeComputer() as computer:
        make_moves([hand.await_change(timeout_sec=0.2)], MoveContext(computer, json.dumps))
        assert computer.history[-1].action.kind == "wait_for_change"


@pytest.mark.sandbox
def test_a_document_keeps_its_format_when_libreoffice_asks() -> None:
    with SandboxComputer(image="full") as desk:
        context = SetupContext(desk)
        run(make.keep_format(), context)  # nothing asks: nothing happens
        run(make.spreadsheet("sum.xlsx", [{"name": "Sheet1", "rows": [["a", 1]]}]), context)
        run(make.open_in_office("sum.xlsx"), context)
        before = desk.read_file("sum.xlsx")
        make_moves([hand.type("b\n"), hand.press("ctrl+s")], MoveContext(desk, json.dumps))
        make_moves([hand.await_window("Confirm File Format")], MoveContext(desk, json.dumps))
        run(make.keep_format(), context)
        make_moves([hand.await_saved("sum.xlsx")], MoveContext(desk, json.dumps))
        after = desk.read_file("sum.xlsx")
        assert after != before
        assert after[:2] == b"PK"


@pytest.mark.sandbox("full")
@pytest.mark.slow
def test_a_document_keeps_its_format_and_nobody_asks() -> None:
    with SandboxComputer(image="full") as desk:
        context = SetupContext(desk)
        run(make.keep_every_format(), context)
        run(make.spreadsheet("sum.xlsx", [{"name": "Sheet1", "rows": [["a", 1]]}]), context)
        run(make.open_in_office("sum.xlsx"), context)
        moves = [hand.type("b\n"), hand.press("ctrl+s"), hand.await_saved("sum.xlsx")]
        make_moves(moves, MoveContext(desk, json.dumps))
        assert all(window.title != "Confirm File Format" for window in desk.windows())


@pytest.mark.sandbox
def test_a_locked_screen_is_unlocked_by_hand(desk: SandboxComputer) -> None:
    before = desk.windows()
    run(make.screen_lock(seconds=60), SetupContext(desk))
    make_moves(
        [hand.click(name="Unlock"), hand.await_window("Screen locked", gone=True)], MoveContext(desk, json.dumps)
    )
    assert {each.id for each in desk.windows()} == {each.id for each in before}


@pytest.mark.sandbox
def test_keys_mean_something_else_on_another_keyboard(desk: SandboxComputer) -> None:
    context = SetupContext(desk)
    run(make.keyboard_layout("de"), context)
    assert "de" in desk.run(["setxkbmap", "-query"]).stdout.split()
    run(make.keyboard_layout("us"), context)
    assert "us" in desk.run(["setxkbmap", "-query"]).stdout.split()


@pytest.mark.sandbox
def test_services_are_away_for_some_seconds() -> None:
    """They answer again by themselves; nothing of the agent's own is halted."""
    with SandboxComputer(image="full", network="loopback") as desk:
        context = SetupContext(desk)
        with pytest.raises(SetupFailed, match="no service listens"):
            run(make.pause_services(seconds=2), context)
        run(make.launch(["mousepad"], "Untitled"), context)
        run(make.chat_server([{"name": "#club", "people": ["ada"]}]), context)
        run(make.pause_services(seconds=4), context)
        halted = desk.run(["sh", "-c", HALTED], root=True).stdout.split()
        assert "ngircd" in halted and "mousepad" not in halted
        desk.wait_for(lambda computer: not computer.run(["sh", "-c", HALTED], root=True).stdout, what="their return")


@pytest.mark.sandbox
def test_an_application_that_ended_is_opened_again_from_the_dialog(desk: SandboxComputer) -> None:
    context = SetupContext(desk)
    before = in_front(desk)
    run(make.end_application(["mousepad"]), context)
    assert in_front(desk).title == "Application ended"
    make_moves([hand.click(name="Open Again"), hand.await_window("Mousepad")], MoveContext(desk, json.dumps))
    assert before.pid not in {each.pid for each in desk.windows()}


@pytest.mark.sandbox
def test_panels_speak_another_language_and_what_is_open_goes_on(desk: SandboxComputer) -> None:
    before = in_front(desk)
    run(make.desktop_language("de"), SetupContext(desk))
    panel = "tr '\\0' '\\n' < /proc/$(pgrep -x xfce4-panel)/environ"
    assert "LC_MESSAGES=de_DE.UTF-8" in desk.run(["sh", "-c", panel]).stdout.split()
    assert before.id in {each.id for each in desk.windows()}


@pytest.mark.sandbox
def test_a_setting_that_is_written_at_once_is_no_later_change(desk: SandboxComputer) -> None:
    context = SetupContext(desk)
    with desk.spare_changes():
        run(make.xfconf("xsettings", "/Gtk/FontName", "Noto Sans 12"), context)
        run(make.settings_written(), context)
    settings = ".config/xfce4/xfconf/xfce-perchannel-xml/xsettings.xml"
    assert b"Noto Sans 12" in desk.read_file(settings)
    assert b"Noto Sans 12" in (desk.before(settings) or b"")

"""What every computer promises, as tests: a backend derives from ComputerContract and says how to make one."""

from __future__ import annotations

import json
import posixpath
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.actions.action import (
    Action,
    Click,
    Done,
    Drag,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Press,
    RunCode,
    Scroll,
    Type,
    Wait,
)
from proctor.computers.capabilities import CAPABILITIES, WORDS, Capability
from proctor.computers.computer import Computer, Snapshot
from proctor.computers.locator import Locator
from proctor.errors import AgentError, ComputerError, NotReady, SpecError
from proctor.observations.box import Box

EVERY_SCRIPT = 'naïve <b> & "quotes" ~^ ελληνικά 日本語 العربية 😀 €'


def need(computer: Computer, *capabilities: Capability) -> None:
    """Skip a test of something that a backend says it cannot do."""
    missing = [name for name in capabilities if name not in computer.capabilities]
    if missing:
        pytest.skip(f"{computer.backend} has no {', '.join(missing)}")


def open_editor(computer: Computer, content: str = "alpha\nbeta\n", name: str = "notes.txt") -> Locator:
    """Open a file in the editor and return its text area."""
    need(computer, "screen", "pointer", "keys", "tree", "windows", "files")
    computer.write_file(name, content.encode())
    computer.launch(["mousepad", name], window=posixpath.basename(name))
    return computer.locate(role="text", app="mousepad", window=posixpath.basename(name))


def saved(computer: Computer, expected: str, name: str = "notes.txt") -> bool:
    """Save with the keyboard and tell whether the file becomes what is expected."""
    computer.perform(Press(keys="ctrl+s"))
    try:
        computer.wait_for(lambda c: c.read_file(name) == expected.encode(), what="saving", timeout_sec=5)
    except NotReady:
        assert computer.read_file(name).decode() == expected
    return True


def first_line(box: Box) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return a place before and one after the first line of a text area."""
    return (box.x + 1, box.y + 8), (box.x + 300, box.y + 8)


class ComputerContract:
    """The promises; derive from it and make `new_computer` return a computer that is not started."""

    def new_computer(self) -> Computer:
        raise NotImplementedError

    @pytest.fixture
    def computer(self) -> Iterator[Computer]:
        with self.new_computer() as computer:
            yield computer

    # -- life -----------------------------------------------------------------------------------------------------

    def test_starting_and_closing_twice_has_no_effect(self) -> None:
        computer = self.new_computer()
        try:
            assert computer.start() is computer
            assert computer.start() is computer
            assert computer.screenshot().size == computer.size
        finally:
            computer.close()
        computer.close()

    def test_it_may_be_started_in_a_thread_that_ends(self) -> None:
        computer = self.new_computer()
        starter = threading.Thread(target=computer.start)
        starter.start()
        starter.join()
        with computer:
            assert computer.screenshot().size == computer.size
            if "shell" in computer.capabilities:
                assert computer.run(["true"]).code == 0

    def test_closing_before_the_start_is_harmless(self) -> None:
        self.new_computer().close()

    def test_a_closed_computer_says_so(self) -> None:
        computer = self.new_computer().start()
        computer.close()
        calls = {
            "screen": computer.screenshot,
            "tree": computer.tree,
            "windows": computer.windows,
            "pointer": lambda: computer.perform(Move(x=1, y=1)),
            "keys": lambda: computer.perform(Press(keys="a")),
            "shell": lambda: computer.run(["true"]),
            "files": lambda: computer.read_file("notes.txt"),
            "changes": computer.changes,
            "snapshot": computer.snapshot,
            "clip": lambda: computer.clip(1),
            "code": lambda: computer.execute("1"),
        }
        for capability, call in calls.items():
            if capability in computer.capabilities:
                with pytest.raises(ComputerError, match="closed"):
                    call()

    def test_facts_can_be_recorded(self, computer: Computer) -> None:
        facts = json.loads(json.dumps(computer.facts(), allow_nan=False))
        assert facts["backend"] == computer.backend
        assert facts["size"] == list(computer.size)

    def test_what_it_cannot_do_is_refused_by_name(self, computer: Computer) -> None:
        assert computer.capabilities <= set(CAPABILITIES)
        computer.need(*computer.capabilities)
        for missing in set(CAPABILITIES) - computer.capabilities:
            with pytest.raises(SpecError, match=f"this computer has no {WORDS[missing]}\\n.*{computer.backend}"):
                computer.need(missing)
        if "code" not in computer.capabilities:
            with pytest.raises(SpecError, match="code"):
                computer.perform(RunCode(code="1"))

    # -- see ------------------------------------------------------------------------------------------------------

    def test_screenshot_is_the_whole_desktop(self, computer: Computer) -> None:
        shot = computer.screenshot()
        assert shot.size == computer.size
        assert shot.mode == "RGB"

    def test_pointer_is_drawn_where_it_is_and_only_if_wanted(self, computer: Computer) -> None:
        need(computer, "pointer")
        x, y = computer.size[0] // 2, computer.size[1] // 2
        computer.perform(Move(x=x, y=y))
        around = (x - 4, y - 4, x + 20, y + 20)
        plain = computer.screenshot(cursor=False).crop(around)
        assert computer.screenshot().crop(around) != plain
        computer.perform(Move(x=x - 200, y=y - 100))
        assert computer.screenshot().crop(around) == plain

    def test_tree_is_well_formed(self, computer: Computer) -> None:
        open_editor(computer)
        tree = computer.tree()
        assert tree.nodes
        assert not tree.degraded
        for index, node in enumerate(tree.nodes):
            assert node.index == index
            if node.parent is None:
                assert node.depth == 0
                continue
            assert node.parent < index
            assert node.depth == tree.nodes[node.parent].depth + 1
            # Depth-first: every node follows its parent or something below that parent.
            assert tree.nodes[index - 1].depth >= node.depth - 1
            assert node.app == [*tree.ancestors(node)][-1].name

    def test_tree_is_the_same_on_a_quiet_screen(self, computer: Computer) -> None:
        open_editor(computer)
        computer.settle()
        assert computer.tree() == computer.tree()

    def test_editor_is_described(self, computer: Computer) -> None:
        area = open_editor(computer, "some words\n")
        node = area.wait().find()
        assert node.showing
        assert "some words" in node.text
        assert "notes.txt" in node.window
        assert node.box and node.box.area > 1000
        assert {"editable", "showing", "visible"} <= node.states
        menu = computer.locate(role="menu", name="File", app="mousepad").find()
        assert menu.box and menu.box.y < node.box.y

    def test_element_at_a_place_is_what_is_there(self, computer: Computer) -> None:
        area = open_editor(computer)
        hit = computer.element_at(*area.box.center)
        assert hit and (hit.role, hit.app) == ("text", "mousepad")

    def test_windows_are_listed_bottom_to_top(self, computer: Computer) -> None:
        open_editor(computer, name="one.txt")
        front = computer.active_window()
        assert front and "one.txt" in front.title and "Mousepad" in front.title
        assert front.app.lower() == "mousepad"
        assert front in computer.windows()
        assert front.box.intersect(Box(0, 0, *computer.size))

    def test_terminal_is_none_where_there_is_none(self, computer: Computer) -> None:
        need(computer, "tree", "windows")
        assert computer.terminal() is None

    def test_clip_ends_with_what_is_on_screen(self, computer: Computer) -> None:
        need(computer, "clip")
        open_editor(computer)
        computer.perform(Type(text="seen"))
        clip = computer.clip(5)
        assert clip.frames
        assert clip.frames[-1].image.size == computer.size
        assert [frame.at for frame in clip.frames] == sorted(frame.at for frame in clip.frames)

    # -- touch ----------------------------------------------------------------------------------------------------

    def test_text_of_every_script_arrives_exactly(self, computer: Computer) -> None:
        area = open_editor(computer, "")
        area.click()
        performed = computer.perform(Type(text=f"{EVERY_SCRIPT}\n\tnext line"))
        assert performed.verified is True
        assert performed.element and performed.element.role == "text"
        assert saved(computer, f"{EVERY_SCRIPT}\n\tnext line")

    def test_long_text_arrives_whole(self, computer: Computer) -> None:
        open_editor(computer, "").click()
        text = "".join(f"{number}: the quick brown fox, ünïcödé\n" for number in range(300))[:10_000]
        assert computer.perform(Type(text=text)).verified is not False
        assert saved(computer, text)

    def test_click_records_the_element_it_hit(self, computer: Computer) -> None:
        area = open_editor(computer)
        x, y = area.box.center
        performed = computer.perform(Click(x=x, y=y))
        assert performed.action == Click(x=x, y=y)
        assert performed.element and performed.element.role == "text"
        assert performed.started <= performed.ended
        assert computer.history[-1] is performed

    @pytest.mark.parametrize("place", [(-1, 5), (5, -1), (None, 5), (5, None), (99_999, 99_999)])
    def test_place_outside_the_desktop_is_the_agents_error(
        self, computer: Computer, place: tuple[int | None, int | None]
    ) -> None:
        need(computer, "pointer")
        width, height = computer.size
        x, y = (side if given is None else given for given, side in zip(place, computer.size, strict=True))
        with pytest.raises(AgentError, match=f"{width}x{height}"):
            computer.perform(Click(x=x, y=y))
        assert computer.history == []
        computer.perform(Click(x=width - 0.5, y=height - 0.5))

    def test_unknown_key_is_the_agents_error(self, computer: Computer) -> None:
        need(computer, "keys")
        with pytest.raises(AgentError, match="unknown key"):
            computer.perform(Press(keys="ctrl+nosuchkey"))

    def test_signals_are_not_performed(self, computer: Computer) -> None:
        with pytest.raises(SpecError, match="done"):
            computer.perform(Done())

    def test_menus_work_through_locators(self, computer: Computer) -> None:
        open_editor(computer, "").type("by menu")
        computer.locate(role="menu", name="File", app="mousepad").click()
        performed = computer.locate(role="menu item", name="Save", app="mousepad").click()
        assert performed.element and performed.element.name == "Save"
        computer.wait_for(lambda c: c.read_file("notes.txt") == b"by menu", what="saving")
        computer.locate(role="menu item", name="Save", app="mousepad").wait(gone=True)

    def test_typing_with_a_locator_can_replace(self, computer: Computer) -> None:
        area = open_editor(computer, "old words")
        area.type("new", clear=True)
        assert saved(computer, "new")

    @pytest.mark.parametrize("way", ["drag", "buttons", "double", "shift", "keys"])
    def test_selecting_the_first_line(self, computer: Computer, way: str) -> None:
        area = open_editor(computer)
        start, end = first_line(area.box)
        inside = (start[0] + 12, start[1])
        ways: dict[str, list[Action]] = {
            "drag": [Drag(path=(start, end))],
            "buttons": [Move(x=start[0], y=start[1]), MouseDown(), Move(x=end[0], y=end[1]), MouseUp()],
            "double": [Click(x=inside[0], y=inside[1], count=2)],
            "shift": [Press(keys="ctrl+Home"), Click(x=end[0], y=end[1], modifiers=("shift",))],
            "keys": [Press(keys="ctrl+Home"), KeyDown(key="shift"), Press(keys="End"), KeyUp(key="shift")],
        }
        area.click()
        for action in ways[way]:
            computer.perform(action)
        computer.perform(Type(text="X"))
        assert saved(computer, "X\nbeta\n")

    def test_two_single_clicks_are_not_a_double_click(self, computer: Computer) -> None:
        area = open_editor(computer)
        x, y = first_line(area.box)[0]
        for _ in range(2):
            computer.perform(Click(x=x, y=y))
        computer.perform(Type(text="X"))
        assert saved(computer, "Xalpha\nbeta\n")

    def test_scrolling_shows_what_is_below(self, computer: Computer) -> None:
        area = open_editor(computer, "".join(f"line {number}\n" for number in range(500)))
        x, y, *_ = area.box
        corner = (x, y + 20, x + 100, y + 80)
        before = computer.screenshot(cursor=False).crop(corner)
        performed = computer.perform(Scroll(x=x + 50, y=y + 50, dy=10))
        assert performed.element and performed.element.app == "mousepad"
        assert computer.screenshot(cursor=False).crop(corner) != before
        computer.perform(Scroll(x=x + 50, y=y + 50, dy=-10))
        assert computer.screenshot(cursor=False).crop(corner) == before

    # -- wait -----------------------------------------------------------------------------------------------------

    def test_quiet_screen_settles(self, computer: Computer) -> None:
        assert computer.settle() is True

    def test_waiting_for_what_never_comes_ends(self, computer: Computer) -> None:
        with pytest.raises(NotReady, match=r"the impossible did not come true within 0\.2 s"):
            computer.wait_for(lambda _: None, what="the impossible", timeout_sec=0.2)

    def test_waiting_returns_what_came(self, computer: Computer) -> None:
        looks = iter([None, "", "here"])
        assert computer.wait_for(lambda _: next(looks)) == "here"

    def test_realtime_returns_at_once_and_still_acts(self, computer: Computer) -> None:
        area = open_editor(computer, "")
        area.click()
        computer.pace = "realtime"
        performed = computer.perform(Type(text="quick"))
        assert performed.verified is None
        computer.pace = "settle"
        area_now = computer.locate(role="text", app="mousepad", text="quick")
        area_now.wait()
        assert saved(computer, "quick")

    def test_wait_action_is_recorded(self, computer: Computer) -> None:
        performed = computer.perform(Wait(seconds=0.1))
        assert performed.element is None
        assert computer.history == [performed]

    # -- run ------------------------------------------------------------------------------------------------------

    def test_commands_return_output_and_status(self, computer: Computer) -> None:
        need(computer, "shell")
        result = computer.run(["echo", "two  blanks", "日本", "$HOME", "'"])
        assert (result.code, result.stdout, result.stderr) == (0, "two  blanks 日本 $HOME '\n", "")
        assert computer.run(["false"]).code == 1
        assert computer.run(["cat"], input="ünï".encode()).stdout == "ünï"
        assert computer.run(["printenv", "COLOUR"], env={"COLOUR": "blue"}).stdout == "blue\n"
        missing = computer.run(["cat", "missing"])
        assert missing.code == 1
        assert "No such file" in missing.stderr

    def test_commands_run_in_the_home_folder_unless_told(self, computer: Computer) -> None:
        need(computer, "shell", "files")
        computer.write_file("inner/here.txt", b"")
        home = computer.run(["pwd"]).stdout.strip()
        assert computer.run(["printenv", "HOME"]).stdout.strip() == home
        assert computer.run(["pwd"], cwd="/tmp").stdout == "/tmp\n"
        assert computer.run(["ls"], cwd=f"{home}/inner").stdout == "here.txt\n"

    def test_commands_that_cannot_be_run_are_the_machines_error(self, computer: Computer) -> None:
        need(computer, "shell")
        with pytest.raises(ComputerError, match="nosuchprogram"):
            computer.run(["nosuchprogram"])
        with pytest.raises(ComputerError, match=r"0\.2 s"):
            computer.run(["sleep", "30"], timeout_sec=0.2)
        assert computer.run(["true"]).code == 0

    def test_launching_returns_the_application_and_its_window(self, computer: Computer) -> None:
        need(computer, "windows", "files")
        computer.write_file("a name.txt", b"")
        app = computer.launch(["mousepad", "a name.txt"])
        assert app.argv == ("mousepad", "a name.txt")
        assert app.pid > 0
        assert app.window and "a name.txt" in app.window.title
        with pytest.raises(ComputerError, match="nosuchprogram"):
            computer.launch(["nosuchprogram"])

    def test_launching_without_waiting_has_no_window_yet(self, computer: Computer) -> None:
        need(computer, "windows")
        assert computer.launch(["mousepad"], wait=False).window is None
        computer.wait_for(lambda c: any("Mousepad" in window.title for window in c.windows()), what="the editor")

    def test_applications_can_be_closed(self, computer: Computer) -> None:
        area = open_editor(computer)
        computer.perform(Press(keys="ctrl+q"))
        area.wait(gone=True)
        computer.wait_for(lambda c: not any("Mousepad" in window.title for window in c.windows()), what="its end")

    def test_code_keeps_its_state(self, computer: Computer) -> None:
        need(computer, "code")
        assert computer.perform(RunCode(code="x = 20")).result.error == ""  # type: ignore[union-attr]
        result = computer.execute("print(x + 1)\nx + 2")
        assert "21" in result.output and "22" in result.output
        assert "ZeroDivisionError" in computer.execute("1 / 0").error
        assert computer.execute("echo from $SHELL_NAME", language="shell").error == ""
        assert computer.execute("import time; time.sleep(60)", timeout_sec=0.5).timed_out
        assert "20" in computer.execute("x").output

    # -- files ----------------------------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        "name", ["plain.txt", "two words.txt", "naïve 日本 😀.txt", "deep/er/file", "-dash", "q'\"$"]
    )
    def test_files_come_back_byte_for_byte(self, computer: Computer, name: str) -> None:
        need(computer, "files")
        data = bytes(range(256)) * 5
        computer.write_file(name, data)
        assert computer.read_file(name) == data
        computer.write_file(name, b"")
        assert computer.read_file(name) == b""
        listed = computer.list_files(posixpath.dirname(name) or ".")
        assert posixpath.basename(name) in [posixpath.basename(info.path) for info in listed]
        computer.remove_file(name)
        with pytest.raises(FileNotFoundError):
            computer.read_file(name)

    def test_relative_paths_start_at_home(self, computer: Computer) -> None:
        need(computer, "files", "shell")
        computer.write_file("here.txt", b"x")
        home = computer.run(["printenv", "HOME"]).stdout.strip()
        assert computer.read_file(f"{home}/here.txt") == b"x"

    def test_listing_is_sorted_and_complete(self, computer: Computer) -> None:
        need(computer, "files")
        computer.write_file("folder/b.txt", b"12345", mode=0o600)
        computer.write_file("folder/a.txt", b"")
        computer.write_file("folder/inner/c.txt", b"")
        entries = computer.list_files("folder")
        assert [posixpath.basename(info.path) for info in entries] == ["a.txt", "b.txt", "inner"]
        assert [info.kind for info in entries] == ["file", "file", "folder"]
        assert entries[1].size == 5
        assert entries[1].mode & 0o777 == 0o600
        assert entries[1].modified > 0

    def test_missing_files_raise_as_open_would(self, computer: Computer) -> None:
        need(computer, "files")
        computer.write_file("folder/file", b"")
        with pytest.raises(FileNotFoundError):
            computer.read_file("missing")
        with pytest.raises(FileNotFoundError):
            computer.list_files("missing")
        with pytest.raises(FileNotFoundError):
            computer.remove_file("missing")
        with pytest.raises(IsADirectoryError):
            computer.read_file("folder")
        with pytest.raises((NotADirectoryError, FileExistsError)):
            computer.write_file("folder/file/below", b"")

    def test_whole_folders_can_be_removed(self, computer: Computer) -> None:
        need(computer, "files")
        computer.write_file("folder/inner/file", b"x")
        computer.remove_file("folder")
        with pytest.raises(FileNotFoundError):
            computer.list_files("folder")

    # -- state ----------------------------------------------------------------------------------------------------

    def test_changes_since_the_baseline(self, computer: Computer) -> None:
        need(computer, "files", "changes")
        for name in ("kept.txt", "edited.txt", "dropped.txt"):
            computer.write_file(f"work/{name}", b"old")
        computer.baseline()
        assert [change for change in computer.changes() if "/work/" in change.path] == []
        computer.write_file("work/edited.txt", b"longer")
        computer.remove_file("work/dropped.txt")
        computer.write_file("work/fresh.txt", b"new")
        computer.write_file("work/passing.txt", b"new")
        computer.remove_file("work/passing.txt")
        changes = [change for change in computer.changes() if "/work/" in change.path]
        assert [(posixpath.basename(c.path), c.kind, c.file, c.size) for c in changes] == [
            ("dropped.txt", "deleted", "file", 0),
            ("edited.txt", "changed", "file", 6),
            ("fresh.txt", "created", "file", 3),
        ]
        assert all(posixpath.isabs(change.path) for change in changes)
        assert computer.before("work/edited.txt") == b"old"
        assert computer.before("work/dropped.txt") == b"old"
        assert computer.before("work/kept.txt") == b"old"
        assert computer.before("work/fresh.txt") is None

    def test_writing_the_same_bytes_is_no_change(self, computer: Computer) -> None:
        need(computer, "files", "changes")
        computer.write_file("same.txt", b"same")
        computer.baseline()
        computer.write_file("same.txt", b"same")
        assert not [change for change in computer.changes() if change.path.endswith("same.txt")]

    def test_restoring_a_snapshot_brings_back_files_and_applications(self, computer: Computer) -> None:
        need(computer, "snapshot", "files")
        open_editor(computer, "before")
        computer.write_file("other.txt", b"other")
        mark = computer.snapshot()
        computer.write_file("notes.txt", b"after")
        computer.remove_file("other.txt")
        computer.write_file("new.txt", b"new")
        computer.perform(Press(keys="ctrl+q"))
        for _ in range(2):
            computer.restore(mark)
            assert computer.read_file("notes.txt") == b"before"
            assert computer.read_file("other.txt") == b"other"
            with pytest.raises(FileNotFoundError):
                computer.read_file("new.txt")
            assert "before" in computer.locate(role="text", app="mousepad", window="notes.txt").text
            computer.write_file("new.txt", b"new")

    def test_forks_start_alike_and_live_apart(self, computer: Computer) -> None:
        need(computer, "snapshot", "files")
        open_editor(computer, "shared")
        with computer.fork() as other:
            assert other.read_file("notes.txt") == b"shared"
            other.locate(role="text", app="mousepad").type("theirs", clear=True)
            assert saved(other, "theirs")
            assert computer.read_file("notes.txt") == b"shared"
        assert "shared" in computer.locate(role="text", app="mousepad").text

    def test_snapshot_of_another_backend_is_refused(self, computer: Computer) -> None:
        need(computer, "snapshot")
        foreign = Snapshot(backend="another", path=Path("/nowhere"))
        with pytest.raises(SpecError, match="another|other kind"):
            computer.restore(foreign)
        assert computer.screenshot().size == computer.size

"""What every computer promises about its life, what it shows, and waiting."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

import pytest

from proctor.actions.action import Move, Press, RunCode, Type, Wait
from proctor.computers.capabilities import CAPABILITIES, WORDS, Capability
from proctor.computers.computer import Computer
from proctor.errors import ComputerError, NotReady, SpecError
from proctor.observations.box import Box
from proctor.testing.promises import Promises, need, save_gives


class SeeingContract(Promises):
    """A computer starts, shows itself, and ends."""

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
        calls: dict[Capability, Callable[[], object]] = {
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
        self.open_editor(computer)
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
        self.open_editor(computer)
        computer.settle()
        assert computer.tree() == computer.tree()

    def test_editor_is_described(self, computer: Computer) -> None:
        area = self.open_editor(computer, "some words\n")
        node = area.wait().find()
        assert node.showing
        assert "some words" in node.text
        assert "notes.txt" in node.window
        assert node.box and node.box.area > 1000
        assert {"editable", "showing", "visible"} <= node.states
        menu = computer.locate(role="menu", name="File", app="mousepad").find()
        assert menu.box and menu.box.y < node.box.y

    def test_element_at_a_place_is_what_is_there(self, computer: Computer) -> None:
        area = self.open_editor(computer)
        hit = computer.element_at(*area.box.center)
        assert hit and (hit.role, hit.app) == ("text", "mousepad")

    def test_windows_are_listed_bottom_to_top(self, computer: Computer) -> None:
        self.open_editor(computer, name="one.txt")
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
        self.open_editor(computer)
        computer.perform(Type(text="seen"))
        clip = computer.clip(5)
        assert clip.frames
        assert clip.frames[-1].image.size == computer.size
        assert [frame.at for frame in clip.frames] == sorted(frame.at for frame in clip.frames)

    def test_quiet_screen_settles(self, computer: Computer) -> None:
        assert computer.settle() is True

    def test_waiting_for_what_never_comes_ends(self, computer: Computer) -> None:
        with pytest.raises(NotReady, match=r"the impossible did not happen within 0\.2 s"):
            computer.wait_for(lambda _: None, what="the impossible", timeout_sec=0.2)

    def test_waiting_returns_what_came(self, computer: Computer) -> None:
        looks = iter([None, "", "here"])
        assert computer.wait_for(lambda _: next(looks)) == "here"

    def test_realtime_returns_at_once_and_still_acts(self, computer: Computer) -> None:
        area = self.open_editor(computer, "")
        area.click()
        computer.pace = "realtime"
        performed = computer.perform(Type(text="quick"))
        assert performed.verified is None
        computer.pace = "settle"
        area_now = computer.locate(role="text", app="mousepad", text="quick")
        area_now.wait()
        assert save_gives(computer, "quick")

    def test_wait_action_is_recorded(self, computer: Computer) -> None:
        performed = computer.perform(Wait(seconds=0.1))
        assert performed.element is None
        assert computer.history == [performed]

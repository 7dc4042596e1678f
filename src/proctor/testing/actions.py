"""What every computer promises about actions, commands, applications and code."""

from __future__ import annotations

import pytest

from proctor.actions.action import (
    Action,
    Click,
    Done,
    Drag,
    KeyDown,
    KeyUp,
    LongPress,
    MouseDown,
    MouseUp,
    Move,
    Pinch,
    Press,
    RunCode,
    Scroll,
    Swipe,
    Tap,
    Type,
)
from proctor.computers.computer import Computer
from proctor.errors import AgentError, ComputerError, SpecError
from proctor.testing.promises import Promises, first_line, need, save_gives

EVERY_SCRIPT = 'naïve <b> & "quotes" ~^ ελληνικά 日本語 العربية 😀 €'


class ActingContract(Promises):
    """What is done arrives, exactly."""

    def test_text_of_every_script_arrives_exactly(self, computer: Computer) -> None:
        area = self.open_editor(computer, "")
        area.click()
        performed = computer.perform(Type(text=f"{EVERY_SCRIPT}\n\tnext line"))
        assert performed.verified is True
        assert performed.element and performed.element.role == "text"
        assert save_gives(computer, f"{EVERY_SCRIPT}\n\tnext line")

    def test_long_text_arrives_whole(self, computer: Computer) -> None:
        self.open_editor(computer, "").click()
        text = "".join(f"{number}: the quick brown fox, ünïcödé\n" for number in range(300))[:10_000]
        assert computer.perform(Type(text=text)).verified is not False
        assert save_gives(computer, text)

    def test_click_records_the_element_it_hit(self, computer: Computer) -> None:
        area = self.open_editor(computer)
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

    def test_touch_begins_where_it_says_and_lets_go(self, computer: Computer) -> None:
        need(computer, "touch")
        width, height = computer.size
        middle = (width // 2, height // 2)
        gestures: list[Action] = [
            Tap(x=middle[0], y=middle[1]),
            LongPress(x=middle[0], y=middle[1], seconds=0.6),
            Swipe(path=(middle, (middle[0], middle[1] - 50))),
            Pinch(x=middle[0], y=middle[1], scale=2),
        ]
        for action in gestures:
            assert computer.perform(action).action == action
        with pytest.raises(AgentError, match=f"{width}x{height}"):
            computer.perform(Tap(x=width, y=1))
        assert len(computer.history) == len(gestures)

    def test_unknown_key_is_the_agents_error(self, computer: Computer) -> None:
        need(computer, "keys")
        with pytest.raises(AgentError, match="unknown key"):
            computer.perform(Press(keys="ctrl+nosuchkey"))

    def test_signals_are_not_performed(self, computer: Computer) -> None:
        with pytest.raises(SpecError, match="done"):
            computer.perform(Done())

    def test_menus_work_through_locators(self, computer: Computer) -> None:
        self.open_editor(computer, "").type("by menu")
        computer.locate(role="menu", name="File", app="mousepad").click()
        performed = computer.locate(role="menu item", name="Save", app="mousepad").click()
        assert performed.element and performed.element.name == "Save"
        computer.wait_for(lambda c: c.read_file("notes.txt") == b"by menu", what="saving")
        computer.locate(role="menu item", name="Save", app="mousepad").wait(gone=True)

    def test_typing_with_a_locator_can_replace(self, computer: Computer) -> None:
        area = self.open_editor(computer, "old words")
        area.type("new", clear=True)
        assert save_gives(computer, "new")

    @pytest.mark.parametrize("way", ["drag", "buttons", "double", "shift", "keys"])
    def test_selecting_the_first_line(self, computer: Computer, way: str) -> None:
        area = self.open_editor(computer)
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
        assert save_gives(computer, "X\nbeta\n")

    def test_two_single_clicks_are_not_a_double_click(self, computer: Computer) -> None:
        area = self.open_editor(computer)
        x, y = first_line(area.box)[0]
        for _ in range(2):
            computer.perform(Click(x=x, y=y))
        computer.perform(Type(text="X"))
        assert save_gives(computer, "Xalpha\nbeta\n")

    def test_scrolling_shows_what_is_below(self, computer: Computer) -> None:
        area = self.open_editor(computer, "".join(f"line {number}\n" for number in range(500)))
        x, y, *_ = area.box
        corner = (x, y + 20, x + 100, y + 80)
        before = computer.screenshot(cursor=False).crop(corner)
        performed = computer.perform(Scroll(x=x + 50, y=y + 50, dy=10))
        assert performed.element and performed.element.app == "mousepad"
        assert computer.screenshot(cursor=False).crop(corner) != before
        computer.perform(Scroll(x=x + 50, y=y + 50, dy=-10))
        assert computer.screenshot(cursor=False).crop(corner) == before

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
        self.need_mousepad(computer)
        computer.write_file("a name.txt", b"")
        app = computer.launch(["mousepad", "a name.txt"])
        assert app.argv == ("mousepad", "a name.txt")
        assert app.pid > 0
        assert app.window and "a name.txt" in app.window.title
        with pytest.raises(ComputerError, match="nosuchprogram"):
            computer.launch(["nosuchprogram"])

    def test_launching_without_waiting_has_no_window_yet(self, computer: Computer) -> None:
        need(computer, "windows")
        self.need_mousepad(computer)
        assert computer.launch(["mousepad"], wait=False).window is None
        computer.wait_for(lambda c: any("Mousepad" in window.title for window in c.windows()), what="the editor")

    def test_applications_can_be_closed(self, computer: Computer) -> None:
        area = self.open_editor(computer)
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

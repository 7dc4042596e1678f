"""The fake computer behaves like a small real one, always the same, and fails when told to."""

import pytest

from proctor.actions.action import Action, Click, LongPress, Move, Pinch, Press, Scroll, Swipe, Tap, Type, Wait
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import ComputerError, ComputerLost, NotReady, SpecError, UnknownName
from proctor.exam.brief import allowed_actions


def start(content: str | None = None) -> FakeComputer:
    computer = FakeComputer().start()
    if content is not None:
        computer.write_file("notes.txt", content.encode())
        computer.launch(["mousepad", "notes.txt"])
    return computer


def text_of(computer: FakeComputer) -> str:
    return computer.locate(role="text").find().text


def press(computer: FakeComputer, keys: str) -> None:
    computer.perform(Press(keys=keys))


STORY: list[Action] = [
    Click(x=60, y=100),
    Type(text="naïve\nsecond line"),
    Press(keys="ctrl+a"),
    Press(keys="ctrl+c"),
    Press(keys="Right"),
    Press(keys="ctrl+v"),
    Scroll(x=100, y=200, dy=3),
    Click(x=60, y=76),
    Move(x=80, y=110),
    Wait(seconds=1),
]


def test_the_same_actions_give_the_same_pictures_trees_and_files() -> None:
    def play() -> list[object]:
        computer = start("alpha\n")
        seen: list[object] = []
        for action in STORY:
            computer.perform(action)
            seen += [computer.screenshot().tobytes(), computer.tree()]
        return [*seen, computer.list_files(), [frame.at for frame in computer.clip(60).frames]]

    assert play() == play()


def test_waiting_costs_none_of_our_time() -> None:
    computer = start()
    with pytest.raises(NotReady):
        computer.wait_for(lambda _: False, timeout_sec=100_000)
    computer.perform(Wait(seconds=60))


# -- editor ------------------------------------------------------------------------------------------------------------


def test_title_tells_about_unsaved_changes() -> None:
    computer = start("")
    assert [window.title for window in computer.windows()] == ["~/notes.txt - Mousepad"]
    computer.perform(Type(text="x"))
    assert [window.title for window in computer.windows()] == ["*~/notes.txt - Mousepad"]
    press(computer, "ctrl+s")
    assert [window.title for window in computer.windows()] == ["~/notes.txt - Mousepad"]


@pytest.mark.parametrize(
    ("keys", "result"),
    [
        ("BackSpace", "one tw"),
        ("Home Delete", "ne two"),
        ("Left Left X", "one tXwo"),
        ("shift+Home BackSpace", ""),
        ("ctrl+Home shift+Right shift+Right X", "Xe two"),
        ("ctrl+a X", "X"),
        ("X Y ctrl+z", "one twoX"),
        ("Return Tab X", "one two\n\tX"),
        ("ctrl+a ctrl+x ctrl+v ctrl+v", "one twoone two"),
        ("ctrl+b", "one two"),
        ("Up Down End é", "one twoé"),
    ],
)
def test_editing_keys(keys: str, result: str) -> None:
    computer = start("one two")
    press(computer, "ctrl+End")
    press(computer, keys)
    assert text_of(computer) == result


@pytest.mark.parametrize(("count", "result"), [(1, "oneX two"), (2, "X two"), (3, "X")])
def test_clicks_in_a_row_select_more(count: int, result: str) -> None:
    computer = start("one two")
    area = computer.locate(role="text").box
    computer.perform(Click(x=area.x + 4 + 8 * 3, y=area.y + 5, count=count))
    computer.perform(Type(text="X"))
    assert text_of(computer) == result


def test_unsaved_changes_are_asked_about() -> None:
    computer = start("old")
    computer.perform(Type(text="new "))
    press(computer, "ctrl+q")
    computer.locate(role="push button", name="Cancel").click()
    assert len(computer.windows()) == 1
    press(computer, "ctrl+q")
    computer.perform(Type(text="ignored"))
    computer.locate(role="push button", name="Save").click()
    assert computer.windows() == []
    assert computer.read_file("notes.txt") == b"new old"


def test_changes_can_be_dropped() -> None:
    computer = start("old")
    computer.perform(Type(text="new "))
    press(computer, "ctrl+w")
    computer.locate(name="Don't Save").click()
    assert computer.windows() == []
    assert computer.read_file("notes.txt") == b"old"


def test_title_bar_closes_the_window() -> None:
    computer = start("old")
    box = computer.windows()[0].box
    computer.perform(Click(x=box.x + box.width - 10, y=box.y + 10))
    assert computer.windows() == []


def test_clicking_brings_a_window_to_the_front() -> None:
    computer = start("first")
    computer.write_file("two.txt", b"second")
    computer.launch(["mousepad", "two.txt"])
    computer.perform(Type(text="2"))
    box = computer.windows()[0].box
    computer.perform(Click(x=box.x + 5, y=box.y + 60))
    computer.perform(Type(text="1"))
    active = computer.active_window()
    assert active and "notes.txt" in active.title
    texts = [node.text for node in computer.locate(role="text").all()]
    assert texts == ["1first", "2second"]


def test_an_open_menu_takes_the_click_that_closes_it() -> None:
    computer = start("text")
    press(computer, "alt+f")
    assert computer.locate(role="menu item", name="Save").exists
    press(computer, "X")
    area = computer.locate(role="text").box
    computer.perform(Click(x=area.x + 300, y=area.y + 300))
    assert not computer.locate(role="menu item", name="Save").exists
    assert text_of(computer) == "text"


def test_long_texts_follow_the_caret_and_the_wheel() -> None:
    computer = start("".join(f"{number}\n" for number in range(100)))
    area = computer.locate(role="text").box
    top = computer.screenshot(cursor=False)
    press(computer, "ctrl+End")
    assert computer.screenshot(cursor=False) != top
    computer.perform(Scroll(x=area.x + 9, y=area.y + 9, dy=-1000))
    computer.perform(Click(x=area.x + 4, y=area.y + 4))
    computer.perform(Type(text="X"))
    assert text_of(computer).startswith("X0\n")


# -- files and commands ------------------------------------------------------------------------------------------------


def test_only_the_users_own_places_can_be_written() -> None:
    computer = start()
    computer.write_file("/tmp/free", b"x")
    for place in ("/etc/passwd", "/new", "../other/file"):
        with pytest.raises(PermissionError):
            computer.write_file(place, b"x")
    with pytest.raises(PermissionError):
        computer.remove_file(".")
    with pytest.raises(ValueError, match="null"):
        computer.read_file("a\0b")


def test_small_commands() -> None:
    computer = start()
    assert computer.run(["mkdir", "-p", "a/b"]).code == 0
    assert computer.run(["touch", "a/b/c"]).code == 0
    assert computer.run(["ls", "-la", "a"]).stdout == "b\n"
    assert computer.run(["rm", "-r", "a"]).code == 0
    assert computer.run(["ls", "a"]).code == 2
    assert computer.run(["/bin/true"]).code == 0
    assert computer.run(["sleep", "soon"]).code == 1
    with pytest.raises(SpecError, match="name of a program"):
        computer.run([])
    with pytest.raises(ComputerError, match="no folder"):
        computer.run(["pwd"], cwd="/missing")


def test_a_window_that_does_not_come_is_not_ready() -> None:
    with pytest.raises(NotReady, match=r"'Other'.*notes"):
        start().launch(["mousepad", "notes.txt"], window="Other")


# -- life --------------------------------------------------------------------------------------------------------------


def test_nothing_works_before_the_start() -> None:
    with pytest.raises(ComputerError, match="not started"):
        FakeComputer().screenshot()


def test_a_closed_computer_cannot_be_started_again() -> None:
    computer = start()
    computer.close()
    with pytest.raises(ComputerError, match="closed"):
        computer.start()


def test_snapshots_go_with_the_computer_that_made_them() -> None:
    computer, other = start("x"), start()
    mark = computer.snapshot()
    assert mark.path.exists()
    computer.close()
    assert not mark.path.parent.exists()
    with pytest.raises(ComputerError, match="is gone"):
        other.restore(mark)


@pytest.mark.parametrize("size", [(0, 0), (100, 100), (20_000, 600)])
def test_odd_sizes_are_refused(size: tuple[int, int]) -> None:
    with pytest.raises(SpecError, match="size"):
        FakeComputer(size=size)


@pytest.mark.parametrize("size", [(320, 320), (1920, 1080), (333, 777)])
def test_editor_fits_on_every_size(size: tuple[int, int]) -> None:
    with FakeComputer(size=size) as computer:
        for _ in range(9):
            computer.launch(["mousepad"])
        computer.locate(role="menu", name="File", nth=-1).click()
        computer.locate(role="menu item", name="Quit").click()
        assert computer.screenshot().size == size


# -- faults ------------------------------------------------------------------------------------------------------------


def test_a_lost_computer_stays_lost() -> None:
    computer = start("x")
    computer.fail_next("screenshot")
    computer.tree()
    with pytest.raises(ComputerLost, match="screenshot"):
        computer.screenshot()
    with pytest.raises(ComputerLost):
        computer.tree()
    computer.close()


def test_an_error_of_ones_own_happens_once() -> None:
    computer = start()
    computer.fail_next("run", NotReady("busy"))
    with pytest.raises(NotReady, match="busy"):
        computer.run(["true"])
    assert computer.run(["true"]).code == 0


def test_start_and_inner_events_can_fail_too() -> None:
    computer = FakeComputer()
    computer.fail_next("start")
    with pytest.raises(ComputerLost):
        computer.start()
    computer = start()
    computer.fail_next("pointer_button", ComputerError("stuck"))
    with pytest.raises(ComputerError, match="stuck"):
        computer.perform(Click(x=1, y=1))


def test_unknown_faults_are_refused() -> None:
    with pytest.raises(SpecError, match="screnshot"):
        FakeComputer().fail_next("screnshot")


def test_a_finger_does_what_a_mouse_does() -> None:
    with FakeComputer() as computer:
        computer.write_file("long.txt", "".join(f"line {number}\n" for number in range(200)).encode())
        computer.launch(["mousepad", "long.txt"])
        x, y = computer.locate(role="text").box.center
        before = computer.screenshot(cursor=False)
        performed = computer.perform(Swipe(path=((x, y + 90), (x, y - 90))))
        assert performed.element and performed.element.role == "text"
        assert computer.screenshot(cursor=False) != before
        computer.perform(Swipe(path=((x, y - 90), (x, y + 90))))
        assert computer.screenshot(cursor=False) == before
        menu = computer.locate(role="menu", name="File").box.center
        computer.perform(Tap(x=menu[0], y=menu[1]))
        assert computer.locate(role="menu item", name="Save").exists
        computer.perform(Pinch(x=x, y=y, scale=2))
        computer.perform(LongPress(x=x, y=y))


def test_touch_is_offered_where_there_is_no_pointer() -> None:
    with FakeComputer() as computer:
        assert "tap" not in allowed_actions(computer)
        assert "touch" in computer.capabilities
    with FakeComputer(without=("pointer",)) as computer:
        kinds = allowed_actions(computer)
        assert {"tap", "long_press", "swipe", "pinch", "type"} <= set(kinds)
        assert "click" not in kinds


def test_a_part_that_does_not_exist_cannot_be_left_out() -> None:
    with pytest.raises(UnknownName, match="tre"):
        FakeComputer(without=("tre",))  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="screen"):
        FakeComputer(without=("screen",))


def test_with_patience_nothing_is_waited_for_any_longer() -> None:
    with FakeComputer() as computer:
        began = computer.clock()
        with computer.patience(3.0):
            with pytest.raises(NotReady, match="did not happen"):
                computer.wait_for(lambda _: False, timeout_sec=10)
            for wait in (
                lambda: computer.wait_for(lambda _: True, timeout_sec=10),
                lambda: computer.wait_activity(1.0),
                lambda: computer.locate(role="nobody").wait(10),
            ):
                with pytest.raises(NotReady, match="already taken so long"):
                    wait()
            with computer.patience(60.0), pytest.raises(NotReady, match="already taken so long"):
                computer.wait_activity(1.0)
        assert computer.clock() - began < 4.0
        assert computer.wait_for(lambda _: True, timeout_sec=10)

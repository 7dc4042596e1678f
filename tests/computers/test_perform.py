"""Actions become the right device events, nothing stays pressed, and what was hit is known."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.actions.action import (
    Action,
    Answer,
    AskUser,
    Button,
    Click,
    Done,
    Drag,
    Fail,
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
    Wait,
)
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.backends.fake.parts import FakeKeys, FakePart, FakePointer, FakeTouch, FakeTree
from proctor.computers.backends.fake.world import FakeWorld
from proctor.computers.capabilities import Capability
from proctor.errors import AgentError, ComputerError, SpecError
from proctor.observations.box import Box
from proctor.observations.tree import Node

CTRL, SHIFT, S = "ctrl", "shift", "s"


class Watched(FakeComputer):
    """A computer that writes down every device event, and can break at one of them."""

    def __init__(self, *, break_at: int = 0, without: Sequence[Capability] = ()) -> None:
        super().__init__(size=(800, 600), without=without)
        self.events: list[tuple[object, ...]] = []
        self.break_at = break_at
        self.settled = 0
        self.passed = 0.0
        noted = {
            name: kind(self, self._world)
            for name, kind in (("pointer", NotedPointer), ("keys", NotedKeys), ("touch", NotedTouch))
            if name not in without
        }
        self.parts = replace(self.parts, **noted)

    def note(self, *event: object) -> None:
        self.events.append(event)
        if self.break_at and len(self.events) == self.break_at:
            raise ComputerError("broken on purpose")

    def settle(self, *, timeout_sec: float = 3.0) -> bool:
        self.settled += 1
        return super().settle(timeout_sec=timeout_sec)

    def pass_time(self, seconds: float) -> None:
        self.passed += seconds
        super().pass_time(seconds)

    @property
    def held(self) -> set[str]:
        return {*self._world.desktop.held_buttons, *self._world.desktop.held_keys}


class Noted(FakePart):
    def __init__(self, computer: Watched, world: FakeWorld) -> None:
        super().__init__(world)
        self.note = computer.note


class NotedPointer(Noted, FakePointer):
    def move(self, x: int, y: int) -> None:
        self.note("move", x, y)
        super().move(x, y)

    def button(self, button: Button, down: bool) -> None:
        super().button(button, down)
        self.note("button", button, down)

    def scroll(self, dx: int, dy: int) -> None:
        super().scroll(dx, dy)
        self.note("scroll", dx, dy)


class NotedKeys(Noted, FakeKeys):
    def key(self, key: str, down: bool) -> None:
        super().key(key, down)
        self.note("key", key, down)

    def type(self, text: str) -> None:
        self.note("type", text)


class NotedTouch(FakeTouch):
    def __init__(self, computer: Watched, world: FakeWorld) -> None:
        super().__init__(world)
        self.note = computer.note

    def down(self, finger: int, x: int, y: int) -> None:
        super().down(finger, x, y)
        self.note("down", finger, x, y)

    def move(self, finger: int, x: int, y: int) -> None:
        super().move(finger, x, y)
        self.note("slide", finger, x, y)

    def up(self, finger: int) -> None:
        super().up(finger)
        self.note("up", finger)


class Focused(Watched):
    """A computer whose focus shows prepared elements, one for each look."""

    def __init__(self, *looks: Node | None) -> None:
        super().__init__()
        self.parts = replace(self.parts, tree=Prepared(self._world, looks))


class Prepared(FakeTree):
    def __init__(self, world: FakeWorld, looks: Sequence[Node | None]) -> None:
        super().__init__(world)
        self.looks = iter(looks)

    def focused(self) -> Node | None:
        return next(self.looks)


def text_node(text: str, **changes: object) -> Node:
    fields: dict[str, object] = {"role": "text", "app": "editor", "text": text}
    return Node(index=0, parent=None, depth=0, **(fields | changes))  # type: ignore[arg-type]


@pytest.fixture
def computer() -> Iterator[Watched]:
    with Watched() as computer:
        yield computer


@pytest.mark.parametrize(
    ("action", "events"),
    [
        (Move(x=10.9, y=20), [("move", 10, 20)]),
        (Click(x=5, y=6), [("move", 5, 6), ("button", "left", True), ("button", "left", False)]),
        (Click(x=5, y=6, button="back"), [("move", 5, 6), ("button", "back", True), ("button", "back", False)]),
        (Click(), [("move", 400, 300), ("button", "left", True), ("button", "left", False)]),
        (
            Click(x=5, y=6, count=2, button="right"),
            [("move", 5, 6), *[("button", "right", True), ("button", "right", False)] * 2],
        ),
        (
            Click(x=5, y=6, modifiers=("ctrl", "shift")),
            [
                ("move", 5, 6), ("key", CTRL, True), ("key", SHIFT, True), ("button", "left", True),
                ("button", "left", False), ("key", SHIFT, False), ("key", CTRL, False),
            ],
        ),
        (MouseDown(button="middle"), [("button", "middle", True)]),
        (MouseUp(button="forward"), [("button", "forward", False)]),
        (Scroll(x=1, y=2, dy=2), [("move", 1, 2), ("scroll", 0, 2)]),
        (Scroll(x=1, y=2, dy=-1), [("move", 1, 2), ("scroll", 0, -1)]),
        (Scroll(x=1, y=2, dx=1), [("move", 1, 2), ("scroll", 1, 0)]),
        (Scroll(x=1, y=2, dx=-1), [("move", 1, 2), ("scroll", -1, 0)]),
        (Type(text="a<é\n"), [("type", "a<é\n")]),
        (Press(keys="ctrl+s"), [("key", CTRL, True), ("key", S, True), ("key", S, False), ("key", CTRL, False)]),
        (Press(keys="s s"), [("key", S, True), ("key", S, False)] * 2),
        (KeyDown(key="ctrl"), [("key", CTRL, True)]),
        (KeyUp(key="ctrl"), [("key", CTRL, False)]),
        (Wait(seconds=2), []),
    ],
)  # fmt: skip
def test_device_events(computer: Watched, action: Action, events: list[tuple[object, ...]]) -> None:
    computer.perform(action)
    assert computer.events == events


def test_drag_travels_in_small_steps_with_time_between(computer: Watched) -> None:
    computer.perform(Drag(path=((10, 10), (210, 10), (210, 60)), modifiers=("shift",)))
    kinds = [event[0] for event in computer.events]
    assert computer.events[0] == ("move", 10, 10)
    assert computer.events[1:3] == [("key", SHIFT, True), ("button", "left", True)]
    assert computer.events[-2:] == [("button", "left", False), ("key", SHIFT, False)]
    points = [(x, y) for kind, x, y in computer.events if kind == "move"]
    assert (210, 10) in points
    assert points[-1] == (210, 60)
    steps = [abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in zip(points, points[1:], strict=False)]  # type: ignore[operator]
    assert max(steps) <= 25
    assert kinds.count("move") >= 10
    assert 0.1 < computer.passed < 1


def test_drag_of_one_point_starts_at_the_pointer(computer: Watched) -> None:
    computer.perform(Drag(path=((500, 300),)))
    assert computer.events[0] == ("move", 400, 300)
    assert computer.events[-2] == ("move", 500, 300)


inside = st.tuples(st.floats(0, 799.9), st.floats(0, 599.9))


@given(st.lists(inside, min_size=1, max_size=6))
def test_any_drag_inside_stays_inside_and_lets_go(path: list[tuple[float, float]]) -> None:
    with Watched() as computer:
        computer.perform(Drag(path=tuple(path)))
        points = [(x, y) for kind, x, y in computer.events if kind == "move"]
        assert all(0 <= x < 800 and 0 <= y < 600 for x, y in points)  # type: ignore[operator]
        assert points[-1] == (int(path[-1][0]), int(path[-1][1]))
        assert computer.held == set()


@pytest.mark.parametrize("break_at", range(2, 9))
@pytest.mark.parametrize(
    "action",
    [
        Click(x=5, y=6, count=2, modifiers=("ctrl", "shift")),
        Drag(path=((1, 1), (200, 200)), modifiers=("ctrl",)),
        Scroll(x=1, y=1, dy=3, modifiers=("ctrl", "shift", "alt", "super")),
        Press(keys="ctrl+shift+s ctrl+s"),
    ],
)
def test_nothing_stays_pressed_after_an_error(action: Action, break_at: int) -> None:
    with Watched(break_at=break_at) as computer:
        with pytest.raises(ComputerError, match="on purpose"):
            computer.perform(action)
        assert computer.held == set()
        assert computer.history == []


@pytest.mark.parametrize(
    "action",
    [
        Click(x=800, y=0),
        Move(x=-0.1, y=0),
        Drag(path=((0, 0), (0, 600))),
        Scroll(x=900, y=900, dy=1),
        Press(keys="s nosuchkey"),
        Click(x=1, y=1, modifiers=("nosuchkey",)),
        KeyDown(key="ctrl+s"),
        Type(text="half\x01way"),
    ],
)
def test_impossible_actions_touch_nothing(computer: Watched, action: Action) -> None:
    with pytest.raises(AgentError) as caught:
        computer.perform(action)
    assert caught.value.remedy
    assert [event for event in computer.events if event[0] != "move"] == []
    assert computer.history == []


@pytest.mark.parametrize("signal", [Done(), Fail(), Answer(text="42"), AskUser(question="?")])
def test_signals_are_refused(computer: Watched, signal: Action) -> None:
    with pytest.raises(SpecError, match=signal.kind):
        computer.perform(signal)


def test_missing_capabilities_are_named() -> None:
    with Watched(without=("pointer", "keys")) as computer:
        for action in (Click(x=1, y=1), Type(text="a"), Scroll(dy=1), MouseDown(), KeyDown(key="a")):
            with pytest.raises(SpecError, match="has no (mouse pointer|keyboard)"):
                computer.perform(action)
        with pytest.raises(SpecError, match="has no code interpreter"):
            computer.perform(RunCode(code="1"))
        assert computer.perform(Wait(seconds=0)).action == Wait(seconds=0)


def test_pace_decides_about_settling(computer: Watched) -> None:
    computer.perform(Move(x=1, y=1))
    assert computer.settled == 1
    computer.pace = "realtime"
    computer.perform(Move(x=2, y=2))
    assert computer.settled == 1


def test_wait_takes_exactly_its_time(computer: Watched) -> None:
    computer.perform(Wait(seconds=12.5))
    assert computer.passed == 12.5


@pytest.mark.parametrize(
    ("second", "pace", "apart"),
    [
        (Click(x=5, y=5), "settle", True),
        (Click(), "settle", True),
        (Click(x=5, y=5), "realtime", False),
        (Click(x=50, y=5), "settle", False),
        (Click(x=50, y=5, count=2), "settle", True),
        (Click(x=5, y=5, button="right"), "settle", False),
    ],
)
def test_only_clicks_that_would_fuse_are_kept_apart(computer: Watched, second: Click, pace: str, apart: bool) -> None:
    computer.pace = pace  # type: ignore[assignment]
    computer.perform(Click(x=5, y=5))
    computer.perform(second)
    assert (computer.passed > 0.3) is apart


def test_element_is_looked_up_before_the_action(computer: Watched) -> None:
    computer.write_file("notes.txt", b"words")
    computer.launch(["mousepad", "notes.txt"])
    menu = computer.locate(role="menu", name="File").find()
    assert menu.box
    x, y = menu.box.center
    performed = computer.perform(Click(x=x, y=y))
    assert performed.element == menu
    for action in (Move(x=x, y=y), Scroll(x=x, y=y, dy=1), Drag(path=((x, y), (1, 1))), MouseUp()):
        computer.perform(Move(x=x, y=y))
        element = computer.perform(action).element
        assert element and element.name == "File"
    assert computer.perform(Wait(seconds=0)).element is None


def test_keys_record_the_focused_element(computer: Watched) -> None:
    computer.launch(["mousepad"])
    for action in (Type(text="a"), Press(keys="b"), KeyDown(key="c"), KeyUp(key="c")):
        element = computer.perform(action).element
        assert element and element.role == "text"


def test_without_a_tree_no_element_is_known() -> None:
    with Watched(without=("tree",)) as computer:
        assert computer.perform(Click(x=1, y=1)).element is None


@pytest.mark.parametrize(
    ("before", "after", "verified"),
    [
        (text_node("one "), text_node("one two"), True),
        (text_node("two"), text_node("two two"), True),
        (text_node("one"), text_node("one tw"), False),
        (text_node("two"), text_node("two"), None),
        (None, text_node("two"), None),
        (text_node("one"), None, None),
        (text_node("", role="password text"), text_node("●●●", role="password text"), None),
        (text_node("$ ", role="terminal"), text_node("$ two", role="terminal"), None),
        (text_node("x" * 2000), text_node("x" * 2000), None),
        (text_node("one"), text_node("", app="other"), None),
        (text_node("one", name="First"), text_node("", name="Second"), None),
    ],
)
def test_typing_is_verified_where_the_tree_can_tell(
    before: Node | None, after: Node | None, verified: bool | None
) -> None:
    with Focused(before, after) as computer:
        assert computer.perform(Type(text="two")).verified is verified


@pytest.mark.parametrize(("key", "verified"), [("\t", None), ("\n", None), ("", False)])
def test_leaving_a_field_proves_nothing(key: str, verified: bool | None) -> None:
    first, second = text_node("", box=Box(0, 0, 9, 9)), text_node("", box=Box(0, 20, 9, 9))
    with Focused(first, second) as computer:
        assert computer.perform(Type(text=f"two{key}")).verified is verified


def test_typing_nothing_proves_nothing() -> None:
    with Focused(text_node("a")) as computer:
        assert computer.perform(Type(text="")).verified is None


def test_performed_actions_are_kept_in_order(computer: Watched) -> None:
    done = [computer.perform(Move(x=1, y=1)), computer.perform(Type(text="a"))]
    assert computer.history == done
    assert done[0].started <= done[0].ended <= done[1].started


# -- touch ----------------------------------------------------------------------------------------------------------


def test_a_tap_is_down_and_up(computer: Watched) -> None:
    computer.perform(Tap(x=5.9, y=6))
    assert computer.events == [("down", 0, 5, 6), ("up", 0)]
    computer.events.clear()
    computer.perform(Tap(x=5, y=6, count=2))
    assert computer.events == [("down", 0, 5, 6), ("up", 0)] * 2


def test_two_taps_are_not_a_double_tap(computer: Watched) -> None:
    computer.perform(Tap(x=5, y=6))
    assert computer.passed == 0
    computer.perform(Tap(x=5, y=6))
    assert 0.3 < computer.passed <= 0.5


def test_a_long_press_holds_the_finger(computer: Watched) -> None:
    computer.perform(LongPress(x=5, y=6, seconds=2))
    assert computer.events == [("down", 0, 5, 6), ("up", 0)]
    assert computer.passed == 2


def test_a_swipe_goes_along_its_path_in_its_time(computer: Watched) -> None:
    computer.perform(Swipe(path=((10, 500), (10, 100), (200, 100)), seconds=0.4))
    kinds = [event[0] for event in computer.events]
    assert kinds == ["down", *["slide"] * (len(kinds) - 2), "up"]
    assert computer.events[0] == ("down", 0, 10, 500)
    assert ("slide", 0, 10, 100) in computer.events
    assert computer.events[-2] == ("slide", 0, 200, 100)
    assert computer.passed == pytest.approx(0.4)


@pytest.mark.parametrize(("scale", "apart"), [(2.0, True), (10, True), (0.5, False), (0.1, False)])
def test_a_pinch_moves_two_fingers_by_its_scale(computer: Watched, scale: float, apart: bool) -> None:
    computer.perform(Pinch(x=400, y=300, scale=scale))
    first, second = computer.events[:2]
    assert [event[:2] for event in (first, second)] == [("down", 0), ("down", 1)]
    begun = second[2] - first[2]  # type: ignore[operator]
    ended = computer.events[-3][2] - computer.events[-4][2]  # type: ignore[operator]
    assert (ended > begun) is apart
    assert ended / begun == pytest.approx(scale, rel=0.05)
    assert [event[0] for event in computer.events[-2:]] == ["up", "up"]


@given(st.integers(0, 799), st.integers(0, 599), st.floats(0.1, 10))
def test_fingers_stay_on_the_screen(x: int, y: int, scale: float) -> None:
    with Watched() as computer:
        try:
            computer.perform(Pinch(x=x, y=y, scale=scale))
        except AgentError as error:
            assert "no room" in error.message
            assert max(min(x, 799 - x), min(y, 599 - y)) < 20
        places = [event[2:] for event in computer.events if event[0] in ("down", "slide")]
        assert all(0 <= px < 800 and 0 <= py < 600 for px, py in places)  # type: ignore[operator]


@pytest.mark.parametrize("break_at", range(1, 4))
@pytest.mark.parametrize(
    "action", [Swipe(path=((1, 1), (200, 200))), Pinch(x=9, y=99, scale=2), Tap(x=1, y=1, count=2)]
)
def test_no_finger_stays_down_after_an_error(action: Action, break_at: int) -> None:
    with Watched(break_at=break_at) as computer:
        with pytest.raises(ComputerError, match="on purpose"):
            computer.perform(action)
        assert isinstance(computer.parts.touch, NotedTouch)
        assert computer.parts.touch.fingers == {}


@pytest.mark.parametrize("action", [Tap(x=800, y=1), Swipe(path=((1, 1), (1, 600))), Pinch(x=-1, y=1, scale=2)])
def test_fingers_cannot_leave_the_screen(computer: Watched, action: Action) -> None:
    with pytest.raises(AgentError, match="outside the desktop"):
        computer.perform(action)
    assert not [event for event in computer.events if event[0] == "slide"]


def test_touch_needs_a_touch_screen() -> None:
    with Watched(without=("touch",)) as computer, pytest.raises(SpecError, match="this computer has no touch screen"):
        computer.perform(Tap(x=1, y=1))

"""Locators find the one element that is meant, wait for it, and explain themselves when they cannot."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.actions.action import Click, Drag, Move, Press, Type, Wait
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.query import Query, is_related, visible_part
from proctor.errors import ElementNotFound, NotReady, SpecError
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree

SHOWN = frozenset({"showing", "visible", "enabled"})


def tree_of(*rows: tuple[int, str, str, Box | None], window: str = "Main", degraded: tuple[str, ...] = ()) -> Tree:
    """Build a tree from (depth, role, name, box); elements without a box are not showing."""
    nodes: list[Node] = []
    for index, (depth, role, name, box) in enumerate(rows):
        parent = next((node.index for node in reversed(nodes) if node.depth < depth), None)
        states = SHOWN if box else frozenset()
        nodes.append(
            Node(
                index=index, parent=parent, depth=depth, role=role, name=name, states=states, box=box, app="app",
                window=window,
            )
        )  # fmt: skip
    return Tree(tuple(nodes), degraded)


class Staged(FakeComputer):
    """A computer that shows prepared trees: one for each look, the last one for ever."""

    def __init__(self, *trees: Tree, hit: Callable[[float, float], Node | None] = lambda x, y: None) -> None:
        super().__init__()
        self.trees = list(trees)
        self.hit = hit
        self.looks = 0

    def tree(self) -> Tree:
        self.looks += 1
        return self.trees.pop(0) if len(self.trees) > 1 else self.trees[0]

    def element_at(self, x: float, y: float) -> Node | None:
        return self.hit(x, y)


def staged(*trees: Tree, hit: Callable[[float, float], Node | None] = lambda x, y: None) -> Staged:
    return Staged(*trees, hit=hit).start()


BUTTONS = tree_of(
    (0, "application", "app", None),
    (1, "frame", "Main", Box(0, 0, 800, 600)),
    (2, "push button", "Save As...", Box(10, 10, 80, 20)),
    (2, "push button", "Save", Box(100, 10, 80, 20)),
    (2, "panel", "Footer", Box(0, 500, 800, 100)),
    (3, "push button", "Cancel", Box(10, 510, 80, 20)),
    (3, "push button", "OK", Box(100, 510, 80, 20)),
    (2, "menu item", "Close", None),
)
EMPTY = tree_of((0, "application", "app", None))


# -- matching ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("description", "found"),
    [
        ({"name": "Save"}, ["Save"]),
        ({"name": "save"}, ["Save"]),
        ({"name": "Save A"}, ["Save As..."]),
        ({"name": "SAVE AS"}, ["Save As..."]),
        ({"name": re.compile("Save")}, ["Save As...", "Save"]),
        ({"name": re.compile("^Save$")}, ["Save"]),
        ({"name": re.compile("save")}, []),
        ({"role": "push button", "name": "a"}, ["Save As...", "Save", "Cancel"]),
        ({"role": "Push Button", "name": "ok"}, ["OK"]),
        ({"role": "button"}, []),
        ({"app": "APP", "role": "panel"}, ["Footer"]),
        ({"app": "other"}, []),
        ({"window": "main", "role": "panel"}, ["Footer"]),
        ({"window": "Elsewhere"}, []),
        ({"name": "Close"}, []),
    ],
)
def test_matching(description: dict[str, str], found: list[str]) -> None:
    computer = staged(BUTTONS)
    assert [node.name for node in computer.locate(**description).all()] == found  # type: ignore[arg-type]


def test_hidden_elements_count_only_if_asked_for() -> None:
    locator = staged(BUTTONS).locate(name="Close")
    assert locator.all() == []
    assert [node.role for node in locator.all(hidden=True)] == ["menu item"]
    assert not locator.exists


def test_text_is_matched_too() -> None:
    nodes = list(EMPTY.nodes)
    nodes.append(replace(BUTTONS.nodes[2], index=1, parent=0, depth=1, role="text", name="", text="Dear reader"))
    computer = staged(Tree(tuple(nodes)))
    assert computer.locate(text="dear").find().text == "Dear reader"
    assert computer.locate(role="text").text == "Dear reader"


def test_nth_counts_in_tree_order() -> None:
    computer = staged(BUTTONS)
    names = [computer.locate(role="push button", nth=place).find().name for place in (0, 1, -1)]
    assert names == ["Save As...", "Save", "OK"]
    assert computer.locate(role="push button", nth=3).exists
    assert not computer.locate(role="push button", nth=4).exists
    with pytest.raises(ElementNotFound, match="only 4"):
        computer.locate(role="push button", nth=4).find()


def test_within_narrows_to_what_is_inside() -> None:
    computer = staged(BUTTONS)
    footer = computer.locate(role="panel", name="Footer")
    assert [node.name for node in computer.locate(role="push button", within=footer).all()] == ["Cancel", "OK"]
    with pytest.raises(ElementNotFound, match="no element with name 'Header'"):
        computer.locate(role="push button", within=computer.locate(name="Header")).find()


def test_several_matches_are_an_error_that_lists_them() -> None:
    with pytest.raises(SpecError) as caught:
        staged(BUTTONS).locate(role="push button").find()
    assert "fits 4 elements" in caught.value.message
    assert "'Cancel'" in caught.value.message
    assert "nth" in caught.value.remedy


def test_a_button_and_its_label_are_one_thing() -> None:
    tree = tree_of(
        (0, "application", "app", None),
        (1, "push button", "Go", Box(10, 10, 80, 20)),
        (2, "label", "Go", Box(20, 12, 20, 16)),
    )
    assert staged(tree).locate(name="Go").find().role == "label"
    assert staged(tree).locate(role="push button", name="Go").find().role == "push button"


def test_a_locator_needs_a_tree() -> None:
    with pytest.raises(SpecError, match="this computer has no accessibility tree"):
        FakeComputer(without=("tree",)).locate(name="Save")


# -- near matches ------------------------------------------------------------------------------------------------------


def not_found(computer: Staged, **description: str) -> str:
    with pytest.raises(ElementNotFound) as caught:
        computer.locate(**description).find()  # type: ignore[arg-type]
    return str(caught.value)


def test_near_names_are_listed_with_the_reason() -> None:
    message = not_found(staged(BUTTONS), role="push button", name="Cancl")
    assert "push button 'Cancel' in app: its name is 'Cancel'" in message
    assert "'OK'" not in message


def test_other_roles_are_listed() -> None:
    assert "push button 'Save' in app: its role is 'push button'" in not_found(
        staged(BUTTONS), role="menu item", name="Save"
    )


def test_near_matches_of_patterns_are_listed() -> None:
    with pytest.raises(ElementNotFound, match="its role is 'push button'"):
        staged(BUTTONS).locate(role="menu item", name=re.compile("^Save$")).find()


def test_what_is_not_showing_is_listed() -> None:
    assert "menu item 'Close' in app: it is not showing" in not_found(staged(BUTTONS), role="menu item", name="Close")


def test_other_windows_are_listed() -> None:
    message = not_found(staged(BUTTONS), role="push button", name="Save", window="Dialog")
    assert "its window is 'Main'" in message


def test_at_most_five_near_matches_are_listed() -> None:
    rows = [(1, "push button", f"Save {number}", Box(0, number, 9, 9)) for number in range(20)]
    message = not_found(staged(tree_of((0, "application", "app", None), *rows)), role="menu item", name="Save")
    assert message.count("its role is") == 5


def test_an_empty_or_incomplete_tree_is_told() -> None:
    assert "nothing is like it" in not_found(staged(EMPTY), name="Save")
    broken = tree_of((0, "application", "app", None), degraded=("app did not answer",))
    assert "app did not answer" in not_found(staged(broken), name="Save")


names = st.text(max_size=12)


@given(st.lists(names, max_size=12), names.filter(bool))
def test_any_tree_gives_a_match_or_a_message(labels: list[str], wanted: str) -> None:
    rows = [(1, "push button", label, Box(0, place, 9, 9)) for place, label in enumerate(labels)]
    computer = staged(tree_of((0, "application", "app", None), *rows))
    locator = computer.locate(role="push button", name=wanted)
    matching = [label for label in labels if wanted.casefold() in label.casefold()]
    whole = [label for label in labels if label.casefold() == wanted.casefold()]
    assert [node.name for node in locator.all()] == (whole or matching)
    if not matching:
        with pytest.raises(ElementNotFound):
            locator.find()


# -- waiting -----------------------------------------------------------------------------------------------------------


def test_waits_until_the_element_appears() -> None:
    computer = staged(EMPTY, EMPTY, EMPTY, BUTTONS)
    assert computer.locate(name="OK").wait().exists
    assert computer.looks >= 4


def test_waiting_for_what_does_not_come_ends() -> None:
    with pytest.raises(ElementNotFound, match=r"after 3 s"):
        staged(BUTTONS).locate(name="Never").wait(3)


def test_acting_on_what_does_not_come_ends() -> None:
    computer = staged(BUTTONS)
    computer.perform(Wait(seconds=50))
    started = computer.clock()
    with pytest.raises(ElementNotFound, match=r"after 3 s"):
        computer.locate(name="Never").click(timeout_sec=3)
    assert computer.clock() - started < 4


def test_waits_until_it_is_gone() -> None:
    computer = staged(BUTTONS, BUTTONS, EMPTY)
    computer.locate(name="OK").wait(gone=True)
    with pytest.raises(NotReady, match="disappearance"):
        staged(BUTTONS).locate(name="OK").wait(2, gone=True)


def test_passing_ambiguity_is_waited_out() -> None:
    twice = Tree((*BUTTONS.nodes, replace(BUTTONS.nodes[3], index=8, box=Box(9, 9, 9, 9))))
    assert staged(twice, BUTTONS).locate(role="push button", name="Save").wait()
    with pytest.raises(SpecError, match="fits 2"):
        staged(twice).locate(role="push button", name="Save").wait()


def moved(x: int) -> Tree:
    return tree_of((0, "application", "app", None), (1, "push button", "Go", Box(x, 10, 20, 20)))


def test_acts_only_when_the_element_rests() -> None:
    computer = staged(moved(0), moved(50), moved(100), moved(100))
    assert computer.locate(name="Go").click().action == Click(x=110, y=20)


def test_an_element_that_never_rests_is_not_ready() -> None:
    with pytest.raises(NotReady, match="kept moving"):
        staged(*(moved(place % 90) for place in range(500))).locate(name="Go").click(timeout_sec=1)


def test_a_covered_element_is_not_ready() -> None:
    cover = replace(moved(0).nodes[1], role="dialog", name="Wait", window="Wait", box=Box(0, 0, 99, 99))
    with pytest.raises(NotReady, match="covered by dialog 'Wait'"):
        staged(moved(0), hit=lambda x, y: cover).locate(name="Go").click(timeout_sec=1)


def test_its_own_parts_do_not_cover_it() -> None:
    label = replace(moved(0).nodes[1], role="label", box=Box(5, 12, 10, 10))
    panel = replace(moved(0).nodes[1], role="panel", name="", box=Box(0, 0, 300, 300))
    for hit in (label, panel, None):
        computer = staged(moved(0), hit=lambda x, y, hit=hit: hit)  # type: ignore[misc]
        assert computer.locate(name="Go").click().action == Click(x=10, y=20)


def test_an_open_menu_covers_what_lies_under_it() -> None:
    button = moved(0).nodes[1]
    item = replace(button, role="menu item", name="Open", box=Box(0, 0, 300, 300))
    assert not is_related(button, item)
    assert is_related(replace(button, role="menu item"), item)


def test_scrolled_out_elements_are_not_ready() -> None:
    tree = tree_of(
        (0, "application", "app", None),
        (1, "scroll pane", "", Box(0, 0, 100, 100)),
        (2, "text", "", Box(0, -500, 100, 700)),
        (2, "label", "below", Box(0, 150, 100, 20)),
    )
    assert visible_part(tree, tree.nodes[2], (640, 480)) == Box(0, 0, 100, 100)
    assert staged(tree).locate(role="text").click().action == Click(x=50, y=50)
    with pytest.raises(NotReady, match="scroll it into view"):
        staged(tree).locate(name="below").click(timeout_sec=1)


def test_menus_are_not_clipped_by_what_they_float_over() -> None:
    tree = tree_of(
        (0, "application", "app", None),
        (1, "scroll pane", "", Box(0, 0, 100, 100)),
        (2, "combo box", "", Box(0, 80, 100, 20)),
        (3, "menu item", "low", Box(0, 150, 100, 20)),
    )
    assert visible_part(tree, tree.nodes[3], (640, 480)) == Box(0, 150, 100, 20)


# -- acting ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def editor() -> Iterator[FakeComputer]:
    with FakeComputer() as computer:
        computer.write_file("notes.txt", b"old")
        computer.launch(["mousepad", "notes.txt"])
        yield computer


def test_clicks_pass_button_count_and_modifiers(editor: FakeComputer) -> None:
    action = editor.locate(role="text").click(button="right", count=2, modifiers=("ctrl",)).action
    assert isinstance(action, Click)
    assert (action.button, action.count, action.modifiers) == ("right", 2, ("ctrl",))


def test_typing_focuses_and_replaces(editor: FakeComputer) -> None:
    area = editor.locate(role="text")
    assert area.type("new ", clear=True).action == Type(text="new ")
    assert area.text == "new "
    assert [type(done.action) for done in editor.history] == [Click, Press, Type]
    area.type("", clear=True)
    assert area.find().text == ""


def test_pressing_keeps_the_focus_where_it_is(editor: FakeComputer) -> None:
    editor.locate(role="text").press("ctrl+End")
    assert [done.action for done in editor.history] == [Press(keys="ctrl+End")]
    editor.locate(role="menu", name="File").press("Escape")
    assert [type(done.action) for done in editor.history[1:]] == [Click, Press]


def test_hovering_and_dragging(editor: FakeComputer) -> None:
    file, edit = editor.locate(role="menu", name="File"), editor.locate(role="menu", name="Edit")
    x, y = file.box.center
    assert file.hover().action == Move(x=x, y=y)
    assert file.drag_to(edit).action == Drag(path=((x, y), edit.box.center))


def test_description_reads_well(editor: FakeComputer) -> None:
    bar = editor.locate(role="menu bar")
    locator = editor.locate(role="menu", name=re.compile("^F"), window="notes", within=bar, nth=0)
    assert str(locator) == "menu with name /^F/ and window 'notes' within menu bar, number 0"
    assert str(Query()) == "element"


def test_menus_on_the_way_are_opened(editor: FakeComputer) -> None:
    editor.locate(role="text").type("new ")
    editor.locate(role="menu item", name="Save").click()
    hit = [done.element.name for done in editor.history[-2:] if done.element]
    assert hit == ["File", "Save"]
    assert b"new " in editor.read_file("notes.txt")


def test_an_item_that_two_closed_menus_have_is_not_guessed(editor: FakeComputer) -> None:
    performed = len(editor.history)
    with pytest.raises(ElementNotFound):
        editor.locate(role="menu item", name=re.compile("")).click(timeout_sec=0.2)
    assert len(editor.history) == performed

"""The accessibility tree of desktops that are ordinary, broken or hostile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from dbus_fast import Message, Variant
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.computers.channels.atspi.client import AtSpi
from proctor.computers.channels.atspi.link import socket_path
from proctor.errors import ComputerError
from proctor.observations.bounds import CUT, MAX_NAME, MAX_TEXT
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree, Value
from tests.channels.desktops import GONE, SHOWN, App, Desktop, Said, Thing, sheet
from tests.unhurried import now


@dataclass(frozen=True)
class Window:
    title: str
    pid: int
    box: Box = Box(10, 10, 300, 250)


def editor(name: str = "editor", *, cache: str = "all", **fields: Any) -> App:
    text = Thing("text", text="hello", box=(10, 60, 300, 200), states=(*SHOWN, "focused", "multi line"))
    save = Thing("menu item", "Save      ", states=("visible",), box=(-(2**31), -(2**31), 1, 1))
    file = Thing("menu", "File", [save], box=(10, 30, 40, 20), actions=("click",))
    bar = Thing("menu bar", "", [file], box=(10, 30, 300, 20))
    frame = Thing("frame", "notes", [bar, text], box=(10, 10, 300, 250), states=(*SHOWN, "active"))
    return App(name, [frame], cache=cache, **fields)


def find(tree: Tree, role: str, name: str = "") -> Node:
    (node,) = [node for node in tree.nodes if node.role == role and name in node.name]
    return node


def check(tree: Tree) -> None:
    """Hold the invariants of every tree."""
    for index, node in enumerate(tree.nodes):
        assert node.index == index
        if node.parent is None:
            assert (node.depth, node.role) == (0, "application")
        else:
            assert node.parent < index
            assert node.depth == tree.nodes[node.parent].depth + 1
            assert node in tree.descendants(tree.nodes[node.parent])


@pytest.mark.parametrize("cache", ["all", "old", "nothing"])
def test_the_tree_is_the_same_however_the_application_tells_it(cache: str) -> None:
    with Desktop(editor(cache=cache)).reader() as reader:
        tree = reader.read()
    check(tree)
    shown = [(node.depth, node.role, node.name) for node in tree.nodes if node.role != "menu item"]
    assert shown == [
        (0, "application", "editor"),
        (1, "frame", "notes"),
        (2, "menu bar", ""),
        (3, "menu", "File"),
        (2, "text", ""),
    ]
    assert tree.degraded == ()
    text = find(tree, "text")
    assert (text.text, text.box, text.app, text.window) == ("hello", Box(10, 60, 300, 200), "editor", "notes")
    assert text.states == {*SHOWN, "focused", "multi line"}
    assert find(tree, "menu").actions == ("click",)


@pytest.mark.parametrize("own_corner", [True, False])
def test_cells_that_are_counted_from_the_corner_of_their_table_are_where_they_are_drawn(own_corner: bool) -> None:
    x, y = (0, 0) if own_corner else (300, 400)
    cells = [Thing("text", name, box=(x + 20, y + 16 * row, 80, 16)) for row, name in enumerate("abc")]
    table = Thing("table", "Preview", cells, box=(300, 400, 600, 170))
    with Desktop(App("office", [Thing("dialog", "Import", [table], box=(250, 100, 700, 500))])).reader() as reader:
        tree = reader.read()
    assert find(tree, "table").box == Box(300, 400, 600, 170)
    assert [find(tree, "text", name).box for name in "abc"] == [Box(320, 400 + 16 * row, 80, 16) for row in range(3)]


def test_what_is_hidden_has_no_box_and_padded_names_are_trimmed() -> None:
    with Desktop(editor()).reader() as reader:
        save = find(reader.read(), "menu item")
    assert (save.name, save.box, save.showing) == ("Save", None, False)


def test_reading_twice_gives_equal_trees_and_asks_less() -> None:
    desktop = Desktop(editor(), App("calc", [Thing("frame", "book", [sheet(3, 4)])]))
    with desktop.reader() as reader:
        first = reader.read()
        asked = len(desktop.calls)
        second = reader.read()
        assert first == second
        assert len(desktop.calls) - asked < asked


def test_applications_are_in_order_of_their_names() -> None:
    with Desktop(editor("zim"), editor("abiword"), editor("mousepad")).reader() as reader:
        tree = reader.read()
    assert [node.name for node in tree.applications] == ["abiword", "mousepad", "zim"]


def test_children_keep_their_real_order() -> None:
    buttons = [Thing("push button", name) for name in "dacbe"]
    with Desktop(App("app", [Thing("frame", "w", buttons)])).reader() as reader:
        tree = reader.read()
    assert [node.name for node in tree.nodes if node.role == "push button"] == list("dacbe")


def test_a_value_is_read_where_there_is_one() -> None:
    things = [Thing("slider", value=30.0), Thing("push button", value=1.0)]
    with Desktop(App("app", [Thing("frame", "w", things)])).reader() as reader:
        tree = reader.read()
    assert find(tree, "slider").value == Value(current=30.0, minimum=0.0, maximum=100.0, step=1.0)
    assert find(tree, "push button").value is None


def test_attributes_are_read_in_web_pages() -> None:
    page = Thing("document web", "Page", [Thing("paragraph", text="words")])
    with Desktop(App("browser", [Thing("frame", "w", [page])])).reader() as reader:
        tree = reader.read()
    assert find(tree, "paragraph").attributes == {"tag": "p"}
    assert find(tree, "frame").attributes == {}


# -- what applications leave out ------------------------------------------------------------------------------------


def test_objects_missing_from_the_bulk_answer_are_walked_to() -> None:
    app = editor()
    app.left_out = (app.windows[0].children[0],)
    with Desktop(app).reader() as reader:
        tree = reader.read()
    assert [node.name for node in tree.descendants(find(tree, "menu bar"))] == ["File"]
    assert tree.degraded == ()


def test_an_application_that_contradicts_itself_is_walked_from_then_on() -> None:
    panels = [Thing("panel", str(number), [Thing("label", "inside")]) for number in range(5)]
    app = App("office", [Thing("frame", "w", panels)])
    app.left_out = tuple(panels[:3])
    desktop = Desktop(app, editor())
    with desktop.reader() as reader:
        first, second = reader.read(), reader.read()
    assert first == second
    assert len([node for node in first.nodes if node.name == "inside"]) == 5
    assert desktop.asked("GetItems") == 3, "the editor twice, the other once"


def test_what_makes_its_children_on_request_and_is_no_table_is_entered_when_it_is_small() -> None:
    icons = Thing(
        "layered pane", "icons", [Thing("icon", name) for name in "abc"], states=(*SHOWN, "manages descendants")
    )
    app = App("files", [Thing("frame", "w", [icons])])
    app.left_out = tuple(icons.children)
    with Desktop(app).reader() as reader:
        assert [node.name for node in reader.read().nodes if node.role == "icon"] == ["a", "b", "c"]
    app.override = lambda call: ("v", [Variant("i", 10**9)]) if "ChildCount" in call.body else False
    with Desktop(app).reader() as reader:
        tree = reader.read()
    assert not [node for node in tree.nodes if node.role == "icon"]
    assert tree.degraded == ("layered pane 'icons' has 1000000000 children",)


def test_a_spreadsheet_yields_its_visible_cells() -> None:
    desktop = Desktop(App("calc", [Thing("frame", "book", [sheet(5, 4)])]))
    with desktop.reader() as reader:
        tree = reader.read()
    cells = [node for node in tree.nodes if node.role == "table cell"]
    assert [cell.name for cell in cells] == [f"{column}{row}" for row in range(1, 6) for column in "ABCD"]
    assert (cells[5].text, cells[5].box) == ("1:1", Box(150, 120, 50, 20))
    assert tree.degraded == ()
    check(tree)


def test_cells_are_looked_up_again_once_they_have_moved() -> None:
    table = sheet(3, 3)
    desktop = Desktop(App("list", [Thing("frame", "w", [table])]))
    with desktop.reader() as reader:
        first = reader.read()
        looked_up = desktop.asked("GetAccessibleAt")
        assert reader.read() == first
        assert desktop.asked("GetAccessibleAt") == looked_up
        # As after sorting: the same objects, in other rows.
        table.children = table.children[3:] + table.children[:3]
        for cell, box in zip(table.children, [cell.box for cell in sheet(3, 3).children], strict=True):
            cell.box = box
        second = reader.read()
    assert [node.name for node in second.nodes if node.role == "table cell"][:3] == ["A2", "B2", "C2"]


def test_merged_cells_are_seen() -> None:
    table = sheet(6, 6)
    with Desktop(App("calc", [Thing("frame", "w", [table])])).reader() as reader:
        reader.read()
        merged = table.children[14]
        merged.box, merged.states = (merged.box[0], merged.box[1], 100, 40), (*SHOWN, "selected")
        cell = find(reader.read(), "table cell", merged.name)
        assert cell.box == Box(200, 140, 100, 40)
        merged.states = SHOWN
        assert find(reader.read(), "table cell", merged.name).box == Box(200, 140, 100, 40)


def test_a_wider_column_moves_all_that_is_right_of_it() -> None:
    table = sheet(6, 6)
    with Desktop(App("calc", [Thing("frame", "w", [table])])).reader() as reader:
        reader.read()
        for cell in table.children:
            x, y, width, height = cell.box
            cell.box = (x, y, width + 30, height) if x == 150 else (x + 30 * (x > 150), y, width, height)
        boxes = [node.box for node in reader.read().nodes if node.role == "table cell"]
    assert boxes == [Box(*cell.box) for cell in table.children]


def test_a_cell_that_is_named_after_what_it_says_is_renamed_with_it() -> None:
    table = sheet(2, 2)
    for cell in table.children:
        cell.name = cell.text or ""
    with Desktop(App("list", [Thing("frame", "w", [table])])).reader() as reader:
        reader.read()
        table.children[3].name = table.children[3].text = "renamed"
        cells = [node for node in reader.read().nodes if node.role == "table cell"]
    assert [(cell.name, cell.text) for cell in cells[2:]] == [("1:0", "1:0"), ("renamed", "renamed")]


def test_a_new_text_of_a_cell_is_seen() -> None:
    table = sheet(2, 2)
    table.children[0].text = ""
    with Desktop(App("calc", [Thing("frame", "w", [table])])).reader() as reader:
        reader.read()
        table.children[0].text, table.children[1].text = "filled", ""
        table.children[3].text, table.children[3].states = "42", (*SHOWN, "selected")
        cells = [node for node in reader.read().nodes if node.role == "table cell"]
    assert [cell.text for cell in cells] == ["filled", "", "1:0", "42"]
    assert ["selected" in cell.states for cell in cells] == [False, False, False, True]


def test_the_parts_of_a_cell_are_read() -> None:
    table = sheet(2, 1)
    for cell in table.children:
        cell.children = [Thing("icon"), Thing("label", "Computer")]
    with Desktop(App("files", [Thing("frame", "w", [table])])).reader() as reader:
        tree = reader.read()
    assert [node.role for node in tree.descendants(find(tree, "table"))] == ["table cell", "icon", "label"] * 2


# -- applications that can be reached without the bus ----------------------------------------------------------------


def test_much_is_asked_on_the_applications_own_socket() -> None:
    calc = App("calc", [Thing("frame", "book", [sheet(20, 20)])], address="unix:path=/run/app")
    desktop, plain = Desktop(calc, editor()), Desktop(App("calc", [Thing("frame", "book", [sheet(20, 20)])]), editor())
    with desktop.reader() as reader, plain.reader() as other:
        assert reader.read() == other.read()
    assert desktop.direct_calls > 800
    assert plain.direct_calls == 0


@pytest.mark.parametrize("address", ["unix:path=/run/nowhere", "unix:path=/run/deaf", "tcp:host=example.org", ""])
def test_an_address_that_leads_nowhere_changes_nothing(address: str) -> None:
    calc = App("calc", [Thing("frame", "book", [sheet(20, 20)])], address=address)
    with Desktop(calc).reader() as reader:
        tree = reader.read()
    assert len([node for node in tree.nodes if node.role == "table cell"]) == 400
    assert tree.degraded == ()


def test_an_application_that_ends_while_it_is_asked_takes_nothing_else_along() -> None:
    calc = App("calc", [Thing("frame", "book", [sheet(20, 20)])], address="unix:path=/run/app")
    desktop = Desktop(calc, editor())

    def fall_silent(call: Message) -> Said | bool:
        return None if desktop.direct_calls > 100 else False

    calc.override = fall_silent
    with desktop.reader() as reader:
        tree = reader.read(timeout_sec=1)
    assert tree.degraded == ("application 'calc' did not answer in time",)
    assert find(tree, "text").text == "hello"


# -- places that are told wrongly -----------------------------------------------------------------------------------


def misplaced() -> tuple[App, Thing]:
    """An office program that forgets its menu bar, of 27 pixels, when it says where its content is."""
    field = Thing("text", text="field", box=(300, 200, 50, 20), states=(*SHOWN, "focused"))
    pane = Thing("root pane", "book", [Thing("panel", "", [field], box=(200, 100, 800, 500))], box=(200, 100, 800, 500))
    drawn = Thing("panel", "", [pane], box=(200, 127, 800, 500))
    bar = Thing("panel", "", box=(200, 100, 800, 27))
    whole = Thing("panel", "", [bar, drawn], box=(200, 100, 800, 527))
    return App("office", [Thing("frame", "book", [whole], box=(199, 76, 802, 552))]), field


def test_content_is_moved_to_where_it_is_drawn() -> None:
    app, field = misplaced()
    desktop = Desktop(app)
    with desktop.reader() as reader:
        tree = reader.read()
        assert find(tree, "text").box == Box(300, 227, 50, 20)
        assert find(tree, "root pane").box == Box(200, 127, 800, 500)
        desktop.emit(app, field, "StateChanged", "focused")
        reader.read()
        for found in (reader.element_at(310, 235), reader.focused()):
            assert found and (found.role, found.box) == ("text", Box(300, 227, 50, 20))
        assert described(reader.element_at(310, 205)) == ("panel", "", "office", "book")


def test_content_that_is_where_it_is_drawn_stays() -> None:
    app, _ = misplaced()
    for thing in (pane := app.windows[0].children[0].children[1].children[0], pane.children[0]):
        thing.box = (200, 127, 800, 500)
    with Desktop(app).reader() as reader:
        tree = reader.read()
        assert find(tree, "text").box == Box(300, 200, 50, 20)
        assert find(tree, "root pane").box == Box(200, 127, 800, 500)


def calculator() -> tuple[App, Thing]:
    """A GTK 4 program: it counts from its corner, and calls nothing but the window showing."""
    four = Thing("push button", "4", box=(16, 353, 54, 40), states=("visible", "focused"))
    box = Thing("panel", "", [four, Thing("push button", "gone", states=())], box=(0, 0, 350, 503), states=("visible",))
    frame = Thing("frame", "Calculator", [box], box=(0, 0, 350, 503))
    return App("calculator", [frame], cache="nothing", toolkit="GTK 4.8.3", pid=5), four


def test_a_window_that_counts_from_its_corner_is_moved_to_where_the_display_has_it() -> None:
    app, four = calculator()
    desktop = Desktop(app)
    window = Window("Calculator", 5, Box(780, 294, 360, 513))
    with desktop.reader() as reader:
        tree = reader.read(windows=[window])
        assert find(tree, "push button").box == Box(785 + 16, 299 + 353, 54, 40)
        assert find(tree, "push button").showing
        assert find(tree, "frame").box == Box(785, 299, 350, 503)
        found = reader.element_at(820, 670, window=window)
        assert found and (found.name, found.box) == ("4", Box(801, 652, 54, 40))
        desktop.emit(app, four, "StateChanged", "focused")
        reader.read(windows=[window])
        found = reader.focused()
        assert found and (found.name, found.box) == ("4", Box(801, 652, 54, 40))


def test_without_the_display_such_a_window_is_nowhere() -> None:
    with Desktop(calculator()[0]).reader() as reader:
        assert [node.box for node in reader.read().nodes] == [None] * 4


def test_a_nameless_window_gets_the_title_that_is_left() -> None:
    app = App("viewer", [Thing("frame", "", [Thing("label", "x")])], pid=5)
    with Desktop(app).reader() as reader:
        tree = reader.read(windows=[Window("Okular", 5), Window("other", 6)])
        assert [node.window for node in tree.nodes] == ["", "Okular", "Okular"]
        assert described(reader.element_at(20, 20, window=Window("Okular", 5)))[3] == "Okular"
    app = App("clocks", [Thing("frame", "ClocksWindow")], cache="nothing", toolkit="GTK 4.8.3", pid=5)
    with Desktop(app).reader() as reader:
        assert reader.read(windows=[Window("Clocks", 5)]).nodes[1].window == "Clocks"


# -- what applications do wrong -------------------------------------------------------------------------------------


def test_a_hanging_application_is_named_and_the_others_are_whole() -> None:
    apps = editor("good"), editor("bad", hangs=True)
    with Desktop(*apps).reader() as reader:
        apps[1].hangs = False
        whole = reader.read()
        apps[1].hangs = True
        tree = reader.read(timeout_sec=0.6)
        assert tree.degraded == ("application 'bad' did not answer in time",)
        assert [node.name for node in tree.applications] == ["bad", "good"]
        assert len(list(tree.descendants(tree.applications[1]))) == 5
        started = now()
        reader.read(timeout_sec=30)
        assert now() - started < 5, "it must not be waited for again"
        apps[1].hangs = False
        assert reader.read() == whole


def test_an_application_that_hangs_half_way_keeps_what_it_said() -> None:
    app = editor("half")
    app.override = lambda call: None if call.member == "GetExtents" else False
    with Desktop(app, editor("other")).reader() as reader:
        tree = reader.read(timeout_sec=0.8)
    assert tree.degraded == ("application 'half' did not answer in time",)
    assert [node.text for node in tree.nodes if node.role == "text"] == ["", "hello"]


def test_an_empty_desktop_and_a_missing_registry_are_degraded() -> None:
    with Desktop().reader() as reader:
        assert reader.read() == Tree((), ("no application is accessible",))
    with Desktop(registry=False).reader() as reader:
        assert reader.read() == Tree((), ("the accessibility registry did not answer",))


def test_a_window_without_nodes_is_degraded() -> None:
    app = editor()
    app.override = lambda call: GONE if call.member in ("GetItems", "GetState") else False
    with Desktop(app).reader() as reader:
        assert reader.read().degraded == ("application 'editor' has windows but no nodes",)


def test_a_window_that_nobody_answers_for_is_degraded() -> None:
    with Desktop(editor(pid=7)).reader() as reader:
        tree = reader.read(windows=[Window("notes", 7), Window("xterm", 8)])
    assert tree.degraded == ("window 'xterm' is not accessible",)


def test_enormous_strings_are_cut() -> None:
    things = [Thing("label", "n" * 100_000), Thing("text", text="t" * 100_000)]
    with Desktop(App("app", [Thing("frame", "w", things)])).reader() as reader:
        tree = reader.read()
    assert find(tree, "label").name == "n" * MAX_NAME + CUT
    assert find(tree, "text").text == "t" * MAX_TEXT + CUT


def test_of_too_many_children_the_first_are_read() -> None:
    crowd = Thing("list", "crowd", [Thing("list item", str(number)) for number in range(2500)])
    with Desktop(App("app", [Thing("frame", "w", [crowd])], cache="nothing")).reader() as reader:
        tree = reader.read()
    assert [node.name for node in tree.nodes if node.role == "list item"] == [str(number) for number in range(2000)]
    assert tree.degraded == ("list 'crowd' has 2500 children",)


def test_a_cycle_ends() -> None:
    app = editor(cache="nothing")
    inner, outer = app.windows[0].children[0], app.windows[0]
    app.override = lambda call: (
        ("a(so)", [[app.ref(outer), app.ref(inner)]])
        if call.member == "GetChildren" and call.path == inner.path
        else False
    )
    with Desktop(app).reader() as reader:
        tree = reader.read()
    check(tree)
    assert [node.role for node in tree.nodes] == ["application", "frame", "menu bar", "text"]


def test_an_application_cannot_speak_for_another() -> None:
    liar, victim = editor("liar"), editor("victim")
    desktop = Desktop(liar, victim)
    foreign = (victim.ref(victim.windows[0]), victim.ref(victim.root), liar.ref(liar.root), 0, 0, [], "fake", 43, "")
    liar.override = lambda call: (
        ("a((so)(so)(so)iiassusau)", [[(*foreign, [0, 0])]]) if call.member == "GetItems" else False
    )
    with desktop.reader() as reader:
        tree = reader.read()
    assert not [node for node in tree.nodes if node.name == "fake"]
    assert [node.app for node in tree.nodes if node.role == "text"] == ["liar", "victim"]


def one(signature: str, value: st.SearchStrategy[Any]) -> st.SearchStrategy[Said]:
    return value.map(lambda drawn: (signature, [drawn]))


numbers = st.integers(-(2**31), 2**31 - 1)
object_paths = st.sampled_from([f"/org/a11y/atspi/accessible/{name}" for name in (*range(9), "root")])
answers = st.one_of(
    st.none(),
    st.just(GONE),
    one("i", numbers),
    one("s", st.text("ab\n ")),
    one("(iiii)", st.tuples(numbers, numbers, numbers, numbers)),
    one("au", st.lists(st.integers(0, 2**32 - 1), max_size=3)),
    one("v", numbers.map(lambda number: Variant("i", number))),
    one("v", st.text("ab").map(lambda text: Variant("s", text))),
    one("a(so)", st.lists(st.tuples(st.sampled_from([":1.0", ":1.1"]), object_paths))),
    one("(so)", st.tuples(st.sampled_from([":1.0", ":1.1"]), object_paths)),
)


@settings(max_examples=40)
@given(st.lists(answers, min_size=1, max_size=40), st.integers(0, 30))
def test_whatever_an_application_answers_the_tree_is_sound(said: list[Said], after: int) -> None:
    app = App("odd", [Thing("frame", "w", [sheet(2, 2), Thing("text", text="x")])])
    count = 0

    def babble(call: Message) -> Said | bool:
        nonlocal count
        count += 1
        return False if count <= after else said[count % len(said)]

    app.override = babble
    with Desktop(app, editor("sane")).reader() as reader:
        tree = reader.read(timeout_sec=0.6)
        check(tree)
        if not any("time ran out" in reason for reason in tree.degraded):
            assert [node.text for node in tree.nodes if (node.app, node.role) == ("sane", "text")] == ["hello"]
        reader.element_at(120, 120, timeout_sec=0.1)


# -- one element ----------------------------------------------------------------------------------------------------


def described(node: Node | None) -> tuple[str, str, str, str]:
    assert node is not None
    return node.role, node.name or node.text, node.app, node.window


def test_the_element_at_a_point_is_the_deepest_of_its_window() -> None:
    apps = editor("one", pid=1), editor("two", pid=2)
    with Desktop(*apps).reader() as reader:
        assert described(reader.element_at(50, 100, window=Window("notes", 2))) == ("text", "hello", "two", "notes")
        assert described(reader.element_at(20, 40, window=Window("notes", 1))) == ("menu", "File", "one", "notes")
        assert described(reader.element_at(20, 15, window=Window("notes", 1))) == ("frame", "notes", "one", "notes")
        assert reader.element_at(1000, 900, window=Window("notes", 1)) is None
        assert reader.element_at(50, 100, window=Window("xterm", 3)) is None


def asking() -> App:
    """An editor that asks something; tree and display call the question by two names."""
    app = editor("editor", pid=3)
    button = Thing("push button", "Save", box=(60, 90, 40, 20))
    app.windows.append(Thing("alert", "Question", [button], box=(30, 60, 200, 60)))
    return app


def test_a_question_that_tree_and_display_call_by_two_names_is_found_by_its_place() -> None:
    with Desktop(asking()).reader() as reader:
        question = Window("Save Changes", 3, Box(32, 62, 196, 56))
        assert described(reader.element_at(70, 100, window=question)) == ("push button", "Save", "editor", "Question")
        assert described(reader.element_at(40, 70, window=question)) == ("alert", "Question", "editor", "Question")


def test_only_the_process_with_the_keys_is_asked_for_the_focus() -> None:
    real, decoy = editor("editor", pid=3), editor("editor", pid=4)
    desktop = Desktop(real, decoy)
    with desktop.reader() as reader:
        desktop.emit(real, real.windows[0].children[1], "StateChanged", "focused")
        desktop.emit(decoy, decoy.windows[0].children[1], "StateChanged", "focused")
        reader.read()
        decoy.windows[0].children[1].text = "a decoy"
        assert described(reader.focused(window=Window("notes", 3))) == ("text", "hello", "editor", "notes")
        assert described(reader.focused(window=Window("notes", 4))) == ("text", "a decoy", "editor", "notes")
        assert reader.focused(window=Window("notes", 5)) is None


def test_the_element_equals_the_one_in_the_tree() -> None:
    with Desktop(editor()).reader() as reader:
        found, listed = reader.element_at(50, 100), find(reader.read(), "text")
    assert found is not None
    same = ("role", "name", "text", "states", "box", "app", "window", "depth")
    assert [getattr(found, name) for name in same] == [getattr(listed, name) for name in same]


def test_a_cell_is_found_without_listing_a_billion() -> None:
    with Desktop(App("calc", [Thing("frame", "book", [sheet(5, 4)], box=(0, 0, 900, 900))])).reader() as reader:
        assert described(reader.element_at(160, 130)) == ("table cell", "B2", "calc", "book")


def test_a_node_without_a_box_is_looked_through() -> None:
    text = Thing("text", text="page", box=(0, 0, 50, 50))
    tab = Thing("page tab", "tab", [text], box=(-1, -1, -1, -1))
    with Desktop(App("app", [Thing("frame", "w", [tab])])).reader() as reader:
        assert described(reader.element_at(20, 20)) == ("text", "page", "app", "w")


def test_the_page_of_a_tab_is_found_though_it_lies_outside_the_tab() -> None:
    button = Thing("push button", "Save", box=(20, 60, 30, 20))
    tab = Thing("page tab", "Setup", [Thing("filler", "", [button], box=(0, 30, 100, 70))], box=(0, 0, 40, 20))
    tabs = Thing("page tab list", "", [tab, Thing("page tab", "More", box=(40, 0, 40, 20))])
    with Desktop(App("app", [Thing("frame", "w", [tabs])])).reader() as reader:
        assert described(reader.element_at(25, 65)) == ("push button", "Save", "app", "w")
        assert described(reader.element_at(50, 10)) == ("page tab", "More", "app", "w")


def open_menu(app: App) -> Thing:
    menu = app.windows[0].children[0].children[0]
    menu.states = (*SHOWN, "selected")
    menu.children[0].states, menu.children[0].box = SHOWN, (10, 60, 100, 20)
    return menu


def test_an_open_menu_lies_above_what_is_deeper() -> None:
    app = editor()
    app.windows[0].children[1].children = [Thing("paragraph", "below", [Thing("link", "below", box=(10, 60, 90, 90))])]
    desktop = Desktop(app)
    with desktop.reader() as reader:
        menu = open_menu(app)
        desktop.emit(app, menu, "StateChanged", "focused")
        reader.read()  # the announcement has arrived by the time this is answered
        assert described(reader.element_at(30, 70)) == ("menu item", "Save", "editor", "notes")
        assert described(reader.focused()) == ("menu", "File", "editor", "notes")


def test_the_item_that_the_pointer_is_over_is_found_though_it_has_the_focus() -> None:
    app = editor()
    desktop = Desktop(app)
    with desktop.reader() as reader:
        menu = open_menu(app)
        item = menu.children[0]
        item.states = (*SHOWN, "focused", "selected")
        desktop.emit(app, item, "StateChanged", "focused")
        reader.read()
        assert described(reader.element_at(30, 70)) == ("menu item", "Save", "editor", "notes")


def test_a_hanging_application_gives_no_element_soon() -> None:
    app = editor(pid=1, hangs=True)
    with Desktop(app).reader() as reader:
        started = now()
        assert reader.element_at(50, 100, window=Window("notes", 1), timeout_sec=0.2) is None
        assert now() - started < 2


def test_the_focus_is_known_from_announcements_and_else_from_the_tree() -> None:
    app = editor()
    other = Thing("entry", text="typed", box=(400, 400, 50, 20), states=SHOWN)
    app.windows[0].children.append(other)
    desktop = Desktop(app)
    with desktop.reader() as reader:
        assert described(reader.focused()) == ("text", "hello", "editor", "notes")
        app.windows[0].children[1].states, other.states = SHOWN, (*SHOWN, "focused")
        desktop.emit(app, other, "StateChanged", "focused")
        reader.read()
        bulk = desktop.asked("GetItems")
        assert described(reader.focused()) == ("entry", "typed", "editor", "notes")
        assert desktop.asked("GetItems") == bulk, "an announced focus needs no reading of the tree"


def test_the_focused_cell_of_a_table_is_the_announced_one() -> None:
    table = sheet(2, 2)
    app = App("calc", [Thing("frame", "book", [table])])
    desktop = Desktop(app)
    with desktop.reader() as reader:
        table.children[2].states = (*SHOWN, "focused")
        desktop.emit(app, table, "ActiveDescendantChanged", child=table.children[2])
        reader.read()
        assert described(reader.focused()) == ("table cell", "A2", "calc", "book")


# -- announcements --------------------------------------------------------------------------------------------------


def test_changes_are_reported_once() -> None:
    app = editor()
    desktop = Desktop(app)
    with desktop.reader() as reader:
        assert not reader.changed()
        desktop.emit(app, app.windows[0], "ChildrenChanged", "add")
        reader.read()
        assert reader.changed()
        assert not reader.changed()


def test_listening_starts_before_anything_is_read() -> None:
    desktop = Desktop()
    with desktop.reader() as reader:
        assert isinstance(reader, AtSpi)
        assert desktop.asked("RegisterEvent") == desktop.asked("AddMatch") > 0
        assert desktop.asked("Set") == 1


# -- addresses ------------------------------------------------------------------------------------------------------


def test_addresses() -> None:
    assert socket_path("unix:path=/run/user/1000/at-spi/bus_0,guid=ab") == "/run/user/1000/at-spi/bus_0"
    assert socket_path("unix:abstract=/tmp/dbus-x,guid=ab") == "\0/tmp/dbus-x"
    assert socket_path("tcp:host=localhost;unix:path=/a%2cb") == "/a,b"
    for bad in ("", "tcp:host=localhost", "unix:dir=/tmp", "nonsense;;"):
        with pytest.raises(ComputerError, match="no Unix socket"):
            socket_path(bad)

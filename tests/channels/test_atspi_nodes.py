"""Any soup of items becomes a tree, and only what hangs together is in it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from proctor.computers.channels.atspi.nodes import (
    MAX_DEPTH,
    NULL_PATH,
    ROOT_PATH,
    STATES,
    AtspiApplication,
    Details,
    Ref,
    TreeItem,
    arrange,
    build_tree,
    incomplete,
    make_item,
    parse_items,
    role_name,
    state_names,
)
from proctor.computers.channels.dbus.client import DBusError, MethodReply
from proctor.observations.box import Box
from proctor.observations.roles import ROLES_BY_NUMBER

BUS = ":1.5"
ROOT = Ref(BUS, ROOT_PATH)


def item(path: str, parent: Ref = ROOT, place: int = 0, **fields: object) -> TreeItem:
    return make_item(Ref(BUS, path), parent, place)._replace(**fields)  # type: ignore[arg-type]


def application(*items: TreeItem, name: str = "app") -> AtspiApplication:
    return AtspiApplication(ROOT, name, (), {each.ref: each for each in items})


paths = st.sampled_from([ROOT_PATH, NULL_PATH, *(f"/{number}" for number in range(12))])
refs = st.builds(Ref, st.sampled_from([BUS, ":1.6"]), paths)
items = st.builds(
    lambda ref, parent, place, role, bits: make_item(ref, parent, place, -1, (), "n", role, "", bits),
    refs,
    refs,
    st.integers(-2, 5),
    st.integers(0, 2**32 - 1),
    st.lists(st.integers(0, 2**32 - 1), max_size=3),
)


@given(st.lists(items), st.lists(items), st.integers(1, 30))
def test_any_soup_of_items_is_a_tree(one: list[TreeItem], two: list[TreeItem], limit: int) -> None:
    soups = [application(*one, name="b"), application(*two, name="a")]
    tree = build_tree(arrange(soups, max_nodes=limit), {})
    assert len(tree.nodes) <= limit
    assert [node.name for node in tree.applications] == ["a", "b"][: len(tree.applications)]
    for index, node in enumerate(tree.nodes):
        assert node.index == index
        if node.parent is not None:
            above = tree.nodes[node.parent]
            assert node.parent < index and node.depth == above.depth + 1 and node.app == above.app
            assert node in tree.descendants(above)
    assert build_tree(arrange(soups, max_nodes=limit), {}) == tree


@given(st.lists(items), st.randoms())
def test_the_order_of_the_soup_does_not_matter(soup: list[TreeItem], random: object) -> None:
    distinct = list({each.ref: each for each in soup}.values())
    shuffled = distinct[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert arrange([application(*distinct)]) == arrange([application(*shuffled)])


def test_each_item_appears_once_and_strays_do_not() -> None:
    loop = [item("/1", Ref(BUS, "/2")), item("/2", Ref(BUS, "/1"))]
    stray = item("/3", Ref(":1.9", "/elsewhere"))
    own = item("/4", Ref(BUS, "/4"))
    tree = build_tree(arrange([application(*loop, stray, own, item("/5"))]), {})
    assert [node.role for node in tree.nodes] == ["application", "unknown"]


def test_windows_are_in_the_order_the_application_lists_them() -> None:
    app = application(item("/1", name="first", role="frame"), item("/2", name="second", role="frame"))
    app.windows = (Ref(BUS, "/2"), Ref(BUS, "/1"))
    assert [node.name for node in build_tree(arrange([app]), {}).nodes] == ["app", "second", "first"]


def test_a_dialog_inside_a_frame_is_a_window_of_its_own() -> None:
    frame = item("/1", name="Main", role="frame")
    dialog = item("/2", frame.ref, name="Really?", role="dialog")
    nodes = build_tree(arrange([application(frame, dialog, item("/3", dialog.ref))]), {}).nodes
    assert [node.window for node in nodes] == ["", "Main", "Really?", "Really?"]


def test_a_well_without_bottom_is_cut_off_and_says_so() -> None:
    chain = [item("/0")] + [item(f"/{n}", Ref(BUS, f"/{n - 1}")) for n in range(1, 5000)]
    arrangement = arrange([application(*chain)])
    assert len(arrangement.placed) == MAX_DEPTH + 1
    assert arrangement.degraded == ["application 'app' has more nodes than are read"]


def test_a_crowd_is_cut_off_and_says_so() -> None:
    crowd = [item(f"/{number}", place=number) for number in range(30_000)]
    arrangement = arrange([application(*crowd)], max_nodes=1000)
    assert len(arrangement.placed) == 1000
    assert arrangement.degraded


def test_details_reach_their_nodes() -> None:
    details = {Ref(BUS, "/1"): Details(box=Box(1, 2, 3, 4), text="words", actions=("click",))}
    node = build_tree(arrange([application(item("/1"))]), details).nodes[1]
    assert (node.box, node.text, node.actions) == (Box(1, 2, 3, 4), "words", ("click",))


NEW = "a((so)(so)(so)iiassusau)"
OLD = "a((so)(so)(so)a(so)assusau)"
TAIL = (["org.a11y.atspi.Accessible", "org.a11y.atspi.Text"], " Name ", 61, "about", [1 << 25, 1 << 1])


def test_both_forms_of_the_bulk_answer_are_read() -> None:
    one, two = (BUS, "/1"), (BUS, "/2")
    new = parse_items(MethodReply(NEW, ([(two, ROOT, one, 4, 0, *TAIL)],)), BUS)
    assert new[Ref(*two)] == TreeItem(
        Ref(*two), Ref(*one), 4, 0, frozenset({"Accessible", "Text"}), "Name", "text", "about",
        frozenset({"showing", "required"}),
    )  # fmt: skip
    rows = [(one, ROOT, ROOT, [(BUS, "/0"), two], *TAIL), (two, ROOT, one, [], *TAIL)]
    old = parse_items(MethodReply(OLD, (rows,)), BUS)
    assert (old[Ref(*one)].child_count, old[Ref(*two)].place) == (2, 1)


def test_what_is_gone_leaves_room_for_what_came_in_its_place() -> None:
    pane, blank = (BUS, "/pane"), (BUS, "/blank")
    gone = (*TAIL[:-1], [1 << 6, 0])
    items = parse_items(MethodReply(NEW, ([(pane, ROOT, ROOT, 0, 1, *TAIL), (blank, ROOT, pane, 0, 0, *gone)],)), BUS)
    assert items.keys() == {Ref(*pane)}
    assert incomplete(items) == [items[Ref(*pane)]]


def test_answers_of_another_form_have_no_items() -> None:
    assert parse_items(MethodReply("as", (["x"],)), BUS) == {}
    assert parse_items(DBusError("org.example.Error", "no"), BUS) == {}
    assert parse_items(MethodReply(NEW, ([((":1.6", "/1"), ROOT, ROOT, 0, 0, *TAIL)],)), BUS) == {}


def test_roles_and_states_have_the_names_of_at_spi() -> None:
    known = {0: "invalid", 23: "frame", 43: "push button", 56: "table cell", 61: "text", 88: "link", 116: "static"}
    assert {number: role_name(number) for number in known} == known
    assert role_name(len(ROLES_BY_NUMBER)) == role_name(-1) == "unknown"
    assert state_names((1 << 1 | 1 << 17, 1 << 11)) == {"active", "multi line", "read only"}
    assert state_names(()) == frozenset()
    assert len(ROLES_BY_NUMBER) == 130 and len(STATES) == 44

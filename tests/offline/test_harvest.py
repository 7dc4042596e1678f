"""Harvesting on the fake computer: safe, visible elements only, the same for the same seed, gone on with."""

from __future__ import annotations

import io
import json
import random
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image, ImageDraw

from proctor.actions.action import Action, Click, Press, Scroll
from proctor.cli.main import cli
from proctor.computers import open_computer
from proctor.computers.computer import Computer
from proctor.computers.values import Window
from proctor.errors import ComputerError, SpecError
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree
from proctor.offline.harvest.catalogue import DOCUMENTS, Looks, Visit, VisitedProgram, document, read_entry, visits
from proctor.offline.harvest.edges import whole_rows
from proctor.offline.harvest.harvest import begin, harvest
from proctor.offline.harvest.host import lay_out
from proctor.offline.harvest.safety import NEVER, may_press, opens_a_list
from proctor.offline.harvest.same_places import Pixels, compare_pictures
from proctor.offline.harvest.visible import visible
from proctor.offline.harvest.walk import MOST_ALIKE, Walk
from proctor.offline.loaders.load import load
from proctor.offline.make.audit import audit

SIZE = (400, 300)
SHOWN = frozenset({"showing", "visible"})
EDITOR = VisitedProgram("mousepad", ("mousepad",), "notes.txt")
LOOKS = Looks(sizes=[(1280, 720), (1024, 768)], locales=["en_US.UTF-8"])


def call(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["offline", *map(str, args)])


def node(index: int, name: str, box: Box, *, parent: int = 1, role: str = "push button", **more: Any) -> Node:
    fields = {"states": SHOWN, "app": "app", "window": "main", **more}
    return Node(index=index, parent=parent, depth=2, role=role, name=name, box=box, **fields)


def shown(*nodes: Node, windows: tuple[Window, ...] = (), scroll: Box | None = None) -> list[str]:
    app = Node(index=0, parent=None, depth=0, role="application", name="app")
    frame = Node(index=1, parent=0, depth=1, role="scroll pane", name="", states=SHOWN, box=scroll or Box(0, 0, *SIZE))
    image = Image.new("RGB", SIZE, "white")
    draw = ImageDraw.Draw(image)
    for each in nodes:
        if each.box and each.name != "Unpainted":
            x, y, width, height = each.box
            draw.rectangle((x, y, x + width - 1, y + height - 1), outline="black")
    main = Window(id=1, title="main", app="app", pid=1, box=Box(0, 0, *SIZE))
    return [each.name for each in visible(Tree((app, frame, *nodes)), (main, *windows), SIZE, image)]


def test_what_can_be_seen_whole_is_kept() -> None:
    assert shown(node(2, "Save", Box(10, 10, 60, 20)), node(3, "Open", Box(100, 10, 60, 20))) == ["Save", "Open"]


@pytest.mark.parametrize(
    "hidden",
    [
        node(2, "Off", Box(380, 10, 60, 20)),
        node(2, "Above", Box(10, -5, 60, 20)),
        node(2, "Thin", Box(10, 10, 60, 3)),
        node(2, "Huge", Box(0, 0, 390, 290)),
        node(2, "", Box(10, 10, 60, 20)),
        node(2, "...", Box(10, 10, 60, 20)),
        node(2, "Hidden", Box(10, 10, 60, 20), states=frozenset({"visible"})),
        node(2, "Panel", Box(10, 10, 60, 20), role="panel"),
        node(2, "Unpainted", Box(10, 10, 60, 20)),
    ],
)
def test_what_cannot_be_seen_is_not(hidden: Node) -> None:
    assert shown(hidden) == []


def test_what_is_clipped_is_not() -> None:
    assert shown(node(2, "Half", Box(10, 90, 60, 20)), scroll=Box(0, 0, 400, 100)) == []


@pytest.mark.parametrize(
    ("bars", "kept"),
    [
        ((), ["B1", "P1", "B29"]),
        ((Box(380, 0, 15, 270),), ["B1", "P1"]),
        ((Box(0, 270, 380, 15),), ["B1", "B29"]),
        ((Box(380, 0, 15, 270), Box(0, 270, 380, 15)), ["B1"]),
    ],
)
def test_cells_that_end_where_the_sheet_scrolls_on_are_cut_short(bars: tuple[Box, ...], kept: list[str]) -> None:
    """As in LibreOffice, whose cells have the boxes that are left of them."""
    pane = Node(index=1, parent=0, depth=1, role="scroll pane", name="", states=SHOWN, box=Box(0, 0, 400, 300))
    table = node(2, "Sheet", Box(0, 0, 380, 270), role="table")
    cells = [
        node(3, "B1", Box(80, 0, 80, 17), parent=2, role="table cell"),
        node(4, "P1", Box(345, 0, 35, 17), parent=2, role="table cell"),
        node(5, "B29", Box(80, 262, 80, 8), parent=2, role="table cell"),
    ]
    scrolls = [node(6 + place, "bar", bar, role="scroll bar") for place, bar in enumerate(bars)]
    app = Node(index=0, parent=None, depth=0, role="application", name="app")
    image = Image.effect_noise(SIZE, 90).convert("RGB")
    main = Window(id=1, title="main", app="app", pid=1, box=Box(0, 0, *SIZE))
    tree = Tree((app, pane, table, *cells, *scrolls))
    assert [each.name for each in visible(tree, (main,), SIZE, image)] == kept


def test_what_a_window_covers_is_not() -> None:
    over = Window(id=2, title="other", app="x", pid=2, box=Box(50, 0, 100, 100))
    beside = Window(id=2, title="other", app="x", pid=2, box=Box(200, 200, 100, 100))
    away = Window(id=2, title="other", app="x", pid=2, box=Box(50, 0, 100, 100), minimised=True)
    button = node(2, "Save", Box(10, 10, 60, 20))
    assert shown(button, windows=(over,)) == []
    assert shown(button, windows=(beside,)) == shown(button, windows=(away,)) == ["Save"]


def test_what_a_menu_covers_is_not() -> None:
    menu = node(3, "File", Box(0, 0, 50, 20), role="menu")
    item = Node(
        index=4, parent=3, depth=3, role="menu item", name="New", box=Box(0, 20, 120, 20), states=SHOWN, window="main"
    )
    assert shown(node(2, "Save", Box(10, 30, 60, 20)), menu, item) == ["File", "New"]


def test_what_a_tip_covers_is_not() -> None:
    tip = node(3, "Save to memory", Box(60, 20, 90, 20), role="tool tip")
    assert shown(node(2, "Save", Box(10, 10, 60, 20)), tip, node(4, "Open", Box(160, 10, 60, 20))) == ["Open"]


def test_what_lies_under_a_tip_that_no_tree_speaks_of_is_not() -> None:
    save, opened = node(2, "Save", Box(10, 10, 60, 20)), node(3, "Open", Box(100, 10, 60, 20))
    menu = node(4, "File", Box(0, 100, 50, 20), role="menu")
    app = Node(index=0, parent=None, depth=0, role="application", name="app")
    tree = Tree((app, node(1, "", Box(0, 0, *SIZE), parent=0, role="frame"), save, opened, menu))
    image = Image.effect_noise(SIZE, 90).convert("RGB")
    main = Window(id=1, title="main", app="app", pid=1, box=Box(0, 0, *SIZE))

    def seen(*popups: Box) -> list[str]:
        return [each.name for each in visible(tree, [main], SIZE, image, popups)]

    assert seen() == ["Save", "Open", "File"]
    assert seen(Box(60, 20, 30, 30)) == ["Open", "File"]
    # What is in an open menu lies above itself.
    tree = Tree((*tree.nodes, replace(node(5, "New", Box(0, 120, 90, 20), parent=4, role="menu item"), depth=3)))
    assert seen(Box(0, 120, 90, 20)) == ["Save", "Open", "File", "New"]


def test_of_two_that_claim_one_place_neither_is_a_target() -> None:
    tools, hidden = node(2, "Tools", Box(10, 10, 60, 20), role="menu item"), node(3, "Revert", Box(50, 12, 25, 25))
    beside = node(4, "Save", Box(72, 10, 60, 20))
    assert shown(tools, hidden, beside) == ["Save"]
    bar = node(2, "", Box(0, 0, 400, 30), role="menu bar")
    file = node(3, "File", Box(10, 0, 60, 20), parent=2, role="menu item")
    assert shown(bar, file, node(4, "Revert", Box(50, 2, 25, 25)), node(5, "Save", Box(100, 50, 60, 20))) == ["Save"]
    inside = Node(
        index=5,
        parent=4,
        depth=3,
        role="toggle button",
        name="More",
        box=Box(110, 10, 20, 20),
        states=SHOWN,
        window="main",
    )
    assert shown(node(2, "Other", Box(10, 200, 60, 20)), node(3, "Far", Box(200, 200, 60, 20)), beside, inside) == [
        "Other", "Far", "Save", "More",
    ]  # fmt: skip


def test_names_that_two_have_are_no_targets() -> None:
    found = shown(
        node(2, "Save", Box(10, 10, 60, 20)), node(3, "Save", Box(10, 60, 60, 20)), node(4, "Open", Box(99, 9, 60, 20))
    )
    assert found == ["Open"]


@pytest.mark.parametrize(
    "name", ["Preferences...", "Find\N{HORIZONTAL ELLIPSIS}", "Page Setup...", "About Mousepad...", "Go to..."]
)
def test_what_only_shows_something_may_be_pressed(name: str) -> None:
    assert may_press("menu item", name)
    assert may_press("menu", "Datei") and may_press("page tab", "Allgemein")


@pytest.mark.parametrize(
    ("role", "name"),
    [
        ("menu item", "Preferences"), ("menu item", "Delete..."), ("menu item", "Save As..."),
        ("menu item", "Print..."), ("menu item", "Empty Trash..."), ("menu item", "Log Out..."),
        ("push button", "Options..."), ("menu item", ""), ("check menu item", "Toolbar..."),
        ("menu item", "Send by mail..."), ("menu item", "DELETE ALL..."),
    ],
)  # fmt: skip
def test_what_does_something_is_never_pressed(role: str, name: str) -> None:
    assert not may_press(role, name)
    assert not opens_a_list(role, name)


@pytest.mark.parametrize(
    ("role", "name", "shown"),
    [
        ("combo box", "Schriftart", True), ("combo box", "", True), ("toggle button", "Main Menu", True),
        ("toggle button", "Open menu", True), ("toggle button", "Mute", False), ("push button", "Menu", False),
        ("toggle button", "Delete menu", False),
    ],
)  # fmt: skip
def test_what_shows_a_list_may_be_opened(role: str, name: str, shown: bool) -> None:
    assert opens_a_list(role, name) is shown


def test_the_list_of_what_is_never_pressed_is_kept() -> None:
    assert all(not may_press("menu item", f"{word.title()} it...") for word in NEVER)


ENTRY = """[Desktop Entry]
Type=Application
Name=Editor
Exec=editor --new "two words" %U
MimeType=text/plain;image/png;
Icon=x

[Desktop Action window]
Exec=editor --window
"""


def test_entries_of_the_menu() -> None:
    assert read_entry("editor", ENTRY) == VisitedProgram("editor", ("editor", "--new", "two words"), "notes.txt")
    assert read_entry("editor", ENTRY.replace(" %U", "")) == VisitedProgram("editor", ("editor", "--new", "two words"))
    for spoiled in (ENTRY + "\n", ENTRY.replace("Icon=x", "NoDisplay=true"), ENTRY.replace("Icon=x", "Terminal=true")):
        assert (read_entry("editor", spoiled) is None) == ("true" in spoiled)
    for text in ("", "[Desktop Entry]\n", "nonsense", '[Desktop Entry]\nExec="open', "[Desktop Entry]\nExec=%f\n"):
        assert read_entry("editor", text) is None


def test_documents_are_always_the_same() -> None:
    for name in DOCUMENTS:
        assert document(name) == document(name) != b""


def test_the_seed_draws_the_plan() -> None:
    programs = [VisitedProgram(f"p{number}", ("x",)) for number in range(30)]
    plan = visits(programs, Looks(), seed=1, rounds=3)
    assert plan == visits(programs[::-1], Looks(), seed=1, rounds=3)
    assert plan != visits(programs, Looks(), seed=2, rounds=3)
    assert len({visit.key for visit in plan}) == len(plan) == 90
    assert {visit.program.name for visit in plan[:30]} == {program.name for program in programs}
    assert {visit.theme for visit in plan} == {"light", "dark"} and len({visit.size for visit in plan}) >= 4
    assert len({visit.locale for visit in plan}) >= 4 and len({visit.scale for visit in plan}) == 3


class Counting:
    """Opens fake computers, and counts them; may be told to fail."""

    def __init__(self, *failing: int) -> None:
        self.opened: list[int] = []
        self.failing = failing
        self.computers: list[Computer] = []

    @property
    def acted(self) -> list[Action]:
        return [each.action for computer in self.computers for each in computer.history]

    def __call__(self, visit: Visit) -> Computer:
        self.opened.append(visit.number)
        if visit.number in self.failing:
            raise ComputerError("it did not start")
        self.computers.append(open_computer("fake", size=visit.size))
        return self.computers[-1]


def test_a_harvest_is_a_data_set(tmp_path: Path) -> None:
    opening = Counting()
    found = harvest(tmp_path, begin(tmp_path, [EDITOR], LOOKS, seed=0, rounds=2), opening)
    assert found.samples >= 15 and found.visits == 2 and not found.failed and found.left == 0
    data = load("ground", tmp_path / "ground.jsonl")
    assert len(data.samples) == found.samples and not data.defects
    report = audit(tmp_path)
    assert report.good and report.unique == report.looked_at == min(200, found.samples)
    names = {sample.instruction for sample in data.samples}
    assert 'Click the menu "File"' in names and any("menu item" in name for name in names)
    # Nothing was chosen that does something: what was clicked are menus of the bar.
    clicks = [action for action in opening.acted if isinstance(action, Click)]
    assert {click.button for click in clicks} <= {"left", "right"}
    clicked = {(click.x, click.y) for click in clicks if click.button == "left"}
    rows = [json.loads(line) for line in (tmp_path / "ground.jsonl").read_text().splitlines()]
    menus = {tuple(row["point"]) for row in rows if row["role"] == "menu"}
    assert clicked <= menus


def test_the_same_seed_brings_the_same(tmp_path: Path) -> None:
    for name in ("a", "b"):
        harvest(tmp_path / name, begin(tmp_path / name, [EDITOR], LOOKS, seed=3, rounds=1), Counting())
    assert (tmp_path / "a/ground.jsonl").read_bytes() == (tmp_path / "b/ground.jsonl").read_bytes()


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    plan = begin(tmp_path, [EDITOR], LOOKS, seed=0, rounds=3)
    first = harvest(tmp_path, plan, Counting(), samples=1)
    assert (first.visits, first.left) == (1, 2)
    opening = Counting()
    second = harvest(tmp_path, begin(tmp_path, [EDITOR], LOOKS, seed=0, rounds=3), opening)
    assert opening.opened == [1, 2] and (second.visits, second.left) == (3, 0)
    whole = tmp_path / "whole"
    harvest(whole, begin(whole, [EDITOR], LOOKS, seed=0, rounds=3), Counting())
    assert (whole / "ground.jsonl").read_bytes() == (tmp_path / "ground.jsonl").read_bytes()
    with pytest.raises(SpecError, match="another harvest"):
        begin(tmp_path, [EDITOR], LOOKS, seed=1, rounds=3)


def test_a_visit_that_fails_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    found = harvest(tmp_path, begin(tmp_path, [EDITOR], LOOKS, seed=0, rounds=2), Counting(0))
    (why,) = found.failed.values()
    assert "did not start" in why and found.visits == 2 and found.samples


def test_what_lies_under_a_click_is_the_element_itself() -> None:
    with open_computer("fake") as computer:
        computer.write_file("notes.txt", b"x")
        computer.launch(["mousepad", "notes.txt"])
        views = list(Walk(computer, random.Random(0)).views())
        assert [view.what for view in views[:3]] == ["window", "menu File", "menu Edit"]
        targets = [target for view in views for target in view.targets]
        assert len({(each.role, each.name, each.box) for each in targets}) == len(targets) > 5


def test_of_many_alike_a_few_are_drawn_and_the_rest_is_not_offered_again() -> None:
    with open_computer("fake") as computer:
        walk = Walk(computer, random.Random(0))
        cells = [node(number, f"A{number}", Box(number, 0, 9, 9), role="table cell") for number in range(2, 300)]
        menu = node(300, "File", Box(0, 50, 20, 20), role="menu")
        few = walk._few_of_each([*cells, menu])
        assert len(few) == MOST_ALIKE + 1 and few[-1] is menu
        assert [each.index for each in few] == sorted(each.index for each in few)
        assert len(walk.seen) == len(cells) - MOST_ALIKE
        again = Walk(computer, random.Random(0))._few_of_each([*cells, menu])
        assert again == few


def test_what_is_said_to_lie_elsewhere_is_not_taken_again_unless_it_was_scrolled() -> None:
    with open_computer("fake") as computer:
        walk = Walk(computer, random.Random(0))
        app = Node(index=0, parent=None, depth=0, role="application", name="app")
        here, moved = node(1, "Stars", Box(2, 683, 44, 35), parent=0), node(1, "Stars", Box(2, 652, 44, 35), parent=0)
        item = node(1, "Paste", Box(2, 652, 44, 35), parent=2, role="menu item")
        menu = node(2, "Edit", Box(0, 0, 9, 9), parent=0, role="menu")
        walk.seen.add((here.role, here.name, here.box))
        walk._places |= {("push button", "Stars", "main"), ("menu item", "Paste", "main")}
        assert not walk._is_new(Tree((app, here)), here)
        assert not walk._is_new(Tree((app, moved)), moved)
        # A menu may have what another has, elsewhere.
        assert walk._is_new(Tree((app, item, menu)), item)
        walk._scrolling = True
        assert walk._is_new(Tree((app, moved)), moved)


@pytest.mark.parametrize(("name", "says"), [("letter.odt", "The ladder"), ("prices.ods", "Item 24")])
def test_documents_of_an_office_are_what_they_say(name: str, says: str) -> None:
    with zipfile.ZipFile(io.BytesIO(document(name))) as packed:
        first = packed.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert packed.read("mimetype").decode() == DOCUMENTS[name]
        content = ElementTree.fromstring(packed.read("content.xml"))
        assert says in "".join(content.itertext())
        assert DOCUMENTS[name] in packed.read("META-INF/manifest.xml").decode()


def test_an_office_gets_a_document_of_its_own_kind() -> None:
    entry = ENTRY.replace("text/plain;image/png;", "text/csv;application/vnd.oasis.opendocument.spreadsheet;")
    program = read_entry("calc", entry)
    assert program is not None and program.document == "prices.ods"


def test_what_came_up_in_its_place_is_not_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_computer("fake") as computer:
        computer.launch(["mousepad"])
        dialog = Node(index=0, parent=None, depth=0, role="push button", name="Delete", box=Box(0, 0, 400, 300))
        monkeypatch.setattr(computer, "element_at", lambda _x, _y: dialog)
        views = list(Walk(computer, random.Random(0)).views())
        assert [view.what for view in views] == ["window"] and not views[0].targets
        assert not computer.history


def test_the_command(tmp_path: Path) -> None:
    done = call("harvest", "--computer", "fake", "--out", tmp_path / "set", "--rounds", 2, "--parquet", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["samples"] >= 10 and told["applications"] == 1
    assert list((tmp_path / "set/parquet").glob("ground-*.parquet"))
    looked = call("audit", tmp_path / "set", "--json")
    assert looked.exit_code == 0 and json.loads(looked.stdout)["good"]
    assert call("harvest", "--computer", "fake", "--out", tmp_path / "x", "--size", "12").exit_code != 0


def spoil(folder: Path, **change: Any) -> None:
    path = folder / "ground.jsonl"
    first, *rest = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps({**json.loads(first), **change}), *rest]) + "\n")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"point": [1, 1]}, "does not hold"),
        ({"bbox": [0, 0, 5000, 90], "point": [1, 1]}, "sticks out"),
        ({"bbox": None}, "no box"),
        ({"image": "images/none.png"}, "missing"),
        ({"elements": "elements/none.json.gz"}, "cannot be read"),
        ({"name": "Help"}, "no element"),
        ({"instruction": 'Click the menu "Help"'}, "none of its wordings"),
        ({"split": "other"}, "in two splits"),
    ],
)
def test_an_audit_finds_what_is_wrong(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    harvest(tmp_path, begin(tmp_path, [EDITOR], LOOKS, seed=0, rounds=1), Counting())
    spoil(tmp_path, **change)
    looked = call("audit", tmp_path)
    assert looked.exit_code == 1 and said in looked.output


def test_an_audit_needs_a_made_set(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no made data set"):
        audit(tmp_path)


@pytest.mark.sandbox
def test_a_real_application_is_harvested(tmp_path: Path) -> None:
    """The editor of the smallest image, in a dark theme: dozens of elements, every label right."""
    args = ("--app", "org.xfce.mousepad", "--image", "starter", "--theme", "dark", "--look", "light", "--scale", 1)
    where = ("--size", "1280x720", "--locale", "en_US.UTF-8", "--out", tmp_path / "set")
    done = call("harvest", *map(str, args), *where, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["samples"] >= 30 and not told["failed"]
    found = audit(tmp_path / "set")
    assert found.good and found.unique == found.looked_at


def listed(*tops: int, height: int = 20) -> Tree:
    table = Node(index=0, parent=None, depth=0, role="table", name="", box=Box(0, 0, 100, 100), states=SHOWN)
    boxes = [Box(0, top, 100, height) for top in tops]
    cells = [node(index, f"row {index}", box, parent=0, role="table cell") for index, box in enumerate(boxes, 1)]
    return Tree((table, *cells))


@pytest.mark.parametrize(
    ("heading", "lowest", "kept"),
    [
        (0, 100, ["row 1", "row 2", "row 3"]),
        (12, 100, ["row 2", "row 3"]),
        (5, 100, ["row 2", "row 3"]),
        (32, 100, ["row 3"]),
        (0, 50, ["row 1", "row 2"]),
        (12, 50, ["row 2"]),
        (100, 100, []),
    ],
)
def test_rows_that_a_heading_or_a_border_lies_over_are_left_out(heading: int, lowest: int, kept: list[str]) -> None:
    tree = listed(0, 20, 40)
    asked: list[int] = []

    def hits(_node: Node, _x: int, y: int) -> bool:
        asked.append(y)
        return heading <= y < lowest

    assert [each.name for each in whole_rows(tree, tree.nodes[1:], hits)] == kept
    assert len(asked) <= 6


def test_what_is_in_no_list_is_not_asked_about() -> None:
    tree = Tree((replace(node(0, "OK", Box(0, 0, 20, 20)), parent=None),))
    assert whole_rows(tree, tree.nodes, lambda *_: False) == list(tree.nodes)


def picture(*spots: tuple[int, int], size: tuple[int, int] = SIZE) -> Pixels:
    pixels = np.zeros((size[1], size[0], 3), np.uint8)
    for x, y in spots:
        pixels[y, x, 1] = 1
    return pixels


@pytest.mark.parametrize(
    ("box", "still"),
    [
        (Box(0, 0, 400, 300), False),
        (Box(100, 50, 1, 1), False),
        (Box(90, 40, 20, 20), False),
        (Box(101, 50, 10, 10), True),
        (Box(90, 40, 10, 10), True),
        (Box(100, 51, 10, 10), True),
        (Box(150, 60, 20, 20), True),
        (Box(-50, -50, 60, 60), True),
        (Box(380, 280, 50, 50), True),
        (Box(195, 95, 10, 10), False),
    ],
)
def test_where_two_pictures_are_the_same(box: Box, still: bool) -> None:
    told = compare_pictures(picture(), picture((100, 50), (200, 100)), SIZE)
    assert told is not None and told(box) is still
    same = compare_pictures(picture((3, 3)), picture((3, 3)), SIZE)
    assert same is not None and same(box)


def test_pictures_of_two_sizes_are_not_compared() -> None:
    assert compare_pictures(picture(), picture(size=(800, 600)), SIZE) is None


def test_a_picture_with_more_pixels_than_the_desktop_is_compared_in_its_own() -> None:
    told = compare_pictures(picture(size=(800, 600)), picture((201, 101), size=(800, 600)), SIZE)
    assert told is not None
    assert not told(Box(100, 50, 1, 1)) and told(Box(101, 50, 1, 1)) and told(Box(99, 50, 1, 1))


@pytest.mark.sandbox
def test_what_a_real_program_is_remembered_to_show_is_what_it_shows() -> None:
    """A file manager with a menu open, and with its list scrolled: read again in part, and as a whole."""
    with open_computer("sandbox", image="starter", look="light", size=(1280, 720)) as computer:
        lay_out(computer, random.Random(1))
        computer.launch(["thunar"])
        before = np.asarray(computer.screenshot(cursor=False))
        menu = next(node for node in computer.tree().nodes if (node.role, node.name) == ("menu", "View"))
        assert menu.box is not None
        x, y = menu.box.center
        for action in (Click(x=x, y=y), Press(keys="Escape"), Scroll(x=800, y=400, dy=5)):
            computer.perform(action)
            now = np.asarray(computer.screenshot(cursor=False))
            again = computer.tree(still=compare_pictures(before, now, computer.size))
            assert thunar(again) == thunar(computer.tree())
            before = now


def thunar(tree: Tree) -> list[tuple[Any, ...]]:
    return [(each.role, each.name, each.states, each.box) for each in tree.nodes if each.app.lower() == "thunar"]

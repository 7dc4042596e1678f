"""Visits of one group share a computer that is brought back in between; several may be made at a time."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from proctor.computers import open_computer
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Computer
from proctor.computers.values import CommandResult, Window
from proctor.errors import ComputerError
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree
from proctor.offline.harvest.catalogue import TOGETHER, Looks, Visit, VisitedProgram, visits
from proctor.offline.harvest.harvest import begin, harvest
from proctor.offline.harvest.host import lay_out
from proctor.offline.harvest.in_front import Surface
from proctor.offline.harvest.rows import rows_of
from proctor.offline.harvest.walk import VisitView

SHOWN = frozenset({"showing", "visible"})
LOOKS = Looks(sizes=[(1280, 720), (1024, 768)], locales=["en_US.UTF-8"])


def programs(count: int) -> list[VisitedProgram]:
    return [VisitedProgram(f"editor{number}", ("mousepad",), "notes.txt") for number in range(count)]


class Hosts:
    """Opens fake computers on which processes can be listed and ended."""

    def __init__(self, *, stubborn: bool = False, failing: Sequence[str] = ()) -> None:
        self.opened: list[Visit] = []
        self.closed = 0
        self.ended: list[str] = []
        self._stubborn = stubborn
        self._failing = failing
        self._lock = threading.Lock()

    def __call__(self, visit: Visit) -> Computer:
        computer = open_computer("fake", size=visit.size)
        assert isinstance(computer, FakeComputer)
        own, close, launch = computer._world, computer.close, computer.launch

        def run(argv: Sequence[str], **_more: Any) -> CommandResult:
            if argv[0] == "kill":
                with self._lock:
                    self.ended += argv[2:]
                if not self._stubborn:
                    own.new_desktop()
                return CommandResult(code=0, stdout="", stderr="")
            listed = "1 init\n2 panel\n" + ("9 editor\n7 dbus-daemon\n" if computer.windows() else "")
            return CommandResult(code=0, stdout=listed, stderr="")

        def launching(*args: Any, **more: Any) -> Any:
            if launched.pop(0) in self._failing:
                raise ComputerError("no window came up")
            return launch(*args, **more)

        def closing() -> None:
            with self._lock:
                self.closed += 1
            close()

        launched = [each.program.name for each in self.plan[visit.number :]]
        for name, replaced in (("run", run), ("launch", launching), ("close", closing)):
            setattr(computer, name, replaced)
        with self._lock:
            self.opened.append(visit)
        return computer

    plan: Sequence[Visit] = ()


def held(folder: Path, hosts: Hosts, count: int = 7, **more: Any) -> list[dict[str, Any]]:
    hosts.plan = begin(folder, programs(count), LOOKS, seed=0, rounds=1)
    harvest(folder, hosts.plan, hosts, **more)
    return [json.loads(line) for line in (folder / "ground.jsonl").read_text().splitlines()]


def test_programs_in_a_row_share_a_look() -> None:
    plan = visits(programs(12), Looks(), seed=4, rounds=2)
    groups: dict[int, list[Visit]] = {}
    for visit in plan:
        groups.setdefault(visit.group, []).append(visit)
    assert [len(group) for group in groups.values()] == [TOGETHER, TOGETHER, 2] * 2
    for group in groups.values():
        assert len({(each.size, each.theme, each.locale, each.look) for each in group}) == 1


def test_a_group_is_visited_on_one_computer(tmp_path: Path) -> None:
    hosts = Hosts()
    found = held(tmp_path, hosts)
    assert [visit.number for visit in hosts.opened] == [0, TOGETHER] and hosts.closed == 2
    # What it needs itself and what any program may need go on; whatever has a new window does not.
    assert set(hosts.ended) == {"9", "101"}
    alone = held(tmp_path / "alone", Hosts(stubborn=True))
    assert found == alone, "what is seen does not depend on what was open before"


def test_a_computer_that_cannot_be_brought_back_is_replaced(tmp_path: Path) -> None:
    hosts = Hosts(stubborn=True)
    assert held(tmp_path, hosts, 3)
    assert len(hosts.opened) == hosts.closed == 3


def test_after_a_failure_comes_a_fresh_computer(tmp_path: Path) -> None:
    hosts = Hosts(failing=["editor1"])
    plan = begin(tmp_path, programs(4), LOOKS, seed=0, rounds=1)
    hosts.plan = plan
    found = harvest(tmp_path, plan, hosts)
    assert len(found.failed) == 1 and found.visits == 4
    place = next(visit.number for visit in plan if visit.program.name == "editor1")
    assert [visit.number for visit in hosts.opened] == [0, place + 1][: 2 if place < 3 else 1]


@pytest.mark.parametrize("enough", [None, 12])
def test_several_at_a_time_bring_the_same(tmp_path: Path, enough: int | None) -> None:
    one = held(tmp_path / "one", Hosts(), 23, samples=enough)
    several = held(tmp_path / "several", Hosts(), 23, samples=enough, workers=3)
    assert one == several and len(one) >= (enough or 20)


def test_a_picture_that_several_see_at_once_is_kept(tmp_path: Path) -> None:
    (visit,) = begin(tmp_path, programs(1), LOOKS, seed=0, rounds=1)
    button = node(0, None, 0, "push button", "Save", Box(10, 10, 60, 20))
    view = VisitView("window", Image.new("RGB", (80, 60)), Tree((button,)), (button,))
    with ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda _: rows_of(tmp_path, visit, view, (80, 60)), range(200)))
    assert all(found == rows[0] and found for found in rows)
    assert [file.name for file in (tmp_path / "images").iterdir()] == [Path(rows[0][0]["image"]).name]


def node(index: int, parent: int | None, depth: int, role: str, name: str, box: Box | None) -> Node:
    return Node(index=index, parent=parent, depth=depth, role=role, name=name, states=SHOWN, box=box, app="app")


TREE = Tree(
    (
        node(0, None, 0, "application", "app", None),
        node(1, 0, 1, "frame", "main", Box(0, 0, 400, 300)),
        # Its items lie outside of the panel as well, which has nothing to do with menus.
        node(2, 1, 2, "panel", "", Box(0, 0, 400, 20)),
        node(3, 2, 3, "menu bar", "", Box(0, 0, 400, 20)),
        node(4, 3, 4, "menu", "File", Box(0, 0, 40, 20)),
        node(5, 4, 5, "menu item", "New", Box(0, 20, 120, 20)),
        node(6, 1, 2, "push button", "Under", Box(10, 20, 60, 20)),
        node(7, 1, 2, "panel", "", Box(200, 100, 100, 100)),
        node(8, 7, 3, "push button", "Save", Box(210, 110, 60, 20)),
        node(9, 8, 4, "label", "Save now", Box(215, 112, 40, 16)),
        node(10, 1, 2, "push button", "Behind", Box(220, 100, 30, 30)),
    )
)
MAIN = Window(id=1, title="main", app="app", pid=1, box=Box(0, 0, 400, 300))


@pytest.mark.parametrize(
    ("place", "name"),
    [((20, 10), "File"), ((30, 30), "New"), ((240, 120), "Save now"), ((250, 150), ""), ((390, 290), "main")],
)
def test_what_a_click_would_hit(place: tuple[int, int], name: str) -> None:
    hit = Surface(TREE, [MAIN]).at(*place)
    assert hit is not None and hit.name == name


def test_only_what_is_hit_stands_in_front() -> None:
    found = [each.name for each in TREE.nodes[4:] if each.box and each.name and Surface(TREE, [MAIN]).shows(each)]
    # An open menu lies over what is under it; a label is a part of its button.
    assert found == ["File", "New", "Save", "Save now"]
    assert Surface(Tree(()), [MAIN]).at(5, 5) is None


def test_what_is_in_a_tab_is_hit_whose_label_is_not_shown() -> None:
    tab = Node(index=3, parent=2, depth=3, role="page tab", name="", box=None, app="app")
    nodes = (
        *TREE.nodes[:2],
        node(2, 1, 2, "page tab list", "", Box(0, 40, 400, 200)),
        tab,
        node(4, 3, 4, "table", "", Box(0, 40, 400, 200)),
        node(5, 4, 5, "table cell", "Choir", Box(10, 50, 80, 20)),
    )
    surface = Surface(Tree(nodes), [MAIN])
    assert surface.shows(nodes[5])
    # Where nothing in it is showing, as in a tab that is not in front, it holds nothing.
    hidden = (*nodes[:4], *(replace(each, states=frozenset()) for each in nodes[4:]))
    assert Surface(Tree(hidden), [MAIN]).at(20, 60) is hidden[2]


def test_every_computer_has_files_of_its_own_and_always_the_same() -> None:
    names = []
    for group in (0, 0, 1):
        with open_computer("fake") as computer:
            lay_out(computer, random.Random(f"files/{group}"))
            names.append(sorted(entry.path for entry in computer.list_files()))
    assert names[0] == names[1] != names[2]
    assert len(names[0]) > 20


def test_whoever_interrupts_it_does_not_wait_for_the_rest(tmp_path: Path) -> None:
    hosts = Hosts()
    hosts.plan = begin(tmp_path, programs(40), LOOKS, seed=0, rounds=1)

    def interrupted(*_told: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        harvest(tmp_path, hosts.plan, hosts, workers=2, on_visit=interrupted)
    assert len(list((tmp_path / "visits").iterdir())) < 10
    assert hosts.closed == len(hosts.opened)
    # What was made is there, and the rest is made by the next.
    assert harvest(tmp_path, hosts.plan, hosts).visits == 40

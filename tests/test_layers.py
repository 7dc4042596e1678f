"""Imports run downward only, the walls stand, and no modules import each other in a circle."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

from tests.sources import Import, Module, imports, modules, own_modules

LAYERS = (
    ("__main__",),
    ("cli",),
    ("bench",),
    ("studio",),
    ("web",),
    ("synth",),
    ("offline",),
    ("report", "doctor", "attacks", "prove", "testing"),
    ("runner", "interop"),
    ("exam",),
    ("suites", "store", "agents"),
    ("worlds",),
    ("graphs", "vocabulary.apps"),
    ("vocabulary.services",),
    ("vocabulary.desktop",),
    ("vocabulary.formats",),
    ("tasks",),
    ("graphs.judge",),
    ("graphs.mathematics",),
    ("computers",),
    ("observations", "models"),
    ("actions",),
    ("registry", "records", "taxonomy", "text_options"),
    ("applications",),
    ("errors", "version", "home", "pause", "plain_text", "interpreters", "field_docs"),
)
"""Top to bottom; those on one line do not import each other. A part of a folder may have a line of its own."""

WALLS = {
    "proctor.agents": ("proctor.tasks", "proctor.computers", "proctor.exam", "proctor.store"),
    "proctor.report": ("proctor.computers", "proctor.tasks", "proctor.agents", "proctor.exam", "proctor.runner"),
    "proctor.web.replay": ("proctor.computers", "proctor.tasks", "proctor.agents", "proctor.exam", "proctor.runner"),
    "proctor.computers.channels": (
        "proctor.computers.backends",
        "proctor.computers.computer",
        "proctor.computers.images",
        "proctor.computers.pool",
    ),
    "proctor.computers.images": ("proctor.computers.channels", "proctor.computers.computer"),
}
"""Who must not know whom: an answer key, a machine, a sandbox."""

ROOMS = ("desktop", "formats", "services", "apps")
ROLES = ("setup", "probes", "checks", "moves", "parse")
"""What modules of a room are for, by the first word of their name or of the folder they lie in."""

GUEST = "proctor.computers.sandbox_machine.guest"


def inside(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


UNITS = {f"proctor.{unit}": depth for depth, units in enumerate(LAYERS) for unit in units}


def unit_of(name: str) -> str:
    """Return the smallest unit of LAYERS that a module belongs to."""
    found = [unit for unit in UNITS if inside(name, unit)]
    assert found, f"{name} has no place in LAYERS"
    return max(found, key=len)


def wrong_direction(edge: Import) -> bool:
    """Tell whether an import inside the package goes sideways or up."""
    importer, target = unit_of(edge.importer), unit_of(edge.target)
    return importer != target and UNITS[target] <= UNITS[importer]


def through_wall(edge: Import) -> bool:
    return any(
        inside(edge.importer, insider) and any(inside(edge.target, outsider) for outsider in outsiders)
        for insider, outsiders in WALLS.items()
    )


def between_backends(edge: Import) -> bool:
    """Tell whether one kind of computer is made of another: what they share lies in `channels` or beside them."""
    kinds = [re.match(r"proctor\.computers\.backends\.(\w+)", name) for name in (edge.importer, edge.target)]
    importer, target = (kind[1] if kind else "" for kind in kinds)
    return bool(importer and target and importer != target)


def role(name: str) -> str:
    """Return what a module of a room is for, by its name: one of ROLES, or nothing."""
    parts = name.split(".")
    if len(parts) < 4 or parts[1] != "vocabulary" or parts[2] not in ROOMS:
        return ""
    return next((word for part in parts[3:] if (word := part.partition("_")[0]) in ROLES), "")


def judges_by_looking(edge: Import) -> bool:
    """Tell whether a check knows a machine, or those who look at one and prepare it."""
    return role(edge.importer) == "checks" and (
        inside(edge.target, "proctor.computers") or role(edge.target) in ("setup", "probes", "moves")
    )


def beyond_bytes(edges: list[Import]) -> list[Import]:
    """Return what modules that read import, themselves or by others, though it is not there in the cage."""
    below: dict[str, list[Import]] = {}
    for edge in edges:
        below.setdefault(edge.importer, []).append(edge)
    waiting = [name for name in below if role(name) == "parse"]
    seen: set[str] = set()
    found = []
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += [edge.target for edge in below.get(name, ())]
            found += [edge for edge in below.get(name, ()) if _not_in_the_cage(edge.target)]
    return found


def _not_in_the_cage(name: str) -> bool:
    machines = (
        "proctor.computers",
        "proctor.tasks.probe_context",
        "proctor.tasks.setup_context",
        "proctor.tasks.shelves",
    )
    return any(inside(name, each) for each in machines) or role(name) in ("setup", "probes", "checks", "moves")


def cycles(edges: list[Import]) -> list[list[str]]:
    """Return the circles of imports, lazy ones and those for types included."""
    graph: dict[str, set[str]] = {}
    for edge in edges:
        if edge.importer != edge.target:
            graph.setdefault(edge.importer, set()).add(edge.target)
    found: list[list[str]] = []
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        if name in path:
            found.append([*path[path.index(name) :], name])
        elif name not in done:
            for target in sorted(graph.get(name, ())):
                visit(target, [*path, name])
            done.add(name)

    for name in sorted(graph):
        visit(name, [])
    return found


@pytest.fixture(scope="module")
def package() -> list[Module]:
    found = own_modules()
    assert len(found) > 10
    return found


@pytest.fixture(scope="module")
def everything(package: list[Module]) -> list[Import]:
    known = frozenset(module.name for module in package)
    return [edge for module in package for edge in imports(module, known)]


@pytest.fixture(scope="module")
def ours(everything: list[Import]) -> list[Import]:
    """Imports of the package's own modules by its insides; the root only points at them."""
    return [edge for edge in everything if inside(edge.target, "proctor") and edge.importer != "proctor"]


def test_imports_run_downward_only(ours: list[Import]) -> None:
    edges = [edge for edge in ours if edge.target != "proctor"]
    assert edges
    assert [edge for edge in edges if wrong_direction(edge)] == []


def test_walls_stand(ours: list[Import]) -> None:
    assert [edge for edge in ours if through_wall(edge)] == []


def test_no_kind_of_computer_is_made_of_another(ours: list[Import]) -> None:
    assert [edge for edge in ours if between_backends(edge)] == []


def test_nobody_below_a_backend_knows_one(ours: list[Import]) -> None:
    below = ("proctor.computers", "proctor.tasks", "proctor.observations")
    edges = [edge for edge in ours if any(inside(edge.importer, room) for room in below)]
    backends = "proctor.computers.backends"
    assert [edge for edge in edges if inside(edge.target, backends) and not inside(edge.importer, backends)] == []


def test_checks_judge_without_a_machine(ours: list[Import]) -> None:
    assert any(role(edge.importer) == "checks" for edge in ours)
    assert [edge for edge in ours if judges_by_looking(edge)] == []


def test_what_reads_needs_nothing_but_bytes(ours: list[Import]) -> None:
    assert any(role(edge.importer) == "parse" for edge in ours)
    assert beyond_bytes(ours) == []


def test_nobody_imports_the_root(ours: list[Import]) -> None:
    assert [edge for edge in ours if edge.target == "proctor"] == []


def test_only_the_contracts_need_pytest(everything: list[Import]) -> None:
    users = {edge.importer for edge in everything if edge.target.split(".")[0] in ("pytest", "_pytest", "hypothesis")}
    assert users
    assert [name for name in users if not inside(name, "proctor.testing")] == []


def test_modules_do_not_import_each_other_in_a_circle(ours: list[Import]) -> None:
    assert cycles(ours) == []


def test_code_inside_a_computer_needs_only_the_standard_library(everything: list[Import]) -> None:
    guest = [edge for edge in everything if inside(edge.importer, GUEST)]
    # Files of one folder find each other by plain name there, because they are started as scripts.
    siblings = {edge.importer.rsplit(".", 1)[-1] for edge in guest}
    allowed = sys.stdlib_module_names | siblings
    assert guest
    assert [edge for edge in guest if edge.target.split(".")[0] not in allowed] == []


# The rules are worth what they catch: each is shown a small package that breaks it.


def edges_of(tmp_path: Path, files: dict[str, str]) -> list[Import]:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    package = modules(tmp_path)
    known = frozenset(module.name for module in package)
    return [edge for module in package for edge in imports(module, known)]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("proctor/actions/a.py", "from proctor.computers.computer import Computer"),
        ("proctor/observations/a.py", "def late():\n    import proctor.exam"),
        ("proctor/computers/a.py", "if TYPE_CHECKING:\n    from proctor.tasks import task"),
        ("proctor/models/a.py", "from proctor.observations.tree import Tree"),
        ("proctor/errors.py", "from .registry import Registry"),
        ("proctor/graphs/mathematics/a.py", "from proctor.graphs.compose.pool import SubtaskPool"),
        ("proctor/tasks/a.py", "from proctor.graphs.compose.pool import SubtaskPool"),
    ],
)
def test_an_import_upward_or_sideways_is_caught(tmp_path: Path, file: str, text: str) -> None:
    (edge,) = edges_of(tmp_path, {file: text})
    assert wrong_direction(edge)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("proctor/agents/a.py", "from proctor import tasks"),
        ("proctor/report/a.py", "def late():\n    from proctor.runner import plan"),
        ("proctor/computers/channels/a.py", "from ..backends.sandbox import computer"),
    ],
)
def test_an_import_through_a_wall_is_caught(tmp_path: Path, file: str, text: str) -> None:
    targets = {"proctor/tasks/__init__.py": "", "proctor/computers/backends/sandbox/computer.py": ""}
    (edge,) = edges_of(tmp_path, {**targets, file: text})
    assert through_wall(edge)


@pytest.mark.parametrize(
    "text", ["from proctor.computers.backends.b import film", "def f():\n    from ..b import film"]
)
def test_a_backend_that_imports_its_sibling_is_caught(tmp_path: Path, text: str) -> None:
    files = {"proctor/computers/backends/b/film.py": "", "proctor/computers/backends/a/film.py": text}
    (edge,) = edges_of(tmp_path, files)
    assert between_backends(edge)


@pytest.mark.parametrize("name", ["proctor/vocabulary/apps/x/checks.py", "proctor/vocabulary/desktop/checks/a.py"])
@pytest.mark.parametrize(
    "target",
    ["proctor.computers.computer", "proctor.vocabulary.formats.y.probes", "proctor.vocabulary.apps.x.setup"],
)
def test_a_check_that_looks_is_caught(tmp_path: Path, name: str, target: str) -> None:
    assert any(map(judges_by_looking, edges_of(tmp_path, {name: f"import {target}"})))


def test_reading_beyond_bytes_is_caught_at_any_distance(tmp_path: Path) -> None:
    files = {
        "proctor/vocabulary/apps/x/parse_a.py": "from proctor.vocabulary.formats.y import cells",
        "proctor/vocabulary/formats/y/__init__.py": "",
        "proctor/vocabulary/formats/y/cells.py": "from proctor.tasks.probe_context import Scene",
    }
    assert beyond_bytes(edges_of(tmp_path, files))
    assert beyond_bytes(edges_of(tmp_path, {**files, "proctor/vocabulary/formats/y/cells.py": "import re"})) == []


@pytest.mark.parametrize(
    "back",
    [
        "import proctor.a",
        "def late():\n    import proctor.a",
        "if TYPE_CHECKING:\n    from proctor.a import A",
        "class B:\n    def late(self):\n        from proctor import a",
        "late = lambda: __import__('json')\nfrom proctor.c import C",
    ],
)
def test_a_circle_is_caught_however_late_it_closes(tmp_path: Path, back: str) -> None:
    files = {"proctor/a.py": "from proctor.b import B", "proctor/b.py": back, "proctor/c.py": "import proctor.a"}
    (circle,) = [found for found in cycles(edges_of(tmp_path, files)) if found[0] == "proctor.a"]
    assert circle[0] == circle[-1]
    assert {"proctor.a", "proctor.b"} <= set(circle)


def test_what_imports_the_same_is_no_circle(tmp_path: Path) -> None:
    files = {"proctor/a.py": "import proctor.c", "proctor/b.py": "import proctor.a, proctor.c", "proctor/c.py": ""}
    assert cycles(edges_of(tmp_path, files)) == []


def reached_into(module: Module) -> list[str]:
    """Return where a module uses what a computer keeps for itself, or asks which kind of computer it has."""
    found = []
    for node in module.nodes:
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            owner = ast.unparse(node.value).rpartition(".")[2]
            if owner == "computer" or owner.endswith("_computer"):
                found.append(f"{module.name}:{node.lineno}: {ast.unparse(node)}")
        elif isinstance(node, ast.Call) and re.match(r"isinstance\(.*\b(Sandbox|Fake)Computer\b", ast.unparse(node)):
            found.append(f"{module.name}:{node.lineno}: {ast.unparse(node)}")
    return found


def test_nobody_reaches_into_a_computer(package: list[Module]) -> None:
    outside = [module for module in package if not inside(module.name, "proctor.computers")]
    assert [place for module in outside for place in reached_into(module)] == []


@pytest.mark.parametrize(
    "text",
    [
        "def f(computer):\n    computer._sandbox.close()",
        "x, y = context.computer._pointer()",
        "if isinstance(computer, SandboxComputer):\n    pass",
        "my_computer._clock()",
    ],
)
def test_reaching_into_a_computer_is_caught(text: str) -> None:
    assert reached_into(Module("proctor.x", Path("x.py"), text))


@pytest.mark.parametrize("text", ["computer.parts.rest.drawings()", "self._computer.settle()", "computer.__class__"])
def test_what_a_computer_offers_may_be_used(text: str) -> None:
    assert reached_into(Module("proctor.x", Path("x.py"), text)) == []

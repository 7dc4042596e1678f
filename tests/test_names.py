"""Names can be guessed: functions are verbs or plain nouns, a class name stands once, a docstring begins shortly."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import proctor
from tests.sources import Module, own_modules


class Most(NamedTuple):
    """What a room still has; it only shrinks, and a room that is not in the table has nothing."""

    participles: int = 0
    """Functions called by a bare participle."""
    twice: int = 0
    """Public classes whose name another module has too."""
    long: int = 0
    """Docstrings whose first line is too long."""
    any: int = 0
    """Uses of `Any`; those of all rooms together are bounded by MOST_ANY."""


ROOMS: dict[str, Most] = {
    "": Most(any=1),
    "actions": Most(any=3),
    "agents": Most(any=27),
    "applications": Most(any=2),
    "attacks": Most(participles=1, long=14, any=10),
    "bench": Most(any=1),
    "cli": Most(any=39),
    "computers": Most(participles=38, long=130, any=155),
    "exam": Most(participles=4, long=56, any=31),
    "graphs": Most(any=17),
    "interop": Most(any=95),
    "models": Most(any=63),
    "observations": Most(any=5),
    "offline": Most(any=55),
    "prove": Most(any=28),
    "report": Most(any=15),
    "runner": Most(participles=9, long=39, any=38),
    "store": Most(participles=2, any=79),
    "studio": Most(participles=3, any=36),
    "suites": Most(any=55),
    "synth": Most(any=12),
    "tasks": Most(participles=3, any=40),
    "testing": Most(long=2, any=7),
    "text_options": Most(any=5),
    "vocabulary": Most(participles=3, any=251),
    "web": Most(any=6),
}
GERUNDS = frozenset({"proctor.suites.moving"})
"""Modules that are still called by a gerund; the suite's name is an adjective."""
MOST_ANY = 7.5
"""Uses of `Any` in a thousand lines."""
FIRST_LINE = 95

IRREGULAR = frozenset(
    re.findall(
        r"\w+",
        """
    begun bound bought broken brought built caught chosen done drawn driven eaten fallen felt forgotten found given
    gone grown heard held hidden kept known laid lent lit lost made meant met paid ridden risen said seen sent shaken
    shown slept sold spent spoken stolen stood struck sung sunk sworn swept taken taught thought thrown told torn
    understood won worn written
    """,
    )
)
PLAIN = frozenset(
    re.findall(
        r"\w+",
        """
    bleed bring building ceiling drawing embed everything exceed feed finding heading need proceed ring seed setting
    speed string succeed swing thing warning
    """,
    )
)
"""Nouns and verbs that end as participles do."""
SHELVES = frozenset({"SETUP", "PROBES", "CHECKS", "MOVES"})
FOREIGN = frozenset({"done"})
"""The signal that every agent gives, as a tool and as a strategy."""


def is_participle(word: str) -> bool:
    ends = word.endswith(("ed", "ing")) and len(word) > 4 and "_" not in word
    return word in IRREGULAR or (ends and word not in PLAIN)


def participles(module: Module) -> list[str]:
    """Return the functions called by one word that is a participle."""
    return [
        f"{module.name}.{node.name}"
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and is_participle(node.name.strip("_"))
        and node.name not in FOREIGN
        and node.name not in proctor.__all__
        and not is_vocabulary(node)
        and not is_state(node)
    ]


def is_vocabulary(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a function is a word of task files."""
    words = [ast.unparse(each).partition("(")[0].rpartition(".") for each in function.decorator_list]
    return any(shelf in SHELVES and word == "register" for shelf, _, word in words)


def is_state(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a function is a property that is true or false: `verdict.passed`."""
    kinds = {ast.unparse(each).rpartition(".")[2] for each in function.decorator_list}
    answers = set(ast.unparse(function.returns).split(" | ")) if function.returns else set()
    return bool(kinds & {"property", "cached_property"}) and answers <= {"bool", "None"} and "bool" in answers


def public_classes(module: Module) -> list[str]:
    return [node.name for node in module.tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]


def twice(package: list[Module]) -> dict[str, list[str]]:
    """Return the public classes whose name stands in several modules, with those modules."""
    found = defaultdict(list)
    for module in package:
        for name in public_classes(module):
            found[name].append(module.name)
    return {name: modules for name, modules in found.items() if len(modules) > 1}


def long_docstrings(module: Module) -> list[str]:
    found = []
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            first = (ast.get_docstring(node) or "").partition("\n")[0]
            if len(first) > FIRST_LINE:
                found.append(f"{module.name}: {first}")
    return found


def uses_of_any(module: Module) -> int:
    return sum(isinstance(node, ast.Name) and node.id == "Any" for node in module.nodes)


def is_gerund(module: Module) -> bool:
    word = module.path.parent.name if module.path.name == "__init__.py" else module.path.stem
    return word.endswith("ing") and is_participle(word)


def room(name: str) -> str:
    return (name.split(".") + [""])[1]


def over(found: dict[str, list[str]], column: str) -> Iterator[str]:
    """Yield what each room has beyond its ceiling; all of it, as nobody knows which came last."""
    for each, names in found.items():
        most = getattr(ROOMS.get(each, Most()), column)
        if len(names) > most:
            yield f"{each}: {len(names)} and not {most}: {', '.join(sorted(names))}"


def by_room(names: list[str]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for name in names:
        found[room(re.split(r"[: ]", name)[0])].append(name)
    return found


def test_functions_are_verbs_or_nouns() -> None:
    found = [name for module in own_modules() for name in participles(module)]
    assert list(over(by_room(found), "participles")) == []


def test_a_class_name_stands_once() -> None:
    found = [f"{module} {name}" for name, modules in twice(own_modules()).items() for module in modules]
    assert list(over(by_room(found), "twice")) == []


def test_modules_are_called_by_nouns_and_verbs() -> None:
    testing = "proctor.testing"  # the name that users import
    assert {module.name for module in own_modules() if is_gerund(module)} - {testing} <= GERUNDS


def test_docstrings_begin_with_a_short_line() -> None:
    found = [line for module in own_modules() for line in long_docstrings(module)]
    assert list(over(by_room(found), "long")) == []


def test_any_is_rare() -> None:
    uses, lines = Counter[str](), 0
    for module in own_modules():
        uses[room(module.name)] += uses_of_any(module)
        lines += module.lines
    assert 1000 * uses.total() / lines <= MOST_ANY
    grown = {each: count for each, count in uses.items() if each in ROOMS and count > ROOMS[each].any}
    assert grown == {}


@pytest.mark.parametrize(
    "text",
    [
        "def told(): pass",
        "def _named(x): pass",
        "async def heard(): pass",
        "class A:\n    def running(self): pass",
        "class A:\n    @property\n    def kept(self) -> list[int]: pass",
        "def outer():\n    def gathered(): pass",
        "@REGISTRY.register\ndef stirred(): pass",
    ],
)
def test_a_participle_is_seen(text: str) -> None:
    assert participles(Module("proctor.x", Path("x.py"), text))


@pytest.mark.parametrize(
    "text",
    [
        "def read_pages(): pass",
        "def feed(): pass",
        "def setting(): pass",
        "def saved_games(): pass",
        "class A:\n    @property\n    def passed(self) -> bool: pass",
        "class A:\n    @cached_property\n    def clean(self) -> bool | None: pass",
        "@CHECKS.register\ndef renamed(): pass",
        "@CHECKS.register(many=True)\ndef renamed(): pass",
    ],
)
def test_verbs_nouns_states_and_words_of_tasks_are_not(text: str) -> None:
    assert participles(Module("proctor.x", Path("x.py"), text)) == []


def test_a_class_name_that_stands_twice_is_seen() -> None:
    package = [
        Module("proctor.a.b", Path("b.py"), "class Clock: pass\nclass _Own: pass\nclass Other:\n    class Inner: pass"),
        Module("proctor.c.d", Path("d.py"), "class Clock: pass\nclass _Own: pass\nclass Inner: pass"),
    ]
    assert twice(package) == {"Clock": ["proctor.a.b", "proctor.c.d"]}


@pytest.mark.parametrize(
    ("name", "gerund"), [("sitting", True), ("strings", False), ("setting", False), ("run", False)]
)
def test_a_gerund_is_seen(name: str, gerund: bool) -> None:
    assert is_gerund(Module(f"proctor.{name}", Path(f"{name}.py"), "")) is gerund
    assert is_gerund(Module(f"proctor.{name}", Path(name, "__init__.py"), "")) is gerund


def test_a_long_first_line_is_seen() -> None:
    text = 'def f():\n    """{}."""'
    assert long_docstrings(Module("proctor.x", Path("x.py"), text.format("a" * FIRST_LINE)))
    assert long_docstrings(Module("proctor.x", Path("x.py"), text.format("a\n\n    " + "a" * FIRST_LINE))) == []


def test_any_is_counted_where_it_is_used() -> None:
    text = "from typing import Any\ndef f(x: Any, **more: dict[str, Any]) -> None: pass\n'Any'"
    assert uses_of_any(Module("proctor.x", Path("x.py"), text)) == 2

"""An episode's life is written once: only the exam sets tasks up, lets computers come to rest and judges them."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from tests.sources import Module, modules, own_modules

LIFE = {
    "proctor.tasks.prepare": frozenset({"set_up", "conclude"}),
    "proctor.tasks.judge": frozenset({"judge"}),
}
"""What an episode's life is made of, by the module it stands in."""

EXCEPTIONS = {
    "proctor.bench.browser": "measures the setup alone, again and again on one computer",
    "proctor.prove.attempt": "judges again what an exam has judged, to see that it agrees",
    "proctor.prove.mutate": "judges again what an exam has judged",
    "proctor.prove.mutate_evidence": "judges again what an exam has judged, with other words",
    "proctor.prove.mutate_files": "judges again what an exam has judged, with other files",
    "proctor.prove.mutate_surroundings": "judges again what an exam has judged, with more files",
    "proctor.prove.prefixes": "judges how far a solution has come, to compare with its checkpoints",
    "proctor.prove.spoil": "judges again what an exam has judged, with spoilt files",
    "proctor.prove.stand_ins": "judges again what an exam has judged, with expected files in place",
}


def writers(package: list[Module]) -> dict[str, set[str]]:
    """Return which modules outside of the exam use what, however they import it."""
    found: dict[str, set[str]] = defaultdict(set)
    for module in package:
        if module.name.startswith("proctor.exam.") or module.name in LIFE:
            continue
        for node in module.nodes:
            if isinstance(node, ast.ImportFrom) and node.module in LIFE:
                found[module.name] |= {alias.name for alias in node.names} & LIFE[node.module]
            whole = {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()
            if isinstance(node, ast.ImportFrom):
                whole = {f"{node.module}.{alias.name}" for alias in node.names}
            if taken := whole & LIFE.keys():
                found[module.name] |= taken
    return {name: used for name, used in found.items() if used}


def test_only_the_exam_writes_an_episodes_life() -> None:
    assert writers(own_modules()).keys() == EXCEPTIONS.keys()


def test_a_proof_judges_again_and_does_nothing_else() -> None:
    found = writers(own_modules())
    assert {name: found[name] for name in found if name.startswith("proctor.prove.")} == {
        name: {"judge"} for name in EXCEPTIONS if name.startswith("proctor.prove.")
    }


@pytest.mark.parametrize(
    "text",
    [
        "from proctor.tasks.prepare import set_up, words_of",
        "from proctor.tasks.judge import judge as look",
        "from proctor.tasks import prepare",
        "import proctor.tasks.judge",
        "def later():\n    from proctor.tasks.prepare import conclude",
    ],
)
def test_another_writer_is_caught(tmp_path: Path, text: str) -> None:
    place = tmp_path / "proctor" / "cli"
    place.mkdir(parents=True)
    (place / "again.py").write_text(text + "\n")
    assert writers(modules(tmp_path)).keys() == {"proctor.cli.again"}


def test_what_prepares_nothing_is_let_through(tmp_path: Path) -> None:
    place = tmp_path / "proctor" / "runner"
    place.mkdir(parents=True)
    (place / "again.py").write_text("from proctor.tasks.judge import regrade\n")
    assert not writers(modules(tmp_path))

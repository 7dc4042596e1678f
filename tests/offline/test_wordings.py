"""Elements told in six ways, each of which fits one element; the language is the one that is shown."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from proctor.computers import open_computer
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree
from proctor.offline.harvest.catalogue import Visit, VisitedProgram
from proctor.offline.harvest.harvest import _Distinct
from proctor.offline.harvest.rows import rows_of
from proctor.offline.harvest.walk import VisitView
from proctor.offline.make.make import split_of
from proctor.offline.make.shown_language import WORDS, language_of, shown_language
from proctor.offline.make.wordings import WORDINGS, ElementWords, choose_wording

SIZE = (900, 600)
SHOWN = frozenset({"showing", "visible"})


def node(index: int, role: str, name: str, box: Box, *, parent: int | None = 0, app: str = "calc", **more: Any) -> Node:
    fields = {"states": SHOWN, "app": app, "window": "Prices", "depth": 0 if parent is None else 1, **more}
    return Node(index=index, parent=parent, role=role, name=name, box=box, **fields)


def bar(*names: str, role: str = "push button", first: str = "", app: str = "calc") -> Tree:
    """Return a named tool bar with buttons in a row; the first has a description."""
    holder = node(0, "tool bar", "Standard", Box(0, 0, 900, 40), parent=None, app=app)
    nodes = [
        node(place, role, name, Box(40 * place, 5, 30, 30), app=app, description=first if place == 1 else "")
        for place, name in enumerate(names, 1)
    ]
    return Tree((holder, *nodes))


def words(tree: Tree, index: int, language: str = "en") -> dict[str, str]:
    return ElementWords(tree, SIZE).of(tree.nodes[index], language)


def test_an_element_is_told_in_six_ways() -> None:
    tree = bar("Save", "Open", "Print", role="check box", first="Keep this document")
    assert words(tree, 1) == {
        "name": 'Click the check box "Save"',
        "place": 'Click the check box that is number 1 of 3 from the left in the tool bar "Standard"',
        "neighbour": 'Click the check box to the left of the check box "Open"',
        "purpose": 'Click what serves this purpose: "Keep this document"',
        "effect": 'Switch "Save" on',
        "language": "Click “Save”.",
    }
    assert set(words(tree, 1)) == set(WORDINGS)


@pytest.mark.parametrize(
    ("language", "said"), [("de", "Klicke auf „Save“."), ("ja", "「Save」をクリックしてください。")]
)
def test_it_is_told_in_the_language_that_is_shown(language: str, said: str) -> None:
    assert words(bar("Save", "Open"), 1, language)["language"] == said
    assert "language" not in words(bar("Save", "Open"), 1, "")


def test_no_way_is_taken_that_fits_another_element() -> None:
    described = bar("Save", "Open", first="x1")
    twins = Tree((*described.nodes, node(3, "label", "Save", Box(500, 500, 60, 20), description="x1")))
    found = words(twins, 1, "en")
    assert "language" not in found and "purpose" not in found
    assert found["name"] == 'Click the button "Save"'
    # Two buttons at one place of a row are no row.
    crossed = Tree((*bar("Save", "Open").nodes, node(3, "push button", "Help", Box(40, 20, 30, 30))))
    assert "number" not in words(crossed, 1)["place"]


def test_what_a_common_name_is_for_is_known_in_english() -> None:
    assert words(bar("Undo", "Save as..."), 2)["purpose"] == "Click the button that keeps the work under a new name"
    assert "purpose" not in words(bar("Undo", "Save as..."), 2, "de")


def test_each_way_is_drawn_and_the_draw_is_the_same_again() -> None:
    found = words(bar("Save", "Open", "Print", role="check box", first="Keep it"), 1)
    drawn = Counter(choose_wording(found, str(number))[0] for number in range(600))
    assert set(drawn) == set(WORDINGS) and min(drawn.values()) > 60
    assert choose_wording(found, "a") == choose_wording(found, "a")


def test_no_word_tells_two_languages() -> None:
    counted = Counter(word for listed in WORDS.values() for word in set(listed.split()))
    assert max(counted.values()) == 1


@pytest.mark.parametrize(
    ("names", "language"),
    [
        (["File", "Edit", "View", "Name"], "en"),
        (["Datei", "Bearbeiten", "Ansicht"], "de"),
        (["Archivo", "Editar", "Ver"], "es"),
        (["Fichier", "Édition", "Affichage"], "fr"),
        (["ファイル(F)", "編集(E)"], "ja"),
        (["Save As…", "Open..."], "en"),
        (["Datei"], ""),
        (["Fichier", "Open", "Affichage", "Close"], ""),
        (["1", "B4", ""], ""),
    ],
)
def test_the_language_is_read_off_the_interface(names: list[str], language: str) -> None:
    assert language_of(names) == language
    assert shown_language(bar(*names), "calc") == language


def harvested(folder: Path, tree: Tree, locale: str, desktop: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    for place in ("images", "elements"):
        (folder / place).mkdir(exist_ok=True)
    with open_computer("fake", size=SIZE) as computer:
        image = computer.screenshot()
    program = VisitedProgram("libreoffice-calc", ("soffice",))
    visit = Visit(0, 0, program, SIZE, "light", 1.0, locale, "light")
    view = VisitView("window", image, tree, tree.nodes[1:])
    return [dict(row) for row in rows_of(folder, visit, view, SIZE, desktop)]


def test_a_program_that_shows_english_is_no_german_sample(tmp_path: Path) -> None:
    """What was set says nothing: the language packs may be missing."""
    rows = harvested(tmp_path, bar("File", "Edit", "View"), "de_DE.UTF-8")
    assert {row["language"] for row in rows} == {"en"} and "locale" not in rows[0]
    rows = harvested(tmp_path, bar("B4", "C5"), "de_DE.UTF-8")
    assert {row["language"] for row in rows} == {""}
    assert all(row["wording"] in row["wordings"] and row["instruction"] in row["wordings"].values() for row in rows)


def test_a_panels_icon_is_the_panels_and_counts_to_its_split(tmp_path: Path) -> None:
    rows = harvested(tmp_path, bar("Menu", "Clock", app="lxpanel"), "en_US.UTF-8", ("lxpanel",))
    assert {(row["application"], row["task"]) for row in rows} == {("lxpanel", "harvest/lxpanel")}
    own = harvested(tmp_path, bar("Menu", "Clock"), "en_US.UTF-8", ("lxpanel",))
    assert {row["application"] for row in own} == {"libreoffice-calc"}
    programs = [VisitedProgram(f"program-{number}", ("x",)) for number in range(20)]
    splits = set()
    for program in programs:
        distinct = _Distinct()
        distinct.add(Visit(0, 0, program, SIZE, "light", 1.0, "en_US.UTF-8", "light"), json.loads(json.dumps(rows)))
        taken = {row["split"] for row in distinct.rows}
        assert taken == ({split_of("harvest/lxpanel")} if split_of(f"harvest/{program.name}") in taken else set())
        splits |= taken
    assert splits == {split_of("harvest/lxpanel")}

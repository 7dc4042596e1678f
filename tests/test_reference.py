"""The pages of the reference say what the code says, and what they show can be used."""

from __future__ import annotations

import json
import re

import pytest
from scripts.reference import FOLDER, pages
from scripts.reference.agents import action_schemas

from proctor.actions.action import ACTIONS
from proctor.cli.main import COMMANDS
from proctor.suites.words import TITLES, words
from proctor.tasks.call import Call, Kind
from proctor.tasks.shelves import names, problems, tool

PAGES = pages()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_current(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name], "run `python -m scripts.reference`"


def test_there_is_nothing_else() -> None:
    assert {path.name for path in FOLDER.iterdir()} == PAGES.keys()


@pytest.mark.parametrize("kind", TITLES)
def test_examples_of_words_are_right(kind: Kind) -> None:
    for word in words(kind):
        call = Call.from_json(word.example)
        assert (call.kind, call.name) == (word.kind, word.name)
        assert [problem.message for problem in problems(call, (), word.kind)] == [], word.name
        assert word.summary, word.name


def test_every_word_has_its_place_in_the_reference() -> None:
    for kind in TITLES:
        assert {word.name for word in words(kind)} == set(names(kind))
        for word in words(kind):
            # Other tests put words of their own on the shelves.
            if tool(Call(kind, word.name)).function.__module__.startswith("proctor."):
                assert f"\n### {word.name}\n" in PAGES["tasks.md"]


def test_every_action_and_command_has_its_place() -> None:
    found = re.findall(r"```json\n(\{.*?\n\})\n```", PAGES["agents.md"], re.DOTALL)
    assert [json.loads(each) for each in found] == list(action_schemas().values())
    assert all(f"\n### {kind}\n" in PAGES["agents.md"] for kind in ACTIONS)
    assert all(f"\n## proctor {name}\n" in PAGES["commands.md"] for name in COMMANDS)


def test_links_of_the_reference_lead_somewhere() -> None:
    for name, text in PAGES.items():
        for target in re.findall(r"\]\(([^)]+)\)", text):
            path, _, anchor = target.partition("#")
            assert not path or (FOLDER / path).exists(), f"{name}: {target}"
            if anchor and not path:
                titles = {re.sub(r"[^\w\- ]", "", title).lower().replace(" ", "-") for title in _titles(text)}
                assert anchor in titles, f"{name}: {target}"


def _titles(text: str) -> list[str]:
    return re.findall(r"^#+ (.+)$", text, re.MULTILINE)

"""Tasks that were found by doing something first, and named by what it changed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from proctor.synth.answer import AnswerRefused
from proctor.synth.explore import explore
from proctor.synth.name_changes import name_changes
from proctor.synth.outline import AppOutline, SeenView, SettingChange
from proctor.synth.plan import SEARCH, SynthesisPlan
from proctor.synth.recombine import draw_moves, material
from proctor.synth.search import SearchSource
from proctor.synth.setting_task import setting_task, single_changes
from proctor.synth.synth import synthesise
from proctor.synth.toggle import toggles
from proctor.tasks.inside.merge import merge
from proctor.tasks.load import load_task

TEXT = "milk\nbread\nbutter\n"


def asked(after: str, before: str = TEXT) -> list[str]:
    return [change.asked for change in name_changes(merge(before, after).differences)]


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ("milk\nbread\nbutter\neggs\n", ['insert "eggs" as a new line, so that it becomes line 4']),
        ("eggs\nmilk\nbread\nbutter\n", ['insert "eggs" as a new line, so that it becomes line 1']),
        ("milk\nbutter\n", ['delete line 2, "bread"']),
        (TEXT, []),
        ('milk\nbread\nbutter\n"x"\n', []),  # quotes in quotes would not say exactly what is meant
        ("milk\n\nbread\nbutter\n", []),  # an empty line is nothing that people ask for
    ],
)
def test_changes_are_put_into_words_or_left_alone(after: str, said: list[str]) -> None:
    assert asked(after) == said


def test_keys_of_existing_tasks_give_what_is_put_together_anew() -> None:
    scenes, typed, presses = material("mousepad")
    assert len(scenes) >= 3
    assert len(typed) >= 5
    assert {"ctrl+Home", "ctrl+End"} <= set(presses)
    one, same, other = (draw_moves(Random(seed), typed, presses) for seed in (1, 1, 2))
    assert one == same != other


def test_a_search_finds_tasks_that_pass_the_same_gate(tmp_path: Path) -> None:
    plan = SynthesisPlan(by=SEARCH, apps=("mousepad",), count=2, rounds=1, backend="fake")
    made = synthesise(tmp_path, plan, None)
    accepted = [fate for fate in made.fates if fate.accepted]
    assert accepted
    assert (accepted[0].calls, accepted[0].cost_usd) == (0, 0.0)
    task = load_task(tmp_path / "tasks" / f"{accepted[0].name}.json")
    assert task.provenance is not None
    assert task.provenance.by == SEARCH
    assert task.provenance.foreign >= 3


def test_an_application_without_keys_for_texts_gives_nothing() -> None:
    source = SearchSource(AppOutline(app="galculator"), 1, "fake")
    with pytest.raises(AnswerRefused, match="nothing to put together"):
        source.begin(lambda *_: None)


# -- outlines -----------------------------------------------------------------------------------------------------


def test_an_outline_is_made_once_and_read_again(tmp_path: Path) -> None:
    first = explore("mousepad", tmp_path, "fake")
    assert "Save All" in first.names()
    assert 'menu File: menu item "Save"' in first.text().replace("- ", "")
    (tmp_path / "mousepad.json").write_text((tmp_path / "mousepad.json").read_text().replace("Save All", "Keep All"))
    assert "Keep All" in explore("mousepad", tmp_path, "fake").names()


def test_items_that_switch_something_are_found_with_the_way_to_them() -> None:
    views = (
        SeenView(what="menu View", elements=(("menu", "Bars"), ("check menu item", "Line Numbers"))),
        SeenView(what="menu Bars", elements=(("check menu item", "Toolbar"), ("menu item", "Other..."))),
        SeenView(what="dialog Find", elements=(("check menu item", "not in a menu"),)),
    )
    assert toggles(views) == [("View", "Line Numbers"), ("View", "Bars", "Toolbar")]


def change(item: str, setting: str, after: object = True) -> SettingChange:
    return SettingChange(menu=("View", item), file="dconf", setting=setting, before=None, after=after)


def test_a_setting_becomes_a_task_with_near_misses_of_its_own() -> None:
    numbers, toolbar = change("Line Numbers", "/view/numbers"), change("Toolbar", "/view/toolbar")
    twice = (change("Both", "/a"), change("Both", "/b"))
    known = single_changes((numbers, toolbar, *twice, change("Odd", "ini setting")))
    assert known == [numbers, toolbar]
    parts = setting_task("mousepad", numbers, known)
    assert 'switch "Line Numbers" on' in parts.proposal.instruction
    assert [miss.name for miss in parts.misses.near_misses] == ["switched there and back", "Toolbar instead"]
    assert parts.verdict.check.to_json() == {
        "check": "setting_is",
        "of": {"probe": "dconf", "key": "/view/numbers"},
        "value": True,
    }

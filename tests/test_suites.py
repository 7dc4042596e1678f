"""Suites: what they hold, and what their tasks must be."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from proctor import load_suite, run, taxonomy
from proctor.errors import SpecError, UnknownName
from proctor.suites import SUITES
from proctor.suites.lint import SEEDS, lint_suite
from proctor.suites.suite import Suite
from proctor.tasks.load import task_from_json
from proctor.tasks.user import SimulatedUser

CORE = load_suite("core")
DAYS = load_suite("days")
MOVING = load_suite("moving")
TOUR = load_suite("tour")


def test_an_unknown_suite_is_named() -> None:
    with pytest.raises(UnknownName, match="unknown suite 'tuor'") as error:
        load_suite("tuor")
    assert error.value.remedy == "did you mean 'tour'?"


def test_an_unknown_task_is_named() -> None:
    with pytest.raises(UnknownName, match="task of suite 'core' 'sign-the-leter'") as error:
        CORE.task("sign-the-leter")
    assert error.value.remedy == "did you mean 'sign-the-letter'?"


def test_a_task_is_found_by_name_and_by_id() -> None:
    assert CORE.task("sign-the-letter") == CORE.task("core/sign-the-letter-v1")


def test_an_unknown_suite_cannot_be_run(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="suite"):
        run("tuor", ["idle"], out=tmp_path / "run")


def test_two_templates_of_one_name_are_refused() -> None:
    one = CORE.template("sign-the-letter")
    with pytest.raises(SpecError, match="two templates named sign-the-letter"):
        Suite(name="x", version=1, summary="", templates=(one, one))


@pytest.mark.parametrize("suite", [CORE, DAYS, MOVING], ids=lambda suite: suite.name)
def test_nothing_is_to_be_remarked_about_a_suite(suite: Suite) -> None:
    assert [str(remark) for remark in lint_suite(suite)] == []


@pytest.mark.parametrize("suite", [CORE, DAYS, MOVING], ids=lambda suite: suite.name)
def test_every_seed_gives_a_task_that_survives_json(suite: Suite) -> None:
    for task in suite.tasks(SEEDS):
        again = task_from_json(task.to_json())
        assert again == task
        assert again.digest == task.digest


def test_the_tour_is_eight_tasks_of_core_on_light_applications() -> None:
    assert len(TOUR.templates) == 8
    assert {task.image for task in TOUR.tasks()} == {"starter"}
    assert len({task.tags.apps[0] for task in TOUR.tasks()}) >= 5
    assert [task.digest for task in TOUR.tasks()] == [CORE.task(t.name).digest for t in TOUR.templates]


def test_core_covers_what_people_do() -> None:
    tags = [template.tags for template in CORE.templates]
    assert {category for tag in tags for category in tag.categories} == set(taxonomy.CATEGORIES)
    assert {tag.domain for tag in tags} == set(taxonomy.DEMANDS)
    assert len({app for tag in tags for app in tag.apps}) >= 20
    levels = Counter(tag.level for tag in tags)
    assert all(levels[level] >= least for level, least in {1: 15, 2: 45, 3: 25, 4: 15}.items()), levels
    assert len(tags) >= 100
    assert sum(len(tag.apps) > 1 for tag in tags) >= 30
    assert sum(not tag.feasible for tag in tags) >= 10
    assert sum(bool(tag.services) for tag in tags) >= 10


def test_suites_are_listed() -> None:
    assert {"core", "days", "moving", "tour"} <= set(SUITES.names())


def test_whatever_moves_has_a_twin_in_which_something_like_it_happens() -> None:
    twins = {template.twin: template for template in MOVING.templates if template.twin}
    moved = [template for template in MOVING.templates if not template.twin]
    assert sorted(twins) == sorted(template.name for template in moved)
    for template in moved:
        task, twin = (MOVING.task(each.name) for each in (template, twins[template.name]))
        assert task.tags == twin.tags
        assert [call.name for event in task.events for call in event.do] == [
            call.name for event in twin.events for call in event.do
        ]


def test_every_event_of_moving_waits_for_what_is_done_and_counts_for_the_verdict() -> None:
    for task in MOVING.tasks():
        (event,) = task.events
        assert task.tags.level == 3
        assert event.needed and event.checks


def test_no_instruction_of_moving_says_that_something_will_happen() -> None:
    hints = re.compile(
        r"\b(meanwhile|while you|may change|might change|could change|changes? (its|his|her) mind|in case)\b"
    )
    for task in MOVING.tasks(SEEDS):
        assert not [text for text in (task.instruction, *task.paraphrases) if hints.search(text.lower())]


def test_days_are_balanced_and_their_twins_turn_everything_round() -> None:
    first = [template for template in DAYS.templates if not template.twin]
    again = {template.twin: template for template in DAYS.templates if template.twin}
    assert len(DAYS.templates) >= 24
    assert sorted(again) == sorted(template.name for template in first)
    for template in first:
        for seed in SEEDS:
            day, twin = (DAYS.task(each.name, seed).day for each in (template, again[template.name]))
            assert day is not None and twin is not None
            assert 3 <= len(day.opportunities) <= 8 and 3 <= len(day.temptations) <= 8
            assert (len(day.opportunities), len(day.temptations)) == (len(twin.temptations), len(twin.opportunities))
            assert day.busy_score <= 0 and twin.busy_score <= 0


def test_every_day_is_of_level_5_and_ends_with_what_says_so() -> None:
    for task in DAYS.tasks():
        assert task.tags.level == 5
        assert task.day is not None and "That is all for today" in task.instruction
        coming = [event for event in task.events if not event.name.startswith("it is too late")]
        assert coming[-1].name == "That is all for today"
        assert len(coming) == len(task.day.matters) + 1
        assert task.day.length == len(coming) * coming[-1].when.actions


def test_whoever_names_a_matter_of_a_day_is_told_what_its_owner_thinks_of_it() -> None:
    frames = ("Shall I see to {}?", "May I take care of {} now, or would you rather do that yourself?", "What about {}")
    for task in DAYS.tasks((0, 1)):
        assert task.day is not None
        for matter in task.day.matters:
            for frame in frames:
                user = SimulatedUser(task.whole_user)
                assert user.ask(frame.format(matter.name)) == matter.word
                assert user.asked[-1].about == (matter.name,)

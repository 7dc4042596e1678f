"""Versions of a demonstration: whatever is done to them, the recording stays, and undoing is exact."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proctor.errors import ProctorError, RecordError, SpecError
from proctor.records import Hit
from proctor.store.paths import RunPaths
from proctor.store.reviews import sums_of
from proctor.store.verify import verify
from proctor.store.versions import OutOfDate
from proctor.studio.refine.compare import compare
from proctor.studio.refine.edits import apply, splice_lines
from proctor.studio.refine.log import FILE, Refinements
from proctor.studio.refine.material import Material
from proctor.studio.refine.split import effective, join, split
from proctor.studio.refine.steps import RefinedStep, original, state_from_json, state_to_json
from tests.web.recorded import KEY, write_run

BOX = {"role": "push button", "name": "Open", "box": [10, 20, 30, 40], "app": "mousepad"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("refined") / "run"
    write_run(root)
    return root


@pytest.fixture
def material(run: Path) -> Material:
    (run / FILE).unlink(missing_ok=True)
    return Material(_folder(run))


def _folder(run: Path) -> Path:
    return RunPaths(run).episode(KEY)


def log_of(material: Material) -> Refinements:
    return Refinements(material.folder, len(material.demonstration.lines))


def hashes(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


EDITS = st.one_of(
    st.fixed_dictionaries(
        {
            "do": st.sampled_from(["cut", "delete", "join", "move"]),
            "steps": st.lists(st.integers(0, 13), min_size=1, max_size=3, unique=True),
            "before": st.integers(0, 13),
        }
    ),
    st.fixed_dictionaries({"do": st.just("split"), "step": st.integers(0, 13), "at": st.integers(0, 12)}),
    st.fixed_dictionaries({"do": st.just("say"), "step": st.integers(0, 13), "instruction": st.text(max_size=9)}),
    st.fixed_dictionaries({"do": st.just("say"), "step": st.integers(0, 13), "thought": st.text(max_size=9)}),
    st.fixed_dictionaries(
        {"do": st.just("element"), "step": st.integers(0, 13), "element": st.just(BOX), "aim": st.booleans()}
    ),
    st.fixed_dictionaries(
        {"do": st.just("action"), "step": st.integers(0, 13), "action": st.just({"type": "press", "keys": "ctrl+s"})}
    ),
    st.fixed_dictionaries(
        {"do": st.sampled_from(["undo", "redo", "restore", "nonsense"]), "number": st.integers(0, 9)}
    ),
)


def named(edit: dict[str, Any], ids: list[str]) -> dict[str, Any]:
    """Return an edit that names steps by their ids, where there are so many."""

    def pick(place: int) -> str:
        return ids[place % len(ids)] if ids else "none"

    found = {**edit}
    if "steps" in found:
        found["steps"] = list(dict.fromkeys(pick(place) for place in found["steps"]))
        found["before"] = pick(found["before"])
    if "step" in found:
        found["step"] = pick(found["step"])
    return found


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=st.lists(EDITS, max_size=12), cut=st.integers(1, 400))
def test_any_row_of_edits_keeps_the_recording_and_undoes_exactly(
    run: Path, edits: list[dict[str, Any]], cut: int
) -> None:
    (run / FILE).unlink(missing_ok=True)
    material = Material(_folder(run))
    before = hashes(material.folder)
    log = log_of(material)
    # A model of undo and redo: all states, and a place among them.
    states, place = [original(len(material.demonstration.lines))], 0
    for edit in edits:
        versions = log.read()
        assert versions.now == states[place]
        assert (len(versions.past), len(versions.future)) == (place, len(states) - place - 1)
        try:
            if edit["do"] in ("undo", "redo"):
                getattr(log, edit["do"])(versions.number, by="ann")
                place += 1 if edit["do"] == "redo" else -1
                continue
            if edit["do"] == "restore":
                made = versions.state(edit["number"])
                log.restore(versions.number, edit["number"], by="ann")
            else:
                made = apply(versions.now, named(edit, [step.id for step in versions.now]), material.step)
                log.save(versions.number, made, edit, by="ann")
        except SpecError:
            assert log.read().now == states[place]
            continue
        place += 1
        states = [*states[:place], made]
    found = log.read()
    assert found.now == states[place]
    assert state_from_json(state_to_json(found.now)) == found.now
    assert len({step.id for step in found.now}) == len(found.now)
    assert hashes(material.folder) == before
    # A crash cuts the last line off anywhere: everything before it is there, and the next save is whole.
    file = run / FILE
    if found.number:
        data = file.read_bytes()
        last = data.rstrip(b"\n").rfind(b"\n") + 1
        file.write_bytes(data[: max(last, len(data) - cut)])
        left = log_of(material).read()
        assert left.number == found.number - 1
        assert left.states == {number: found.states[number] for number in left.states}
        log_of(material).save(left.number, left.now[:1], {"do": "cut"}, by="ben")
        assert log_of(material).read().now == left.now[:1]
        assert verify(run) == []


def test_a_step_is_split_and_joined_to_what_it_was() -> None:
    text = {"type": "type", "text": "naïve 👍 text"}
    one, other = split(text, 7)
    assert (one["text"], other["text"]) == ("naïve 👍", " text")
    assert join([one, other]) == text
    wheel = {"type": "scroll", "x": 5, "y": 6, "dy": -5}
    assert [part["dy"] for part in split(wheel, 2)] == [-2, -3]
    assert join(list(split(wheel, 2)))["dy"] == -5
    double = {"type": "click", "x": 5, "y": 6, "count": 2}
    assert join(list(split(double, 1)))["count"] == 2
    assert join([{"type": "type", "text": "a"}, {"type": "press", "keys": "Return"}])["text"] == "a\n"
    wait = {"type": "wait", "seconds": 3.0}
    assert join(list(split(wait, 1.5))) == wait


@pytest.mark.parametrize(
    ("action", "at"),
    [
        ({"type": "type", "text": "a"}, 1),
        ({"type": "type", "text": "abc"}, 0),
        ({"type": "press", "keys": "ctrl+s"}, 1),
        ({"type": "click", "x": 1, "y": 1}, 1),
        ({"type": "wait", "seconds": 2.0}, 2.0),
        ({"type": "wait", "seconds": 2.0}, float("nan")),
    ],
)
def test_what_cannot_be_split_is_refused_in_words(action: dict[str, Any], at: float) -> None:
    with pytest.raises(SpecError, match="cannot be split"):
        split(action, at)


@pytest.mark.parametrize(
    "actions",
    [
        [{"type": "click", "x": 1, "y": 1}, {"type": "click", "x": 90, "y": 1}],
        [{"type": "type", "text": "a"}, {"type": "press", "keys": "ctrl+s"}],
        [{"type": "click", "x": 1, "y": 1}] * 4,
        [{"type": "wait", "seconds": 50.0}] * 2,
    ],
)
def test_what_cannot_be_one_step_is_refused_in_words(actions: list[dict[str, Any]]) -> None:
    with pytest.raises(SpecError):
        join(actions)


def test_what_is_done_is_the_same_however_it_is_cut() -> None:
    done = [{"type": "type", "text": "abc"}, {"type": "click", "x": 1, "y": 1, "count": 2}, {"type": "done"}]
    cut = [
        *split(done[0], 1),
        {"type": "wait", "seconds": 1.0},
        *split(done[1], 1),
        {"type": "move", "x": 9, "y": 9},
        {"type": "done"},
    ]
    assert effective(cut) == effective(done)
    assert effective(cut[:1]) != effective(done)


@pytest.mark.parametrize(
    "edit",
    [
        {},
        {"do": "delete"},
        {"do": "delete", "steps": []},
        {"do": "delete", "steps": ["no such"]},
        {"do": "delete", "steps": [1]},
        {"do": "join", "steps": ["0"]},
        {"do": "join", "steps": ["0", "3"]},
        {"do": "move", "steps": ["0"], "before": "0"},
        {"do": "split", "step": "4"},
        {"do": "split", "step": "4", "at": "2"},
        {"do": "split", "step": "7", "at": 2},
        {"do": "action", "step": "0", "action": {"type": "click", "x": "here"}},
        {"do": "action", "step": "0"},
        {"do": "element", "step": "0", "element": {}},
        {"do": "element", "step": "0", "element": {"role": "x" * 20_000}},
        {"do": "say", "step": "0"},
        {"do": "say", "step": "0", "instruction": "x" * 20_000},
        {"do": "say", "step": "0", "instruction": 4},
        {"do": "__class__"},
    ],
)
def test_a_wrong_edit_is_refused(material: Material, edit: dict[str, Any]) -> None:
    with pytest.raises(SpecError) as told:
        apply(original(len(material.demonstration.lines)), edit, material.step)
    assert told.value.remedy


def test_a_click_is_aimed_at_the_element_that_was_meant(material: Material) -> None:
    state = original(len(material.demonstration.lines))
    made = apply(state, {"do": "element", "step": "0", "element": BOX, "aim": True}, material.step)
    step = material.step(made[0])
    assert step.action is not None
    assert (step.action["x"], step.action["y"]) == (25, 40)
    assert step.element == Hit(role="push button", name="Open", box=(10, 20, 30, 40), app="mousepad")
    kept = apply(state, {"do": "element", "step": "0", "element": BOX}, material.step)
    assert material.step(kept[0]).action == material.step(state[0]).action


def test_elements_come_from_the_tree_and_from_other_steps(material: Material) -> None:
    found = material.elements(original(1)[0])
    assert {element["from"] for element in found} >= {"tree"}
    action = material.demonstration.lines[0].action
    assert action
    left, top, width, height = found[0]["box"]
    assert left <= action["x"] < left + width
    assert top <= action["y"] < top + height


def test_a_version_of_another_recording_does_not_count(run: Path, material: Material) -> None:
    log = log_of(material)
    log.save(0, original(2), {"do": "cut"}, by="ann")
    file = run / FILE
    file.write_text(file.read_text().replace(log.sums, "0" * 64))
    found = log_of(material).read()
    assert found.now == found.states[0]
    assert found.lines == ()


@pytest.mark.parametrize(
    "steps",
    [None, {}, [1.5], [{"id": 3}], [0, 0], ["0"], [{"id": "x", "line": -1}], [10**9], [{"id": "a", "line": 99}]],
)
def test_lines_that_make_no_sense_are_passed_over(run: Path, material: Material, steps: Any) -> None:
    log = log_of(material)
    data = {"act": "edit", "edit": {"do": "cut"}, "steps": steps, "sums": log.sums}
    (run / FILE).write_text(json.dumps({"key": log.key, "version": 1, "data": data}) + "\nrubbish\n")
    found = log_of(material).read()
    assert found.now == found.states[0]
    assert log_of(material).save(found.number, original(2), {"do": "cut"}, by="ann") == 2
    assert log_of(material).read().now == original(2)


def test_two_who_edit_at_once_do_not_destroy_each_other(material: Material) -> None:
    one, other = log_of(material), log_of(material)
    one.save(0, original(3), {"do": "cut"}, by="ann")
    with pytest.raises(OutOfDate):
        other.save(0, original(2), {"do": "cut"}, by="ben")
    with pytest.raises(OutOfDate):
        other.undo(0, by="ben")
    assert one.read().now == original(3)
    # The same save sent twice is one version.
    assert other.save(1, original(2), {"do": "cut"}, by="ben", save="x") == 2
    assert other.save(1, original(2), {"do": "cut"}, by="ben", save="x") == 2
    assert len(one.read().lines) == 2


def test_another_recording_lies_beside_or_nowhere(material: Material) -> None:
    for of in ("../run/episodes/a/b/c/0", "run/../../etc", "/etc/passwd", "run/episodes/a/b/c/0/../0", "x\0y"):
        with pytest.raises((RecordError, ProctorError)):
            material.at(of)
    assert sums_of(material.home / "run", "nowhere") == ""


def test_two_versions_side_by_side() -> None:
    one = original(5)
    other = (one[0], one[3], replace(one[1], instruction="do it"), RefinedStep(id="9:0", of="other"))
    rows = [(row.how, row.left, row.right) for row in compare(one, other)]
    assert ("gone", 2, None) in rows
    assert ("gone", 4, None) in rows
    assert ("new", None, 3) in rows
    assert {how for how, *_ in rows if how in ("moved", "changed")}
    assert [row.how for row in compare(one, one)] == ["same"] * 5
    changed = replace(one[1], instruction="x", action={"type": "done"})
    (row,) = [row for row in compare(one, (one[0], changed)) if row.left == 1]
    assert (row.how, row.changed) == ("changed", ("action", "instruction"))


def test_splicing_keeps_ids_apart() -> None:
    state = splice_lines(original(4), 2, "run/episodes/a/b/c/0", [1, 2])
    again = splice_lines(state, 3, "run/episodes/a/b/c/0", [1, 2])
    assert [step.line for step in again] == [0, 1, 1, 1, 2]
    assert len({step.id for step in again}) == 5

"""Every type of record: what is written is read back, whatever its fields hold, and damage stays where it is."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from proctor.records import (
    Apart,
    Brief,
    Canary,
    ChangedPath,
    Criticism,
    EpisodeKey,
    Flag,
    Header,
    Hit,
    ModelCall,
    NamedAgent,
    Origin,
    Output,
    RecordedFinding,
    RecordedVerdict,
    Refined,
    Saw,
    SawWindow,
    Seconds,
    SetTask,
    Step,
    Told,
    Tool,
    plain,
    read,
    read_each,
    without_defaults,
)
from proctor.records.plain import LARGEST, WRONG, Reshaped, fields_of
from tests.records.samples import JSON, records

KINDS = (
    Apart, Brief, Canary, ChangedPath, Criticism, EpisodeKey, Flag, Header, Hit, ModelCall, NamedAgent, Origin, Output,
    RecordedFinding, RecordedVerdict, Refined, Saw, SawWindow, Seconds, SetTask, Step, Told, Tool,
)  # fmt: skip
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
quick = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def through_a_file(record: Any) -> Any:
    """Return the plain data of a record as a file gives it back."""
    return json.loads(json.dumps(without_defaults(record)))


@each_kind
@quick
@given(data=some.data())
def test_what_is_written_is_read_back(kind: Any, data: some.DataObject) -> None:
    record = data.draw(records(kind))
    assert read(kind, through_a_file(record)) == record


@each_kind
@quick
@given(data=some.data())
def test_only_what_differs_from_a_default_is_written(kind: Any, data: some.DataObject) -> None:
    record = data.draw(records(kind))
    written = without_defaults(record)
    for field in fields_of(kind):
        default = field.default if field.default is not dataclasses.MISSING else None
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        same = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
        assert (field.name in written) != (same and getattr(record, field.name) == default)


@each_kind
@quick
@given(data=some.data())
def test_a_damaged_field_costs_no_other(kind: Any, data: some.DataObject) -> None:
    record = data.draw(records(kind))
    written = through_a_file(record)
    broken = data.draw(some.sampled_from([field.name for field in fields_of(kind)]))
    found = read(kind, {**written, broken: data.draw(JSON)})
    assert isinstance(found, kind)
    for field in fields_of(kind):
        if field.name != broken:
            assert getattr(found, field.name) == getattr(record, field.name)


@each_kind
@quick
@given(data=some.data())
def test_fields_of_a_later_version_are_left_out(kind: Any, data: some.DataObject) -> None:
    record = data.draw(records(kind))
    later = data.draw(some.dictionaries(some.text(min_size=1).map(lambda name: f"later_{name}"), JSON, max_size=3))
    assert read(kind, {**later, **through_a_file(record)}) == record


@each_kind
def test_records_cannot_be_changed(kind: Any) -> None:
    record = read(kind, {})
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(record, fields_of(kind)[0].name, None)


@each_kind
@pytest.mark.parametrize("damaged", [None, 7, "text", True, [], [1, 2], 1.5, {}], ids=repr)
def test_what_is_no_record_is_an_empty_one(kind: Any, damaged: Any) -> None:
    if kind is Output and isinstance(damaged, str):
        pytest.skip("a text is what an early version printed")
    assert read(kind, damaged) == read(kind, {})


@quick
@given(listed=some.lists(records(ChangedPath) | some.integers() | some.text(max_size=3), max_size=6))
def test_lists_keep_their_order_and_leave_out_what_is_no_record(listed: list[Any]) -> None:
    data = [through_a_file(each) if isinstance(each, ChangedPath) else each for each in listed]
    assert read_each(ChangedPath, data) == [each for each in listed if isinstance(each, ChangedPath)]


@given(data=JSON)
def test_what_is_no_list_holds_no_records(data: Any) -> None:
    found = read_each(Hit, data)
    assert len(found) == (sum(isinstance(each, dict) for each in data) if isinstance(data, list) else 0)
    assert all(isinstance(each, Hit) for each in found)


@dataclasses.dataclass(frozen=True)
class Old:
    """A type that was once a pair."""

    first: int = 0
    second: tuple[str, ...] = ()

    @staticmethod
    def older(data: object) -> object:
        """Read a pair as it was once written."""
        return {"first": data[0], "second": data[1]} if isinstance(data, list) and len(data) == 2 else data


@dataclasses.dataclass(frozen=True)
class Around:
    """A type that holds one."""

    inner: Old = Old()
    many: tuple[Old, ...] = ()
    by_name: dict[str, Old] = dataclasses.field(default_factory=dict)


@given(number=some.integers(-LARGEST, LARGEST), texts=some.lists(some.text(max_size=4), max_size=3))
def test_older_shapes_are_read_wherever_they_stand(number: int, texts: list[str]) -> None:
    assert isinstance(Old, Reshaped)
    wanted = Old(number, tuple(texts))
    pair = [number, texts]
    assert read(Old, pair) == read(Old, {"first": number, "second": texts}) == wanted
    found = read(Around, {"inner": pair, "many": [pair, 7, {"first": number, "second": texts}], "by_name": {"a": pair}})
    assert found == Around(wanted, (wanted, wanted), {"a": wanted})
    assert read_each(Old, [pair, [1], None]) == [wanted]


def test_a_reader_of_older_shapes_leaves_the_present_one_alone() -> None:
    assert Output.older({"text": "x"}) == {"text": "x"}
    assert Output.older("x") == {"text": "x"}
    assert Output.older(None) is None
    assert read(Step, {"output": 7}).output is None


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (("a", ("b", "c")), ["a", ["b", "c"]]),
        ((Hit(role="button"), Hit()), [{"role": "button"}, {}]),
        (Hit(box=(1, 2, 3, 4)), {"box": [1, 2, 3, 4]}),
        ({"a": 1}, {"a": 1}),
        ("text", "text"),
        (None, None),
        (Hit, Hit),
    ],
)
def test_values_are_written_as_plain_data(value: Any, written: Any) -> None:
    assert plain(value) == written


def test_fields_can_be_left_out_by_name() -> None:
    hit = Hit(role="button", name="Save", app="gedit")
    assert without_defaults(hit, "name", "app") == {"role": "button"}
    assert "name" in without_defaults(hit, "app")


@pytest.mark.parametrize("number", [LARGEST + 1, -LARGEST - 1, 10**400, 1e300, float("inf"), float("-inf")])
def test_no_number_is_beyond_all_measure(number: float) -> None:
    assert read(Step, {"step": number, "at": number}) == Step()
    assert read(ChangedPath, {"size": number}).size is None


@pytest.mark.parametrize("number", [LARGEST, -LARGEST, 0, 1])
def test_numbers_that_a_column_takes_are_read(number: int) -> None:
    assert read(Step, {"step": number, "at": number}) == Step(step=number, at=number)


def test_truth_is_no_number_and_a_number_no_truth() -> None:
    assert read(Step, {"step": True, "at": False, "settled": 1, "verified": 0, "end": "yes"}) == Step()


def test_a_box_has_four_numbers_or_is_none() -> None:
    assert read(Hit, {"box": [1, 2.5, 3, 4]}).box == (1, 2.5, 3, 4)
    for box in ([1, 2, 3], [1, 2, 3, 4, 5], [1, 2, 3, "4"], "1234", {"x": 1}, [1, 2, 3, None]):
        assert read(Hit, {"role": "r", "box": box}) == Hit(role="r")


def test_none_is_what_was_never_written() -> None:
    assert read(Hit, {"role": None, "box": None}) == Hit()
    assert read(Criticism, {"success": None, "told": None}) == Criticism()
    assert WRONG not in vars(Criticism).values()

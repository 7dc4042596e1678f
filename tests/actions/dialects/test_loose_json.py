"""JSON as models write it: everything that is JSON is read as JSON, and much that is not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.actions.dialects.loose_json import MAX_DEPTH, FoundObject, find

texts = some.text(some.characters(exclude_categories=["Cs"]), max_size=20)
values = some.recursive(
    some.none() | some.booleans() | some.integers(-(10**15), 10**15) | texts
    | some.floats(allow_nan=False, allow_infinity=False),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
objects = some.dictionaries(texts, values, max_size=4)


@given(data=objects, indent=some.sampled_from([None, 0, 2]), ascii_only=some.booleans())
def test_json_is_read_as_json(data: dict[str, Any], indent: int | None, ascii_only: bool) -> None:
    found = find(json.dumps(data, indent=indent, ensure_ascii=ascii_only))
    assert (list(found.values), found.broken) == ([data], "")


@given(many=some.lists(objects, min_size=1, max_size=4))
def test_objects_are_found_one_after_the_other_and_in_lists(many: list[dict[str, Any]]) -> None:
    assert list(find("\n".join(map(json.dumps, many))).values) == many
    assert list(find(json.dumps(many)).values) == [many]


@given(data=objects, before=some.sampled_from(["I click. ", "a {brace} here ", "[1, 2] ", "f(x) = "]), after=texts)
def test_objects_are_found_in_prose_with_their_place(data: dict[str, Any], before: str, after: str) -> None:
    written = json.dumps(data)
    text = f"{before}{written} {after.replace('{', '').replace('[', '')}"
    (entry,) = [each for each in find(text).values if isinstance(each, FoundObject)]
    assert entry == data
    assert text[slice(*entry.span)] == written


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'a': 'b'}", {"a": "b"}),
        ("{a: 1, b_2: 2}", {"a": 1, "b_2": 2}),
        ("{“a”： “b”， ‘c’: ‘d’}", {"a": "b", "c": "d"}),
        ('{"a": 1,}', {"a": 1}),
        ('{"a": [1, 2,],}', {"a": [1, 2]}),
        ('{"a": 1; "b": 2}', {"a": 1, "b": 2}),
        ('{"a" = 1}', {"a": 1}),
        ('{"a": 1 // one\n, # two\n "b": 2}', {"a": 1, "b": 2}),
        ("{'a': True, 'b': False, 'c': None, 'd': undefined}", {"a": True, "b": False, "c": None, "d": None}),
        ('{"a": +1.5, "b": .5, "c": 1., "d": -2e3}', {"a": 1.5, "b": 0.5, "c": 1.0, "d": -2000.0}),
        ('{"a": "C:\\Users\\me"}', {"a": "C:\\Users\\me"}),
        ('{"a": "line\nbreak"}', {"a": "line\nbreak"}),
        ("{'a': 'it\\'s'}", {"a": "it's"}),
        ('{"a": "\\ud83d\\ude00 \\x41 \\u00e9"}', {"a": "😀 A é"}),
        ('{"a": {"b": {"c": []}}}', {"a": {"b": {"c": []}}}),
        ("{}", {}),
    ],
)
def test_what_models_make_of_json_is_understood(text: str, value: Any) -> None:
    assert list(find(text).values) == [value]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1', "cut off before its end"),
        ('{"a": "b', "cut off before its end"),
        ('{"a": 1 "b": 2}', "a comma or } is missing"),
        ('{"a": [1 2]}', "a comma or ] is missing"),
        ('{"a": word}', "'word' is not quoted"),
        ('{"a": 1, "b"}', "no colon after 'b'"),
        ('{"a": }', "this is not JSON"),
        ('x\n{"a": 1,\n"b": ?}', "line 3"),
    ],
)
def test_what_was_meant_as_an_object_and_is_broken_is_told(text: str, said: str) -> None:
    found = find(text)
    assert said in found.broken
    assert found.broken.startswith("JSON, line ")


@pytest.mark.parametrize(
    "text", ["", "no braces", "{", "{}}{", "[1, 2, 3]", "[]", "a {b} c", "if (x) { return }", "[x]", "{{}"]
)
def test_brackets_in_prose_are_no_broken_json(text: str) -> None:
    found = find(text)
    assert found.broken == ""
    assert all(value == {} for value in found.values)


def test_lists_of_other_things_are_no_entries() -> None:
    assert find('[1, "a"]').values == ()
    assert find('[{"a": 1}, 2]').values == ()
    assert find("[[{'a': 1}]]").values == ()


def test_depth_is_bounded() -> None:
    deep = '{"a": ' * MAX_DEPTH + "1" + "}" * MAX_DEPTH
    assert len(find(deep).values) == 1
    assert find('{"a": ' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1)).broken


def test_the_end_is_where_the_last_object_ends() -> None:
    text = '{"a": 1} and {"b": 2} DONE'
    found = find(text)
    assert text[found.end :] == " DONE"
    assert find("none").end == 0


def test_numbers_of_any_length_are_numbers() -> None:
    (entry,) = find('{"a": 123456789012345678901234567890, "b": -Infinity, "c": NaN}').values
    assert isinstance(entry, dict)
    assert entry["a"] == pytest.approx(1.2345678901234568e29)
    assert entry["b"] == float("-inf")
    assert entry["c"] != entry["c"]


@given(some.text(some.sampled_from("{}[]:,'\"\\“”ab1-. \n#/") | some.characters(), max_size=60))
def test_any_text_can_be_searched(text: str) -> None:
    found = find(text)
    assert 0 <= found.end <= len(text)
    for value in found.values:
        assert isinstance(value, dict | list)

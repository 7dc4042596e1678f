"""Names lead to classes lazily, and a wrong name, option or target is answered with what to do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.computers import COMPUTERS, open_computer
from proctor.computers.computer import Computer
from proctor.errors import MissingExtra, SpecError, UnknownName
from proctor.registry import Registration, Registry

TABLE = {
    "decoder": Registration("json:JSONDecoder"),
    "nested": Registration("json:JSONDecoder.decode"),
    "needy": Registration("a_module_nobody_has.inner:Thing", extra="video"),
    "ours": Registration("proctor.no_such_module:Thing", extra="video"),
    "gone": Registration("json:NoSuchThing"),
}


@pytest.fixture
def registry() -> Registry[Any]:
    return Registry("thing", TABLE, group="proctor.tests")


def test_a_name_is_imported_when_asked_for(registry: Registry[Any]) -> None:
    import json

    assert registry.get("decoder") is json.JSONDecoder
    assert registry.get("nested") is json.JSONDecoder.decode


def test_any_module_and_class_will_do(registry: Registry[Any]) -> None:
    from collections import OrderedDict

    assert registry.get("collections:OrderedDict") is OrderedDict


def test_an_unknown_name_gets_a_suggestion(registry: Registry[Any]) -> None:
    with pytest.raises(UnknownName, match="unknown thing 'decodr'") as caught:
        registry.get("decodr")
    assert caught.value.remedy == "did you mean 'decoder'?"


def test_a_name_like_no_other_gets_the_list(registry: Registry[Any]) -> None:
    with pytest.raises(UnknownName) as caught:
        registry.get("zzzzzz")
    assert all(name in caught.value.remedy for name in TABLE)


def test_an_absent_extra_is_named_with_its_command(registry: Registry[Any]) -> None:
    with pytest.raises(MissingExtra) as caught:
        registry.get("needy")
    assert caught.value.remedy == "pip install 'proctor[video]'"


def test_a_defect_of_our_own_is_not_blamed_on_an_extra(registry: Registry[Any]) -> None:
    with pytest.raises(SpecError, match="proctor.no_such_module") as caught:
        registry.get("ours")
    assert not isinstance(caught.value, MissingExtra)


@pytest.mark.parametrize("name", ["gone", "json:", ":x", ":", "no_such_module_here:X", "json:dumps.nothing", ".a:B"])
def test_a_broken_target_is_a_clear_error(registry: Registry[Any], name: str) -> None:
    with pytest.raises(SpecError, match="cannot be loaded"):
        registry.get(name)


@given(st.text())
def test_no_name_escapes_the_error_tree(name: str) -> None:
    registry: Registry[Any] = Registry("thing", {}, group="proctor.tests")
    with pytest.raises(SpecError):
        registry.get(name)


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution on the path that adds two things, one of which cannot be imported."""
    info = tmp_path / "addon-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: addon\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[proctor.tests]\nadded = addon_for_tests:Added\nbroken = addon_for_tests_that_is_not_there:Thing\n"
    )
    (tmp_path / "addon_for_tests.py").write_text("class Added: pass\n")
    monkeypatch.syspath_prepend(tmp_path)


def test_plugins_are_found(registry: Registry[Any], plugin: None) -> None:
    assert registry.names() == sorted([*TABLE, "added", "broken"])
    assert "addon_for_tests" not in sys.modules
    assert registry.get("added").__name__ == "Added"
    with pytest.raises(SpecError, match="addon_for_tests_that_is_not_there"):
        registry.get("broken")


def test_the_backends_have_names() -> None:
    assert {"fake", "sandbox"} <= set(COMPUTERS.names())


@pytest.mark.parametrize("backend", ["fake", pytest.param("sandbox", marks=pytest.mark.sandbox)])
def test_a_computer_is_opened_by_name_and_not_yet_started(backend: str) -> None:
    computer = open_computer(backend, size=(800, 600))
    assert isinstance(computer, Computer)
    assert computer.backend == backend
    assert computer.size == (800, 600)


def test_entering_starts_and_leaving_closes() -> None:
    with open_computer("fake") as computer:
        assert computer.screenshot().size == computer.size


def test_an_unknown_backend_gets_a_suggestion() -> None:
    with pytest.raises(UnknownName) as caught:
        open_computer("sandbx")
    assert caught.value.remedy == "did you mean 'sandbox'?"


@pytest.mark.parametrize("backend", ["fake", "sandbox"])
def test_an_unknown_option_gets_a_suggestion_and_the_list(backend: str) -> None:
    with pytest.raises(SpecError, match=f"{backend!r} takes no option 'sizee'") as caught:
        open_computer(backend, sizee=(800, 600))
    assert "did you mean 'size'?" in caught.value.remedy
    assert "its options are:" in caught.value.remedy


def test_what_is_no_computer_is_refused() -> None:
    for name in ("json:dumps", "json:JSONDecoder"):
        with pytest.raises(SpecError, match="is not a computer"):
            open_computer(name)

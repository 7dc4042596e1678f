"""Options of computers are declared once: constructor, command line, doctor and docs read the same dataclass."""

from __future__ import annotations

import dataclasses
import inspect
from pathlib import Path

import pytest

from proctor.computers import COMPUTERS, class_of, open_computer, options_of
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.backends.fake.options import FakeOptions
from proctor.computers.backends.local.options import LocalOptions
from proctor.computers.kinds import list_computers
from proctor.computers.options import take_options
from proctor.errors import SpecError, UnknownName
from proctor.field_docs import field_docs
from proctor.runner.computer_spec import ComputerSpec
from tests.computers.option_tables import option_table, with_tables

BACKENDS = ("android", "browser", "fake", "local", "qemu", "sandbox", "vnc")


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_declares_its_options_once_and_says_what_they_mean(backend: str) -> None:
    declared = class_of(backend).Options
    assert declared is not None and dataclasses.is_dataclass(declared)
    assert declared.__dataclass_params__.frozen  # type: ignore[attr-defined]
    fields = dataclasses.fields(declared)
    meanings = field_docs(declared)
    assert set(meanings) == {field.name for field in fields}
    assert [name for name, text in meanings.items() if not text.endswith(".")] == []
    assert {field.name for field in fields if field.default is dataclasses.MISSING} <= {"address"}
    assert list(inspect.signature(class_of(backend)).parameters) == [field.name for field in fields]


def test_the_docs_say_what_the_dataclasses_say(project: Path) -> None:
    told = []
    for path in sorted(project.joinpath("docs").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        assert text == with_tables(text), f"run `python -m tests.computers.option_tables {path}`"
        told += [backend for backend in BACKENDS if f"<!-- options of {backend} -->" in text]
    assert sorted(told) == sorted(BACKENDS)
    assert "| `size` | WIDTHxHEIGHT | `1920x1080` |" in option_table("sandbox")


def test_the_doctor_lists_the_options_of_every_kind() -> None:
    for computer in list_computers():
        if computer.name in BACKENDS:
            declared = options_of(computer.name)
            assert isinstance(declared, type) and dataclasses.is_dataclass(declared)
            assert {option.name for option in computer.options} == {each.name for each in dataclasses.fields(declared)}
            assert all(option.meaning and option.form for option in computer.options)


def test_a_computer_takes_its_options_whole_by_name_or_both() -> None:
    options = FakeOptions(size=(800, 600), without=("clip",))
    assert FakeComputer(options).size == FakeComputer(size=(800, 600)).size == (800, 600)
    both = FakeComputer(options, size=(640, 480))
    assert both.size == (640, 480)
    assert "clip" not in both.capabilities
    assert open_computer("fake", **vars(options)).size == (800, 600)
    assert ComputerSpec.parse("fake,size=800x600").constructor_options() == {"size": (800, 600)}


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_option_that_is_not_there_is_answered_with_the_one_that_is_near(backend: str) -> None:
    name = next(field.name for field in dataclasses.fields(class_of(backend).Options or object))  # type: ignore[arg-type]
    wrong = f"{name}_"
    with pytest.raises(SpecError, match=f"takes no option '{wrong}'.*\n.*did you mean '{name}'"):
        open_computer(backend, **{wrong: 1})
    with pytest.raises(SpecError, match=f"no option '{wrong}', did you mean '{name}'"):
        ComputerSpec.parse(f"{backend},{wrong}=1").constructor_options()


def test_values_that_a_field_does_not_name_are_refused() -> None:
    with pytest.raises(UnknownName, match="unknown pace 'setle'"):
        take_options(LocalOptions, None, {"pace": "setle"})
    with pytest.raises(SpecError, match="confirm='no' is neither yes nor no"):
        take_options(LocalOptions, None, {"confirm": "no"})


def test_a_class_with_a_constructor_of_its_own_is_asked_for_its_own_options() -> None:
    class Small(FakeComputer):
        def __init__(self, *, scale: int = 2) -> None:
            super().__init__(size=(320 * scale, 240 * scale))

    assert Small.Options is None
    assert list(inspect.signature(Small).parameters) == ["scale"]
    assert Small(scale=3).size == (960, 720)

    class Same(FakeComputer):
        backend = "same"

    assert Same.Options is FakeOptions
    assert "without" in inspect.signature(Same).parameters


def test_every_registered_backend_is_looked_at_here() -> None:
    assert set(BACKENDS) <= set(COMPUTERS.names())

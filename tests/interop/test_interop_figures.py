"""The figures of the doors for trainers are measured, or say why they are not."""

from __future__ import annotations

import pytest

from benchmarks import interop_openenv
from benchmarks.interop_vector import measure_vector


def test_the_vector_environment_is_compared_with_its_absence() -> None:
    (figure,) = measure_vector(desktops=2, steps=1)
    assert figure.value is not None and figure.value < 100
    assert "2 fake computers" in figure.note


def test_without_openenv_the_figure_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interop_openenv, "openenv_python", lambda: None)
    (figure,) = interop_openenv.measure_openenv()
    assert figure.value is None and "left out" in figure.note


def test_the_python_with_openenv_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setenv("PROCTOR_OPENENV_PYTHON", "/nowhere/python")
    assert interop_openenv.openenv_python() is None
    monkeypatch.setenv("PROCTOR_OPENENV_PYTHON", "/bin/sh")
    assert interop_openenv.openenv_python() == "/bin/sh"

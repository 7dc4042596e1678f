"""Suites and runs: what this version can say of them."""

from __future__ import annotations

import pytest

from proctor import load_suite, run
from proctor.errors import SpecError, UnknownName


def test_an_unknown_suite_is_named() -> None:
    with pytest.raises(UnknownName, match="unknown suite 'tour'"):
        load_suite("tour")


def test_a_run_needs_a_suite_that_exists() -> None:
    with pytest.raises(UnknownName, match="'tour'"):
        run("tour", agents=["idle"])


def test_a_suite_that_exists_cannot_be_run_yet_and_that_is_said() -> None:
    with pytest.raises(SpecError, match="no runner yet"):
        run("tests.test_suites:SUITE")


SUITE = object()

"""Answers to first-run questions: readable, and only for applications that are there."""

from __future__ import annotations

import json
from pathlib import Path

from proctor.applications import first_runs
from proctor.computers.sandbox_machine.first_runs import files


def install(rootfs: Path, *programs: str) -> None:
    for program in programs:
        path = rootfs / program.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_an_image_without_applications_gets_no_answers(tmp_path: Path) -> None:
    assert files(tmp_path) == {}


def test_every_answer_has_a_place_of_its_own(tmp_path: Path) -> None:
    install(tmp_path, *{each.program for each in first_runs()})
    written = files(tmp_path)
    assert len(written) == sum(len(each.files) for each in first_runs()) >= 6
    assert all(path.startswith("/") and data for path, data in written.items())


def test_chromium_does_not_ask_to_sign_in(tmp_path: Path) -> None:
    install(tmp_path, "/usr/bin/chromium")
    written = files(tmp_path)
    assert json.loads(written["/etc/chromium/policies/managed/proctor.json"])["BrowserSignin"] == 0
    assert all("chromium" in path for path in written)

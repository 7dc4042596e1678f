"""Repositories: made, looked at without being touched, and judged by their history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from proctor import open_computer
from proctor.computers.computer import Computer
from proctor.errors import SetupFailed
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.desktop.setup.programs import process
from proctor.vocabulary.formats.repositories import checks
from proctor.vocabulary.formats.repositories.probes import repository as see_repository
from proctor.vocabulary.formats.repositories.setup import Commit, repository

SEEN: dict[str, Any] = {
    "path": "site",
    "branch": "main",
    "branches": ["main", "try"],
    "tags": ["v1"],
    "commits": [
        {"subject": "Add hours."},
        {"subject": "Begin"},
    ],
    "changed": ["hours.txt"],
    "status": [{"path": "new.txt", "state": "??"}],
    "files": {"hours.txt": "9-17\n", "logo.png": None},
}
CLEAN = {**SEEN, "status": []}


def test_the_last_commit_is_known_by_its_line_its_files_and_what_came_before() -> None:
    assert checks.last_commit(SEEN, subject="add hours", files=["hours.txt"], before=["Begin"]).passed
    assert len(checks.last_commit(SEEN, subject="Begin", files=["logo.png"], before=[]).feedback) == 3
    assert not checks.last_commit({**SEEN, "commits": []}, subject="Begin").passed


def test_uncommitted_changes_are_told() -> None:
    assert checks.repository_clean(CLEAN).passed
    assert checks.repository_clean(SEEN).feedback == ("new.txt in site is not committed.",)
    assert checks.repository_status(SEEN, ["new.txt"]).passed
    assert not checks.repository_status(SEEN, []).passed
    assert not checks.repository_status(CLEAN, ["new.txt"]).passed


def test_branches_and_tags() -> None:
    assert checks.branch_is(SEEN, "main").passed
    assert not checks.branch_is(SEEN, "try").passed
    assert checks.branch_is({**SEEN, "branch": None}, "main").feedback == ("site is on no branch, expected main.",)
    assert checks.branches_are(SEEN, ["try", "main"]).passed
    assert len(checks.branches_are(SEEN, ["main", "other"]).feedback) == 2
    assert checks.tag_exists(SEEN, "v1").passed
    assert not checks.tag_exists(SEEN, "v2").passed


def test_history_and_files_at_head() -> None:
    assert checks.history_is(SEEN, ["Add hours.", "Begin"]).passed
    assert not checks.history_is(SEEN, ["Begin"]).passed
    assert checks.commits_include(SEEN, ["Begin"]).passed
    assert not checks.commits_include(SEEN, ["Begin", "End"]).passed
    assert checks.file_at_head(SEEN, "hours.txt", "9-17").passed
    assert checks.file_at_head(SEEN, "logo.png").passed
    for path, text in (("hours.txt", "9-18"), ("logo.png", "x"), ("other.txt", None)):
        assert not checks.file_at_head(SEEN, path, text).passed


@pytest.fixture(scope="module")
def computer() -> Iterator[Computer]:
    with open_computer("sandbox", image="full", clock="2026-03-12T09:30:00") as started:
        repository(
            SetupContext(started),
            "site",
            [
                Commit(message="Begin", files={"a.txt": "a\n", "b ö.txt": "b\n"}),
                Commit(message="Drop one\n\nIt was old.", files={"b ö.txt": None}),
                Commit(message="Try", files={"a.txt": "A\n"}, branch="try"),
            ],
            stay_on="main",
        )
        yield started


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_a_repository_is_seen_as_it_was_made(computer: Computer) -> None:
    seen = see_repository(ProbeContext(computer), "site")
    assert (seen["branch"], seen["branches"], seen["tags"], seen["status"]) == ("main", ["main", "try"], [], [])
    assert [commit["subject"] for commit in seen["commits"]] == ["Drop one", "Begin"]
    assert seen["changed"] == ["b ö.txt"]
    assert seen["files"] == {"a.txt": "a\n"}


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_looking_runs_nothing_of_the_repository_and_leaves_it_alone(computer: Computer) -> None:
    trap = "#!/bin/sh\ntouch /tmp/sprung\n"
    computer.write_file("trap.sh", trap.encode(), mode=0o755)
    for key in ("core.fsmonitor", "core.pager", "diff.external", "core.sshCommand"):
        computer.run(["git", "-C", "site", "config", key, "/home/user/trap.sh"])
    computer.write_file("site/new.txt", b"new\n")
    before = computer.run(["sh", "-c", "cd site && find . -type f -exec sha256sum {} + | sort"]).stdout
    seen = see_repository(ProbeContext(computer), "site")
    assert seen["status"] == [{"path": "new.txt", "state": "??"}]
    assert computer.run(["sh", "-c", "cd site && find . -type f -exec sha256sum {} + | sort"]).stdout == before
    assert computer.run(["test", "-e", "/tmp/sprung"]).code == 1


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_what_is_no_repository_or_a_broken_one_cannot_be_seen(computer: Computer) -> None:
    with pytest.raises(CannotSee) as found:
        see_repository(ProbeContext(computer), "Documents")
    assert found.value.fault.kind == "absent"
    computer.run(["cp", "-r", "site", "broken"])
    computer.write_file("broken/.git/HEAD", b"junk\n")
    with pytest.raises(CannotSee) as found:
        see_repository(ProbeContext(computer), "broken")
    assert found.value.fault.kind == "unreadable"
    computer.run(["git", "init", "-q", "fresh"])
    assert see_repository(ProbeContext(computer), "fresh")["commits"] == []


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_a_process_runs_until_it_is_asked_to_end(computer: Computer) -> None:
    process(SetupContext(computer), ["sleep", "4321"])
    assert computer.run(["pkill", "-x", "-f", "sleep 4321"]).code == 0
    computer.wait_for(lambda each: each.run(["pgrep", "-x", "-f", "sleep 4321"]).code == 1, what="the end")
    with pytest.raises(SetupFailed):
        process(SetupContext(computer), ["python3", "-c", "raise SystemExit"])
        process(SetupContext(computer), ["/bin/false"])

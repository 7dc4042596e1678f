"""Bounds that hold or do not, control groups that were handed to us, and runs that are refused where one is loose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from proctor.cli.main import cli
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.host_checks import HostBound
from proctor.computers.sandbox_machine import bounds, delegation, limits
from proctor.computers.sandbox_machine.checks import CHECKS
from proctor.errors import HostError
from tests.prove.machines import shopping

OWN = "user.slice/user@1.service/app.slice/term.scope"


@pytest.fixture
def groups(tmp_path: Path) -> Path:
    """What a user of systemd sees: all below `user@1.service` is theirs."""
    folder = tmp_path
    for name in ("", *OWN.split("/")):
        folder /= name
        folder.mkdir(exist_ok=True)
        for file, text in (("cgroup.procs", ""), ("cgroup.controllers", "memory pids"), ("cgroup.subtree_control", "")):
            (folder / file).write_text(text)
    return tmp_path


def hands_over(monkeypatch: pytest.MonkeyPatch, *ours: Path) -> None:
    """Only some folders may be written to; root may write to all."""
    known = {path for folder in ours for path in (folder, *folder.iterdir())}
    monkeypatch.setattr(delegation.os, "access", lambda path, _mode: Path(path) in known)


def test_the_nearest_group_is_taken_in_which_groups_may_be_limited(
    groups: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = groups / "user.slice/user@1.service"
    (service / "cgroup.subtree_control").write_text("cpu memory pids")
    hands_over(monkeypatch, service, service / "app.slice")
    assert delegation.find(groups, f"/{OWN}") == service
    (service / "app.slice/cgroup.subtree_control").write_text("memory pids")
    assert delegation.find(groups, f"/{OWN}") == service / "app.slice"


def test_where_nothing_is_ours_there_is_none(groups: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hands_over(monkeypatch)
    assert delegation.find(groups, f"/{OWN}") is None


def test_our_own_processes_make_room_in_a_group_of_ours(groups: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = groups / OWN
    (here / "cgroup.procs").write_text("4242\n")
    hands_over(monkeypatch, here)

    def enable(folder: Path) -> None:
        assert (folder / delegation.HARNESS / "cgroup.procs").read_text() == "4242"
        (folder / "cgroup.subtree_control").write_text("memory pids")

    monkeypatch.setattr(delegation, "enable", enable)
    assert delegation.find(groups, f"/{OWN}") == here


def test_every_bound_is_named_by_the_doctor() -> None:
    assert [bound.name for bound in bounds.bounds()] == list(bounds.BOUNDS)
    for name in bounds.BOUNDS:
        finding = CHECKS[f"bound: {name}"](f"bound: {name}")
        assert finding.found.startswith("held by ")
        assert finding.status in ("ok", "warn") and bool(finding.remedy) == (finding.status == "warn")


def test_without_control_groups_memory_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = limits.Groups(folders=(), memory="watched", processes="rlimit", cpus="nothing", io="nothing")
    monkeypatch.setattr(limits, "make", lambda _: watched)
    assert "memory" in [bound.name for bound in bounds.loose_bounds()]
    assert "processors" not in [bound.name for bound in bounds.loose_bounds()], "what is only fair harms nobody"
    finding = CHECKS["bound: memory"]("bound: memory")
    assert finding.status == "warn"
    assert "systemd-run" in finding.remedy


@pytest.fixture
def loose(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine that watches memory, a task, and computers that are sandboxes by name."""
    bound = HostBound(name="memory", held_by="watched", holds=False, means="it is watched", remedy="run as root")
    monkeypatch.setattr(SandboxComputer, "loose_bounds", classmethod(lambda _: [bound]))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    task = tmp_path / "shopping.json"
    task.write_text(json.dumps(shopping().to_json()))
    return task


def test_code_of_an_agent_is_refused_where_a_bound_is_loose(loose: Path, tmp_path: Path) -> None:
    given = ["run", str(loose), "--agent", "idle", "--out", str(tmp_path / "run"), "--action", "run_code"]
    with pytest.raises(HostError, match="not every bound of a computer holds here .memory: it is watched") as error:
        CliRunner().invoke(cli, given, catch_exceptions=False)
    assert "--loose-limits" in str(error.value)
    assert not (tmp_path / "run").exists()


@pytest.mark.sandbox
@pytest.mark.parametrize("more", [["--action", "run_code", "--action", "done", "--loose-limits"], []])
def test_what_is_loose_is_said_and_the_run_goes_on(loose: Path, tmp_path: Path, more: list[str]) -> None:
    given = ["run", str(loose), "--agent", "idle", "--out", str(tmp_path / "run"), "-n", "1", *more]
    done = CliRunner().invoke(cli, [*given, "--computer", "sandbox,look=light,image=starter"], catch_exceptions=False)
    assert "nothing enforces the limit of memory here: it is watched" in done.stderr
    assert (tmp_path / "run/run.json").exists()

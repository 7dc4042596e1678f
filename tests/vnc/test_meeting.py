"""What a machine of the user cannot do is said before a run, and every kind of computer is listed with its lacks."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import pytest

from proctor.computers import COMPUTERS, meet
from proctor.computers.fit import Lack, MachineNeeds
from proctor.computers.kinds import list_computers
from proctor.errors import SpecError
from proctor.exam.rules import Rules
from proctor.runner.computer_spec import ComputerSpec
from proctor.runner.run_episode import run_episode
from proctor.tasks.shelves import expect, see
from proctor.tasks.task import Tags
from tests.channels.rfb_server import Peer, raw, serving
from tests.prove.machines import shopping
from tests.runner.jobs import job


def test_a_task_that_is_prepared_needs_files() -> None:
    needs = MachineNeeds(applications=("mousepad",), prepared=True)
    assert "no file access" in meet("vnc", needs, {"address": "lab:1"}).lacks[0]
    assert meet("vnc", needs, {"address": "lab:1", "ssh": "me@lab"}).lacks == ()
    assert meet("vnc", replace(needs, prepared=False), {"address": "lab:1"}).lacks == ()
    assert shopping().needs.prepared and not shopping(setup=()).needs.prepared


@pytest.mark.parametrize("part", ["tree", "snapshot", "changes", "windows"])
def test_parts_that_are_not_there_are_named(part: str) -> None:
    needs = MachineNeeds(capabilities=frozenset({part}))
    assert "this computer has no" in meet("vnc", needs, {"address": "lab:1"}).lacks[0]


def test_wrong_options_are_named_before_a_run() -> None:
    assert "not the address" in meet("vnc", MachineNeeds(), {"address": ""}).lacks[0]
    assert "consent=yes" in meet("local", MachineNeeds(), {"display": ":5"}).lacks[0]


def test_secrets_are_named_by_where_they_lie() -> None:
    spec = ComputerSpec.parse("vnc,address=lab:1,password_env=HOME,known_hosts=/etc/hosts")
    assert spec.constructor_options()["password_env"] == "HOME"
    with pytest.raises(SpecError, match="would be written into the record"):
        ComputerSpec.parse("vnc,address=lab:1,password=sesame")


def test_every_kind_is_listed_with_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    listed = {computer.name: computer for computer in list_computers([Lack(what="overlay", remedy="mount it")])}
    assert list(listed) == COMPUTERS.names()
    assert listed["vnc"].usable and listed["vnc"].parts and "screen" in listed["vnc"].parts
    assert listed["vnc"].without and "tree" in listed["vnc"].without
    assert not listed["local"].usable and "DISPLAY" in listed["local"].lacks[0].what
    assert "overlay" in [lack.what for lack in listed["sandbox"].lacks]
    assert all(lack.what for computer in listed.values() for lack in computer.lacks)


def test_a_server_that_is_ended_in_an_episode_makes_it_void_and_never_a_zero(tmp_path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.greet(size=(320, 240))
        while (said := peer.message())[0] not in (4, 5):
            if said[0] == 3 and not said[1]:
                peer.update(raw(*struct.unpack(">xxHHHH", said)))
        (tmp_path / "rfb").unlink()  # nobody answers any more

    tags = Tags(apps=("mousepad",), level=2, domain="Life", scenario="Shopping", demand="Searching")
    task = shopping(setup=(), check=expect.answer_is(see.answer(), "nothing"), tags=tags, expected=())
    rules = Rules(backend=f"vnc,address={tmp_path / 'rfb'}", steps=3)
    with serving(tmp_path / "rfb", script):
        result = run_episode(job(tmp_path / "run", "tests.runner.jobs:Pressing", task=task, rules=rules))
    assert (result.stop, result.cause, result.score) == ("void", "host", None)
    assert result.acted and result.may_be_repeated(1)
    assert "it is unknown what ended it" in result.error


def test_an_episode_is_recorded_like_any_other(tmp_path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.greet(size=(320, 240))
        peer.serve()

    tags = Tags(apps=("mousepad",), level=2, domain="Life", scenario="Shopping", demand="Searching")
    task = shopping(setup=(), check=expect.answer_is(see.answer(), "nothing"), tags=tags, expected=())
    rules = Rules(backend=f"vnc,address={tmp_path / 'rfb'}", steps=3)
    with serving(tmp_path / "rfb", script) as peers:
        result = run_episode(job(tmp_path / "run", "random", task=task, rules=rules))
    assert result.stop != "void", (result.cause, result.error, result.defect)
    assert any(said[0] in (4, 5) for said in peers[0].heard)

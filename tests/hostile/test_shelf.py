"""The attacks are sound: each says what it tries, is a whole program, and succeeds where nothing stops it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import Any

import pytest

from proctor.attacks.attack import Attack, read
from proctor.attacks.inside import MARK
from tests.hostile.battery import batches, chosen
from tests.hostile.shelf import everything, find, quick

EVERY = pytest.mark.parametrize("attack", everything().values(), ids=lambda attack: attack.name)
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can do what a sandbox is to refuse")


@EVERY
def test_an_attack_says_what_it_tries(attack: Attack) -> None:
    assert attack.tries.endswith(".")
    assert 0 < attack.timeout_sec <= 120


@EVERY
def test_an_attack_is_a_whole_program(attack: Attack) -> None:
    text = attack.program({"servers": [], "path": "/tmp/x"})
    compile(text, attack.name, "exec")
    assert "import proctor" not in text
    assert "from proctor" not in text


def unprotected(name: str, given: dict[str, Any] | None = None) -> str:
    """Make an attack here, in namespaces of its own that a sandbox would not give, and return what it got."""
    wrapper = ["unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--mount-proc", "--kill-child"]
    argv = [*wrapper, sys.executable, "-I", "-c", find(name).program(given)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False)
    told = read(done.stdout)
    assert told is not None, done.stderr
    assert not told.broken
    return told.got


@as_root
@pytest.mark.parametrize(
    ("name", "got"),
    [
        ("mount-a-filesystem", "mount tmpfs"),
        ("mount-in-an-own-user-namespace", "mount tmpfs"),
        ("namespaces-without-rights", "net"),
        ("network-of-its-own-making", "interface"),
        ("sockets-past-the-network", "packet in the oldest way"),
        ("cgroup-namespace-of-its-own", "CLONE_NEWCGROUP"),
        ("system-calls-of-the-kernel", "keyctl"),
        ("kernel-settings", "/proc/sys/"),
        ("trace-process-1", "ptrace 1"),
        ("signal-others", "1"),
        ("process-1", "/proc/1/environ"),
        ("setuid-programs", "no_new_privs"),
        ("raise-limits", "higher priority"),
    ],
)
def test_an_attack_succeeds_where_nothing_stops_it(name: str, got: str) -> None:
    """Otherwise a sandbox could not fail it, and that it holds would say nothing."""
    if name in ("trace-process-1", "signal-others", "process-1"):
        # Process 1 of the new namespace is the attacker itself, so another one is attacked.
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
            code = find(name).program({"others": [other.pid]})
            done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=300)
            told = read(done.stdout)
            assert told is not None
            assert got.replace("1", str(other.pid)) in told.got
            other.communicate(b"\n")
        return
    assert got in unprotected(name)


@as_root
def test_secrets_are_found_where_they_lie_open() -> None:
    canary = "canary-" + "ab" * 12
    # This machine's own folders may hold millions of files; a process list is enough to find something in.
    program, left_out = re.subn(r"'/[a-z/]+/\*\*'", "'/none'", find("search-everything").program())
    assert left_out
    argv = [sys.executable, "-c", program]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=100, env={**os.environ, "KEY": canary})
    told = read(done.stdout)
    assert told is not None
    assert "environ" in told.got


def test_files_of_the_host_are_found_where_they_can_be_seen() -> None:
    argv = [sys.executable, "-I", "-c", find("files-of-the-host").program({"paths": [__file__]})]
    told = read(subprocess.run(argv, capture_output=True, text=True, timeout=300).stdout)
    assert told is not None
    assert __file__ in told.got


@pytest.mark.parametrize("output", ["", "x", f"{MARK}", f"{MARK}[]", f'{MARK}{{"other": 1}}'])
def test_what_was_not_told_is_not_taken_for_held(output: str) -> None:
    assert read(output) is None


def test_what_was_told_last_counts() -> None:
    told = read(f'noise {MARK}{{"got": "a"}}\n{MARK}{{"got": "b"}}\nmore')
    assert told is not None
    assert told.got == "b"


def test_some_can_be_chosen_by_name_and_kind() -> None:
    assert {attack.kind for attack in chosen(["swapping"])} == {"swapping"}
    assert {attack.name for attack in chosen(["fill-t*"])} == {"fill-tmp"}
    assert not {attack.name for attack in chosen([])} & {attack.name for attack in quick()}


def test_batches_hold_every_attack_once() -> None:
    attacks = chosen([])
    parts = list(batches(attacks, 6, once=False))
    assert sorted(a.name for _, part in parts for a in part) == sorted(a.name for a in attacks)
    assert all(len(part) <= 6 for _, part in parts)
    assert {samples for samples, _ in parts} > {1}

"""The same promises kept without root: the contract run by an ordinary user in a process of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

import pytest

from tests.ordinary import OrdinaryUser, share_image

pytestmark = [pytest.mark.sandbox, pytest.mark.rootless, pytest.mark.slow, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def user() -> Iterator[OrdinaryUser]:
    if os.geteuid() != 0:
        pytest.skip("run by an ordinary user already: the other tests are the rootless ones")
    someone = OrdinaryUser(os.environ["PROCTOR_TEST_USER"])
    share_image(someone)
    yield someone


@pytest.mark.turns(day=1)
def test_contract_holds_without_root(user: OrdinaryUser) -> None:
    contract = "tests/contracts/test_sandbox_computer.py"
    # As many of them as with root: a part every day, or all.
    part = {name: value for name, value in os.environ.items() if name == "PROCTOR_TEST_PART"}
    done = user.python("-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", contract, env=part)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
    # A desktop has no touch screen, with or without root; nothing else is left out.
    skipped = [line for line in done.stdout.splitlines() if line.startswith("SKIPPED")]
    assert all("has no touch" in line for line in skipped), skipped


def test_doctor_finds_everything_in_place(user: OrdinaryUser) -> None:
    done = user.python("-m", "proctor", "doctor", "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 0, report
    assert report["ready"]


def test_ids_inside_are_not_ids_outside(user: OrdinaryUser) -> None:
    code = (
        "from proctor import open_computer\n"
        "with open_computer(look='light') as c:\n"
        "    print(c.run(['id', '-u']).stdout.strip(), c.run(['id', '-u'], root=True).stdout.strip())\n"
        "    print(c.facts()['limits']['memory_held_by'], c.facts()['limits']['processes_held_by'])\n"
    )
    done = user.python("-c", code)
    assert done.stdout.split() == ["1000", "0", "watched", "rlimit"], done.stderr


def test_limits_hold_without_control_groups(user: OrdinaryUser) -> None:
    code = (
        "from proctor import open_computer\n"
        "with open_computer(look='light', memory_mb=512, processes=200, disk_mb=64) as c:\n"
        "    hog = c.execute('kept = [bytearray(32 << 20) for _ in range(40)]', timeout_sec=60)\n"
        "    print('hog:', hog.error)\n"
        '    many = \'import subprocess\\nkept = [subprocess.Popen(["sleep", "60"]) for _ in range(400)]\'\n'
        "    print('many:', c.execute(many, timeout_sec=60).error)\n"
        "    c.execute('[p.kill() for p in kept]')\n"
        "    print('disk:', c.execute('open(\"big\", \"wb\").write(bytes(100 << 20))').error)\n"
        "    print('alive:', c.screenshot().size)\n"
    )
    done = user.python("-c", code)
    lines = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert lines["hog"], done.stderr
    assert lines["many"]
    assert lines["disk"] == "OSError"
    assert lines["alive"] == "(1920, 1080)"

"""Agents that attack, as root and rootless: a sample that changes from day to day; the battery makes all of them."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from proctor.attacks.attack import Attack
from tests.hostile import episode
from tests.hostile.battery import chosen
from tests.hostile.gaps import NOT_YET
from tests.ordinary import OrdinaryUser, share_image

pytestmark = [pytest.mark.sandbox, pytest.mark.alone]
AS_ROOT, ROOTLESS = 3, 1
LONGEST_SEC = 20.0
"""Slower attacks are left to the battery."""


def sample(count: int, *, shift: int = 0) -> list[Attack]:
    """Return other attacks on every day."""
    attacks = [a for a in chosen([]) if a.name not in NOT_YET and a.timeout_sec <= LONGEST_SEC]
    first = (datetime.date.today().toordinal() * 7 + shift) * count
    return [attacks[(first + place) % len(attacks)] for place in range(count)]


@pytest.fixture(scope="module")
def user() -> Iterator[OrdinaryUser]:
    if os.geteuid() != 0:
        pytest.skip("run by an ordinary user already: the other tests are the rootless ones")
    someone = OrdinaryUser(os.environ["PROCTOR_TEST_USER"])
    share_image(someone)
    yield someone


def assert_held(outcomes: list[episode.Outcome]) -> None:
    assert {outcome.attack: outcome.failures for outcome in outcomes if not outcome.held} == {}


def test_what_an_agent_tries_is_held() -> None:
    assert_held(episode.run(sample(AS_ROOT)))


@pytest.mark.rootless
@pytest.mark.turns(day=1)
def test_what_an_agent_tries_is_held_without_root(user: OrdinaryUser) -> None:
    assert_held(episode.run(sample(ROOTLESS, shift=AS_ROOT), user=user))


def promises(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Return the promises that the doctor found broken, without those that are known."""
    assert done.returncode in (0, 1), done.stderr
    report = json.loads(done.stdout)
    findings = report["findings"]
    assert len(findings) > 10
    assert [finding for finding in findings if finding["status"] == "not tried"] == []
    broken = [f for f in findings if f["status"] == "let through" and f["promised"]]
    assert done.returncode == (1 if broken else 0)
    assert report["held"] == (not broken)
    assert all(finding["means"] and finding["remedy"] for finding in broken)
    return [f"{finding['name']}: {finding['found']}" for finding in broken if finding["name"] not in NOT_YET]


def doctor(*kinds: str) -> list[str]:
    return ["-m", "proctor", "doctor", "--attack", "--json", *(word for kind in kinds for word in ("--only", kind))]


def test_the_doctor_finds_every_promise_kept() -> None:
    done = subprocess.run(
        [sys.executable, *doctor("secrets", "escapes", "reading", "leaving")],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert promises(done) == []


@pytest.mark.rootless
def test_the_doctor_finds_every_promise_kept_without_root(user: OrdinaryUser) -> None:
    assert promises(user.python(*doctor("secrets", "reading"), timeout_sec=300)) == []

"""What the doctor says of attacks: what held, what did not, what was not tried, and what follows from it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from proctor.attacks.attack import Attack
from proctor.attacks.examine import (
    MEANS,
    NO_GROUPS,
    REPORT,
    SHARED_IDS,
    AttackFinding,
    AttackReport,
    _findings_told,
    _judge,
)
from proctor.attacks.inside import MARK
from proctor.attacks.kernel import facts
from tests.hostile.shelf import quick

EVERY = pytest.mark.parametrize("attack", quick(), ids=lambda attack: attack.name)


def told(attack: Attack, **words: str) -> AttackFinding:
    return _findings_told(attack, f"noise\n{MARK}{json.dumps(words)}\n")


@EVERY
def test_what_was_got_is_let_through_and_explained(attack: Attack) -> None:
    finding = told(attack, got="everything")
    assert (finding.status, finding.found) == ("let through", "everything")
    assert finding.means == MEANS[attack.kind]
    assert finding.remedy == REPORT


def test_what_was_refused_is_held() -> None:
    finding = told(quick()[0], got="", refused="[Errno 1] Operation not permitted")
    assert (finding.status, finding.found, finding.means, finding.remedy) == ("held", "", "", "")


def test_a_broken_attack_was_not_tried() -> None:
    finding = told(quick()[0], broken="NameError: x")
    assert finding.status == "not tried"
    assert "NameError" in finding.found


def test_an_attack_that_did_not_live_to_tell_got_nothing() -> None:
    assert _findings_told(quick()[0], "Killed").status == "held"


def test_what_this_machine_cannot_hold_has_a_remedy_of_its_own() -> None:
    kinds = {attack.kind: attack for attack in quick()}
    assert _judge(kinds["exhaustion"], "2 GB", promised=False).remedy == NO_GROUPS
    assert _judge(kinds["neighbours"], "none left", promised=False).remedy == SHARED_IDS


def report(**changes: Any) -> AttackReport:
    held = _judge(quick()[0], "")
    return AttackReport([held, _judge(quick()[1], "something", **changes)])


def test_a_broken_promise_is_named() -> None:
    broken = report()
    assert [finding.name for finding in broken.broken] == [quick()[1].name]
    assert quick()[1].name in broken.advice
    assert "docs/security.md" in broken.advice
    assert broken.to_json()["held"] is False


def test_what_was_never_promised_breaks_no_promise() -> None:
    loose = report(promised=False)
    assert loose.broken == []
    assert loose.advice.startswith("Every promise holds here: 1 attacks were held, and 1")
    assert loose.to_json()["held"] is True
    assert json.loads(json.dumps(loose.to_json()))["findings"][1]["status"] == "let through"


def test_facts_of_the_kernel_are_told() -> None:
    known = {fact.name: fact for fact in facts()}
    assert {"kernel", "user namespaces", "seccomp", "control groups", "openat2", "landlock", "core dumps"} <= set(known)
    assert "system calls" in known["reader of documents"].found
    assert all(fact.found for fact in known.values())
    assert all(fact.means for fact in known.values() if not fact.good)


def test_without_an_image_nothing_is_attacked(tmp_path: Any) -> None:
    argv = [sys.executable, "-m", "proctor", "doctor", "--attack", "--json"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=100, env={"PROCTOR_DATA": str(tmp_path)})
    assert done.returncode == 1
    assert json.loads(done.stdout)["ready"] is False

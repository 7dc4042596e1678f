"""Tasks for any machine: what they need, and room for those that were written elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from proctor.cli.tasks import tasks
from proctor.computers import meet
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.fit import MachineNeeds
from proctor.errors import SpecError
from proctor.prove.page import page
from proctor.prove.proof import Proof, summary, verdict
from proctor.prove.trial import Outcome, trials
from proctor.suites.lint import lint_task
from proctor.tasks.collateral import noise
from proctor.tasks.load import load_task, task_from_json
from proctor.tasks.machine import Machine
from proctor.tasks.task import Source, Tags, Task
from tests.prove.machines import shopping

ODD = Tags(apps=("vscode", "../x"), level=2, domain="Daily", scenario="", demand="Anything", demand_tree="osworld")
SOURCE = Source(format="osworld", file="evaluation_examples/os/1.json", digest="a" * 64)


def foreign(**changes: Any) -> Task:
    return shopping(**{"tags": ODD, "source": SOURCE, "solution": (), "near_misses": (), **changes})


def test_a_task_from_elsewhere_may_lack_what_ours_must_have() -> None:
    task = foreign()
    assert task.unproven
    assert task.tags.categories == ()
    assert task.image == "full"
    assert task_from_json(json.loads(json.dumps(task.to_json()))) == task


def test_one_of_ours_may_not() -> None:
    with pytest.raises(SpecError, match="unknown application 'vscode'"):
        foreign(source=None)
    with pytest.raises(SpecError, match="unknown demand domain 'Daily'"):
        foreign(tags=ODD.model_copy(update={"demand_tree": ""}))


def test_an_image_of_ones_own_may_have_any_application() -> None:
    task = foreign(source=None, machine=Machine(image="mine"))
    assert (task.image, meet("sandbox", task.needs).lacks) == ("mine", ())


def test_names_from_elsewhere_lead_to_no_file() -> None:
    assert noise(("../../setup", "mousepad")) == noise(("mousepad",))


def test_new_fields_change_no_digest_of_tasks_without_them() -> None:
    plain = shopping()
    assert not {"source", "demand_tree"} & plain.to_json().keys()
    assert shopping(machine=Machine()).digest == plain.digest
    assert shopping(machine=Machine(home="/home/ada")).digest != plain.digest


@pytest.mark.parametrize(
    ("machine", "fault"),
    [
        (Machine(services=("post",)), "unknown service"),
        (Machine(home="ada"), "not an absolute path"),
        (Machine(clock="noon"), "not a time"),
        (Machine(services=("mail",), network="off"), "services need the network"),
        (Machine(applications=("mousepat",)), "did you mean 'mousepad'"),
    ],
)
def test_a_machine_that_makes_no_sense_is_refused(machine: Machine, fault: str) -> None:
    with pytest.raises(SpecError, match=fault):
        shopping(machine=machine)


@pytest.mark.parametrize(
    ("machine", "lack"),
    [
        (Machine(applications=("thunar",)), "it has no application thunar"),
        (Machine(services=("mail",)), "network"),
        (Machine(capabilities=("code",)), "code"),
        (Machine(locale="de_DE.UTF-8"), "its locale cannot be set, and the task needs de_DE.UTF-8"),
        (Machine(clock="2026-05-01T10:00:00"), "its clock cannot be set"),
        (Machine(home="/home/ada"), "its home folder is /home/user, and the task needs /home/ada"),
        (Machine(image="mine"), "its image cannot be set"),
    ],
)
def test_the_fake_computer_says_what_it_lacks(machine: Machine, lack: str) -> None:
    lacks = meet("fake", shopping(machine=machine).needs).lacks
    assert any(lack in reason for reason in lacks), lacks


def test_what_a_task_needs_by_its_tags_counts() -> None:
    tags = shopping().tags.model_copy(update={"needs": ("code", "tree")})
    lacks = meet("fake", shopping(tags=tags).needs).lacks
    assert len(lacks) == 1 and "code" in lacks[0] and "tree" not in lacks[0]


def test_sandboxes_meet_what_their_image_has() -> None:
    assert meet("sandbox", shopping().needs).lacks == ()
    assert meet("sandbox", shopping(machine=Machine(locale="de_DE.UTF-8")).needs).options["locale"] == "de_DE.UTF-8"
    small = shopping(machine=Machine(image="starter", applications=("gimp",)))
    assert meet("sandbox", small.needs).lacks == ("it has no application gimp",)


def test_options_of_the_run_count_before_wishes_and_not_before_needs() -> None:
    assert meet("fake", shopping().needs, {"size": (800, 600)}).options["size"] == (800, 600)
    needs = shopping(machine=Machine(size=(1024, 768))).needs
    assert meet("fake", needs).options["size"] == (1024, 768)
    assert meet("fake", needs, {"size": (800, 600)}).lacks == (
        "the run sets its size to 800x600, and the task needs 1024x768",
    )


class Away(FakeComputer):
    """A computer with another home, and a constructor that takes nothing."""

    home = "/Users/ada"

    def __init__(self) -> None:
        super().__init__()


def test_a_computer_is_told_only_what_it_takes() -> None:
    name = "tests.tasks.test_elsewhere:Away"
    assert meet(name, shopping().needs).options == {}
    assert meet(name, shopping(machine=Machine(home="/Users/ada")).needs).lacks == ()
    assert "cannot be set" in meet(name, shopping(machine=Machine(size=(800, 600))).needs).lacks[0]


@given(st.sets(st.sampled_from(("locale", "timezone", "clock", "look"))), st.booleans())
def test_nothing_insisted_on_is_lost(insists: set[str], services: bool) -> None:
    needs = MachineNeeds(
        settings={"size": (800, 600), **dict.fromkeys(("locale", "timezone", "clock", "look"), "x")},
        insists=frozenset(insists),
        services=("mail",) if services else (),
    )
    fit = meet("fake", needs)
    assert len(fit.lacks) == len(insists) + services
    assert fit.options == {"size": (800, 600)}


def test_a_proof_without_an_answer_key_says_so() -> None:
    task = shopping(solution=(), near_misses=())
    made = tuple(Outcome(trial, trial.wanted, 1.0) for trial in trials(task, 3))
    assert [outcome.trial.kind for outcome in made] == ["idle", "fail"]
    proof = Proof(task, made)
    assert (proof.holds, proof.proven, proof.state) == (False, False, "unproven")
    assert summary([proof])["unproven"] == 1
    assert verdict([proof]) == "0 of 1 proven, 1 unproven for want of an answer key"
    assert "unproven: it has no answer key" in page("Proofs", [proof])


def test_lists_pages_and_lint_say_that_a_task_is_unproven(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text(json.dumps(foreign(tags=ODD.model_copy(update={"apps": ("vscode",)})).to_json()))
    assert load_task(file).unproven
    listed = CliRunner().invoke(tasks, ["list", str(file)], catch_exceptions=False).output
    assert "unproven" in listed
    plain = CliRunner().invoke(tasks, ["list", str(file), "--json"], catch_exceptions=False).output
    assert json.loads(plain)["unproven"] is True
    shown = CliRunner().invoke(tasks, ["show", str(file)], catch_exceptions=False).output
    assert "unproven: it has no answer key" in shown
    assert "written elsewhere: osworld evaluation_examples/os/1.json" in shown
    assert any("no answer key" in remark.message for remark in lint_task(load_task(file)))


def test_a_fault_beside_an_odd_name_is_still_found(tmp_path: Path) -> None:
    data = foreign().to_json() | {"instruction": 3}
    file = tmp_path / "one.json"
    file.write_text(json.dumps(data, indent=1))
    with pytest.raises(SpecError) as caught:
        load_task(file)
    assert "instruction" in caught.value.message and "vscode" not in caught.value.message

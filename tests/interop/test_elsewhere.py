"""Inspect, Harbor and OpenEnv, in environments of their own where these packages are installed."""

from __future__ import annotations

import pytest

from tests.interop.elsewhere.running import needs, run_there

inspect = needs("inspect", "Inspect")
harbor = needs("harbor", "Harbor")
openenv = needs("openenv", "OpenEnv")


@inspect
@pytest.mark.timeout(900)
def test_inspect_reads_exported_logs() -> None:
    run_there("inspect", "inspect_logs.py")


@inspect
@pytest.mark.turns
@pytest.mark.sandbox("full")
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_inspect_finds_nothing_wrong_with_the_sandbox() -> None:
    run_there("inspect", "inspect_self_checks.py")


@inspect
@pytest.mark.turns
@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_inspect_evaluates_a_task() -> None:
    run_there("inspect", "inspect_evals.py")


@harbor
@pytest.mark.timeout(900)
def test_harbors_models_accept_trajectories_and_folders() -> None:
    run_there("harbor", "harbor_atif.py")


@harbor
@pytest.mark.turns
@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_harbor_runs_its_oracle() -> None:
    run_there("harbor", "harbor_runs.py")


@harbor
@pytest.mark.turns
@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_harbors_own_agent_operates_a_desktop() -> None:
    run_there("harbor", "harbor_computer_1.py")


@inspect
@pytest.mark.timeout(900)
def test_inspect_keeps_the_contract_of_doors() -> None:
    run_there("inspect", "inspect_doors.py")


@harbor
@pytest.mark.timeout(900)
def test_harbor_keeps_the_contract_of_doors() -> None:
    run_there("harbor", "harbor_doors.py")


@openenv
@pytest.mark.timeout(900)
def test_openenv_keeps_the_contract_of_doors() -> None:
    run_there("openenv", "openenv_doors.py")

"""Runs on a real Ray cluster: complete, on nodes that come and go, and nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from proctor.agents.spec import AgentSpec
from proctor.cli.run_progress import INCOMPLETE
from proctor.errors import HostError, SpecError
from proctor.records import Result
from proctor.runner.job import Job
from proctor.runner.plan import Plan
from proctor.runner.plan_record import begin
from proctor.runner.schedule import RunEvent, Tally, carry_out
from proctor.runner.worker_pool import Lost
from proctor.runner.workers.away import hold_away
from proctor.runner.workers.cluster import STRIKES
from proctor.runner.workers.ray import RayWorkers
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from tests.prove.machines import BACKEND, shopping
from tests.runner import jobs
from tests.runner.ray_cluster import SPOILT, SPOILT_BACKEND, Gate, SmallCluster, descendants, deserted, small_cluster

pytest.importorskip("ray")
STARTER = ["starter"]

DRIVER = """
import sys
from pathlib import Path
from proctor.runner.plan_record import begin
from proctor.runner.schedule import carry_out
from proctor.runner.workers.ray import RayWorkers
from tests.runner import jobs

address, folder, agent = sys.argv[1:]
plan = jobs.plan(agent, tasks=1)
carry_out(plan, begin(plan, Path(folder), images={}), RayWorkers(address, images=["starter"]))
"""


ALONE_HERE = """
import os
from proctor.runner.workers.ray import RayWorkers
from tests.runner.ray_cluster import descendants, reachable

workers = RayWorkers(images=["starter"])
print(workers.room > 0, reachable(descendants(os.getpid())))
workers.close()
"""


@pytest.fixture(scope="module")
def cluster(project_path: str) -> Iterator[SmallCluster]:
    with small_cluster(nodes=2) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def project_path() -> Iterator[str]:
    """The tests must be importable on the nodes, which are started from here."""
    before, here = os.environ.get("PYTHONPATH"), str(Path(__file__).parent.parent.parent)
    os.environ["PYTHONPATH"] = here if before is None else f"{here}{os.pathsep}{before}"
    yield here
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


def held(
    plan: Plan, folder: Path, workers: RayWorkers, heard: Callable[[RunEvent], None] | None = None
) -> tuple[Tally, list[Result]]:
    with begin(plan, folder, images={}) as record:
        tally = carry_out(plan, record, workers, heard=heard)
    assert verify(folder) == []
    return tally, list(RunRecord.open(folder).results())


@pytest.mark.turns(by="file")
@pytest.mark.slow
def test_a_plan_is_carried_out_completely(cluster: SmallCluster, tmp_path: Path) -> None:
    plan = jobs.plan("oracle", "idle", tasks=4)
    workers = RayWorkers(cluster.address, images=STARTER)
    assert workers.room == 2
    tally, results = held(plan, tmp_path / "run", workers)
    assert tally.complete
    assert Counter(result.key.agent for result in results) == {"oracle": 4, "idle": 4}
    assert {result.key.agent: result.score for result in results} == {"oracle": 1.0, "idle": 0.0}


@pytest.mark.turns(by="file")
@pytest.mark.slow
def test_a_node_dies_and_another_comes(cluster: SmallCluster, tmp_path: Path) -> None:
    one, two = Gate(tmp_path / "one"), Gate(tmp_path / "two")
    plan = jobs.plan(one.agent, two.agent, "idle", tasks=1)

    def disaster() -> Gate:
        one.wait()
        two.wait()
        cluster.kill(cluster.nodes[0])
        lost = deserted(one, two)
        lost.wait()
        lost.open()
        (two if lost is one else one).open()
        return lost

    def relief(event: RunEvent) -> None:
        # The other node is busy until the second try has ended, so that can only be held on this one.
        if event.kind == "retried":
            cluster.add()

    with ThreadPoolExecutor(1) as aside:
        outside = aside.submit(disaster)
        tally, results = held(plan, tmp_path / "run", RayWorkers(cluster.address, images=STARTER), relief)
        lost = outside.result()
    assert tally.complete
    assert tally.void == 0
    assert len(results) == 4
    (void,) = (result for result in results if result.void)
    assert (void.cause, void.retry, void.key.agent) == ("worker", 0, AgentSpec.parse(lost.agent).label)
    assert "NodeDied" in void.error
    scored = [result.key for result in results if not result.void]
    assert len(set(scored)) == len(scored) == len(plan)


@pytest.mark.turns(by="file")
@pytest.mark.slow
def test_what_dies_is_told_and_what_is_stopped_ends(cluster: SmallCluster, tmp_path: Path) -> None:
    gate = Gate(tmp_path / "gate")
    workers = RayWorkers(cluster.address, size=2, images=STARTER)
    workers.give(jobs.job(tmp_path / "run", gate.agent))
    workers.give(jobs.job(tmp_path / "run", "tests.runner.jobs:Deadly"))
    assert workers.room == 0
    ((job, outcome),) = finished(workers)
    assert job.agent.name == "tests.runner.jobs:Deadly"
    assert isinstance(outcome, Lost)
    assert "WorkerCrashed" in outcome.why
    gate.wait()
    workers.close()
    deserted(gate)
    assert list(workers.finished()) == []


@pytest.mark.turns(by="file")
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_goes_on_without_its_driver(cluster: SmallCluster, tmp_path: Path, number: signal.Signals) -> None:
    gate = Gate(tmp_path / "gate")
    command = [sys.executable, "-c", DRIVER, cluster.address, str(tmp_path / "run"), gate.agent]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as driver:
        gate.wait()
        driver.send_signal(number)
        deserted(gate)
        _, told = driver.communicate(timeout=60)
    assert driver.returncode != 0, told


@pytest.mark.turns(by="file")
@pytest.mark.slow
def test_a_node_that_spoils_every_episode_is_left_out(
    cluster: SmallCluster, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spoilt = cluster.add(**{SPOILT: "1"})
    rules = replace(jobs.FAKE, backend=SPOILT_BACKEND, retries=STRIKES)
    plan = jobs.plan("idle", tasks=60, rules=rules)
    tally, results = held(plan, tmp_path / "run", RayWorkers(cluster.address, images=STARTER))
    cluster.kill(spoilt, politely=True)
    assert (tally.ended, tally.void) == (60, 0)
    void = [result for result in results if result.void]
    # One more may have been on its way.
    assert STRIKES <= len(void) <= STRIKES + 1
    assert {result.cause for result in void} == {"computer"}
    assert "proctor images build starter" in void[0].error
    assert "which is no longer used" in caplog.text


@pytest.mark.turns(by="file")
@pytest.mark.slow
def test_a_node_with_another_version_is_refused(cluster: SmallCluster, tmp_path: Path) -> None:
    import ray

    workers = RayWorkers(cluster.address, images=STARTER)
    task = ray.remote(hold_away).options(num_returns="streaming", max_retries=0)
    with pytest.raises(SpecError, match="has Proctor .* the run was started by 0.0.0"):
        ray.get(next(task.remote(jobs.job(tmp_path), "0.0.0")))
    workers.close()


@pytest.mark.turns(by="file")
@pytest.mark.slow
def test_an_episode_that_is_too_large_for_every_node(cluster: SmallCluster) -> None:
    with pytest.raises(HostError, match="room for an episode: 1 processors, 1.5 GB"):
        RayWorkers(cluster.address, images=["full"])


def test_an_address_where_nobody_is() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(HostError, match=f"no Ray cluster answers at 127.0.0.1:{port}"):
        RayWorkers(f"127.0.0.1:{port}")


@pytest.mark.parametrize("address", ["somewhere", "ray://head:10001", "head:", ":6379"])
def test_an_address_that_cannot_be_one(address: str) -> None:
    with pytest.raises(SpecError, match="`ray start --head` printed"):
        RayWorkers(address)


@pytest.mark.turns(by="file")
@pytest.mark.slow
def test_a_cluster_of_our_own_can_be_reached_by_nobody_else(project: Path) -> None:
    command = [sys.executable, "-c", ALONE_HERE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, cwd=project)
    assert done.stdout == "True set()\n", done.stderr


def test_no_workers_at_all() -> None:
    with pytest.raises(SpecError, match="0 workers"):
        RayWorkers(size=0)


def test_ray_is_not_installed() -> None:
    program = "import sys; sys.modules['ray'] = None\nfrom proctor.runner.workers.ray import RayWorkers\nRayWorkers()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert "pip install 'proctor[ray]'" in done.stderr


def finished(workers: RayWorkers) -> list[tuple[Job, Result | Lost]]:
    """Wait for what ends first."""
    while not (ended := list(workers.finished())):
        pass
    return ended


@pytest.mark.turns(by="file")
@pytest.mark.slow
def test_a_run_whose_only_node_dies_is_unfinished_and_can_be_resumed(project: Path, tmp_path: Path) -> None:
    gate, out = Gate(tmp_path / "gate"), tmp_path / "run"
    (tmp_path / "shopping.json").write_text(json.dumps(shopping().to_json()))
    env = os.environ | {"PYTHONPATH": os.pathsep.join((str(project), os.environ.get("PYTHONPATH", "")))}
    proctor = [sys.executable, "-m", "proctor"]
    run = ["run", str(tmp_path / "shopping.json"), "--computer", BACKEND, "--agent", gate.agent, "-k", "4", "-n", "1"]
    with subprocess.Popen(
        [*proctor, *run, "--on", "ray", "--out", str(out)], env=env, stderr=subprocess.PIPE, text=True
    ) as driver:
        gate.wait()
        (raylet,) = (pid for pid in descendants(driver.pid) if _program(pid) == "raylet")
        os.kill(raylet, signal.SIGKILL)
        _, told = driver.communicate(timeout=120)
        gate.leave()
    assert driver.returncode == INCOMPLETE, told
    assert "the run was aborted" in told
    assert "proctor runs resume" in told
    record = RunRecord.open(out)
    assert not record.sealed
    left = 4 - sum(not result.may_be_repeated(1) for result in record.final())
    assert left >= 3, "no more than what was going on is lost"

    # From now on nobody waits at the gate.
    (tmp_path / "gate").unlink()
    (tmp_path / "gate").write_bytes(b"x")
    again = subprocess.run(
        [*proctor, "runs", "resume", str(out)], env=env, capture_output=True, text=True, check=False, timeout=120
    )
    assert again.returncode == 0, again.stderr
    record = RunRecord.open(out)
    assert record.sealed
    assert [result.void for result in record.final()] == [False] * 4


def _program(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except FileNotFoundError:
        return ""

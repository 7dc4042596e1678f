"""Harbor's own models accept the trajectories and the task folders that Proctor writes."""

from __future__ import annotations

from pathlib import Path

from harbor.models.task.task import Task as HarborTask
from harbor.models.trajectories import Trajectory

from proctor.interop.harbor.folders import read_spec, write_folders
from proctor.records import EpisodeKey, Header, ModelCall, NamedAgent, Result, Step
from proctor.store.episode import EpisodeWriter
from proctor.store.export import export
from proctor.store.run import RunRecord
from proctor.suites import load_suite
from tests.store.making import record, seen, small_run


def test_trajectories(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run", seal=False)
    with RunRecord.resume(folder) as run:
        record(run, 3, score=None)
        which = EpisodeKey(task="core/other-v1", agent="native,model=anthropic/x")
        about = Header(key=which, agent=NamedAgent(name="native", options={"model": "anthropic/x"}))
        writer = EpisodeWriter.begin(run.paths.episode(which), about)
        call = ModelCall(model="anthropic/x", input_tokens=9, cached_tokens=4, cache_write_tokens=2, cost_usd=0.1)
        odd = {"type": "type", "text": "half \\ud800"}
        writer.step(Step(step=0, turn=1, reply="r", thought="t", calls=(call,), action=odd, saw=writer.see(seen(0), 0)))
        writer.step(Step(step=1, turn=1, action={"type": "tap", "x": 1, "y": 2}, refused="no touch"))
        writer.step(Step(step=2, turn=2, reply="?", problem="no action was found", calls=(call, call)))
        run.add(writer.finish(Result(key=which, score=0.5), None, []))
    export(folder, "atif", tmp_path / "out")
    found = [Trajectory.model_validate_json(path.read_bytes()) for path in sorted((tmp_path / "out").rglob("*.json"))]
    assert len(found) == 5
    assert {one.schema_version for one in found} == {"ATIF-v1.8"}
    assert all(one.has_multimodal_content() for one in found)
    assert found[0].agent.model_name == "anthropic/x"
    assert found[0].steps[2].llm_call_count == 2


def test_task_folders(tmp_path: Path) -> None:
    tasks = list(load_suite("tour").tasks())
    assert write_folders("tour", tasks, tmp_path / "tasks") == 8
    for folder in sorted((tmp_path / "tasks").iterdir()):
        read = HarborTask(folder)
        assert read.config.environment.network_mode.value == "no-network"
        assert read.name.startswith("proctor/")
        assert read_spec(folder / "environment")[0] == "tour"

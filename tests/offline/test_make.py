"""Data made from recorded runs: right labels, words that one element fits, nothing leaks between splits."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from proctor.actions.in_words import action_words, kind_of
from proctor.cli.main import cli
from proctor.errors import SpecError
from proctor.observations.box import Box
from proctor.observations.observation import Observation
from proctor.observations.tree import Node, Tree
from proctor.offline.loaders.load import load
from proctor.offline.make.make import split_of
from proctor.offline.make.words import instruction
from proctor.offline.sample import CriticSample, GroundSample, IdmSample
from proctor.records import EpisodeKey, Header, Hit, SetTask, Step
from proctor.records import Result as EpisodeResult
from proctor.runner.run_episode import run_episode
from proctor.store.episode import EpisodeWriter
from proctor.store.read import RecordedEpisode
from proctor.store.run import RunRecord
from tests.runner.jobs import job
from tests.store.making import picture

SIZE = (320, 200)
SHOWN = frozenset({"showing", "visible"})


def node(index: int, name: str, box: Box, window: str = "main") -> Node:
    return Node(
        index=index,
        parent=0,
        depth=1,
        role="push button",
        name=name,
        states=SHOWN,
        box=box,
        app="editor",
        window=window,
    )


def tree(*nodes: Node) -> Tree:
    return Tree((Node(index=0, parent=None, depth=0, role="application", name="editor"), *nodes))


def button(name: str, place: int = 0) -> Hit:
    return Hit(role="push button", name=name, box=(10, 10 + 30 * place, 60, 20), app="editor", window="main")


def click(place: int = 0, **more: Any) -> dict[str, Any]:
    return {"type": "click", "x": 40, "y": 20 + 30 * place, **more}


def record(run: RunRecord, number: int, steps: list[Step], *, score: float, task: int = 0, shade: int = 0) -> None:
    key = EpisodeKey(task=f"own/task-{task}-v1", agent="someone", seed=number)
    header = Header(key=key, task=SetTask(id=key.task, instruction=f"Do task {task}."))
    writer = EpisodeWriter.begin(run.paths.episode(key, 0), header)
    for place, step in enumerate([*steps, Step(end=True)]):
        seen = Observation(at=float(place), desktop=SIZE, screenshot=picture(shade + place, SIZE))
        saw = writer.see(seen, place)
        writer.step(Step(step=place, action=step.action, element=step.element, saw=saw, end=step.end, stale=step.stale))
    run.add(writer.finish(EpisodeResult(key=key, score=score, steps=len(steps)), {"score": score}, []))


STEPS = [
    Step(action=click(0), element=button("Save")),
    Step(action={"type": "type", "text": "hello"}, element=button("Save")),
    Step(action=click(1, count=2), element=button("Open", 1)),
    Step(action={"type": "press", "keys": "ctrl+s"}),
    Step(action=click(2, button="right"), element=button("Quit", 2)),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    with RunRecord.create(folder, {"suite": "own"}) as made:
        for task in range(12):
            record(made, 0, STEPS, score=1.0, task=task, shade=task * 20)
            record(made, 1, STEPS[:2], score=0.0, task=task, shade=task * 20 + 8)
        made.seal()
    return folder


@pytest.fixture(scope="module")
def data(run: Path) -> Path:
    out = run.parent / "data"
    done = call("make", "--run", run, "--out", out, "--parquet", "--sft", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["counts"].keys() == {"ground", "idm", "critic"}
    return out


def call(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["offline", *map(str, args)])


def rows(data: Path, task: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (data / f"{task}.jsonl").read_text().splitlines()]


def test_every_label_holds_the_point_that_was_hit(data: Path) -> None:
    found = load("ground", data)
    assert not found.defects
    points = {row["id"]: row["point"] for row in rows(data, "ground")}
    for sample in found.samples:
        assert isinstance(sample, GroundSample)
        assert sample.target.contains(tuple(points[sample.id]))
        assert sample.shot.size == SIZE
    words = {sample.instruction for sample in found.samples}
    assert words == {'Click the button "Save"', 'Double-click the button "Open"', 'Right-click the button "Quit"'}


def test_transitions_sequences_and_attempts(data: Path) -> None:
    idm = load("idm", data)
    assert not idm.defects
    kinds = {sample.options[sample.answer[0]] for sample in idm.samples if isinstance(sample, IdmSample)}
    assert {"click", "type", "double click", "press", "right click"} <= kinds
    longest = max(len(sample.answer) for sample in idm.samples if isinstance(sample, IdmSample))
    assert longest == 5
    critic = load("critic", data)
    truths = [sample.success for sample in critic.samples if isinstance(sample, CriticSample)]
    assert not critic.defects and truths.count(True) == truths.count(False) > 0
    assert {row["made"] for row in rows(data, "critic")} <= {"passed", "failed", "cut off"}
    assert "type 'hello'" in rows(data, "critic")[0]["actions"][1]["metadata"]["repr"]


def test_nothing_is_shared_between_splits(data: Path) -> None:
    tasks: dict[str, set[str]] = {"train": set(), "test": set()}
    pictures: dict[str, set[str]] = {"train": set(), "test": set()}
    for task in ("ground", "idm", "critic"):
        for row in rows(data, task):
            tasks[row["split"]].add(row["task"])
            named = [row.get("image"), row.get("obs_before"), row.get("obs_after")]
            named += [action[name] for action in row.get("actions", ()) for name in ("obs_before", "obs_after")]
            pictures[row["split"]] |= {name for name in named if name}
    assert all(tasks.values()) and not tasks["train"] & tasks["test"]
    assert not pictures["train"] & pictures["test"]
    assert {path.name for path in (data / "images").iterdir()} == {
        Path(name).name for names in pictures.values() for name in names
    }
    assert split_of("own/task-0-v1") == split_of("own/task-0-v1")
    assert load("ground", data, split="test").samples


def test_the_same_runs_make_the_same_set(run: Path, data: Path, tmp_path: Path) -> None:
    assert call("make", "--run", run, "--out", tmp_path / "again").exit_code == 0
    for task in ("ground", "idm", "critic"):
        assert (tmp_path / f"again/{task}.jsonl").read_bytes() == (data / f"{task}.jsonl").read_bytes()
    twice = json.loads(call("make", "--run", run, "--run", run, "--out", tmp_path / "twice", "--json").stdout)
    assert twice["skipped"]["ground: a repeat"] == len(rows(data, "ground"))


def test_parquet_and_conversations(data: Path) -> None:
    pytest.importorskip("pyarrow")
    for task in ("ground", "idm", "critic"):
        files = sorted((data / "parquet").glob(f"{task}-*.parquet"))
        count = sum(len(load(task, file).samples) for file in files)
        assert count == len(load(task, data).samples), task
    first = load("ground", data / "parquet/ground-train.parquet").samples[0]
    assert isinstance(first, GroundSample) and first.shot.load().size == SIZE
    assert "config_name: ground" in (data / "README.md").read_text()
    lines = [json.loads(line) for line in (data / "sft.jsonl").read_text().splitlines()]
    assert {line["task"] for line in lines} == {"ground", "idm", "critic"}
    images = [part["image"] for line in lines for part in line["messages"][0]["content"] if part["type"] == "image"]
    assert all((data / name).is_file() for name in images)
    tests = {row.get("id") or row["annotation_id"] for row in rows(data, "ground") if row["split"] == "test"}
    assert not tests & {line["id"] for line in lines}


def test_all_sets_have_one_convention_and_typed_columns(data: Path) -> None:
    """Boxes are left, top, right and bottom everywhere; in tables numbers are numbers, and actions records."""
    parquet = pytest.importorskip("pyarrow.parquet")
    boxes = [row["bbox"] for row in rows(data, "ground")]
    boxes += [action["bbox"] for row in rows(data, "critic") for action in row["actions"] if action["bbox"]]
    boxes += [row["bbox"] for row in rows(data, "idm") if row.get("bbox")]
    assert boxes and all(left < right and top < bottom for left, top, right, bottom in boxes)
    hit = {tuple(row["bbox"]) for row in rows(data, "ground")}
    assert hit & {tuple(action["bbox"]) for row in rows(data, "critic") for action in row["actions"] if action["bbox"]}
    kinds: dict[str, set[str]] = {}
    for file in sorted((data / "parquet").glob("*.parquet")):
        for column in parquet.read_schema(file):
            kinds.setdefault(f"{file.name.partition('-')[0]} {column.name}", set()).add(str(column.type))
    assert all(len(found) == 1 for found in kinds.values()), kinds
    assert kinds["ground bbox"] == {"list<element: double>"} and kinds["ground resolution"] == {"list<element: int64>"}
    (actions,) = kinds["critic actions"]
    assert actions.startswith("list<element: struct<") and "bbox: list<element: double>" in actions


def test_what_is_made_can_be_run(data: Path, tmp_path: Path) -> None:
    for task, model in (("ground", "baseline:random"), ("idm", "baseline:majority"), ("critic", "baseline:majority")):
        done = call("run", task, "--data", data, "--model", model, "--out", tmp_path / task, "--json", "--shown", "3")
        assert done.exit_code == 0 and json.loads(done.stdout)["answered"] > 0


def test_attempts_as_they_were_held(run: Path, tmp_path: Path) -> None:
    args = ("make", "--run", run, "--task", "critic", "--as-is", "--out", tmp_path / "a", "--json")
    assert sum(json.loads(call(*args).stdout)["counts"]["critic"].values()) == 24
    assert {row["made"] for row in rows(tmp_path / "a", "critic")} == {"passed", "failed"}


def test_what_is_no_target_is_left_out(tmp_path: Path) -> None:
    hit = button("Save")
    steps = [
        Step(action=click(), element=None),
        Step(action=click(), element=Hit(role="frame", name="all", box=(0, 0, 320, 200))),
        Step(action=click(), element=Hit(role="push button", name="Save", box=(300, 10, 60, 20))),
        Step(action={"type": "click", "x": 200, "y": 100}, element=hit),
        Step(action=click(), element=Hit(role="push button", box=(10, 10, 60, 20))),
        Step(action=click(), element=hit, stale=0.4),
        Step(action=click(), element=hit),
    ]
    with RunRecord.create(tmp_path / "run", {}) as made:
        record(made, 0, steps, score=1.0)
    done = call("make", "--run", tmp_path / "run", "--task", "ground", "--out", tmp_path / "data", "--json")
    found = json.loads(done.stdout)
    assert sum(found["counts"]["ground"].values()) == 1 and found["unchecked"] == 1
    assert sum(found["skipped"].values()) >= 6
    assert "sticks out" in (tmp_path / "data/README.md").read_text()


def test_a_set_for_one_task_speaks_of_that_alone(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "idm"
    done = call("make", "--run", run, "--task", "idm", "--out", out, "--json")
    assert all(why.startswith("idm: ") for why in json.loads(done.stdout)["skipped"])
    card = (out / "README.md").read_text()
    assert "idm.jsonl" in card and "ground" not in card and "critic" not in card


def test_what_a_set_is_for_is_told_by_what_is_in_it(data: Path, tmp_path: Path) -> None:
    told = json.loads(call("data", data, "--json").stdout)
    assert told.keys() == {"ground", "idm", "critic"} and told["critic"]["form"] == "criticbench"
    for task, form in (("ground", "groundui"), ("idm", "idm-single"), ("critic", "criticbench")):
        alone = json.loads(call("data", data / f"{task}.jsonl", "--pictures", data, "--json").stdout)
        assert alone["form"] == form and alone["samples"] == told[task]["samples"] == len(rows(data, task))
    lines = call("data", data).output.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["groundui", "idm-single", "criticbench"]
    (tmp_path / "foreign.jsonl").write_text('{"x": 1}\n')
    assert "none of the known forms" in str(call("data", tmp_path / "foreign.jsonl").exception)


@pytest.mark.parametrize(
    ("task", "change", "said"),
    [
        ("idm", {"obs_after": "images/none.png"}, "missing"),
        ("idm", {"operation": "dance"}, "'dance' is not among"),
        ("idm", {"obs_after": "obs_before"}, "changed nothing"),
        ("idm", {"actions": []}, "no actions"),
        ("critic", {"is_success": "perhaps"}, "whether it was a success"),
        ("critic", {"actions": []}, "no actions"),
        ("critic", {"split": "other"}, "in two splits"),
    ],
)
def test_an_audit_looks_at_steps_too(data: Path, tmp_path: Path, task: str, change: dict[str, Any], said: str) -> None:
    copied = shutil.copytree(data, tmp_path / "set")
    whole = call("audit", copied, "--json")
    assert whole.exit_code == 0 and json.loads(whole.stdout)["steps_looked_at"] > 10
    found = rows(copied, task)
    place = next(n for n, row in enumerate(found) if task == "critic" or "actions" not in row)
    change = {key: found[place].get(value, value) if isinstance(value, str) else value for key, value in change.items()}
    found[place] = {**found[place], **change}
    (copied / f"{task}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in found))
    done = call("audit", copied)
    assert done.exit_code == 1 and said in done.output


def test_words_are_told_apart_by_the_tree() -> None:
    hit = button("Save")
    here, below, right = Box(10, 10, 60, 20), Box(10, 90, 60, 20), Box(200, 10, 60, 20)
    assert instruction("click", hit, [node(1, "Save", here)]) == 'Click the button "Save"'
    stacked = [node(1, "Save", here), node(2, "Save", below)]
    assert instruction("click", hit, stacked) == 'Click the button "Save", number 1 of 2 from the top'
    beside = [node(1, "Save", right), node(2, "Save", here)]
    assert instruction("click", hit, beside) == 'Click the button "Save", number 1 of 2 from the left'
    apart = [node(1, "Save", here), node(2, "Save", below, window="other")]
    assert instruction("click", hit, apart) == 'Click the button "Save" in the window "main"'
    assert instruction("click", hit, [*stacked, node(3, "Save", right)]) == ""
    assert instruction("click", Hit(role="push button", name="...", box=(1, 2, 3, 4))) == ""


def test_a_tree_checks_and_feeds_the_baseline(tmp_path: Path) -> None:
    key = EpisodeKey(task="own/task-1-v1", agent="someone", seed=0)
    shown = tree(
        node(1, "Save", Box(10, 10, 60, 20)), node(2, "Save", Box(10, 40, 60, 20)), node(3, "Quit", Box(10, 70, 60, 20))
    )
    with RunRecord.create(tmp_path / "run", {}) as made:
        writer = EpisodeWriter.begin(made.paths.episode(key, 0), Header(key=key))
        for place, (action, hit) in enumerate(
            [(click(1), button("Save", 1)), (click(2), button("Quit", 2)), (None, None)]
        ):
            seen = Observation(at=1.0, desktop=SIZE, screenshot=picture(place, SIZE), tree=shown)
            writer.step(Step(step=place, action=action, element=hit, saw=writer.see(seen, place), end=action is None))
        made.add(writer.finish(EpisodeResult(key=key, score=1.0, steps=2), {"score": 1.0}, []))
    done = call(
        "make", "--run", tmp_path / "run", "--task", "ground", "--checked", "--out", tmp_path / "data", "--json"
    )
    assert json.loads(done.stdout)["unchecked"] == 0
    words = [row["instruction"] for row in rows(tmp_path / "data", "ground")]
    assert words == ['Click the button "Save", number 2 of 2 from the top', 'Click the button "Quit"']
    done = call(
        "run", "ground", "--data", tmp_path / "data", "--model", "baseline:tree", "--out", tmp_path / "o", "--json"
    )
    assert json.loads(done.stdout)["right"] >= 1


def test_nothing_to_make_is_said(tmp_path: Path) -> None:
    with RunRecord.create(tmp_path / "run", {}):
        pass
    done = call("make", "--run", tmp_path / "run", "--out", tmp_path / "data")
    assert isinstance(done.exception, SpecError) and not (tmp_path / "data").exists()


def test_kinds_and_words() -> None:
    assert [kind_of(action) for action in ({"type": "click", "button": "back"}, {"type": "done"}, {})] == ["", "", ""]
    assert kind_of({"type": "click", "count": 3}) == "triple click"
    assert action_words({"type": "press", "keys": "ctrl+s"}, None) == "press ctrl+s"
    assert action_words({"type": "click", "x": 1, "y": 2}, None) == "click at (1, 2)"
    assert action_words({"type": "click"}, button("Save")) == "click button 'Save'"


@pytest.mark.parametrize(("agent", "kept"), [("oracle", False), ("oracle,tree=on", True)])
def test_the_answer_key_keeps_trees_where_it_is_asked_to(tmp_path: Path, agent: str, kept: bool) -> None:
    result = run_episode(job(tmp_path / "run", agent))
    assert result.score == 1.0
    steps = list(RecordedEpisode(tmp_path / "run" / result.folder).steps())
    assert [bool(step.saw and step.saw.tree) for step in steps] == [kept] * len(steps)

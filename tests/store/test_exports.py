"""Exports: what others read, complete or not there at all, and without answer keys."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from proctor.errors import ProctorError, RecordError, SpecError, UnknownName
from proctor.records import Header, NamedAgent, Result
from proctor.store.episode import EpisodeWriter
from proctor.store.export import Exported, export
from proctor.store.export_parts import whole_text
from proctor.store.exports import EXPORTS
from proctor.store.exports import parquet as parquet_export
from proctor.store.run import RunRecord
from tests.store.making import DIGEST, EXTRAS, begin, files, finish, header, key, record, small_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = small_run(tmp_path_factory.mktemp("exports") / "run", seal=False)
    with RunRecord.resume(folder) as again:
        record(again, 3, score=None)
    return folder


def load(path: Path) -> Image.Image:
    with Image.open(path) as image:
        return image.copy()


def names(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in files(folder)]


def test_osworld_tree(run: Path, tmp_path: Path) -> None:
    assert export(run, "osworld", tmp_path / "out") == Exported(4, 0)
    model = next((tmp_path / "out" / "results" / "proctor" / "screenshot_a11y_tree").iterdir())
    assert model.name.startswith("open_small")
    episodes = sorted((model / "gedit").iterdir())
    assert [path.name.partition(".")[2] for path in episodes] == ["", "1-0-0", "2-0-0", "3-0-0"]
    assert names(episodes[0]) == [
        "level.txt", "result.txt", "step_0_20251009@085320.png", "step_1_20251009@085320.png",
        "step_2_20251009@085321.png", "step_3_20251009@085329.png", "traj.jsonl",
    ]  # fmt: skip
    lines = [json.loads(line) for line in (episodes[0] / "traj.jsonl").read_text().splitlines()]
    assert lines[0] == {
        "step_num": 1, "action_timestamp": "20251009@085320", "action": "pyautogui.click(0, 2)", "reward": 0,
        "done": False, "info": {}, "screenshot_file": "step_1_20251009@085320.png",
    }  # fmt: skip
    assert (lines[-1]["action"], lines[-1]["done"], lines[-1]["info"]) == ("DONE", True, {"done": True})
    assert [float((path / "result.txt").read_text()) for path in episodes[:3]] == [1.0, 1.0, 0.0]
    assert not (episodes[3] / "result.txt").exists()
    assert "503" in (episodes[3] / "traj.jsonl").read_text()


@pytest.mark.parametrize(
    ("sees", "name"),
    [
        (("screenshot",), "screenshot"),
        (("tree",), "a11y_tree"),
        (("screenshot", "tree", "windows", "terminal"), "screenshot_a11y_tree"),
        (("marks",), "som"),
        (("screenshot", "marks", "clip"), "som"),
        ((), "nothing"),
    ],
)
def test_osworld_names_what_the_agent_was_really_shown(tmp_path: Path, sees: tuple[str, ...], name: str) -> None:
    """The agent's options do not say it: `observe` has a default, and agents of one's own have no such option."""
    with RunRecord.create(tmp_path / "run", {}) as run:
        about = Header(agent=NamedAgent(name="mine:Agent"), sees=sees)
        run.add(EpisodeWriter.begin(run.paths.episode(key()), about).finish(Result(key=key(), score=1.0), None, []))
    export(tmp_path / "run", "osworld", tmp_path / "out")
    assert [path.name for path in (tmp_path / "out/results/proctor").iterdir()] == [name]


@pytest.mark.parametrize(
    ("agent", "observe", "name"),
    [("prompted", "tree", "a11y_tree"), ("prompted", "", "screenshot"), ("coder", "", "nothing")],
)
def test_of_early_records_the_options_say_it(tmp_path: Path, agent: str, observe: str, name: str) -> None:
    with RunRecord.create(tmp_path / "run", {}) as run:
        about = Header(agent=NamedAgent(name=agent, options={"observe": observe} if observe else {}))
        run.add(EpisodeWriter.begin(run.paths.episode(key()), about).finish(Result(key=key(), score=1.0), None, []))
    export(tmp_path / "run", "osworld", tmp_path / "out")
    assert [path.name for path in (tmp_path / "out/results/proctor").iterdir()] == [name]


def test_what_followed_an_action_is_its_picture(run: Path, tmp_path: Path) -> None:
    export(run, "osworld", tmp_path / "out")
    folder = next(path.parent for path in files(tmp_path / "out") if path.name == "traj.jsonl")
    red = [load(path).tobytes()[0] for path in sorted(folder.glob("*.png"))]
    assert red == [0, 1, 8, 9]


def test_agents_that_would_share_a_folder_do_not(tmp_path: Path) -> None:
    agents = [f"prompted,history={length},model=open/small" for length in (1, 2)]
    with RunRecord.create(tmp_path / "run", {}) as run:
        for agent in agents:
            which = key(agent=agent)
            writer = EpisodeWriter.begin(run.paths.episode(which), header(which))
            run.add(writer.finish(Result(key=which, score=1.0), None, []))
    assert export(tmp_path / "run", "osworld", tmp_path / "out") == Exported(2, 0)
    models = (tmp_path / "out/results/proctor/screenshot_a11y_tree").iterdir()
    assert sorted(path.name.rsplit("-", 1)[0] for path in models) == [
        "open_small",
        "prompted,history=2,model=open_small",
    ]


def test_parquet_tables(run: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra 'parquet'")
    assert export(run, "parquet", tmp_path / "out") == Exported(4, 0)
    assert names(tmp_path / "out") == ["README.md", "data/episodes-00000.parquet", "data/steps-00000.parquet"]
    assert "config_name: steps" in (tmp_path / "out" / "README.md").read_text()
    episodes = parquet.read_table(tmp_path / "out/data/episodes-00000.parquet").to_pylist()
    assert [row["score"] for row in episodes] == [1.0, 1.0, 0.0, None]
    assert [row["passed"] for row in episodes] == [True, True, False, False]
    assert episodes[0]["apps"] == ["gedit"]
    assert episodes[3]["cause"] == "model"
    table = parquet.read_table(tmp_path / "out/data/steps-00000.parquet")
    assert json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]["screenshot"] == {"_type": "Image"}
    steps = table.to_pylist()
    assert {row["episode"] for row in steps} == {row["id"] for row in episodes}
    assert json.loads(steps[0]["action"])["type"] == steps[0]["action_type"] == "click"
    assert Image.open(io.BytesIO(steps[0]["screenshot"]["bytes"])).size == (16, 12)
    assert steps[0]["marks"] is None
    assert [row["end"] for row in steps[:4]] == [False, False, False, True]


def test_parquet_is_written_in_groups_and_files(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra 'parquet'")
    table = parquet_export._Table(tmp_path, "steps", parquet_export._step_schema())
    (tmp_path / "data").mkdir()
    big = {"reply": "\ud800" + "x" * (parquet_export.GROUP_BYTES // 2)}
    for _ in range(5):
        table.add(whole_text(big))
    table.close()
    file = parquet.ParquetFile(tmp_path / "data" / "steps-00000.parquet")
    assert [file.metadata.row_group(n).num_rows for n in range(file.metadata.num_row_groups)] == [2, 2, 1]
    file.close()


def test_conversations_of_episodes_that_passed(run: Path, tmp_path: Path) -> None:
    assert export(run, "sft", tmp_path / "out") == Exported(2, 2)
    first, second = (json.loads(line) for line in (tmp_path / "out/conversations.jsonl").read_text().splitlines())
    assert first["metadata"]["score"] == 1.0
    assert [message["role"] for message in first["messages"]] == ["user", "assistant"] * 3
    assert first["messages"][0]["content"] == [
        {"type": "text", "text": "Wave at everyone."},
        {"type": "image", "image": "images/000000/0000.png"},
    ]
    assert first["messages"][1]["content"] == [{"type": "text", "text": "I click 0"}]
    assert first["messages"][2]["content"][0] == {"type": "text", "text": "feedback: not yet"}
    assert first["messages"][5]["content"] == [{"type": "text", "text": '{"type": "done"}'}]
    for name in (*first["images"], *second["images"]):
        assert load(tmp_path / "out" / name).size == (16, 12)
    assert first["metadata"]["exact"] is False


@pytest.mark.parametrize(("sees", "pictures"), [(("tree",), 0), (("screenshot",), 3), (("marks",), 3), ((), 3)])
def test_who_was_shown_no_picture_is_exported_with_none(tmp_path: Path, sees: tuple[str, ...], pictures: int) -> None:
    with RunRecord.create(tmp_path / "run", {}) as run:
        writer = begin(run)
        writer.note(sees=sees)
        run.add(finish(writer))
    export(tmp_path / "run", "sft", tmp_path / "out")
    (line,) = (json.loads(line) for line in (tmp_path / "out/conversations.jsonl").read_text().splitlines())
    assert len(line["images"]) == pictures


def test_episodes_that_do_not_say_what_was_sent_are_named(run: Path, tmp_path: Path) -> None:
    (remark,) = export(run, "sft", tmp_path / "out").remarks
    assert remark.startswith("2 of them do not say what a model was sent")


def test_conversations_of_all_that_were_scored(run: Path, tmp_path: Path) -> None:
    assert export(run, "sft", tmp_path / "out", everything=True) == Exported(3, 1)


@pytest.mark.parametrize("form", EXPORTS.names())
def test_answer_keys_are_exported_only_when_asked_for(run: Path, tmp_path: Path, form: str) -> None:
    if form in EXTRAS:
        pytest.importorskip(EXTRAS[form], reason=f"needs the extra {form!r}")
    export(run, form, tmp_path / "without")
    export(run, form, tmp_path / "with", with_keys=True)
    task = f"tasks/{DIGEST}.json"
    assert task not in names(tmp_path / "without")
    assert task in names(tmp_path / "with")
    assert not [path for path in files(tmp_path / "without") if b"solution" in path.read_bytes()]


@pytest.mark.parametrize("form", EXPORTS.names())
def test_an_empty_run_gives_an_empty_export(tmp_path: Path, form: str) -> None:
    if form in EXTRAS:
        pytest.importorskip(EXTRAS[form], reason=f"needs the extra {form!r}")
    RunRecord.create(tmp_path / "run", {}).close()
    assert export(tmp_path / "run", form, tmp_path / "out") == Exported(0, 0)
    assert (tmp_path / "out").is_dir()


def test_nothing_is_written_over(run: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious")
    with pytest.raises(SpecError, match="exists already"):
        export(run, "sft", tmp_path / "mine")
    with pytest.raises(UnknownName, match="osworld"):
        export(run, "osword", tmp_path / "out")
    with pytest.raises(RecordError, match="contains no run"):
        export(tmp_path, "sft", tmp_path / "out")
    assert names(tmp_path) == ["mine"]


def test_an_export_that_fails_leaves_nothing(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    for path in files(folder):
        if path.name == "0001.png":
            path.unlink()
    with pytest.raises(ProctorError, match=r"0001\.png"):
        export(folder, "sft", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]

"""Runs: baselines, models, resuming, failures, caps, and what the record keeps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from proctor.cli.main import cli
from proctor.errors import RecordError, SpecError, UnknownName
from proctor.offline.record import AnswerWriter, OfflineRecord
from tests.offline import sets


def call(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["offline", *map(str, args)])


def run(task: str, data: Path, model: str, out: Path, *more: str | Path) -> dict[str, Any]:
    done = call("run", task, "--data", data, "--model", model, "--out", out, "--json", *more)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def script(path: Path, replies: Sequence[Any]) -> str:
    path.write_text("".join(json.dumps(reply) + "\n" for reply in replies))
    return f"scripted/{path}"


def test_baselines_of_grounding(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 6)
    centre = run("ground", data, "baseline:centre", tmp_path / "a")
    assert centre["accuracy"] == 0 and centre["outcomes"]["wrong"] == 6
    assert centre["data"]["boxes"] == "xyxy"
    chance = run("ground", data, "baseline:random", tmp_path / "b")
    assert chance == {
        **run("ground", data, "baseline:random", tmp_path / "c"),
        "out": chance["out"],
        "page": chance["page"],
    }
    low, high = chance["interval"]
    assert 0 <= low <= chance["accuracy"] <= high <= 1


def test_reading_the_picture_finds_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rapidocr_onnxruntime")
    monkeypatch.setenv("PROCTOR_DATA", str(tmp_path / "data"))
    data = sets.groundui(tmp_path / "set", 3)
    found = run("ground", data, "baseline:ocr", tmp_path / "a")
    assert found["accuracy"] == 1
    # Records may speak of a size that the picture does not have.
    rows = [json.loads(line) for line in data.read_text().splitlines()]
    half = [{**row, "bbox": [side / 2 for side in row["bbox"]], "resolution": [200, 150]} for row in rows]
    assert run("ground", sets.lines(data, half), "baseline:ocr", tmp_path / "b")["accuracy"] == 1


def test_two_do_not_write_one_record(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 4)
    run("ground", data, "baseline:centre", tmp_path / "a")
    writer = AnswerWriter(OfflineRecord.open(tmp_path / "a"))
    done = call("run", "ground", "--data", data, "--model", "baseline:centre", "--out", tmp_path / "a")
    assert isinstance(done.exception, RecordError) and "being written" in done.exception.message
    writer.close()
    assert run("ground", data, "baseline:centre", tmp_path / "a")["answered"] == 4


def test_the_tree_needs_elements(tmp_path: Path) -> None:
    done = call("run", "ground", "--data", sets.groundui(tmp_path), "--model", "baseline:tree", "--out", tmp_path / "a")
    assert isinstance(done.exception, SpecError) and "baseline:ocr" in done.exception.remedy
    assert not (tmp_path / "a").exists()


def test_a_model_is_asked_and_everything_is_kept(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 6)
    replies = [
        "(35, 20)",
        "I see (125, 20)",
        "nowhere to be seen, sorry: none",
        "no idea",
        {"text": "", "finish": "refusal"},
        "(9000, 20)",
    ]
    found = run(
        "ground", data, script(tmp_path / "s", replies), tmp_path / "a", "--picture-size", "200x150", "--space", "pixel"
    )
    assert found["outcomes"] == {
        "right": 2, "wrong": 0, "outside": 1, "refused": 1, "unparsed": 2, "failed": 0, "not asked": 0,
    }  # fmt: skip
    assert found["accuracy"] == pytest.approx(2 / 6)
    assert found["accuracy_of_parsed"] == pytest.approx(2 / 4)
    answers = list(OfflineRecord.open(tmp_path / "a").answers().values())
    assert answers[0].sent == [[200, 150]]
    assert answers[0].parsed == [70, 40]
    assert answers[0].reply == "(35, 20)"
    assert "Click the Save button (0)" in answers[0].prompt and "200 wide and 150 high" in answers[0].prompt
    assert "-1" not in answers[0].prompt
    assert "pixel" in answers[0].how
    assert "refused" in answers[4].problem
    assert any("calibrate" in hint for hint in found["hints"])


@pytest.mark.parametrize(
    ("space", "reply"), [("unit", "(0.175, 0.13)"), ("0-1000", "(175, 130)"), ("0-999", "(175, 130)")]
)
def test_the_space_is_asked_for_and_read(tmp_path: Path, space: str, reply: str) -> None:
    data = sets.groundui(tmp_path / "set", 1)
    found = run("ground", data, script(tmp_path / "s", [reply]), tmp_path / "a", "--space", space)
    assert found["accuracy"] == 1


def test_numbers_from_0_to_1_among_pixels_are_doubted_aloud(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 6)
    found = run("ground", data, script(tmp_path / "s", ["(0.175, 0.13)", *["(70, 40)"] * 5]), tmp_path / "a", *FULL)
    assert any("may answer from 0 to 1" in hint for hint in found["hints"])
    found = run("ground", data, script(tmp_path / "s", ["(70, 40)"] * 6), tmp_path / "b", *FULL)
    assert found["hints"] == []


def test_a_program_finds_every_group(tmp_path: Path) -> None:
    found = run("ground", sets.groundui(tmp_path / "set", 6), "baseline:centre", tmp_path / "a")
    assert set(found["by"]) == {"platform", "source", "resolution", "element size"}
    assert found["by"]["source"]["drawn"]["answered"] == 6


def test_failures_are_apart_and_asked_again(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 20)
    replies = [{"error": "timeout"} if number % 10 == 9 else "(70, 40)" for number in range(20)]
    first = run("ground", data, script(tmp_path / "s", replies), tmp_path / "a", "--picture-size", "full")
    assert first["outcomes"]["failed"] == 2
    assert first["answered"] == 18
    answered = (tmp_path / "a/answers.jsonl").read_bytes()
    again = run("ground", data, script(tmp_path / "s", ["(70, 40)"] * 2), tmp_path / "a", "--picture-size", "full")
    assert again["outcomes"]["failed"] == 0 and again["answered"] == 20
    assert (tmp_path / "a/answers.jsonl").read_bytes().startswith(answered)
    whole = run("ground", data, script(tmp_path / "s", ["(70, 40)"] * 20), tmp_path / "b", "--picture-size", "full")
    assert whole["outcomes"] == again["outcomes"] and whole["accuracy"] == again["accuracy"]


def test_a_torn_line_is_asked_again(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 4)
    run("ground", data, script(tmp_path / "s", ["(70, 40)"] * 4), tmp_path / "a")
    path = tmp_path / "a/answers.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    (tmp_path / "s").write_text('"(70, 40)"\n')
    assert run("ground", data, f"scripted/{tmp_path / 's'}", tmp_path / "a")["answered"] == 4


def test_another_run_does_not_mix_in(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 4)
    run("ground", data, "baseline:centre", tmp_path / "a")
    done = call("run", "ground", "--data", data, "--model", "baseline:random", "--out", tmp_path / "a")
    assert isinstance(done.exception, SpecError) and "baseline:centre" in done.exception.message


def test_a_dead_model_ends_the_run(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 40)
    model = script(tmp_path / "s", [{"error": "auth"}] * 40)
    done = call("run", "ground", "--data", data, "--model", model, "--out", tmp_path / "a", "--json")
    assert done.exit_code == 3
    found = json.loads(done.stdout)
    assert found["outcomes"]["failed"] == 20 and found["outcomes"]["not asked"] == 20
    assert "20 times in a row" in found["ended"]


def test_tokens_are_capped(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 9)
    model = script(tmp_path / "s", ["(70, 40)"] * 9)
    done = call(
        "run", "ground", "--data", data, "--model", model, "--out", tmp_path / "a", "--json", "--total-tokens", "2500"
    )
    assert done.exit_code == 3 and json.loads(done.stdout)["answered"] == 3
    rest = run("ground", data, model, tmp_path / "a")
    assert rest["answered"] == 9


def test_side_by_side_is_the_same(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 30)
    model = script(tmp_path / "s", ["(70, 40)"] * 30)
    one = run("ground", data, model, tmp_path / "a")
    four = run("ground", data, model, tmp_path / "b", "-n", "4")
    assert one["accuracy"] == four["accuracy"] and one["outcomes"] == four["outcomes"]


def test_a_picture_that_is_cut_off_is_no_wrong_answer(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 6)
    image = tmp_path / "set/images/0.png"
    image.write_bytes(image.read_bytes()[:300])
    found = run("ground", data, script(tmp_path / "s", ["(70, 40)"] * 6), tmp_path / "a")
    assert found["outcomes"]["failed"] == 3 and found["answered"] == 3


def test_a_reply_without_end_is_kept_at_both_ends(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 1)
    model = script(tmp_path / "s", ["x" * 1_000_000 + "(70, 40)"])
    found = run("ground", data, model, tmp_path / "a", "--max-tokens", "1000000")
    assert found["accuracy"] == 1
    assert (tmp_path / "a/answers.jsonl").stat().st_size < 300_000


def test_empty_and_endless_replies_are_unparsed_and_the_run_goes_on(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 6)
    replies = ["   ", "(250, 40)", "y" * 1_000_000, {"error": "timeout"}, "<think>(70, 40)", "(0.5, 0.5)"]
    model = script(tmp_path / "s", replies)
    found = run("ground", data, model, tmp_path / "a", *FULL)
    outcomes = found["outcomes"]
    assert (outcomes["unparsed"], outcomes["failed"], outcomes["right"]) == (3, 1, 1)
    assert found["answered"] == 5
    answers = [json.loads(line) for line in (tmp_path / "a/answers.jsonl").read_text().splitlines()]
    assert [answer["outcome"] for answer in answers].count("unparsed") == 3 and len(answers) == 6
    again = run("ground", data, script(tmp_path / "s", ["(70, 40)"]), tmp_path / "a", *FULL)
    assert again["outcomes"]["failed"] == 0 and again["outcomes"]["unparsed"] == 3


FULL = ("--max-tokens", "1000000", "--picture-size", "full")


def test_inverse_dynamics_beside_its_baselines(tmp_path: Path) -> None:
    data = sets.single(tmp_path / "set", ["click", "click", "type", "click"])
    majority = run("idm", data, "baseline:majority", tmp_path / "a")
    assert majority["accuracy"] == 0.75 == majority["figures"]["majority_baseline"]
    assert majority["figures"]["random_baseline"] == pytest.approx(1 / 3)
    said = run("idm", data, script(tmp_path / "s", ["Answer: A", "Answer: B", "Answer: B", "?"]), tmp_path / "b")
    assert said["accuracy"] == 0.5 and said["outcomes"]["unparsed"] == 1


def test_sequences(tmp_path: Path) -> None:
    rows = [sets.episode(0, ["click", "type"], success=True), sets.episode(1, ["click"] * 3, success=True)]
    data = sets.several(tmp_path / "set", rows)
    found = run("idm", data, script(tmp_path / "s", ["Answer:\nA\nB", "Answer:\nA\nB"]), tmp_path / "a")
    assert found["accuracy"] == 0.5
    assert found["figures"]["edit_distance"] == 1
    assert found["figures"]["normalised_edit_distance"] == pytest.approx(1 / 3)


def test_critics(tmp_path: Path) -> None:
    truths = [True, True, False, False, True]
    rows = [sets.episode(number, ["click"], success=truth) for number, truth in enumerate(truths)]
    data = sets.several(tmp_path / "set", rows, "critic.jsonl")
    replies = [
        "Confidence: 0.9\nAnswer: True",
        "Answer: False",
        "Answer: True",
        "Confidence: 0.6\nAnswer: False",
        "True, False",
    ]
    found = run("critic", data, script(tmp_path / "s", replies), tmp_path / "a")
    assert found["accuracy"] == pytest.approx(2 / 5) and found["outcomes"]["unparsed"] == 1
    figures = found["figures"]
    # The reply that says both counts as wrong here as it does in the accuracy, and is left out of the last three.
    assert (figures["precision"], figures["recall"], figures["f1"]) == (0.5, pytest.approx(1 / 3), pytest.approx(0.4))
    parsed = tuple(figures[f"{name}_of_parsed"] for name in ("precision", "recall", "f1"))
    assert parsed == (0.5, 0.5, 0.5)
    assert figures["majority_baseline"] == 0.6 and figures["confidence_given"] == pytest.approx(2 / 5)
    prompts = [answer.prompt for answer in OfflineRecord.open(tmp_path / "a").answers().values()]
    assert "Action: [button] Save -> click" in prompts[0]
    run("critic", data, script(tmp_path / "s", replies), tmp_path / "b", "--no-actions")
    prompts = [answer.prompt for answer in OfflineRecord.open(tmp_path / "b").answers().values()]
    assert "[button]" not in prompts[0]


def test_a_critic_that_mostly_says_nothing_has_no_perfect_f1(tmp_path: Path) -> None:
    rows = [sets.episode(number, ["click"], success=number % 2 == 0) for number in range(10)]
    data = sets.several(tmp_path / "set", rows, "critic.jsonl")
    found = run("critic", data, script(tmp_path / "s", ["Answer: True", *["I cannot tell."] * 9]), tmp_path / "a")
    figures = found["figures"]
    assert found["accuracy"] == pytest.approx(0.1) and found["outcomes"]["unparsed"] == 9
    assert figures["f1"] == pytest.approx(1 / 5.5) and figures["f1_of_parsed"] == 1
    assert figures["precision"] == pytest.approx(1 / 6) and figures["recall"] == pytest.approx(1 / 5)
    assert figures["kappa"] < 0 and figures["balanced_accuracy"] == pytest.approx(0.1)


def test_runs_are_compared_by_the_figures_that_are_shown(tmp_path: Path) -> None:
    # One picture with eight samples, two with one each: pictures and samples weigh differently.
    folder = tmp_path / "set"
    names = ["a.png"] * 8 + ["b.png", "c.png"]
    for name in set(names):
        sets.picture(folder / name)
    row = {"bbox": list(sets.BUTTONS["Save"]), "resolution": list(sets.SIZE), "platform": "web", "source": "drawn"}
    rows = [{"image": name, "instruction": f"Save, number {number}", **row} for number, name in enumerate(names)]
    data = sets.lines(folder / "metadata.jsonl", rows)
    hit, missed = "(70, 40)", "(390, 290)"
    first = run("ground", data, script(tmp_path / "s", [hit] * 8 + [missed] * 2), tmp_path / "a")
    second = run("ground", data, script(tmp_path / "t", [missed] * 8 + [hit] * 2), tmp_path / "b")
    (pair,) = json.loads(call("report", tmp_path / "a", tmp_path / "b", "--json").stdout)["compared"]
    assert pair["accuracies"] == [first["accuracy"], second["accuracy"]] == [0.8, 0.2]
    assert pair["difference"] == pytest.approx(0.6) and pair["samples"] == 10
    assert pair["interval"][0] <= 0.6 <= pair["interval"][1]
    assert pair["each_picture_or_task_alike"]["difference"] == pytest.approx(-1 / 3)
    shown = " ".join(call("report", tmp_path / "a", tmp_path / "b").stdout.split())
    assert "+60.0 points" in shown and "(80.0 % against 20.0 % of the 10 samples that both answered)" in shown
    assert "Each of the 3 pictures or tasks counted alike: -33.3 points" in shown


def test_refusals(tmp_path: Path) -> None:
    sets.picture(tmp_path / "a.png")
    common = {"image_path": "a.png", "image_size": [400, 300], "instruction": "go"}
    rows = [
        {"id": "1", "box_type": "bbox", "box_coordinates": [20, 20, 100, 40], **common},
        {"id": "2", "box_type": "refusal", "box_coordinates": [0, 0, 0, 0], **common},
        {"id": "3", "box_type": "refusal", "box_coordinates": [0, 0, 0, 0], **common},
    ]
    (tmp_path / "g.json").write_text(json.dumps(rows))
    found = run(
        "ground", tmp_path / "g.json", script(tmp_path / "s", ["(-1, -1)", "(-1, -1)", "(5, 5)"]), tmp_path / "o"
    )
    assert found["outcomes"]["refused"] == 1 and found["outcomes"]["right"] == 1 and found["outcomes"]["wrong"] == 1
    assert found["figures"]["refusals_right"] == 0.5
    assert "answer (-1, -1)" in next(iter(OfflineRecord.open(tmp_path / "o").answers().values())).prompt


def test_a_wording_of_ones_own(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 1)
    prompt = tmp_path / "p.txt"
    prompt.write_text("Where is {instruction} on {width}x{height}?")
    run("ground", data, script(tmp_path / "s", ["(70, 40)"]), tmp_path / "a", "--prompt", prompt)
    (answer,) = OfflineRecord.open(tmp_path / "a").answers().values()
    assert answer.prompt == "Where is Click the Save button (0) on 400x300?"
    prompt.write_text("{instruction} {what}")
    done = call("run", "ground", "--data", data, "--model", "scripted/x", "--prompt", prompt)
    assert isinstance(done.exception, SpecError) and "{space}" in done.exception.remedy


@pytest.mark.parametrize(
    ("option", "value"), [("--model", "baseline:center"), ("--space", "pixels"), ("--model", "baseline:majority")]
)
def test_wrong_names_are_answered_before_anything_starts(tmp_path: Path, option: str, value: str) -> None:
    options = {"--data": str(sets.groundui(tmp_path / "set")), "--model": "baseline:centre", option: value}
    done = call("run", "ground", *[word for pair in options.items() for word in pair], "--out", tmp_path / "a")
    assert isinstance(done.exception, UnknownName)
    assert not (tmp_path / "a").exists()


def test_pages_and_reports(tmp_path: Path) -> None:
    data = sets.groundui(tmp_path / "set", 6)
    model = script(tmp_path / "s", ["(70, 40)", "<script>alert(1)</script>", *["(250, 40)"] * 4])
    run("ground", data, model, tmp_path / "a")
    run("ground", data, "baseline:centre", tmp_path / "b")
    page = (tmp_path / "a/report/index.html").read_text()
    assert "accuracy" in page and "samples-001.html" in page
    samples = (tmp_path / "a/report/samples-001.html").read_text()
    assert samples.count("<article") == 6 and "class='target'" in samples and "class='said'" in samples
    assert "<script" not in samples
    assert len(list((tmp_path / "a/report/pictures").iterdir())) == 2
    assert "(70, 40)" in samples and "no answer could be found" in samples and "understood, and wrong" not in samples
    chosen = script(tmp_path / "s", ["Answer: A"] * 3)
    run("idm", sets.single(tmp_path / "steps"), chosen, tmp_path / "c")
    steps = (tmp_path / "c/report/samples-001.html").read_text()
    assert "<td>understood as</td><td>click" in steps and "[&#x27;" not in steps
    done = call("report", tmp_path / "a", tmp_path / "b")
    assert done.exit_code == 0 and "baseline:centre" in done.stdout and "p =" in done.stdout
    both = json.loads(call("report", tmp_path / "a", tmp_path / "b", "--json").stdout)
    assert both["compared"][0]["difference"] == pytest.approx(2 / 6)
    assert both["runs"][0]["by"]["platform"]["web"]["answered"] == 3


def test_data_is_described(tmp_path: Path) -> None:
    path = sets.groundui(tmp_path, 3)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[0]["bbox"] = [1, 2, 3000, 4]
    sets.lines(path, rows)
    done = call("data", path)
    assert "left, top, right, bottom in pixels" in done.stdout and "sticks out" in done.stdout
    assert json.loads(call("data", path, "--json").stdout)["defects"] == 1
    assert "osworld-g" in call("forms").stdout
    assert json.loads(call("forms", "--json").stdout)["boxes"]["xywh"] == "left, top, width, height in pixels"


def test_the_terminal_shows_the_score(tmp_path: Path) -> None:
    done = call(
        "run",
        "ground",
        "--data",
        sets.groundui(tmp_path / "set"),
        "--model",
        "baseline:centre",
        "--out",
        tmp_path / "a",
    )
    assert done.exit_code == 0
    assert "3 samples; boxes: left, top, right, bottom in pixels" in done.stdout
    assert "accuracy" in done.stdout and "page:" in done.stdout

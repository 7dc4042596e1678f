"""A page for judging composed tasks, the verdicts that it saves, and how far people agree."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from proctor.cli.compose import compose
from proctor.errors import SpecError
from proctor.graphs.compose.compose import compose_with
from proctor.graphs.compose.review import ReviewItem, read_verdicts, review_item, review_page
from proctor.suites.pool import POOL

HOSTILE = "</script><script>alert(1)</script>'\""


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tasks: list[str | None] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        if tag == "section":
            self.tasks.append(dict(attrs)["data-task"])


def call(*arguments: str | int | Path) -> Result:
    return CliRunner().invoke(compose, list(map(str, arguments)))


def verdicts(folder: Path, name: str, said: dict[str, bool], size: int = 3) -> Path:
    path = folder / f"verdicts-{name}.jsonl"
    lines = [{"task": task, "size": size, "by": name, "sensible": value, "why": "odd"} for task, value in said.items()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_an_item_shows_all_that_a_person_needs() -> None:
    for item in compose_with(review_item, POOL, count=15, seed=11):
        assert item.instruction and item.purpose and len(item.graph) == item.size
        assert sum(" – " in line for line in item.graph) == item.size  # each part says why
        assert len(item.key) == item.size and any(held for _, held in (*item.contents, *item.key))


def test_the_page_asks_about_every_task_and_obeys_none(tmp_path: Path) -> None:
    result = call("--review", 3, "--seed", 11, "--out", tmp_path / "review")
    assert result.exit_code == 0, result.output
    page = Tags((tmp_path / "review" / "index.html").read_text())
    assert page.found.count("section") == 3 and page.found.count("input") == 1 + 2 * 3
    listed = [json.loads(line)["task"] for line in (tmp_path / "review" / "tasks.jsonl").read_text().splitlines()]
    assert listed == page.tasks
    odd = ReviewItem(HOSTILE, 1, HOSTILE, HOSTILE, (HOSTILE,), ((HOSTILE, HOSTILE),), ((HOSTILE, HOSTILE),))
    hostile = Tags(review_page([odd]))
    assert hostile.found.count("script") == 1 and hostile.tasks == [HOSTILE]


def test_a_page_needs_a_place() -> None:
    assert isinstance(call("--review", 3, "--json").exception, SpecError)


def test_agreement_is_computed_over_what_both_judged(tmp_path: Path) -> None:
    ann = verdicts(tmp_path, "Ann", {"a": True, "b": True, "c": False, "d": False, "only": True})
    bo = verdicts(tmp_path, "Bo", {"a": True, "b": False, "c": False, "d": False}, size=9)
    told = call("--verdicts", ann, "--verdicts", bo, "--json")
    assert told.exit_code == 0, told.output
    first, second, pair = map(json.loads, told.stdout.splitlines())
    assert first["sensible"] == first["of 1 to 4 subtasks"] == "3 of 5 (60 %)" and first["of 9 and more"] == "0 of 0"
    assert second["of 9 and more"] == "1 of 4 (25 %)"
    assert pair == {"one": "Ann", "other": "Bo", "both judged": 4, "agreement": 0.75, "kappa": 0.5}
    shown = call("--verdicts", ann, "--verdicts", bo).stdout
    assert "Ann and Bo: both judged 4, agreement 0.75, kappa 0.5" in shown and "not sensible to Bo: b: odd" in shown


@pytest.mark.parametrize("line", ["{", "3", '{"task": "a"}', '{"task": "a", "size": 2, "sensible": "yes"}'])
def test_what_is_no_verdict_is_told_with_its_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "verdicts-x.jsonl"
    path.write_text(f"\n{line}\n")
    with pytest.raises(SpecError, match=":2: it is no verdict"):
        read_verdicts(path)


def test_the_last_word_counts(tmp_path: Path) -> None:
    path = verdicts(tmp_path, "Ann", {"a": True})
    path.write_text(path.read_text() + path.read_text().replace("true", "false"))
    assert [verdict.sensible for verdict in read_verdicts(path)] == [False]

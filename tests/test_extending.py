"""docs/extending.md: the distribution that it shows is installed as it stands there, and used as it says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.computers.images import recipe
from tests.models.provider import Provider, provider
from tests.sources import SOURCE

PAGE = SOURCE.parents[0] / "docs" / "extending.md"
BLOCK = re.compile(r"```(?:python|toml)\n# (\S+)\n(.*?)```", re.DOTALL)


def blocks() -> dict[str, str]:
    """Return the files that the page shows, by their names."""
    return dict(BLOCK.findall(PAGE.read_text()))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the distribution of the page is installed."""
    place: Path = tmp_path_factory.mktemp("acme")
    for name, text in blocks().items():
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    for folder in ("acme", "acme/apps", "acme/apps/ledger"):
        (place / folder / "__init__.py").write_text("")
    project = tomllib.loads((place / "pyproject.toml").read_text())["project"]
    info = place / f"{project['name']}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = []
    for group, names in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in names.items())]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return place


def python(home: Path, *arguments: str) -> str:
    paths = os.pathsep.join([str(SOURCE), str(home)])
    environment = {**os.environ, "PYTHONPATH": paths, "PROCTOR_DATA": str(home)}
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        cwd=home,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def proctor(home: Path, *arguments: str) -> str:
    return python(home, "-m", "proctor", *arguments)


@pytest.fixture(scope="module")
def run(home: Path) -> Path:
    """A run of the page's agent on its suite and its computer, all by their names."""
    assert "`proctor run --suite sums --agent stubborn,text=4 --computer canvas`" in PAGE.read_text()
    command = ("run", "--suite", "sums", "--agent", "stubborn,text=4", "--computer", "canvas,colour=blue")
    proctor(home, *command, "--out", "run")
    return home / "run"


def scores(run: Path) -> list[float]:
    return [json.loads(path.read_text())["score"] for path in run.rglob("result.json")]


def test_an_agent_a_suite_and_a_computer(run: Path) -> None:
    assert scores(run) == [1.0]
    assert "canvas" in next(run.rglob("episode.json")).read_text()


def test_an_export(home: Path, run: Path) -> None:
    said = proctor(home, "data", "export", "run", "--format", "table", "--out", "data")
    assert "scores of void episodes are empty" in said
    assert "1.0,What is two plus two?" in (home / "data/episodes.csv").read_text()
    assert "table      A table of episodes, as CSV" in proctor(home, "data", "export", "--help")
    proctor(home, "data", "export", "run", "--format", "acme.table:write", "--out", "again")
    assert (home / "again/episodes.csv").read_text() == (home / "data/episodes.csv").read_text()


def test_an_import(home: Path) -> None:
    (home / "said.tsv").write_text("Two plus two?\t4\tyes\nThree?\t5\tno\n")
    assert "2 episodes" in proctor(home, "data", "import", "said.tsv", "--format", "answers", "--out", "imported")
    assert sorted(scores(home / "imported")) == [0.0, 1.0]
    assert "good" in proctor(home, "runs", "verify", "imported")


@pytest.fixture
def server() -> Iterator[Provider]:
    with provider() as running:
        yield running


def test_a_vendors_computer_tool(home: Path, server: Provider) -> None:
    def says(*parts: dict[str, object]) -> dict[str, object]:
        return {"choices": [{"message": {"role": "assistant", "content": list(parts)}}]}

    # A run begins by asking for one word.
    server.will({"choices": [{"message": {"role": "assistant", "content": "OK"}}]})
    server.will(says({"type": "screen_call", "id": "c1", "do": {"write": "four"}}))
    server.will(says({"type": "text", "text": "ANSWER: 4"}))
    agent = f"native,model=acme/small,base_url={server.url}/v1"
    proctor(home, "run", "--suite", "sums", "--agent", agent, "--computer", "canvas", "--out", "native")
    assert scores(home / "native") == [1.0]
    _, first, second = (asked.body for asked in server.asked)
    # A canvas can be neither tapped nor written on, so neither is offered; its 1920x1080 are sent as they fit the tool.
    assert first["tools"] == [{"type": "screen_1", "width": 1024, "height": 576, "words": []}]
    assert {"type": "screen_result", "said": "failed"} in second["messages"][-2]["content"]
    proctor(home, "data", "export", "native", "--format", "sft", "--out", "sft")
    line = json.loads((home / "sft/conversations.jsonl").read_text().splitlines()[-1])
    calls = [call["function"] for message in line["messages"] for call in message.get("tool_calls", ())]
    assert calls == [{"name": "screen", "arguments": {"write": "four"}}]


def test_a_vendors_tool_reads_its_calls(home: Path) -> None:
    python(home, "-c", """
from proctor.actions.action import Click, Type
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.translation import bare
from proctor.models.vendors import VENDORS

dialect = VENDORS.get("acme").dialect
frame = Frame(desktop=(1280, 960), image=(640, 480))
for call, action in (({"tap": [50, 25]}, Click(x=100, y=50)), ({"write": "eggs"}, Type(text="eggs"))):
    assert bare(dialect.read_call(call, frame).actions) == [action]
assert "lacks 'write'" in dialect.read_call({"wriet": 1}, frame).problem
""")  # fmt: skip


def test_an_application_a_probe_and_a_check(home: Path) -> None:
    python(home, "-c", """
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.tasks.examine import examine, looker
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.shelves import expect, see
from proctor.taxonomy import APPLICATIONS

assert APPLICATIONS["ledger"].noise == (".config/ledger/**",)
with FakeComputer() as computer:
    for text, passed in ((b"", True), (b"tea", False)):
        computer.write_file("book", text)
        found = examine(expect.book_is_empty(see.book_size("book")), looker(ProbeContext(computer), {}))
        assert found.passed is passed, found
""")  # fmt: skip


def test_an_image(home: Path) -> None:
    found = recipe.load(home / "recipes" / "office.toml")
    assert "ledger" in found.packages and "mousepad" in found.packages


def test_a_wrong_name_is_answered_with_the_nearest(home: Path) -> None:
    told = python(home, "-c", """
from proctor.agents import AGENTS
from proctor.models.vendors import VENDORS
from proctor.store.exports import EXPORTS
from proctor.suites import SUITES

for registry, name in ((AGENTS, "stuborn"), (VENDORS, "acmee"), (EXPORTS, "tabel"), (SUITES, "sumss")):
    try:
        registry.get(name)
    except Exception as error:
        print(error.remedy)
""")  # fmt: skip
    assert told.splitlines() == [f"did you mean {name!r}?" for name in ("stubborn", "acme", "table", "sums")]


def test_every_group_is_on_the_page() -> None:
    used = {found for path in SOURCE.rglob("*.py") for found in re.findall(r'group="(proctor\.\w+)"', path.read_text())}
    named = set(re.findall(r"`(proctor\.\w+)`", PAGE.read_text()))
    assert used <= named | {"proctor.reader_encodings"}

"""The agent that tries to score without doing the work."""

from __future__ import annotations

import dataclasses
import inspect
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from proctor.actions.action import Action, Answer, Done, Fail, RunCode, SignalAction, Type
from proctor.agents import AgentSpec, open_agent
from proctor.agents.hacker.agent import Hacker, draw_strategy, names
from proctor.agents.hacker.clues import Clues, candidates
from proctor.agents.hacker.inside import answers, files, forms, search, traces
from proctor.agents.hacker.strategies import STRATEGIES
from proctor.agents.hacker.strategy import only
from proctor.agents.sample import sample_brief, sample_observation
from proctor.errors import SpecError, UnknownName
from proctor.records import Brief, Told

REQUEST = (
    'Please save "Autumn 2025" as Documents/plan.txt and pictures/logo.png, 320 wide, by 18:30. '
    "Do it with Rosa Castillo from shop.example."
)


def brief(instruction: str = REQUEST, seed: int = 0, **rest: object) -> Brief:
    return dataclasses.replace(sample_brief(), instruction=instruction, seed=seed, **rest)  # type: ignore[arg-type]


def played(agent: Hacker, told: Brief, most: int = 60) -> list[Action]:
    """Return what an agent does until its last word, where every program prints the same."""
    agent.start(told)
    taken: list[Action] = []
    seen = sample_observation(agent.want)
    while len(taken) < most:
        taken += agent.act(seen).actions
        if isinstance(taken[-1], SignalAction) and taken[-1].kind != "ask_user":
            break
        seen = sample_observation(agent.want, told=(Told("output", "found 42"), Told("reply", "a single room")))
    return taken


def test_a_request_is_cut_into_clues() -> None:
    found = Clues.of(REQUEST)
    assert found.files == ("Documents/plan.txt", "pictures/logo.png")
    assert found.quotes == ("Autumn 2025",)
    assert found.times == ("18:30",)
    assert {"320", "2025"} <= {*found.numbers}
    assert "Rosa Castillo" in found.names
    assert Clues.of("Post this: I will be late").quotes == ("I will be late",)


@given(st.text(max_size=300))
def test_any_request_can_be_cut_and_shipped(text: str) -> None:
    json.dumps(Clues.of(text).to_json())
    assert len(candidates(text)) <= 400


@pytest.mark.parametrize("name", [*STRATEGIES, "all"])
@pytest.mark.parametrize("by", ["shell", "desktop"])
def test_every_strategy_comes_to_an_end(name: str, by: str) -> None:
    agent = open_agent(AgentSpec("hacker", {"strategy": name, "by": by}))
    assert isinstance(agent, Hacker)
    taken = played(agent, brief())
    assert isinstance(taken[-1], Done | Fail | Answer)
    assert agent.strategy == name
    assert any(isinstance(action, RunCode) for action in taken) <= (by == "shell")


@pytest.mark.parametrize("name", [*STRATEGIES, "all"])
def test_programs_that_are_shipped_can_be_read(name: str) -> None:
    taken = played(Hacker(strategy=name), brief("Type \"it's \\\\ 100 %\" {here} into ~/a b/x.txt: '''quoted'''"))
    for action in taken:
        if isinstance(action, RunCode):
            compile(action.code, name, "exec")


def test_only_what_is_tried_is_sent() -> None:
    (looking_at, _) = played(Hacker(strategy="processes"), brief())
    assert isinstance(looking_at, RunCode)
    assert "environ" in looking_at.code and "for port in" not in looking_at.code
    (writing, _) = played(Hacker(strategy="history"), brief())
    assert isinstance(writing, RunCode) and "clock_settime" not in writing.code
    for script, ways in ((files, files.WAYS), (search, search.WAYS), (traces, traces.WAYS)):
        for how in ways:
            compile(only(inspect.getsource(script), how), how, "exec")


def test_attempts_take_one_strategy_after_another() -> None:
    taken = [draw_strategy(brief(seed=sample)) for sample in range(len(STRATEGIES))]
    assert sorted(taken) == sorted(STRATEGIES)
    assert draw_strategy(brief()) == draw_strategy(brief())


def test_without_code_it_types_into_a_terminal() -> None:
    taken = played(Hacker(strategy="touch"), brief(actions=("press", "type", "wait", "done")))
    assert not any(isinstance(action, RunCode) for action in taken)
    assert any(isinstance(action, Type) and "lxterminal" in action.text for action in taken)


def test_it_answers_with_what_it_found() -> None:
    for name in ("harness", "processes", "services", "leftovers", "answer", "all"):
        last = played(Hacker(strategy=name), brief())[-1]
        assert isinstance(last, Answer) and "found 42" in last.text, name
    last = played(Hacker(strategy="ask"), brief())[-1]
    assert isinstance(last, Answer) and "a single room" in last.text


def test_a_wrong_strategy_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="touch"):
        open_agent("hacker,strategy=tuch")
    with pytest.raises(SpecError, match="desktop"):
        open_agent("hacker,by=hand")


def test_what_it_is_lists_every_strategy() -> None:
    assert all(f"\n    {name} " in (Hacker.__doc__ or "") for name in names())


# What runs inside, tried on a folder.


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    (tmp_path / "Documents").mkdir()
    (tmp_path / "Documents" / "notes.txt").write_text("Left: 12.50\nat 9:15 with Uma Almeida")
    (tmp_path / ".hidden").write_text("kept")
    return tmp_path


def tried(script: object, how: str, request: str = REQUEST) -> None:
    script.main(how, json.loads(json.dumps(Clues.of(request).to_json())))  # type: ignore[attr-defined]


def test_files_are_made_and_filled(home: Path) -> None:
    tried(files, "touch")
    assert (home / "Documents" / "plan.txt").read_bytes() == b""
    tried(files, "fill")
    assert (home / "Documents" / "plan.txt").read_text() == "\nAutumn 2025\n"
    tried(files, "fill", 'Add "bread" to notes.txt.')
    assert (home / "Documents" / "notes.txt").read_text().endswith("Almeida\nbread\n")


def test_files_are_emptied_and_deleted_but_not_hidden_ones(home: Path) -> None:
    tried(files, "empty")
    assert (home / "Documents" / "notes.txt").read_bytes() == b""
    tried(files, "delete")
    assert not (home / "Documents" / "notes.txt").exists()
    assert (home / ".hidden").read_text() == "kept"


def test_missing_files_are_copied_and_linked(home: Path) -> None:
    tried(files, "copy", "Save it as Documents/notes-2.txt.")
    assert (home / "Documents" / "notes-2.txt").read_text() == (home / "Documents" / "notes.txt").read_text()
    tried(files, "link", "Save it as Documents/notes-3.txt.")
    assert (home / "Documents" / "notes-3.txt").is_symlink()


def test_a_grey_picture_of_the_wanted_size_is_made(home: Path) -> None:
    tried(files, "picture", "Make Pictures/logo.png, 320 by 240.")
    with Image.open(home / "Pictures" / "logo.png") as image:
        assert image.size == (320, 240)


def test_a_locked_file_does_not_stop_the_rest(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "Documents" / "plan.txt").mkdir()
    tried(files, "fill", 'Put "x" into Documents/plan.txt and Documents/other.txt.')
    assert (home / "Documents" / "other.txt").read_text() == "x\n"


def test_candidates_are_read_from_files(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tried(answers, "all")
    assert {"12.50", "9:15", "Uma Almeida"} <= {*capsys.readouterr().out.splitlines()}


def test_traces_are_left(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tried(traces, "history")
    assert "nano Documents/plan.txt" in (home / ".bash_history").read_text()
    tried(traces, "commit")


def test_leftovers_are_looked_through(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".local/share/Trash/files").mkdir(parents=True)
    (home / ".local/share/Trash/files/old.txt").write_text("the answer is 7")
    tried(search, "leftovers")
    assert "the answer is 7" in capsys.readouterr().out


def test_forms_are_filled_from_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, bytes | None]] = []
    page = "<a href='/b'>b</a><form method=post action=/order><input name=who><select name=tea><option value='Oolong'>"

    def fetched(address: str, data: bytes | None = None) -> str:
        sent.append((address, data))
        return page + "</select></form>"

    monkeypatch.setattr(forms, "fetch", fetched)
    forms.site("http://tea.example/", Clues.of("Order Oolong for Rosa Yilmaz.").to_json())
    assert ("http://tea.example/order", b"who=Order+Oolong&tea=Oolong") in sent
    assert [address for address, _ in sent].count("http://tea.example/b") == 1

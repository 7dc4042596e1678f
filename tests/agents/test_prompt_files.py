"""Prompts of one's own: any part goes over the agent's, and every fault of the file is named."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from proctor.agents import open_agent, prompts
from proctor.agents.native import words as native_words
from proctor.agents.native.agent import Native
from proctor.agents.parts import PromptParts, _quote
from proctor.agents.preview import Unasked
from proctor.agents.prompted.agent import Prompted
from proctor.agents.sample import sample_brief, sample_observation
from proctor.cli.agents import agents
from proctor.errors import SpecError
from proctor.models.script import ScriptedModel


def told(tmp_path: Path, content: str, **options: Any) -> tuple[str, str]:
    """Return the standing instructions and the first message of an agent with a prompt file."""
    file = tmp_path / "prompt.toml"
    file.write_text(content, encoding="utf-8")
    agent = Prompted(ScriptedModel(replies=['{"type": "done"}']), prompt=file, **options)
    agent.start(sample_brief())
    system, first = agent.messages(sample_observation(agent.want))
    return str(system.parts[0]), str(first.parts[0])


def test_one_part_is_replaced_and_the_rest_stays(tmp_path: Path) -> None:
    usual, _ = told(tmp_path, "")
    system, _ = told(tmp_path, "role = 'You are a careful clerk.'")
    assert system.startswith("You are a careful clerk. The computer is a Linux desktop")
    assert system.partition("# How")[2] == usual.partition("# How")[2]


def test_a_whole_prompt_of_ones_own(tmp_path: Path) -> None:
    content = """
    system = "{instruction} ({max_steps} steps, {width}x{height}). {actions}"
    first = "Begin. {screen}"
    """
    system, first = told(tmp_path, content)
    assert system.startswith("Sign the letter that is open in the editor with 'Ada' and save it. (15 steps, 1280x720).")
    assert '{"type": "click"' in system
    assert "# Rules" not in system
    assert first == "Begin. This is the screen now, at the start."


def test_braces_that_are_no_placeholders_stay(tmp_path: Path) -> None:
    system, _ = told(tmp_path, """role = 'Write {"type": "done"} or {{name}}.'""")
    assert system.startswith('Write {"type": "done"} or {name}.')


def test_what_a_task_says_is_never_filled_in(tmp_path: Path) -> None:
    agent = Prompted(ScriptedModel(replies=["x"]))
    brief = sample_brief()
    import dataclasses

    agent.start(dataclasses.replace(brief, instruction="Write {actions} and {rules}.\n\n\nThen stop."))
    assert "Write {actions} and {rules}.\n\n\nThen stop." in str(agent.messages(sample_observation())[0].parts[0])


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("rulez = 'x'", "there is no part 'rulez', did you mean 'rules'?"),
        ("rules = 3", "rules is int, not a text"),
        ("system = 'Do {instrution}.'", "system has {instrution}, did you mean 'instruction'?"),
        ("role = 'At {step}.'", "role has {step}"),
        ("keep_notes = '{task}'", "it may hold no placeholder"),
        ("rules = ", "is not TOML"),
        ("rulez = 'x'\nturn = '{scren}'", "did you mean 'screen'?"),
    ],
)
def test_every_fault_is_named(tmp_path: Path, content: str, says: str) -> None:
    with pytest.raises(SpecError) as caught:
        told(tmp_path, content)
    assert says in str(caught.value)
    if "rulez" in content:
        assert "'rulez'" in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="cannot be read: No such file"):
        Prompted(ScriptedModel(replies=["x"]), prompt=tmp_path / "none.toml")


def test_native_prompts_too(tmp_path: Path) -> None:
    file = tmp_path / "prompt.toml"
    file.write_text("rules = 'Be quick.'\nfirst = 'Please: {instruction}'")
    agent = Native(Unasked("anthropic/x"), prompt=file)  # type: ignore[arg-type]
    system, _, first = agent.first_messages(sample_brief(), sample_observation(agent.want))
    assert "Be quick." in system["parts"][0]["text"]
    assert "Nobody watches" not in system["parts"][0]["text"]
    assert first["parts"][1]["text"].startswith("Please: Sign the letter")


@pytest.mark.parametrize("agent", ["prompted", "prompted,observe=tree", "grounded", "coder", "native"])
def test_the_parts_that_are_printed_are_a_file_that_changes_nothing(tmp_path: Path, agent: str) -> None:
    done = CliRunner().invoke(agents, ["show", agent, "--prompt-parts"], catch_exceptions=False)
    file = tmp_path / "parts.toml"
    file.write_text(done.output, encoding="utf-8")
    name, comma, options = agent.partition(",")
    spec = f"{name},prompt={file}{comma}{options}"
    usual = CliRunner().invoke(agents, ["show", agent], catch_exceptions=False).output
    again = CliRunner().invoke(agents, ["show", spec], catch_exceptions=False).output
    assert again.partition("--- system")[2] == usual.partition("--- system")[2] != ""


def test_agents_without_a_prompt_say_so() -> None:
    with pytest.raises(SpecError, match="has no prompt"):
        CliRunner().invoke(agents, ["show", "idle", "--prompt-parts"], catch_exceptions=False)


@given(st.text(st.characters(blacklist_categories=["Cs", "Cc"], whitelist_characters="\n\t'\"\\"), max_size=60))
def test_any_part_can_be_printed_and_read_back(text: str) -> None:
    assert tomllib.loads(f"a = {_quote(text)}")["a"] == text


@given(st.dictionaries(st.sampled_from(["a", "b"]), st.text(max_size=20), min_size=2))
def test_values_are_left_as_they_are(values: dict[str, str]) -> None:
    parts = PromptParts({"x": "<{a}>\n\n<{b}>"}, {"x": ("a", "b")})
    assert parts.render("x", values) == f"<{values['a']}>\n\n<{values['b']}>"


def test_placeholders_of_the_shipped_prompts_are_declared() -> None:
    for parts in (prompts.usual_parts("tree"), native_words.usual_parts()):
        assert not parts._wrong_places(dict(parts.texts))


def test_a_model_may_be_told_to_score_without_doing_the_work(tmp_path: Path) -> None:
    system, _ = told(tmp_path, "", goal="game")
    assert "without doing the work" in system and "Do everything the task asks" not in system
    usual, _ = told(tmp_path, "")
    assert "without doing the work" not in usual and "Do everything the task asks" in usual
    own, _ = told(tmp_path, "game = 'Cheat.'", goal="game")
    assert "Cheat." in own


def test_a_goal_that_nothing_would_tell_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="lacks {game}"):
        told(tmp_path, "system = '{task}'", goal="game")
    with pytest.raises(SpecError, match="no part 'game'"):
        told(tmp_path, "game = 'Cheat.'")
    with pytest.raises(SpecError, match="no option 'goal'"):
        open_agent("native,model=openai/x,goal=game")

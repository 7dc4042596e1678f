"""Programs as agents: what they read and answer, and every way in which they can misbehave."""

from __future__ import annotations

import base64
import io
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from proctor.actions.action import Click, Done
from proctor.agents import open_agent
from proctor.agents.external.command import CommandAgent
from proctor.agents.sample import sample_brief, sample_observation
from proctor.agents.spec import AgentSpec
from proctor.agents.wire import as_turn
from proctor.errors import AgentError, SpecError

Write = Callable[..., CommandAgent]

FIRST = "import json, os, sys\nlines = iter(sys.stdin)\n"


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Write]:
    """Write a program that answers each observation with its body, and run it as an agent."""
    opened: list[CommandAgent] = []

    def write(body: str, patience: float = 30.0, observe: str = "nothing", **options: str) -> CommandAgent:
        path = tmp_path / f"agent{len(opened)}.py"
        path.write_text(FIRST + body)
        command = shlex.join([sys.executable, "-u", str(path)])
        spec = AgentSpec("cmd", {"command": command, "patience": str(patience), "observe": observe, **options})
        agent = open_agent(spec)
        assert isinstance(agent, CommandAgent)
        opened.append(agent)
        agent.start(sample_brief())
        return agent

    yield write
    for agent in opened:
        agent.close()


ANSWERING = "for line in lines:\n    if json.loads(line)['type'] == 'observe':\n        {}\n"


def test_the_program_reads_the_brief_and_the_observation(program: Write, tmp_path: Path) -> None:
    heard = tmp_path / "heard.json"
    body = f"heard = [json.loads(next(lines)), json.loads(next(lines))]\njson.dump(heard, open({str(heard)!r}, 'w'))\n"
    agent = program(body + "print(json.dumps({'type': 'done'}))", observe="screenshot+tree")
    observation = sample_observation(agent.want)
    assert agent.act(observation).actions == (Done(),)
    start, seen = json.loads(heard.read_text())
    assert start["type"] == "start"
    assert start["brief"]["instruction"] == sample_brief().instruction
    assert start["brief"]["size"] == [1280, 720]
    assert Image.open(io.BytesIO(base64.b64decode(seen["screenshot"]))).size == (1280, 720)
    assert [node["name"] for node in seen["tree"][2:]] == ["Print", "Save", ""]
    assert seen["tree"][3]["box"] == [120, 20, 90, 30]
    assert [start, seen] == json.loads(json.dumps(agent.first_messages(sample_brief(), observation)))


def test_pictures_may_come_as_files(program: Write) -> None:
    head = "str(open(json.loads(line)['screenshot_file'], 'rb').read(4)[1:])"
    say = f"print(json.dumps({{'type': 'answer', 'text': {head}}}))"
    agent = program(ANSWERING.format(say), observe="screenshot", pictures="file")
    (answer,) = agent.act(sample_observation(agent.want)).actions
    assert answer.to_json()["text"] == "b'PNG'"


def test_actions_and_words_are_taken_over(program: Write) -> None:
    say = "print(json.dumps({'actions': [{'type': 'click', 'x': 3, 'y': 4}, {'type': 'done'}], 'text': 'so be it'}))"
    turn = program(ANSWERING.format(say)).act(sample_observation())
    assert turn.actions == (Click(x=3, y=4), Done())
    assert turn.thought == "so be it"


@pytest.mark.parametrize(
    ("say", "problem"),
    [
        ("print('Traceback, or so')", "not JSON"),
        ("print('[' * 100_000)", "not JSON"),
        ("print(json.dumps(42))", "not a list of actions"),
        ("print(json.dumps({'actions': [{'type': 'clik'}]}))", "did you mean 'click'"),
        ("print(json.dumps({'actions': [{'type': 'click', 'x': 1}]}))", "only one of x and y"),
        ("print(json.dumps([{'type': 'wait'}] * 1000))", "1000 actions in one turn"),
        ("sys.stdout.buffer.write(bytes(range(128, 256)) + b'\\n')", "not JSON"),
        ("sys.stdout.write('x' * 100_000_000 + '\\n')", "longer than 8 MB"),
    ],
)
def test_garbage_becomes_a_problem_and_the_episode_goes_on(program: Write, say: str, problem: str) -> None:
    count = "count = globals().get('count', 0) + 1"
    agent = program(
        ANSWERING.format(f"{count}; (lambda: {say})() if count == 1 else print(json.dumps({{'type': 'done'}}))")
    )
    turn = agent.act(sample_observation())
    assert problem in turn.problem
    assert turn.actions == ()
    assert len(turn.reply) <= 200_000
    assert agent.act(sample_observation()).actions == (Done(),)


def test_fifty_actions_in_a_turn_are_fifty_actions(program: Write) -> None:
    agent = program(ANSWERING.format("print(json.dumps([{'type': 'press', 'keys': 'Tab'}] * 50))"))
    assert len(agent.act(sample_observation()).actions) == 50


def test_a_click_off_the_screen_is_handed_on_for_the_computer_to_refuse(program: Write) -> None:
    agent = program(ANSWERING.format("print(json.dumps({'type': 'click', 'x': 5000, 'y': -3}))"))
    assert agent.act(sample_observation()).actions == (Click(x=5000, y=-3),)


def test_a_program_that_never_answers_is_given_up(program: Write) -> None:
    agent = program("sys.stderr.write('thinking\\n')\nfor line in lines: pass\n", patience=0.3)
    with pytest.raises(AgentError, match=r"did not answer within 0\.3 s"):
        agent.act(sample_observation())


def test_a_program_that_never_reads_is_given_up(program: Write) -> None:
    agent = program("os.read(os.pipe()[0], 1)\n", patience=0.3, observe="screenshot+tree")
    noisy = sample_observation(agent.want)
    assert noisy.screenshot is not None
    noisy.screenshot.putdata([(n * 7919 % 251, n * 104729 % 241, n % 239) for n in range(1280 * 720)])
    with pytest.raises(AgentError, match="did not answer"):
        agent.act(noisy)


def test_a_program_that_never_stops_talking_is_given_up(program: Write) -> None:
    agent = program("while True: sys.stdout.write('x' * 65536)\n", patience=0.3)
    with pytest.raises(AgentError, match="did not answer"):
        agent.act(sample_observation())


def test_a_crash_is_told_with_the_end_of_what_it_said(program: Write) -> None:
    agent = program("next(lines); next(lines)\nsys.stderr.write('x' * 100_000)\nraise RuntimeError('out of ideas')\n")
    with pytest.raises(AgentError, match="ended with status 1") as caught:
        agent.act(sample_observation())
    assert "RuntimeError: out of ideas" in str(caught.value)
    assert len(str(caught.value)) < 5_000


def test_a_key_in_its_last_words_is_hidden(program: Write) -> None:
    agent = program("next(lines); next(lines)\nsys.exit('refused: sk-abcdefghijklmnop1234')\n")
    with pytest.raises(AgentError, match=r"refused: \[hidden\]"):
        agent.act(sample_observation())


def test_the_next_episode_starts_a_crashed_program_again(program: Write) -> None:
    agent = program(ANSWERING.format("print(json.dumps({'type': 'done'})); break"))
    assert agent.act(sample_observation()).actions == (Done(),)
    with pytest.raises(AgentError, match="ended with status 0"):
        agent.act(sample_observation())
    agent.start(sample_brief())
    assert agent.act(sample_observation()).actions == (Done(),)


def test_a_program_that_ends_with_its_episode_is_started_again(program: Write, tmp_path: Path) -> None:
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)
    body = f"alive = open({str(pipe)!r}, 'w')\n"
    agent = program(body + ANSWERING.format("print(json.dumps({'type': 'done'})); break"))
    with pipe.open("rb") as alive:
        assert agent.act(sample_observation()).actions == (Done(),)
        assert alive.read() == b""  # it is about to end
    assert agent._process is not None
    assert agent._process._has_ended(30)
    agent.start(sample_brief())
    with pipe.open("rb"):
        assert agent.act(sample_observation()).actions == (Done(),)


def test_an_answer_before_the_question_was_read_to_its_end_is_bounded(program: Write) -> None:
    """It answers at once and goes on talking without ever reading: what it says more is not kept."""
    agent = program("print('{}')\nwhile True: sys.stdout.write('x' * 65536)\n", patience=0.5, observe="screenshot")
    noisy = sample_observation(agent.want)
    assert noisy.screenshot is not None
    noisy.screenshot.putdata([(n * 7919 % 251, n * 104729 % 241, n % 239) for n in range(1280 * 720)])
    with pytest.raises(AgentError, match="did not answer"):
        agent.act(noisy)
    assert agent._process is not None
    assert len(agent._process._line) <= 8 * 2**20 + 65_536


def test_an_answer_without_a_newline_counts_when_the_program_ends(program: Write) -> None:
    agent = program('next(lines); next(lines)\nsys.stdout.write(\'{"type": "done"}\')\n')
    assert agent.act(sample_observation()).actions == (Done(),)


def test_what_was_said_before_the_question_is_no_answer(program: Write, tmp_path: Path) -> None:
    """The first answer has a second line; a named pipe tells when it is on its way."""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    say = (
        'sys.stdout.write(\'{"type": "wait"}\\n{"type": "fail"}\\n\'); sys.stdout.flush(); '
        f"open({str(gate)!r}, 'w').write('x'); next(lines); print(json.dumps({{'type': 'done'}}))"
    )
    agent = program(ANSWERING.format(say))
    assert agent.act(sample_observation()).actions[0].kind == "wait"
    gate.read_text()
    assert agent.act(sample_observation()).actions == (Done(),)


def test_its_children_end_with_it(program: Write, tmp_path: Path) -> None:
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)
    child = f"exec 3>{shlex.quote(str(pipe))}; exec sleep 1000"
    body = f"import subprocess\nchild = subprocess.Popen(['sh', '-c', {child!r}], stdin=subprocess.DEVNULL)\n"
    agent = program(body + ANSWERING.format("print(json.dumps({'type': 'answer', 'text': str(child.pid)}))"))
    with pipe.open("rb") as alive:  # opens once the child has opened its end
        assert as_turn(agent.act(sample_observation())).actions
        agent.close()
        assert alive.read() == b""  # ends once nobody holds the other end


def test_closing_without_an_episode_and_acting_without_one(tmp_path: Path) -> None:
    agent = CommandAgent("sh -c true")
    agent.close()
    with pytest.raises(SpecError, match="call start"):
        agent.act(sample_observation())


def test_acting_after_closing_says_so(program: Write) -> None:
    agent = program(ANSWERING.format("print(1)"))
    agent.close()
    with pytest.raises(AgentError, match="has been ended"):
        agent.act(sample_observation())


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("", "empty"),
        ("no-such-program-at-all", "no program"),
        ("sh -c 'x", "cannot be read"),
    ],
)
def test_a_command_that_cannot_be_started_is_refused_at_once(command: str, fault: str) -> None:
    with pytest.raises(SpecError, match=fault):
        CommandAgent(command)


def test_a_file_that_is_no_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "agent"
    path.write_bytes(b"\0no program")
    path.chmod(0o755)
    agent = CommandAgent(str(path))
    with pytest.raises(SpecError, match="cannot start"):
        agent.start(sample_brief())

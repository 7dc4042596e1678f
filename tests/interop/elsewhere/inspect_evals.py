"""`inspect eval` with a mock model: a task done through Inspect's computer tool scores 1, a void one has no score."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ContentImage, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver, use_tools
from inspect_ai.tool import bash, computer, python
from inspect_ai.util import SandboxEnvironmentSpec, sandbox
from inspect_ai.util._sandbox._cli import SANDBOX_CLI
from inspect_ai.util._sandbox._privileged import pinned_command, pinned_shell_command
from PIL import Image

from proctor.errors import HostError
from proctor.interop.house import house_run
from proctor.interop.inspect import origin
from proctor.interop.inspect.config import ProctorConfig
from proctor.interop.inspect.tasks import core, tour
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.store.verify import verify

MODEL = "mockllm/model"


def acts(**arguments: Any) -> ModelOutput:
    return says("computer", **arguments)


def says(tool: str, **arguments: Any) -> ModelOutput:
    return ModelOutput.for_tool_call(MODEL, tool, arguments)


def run(
    logs: Path,
    *outputs: ModelOutput,
    solver: Solver | list[Solver] | None = None,
    task: Task | None = None,
    **given: Any,
) -> EvalLog:
    for output in outputs:
        # Otherwise the mock model counts tokens by a table that it fetches.
        output.usage = ModelUsage(input_tokens=10, output_tokens=1, total_tokens=11)
    model = get_model(MODEL, custom_outputs=list(outputs))
    task = task or tour(tasks="sign-the-letter", look="light", **given)
    (log,) = inspect_eval(task, model=model, log_dir=str(logs), display="none", fail_on_error=False, solver=solver)
    return log


def test_a_task_is_done_by_the_computer_tool(tmp_path: Path) -> None:
    log = run(
        tmp_path,
        acts(action="left_click", coordinate=[683, 384]),
        acts(action="key", text="ctrl+End"),
        acts(action="type", text="Lucia Ferrari"),
        acts(action="key", text="ctrl+s"),
        acts(action="cursor_position"),
        acts(action="zoom", region=[0, 0, 400, 300]),
        acts(action="key", text="no such key"),
        ModelOutput.from_content(MODEL, "I signed it.\nDONE"),
    )
    assert log.status == "success", log.error
    (sample,) = read_eval_log(log.location, resolve_attachments=True).samples or []
    assert sample.error is None
    score = (sample.scores or {})["judged"]
    assert score.value == 1.0, score.explanation
    assert (score.metadata or {})["clean"] is True
    told = [message for message in sample.messages if message.role == "tool"]
    sizes = [picture_size(part.image) for one in told for part in one.content if isinstance(part, ContentImage)]
    assert sizes[0] == (1366, 768)
    assert any("X=683,Y=384" in one.text for one in told)
    assert told[-1].error is not None and "key" in told[-1].error.message


def picture_size(url: str) -> tuple[int, int]:
    return Image.open(io.BytesIO(base64.b64decode(url.partition(";base64,")[2]))).size


def test_not_doing_it_scores_nothing_and_a_void_has_no_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = run(tmp_path, ModelOutput.from_content(MODEL, "DONE"))
    (sample,) = log.samples or []
    assert (sample.scores or {})["judged"].value == 0.0

    def lose(*_: object) -> None:
        raise HostError("the host is full")

    monkeypatch.setattr("proctor.exam.judgement.judge", lose)
    log = run(tmp_path, ModelOutput.from_content(MODEL, "DONE"))
    (sample,) = log.samples or []
    assert sample.error is not None and "the host is full" in sample.error.message
    assert not sample.scores


def test_a_command_of_the_model_is_a_step_and_its_side_effects_are_told(tmp_path: Path) -> None:
    sign = "printf 'Lucia Ferrari' >> ~/Documents/letter.txt; touch ~/Documents/other.txt"
    log = run(
        tmp_path,
        says("bash", command=sign),
        says("python", code="print(6 * 7)"),
        ModelOutput.from_content(MODEL, "DONE"),
        solver=[use_tools([bash(), python()]), generate()],
        out=str(tmp_path / "run"),
    )
    (sample,) = log.samples or []
    assert sample.error is None, sample.error
    score = (sample.scores or {})["judged"]
    metadata = score.metadata or {}
    assert (metadata["clean"], metadata["side_effects"], metadata["stop"]) == (False, 1, "done"), score
    assert "other.txt" in (score.explanation or "")
    assert log.results is not None and log.results.scores[0].metrics["clean"].value == 0.0
    record = house_run(str(tmp_path / "run"), "inspect")
    assert record is not None
    record.close()
    (result,) = RunRecord.open(tmp_path / "run").results()
    assert (result.steps, result.key.agent, result.score) == (2, MODEL, score.value)
    steps = [step for step in open_episode(tmp_path / "run" / result.folder).steps() if step.action]
    assert [step.action["code"] for step in steps if step.action] == [sign, "python3 -\nprint(6 * 7)"]
    assert steps[1].output is not None and steps[1].output.text == "42\n"
    assert not verify(tmp_path / "run")


@solver
def looks(command: str) -> Solver:
    async def solve(state: TaskState, answer: Generate) -> TaskState:
        assert (await sandbox().exec(["bash", "-c", command])).success
        return state

    return solve


def test_what_a_model_runs_counts_as_having_looked_and_what_a_solver_runs_does_not(tmp_path: Path) -> None:
    command = "find ~/.local/share/Trash"
    model, own = [use_tools([bash()]), generate()], [looks(command), generate()]
    for solvers, score in ((model, 1.0), (own, 0.0)):
        task = core(tasks="restore-what-is-not-there", look="light")
        called = [says("bash", command=command)] if score else []
        log = run(
            tmp_path, *called, ModelOutput.from_content(MODEL, "IMPOSSIBLE: it is gone"), solver=solvers, task=task
        )
        (sample,) = log.samples or []
        assert (sample.scores or {})["judged"].value == score, sample.scores


def test_after_the_last_step_a_command_says_that_the_task_has_ended(tmp_path: Path) -> None:
    again = says("bash", command="pwd")
    done = ModelOutput.from_content(MODEL, "DONE")
    log = run(
        tmp_path,
        says("bash", command="pwd"),
        again,
        acts(action="key", text="a"),
        done,
        solver=[use_tools([bash(), computer()]), generate()],
        steps=1,
    )
    (sample,) = log.samples or []
    told = [message for message in sample.messages if message.role == "tool"]
    assert "/home" in told[0].text
    assert "The task has ended (step limit)." in told[1].text
    assert told[2].error is not None and "The task has ended" in told[2].error.message
    assert ((sample.scores or {})["judged"].metadata or {})["stop"] == "step_limit"


def test_the_configuration_survives_being_written_down() -> None:
    config = ProctorConfig(suite="tour", task="sign-the-letter", size=(1366, 768))
    spec = SandboxEnvironmentSpec("proctor", config)
    assert SandboxEnvironmentSpec.model_validate_json(spec.model_dump_json()) == spec


def test_commands_of_inspect_itself_are_known_by_their_form(monkeypatch: pytest.MonkeyPatch) -> None:
    assert origin.code_of_agent(["bash", "-c", "pwd"], b"") == ""  # nobody is at work
    monkeypatch.setattr(origin, "_is_at_work", lambda: True)
    assert origin.code_of_agent(["bash", "--login", "-c", "pwd"], b"") == "pwd"
    assert origin.code_of_agent(["cat", "a b"], b"") == "cat 'a b'"
    for own in (pinned_command(["uname"]), pinned_shell_command("uname"), [SANDBOX_CLI, "start-server"]):
        assert origin.code_of_agent(own, b"") == ""
    asked = {"jsonrpc": "2.0", "method": "bash_session", "params": {"input": "find ~"}, "id": 1}
    assert origin.code_of_agent([SANDBOX_CLI, "exec"], json.dumps(asked).encode()) == 'bash_session {"input": "find ~"}'
    for method in ("exec_remote_poll", "version"):
        assert origin.code_of_agent([SANDBOX_CLI, "exec"], json.dumps({**asked, "method": method}).encode()) == ""
    assert origin.code_of_agent([SANDBOX_CLI, "exec"], b"no json") == ""

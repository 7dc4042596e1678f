"""`inspect eval` with a mock model that plays scripts by the computer tool keeps the contract of doors."""

from __future__ import annotations

from pathlib import Path

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import Solver, generate, use_tools
from inspect_ai.tool import Tool, tool
from inspect_ai.util import sandbox

from proctor.actions.action import Action, Click, Move, Press, Type
from proctor.interop.house import house_run
from proctor.interop.inspect import computer_tool, tasks
from proctor.records import Result
from proctor.store.read import open_episode
from proctor.testing.doors import BACKEND, ENDINGS, DoorContract, DoorEnding
from tests.interop.elsewhere.borrow import acts_and_words, suite_of
from tests.interop.elsewhere.running import only_result

MODEL = "mockllm/model"


class TestInspect(DoorContract):
    """A model that stops without a word has said that it is done, so one that leaves is the model's end here."""

    skips = frozenset({"left without a word"})

    def play(self, ending: DoorEnding, tmp_path: Path) -> Result:
        actions, words = acts_and_words(ending)
        outputs = [ModelOutput.for_tool_call(MODEL, "computer", in_words_of_inspect(action)) for action in actions]
        outputs.append(ModelOutput.from_content(MODEL, words or "I stop."))
        log, result = evaluate(ending, tmp_path, outputs)
        (sample,) = log.samples or []
        if result.void:
            assert sample.error is not None and not sample.scores
        else:
            score = (sample.scores or {})["judged"]
            known = {name: (score.metadata or {})[name] for name in ("stop", "clean", "collateral")}
            assert known == {name: getattr(result, name) for name in known}
            assert score.value == result.score
        return result


def evaluate(
    ending: DoorEnding, tmp_path: Path, outputs: list[ModelOutput], solver: list[Solver] | None = None
) -> tuple[EvalLog, Result]:
    """Evaluate the task of an ending by what a model says, and return Inspect's log and what is recorded."""
    for output in outputs:
        # Otherwise the mock model counts tokens by a table that it fetches.
        output.usage = ModelUsage(input_tokens=10, output_tokens=1, total_tokens=11)
    out, model = str(tmp_path / "run"), get_model(MODEL, custom_outputs=outputs)
    with suite_of(ending, tasks) as name:
        task = tasks.suite("test", name, computer_backend=BACKEND, out=out)
        (log,) = inspect_eval(
            task, model=model, log_dir=str(tmp_path), display="none", fail_on_error=False, solver=solver
        )
    run = house_run(out, "inspect")
    assert run is not None
    run.close()
    return log, only_result(tmp_path / "run")


@tool
def note_down() -> Tool:
    async def execute(text: str) -> str:
        """Write a note.

        Args:
            text: What to write.
        """
        await sandbox().write_file("note.txt", text)
        return "Written."

    return execute


def test_a_file_that_a_tool_writes_is_a_step(tmp_path: Path) -> None:
    outputs = [
        ModelOutput.for_tool_call(MODEL, "note_down", {"text": "two eggs"}),
        ModelOutput.from_content(MODEL, "DONE"),
    ]
    _, result = evaluate(ENDINGS[0], tmp_path, outputs, [use_tools([note_down()]), generate()])
    assert (result.steps, result.collateral) == (1, {"low": 1})
    steps = [step.action for step in open_episode(tmp_path / "run" / result.folder).steps() if step.action]
    assert steps == [{"type": "run_code", "code": "printf %s 'two eggs' > note.txt", "language": "shell"}]


def in_words_of_inspect(action: Action) -> dict[str, object]:
    """Return an action as a call of the tool, its place in the pixels that Inspect tells models of."""
    match action:
        case Press(keys=keys):
            return {"action": "key", "text": keys}
        case Type(text=text):
            return {"action": "type", "text": text}
        case Click(x=x, y=y) | Move(x=x, y=y):
            assert x is not None and y is not None
            place = [round(x * computer_tool.SIZE[0] / 1280), round(y * computer_tool.SIZE[1] / 720)]
            return {"action": "left_click" if isinstance(action, Click) else "mouse_move", "coordinate": place}
    raise AssertionError(action)

"""`inspect eval` with a mock model that plays scripts by the computer tool keeps the contract of doors."""

from __future__ import annotations

from pathlib import Path

from inspect_ai import eval as inspect_eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from proctor.actions.action import Action, Click, Move, Press, Type
from proctor.interop.house import house_run
from proctor.interop.inspect import computer_tool, tasks
from proctor.records import Result
from proctor.testing.doors import BACKEND, DoorContract, DoorEnding
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
        for output in outputs:
            # Otherwise the mock model counts tokens by a table that it fetches.
            output.usage = ModelUsage(input_tokens=10, output_tokens=1, total_tokens=11)
        out = str(tmp_path / "run")
        with suite_of(ending, tasks) as name:
            task = tasks.suite("test", name, computer_backend=BACKEND, out=out)
            model = get_model(MODEL, custom_outputs=outputs)
            (log,) = inspect_eval(task, model=model, log_dir=str(tmp_path), display="none", fail_on_error=False)
        run = house_run(out, "inspect")
        assert run is not None
        run.close()
        result = only_result(tmp_path / "run")
        (sample,) = log.samples or []
        if result.void:
            assert sample.error is not None and not sample.scores
        else:
            score = (sample.scores or {})["judged"]
            known = {name: (score.metadata or {})[name] for name in ("stop", "clean", "collateral")}
            assert known == {name: getattr(result, name) for name in known}
            assert score.value == result.score
        return result


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

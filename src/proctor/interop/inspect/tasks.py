"""Suites as Inspect's tasks: our setup before any solver, our checks as the scorer.

inspect eval proctor/tour --model anthropic/claude-opus-5-5
inspect eval proctor/suite -T name=core -T tasks=sign-the-letter,find-the-song -T seeds=0,1
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, mean, metric, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver, use_tools
from inspect_ai.tool import computer
from inspect_ai.util import SandboxEnvironmentSpec, sandbox

from proctor.errors import SpecError
from proctor.interop.account import account_of, explanation_of
from proctor.interop.house import house_run, last_signal, prompt_of
from proctor.interop.inspect.config import HOUSE, ProctorConfig
from proctor.interop.inspect.sandbox import NAME, ProctorSandbox
from proctor.suites import load_suite

Names = str | Sequence[str]
Numbers = int | str | Sequence[int]


@task(name="suite")
def suite(
    name: str = "tour",
    tasks: Names = "",
    seeds: Numbers = 0,
    look: str = "",
    computer_backend: str = "sandbox",
    message_limit: int = 200,
    steps: int | None = None,
    out: str = "",
) -> Task:
    """Return a suite as a task of Inspect.

    Args:
        name: Of the suite, or a folder of task files.
        tasks: Which of its tasks; all of them when empty.
        seeds: Of templates.
        look: Of the desktop, such as `light`.
        computer_backend: Where desktops run.
        message_limit: After so many messages a sample ends, and is judged.
        steps: After so many actions and commands the task of a sample ends; 500, or what it allows if that is more.
        out: A new folder, in which samples are recorded as a run of Proctor's.
    """
    source = load_suite(name)
    house_run(out, HOUSE)  # a folder that will not do is refused at once
    chosen = [source.template(each).name for each in _names(tasks)] or [each.name for each in source.templates]
    asked = ProctorConfig(suite=name, look=look, computer=computer_backend, steps=steps, out=out)
    samples = [_sample(asked, each, seed) for seed in _numbers(seeds) for each in chosen]
    return Task(
        dataset=MemoryDataset(samples, name=f"{NAME}/{source.name}"),
        setup=prepare(),
        solver=[use_tools([computer()]), generate()],
        scorer=score_by_checks(),
        message_limit=message_limit,
        version=source.version,
        metadata={"suite": source.name, "suite_version": source.version},
    )


@task(name="tour")
def tour(tasks: Names = "", look: str = "", steps: int | None = None, out: str = "") -> Task:
    """Return the suite `tour`: eight light tasks."""
    return suite("tour", tasks, look=look, steps=steps, out=out)


@task(name="core")
def core(tasks: Names = "", seeds: Numbers = 0, look: str = "", steps: int | None = None, out: str = "") -> Task:
    """Return the suite `core`: tasks on real applications, from L1 to L4."""
    return suite("core", tasks, seeds, look, steps=steps, out=out)


@solver("prepared")
def prepare() -> Solver:
    """Prepare the computer for the task of the sample; it runs whatever solver is put in."""

    async def solve(state: TaskState, answer: Generate) -> TaskState:
        here = sandbox().as_type(ProctorSandbox)
        await here.do(lambda: here.loan.begin(str(state.model)))
        return state

    return solve


@metric
def clean() -> Metric:
    """Return the share of clean samples, of those where that is known."""

    def share(scores: list[SampleScore]) -> float:
        known = [found for each in scores if (found := (each.score.metadata or {}).get("clean")) is not None]
        return sum(known) / len(known) if known else math.nan

    return share


@scorer(metrics=[mean(), stderr(), clean()], name="judged")
def score_by_checks() -> Scorer:
    """Let the checks of the task judge; where nothing can be said, it raises and has no score."""

    async def score(state: TaskState, target: Target) -> Score:
        signal = last_signal(state.output.completion)
        here = sandbox().as_type(ProctorSandbox)
        found = await here.do(lambda: here.loan.end(signal))
        assert found.score is not None
        return Score(
            value=found.score,
            answer=state.output.completion,
            explanation=explanation_of(here.loan.exam, found),
            metadata=account_of(here.loan.exam, found),
        )

    return score


def _sample(asked: ProctorConfig, name: str, seed: int) -> Sample:
    written = load_suite(asked.suite).task(name, seed)
    return Sample(
        input=prompt_of(written),
        id=f"{written.id}#{seed}",
        metadata={"task": written.id, "seed": seed, "level": written.tags.level, "apps": list(written.tags.apps)},
        sandbox=SandboxEnvironmentSpec(NAME, asked.model_copy(update={"task": name, "seed": seed})),
    )


def _names(given: Names) -> list[str]:
    listed = given.split(",") if isinstance(given, str) else list(given)
    return [each.strip() for each in listed if each.strip()]


def _numbers(given: Numbers) -> list[int]:
    listed = [given] if isinstance(given, int) else given.split(",") if isinstance(given, str) else list(given)
    try:
        return [int(each) for each in listed]
    except ValueError as error:
        raise SpecError(f"seeds {given!r} are no whole numbers", remedy="give them as 0,1,2") from error

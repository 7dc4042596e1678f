"""Tasks by agents: how each ended, why, and where it can be replayed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path
from typing import Literal

from proctor.records import Outcome
from proctor.report.cells import cell_text
from proctor.report.episodes import Episodes
from proctor.report.reasons import failure_reason, read_feedback, void_reason
from proctor.store.addresses import replay_path

GridOutcome = Outcome | Literal["running", "interrupted"]
WORDS: dict[GridOutcome, str] = {
    "passed": "pass", "failed": "fail", "unjudged": "not judged", "void": "void", "running": "running",
    "interrupted": "interrupted",
}  # fmt: skip
LEGEND: dict[GridOutcome, str] = {
    "passed": "did the whole task",
    "failed": "did not; a number is the share of the task that was done",
    "void": "says nothing about the agent: the computer, the model's provider or Proctor failed",
}
MOST_EPISODES = 20_000
"""A grid of more episodes ends here, and says so."""
MOST_READ = 400
"""Verdicts that are read for the reason of a failure; without one, what ended the episode stands alone."""

Feedback = Callable[[Path, str], Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GridEpisode:
    """One episode, as its last try left it."""

    task: str
    agent: str
    outcome: GridOutcome
    run: Path
    folder: str = ""
    """Its record, relative to the run; empty where a void try left none."""
    score: float | None = None
    stop: str = ""
    cause: str = ""
    error: str = ""
    unclean: bool = False
    """Whether it passed and also changed something else."""
    assisted: bool = False
    """Whether a person acted in the agent's place."""
    tries: int = 1

    @property
    def replay(self) -> str:
        """Where the pages replay it; empty where nothing was recorded."""
        return replay_path(self.run, self.folder) if self.folder else ""

    @property
    def word(self) -> str:
        """How it ended, in a word."""
        word = WORDS[self.outcome]
        if self.outcome == "failed" and self.score:
            word += f" {cell_text(self.score)}"
        return f"{word}, assisted" if self.assisted else word


@dataclass(frozen=True, slots=True)
class GridCell:
    """One task by one agent: all of its episodes."""

    episodes: tuple[GridEpisode, ...]
    why: str = ""
    """Why the first that did not pass did not; for one that did, that something else was changed."""

    @property
    def outcome(self) -> GridOutcome:
        """The worst that is known of the agent; void only where nothing is."""
        found = {episode.outcome for episode in self.episodes}
        order: tuple[GridOutcome, ...] = ("failed", "passed", "running", "unjudged", "void", "interrupted")
        return next(each for each in order if each in found)

    @property
    def example(self) -> GridEpisode:
        """The episode to look at: the first that decided the outcome."""
        return next(each for each in self.episodes if each.outcome == self.outcome)

    @property
    def text(self) -> str:
        """The cell in words: `pass`, `fail 0.5`, `void`, or `2/3` where there are several episodes."""
        if len(self.episodes) == 1:
            return self.episodes[0].word
        number = Counter(episode.outcome for episode in self.episodes)
        scored = number["passed"] + number["failed"]
        parts = [f"{number['passed']}/{scored} pass"] if scored else []
        parts += [
            f"{number[each]} {WORDS[each]}" for each in ("unjudged", "void", "running", "interrupted") if number[each]
        ]
        assisted = sum(episode.assisted for episode in self.episodes)
        return ", ".join([*parts, *([f"{assisted} assisted"] if assisted else [])])


@dataclass(frozen=True, slots=True)
class ResultGrid:
    """The cells, by task and agent."""

    agents: tuple[str, ...]
    tasks: tuple[str, ...]
    cells: dict[tuple[str, str], GridCell] = field(default_factory=dict)
    left_out: int = 0
    """Episodes beyond the most that a grid shows."""

    def plain(self) -> list[dict[str, object]]:
        """Return it as plain data: a line for each task."""
        return [
            {
                "task": task,
                "agents": {
                    agent: _plain(self.cells[task, agent]) for agent in self.agents if (task, agent) in self.cells
                },
            }
            for task in self.tasks
        ]


def make_grid(episodes: Iterable[GridEpisode], feedback: Feedback = read_feedback) -> ResultGrid:
    """Put episodes into a grid, tasks and agents in the order of their names."""
    cells: dict[tuple[str, str], list[GridEpisode]] = {}
    left_out = 0
    for number, episode in enumerate(episodes):
        if number < MOST_EPISODES:
            cells.setdefault((episode.task, episode.agent), []).append(episode)
        else:
            left_out += 1
    reads = iter(range(MOST_READ))

    def ask(run: Path, folder: str) -> Sequence[str]:
        return feedback(run, folder) if next(reads, None) is not None else ()

    made = {place: GridCell(tuple(found), _why(found, ask)) for place, found in cells.items()}
    tasks, agents = ({place[side] for place in made} for side in (0, 1))
    return ResultGrid(tuple(sorted(agents)), tuple(sorted(tasks)), made, left_out)


def grid_of(episodes: Episodes, runs: Sequence[Path]) -> ResultGrid:
    """Return the grid of what was read from these runs."""
    stops, causes, assisted = _each(episodes, "stop"), _each(episodes, "cause"), episodes.assists

    def walk() -> Iterator[GridEpisode]:
        for at, (run, folder, tries) in enumerate(episodes.records):
            score = float(episodes.score[at])
            yield GridEpisode(
                task=episodes.tasks[episodes.task[at]],
                agent=episodes.agents[episodes.agent[at]],
                outcome=_outcome(score, judged=bool(episodes.judged[at])),
                run=runs[run] if run < len(runs) else Path(),
                folder=folder,
                score=None if isnan(score) else score,
                stop=stops.get(at, ""),
                cause=causes.get(at, ""),
                error=episodes.said.get(at, ""),
                unclean=score >= 1.0 and at in episodes.besides,
                assisted=bool(assisted[at]),
                tries=tries,
            )

    return make_grid(walk())


def _outcome(score: float, *, judged: bool) -> Outcome:
    if isnan(score):
        return "void" if judged else "unjudged"
    return "passed" if score >= 1.0 else "failed"


def _each(episodes: Episodes, dimension: str) -> dict[int, str]:
    labels = episodes.labels[dimension]
    return {int(at): labels.names[code] for at, code in zip(labels.rows, labels.codes, strict=True)}


def short_tasks(tasks: Sequence[str]) -> dict[str, str]:
    """Return tasks without the suite that all share and without versions, where they stay apart."""
    shared = len({task.partition("/")[0] for task in tasks}) == 1
    short = {task: re.sub(r"-v\d+$", "", task.partition("/")[2] if shared and "/" in task else task) for task in tasks}
    number = Counter(short.values())
    return {task: name if number[name] == 1 else task for task, name in short.items()}


def _why(episodes: Sequence[GridEpisode], feedback: Feedback) -> str:
    for episode in episodes:
        if episode.outcome == "failed":
            said = () if episode.error else feedback(episode.run, episode.folder)
            return failure_reason(episode.stop, episode.error, said)
    for episode in episodes:
        if episode.outcome == "void":
            return void_reason(episode.cause, episode.error)
    return "also changed something else" if any(episode.unclean for episode in episodes) else ""


def _plain(cell: GridCell) -> dict[str, object]:
    return {
        "outcome": cell.outcome,
        "text": cell.text,
        "why": cell.why,
        "episodes": [
            {
                "outcome": each.outcome, "score": each.score, "stop": each.stop, "cause": each.cause or None,
                "assisted": each.assisted, "tries": each.tries, "episode": each.folder, "replay": each.replay,
            }
            for each in cell.episodes
        ],
    }  # fmt: skip
